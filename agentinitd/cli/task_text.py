"""Tasks as people read them in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agentinitd.memory.task_edit import numbered_steps
from agentinitd.memory.task_state import served_state

if TYPE_CHECKING:
    from agentinitd.memory.tasks import Change

_UNNAMED = "(unnamed)"
_KNOWN = frozenset(
    ("task_id", "goal", "status", "phase", "next_action", "blockers", "in_progress", "pending", "completed",
     "counts", "last_updated", "next_claimed")
)  # fmt: skip


def list_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    if not found:
        return ["There is no task yet. Begin one: agentinitd task new ID"]
    names = [_shown_name(each) for each in found]
    width = max(map(len, names))
    return [_list_line(each, name.ljust(width)) for each, name in zip(found, names, strict=True)]


def _shown_name(each: Mapping[str, Any]) -> str:
    return str(each["name"] or _UNNAMED)


def _list_line(each: Mapping[str, Any], name: str) -> str:
    mark = "*" if each["is_default"] else " "
    status = "archived" if each["is_archived"] else each["status"] or ""
    parts = [f"{mark} {name}", _progress(each["counts"]), status, each["goal"] or "", _next(each)]
    broken = f"! {each['problems'][0]}" if each["problems"] else ""
    return "  ".join(filter(None, [*parts, broken]))


def _progress(counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    return f"{counts['completed']}/{total}" if total else "-"


def _next(each: Mapping[str, Any]) -> str:
    return f"Next: {each['next_action']}" if each["next_action"] and each["status"] != "done" else ""


def show_lines(answer: Mapping[str, Any]) -> list[str]:
    return list(_show(answer))


def _show(answer: Mapping[str, Any]) -> Iterator[str]:
    state = answer["state"] or {}
    served = served_state(state)
    here = "the task of this project" if answer["is_default"] else ""
    archived = "archived" if answer["is_archived"] else ""
    marks = [answer["name"] or _UNNAMED, answer["status"] or "", here, archived]
    yield "  ".join(filter(None, marks))
    for label, key in (("Goal", "goal"), ("Phase", "phase"), ("Next", "next_action")):
        if answer[key]:
            yield f"{label}: {answer[key]}"
    for blocker in served["blockers"]:  # type: ignore[union-attr]  # a list of texts
        yield f"Blocked: {blocker}"
    steps = numbered_steps(state)
    if steps:
        yield f"Steps: {_progress(answer['counts'])} done"
    for number, title, progress in steps:
        yield f"  {number:>3}  {progress:<12} {title}"
    for key, value in served.items():
        if key not in _KNOWN:
            yield f"{key}: {'; '.join(map(str, value)) if isinstance(value, list) else value}"
    for problem in answer["problems"]:
        yield f"! {problem}"
    when = f", changed {_local(answer['written_at'])}" if answer["written_at"] else " is not there yet"
    yield f".agent-memory/{answer['file']}{when}"


def history_lines(history: Sequence[Mapping[str, Any]]) -> list[str]:
    if not history:
        return ["Nothing was recorded of this task yet."]
    return [line for each in history for line in _history_lines(each)]


def _history_lines(each: Mapping[str, Any]) -> Iterator[str]:
    why = f": {each['reason']}" if each["reason"] else ""
    yield f"{each['number']:>4}  {_local(each['at'])}  {each['by']}{why}"
    for change in each["changes"]:
        yield f"        {change}"


def change_lines(made: Change) -> list[str]:
    name = made.task_id or "the unnamed task"
    if not made.is_changed:
        return [f"Nothing changed: {name} says so already."]
    counts: Any = served_state(made.after)["counts"]
    done = f"{_progress(counts)} done" if sum(counts.values()) else "no steps"
    return [f"{name}: {done}", *(f"  {line}" for line in made.differences)]


def _local(stamp: str | None) -> str:
    return datetime.fromisoformat(stamp).astimezone().strftime("%Y-%m-%d %H:%M") if stamp else "at some time"
