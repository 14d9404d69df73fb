"""`agentinitd blame`: the scripts of a rebuild, the slowest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.cli.past_runs import FoundRun
    from agentinitd.sessions.timeline import Blamed

NAME_CHARS = 40


@click.command()
@click.argument("run", metavar="[RUN]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def blame(run: str | None, as_json: bool) -> None:
    """Which scripts took how long, in the last rebuild or in the one of this id; the slowest first.

    The id is that of `agentinitd logs`, and may be shortened as long as it stays clear.  Beside the time in
    this rebuild stand processor time, memory, and what the script usually takes: in the middle, and at most
    in 95 of 100 of the last 20 rebuilds in which it really ran.
    """
    from agentinitd.cli.main import places
    from agentinitd.cli.past_runs import found_run
    from agentinitd.sessions.timeline import blame as blamed

    found = found_run(places(), run)
    scripts = blamed(found.run, found.history)
    if as_json:
        print_json(as_object(found, scripts))
    else:
        click.echo("\n".join(lines_of(found, scripts)))


def as_object(found: FoundRun, scripts: Sequence[Blamed]) -> dict[str, Any]:
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(found.run)
    return {
        **told,
        "outside_ms": round(found.run.outside_ms, 1),
        "source": found.source,
        "scripts": [_script_object(script) for script in scripts],
    }


def _script_object(script: Blamed) -> dict[str, Any]:
    import msgspec

    return {
        **msgspec.to_builtins(script.time),
        "share_percent": round(script.share_percent, 1),
        "p50_ms": script.p50_ms,
        "p95_ms": script.p95_ms,
        "runs": script.runs,
    }


def lines_of(found: FoundRun, scripts: Sequence[Blamed]) -> Iterator[str]:
    from agentinitd.cli.past_runs import headline

    yield plain(headline(found.run))
    if not scripts:
        yield "No script ran."
        return
    rows = [_HEADS, *map(_row, scripts), _outside(found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for row in rows:
        cells = [
            cell.ljust(width) if column in _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


_HEADS = ("time", "share", "user", "sys", "max rss", "p50", "p95", "script", "layer", "result")
_LEFT = (7, 8, 9)


def _row(script: Blamed) -> tuple[str, ...]:
    time = script.time
    action = "" if time.action == "start" else f" {time.action}"
    flags = f" ({', '.join(time.flags)})" if time.flags else ""
    return (
        _ms(time.duration_ms),
        f"{script.share_percent:.1f} %",
        _ms(time.user_ms),
        _ms(time.sys_ms),
        f"{time.maxrss_kb / 1024:,.1f} MiB" if time.maxrss_kb else "-",
        _ms(script.p50_ms),
        _ms(script.p95_ms),
        plain(time.script + action, most_chars=NAME_CHARS),
        plain(time.layer),
        plain(f"{time.result}{flags}" + (f": {time.reason}" if time.reason else "")),
    )


def _outside(found: FoundRun) -> tuple[str, ...]:
    run = found.run
    share = 100 * run.outside_ms / run.duration_ms if run.duration_ms else 0.0
    return (_ms(run.outside_ms), f"{share:.1f} %", "", "", "", "", "", "outside of scripts", "", "")


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f} ms"
