"""The agents whose transcripts can be read, listed by hand."""

from __future__ import annotations

from agentinitd.transcripts import claude_code
from agentinitd.transcripts.follower import Agent

AGENTS: dict[str, Agent] = {claude_code.NAME: claude_code}
