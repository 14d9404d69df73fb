"""`agentinitd anchors remove`: takes anchors out of their files, or marks them as ended."""

from __future__ import annotations

import click

from agentinitd.cli.anchors import JSON, TASK, book_here, now, place_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID…")
@click.option("--keep", "is_kept", is_flag=True, help="Leave it in its file, marked as ended.")
@click.option("--restore", "is_restoring", is_flag=True, help="What it replaced holds again.")
@TASK
@JSON
def remove(
    names: tuple[str, ...], is_kept: bool, is_restoring: bool, task: str | None, as_json: bool
) -> None:
    """Take anchors out of their files; their lines are printed.

    What was captured is marked as rejected instead, so that it is not captured again.
    """
    removed = book_here(task).remove(names, now=now(), is_kept=is_kept, is_restoring=is_restoring)
    if as_json:
        from agentinitd.memory.anchor_answer import removed_json

        print_json({"removed": [removed_json(each) for each in removed]})
        return
    for each in removed:
        anchor = each.anchor
        done = "ended" if each.is_kept else "removed"
        click.echo(plain(f"{done}: {anchor.id}  {place_text(anchor.file, anchor.line)}"))
        for line in each.text.splitlines():
            click.echo(f"  {plain(line, most_chars=1000)}")
