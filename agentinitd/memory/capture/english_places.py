"""Where in an English sentence a form may stand, and what may stand behind it: names of forms."""

from __future__ import annotations

from agentinitd.memory.capture.english_specs import SPECS

PERMISSIONS = frozenset({"you-may", "allowed", "may-inverted"})
TAILS = frozenset({"use-exact", "use-for", "keep", "only-noun", "nothing-but", "condition", "ask"})
ONLY_BEHIND_RULE = frozenset({"never-latest", "noun-not", "use-instead"})
"""Forms that only make sense as the other half of the rule before them."""
ACROSS_COMMA = frozenset(
    {
        "my-job",
        "beside-here-its-not",
        "nowhere-else",
        "nothing-more",
        "instead",
        "we-use",
        "x-not-y",
        "use-for",
        "are-not",
        "open-once",
        "this-time",
        "open-x-no-y",
        "said-do-this-not-that",
        "terse-first-then",
        "habit-first-second",
    }
)
CONDITIONAL = frozenset({"condition-then", "open-whenever", "terse-when-you"})
"""Forms of a condition and what is to be done then, without a mark between them."""
ONLY_FIRST = frozenset(
    {
        "at-most",
        "tool-version",
        "order-of",
        "adjective-things",
        "styled-as",
        "things-for",
        "things-sorted",
        "thing-over-thing",
        "language-spec",
        "thing-instead",
        "tool-for",
        "sits-on",
        "verbless",
        "first",
        "only-prep",
        "on-each",
        "things-only",
        "all-via",
        "beats",
        "language-for",
        "over",
        "x-not-y",
        "no-one-word",
        "x-only",
        "only-noun",
        "terse-brief",
        "terse-small-things",
        "habit-as-possible",
        "habit-all-at",
        "terse-for-anything",
        "terse-style",
        "terse-spelling",
        "terse-must-run",
    }
)
SPEC_NAMES = frozenset(each.name for each in SPECS)
STATES = frozenset(
    {
        "general-things-do",
        "general-each-does",
        "open-things-get",
        "open-things-run",
        "all-the",
        "every-with",
        "each-comes-with",
        "belongs",
        "custom-is",
        "our-is",
        "noun-goes",
        "generic-is",
        "artefacts",
        "verbless",
        "work-against",
        "runs",
        "against",
        "settled-value",
        "value",
        "we-are-on",
        "terse-use-now",
    }
)
"""Forms of statements, which tell how things are when something is amiss."""
