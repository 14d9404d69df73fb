"""`agentinitd anchors add`: writes one anchor into the file of its kind."""

from __future__ import annotations

from typing import Any, get_args

import click

from agentinitd.cli.anchors import JSON, now, place_text, tell_doubts
from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain
from agentinitd.model.facts import AnchorKind, Priority, Scope


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--kind", type=click.Choice(get_args(AnchorKind)), default="constraint", show_default=True,
    help="A rule, an interface or command, or what was decided.",
)  # fmt: skip
@click.option("--why", default="", metavar="TEXT", help="The reason, in a few words.")
@click.option("--priority", type=click.Choice(get_args(Priority)), default="normal", show_default=True)
@click.option("--scope", type=click.Choice(get_args(Scope)), help="For how long and where it holds.")
@click.option("--task", metavar="TASK", help="For this task only.")
@click.option("--applies", multiple=True, metavar="GLOB", help="Files it is about; may be repeated.")
@click.option("--forbid", metavar="CALL", help="A tool call that would break it, like Bash(npm *).")
@click.option("--check", metavar="CHECK", help="What proves it, like script package.json test.")
@click.option("--phase", "phases", multiple=True, metavar="PHASE", help="Only in it; may be repeated.")
@click.option("--supersedes", multiple=True, metavar="ID", help="It replaces this one; may be repeated.")
@JSON
def add(text: tuple[str, ...], task: str | None, as_json: bool, **fields: Any) -> None:
    """Write down what the agent must not forget.

    One fact: what goes wrong when it is forgotten, and can be checked.
    """
    from agentinitd.memory.anchor_answer import anchor_json
    from agentinitd.memory.anchor_book import AnchorBook, NewAnchor
    from agentinitd.memory.tasks import UNNAMED

    book = AnchorBook(place_here().project, None if task == UNNAMED else task)
    anchor = book.add(NewAnchor(what=" ".join(text), **fields), now=now())
    if as_json:
        print_json(anchor_json(anchor))
    else:
        click.echo(plain(f"{anchor.id}  {place_text(anchor.file, anchor.line)}"))
    tell_doubts(anchor, book.project)
