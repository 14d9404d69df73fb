"""All forms of an English rule in their order, and which of them the words of a clause leave possible."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_bans import BANS
from agentinitd.memory.capture.english_choices import CHOICES
from agentinitd.memory.capture.english_demands import DEMANDS, KEEPS, ONLY
from agentinitd.memory.capture.english_form import Form, form
from agentinitd.memory.capture.english_wishes import LAST, WISHES, WITHDRAWALS

POLITE_BAN = form("polite-ban", r"not ", polarity="do_not")
"""Behind "could you please"."""
FORMS: tuple[tuple[frozenset[str], tuple[Form, ...]], ...] = tuple(
    (frozenset(words.split()), heads)
    for words, heads in (
        (
            "forget drop scratch ignore disregard mind nevermind lift cancel remove revoke retract"
            " undo skip ditch lose back"
            " strike rule ban restriction constraint requirement limit limitation freeze no not"
            " needn't need can may free ahead"
            " fine ok okay allowed permitted acceptable welcome fair open unlocked cool",
            WITHDRAWALS,
        ),
        (
            "rather prefer preferred preference like love better nice good great favour favor not"
            " never fan dislike hate"
            " loathe detest avoid try easy many much fewer less few little overdo aim lean ideally"
            " away cool no nicer appreciate"
            " find consider make makes drive drives allergic tired sick against over",
            WISHES,
        ),
        (
            "not never no zero read-only told telling asked asking skip spare cut drop omit leave use pick"
            " single nothing nobody none avoid refrain steer hands keep stay stop quit cease"
            " enough careful"
            " without circumstances case point account off forbidden prohibited banned taboo sacred"
            " untouchable bounds"
            " unacceptable verboten cannot fingers paws no-go nogo sure ensure watch care limits"
            " off-limits won't wont will business belong doesn't place tolerance anything there holy"
            " sacrosanct stone frozen",
            BANS,
        ),
        (
            "only nothing exclusively solely obey match mirror mimic reuse re-use honor honour stick"
            " adhere follow respect conform comply restrict limit confine stay go"
            " nowhere no",
            ONLY,
        ),
        ("leave let keep preserve maintain retain stay stays remain remains kept left", KEEPS),
        (
            "always sure ensure remember see care habit ask check tell warn ping consult confirm clear"
            " run wait get let must"
            " has have need needs should shall gotta ought are is every each any all everything want"
            " expect require insist"
            " demand like answers replies responses summaries plans whatever treat consider regard"
            " requires max maximum most more longer least"
            " min minimum first be rule important crucial essential critical vital mandatory"
            " obligatory compulsory"
            " convention policy standard agreement practice guideline written goes stays english"
            " german french spanish chinese japanese korean russian portuguese italian dutch"
            " polish swedish turkish arabic hindi mandarin cantonese czech danish finnish greek hebrew"
            " norwegian ukrainian"
            " vietnamese",
            DEMANDS,
        ),
        (
            "instead prefix suffix name tag sign label group sort version squash validate escape"
            " annotate store express represent measure at per rather place over lieu not switch"
            " switching migrate move moving change we we're"
            " use run everywhere for"
            " throughout always default times time from every each any all new exactly exclusively"
            " consistently before after"
            " prior whenever when pin lock freeze cap limit restrict make on is are runs lives listens"
            " sits go goes belong"
            " belongs replace convert wherever lowercase per spaces tabs snake_case semicolons commas"
            " please pls belongs carry start end happen get come if future forward as test tests build"
            " builds timeouts live lie to",
            CHOICES,
        ),
        ("preferably preferable ideally possible can", LAST),
    )
)
"""The forms in groups, each with the words of which a clause of that group holds at least one."""
_TOKEN = re.compile(r"[a-z][a-z'-]*")


def forms_for(piece: str) -> list[Form]:
    """The forms that the words of the piece leave possible, in their order."""
    words = set(_TOKEN.findall(piece.lower().replace("’", "'")))
    if any(word.endswith("n't") or word in _SHORT_NOTS for word in words):
        words.add("not")
    return [head for cues, heads in FORMS if not cues.isdisjoint(words) for head in heads]


_SHORT_NOTS = frozenset({"dont", "cannot", "shouldnt", "mustnt", "doesnt", "isnt", "arent"})
