"""Bytes shown to somebody who approves them: nothing left out, nothing a terminal would act on or hide."""

from __future__ import annotations

import re

_PLAIN = "\t -~"
_LOOKED_AT = re.compile(f"[^{_PLAIN}]")
# What Python calls printable and a terminal shows as nothing, or as a space.
_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),  # empty braille
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),
        (0x1D159, 0x1D159),
        (0xE0000, 0xE0FFF),  # tags, and more selectors
    )
    for code in range(first, last + 1)
)


def lines_of(data: bytes) -> list[str]:
    """The lines, cut at `\\n` alone; no two inputs give the same ones.  For the eye each needs `visible`."""
    return data.decode("utf-8", "surrogateescape").split("\n")


def visible(text: str) -> str:
    """`text` with each control, format or invisible character, and each byte outside UTF-8, as an escape.

    `\\x1b` is a byte, `\\u202e` a character.
    """
    return _LOOKED_AT.sub(lambda match: _escape(match[0]) if _is_hidden(match[0]) else match[0], text)


def count_hidden(text: str) -> int:
    """How many characters `visible` shows as escapes."""
    return sum(map(_is_hidden, _LOOKED_AT.findall(text)))


def _is_hidden(letter: str) -> bool:
    return not letter.isprintable() or letter in _BLANK


def _escape(letter: str) -> str:
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    elif code > 0xFFFF:
        return f"\\U{code:08x}"
    elif code >= 0x80:
        return f"\\u{code:04x}"
    return f"\\x{code:02x}"
