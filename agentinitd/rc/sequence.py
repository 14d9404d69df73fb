"""One rebuild's scripts in order: dependencies, time budget, failure policy, results passed on."""

from __future__ import annotations

import json
import signal
import stat
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from agentinitd.model.facts import JsonValue
from agentinitd.model.scripts import Flag, ScriptRun
from agentinitd.rc import backoff, environment, inputs, launch, output, runner, scratch, sweep, verdict
from agentinitd.rc.last_good import Kept, LastGood
from agentinitd.rc.layers import MEMORY_FOLDER
from agentinitd.rc.request import RunRequest, RunSettings
from agentinitd.rc.runlevels import Step

RunResult = Literal["ok", "degraded", "failed", "aborted"]

MOST_PARALLEL = 4
_SHORTEST_RUN_SECONDS = 0.05


def run_sequence(
    steps: Sequence[Step],
    request: RunRequest,
    settings: RunSettings,
    *,
    now: Callable[[], float] = time.time,
    cancel: threading.Event,
) -> tuple[ScriptRun, ...]:
    """Run the steps in order and tell what became of each.  Blocks: call it in a thread.

    Steps of one number whose scripts all say `Parallel: yes` run side by side, at most four; all else one
    after the other.

    Raises AgentinitdError only when not even a private folder for the run can be made.
    """
    with scratch.run_folder(settings.scratch_dir, request.session_dir) as folder:
        rebuild = _Rebuild(request, settings, folder, now, cancel)
        for batch in batches(steps):
            rebuild.take(batch)
    return tuple(rebuild.runs)


def batches(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps in order; those that may run side by side together."""
    found: list[list[Step]] = []
    for step in steps:
        if found and all(_may_overlap(step, other) for other in found[-1]):
            found[-1].append(step)
        else:
            found.append([step])
    return found


def _may_overlap(step: Step, other: Step) -> bool:
    provided = {other.script.key, *other.script.header.provides}
    return (
        step.action == other.action
        and step.name[:3] == other.name[:3]
        and step.script.header.is_parallel
        and other.script.header.is_parallel
        and not provided & set(step.script.header.required_start)
    )


def result_of(runs: Sequence[ScriptRun], *, is_cancelled: bool = False) -> RunResult:
    """The result of a whole rebuild (FAIL-3)."""
    if is_cancelled:
        return "aborted"
    essential = [run for run in runs if run.script.header.is_essential and run.action == "start"]
    if essential and all(_is_lost(run) for run in essential):
        return "failed"
    is_degraded = any(is_trouble(run) or run.result in ("pending-trust", "aborted") for run in runs)
    return "degraded" if is_degraded else "ok"


def _is_lost(run: ScriptRun) -> bool:
    return "last-good" not in run.flags and (run.is_failure or _is_unmet(run) or run.result == "aborted")


def is_trouble(run: ScriptRun) -> bool:
    """It failed, or something that it needs did, and it must not be missing (HDR-5)."""
    return run.is_failure or (run.script.header.is_essential and _is_unmet(run))


def _is_unmet(run: ScriptRun) -> bool:
    return run.result == "skipped" and run.reason.startswith("dependency ")


def _is_own_folder(path: Path, uid: int) -> bool:
    """Scripts do not work inside a folder that somebody else fills."""
    try:
        found = path.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in (uid, 0)


class _Rebuild:
    """What is known while the scripts run."""

    def __init__(
        self,
        request: RunRequest,
        settings: RunSettings,
        folder: Path,
        now: Callable[[], float],
        cancel: threading.Event,
    ) -> None:
        self.runs: list[ScriptRun] = []
        self._request = request
        self._settings = settings
        self._folder = folder
        self._now = now
        self._cancel = cancel
        self._began = time.monotonic()
        self._kept = LastGood(settings.last_good_dir, request)
        self._succeeded: set[str] = set()
        self._aborted_by: str | None = None
        self._is_side_by_side = False

    @property
    def _project_root(self) -> str:
        """Empty when it is gone, which may be the doing of a script before (EXE-3)."""
        root = self._request.project_root
        return str(root) if root is not None and _is_own_folder(root, self._settings.uid) else ""

    def take(self, batch: Sequence[Step]) -> None:
        """Run these steps side by side, or say why they are not run."""
        if len(batch) == 1:
            self._settle(self._timed(batch[0]))
            return
        swept = sweep.Sweep(self._request.run_id)
        self._is_side_by_side = True
        with ThreadPoolExecutor(MOST_PARALLEL, "script") as room:
            ended = list(room.map(self._timed, batch))
        self._is_side_by_side = False
        # What renamed itself belongs to one of them: now that all have ended, whichever it was.
        swept.end_strays(0)
        for run in ended:
            self._settle(run)

    def _settle(self, run: ScriptRun) -> None:
        """In the order of the steps, whichever ended first (OUT-8)."""
        if run.is_failure and run.action == "start":
            run = self._after_failure(run)
        if run.action == "start" and run.result in ("ok", "empty"):
            self._succeeded |= {run.script.key, *run.script.header.provides}
        self.runs.append(run)

    def _timed(self, step: Step) -> ScriptRun:
        start_ms = (time.monotonic() - self._began) * 1000
        return replace(self._run(step), start_ms=round(start_ms, 3))

    def _run(self, step: Step) -> ScriptRun:
        blank = ScriptRun(script=step.script, action=step.action, result="aborted")
        if step.script.refusal is not None:
            result, reason = step.script.refusal
            return replace(blank, result=result, reason=reason)
        if self._cancel.is_set():
            return replace(blank, reason="the rebuild was no longer wanted")
        if self._aborted_by is not None:
            return replace(blank, reason=f"{self._aborted_by} failed, and says that nothing may follow")
        if step.action == "start":
            for facility in step.script.header.required_start:
                if facility not in self._succeeded:
                    return replace(blank, result="skipped", reason=f"dependency {facility}")
        return self._run_or_reuse(blank)

    def _run_or_reuse(self, blank: ScriptRun) -> ScriptRun:
        script, level = blank.script, self._request.runlevel
        if blank.action == "stop":
            return replace(self._execute(blank), output="")
        project_root = self._project_root
        memory = Path(project_root, MEMORY_FOLDER) if project_root else None
        fingerprint = inputs.fingerprint(script, self._request, memory)
        if fingerprint is not None and not self._request.is_forced:
            kept = self._kept.get(script, level)
            if kept is not None and kept.fingerprint == fingerprint:
                return replace(blank, result=kept.result, output=kept.output, flags=("cached",))
        held = "" if self._request.is_forced else backoff.why_held(script, self._request.failing, self._now())
        if held:
            return replace(blank, result="failed", reason=held, flags=("backoff",))
        run = self._execute(blank)
        if run.result in ("ok", "empty"):
            made = Kept(
                script_sha256=script.sha256,
                fingerprint=fingerprint,
                made_at=self._now(),
                result=run.result,
                output=run.output,
            )
            self._kept.put(script, level, made)
        return run

    def _after_failure(self, run: ScriptRun) -> ScriptRun:
        """What the script's `On-Failure` asks for (FAIL-1, FAIL-2)."""
        if run.script.header.on_failure == "abort" and run.script.refusal is None:
            self._aborted_by = run.script.name
        if run.script.header.on_failure not in ("last-good", "abort") or not run.script.sha256:
            return run
        kept = self._kept.newest(run.script, self._request.runlevel)
        age = kept.age_seconds(self._now()) if kept else 0.0
        if kept is None or age > self._settings.last_good_max_age_seconds:
            return run
        flags: tuple[Flag, ...] = (*run.flags, "last-good")
        return replace(run, output=kept.output, flags=flags, last_good_age_seconds=age)

    def _execute(self, blank: ScriptRun) -> ScriptRun:
        left = self._request.budget_seconds - (time.monotonic() - self._began)
        if left < _SHORTEST_RUN_SECONDS:
            reason = f"the {self._request.budget_seconds:g} s of this rebuild were used up before it"
            return replace(blank, result="timeout", reason=reason)
        seconds = min(blank.script.header.timeout_seconds, left)
        scratch.renew(self._folder)
        scratch.renew(self._request.session_dir)
        try:
            ended = runner.run(self._call(blank, seconds), self._cancel)
        except (launch.ExecError, OSError) as error:
            # OSError: no descriptor or process left to have.
            return replace(blank, result="exec-error", reason=str(error))
        return _told(blank, ended, seconds)

    def _call(self, blank: ScriptRun, seconds: float) -> launch.Call:
        script, request, settings = blank.script, self._request, self._settings
        project_root = self._project_root
        deadline = datetime.fromtimestamp(self._now() + seconds, UTC).isoformat(timespec="milliseconds")
        deadline = deadline.replace("+00:00", "Z")
        return launch.Call(
            executable=script.executable,
            action=blank.action,
            environment=environment.build(
                script,
                blank.action,
                request,
                settings,
                run_dir=str(self._folder),
                project_root=project_root,
                timeout_seconds=seconds,
                deadline=deadline,
            ),
            folder=project_root or str(request.session_dir),
            stdin=self._stdin(blank, deadline),
            scratch=self._folder,
            run_id=request.run_id,
            sweep_as=script.name if self._is_side_by_side else "",
            timeout_seconds=seconds,
            max_output_bytes=script.header.max_output_bytes,
            is_copy=script.layer == "project",
            kill_grace_seconds=settings.kill_grace_seconds,
            drain_seconds=settings.drain_seconds,
            flood_bytes=settings.flood_bytes,
        )

    def _stdin(self, blank: ScriptRun, deadline: str) -> bytes:
        results: list[JsonValue] = [{"script": run.script.name, "result": run.result} for run in self.runs]
        told = {
            **self._request.stdin,
            "action": blank.action,
            "script": blank.script.name,
            "results": results,
            "deadline": deadline,
        }
        try:
            return msgspec.json.encode(told) + b"\n"  # in one piece: `json` makes a thousand of them
        except ValueError:  # half of a surrogate pair
            return (json.dumps(told, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _told(blank: ScriptRun, ended: runner.Ended, seconds: float) -> ScriptRun:
    is_signal = ended.status is not None and ended.status < 0
    signal_name = _signal_name(-(ended.status or 0)) if is_signal else None
    found = verdict.of(
        cause=ended.cause,
        status=ended.status,
        signal_name=signal_name,
        action=blank.action,
        stdout=ended.stdout,
        stdout_bytes=ended.stdout_bytes,
        max_output_bytes=blank.script.header.max_output_bytes,
        timeout_seconds=seconds,
        strays=ended.strays,
    )
    return replace(
        blank,
        result=found.result,
        reason=found.reason,
        output=found.text,
        flags=found.flags,
        exit_code=None if is_signal else ended.status,
        signal=signal_name,
        duration_ms=round(ended.duration_seconds * 1000, 3),
        user_ms=round(ended.user_seconds * 1000, 3),
        sys_ms=round(ended.sys_seconds * 1000, 3),
        maxrss_kb=ended.maxrss_kb,
        out_bytes=ended.stdout_bytes,
        out_kept=len(found.text.encode("utf-8", "replace")),
        err_bytes=ended.stderr_bytes,
        err_tail=output.clean(ended.stderr).text,
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
