"""Everything a rebuild depends on, read once at its beginning, and what of it the scripts are told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import msgspec

from agentinitd.memory.capture.sources import session_name
from agentinitd.memory.captured_serving import with_captured, without_gone
from agentinitd.memory.search_tokens import index_text
from agentinitd.memory.serving import memory_json
from agentinitd.memory.told_state import agents_own_left_out
from agentinitd.model.causes import Cause, Trigger
from agentinitd.model.config import Config
from agentinitd.model.facts import Anchor, JsonValue, Language, Memory, Problem
from agentinitd.model.scripts import Runlevel
from agentinitd.sessions.delivery import FULL_RUNLEVELS
from agentinitd.sessions.record import SessionRecord
from agentinitd.snippet.relevance import Relevance

MAX_CHARS = 9500
"""Agents show longer hook output as a preview (architecture.md section 8)."""
MAX_CHARS_ASKED_FOR = 200_000
"""For a person who named a budget, and reads it in a terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything a rebuild depends on, read once at its beginning."""

    project: Path
    record: SessionRecord
    config: Config
    runlevel: Runlevel
    memory: Memory
    served: Mapping[str, JsonValue]
    place: str = ""
    """One line when the session is elsewhere than its task is done; of no interest to scripts."""
    budget_tokens: int
    max_chars: int
    digest: str
    """Of all that the scripts are told about the memory: with an equal one they would print the same."""
    is_forced: bool = False
    """A person asks that every script is run, whatever speaks against it."""

    @property
    def causes(self) -> tuple[Cause, ...]:
        return self.record.delivery.due

    @property
    def task_id(self) -> str | None:
        return self.record.task_id or self.memory.task_id

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be said besides what the scripts say."""
        return tuple(cause.say for cause in self.causes if cause.say)

    @property
    def is_echo(self) -> bool:
        """All that there is to say was captured from this very session."""
        memory, own = self.memory, f"{session_name(self.record.first_session_id)}:"
        is_own = all(anchor.last_source.startswith(own) for anchor in memory.captured)
        written = (memory.constraints, memory.gainsaid, memory.tools, memory.decisions, memory.task_state)
        return is_own and not any(written)

    @property
    def rules(self) -> tuple[Anchor, ...]:
        """What the reply can be judged by."""
        if self.runlevel not in FULL_RUNLEVELS:
            return ()
        captured = (anchor for anchor in self.memory.captured if anchor.captured == "rule")
        return (*self.memory.constraints, *captured)

    @property
    def is_line_only(self) -> bool:
        """Nothing but such lines is due, and nobody asked for more: no script runs."""
        return self.runlevel == "slim" and bool(self.lines) and all(cause.say for cause in self.causes)

    @property
    def language(self) -> Language:
        chosen = self.config.language
        return self.memory.language if chosen == "auto" else cast(Language, chosen)

    @property
    def trigger(self) -> Trigger:
        fitting = [cause.trigger for cause in self.causes if cause.runlevel == self.runlevel]
        return fitting[0] if fitting else "manual"

    @property
    def unserved(self) -> int:
        """Facts that reached no script; of none where the task state alone is shown."""
        omitted = self.served["omitted"]
        return omitted if isinstance(omitted, int) and self.runlevel in FULL_RUNLEVELS else 0

    @property
    def relevance(self) -> Relevance | None:
        """What decides, when room is short, which items come first.  Scripts know nothing of it."""
        if self.record.recent_work.is_empty:
            return None
        return Relevance(
            work=self.record.recent_work,
            words=index_text,
            roots=(str(self.project), self.record.cwd or ""),
            applies={anchor.what: anchor.applies for anchor in self.memory.anchors if anchor.applies},
        )

    def stdin(self) -> dict[str, JsonValue]:
        """The JSON object of every script's stdin, but for what differs from script to script."""
        record = self.record
        session: dict[str, JsonValue] = {
            "id": record.session_id,
            "agent": record.agent,
            "transcript": record.transcript,
            "offset": record.offset,
        }
        return {
            "api": 1,
            "trigger": self.trigger,
            "runlevel": self.runlevel,
            "previous_runlevel": record.previous_runlevel,
            "session": session,
            "project": str(self.project),
            "task": self.task_id,
            "language": self.language,
            "budget_tokens": self.budget_tokens,
            "memory": dict(self.served),
        }

    def names(self) -> dict[str, Any]:
        """For the log."""
        return {
            "session": self.record.session_id,
            "project": str(self.project),
            "trigger": self.trigger,
            "runlevel": self.runlevel,
            "prevlevel": self.record.previous_runlevel,
            "catchup": any(cause.is_catchup for cause in self.causes),
        }


def ask(
    record: SessionRecord,
    project: Path,
    runlevel: Runlevel,
    memory: Memory,
    config: Config,
    *,
    now: float,
    budget_tokens: int | None = None,
    disproved: Mapping[str, str] | None = None,
) -> Question:
    """`disproved`: ids of anchors whose check failed, and what was found."""
    memory = with_captured(
        memory, session_id=record.session_id, task_id=record.task_id, capture=config.capture
    )
    memory = without_gone(memory, disproved or {}, session_id=record.session_id)
    language = None if config.language == "auto" else cast(Language, config.language)
    served = memory_json(
        memory, now=now, stale_days=config.stale_days, language=language, disproved=disproved
    )
    memory = replace(memory, problems=(*memory.problems, *_failed_checks(memory, disproved or {})))
    budget = budget_tokens or (config.slim_budget_tokens if runlevel == "slim" else config.budget_tokens)
    told = _as_bytes([served, record.task_id, runlevel, language, budget])
    return Question(
        project=project,
        record=record,
        config=config,
        runlevel=runlevel,
        memory=memory,
        served=served,
        budget_tokens=budget,
        max_chars=MAX_CHARS if budget_tokens is None else MAX_CHARS_ASKED_FOR,
        digest=hashlib.sha256(told).hexdigest(),
    )


def _as_bytes(value: JsonValue) -> bytes:
    """Equal for what is equal.  In one piece: `json` makes a thousand of them, for each hook anew."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except ValueError:  # half of a surrogate pair
        return json.dumps(value, sort_keys=True).encode()


def _failed_checks(memory: Memory, disproved: Mapping[str, str]) -> Iterator[Problem]:
    for anchor in memory.anchors:
        if anchor.id in disproved:
            message = f"the check of {anchor.id} failed: {disproved[anchor.id]}. Correct it, or the project."
            # What was only found in a session goes out of date while people work: that is no fault of theirs.
            is_mild = anchor.captured is not None
            yield Problem(file=anchor.file, line=anchor.line, message=message, is_mild=is_mild)


def task_digest(memory: Memory) -> str:
    """Changes whenever the task state does, but for what the agent itself said or saw last."""
    told = agents_own_left_out(memory.task_state or {})
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
