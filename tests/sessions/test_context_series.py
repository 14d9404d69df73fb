"""The series stays small, and the falls stay in it."""

from __future__ import annotations

from agentinitd.model.events import CompactionMarker, Request
from agentinitd.sessions.context_series import MOST_POINTS, ContextSeries


def request(number: int, tokens: int, *, at: float | None = 1e9, **fields: object) -> Request:
    return Request(
        line=number * 2, offset=number, written_at=at, request_id=str(number), model="claude-x",
        context_tokens=tokens, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def series(*events: object) -> ContextSeries:
    told = ContextSeries()
    told.see(events)  # type: ignore[arg-type]
    return told


def test_few_requests_are_all_kept() -> None:
    told = series(request(1, 5), request(2, 9), request(3, 3))

    assert [(point.number, point.tokens) for point in told.points] == [(1, 5), (2, 9), (3, 3)]
    assert told.window_tokens == 200_000


def test_of_very_many_the_highest_and_the_lowest_are_kept() -> None:
    told = series(
        *(request(n, 199_000 if n == 12_001 else 7 if n == 12_002 else 50_000 + n % 9) for n in range(20_000))
    )
    tokens = [point.tokens for point in told.points]

    assert len(tokens) <= MOST_POINTS
    assert told.requests == 20_000
    assert (max(tokens), min(tokens)) == (199_000, 7)
    assert [point.number for point in told.points] == sorted(point.number for point in told.points)


def test_copied_history_is_not_of_this_session() -> None:
    assert series(request(1, 5, is_history=True), request(2, 9)).requests == 1


def test_time_never_runs_back_and_impossible_times_are_none() -> None:
    told = series(request(1, 5, at=2e9), request(2, 5, at=1e9))
    assert [point.at for point in told.points] == [2e9, 2e9]
    assert told.is_timed

    assert not series(request(1, 5), request(2, 5, at=None)).is_timed
    assert not series(request(1, 5, at=1e15)).is_timed
    assert not series().is_timed


def test_a_line_is_found_by_the_request_behind_it() -> None:
    marker = CompactionMarker(
        line=3, offset=3, written_at=1.5e9, marker_id="m", trigger=None, tokens_before=None, tokens_after=None
    )
    told = series(request(1, 5), marker, request(2, 9))

    assert told.time_of_marker(3) == 1.5e9
    assert [told.point_at_line(line).tokens for line in (1, 3, 99)] == [5, 9, 9]  # type: ignore[union-attr]
    assert series().point_at_line(1) is None
