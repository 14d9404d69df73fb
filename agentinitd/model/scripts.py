"""A script, its header, its place in a runlevel, and what became of one run of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Action = Literal["start", "stop"]
LayerName = Literal["vendor", "system", "user", "project"]
OnFailure = Literal["last-good", "note", "omit", "abort"]
Result = Literal[
    "ok", "empty", "skipped", "masked", "shadowed", "ignored", "refused", "pending-trust",
    "failed", "timeout", "flood", "binary", "exec-error", "aborted",
]  # fmt: skip
"""The closed set of supervision.md section 7: used in log, status and API alike."""
Flag = Literal["truncated", "strays", "last-good", "sanitised", "cached", "backoff"]
Runlevel = Literal["session", "compact", "periodic", "slim", "switch", "manual", "shutdown"]

RUNLEVELS: tuple[Runlevel, ...] = ("session", "compact", "periodic", "slim", "switch", "manual", "shutdown")
FAILURES: frozenset[Result] = frozenset({"failed", "timeout", "flood", "binary", "exec-error", "refused"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The comment block between `### BEGIN INIT INFO` and `### END INIT INFO`, parsed and bounded."""

    provides: tuple[str, ...] = ()
    required_start: tuple[str, ...] = ()
    should_start: tuple[str, ...] = ()
    default_start: tuple[str, ...] = ("session", "compact", "periodic")
    default_stop: tuple[str, ...] = ()
    short_description: str = ""
    description: str = ""
    timeout_seconds: float = 5.0
    max_output_bytes: int = 16 * 1024
    section: str | None = None
    on_failure: OnFailure = "last-good"
    is_parallel: bool = False
    is_essential: bool = False
    env: tuple[str, ...] = ()
    trust_also: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """Files and globs relative to the memory folder; the script is not run again while they are unchanged."""
    findings: tuple[str, ...] = ()
    """What lint has to say: unknown keys, values that were clipped, a missing header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One file of an `init.d/`, judged: either it can run, or `refusal` says why not."""

    name: str
    """The whole file name, `S10-constraints`."""
    key: str
    """The part after the number, `constraints`."""
    order: int
    layer: LayerName
    path: str
    """Absolute path of the original file."""
    header: Header = Header()
    sha256: str = ""
    """Of the bytes that will be executed; empty when they could not be read."""
    executable: str = ""
    """Absolute path of what is executed: the original, or for a project script the private copy."""
    refusal: tuple[Result, str] | None = None
    """Result and reason when it must not run: masked, shadowed, ignored, refused, pending-trust, skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """What one script did in one rebuild."""

    script: Script
    action: Action
    result: Result
    reason: str = ""
    """One plain line for people: why it did not end `ok`."""
    output: str = ""
    """Clean text of stdout; of the last good run when `last-good` is among the flags."""
    flags: tuple[Flag, ...] = ()
    last_good_age_seconds: float | None = None
    exit_code: int | None = None
    signal: str | None = None
    start_ms: float = 0.0
    """Offset in the rebuild."""
    duration_ms: float = 0.0
    user_ms: float = 0.0
    sys_ms: float = 0.0
    maxrss_kb: int = 0
    """0: not known."""
    out_bytes: int = 0
    out_kept: int = 0
    """Bytes of it that were taken, cleaned."""
    err_bytes: int = 0
    err_tail: str = ""

    @property
    def is_failure(self) -> bool:
        return self.result in FAILURES

    @property
    def was_executed(self) -> bool:
        """It was started, or the kernel refused to; not so what was held back, reused or too late."""
        is_reused = "cached" in self.flags or "backoff" in self.flags
        return not is_reused and (self.duration_ms > 0 or self.result == "exec-error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    """A script that failed in a session, so many times in a row."""

    key: str
    sha256: str
    """Of the bytes that failed."""
    times: int = 0
    failed_at: float = 0.0
    """Seconds since the epoch."""
    is_final: bool = False
    """It said itself that it will never succeed as it is (exit 125)."""
