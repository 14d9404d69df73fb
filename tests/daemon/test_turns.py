"""A lock is wanted from when the first asks for it until the last has let it go."""

from __future__ import annotations

import asyncio
import contextlib

from agentinitd.daemon.turns import Turns


def test_between_two_who_take_turns_nobody_holds_it_and_it_is_wanted() -> None:
    async def meanwhile() -> list[tuple[bool, bool]]:
        turns = Turns()
        seen = [(turns.locked(), turns.is_wanted)]
        await turns.acquire()
        other = asyncio.create_task(turns.acquire())
        await asyncio.sleep(0)
        turns.release()
        seen.append((turns.locked(), turns.is_wanted))
        await other
        turns.release()
        return [*seen, (turns.locked(), turns.is_wanted)]

    assert asyncio.run(meanwhile()) == [(False, False), (False, True), (False, False)]


def test_who_was_called_off_while_waiting_wants_it_no_more() -> None:
    async def meanwhile() -> bool:
        turns = Turns()
        async with turns:
            other = asyncio.create_task(turns.acquire())
            await asyncio.sleep(0)
            other.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await other
        return turns.is_wanted

    assert not asyncio.run(meanwhile())
