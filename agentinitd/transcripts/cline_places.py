"""Where the tasks of Cline and Roo Code lie below an editor, and what a path alone tells of a session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath

CLINE_EXTENSION = "saoudrizwan.claude-dev"
ROO_EXTENSION = "rooveterinaryinc.roo-cline"
UI_MESSAGES = "ui_messages.json"

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server")
"""On a machine that an editor works on from elsewhere."""


def task_roots(home: Path, env: Mapping[str, str], extension: str) -> tuple[Path, ...]:
    """On Linux and macOS alike: the other system's folders are just not there."""
    configured = env.get("XDG_CONFIG_HOME")
    bases = (Path(configured) if configured else home / ".config", home / "Library" / "Application Support")
    users = [base / editor / "User" for base in bases for editor in _EDITORS]
    users += [home / server / "data" / "User" for server in _SERVERS]
    return tuple(user / "globalStorage" / extension / "tasks" for user in users)


def store_roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Sessions of Cline's own store, and tasks of its command line before that."""
    cline = Path(env["CLINE_DIR"]) if env.get("CLINE_DIR") else home / ".cline"
    data = Path(env["CLINE_DATA_DIR"]) if env.get("CLINE_DATA_DIR") else cline / "data"
    configured = env.get("CLINE_SESSION_DATA_DIR")
    return (Path(configured) if configured else data / "sessions", data / "tasks")


def is_task(path: PurePath) -> bool:
    """A task's own file: `tasks/<task>/ui_messages.json`."""
    return path.name == UI_MESSAGES and path.parent.parent.name == "tasks"


def is_store(path: PurePath) -> bool:
    """The lead's messages; `<helper>.messages.json` in the same folder are those of its helpers."""
    return path.name == f"{path.parent.name}.messages.json"


def is_sidecar(path: PurePath) -> bool:
    return path.name == f"{path.parent.name}.compaction.json"
