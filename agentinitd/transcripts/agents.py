"""The agents whose transcripts can be read, listed by hand."""

from __future__ import annotations

from pathlib import Path

from agentinitd.transcripts import (
    aider,
    claude_code,
    cline,
    codex,
    copilot_cli,
    gemini,
    goose,
    kimi,
    opencode,
    qwen,
    roo,
)
from agentinitd.transcripts.follower import Agent

AGENTS: dict[str, Agent] = {
    claude_code.NAME: claude_code,
    codex.NAME: codex,
    gemini.NAME: gemini,
    qwen.NAME: qwen,
    opencode.NAME: opencode,
    copilot_cli.NAME: copilot_cli,
    cline.NAME: cline,
    roo.NAME: roo,
    goose.NAME: goose,
    kimi.NAME: kimi,
    aider.NAME: aider,
}

# A line of Qwen Code holds all that a line of Claude Code has to hold, and more.
_LOOKS_LIKE: dict[str, tuple[Agent, ...]] = {claude_code.NAME: (qwen,)}


def guess(path: Path) -> Agent | None:
    """The agent that wrote this file or folder, by what stands in it."""
    for agent in AGENTS.values():
        if agent.is_own(path):
            return next((other for other in _LOOKS_LIKE.get(agent.NAME, ()) if other.is_own(path)), agent)
    return None
