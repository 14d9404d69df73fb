"""How English passes a verdict: what is out, frozen or a pet peeve, what is a must, and what beats what."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import form

CUE = re.compile(
    r"\b(?:is|are|'s|stays?|remains?|keeps?|beats?|trumps?|wins?|over|before|better|rather|than|gives?"
    r"|makes?"
    r"|drives?|gets?|comes?|goes|lean\w*|more|swear|partial|favou?r|all for|opt|side|have no|has no"
    r"|belongs?|was declared)\b|>",
    re.IGNORECASE,
)
"""Without one of these no verdict is passed."""
_NOT_HEADS = (
    r"(?:it|this|that|these|those|there|here|he|she|they|we|i|you|what|which|who|why|how|if|when|because"
    r"|and"
    r"|but|or|so|not|no|something|someone|everyone|people)"
)
_WHAT = rf"(?P<subject>(?!{_NOT_HEADS}\b)[^,;:?]{{2,60}}? )"
_BE = (
    r"(?:is|are)(?: (?:just|simply|really|still|always|such|absolutely|clearly|totally|also|for me|to me"
    r"|here))*"
)
_BAD_NOUN = (
    r"(?:pet (?:peeves?|hates?)|(?:big |clear |hard |strict |absolute |total )?no(?:-no|-go|\b(?= |$))"
    r"|no[ -]?go'?s?"
    r"|thorn|nightmare|horror|(?:cardinal |mortal |deadly )?sins?\b|dirty words?|deal-?breakers?"
    r"|red (?:line|flag|rag)s?|plague|pest|abomination|liabilit(?:y|ies)|(?:code )?smells?\b|taboo"
    r"|bad (?:idea|habit|practice|style|taste|form|manners)s?|anti-?patterns?|eyesores?|evil|poison"
    r"|thing of the past|last resort)"
)

VERDICTS = (
    form(
        "bad-noun",
        rf"{_WHAT}{_BE} (?:an? |the |my |our |one of my )?(?:biggest |worst |personal |real |huge "
        rf"|big )?{_BAD_NOUN}"
        r"(?: (?:of mine|of ours|here|for (?:me|us)|to me|in [^,;]+|with me))?",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "out-of-the-question",
        rf"{_WHAT}{_BE} (?:out of (?:the )?question|off the table|a non[- ]?starter|unwanted|unwelcome"
        rf"|undesired"
        r"|not (?:cool|wanted|welcome|our style|my style|acceptable|how (?:we|i) do|something (?:we"
        r"|i) (?:want|do|use))"
        r"|over and done|dead to (?:me|us)|a thing of the past|not (?:allowed|permitted|up to you|yours"
        r"|to be"
        r" (?!hon|fair|rude)\w+)|beneath us|not a thing (?:here|we do))\b",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "is-out",
        r"(?P<subject>(?!(?:the|it|this|that|i|we|they|he|she|someone|everyone|time|v?\d)\b)(?!.*\d)"
        r"(?:[\w./'-]+ ){1,7})(?:is|are) (?:out|history|gone for good|done for|over)(?: (?:here|for (?:me"
        r"|us)|btw"
        r"|from now on|as of (?:now|today)))?$",
        polarity="do_not",
        confidence=0.7,
    ),
    form(
        "annoys",
        rf"{_WHAT}(?:gives? me (?:a |the )?(?:headaches?|creeps|pause|trouble|shivers|hives|nightmares)"
        r"|(?:makes?|drives?) me (?:up the wall|sad|mad|crazy|nervous|angry|cringe|unhappy|nuts|insane"
        r"|sick|itch)"
        r"|gets? on my nerves|annoys? me|bothers? me|irritates? me|hurts? my eyes|(?:rubs?"
        r"|puts?) me (?:the wrong"
        r" way|off))\b",
        polarity="do_not",
        force="soft",
        confidence=0.8,
        cue=r"me|my",
    ),
    form(
        "no-place",
        rf"{_WHAT}(?:(?:has|have) no (?:place|business)|(?:does not|doesn'?t|do not"
        rf"|don'?t) belong)\b[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "is-a-must",
        rf"{_WHAT}{_BE} (?:an? (?:absolute |real )?must\b|not optional|compulsory|obligatory|mandatory"
        r"|non-?negotiable|indispensable|the (?:law|rule|norm|standard|way to go|only way)\b|king\b"
        r"|(?:our|my) (?:standard|default|convention|choice|way)\b|(?:always )?required (?:here|for|on|in"
        r"|by)\b)",
        confidence=0.8,
    ),
    form(
        "stays-put",
        rf"{_WHAT}(?:stays?|remains?)(?: (?:put|here|please|for now|exactly so|like that|that way))?$",
        confidence=0.75,
    ),
    form(
        "stays-until",
        rf"{_WHAT}(?:(?:has|have|needs?|ought) to|must|should|shall|will) (?:stay|remain)\b[^,;]*"
        rf"|{_WHAT.replace('subject', 'subject_now')}(?:stays?|remains?) (?:until|till|on|in every|in all"
        rf"|where"
        r"|what|how|as|at|v?\d)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "keeps-own",
        rf"{_WHAT}keeps? (?:its|their|the same|the old|the current|the existing) [^,;]+",
        confidence=0.75,
    ),
    form(
        "wins-over",
        rf"{_WHAT}(?:(?:always )?(?:beats?|trumps?|outranks?|wins? (?:out )?over|is preferred (?:over|to)"
        rf"|goes before"
        r"|comes before|is (?:better|nicer|cleaner|clearer) than)|>{1,2}) (?![^,;]*(?:\bpercent|%"
        r"|benchmark|\bby \d"
        r"|before\b|old\b))[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "thing-over-thing",
        r"(?:(?!(?:the|this|that|it|i|we|you|all|is|are|lunch|over|run|do)\b)[\w-]+ ){1,3}(?:over|before) "
        r"(?!(?:the|it|that|this|there|here|time|a|an|you|i|we|\d+)\b)[\w-]+(?: [\w-]+)?(?: (?:in|for|on"
        r"|when"
        r"|whenever) [^,;]+)?$",
        force="soft",
        confidence=0.7,
    ),
    form(
        "better-than",
        r"(?:rather|better|sooner) (?:an? |the |have |to )?(?!(?:not|late|safe|than|if|now|luck|get|go"
        r"|ask)\b)[^,;]{2,60}? than"
        r" (?!sorry|never|nothing)[^,;]+",
        force="soft",
        confidence=0.8,
    ),
    form(
        "lean-towards",
        r"(?:i|we)(?:'m| am|'re| are)? (?:tend to |usually |generally |always |personally |rather "
        r"|kind of |kinda )*"
        r"(?:lean(?:ing)? (?:towards?|to)|more (?:like|fancy|enjoy)|gravitate to(?:wards)?|swear by"
        r"|side with"
        r"|partial to|(?:more |rather )?in favou?r of|all for|opt for) (?!(?:it|this|that|the (?:first"
        r"|second|third|other|latter|former|last)|option)\b)[^,;]+",
        force="soft",
        confidence=0.8,
    ),
)
