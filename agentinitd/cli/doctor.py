"""`agentinitd doctor`: this machine and this installation, line by line, each with its cure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.daemon.checks_of_host import Finding

MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def doctor(as_json: bool) -> int:
    """Find what is wrong with this installation.  Starts nothing and changes nothing.

    Looks at the project of this folder, too.  Exit codes: 0 nothing fails, 1 something does.
    """
    found = _examined()
    count = Counter(finding.level for finding in found)
    if as_json:
        print_json({"findings": found, "counts": {level: count[level] for level in ("ok", "warn", "fail")}})
    else:
        for finding in found:
            click.echo("\n".join(_lines(finding)))
        click.echo(f"{count['fail']} fail, {count['warn']} warn, {count['ok']} ok.")
    return 1 if count["fail"] else 0


def _examined() -> list[Finding]:
    import os
    import time

    from agentinitd.cli.install import command_of
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import faults_here, project_here
    from agentinitd.daemon.doctor import Patient, findings
    from agentinitd.daemon.units import unit_here

    where = places()
    project = project_here(where)
    patient = Patient(
        places=where,
        env=os.environ,
        project=project,
        faults=lambda: faults_here(where, project),
        unit=unit_here(where, os.environ),
        hook_command=command_of,
        now=time.time(),
    )
    return list(findings(patient))


def _lines(finding: Finding) -> list[str]:
    from agentinitd.cli.terminal import plain

    lines = [f"{MARKS[finding.level]} {finding.topic:<8} {plain(finding.text)}"]
    if finding.cure:
        lines.append(f"{'':<13} Cure: {plain(finding.cure)}")
    return lines
