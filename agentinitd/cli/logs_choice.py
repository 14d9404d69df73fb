"""Which records `agentinitd logs` shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from agentinitd.model.errors import AgentinitdError, UsageError

_AGO = re.compile(r"(\d{1,9})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_BACK = re.compile(r"-(\d{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is empty chooses nothing out."""

    since: float | None = None
    """Seconds since the epoch."""
    run: str = ""
    script: str = ""
    session: str = ""
    is_failed: bool = False

    @property
    def is_any(self) -> bool:
        return self == Choice()

    def takes(self, line: bytes) -> bool:
        if self.is_any:
            return True
        try:
            record = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return False
        return (
            (self.since is None or _moment(record) >= self.since)
            and (not self.run or _is_run(record.get("run"), self.run))
            and (not self.script or self.script in (record.get("script"), record.get("key")))
            and str(record.get("session") or "").startswith(self.session)
            and (not self.is_failed or record.get("level") != "info")
        )


def since_of(text: str, *, now: float) -> float:
    """`10m`, `2h`, `3d` ago, or a day or time, of this machine's zone unless it names one."""
    ago = _AGO.fullmatch(text)
    if ago:
        return now - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text).astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"{text[:40]!r} is no time: 30m, 2h, 3d, 2026-11-28, 2026-11-28T10:00.") from None


def run_of(name: str, lines: Iterable[bytes]) -> str:
    """The id of a rebuild; `-1` is the last one, `-2` the one before.  Raises AgentinitdError."""
    back = _BACK.fullmatch(name)
    if not back:
        return name
    known: dict[str, None] = {}
    for line in lines:
        if b'"run.start"' in line:
            known[str(msgspec.json.decode(line, type=dict[str, Any]).get("run"))] = None
    place = int(back[1])
    if not 1 <= place <= len(known):
        raise AgentinitdError(f"The log tells of {len(known)} rebuilds: there is none before that.")
    return list(known)[-place]


def _moment(record: dict[str, Any]) -> float:
    try:
        return datetime.fromisoformat(str(record.get("ts"))).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def _is_run(found: object, wanted: str) -> bool:
    """Shortened as in `blame`: its beginning, or its number alone."""
    run = str(found or "")
    return bool(run) and (run == wanted or run.startswith(f"{wanted}-") or run.endswith(f"-{wanted}"))
