"""`agentinitd rc`: which scripts there are, and what each runlevel calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli import rc_edit, rc_status
from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.model.scripts import Script
    from agentinitd.rc.runlevels import Step
    from agentinitd.rc.survey import Survey


@click.group()
def rc() -> None:
    """Scripts and runlevels."""


rc.add_command(rc_edit.add)
rc.add_command(rc_edit.delete, "del")
rc.add_command(rc_status.status)


@rc.command()
@click.option("-v", "--verbose", is_flag=True, help="Also each file, why it runs or not, and what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def show(verbose: bool, as_json: bool) -> None:
    """What each runlevel calls, in order, in the project of this folder."""
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import project_here, surveyed

    where = places()
    project = project_here(where)
    found = surveyed(where, project)
    if as_json:
        print_json(as_object(found, project))
    else:
        click.echo("\n".join(_lines(found, is_verbose=verbose)))


def as_object(found: Survey, project: Path | None) -> dict[str, Any]:
    """The survey with stable names and no paths of the vendor layer, so that two installations compare."""
    from agentinitd.model.scripts import RUNLEVELS

    return {
        "project": str(project) if project else None,
        "runlevels": {level: [_step(step) for step in found.steps(level)] for level in RUNLEVELS},
        "scripts": [_script(script) for script in found.scripts],
        "unassigned": [script.name for script in found.unassigned()],
        "findings": list(found.findings),
    }


def _step(step: Step) -> dict[str, Any]:
    told = _script(step.script)
    return {
        "name": step.name,
        "action": step.action,
        **{name: told[name] for name in ("layer", "file", "state")},
    }


def _script(script: Script) -> dict[str, Any]:
    from dataclasses import asdict

    state, reason = script.refusal or ("runs", "")
    return {
        "name": script.name,
        "key": script.key,
        "layer": script.layer,
        "file": "/".join(Path(script.path).parts[-2:]) if script.layer == "vendor" else script.path,
        "state": state,
        "reason": reason,
        "sha256": script.sha256,
        "header": asdict(script.header),
    }


def _lines(found: Survey, *, is_verbose: bool) -> list[str]:
    from agentinitd.model.scripts import RUNLEVELS

    alike: dict[tuple[str, ...], list[str]] = {}
    for level in RUNLEVELS:
        alike.setdefault(tuple(_step_line(step) for step in found.steps(level)), []).append(level)
    lines: list[str] = []
    for steps, levels in alike.items():
        lines += [", ".join(levels), *(steps or ("  nothing",)), ""]
    unassigned = found.unassigned()
    if unassigned:
        lines += ["in no runlevel", *(f"  {script.name}  {script.layer}" for script in unassigned), ""]
    if is_verbose:
        lines += [*_origins(found), *_remarks(found)]
    return lines[:-1] if lines[-1] == "" else lines


def _step_line(step: Step) -> str:
    script = step.script
    action = "" if step.action == "start" else f" {step.action}"
    remark = f"[{_refused(script)}]" if script.refusal else script.header.short_description
    return f"  {step.name + action:<24} {script.layer:<8} {remark}".rstrip()


def _origins(found: Survey) -> list[str]:
    """Of each script that can run its file, and what puts it into its runlevels."""
    lines = ["run, and why"]
    for script in found.scripts:
        if script.refusal is None:
            links: dict[str, list[str]] = {}
            for entry in found.entries:
                if entry.key == script.key and not entry.fault and not entry.is_removal and entry.kind != "@":
                    links.setdefault(entry.layer, []).append(f"{entry.level} ({entry.kind})")
            why = "; ".join(f"links of the {layer} layer: {' '.join(to)}" for layer, to in links.items())
            lines.append(f"  {script.path}: {why or _by_header(script)}")
    return [*lines, ""] if len(lines) > 1 else []


def _by_header(script: Script) -> str:
    header = script.header
    told = [("Default-Start", header.default_start), ("Default-Stop", header.default_stop)]
    return "; ".join(f"{name}: {' '.join(levels)}" for name, levels in told if levels) or "in no runlevel"


def _refused(script: Script) -> str:
    """Without the cure: that of each is long, and `agentinitd verify` has all of them."""
    return ": ".join(script.refusal or ()).partition(". Cure: ")[0]


def _remarks(found: Survey) -> list[str]:
    refused = [f"  {script.path}: {_refused(script)}" for script in found.scripts if script.refusal]
    lint = [
        f"  {script.path}: {finding}"
        for script in found.scripts
        if script.refusal is None
        for finding in script.header.findings
    ]
    lines = ["not run", *refused, ""] if refused else []
    remarks = [*(f"  {finding}" for finding in found.findings), *lint]
    return [*lines, "remarks", *remarks, ""] if remarks else lines
