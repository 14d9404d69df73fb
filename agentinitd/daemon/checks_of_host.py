"""What `doctor` asks of the machine itself: Python, SQLite, room, file events, the clock, our own folders."""

from __future__ import annotations

import os
import platform
import shlex
import sqlite3
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agentinitd import __version__
from agentinitd.daemon.paths import SOCKET_PATH_LIMIT_BYTES, Places
from agentinitd.model.errors import NotInstalled
from agentinitd.rc.vendor import vendor_folder

Level = Literal["ok", "warn", "fail"]

OLDEST_PYTHON = (3, 11)
SCARCE_BYTES, TIGHT_BYTES = 16 * 1024 * 1024, 256 * 1024 * 1024
SCARCE_FILES = 1000
FEW_INSTANCES, FEW_WATCHES = 64, 8192
FUTURE_SECONDS = 120.0
OLDEST_NOW = 1_750_000_000.0
"""Before there was any agentinitd."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the doctor's."""

    topic: str
    level: Level
    text: str
    cure: str = ""


def host_findings(
    places: Places, *, now: float, inotify: Path = Path("/proc/sys/fs/inotify")
) -> Iterator[Finding]:
    yield _python()
    yield _package()
    yield _sqlite()
    yield from _state_folder(places)
    yield _socket_name(places)
    yield _room(places.state_dir)
    yield from _file_events(inotify)
    yield _clock(places, now)


def _python() -> Finding:
    text = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info < OLDEST_PYTHON:
        return Finding(
            topic="python", level="fail", text=f"{text} is too old", cure="install Python 3.11 or later"
        )
    return Finding(topic="python", level="ok", text=text)


def _package() -> Finding:
    try:
        folder = vendor_folder()
    except NotInstalled as error:
        return Finding(topic="package", level="fail", text=str(error))
    return Finding(topic="package", level="ok", text=f"agentinitd {__version__}, vendor scripts in {folder}")


def _sqlite() -> Finding:
    version = f"SQLite {sqlite3.sqlite_version}"
    try:
        with sqlite3.connect(":memory:") as database:
            database.execute("create virtual table t using fts5(text)")
        database.close()
    except sqlite3.Error as error:
        return Finding(
            topic="sqlite", level="fail", text=f"{version} lacks full-text search for `recall`: {error}",
            cure="use a Python whose SQLite has FTS5, as those of python.org and of uv have",
        )  # fmt: skip
    return Finding(topic="sqlite", level="ok", text=f"{version} with full-text search")


def _state_folder(places: Places) -> Iterator[Finding]:
    """Its own mode matters; of a folder that is not there yet, whether it could be made."""
    folder = places.state_dir
    try:
        found = folder.lstat()
    except FileNotFoundError:
        above = _existing(folder)
        if os.access(above, os.W_OK | os.X_OK):
            yield Finding(topic="state", level="ok", text=f"{folder}: made at the first start")
        else:
            yield _bad_state(f"{folder} cannot be made in {above}", f"chmod u+rwx {shlex.quote(str(above))}")
        return
    except OSError as error:
        yield _bad_state(f"{folder}: {error.strerror}", "set another XDG_STATE_HOME")
        return
    yield _judged_folder(folder, found)


def _judged_folder(folder: Path, found: os.stat_result) -> Finding:
    if not stat.S_ISDIR(found.st_mode):
        return _bad_state(
            f"{folder} is no folder",
            f"move it away: mv {shlex.quote(str(folder))} {shlex.quote(str(folder))}.old",
        )
    if found.st_uid != os.geteuid():
        return _bad_state(f"{folder} belongs to uid {found.st_uid}", "set another XDG_STATE_HOME")
    if not os.access(folder, os.W_OK | os.X_OK):
        return _bad_state(f"{folder} cannot be written", f"chmod 700 {shlex.quote(str(folder))}")
    if found.st_mode & 0o077:
        text = f"{folder} is open to others"
        return Finding(topic="state", level="warn", text=text, cure=f"chmod 700 {shlex.quote(str(folder))}")
    return Finding(topic="state", level="ok", text=f"{folder}")


def _bad_state(text: str, cure: str) -> Finding:
    return Finding(topic="state", level="fail", text=text, cure=cure)


def _socket_name(places: Places) -> Finding:
    path = places.socket
    if path.parent != places.runtime_dir:
        limit = SOCKET_PATH_LIMIT_BYTES
        text = f"{places.runtime_dir} is too long for a socket's name ({limit} bytes): {path} is used"
        return Finding(topic="socket", level="warn", text=text, cure="set a shorter AGENTINITD_RUNTIME_DIR")
    return Finding(topic="socket", level="ok", text=f"belongs at {path}")


def _existing(folder: Path) -> Path:
    return next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))


def _room(folder: Path) -> Finding:
    place = _existing(folder)
    found = os.statvfs(place)
    free = found.f_bavail * found.f_frsize
    text = f"{free / 1024 / 1024:,.0f} MiB free in {place}"
    # File systems that make inodes as they go tell of none at all.
    is_out_of_files = found.f_files > 0 and found.f_favail < SCARCE_FILES
    if free < SCARCE_BYTES or is_out_of_files:
        what = f"{found.f_favail:,} files" if is_out_of_files else text
        return Finding(
            topic="disk", level="fail", text=f"only {what} left", cure="make room, or set XDG_STATE_HOME"
        )
    if free < TIGHT_BYTES:
        return Finding(topic="disk", level="warn", text=f"only {text}", cure="make room")
    return Finding(topic="disk", level="ok", text=text)


def _file_events(folder: Path) -> Iterator[Finding]:
    """Linux has limits for each user, which editors and build tools use up; others have none to ask."""
    if not folder.is_dir():
        yield Finding(topic="events", level="ok", text="no limits to ask for on this system")
        return
    limits = {"max_user_instances": FEW_INSTANCES, "max_user_watches": FEW_WATCHES}
    for name, few in limits.items():
        try:
            limit = int((folder / name).read_text())
        except (OSError, ValueError):
            continue
        cure = f"sysctl fs.inotify.{name}={few * 8}, and the same in /etc/sysctl.d/"
        is_few = limit < few
        yield Finding(
            topic="events", level="warn" if is_few else "ok", text=f"fs.inotify.{name} is {limit}",
            cure=cure if is_few else "",
        )  # fmt: skip


def _clock(places: Places, now: float) -> Finding:
    cure = "set the clock; ages and due times hang on it"
    if now < OLDEST_NOW:
        return Finding(topic="clock", level="fail", text="it shows a time long past", cure=cure)
    try:
        ahead = places.log_file.stat().st_mtime - now
    except OSError:
        ahead = 0.0
    if ahead > FUTURE_SECONDS:
        text = f"our log was written {ahead / 60:,.0f} minutes from now"
        return Finding(topic="clock", level="warn", text=text, cure=cure)
    return Finding(topic="clock", level="ok", text="in step with our files")
