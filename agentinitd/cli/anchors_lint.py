"""`agentinitd anchors lint`: what is wrong with the anchors, with file, line, rule and cure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.anchors import project_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
@click.pass_context
def lint(context: click.Context, as_json: bool) -> None:
    """Look through the anchors of the project and of all its tasks.

    Exits with 1 when there is something to mend.
    """
    import dataclasses
    import time

    from agentinitd.memory.lint import lint as look_through

    project = project_here()
    findings = look_through(_texts(project), now=time.time())
    if as_json:
        told: dict[str, Any] = {"findings": [dataclasses.asdict(finding) for finding in findings]}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    for finding in [] if as_json else findings:
        click.echo(plain(finding.text))
    if not findings and not as_json:
        click.echo("Nothing to mend.")
    context.exit(1 if findings else 0)


def _texts(project: Path) -> list[tuple[str, str]]:
    from agentinitd.memory.recall_files import recall_sources

    return [
        (source.name, _read(source.path)) for source in recall_sources(project) if source.kind == "anchors"
    ]


def _read(path: str) -> str:
    from pathlib import Path

    return Path(path).read_text(encoding="utf-8", errors="replace")
