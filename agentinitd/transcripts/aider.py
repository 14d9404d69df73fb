"""Aider: the module that `agents.AGENTS` lists.

Aider keeps one Markdown file for all its runs in each repository, and no list of them: there is no folder
where all its sessions lie.  A run is a session; the repository is that of its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

import msgspec

from agentinitd.transcripts import files
from agentinitd.transcripts.aider_log import ENTRY, AiderLogReader
from agentinitd.transcripts.aider_memory import remembered
from agentinitd.transcripts.aider_reader import AiderReader
from agentinitd.transcripts.aider_runs import Run, last_run
from agentinitd.transcripts.aider_text import RUN, run_seconds
from agentinitd.transcripts.follower import Seen, Start
from agentinitd.transcripts.reader import Checkpoint, Reader
from agentinitd.transcripts.tail import Tail

NAME = "aider"
READS = (
    "the chat history of a repository (Markdown): messages, edits, sizes as Aider rounds them, else our own "
    "estimate; it never says that it summarised, so a compaction is known by the fall of the size alone"
)

HISTORY = ".aider.chat.history.md"
_LOG_SUFFIX = ".llm.history"
_HISTORY_VARIABLE = "AIDER_CHAT_HISTORY_FILE"


def roots(_home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """None but the one that Aider's own variable names: repositories lie anywhere."""
    configured = env.get(_HISTORY_VARIABLE)
    return (Path(configured).parent,) if configured else ()


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if path.name == HISTORY else ()


def scan(root: Path) -> dict[str, Seen]:
    """The history of this repository; what lies deeper is not looked at."""
    path = str(root / HISTORY)
    seen = files.look(path)
    return {path: seen} if seen is not None else {}


def is_own(path: Path) -> bool:
    if path.is_dir():
        return bool(names_in(path))
    return files.holds_record(path, is_record)


def is_record(line: bytes) -> bool:
    return RUN.fullmatch(line) is not None or ENTRY.fullmatch(line) is not None


def names_in(path: Path) -> list[str]:
    if not path.is_dir():
        return [str(path)]
    candidates = (path / name for name in (HISTORY, HISTORY.removeprefix(".")))
    return [str(each) for each in candidates if each.is_file()]


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> Tail:
    path = Path(name)
    run = None
    if checkpoint is None and start != "top":
        run = last_run(path, None if start == "end" else int(start))
    return Tail(path, AiderFormat(run), checkpoint, start=start, is_detailed=is_detailed)


class AiderFormat:
    """Satisfies `reader.LineFormat`.  Knows the run that goes on where a reader begins in the middle."""

    def __init__(self, run: Run | None = None) -> None:
        self._run = run

    def new_reader(
        self,
        path: PurePath,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
    ) -> Reader:
        cwd = str(path.parent) if path.is_absolute() else None
        if path.name.endswith(_LOG_SUFFIX):
            return AiderLogReader(cwd, checkpoint, history_until=history_until)
        if checkpoint is not None and self._run is not None and checkpoint.offset > self._run.offset:
            checkpoint = _of_run(checkpoint, self._run)
        return AiderReader(cwd, checkpoint, history_until=history_until, is_detailed=is_detailed)


def _of_run(checkpoint: Checkpoint, run: Run) -> Checkpoint:
    memory = remembered(checkpoint)
    if memory.run_offset >= run.offset and memory.run is not None:
        return checkpoint
    memory = msgspec.structs.replace(
        memory,
        run=run.time,
        run_at=run_seconds(run.time),
        run_offset=run.offset,
        version=None,
        asked=None,
        replied=None,
    )
    return replace(checkpoint, state=msgspec.to_builtins(memory))
