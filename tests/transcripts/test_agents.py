"""The dict of agents: each under its own name, and a file is known for the agent that wrote it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agentinitd.transcripts import agents
from agentinitd.transcripts.agents import AGENTS, guess

DATA = Path(__file__).resolve().parents[1] / "data"
WRITTEN_BY = {
    "claude-code/cc-1.0.51-aborted-turn.jsonl": "claude-code",
    "claude-code/cc-damaged-lines-a.jsonl": "claude-code",
    "codex/cx-0.57-empty-session.jsonl": "codex",
    "gemini/gm-0.61-auto-compress.jsonl": "gemini",
    "gemini/gm-doc-subagent.json": "gemini",
    "qwen/qw-0.24-auto-compress.jsonl": "qwen",
    "qwen/qw-0.0.14-legacy-document.json": "qwen",
    "copilot-cli/compaction.jsonl": "copilot-cli",
    "cline/store/1788200000000_ab1cd.messages.json": "cline",
    "goose/20250601_101500.jsonl": "goose",
    "kimi/kimi-cli.jsonl": "kimi",
    "kimi/kimi-code.jsonl": "kimi",
    "aider/aider.chat.history.md": "aider",
    "aider/aider.llm.history": "aider",
}


def test_each_stands_under_its_own_name_and_is_a_module_of_its_own() -> None:
    assert [agent.NAME for agent in AGENTS.values()] == list(AGENTS)
    folder = Path(agents.__file__).parent
    assert all((folder / f"{name.replace('-', '_')}.py").is_file() for name in AGENTS)


def test_each_tells_people_what_is_read_of_it_in_one_line() -> None:
    for agent in AGENTS.values():
        assert 40 < len(agent.READS) < 250 and "\n" not in agent.READS, agent.NAME
        assert agent.READS[0] == agent.READS[0].strip(" ") and not agent.READS.endswith("."), agent.NAME


@pytest.mark.parametrize("sample", WRITTEN_BY)
def test_a_file_is_known_for_what_its_agent_wrote_wherever_it_lies(sample: str, tmp_path: Path) -> None:
    path = tmp_path / Path(sample).name
    shutil.copyfile(DATA / sample, path)

    assert guess(path) is AGENTS[WRITTEN_BY[sample]]


@pytest.mark.parametrize(
    "text", [b"", b"\0" * 100, b"hello\n", b"{}\n", b'{"type": "user"}\n', b"[]", b"# Notes\n"]
)
def test_what_no_agent_wrote_is_nobodys(text: bytes, tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.json", "a.md", "a.db"):
        (tmp_path / name).write_bytes(text)
        assert guess(tmp_path / name) is None, name


def test_what_is_not_there_is_nobodys(tmp_path: Path) -> None:
    assert guess(tmp_path / "absent") is None
    assert guess(tmp_path) is None


def test_default_places_of_no_two_agents_are_the_same(tmp_path: Path) -> None:
    roots = [root for agent in AGENTS.values() for root in agent.roots(tmp_path, {})]

    assert len(set(roots)) == len(roots)
    assert all(root.is_relative_to(tmp_path) for root in roots)


def test_a_place_that_is_not_there_or_is_a_file_holds_no_session(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for agent in AGENTS.values():
        assert agent.scan(tmp_path / "absent") == {}
        assert agent.scan(tmp_path / "file") == {}
