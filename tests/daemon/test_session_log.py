"""What the log says of a session, under names that programs read."""

from __future__ import annotations

from typing import Any

import pytest

from agentinitd.daemon.session_log import MemoryTrouble, log_trigger
from agentinitd.model.causes import Cause
from agentinitd.sessions.record import SessionRecord

RECORD = SessionRecord(key="k", agent="claude-code", session_ids=("s",), project="/p")
CAUSE = Cause(id="drop:7", trigger="drop", turn=3, reason="fell", offset=7)


@pytest.mark.parametrize(("lag_seconds", "told"), [(None, None), (-5.0, 0.0), (0.01234, 12.3)])
def test_how_late_a_cause_was_found_is_told_where_that_can_be_known(
    rig: Any, lag_seconds: float | None, told: float | None
) -> None:
    """Clocks disagree: none is found before it was written."""
    log_trigger(rig.log, RECORD, CAUSE, lag_seconds=lag_seconds)

    [line] = rig.told("trigger")
    assert line["detect_lag_ms"] == told
    assert (line["session"], line["trigger"], line["cause"], line["runlevel"]) == (
        "s",
        "drop",
        "drop:7",
        "compact",
    )


def test_trouble_with_the_memory_is_told_when_it_begins_and_again_when_it_is_another(rig: Any) -> None:
    told = MemoryTrouble(rig.log)
    for trouble, left_out in (("", 0), ("locked", 0), ("locked", 3), ("", 3), ("locked", 4), ("full", 4)):
        told.tell(RECORD, trouble=trouble, left_out=left_out)

    assert [line["error"] for line in rig.told("memory.refused")] == ["locked", "locked", "full"]
    assert [line["left_out"] for line in rig.told("memory.full")] == [3, 4]
