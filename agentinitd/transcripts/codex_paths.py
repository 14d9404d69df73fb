"""Where Codex keeps its rollouts, and what a path alone tells of one.

A thread keeps its id, which stands in the name of its file, but not its place: archived it lies in another
folder, and after a week compressed; resumed it comes back.  What it is known by is the place where it was
written first, whether it lies there now or not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePath

SESSIONS, ARCHIVED = "sessions", "archived_sessions"
COMPRESSED = ".zst"
_ROLLOUT = re.compile(r"rollout-(\d{4})-(\d\d)-(\d\d)T[^/]*\.jsonl|rollout-[^/]*\.jsonl")


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders below which rollouts lie, whether they exist or not."""
    configured = env.get("CODEX_HOME")
    base = Path(configured) if configured else home / ".codex"
    return (base / SESSIONS, base / ARCHIVED)


def is_rollout(path: PurePath) -> bool:
    return _ROLLOUT.fullmatch(path.name.removesuffix(COMPRESSED)) is not None


def is_compressed(path: PurePath) -> bool:
    return path.name.endswith(COMPRESSED)


def name_of(path: PurePath) -> str | None:
    """The name of the session whose rollout lies here; None when it is none."""
    plain = path.with_name(path.name.removesuffix(COMPRESSED)) if path.name else path
    found = _ROLLOUT.fullmatch(plain.name)
    if found is None:
        return None
    year, month, day = found.groups()
    if plain.parent.name != ARCHIVED or year is None:
        return str(plain)
    return str(plain.parent.parent / SESSIONS / year / month / day / plain.name)


def places_of(name: str) -> tuple[Path, ...]:
    """Where the rollout of this session may lie, the likeliest first; plain before compressed."""
    path = Path(name)
    if is_compressed(path):
        return (path,)
    archived = path.parents[4] / ARCHIVED / path.name if name_of(path) == name and _is_dated(path) else None
    plain = (path,) if archived is None else (path, archived)
    return (*plain, *(place.with_name(place.name + COMPRESSED) for place in plain))


def _is_dated(path: PurePath) -> bool:
    """`sessions/2026/11/29/rollout-….jsonl`"""
    parts = path.parts[-5:-1]
    return len(parts) == 4 and parts[0] == SESSIONS and all(part.isdecimal() for part in parts[1:])
