"""What the clauses around a Chinese clause do to it."""

from __future__ import annotations

from collections.abc import Sequence

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_needs as needs
from agentinitd.memory.capture import chinese_reports as reports
from agentinitd.memory.capture.chinese_clauses import Clause
from agentinitd.memory.capture.chinese_cues import CANNOT, NOW_FREE
from agentinitd.memory.capture.chinese_cues import HARD_BAN as FORBIDS
from agentinitd.memory.capture.chinese_grammar import Reading
from agentinitd.memory.capture.chinese_guards import Surroundings
from agentinitd.memory.capture.prose import Sentence


def surroundings(
    parts: Sequence[Clause],
    readings: Sequence[Reading | None],
    at: int,
    sentence: Sentence,
    is_supposed: bool,
    shadow: str,
) -> Surroundings:
    earlier = parts[at - 1].shadow.strip() if at else ""
    text = parts[at].shadow.strip()
    behind = parts[at + 1].shadow.strip() if at + 1 < len(parts) else ""
    last = readings[-1] if readings else None
    return Surroundings(
        has_topic_before=bool(asides.CODEISH.search(earlier if at else sentence.before)),
        is_conditional=bool(earlier and (joints.CONDITION.search(earlier) or needs.OCCURS.match(earlier)))
        or bool(general.MAY_BUT.match(earlier))
        or (last is not None and last.act == "state"),
        is_consequence=is_supposed and bool(asides.CONSEQUENCE.match(text)),
        is_after_permission=(last is not None and last.is_permission) or earlier.endswith("可以"),
        is_after_statement=bool(reports.STATES.search(earlier)),
        is_after_event=earlier.endswith("了"),
        is_declined=bool(reports.DECLINES.match(earlier)),
        is_relenting=bool(joints.WELL_THEN.match(earlier)),
        lasts=bool(joints.SINCE_NOW.search(shadow)),
        is_detail=any(
            reading is None and asides.EDIT.search(part.shadow)
            for part, reading in zip(parts, readings, strict=False)
        )
        or _is_run_again(earlier, text),
        is_first_step=behind.startswith("再") or bool(general.OR_ELSE_DO.match(behind)),
        is_told=bool(asides.TELLS_OWN.match(earlier)),
        is_turned=bool(asides.TURNS_TO.match(behind)),
        is_done=bool(asides.DONE_ALREADY.match(behind)),
        is_forced=bool(asides.FORCED.search(earlier)) and not joints.CONDITION.search(earlier),
        is_in_case=bool(joints.CONDITION.search(earlier)),
        is_until=bool(general.UNTIL.search(earlier)),
        is_of_process=last is not None and last.polarity == "do" and bool(general.OF_PROCESS.search(earlier)),
        is_blamed_before=any(
            general.BLAMES.match(each)
            for each in (sentence.before, *(part.shadow.strip() for part in parts[:at]))
        ),
        is_warned=any("别再" in each or "不要再" in each for each in _texts(parts[at + 1 :])),
        is_blamed=any(map(general.BLAMES.match, _texts(parts[at + 1 :]))),
        is_after_ban=last is not None and last.act == "state" and last.polarity == "do_not",
        is_of_me=bool(general.OF_ME.match(earlier)),
        is_own_ban_told=bool(asides.SAID_MYSELF.match(earlier) and NOW_FREE.match(text)),
        is_ban_told=bool(FORBIDS.search(earlier) or CANNOT.search(earlier)),
        is_contrasted=at + 1 < len(parts) and joints.is_other_than(text, parts[at + 1].shadow.strip()),
    )


def _texts(parts: Sequence[Clause]) -> list[str]:
    return [part.shadow.strip() for part in parts]


def _is_run_again(earlier: str, text: str) -> bool:
    """“Run it once more, with a batch of 32”: how to do what is ordered now."""
    return bool(asides.JUST_NOW.match(earlier)) and not FORBIDS.search(text)
