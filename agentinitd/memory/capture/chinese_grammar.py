"""One Chinese clause → what it asks for, or nothing: forbidden, demanded, preferred, taken back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_beside as beside
from agentinitd.memory.capture import chinese_cues as cues
from agentinitd.memory.capture import chinese_demands as demands
from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture import chinese_guards as guards
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_needs as needs
from agentinitd.memory.capture import chinese_open as open_forms
from agentinitd.memory.capture import chinese_reports as reports
from agentinitd.memory.capture import chinese_short as short
from agentinitd.memory.capture import chinese_terse as terse
from agentinitd.memory.capture import chinese_told as told
from agentinitd.memory.capture import chinese_values as values
from agentinitd.memory.capture.needed import Possible
from agentinitd.memory.capture.proposals import Act, Force
from agentinitd.model.facts import Polarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a clause asks for, and where the word stands that says so."""

    act: Act = "state"
    polarity: Polarity = "do"
    force: Force = "hard"
    is_permission: bool = False
    confidence: float = 0.9
    cue: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Cue:
    pattern: re.Pattern[str]
    polarity: Polarity
    force: Force
    confidence: float
    accepts: guards.Guard


MAX_MATCHES = 8
"""Of one cue in one clause; a clause that has more of them says nothing."""


def may_ask(clause: str) -> bool:
    """False for most of what is said: no word is there that anything could be asked with."""
    return any(_ALL[number].search(clause) for number in _POSSIBLE.in_text(clause))


def judge(clause: str, around: guards.Surroundings) -> Reading | None:
    """The first kind of cue that holds in this clause."""
    if (asides.JOKE.search(clause) and not guards.PATH.search(clause)) or joints.ONLY_SCOPE.match(clause):
        return None
    if joints.AS_SAID.match(clause):
        return None
    possible = _POSSIBLE.in_text(clause)
    taken_back = _taken_back(clause, around) if possible and possible[-1] >= len(CUES) else None
    if taken_back is not None:
        return taken_back
    if general.NO_MORE_ASKING.match(clause) or (
        around.is_after_ban and general.REASON_TO_MATCH.match(clause)
    ):
        return None
    if asides.LATER.search(clause) and not _forbids(clause):
        return None
    ban = cues.HARD_BAN.search(clause) or cues.CANNOT.search(clause)
    if _is_no_rule(clause, around):
        return None
    for cue in (CUES[number] for number in possible if number < len(CUES)):
        for found in islice(cue.pattern.finditer(clause), MAX_MATCHES):
            if cue.polarity == "do" and ban and ban.end() <= found.start():
                break
            if around.is_forced and _NO_CHOICE.match(clause, found.start()):
                continue
            if cue.accepts(clause, found, around):
                return Reading(
                    polarity=cue.polarity,
                    force=cue.force,
                    confidence=cue.confidence,
                    cue=found.span("cue" if found.groupdict().get("cue") else 0),
                )
    return None


_NO_CHOICE = re.compile(r"只能|不能|就?只好|必须")
_SAYS_TO_DO = re.compile(
    r"[就先]|必须|务必|别|不要|不许|不准|禁止|得|问|一律|统一|马上|立刻|立即|直接|第一时间|把|[给跟]我"
    r"|最好|尽量|麻烦|多[^，]{1,2}点"
)


def _is_no_rule(clause: str, around: guards.Surroundings) -> bool:
    """Of the world, of the product, or only supposed."""
    if around.lasts:
        return False
    if asides.BEHAVIOUR.search(clause) or asides.SYSTEM.match(clause) or asides.WORLD.search(clause):
        return True
    if reports.FACT.search(clause) or reports.LONG_GONE.search(clause):
        return True
    if told.OR_ELSE.match(clause):
        return True
    if told.STATE.match(clause) or told.BEHAVES.search(clause):
        return True
    return bool(asides.SUPPOSED.match(clause)) and not _SAYS_TO_DO.search(clause)


# -- taken back ---------------------------------------------------------------------------------------------

_NOT_PERMITTED = re.compile(
    r"(?:希望|要求|想要|保证|确保)[^，]{0,12}?能|"
    r"不(?:可以?|能|许|准|允许|让)|才(?:能|可以?|允许|准)|只有[^，]{1,24}?(?:可以|能|允许)|[只仅](?:能"
    r"|许|准|可以?|允许)|可以(?:吗|么|？"
    r"|不)|能(?:吗|不能)|(?:要|得|须|需|应该?|保证|确保)能"
)
_USES_TOOL = re.compile(r"不用 ?(?=[A-Za-z`]|x{2}|这个库|第三方)")


def _taken_back(clause: str, around: guards.Surroundings) -> Reading | None:
    if general.THEN_NOT.match(clause):
        return Reading(act="withdraw", confidence=0.75, cue=(0, len(clause)))
    if around.is_ban_told and cues.NOW_FREE.match(clause):
        return Reading(act="withdraw", is_permission=True, confidence=0.85, cue=(0, len(clause)))
    if terse.MAY_GO.match(clause):
        return Reading(act="withdraw", confidence=0.8, cue=(0, len(clause)))
    if terse.STRAIGHT_ON.match(clause):
        return Reading(act="withdraw", is_permission=True, confidence=0.8, cue=(0, len(clause)))
    found = cues.REVOKE.search(clause)
    if found:
        return Reading(act="withdraw", confidence=0.9, cue=found.span())
    allowed = _NOT_PERMITTED.sub(lambda word: "〇" * len(word[0]), clause)
    found = cues.PERMIT.search(allowed)
    is_here = asides.HERE.search(clause) and not joints.ALL_OF_THEM.match(clause)
    if found and short.BY_ALL_MEANS.search(clause):
        found = None
    if found and not (is_here or cues.HARD_BAN.search(clause) or demands.ASK_FIRST.search(clause)):
        # What may be done outside of “only here” takes that demand back.
        is_permission = not cues.WIDER.search(clause)
        return Reading(act="withdraw", is_permission=is_permission, confidence=0.85, cue=found.span())
    found = cues.RELENTS.match(clause) if around.is_relenting else None
    if found and not demands.ASK_FIRST.search(clause):
        return Reading(act="withdraw", is_permission=True, confidence=0.8, cue=found.span())
    found = cues.FREE.search(clause)
    if found and not asides.PAST.search(clause) and (asides.CODEISH.search(clause) or found[0][0] in "冻禁"):
        return Reading(act="withdraw", confidence=0.8, cue=found.span())
    found = cues.DROPPED.search(clause)
    if found and clause[0] not in "这那":
        return Reading(act="withdraw", polarity="do_not", confidence=0.8, cue=found.span())
    is_held = asides.PAST.search(clause) or needs.HOLD.search(clause)
    found = None if is_held else cues.NEED_NOT.search(clause)
    if found and not (_USES_TOOL.match(clause, found.start()) and not cues.NO_MORE.search(clause)):
        is_lift = bool(re.match(r"(?:再|去|刻意|特意)*(?:避免|避开|回避)", clause[found.end() :]))
        is_over = cues.NO_MORE.search(clause, found.end()) or demands.ASK_FIRST.search(clause, found.end())
        if is_lift or ((is_over or around.lasts) and not _forbids(clause)):
            return Reading(act="withdraw", is_permission=is_lift, confidence=0.85, cue=found.span())
    return None


def _forbids(clause: str) -> bool:
    return bool(cues.HARD_BAN.search(clause))


CUES: tuple[_Cue, ...] = (
    _Cue(asides.REQUEST, "do_not", "hard", 0.85, guards.imperative),
    _Cue(general.NOBODY_MAY, "do_not", "hard", 0.85, guards.anyway),
    _Cue(general.TURNED_AWAY, "do_not", "hard", 0.8, guards.anyway),
    _Cue(values.ENOUGH, "do", "hard", 0.8, guards.enough),
    _Cue(cues.NOT_ACCEPTED, "do_not", "hard", 0.85, guards.refused),
    _Cue(cues.READ_ONLY, "do_not", "hard", 0.8, guards.standing),
    _Cue(cues.TASTE_AGAINST, "do_not", "soft", 0.85, guards.taste),
    _Cue(cues.RATHER_NOT, "do_not", "soft", 0.9, guards.imperative),
    _Cue(cues.EXCEPT, "do_not", "hard", 0.85, guards.settled),
    _Cue(needs.REUSE, "do", "hard", 0.85, guards.settled),
    _Cue(needs.ONLY_THIS, "do", "hard", 0.85, guards.settled),
    _Cue(needs.UNHARMED, "do_not", "hard", 0.85, guards.anyway),
    _Cue(needs.FROZEN, "do_not", "hard", 0.85, guards.settled),
    _Cue(needs.HOLD, "do_not", "hard", 0.8, guards.held),
    _Cue(open_forms.NOT_THEN, "do_not", "hard", 0.8, guards.anyway),
    _Cue(open_forms.LEFT_FOR_NOW, "do_not", "hard", 0.75, beside.left),
    _Cue(open_forms.NOT_REACHED, "do_not", "hard", 0.8, guards.anyway),
    _Cue(demands.EXCLUSIVE, "do", "hard", 0.9, guards.standing),
    _Cue(demands.INSTEAD, "do", "hard", 0.9, guards.standing),
    _Cue(cues.HARD_BAN, "do_not", "hard", 0.95, guards.imperative),
    _Cue(cues.CANNOT, "do_not", "hard", 0.85, guards.action),
    _Cue(cues.REFUSED, "do_not", "hard", 0.8, guards.after_permission),
    _Cue(needs.WHEN_DONE, "do", "hard", 0.85, guards.anyway),
    _Cue(needs.SUPPORT, "do", "hard", 0.85, guards.needed),
    _Cue(needs.ALL_BY, "do", "hard", 0.8, guards.standing),
    _Cue(demands.MUST, "do", "hard", 0.95, guards.demanded),
    _Cue(demands.KEEP, "do", "hard", 0.85, guards.kept),
    _Cue(demands.OF_ALL, "do", "hard", 0.85, guards.anyway),
    _Cue(demands.WISH, "do", "soft", 0.8, guards.wish),
    _Cue(demands.MINE, "do", "hard", 0.8, guards.own_part),
    _Cue(demands.ASK_FIRST, "do", "hard", 0.9, guards.conditional),
    _Cue(demands.STEPS, "do", "hard", 0.8, guards.conditional),
    _Cue(demands.FIRST_STEP, "do", "hard", 0.8, guards.first_step),
    _Cue(demands.WORKFLOW, "do", "hard", 0.8, guards.standing),
    _Cue(demands.TOPIC_MUST, "do", "hard", 0.8, guards.convention),
    _Cue(cues.BARE_NOT, "do_not", "hard", 0.8, guards.standing),
    _Cue(demands.LANGUAGE, "do", "hard", 0.85, guards.of_language),
    _Cue(demands.EVERYWHERE, "do", "hard", 0.85, guards.standing),
    _Cue(demands.VALUE, "do", "hard", 0.8, guards.standing),
    _Cue(values.NOT_OVER, "do_not", "hard", 0.8, guards.limit),
    _Cue(values.LIMIT, "do", "hard", 0.8, guards.limit),
    _Cue(values.SET_VALUE, "do", "hard", 0.8, guards.laid_down),
    _Cue(values.MOVED, "do", "hard", 0.75, guards.anyway),
    _Cue(values.NOW_USED, "do", "hard", 0.75, guards.anyway),
    _Cue(values.RUN_BY, "do", "hard", 0.8, guards.laid_down),
    _Cue(values.LIKE_THAT, "do", "hard", 0.75, guards.laid_down),
    _Cue(values.EACH_TIME, "do", "hard", 0.8, guards.standing),
    _Cue(values.APART, "do", "hard", 0.75, guards.laid_down),
    _Cue(values.FORM, "do", "hard", 0.75, guards.laid_down),
    _Cue(values.PLEASE, "do", "hard", 0.75, guards.continued),
    _Cue(needs.QUALITY, "do", "hard", 0.8, guards.standing),
    _Cue(needs.IN_THAT_CASE, "do", "hard", 0.8, guards.in_that_case),
    _Cue(needs.PLACED, "do", "hard", 0.75, guards.laid_down),
    _Cue(needs.OVERSIZED, "do", "hard", 0.8, guards.standing),
    _Cue(needs.SENT_TO, "do", "hard", 0.75, guards.standing),
    _Cue(needs.DONE_WITH, "do", "hard", 0.75, guards.laid_down),
    _Cue(open_forms.AT_OCCASION, "do", "hard", 0.8, guards.standing),
    _Cue(open_forms.IN_THAT_CASE, "do", "hard", 0.75, guards.in_that_case),
    _Cue(open_forms.AT_ONCE, "do", "hard", 0.75, guards.anyway),
    _Cue(open_forms.MORE, "do", "soft", 0.75, guards.standing),
    _Cue(open_forms.AT_LEAST, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.HAVE, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.SENT, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.PROCEDURE, "do", "hard", 0.75, guards.anyway),
    _Cue(open_forms.GOES_BY, "do", "hard", 0.7, guards.standing),
    _Cue(open_forms.SMALLEST, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.CHOSEN, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.READ_FROM, "do", "hard", 0.7, guards.standing),
    _Cue(open_forms.ALL_VERB, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.USES, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.SHARED_GOES, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.EACH_ALL, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.MADE_AS, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.SET_APART, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.AFFIXED, "do", "hard", 0.75, guards.standing),
    _Cue(open_forms.TOO_LARGE, "do", "hard", 0.8, guards.anyway),
    _Cue(open_forms.RANKED, "do", "soft", 0.75, guards.standing),
    _Cue(open_forms.ASK_IF_UNSURE, "do", "hard", 0.8, guards.anyway),
    _Cue(general.UNTIL_NOT, "do_not", "hard", 0.8, beside.until),
    _Cue(general.NEXT_STEP, "do", "hard", 0.75, beside.next_step),
    _Cue(general.WHEREVER, "do", "hard", 0.8, guards.anyway),
    _Cue(general.WHEN_MENDED, "do", "hard", 0.75, guards.standing),
    _Cue(general.SUCH_ARE, "do", "hard", 0.75, guards.standing),
    _Cue(general.OPENED_FROM, "do", "hard", 0.75, guards.standing),
    _Cue(general.BY_NAME_USES, "do", "hard", 0.75, guards.standing),
    _Cue(general.STANDS_IN, "do", "hard", 0.75, guards.standing),
    _Cue(general.MEANT, "do", "hard", 0.75, beside.meant),
    _Cue(general.ONE_TO_ONE, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.LAID_IN, "do", "hard", 0.7, guards.standing),
    _Cue(general.LARGE_ASKS, "do", "hard", 0.8, guards.anyway),
    _Cue(general.DONE_THEN, "do", "hard", 0.75, beside.lasting),
    _Cue(general.OF_FORM, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.MANNER_OF_TALK, "do", "soft", 0.75, beside.for_me),
    _Cue(general.BEFORE_FIRST, "do", "hard", 0.75, guards.standing),
    _Cue(general.IF_POSSIBLE, "do", "soft", 0.75, guards.anyway),
    _Cue(general.IN_STEP, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.TOLD_TO_OTHERS, "do", "hard", 0.75, guards.standing),
    _Cue(general.AT_TIME, "do", "hard", 0.75, guards.standing),
    _Cue(general.TOO_MANY, "do", "hard", 0.75, guards.anyway),
    _Cue(general.BETWEEN, "do", "hard", 0.7, guards.standing),
    _Cue(general.WITH_SUCH, "do", "hard", 0.7, guards.anyway),
    _Cue(general.IN_CASE, "do", "hard", 0.75, guards.in_that_case),
    _Cue(general.ONLY_NOT, "do", "hard", 0.75, guards.laid_down),
    _Cue(general.FROM_VERSION, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.SAYS_HOW, "do", "hard", 0.75, guards.anyway),
    _Cue(general.TAKEN_AS, "do", "hard", 0.75, guards.standing),
    _Cue(general.SWITCHED_ON, "do", "hard", 0.7, guards.standing),
    _Cue(general.TROUBLE_ASKS, "do", "hard", 0.75, guards.anyway),
    _Cue(general.GIVES_ALSO, "do", "hard", 0.7, guards.craft),
    _Cue(general.TONE, "do", "soft", 0.75, guards.anyway),
    _Cue(general.FIRST_THEN, "do", "hard", 0.75, guards.standing),
    _Cue(general.MINDED, "do", "hard", 0.75, guards.craft),
    _Cue(general.LIKE_FILE, "do", "hard", 0.75, guards.standing),
    _Cue(general.SEEK_FIRST, "do", "hard", 0.75, beside.seeking),
    _Cue(general.CASE_FIRST, "do", "hard", 0.75, beside.case_first),
    _Cue(general.TOOL_OF, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.CARRIES, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.UP_TO_OTHERS, "do", "hard", 0.75, guards.laid_down),
    _Cue(general.KEPT_FOR, "do", "hard", 0.75, guards.laid_down),
    _Cue(general.CASE_NOT, "do_not", "hard", 0.75, beside.case_first),
    _Cue(general.CASE_USE, "do", "hard", 0.75, beside.case_first),
    _Cue(general.HAS_THEN, "do", "hard", 0.75, guards.anyway),
    _Cue(general.SUPPORTED, "do", "hard", 0.75, guards.craft),
    _Cue(general.GIVEN_AS, "do", "hard", 0.7, guards.anyway),
    _Cue(general.KIND_DEED, "do", "hard", 0.75, guards.anyway),
    _Cue(general.AGREED, "do", "hard", 0.8, guards.anyway),
    _Cue(general.MORE_OR_LESS, "do", "soft", 0.75, guards.anyway),
    _Cue(general.PUT_FIRST, "do", "hard", 0.75, guards.standing),
    _Cue(general.USED_FOR, "do", "hard", 0.7, guards.standing),
    _Cue(general.NAMED_VALUE, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.NOT_STRAIGHT, "do_not", "hard", 0.75, guards.standing),
    _Cue(general.SAID_RIGHT, "do", "hard", 0.75, beside.corrected),
    _Cue(general.WANTED, "do", "hard", 0.75, beside.wanted),
    _Cue(general.ONCE_CHANGED, "do", "hard", 0.75, beside.seeking),
    _Cue(general.WRITTEN_INTO, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.ANNOTATED, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.OF_LENGTH, "do", "hard", 0.7, guards.laid_down),
    _Cue(general.REGISTER, "do", "soft", 0.75, guards.anyway),
    _Cue(general.LONG_IS_FINE, "do", "soft", 0.7, guards.taste),
    _Cue(demands.THIS_ONE, "do", "hard", 0.85, guards.contrasted),
    _Cue(demands.CONVENTION, "do", "hard", 0.75, guards.standing),
    _Cue(demands.REPLACED, "do", "hard", 0.8, guards.standing),
    _Cue(demands.IF_THEN, "do", "hard", 0.8, guards.standing),
    _Cue(demands.THEN_DO, "do", "hard", 0.75, guards.conditional),
    _Cue(demands.ONLY_THEN, "do", "hard", 0.8, guards.standing),
    _Cue(demands.SPELLED_OUT, "do", "hard", 0.75, guards.standing),
    _Cue(demands.FOR_NOW, "do", "hard", 0.75, guards.for_now),
    _Cue(demands.BEFORE_OR_AFTER, "do", "hard", 0.75, guards.after_occasion),
    _Cue(demands.FROM_NOW_ON, "do", "hard", 0.8, guards.standing),
    _Cue(terse.GIVEN_UP, "do_not", "hard", 0.75, guards.anyway),
    _Cue(terse.IN_STRETCH, "do_not", "hard", 0.8, guards.held),
    _Cue(terse.NOT_YET, "do_not", "hard", 0.75, beside.left),
    _Cue(terse.LISTED_FIRST, "do", "hard", 0.8, guards.anyway),
    _Cue(terse.EXPLAINED_EACH, "do", "hard", 0.8, guards.anyway),
    _Cue(terse.SAID_EXACTLY, "do", "hard", 0.75, beside.after_ban),
    _Cue(terse.COULD_BE_MORE, "do", "soft", 0.75, guards.anyway),
    _Cue(terse.NAMES_CARRY, "do", "hard", 0.75, guards.laid_down),
    _Cue(terse.COUNTS_ONLY, "do", "hard", 0.75, guards.standing),
    _Cue(terse.ALL_FOR_NOW, "do", "hard", 0.75, guards.standing),
    _Cue(terse.IN_ALL_PLACES, "do", "hard", 0.85, guards.anyway),
    _Cue(terse.STAYS_OUT, "do_not", "hard", 0.75, guards.anyway),
    _Cue(terse.ONE_DEED, "do", "hard", 0.75, guards.standing),
    _Cue(terse.SERVED_AT, "do", "hard", 0.75, guards.laid_down),
    _Cue(terse.DONE_BY, "do", "hard", 0.75, guards.standing),
    _Cue(terse.AT_THE_LEAST, "do", "hard", 0.75, guards.standing),
    _Cue(terse.AT_THE_MOST, "do", "hard", 0.75, guards.anyway),
    _Cue(terse.ALL_TURNED_INTO, "do", "hard", 0.75, guards.standing),
    _Cue(terse.COULD_BE_FEWER, "do_not", "soft", 0.75, guards.anyway),
    _Cue(terse.STEPWISE, "do", "hard", 0.75, beside.seeking),
    _Cue(short.STUCK_AT, "do", "hard", 0.8, guards.laid_down),
    _Cue(short.TOOL_OF_OURS, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.BY_ALL_MEANS, "do", "hard", 0.85, guards.demanded),
    _Cue(short.STAYS_FREE, "do_not", "hard", 0.8, guards.standing),
    _Cue(short.GOES_WAY, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.FIRST_WITH, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.KIND_GOES, "do", "hard", 0.75, guards.standing),
    _Cue(short.BOTTOM_LINE, "do", "hard", 0.85, guards.anyway),
    _Cue(short.ABLE_TO, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.LOOK_BEFORE, "do", "hard", 0.8, guards.standing),
    _Cue(short.EACH_ONE_BACK, "do_not", "hard", 0.8, guards.anyway),
    _Cue(short.SHOWN_FIRST, "do", "hard", 0.8, beside.seeking),
    _Cue(short.ALL_OF_NAME, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.WRITTEN_SO, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.THROUGHOUT, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.EACH_SO_OFTEN, "do", "hard", 0.8, guards.standing),
    _Cue(short.GIVEN_TO_ME, "do", "hard", 0.75, guards.anyway),
    _Cue(short.WRITTEN_IN_NAME, "do", "hard", 0.7, guards.laid_down),
    _Cue(short.LOG_LEVEL, "do", "hard", 0.75, guards.laid_down),
    _Cue(short.NOT_FOR_YOU, "do_not", "hard", 0.85, guards.anyway),
)
_ALL = (
    *(cue.pattern for cue in CUES),
    *(
        cues.REVOKE,
        cues.PERMIT,
        cues.RELENTS,
        cues.FREE,
        cues.NEED_NOT,
        cues.NOW_FREE,
        cues.DROPPED,
        general.THEN_NOT,
        terse.MAY_GO,
        terse.STRAIGHT_ON,
    ),
)
_POSSIBLE = Possible([pattern.pattern for pattern in _ALL])
