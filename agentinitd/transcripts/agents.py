"""The agents whose transcripts can be read, listed by hand."""

from __future__ import annotations

from pathlib import Path

from agentinitd.transcripts import claude_code, copilot_cli, gemini, goose, kimi, opencode, qwen
from agentinitd.transcripts.follower import Agent

AGENTS: dict[str, Agent] = {
    claude_code.NAME: claude_code,
    gemini.NAME: gemini,
    qwen.NAME: qwen,
    opencode.NAME: opencode,
    copilot_cli.NAME: copilot_cli,
    goose.NAME: goose,
    kimi.NAME: kimi,
}

# The lines of some hold all that a line of Claude Code has to hold, and more: it is asked last.
_GUESSES = tuple(sorted(AGENTS.values(), key=lambda agent: agent.NAME == claude_code.NAME))


def guess(path: Path) -> Agent | None:
    """The agent that wrote this file or folder, by what stands in it."""
    return next((agent for agent in _GUESSES if agent.is_own(path)), None)
