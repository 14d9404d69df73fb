"""When a rebuild of a session is due.  Knows numbers and markers, not agents; decides, and does nothing.

`step` takes the state and one observation, an event of the transcript or something that happened outside of
it, and answers with the new state and the causes that are now due.  The caller serves causes that come
together by one rebuild, and says so by `Delivered`.

A compaction may be announced by a hook, by a second hook and by the transcript's marker, in any order; by the
first request of the model after it, it is over.  So what is announced in between by different means is one
compaction, and only the first announcement is a cause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from agentinitd.memory.capture.report import REPORT_REQUEST
from agentinitd.model.causes import Cause, Trigger
from agentinitd.model.events import CompactionMarker, ContextCleared, Event, PersonMessage, Request
from agentinitd.model.hooks import SessionSource
from agentinitd.sessions.detector_state import Announcer, DetectorState, Drop, Measured
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.observations import (
    Asked,
    Compacted,
    Delivered,
    Observation,
    SessionStarted,
    TaskStateChanged,
)
from agentinitd.sessions.windows import window_of

# After such a pause the agent resumes with less than it had (thinking and old tool output left out, by 10 to
# 54 % in the real sessions measured).  That is no compaction, and the marker would say if it were one.
PAUSE_SECONDS = 30 * 60
# So many requests at most were written before a hook spoke and are read only after it.
LATE_REQUESTS = 2
# Times in transcripts are cut to milliseconds, or to seconds.
ROUNDED_SECONDS = 1.0
# Ids of causes that are remembered, so that no reading again of the same bytes can make one due twice.
FIRED_LIMIT = 64

Step = tuple[DetectorState, tuple[Cause, ...]]
_changed = msgspec.structs.replace


def step(state: DetectorState, observation: Observation, limits: Limits) -> Step:
    """The state after `observation`, and the causes that are due because of it."""
    see = _SEE.get(type(observation))
    return see(state, observation, limits) if see is not None else (state, ())


def _see_request(state: DetectorState, request: Request, limits: Limits) -> Step:
    if request.is_helper:
        return state, ()
    if request.is_history:
        return _baseline(state, request, limits), ()
    if state.announced_by:
        if _is_before_compaction(state, request):
            return _changed(state, late_requests=state.late_requests + 1), ()
        state = _changed(state, closed_by=state.announced_by, closed_at=request.written_at)
        state = _changed(state, announced_by=(), announced_at=None, late_requests=0)
    state = _changed(state, requests=state.requests + 1, request_at=request.written_at or state.request_at)
    state, causes = _judge(state, request, limits)
    if not causes and _is_filled(state, request, limits):
        state, causes = _checkpoint(state, request)
    if causes or not 0 < limits.periodic_requests <= state.requests:
        return state, causes
    return _fire(state, _cause(state, "periodic", request, f"{state.requests} requests without a snippet"))


def _is_filled(state: DetectorState, request: Request, limits: Limits) -> bool:
    """Past the mark for the first time since the window was emptied."""
    size = request.context_tokens
    window = request.window_tokens or limits.window_tokens or window_of(request.model, seen_tokens=size) or 0
    is_past = size * 100 >= limits.checkpoint_percent * window
    return not state.is_checkpointed and bool(window and limits.checkpoint_percent) and is_past


def _checkpoint(state: DetectorState, request: Request) -> Step:
    """A line becomes due, and no rebuild: the cool-down is none of its business."""
    reason = f"the context holds {request.context_tokens:,} tokens"
    cause = replace(_cause(state, "checkpoint", request, reason), say=REPORT_REQUEST)
    return _changed(state, is_checkpointed=True), (cause,)


def _is_before_compaction(state: DetectorState, request: Request) -> bool:
    """A hook is quicker than the transcript: this request was written before, and is only read now."""
    if "marker" in state.announced_by or state.announced_at is None or request.written_at is None:
        return False
    # Clocks may disagree, for ever: what a hook announced must not make us deaf.
    if state.late_requests >= LATE_REQUESTS:
        return False
    return request.written_at <= state.announced_at


def _baseline(state: DetectorState, request: Request, limits: Limits) -> DetectorState:
    """History: what the context was, so that the next request has something to compare with."""
    size, base = _measured(request), state.base
    if base is None or limits.is_drop(base, size.tokens):
        base = size.tokens
    state = _sized(state, size, base=max(base, size.tokens))
    return _changed(state, doubted=None, request_at=request.written_at or state.request_at)


def _judge(state: DetectorState, request: Request, limits: Limits) -> Step:
    """Believe a size, or wait for the next one when another model tells it."""
    size, doubted = _measured(request), state.doubted
    if doubted is None:
        if state.base is None or size.model == state.model:
            return _compare(state, size, limits)
        return _changed(state, doubted=size), ()
    state = _changed(state, doubted=None)
    if size.model == state.model:
        return _compare(state, size, limits)
    state, causes = _compare(state, doubted, limits)
    state, more = _compare(state, size, limits)
    return state, causes + more


def _measured(request: Request) -> Measured:
    return Measured(request.line, request.offset, request.context_tokens, request.model)


def _compare(state: DetectorState, size: Measured, limits: Limits) -> Step:
    base = state.base
    if base is None or not limits.is_drop(base, size.tokens):
        return _sized(state, size, base=max(base or 0, size.tokens)), ()
    is_after_pause = state.is_after_pause
    state = _changed(_sized(state, size, base=size.tokens), is_checkpointed=False)
    if is_after_pause:
        return state, ()
    drop = Drop(line=size.line, offset=size.offset, before=base, after=size.tokens)
    state = _changed(state, last_drop=drop)
    if _is_cooling_down(state, limits):
        return _changed(state, put_off=state.put_off or drop), ()
    return _fire(state, _drop_cause(state, drop))


def _sized(state: DetectorState, size: Measured, *, base: int) -> DetectorState:
    return _changed(state, base=base, current=size.tokens, model=size.model, is_after_pause=False)


def _is_cooling_down(state: DetectorState, limits: Limits) -> bool:
    return state.full_turn is not None and state.turn - state.full_turn < limits.cooldown_turns


def _see_message(state: DetectorState, message: PersonMessage, limits: Limits) -> Step:
    if message.is_history or message.is_helper:
        return state, ()
    written_at, request_at = message.written_at, state.request_at
    is_after_pause = (
        written_at is not None and request_at is not None and written_at - request_at >= PAUSE_SECONDS
    )
    state = _changed(state, turn=state.turn + 1, requests=0, is_after_pause=is_after_pause)
    if state.put_off is not None and not _is_cooling_down(state, limits):
        return _fire(state, _drop_cause(state, state.put_off))
    turns = state.turn - (state.full_turn or 0)
    if 0 < limits.periodic_turns <= turns:
        return _fire(state, _cause(state, "periodic", message, f"{turns} turns since the last full snippet"))
    return state, ()


def _see_marker(state: DetectorState, marker: CompactionMarker, _limits: Limits) -> Step:
    if marker.is_helper:
        return state, ()
    if marker.is_history:
        return _forgotten(state), ()
    reason = f"compaction ({marker.trigger or 'marked'}) in the transcript"
    cause = Cause(
        id=f"marker:{marker.marker_id}",
        trigger="marker",
        turn=state.turn,
        reason=reason,
        line=marker.line,
        offset=marker.offset,
    )
    return _announce(state, cause, by="marker", at=marker.written_at)


def _see_cleared(state: DetectorState, cleared: ContextCleared, _limits: Limits) -> Step:
    if cleared.is_helper:
        return state, ()
    put_off = None if cleared.kind == "clear" else state.put_off
    return _changed(_forgotten(state), put_off=put_off), ()


def _see_session(state: DetectorState, started: SessionStarted, _limits: Limits) -> Step:
    if started.source == "compact":
        return _see_compacted_by(state, started.cause_id, by="session-hook", at=started.at)
    state = _changed(_forgotten(state), announced_by=(), announced_at=None, late_requests=0)
    reason = _SESSION_REASONS[started.source]
    return _fire(state, Cause(id=started.cause_id, trigger="session", turn=state.turn, reason=reason))


def _see_compacted(state: DetectorState, compacted: Compacted, _limits: Limits) -> Step:
    return _see_compacted_by(state, compacted.cause_id, by="compaction-hook", at=compacted.at)


def _see_compacted_by(state: DetectorState, cause_id: str, *, by: Announcer, at: float | None) -> Step:
    if _is_of_one_that_is_over(state, by, at):
        return _changed(state, closed_by=(*state.closed_by, by)), ()
    reason = "compaction announced by a hook"
    return _announce(
        state, Cause(id=cause_id, trigger="marker", turn=state.turn, reason=reason), by=by, at=at
    )


def _is_of_one_that_is_over(state: DetectorState, by: Announcer, at: float | None) -> bool:
    """The hook spoke before the request that ended that compaction, and is only heard after it."""
    is_early = at is not None and state.closed_at is not None and at < state.closed_at + ROUNDED_SECONDS
    return is_early and by not in state.closed_by


def _see_delivered(state: DetectorState, delivered: Delivered, _limits: Limits) -> Step:
    if delivered.task_digest is not None:
        state = _changed(state, told_task=delivered.task_digest, due_task=None)
    if delivered.is_full:
        state = _changed(state, full_turn=state.turn, requests=0, put_off=None, base=state.current)
    return state, ()


def _see_task(state: DetectorState, changed: TaskStateChanged, _limits: Limits) -> Step:
    if changed.digest == state.told_task:
        return _changed(state, due_task=None), ()
    if changed.digest == state.due_task:
        return state, ()
    cause_id = f"task-state:{state.turn}:{changed.digest}"
    cause = Cause(id=cause_id, trigger="task-state", turn=state.turn, reason=changed.reason)
    return _changed(state, due_task=changed.digest), (cause,)


def _see_asked(state: DetectorState, asked: Asked, _limits: Limits) -> Step:
    cause = Cause(id=asked.cause_id, trigger=asked.trigger, turn=state.turn, reason=asked.reason)
    return _fire(state, cause)


def _forgotten(state: DetectorState) -> DetectorState:
    """Sizes from before do not compare with those to come."""
    state = _changed(state, base=None, current=None, doubted=None, put_off=None, is_after_pause=False)
    return _changed(state, is_checkpointed=False)


def _announce(state: DetectorState, cause: Cause, *, by: Announcer, at: float | None) -> Step:
    state = _forgotten(state)
    if state.announced_by and by not in state.announced_by:
        return _changed(state, announced_by=(*state.announced_by, by)), ()
    return _fire(_changed(state, announced_by=(by,), announced_at=at, late_requests=0), cause)


def _fire(state: DetectorState, cause: Cause) -> Step:
    """The cause is due, unless it was before; its rebuild starts the cool-down."""
    if cause.id in state.fired:
        return state, ()
    fired = (*state.fired, cause.id)[-FIRED_LIMIT:]
    return _changed(state, fired=fired, full_turn=state.turn, requests=0, put_off=None), (cause,)


def _drop_cause(state: DetectorState, drop: Drop) -> Cause:
    return Cause(
        id=f"drop:{drop.offset}",
        trigger="drop",
        turn=state.turn,
        reason=drop.reason,
        line=drop.line,
        offset=drop.offset,
    )


def _cause(state: DetectorState, trigger: Trigger, event: Event, reason: str) -> Cause:
    return Cause(
        id=f"{trigger}:{event.offset}",
        trigger=trigger,
        turn=state.turn,
        reason=reason,
        line=event.line,
        offset=event.offset,
    )


_SESSION_REASONS: dict[SessionSource, str] = {
    "startup": "session started",
    "resume": "session resumed",
    "clear": "session cleared",
    "fork": "session forked",
}
_SEE: dict[type, Callable[[DetectorState, Any, Limits], Step]] = {
    Request: _see_request,
    PersonMessage: _see_message,
    CompactionMarker: _see_marker,
    ContextCleared: _see_cleared,
    SessionStarted: _see_session,
    Compacted: _see_compacted,
    Delivered: _see_delivered,
    TaskStateChanged: _see_task,
    Asked: _see_asked,
}
