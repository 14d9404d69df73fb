"""`agentinitd replay`: reads a transcript offline: what was compacted, rebuilt, and said to be remembered."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.model.events import Event, ToolCall
    from agentinitd.sessions.heard import Heard, Hearing
    from agentinitd.sessions.replay import Compaction, Replay
    from agentinitd.transcripts.follower import Agent, Follower

    See = Callable[[Sequence[Event]], None]

LONG_FILE_BYTES = 64 * 1024 * 1024
"""From here on a terminal sees a progress bar."""
SHOWN_ROWS = 40
SPARKS = "▁▂▃▄▅▆▇█"
SPARK_WIDTH = 72


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--agent", metavar="A", help="The agent that wrote it; guessed from its records otherwise.")
@click.option("--session", metavar="ID", help="In a store of many sessions: this one; the latest otherwise.")
@click.option("--ignore-markers", is_flag=True, help="Find compactions by the fall of the context alone.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--events", "as_events", is_flag=True, help="Print all that is read, one JSON object a line.")
@click.option("--snippet", "as_snippet", is_flag=True, help="Print the full snippet due at its end.")
@click.option("--budget", type=click.IntRange(60, 20_000), metavar="TOKENS", help="Of the snippet.")
def replay(
    file: Path,
    agent: str | None,
    session: str | None,
    ignore_markers: bool,
    as_json: bool,
    as_events: bool,
    as_snippet: bool,
    budget: int | None,
) -> None:
    """Read a transcript offline: compactions, the rebuilds they cause, and what was said to be remembered.

    Compactions are listed as they were detected.  Rebuilds are those that would have been run if every
    snippet had been delivered at once: cool-down and coalescing show there.

    With --events, what the transcript says is printed as it is read, and nothing else: sessions, messages,
    tools and their results, to-do lists, context sizes, compactions, and lines that could not be read.

    With --snippet, what was captured and the last to-do list are printed as the agent would get them, and
    nothing else: no project and no daemon is needed.
    """
    from agentinitd.sessions.heard import Hearing

    _check_alone(as_events=as_events, as_snippet=as_snippet, others=(as_json, ignore_markers), budget=budget)
    if as_events:
        for line in event_lines(file, agent, session=session):
            click.echo(line)
        return
    hearing = Hearing()
    result = replay_file(file, agent, session=session, ignore_markers=ignore_markers, hearing=hearing)
    if as_snippet:
        click.echo(snippet_text(hearing, budget), nl=False)
    elif as_json:
        click.echo(to_json(result))
    else:
        for line in to_lines(file, result):
            click.echo(line)


def replay_file(
    path: Path,
    agent_name: str | None,
    *,
    session: str | None = None,
    ignore_markers: bool = False,
    hearing: Hearing | None = None,
    also: See | None = None,
) -> Replay:
    """With `hearing`, what was said is captured too.  `also` is told all events as they are read.

    Raises AgentinitdError when there is no such file, or none that can be read as a transcript.
    """
    from agentinitd.sessions.replay import Replaying

    size = _checked(path)
    agent = _agent_of(path, agent_name)
    replaying = Replaying(agent.NAME, ignore_markers=ignore_markers, hearing=hearing)
    follower = agent.follow(_name_of(path, agent, session), is_detailed=hearing is not None)
    with _progress(size) as advance:
        _play(follower, replaying.see if also is None else _both(replaying.see, also), advance)
    _check_read(follower, "is not shown")
    return replaying.result()


def snippet_text(hearing: Hearing, budget: int | None) -> str:
    """The full snippet due at the end of what was heard; empty when nothing was said to be remembered."""
    from agentinitd.cli.replay_snippet import snippet_of
    from agentinitd.model.config import Config

    memory = hearing.memory()
    if memory.is_empty:
        return ""
    return snippet_of(memory, now=hearing.last_at or 0.0, budget_tokens=budget or Config().budget_tokens).text


def _check_alone(*, as_events: bool, as_snippet: bool, others: tuple[bool, bool], budget: int | None) -> None:
    from agentinitd.model.errors import UsageError

    alone = "--events" if as_events else "--snippet"
    if budget and not as_snippet:
        raise UsageError("--budget is that of --snippet. Add --snippet, or take it away.")
    found = [*(["--snippet"] if as_events and as_snippet else []), *_given(others)]
    if (as_events or as_snippet) and found:
        raise UsageError(f"{alone} and {found[0]} exclude each other. Take one away.")


def _given(others: tuple[bool, bool]) -> list[str]:
    return [name for name, is_given in zip(("--json", "--ignore-markers"), others, strict=True) if is_given]


def event_lines(path: Path, agent_name: str | None, *, session: str | None = None) -> Iterator[str]:
    """Each event as it is read.  Raises as `replay_file` does, and at last for what broke off."""
    _checked(path)
    agent = _agent_of(path, agent_name)
    follower = agent.follow(_name_of(path, agent, session), is_detailed=True)
    is_more = True
    while is_more:
        yield from map(event_line, follower.read())
        is_more = follower.has_more
    yield from map(event_line, follower.finish())
    _check_read(follower, "is shown")


def _check_read(follower: Follower, what: str) -> None:
    from agentinitd.model.errors import AgentinitdError

    if follower.problem:
        raise AgentinitdError(f"{follower.problem}. What was read before {what}.")


def _both(first: See, second: See) -> See:
    def see(events: Sequence[Event]) -> None:
        first(events)
        second(events)

    return see


def _play(follower: Follower, see: See, advance: Callable[[int], None]) -> None:
    is_more = True
    while is_more:
        reached = follower.offset
        see(follower.read())
        advance(follower.offset - reached)
        is_more = follower.has_more
    see(follower.finish())


def _checked(path: Path) -> int:
    """Its size.  Raises AgentinitdError for what cannot be a transcript."""
    import os
    import stat

    from agentinitd.model.errors import AgentinitdError, PermissionRefused

    try:
        found = path.stat()
    except FileNotFoundError:
        raise AgentinitdError(f"{path} does not exist. Name the transcript of a session.") from None
    except (OSError, ValueError) as error:
        raise AgentinitdError(f"{path} cannot be read ({error}).") from None
    if not os.access(path, os.R_OK):
        raise PermissionRefused(f"{path} cannot be read (Permission denied). Ask its owner for a copy.")
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise AgentinitdError(f"{path} is not a regular file. Name the transcript of a session.")
    return found.st_size


def _agent_of(path: Path, name: str | None) -> Agent:
    from agentinitd.model.errors import UsageError
    from agentinitd.transcripts.agents import AGENTS, guess

    known = ", ".join(AGENTS)
    if name is not None:
        if name not in AGENTS:
            raise UsageError(f"{name} is not an agent whose transcripts can be read. Known: {known}.")
        return AGENTS[name]
    found = guess(path)
    if found is not None:
        return found
    if path.is_file() and not path.stat().st_size:
        return next(iter(AGENTS.values()))  # of a session that has not begun: there is nothing to mistake
    what = "is a binary file" if _is_binary(path) else f"holds no record of {known} near its beginning"
    raise UsageError(
        f"{path} {what}. If it is a damaged transcript all the same, name its agent: --agent {known}."
    )


def _is_binary(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb") as file:
        return b"\0" in file.read(4096)
    return False


def _name_of(path: Path, agent: Agent, session: str | None) -> str:
    from agentinitd.model.errors import UsageError

    names = agent.names_in(path)
    chosen = [name for name in names if session is None or session in name]
    if not chosen:
        what = f"no session {session}" if session else "no session"
        latest = ", ".join(names[-10:])
        raise UsageError(f"{path} holds {what} of {agent.NAME}. The latest: {latest or 'none'}.")
    return chosen[-1]


@contextlib.contextmanager
def _progress(size: int) -> Iterator[Callable[[int], None]]:
    import sys

    if size < LONG_FILE_BYTES or not sys.stderr.isatty():
        yield lambda _read: None
        return
    with click.progressbar(length=size, label="reading", file=sys.stderr, update_min_steps=1 << 22) as bar:
        yield bar.update


def to_json(result: Replay) -> str:
    import dataclasses
    import json

    shown = dataclasses.asdict(result)
    del shown["series"]
    return json.dumps(shown, indent=2, ensure_ascii=False)


def event_line(event: Event) -> str:
    """One JSON object: what the event is, where it stands, and all that it says."""
    import json

    import msgspec

    from agentinitd.model.events import ToolCall

    fields = msgspec.structs.asdict(event)
    if isinstance(event, ToolCall):
        fields["input"] = _input_of(event)
        del fields["input_json"]
    shown = {"event": type(event).__name__, **fields}
    try:
        return msgspec.json.encode(shown).decode()
    except (ValueError, OverflowError):
        # Half of a character, or a number without end, in what a tool was asked.
        return json.dumps(msgspec.to_builtins(shown))


def _input_of(call: ToolCall) -> dict[str, object]:
    try:
        return call.input
    except RecursionError:
        return {}


def to_lines(path: Path, result: Replay) -> Iterator[str]:
    """The report for people."""
    yield f"{path}: {result.agent}, session {result.session_id or 'unknown'}"
    yield (
        f"{_counted(result.turns, 'turn')}, {_counted(result.requests, 'request')}, "
        f"context up to {result.peak_context_tokens:,} tokens"
    )
    if result.series:
        yield f"  {sparkline(result.series, SPARK_WIDTH)}"
    yield from _compactions("Compactions", result.compactions)
    if result.helper_compactions:
        yield from _compactions("Compactions of this helper", result.helper_compactions)
    rows = [(f"{rebuild.line:,}", rebuild.runlevel, rebuild.reason) for rebuild in result.rebuilds]
    yield from _table("Rebuilds", ("line", "runlevel", "reason"), rows)
    if result.captured:
        heard = [_heard(each) for each in result.captured]
        yield from _table("Captured", ("line", "kind", "status", "text"), heard)
    if result.skipped_lines:
        skipped = [(f"{skipped.line:,}", skipped.reason) for skipped in result.skipped_lines]
        yield from _table("Lines that could not be read", ("line", "reason"), skipped)


def _heard(each: Heard) -> tuple[str, ...]:
    return f"{each.line:,}", each.kind, each.status, plain(each.text)


def _compactions(title: str, compactions: Sequence[Compaction]) -> Iterator[str]:
    rows = [
        (
            f"{compaction.line:,}",
            compaction.kind,
            compaction.trigger or "-",
            _tokens(compaction.tokens_before),
            _tokens(compaction.tokens_after),
        )
        for compaction in compactions
    ]
    return _table(title, ("line", "kind", "trigger", "before", "after"), rows)


def _table(title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    yield f"{title}: {len(rows):,}" if rows else f"{title}: none"
    if not rows:
        return
    shown = [heads, *rows[:SHOWN_ROWS]]
    widths = [max(len(row[column]) for row in shown) for column in range(len(heads) - 1)]
    for row in shown:
        cells = [cell.ljust(width) for cell, width in zip(row, [*widths, 0], strict=True)]
        yield "  " + "  ".join(cells).rstrip()
    if len(rows) > SHOWN_ROWS:
        yield f"  … and {len(rows) - SHOWN_ROWS:,} more; --json shows them all"


def sparkline(sizes: Sequence[int], width: int) -> str:
    """The sizes as bars, from nothing to the highest of them."""
    highest = max(sizes)
    columns = min(width, len(sizes))
    bars = []
    for column in range(columns):
        piece = sizes[column * len(sizes) // columns : (column + 1) * len(sizes) // columns]
        # The last size of each piece: a fall has to show, and the highest would hide it.
        bars.append(SPARKS[min(len(SPARKS) - 1, piece[-1] * len(SPARKS) // max(1, highest))])
    return "".join(bars)


def _tokens(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
