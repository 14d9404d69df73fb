"""One session of OpenCode, read message by message: what is new, what still changes, what is gone.

A message is told piece by piece while its row is rewritten.  What was told is remembered by id, for the last
messages and those that are not finished; so an interrupted read, a database that vanishes for a while, or
rows that come late, change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.opencode_events import Entry, Memory, Teller
from agentinitd.transcripts.opencode_rows import Found, Place, Store

PAGE = 32
WINDOW = 64
"""So many of the last messages are looked over for those that are gone or came late."""
TAKE_UP = 64
"""So many are read where a session is taken up at its end."""
OPEN_LIMIT = 8
"""A message that was never finished, because the agent died, is given up when as many newer ones are open."""
_ALL = 2**62


class OpenCodeReader:
    """`open_store` gives the session's messages out of whatever is handed to `read`."""

    def __init__(
        self,
        open_store: Callable[[Any], Store | None],
        checkpoint: Mapping[str, Any] | None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
        wall: Callable[[], float],
    ) -> None:
        self.has_more = False
        self.wait_seconds: float | None = None
        self._open_store = open_store
        self._start = start
        self._is_detailed = is_detailed
        self._wall = wall
        self._memory = Memory()
        if checkpoint is not None:
            self._start = "top"
            self._remember(checkpoint)

    def _remember(self, checkpoint: Mapping[str, Any]) -> None:
        try:
            self._memory = msgspec.convert(dict(checkpoint), Memory)
        except msgspec.ValidationError:
            # Written by another version: what stands there was told, or is not worth telling twice.
            self._start = "end"

    @property
    def offset(self) -> int:
        return self._memory.line

    def checkpoint(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self._memory)
        return found

    def read(self, source: Any, max_bytes: int, *, is_last: bool) -> list[Event]:
        self.has_more, self.wait_seconds = False, None
        store = self._open_store(source)
        if store is None:
            if not self._memory.layout:
                # All that a session holds that is not there yet will be new.
                self._start = "top"
            return []
        before = self._memory
        self._memory = msgspec.convert(msgspec.to_builtins(before), Memory)
        try:
            return self._read(store, max_bytes, is_last=is_last)
        except BaseException:
            self._memory, self.has_more, self.wait_seconds = before, False, None
            raise

    def _read(self, store: Store, max_bytes: int, *, is_last: bool) -> list[Event]:
        known_until = self._take_up(store)
        teller = self._teller(store, known_until or 0, is_last=is_last)
        teller.session(store.session.id, store.session.cwd, store.session.version)
        if known_until is None:
            self._look_back(store, teller)
        self._go_on(store, teller, _ALL if known_until is not None else max_bytes)
        self.wait_seconds = teller.wait_seconds
        return teller.events if known_until is None else _told(teller.events)

    def _teller(self, store: Store, known_until: int, *, is_last: bool) -> Teller:
        return Teller(
            self._memory,
            is_helper=store.session.is_helper,
            copied_until_ms=store.session.created_ms,
            known_until_ms=known_until,
            now_ms=self._wall() * 1000,
            is_last=is_last,
            is_detailed=self._is_detailed,
        )

    def _take_up(self, store: Store) -> int | None:
        """Until when all is known, where reading begins near the end; None where it goes on."""
        memory, start = self._memory, self._start
        is_moved = memory.layout not in ("", store.layout)
        is_new, memory.layout = not memory.layout, store.layout
        if not is_moved and (not is_new or start == "top"):
            return None
        self._start = "top"
        places = store.recent(TAKE_UP + 1)
        memory.place, memory.recent, memory.open = None, {}, {}
        memory.line = 0
        if len(places) > TAKE_UP:
            memory.place = places[-1]
            memory.line = store.count_before(places[-1]) + 1
        if is_moved:
            return memory.newest_ms
        return start if isinstance(start, int) else _ALL

    def _look_back(self, store: Store, teller: Teller) -> None:
        """What is gone, what came late, and what was not finished."""
        memory = self._memory
        if memory.place is None:
            return
        window = store.recent(WINDOW)
        is_all = len(window) < WINDOW
        if self._mark_gone(set(window), None if is_all else window[-1]):
            teller.rewound()
        late = self._late(window)
        for found in store.by_id([*late, *memory.open]):
            entry = memory.open.pop(found.id, None) or self._new_entry()
            self._tell(store, teller, found, entry, has_later=found.place < window[0])

    def _mark_gone(self, there: set[Place], oldest: Place | None) -> bool:
        """Whether a turn or a request is not there any more that was told."""
        memory = self._memory
        is_smaller = False
        for message_id, (key, is_turn, was_gone) in memory.recent.items():
            place = (key, message_id)
            is_gone = place not in there and (oldest is None or place >= oldest)
            if is_gone != was_gone:
                memory.recent[message_id] = (key, is_turn, is_gone)
                is_smaller = is_smaller or (is_gone and is_turn)
            if is_gone:
                memory.open.pop(message_id, None)
        return is_smaller

    def _late(self, window: list[Place]) -> list[str]:
        """Messages that stand before the newest one told, and were not there then."""
        memory = self._memory
        if memory.place is None or not memory.recent:
            return []
        oldest = min((key, message_id) for message_id, (key, _, _) in memory.recent.items())
        # In an empty window nothing can be older than what is remembered.
        return [
            place[1] for place in window if oldest <= place <= memory.place and place[1] not in memory.recent
        ]

    def _go_on(self, store: Store, teller: Teller, max_bytes: int) -> None:
        memory = self._memory
        size = 0
        while True:
            page = store.after(memory.place, PAGE)
            for at, found in enumerate(page):
                if size >= max_bytes:
                    self.has_more = True
                    return
                memory.place = max(memory.place or found.place, found.place)
                if found.id not in memory.recent:
                    has_later = at + 1 < len(page) or len(page) == PAGE
                    size += self._tell(store, teller, found, self._new_entry(), has_later=has_later)
            if len(page) < PAGE:
                return

    def _new_entry(self) -> Entry:
        self._memory.line += 1
        return Entry(self._memory.line)

    def _tell(self, store: Store, teller: Teller, found: Found, entry: Entry, *, has_later: bool) -> int:
        """Tells what is new in this message; the number of bytes that were looked at."""
        memory, message = self._memory, found.message
        size = found.size
        if message is None:
            is_done = teller.unreadable(found.problem, entry, found.touched_ms, is_torn=found.is_torn)
        else:
            parts = store.parts(found.id)
            size += sum(len(part.text) + len(part.input_json) for _, part in parts if part is not None)
            is_done = teller.tell(message, parts, entry, found.touched_ms, has_later=has_later)
        memory.recent[found.id] = (found.place[0], entry.is_turn, False)
        if len(memory.recent) >= 2 * WINDOW:
            # Those that stand first go, not those told first: what stands behind is all remembered.
            places = sorted((key, message_id) for message_id, (key, _, _) in memory.recent.items())
            memory.recent = {message_id: memory.recent[message_id] for _, message_id in places[-WINDOW:]}
        if not is_done:
            memory.open[found.id] = entry
            if len(memory.open) > OPEN_LIMIT:
                del memory.open[next(iter(memory.open))]
        return size


def _told(events: list[Event]) -> list[Event]:
    """Of what was there before: names, the last request, and what made the context smaller since."""
    old = [event for event in events if event.is_history]
    requests = [at for at, event in enumerate(old) if isinstance(event, Request)][-1:]
    since = old[requests[0] :] if requests else old
    return [
        *(event for event in events if isinstance(event, SessionSeen)),
        *(event for event in since if isinstance(event, Request | CompactionMarker | ContextCleared)),
        *(event for event in events if not event.is_history and not isinstance(event, SessionSeen)),
    ]
