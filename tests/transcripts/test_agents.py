"""The dict of agents: each under its own name, and a file is known for the agent that wrote it."""

from __future__ import annotations

import os
import re
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


# --- The table of docs/transcripts.md


PAGE = Path(__file__).resolve().parents[2] / "docs" / "transcripts.md"
VARIABLE = re.compile(r"`([A-Z][A-Z_]+[A-Z])`")
FOLDER = re.compile(r"`~/([^`*]+?)/`")


def rows() -> dict[str, list[str]]:
    """The cells of each agent's row."""
    table = PAGE.read_text(encoding="utf-8").split("## The agents\n\n")[1].split("\n\n")[0]
    lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]
    return {cells[0].strip(" |`"): cells for cells in lines}


def test_every_agent_has_a_whole_row_in_the_docs() -> None:
    assert list(rows()) == list(AGENTS)
    assert {len(cells) for cells in rows().values()} == {7}
    assert all(all(cells) for cells in rows().values())


@pytest.mark.parametrize("name", AGENTS)
def test_the_folders_of_the_docs_are_those_of_the_code(name: str) -> None:
    home = Path("/home/u")
    roots = AGENTS[name].roots(home, {})
    told = [home / folder for folder in FOLDER.findall(rows()[name][1])]

    assert [folder for folder in told if folder not in roots] == []
    assert len(told) == len(roots) or "other editors alike" in rows()[name][1]


@pytest.mark.parametrize("name", AGENTS)
def test_each_variable_of_the_docs_moves_a_folder(name: str) -> None:
    home = Path("/home/u")
    for variable in VARIABLE.findall(rows()[name][1]):
        moved = AGENTS[name].roots(home, {variable: "/elsewhere/x"})
        assert any(root.is_relative_to("/elsewhere") for root in moved), variable


def test_every_variable_of_the_code_is_told() -> None:
    folder = Path(agents.__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    used = set(re.findall(r'env(?:\.get\(|\[)"([A-Z_]+)"', code)) | set(
        re.findall(r'_VARIABLE = "([A-Z_]+)"', code)
    )

    assert used == {variable for cells in rows().values() for variable in VARIABLE.findall(cells[1])}


@pytest.mark.parametrize("kind", ["fifo", "endless"])
@pytest.mark.parametrize(
    "name",
    [
        "x.jsonl",
        "ui_messages.json",
        "api_conversation_history.json",
        "session-1.json",
        "session.json",
        "wire.jsonl",
        "context.jsonl",
        "events.jsonl",
        "rollout-2026-01-01T00-00-00-0193f3a0-0000-7000-8000-000000000000.jsonl.zst",
        "state.db",
        ".aider.chat.history.md",
    ],
)
def test_what_is_no_file_is_nobodys_and_keeps_nobody_waiting(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / "1754000000000" / "chats" / name
    path.parent.mkdir(parents=True)
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")

    assert guess(path) in (None, AGENTS["codex"])  # whose name alone tells it
    for agent in AGENTS.values():
        agent.follow(str(path)).read()
