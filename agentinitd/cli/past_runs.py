"""The rebuilds that are known: of the running daemon, and of the log where it is gone or tells no more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentinitd.cli.terminal import local_time
from agentinitd.daemon.past_log import records
from agentinitd.model.errors import AgentinitdError, UsageError
from agentinitd.sessions.log_story import EVENTS, LogStory
from agentinitd.sessions.timeline import SHORTEST_QUEUE_MS, Around, RunTime, run_time

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places

SHOWN_IDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRun:
    """One rebuild, what the log tells of before and after it, and the others that are known."""

    run: RunTime
    around: Around
    history: tuple[RunTime, ...]
    source: str
    """`daemon` or `log`."""


def found_run(where: Places, name: str | None) -> FoundRun:
    """The rebuild of this id, which may be shortened, else the last one.

    Raises AgentinitdError when there is none, UsageError when several ids fit.
    """
    story = read_story(where)
    own = _of_the_daemon(where)
    known = merged(story.runs, own)
    run = _chosen(known, name)
    return FoundRun(
        run=run,
        around=story.around(run.run),
        history=tuple(known.values()),
        source="daemon" if any(run.run == each.run for each in own) else "log",
    )


def merged(logged: Iterable[RunTime], own: Iterable[RunTime]) -> dict[str, RunTime]:
    """By id, the latest last: of a life of the daemon the log may have lost the older ones already."""
    of_the_daemon = {run.run: run for run in own}
    return {run.run: run for run in logged if run.run not in of_the_daemon} | of_the_daemon


def read_story(where: Places) -> LogStory:
    story = LogStory()
    for record in records(where.log_file, EVENTS):
        story.see(record)
    return story


def headline(run: RunTime) -> str:
    """What both reports begin with."""
    whose = f" of {run.whose or run.project}" if run.whose or run.project else ""
    queued = f"{run.queue_ms:,.1f} ms in the queue, " if run.queue_ms >= SHORTEST_QUEUE_MS else ""
    return (
        f"{run.runlevel} rebuild {run.run}{whose}: {run.result}, {queued}{run.duration_ms:,.1f} ms, "
        f"{run.tokens} tokens, {local_time(run.at)}"
    )


def _of_the_daemon(where: Places) -> list[RunTime]:
    """Nothing when none runs or it does not answer: the log is there all the same."""
    from agentinitd.client import Client

    try:
        answer = Client(where).get("/v1/runs")
        told = answer["runs"]
    except (AgentinitdError, KeyError, TypeError):
        return []
    found = [run_time(each) for each in told if isinstance(each, dict)] if isinstance(told, list) else []
    return [run for run in found if run is not None]


def _chosen(known: dict[str, RunTime], name: str | None) -> RunTime:
    if not known:
        raise AgentinitdError(
            "No rebuild is known yet, neither to a daemon nor to the log. Run `agentinitd rebuild`."
        )
    if name is None:
        # One that only handed over a line has nothing to be measured.
        return next((run for run in reversed(known.values()) if run.scripts), list(known.values())[-1])
    fitting = (
        [known[name]]
        if name in known
        else [run for run_id, run in known.items() if run_id.startswith(name) or run_id.endswith(f"-{name}")]
    )
    if len(fitting) == 1:
        return fitting[0]
    shown = ", ".join(run.run for run in (fitting or list(known.values()))[-SHOWN_IDS:])
    if fitting:
        raise UsageError(f"{name} may be {shown}. Name one of them.")
    raise AgentinitdError(f"No rebuild {name} is known. The latest: {shown}.")
