"""The agents whose transcripts can be read, listed by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agentinitd.transcripts import claude_code, claude_code_copies
from agentinitd.transcripts.reader import AgentReader

READERS: dict[str, AgentReader] = {claude_code.NAME: claude_code}

COPIED_UNTIL: dict[str, Callable[[Path], int]] = {claude_code.NAME: claude_code_copies.copied_until}
"""Up to which byte a transcript is a copy of another one; it looks at the neighbours on disk."""
