"""A session's context as a picture, from one request to ten thousand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

import pytest

from agentinitd.cli.plot_scene import Line, Rect, Scene, Shape, Text
from agentinitd.cli.plot_session import SessionPlot, session_scene
from agentinitd.cli.plot_svg import to_svg
from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen
from agentinitd.sessions.context_series import ContextSeries
from agentinitd.sessions.log_story import Mark
from agentinitd.sessions.replay import Replaying

Overlapping = Callable[[Scene], list[tuple[str, str]]]
BEGIN = 1_796_000_000.0


def plot_of(requests: int, *, every: int, is_timed: bool = True, night: int = 10**9) -> SessionPlot:
    """A session that is compacted after so many requests; a rebuild and a delivery follow."""
    events: list[Event] = [SessionSeen(line=1, offset=0, session_id="s-1", cwd="/p", agent_version="2")]
    marks: list[Mark] = []
    at, tokens = BEGIN, 20_000
    for number in range(requests):
        at += 40_000 if number % night == night - 1 else 15 + number * 7 % 40
        place = {"line": 2 + 3 * number, "offset": 90 * number, "written_at": at if is_timed else None}
        if number and number % every == 0:
            marker = {
                "marker_id": f"m{number}",
                "trigger": "auto",
                "tokens_before": None,
                "tokens_after": None,
            }
            events.append(CompactionMarker(**place, **marker))  # type: ignore[arg-type]
            marks.append(Mark(kind="rebuild", session="s-1", at=at, runlevel="compact", result="ok"))
            marks.append(
                Mark(kind="delivery", session="s-1", at=at + 2, runlevel="compact", result="arrived")
            )
            tokens = 20_000
        if number % 10 == 0:
            events.append(PersonMessage(**{**place, "line": 3 + 3 * number}, text="go on"))  # type: ignore[arg-type]
        tokens += 160_000 // every
        events.append(
            Request(
                **{**place, "line": 4 + 3 * number},
                request_id=str(number),
                model="claude-x",
                context_tokens=tokens,
            )  # type: ignore[arg-type]
        )
    replaying, series = Replaying("claude-code"), ContextSeries()
    replaying.see(events)
    series.see(events)
    return SessionPlot(
        session="5e551011 会话",
        project="/home/张三/" * 40,
        replay=replaying.result(),
        series=series,
        marks=marks,
        zone=UTC,
    )


@pytest.mark.parametrize(
    "plot",
    [
        plot_of(10_000, every=400, night=300),
        plot_of(3000, every=12),
        plot_of(200, every=60, night=50),
        plot_of(200, every=60, is_timed=False),
        plot_of(1, every=9),
        plot_of(0, every=9),
    ],
)
def test_no_label_lies_on_another_or_outside(plot: SessionPlot, overlapping: Overlapping) -> None:
    assert overlapping(session_scene(plot)) == []


def test_compactions_rebuilds_and_deliveries_are_marked_and_the_legend_says_so() -> None:
    scene = session_scene(plot_of(200, every=60))
    roles = [part.role for part in scene.parts if isinstance(part, Rect) and part.hint]
    texts = [part.text for part in scene.parts if isinstance(part, Text)]

    assert [roles.count(role) for role in ("marker", "rebuild", "delivery")] == [3, 3, 3]
    assert "180k → 22.7k" in texts
    assert {"compaction, told by the transcript", "rebuild", "delivery: the snippet arrived"} <= set(texts)
    assert {"context in tokens", "time, UTC", "what the model can hold"} <= set(texts)


def test_the_context_falls_where_it_was_compacted() -> None:
    scene = session_scene(plot_of(100, every=60))
    [line] = [part for part in scene.parts if isinstance(part, Line) and part.role == "marker"]
    [curve] = [part for part in scene.parts if isinstance(part, Shape) and part.role == "context"]

    at_the_line = [y for x, y in curve.points if x == pytest.approx(line.x1, abs=0.6)]
    assert max(at_the_line) - min(at_the_line) > 200


def test_ten_thousand_requests_make_a_small_picture() -> None:
    assert len(to_svg(session_scene(plot_of(10_000, every=400)))) < 300_000


def test_without_times_requests_are_counted_and_nothing_of_the_log_is_placed() -> None:
    texts = [
        part.text
        for part in session_scene(plot_of(50, every=20, is_timed=False)).parts
        if isinstance(part, Text)
    ]

    assert "number of the request" in texts
    assert any("times are not told" in text for text in texts)
    assert texts.count("none in the log") == 2


@pytest.mark.parametrize(("every", "is_at_top"), [(19, True), (9, False)])
def test_the_length_of_a_pause_is_written_where_the_context_is_not(every: int, is_at_top: bool) -> None:
    plot = plot_of(19, every=every, night=9)
    scene = session_scene(plot)
    [length, *_] = [
        part for part in scene.parts if isinstance(part, Text) and "h" in part.text and part.is_upright
    ]
    line = next(part for part in scene.parts if isinstance(part, Shape) and part.role == "context")
    crossed = [y for x, y in line.points if abs(x - length.x) < 20]

    assert (length.anchor == "end") == is_at_top
    begin, end = (length.y, length.y + 60) if is_at_top else (length.y - 60, length.y)
    assert not any(begin < y < end for y in crossed)
