"""What a session dealt with lately, from what its transcript says."""

from __future__ import annotations

import json

import msgspec

from agentinitd.model.events import (
    AgentMessage,
    Event,
    PersonMessage,
    PlanStep,
    PlanUpdate,
    ToolCall,
    ToolResult,
)
from agentinitd.model.work import RecentWork
from agentinitd.sessions.recent_work import MOST_COMMANDS, MOST_FILES, MOST_WORDS, hear


def call(tool: str = "Edit", **arguments: object) -> ToolCall:
    return ToolCall(line=1, offset=0, call_id="c", name=tool, input_json=json.dumps(arguments).encode())


def said(text: str) -> PersonMessage:
    return PersonMessage(line=1, offset=0, text=text)


def heard(*events: Event) -> RecentWork:
    work = RecentWork()
    for event in events:
        work = hear(work, event)
    return work


def test_files_of_any_tool_each_once_the_latest_last() -> None:
    work = heard(
        call("Read", file_path="/p/a.py"),
        call("read_many_files", paths=["b.py", "c.py"]),
        call("str_replace", filePath="/p/a.py", old_string="secret.py"),
        call("MultiEdit", edits=[{"file-path": "d.py", "new_string": "x/y.py"}]),
        call("apply_patch", input="*** Begin Patch\n*** Update File: src/e.py\n@@\n+++ b/src/f.py\n"),
    )

    assert work.files == ("b.py", "c.py", "/p/a.py", "d.py", "src/e.py", "src/f.py")


def test_commands_with_the_paths_in_them() -> None:
    work = heard(
        call("Bash", command="cd services/billing &&\n  pytest -q tests/test_refund.py -k 'not slow'"),
        call("shell", command=["bash", "-lc", "git status"]),
    )

    assert work.commands == (
        "cd services/billing && pytest -q tests/test_refund.py -k 'not slow'",
        "bash -lc git status",
    )
    assert work.files == ("services/billing", "tests/test_refund.py")


def test_words_of_messages_searches_and_the_step_under_way() -> None:
    steps = (PlanStep(text="fix the retry", status="in_progress"), PlanStep(text="soak", status="pending"))
    work = heard(
        said("把会话缓存的 refundAmount 改掉"),
        AgentMessage(line=1, offset=0, text="What about invoices?"),
        call("Grep", pattern="open_page_handle"),
        PlanUpdate(line=1, offset=0, steps=steps),
    )

    words = set(work.words.split())
    assert {
        "会话",
        "缓存",
        "refundamount",
        "refund",
        "invoices",
        "openpagehandle",
        "handle",
        "retry",
    } <= words
    assert not {"what", "about", "soak", "the"} & words


def test_what_was_answered_copied_or_done_by_helpers_is_none_of_it() -> None:
    work = RecentWork(files=("a.py",))
    for event in (
        ToolResult(line=1, offset=0, call_id="c", is_success=True, text="b.py"),
        PersonMessage(line=1, offset=0, text="old words", is_history=True),
        ToolCall(line=1, offset=0, call_id="c", name="Read", input_json=b'{"path": "b.py"}', is_helper=True),
        call("Read", path="x" * 300_000),
        ToolCall(line=1, offset=0, call_id="c", name="Read", input_json=b'{"path": 3, "files": [[], null]}'),
        said("?!"),
    ):
        assert hear(work, event) == work


def test_it_is_bounded_and_survives_being_written_down() -> None:
    work = heard(
        *(call("Bash", command=f"run /srv/f{n}.py", path=f"g{n}.py", query=f"word{n}") for n in range(200))
    )

    assert len(work.files) == MOST_FILES and work.files[-1] == "g199.py"
    assert len(work.commands) == MOST_COMMANDS
    assert len(work.words.split()) == MOST_WORDS
    assert len(msgspec.json.encode(work)) < 4000
    assert msgspec.json.decode(msgspec.json.encode(work), type=RecentWork) == work


def test_credentials_are_not_kept() -> None:
    work = heard(
        call("Bash", command="curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345'")
    )
    work = hear(work, said("the token is ghp_0123456789abcdefghijABCDEFGHIJ012345"))

    assert "0123456789" not in repr(work)
