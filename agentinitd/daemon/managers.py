"""The service managers of a user: what `systemctl.py` and `launchctl.py` have in common."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

ManagerName = Literal["systemd", "launchd"]

ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitState:
    """What the manager says of our unit."""

    is_enabled: bool = False
    """It starts with the manager."""
    is_active: bool = False
    is_failing: bool = False
    """It ended, and the manager is about to try again."""
    pid: int | None = None
    words: str = "unknown"
    source: Path | None = None
    """The file that the manager read it from."""
    drop_ins: tuple[str, ...] = ()


class Manager(Protocol):
    """One manager.  What has it do something raises AgentinitdError with the words of its program."""

    @property
    def NAME(self) -> ManagerName: ...  # noqa: N802 - a constant of the class

    @property
    def refusal(self) -> str:
        """Why there is none to ask; empty when it answers."""

    @property
    def version(self) -> int:
        """0 where it does not matter."""

    @property
    def folder(self) -> Path:
        """Where it looks for units of the user."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where it may look: known without asking it."""

    def state(self) -> UnitState: ...

    def refuse(self, text: str) -> str:
        """What it holds against this text as a unit; empty when nothing."""

    def load(self, path: Path, *, is_new: bool) -> None:
        """Has the unit running, and with every login.  `is_new`: its text is another than the manager's."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def unload(self) -> None:
        """Has it stopped, and not come back."""

    def forget(self) -> None:
        """Tells that the file is gone."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Of a program that was run."""

    code: int
    out: str
    err: str

    @property
    def last_words(self) -> str:
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self.code}"


def ask(env: Mapping[str, str], *words: str, seconds: float = ANSWER_SECONDS) -> Answer:
    """Runs it, in English.  One that is not there answers 127, as it would to a shell; a silent one 124."""
    try:
        done = subprocess.run(
            words,
            env={**env, "LC_ALL": "C", "SYSTEMD_PAGER": "", "SYSTEMD_COLORS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(124, "", f"{words[0]} did not answer within {seconds:g} s")
    except OSError as error:
        return Answer(127, "", f"{words[0]} cannot be run: {error.strerror}")
    return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
