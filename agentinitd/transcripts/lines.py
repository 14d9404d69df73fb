"""Blocks of bytes → whole lines, split on `\\n` only.  Memory is bounded whatever the length of a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agentinitd.transcripts.long_line import LongLine

LONG_LINE_BYTES = 256 * 1024


class Batch(NamedTuple):
    """Lines that follow each other in the file."""

    offset: int
    text: bytes
    """The lines with the newlines between them, without the last one's: `text.split(b"\\n")`."""
    is_too_long: bool = False
    """The one line here has so much structure that even squeezed it is not worth its memory: it is empty."""


class Lines:
    """Cuts a stream into lines; the result is the same wherever the blocks were cut."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        """First byte that was not yet handed out as part of a line."""
        self._carry = bytearray()
        self._long: LongLine | None = None

    def feed(self, block: bytes) -> Iterator[Batch]:
        """Every whole line up to the end of `block`.  To be exhausted before anything else is asked."""
        start = 0
        if self._carry or self._long is not None:
            start = block.find(b"\n") + 1
            if not start:
                self._keep(block)
                return
            self._keep(block[: start - 1])
            yield self._carried(newline=1)
        end = block.rfind(b"\n")
        if end >= start:
            yield from self._whole(block[start:end])
            start = end + 1
        self._keep(block[start:])

    def rest(self) -> bytes:
        """The torn last line, as far as it is known."""
        if self._long is not None:
            return bytes(self._long.kept)
        return bytes(self._carry)

    def take_rest(self) -> None:
        """The torn last line was read after all."""
        if self._carry or self._long is not None:
            self._carried(newline=0)

    def _keep(self, piece: bytes) -> None:
        if self._long is not None:
            self._long.feed(piece)
            return
        self._carry += piece
        if len(self._carry) > LONG_LINE_BYTES:
            self._long = LongLine()
            self._long.feed(bytes(self._carry))
            self._carry = bytearray()

    def _carried(self, *, newline: int) -> Batch:
        if self._long is not None:
            batch, size = _squeezed(self.offset, self._long), self._long.size
        else:
            batch, size = Batch(self.offset, bytes(self._carry)), len(self._carry)
        self.offset += size + newline
        self._carry = bytearray()
        self._long = None
        return batch

    def _whole(self, text: bytes) -> Iterator[Batch]:
        if len(text) <= LONG_LINE_BYTES:
            yield Batch(self.offset, text)
            self.offset += len(text) + 1
            return
        # Squeezed here as well: a long line has to read the same whether or not it came in one block.
        for line in text.split(b"\n"):
            if len(line) > LONG_LINE_BYTES:
                long = LongLine()
                long.feed(line)
                yield _squeezed(self.offset, long)
            else:
                yield Batch(self.offset, line)
            self.offset += len(line) + 1


def _squeezed(offset: int, long: LongLine) -> Batch:
    if long.is_too_long:
        return Batch(offset, b"", is_too_long=True)
    return Batch(offset, bytes(long.kept))
