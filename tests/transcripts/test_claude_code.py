"""Which files are transcripts of Claude Code, and which lines are its records."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from agentinitd.transcripts import claude_code as agent
from agentinitd.transcripts import claude_code_paths

PROJECT = "/home/u/.claude/projects/-home-u-shop"
SESSION = "11111111-0000-4000-8000-000000000001"


def test_transcripts_lie_below_the_config_folder(tmp_path: Path) -> None:
    assert agent.roots(tmp_path, {}) == (tmp_path / ".claude" / "projects",)
    assert agent.roots(tmp_path, {"CLAUDE_CONFIG_DIR": ""}) == (tmp_path / ".claude" / "projects",)
    assert agent.roots(tmp_path, {"CLAUDE_CONFIG_DIR": "/etc/cc"}) == (Path("/etc/cc/projects"),)


@pytest.mark.parametrize(
    ("name", "is_transcript", "is_helper"),
    [
        (f"{SESSION}.jsonl", True, False),
        (f"{SESSION}/subagents/agent-a1.jsonl", True, True),
        (f"{SESSION}/subagents/workflows/wf_1/agent-a1.jsonl", True, True),
        ("agent-a1.jsonl", True, True),
        (f"{SESSION}/subagents/agent-a1.meta.json", False, True),
        (f"{SESSION}/subagents/workflows/wf_1/journal.jsonl", False, True),
        (f"{SESSION}/tool-results/toolu_1.txt", False, False),
        (f"{SESSION}/tool-results/toolu_1.jsonl", False, False),
        ("sessions-index.json", False, False),
        ("history.jsonl", False, False),
    ],
)
def test_a_path_tells_what_a_file_is(name: str, is_transcript: bool, is_helper: bool) -> None:
    path = PurePath(PROJECT) / name

    assert claude_code_paths.is_transcript(path) is is_transcript
    assert claude_code_paths.is_helper_path(path) is is_helper
    assert agent.names_at(path) == ((str(path),) if is_transcript and not is_helper else ())


@pytest.mark.parametrize(
    ("line", "is_record"),
    [
        (b'{"type":"user","uuid":"u","sessionId":"s","message":{}}', True),
        (b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":"\\ud83d"}}', True),
        (b'{"type":"summary","summary":"Fix it","leafUuid":"x"}', True),
        (b'{"type":"session_meta","payload":{"id":"s"}}', False),
        (b'{"role":"user","content":"hi"}', False),
        (b'{"type":"user","message":{}}', False),
        (b"[]", False),
        (b"\x7fELF", False),
        (b"", False),
    ],
)
def test_a_line_tells_whether_claude_code_wrote_it(line: bytes, is_record: bool) -> None:
    assert agent.is_record(line) is is_record
