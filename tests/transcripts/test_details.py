"""What was said and done is told to whoever asks for it, by every agent, and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentinitd.model.events import (
    AgentMessage,
    Event,
    PlanUpdate,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.agents import AGENTS, guess
from agentinitd.transcripts.follower import Agent

DATA = Path(__file__).parents[1] / "data"
DETAILS = (AgentMessage, ToolCall, ToolResult, PlanUpdate)
SUFFIXES = frozenset({".json", ".jsonl", ".md", ".db"})


def samples(folder: Path) -> Iterator[tuple[Agent, str]]:
    """Every session in this folder, told by what stands in it."""
    for path in sorted(folder.rglob("*")):
        agent = guess(path) if path.is_file() and path.suffix in SUFFIXES else None
        if agent is not None:
            yield from ((agent, name) for name in agent.names_in(path))


def told(agent: Agent, name: str, *, is_detailed: bool) -> list[Event]:
    follower = agent.follow(name, is_detailed=is_detailed)
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    return events + follower.finish()


def check(folder: Path) -> set[str]:
    """The agents that had a sample with details."""
    seen = set()
    for agent, name in samples(folder):
        everything, rest = told(agent, name, is_detailed=True), told(agent, name, is_detailed=False)

        assert rest == [event for event in everything if not isinstance(event, DETAILS)], name
        if len(rest) < len(everything):
            seen.add(agent.NAME)
    return seen


def test_without_details_the_same_is_told_but_for_them() -> None:
    # Of OpenCode there are rows only, which the tests put into a database themselves.
    assert check(DATA) == set(AGENTS) - {"opencode"}


def test_so_it_is_in_all_real_samples(shared: Path) -> None:
    assert len(check(shared / "transcripts")) >= 9
