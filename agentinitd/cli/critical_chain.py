"""`agentinitd critical-chain`: what a rebuild waited for, from the row in the transcript to the reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.cli.past_runs import FoundRun
    from agentinitd.sessions.timeline import Step

NAME_CHARS = 40
SHORT_SHARE = 0.01
"""Of the whole: what the daemon did in less is summed up in one line."""


@click.command("critical-chain")
@click.argument("run", metavar="[RUN]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def critical_chain(run: str | None, as_json: bool) -> None:
    """What the last rebuild, or the one of this id, waited for, in order.

    After `@` stands when a step began, after `+` how long it took.  Time outside of scripts is shown: until
    the cause was noticed, until the rebuild began, between scripts, while the snippet was composed, and until
    a hook handed it over.  Scripts that ran beside a slower one are not on the chain: `agentinitd blame` has
    all of them.
    """
    from agentinitd.cli.main import places
    from agentinitd.cli.past_runs import found_run
    from agentinitd.sessions.timeline import critical_chain as chain_of

    found = found_run(places(), run)
    steps = chain_of(found.run, found.around)
    if as_json:
        print_json(as_object(found, steps))
    else:
        click.echo("\n".join(lines_of(found, steps)))


def as_object(found: FoundRun, steps: Sequence[Step]) -> dict[str, object]:
    run = found.run
    return {
        "run": run.run,
        "at": run.at,
        "session": run.session,
        "project": run.project,
        "trigger": run.trigger,
        "runlevel": run.runlevel,
        "result": run.result,
        "source": found.source,
        "duration_ms": run.duration_ms,
        "total_ms": round(_end(steps), 1),
        "is_read": found.around.read_ms is not None,
        "steps": [
            {
                "name": step.name,
                "kind": step.kind,
                "at_ms": round(step.at_ms, 1),
                "duration_ms": round(step.duration_ms, 1),
                "note": step.note,
            }
            for step in steps
        ],
    }


def lines_of(found: FoundRun, steps: Sequence[Step]) -> Iterator[str]:
    from agentinitd.cli.past_runs import headline

    yield plain(headline(found.run))
    short = [step for step in steps if step.kind == "own" and step.duration_ms < _end(steps) * SHORT_SHARE]
    yield from _table([step for step in steps if step not in short])
    if short:
        took = span_text(sum(step.duration_ms for step in short))
        yield f"{took} more in {len(short)} short steps of the daemon in between; --json shows them"
    ends = "read" if found.around.read_ms is not None else "ready; the log does not tell that it was read"
    yield f"{span_text(_end(steps))} in all until the snippet was {ends}"


def _table(steps: Sequence[Step]) -> Iterator[str]:
    rows = [
        (
            f"@{span_text(step.at_ms)}",
            f"+{span_text(step.duration_ms)}",
            plain(step.name, most_chars=NAME_CHARS),
        )
        for step in steps
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row, step in zip(rows, steps, strict=True):
        cells = (row[0].rjust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2]), plain(step.note))
        yield "  ".join(cells).rstrip()


def _end(steps: Sequence[Step]) -> float:
    return steps[-1].at_ms + steps[-1].duration_ms if steps else 0.0


def span_text(milliseconds: float) -> str:
    """`7.3 ms`, `4.21 s`, `3 min 20 s`, `2 h 5 min`."""
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, seconds = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    return f"{minutes // 60} h {minutes % 60} min"
