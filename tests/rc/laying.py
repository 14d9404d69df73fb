"""Lays out layers, projects and scripts for the tests of this folder, and runs single scripts."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from agentinitd.model.scripts import Runlevel, Script
from agentinitd.rc import layers, links, runlevels, runner
from agentinitd.rc.launch import Call
from agentinitd.rc.layers import Judge, Layer
from agentinitd.rc.request import RunSettings
from agentinitd.rc.runlevels import Entry, Step
from agentinitd.rc.trust import Trust

RUN_ID = f"test-{os.getpid()}"
HELLO = "#!/bin/sh\necho hello\n"


def write(path: Path, text: str | bytes = HELLO, *, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)
    return path


def link(path: Path, target: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def header(*lines: str, body: str = "echo hello") -> str:
    return "\n".join(
        ["#!/bin/sh", "### BEGIN INIT INFO", *(f"# {line}" for line in lines), "### END INIT INFO", body, ""]
    )


@dataclass(frozen=True)
class House:
    """Four layers in a temporary folder, and the trust records of their user."""

    base: Path
    project_override: bool = False
    uid: int = os.geteuid()

    @property
    def project(self) -> Path:
        return self.base / "project"

    @property
    def trust(self) -> Trust:
        return Trust(self.base / "state" / "trust", self.base / "state" / "exec")

    def init_d(self, layer: str, name: str) -> Path:
        return self.folder(layer) / "init.d" / name

    def rc_d(self, layer: str, level: str, name: str) -> Path:
        return self.folder(layer) / "rc.d" / f"{level}.d" / name

    def folder(self, layer: str) -> Path:
        return self.project / ".agent-memory" if layer == "project" else self.base / layer

    @property
    def layers(self) -> tuple[Layer, ...]:
        return layers.standard(
            vendor=self.folder("vendor"),
            system=self.folder("system"),
            user=self.folder("user"),
            project_root=self.project,
        )

    def judge(self) -> Judge:
        return layers.judge(self.layers, trust=self.trust, uid=self.uid, project_root=self.project)

    def scripts(self) -> tuple[Script, ...]:
        return layers.scripts(self.layers, self.judge(), project_override=self.project_override)

    def entries(self) -> tuple[Entry, ...]:
        return self.links()[0]

    def links(self) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
        return links.read(self.layers, self.scripts(), self.judge(), project_override=self.project_override)

    def steps(self, level: Runlevel, *, started: frozenset[str] | None = None) -> tuple[Step, ...]:
        return runlevels.steps(level, self.scripts(), self.entries(), started=started)

    def approve(self, path: Path, *, displaced: tuple[str, ...] = ()) -> None:
        """What `agentinitd trust PATH` does once the person has said yes."""
        found = layers.candidate(path, self.judge())
        assert found is not None, path
        self.trust.allow(found, now=1000.0, displaced=displaced, env=(), summary="")

    def verdict(self, path: Path) -> tuple[str, str]:
        script = next(script for script in self.scripts() if script.path == str(path))
        return script.refusal or ("runs", "")


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells this")


def run(call: Call, body: str, *, interpreter: str = "/bin/sh", **changes: object) -> runner.Ended:
    script = write(Path(call.folder) / "S50-x", f"#!{interpreter}\n{body}\n")
    return runner.run(replace(call, executable=str(script), **changes), threading.Event())  # type: ignore[arg-type]


def run_python(call: Call, body: str, **changes: object) -> runner.Ended:
    return run(call, body, interpreter=f"{sys.executable} -IS", **changes)


def living(call: Call) -> list[list[str]]:
    """Processes that carry the mark of this test, but for zombies nobody can end."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            is_marked = process.environ().get("MARK") == call.folder
            if is_marked and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.cmdline())
    return found


def run_settings(house: House) -> RunSettings:
    """Short times, everything below the house."""
    return RunSettings(
        scratch_dir=house.base / "state" / "run",
        last_good_dir=house.base / "state" / "last-good",
        environment=dict(os.environ),
        interpreter_folder=str(Path(sys.executable).parent),
        uid=house.uid,
        kill_grace_seconds=0.2,
        drain_seconds=0.2,
    )
