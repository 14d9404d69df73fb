"""Scripts that fail again and again in one session are left alone for a while, longer each time (FAIL-4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agentinitd.model.scripts import Failing, Result, Script, ScriptRun

PATIENCE = 3
"""So many failures in a row, and the next try has to wait."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 60.0, 600.0
MOST_KEPT = 64
TRY_LATER, NEVER = 75, 125
_ENDED: frozenset[Result] = frozenset({"ok", "empty", "skipped"})
_FAILED: frozenset[Result] = frozenset({"failed", "timeout", "flood", "binary", "exec-error"})


def retry_at(failing: Failing) -> float:
    """When it may be tried again, in seconds since the epoch; infinite after exit 125."""
    if failing.is_final:
        return float("inf")
    if failing.times < PATIENCE:
        return failing.failed_at
    wait = FIRST_WAIT_SECONDS * 2.0 ** min(failing.times - PATIENCE, 10)
    return failing.failed_at + min(wait, LONGEST_WAIT_SECONDS)


def held(known: Iterable[Failing]) -> list[Failing]:
    """Those that have failed too often."""
    return [each for each in known if each.is_final or each.times >= PATIENCE]


def why_held(script: Script, known: Iterable[Failing], now: float) -> str:
    """Why this script is not to be tried now; empty when it is.  Other bytes are another script."""
    for failing in known:
        if failing.key != script.key or failing.sha256 != script.sha256:
            continue
        if failing.is_final:
            return "backoff: exit 125, it will never succeed as it is; tried again when it changes"
        # A clock that was set back must not keep it waiting for longer than it would have (CLK-3).
        if failing.failed_at <= now < retry_at(failing):
            left = max(1, round(retry_at(failing) - now))
            return f"backoff: failed {failing.times} times in a row; tried again in {left} s"
    return ""


def after(known: Sequence[Failing], runs: Iterable[ScriptRun], now: float) -> tuple[Failing, ...]:
    """What is known once these scripts have run."""
    by_key = {failing.key: failing for failing in known}
    for run in runs:
        if run.action != "start" or not run.was_executed or run.exit_code == TRY_LATER:
            continue
        script = run.script
        if run.result in _ENDED:
            by_key.pop(script.key, None)
        elif run.result in _FAILED:
            before = by_key.pop(script.key, None)
            is_same = before is not None and before.sha256 == script.sha256
            counted = (
                before if before is not None and is_same else Failing(key=script.key, sha256=script.sha256)
            )
            by_key[script.key] = replace(
                counted, times=counted.times + 1, failed_at=now, is_final=run.exit_code == NEVER
            )
    return tuple(by_key.values())[-MOST_KEPT:]
