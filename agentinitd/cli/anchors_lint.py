"""`agentinitd anchors lint`: what is wrong with the anchors, with file, line, rule and cure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
@click.pass_context
def lint(context: click.Context, as_json: bool) -> None:
    """Look through the anchors of the project and of all its tasks.

    Exits with 1 when there is something to mend: that what was found in a session is out of date is nothing
    of the kind.
    """
    import time

    from agentinitd.memory.anchor_doubts import doubts
    from agentinitd.memory.lint import lint as look_through

    project = place_here().project
    findings = look_through(_texts(project), now=time.time(), doubts=lambda anchor: doubts(anchor, project))
    if as_json:
        print_json({"findings": findings})
    for finding in [] if as_json else findings:
        click.echo(plain(f"{'note: ' if finding.is_mild else ''}{finding.text}"))
    if not findings and not as_json:
        click.echo("Nothing to mend.")
    context.exit(0 if all(finding.is_mild for finding in findings) else 1)


def _texts(project: Path) -> list[tuple[str, str]]:
    from agentinitd.memory.recall_files import recall_sources

    return [
        (source.name, _read(source.path)) for source in recall_sources(project) if source.kind == "anchors"
    ]


def _read(path: str) -> str:
    from pathlib import Path

    return Path(path).read_text(encoding="utf-8", errors="replace")
