"""Our unit of a service manager: written, compared with what we wrote, taken out again."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agentinitd.daemon import launch
from agentinitd.daemon.launchctl import Launchd
from agentinitd.daemon.managers import Manager, ManagerName, UnitState
from agentinitd.daemon.paths import Places
from agentinitd.daemon.systemctl import Systemd
from agentinitd.disk import read_bounded, write_atomically
from agentinitd.integrations import launchd, systemd
from agentinitd.integrations.units import (
    OWN_PLACES,
    Order,
    Origin,
    Reading,
    checked_command,
    drift,
    environment_of,
    origin,
    places_in,
)
from agentinitd.model.errors import (
    AgentinitdError,
    NotConfigured,
    NotInstalled,
    PermissionRefused,
    UsageError,
)
from agentinitd.rc.vendor import vendor_folder

LIMIT_BYTES = 1024 * 1024


class Form(Protocol):
    """How one manager's units are written down."""

    @property
    def TEMPLATE(self) -> str: ...  # noqa: N802 - a constant of the module

    @property
    def UNIT(self) -> str: ...  # noqa: N802

    def written(self, template: str, order: Order) -> str: ...

    def reading(self, text: str) -> Reading: ...


FORMS: dict[ManagerName, Form] = {"systemd": systemd, "launchd": launchd}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What `unit status` shows."""

    manager: ManagerName
    path: Path
    refusal: str
    """Why the manager cannot be asked; empty when it can."""
    origin: Origin | None
    """None: no unit is installed."""
    state: UnitState
    drift: tuple[str, ...]
    lingers: bool | None
    """None where it is of no importance, or nobody knows."""

    @property
    def problems(self) -> list[tuple[str, str]]:
        """What is wrong, and the cure of each; the most important first."""
        if self.origin is None:
            return []
        found = [(f"{self.path} is {WHOSE[self.origin]}", FORCE)] if self.origin != "ours" else []
        found += [(text, "agentinitd unit install") for text in self.drift]
        if self.refusal:
            return [*found, (self.refusal, "agentinitd start")]
        if not self.state.is_enabled:
            found.append(("it does not start with the next login", "agentinitd unit install"))
        if not self.state.is_active or self.state.is_failing:
            found.append((f"it does not run: {self.state.words}", "agentinitd start"))
        if self.lingers is False:
            found.append((LINGER, "loginctl enable-linger"))
        return found


WHOSE: dict[Origin, str] = {
    "ours": "as we wrote it",
    "changed": "changed by hand",
    "foreign": "not written by `agentinitd unit install`",
}
FORCE = "keep it, or have it replaced: agentinitd unit install --force"
LINGER = "the user manager ends at the last logout, and the daemon with it"


def own_command(argv0: str, executable: str) -> tuple[str, ...]:
    """How a service manager has to call this program: by the name it was called by, which upgrades leave.

    Without a console script it is the interpreter, which must not look for us in its folder (EXE-3).
    """
    candidates = [Path.cwd() / argv0] if argv0 else []  # links stay: upgrades change where they lead
    candidates.append(Path(executable).with_name("agentinitd"))
    for path in candidates:
        if path.name == "agentinitd" and path.is_file() and os.access(path, os.X_OK):
            return (str(path),)
    return (executable, "-P", "-m", "agentinitd")


class Unit:
    """The one unit that one manager has of us, as the person who called sees it."""

    def __init__(
        self, manager: Manager, places: Places, env: Mapping[str, str], *, command: tuple[str, ...]
    ) -> None:
        self.manager = manager
        self._form = FORMS[manager.NAME]
        self._places = places
        self._env = env
        self._command = command

    @property
    def path(self) -> Path:
        """Where it is, or has to be."""
        return self._found or self.manager.folder / self._form.UNIT

    @property
    def _found(self) -> Path | None:
        """Where it is; looked up without asking the manager."""
        paths = [folder / self._form.UNIT for folder in self.manager.folders]
        return next((path for path in paths if os.path.lexists(path)), None)

    def fresh(self, *, is_hardened: bool = True) -> str:
        """What would be installed now.  Raises NotInstalled."""
        order = Order(
            command=checked_command(self._command),
            environment=environment_of(self._env),
            state_dir=self._places.state_dir,
            manager_version=self.manager.version,
            is_hardened=is_hardened,
        )
        template = (vendor_folder() / self._form.TEMPLATE).read_text(encoding="utf-8")
        return self._form.written(template, order)

    def installed(self) -> str | None:
        """Its text, None when there is none.  Raises NotConfigured when it is no readable file of ours."""
        path = self._found
        if path is None:
            return None
        if path.is_symlink():
            raise NotConfigured(
                f"{path} is a link to {path.readlink()}, and was left alone. Remove it and try again"
                + ("; if you masked it: systemctl --user unmask agentinitd." if _leads_nowhere(path) else ".")
            )
        try:
            return read_bounded(path, LIMIT_BYTES).decode("utf-8", "surrogateescape")
        except OSError as error:
            raise NotConfigured(f"{path} cannot be read: {error}. It was left alone.") from error

    def install(self, *, is_hardened: bool, is_forced: bool) -> list[str]:
        """Writes it, has it run now and at each login; gives what was done.  Raises AgentinitdError."""
        self._need_manager()
        before, text = self.installed(), self.fresh(is_hardened=is_hardened)
        if before is not None and before != text and not is_forced:
            self._see_that_it_is_ours(before)
        if refused := self.manager.refuse(text):
            raise NotInstalled(f"{self.manager.NAME} does not accept the unit: {refused}")
        path, is_new = self.path, before != text
        if is_new:
            self._write(path, text)
        done = [f"{path}: {'the unit is in' if is_new else 'the unit is in already'}."]
        done += self._make_room()
        self.manager.load(path, is_new=is_new)
        return [*done, f"{self.manager.NAME} runs the daemon now, and starts it with each login."]

    def remove(self, *, is_forced: bool) -> list[str]:
        """Stops it and takes the file out, and nothing else.  Raises AgentinitdError."""
        path, text = self.path, self.installed()
        if text is None:
            return [f"{path}: no unit is installed; nothing to change."]
        if not is_forced:
            self._see_that_it_is_ours(text)
        if not self.manager.refusal:
            self.manager.unload()
        path.unlink()
        self._unlink_wish(path)
        if not self.manager.refusal:
            self.manager.forget()
        drop_ins = path.with_name(f"{path.name}.d")
        kept = [f"{drop_ins}: what you put there was kept."] if drop_ins.is_dir() else []
        return [f"{path}: the unit is out, and the daemon that it ran has stopped.", *kept]

    def linger(self) -> None:
        """Has the user manager outlive the last logout.  Raises AgentinitdError."""
        if not isinstance(self.manager, Systemd):
            raise UsageError("--linger is for systemd: launchd ends its agents with the session.")
        self.manager.linger()

    def report(self) -> Report:
        """Changes nothing.  Raises NotConfigured as `installed` does."""
        text, refusal = self.installed(), self.manager.refusal
        is_here = text is not None and not refusal
        lingers = self.manager.lingers() if is_here and isinstance(self.manager, Systemd) else None
        return Report(
            manager=self.manager.NAME,
            path=self.path,
            refusal=refusal,
            origin=None if text is None else origin(text),
            state=self.manager.state() if is_here else UnitState(),
            drift=() if text is None else self._drift(text),
            lingers=lingers,
        )

    def is_for(self) -> bool:
        """Whether it is there, and its daemon would be the one that the person who called talks to."""
        with contextlib.suppress(NotConfigured, ValueError):
            text = self.installed()
            if text is not None:
                there, here = self._form.reading(text).places, environment_of(self._env)
                return places_in(there, OWN_PLACES) == places_in(here, OWN_PLACES)
        return False

    def _drift(self, text: str) -> tuple[str, ...]:
        try:
            return drift(self._form.reading(text), self._form.reading(self.fresh()))
        except (ValueError, NotInstalled) as error:
            return (f"it cannot be compared with what it should be: {error}",)

    def _need_manager(self) -> None:
        if self.manager.refusal:
            raise NotInstalled(
                f"{self.manager.refusal} A unit would be of no use; `agentinitd start` works without one."
            )

    def _see_that_it_is_ours(self, text: str) -> None:
        whose = origin(text)
        if whose != "ours":
            raise NotConfigured(
                f"{self.path} is {WHOSE[whose]} and was left as it is. With --force it goes. "
                "Changes by `systemctl --user edit agentinitd` are kept by themselves."
            )

    def _write(self, path: Path, text: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._places.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(path, text.encode("utf-8", "surrogateescape"), mode=0o644)
        except PermissionError as error:
            raise PermissionRefused(f"{error.filename or path} cannot be written.") from error
        except OSError as error:
            raise AgentinitdError(f"{path}: {error.strerror or error}. Nothing was changed.") from error

    def _make_room(self) -> list[str]:
        """A daemon that runs outside of the unit holds the lock: the unit's would end at once (DMN-8)."""
        holder = launch.running(self._places)
        if holder is None or holder.pid == self.manager.state().pid:
            return []
        launch.stop(self._places)
        return [f"The daemon that ran (pid {holder.pid}) was stopped for it."]

    def _unlink_wish(self, path: Path) -> None:
        """What `disable` would take away, where no manager could be asked to."""
        wish = path.parent / "default.target.wants" / path.name
        with contextlib.suppress(OSError):
            if wish.is_symlink() and not wish.exists():
                wish.unlink()


def _leads_nowhere(path: Path) -> bool:
    return os.path.realpath(path) == os.devnull


def unit_here(places: Places, env: Mapping[str, str], name: ManagerName | None = None) -> Unit:
    """The unit of this manager, else of the one that this system has."""
    name = name or ("launchd" if sys.platform == "darwin" else "systemd")
    manager = Launchd(places.home, env) if name == "launchd" else Systemd(places.home, env)
    return Unit(manager, places, env, command=own_command(sys.argv[0], sys.executable))
