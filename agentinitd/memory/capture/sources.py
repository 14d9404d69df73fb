"""Where something was said, as a memory file has it: `SESSION:LINE`, and by whom unless by the person."""

from __future__ import annotations

import re
from typing import NamedTuple

from agentinitd.memory.capture.proposals import Speaker

_SOURCE = re.compile(r"(.+):(\d{1,12})(?: \((agent|tool)\))?")
_UNSAFE = re.compile(r"[^\w.@/+-]+")
MAX_SESSION_CHARS = 80


class Source(NamedTuple):
    session: str
    line: int
    speaker: Speaker = "person"

    @property
    def text(self) -> str:
        by = "" if self.speaker == "person" else f" ({self.speaker})"
        return f"{self.session}:{self.line}{by}"


def session_name(session: str) -> str:
    """The id of a session, fit to stand in a field of a memory file."""
    return _UNSAFE.sub("_", session)[:MAX_SESSION_CHARS] or "unknown"


def source_of(text: str) -> Source | None:
    """None for what is no place in a session: `user`, or what somebody wrote by hand."""
    found = _SOURCE.fullmatch(text)
    if not found:
        return None
    speaker: Speaker = "agent" if found[3] == "agent" else "tool" if found[3] == "tool" else "person"
    return Source(found[1], int(found[2]), speaker)
