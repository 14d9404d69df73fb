"""What people rejected in the tasks of a project: said for all of it, it shall not return either."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentinitd.disk import read_bounded
from agentinitd.memory.capture.captured_file import PROJECT_FILE, captured_in
from agentinitd.memory.folder import MAX_FILE_BYTES
from agentinitd.memory.recall_files import recall_sources
from agentinitd.model.facts import Anchor

_MARK = b"rejected"


def rejected_in_tasks(project: Path, *, but: str | None) -> list[Anchor]:
    """Of all tasks but the one that is named.  Never raises: what may not be read rejects nothing."""
    return list(_rejected(project, but))


def _rejected(project: Path, but: str | None) -> Iterator[Anchor]:
    for source in recall_sources(project):
        if source.task in (None, but) or not source.name.endswith(f"/{PROJECT_FILE}"):
            continue
        try:
            data = read_bounded(Path(source.path), MAX_FILE_BYTES)
        except OSError:
            continue
        if _MARK in data:
            items = captured_in(data.decode("utf-8", "replace"), source.name)
            yield from (item for item in items if item.status == "rejected")
