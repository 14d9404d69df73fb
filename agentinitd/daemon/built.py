"""What one rebuild gave, and how it is told to people and programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agentinitd.daemon.logs import RebuildLog, timestamp
from agentinitd.model.causes import Cause, Trigger
from agentinitd.model.facts import Anchor, Problem
from agentinitd.model.scripts import Runlevel, ScriptRun
from agentinitd.model.snippets import Snippet
from agentinitd.snippet.compose import Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What one rebuild gave."""

    run_id: str
    runlevel: Runlevel
    trigger: Trigger
    session_id: str
    project: str
    task_id: str | None = None
    causes: tuple[Cause, ...]
    """Those that were due when it began."""
    result: str
    """`ok`, `degraded`, `failed`, `aborted`, or `empty` when there was nothing to say."""
    reason: str
    snippet: Snippet | None
    text_bytes: int = 0
    """Of its text, where that is not kept."""
    composition: Composition | None = None
    """How the snippet came about; not kept for what is only remembered."""
    runs: tuple[ScriptRun, ...]
    place: str = ""
    """What was said of the session being elsewhere than its task."""
    resting: tuple[Anchor, ...] = ()
    """Anchors that are limited to other phases of the task."""
    is_echo: bool = False
    """It says nothing but what was heard in this very session."""
    rules: tuple[Anchor, ...] = ()
    """What the reply to a full snippet is judged by; forgotten once it was handed out."""
    problems: tuple[Problem, ...]
    """Of the memory: files or parts of them that were served without."""
    digest: str
    """Of everything that the scripts were told; a rebuild with an equal one would say the same."""
    task_digest: str | None
    """None: it tells nothing of the task state."""
    queue_ms: float = 0.0
    """So long it waited for other rebuilds before it began."""
    duration_ms: float
    built_at: float
    """Monotonic seconds."""
    finished_at: float
    """Seconds since the epoch."""


def remembered(built: Built) -> Built:
    """What is kept of hundreds: all that `run_json` tells."""
    snippet = built.snippet
    return replace(
        built,
        snippet=snippet and replace(snippet, text=""),
        text_bytes=_bytes(built),
        composition=None,
        rules=(),
        resting=(),
    )


def worn(built: Built) -> Built:
    """All that is left of one that is too old to be handed out: for which causes it was built."""
    return replace(
        built,
        snippet=None,
        composition=None,
        runs=(),
        resting=(),
        rules=(),
        problems=(),
        built_at=-math.inf,  # without a snippet it would be young for longer
    )


def run_json(built: Built) -> dict[str, Any]:
    snippet = built.snippet
    return {
        "run": built.run_id,
        "at": timestamp(built.finished_at),
        "session": built.session_id,
        "project": built.project,
        "task": built.task_id,
        "trigger": built.trigger,
        "runlevel": built.runlevel,
        "result": built.result,
        "reason": built.reason,
        "queue_ms": round(built.queue_ms, 1),
        "duration_ms": round(built.duration_ms, 1),
        "tokens": snippet.tokens if snippet else 0,
        "bytes": _bytes(built),
        "omitted": snippet.omitted if snippet else 0,
        "snippet": snippet.id if snippet else None,
        "problems": [problem.text for problem in built.problems],
        "scripts": [script_json(run) for run in built.runs],
    }


def script_json(run: ScriptRun) -> dict[str, Any]:
    return {
        "script": run.script.name,
        "key": run.script.key,
        "layer": run.script.layer,
        "sha256": run.script.sha256,
        "action": run.action,
        "result": run.result,
        "reason": run.reason,
        "flags": list(run.flags),
        "exit": run.exit_code,
        "signal": run.signal,
        "start_ms": round(run.start_ms, 1),
        "duration_ms": round(run.duration_ms, 1),
        "user_ms": round(run.user_ms, 1),
        "sys_ms": round(run.sys_ms, 1),
        "maxrss_kb": run.maxrss_kb or None,
        "out_bytes": run.out_bytes,
        "out_kept": run.out_kept,
        "err_bytes": run.err_bytes,
        "err_tail": run.err_tail,
    }


def log_built(log: RebuildLog, built: Built, names: Mapping[str, Any]) -> None:
    """`names`: what was asked, in the words of its `run.start`."""
    for run in built.runs:
        event = "script.skip" if run.script.refusal else "script.end"
        told: dict[str, Any] = {"run": built.run_id, "session": built.session_id, **script_json(run)}
        (log.warning if run.is_failure else log.info)(event, **told)
    level = log.info if built.result in ("ok", "empty") else log.warning
    level(
        "run.end",
        run=built.run_id,
        **names,
        result=built.result,
        reason=built.reason,
        queue_ms=round(built.queue_ms, 1),
        duration_ms=round(built.duration_ms, 1),
        scripts=len(built.runs),
        failed=[run.script.name for run in built.runs if run.is_failure],
        pending=[run.script.name for run in built.runs if run.result == "pending-trust"],
        tokens=built.snippet.tokens if built.snippet else 0,
        bytes=_bytes(built),
        snippet=built.snippet.id if built.snippet else None,
    )


def _bytes(built: Built) -> int:
    text = built.snippet.text if built.snippet else ""
    return len(text.encode("utf-8", "replace")) or built.text_bytes
