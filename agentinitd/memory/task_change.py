"""Changes the state of a task: one writer at a time, whole or not at all, each remembered in the history."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from agentinitd.memory.folder import memory_file
from agentinitd.memory.json_text import rewritten, written
from agentinitd.memory.masking import masked, masked_object
from agentinitd.memory.project import MEMORY_FOLDER
from agentinitd.memory.redact import redact
from agentinitd.memory.task_edit import new_state
from agentinitd.memory.task_files import (
    HISTORY_BYTES,
    TaskPlace,
    last_recorded,
    place_of,
    read_history,
    read_state,
)
from agentinitd.memory.task_history import Recorded, differences, is_same
from agentinitd.memory.task_state import TIMES, State, parse_task_state
from agentinitd.memory.writer import append_line, locked, update
from agentinitd.model.errors import MemoryRefused, UsageError

Edit = Callable[[State], State]

STATE_BYTES = 1024 * 1024
"""What is served of a state are some ten thousand characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of a task state."""

    task_id: str | None
    file: str
    """Relative to the memory folder."""
    before: State | None
    after: State
    is_changed: bool

    @property
    def differences(self) -> list[str]:
        return differences(self.before, self.after) if self.is_changed else []


def change_state(
    project: Path, task_id: str | None, edit: Edit, *, by: str, reason: str, now: float
) -> Change:
    """The state of this task as `edit` wants it, with the time, and a line in the history.

    `task_id` None: the unnamed task.  `edit` is given a copy and may be called several times.  Raises
    MemoryRefused, UsageError, and what `edit` raises; the last good state stands then.
    """
    with locked(project):
        return _Writing(place_of(project, task_id), edit, by=by, reason=reason, now=now).make()


def write_state(place: TaskPlace, edit: Edit, *, by: str, reason: str, now: float) -> Change:
    """The same for a task that is being made: its folder need not be there yet."""
    return _Writing(place, edit, by=by, reason=reason, now=now).make()


def restore_state(project: Path, task_id: str | None, number: int | None, *, by: str, now: float) -> Change:
    """What line `number` of the history says holds again; None: the last line.

    A file that cannot be read is kept beside as `task_state.json.broken-<time>`.
    """
    with locked(project):
        place = place_of(project, task_id)
        history = read_history(place)
        if not history:
            raise MemoryRefused(f"Nothing was recorded of {place.name} yet. Mend {place.state_file} by hand.")
        if number is not None and not 1 <= number <= len(history):
            raise UsageError(f"The history of {place.name} has the states 1 to {len(history)}, no {number}.")
        chosen = history[(number or len(history)) - 1]
        _put_broken_aside(place, now)
        reason = f"state {number or len(history)} of the history restored"
        return write_state(place, lambda _: deepcopy(chosen.state), by=by, reason=reason, now=now)


def note_state(project: Path, task_id: str | None, *, now: float) -> bool:
    """Remembers a state that another program wrote; whether there was one.  Raises MemoryRefused."""
    with locked(project):
        place = place_of(project, task_id)
        found = _by_hand(place, read_state(place)[0], now)
        for recorded in found:
            _append(place, recorded)
        return bool(found)


def save_state(project: Path, task_id: str | None, *, by: str, reason: str, now: float) -> None:
    """Remembers the state as it is now, because something is about to happen."""
    with locked(project):
        place = place_of(project, task_id)
        state = _masked(read_state(place)[0])
        if state is None:
            return
        note_state(project, task_id, now=now)
        last = last_recorded(place)
        if last is None or (last.by, last.reason) != (by, reason) or not is_same(last.state, state):
            _append(place, Recorded(at=now, by=by, reason=reason, state=state))


class _Writing:
    """One change, made again when an editor comes in between."""

    def __init__(self, place: TaskPlace, edit: Edit, *, by: str, reason: str, now: float) -> None:
        self._place = place
        self._edit = edit
        self._recorded = Recorded(at=now, by=by, reason=redact(reason).text, state={})
        self._now = now
        self._before: State | None = None
        self._after: State = {}
        self._known_faults: set[str] = set()
        self._by_hand: list[Recorded] = []

    def make(self) -> Change:
        place = self._place
        update(Path(place.state_file), self._text, project=place.project)
        is_changed = self._before is None or not is_same(self._before, self._after)
        for recorded in self._by_hand:
            _append(place, recorded)
        if is_changed:
            _append(place, replace(self._recorded, state=masked_object(self._after)))
        return Change(
            task_id=place.task_id,
            file=place.state_file,
            before=self._before,
            after=self._after,
            is_changed=is_changed,
        )

    def _text(self, text: str | None) -> str | None:
        """For `update`: the whole file anew, or None when nothing changes."""
        place = self._place
        self._before = self._read(text)
        self._by_hand = _by_hand(place, self._before, self._now)
        start = new_state(place.task_id or "") if self._before is None else self._before
        accepted = _accepted(place, self._edit(deepcopy(start)), self._known_faults)
        accepted = _masked_changes(accepted, self._before or {})
        if self._before is not None and is_same(self._before, accepted):
            self._after = self._before
            return None
        self._after = _stamped(accepted, place.task_id, self._now)
        return _written(place, text if self._before is not None else None, self._before, self._after)

    def _read(self, text: str | None) -> State | None:
        self._known_faults = set()
        if text is None:
            return None
        state, problems = parse_task_state(text.encode("utf-8", "replace"), file=self._place.state_file)
        if state is None:
            raise MemoryRefused(
                f"{problems[0].text} Nothing was changed. `agentinitd task restore` puts the last recorded "
                "state in its place and keeps the file beside it."
            )
        self._known_faults = {problem.message for problem in problems}
        return state


def _by_hand(place: TaskPlace, state: State | None, now: float) -> list[Recorded]:
    """What stands in the file, when no line of the history says so."""
    if state is None:
        return []
    last = last_recorded(place)
    is_blank = not any(value for key, value in state.items() if key not in TIMES)
    if is_same(last.state, state) if last else is_blank:
        return []
    state = masked_object(state)
    if last and is_same(last.state, state):
        return []
    reason = "changed by an editor or another program" if last else "as it was found"
    at = min(now, max(_changed_at(place, now), last.at if last else 0.0))
    return [Recorded(at=at, by="file", reason=reason, state=state)]


def _changed_at(place: TaskPlace, now: float) -> float:
    file = memory_file(place.project, place.state_file)
    return file.stamp[3] / 1e9 if file and file.stamp else now


def _accepted(place: TaskPlace, edited: State, known_faults: set[str]) -> State:
    """The state as it can be written.  Raises MemoryRefused for a fault that was not there before."""
    refused = f"{place.state_file} was left as it is: the new state is not valid: "
    try:
        data = json.dumps(edited).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise MemoryRefused(f"{refused}{error}") from error
    state, problems = parse_task_state(data, file=place.state_file)
    new = [problem.message for problem in problems if problem.message not in known_faults]
    if state is None or new:
        raise MemoryRefused(refused + (new or [problems[0].message])[0])
    return state


def _put_broken_aside(place: TaskPlace, now: float) -> None:
    file = memory_file(place.project, place.state_file)
    if file is None or file.stamp is None or read_state(place)[0] is not None:
        return
    path = place.project / MEMORY_FOLDER / place.state_file
    time = datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
    try:
        path.replace(path.with_name(f"{path.name}.broken-{time}"))
    except OSError as error:
        raise MemoryRefused(f"{path} cannot be put aside: {error.strerror}. Mend it by hand.") from error


def _masked(state: State | None) -> State | None:
    return None if state is None else masked_object(state)


def _masked_changes(edited: State, before: State) -> State:
    """No credential is written by us; what the person has in their file is theirs."""
    return {
        key: value if key in before and before[key] == value else masked(value, key)
        for key, value in edited.items()
    }


def _stamped(state: State, task_id: str | None, now: float) -> State:
    at = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    stamped: State = {**state, "last_updated": at}
    if "updated_at" in state:
        stamped["updated_at"] = at
    if task_id and not state.get("task_id"):
        stamped["task_id"] = task_id
    return stamped


def _written(place: TaskPlace, text: str | None, before: State | None, after: State) -> str:
    made = rewritten(text, before, after) if text is not None and before is not None else written(after)
    if json.loads(made.removeprefix("\ufeff")) != after:
        made = written(after)
    size = len(made.encode("utf-8", "replace"))
    if size > STATE_BYTES:
        raise MemoryRefused(
            f"{place.state_file} was left as it is: the new state would have {size:,} bytes, more than "
            f"{STATE_BYTES:,}. Shorten it."
        )
    return made


def _append(place: TaskPlace, recorded: Recorded) -> None:
    """What an editor made larger than any state of ours is not remembered: it would push out all the rest."""
    line = recorded.line
    if len(line) <= STATE_BYTES:
        append_line(Path(place.history_file), line, max_bytes=HISTORY_BYTES, project=place.project)
