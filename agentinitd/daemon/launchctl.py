"""The user's launchd, asked by `launchctl`: the session at the screen, or that of a login from elsewhere."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from agentinitd.daemon.managers import Answer, ManagerName, UnitState, ask
from agentinitd.integrations import launchd
from agentinitd.model.errors import AgentinitdError

WITHOUT_SCREEN = frozenset({125, 134})
"""An agent belongs to the session at the screen, unless it says otherwise: another one does not take it."""
LEAVE_SECONDS = 25.0
POLL_SECONDS = 0.05


class Launchd:
    """`bootstrap`, `bootout`, `kickstart` and `print`; not `load` and `unload`, which tell nothing."""

    NAME: ManagerName = "launchd"
    version = 0

    def __init__(self, home: Path, env: Mapping[str, str]) -> None:
        self.folder = home / "Library" / "LaunchAgents"
        self.folders = (self.folder,)
        self._env = env
        self._found: str | None = None
        self._refused = ""

    @property
    def _domain(self) -> str:
        """`gui/501` or `user/501`; empty when neither answers."""
        if self._found is None:
            self._found = ""
            for domain in (f"gui/{os.geteuid()}", f"user/{os.geteuid()}"):
                answer = ask(self._env, "launchctl", "print", domain)
                if answer.code == 0:
                    self._found = domain
                    break
                self._refused = answer.last_words
        return self._found

    @property
    def refusal(self) -> str:
        return "" if self._domain else f"launchd has no session of this user ({self._refused})."

    def state(self) -> UnitState:
        answer = self._ask("print", self._target)
        is_disabled = re.search(
            rf'"{re.escape(launchd.LABEL)}" => (disabled|true)', self._ask("print-disabled", self._domain).out
        )
        if answer.code != 0:
            return UnitState(words="not loaded")
        state = re.search(r"^\s*state = (.+)$", answer.out, re.MULTILINE)
        pid = re.search(r"^\s*pid = ([0-9]+)$", answer.out, re.MULTILINE)
        code = re.search(r"^\s*last exit code = (.+)$", answer.out, re.MULTILINE)
        source = re.search(r"^\s*path = (/.+)$", answer.out, re.MULTILINE)
        words = state[1] if state else "loaded"
        return UnitState(
            is_enabled=not is_disabled,
            is_active=pid is not None,
            pid=int(pid[1]) if pid else None,
            words=words if pid or code is None else f"{words}, last exit code {code[1]}",
            source=Path(source[1]) if source else None,
        )

    def refuse(self, text: str) -> str:  # noqa: ARG002 - `plistlib` wrote it
        return ""

    def load(self, path: Path, *, is_new: bool) -> None:
        if is_new and self._ask("print", self._target).code == 0:
            self.unload()
        self._ask("enable", self._target)
        if self._ask("print", self._target).code != 0:
            answer = self._ask("bootstrap", self._domain, str(path))
            if answer.code != 0:
                raise AgentinitdError(
                    f"launchctl bootstrap {self._domain}: {answer.last_words}. {_explained(answer)}"
                )
        self.start()

    def start(self) -> None:
        if not self.state().is_active:
            self._must("kickstart", self._target)

    def stop(self) -> None:
        """It ends with 0, after which its KeepAlive lets it rest."""
        self._must("kill", "SIGTERM", self._target)
        self._wait_until(lambda: not self.state().is_active)

    def unload(self) -> None:
        answer = self._ask("bootout", self._target)
        # It answers before the job has ended, and says so by an error.
        if not self._wait_until(lambda: self._ask("print", self._target).code != 0):
            raise AgentinitdError(f"launchctl bootout {self._target}: {answer.last_words}")

    def forget(self) -> None:
        """Nothing to tell: it is out already."""

    def _wait_until(self, is_done: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + LEAVE_SECONDS
        while not is_done():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    @property
    def _target(self) -> str:
        return f"{self._domain}/{launchd.LABEL}"

    def _must(self, *words: str) -> None:
        answer = self._ask(*words)
        if answer.code != 0:
            raise AgentinitdError(f"launchctl {' '.join(words)}: {answer.last_words}")

    def _ask(self, *words: str) -> Answer:
        return ask(self._env, "launchctl", *words)


def _explained(answer: Answer) -> str:
    if answer.code == 5 or "5: Input/output error" in answer.err:
        return "It is loaded already, or there is no session at the screen: log in there and try again."
    if answer.code in WITHOUT_SCREEN:
        return "There is no session at the screen: log in there and try again. Until then: agentinitd start"
    return "See `launchctl print-disabled` and Console."
