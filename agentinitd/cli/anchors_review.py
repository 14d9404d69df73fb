"""`agentinitd anchors review`: keep, edit or reject what was captured from sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.anchors import place_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from pathlib import Path

    from agentinitd.memory.capture.review import Candidate
    from agentinitd.model.facts import Anchor

CHOICES = "keep, edit, reject, skip or quit"


@click.command()
@click.option("--keep", "kept", multiple=True, metavar="ID", help="Keep this one; may be repeated.")
@click.option("--reject", "rejected", multiple=True, metavar="ID", help="Reject this one; may be repeated.")
@click.option("--edit", "edited", nargs=2, multiple=True, metavar="ID TEXT", help="Keep it in these words.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names; asks nothing.")
def review(
    kept: tuple[str, ...], rejected: tuple[str, ...], edited: tuple[tuple[str, str], ...], as_json: bool
) -> None:
    """Go through what was captured and nobody confirmed, each with the words it was taken from.

    What is kept becomes an anchor of the project; what is rejected never returns.  In a terminal it asks for
    each; otherwise it lists.
    """
    import sys

    from agentinitd.memory.capture.review import full, unread, waiting

    project = place_here().project
    if kept or rejected or edited:
        for name in kept:
            _keep(project, name)
        for name, text in edited:
            _keep(project, name, text)
        for name in rejected:
            _reject(project, name)
        return
    candidates = waiting(project)
    for file in full(candidates):
        click.echo(f"{file} is full: for each new item another one leaves. Keep what matters.", err=True)
    problems = unread(project)
    for problem in problems:
        click.echo(f".agent-memory/{problem.file}: {problem.message}", err=True)
    if as_json:
        print_json({"captured": [_as_json(candidate) for candidate in candidates]})
    elif not candidates:
        click.echo("Nothing else waits for a review." if problems else "Nothing waits for a review.")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _ask_for_each(project, candidates)
    else:
        for candidate in candidates:
            click.echo(_shown(candidate))


def _ask_for_each(project: Path, candidates: list[Candidate]) -> None:
    for number, candidate in enumerate(candidates, start=1):
        click.echo(f"{number}/{len(candidates)}  {_shown(candidate)}")
        while (choice := _choice()) != "q" and not _is_settled(project, candidate.anchor, choice):
            pass
        if choice == "q":
            return
        click.echo()


def _is_settled(project: Path, anchor: Anchor, choice: str) -> bool:
    """What cannot be done or written is told, and asked for anew: the others still wait for their turn."""
    from agentinitd.model.errors import AgentinitdError

    try:
        if choice == "k":
            _keep(project, anchor.id)
        elif choice == "e":
            _keep(project, anchor.id, click.prompt("in these words", default=_whole_words(anchor)))
        elif choice == "r":
            _reject(project, anchor.id)
    except AgentinitdError as error:
        click.echo(plain(str(error), most_chars=1000))
        return False
    return True


def _choice() -> str:
    """The first letter of one of them; Enter skips, and anything else is asked again."""
    while True:
        answer: str = click.prompt(CHOICES, default="skip", show_default=False)
        word = answer.strip().lower()
        if word and any(known.startswith(word) for known in ("keep", "edit", "reject", "skip", "quit")):
            return word[0]


def _keep(project: Path, name: str, what: str | None = None) -> None:
    import time

    from agentinitd.memory.capture.review import keep

    anchor = keep(project, name, now=time.time(), what=what)
    click.echo(f"Kept {anchor.id} in {anchor.file}: {plain(anchor.what)}")


def _reject(project: Path, name: str) -> None:
    import time

    from agentinitd.memory.capture.review import reject

    anchor = reject(project, name, now=time.time())
    click.echo(f"Rejected {anchor.id}: {plain(anchor.what)}")


def _whole_words(anchor: Anchor) -> str:
    from agentinitd.memory.capture.wording import whole_words

    return whole_words(anchor)


def _shown(candidate: Candidate) -> str:
    anchor = candidate.anchor
    often = f", said {anchor.said} times, last in {anchor.last_source}" if anchor.said > 1 else ""
    lines = [
        f"{anchor.id}  {anchor.captured}  confidence {anchor.confidence:g}",
        f"  {plain(_whole_words(anchor))}",
        *([f"  why: {plain(anchor.why)}"] if anchor.why else []),
        f"  from {anchor.source}{often}: “{plain(anchor.quote)}”",
        *(f"  instead of ({old.source}): {plain(old.what)}" for old in candidate.replaced),
        *(
            f"  against what is written in {place_text(each.file, each.line)}: {plain(each.what)}\n"
            f"  keep: this takes its place; reject: what is written holds again ({each.id})"
            for each in candidate.written
        ),
        *(
            f"  NOT SERVED, written otherwise in {place_text(each.file, each.line)}: {plain(each.what)}\n"
            f"  keep: this takes its place; reject: what is written goes on to hold ({each.id})"
            for each in candidate.written_later
        ),
    ]
    return "\n".join(lines)


def _as_json(candidate: Candidate) -> dict[str, Any]:
    anchor = candidate.anchor
    return {
        "id": anchor.id,
        "kind": anchor.captured,
        "text": anchor.what,
        "why": anchor.why,
        "polarity": anchor.polarity,
        "scope": anchor.scope,
        "confidence": anchor.confidence,
        "said": anchor.said,
        "source": anchor.source,
        "last_source": anchor.last_source,
        "quote": anchor.quote,
        "file": anchor.file,
        "line": anchor.line,
        "replaced": [{"text": old.what, "source": old.source} for old in candidate.replaced],
        "written": [_where(each) for each in candidate.written],
        "written_later": [_where(each) for each in candidate.written_later],
    }


def _where(written: Anchor) -> dict[str, Any]:
    return {"id": written.id, "text": written.what, "file": written.file, "line": written.line}
