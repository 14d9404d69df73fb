"""A replay counts, lists what was detected, and rebuilds as if each snippet had been delivered at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

import msgspec

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen, Skipped
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.replay import (
    LIST_LIMIT,
    SERIES_POINTS,
    Compaction,
    Rebuild,
    Replay,
    Replaying,
    SkippedLine,
)

LINES = count(1)


def where(**more: Any) -> dict[str, Any]:
    line = next(LINES)
    return {"line": line, "offset": line * 100} | more


def seen(session_id: str = "s", **more: Any) -> Event:
    return SessionSeen(**where(**more), session_id=session_id, cwd="/p", agent_version="2.1.0")


def says(**more: Any) -> Event:
    return PersonMessage(**where(**more), text="go on")


def asks(tokens: int, **more: Any) -> Event:
    return Request(**where(**more), request_id="r", model="m", context_tokens=tokens)


def marks(before: int | None = None, **more: Any) -> Event:
    return CompactionMarker(
        **where(**more), marker_id=f"b{next(LINES)}", trigger="auto", tokens_before=before, tokens_after=5
    )


def replay(events: Iterable[Event], agent: str, limits: Limits | None = None, **more: bool) -> Replay:
    replaying = Replaying(agent, limits, **more)
    replaying.see(tuple(events))
    return replaying.result()


def turns(*sizes: int) -> list[Event]:
    return [event for size in sizes for event in (says(), asks(size))]


def test_turns_requests_and_the_peak_are_counted() -> None:
    result = replay([seen(), *turns(10, 70, 30), asks(40)], "claude-code")

    assert (result.agent, result.session_id) == ("claude-code", "s")
    assert (result.turns, result.requests, result.peak_context_tokens, result.window_tokens) == (
        3,
        4,
        70,
        None,
    )


def test_a_marker_is_listed_with_the_sizes_around_it() -> None:
    told, own = marks(), marks(before=155)

    result = replay([seen(), *turns(150), told, asks(60), own], "claude-code")

    assert result.compactions == (
        Compaction(line=told.line, kind="marker", trigger="auto", tokens_before=150, tokens_after=60),
        Compaction(line=own.line, kind="marker", trigger="auto", tokens_before=155, tokens_after=None),
    )
    assert [rebuild.line for rebuild in result.rebuilds[1:]] == [told.line, own.line]


def test_a_marker_that_leaves_nothing_out_is_believed() -> None:
    whole = msgspec.structs.replace(marks(150), is_whole=True)

    [compaction] = replay([*turns(150), whole, *turns(90)], "claude-code").compactions

    assert (compaction.tokens_before, compaction.tokens_after) == (150, 5)


def test_without_markers_the_fall_is_found_and_nothing_else_is_seen() -> None:
    fall = asks(60)

    result = replay([seen(), *turns(10, 20, 150), marks(), fall], "claude-code", ignore_markers=True)

    assert result.compactions == (
        Compaction(line=fall.line, kind="drop", trigger=None, tokens_before=150, tokens_after=60),
    )
    assert [rebuild.runlevel for rebuild in result.rebuilds] == ["session", "compact"]


def test_a_drop_inside_the_cool_down_is_listed_where_it_fell_and_rebuilt_when_that_is_over() -> None:
    start, fall = seen(), asks(40)
    later = [says(), asks(41), says(), asks(42)]

    result = replay([start, *turns(100), fall, *later], "claude-code")

    assert [compaction.line for compaction in result.compactions] == [fall.line]
    assert result.rebuilds == (
        Rebuild(line=start.line, runlevel="session", reason="session started"),
        Rebuild(
            line=later[2].line, runlevel="compact", reason="context fell from 100 to 40 tokens (-60.0 %)"
        ),
    )


def test_a_session_that_takes_another_id_was_resumed() -> None:
    resumed = seen("t")

    result = replay([seen("s"), *turns(10), resumed, *turns(10), seen("s")], "claude-code")

    assert result.session_id == "s"
    assert [(rebuild.line, rebuild.reason) for rebuild in result.rebuilds[1:]] == [
        (resumed.line, "session resumed")
    ]


def test_copied_history_compacts_and_rebuilds_nothing() -> None:
    own = says()

    result = replay(
        [
            seen(is_history=True),
            says(is_history=True),
            asks(100, is_history=True),
            marks(is_history=True),
            own,
        ],
        "claude-code",
    )

    assert result.compactions == ()
    assert [rebuild.line for rebuild in result.rebuilds] == [own.line]


def test_a_helpers_compactions_are_listed_apart_and_rebuild_nothing() -> None:
    helper = {"is_helper": True}

    result = replay([seen(**helper), asks(100, **helper), marks(**helper), asks(20, **helper)], "claude-code")

    assert (result.compactions, result.rebuilds) == ((), ())
    assert [compaction.tokens_after for compaction in result.helper_compactions] == [20]


def test_skipped_lines_are_listed_up_to_a_limit_and_then_counted() -> None:
    skipped = [Skipped(line=line, offset=0, reason="not JSON") for line in range(1, LIST_LIMIT + 8)]

    result = replay(skipped, "claude-code")

    assert result.skipped_lines[0] == SkippedLine(line=1, reason="not JSON")
    assert len(result.skipped_lines) == LIST_LIMIT
    assert result.left_out["skipped_lines"] == 7


def test_the_series_stays_short_and_keeps_the_peak() -> None:
    result = replay(
        [seen(), *(asks(size) for size in range(1, 5000))], "claude-code", Limits(periodic_requests=0)
    )

    assert len(result.series) <= SERIES_POINTS
    assert max(result.series) == 4999
    assert list(result.series) == sorted(result.series)
