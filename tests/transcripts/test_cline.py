"""Sessions of Cline's own store are found, read and followed while they grow, compactions included."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.sessions.replay import Compaction, replay
from agentinitd.transcripts import cline, cline_sdk
from agentinitd.transcripts.cline_beside import StoreBeside
from agentinitd.transcripts.cline_follower import SessionFollower
from agentinitd.transcripts.document import SILENCE_SECONDS
from agentinitd.transcripts.document_entries import Entry
from agentinitd.transcripts.follower import Agent as AgentModule

DATA = Path(__file__).parents[1] / "data" / "cline"
ID = "1788200000000_ab1cd"
AGENT: AgentModule = cline


class Writer:
    """Writes as Cline does: messages in place, the sidecar by a rename, the manifest after it."""

    def __init__(self, root: Path, session_id: str = ID) -> None:
        self.id = session_id
        self.folder = root / session_id
        self.folder.mkdir(parents=True)
        self.messages: list[dict[str, Any]] = []
        self.time = 1_788_200_000_000
        self.manifest: dict[str, Any] = {"version": 1, "session_id": session_id, "cwd": "/srv/demo"}
        self.write_manifest()

    @property
    def path(self) -> Path:
        return self.folder / f"{self.id}.messages.json"

    @property
    def sidecar(self) -> Path:
        return self.folder / f"{self.id}.compaction.json"

    def tick(self) -> int:
        self.time += 1000
        return self.time

    def stamp(self) -> str:
        seconds = self.tick() // 1000
        return f"2026-08-31T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000Z"

    def write_manifest(self) -> None:
        (self.folder / f"{self.id}.json").write_text(json.dumps(self.manifest), encoding="utf-8")

    def save(self) -> None:
        document = {"version": 1, "updated_at": self.stamp(), "sessionId": self.id, "messages": self.messages}
        self.path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def says(self, text: str, **more: Any) -> None:
        block = {"type": "text", "text": text}
        self.messages.append({"role": "user", "content": [block], "ts": self.tick(), **more})

    def answers(self, tokens: int, text: str = "done", *, blocks: Iterable[dict[str, Any]] = ()) -> None:
        self.messages.append(
            {
                "role": "assistant",
                "content": [{"type": "text", "text": text}, *blocks],
                "ts": self.tick(),
                "modelInfo": {"id": "model-x", "provider": "p"},
                "metrics": {"inputTokens": tokens, "outputTokens": 0, "cacheReadTokens": tokens // 2},
            }
        )

    def turn(self, tokens: int, text: str = "go on") -> None:
        self.says(text)
        self.answers(tokens, f"done: {text} {len(self.messages)}")
        self.save()

    def compacts(self, before: int | None = None, **metadata: Any) -> None:
        summary = {
            "role": "user",
            "content": [{"type": "text", "text": "Context summary:\n\nall of it"}],
            "metadata": {"kind": "compaction_summary", "tokensBefore": before, **metadata},
        }
        state = {
            "version": 1,
            "updated_at": self.stamp(),
            "source_message_count": len(self.messages),
            "source_prefix_hash": "sha256:0",
            "messages": [summary],
        }
        temporary = self.sidecar.with_suffix(".tmp")
        temporary.write_text(json.dumps(state), encoding="utf-8")
        temporary.replace(self.sidecar)
        self.write_manifest()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path / "sessions")


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def all_of(path: Path) -> list[Event]:
    follower = cline.follow(str(path), is_detailed=True)
    return [*follower.read(), *follower.finish()]


def compactions(events: Iterable[Event]) -> list[tuple[str, int | None, int | None]]:
    return [
        (each.kind, each.tokens_before, each.tokens_after) for each in replay(events, "cline").compactions
    ]


def test_every_sample_of_the_manifest_has_exactly_its_compactions(shared: Path) -> None:
    folder = shared / "transcripts" / "cline"
    entries = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    ours = [entry for entry in entries if not entry["path"].startswith("roo/")]
    assert len(ours) == 3
    for entry in ours:
        path = folder / entry["path"]
        assert cline.is_own(path)
        found = replay(all_of(Path(cline.names_in(path)[-1])), "cline").compactions

        assert [(each.kind, each.tokens_before, each.tokens_after) for each in found] == [
            ("marker", each["tokens_before"], each["tokens_after"]) for each in entry["compactions"]
        ], entry["path"]


def test_a_session_says_all_that_is_in_it() -> None:
    events = all_of(DATA / "store" / f"{ID}.messages.json")

    assert kinds(events) == [
        "SessionSeen", "PersonMessage", "Request", "AgentMessage", "ToolCall", "ToolResult", "Request",
        "AgentMessage", "PersonMessage", "Request", "AgentMessage", "CompactionMarker", "PersonMessage",
        "Request", "AgentMessage",
    ]  # fmt: skip
    assert [event.context_tokens for event in events if isinstance(event, Request)] == [
        34440, 34940, 122600, 15230,
    ]  # fmt: skip
    call = next(event for event in events if isinstance(event, ToolCall))
    result = next(event for event in events if isinstance(event, ToolResult))
    assert (call.name, call.input) == ("read_files", {"paths": ["/srv/demo/one.txt"]})
    assert (result.call_id, result.is_success, result.text) == (call.call_id, True, "row 1\nrow 2")


def test_a_session_is_named_by_its_manifest(writer: Writer) -> None:
    writer.turn(1000)
    seen = next(event for event in all_of(writer.path) if isinstance(event, SessionSeen))

    assert (seen.session_id, seen.cwd) == (ID, "/srv/demo")


def test_a_compaction_is_told_the_moment_its_sidecar_appears_and_once(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(100_000)
    follower.read()
    writer.compacts(100_000)
    told = follower.read()
    writer.turn(20_000)
    later = follower.read()

    assert kinds(told) == ["CompactionMarker"]
    assert kinds(later) == ["PersonMessage", "Request", "AgentMessage"]
    assert follower.read() == []


def test_each_later_compaction_replaces_the_sidecar_and_is_told(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    events: list[Event] = []
    for before in (100_000, 110_000, 120_000):
        writer.turn(before)
        events += follower.read()
        writer.compacts(before)
        writer.turn(before // 5)
        events += follower.read()

    assert compactions(events) == [
        ("marker", 100_000, 20_000),
        ("marker", 110_000, 22_000),
        ("marker", 120_000, 24_000),
    ]


def test_a_sidecar_written_again_as_it_was_is_no_other_compaction(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(100_000)
    writer.compacts(100_000)
    follower.read()
    writer.sidecar.write_bytes(writer.sidecar.read_bytes())
    os.utime(writer.sidecar, ns=(1, 1))

    assert follower.read() == []


def test_messages_from_before_a_compaction_that_come_late_are_no_second_one(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(100_000)
    events = follower.read()
    writer.says("one long turn")
    writer.answers(130_000)
    writer.compacts(130_000)  # in the middle of the turn: the messages are saved at its end
    events += follower.read()
    writer.answers(20_000)
    writer.save()
    events += follower.read()
    writer.turn(21_000)
    events += follower.read()

    assert compactions(events) == [("marker", 130_000, 20_000)]


def test_a_removed_sidecar_is_forgotten_and_the_next_one_counts(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(100_000)
    writer.compacts(100_000)
    follower.read()
    writer.sidecar.unlink()
    assert follower.read() == []
    writer.turn(110_000)
    writer.compacts(110_000)

    assert kinds(follower.read()) == ["PersonMessage", "Request", "AgentMessage", "CompactionMarker"]


def test_a_session_that_is_reset_starts_anew(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(100_000)
    writer.compacts(100_000)
    follower.read()
    writer.sidecar.unlink()
    writer.messages.clear()
    writer.save()
    cleared = follower.read()
    writer.turn(5000, "something else")
    events = follower.read()

    assert [event.kind for event in cleared if isinstance(event, ContextCleared)] == ["clear"]
    assert kinds(events) == ["PersonMessage", "Request", "AgentMessage"]


def test_a_checkpoint_restored_by_the_person_is_a_rewind(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    for number in range(4):
        writer.turn(10_000 * (number + 1), f"step {number}")
    follower.read()
    del writer.messages[4:]
    writer.turn(25_000, "another way")
    events = follower.read()

    assert kinds(events) == ["ContextCleared", "PersonMessage", "Request", "AgentMessage"]
    assert [event.kind for event in events if isinstance(event, ContextCleared)] == ["rewind"]


def test_a_sidecar_for_more_messages_than_there_are_is_ignored_when_the_messages_are_newer(
    writer: Writer,
) -> None:
    for number in range(3):
        writer.turn(50_000 + number)
    writer.compacts(50_000)
    del writer.messages[2:]
    writer.save()

    assert compactions(all_of(writer.path)) == []


def test_ids_and_times_made_anew_on_a_resume_tell_nothing_twice(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(10_000)
    writer.messages[0]["id"], writer.messages[1]["id"] = "m1", "m2"
    writer.save()
    follower.read()
    writer.messages[0]["id"], writer.messages[1]["id"] = "other", "another"
    writer.save()

    assert follower.read() == []


def test_what_a_fork_copied_is_history(writer: Writer) -> None:
    writer.turn(100_000, "in the old session")
    writer.manifest["metadata"] = {"fork": {"forkedFromSessionId": "x", "forkedAt": "2026-08-31T18:53:00Z"}}
    writer.write_manifest()
    writer.time = 1_788_300_000_000
    writer.turn(101_000, "in the new one")
    messages = [event for event in all_of(writer.path) if isinstance(event, PersonMessage)]

    assert [(event.text, event.is_history) for event in messages] == [
        ("in the old session", True),
        ("in the new one", False),
    ]


def test_a_compaction_that_a_fork_copied_is_history(writer: Writer) -> None:
    writer.turn(100_000)
    writer.compacts(100_000)
    writer.manifest["metadata"] = {"fork": {"forkedFromSessionId": "x", "forkedAt": "2026-08-31T23:00:00Z"}}
    writer.write_manifest()

    assert [each.is_history for each in all_of(writer.path) if isinstance(each, CompactionMarker)] == [True]


def test_basic_compactions_tell_who_asked_for_them_and_no_size(writer: Writer) -> None:
    writer.turn(90_000)
    writer.compacts(None, kind="compaction", reason="manual_compaction", usageBefore={"inputTokens": 630_000})
    writer.turn(15_000)
    found = replay(all_of(writer.path), "cline").compactions

    assert [(each.trigger, each.tokens_before, each.tokens_after) for each in found] == [
        ("manual", 90_000, 15_000)
    ]


def test_an_old_sidecar_that_does_not_count_stands_where_its_time_is(writer: Writer) -> None:
    writer.turn(90_000)
    at = writer.stamp()
    writer.turn(15_000)
    writer.sidecar.write_text(
        json.dumps(
            {"version": 1, "updated_at": at, "agent": "lead", "messages": [{"role": "user", "content": "s"}]}
        )
    )

    assert compactions(all_of(writer.path)) == [("marker", 90_000, 15_000)]


def test_the_program_speaking_in_the_persons_place_is_not_heard(writer: Writer) -> None:
    writer.says('<user_input mode="act">typed</user_input>')
    writer.says("Context summary: …", metadata={"kind": "compaction_summary"})
    writer.says("a notice", metadata={"displayRole": "system"})
    writer.says("The user approved switching to act mode. Continue with the approved plan now.")
    line = "Recorded by the project's owner, in force now (agentinitd 0123456789ab):"
    writer.says(
        f'<hook_context source="PostToolUse" tool_name="x" tool_call_id="y">\n{line}\n</hook_context>'
    )
    writer.save()
    events = all_of(writer.path)

    assert [event.text for event in events if isinstance(event, PersonMessage)] == ["typed"]
    assert [event.snippet_id for event in events if isinstance(event, SnippetSeen)] == ["0123456789ab"]


def test_a_tool_that_failed_says_so(writer: Writer) -> None:
    results = [
        {"type": "tool_result", "tool_use_id": "a", "content": "no such file", "is_error": True},
        {"type": "tool_result", "tool_use_id": "b", "content": '{"query":"q","error":"e","success":false}'},
        {
            "type": "tool_result",
            "tool_use_id": "c",
            "content": [{"query": "q", "result": "r", "success": True}],
        },
    ]
    writer.messages.append({"role": "user", "content": results, "ts": writer.tick()})
    writer.save()
    found = [event for event in all_of(writer.path) if isinstance(event, ToolResult)]

    assert [(each.call_id, each.is_success) for each in found] == [("a", False), ("b", False), ("c", True)]
    assert found[2].text == "r"


def test_input_that_leaves_out_what_came_from_the_cache_is_completed(writer: Writer) -> None:
    writer.answers(1)
    writer.messages[0]["metrics"] = {"inputTokens": 500, "outputTokens": 10, "cacheReadTokens": 90_000}
    writer.save()

    assert [e.context_tokens for e in all_of(writer.path) if isinstance(e, Request)] == [90_510]


def test_an_answer_whose_figures_come_later_is_one_request(writer: Writer) -> None:
    follower = cline.follow(str(writer.path), is_detailed=True)
    writer.turn(10_000)
    metrics = writer.messages[1].pop("metrics")
    writer.save()
    before = follower.read()
    writer.messages[1]["metrics"] = metrics
    writer.save()

    assert "Request" not in kinds(before)
    assert kinds(follower.read()) == ["Request"]


def test_a_follower_goes_on_from_its_checkpoint_with_nothing_twice_and_nothing_lost(writer: Writer) -> None:
    writer.turn(100_000)
    writer.compacts(100_000)
    first = cline.follow(str(writer.path), is_detailed=True)
    first.read()
    saved = json.loads(json.dumps(first.checkpoint()))
    unchanged = cline.follow(str(writer.path), saved, is_detailed=True)
    assert unchanged.read() == []
    writer.turn(20_000)
    writer.compacts(20_000)

    assert kinds(cline.follow(str(writer.path), saved, is_detailed=True).read()) == [
        "PersonMessage", "Request", "AgentMessage", "CompactionMarker",
    ]  # fmt: skip


def test_a_session_taken_up_at_its_end_tells_its_size_as_history_and_no_old_compaction(
    writer: Writer,
) -> None:
    writer.turn(100_000)
    writer.compacts(100_000)
    os.utime(writer.sidecar, ns=(10**18, 10**18))
    writer.turn(20_000)
    follower = cline.follow(str(writer.path), start="end", is_detailed=True)
    taken_up = follower.read()
    writer.turn(21_000)

    assert taken_up
    assert all(event.is_history for event in taken_up)
    assert [event.context_tokens for event in taken_up if isinstance(event, Request)] == [20_000]
    assert kinds(follower.read()) == ["PersonMessage", "Request", "AgentMessage"]


def test_a_compaction_that_makes_the_daemon_look_for_the_first_time_is_new(writer: Writer) -> None:
    writer.turn(100_000)
    size = writer.path.stat().st_size
    writer.compacts(100_000)
    events = cline.follow(str(writer.path), start=size, is_detailed=True).read()

    assert [event.is_history for event in events if isinstance(event, CompactionMarker)] == [False]


def test_half_written_files_are_waited_for(writer: Writer) -> None:
    clock = Clock()
    follower = SessionFollower(
        writer.path, cline_sdk.form(is_detailed=True), StoreBeside(writer.path), now=clock
    )
    writer.turn(10_000)
    whole = writer.path.read_bytes()
    writer.path.write_bytes(whole[: len(whole) // 2])
    assert follower.read() == []
    assert follower.flush_at == clock.now + SILENCE_SECONDS
    writer.path.write_bytes(whole)

    assert "Request" in kinds(follower.read())


def test_a_damaged_sidecar_or_manifest_does_not_disturb_the_messages(writer: Writer) -> None:
    writer.turn(10_000)
    writer.sidecar.write_bytes(b'{"version": 1, "source_mess')
    (writer.folder / f"{ID}.json").write_bytes(b"\xff\xfe")

    assert kinds(all_of(writer.path)) == ["SessionSeen", "PersonMessage", "Request", "AgentMessage"]


def test_torn_anywhere_what_is_whole_is_told(writer: Writer) -> None:
    for number in range(6):
        writer.turn(10_000 + number, f"step {number}")
    whole = writer.path.read_bytes()
    expected = [event.text for event in all_of(writer.path) if isinstance(event, PersonMessage)]
    for cut in random.Random(7).sample(range(len(whole)), 50):
        writer.path.write_bytes(whole[:cut])
        found = [event.text for event in all_of(writer.path) if isinstance(event, PersonMessage)]

        assert found == expected[: len(found)]
        # A message is known by the end of its object: at most the one that was cut is missing.
        assert len(found) >= whole[:cut].count(b'"role": "user"') - 1


def test_a_session_replaced_half_way_by_its_whole_tells_each_thing_once(writer: Writer) -> None:
    for number in range(6):
        writer.turn(10_000 + number, f"step {number}")
    whole = writer.path.read_bytes()
    expected = all_of(writer.path)
    follower = cline.follow(str(writer.path), is_detailed=True)
    events: list[Event] = []
    for cut in sorted(random.Random(8).sample(range(len(whole)), 12)):
        writer.path.write_bytes(whole[:cut])
        events += follower.read()
        events += follower.finish()
    writer.path.write_bytes(whole)
    events += follower.read()
    told = [event for event in events if not isinstance(event, Skipped)]

    assert sorted(kinds(told)) == sorted(kinds(expected))


def test_sessions_are_found_below_every_root(tmp_path: Path) -> None:
    home = tmp_path / "home"
    folders = cline.roots(home, {})

    assert home / ".cline" / "data" / "sessions" in folders
    assert home / ".cline" / "data" / "tasks" in folders
    for base in (home / ".config", home / "Library" / "Application Support"):
        for editor in ("Code", "Code - Insiders", "VSCodium", "Cursor"):
            extension = base / editor / "User" / "globalStorage" / "saoudrizwan.claude-dev" / "tasks"
            assert extension in folders


def test_variables_move_the_roots(tmp_path: Path) -> None:
    assert cline.roots(tmp_path, {"CLINE_DIR": "/c"})[0] == Path("/c/data/sessions")
    assert cline.roots(tmp_path, {"CLINE_DATA_DIR": "/d", "CLINE_DIR": "/c"})[0] == Path("/d/sessions")
    assert cline.roots(tmp_path, {"CLINE_SESSION_DATA_DIR": "/s"})[0] == Path("/s")


def test_scan_finds_leads_and_changes_with_the_sidecar(writer: Writer) -> None:
    writer.turn(1000)
    (writer.folder / "agent_7.messages.json").write_text('{"messages": []}', encoding="utf-8")
    before = cline.scan(writer.folder.parent)
    writer.compacts(1000)
    os.utime(writer.sidecar, ns=(2 * 10**18, 2 * 10**18))
    after = cline.scan(writer.folder.parent)

    assert list(before) == [str(writer.path)]
    assert after[str(writer.path)] != before[str(writer.path)]
    assert after[str(writer.path)].size == writer.path.stat().st_size


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/s/1_a/1_a.messages.json", ("/s/1_a/1_a.messages.json",)),
        ("/s/1_a/agent_2.messages.json", ()),
        ("/s/1_a/1_a.json", ()),
        ("/s/1_a/1_a.compaction.json", None),
        ("/s/1_a/1_a.messages.json.tmp", ()),
        ("/g/tasks/17/ui_messages.json", ("/g/tasks/17/ui_messages.json",)),
        ("/g/tasks/17/api_conversation_history.json", ()),
    ],
)
def test_a_path_tells_whose_change_it_is(path: str, names: tuple[str, ...] | None) -> None:
    assert cline.names_at(PurePath(path)) == names


def test_a_helper_of_a_session_is_known_as_one(writer: Writer) -> None:
    writer.turn(1000)
    helper = writer.folder / "agent_7.messages.json"
    helper.write_bytes(writer.path.read_bytes())
    writer.compacts(1000)
    writer.sidecar.rename(writer.folder / "agent_7.compaction.json")

    assert "CompactionMarker" in kinds(all_of(helper))
    assert all(event.is_helper for event in all_of(helper))


def test_a_folder_of_sessions_names_them_with_the_latest_last(tmp_path: Path) -> None:
    for age, name in ((3, "b"), (1, "c"), (2, "a")):
        made = Writer(tmp_path / "sessions", name)
        made.turn(1000)
        os.utime(made.path, ns=(10**18 - age, 10**18 - age))

    assert [Path(name).parent.name for name in cline.names_in(tmp_path / "sessions")] == ["b", "a", "c"]


@pytest.mark.parametrize("name", [f"{ID}.json", f"{ID}.messages.json", f"{ID}.compaction.json"])
def test_any_file_of_a_session_names_it(writer: Writer, name: str) -> None:
    writer.turn(1000)
    writer.compacts(1000)

    assert cline.names_in(writer.folder / name) == [str(writer.path)]


def test_what_is_no_session_is_not_claimed(tmp_path: Path) -> None:
    for name, text in (
        ("a.json", "{}"),
        ("ui_messages.json", "{}"),
        ("x.messages.json", "[]"),
        ("e.md", "# x"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert not cline.is_own(tmp_path / name)
    assert not cline.is_own(tmp_path)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant"]) | values,
        "content": values
        | st.lists(
            st.fixed_dictionaries(
                {"type": st.sampled_from(["text", "tool_use", "tool_result"])},
                optional=dict.fromkeys(("text", "id", "name", "input", "tool_use_id", "content"), values),
            ),
            max_size=3,
        ),
        "ts": values,
        "metrics": values,
        "metadata": values,
        "modelInfo": values,
    },
)


@given(st.lists(messages, max_size=4))
def test_messages_of_any_kind_never_raise(found: list[dict[str, Any]]) -> None:
    for index, message in enumerate(found):
        entry = Entry(index, 1, 0, 0, json.dumps(message).encode())
        list(cline_sdk.pieces_of(entry, is_detailed=True))


@settings(max_examples=60)
@given(st.binary(max_size=200), st.binary(max_size=200), st.binary(max_size=200))
def test_files_of_any_bytes_never_raise(
    tmp_path_factory: Any, main: bytes, sidecar: bytes, manifest: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any")
    path = folder / f"{folder.name}.messages.json"
    path.write_bytes(main)
    (folder / f"{folder.name}.compaction.json").write_bytes(sidecar)
    (folder / f"{folder.name}.json").write_bytes(manifest)

    all_of(path)
    cline.is_own(path)


def test_lines_are_those_of_the_messages() -> None:
    path = DATA / "store" / f"{ID}.messages.json"
    lines = path.read_text(encoding="utf-8").splitlines()
    for event in all_of(path):
        if isinstance(event, PersonMessage | AgentMessage):
            assert lines[event.line - 1].strip() == "{"


def test_replay_lists_the_compaction_at_the_first_message_after_it() -> None:
    found = replay(all_of(DATA / "store" / f"{ID}.messages.json"), "cline").compactions

    assert found == (
        Compaction(line=118, kind="marker", trigger=None, tokens_before=122_600, tokens_after=15_230),
    )
