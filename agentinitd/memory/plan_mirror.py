"""The agent's own plan in the task state, *claimed* step by step until a result or a person proves it.

`plan: [{title, status, claimed, proven_by, proven_at, failed_by, failed_at}]`.  What stands there and is none
of ours, because a person wrote it, is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from datetime import UTC, datetime
from typing import cast

from agentinitd.memory.capture.report import Report
from agentinitd.memory.check_runs import Check
from agentinitd.memory.plan_titles import asked_by, is_answered_by
from agentinitd.memory.task_state import (
    PLAN_BY,
    PROVEN,
    REPORTED_NEXT,
    State,
    is_mirrored,
    is_next_reported,
    is_proven,
    step_progress,
    title_of,
)
from agentinitd.model.events import PlanStep
from agentinitd.model.facts import JsonValue

KEY = "plan"
MAX_STEPS = 100
MAX_TITLE_CHARS = 200
MAX_PROVEN = 20
PROOF = ("proven_by", "proven_at")
_DISPROOF = ("failed_by", "failed_at")
BY_PERSON = "user"
REPORTED = "reported"
"""Names the session in whose progress report the agent named a step that is in no plan."""
MAX_OTHERS = 30
"""Of steps that other sessions reported."""
MAX_DONE = 30
"""Of steps that earlier reports of the same session called done."""

Entry = dict[str, JsonValue]


def entries(state: State) -> list[Entry] | None:
    """Our mirror; empty while there is none, None where a person keeps something of their own there."""
    value = state.get(KEY)
    if value in (None, [], ""):
        return []
    if isinstance(value, list) and all(is_mirrored(entry) for entry in value):
        return [dict(entry) for entry in value if isinstance(entry, dict)]
    return None


def mirrored(state: State, steps: Sequence[PlanStep], *, session: str = "") -> State:
    """The state with this plan.

    Steps of the same title keep their proof, unless the agent reopened them, and what other sessions reported
    stays.
    """
    known = entries(state)
    if known is None:
        return state
    before = {_key(title_of(entry) or ""): entry for entry in known}
    plan: list[JsonValue] = []
    for step in steps[:MAX_STEPS]:
        title = " ".join(step.text.split())[:MAX_TITLE_CHARS]
        if title:
            plan.append(_entry(title, step.status, before.get(_key(title))))
    new = {_key(title_of(entry) or "") for entry in plan}
    plan += _of_others(known, session, new)
    without = {key: value for key, value in state.items() if key not in (KEY, PLAN_BY)}
    by: State = {PLAN_BY: session} if plan and session else {}
    return {**without, KEY: plan, **by} if plan else without


def reported(state: State, report: Report, *, session: str = "") -> State:
    """What the agent reports, as claims: it brings its session's plan up to date, or makes one.

    What other sessions planned and reported stays beside it; so does what this one reported as done before:
    after a compaction the agent knows no more of it.
    """
    known = entries(state)
    if known is None:
        return state
    said = {_key(title): status for status, titles in _said(report) for title in titles}
    planned = [entry for entry in known if REPORTED not in entry]
    current = [_reported(entry, said.get(_key(title_of(entry) or ""))) for entry in planned]
    if planned and state.get(PLAN_BY, session) == session:
        current += [entry for entry in known if REPORTED in entry]
        return {**state, KEY: cast(JsonValue, current)}
    before = {_key(title_of(entry) or ""): entry for entry in known}
    there = {_key(title_of(entry) or "") for entry in planned}
    made: list[JsonValue] = [
        {**_entry(title[:MAX_TITLE_CHARS], status, before.get(_key(title))), REPORTED: session or True}
        for status, titles in _said(report)
        for title in titles
        if _key(title) not in there
    ]
    if not made:
        return {**state, KEY: cast(JsonValue, current)} if current != planned else state
    earlier: list[JsonValue] = [
        entry
        for entry in known
        if entry.get(REPORTED) == (session or True)
        and _status(entry) == "done"
        and _key(title_of(entry) or "") not in said
    ]
    plan: list[JsonValue] = [*current, *earlier[-MAX_DONE:], *made, *_of_others(known, session, said)]
    return {**state, KEY: plan[:MAX_STEPS]}


def _of_others(known: Sequence[Entry], session: str, but: Container[str]) -> list[JsonValue]:
    """What other sessions reported, but for these."""
    others = (entry for entry in known if isinstance(entry.get(REPORTED), str) and entry[REPORTED] != session)
    kept: list[JsonValue] = [entry for entry in others if _key(title_of(entry) or "") not in but]
    return kept[-MAX_OTHERS:]


def with_next(state: State, report: Report) -> State:
    """With the first step that the agent reports as the next one, unless a person named another."""
    if state.get("next_action") and not is_next_reported(state):
        return state
    rest = {key: value for key, value in state.items() if key not in ("next_action", REPORTED_NEXT)}
    if report.next:
        return {**rest, "next_action": report.next[0], REPORTED_NEXT: report.next[0]}
    return rest if is_next_reported(state) else state


def without_done_next(state: State) -> State:
    """What the agent reported as next is no more, once it is done."""
    if not is_next_reported(state):
        return state
    done = {_key(title) for title, progress in step_progress(state).items() if progress == "completed"}
    if _key(str(state["next_action"])) not in done:
        return state
    return {key: value for key, value in state.items() if key not in ("next_action", REPORTED_NEXT)}


def _said(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("done", report.done), ("in_progress", report.doing), ("blocked", report.blocked),
        ("pending", report.next),
    )  # fmt: skip


def _reported(entry: Entry, status: str | None) -> Entry:
    is_further = status == "done" or (status == "in_progress" and _status(entry) == "pending")
    return _claimed({**entry, "status": status}) if is_further else entry


def _entry(title: str, status: str, before: Entry | None) -> Entry:
    entry: Entry = {"title": title, "status": status}
    is_blocked = before is not None and _status(before) == "blocked" and REPORTED not in before
    if is_blocked and status in ("pending", "in_progress"):
        entry["status"] = "blocked"  # no plan tool has this word: a rule or a person said so
    if before is None or status == "pending":
        return _claimed(entry)
    is_reopened = _status(before) == "done" and status == "in_progress"
    if not is_reopened:
        entry |= {key: before[key] for key in (*PROOF, *_DISPROOF) if key in before}
        if is_proven(before) and "proven_at" not in before:
            entry["proven_by"] = BY_PERSON
            entry["proven_at"] = None
    return _claimed(entry)


def _claimed(entry: Entry) -> Entry:
    is_claimed = _status(entry) == "done" and ("proven_at" not in entry or "failed_at" in entry)
    rest = {key: value for key, value in entry.items() if key not in ("title", "status", "claimed")}
    return {"title": entry["title"], "status": entry["status"], "claimed": is_claimed, **rest}


def titles(state: State) -> list[str]:
    return [title for entry in entries(state) or () if (title := title_of(entry))]


def proven(state: State, is_meant: Callable[[str], bool], *, by: str, at: float) -> State:
    """Every step of such a title, whatever the agent says of it: a rule names it."""
    return _changed(state, lambda _, entry: is_meant(title_of(entry) or ""), by=by, at=at)


def proven_by_check(
    state: State,
    is_asked: Callable[[str], bool],
    *,
    by: str,
    at: float,
    is_one: bool,
    is_claimed_only: bool,
) -> State:
    """The steps that a check proves: claimed ones, the one in work, and the next one.

    A step that comes only after others that are still open is not: it will be checked again.  `is_one`: what
    was done is one of several such steps, as a commit is.
    """
    plan = entries(state) or []
    meant = [
        place
        for place, entry in enumerate(plan)
        if not is_proven(entry) and _is_due(plan, place) and is_asked(title_of(entry) or "")
    ]
    running = [place for place in meant if _status(plan[place]) == "in_progress"]
    claimed = [place for place in meant if _status(plan[place]) == "done"]
    if is_claimed_only:
        meant = claimed
    if is_one and meant:
        meant = [(running or claimed[::-1] or meant)[0]]
    return _changed(state, lambda place, _: place in meant, by=by, at=at)


def _is_due(plan: Sequence[Entry], place: int) -> bool:
    if _status(plan[place]) in ("done", "in_progress"):
        return True
    is_over = (is_proven(entry) or _status(entry) in ("done", "cancelled") for entry in plan[:place])
    return _status(plan[place]) == "pending" and all(is_over)


def _status(entry: Entry) -> str:
    """As the agent says; a person who completes a step may have another word for it."""
    status = entry.get("status")
    return "done" if status == "completed" else status if isinstance(status, str) else ""


def disproven(state: State, check: Check, *, by: str, at: float) -> State:
    """What this check had proven is a claim again; it stays as far as the agent says."""

    def doubt(entry: Entry) -> Entry:
        is_meant = is_answered_by(asked_by(title_of(entry) or ""), Check(name=check.name, kind=check.kind))
        if not is_meant or not is_proven(entry) or entry.get("proven_by") in (BY_PERSON, None):
            return entry
        return _claimed({**entry, "failed_by": by, "failed_at": time_text(at)})

    plan = entries(state)
    if not plan:
        return state
    return {**state, KEY: cast(JsonValue, [doubt(entry) for entry in plan])}


def _changed(state: State, is_meant: Callable[[int, Entry], bool], *, by: str, at: float) -> State:
    plan = entries(state)
    if not plan:
        return state
    meant = {place for place, entry in enumerate(plan) if is_meant(place, entry) and not is_proven(entry)}
    if not meant:
        return state
    changed = [_proven(entry, by, at) if place in meant else entry for place, entry in enumerate(plan)]
    new = [title for place in sorted(meant) if (title := title_of(plan[place]))]
    before = state.get(PROVEN)
    known = [title for title in before if title not in new] if isinstance(before, list) else []
    return {**state, KEY: cast(JsonValue, changed), PROVEN: cast(JsonValue, [*known, *new][-MAX_PROVEN:])}


def _proven(entry: Entry, by: str, at: float) -> Entry:
    kept = {key: value for key, value in entry.items() if key not in _DISPROOF}
    return _claimed({**kept, "proven_by": by, "proven_at": time_text(at)})


def time_text(at: float) -> str:
    """As task states write times; the epoch for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return "1970-01-01T00:00:00Z"


def _key(title: str) -> str:
    return " ".join(title.casefold().split())
