"""What the log says of one session: what became due, what came of a hand-out, how a reply was judged."""

from __future__ import annotations

from agentinitd.daemon.logs import RebuildLog
from agentinitd.model.causes import Cause
from agentinitd.sessions.delivery import Handout
from agentinitd.sessions.record import LastReply, SessionRecord


def log_trigger(log: RebuildLog, record: SessionRecord, cause: Cause, *, lag_seconds: float | None) -> None:
    """`lag_seconds`: from when the agent wrote it down to when it was found; None: that says nothing."""
    log.info(
        "trigger",
        session=record.session_id,
        project=record.project,
        trigger=cause.trigger,
        cause=cause.id,
        runlevel=cause.runlevel,
        reason=cause.reason,
        turn=cause.turn,
        offset=cause.offset,
        catchup=cause.is_catchup,
        detect_lag_ms=None if lag_seconds is None else round(max(0.0, lag_seconds) * 1000, 1),
    )


def log_delivery(log: RebuildLog, record: SessionRecord, handout: Handout, *, has_arrived: bool) -> None:
    log.info(
        "delivery",
        session=record.session_id,
        project=record.project,
        result="arrived" if has_arrived else "put back",
        runlevel=handout.runlevel,
        hook=handout.event,
        token=handout.token,
        snippet=handout.snippet_id,
        causes=[cause.id for cause in handout.causes],
    )


def log_reply(log: RebuildLog, record: SessionRecord, reply: LastReply) -> None:
    log.info(
        "reply",
        session=record.session_id,
        project=record.project,
        verdict=reply.verdict,
        broken=reply.broken,
    )


def log_refused(log: RebuildLog, record: SessionRecord, error: str) -> None:
    """The memory took nothing, or not all of it."""
    log.warning("memory.refused", session=record.session_id, project=record.project, error=error)


class MemoryTrouble:
    """What goes wrong with the memory of one session, told once."""

    def __init__(self, log: RebuildLog) -> None:
        self._log = log
        self._trouble = ""
        self._left_out = 0

    def tell(self, record: SessionRecord, *, trouble: str, left_out: int) -> None:
        """`trouble`: as it is now.  `left_out`: so much found no room so far."""
        if trouble and trouble != self._trouble:
            log_refused(self._log, record, trouble)
        if left_out > self._left_out:
            names = {"session": record.session_id, "project": record.project}
            self._log.warning("memory.full", **names, left_out=left_out)
        self._trouble, self._left_out = trouble, left_out
