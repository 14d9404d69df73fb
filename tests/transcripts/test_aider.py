"""Aider's chat histories: found by name, followed while a run writes them, and taken up in the middle."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import ContextCleared, Event, PersonMessage, Request, SessionSeen
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import aider
from agentinitd.transcripts.aider_runs import BLOCK_BYTES, Run, last_run
from agentinitd.transcripts.follower import Agent as AgentModule

AGENT: AgentModule = aider


class Chat:
    """Writes as Aider does: appends to the file in the repository."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".aider.chat.history.md"

    def write(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def starts(self, time: str = "2026-09-01 10:00:00") -> None:
        self.write(f"\n# aider chat started at {time}\n\n")
        self.write("> Aider v0.86.1  \n> Main model: model-x with diff edit format, infinite output  \n")

    def says(self, text: str) -> None:
        lines = "  \n#### ".join(text.splitlines())
        self.write(f"\n#### {lines}  \n")

    def answers(self, sent: str, text: str = "Done.") -> None:
        self.write(f"\n{text}\n\n> Tokens: {sent} sent, 20 received. Cost: $0.01 message, $0.08 session.  \n")

    def turn(self, sent: str, text: str = "go on") -> None:
        self.says(text)
        self.answers(sent)


@pytest.fixture
def chat(tmp_path: Path) -> Chat:
    return Chat(tmp_path)


def of(events: Iterable[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def all_of(path: Path) -> list[Event]:
    follower = aider.follow(str(path), is_detailed=True)
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    return [*events, *follower.finish()]


def drops(events: Iterable[Event]) -> list[tuple[int | None, int | None]]:
    return [(each.tokens_before, each.tokens_after) for each in replay(events, "aider").compactions]


def test_the_silent_drop_of_the_manifest_is_found_and_the_clear_is_none(shared: Path) -> None:
    folder = shared / "transcripts" / "aider"
    entries = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    silent, cleared = entries[0]["compactions"]
    path = folder / entries[0]["path"]
    assert aider.is_own(path)
    events = all_of(path)
    (found,) = replay(events, "aider").compactions

    assert (found.line, found.kind) == (silent["line"], "drop")
    assert (found.tokens_before, found.tokens_after) == (silent["tokens_before"], silent["tokens_after"])
    assert [(each.line, each.kind) for each in of(events, ContextCleared)] == [(cleared["line"], "clear")]


def test_the_log_of_the_manifest_shows_its_summary(shared: Path) -> None:
    path = shared / "transcripts" / "aider" / "aider.llm.history"
    assert aider.is_own(path)
    found = replay(all_of(path), "aider").compactions

    # The second request, of which the manifest counts the lines without the separators.
    assert [(each.line, each.kind, each.tokens_before, each.tokens_after) for each in found] == [
        (8, "marker", None, None)
    ]


def test_a_run_is_followed_while_it_is_written(chat: Chat) -> None:
    follower = aider.follow(str(chat.path), is_detailed=True)
    assert follower.read() == []
    chat.starts()
    events = follower.read()
    for sent in ("10k", "19k", "6.2k"):
        chat.turn(sent)
        events += follower.read()

    assert [(each.session_id, each.agent_version) for each in of(events, SessionSeen)] == [
        ("aider-2026-09-01T10:00:00", None),
        ("aider-2026-09-01T10:00:00", "0.86.1"),
    ]
    assert {each.cwd for each in of(events, SessionSeen)} == {str(chat.path.parent)}
    assert drops(events) == [(19_000, 6_200)]


def test_a_new_run_begins_with_nothing_and_is_no_drop(chat: Chat) -> None:
    chat.starts()
    chat.turn("90k")
    chat.starts("2026-09-01 12:00:00")
    chat.turn("5.0k")
    events = all_of(chat.path)

    assert drops(events) == []
    assert of(events, SessionSeen)[-1].session_id == "aider-2026-09-01T12:00:00"


def test_a_follower_goes_on_from_its_checkpoint(chat: Chat) -> None:
    chat.starts()
    chat.turn("19k")
    chat.says("half an input")
    first = aider.follow(str(chat.path), is_detailed=True)
    first.read()
    saved = json.loads(json.dumps(first.checkpoint()))
    chat.answers("6.2k")
    events = aider.follow(str(chat.path), saved, is_detailed=True).read()

    assert [each.text for each in of(events, PersonMessage)] == ["half an input"]
    assert [each.context_tokens for each in of(events, Request)] == [6_200]


def test_taken_up_in_the_middle_of_a_long_run_it_knows_which_one(chat: Chat) -> None:
    chat.starts("2026-09-01 08:00:00")
    chat.turn("5.0k")
    chat.starts("2026-09-02 09:00:00")
    for _ in range(3000):
        chat.turn("50k", "go on with it, please")
    follower = aider.follow(str(chat.path), start="end", is_detailed=True)
    taken_up = follower.read()
    chat.turn("10k")
    events = follower.read()

    assert [each.session_id for each in of(taken_up, SessionSeen)] == ["aider-2026-09-02T09:00:00"]
    assert all(event.is_history for event in taken_up)
    assert [each.context_tokens for each in of(events, Request)] == [10_000]
    assert not of(events, Request)[0].is_history


def test_a_history_that_was_removed_and_begun_anew_is_new(chat: Chat) -> None:
    chat.starts("2026-09-01 08:00:00")
    for _ in range(20):
        chat.turn("50k")
    follower = aider.follow(str(chat.path), is_detailed=True)
    follower.read()
    chat.path.unlink()
    follower.read()
    chat.starts("2026-09-02 08:00:00")
    chat.turn("9.0k")
    events = follower.read()

    assert [(each.context_tokens, each.is_history) for each in of(events, Request)] == [(9_000, False)]


def test_a_history_that_was_cut_tells_what_is_left_as_history(chat: Chat) -> None:
    chat.starts()
    for _ in range(20):
        chat.turn("50k")
    follower = aider.follow(str(chat.path), is_detailed=True)
    follower.read()
    os.truncate(chat.path, chat.path.stat().st_size // 2)
    events = follower.read()

    assert of(events, Request)
    assert all(event.is_history for event in events)


def test_no_folder_is_watched_but_the_one_that_aiders_variable_names(tmp_path: Path) -> None:
    assert aider.roots(tmp_path, {}) == ()
    assert aider.roots(tmp_path, {"AIDER_CHAT_HISTORY_FILE": "/srv/demo/.aider.chat.history.md"}) == (
        Path("/srv/demo"),
    )


def test_a_repository_has_one_session(chat: Chat) -> None:
    assert aider.scan(chat.path.parent) == {}
    chat.starts()

    assert list(aider.scan(chat.path.parent)) == [str(chat.path)]
    assert aider.names_in(chat.path.parent) == [str(chat.path)]
    assert aider.is_own(chat.path.parent)
    assert aider.names_at(PurePath("/r/.aider.chat.history.md")) == ("/r/.aider.chat.history.md",)
    assert aider.names_at(PurePath("/r/.aider.input.history")) == ()


def test_other_markdown_is_not_claimed(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("# aider chat started at noon\n\n#### text  \n", encoding="utf-8")

    assert not aider.is_own(path)
    assert not aider.is_own(tmp_path)


@pytest.mark.parametrize("filler", [0, BLOCK_BYTES - 60, BLOCK_BYTES - 30, 3 * BLOCK_BYTES])
def test_the_last_run_is_found_from_the_end(tmp_path: Path, filler: int) -> None:
    path = tmp_path / "chat.md"
    first = b"# aider chat started at 2026-09-01 08:00:00\n"
    second = b"# aider chat started at 2026-09-02 08:00:00\n"
    quoted = b"x # aider chat started at 2026-09-03 08:00:00\n# aider chat started at dawn\n"
    path.write_bytes(first + second + quoted + b"x" * filler + b"\n")

    assert last_run(path) == Run("2026-09-02 08:00:00", len(first))
    assert last_run(path, len(first)) == Run("2026-09-01 08:00:00", 0)
    assert last_run(path, 10) is None
    assert last_run(tmp_path / "absent") is None
