"""`agentinitd anchors verify`: a person says that an anchor is true today; `--all` asks the checks of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.anchors import JSON, TASK, book_here, now, place_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.memory.anchor_proofs import Outcome, Proved

TEXT_CHARS = 120
# What needs somebody first.
_WORDS: dict[Outcome, str] = {
    "failed": "FAILED",
    "unknown": "cannot be evaluated",
    "unchecked": "needs a person",
    "held": "held",
}
_CURE = (
    "A person confirms by `agentinitd anchors verify ID`, what was captured by `agentinitd anchors review`."
)


@click.command()
@click.argument("names", nargs=-1, metavar="[ID…]")
@click.option("--all", "is_all", is_flag=True, help="Run all checks, by reading; confirms nothing.")
@TASK
@JSON
@click.pass_context
def verify(
    context: click.Context, names: tuple[str, ...], is_all: bool, task: str | None, as_json: bool
) -> None:
    """Say that you looked, and that it is true: the age of the anchor counts from now.

    With --all nothing is said by you: the checks of all anchors, those of every task too, are evaluated, and
    what only a person can tell is named.  Exits with 1 when a check fails.
    """
    if is_all == bool(names):
        raise click.UsageError("Name the anchors that you looked at, or say --all.")
    if is_all and task is not None:
        raise click.UsageError("--all is about every task: leave out --task.")
    if is_all:
        context.exit(_prove_all(as_json=as_json))
    anchors = book_here(task).verify(names, now=now())
    if as_json:
        from agentinitd.memory.anchor_answer import anchor_json

        print_json({"anchors": [anchor_json(anchor) for anchor in anchors]})
        return
    for anchor in anchors:
        click.echo(plain(f"verified: {anchor.id}  {place_text(anchor.file, anchor.line)}  {anchor.what}"))


def _prove_all(*, as_json: bool) -> int:
    from agentinitd.memory.anchor_proofs import prove_all, proved_json

    proved = prove_all(place_here().project)
    counts = {outcome: sum(each.outcome == outcome for each in proved) for outcome in _WORDS}
    if as_json:
        told: dict[str, Any] = {"anchors": [proved_json(each) for each in proved], "counts": counts}
        print_json(told)
    else:
        for line in _lines(proved):
            click.echo(line)
        click.echo(
            f"{counts['held']} held, {counts['failed']} failed, {counts['unknown']} cannot be evaluated, "
            f"{counts['unchecked']} without a check."
        )
        if counts["unchecked"] or counts["unknown"]:
            click.echo(_CURE, err=True)
    return 1 if counts["failed"] else 0


def _lines(proved: Sequence[Proved]) -> Iterator[str]:
    for outcome, words in _WORDS.items():
        for each in proved:
            if each.outcome == outcome:
                anchor = each.anchor
                reason = f": {each.proof.reason}" if each.proof else ""
                yield plain(f"{words}  {anchor.id}  {place_text(anchor.file, anchor.line)}{reason}")
                yield f"  {plain(anchor.what, most_chars=TEXT_CHARS)}"
