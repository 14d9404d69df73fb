"""What a daemon knew is known to the next one, whenever it was killed: restarts over the same files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from agentinitd.daemon.desk import HookDesk
from agentinitd.daemon.following import Followed
from agentinitd.daemon.receipts import CLIENT_SECONDS, Receipts
from agentinitd.sessions import delivery
from agentinitd.sessions.delivery import Handout

TOKEN = "0123456789abcdef"


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    folder = tmp_path / "receipts"
    folder.mkdir()
    return folder


def restarted(rig: Any, transcript: Any, receipts: Path) -> Followed:
    """The session as the next daemon takes it up."""
    roster = rig.roster()
    desk = HookDesk(cast(Any, None), receipts=Receipts(receipts), now=lambda: rig.now)
    roster.when_taken_up(desk.take_up)
    followed, _ = roster.of_transcript("claude-code", str(transcript.transcript))
    return cast(Followed, followed)


def saved(followed: Followed) -> Followed:
    asyncio.run(followed.save())
    return followed


def due(followed: Followed) -> list[str]:
    return [cause.trigger for cause in followed.record.delivery.due]


def delivered(followed: Followed) -> list[str]:
    return [each.handout.token for each in followed.record.delivery.delivered]


@pytest.fixture
def handed_out(rig: Any, transcript: Any, receipts: Path) -> None:
    """A daemon that wrote down that a snippet is on its way, and was killed."""
    transcript.turn(1000)
    followed = restarted(rig, transcript, receipts)
    followed.find_running(at=rig.now)
    handout = Handout(
        token=TOKEN,
        causes=followed.record.delivery.due,
        runlevel="session",
        snippet_id="s-1",
        event="UserPromptSubmit",
        handed_at=rig.now,
    )
    followed.change_delivery(delivery.hand_out(followed.record.delivery, handout))
    saved(followed)


def test_what_became_due_is_on_disk_before_anything_else_happens(
    rig: Any, transcript: Any, receipts: Path
) -> None:
    transcript.turn(1000)
    followed = restarted(rig, transcript, receipts)
    followed.find_running(at=rig.now)
    asyncio.run(followed.catch_up())

    assert due(restarted(rig, transcript, receipts)) == ["session"]


@pytest.mark.usefixtures("handed_out")
class TestAfterTheHandOut:
    def test_what_no_client_printed_is_due_again_and_none_can_print_it_any_more(
        self, rig: Any, transcript: Any, receipts: Path
    ) -> None:
        followed = restarted(rig, transcript, receipts)

        assert (due(followed), delivered(followed)) == (["session"], [])
        assert (receipts / TOKEN).is_symlink()

    def test_what_a_client_printed_meanwhile_has_arrived(
        self, rig: Any, transcript: Any, receipts: Path
    ) -> None:
        (receipts / TOKEN).touch(0o400)

        followed = restarted(rig, transcript, receipts)

        assert (due(followed), delivered(followed)) == ([], [TOKEN])

    @pytest.mark.parametrize("is_printed", [True, False])
    def test_a_daemon_killed_before_it_wrote_down_what_it_found_does_not_mislead_the_next(
        self, rig: Any, transcript: Any, receipts: Path, *, is_printed: bool
    ) -> None:
        if is_printed:
            (receipts / TOKEN).touch(0o400)

        found = [restarted(rig, transcript, receipts) for _ in range(3)]

        assert [delivered(each) for each in found] == [[TOKEN] if is_printed else []] * 3

    def test_once_it_is_written_down_it_is_told_no_more_and_its_receipt_goes(
        self, rig: Any, transcript: Any, receipts: Path
    ) -> None:
        (receipts / TOKEN).touch(0o400)
        saved(restarted(rig, transcript, receipts))

        followed = restarted(rig, transcript, receipts)

        assert delivered(followed) == [TOKEN]
        assert [record["result"] for record in rig.told("delivery")] == ["arrived"]
        assert list(receipts.iterdir()) == []

    def test_one_that_is_being_printed_just_now_waits_until_it_is(
        self, rig: Any, transcript: Any, receipts: Path
    ) -> None:
        (receipts / TOKEN).touch(0o600)

        followed = restarted(rig, transcript, receipts)
        assert (due(followed), delivered(followed)) == ([], [])

        (receipts / TOKEN).chmod(0o400)
        assert delivered(restarted(rig, transcript, receipts)) == [TOKEN]

    def test_one_whose_client_died_while_it_printed_is_due_again_after_a_while(
        self, rig: Any, transcript: Any, receipts: Path
    ) -> None:
        (receipts / TOKEN).touch(0o600)
        rig.now += CLIENT_SECONDS + 1

        assert due(restarted(rig, transcript, receipts)) == ["session"]
