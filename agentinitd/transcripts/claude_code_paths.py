"""Where Claude Code keeps its transcripts, and what a path alone tells of one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath

_OTHER_FILES = frozenset({"history.jsonl", "journal.jsonl"})
_OTHER_FOLDERS = frozenset({"tool-results", "file-history"})


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders below which transcripts lie, whether they exist or not."""
    configured = env.get("CLAUDE_CONFIG_DIR")
    base = Path(configured) if configured else home / ".claude"
    return (base / "projects",)


def is_transcript(path: PurePath) -> bool:
    return (
        path.suffix == ".jsonl" and path.name not in _OTHER_FILES and path.parent.name not in _OTHER_FOLDERS
    )


def is_helper_path(path: PurePath) -> bool:
    return path.name.startswith("agent-") or "subagents" in path.parts[-4:-1]
