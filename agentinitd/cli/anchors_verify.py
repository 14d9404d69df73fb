"""`agentinitd anchors verify`: a person says that an anchor is true today."""

from __future__ import annotations

import click

from agentinitd.cli.anchors import JSON, TASK, book_here, now, place_text, print_json
from agentinitd.cli.terminal import plain


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@TASK
@JSON
def verify(names: tuple[str, ...], task: str | None, as_json: bool) -> None:
    """Say that you looked, and that it is true: the age of the anchor counts from now."""
    anchors = book_here(task).verify(names, now=now())
    if as_json:
        from agentinitd.memory.anchor_answer import anchor_json

        print_json({"anchors": [anchor_json(anchor) for anchor in anchors]})
        return
    for anchor in anchors:
        click.echo(plain(f"verified: {anchor.id}  {place_text(anchor.file, anchor.line)}  {anchor.what}"))
