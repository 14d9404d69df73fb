"""`agentinitd replay`: reads a transcript offline, and shows what was compacted and what would be rebuilt."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

if TYPE_CHECKING:
    from agentinitd.sessions.replay import Compaction, Replay, Replaying
    from agentinitd.transcripts.reader import AgentReader

BLOCK_BYTES = 256 * 1024
HEAD_BYTES = 1024 * 1024
"""Where a record that tells the agent is looked for."""
LONG_FILE_BYTES = 64 * 1024 * 1024
"""From here on a terminal sees a progress bar."""
SHOWN_ROWS = 40
SPARKS = "▁▂▃▄▅▆▇█"
SPARK_WIDTH = 72


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--agent", metavar="A", help="The agent that wrote it; guessed from its records otherwise.")
@click.option("--ignore-markers", is_flag=True, help="Find compactions by the fall of the context alone.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(file: Path, agent: str | None, ignore_markers: bool, as_json: bool) -> None:
    """Read a transcript offline: compactions, and the rebuilds they cause.

    Compactions are listed as they were detected.  Rebuilds are those that would have been run if every
    snippet had been delivered at once: cool-down and coalescing show there.
    """
    result = replay_file(file, agent, ignore_markers=ignore_markers)
    if as_json:
        click.echo(to_json(result))
    else:
        for line in to_lines(file, result):
            click.echo(line)


def replay_file(path: Path, agent_name: str | None, *, ignore_markers: bool) -> Replay:
    """Raises AgentinitdError when there is no such file, or none that can be read as a transcript."""
    from agentinitd.sessions.replay import Replaying

    with _opened(path) as (file, size):
        agent = _agent_of(path, file, agent_name)
        replaying = Replaying(agent.NAME, ignore_markers=ignore_markers)
        with _progress(size) as advance:
            _play(path, file, agent, replaying, advance)
    return replaying.result()


def _play(
    path: Path, file: BinaryIO, agent: AgentReader, replaying: Replaying, advance: Callable[[int], None]
) -> None:
    from agentinitd.model.events import Skipped

    reader = agent.new_reader(path, history_until=agent.copied_until(path))
    size = 0
    while block := file.read(BLOCK_BYTES):
        replaying.see(reader.feed(block))
        advance(len(block))
        size += len(block)
    replaying.see(reader.flush())
    reached = reader.checkpoint()
    if reached.offset < size:
        torn = Skipped(line=reached.line + 1, offset=reached.offset, reason="the last line is incomplete")
        replaying.see([torn])


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    import os
    import stat

    from agentinitd.model.errors import AgentinitdError, PermissionRefused

    try:
        # Not to hang on a FIFO.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except FileNotFoundError:
        raise AgentinitdError(f"{path} does not exist. Name the transcript of a session.") from None
    except PermissionError as error:
        raise PermissionRefused(
            f"{path} cannot be read ({error.strerror}). Ask its owner for a copy."
        ) from None
    except OSError as error:
        raise AgentinitdError(f"{path} cannot be read ({error.strerror}).") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise AgentinitdError(f"{path} is not a regular file. Name the transcript of a session.")
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        yield file, found.st_size


def _agent_of(path: Path, file: BinaryIO, name: str | None) -> AgentReader:
    from agentinitd.model.errors import UsageError
    from agentinitd.transcripts.agents import READERS

    known = ", ".join(READERS)
    if name is not None:
        if name not in READERS:
            raise UsageError(f"{name} is not an agent whose transcripts can be read. Known: {known}.")
        return READERS[name]
    for agent in READERS.values():
        head = _head_lines(file)
        first = next(head, None)
        if first is None or agent.is_record(first) or any(agent.is_record(line) for line in head):
            file.seek(0)
            return agent
    file.seek(0)
    is_binary = b"\0" in file.read(4096)
    what = "is a binary file" if is_binary else f"holds no record of {known} near its beginning"
    raise UsageError(
        f"{path} {what}. If it is a damaged transcript all the same, name its agent: --agent {known}."
    )


def _head_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines that say something, from the first HEAD_BYTES; longer when already the first line is."""
    from agentinitd.transcripts.lines import Lines

    file.seek(0)
    lines = Lines()
    while block := file.read(BLOCK_BYTES):
        for batch in lines.feed(block):
            yield from (line for line in batch.text.split(b"\n") if line.strip())
        if file.tell() >= (HEAD_BYTES if lines.offset else LONG_FILE_BYTES):
            return
    if lines.rest().strip():
        yield lines.rest()


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
    if result.skipped_lines:
        skipped = [(f"{skipped.line:,}", skipped.reason) for skipped in result.skipped_lines]
        yield from _table("Lines that could not be read", ("line", "reason"), skipped)


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
