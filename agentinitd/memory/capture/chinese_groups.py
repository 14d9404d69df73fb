"""Which clauses of a Chinese sentence make one rule: topic, condition, exception, contrast, reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_needs as needs
from agentinitd.memory.capture.chinese_clauses import Clause
from agentinitd.memory.capture.chinese_cues import ARTEFACT
from agentinitd.memory.capture.chinese_demands import MINE
from agentinitd.memory.capture.chinese_grammar import Reading
from agentinitd.model.facts import Scope

NAME = re.compile(r"`[^`]+`|[\w.-]*[./][\w./-]*\w/?|[A-Za-z][\w-]*\d[\w-]*|\d{3,}\w*|[A-Za-z][\w-]{2,}")
_NAMES = re.compile(r"[A-Za-z`]|[中英]文|双语|英语")
_NOUN = re.compile(ARTEFACT)


@dataclass(slots=True)
class Group:
    """Clauses that make one rule together."""

    first: int
    last: int
    reading: Reading
    has_topic: bool
    why: tuple[int, int] | None = None
    """Where the reason stands."""
    scope: Scope | None = None


def grouped(parts: Sequence[Clause], readings: Sequence[Reading | None]) -> list[Group]:
    groups: list[Group] = []
    free = 0
    for at, (part, reading) in enumerate(zip(parts, readings, strict=True)):
        text = part.shadow.strip()
        last = groups[-1] if groups and groups[-1].last == at - 1 else None
        if reading is None:
            if last is not None and _goes_with(last, text):
                _take(last, at, text, part)
                free = at + 1
            continue
        if last is not None and _continues(last, reading, text, parts[at - 1].shadow):
            last.last = at
            if _says_which_way(last.reading, reading, parts[at - 1].shadow):
                last.reading = reading
        else:
            first = _first_of(parts, free, at, reading)
            if first == at == 0 and lacks_topic(text, reading) and _is_named_behind(parts, readings):
                # “Leave it alone, vendor is not ours.”
                groups.append(Group(0, 1, reading, True))
                free = 2
                continue
            groups.append(Group(first, at, reading, _has_topic(text, reading) or first < at))
        free = at + 1
    return groups


def _says_which_way(first: Reading, second: Reading, earlier: str) -> bool:
    """“Except for X, all the rest …”, “I do that, leave it”, “never mind it, you may …”."""
    if first.act == "withdraw":
        return second.act == "withdraw"
    is_mine = second.polarity == "do_not" and MINE.search(earlier) is not None
    is_ban_but = first.polarity == "do_not" and second.is_permission
    return is_mine or (joints.LEAVES_OUT.search(earlier.strip()) is not None and not is_ban_but)


def _is_named_behind(parts: Sequence[Clause], readings: Sequence[Reading | None]) -> bool:
    return len(parts) > 1 and readings[1] is None and bool(NAME.search(parts[1].shadow))


def _goes_with(group: Group, text: str) -> bool:
    return _belongs_in(group, text) or bool(
        joints.NOTE.match(text) or (not group.why and joints.REASON.search(text))
    )


def _belongs_in(group: Group, text: str) -> bool:
    """An exception, a condition that comes after, or what to do in its stead."""
    if group.reading.act != "state":
        return group.reading.is_permission and bool(joints.LEAVES_OUT.search(text))
    if joints.EXCEPTION.search(text) or joints.THEN.match(text) or joints.SO_EVER_AFTER.match(text):
        return True
    if group.reading.polarity == "do_not":
        return bool(
            any(
                each.match(text)
                for each in (joints.DO_THAT, joints.JUST_A_NAME, joints.ASK_INSTEAD, joints.UNTIL_THEN)
            )
        )
    return bool(joints.NOT_IT.match(text) or general.OR_ELSE_DO.match(text))


def _take(group: Group, at: int, text: str, part: Clause) -> None:
    """An exception stays in the rule; a reason and a scope stand beside it."""
    if joints.NOTE.match(text):
        group.scope = "always"
    elif _belongs_in(group, text):
        group.last = at
    else:
        group.why = (part.start, part.end)


def _continues(group: Group, reading: Reading, text: str, earlier: str) -> bool:
    """“Use A, not B”, “X is not to be touched, ask me first”: one clause is nothing without the other."""
    if reading.act == "withdraw" == group.reading.act:
        # “staging is open, you may deploy there”: nothing else is free.
        return reading.is_permission and not _has_topic(text, reading) and not NAME.search(text)
    if reading.act != group.reading.act or reading.act == "withdraw":
        return reading.is_permission and group.reading.act == "state" and bool(joints.EXCEPTION.search(text))
    if joints.LEAVES_OUT.search(earlier) and joints.THE_REST.match(text):
        return True
    if joints.THEN.match(text) or joints.POINTS_BACK.search(text):
        return True
    if reading.polarity == "do_not" and _completes(earlier, text):
        return True
    if _has_topic(text, reading):
        return False
    if _is_bare(text, reading) or lacks_topic(text, reading):
        return True
    if reading.polarity != group.reading.polarity:
        if reading.polarity == "do":
            return bool(joints.USE_THAT.match(text) or joints.ASK_INSTEAD.match(text))
        return joints.is_other_than(earlier, text)
    return group.has_topic and bool(joints.ALSO.match(text))


def _completes(earlier: str, text: str) -> bool:
    """“Reuse what is there, write nothing anew”, “X is frozen, do not push”, “not yours, leave Y alone”."""
    if needs.REUSE.search(earlier) and needs.ANEW.match(text):
        return True
    if needs.FROZEN.search(earlier) and not NAME.search(text):
        return True
    return bool(joints.OWNED.search(earlier)) and not names_something(earlier)


def _has_topic(text: str, reading: Reading) -> bool:
    """Something stands before the cue that is more than adverbs."""
    before = joints.ADVERBS.sub("", text[: reading.cue[0]])
    return bool(before.strip()) or bool(_NOUN.match(text, reading.cue[0], reading.cue[1]))


def _first_of(parts: Sequence[Clause], free: int, at: int, reading: Reading) -> int:
    """Goes back over the conditions, and to the topic when the clause has none."""
    first = at
    has_topic = _has_topic(parts[at].shadow.strip(), reading)
    needs_topic = lacks_topic(parts[at].shadow.strip(), reading)
    needs_topic = needs_topic or _is_bare(parts[at].shadow.strip(), reading)
    while first > free:
        text = parts[first - 1].shadow.strip()
        if joints.FRAME.match(text):
            break
        is_condition = bool(joints.CONDITION.search(text) or needs.OCCURS.match(text))
        is_condition = is_condition and not asides.PAST.search(text)
        is_condition = is_condition or bool(general.MAY_BUT.match(text))
        is_topic = not has_topic and bool(joints.TOPIC.match(text))
        is_owned = reading.polarity == "do_not" and bool(joints.OWNED.search(text))
        is_changed = not has_topic and bool(joints.CHANGES_IT.search(text))
        if not (is_condition or is_topic or needs_topic or is_owned or is_changed):
            break
        needs_topic = needs_topic and not is_topic and not names_something(text)
        has_topic = has_topic or is_topic
        first -= 1
        if joints.TURN.match(text):
            break
    return first


def lacks_topic(text: str, reading: Reading) -> bool:
    if joints.POINTS_BACK.search(text):
        return True
    if _NAMES.search(text, *reading.cue) or needs.QUALITY.match(text):
        return False
    return not _has_topic(text, reading) and bool(joints.JUST_A_VERB.fullmatch(text[reading.cue[1] :]))


def _is_bare(text: str, reading: Reading) -> bool:
    """“Do not compress”: which thing stands in the clause before."""
    if reading.polarity != "do_not" or _has_topic(text, reading):
        return False
    return bool(joints.BARE_DEED.fullmatch(text[reading.cue[1] :].strip()))


def names_something(text: str) -> bool:
    return bool(NAME.search(text) or asides.CODEISH.search(text) or _NOUN.search(text))
