"""The scripts of a rebuild: which there are, which run at a level, and what each run is told."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

from agentinitd.daemon.paths import Places
from agentinitd.daemon.question import Question
from agentinitd.daemon.settings import Settings
from agentinitd.model.config import Config
from agentinitd.model.scripts import Action, Runlevel, ScriptRun
from agentinitd.rc import layers
from agentinitd.rc.request import RunRequest, RunSettings
from agentinitd.rc.runlevels import Step
from agentinitd.rc.sequence import run_sequence
from agentinitd.rc.survey import Survey, survey
from agentinitd.rc.trust import Trust
from agentinitd.rc.vendor import vendor_folder

# What a whole run may take (supervision.md section 4).
RUN_SECONDS: dict[Runlevel, float] = {
    "session": 20.0, "compact": 10.0, "periodic": 20.0, "manual": 20.0,
    "slim": 5.0, "switch": 15.0, "shutdown": 10.0,
}  # fmt: skip


class Scripts:
    """Of all projects.  Every method may block."""

    def __init__(self, places: Places, settings: Settings, *, now: Callable[[], float]) -> None:
        self._places = places
        self._settings = settings
        self._trust = Trust(places.trust_dir, places.exec_dir)
        self._now = now

    def run(
        self, question: Question, steps: list[Step], *, run_id: str, cancel: threading.Event
    ) -> tuple[ScriptRun, ...]:
        request = self._request(question, run_id)
        settings = self._run_settings(question.config)
        return run_sequence(steps, request, settings, now=self._now, cancel=cancel)

    def steps(self, question: Question, action: Action) -> list[Step]:
        """Of a switch either what stops, with the old task, or what starts, with the new one (RL-8, RL-9)."""
        found = self._survey(question.project, question.config)
        if action == "stop":
            steps = found.steps(question.runlevel, started=frozenset(question.record.started))
            return [step for step in steps if step.action == "stop"]
        steps = found.steps(question.runlevel)
        return [step for step in steps if question.runlevel != "switch" or step.action == "start"]

    def plan_json(self, project: Path, runlevel: Runlevel) -> list[dict[str, str]]:
        """The sequence with every verdict; nothing is run (supervision.md RL-14)."""
        return [
            {
                "action": step.action,
                "script": step.name,
                "layer": step.script.layer,
                "verdict": ": ".join(step.script.refusal) if step.script.refusal else "runs",
            }
            for step in self._survey(project, self._settings.of(project)).steps(runlevel)
        ]

    def ignored(self, project: Path) -> list[str]:
        """What no runlevel ever calls, each with its reason: never silent (NAM-3).

        Files in an `init.d/`, such a folder that cannot be used or is too full, and entries of an `rc.d/`
        that are not followed.
        """
        found = self._survey(project, self._settings.of(project))
        scripts = [
            f"{script.path}: {script.refusal[1]}"
            for script in found.scripts
            if script.refusal and (script.refusal[0] == "ignored" or not script.key)
        ]
        entries = [
            f"{entry.path}: {entry.fault.removeprefix('error: ')}"
            for entry in found.entries
            if entry.fault and "denied by you" not in entry.fault
        ]
        folders = [text.removeprefix("error: ") for text in found.findings if text.startswith("error: ")]
        return [*scripts, *entries, *folders]

    def _survey(self, project: Path, config: Config) -> Survey:
        """The four layers are read anew for each run: a change takes effect in the next one (NAM-9)."""
        found = layers.standard(
            vendor=vendor_folder(),
            system=self._places.system_dir,
            user=self._places.config_dir,
            project_root=project,
        )
        by = layers.judge(
            found,
            trust=self._trust,
            uid=os.geteuid(),
            project_root=project,
            timeout_seconds=config.script_timeout_seconds,
        )
        return survey(found, by, project_override=config.project_override)

    def _request(self, question: Question, run_id: str) -> RunRequest:
        record = question.record
        return RunRequest(
            run_id=run_id,
            session_id=record.session_id,
            session_dir=self._places.script_state_dir / record.key,
            project_root=question.project,
            task_id=question.task_id,
            trigger=question.trigger,
            runlevel=question.runlevel,
            previous_runlevel=None
            if record.previous_runlevel == "N"
            else cast(Runlevel, record.previous_runlevel),
            transcript=record.transcript or "",
            stdin=question.stdin(),
            digest=question.digest,
            budget_tokens=question.budget_tokens,
            budget_seconds=RUN_SECONDS[question.runlevel],
            is_forced=question.is_forced,
            failing=record.failing,
        )

    def _run_settings(self, config: Config) -> RunSettings:
        return RunSettings(
            scratch_dir=self._places.scratch_dir,
            last_good_dir=self._places.last_good_dir,
            environment=os.environ,
            interpreter_folder=str(Path(sys.executable).parent),
            uid=os.geteuid(),
            env_pass=config.env_pass,
            path=config.path,
            kill_grace_seconds=config.kill_grace_seconds,
            drain_seconds=config.drain_seconds,
            last_good_max_age_seconds=config.last_good_max_age_hours * 3600,
        )
