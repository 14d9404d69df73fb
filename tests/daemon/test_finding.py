"""Sessions are found for the right agent, in roots of one agent and in folders of all of them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path, PurePath

import pytest

from agentinitd.daemon.finding import OLD_SECONDS, Found, SessionPlaces, brought, changed_ns, roots_of
from agentinitd.transcripts.agents import AGENTS, guess
from agentinitd.transcripts.follower import Seen

DATA = Path(__file__).resolve().parents[1] / "data"
NOW = 1_800_000_000.0


def places(root: Path, *agents: str) -> SessionPlaces:
    return SessionPlaces(AGENTS, {root: agents or tuple(AGENTS)}, guess=guess)


def put(sample: str, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(DATA / sample, path)
    return path


class TestAFolderOfAnyAgent:
    def test_each_session_is_that_of_the_agent_whose_text_it_is(self, tmp_path: Path) -> None:
        put("claude-code/cc-1.0.51-aborted-turn.jsonl", tmp_path / "a.jsonl")
        put("codex/cx-0.57-empty-session.jsonl", tmp_path / "rollout-x.jsonl")
        put("qwen/qw-0.24-auto-compress.jsonl", tmp_path / "chats" / "q.jsonl")
        put("gemini/gm-0.61-auto-compress.jsonl", tmp_path / "chats" / "session-g.jsonl")
        put("kimi/kimi-cli.jsonl", tmp_path / "group" / "s" / "wire.jsonl")
        put("aider/aider.chat.history.md", tmp_path / ".aider.chat.history.md")
        put("cline/store/1788200000000_ab1cd.json", tmp_path / "settings.jsonl")
        put("roo/task/ui_messages.json", tmp_path / "tasks" / "0b8c-1-2-3-4" / "ui_messages.json")
        with sqlite3.connect(tmp_path / "sessions.db") as database:
            database.executescript((DATA / "goose" / "1-before.sql").read_text())
        database.close()

        found = places(tmp_path).scan(tmp_path)

        assert {Path(name).relative_to(tmp_path).as_posix(): each.agent for name, each in found.items()} == {
            "a.jsonl": "claude-code",
            "rollout-x.jsonl": "codex",
            "chats/q.jsonl": "qwen",
            "chats/session-g.jsonl": "gemini",
            "group/s/wire.jsonl": "kimi",
            ".aider.chat.history.md": "aider",
            "sessions.db#20260830_3": "goose",
            "tasks/0b8c-1-2-3-4/ui_messages.json": "roo",
        }

    def test_one_that_says_nothing_yet_is_nobodys_until_it_does(self, tmp_path: Path) -> None:
        path = tmp_path / "rollout-x.jsonl"
        path.touch()
        looked = places(tmp_path)
        assert looked.scan(tmp_path) == {}
        assert looked.concerned(tmp_path, path) is None

        put("codex/cx-0.57-empty-session.jsonl", path)

        assert [each.agent for each in looked.scan(tmp_path).values()] == ["codex"]


class TestAChange:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        (tmp_path / "a-project.with-a-dot").mkdir()
        return tmp_path

    def test_concerns_the_session_whose_file_it_is(self, root: Path) -> None:
        path = root / "p" / "s.jsonl"

        assert places(root, "claude-code").concerned(root, path) == {str(path): "claude-code"}

    def test_of_a_file_that_is_no_session_concerns_nobody(self, root: Path) -> None:
        assert places(root, "claude-code").concerned(root, root / "git-object-without-suffix") == {}

    def test_of_a_folder_or_a_database_asks_for_a_look_at_everything(self, root: Path) -> None:
        assert places(root, "claude-code").concerned(root, root / "a-project.with-a-dot") is None
        assert places(root, "opencode").concerned(root, PurePath(root / "opencode.db-wal")) is None


def test_folders_of_the_config_may_hold_any_agent_and_those_of_an_agent_hold_its_own(tmp_path: Path) -> None:
    own = tmp_path / ".claude" / "projects"

    roots = roots_of(AGENTS, tmp_path, {}, [str(own), str(tmp_path / "more")])

    assert roots[own] == ("claude-code",)
    assert roots[tmp_path / "more"] == tuple(AGENTS)


class TestWhatWasPutThere:
    """Restored from a copy, archived, or converted: nobody works in it."""

    def test_is_a_file_that_has_rested_for_a_day(self, tmp_path: Path) -> None:
        old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
        fresh = {str(path): Found("claude-code", seen(NOW - age)) for path, age in _aged(old, new)}

        assert brought(fresh, now=NOW) == {str(old)}

    def test_are_many_old_sessions_of_a_database_and_not_a_single_one(self, tmp_path: Path) -> None:
        several = {f"{tmp_path}/x.db#{each}": Found("goose", seen(NOW - 2 * OLD_SECONDS)) for each in "ab"}
        single = dict(list(several.items())[:1])

        assert brought(several, now=NOW) == set(several)
        assert brought(single, now=NOW) == set()


def _aged(old: Path, new: Path) -> list[tuple[Path, float]]:
    old.touch()
    new.touch()
    return [(old, 2 * OLD_SECONDS), (new, 60.0)]


def seen(at: float) -> Seen:
    return Seen(1, int(at * 1e9), 1)


def test_a_session_in_a_database_may_have_changed_whenever_the_database_did(tmp_path: Path) -> None:
    database = tmp_path / "x.db"
    (tmp_path / "x.db-wal").touch()
    database.touch()
    os.utime(database, ns=(0, 5))
    os.utime(tmp_path / "x.db-wal", ns=(0, 9))

    assert changed_ns(f"{database}#s", Seen(1, 7, 1)) == 9
    assert changed_ns(str(database), Seen(1, 7, 1)) == 7
