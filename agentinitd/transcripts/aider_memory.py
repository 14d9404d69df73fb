"""What the reader of Aider's chat history remembers between lines, fit to be kept in a checkpoint."""

from __future__ import annotations

import zlib

import msgspec

from agentinitd.transcripts.reader import Checkpoint

KEPT_CHARS = 64 * 1024
"""Of one input, or of one reply."""


class Said(msgspec.Struct):
    """An input or a reply that has not ended yet."""

    line: int
    offset: int
    text: str = ""
    crc: int = 0
    """Of all its words, whatever of the text is kept."""

    def add(self, text: str) -> None:
        if len(self.text) < KEPT_CHARS:
            self.text += f"\n{text}" if self.text else text
        self.crc = crc_of(text, self.crc)


class Memory(msgspec.Struct):
    run: str | None = None
    """When it started, as Aider writes it."""
    run_at: float | None = None
    run_offset: int = 0
    told_run: str | None = None
    version: str | None = None
    model: str = ""
    asked: Said | None = None
    replied: Said | None = None
    echoes: list[int] = []
    """The last reply, which in architect mode becomes the next input, and what commands asked since."""
    has_figures: bool = False
    """This run tells sizes: none is estimated."""
    owes_estimate: bool = False
    has_estimates: bool = False
    estimate: int = 0
    """Tokens of all that was said in this run."""
    is_trimmed: bool | None = None
    """Somebody removed the spaces at the ends of lines.  None until a line of this run tells."""
    is_line_open: bool = False


def crc_of(text: str, before: int = 0) -> int:
    """The same for the same words, however they are broken into lines."""
    return zlib.crc32("".join(text.split()).encode("utf-8", "replace"), before)


def session_id_of(run: str) -> str:
    return f"aider-{run.replace(' ', 'T')}"


def remembered(checkpoint: Checkpoint) -> Memory:
    try:
        return msgspec.convert(dict(checkpoint.state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what was open at this place is lost.
        return Memory()
