"""One giant JSON line, squeezed while it streams: long strings are cut, the shape of the record survives.

A picture inside a record makes a line of twenty megabytes; its type, its usage and its id are a few
hundred bytes around one string.
"""

from __future__ import annotations

import re

# Text of a person is worth keeping; but not when a line brings string after string.
ROOMY_STRING_BYTES = 64 * 1024
TIGHT_STRING_BYTES = 256
ROOMY_UNTIL_BYTES = 512 * 1024
KEPT_LIMIT_BYTES = 4 * 1024 * 1024

# Strings that are kept whatever room there is, with what stands between them: all in one step.
_SHORT_STRINGS = re.compile(rb'(?:[^"]*+"[^"\\]{0,200}+")*+')
_UP_TO_QUOTE = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_NUL_RUN = re.compile(rb"\0{2,}")
_QUOTE = ord('"')
_BACKSLASH = ord("\\")


class LongLine:
    """Takes the line piece by piece; the result does not depend on where the pieces were cut."""

    def __init__(self) -> None:
        self.size = 0
        """Bytes of the line as it stands in the file."""
        self.kept = bytearray()
        self.is_too_long = False
        self._is_in_string = False
        self._is_escaped = False
        """The next byte of the string belongs to a backslash before it."""
        self._room = 0
        self._is_cut = False

    def feed(self, piece: bytes) -> None:
        self.size += len(piece)
        at = 0
        while at < len(piece) and not self.is_too_long:
            at = self._inside_string(piece, at) if self._is_in_string else self._up_to_string(piece, at)
            if len(self.kept) > KEPT_LIMIT_BYTES:
                self.is_too_long = True
                self.kept = bytearray()

    def _up_to_string(self, piece: bytes, at: int) -> int:
        if (short := _SHORT_STRINGS.match(piece, at)) and b"\0" not in short[0]:
            self.kept += short[0]
            at = short.end()
        quote = piece.find(b'"', at)
        end = len(piece) if quote < 0 else quote + 1
        shape = piece[at:end]
        if b"\0" in shape:
            if self.kept.endswith(b"\0"):
                shape = shape.lstrip(b"\0")
            shape = _NUL_RUN.sub(b"\0", shape)
        self.kept += shape
        if quote >= 0:
            self._is_in_string, self._is_cut = True, False
            is_roomy = len(self.kept) < ROOMY_UNTIL_BYTES
            self._room = ROOMY_STRING_BYTES if is_roomy else TIGHT_STRING_BYTES
        return end

    def _inside_string(self, piece: bytes, at: int) -> int:
        closing = self._closing_quote(piece, at)
        end = len(piece) if closing < 0 else closing
        text = piece[at : min(end, at + self._room)]
        self.kept += text
        self._room -= len(text)
        if len(text) < end - at:
            self._is_cut = True
        if closing < 0:
            return end
        if self._is_cut:
            self._mend_cut()
        self.kept.append(_QUOTE)
        self._is_in_string = False
        return closing + 1

    def _closing_quote(self, piece: bytes, at: int) -> int:
        """Index of the quote that ends the string, or -1 when it is not in this piece."""
        at += self._is_escaped
        self._is_escaped = False
        quote = piece.find(b'"', at)
        if piece.find(b"\\", at, quote if quote >= 0 else len(piece)) < 0:
            return quote
        rest = _UP_TO_QUOTE.match(piece, at)
        end = rest.end() if rest else len(piece)
        if end < len(piece) and piece[end] == _QUOTE:
            return end
        self._is_escaped = end < len(piece)
        return -1

    def _mend_cut(self) -> None:
        """Leave neither half an escape nor half a character at the cut."""
        for _ in range(3):
            if self.kept[-1] & 0xC0 == 0x80:
                self.kept.pop()
        if self.kept[-1] >= 0xC0:
            self.kept.pop()
        escape = self.kept.find(b"\\", len(self.kept) - 6)
        if escape < 0:
            return
        while self.kept[escape - 1] == _BACKSLASH:
            escape -= 1
        del self.kept[escape:]
