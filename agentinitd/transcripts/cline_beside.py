"""The small files beside the messages of Cline and Roo Code: whose session it is, and what was compacted.

Each is read again when it changed.  One that is damaged, or half written, says what it said before.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from agentinitd.disk import read_bounded
from agentinitd.model.events import CompactionTrigger
from agentinitd.transcripts.cline_sdk import message_of, seconds_of_ts, updated_at
from agentinitd.transcripts.document_entries import whole_document
from agentinitd.transcripts.files import look, open_regular
from agentinitd.transcripts.json_lines import NOT_PLAIN, clean, plain, seconds_of, tokens_of

MESSAGES = ".messages.json"
SMALL_BYTES = 8 * 1024 * 1024
SIDECAR_BYTES = 32 * 1024 * 1024
HEAD_BYTES = 1024 * 1024
"""Of a conversation: the folder stands in what the program tells the model first."""
MANIFEST_SECONDS = 2.0
"""The manifest is written again right after the sidecar that it names."""

_TRIGGERS: dict[str, CompactionTrigger] = {
    "manual_compaction": "manual",
    "auto_compaction": "auto",
    "overflow_recovery_compaction": "auto",
}
_FOLDER = re.compile(rb"# Current (?:Working|Workspace) Directory \(((?:[^()\n]|\([^()\n]*\))+)\) Files")

T = TypeVar("T")


class Session(NamedTuple):
    session_id: str
    cwd: str | None = None
    version: str | None = None
    is_helper: bool = False
    """Another session started it and told it what to do."""
    forked_at: float | None = None
    """What is older was said in another session."""


class Compaction(NamedTuple):
    id: str
    source_count: int | None
    """How many messages were replaced; early versions do not say."""
    at: float | None
    trigger: CompactionTrigger | None
    tokens_before: int | None
    is_latest: bool
    """Nothing of this session was written since."""


class Beside(Protocol):
    def session(self) -> Session: ...

    def compaction(self) -> Compaction | None: ...


class TaskBeside:
    """What stands beside the `ui_messages.json` of a task."""

    def __init__(self, messages: Path) -> None:
        folder = messages.parent
        self._id = folder.name
        self._item = _Watched(folder / "history_item.json", _json_object)
        self._metadata = _Watched(folder / "task_metadata.json", _json_object)
        self._heads = [
            _Watched(folder / name, _folder_in_head)
            for name in ("api_conversation_history.json", messages.name)
        ]
        history = folder.parent.parent / "state" / "taskHistory.json"
        self._tasks = _Watched(history, lambda path: _folder_in_tasks(path, self._id))

    def session(self) -> Session:
        item = self._item.value() or {}
        cwd = clean(item.get("workspace")) or next(
            (cwd for head in self._heads if (cwd := head.value())), None
        )
        return Session(
            session_id=self._id,
            cwd=cwd or self._tasks.value(),
            version=_version_in(self._metadata.value() or {}),
            is_helper=isinstance(item.get("parentTaskId"), str),
        )

    def compaction(self) -> Compaction | None:
        return None


class StoreBeside:
    """What stands beside the `<id>.messages.json` of a session."""

    def __init__(self, messages: Path) -> None:
        self._messages = messages
        self._id = session_of(messages)
        # The helpers of a session keep their messages in its folder.
        lead = messages.parent / f"{messages.parent.name}{MESSAGES}"
        self._is_helper = lead != messages and lead.exists()
        self._manifest = _Watched(messages.parent / f"{self._id}.json", _json_object)
        self._sidecar = _Watched(sidecar_of(messages), _compaction_in)

    def session(self) -> Session:
        manifest = self._manifest.value() or {}
        metadata = manifest.get("metadata")
        fork = metadata.get("fork") if isinstance(metadata, dict) else None
        forked_at = fork.get("forkedAt") if isinstance(fork, dict) else None
        return Session(
            session_id=clean(manifest.get("session_id")) or self._id,
            cwd=clean(manifest.get("cwd")) or clean(manifest.get("workspace_root")),
            is_helper=self._is_helper,
            forked_at=seconds_of(forked_at) if isinstance(forked_at, str) else None,
        )

    def compaction(self) -> Compaction | None:
        found = self._sidecar.value()
        return found._replace(is_latest=self._is_latest()) if found is not None else None

    def _is_latest(self) -> bool:
        times = [look(str(path)) for path in (self._sidecar.path, self._messages, self._manifest.path)]
        sidecar, messages, manifest = (seen.mtime_ns / 1e9 if seen is not None else 0.0 for seen in times)
        return sidecar >= messages and sidecar >= manifest - MANIFEST_SECONDS


def sidecar_of(messages: Path) -> Path:
    return messages.parent / f"{session_of(messages)}.compaction.json"


def session_of(messages: Path) -> str:
    return messages.name.removesuffix(MESSAGES)


class _Watched(Generic[T]):
    """What a file says, read again when it changed; None while it is not there."""

    def __init__(self, path: Path, parse: Callable[[Path], T | None]) -> None:
        self.path = path
        self._parse = parse
        self._seen: object = None
        self._value: T | None = None

    def value(self) -> T | None:
        seen = look(str(self.path))
        if seen is None:
            self._value = None
        elif seen != self._seen:
            # One that cannot be read is looked at again when it changes; until then the old has to do.
            with contextlib.suppress(OSError):
                self._value = self._parse(self.path) or self._value
        self._seen = seen
        return self._value


def _json_object(path: Path) -> dict[str, Any] | None:
    value = _json(read_bounded(path, SMALL_BYTES))
    return value if isinstance(value, dict) else None


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except NOT_PLAIN:
        return None


def _folder_in_tasks(path: Path, task_id: str) -> str | None:
    tasks = _json(read_bounded(path, SMALL_BYTES))
    for task in tasks if isinstance(tasks, list) else ():
        if isinstance(task, dict) and task.get("id") == task_id:
            return clean(task.get("cwdOnTaskInitialization"))
    return None


def _folder_in_head(path: Path) -> str | None:
    with open_regular(path) as file:
        found = _FOLDER.search(file.read(HEAD_BYTES) or b"")
    if found is None:
        return None
    # In the messages that the person sees this is JSON in a string of JSON.
    folder = clean(_json(b'"' + found[1] + b'"'))
    return (clean(_json(f'"{folder}"'.encode())) if folder and "\\" in folder else folder) or None


def _version_in(metadata: dict[str, Any]) -> str | None:
    environments = metadata.get("environment_history")
    last = environments[-1] if isinstance(environments, list) and environments else None
    return clean(last.get("cline_version")) if isinstance(last, dict) else None


def _compaction_in(path: Path) -> Compaction | None:
    document = whole_document(read_bounded(path, SIDECAR_BYTES), "messages")
    if document is None or not document.entries:
        return None
    metadata = message_of(document.entries[0].raw).metadata
    count = plain(document.head["source_message_count"]) if "source_message_count" in document.head else None
    written_at = updated_at(document)
    generated_at = seconds_of_ts(metadata.generated_at) if metadata is not None else None
    return Compaction(
        id=f"compaction:{count}:{written_at}",
        source_count=count if type(count) is int and count >= 0 else None,
        at=written_at or generated_at,
        trigger=_TRIGGERS.get(metadata.reason or "") if metadata is not None else None,
        tokens_before=tokens_of(metadata.tokens_before) if metadata is not None else None,
        is_latest=False,
    )
