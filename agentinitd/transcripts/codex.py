"""OpenAI Codex CLI: the module that `agents.AGENTS` lists."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, cast

from agentinitd.transcripts import codex_paths, codex_store
from agentinitd.transcripts.codex_follower import RolloutFollower
from agentinitd.transcripts.codex_reader import CodexReader
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.reader import Checkpoint, LineFormat

NAME = "codex"

READS = (
    "rollouts of May 2025 to 0.155, also archived and compressed: messages, tools, plans, sizes, windows, "
    "compactions; not what started a compaction, and no sizes before September 2025"
)

roots = codex_paths.roots
scan = codex_store.scan
is_own = codex_store.is_own
names_in = codex_store.names_in


def names_at(path: PurePath) -> tuple[str, ...]:
    name = codex_paths.name_of(path)
    return () if name is None else (name,)


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> RolloutFollower:
    return RolloutFollower(name, _THIS, checkpoint, start=start, is_detailed=is_detailed)


def new_reader(
    path: PurePath,  # noqa: ARG001 - all that is known of a thread stands in its first record
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> CodexReader:
    return CodexReader(checkpoint, history_until=history_until, is_detailed=is_detailed)


_THIS = cast(LineFormat, sys.modules[__name__])
