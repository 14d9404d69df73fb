"""`agentinitd decisions`: the log of what was decided; it is only appended to, and needs no daemon."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.fate_text import day_text, fate_text
from agentinitd.cli.json_output import print_json
from agentinitd.cli.place_here import place_here
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.memory.decision_chains import Chain, Logged
    from agentinitd.memory.decision_log import NewDecision

MOST_REPLACED = 3
TEXT_CHARS = 400

_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
_TASK = click.option("--task", metavar="TASK", help="Of this task; else of the project.")
_BECAUSE = click.option("--because", metavar="WHY", default="", help="The reason.")


@click.group()
def decisions() -> None:
    """What was decided, why, and what it replaced.

    An entry is never changed: what does not hold any more is replaced by a new one.
    """


def _describing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that a new entry may have."""
    for option in (
        _JSON,
        click.option("--id", "name", metavar="ID", help="A name of its own; else made from its words."),
        _TASK,
        click.option("--decided", metavar="TIME", help="2026-11-28 or 2026-11-28T10:00:00Z; else now."),
        click.option(
            "--topic", metavar="T", default="", help="Two that hold about one topic are a conflict."
        ),
        click.option(
            "--instead-of", metavar="ALT", multiple=True, help="What was not chosen; may be repeated."
        ),
        _BECAUSE,
    ):
        command = option(command)
    return command


@decisions.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--supersedes", metavar="ID", multiple=True, help="It replaces this one; may be repeated.")
@click.option("--restores", metavar="ID", help="This one holds again, in place of what came after it.")
@click.option("--failed", is_flag=True, help="It was tried in vain: a dead end.")
@_describing
def add(text: tuple[str, ...], supersedes: tuple[str, ...], **more: Any) -> None:
    """Record a decision."""
    _add(" ".join(text), supersedes=supersedes, **more)


@decisions.command()
@click.argument("replaced", metavar="ID")
@click.argument("text", nargs=-1, required=True)
@_describing
def supersede(replaced: str, text: tuple[str, ...], **more: Any) -> None:
    """Record a decision that replaces another one."""
    _add(" ".join(text), supersedes=(replaced,), restores=None, failed=False, **more)


@decisions.command("list")
@click.option(
    "--all", "is_all", is_flag=True, help="Also what is over as a whole, and all that was replaced."
)
@click.option("--topic", metavar="T", default="", help="About this topic only.")
@_TASK
@_JSON
def list_(is_all: bool, topic: str, task: str | None, as_json: bool) -> None:
    """What holds, the newest first, each with what it replaced.

    What was captured from a session, and nobody confirmed yet, says so: `agentinitd anchors review`.
    """
    from agentinitd.memory.decision_chains import chain_json
    from agentinitd.memory.decision_log import chains

    found = chains(place_here().project, task=task, topic=topic)
    shown = [chain for chain in found if is_all or not chain.is_over]
    if as_json:
        print_json({"chains": [chain_json(chain) for chain in shown]})
        return
    for chain in shown:
        for line in _chain_lines(chain, most_replaced=None if is_all else MOST_REPLACED):
            click.echo(line)
    if not shown:
        click.echo("No decision is recorded." if not found else "None holds any more. All: --all", err=True)


def _add(text: str, *, as_json: bool, **more: Any) -> None:
    from agentinitd.memory.decision_chains import added_json
    from agentinitd.memory.decision_log import add_decision

    added = add_decision(place_here().project, _new(text, **more), now=time.time())
    if as_json:
        print_json(added_json(added.decision, added.conflicts))
        return
    click.echo(plain(f"{added.decision.id}  .agent-memory/{added.decision.file}"))
    if added.conflicts:
        names = ", ".join(added.conflicts)
        cure = f"Settle it: agentinitd decisions supersede {added.conflicts[0]} TEXT"
        click.echo(plain(f"{names} holds too, about the same topic. {cure}"), err=True)


def _new(
    text: str,
    *,
    because: str,
    instead_of: tuple[str, ...],
    supersedes: tuple[str, ...],
    restores: str | None,
    topic: str,
    failed: bool,
    decided: str | None,
    task: str | None,
    name: str | None,
) -> NewDecision:
    from agentinitd.memory.decision_log import NewDecision, time_of

    return NewDecision(
        text=text,
        because=because,
        instead_of=instead_of,
        supersedes=supersedes,
        restores=restores,
        topic=topic,
        is_failed=failed,
        decided_at=time_of(decided) if decided else None,
        task=task,
        id=name,
    )


def _chain_lines(chain: Chain, *, most_replaced: int | None) -> Iterator[str]:
    """The first is what holds; below it, set in, what belongs to it."""
    over = [each for each in chain.decisions if each.is_over]
    left_out = over[most_replaced:] if most_replaced is not None else []
    for place, each in enumerate(each for each in chain.decisions if each not in left_out):
        yield from _lines(each, indent="  " if place else "")
    if left_out:
        yield f"  {len(left_out)} more that were replaced: --all"


def _lines(each: Logged, *, indent: str) -> Iterator[str]:
    """Where it stands, what it says, and why."""
    anchor = each.anchor
    marks = [
        anchor.id,
        day_text(anchor.written_at),
        anchor.topic,
        "tried in vain" if anchor.outcome == "failed" else "",
        f"captured from {anchor.source}" if anchor.captured else "",
        fate_text(each.fate),
        f"brings back {anchor.restores}" if anchor.restores else "",
    ]
    yield indent + plain("  ".join(filter(None, marks)))
    yield f"{indent}  {plain(anchor.what, most_chars=TEXT_CHARS)}"
    if anchor.why:
        yield f"{indent}  why: {plain(anchor.why, most_chars=TEXT_CHARS)}"
    if anchor.instead_of:
        yield f"{indent}  instead of: {plain(anchor.instead_of, most_chars=TEXT_CHARS)}"
