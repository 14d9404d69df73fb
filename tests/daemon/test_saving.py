"""When the record of a session is written, and what becomes of it on a disk that takes nothing."""

from __future__ import annotations

from typing import Any

from agentinitd.daemon.following import Followed
from agentinitd.daemon.saving import SAVE_SECONDS


def test_what_is_not_urgent_waits_a_little(rig: Any, followed: Followed, transcript: Any) -> None:
    transcript.turn(1000)
    rig.read(followed)
    assert rig.saved(followed) is None
    rig.now += SAVE_SECONDS + 1

    rig.read(followed)

    assert rig.saved(followed).detector.turn == 1


def test_a_clock_that_was_set_back_does_not_put_it_off(rig: Any, followed: Followed, transcript: Any) -> None:
    """CLK-3."""
    transcript.turn(1000)
    rig.now -= 24 * 3600

    rig.read(followed)

    assert rig.saved(followed).detector.turn == 1


def test_a_disk_that_takes_nothing_is_said_and_tried_again(
    rig: Any, followed: Followed, transcript: Any
) -> None:
    rig.sessions_dir.rmdir()
    transcript.turn(150_000)
    transcript.compacts()
    rig.read(followed)
    assert [cause.trigger for cause in followed.record.delivery.due] == ["marker"]
    assert followed.saving.unsaved
    assert len(rig.told("disk.full")) == 1
    rig.sessions_dir.mkdir()
    rig.now += SAVE_SECONDS + 1

    rig.read(followed)

    assert not followed.saving.unsaved
    assert [cause.trigger for cause in rig.saved(followed).delivery.due] == ["marker"]


def test_one_that_leaves_memory_is_written_if_it_has_news(
    rig: Any, followed: Followed, transcript: Any
) -> None:
    followed.save_now()
    assert rig.saved(followed) is None
    transcript.turn(1000)
    rig.read(followed)

    followed.save_now()

    assert rig.saved(followed).offset == transcript.transcript.stat().st_size
    assert not (followed.saving.is_dirty or followed.saving.is_due)
