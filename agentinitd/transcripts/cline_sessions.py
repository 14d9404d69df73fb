"""Finds the sessions of Cline and Roo Code on disk: in a root, in a folder, or by one of their files."""

from __future__ import annotations

from pathlib import Path, PurePath

from agentinitd.transcripts import files
from agentinitd.transcripts.cline_beside import MESSAGES, sidecar_of
from agentinitd.transcripts.cline_places import (
    CLINE_EXTENSION,
    ROO_EXTENSION,
    UI_MESSAGES,
    is_sidecar,
    is_store,
    is_task,
)
from agentinitd.transcripts.cline_tasks import Flavour
from agentinitd.transcripts.files import open_regular
from agentinitd.transcripts.follower import Seen

HEAD_BYTES = 256 * 1024
_ROO_SIGNS = (b'"condense_context"', b'"sliding_window_truncation"', b"apiProtocol", b'"checkpoint_saved"')
_TASK_FILES = frozenset(
    {UI_MESSAGES, "api_conversation_history.json", "task_metadata.json", "history_item.json"}
)


def scan_tasks(root: Path) -> dict[str, Seen]:
    return files.scan(root, is_task)


def scan_store(root: Path) -> dict[str, Seen]:
    """A session has changed also when its sidecar has; its size is that of its messages alone."""
    found = files.scan(root, is_store)
    for name, sidecar in files.scan(root, is_sidecar).items():
        messages = str(messages_beside(PurePath(name)))
        seen = found.get(messages, Seen(0, 0, 0))
        found[messages] = seen._replace(mtime_ns=max(seen.mtime_ns, sidecar.mtime_ns))
    return found


def messages_beside(path: PurePath) -> PurePath:
    """The messages of the session in whose folder this file lies."""
    return path.parent / f"{path.parent.name}.messages.json"


def sessions_in(path: Path, flavour: Flavour) -> list[str]:
    """Main files: of the session whose file or folder this is, or of all below; the latest last."""
    main = _main_of(path, flavour)
    if main is not None:
        return [str(main)]
    if not path.is_dir():
        return []
    found = _tasks_of(path, flavour)
    if flavour == "cline":
        found |= scan_store(path)
    return sorted(found, key=lambda name: (found[name].mtime_ns, name))


def _tasks_of(path: Path, flavour: Flavour) -> dict[str, Seen]:
    return {
        name: seen
        for name, seen in files.scan(path, lambda file: file.name == UI_MESSAGES).items()
        if flavour_of(Path(name)) == flavour
    }


def _main_of(path: Path, flavour: Flavour) -> Path | None:
    folder = path if path.is_dir() else path.parent
    store = folder / f"{folder.name}.messages.json"
    if flavour == "cline" and path.name.endswith(MESSAGES):
        return path if b'"messages"' in _head(path) else None
    is_store = flavour == "cline" and (path.is_dir() or _is_of_store(path))
    if is_store and (store.is_file() or sidecar_of(store).is_file()):
        return store
    messages = folder / UI_MESSAGES
    is_task_file = path.is_dir() or path.name in _TASK_FILES
    if is_task_file and messages.is_file() and flavour_of(messages) == flavour:
        return messages
    return None


def _is_of_store(path: Path) -> bool:
    folder = path.parent.name
    return path.name in (f"{folder}.json", f"{folder}.compaction.json") or path.name.endswith(
        ".messages.json"
    )


def flavour_of(messages: Path) -> Flavour | None:
    """Whose task this is, by its path, its name, or its text; None when it is no task at all."""
    head = _head(messages)
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") or b'"ts"' not in head:
        return None
    if CLINE_EXTENSION in messages.parts or ROO_EXTENSION in messages.parts:
        return "roo" if ROO_EXTENSION in messages.parts else "cline"
    task = messages.parent.name
    if task.isdigit():
        return "cline"
    is_roo = task.count("-") == 4 or any(sign in head for sign in _ROO_SIGNS)
    return "roo" if is_roo else "cline"


def _head(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(HEAD_BYTES) or b""
    except OSError:
        return b""
