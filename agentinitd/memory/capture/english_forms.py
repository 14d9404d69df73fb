"""All forms of an English rule in their order, and which of them the words of a clause leave possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from agentinitd.memory.capture.english_asks import ALONE, WANTS
from agentinitd.memory.capture.english_asks import CUE as ASK_CUE
from agentinitd.memory.capture.english_bans import BANS
from agentinitd.memory.capture.english_beside import BESIDE
from agentinitd.memory.capture.english_choices import CHOICES, USE_INSTEAD
from agentinitd.memory.capture.english_customs import CUE as CUSTOM_CUE
from agentinitd.memory.capture.english_customs import CUSTOMS, TASTE_CUE, TASTES
from agentinitd.memory.capture.english_deeds import DEEDS
from agentinitd.memory.capture.english_demands import DEMANDS
from agentinitd.memory.capture.english_form import Form, form
from agentinitd.memory.capture.english_general import CUE as GENERAL_CUE
from agentinitd.memory.capture.english_general import GENERAL, LOOKS, LOOKS_CUE
from agentinitd.memory.capture.english_likes import CUE as LIKE_CUE
from agentinitd.memory.capture.english_likes import LIKES
from agentinitd.memory.capture.english_limits import KEEPS, ONLY
from agentinitd.memory.capture.english_offhand import OFFHAND
from agentinitd.memory.capture.english_open import CUE as OPEN_CUE
from agentinitd.memory.capture.english_open import OPEN, ORDERED, ORDERED_CUE
from agentinitd.memory.capture.english_orders import ORDERS
from agentinitd.memory.capture.english_passing import PASSING
from agentinitd.memory.capture.english_said import SAID
from agentinitd.memory.capture.english_specs import CUE as SPEC_CUE
from agentinitd.memory.capture.english_specs import SPECS
from agentinitd.memory.capture.english_standing import CONDITIONS, SKIPS, STANDING, STYLED
from agentinitd.memory.capture.english_turns import CUE as TURN_CUE
from agentinitd.memory.capture.english_turns import TURNS
from agentinitd.memory.capture.english_verdicts import CUE as VERDICT_CUE
from agentinitd.memory.capture.english_verdicts import VERDICTS
from agentinitd.memory.capture.english_wishes import WISHES
from agentinitd.memory.capture.english_withdrawals import WITHDRAWALS
from agentinitd.memory.capture.needed import Possible

POLITE_BAN = form("polite-ban", r"not ", polarity="do_not")
"""Behind "could you please"."""
_LIFTS = re.compile(
    r"n['’]t\b|\b(?:forget|drop|scratch|ignore|disregard|mind|nevermind|lift|cancel|remove|revoke"
    r"|retract|undo|skip|ditch|lose|back|strike|rule|ban|restriction|constraint|requirement|limit"
    r"|limitation|freeze|no|not|need|needs|can|may|free|ahead|fine|ok|okay|allowed|permitted|acceptable"
    r"|welcome|fair|open|unlocked|cool|longer|stop|dont|whenever|any ?time)\b",
    re.IGNORECASE,
)
_TABLES = (
    (_LIFTS, WITHDRAWALS),
    (None, CUSTOMS[:1]),
    (
        VERDICT_CUE,
        tuple(each for each in VERDICTS if each.name in ("bad-noun", "out-of-the-question", "annoys")),
    ),
    (None, (*WISHES, *BANS, *ONLY, *KEEPS, *DEMANDS, *CHOICES, *ORDERS)),
    (ORDERED_CUE, ORDERED),
    (TURN_CUE, TURNS),
    (VERDICT_CUE, VERDICTS),
    (None, (*OFFHAND, *PASSING, *DEEDS, *SAID, *BESIDE)),
    (SPEC_CUE, SPECS),
    (CUSTOM_CUE, CUSTOMS),
    (TASTE_CUE, TASTES),
    (LIKE_CUE, LIKES),
    (OPEN_CUE, OPEN),
    (LOOKS_CUE, LOOKS),
    (GENERAL_CUE, GENERAL),
    (ASK_CUE, WANTS),
    (None, (*SKIPS, *ALONE, *STANDING, *STYLED, *CONDITIONS)),
    (None, (USE_INSTEAD,)),
)
"""In their order, each with what a clause must hold besides for its forms to be meant."""
IN_ORDER = tuple((each, cue) for cue, table in _TABLES for each in table)
_POSSIBLE = Possible([each.source for each, _ in IN_ORDER])


def forms_for(piece: str) -> Iterator[Form]:
    """In their order, those that the words of the piece leave possible."""
    possible = map(IN_ORDER.__getitem__, _POSSIBLE.in_text(piece))
    for cue, forms in groupby(possible, key=itemgetter(1)):
        if cue is None or cue.search(piece):
            yield from (each for each, _ in forms)
