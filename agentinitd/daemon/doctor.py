"""What `doctor` asks of the installation: config, daemon, unit, agents and hooks, memory and scripts."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentinitd import __version__
from agentinitd.client import PROTOCOL, Client
from agentinitd.daemon.checks_of_host import Finding, Level, host_findings
from agentinitd.daemon.finding import IN_PROJECTS
from agentinitd.daemon.lock import held
from agentinitd.daemon.paths import Places
from agentinitd.daemon.settings import RELOAD, Settings
from agentinitd.daemon.units import Unit
from agentinitd.disk import read_bounded
from agentinitd.integrations.agents import INTEGRATIONS, Integration
from agentinitd.integrations.hook_trial import try_hook
from agentinitd.integrations.settings_file import SettingsFile
from agentinitd.memory.store import MemoryStore
from agentinitd.model.errors import AgentinitdError, NotConfigured, NotInstalled
from agentinitd.rc.faults import Fault
from agentinitd.transcripts.agents import AGENTS

ANSWER_SECONDS = 1.5
TRIAL_SECONDS = 3.0
TRUST_LIMIT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """One person's installation, seen from one folder."""

    places: Places
    env: Mapping[str, str]
    project: Path | None
    faults: Callable[[], Sequence[Fault]]
    """Of the scripts that there are for this project.  Raises NotInstalled."""
    unit: Unit
    hook_command: Callable[[Integration], str]
    """What would be installed now.  Raises NotInstalled."""
    now: float


def findings(patient: Patient) -> Iterator[Finding]:
    """Every line, in an order in which the first failure explains the later ones.  Changes nothing."""
    found = [*host_findings(patient.places, now=patient.now), *_config(patient)]
    status, told = _daemon(patient.places)
    found += told
    found += _unit(patient.unit)
    found += _agents(patient, status)
    found += _memory(patient.project)
    found += _scripts(patient)
    yield from found
    yield from _reasons(status, found)


def _config(patient: Patient) -> Iterator[Finding]:
    settings = Settings(patient.places)
    error = settings.load()
    settings.of(patient.project)
    found: list[tuple[Level, str]] = [("fail", text) for text in (error, *settings.project_errors())]
    found += [("warn", text) for text in (settings.warning, *settings.project_warnings())]
    told = [(level, text) for level, text in found if text]
    for level, text in told:
        yield Finding(topic="config", level=level, text=text, cure=RELOAD)
    if not told:
        yield Finding(
            topic="config", level="ok", text=f"{patient.places.user_config_file}, and what lies over it"
        )


def _daemon(places: Places) -> tuple[dict[str, Any], list[Finding]]:
    """Looks at the lock before it connects; what it said, and what is to be said of it."""
    if held(places.lock_file) == "free":
        return {}, [
            _of_daemon("fail", "it does not run: nothing is watched or delivered", "agentinitd start")
        ]
    try:
        status = Client(places).get("/v1/status", timeout_seconds=ANSWER_SECONDS)
    except AgentinitdError as error:
        return {}, [_of_daemon("fail", str(error), "agentinitd restart")]
    if not isinstance(status, dict) or status.get("protocol") != PROTOCOL:
        text = "it speaks another protocol than this command"
        return {}, [_of_daemon("fail", text, "agentinitd restart")]
    text = f"it runs (pid {status['pid']}, by {status['manager']}) and answers at {status['socket']}"
    told = [_of_daemon("ok", text)]
    if status["version"] != __version__:
        text = f"it is agentinitd {status['version']}, and this is {__version__}"
        told.append(_of_daemon("warn", text, "agentinitd restart"))
    return status, told


def _of_daemon(level: Level, text: str, cure: str = "") -> Finding:
    return Finding(topic="daemon", level=level, text=text, cure=cure)


def _unit(unit: Unit) -> Iterator[Finding]:
    try:
        report = unit.report()
    except NotConfigured as error:
        yield Finding(topic="unit", level="warn", text=str(error))
        return
    if report.origin is None:
        if report.refusal:
            yield Finding(topic="unit", level="ok", text=f"none. {report.refusal}")
        else:
            text = "none: the daemon does not start with the next login"
            yield Finding(topic="unit", level="warn", text=text, cure="agentinitd unit install")
        return
    for text, cure in report.problems:
        yield Finding(topic="unit", level="warn", text=text, cure=cure)
    if not report.problems:
        yield Finding(topic="unit", level="ok", text=f"{report.manager}: {report.state.words}, {report.path}")


def _agents(patient: Patient, status: dict[str, Any]) -> Iterator[Finding]:
    """Those that are here, and of each whether our hooks are in, whole, trusted and answering."""
    here = [name for name in AGENTS if _is_here(name, patient)]
    if not here:
        text = "none that agentinitd knows was found for this user"
        yield Finding(topic="agents", level="warn", text=text, cure="agentinitd agents says where it looks")
    else:
        yield Finding(topic="agents", level="ok", text=", ".join(here))
    for name, integration in INTEGRATIONS.items():
        settings = _settings(integration, patient)
        try:
            if not settings.is_installed():
                if name in here:
                    text = f"{name}: not installed in {settings.path}: nothing is delivered"
                    yield _of_hooks("fail", text, f"agentinitd install {name}")
                continue
            yield from _hooks(integration, settings, patient, is_served=bool(status))
        except AgentinitdError as error:
            yield _of_hooks("fail", f"{name}: {error}", f"agentinitd install {name}")
            continue
        yield from _trusted(integration, patient, status)


def _is_here(name: str, patient: Patient) -> bool:
    if name in IN_PROJECTS:
        return patient.project is not None and bool(AGENTS[name].scan(patient.project))
    if any(root.is_dir() for root in AGENTS[name].roots(patient.places.home, patient.env)):
        return True
    return name in INTEGRATIONS and _settings(INTEGRATIONS[name], patient).path.parent.is_dir()


def _settings(integration: Integration, patient: Patient) -> SettingsFile:
    path = Path(integration.settings_path(patient.places.home, patient.env))
    return SettingsFile(integration, path, patient.places.state_dir)


def _of_hooks(level: Level, text: str, cure: str = "") -> Finding:
    return Finding(topic="hooks", level=level, text=text, cure=cure)


def _hooks(
    integration: Integration, settings: SettingsFile, patient: Patient, *, is_served: bool
) -> Iterator[Finding]:
    """Raises AgentinitdError when the settings cannot be used."""
    name, again = integration.NAME, f"agentinitd install {integration.NAME}"
    for warning in settings.warnings():
        yield _of_hooks("fail", f"{settings.path}: {warning}", "take it out of the settings")
    if settings.planned_install(patient.hook_command(integration)).is_needed:
        yield _of_hooks("warn", f"{name}: those of another version or another place of agentinitd", again)
    for command in settings.commands():
        trial = try_hook(command, folder=patient.places.home, limit_seconds=TRIAL_SECONDS)
        if trial.fault:
            yield _of_hooks("fail", f"{name}: {trial.fault}; it was run as: {command}", again)
        elif trial.is_silent and not is_served:
            yield _of_hooks("fail", f"{name}: says nothing, though no daemon answers it: {command}", again)
        elif is_served and not trial.is_silent:
            yield _of_hooks("fail", f"{name}: does not reach the daemon: {command}", "agentinitd restart")
        else:
            yield _of_hooks(
                "ok", f"{name}: in {settings.path}; they " + ("reach the daemon" if is_served else "answer")
            )


def _trusted(integration: Integration, patient: Patient, status: dict[str, Any]) -> Iterator[Finding]:
    """A hook that came from there is proof; what the agent wrote down is the next best."""
    project, name = patient.project, integration.NAME
    if project is None:
        return
    sessions = [each for each in status.get("sessions", []) if each.get("project") == str(project)]
    is_proven = any(each.get("last_hook") and each.get("agent") == name for each in sessions)
    text = ""
    with contextlib.suppress(OSError):
        path = Path(integration.trust_path(patient.places.home, patient.env))
        text = read_bounded(path, TRUST_LIMIT_BYTES).decode("utf-8", "replace")
    if is_proven or integration.is_trusted(text, project):
        yield _of_hooks("ok", f"{name}: trusted in {project}")
    else:
        text = f"{name}: runs no hooks in {project} as long as its question about trust is open"
        yield _of_hooks("warn", text, "start it there and accept the question")


def _memory(project: Path | None) -> Iterator[Finding]:
    if project is None:
        text = "this folder belongs to no project; `agentinitd init` makes one"
        yield Finding(topic="memory", level="ok", text=text)
        return
    memory = MemoryStore().load(project)
    problems = [problem for problem in memory.problems if not problem.is_absence]
    for problem in problems:
        text = f"{project}/.agent-memory/{problem.text}"
        is_anchors = "anchors" in Path(problem.file).parts
        cure = (
            "agentinitd anchors lint, after mending it" if is_anchors else "mend it, or restore an older one"
        )
        yield Finding(topic="memory", level="fail", text=text, cure=cure)
    if not os.access(project / ".agent-memory", os.W_OK):
        text = f"{project}/.agent-memory cannot be written"
        yield Finding(
            topic="memory",
            level="fail",
            text=text,
            cure=f"chmod -R u+w {shlex.quote(str(project))}/.agent-memory",
        )
    if not problems:
        text = f"{project}: {len(memory.anchors)} items"
        yield Finding(topic="memory", level="ok", text=text)


def _scripts(patient: Patient) -> Iterator[Finding]:
    """What `verify` finds; remarks on headers are only counted."""
    try:
        faults = [fault for fault in patient.faults() if fault.severity != "note"]
    except NotInstalled:
        return  # told of already: the package is not whole
    remarks = [fault for fault in faults if fault.severity == "warning" and fault.rule.startswith(_MILD)]
    for fault in faults:
        if fault not in remarks:
            text = f"{fault.path}: {fault.text}"
            level: Level = "fail" if fault.severity == "error" else "warn"
            yield Finding(topic="scripts", level=level, text=text, cure=fault.cure)
    if remarks:
        text = f"{len(remarks)} remark{'' if len(remarks) == 1 else 's'} on headers, names and links"
        yield Finding(topic="scripts", level="warn", text=text, cure="agentinitd verify")
    if not faults:
        yield Finding(topic="scripts", level="ok", text="nothing is wrong with them")


_MILD = ("HDR-", "NAM-5", "RL-")


def _reasons(status: dict[str, Any], told: Sequence[Finding]) -> Iterator[Finding]:
    """What the daemon itself has to complain of, unless it was told above."""
    above = "\n".join(f"{finding.text}\n{finding.cure}" for finding in told)
    for reason in status.get("reasons", []):
        text, cure = str(reason["text"]), str(reason.get("cure") or "agentinitd status")
        kind = reason["kind"]
        # Of a script its reason is told above, with the path in place of the name.
        known = {"trust": cure, "script": text.rpartition(": ")[2]}.get(kind, text)
        if known not in above:
            yield Finding(topic=str(kind), level="warn", text=text, cure=cure)
