"""The words without which a pattern cannot match: no text that matches may be turned away."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from agentinitd.memory import credential_forms
from agentinitd.memory.capture import decided, english_talk, english_traps, renewals
from agentinitd.memory.capture.chinese_grammar import CUES
from agentinitd.memory.capture.english_forms import IN_ORDER, forms_for
from agentinitd.memory.capture.needed import AnyOf, Possible, Sought, folded_case, needed_in

TRIES = 60
ENOUGH = 4
_LETTERS = "abdeghijklmnopqruvwyz"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"never (?:ever )?touch", {"never touch", "never ever touch"}),
        (r"(?:please )?don'?t\b", {"don't", "dont"}),
        (r"[a-z]+ (?:must|shall) \w+", {" must ", " shall "}),
        (r"(?=.*\bonly\b).*", {"only"}),
        (r"(?!only).*", set()),
        (r"(?:always)?", set()),
        (r"(?:always)+", {"always"}),
        (r"\w+|never", set()),
        (r"(?:is|is not) \d", {"is "}),
        (r"x(?:a|b)(?:c|d)(?:e|f)(?:g|h)", {"xace", "xacf", "xade", "xadf", "xbce", "xbcf", "xbde", "xbdf"}),
    ],
)
def test_the_words_that_a_pattern_cannot_do_without(pattern: str, words: set[str]) -> None:
    assert needed_in(pattern) == words


@pytest.mark.parametrize("text", ["NEVER", "ta\u017fk", "\u212aeep", "k\u0131nd", "\u0130s it"])
def test_case_is_folded_as_the_patterns_fold_it(text: str) -> None:
    patterns = ["never", "task", "keep", "kind", "is it"]
    matching = [number for number, each in enumerate(patterns) if re.search(each, text, re.IGNORECASE)]
    assert matching
    assert Possible(patterns).in_text(text) == matching


def test_a_text_without_the_words_leaves_nothing_possible() -> None:
    assert Possible(["never (?:touch|edit)", "only"]).in_text("have a look at the parser") == []


def test_any_of_many_patterns_is_found_as_each_alone_would_be() -> None:
    patterns = [re.compile(each, re.IGNORECASE) for each in ("never (?:touch|edit)", r"\d+ lines", "only")]
    any_of = AnyOf(patterns)
    for text in ("Never edit it", "please never touch it", "at most 40 lines", "only this", "look at it", ""):
        assert any_of.is_in(text) == any(each.search(text) for each in patterns)
        assert any_of.begins(text) == any(each.match(text) for each in patterns)


def test_no_form_is_turned_away_by_a_clause_that_has_it() -> None:
    tried = 0
    for number, (form, cue) in enumerate(IN_ORDER):
        for text in _texts_with(form.source, random.Random(number)):
            tried += 1
            assert not (cue is None or cue.search(text)) or form in forms_for(text), (form.name, text)
    assert tried > ENOUGH * len(IN_ORDER) * 0.8


def test_no_chinese_cue_is_turned_away_by_a_clause_that_has_it() -> None:
    patterns = [cue.pattern.pattern for cue in CUES]
    possible = Possible(patterns)
    tried = 0
    for number, pattern in enumerate(patterns):
        for text in _texts_with(pattern, random.Random(number)):
            tried += 1
            assert number in possible.in_text(text), (pattern, text)
    assert tried > ENOUGH * len(CUES) * 0.8


_MODULES = (decided, renewals, english_traps, english_talk)
SOUGHT = list(
    dict.fromkeys(each for module in _MODULES for each in vars(module).values() if type(each) is Sought)
)


@pytest.mark.parametrize("sought", SOUGHT, ids=range(len(SOUGHT)))
def test_what_is_sought_is_found_wherever_its_pattern_is(sought: Sought) -> None:
    texts = list(filter(sought.pattern.search, _texts_with(sought.pattern.pattern, random.Random(1))))
    assert texts
    assert all(map(sought.search, texts))


def test_no_credential_is_turned_away_by_a_text_that_holds_it() -> None:
    patterns = [each for each in vars(credential_forms).values() if type(each) is re.Pattern]
    tried = 0
    for number, each in enumerate(patterns):
        words = needed_in(each.pattern)
        for text in _texts_with(each.pattern, random.Random(number)):
            tried += 1
            assert not words or any(word in folded_case(text) for word in words), (each.pattern, text)
    assert tried > ENOUGH * len(patterns) * 0.6


def _texts_with(pattern: str, chance: random.Random) -> Iterator[str]:
    """Some that match, as far as they are found by chance: each way through the pattern may come up."""
    compiled, tree = re.compile(pattern, re.IGNORECASE), _parser.parse(pattern, re.IGNORECASE)
    made = ("".join(_text(tree, chance)) for _ in range(TRIES))
    matching = (text for text in made if compiled.match(text))
    yield from (text for _, text in zip(range(ENOUGH), matching, strict=False))


def _text(tree: Iterable[Any], chance: random.Random) -> Iterator[str]:
    for code, argument in tree:
        if code is op.LITERAL:
            yield chance.choice((chr(argument), chr(argument).upper()))
        elif code is op.BRANCH:
            yield from _text(chance.choice(argument[1]), chance)
        elif code is op.SUBPATTERN:
            yield from _text(argument[3], chance)
        elif code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            most = min(argument[1], max(argument[0], 2))
            for _ in range(chance.randint(argument[0], most)):
                yield from _text(argument[2], chance)
        elif code is op.IN and argument[0][0] is op.LITERAL:
            yield chr(argument[0][1])
        elif code in (op.IN, op.ANY, op.NOT_LITERAL):
            yield _character(code, argument, chance)


def _character(code: Any, argument: Any, chance: random.Random) -> str:
    if code is op.IN and any(each == (op.CATEGORY, op.CATEGORY_SPACE) for each in argument):
        return " " if argument[0][0] is not op.NEGATE else chance.choice(_LETTERS)
    if code is op.IN and argument == [(op.CATEGORY, op.CATEGORY_DIGIT)]:
        return chance.choice("0123456789")
    return chance.choice(_LETTERS)


_WITHOUT_PARSER = """
import re, sys
del re._parser
sys.modules["re._parser"] = None
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.needed import needed_in
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import AgentMessage, PersonMessage
assert not needed_in("never")
said = [
    PersonMessage(line=1, offset=0, text="Never edit the generated files. Use pnpm, not npm."),
    PersonMessage(line=2, offset=1, text="不要动 config/prod.toml"),
    AgentMessage(line=3, offset=2, text="Decision: one pass instead of two because the second is slow."),
]
print(*(each.text for each in Listener("s", readers=built_in()).hear(said)), sep="|")
"""


def test_a_python_without_that_parser_captures_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PARSER], capture_output=True, text=True, check=False
    )

    assert done.stdout.strip().split("|") == [
        "Never edit the generated files",
        "Use pnpm, not npm",
        "不要动 config/prod.toml",
        "Decision: one pass instead of two",
    ], done.stderr
