"""One form of an English rule, and the classes of words that the forms are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from agentinitd.memory.capture.proposals import Act, Force
from agentinitd.model.facts import Polarity


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form, and what a clause of that form is."""

    name: str
    source: str
    polarity: Polarity
    force: Force
    act: Act
    is_permission: bool
    confidence: float

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Made when a clause may have this form: most of the hundreds are seldom tried."""
        return re.compile(self.source, re.IGNORECASE)


LANGUAGE = (
    r"(?:(?:british|american|simplified|traditional|plain|simple) )?(?:english|german|french|spanish"
    r"|chinese|japanese|korean|russian|portuguese|italian"
    r"|dutch|polish|swedish|turkish|arabic|hindi|mandarin|cantonese|czech|danish|finnish|greek|hebrew"
    r"|norwegian|ukrainian|vietnamese)"
)
CHANGE = (
    r"(?:chang|touch|modif|edit|alter|renam|remov|delet|break|brok|mov|rewrit|refactor|reformat|replac"
    r"|add|upgrad|updat|bump|commit|push|merg|squash|deploy"
    r"|releas|install|publish|format|overwrit|regenerat|rais|lower|us|access|call|import|mock|log|print"
    r"|hard-?cod|mutat|introduc|creat|skip|disabl|ignor|expos"
    r"|cach|rely|depend|read|writ|run|restart|drop|renumber|migrat|allocat|block|grow|leak|depart|differ)"
)
NOUNS = (
    r"(?:[a-z-]+ ){0,3}(?:[a-z-]*[a-rt-z]s|names?|[a-z]+(?:tion|ment)|logging|testing|code|css|html|sql"
    r"|documentation|logging|data|state|config(?:uration)?|error handling|stuff|everything|anything"
    r"|ids?|apis?|urls?|isrs?|dtos?|prs|keys)"
)
# Who or what the rule is about; a name or a pronoun there makes it talk.
SUBJECT = r"(?P<subject>(?:[^\s,;:]+\s+){1,12}?)"
GENERIC = (
    r"(?P<generic>(?:(?:every|each|any|all|no|new|both|other)\b(?! (?:is|are)\b)(?: (?!of (?:those|these"
    r"|them)\b)(?:of )?(?:the |our |my |your )?(?!i\b|we\b|that\b|which\b)[^\s,;]+){1,7}?|everything"
    r"|anything|whatever (?!(?:we|i|it|you|is|they)\b)[^,;]{2,40}?)\s+)"
)
MUST = (
    r"(?:must|has to|have to|(?:is|are) required to|(?:is|are) to(?= (?:be|have|use|go|stay)\b)|shall"
    r"|(?:has|have) got to|gotta)"
)
NOT = r"(?:n'?t| not|not|n’t)"
BAD = (
    r"(?:read[- ]only(?: (?:for|to) (?:you|us)| now)|(?:strictly |completely |totally "
    r"|absolutely )?(?:off?[ -]limits?"
    r"|forbidden|prohibited|banned"
    r"|taboo|a no[ -]?go|sacred|untouchable|out of bounds|not up for (?:change|debate|discussion)"
    r"|not (?:allowed|ok(?:ay)?|acceptable|permitted|welcome|an option|negotiable|to be (?!honest|fair"
    r"|rude)\w+)|unacceptable|verboten|none of (?:your|our|my) (?:business|concern)|not (?:your"
    r"|our) (?:concern|business)|sacrosanct"
    r"|holy|(?:set|carved|cast|written) in (?:stone|concrete)|frozen(?: (?:until|till|for)\b.*)?$))"
)
STATUS = (
    r"(?:fail|break|crash|hang|pass|work|die|time out|timeout|complain|error|take|look|seem|feel|happen"
    r"|appear|show up|disappear|get stuck|lead|come back|mean|exist|want|match|cause)"
)
VALUE = (
    r"(?:`[^`]+`|x{2,}|:?\d{2,}[\w.:-]*|v?\d+(?:\.\d+)+\w*|~?/?[\w.-]+/[\w./-]+|\w+://\S+"
    r"|[a-z]+\.[a-z]+\.\w+)"
)
VAGUE_OBJECT = (
    r"(?:it|that|this|them|those|these|so|like (?:that|this))(?: (?:again|now|here|either|please|if"
    r"|when|because|for|at all|any ?more|yet)\b| ?$|[.!?]|, (?:just|only|i'll|i will|rather|first)\b)"
)


def form(
    name: str,
    pattern: str,
    *,
    cue: str = "",
    polarity: Polarity = "do",
    force: Force = "hard",
    act: Act = "state",
    is_permission: bool = False,
    confidence: float = 0.9,
) -> Form:
    """With a `cue` the words are looked for first, without which the form cannot be there."""
    if cue:
        pattern = rf"(?=.*?\b(?:{cue})\b)(?:{pattern})"
    return Form(
        name=name,
        source=pattern,
        polarity=polarity,
        force=force,
        act=act,
        is_permission=is_permission,
        confidence=confidence,
    )
