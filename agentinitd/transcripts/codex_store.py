"""The rollouts on disk: which threads there are, and whether a file is one of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from agentinitd.transcripts import files
from agentinitd.transcripts.codex_archive import open_archive
from agentinitd.transcripts.codex_paths import (
    ARCHIVED,
    SESSIONS,
    is_compressed,
    is_rollout,
    name_of,
    places_of,
)
from agentinitd.transcripts.codex_records import is_record
from agentinitd.transcripts.follower import Seen
from agentinitd.transcripts.lines import Lines

ALL_BYTES = 1 << 62
_BLOCK_BYTES = 64 * 1024


def scan(root: Path) -> dict[str, Seen]:
    """Every thread below `root` by name.  Where a thread lies twice, what is read is what counts."""
    found: dict[str, Seen] = {}
    for path, seen in files.scan(root, is_rollout).items():
        name = name_of(Path(path))
        if name is not None and (path == name or path == _present(name)):
            # Resumed it is plain and larger: what was in it is as old as if it had all been seen.
            found[name] = seen._replace(size=ALL_BYTES) if is_compressed(PurePath(path)) else seen
    return found


def _present(name: str) -> str | None:
    return next((str(place) for place in places_of(name) if place.exists()), None)


def is_own(path: Path) -> bool:
    """A rollout, plain or compressed, or a folder of them."""
    if path.is_dir():
        return bool(names_in(path))
    if not is_compressed(path):
        return files.holds_record(path, is_record)
    return is_rollout(path) or _begins_with_record(path)


def names_in(path: Path) -> list[str]:
    """A file is read as it lies there, wherever its thread is now; of a folder all, the latest last."""
    if not path.is_dir():
        return [str(path)]
    below = [path / SESSIONS, path / ARCHIVED]
    found: dict[str, Seen] = {}
    for root in below if any(root.is_dir() for root in below) else [path]:
        found |= scan(root)
    return sorted(found, key=lambda name: found[name].mtime_ns)


def _begins_with_record(path: Path) -> bool:
    return any(is_record(line) for line in _head_lines(path))


def _head_lines(path: Path) -> Iterator[bytes]:
    try:
        opened = open_archive(path)
    except OSError:
        return
    if opened is None:
        return
    lines = Lines()
    try:
        while lines.offset < files.HEAD_BYTES:
            block = opened.stream.read1(_BLOCK_BYTES)
            if not block:
                return
            for batch in lines.feed(block):
                yield from batch.text.split(b"\n")
    except (OSError, EOFError, opened.error):
        return
    finally:
        opened.stream.close()
