"""`agentinitd anchors list`: what is recorded, whether it holds, how old it is and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, get_args

import click

from agentinitd.cli.anchors import JSON, TASK, book_here, now, place_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain
from agentinitd.model.facts import AnchorKind

if TYPE_CHECKING:
    from agentinitd.memory.anchor_book import Entry

TEXT_CHARS = 400
_DAY = 86_400.0
_HEAD = ("ID", "KIND", "PRIORITY", "AGE", "PLACE")


@click.command("list")
@click.option("--kind", type=click.Choice(get_args(AnchorKind)), help="Of this kind only.")
@click.option("--stale", "is_stale", is_flag=True, help="Only what nobody confirmed for long.")
@click.option("--all", "is_all", is_flag=True, help="Also what was withdrawn.")
@TASK
@JSON
def list_(kind: str | None, is_stale: bool, is_all: bool, task: str | None, as_json: bool) -> None:
    """What is recorded for this project and its task."""
    from agentinitd.memory.anchor_answer import entry_json
    from agentinitd.memory.staleness import stale_note

    at, stale_days = now(), _stale_days()
    entries = book_here(task).entries()
    notes = [stale_note(each.anchor, now=at, stale_days=stale_days, language="en") for each in entries]
    shown = [
        (entry, note)
        for entry, note in zip(entries, notes, strict=True)
        if (is_all or not entry.is_withdrawn)
        and kind in (None, entry.anchor.kind)
        and (note is not None or not is_stale)
    ]
    if as_json:
        print_json({"anchors": [{**entry_json(entry), "stale": note} for entry, note in shown]})
        return
    for line in _lines([entry for entry, _ in shown], at=at):
        click.echo(line)
    withdrawn = sum(entry.is_withdrawn for entry in entries)
    if withdrawn and not is_all:
        click.echo(f"Withdrawn and not shown: {withdrawn}. All: --all", err=True)
    if not shown:
        click.echo("Nothing is recorded." if not entries else "Nothing of it is recorded.", err=True)


def _stale_days() -> float:
    """As it is set for this project; a config that cannot be read is named by `status`, not here."""
    from agentinitd.cli.main import places
    from agentinitd.cli.place_here import place_here
    from agentinitd.daemon.settings import Settings

    settings = Settings(places())
    settings.load()
    return settings.of(place_here().project).stale_days


def _lines(entries: Iterable[Entry], *, at: float) -> Iterator[str]:
    """A table, and below each row what the anchor says."""
    rows = [(_row(entry, at), entry) for entry in entries]
    widths = [max(map(len, column)) for column in zip(_HEAD, *(row for row, _ in rows), strict=True)]
    if rows:
        yield _columns(_HEAD, widths)
    for row, entry in rows:
        yield _columns(row, widths)
        yield f"  {plain(entry.anchor.what, most_chars=TEXT_CHARS)}"
        if entry.anchor.why:
            yield f"  why: {plain(entry.anchor.why, most_chars=TEXT_CHARS)}"


def _columns(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _row(entry: Entry, at: float) -> tuple[str, ...]:
    from agentinitd.cli.fate_text import fate_text

    anchor = entry.anchor
    place = plain(place_text(anchor.file, anchor.line))
    fate = fate_text(entry.fate)
    return (
        anchor.id,
        anchor.kind,
        anchor.priority,
        _age(anchor.written_at, anchor.verified_at, at),
        plain(f"{place}  {fate}") if fate else place,
    )


def _age(written_at: float | None, verified_at: float | None, at: float) -> str:
    since = written_at if verified_at is None else verified_at
    if since is None:
        return "no date"
    days = max(0.0, at - since) / _DAY
    age = f"{days:.0f} d" if days >= 1 else f"{days * 24:.0f} h"
    return age if verified_at is not None else f"{age}, never verified"
