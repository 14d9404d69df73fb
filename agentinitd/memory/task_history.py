"""The history of a task: one line for every state that was accepted, and what changed between two of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from agentinitd.memory.task_state import LIST_OF, STEP_LISTS, TEXTS, TIMES, State, step_progress
from agentinitd.model.facts import JsonValue

_MOST_SHOWN_CHARS = 120
_STEP_KEYS = frozenset((*LIST_OF.values(), *STEP_LISTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A line of `history.jsonl`: a state, and how it came about."""

    at: float
    """Seconds since the epoch."""
    by: str
    """`user`, `socket`, `switch`, `file` for an editor or another program, or the rule that was applied."""
    reason: str
    state: State

    @property
    def line(self) -> str:
        told = {"at": self.at, "by": self.by, "reason": self.reason, "state": self.state}
        return json.dumps(told, ensure_ascii=False)


def recorded_in(lines: Iterable[bytes]) -> Iterator[Recorded]:
    """What the lines say, oldest first; a torn or foreign line is passed over."""
    for line in lines:
        found = recorded_of(line)
        if found is not None:
            yield found


def recorded_of(line: bytes) -> Recorded | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("state"), dict):
        return None
    by, reason = raw.get("by"), raw.get("reason")
    return Recorded(
        at=_seconds(raw.get("at")),
        by=by if isinstance(by, str) else "",
        reason=reason if isinstance(reason, str) else "",
        state=raw["state"],
    )


def _seconds(value: object) -> float:
    is_time = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12
    return float(value) if is_time else 0.0  # type: ignore[arg-type]  # a number


def is_same(one: Mapping[str, JsonValue] | None, other: Mapping[str, JsonValue] | None) -> bool:
    """Whether they say the same, whenever they were written; 1 and true are not the same."""
    return _form(one) == _form(other)


def _form(state: Mapping[str, JsonValue] | None) -> str:
    kept = {key: value for key, value in (state or {}).items() if key not in TIMES}
    return json.dumps(kept, sort_keys=True)


def differences(before: Mapping[str, JsonValue] | None, after: Mapping[str, JsonValue]) -> list[str]:
    """What changed, one line each: texts first, then steps, then any other value."""
    return [*_texts(before or {}, after), *_steps(before or {}, after), *_others(before or {}, after)]


def _texts(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> Iterator[str]:
    for key in (*TEXTS, "phase"):
        yield from _change(key, before.get(key) or None, after.get(key) or None)


def _steps(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> Iterator[str]:
    was, stands = step_progress(before), step_progress(after)
    for title, progress in stands.items():
        if title not in was:
            yield f"+ {_short(title)} ({progress})"
        elif was[title] != progress:
            yield f"{_short(title)}: {was[title]} → {progress}"
    for title, progress in was.items():
        if title not in stands:
            yield f"- {_short(title)} (was {progress})"


def _others(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> Iterator[str]:
    known = {*TEXTS, *TIMES, "phase", *_STEP_KEYS}
    for key in dict.fromkeys([*before, *after]):
        if key not in known:
            yield from _change(key, before.get(key), after.get(key))


def _change(key: str, old: JsonValue, new: JsonValue) -> Iterator[str]:
    if json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True):
        yield f"{_short(key)}: {_shown(old)} → {_shown(new)}"


def _shown(value: JsonValue) -> str:
    if value is None:
        return "nothing"
    return _short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN_CHARS else line[: _MOST_SHOWN_CHARS - 1] + "…"
