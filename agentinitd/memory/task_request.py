"""What is asked of a task, by a command or over the socket: changes that are made together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from agentinitd.memory import task_edit
from agentinitd.memory.task_state import State
from agentinitd.model.errors import UsageError

MOST_CHARS = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRequest:
    """None: not asked for.  Applied in this order, so that a step can be added and completed at once."""

    add: str | None = None
    start: str | None = None
    complete: str | None = None
    block: str | None = None
    unblock: str | None = None
    goal: str | None = None
    next_action: str | None = None
    status: str | None = None
    phase: str | None = None
    done: bool = False
    """The whole task."""

    @property
    def reason(self) -> str:
        """For the history."""
        told = (name if value is True else f"{name}: {_line(str(value))}" for name, value in self._asked())
        return ", ".join(told)

    def _asked(self) -> Iterator[tuple[str, str | bool]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value is not False:
                yield field.name, value

    def check(self) -> None:
        """Raises UsageError for what can be no step and no value."""
        asked = dict(self._asked())
        if not asked:
            names = ", ".join(field.name for field in fields(self))
            raise UsageError(f"Nothing is asked of the task. Give at least one of: {names}.")
        for name, value in asked.items():
            if isinstance(value, str) and len(value) > MOST_CHARS:
                raise UsageError(f"{name}: {len(value):,} characters are too many; at most {MOST_CHARS:,}.")
            if name in ("add", "start", "complete", "block", "unblock") and not str(value).strip():
                raise UsageError(f"{name}: an empty text names no step. Write what it is.")

    def applied(self, state: State) -> State:
        """Raises UsageError when a step that is named is none of the task."""
        if self.add is not None:
            state = task_edit.add(state, _line(self.add))
        if self.start is not None:
            state = task_edit.start(state, task_edit.find_open_step(state, self.start))
        if self.complete is not None:
            state = task_edit.complete(state, task_edit.find_open_step(state, self.complete))
        if self.block is not None:
            state = task_edit.block(state, _line(self.block))
        if self.unblock is not None:
            state = task_edit.unblock(state, task_edit.find_blocker(state, self.unblock))
        return self._with_texts(state)

    def _with_texts(self, state: State) -> State:
        texts: dict[task_edit.TextKey, str | None] = {
            "goal": self.goal,
            "next_action": self.next_action,
            "status": self.status,
            "phase": self.phase,
        }
        for key, text in texts.items():
            if text is not None:
                state = task_edit.set_text(state, key, _line(text))
        return task_edit.finish(state) if self.done else state


def _line(text: str) -> str:
    """One line, as it is served."""
    return " ".join(text.split())
