"""Which files are sessions of Gemini CLI, whose project they are, and what the real ones hold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import gemini, qwen
from agentinitd.transcripts.follower import Agent, Follower

AGENT: Agent = gemini
DATA = Path(__file__).parents[1] / "data"
SESSION = "0f2d6a4c-1111-4000-8000-000000000001"
NAME = f"session-2026-03-23T20-33-{SESSION[:8]}"
PROJECT = "/home/u/shop"
HASH = hashlib.sha256(PROJECT.encode()).hexdigest()


def head(**more: Any) -> dict[str, Any]:
    return {"sessionId": SESSION, "projectHash": HASH, "startTime": "2026-03-23T20:33:16.637Z", **more}


def says(text: str, message_id: str) -> dict[str, Any]:
    return {"id": message_id, "timestamp": "2026-03-23T20:34:00.000Z", "type": "user", "content": text}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def all_of(follower: Follower) -> list[Event]:
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    return events + follower.finish()


def cwd_of(path: Path) -> str | None:
    (seen, *_) = (
        event
        for event in all_of(gemini.follow(str(path), is_detailed=True))
        if isinstance(event, SessionSeen)
    )
    return seen.cwd


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    folder = tmp_path / ".gemini" / "tmp" / "shop-1" / "chats"
    folder.mkdir(parents=True)
    return folder


def test_sessions_lie_below_the_home_or_another_one(tmp_path: Path) -> None:
    assert AGENT.roots(tmp_path, {})[0] == tmp_path / ".gemini" / "tmp"
    assert AGENT.roots(tmp_path, {"GEMINI_CLI_HOME": ""})[0] == tmp_path / ".gemini" / "tmp"
    assert AGENT.roots(tmp_path, {"GEMINI_CLI_HOME": "/srv"}) == (
        Path("/srv/.gemini/tmp"), Path("/srv/.cache/.gemini/tmp"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "is_session"),
    [
        (f"shop/chats/{NAME}.json", True),
        (f"shop/chats/{NAME}.jsonl", True),
        (f"{HASH}/chats/{NAME}.json", True),
        (f"shop/chats/{SESSION}/agent-1.jsonl", False),
        (f"shop/chats/{SESSION}/{NAME}.json", False),
        (f"shop/chats/{NAME}.jsonl.unreadable-1785488400274", False),
        (f"shop/chats/{NAME}.jsonl.tmp-4711", False),
        (f"shop/{NAME}.json", False),
        ("shop/logs.json", False),
        ("shop/.project_root", False),
        ("shop/checkpoints/checkpoint-a.json", False),
        ("shop/tool-outputs/session-1/out.json", False),
    ],
)
def test_a_path_tells_what_a_file_is(name: str, is_session: bool) -> None:
    path = PurePath("/home/u/.gemini/tmp") / name

    assert AGENT.names_at(path) == ((str(path),) if is_session else ())


def test_a_document_that_was_resumed_as_lines_is_one_session(chats: Path) -> None:
    old, new, other = chats / f"{NAME}.json", chats / f"{NAME}.jsonl", chats / f"{NAME}x.json"
    for path in (old, new, other, chats / SESSION / "helper.jsonl"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"{}")

    assert set(AGENT.scan(chats.parents[1])) == {str(new), str(other)}
    assert AGENT.scan(chats / "absent") == {}


def test_what_the_lines_repeat_of_the_document_is_history(chats: Path) -> None:
    notice = {**says("Context compressed from 52% to 3%.", "i1"), "type": "info"}
    messages = [says("old", "u1"), notice]
    (chats / f"{NAME}.json").write_text(json.dumps(head(messages=messages), indent=2))
    new = chats / f"{NAME}.jsonl"
    new.write_bytes(lines(head(), *messages, {"$set": {"sessionId": SESSION}}, says("new", "u2")))

    events = all_of(gemini.follow(str(new), is_detailed=True))

    assert [(type(event).__name__, event.is_history) for event in events] == [
        ("SessionSeen", True), ("PersonMessage", True), ("CompactionMarker", True), ("PersonMessage", False),
    ]  # fmt: skip


def test_lines_without_their_document_are_all_new(chats: Path) -> None:
    new = chats / f"{NAME}.jsonl"
    new.write_bytes(lines(head(), says("old", "u1")))

    assert [event.is_history for event in all_of(gemini.follow(str(new), is_detailed=True))] == [False, False]


def test_the_project_is_where_the_program_says_and_not_what_the_folder_is_called(chats: Path) -> None:
    path = chats / f"{NAME}.jsonl"
    path.write_bytes(lines(head()))
    assert cwd_of(path) is None

    home = chats.parents[2]
    (home / "trustedFolders.json").write_text(
        json.dumps({"/elsewhere": "TRUST_FOLDER", PROJECT: "TRUST_FOLDER"})
    )
    assert cwd_of(path) == PROJECT

    (home / "projects.json").write_text(json.dumps({"projects": {"/registered": "shop-1"}}))
    assert cwd_of(path) == "/registered"

    (chats.parent / ".project_root").write_text("/owner\n")
    assert cwd_of(path) == "/owner"


@pytest.mark.parametrize("text", ["", "[]", '{"projects": 5}', "{", "\0"])
def test_a_registry_that_cannot_be_read_is_none(chats: Path, text: str) -> None:
    path = chats / f"{NAME}.json"
    path.write_text(json.dumps(head(messages=[says("go", "u1")])))
    for name in ("projects.json", "trustedFolders.json"):
        (chats.parents[2] / name).write_text(text)

    assert cwd_of(path) is None


def test_a_helpers_file_is_known_by_its_folder(chats: Path) -> None:
    path = chats / SESSION / "helper.jsonl"
    path.parent.mkdir()
    path.write_bytes(lines(head(), says("your brief", "u1")))

    assert [
        (type(event), event.is_helper) for event in all_of(gemini.follow(str(path), is_detailed=True))
    ] == [(SessionSeen, True)]


def test_the_content_tells_lines_from_a_document_when_the_name_is_wrong(chats: Path) -> None:
    named_document, named_lines = chats / f"{NAME}.json", chats / f"{NAME}x.jsonl"
    named_document.write_bytes(lines(head(), says("go", "u1"), says("on", "u2")))
    named_lines.write_text(json.dumps(head(messages=[says("go", "u1"), says("on", "u2")]), indent=2))

    for path in (named_document, named_lines):
        assert AGENT.is_own(path)
        texts = [
            event.text
            for event in all_of(gemini.follow(str(path), is_detailed=True))
            if isinstance(event, PersonMessage)
        ]
        assert texts == ["go", "on"]


def test_a_compression_is_told_by_a_living_tail_when_its_notice_is_there(chats: Path) -> None:
    path = chats / f"{NAME}.jsonl"
    rows = (DATA / "gemini" / "gm-0.61-auto-compress.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[:115]))
    follower = gemini.follow(str(path), is_detailed=True)
    follower.read()
    kept = json.loads(json.dumps(follower.checkpoint()))
    told: list[Event] = []
    for row in rows[115:121]:
        with path.open("ab") as file:
            file.write(row)
        told += follower.read()
    # A daemon that was started again between the two lines.
    again = gemini.follow(str(path), kept, is_detailed=True).read()

    markers = [event for event in told if isinstance(event, CompactionMarker)]
    assert [(event.line, event.trigger) for event in markers] == [(116, "auto")]
    assert told == again


def test_a_tail_told_half_way_that_the_file_is_another_one_tells_no_old_compression_anew(chats: Path) -> None:
    path = chats / f"{NAME}.jsonl"
    data = (DATA / "gemini" / "gm-0.61-auto-compress.jsonl").read_bytes()
    path.write_bytes(data)
    follower = gemini.follow(str(path), is_detailed=True)
    follower.read()
    other = path.with_suffix(".tmp")
    other.write_bytes(data.replace(b"2026", b"2025", 1))
    other.replace(path)

    again = follower.read()

    assert [event for event in again if isinstance(event, CompactionMarker) and not event.is_history] == []


def test_other_agents_files_are_not_its_own(tmp_path: Path) -> None:
    for number, text in enumerate(
        [
            b"", b"{}", b"[]", b"text", b"\0\xff", b'{"sessionId":"s"}',
            lines({"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": "x"}}),
            lines({"type": "session_meta", "timestamp": "t", "payload": {"id": "x"}}),
            json.dumps([{"role": "user", "content": "x"}]).encode(),
        ]
    ):  # fmt: skip
        path = tmp_path / f"{number}.json"
        path.write_bytes(text)
        assert not AGENT.is_own(path)
    assert not AGENT.is_own(tmp_path / "absent.json")
    assert not AGENT.is_own(tmp_path)
    for path in sorted((DATA / "qwen").iterdir()) + sorted((DATA / "claude-code").iterdir()):
        assert not AGENT.is_own(path)


def manifest(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "transcripts" / "MANIFEST.json").read_text())["files"]
    return [entry for entry in found if entry["agent"] in ("gemini", "qwen")]


@pytest.mark.parametrize("ignore_markers", [False, True])
def test_every_sample_tells_exactly_the_compactions_that_are_listed(
    shared: Path, ignore_markers: bool
) -> None:
    agents: dict[str, Agent] = {"gemini": gemini, "qwen": qwen}
    for entry in manifest(shared):
        agent = agents[entry["agent"]]
        path = shared / "transcripts" / entry["file"]
        assert [each.NAME for each in agents.values() if each.is_own(path)] == [agent.NAME]
        assert agent.names_in(path) == [str(path)]

        events = all_of(agent.follow(str(path), is_detailed=True))
        result = replay(events, agent.NAME, ignore_markers=ignore_markers)

        assert result.peak_context_tokens == entry["max_context_tokens"] and not result.skipped_lines
        listed = entry["compactions"]
        if ignore_markers:
            # Without markers a compaction is seen by the first request behind it.
            sizes = [(each["tokens_after"], "drop") for each in listed if each["tokens_after"] is not None]
            assert [(each.tokens_after, each.kind) for each in result.compactions] == sizes
            continue
        assert [(each.kind, each.tokens_before, each.tokens_after) for each in result.compactions] == [
            ("marker", each["tokens_before"], each["tokens_after"]) for each in listed
        ]
        markers = [event for event in events if isinstance(event, CompactionMarker)]
        assert [_place(event, each) for event, each in zip(markers, listed, strict=True)] == [
            each.get("line_number") or each["message_index"] for each in listed
        ]
        triggers = {"auto": "auto", "token_limit": "auto", "manual": "manual"}
        assert [event.trigger for event in markers] == [triggers[each["trigger"]] for each in listed]


def _place(event: Event, listed: dict[str, Any]) -> int:
    return event.line if listed.get("line_number") else event.offset


def test_an_event_of_a_sample_stands_on_the_line_that_is_named(shared: Path) -> None:
    path = shared / "transcripts" / "gemini" / "gm-doc-two-compressions.json"
    rows = path.read_text(encoding="utf-8").split("\n")
    messages = json.loads(path.read_text(encoding="utf-8"))["messages"]

    for event in all_of(gemini.follow(str(path), is_detailed=True)):
        if isinstance(event, Request | CompactionMarker | PersonMessage):
            assert messages[event.offset]["id"] in rows[event.line]
