"""One session of Goose in its database: messages added, put in anew or cut off, and the account of requests.

At a compaction older releases delete all messages of a session and insert them again, so that every row gets
a new id; what was told is then known by what it says.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from agentinitd.model.events import Event
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.goose_events import KNOWN_MESSAGES, Memory, Teller, Usage
from agentinitd.transcripts.goose_records import Message
from agentinitd.transcripts.goose_rows import GooseRows, Session

PAGE = 64
USAGE_BITS = 32
"""`Seen.size` is the newest message's row id, then so many bits for the newest row of the account."""


class GooseReader:
    def __init__(
        self,
        session_id: str,
        checkpoint: Mapping[str, Any] | None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
    ) -> None:
        self.has_more = False
        self.wait_seconds: float | None = None
        self._session_id = session_id
        self._start = start
        self._is_detailed = is_detailed
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
        return self._memory.records

    def checkpoint(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self._memory)
        return found

    def read(self, store: sqlite3.Connection, max_bytes: int, *, is_last: bool) -> list[Event]:  # noqa: ARG002
        """A row is whole as soon as it is there, so that `is_last` makes no difference."""
        self.has_more = False
        rows = GooseRows(store, self._session_id)
        session = rows.session()
        if session is None:
            if not self._memory.is_begun:
                self._start = "top"
            return []
        before = self._memory
        self._memory = msgspec.convert(msgspec.to_builtins(before), Memory)
        try:
            return self._read(rows, session, max_bytes)
        except BaseException:
            self._memory, self.has_more = before, False
            raise

    def _read(self, rows: GooseRows, session: Session, max_bytes: int) -> list[Event]:
        memory = self._memory
        teller = Teller(
            memory,
            is_helper=session.is_helper,
            copied_until=session.created_at,
            window_tokens=session.window_tokens,
            is_detailed=self._is_detailed,
        )
        teller.session(self._session_id, session.cwd)
        if not memory.is_begun and self._start != "top":
            self._take_up(rows, session, teller)
        else:
            self._look_back(rows, teller)
        memory.is_begun = True
        self._go_on(rows, teller, max_bytes)
        if not self.has_more:
            memory.is_rereading = False
            self._read_totals(rows, session, teller)
        teller.settle()
        memory.kept = rows.count(memory.message_id)
        return teller.events

    def _take_up(self, rows: GooseRows, session: Session, teller: Teller) -> None:
        """Stands behind what was there when the session was first seen; tells the last request of it."""
        memory = self._memory
        last_message, last_usage = rows.last_ids()
        if isinstance(self._start, int):
            first_seen = divmod(self._start, 1 << USAGE_BITS)
            is_replaced = 0 < first_seen[0] < rows.first_id()
            last_message = last_message if is_replaced else min(last_message, first_seen[0])
            last_usage = min(last_usage, first_seen[1])
        self._start = "top"
        memory.message_id, memory.usage_id = last_message, last_usage
        memory.line = memory.records = rows.count(last_message)
        memory.known = _known(rows, last_message)
        usage = rows.last_request(last_usage) or self._totals(rows, session)
        if usage is not None:
            teller.is_known = True
            teller.usage(usage)
            teller.is_known = False

    def _look_back(self, rows: GooseRows, teller: Teller) -> None:
        """Rows that are gone: all of them put in anew, or the end of the conversation taken back."""
        memory = self._memory
        kept = rows.count(memory.message_id)
        if kept >= memory.kept:
            return
        if kept:
            memory.known = _known(rows, memory.message_id)
            teller.cleared("rewind")
            return
        memory.message_id = 0
        memory.is_rereading = True
        missing = set(memory.known)
        is_begun_as_told: bool | None = None
        for message in rows.messages():
            if is_begun_as_told is None:
                is_begun_as_told = teller.was_told(message)
            missing.discard(message.fingerprint)
        if is_begun_as_told is None:
            teller.cleared("clear")
        elif missing and is_begun_as_told:
            # With a new beginning it is a summary: releases without marks are known by the drop alone.
            teller.cleared("rewind")

    def _go_on(self, rows: GooseRows, teller: Teller, max_bytes: int) -> None:
        memory = self._memory
        memory.is_last_sent = rows.is_last_sent(memory.message_id) if memory.message_id else True
        account = Account(rows.usage(memory.usage_id))
        size = 0
        while True:
            page = rows.after(memory.message_id, PAGE)
            for row in page:
                if size >= max_bytes:
                    self.has_more = True
                    return
                self._tell_usage(account, teller, before=row.message)
                memory.message_id = row.id
                size += row.size
                if row.message is None:
                    teller.unreadable(f"message {row.id}")
                else:
                    teller.message(row.message)
            if len(page) < PAGE:
                break
        self._tell_usage(account, teller, before=None)

    def _tell_usage(self, account: Account, teller: Teller, *, before: Message | None) -> None:
        """Requests made before this message, or all that are left; the clock of both goes by seconds."""
        while account.next is not None and (before is None or _is_before(account.next[1], before)):
            self._memory.usage_id, usage = account.next
            account.take()
            teller.usage(usage)

    def _read_totals(self, rows: GooseRows, session: Session, teller: Teller) -> None:
        """Without an account only the last request is known, from the session itself."""
        memory = self._memory
        if rows.has_usage:
            return
        totals = (session.total_tokens, session.accumulated_tokens)
        if totals == memory.totals:
            return
        usage = self._totals(rows, session)
        memory.totals = totals
        if usage is not None:
            teller.usage(usage)

    def _totals(self, rows: GooseRows, session: Session) -> Usage | None:
        self._memory.totals = (session.total_tokens, session.accumulated_tokens)
        # After a compaction there is no output: the size is a guess of Goose until the model answers.
        if rows.has_usage or session.total_tokens is None or session.output_tokens is None:
            return None
        return Usage(
            id=f"{self._session_id}:{session.accumulated_tokens or rows.last_ids()[0]}",
            written_at=None,
            model=session.model,
            context_tokens=session.total_tokens,
            output_tokens=session.output_tokens,
        )


class Account:
    """The requests that are not told yet, the next one in sight."""

    def __init__(self, rows: Iterator[tuple[int, Usage]]) -> None:
        self._rows = rows
        self.next = next(rows, None)

    def take(self) -> None:
        self.next = next(self._rows, None)


def _known(rows: GooseRows, until_id: int) -> dict[str, float]:
    last = [row.message for row in rows.last(until_id, KNOWN_MESSAGES)]
    return {message.fingerprint: message.created_at for message in last if message is not None}


def _is_before(usage: Usage, message: Message) -> bool:
    at = usage.written_at or 0.0
    is_answer = message.role == "assistant" or not message.is_shown
    return at < message.created_at or (at == message.created_at and is_answer)
