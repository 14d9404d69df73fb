"""The house stands: imports point down, never in a circle, and the pure modules stay pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "agentinitd"

FLOORS = {
    "": 0,  # the package itself: its version
    "model": 0,
    "disk": 0,
    "transcripts": 1,
    "memory": 1,
    "rc": 1,
    "snippet": 1,
    "sessions": 2,
    "integrations": 2,
    "context": 2,
    "daemon": 3,
    "client": 3,
    "cli": 4,
    "__main__": 4,
    "hook": 0,
    "hook_client": 0,
    "hook_fallback": 0,
}

# The few under the daemon that touch the machine; every other module there is pure.
IMPURE = frozenset(
    {
        "disk",
        *(
            f"transcripts.{name}"
            for name in (
                "aider",
                "aider_runs",
                "claude_code_copies",
                "cline_beside",
                "cline_follower",
                "cline_sessions",
                "codex_archive",
                "codex_far_request",
                "codex_follower",
                "codex_store",
                "copilot_cli",
                "copilot_cli_sizes",
                "copilot_cli_store",
                "database",
                "database_follower",
                "document",
                "files",
                "gemini_files",
                "goose",
                "goose_reader",
                "goose_rows",
                "kimi",
                "kimi_folders",
                "opencode",
                "opencode_rows",
                "opencode_tree",
                "tail",
                "take_up",
            )
        ),
        *(
            f"memory.{name}"
            for name in (
                "capture.external",
                "anchor_doubts",
                "captured_elsewhere",
                "checks",
                "folder",
                "locking",
                "project",
                "recall",
                "recall_files",
                "recall_index",
                "recall_rows",
                "recall_store",
                "store",
                "task_binding",
                "task_files",
                "tasks",
                "writable",
                "writer",
            )
        ),
        *(f"rc.{name}" for name in ("checkout", "entries", "entry_files", "inputs", "last_good", "launch")),
        *(f"rc.{name}" for name in ("inspection", "layers", "scratch")),
        *(
            f"rc.{name}"
            for name in ("links", "ownership", "peak", "runner", "sequence", "sweep", "trust", "vendor")
        ),
        "snippet.tokens",
        *(f"integrations.{name}" for name in ("hook_trial", "settings_file")),
    }
)
MACHINE = frozenset({"os", "time", "asyncio", "subprocess", "sqlite3", "logging"})
DISK_CALLS = frozenset(
    {
        "chmod", "exists", "expanduser", "glob", "is_dir", "is_file", "is_symlink", "iterdir", "lstat",
        "mkdir", "read_bytes", "read_text", "readlink", "resolve", "rglob", "samefile", "stat", "touch",
        "unlink", "write_bytes", "write_text",
    }
)  # fmt: skip
"""What a path can be asked; naming one is pure."""

# The clients of hooks stand outside: they must start in milliseconds.
HOOKS = frozenset({"hook", "hook_client", "hook_fallback"})
HOOK_MODULES = frozenset({"_socket", "socket", "os", "sys"})

# Of its own floor the client needs to know where the socket is, who holds the lock, and who listens.
CLIENT_MAY_IMPORT = frozenset({"daemon.paths", "daemon.lock", "daemon.sockets"})

Sources = Mapping[str, str]
"""Module name without `agentinitd.` → its text."""


def read_sources() -> Sources:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = path.read_text(encoding="utf-8")
    return found


def imported(text: str) -> Iterator[str]:
    """Dotted names of all that is imported, wherever it stands: a late import climbs as well."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def outside(text: str) -> set[str]:
    """Top-level names of what is imported from elsewhere."""
    return {name.split(".")[0] for name in imported(text)} - {"agentinitd", "__future__"}


def inside(text: str, sources: Sources) -> set[str]:
    """Modules of ours that are imported."""
    found = set()
    for name in imported(text):
        if name == "agentinitd" or name.startswith("agentinitd."):
            own = name.removeprefix("agentinitd").removeprefix(".")
            while own not in sources:  # the last part may be a name in the module
                own = own.rpartition(".")[0]
            found.add(own)
    return found


def touched(text: str, sources: Sources) -> set[str]:
    """The parts of the machine that a module touches."""
    calls = {
        node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
    }
    return (outside(text) & MACHINE) | ({"disk"} & inside(text, sources)) | (calls & (DISK_CALLS | {"open"}))


def room(module: str) -> str:
    return module.split(".")[0]


def climbing(sources: Sources) -> list[str]:
    """`a → b` for every import that goes up, or sideways between rooms of floor 1 or from the client."""
    found = []
    for module, text in sources.items():
        for other in inside(text, sources):
            here, there = FLOORS[room(module)], FLOORS[room(other)]
            is_sideways = room(module) != room(other) and here == there == 1
            is_too_curious = module == "client" and there == here and other not in CLIENT_MAY_IMPORT
            if there > here or is_sideways or is_too_curious:
                found.append(f"{module} → {other}")
    return sorted(found)


def circles(sources: Sources) -> list[str]:
    """Modules that are imported by what they import."""
    edges = {module: inside(text, sources) for module, text in sources.items()}

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(edges[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting.extend(edges[module])
        return seen

    return sorted(module for module in sources if module in reach(module))


def is_pure(module: str) -> bool:
    return module not in IMPURE and module not in HOOKS and FLOORS[room(module)] < 3


def impure(sources: Sources) -> list[str]:
    """`module: name` for every part of the machine that a pure module touches."""
    return sorted(
        f"{module}: {name}"
        for module, text in sources.items()
        if is_pure(module)
        for name in touched(text, sources)
    )


@pytest.fixture(scope="module")
def sources() -> Sources:
    return read_sources()


def test_every_room_has_a_floor(sources: Sources) -> None:
    assert {room(module) for module in sources} - HOOKS <= set(FLOORS)


def test_imports_point_down(sources: Sources) -> None:
    assert climbing(sources) == []


def test_no_module_imports_itself_by_a_detour(sources: Sources) -> None:
    assert circles(sources) == []


def test_pure_modules_know_neither_files_nor_clock_nor_tasks_nor_log(sources: Sources) -> None:
    assert impure(sources) == []


def test_the_list_of_the_others_is_no_longer_than_it_must_be(sources: Sources) -> None:
    needless = [
        module
        for module in IMPURE - {"disk"}
        if module not in sources or not touched(sources[module], sources)
    ]

    assert needless == []


@pytest.mark.parametrize("module", sorted(HOOKS))
def test_the_clients_of_hooks_import_next_to_nothing_and_nothing_of_ours(
    module: str, sources: Sources
) -> None:
    assert outside(sources[module]) <= HOOK_MODULES
    assert inside(sources[module], sources) == set()


class TestTheRulesThemselves:
    """A rule that finds nothing must be able to find something."""

    def test_an_import_that_climbs_is_found_even_inside_a_function(self) -> None:
        sources = {
            "": "",
            "rc.names": "def f():\n    from agentinitd.daemon.paths import Places",
            "daemon.paths": "",
        }

        assert climbing(sources) == ["rc.names → daemon.paths"]

    def test_rooms_of_floor_1_do_not_know_each_other(self) -> None:
        sources = {
            "": "",
            "rc.a": "from agentinitd.memory import b",
            "memory.b": "",
            "rc.c": "import agentinitd.rc.a",
        }

        assert climbing(sources) == ["rc.a → memory.b"]

    def test_the_client_does_not_know_the_server(self) -> None:
        text = "from agentinitd.daemon import paths, server"

        assert climbing({"": "", "client": text, "daemon": "", "daemon.paths": "", "daemon.server": ""}) == [
            "client → daemon.server"
        ]

    def test_a_circle_is_found_and_names_its_members_only(self) -> None:
        sources = {
            "": "",
            "rc.a": "from agentinitd.rc.b import x",
            "rc.b": "import agentinitd.rc.c",
            "rc.c": "from agentinitd.rc import a",
            "rc.d": "from agentinitd.rc import a",
        }

        assert circles(sources) == ["rc.a", "rc.b", "rc.c"]

    def test_a_pure_module_that_looks_at_the_clock_or_the_disk_is_found(self) -> None:
        sources = {
            "": "",
            "disk": "import os",
            "sessions.detector": "import time, json",
            "rc.header": "from os import path",
            "memory.lint": "from agentinitd.disk import read_bounded",
            "rc.names": "from pathlib import Path\nPath('x').exists()",
            "snippet.frame": "open('x')",
            "rc.runner": "import subprocess",
            "daemon.main": "import asyncio",
        }

        assert impure(sources) == [
            "memory.lint: disk", "rc.header: os", "rc.names: exists", "sessions.detector: time",
            "snippet.frame: open",
        ]  # fmt: skip
