"""What is done for one session or folder of many: trouble with it is told, and costs the others nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

Complain = Callable[[str, Exception], None]


async def tried(doing: str, deed: Awaitable[None], complain: Complain) -> None:
    """Waits for the deed; what it raises is told as met while `doing`."""
    try:
        await deed
    except Exception as error:
        complain(doing, error)
