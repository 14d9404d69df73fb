"""What a script wrote, as clean text: bytes in, text and counts out (OUT-3 to 6)."""

from __future__ import annotations

import re
from dataclasses import dataclass

PROBE_BYTES = 4 * 1024
BINARY_SHARE = 0.3
LONGEST_LINE_BYTES = 64 * 1024

_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in b"\t\n\r\x1b") + b"\x7f"
_TERMINAL = re.compile(
    r"\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b\n]*(?:\x1b\\)?"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    r"|\x1b[ -/]*[0-~]?"
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but for tab and newline
    "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # zero width, direction overrides
    "\xad\U00013430-\U0001343f\U0001bca0-\U0001bca3"  # marks that only break or join what is around them
    "\u034f\u180b-\u180f\ufe00-\ufe0f\ufff9-\ufffb"  # joiners, variation selectors, annotation marks
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"  # tags and selectors: text nobody sees
)
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanText:
    """`text` ends in a newline unless empty."""

    text: str
    removed: int = 0
    """Characters that were taken out or could not be decoded."""
    is_truncated: bool = False


def is_binary(data: bytes) -> bool:
    """More than 30 % of the first 4 KiB is invalid as UTF-8, or control bytes."""
    probe = data[:PROBE_BYTES]
    if not probe:
        return False
    if len(data) > PROBE_BYTES:
        probe = _whole_characters(probe)
    text = probe.decode("utf-8", "surrogateescape")
    invalid = sum("\udc80" <= letter <= "\udcff" for letter in text)
    control = len(probe) - len(probe.translate(None, _CONTROL_BYTES))
    return invalid + control > BINARY_SHARE * len(probe)


def clean(data: bytes) -> CleanText:
    """Text without anything that a terminal obeys or a reader cannot see."""
    text = b"\n".join(_bounded(line) for line in data.split(b"\n")).decode("utf-8", "replace")
    invalid = max(text.count("\ufffd") - data.count(b"\xef\xbf\xbd"), 0)
    text = _LINE_ENDS.sub("\n", text)
    text, sequences = _TERMINAL.subn("", text)
    text, unseen = _UNSEEN.subn("", text)
    if text and not text.endswith("\n"):
        text += "\n"
    return CleanText(text=text, removed=invalid + sequences + unseen)


def clean_bounded(data: bytes, *, limit_bytes: int, total_bytes: int) -> CleanText:
    """`clean`, and at most `limit_bytes` of it, cut at a line end, with one line that tells what was cut.

    `data` is the first part of `total_bytes`.
    """
    is_part = total_bytes > len(data)
    found = clean(_up_to_line_end(data) if is_part else data)
    encoded = found.text.encode("utf-8")
    if not is_part and len(encoded) <= limit_bytes:
        return found
    kept = encoded if len(encoded) <= limit_bytes else _up_to_line_end(encoded[:limit_bytes])
    text = kept.decode("utf-8")
    text = text if text.endswith("\n") or not text else text + "\n"
    note = f"[cut: {len(kept):,} of {total_bytes:,} bytes kept]\n"
    return CleanText(text=text + note, removed=found.removed, is_truncated=True)


def _bounded(line: bytes) -> bytes:
    if len(line) <= LONGEST_LINE_BYTES:
        return line
    return _whole_characters(line[:LONGEST_LINE_BYTES]) + " […]".encode()


def _up_to_line_end(data: bytes) -> bytes:
    """Without its last, unfinished line; a single line without an end is kept as far as it goes."""
    end = data.rfind(b"\n")
    return data[: end + 1] if end >= 0 else _whole_characters(data)


def _whole_characters(data: bytes) -> bytes:
    """Without the first bytes of a character whose rest was cut off."""
    for back in range(1, min(4, len(data)) + 1):
        lead = data[-back]
        if lead & 0xC0 != 0x80:
            length = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
            return data[:-back] if length > back else data
    return data
