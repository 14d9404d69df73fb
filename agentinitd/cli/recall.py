"""`agentinitd recall`: finds again whatever was recorded, with or without a daemon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from agentinitd.cli.fate_text import day_text, fate_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.memory.recall_answer import Answer, Hit

TEXT_CHARS = 400


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="constraint, tool, decision, anchor (these three), state or snippet; may be repeated.",
)
@click.option("--task", metavar="TASK", help="What is the project's and this task's own.")
@click.option("--since", metavar="TIME", help="2026-11-28, 2026-11-28T10:00:00Z, or 12h, 7d, 4w ago.")
@click.option("--until", metavar="TIME", help="The same; a day is included.")
@click.option("--all", "is_all", is_flag=True, help="Also what was withdrawn, and what is of other tasks.")
@click.option("-n", "limit", default="10", show_default=True, metavar="N", help="So many hits, 1 to 200.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def recall(
    text: tuple[str, ...],
    kinds: tuple[str, ...],
    task: str | None,
    since: str | None,
    until: str | None,
    is_all: bool,
    limit: str,
    as_json: bool,
) -> None:
    """Search anchors, decisions, past task states and past snippets of this folder's project.

    A hit has all of the words; when there are few, those follow that have some.
    """
    import time

    from agentinitd.memory.recall import recall as search
    from agentinitd.memory.recall_answer import answer_json, question_of
    from agentinitd.memory.task_binding import default_task

    place = place_here()
    # Of a linked worktree: there another task may be worked on than in the main one.
    task = task or (None if is_all or place.worktree is None else default_task(place.project, place.worktree))
    words = {"task": task, "since": since, "until": until, "all": "1" if is_all else None, "n": limit}
    given = {name: word for name, word in words.items() if word is not None}
    answer = search(place.project, question_of(" ".join(text), given, kinds=kinds, now=time.time()))
    if as_json:
        print_json(answer_json(answer))
        return
    for hit in answer.hits:
        click.echo("\n".join(_lines(hit)))
    if not answer.hits:
        click.echo("Nothing that is recorded matches.", err=True)
    for remark in _remarks(answer):
        click.echo(remark, err=True)


def _lines(hit: Hit) -> Iterator[str]:
    """Where it stands, what it says, and why."""
    day = day_text(hit.at)
    marks = [hit.kind, hit.id, f"task {hit.task}" if hit.task else "", day, _fate(hit)]
    place = f".agent-memory/{hit.file}:{hit.line}"
    yield plain("  ".join([*filter(None, marks), place]))
    yield "  " + plain(hit.text, most_chars=TEXT_CHARS)
    if hit.why:
        yield "  " + plain(hit.why, most_chars=TEXT_CHARS)


def _fate(hit: Hit) -> str:
    """What became of it, through what, and when."""
    told = [text] if (text := fate_text(hit.fate)) else []
    if hit.restores:
        told.append(f"brings back {', '.join(hit.restores)}")
    if hit.replaces:
        told.append(f"replaces {', '.join(hit.replaces)}")
    if hit.is_dead_end:
        told.append("tried in vain")
    if hit.is_past and not hit.is_withdrawn:
        told.append("past")
    return ", ".join(told)


def _remarks(answer: Answer) -> Iterator[str]:
    if answer.withdrawn:
        yield f"Withdrawn and not shown: {answer.withdrawn}. All: --all"
    if answer.other_tasks:
        names = ", ".join(name or "the unnamed task" for name in answer.other_tasks)
        yield plain(f"There are hits in other tasks: {names}. Show them: --task NAME or --all")
