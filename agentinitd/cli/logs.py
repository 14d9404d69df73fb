"""`agentinitd logs`: the rebuild log, readable or as it is written."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from agentinitd.cli.terminal import local_time, plain
from agentinitd.daemon.past_log import parts

POLL_SECONDS = 0.2
BLOCK_BYTES = 65536
LINE_CHARS = 2000
# What a reader of one line wants to know first; everything else follows as `name=value`.
LEADING_FIELDS = ("session", "trigger", "runlevel", "script", "result", "reason", "error")
HIDDEN_FIELDS = frozenset({"ts", "mono", "level", "event", "instance", "pid", "v", "sha256", *LEADING_FIELDS})


@click.command()
@click.option("-f", "--follow", is_flag=True, help="Go on with what is written from now on.")
@click.option("-n", "--lines", type=click.IntRange(min=0), default=20, show_default=True, metavar="N")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the records as they are: one JSON object a line."
)
@click.option("--since", metavar="TIME", help="From then on: 30m, 2h, 3d, 2026-11-28T10:00.")
@click.option("--run", metavar="ID", default="", help="Of this rebuild; -1 is the last one.")
@click.option("--script", metavar="SCRIPT", default="", help="Of this script, by its name or key.")
@click.option("--session", metavar="ID", default="", help="Of this session; may be shortened.")
@click.option("--failed", is_flag=True, help="Only what went wrong.")
def logs(
    follow: bool,
    lines: int,
    as_json: bool,
    since: str | None,
    run: str,
    script: str,
    session: str,
    failed: bool,
) -> None:
    """Read the rebuild log: what was noticed, which scripts ran, what was delivered."""
    from agentinitd.cli.logs_choice import Choice, run_of, since_of
    from agentinitd.cli.main import places

    path = places().log_file
    choice = Choice(
        since=None if since is None else since_of(since, now=time.time()),
        run=run_of(run, past_lines(path)),
        script=script,
        session=session,
        is_failed=failed,
    )
    show = _as_is if as_json else _readable
    follower = Follower(path) if follow else None
    for line in last_lines(path, lines, choice.takes):
        click.echo(show(line))
    if follower is not None:
        _follow(follower, show, choice.takes)
    elif not path.exists():
        click.echo(f"{path} does not exist yet: the daemon has not run.", err=True)


def _follow(follower: Follower, show: Callable[[bytes], str], takes: Callable[[bytes], bool]) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            for line in filter(takes, follower.read()):
                click.echo(show(line))
            time.sleep(POLL_SECONDS)


def last_lines(path: Path, count: int, takes: Callable[[bytes], bool] = lambda _line: True) -> list[bytes]:
    """The last `count` records that are taken, reaching back into the rotated files."""
    return list(deque(filter(takes, past_lines(path)), maxlen=count))


def past_lines(path: Path) -> Iterator[bytes]:
    """All of them, the oldest first."""
    for part in parts(path):
        with contextlib.suppress(OSError), part.open("rb") as file:
            yield from (line.rstrip(b"\n") for line in file)


class Follower:
    """Follows the *name*: survives rotation, truncation and absence of the file (supervision.md LOG-6)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._rest = b""
        with contextlib.suppress(OSError):
            self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            os.lseek(self._descriptor, 0, os.SEEK_END)

    def read(self) -> Iterator[bytes]:
        """Whole lines that were added."""
        yield from self._drain()
        while (newer := self._open_newer()) is not None:
            # What came after the last look and before the file was moved.
            yield from self._drain()
            self._close()
            self._descriptor = newer
            yield from self._drain()

    def _drain(self) -> Iterator[bytes]:
        if self._descriptor is None:
            return
        size = os.fstat(self._descriptor).st_size
        if size < os.lseek(self._descriptor, 0, os.SEEK_CUR):
            os.lseek(self._descriptor, 0, os.SEEK_SET)
        while block := os.read(self._descriptor, BLOCK_BYTES):
            *whole, self._rest = (self._rest + block).split(b"\n")
            yield from whole

    def _open_newer(self) -> int | None:
        """The file that was begun next after ours, if one was: the log may have moved more than once."""
        before, path = self._newer()
        if path is None:
            return None
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        if before is not None and not self._is_ours(before):
            # Moved while we looked, and so may be what was opened; the next look finds the right one.
            os.close(descriptor)
            return None
        return descriptor

    def _newer(self) -> tuple[Path | None, Path | None]:
        """Where our file lies now, and the next newer one."""
        if self._descriptor is None:
            return None, self._path
        if self._is_ours(self._path):
            return None, None
        files = parts(self._path)
        ours = next((number for number, file in enumerate(files) if self._is_ours(file)), None)
        if ours is not None:
            newer = (file for file in files[ours + 1 :] if file.exists())
            return files[ours], next(newer, None)
        # Ours is gone.  If by rotation, those that are left are younger; if by hand, only the log is.
        last_written = os.fstat(self._descriptor).st_mtime_ns
        younger = (file for file in files[:-1] if _written_at(file) > last_written)
        return None, next(younger, self._path if self._path.exists() else None)

    def _is_ours(self, path: Path) -> bool:
        if self._descriptor is None:
            return False
        here = os.fstat(self._descriptor)
        try:
            there = path.stat()
        except OSError:
            return False
        return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None
        self._rest = b""


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _as_is(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _readable(line: bytes) -> str:
    import msgspec

    try:
        return _told(msgspec.json.decode(line, type=dict[str, Any]))
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError, ValueError):
        return plain(_as_is(line), most_chars=LINE_CHARS)


def _told(record: dict[str, Any]) -> str:
    leading = [_shown(record[name]) for name in LEADING_FIELDS if record.get(name) not in (None, "", [])]
    others = [
        f"{name}={_short(value)}" for name, value in record.items() if name not in HIDDEN_FIELDS and value
    ]
    level = "" if record["level"] == "info" else f"{record['level'].upper()} "
    text = "  ".join([local_time(record["ts"]), f"{level}{record['event']}", *leading, " ".join(others)])
    return plain(text, most_chars=LINE_CHARS).rstrip()


def _shown(value: Any) -> str:
    """As people write it, and not as a program holds it."""
    if isinstance(value, dict):
        return ",".join(f"{key}:{_shown(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ",".join(map(_shown, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def _short(value: object) -> str:
    text = _shown(value)
    return text if len(text) <= 60 else text[:59] + "…"
