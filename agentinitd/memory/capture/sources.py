"""Where something was said, as a memory file has it: `SESSION:LINE`, and by whom unless by the person.

What our readers did not find says so.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import NamedTuple

from agentinitd.memory.capture.proposals import Speaker

VIA = " via capture_command"
"""Behind the place of what a reader of the user's own found, and not ours."""
_SOURCE = re.compile(rf"(.+):(\d{{1,12}})({VIA})?(?: \((agent|tool)\))?")
_UNSAFE = re.compile(r"[^\w.@/+-]+")
MAX_SESSION_CHARS = 80


class Source(NamedTuple):
    session: str
    line: int
    speaker: Speaker = "person"
    is_external: bool = False

    @property
    def text(self) -> str:
        by = "" if self.speaker == "person" else f" ({self.speaker})"
        return f"{self.session}:{self.line}{VIA if self.is_external else ''}{by}"


def session_name(session: str) -> str:
    """The id of a session, fit to stand in a field of a memory file."""
    return _UNSAFE.sub("_", session)[:MAX_SESSION_CHARS] or "unknown"


@lru_cache(maxsize=512)
def source_of(text: str) -> Source | None:
    """None for what is no place in a session: `user`, or what somebody wrote by hand."""
    found = _SOURCE.fullmatch(text)
    if not found:
        return None
    speaker: Speaker = "agent" if found[4] == "agent" else "tool" if found[4] == "tool" else "person"
    # One name for the hundreds of places in a session.
    return Source(sys.intern(found[1]), int(found[2]), speaker, is_external=bool(found[3]))
