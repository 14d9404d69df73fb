"""From how a script ended to what that means: exit codes, output, flags (supervision.md section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import Action, Flag, Result
from agentinitd.rc import output

Cause = Literal["exit", "timeout", "flood", "cancelled"]

# Exit code → result and reason; what is not here has failed.
_MEANINGS: dict[int, tuple[Result, str]] = {
    2: ("failed", "exit 2: bad arguments; a script is called with `start` or `stop`"),
    3: ("skipped", "action not implemented"),
    4: ("failed", "exit 4: permission denied"),
    5: ("skipped", "not installed"),
    6: ("skipped", "not configured"),
    7: ("failed", "exit 7: a daemon it needs is not running"),
    75: ("failed", "exit 75: try later"),
    125: ("failed", "exit 125: it says that it will never succeed as it is"),
    126: ("failed", "exit 126: a command inside it could not be executed"),
    127: ("failed", "exit 127: a command inside it was not found"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`text` is what may be shown; empty unless the result is `ok`."""

    result: Result
    reason: str = ""
    text: str = ""
    flags: tuple[Flag, ...] = ()


def of(
    *,
    cause: Cause,
    status: int | None,
    signal_name: str | None,
    action: Action,
    stdout: bytes,
    stdout_bytes: int,
    max_output_bytes: int,
    timeout_seconds: float,
    strays: int,
) -> Verdict:
    """The verdict on one run of one script."""
    flags: tuple[Flag, ...] = ("strays",) if strays else ()
    if cause == "exit" and status == 0:
        return _written(stdout, stdout_bytes, max_output_bytes, flags)
    result, reason = _end(cause, status, signal_name, action, timeout_seconds)
    return Verdict(result=result, reason=reason, flags=flags)


def _written(stdout: bytes, total: int, limit: int, flags: tuple[Flag, ...]) -> Verdict:
    if output.is_binary(stdout):
        return Verdict(result="binary", reason="it wrote binary data", flags=flags)
    found = output.clean_bounded(stdout, limit_bytes=limit, total_bytes=total)
    if found.is_truncated:
        flags = (*flags, "truncated")
    if found.removed:
        flags = (*flags, "sanitised")
    if not found.text.strip():
        return Verdict(result="empty", flags=flags)
    return Verdict(result="ok", text=found.text, flags=flags)


def _end(
    cause: Cause, status: int | None, signal_name: str | None, action: Action, timeout_seconds: float
) -> tuple[Result, str]:
    if cause == "cancelled":
        return "aborted", "the rebuild was no longer wanted"
    if cause == "flood":
        return "flood", "it wrote without end"
    if cause == "timeout":
        unkillable = "; unkillable: it is still there" if status is None else ""
        return "timeout", f"not done after {timeout_seconds:.3g} s{unkillable}"
    if signal_name is not None:
        return "failed", f"signal: {signal_name}"
    if status == 3 and action == "stop":
        return "ok", ""
    return _MEANINGS.get(status or 1, ("failed", f"exit {status}"))
