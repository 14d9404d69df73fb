"""`agentinitd rc status`: what became of each script in the last rebuild of its runlevel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places
    from agentinitd.model.scripts import Runlevel
    from agentinitd.rc.runlevels import Step
    from agentinitd.rc.survey import Survey

FAILED = frozenset({"failed", "backoff"})
# Result of a script → the word in brackets; what is not here is its own word.
WORDS = {
    "empty": "ok",
    "pending-trust": "pending",
    "timeout": "failed",
    "flood": "failed",
    "binary": "failed",
    "exec-error": "failed",
    "refused": "failed",
}


@click.command()
@click.argument("runlevels", nargs=-1, metavar="[RUNLEVEL]...")
@click.option("--all", "is_all", is_flag=True, help="Every runlevel; else the one that was entered last.")
@click.option("--failed", "only_failed", is_flag=True, help="Names of failed scripts; 1 when there is none.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
@click.pass_context
def status(
    context: click.Context, runlevels: tuple[str, ...], is_all: bool, only_failed: bool, as_json: bool
) -> None:
    """What became of each script, in the project of this folder."""
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import project_here, surveyed

    where = places()
    project = project_here(where)
    found = surveyed(where, project)
    runs = _runs(where, project)
    told = _told(found, runs, _chosen(runlevels, runs, is_all=is_all or only_failed))
    failed = sorted({each["name"] for level in told.values() for each in level if each["state"] in FAILED})
    if as_json:
        unassigned = [script.name for script in found.unassigned()]
        print_json({"runlevels": told, "unassigned": unassigned, "failed": failed})
    elif only_failed:
        click.echo("\n".join(failed), nl=bool(failed))
        context.exit(0 if failed else 1)
    else:
        click.echo("\n".join(_lines(told, found)))


def _chosen(names: Sequence[str], runs: Mapping[str, Any], *, is_all: bool) -> tuple[Runlevel, ...]:
    from agentinitd.cli.rc_edit import levels_named
    from agentinitd.model.scripts import RUNLEVELS

    if names:
        return levels_named(names)
    entered = [level for level in RUNLEVELS if level in runs]
    if is_all:
        return RUNLEVELS
    return (max(entered or RUNLEVELS[:1], key=lambda level: str(runs.get(level, {}).get("at"))),)


def _runs(where: Places, project: Path | None) -> dict[str, Any]:
    """The last rebuild of each runlevel here; none of them when no daemon tells of any."""
    from agentinitd.client import Client
    from agentinitd.model.errors import NotRunning

    try:
        runs = Client(where).get("/v1/runs")["runs"]
    except NotRunning:
        return {}
    return {run["runlevel"]: run for run in runs if run["project"] == str(project)}


def _told(
    found: Survey, runs: Mapping[str, Any], levels: Sequence[Runlevel]
) -> dict[str, list[dict[str, str]]]:
    told: dict[str, list[dict[str, str]]] = {}
    for level in levels:
        scripts = runs[level]["scripts"] if level in runs else []
        ran = {(each["key"], each["layer"], each["action"]): each for each in scripts}
        told[level] = [
            _step(step, ran.get((step.script.key, step.script.layer, step.action)))
            for step in found.steps(level)
        ]
    return told


def _step(step: Step, ran: Mapping[str, Any] | None) -> dict[str, str]:
    state, reason = _state(step, ran)
    return {
        "name": step.name,
        "layer": step.script.layer,
        "action": step.action,
        "state": state,
        "reason": reason,
    }


def _state(step: Step, ran: Mapping[str, Any] | None) -> tuple[str, str]:
    """What the files say now counts more than what was once run."""
    if step.script.refusal is not None:
        result, reason = step.script.refusal
        return WORDS.get(result, result), reason.partition(". Cure: ")[0]
    if ran is None or ran["result"] == "pending-trust":
        return "not run", ""
    if "backoff" in ran["flags"]:
        return "backoff", ran["reason"]
    return WORDS.get(ran["result"], ran["result"]), ran["reason"]


_CURES = {
    "pending": "pending: agentinitd trust",
    "failed": "failed: agentinitd logs -n 50, agentinitd verify",
    "backoff": "backoff: mend it, or agentinitd reset-failed",
}


def _lines(told: Mapping[str, Sequence[Mapping[str, str]]], found: Survey) -> list[str]:
    from agentinitd.cli.terminal import plain

    lines: list[str] = []
    for level, steps in told.items():
        lines.append(f"Runlevel: {level}")
        for step in steps:
            name = step["name"] if step["action"] == "start" else f"{step['name']} stop"
            reason = f"  {plain(step['reason'])}" if step["reason"] else ""
            lines.append(f" {name:<40} [ {step['state']:^9} ]{reason}")
    states = {step["state"] for steps in told.values() for step in steps}
    lines += [cure for state, cure in _CURES.items() if state in states]
    unassigned = found.unassigned()
    if unassigned:
        lines += ["In no runlevel", *(f" {script.name}" for script in unassigned)]
    return lines
