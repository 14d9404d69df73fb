"""What the daemon says of itself: nothing that is wrong is silent, and nothing that is mended lasts."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.status import session_json
from agentinitd.daemon.troubles import KINDS
from agentinitd.model.causes import Cause
from agentinitd.sessions.delivery import Delivered, DeliveryState, Handout
from agentinitd.sessions.record import LastCompaction, LastHook, SessionRecord

New = Callable[..., Any]
Eventually = Callable[..., Any]

RULE = "- [constraint] Install with pnpm, never npm\n"


@pytest.fixture
def session(shared_daemon: Any, new_project: New, new_session: New) -> Any:
    return new_session(shared_daemon, project=new_project("status-project", project_constraints=RULE))


def reasons(session: Any) -> list[tuple[str, str]]:
    """Those that concern the session's project."""
    found = session.daemon.get("/v1/status")["reasons"]
    return [(each["kind"], each["text"]) for each in found if str(session.project) in each["text"]]


def script(session: Any, text: str) -> Path:
    path = Path(session.project) / ".agent-memory" / "init.d" / "S50-mine"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def approve(session: Any, path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert session.daemon.command("trust", str(path), "--sha256", digest, cwd=session.project).returncode == 0


class TestReasons:
    def test_a_project_where_all_is_well_has_none(self, session: Any) -> None:
        session.starts()

        assert reasons(session) == []

    def test_a_script_that_waits_for_approval_until_it_is_approved(self, session: Any) -> None:
        path = script(session, "#!/bin/sh\necho '- x'\n")
        session.starts()
        [(kind, text)] = reasons(session)
        assert (kind, "S50-mine" in text) == ("trust", True)
        cures = [each["cure"] for each in session.daemon.get("/v1/status")["reasons"]]
        assert f"agentinitd trust {path}" in cures

        approve(session, path)

        assert reasons(session) == []

    def test_a_script_that_failed_with_what_it_said(self, session: Any) -> None:
        approve(session, script(session, "#!/bin/sh\necho first >&2\necho second >&2\nexit 4\n"))
        session.starts()

        [(kind, text)] = reasons(session)

        assert kind == "script"
        assert "S50-mine" in text
        assert "(first)" in text

    def test_a_broken_memory_file_but_not_one_that_was_never_made(self, session: Any) -> None:
        memory = Path(session.project) / ".agent-memory"
        (memory / "state" / "task_state.json").write_text("{torn")
        session.starts()

        [(kind, text)] = reasons(session)

        assert kind == "memory"
        assert "task_state.json" in text

    def test_a_check_that_failed_but_of_what_was_only_found_in_a_session_without_alarm(
        self, session: Any
    ) -> None:
        anchors = Path(session.project) / ".agent-memory" / "anchors"
        (anchors / "mine.md").write_text("- [tool] `pay()` <!-- id: t-mine; check: path gone.py -->\n")
        captured = "- [tool] `get()` <!-- id: x-found; captured: tool; check: path away.py -->\n"
        (anchors / "captured.md").write_text(captured)
        session.starts()

        [(kind, text)] = reasons(session)
        memory = session.daemon.get("/v1/status")["memory"]
        [told] = [each for each in memory if each["project"] == str(session.project)]

        assert kind == "memory"
        assert "mine.md:1: the check of t-mine failed: gone.py is gone" in text
        assert any("x-found" in problem for problem in told["problems"])
        assert told["captured"] == 1

    def test_a_broken_config_of_the_project(self, session: Any) -> None:
        (Path(session.project) / ".agent-memory" / "config.yaml").write_text("env_pass: [PATH]\n")
        session.starts()

        [(kind, text)] = reasons(session)

        assert kind == "config"
        assert "a project may not set this" in text

    def test_a_project_that_is_gone_troubles_nobody(self, session: Any) -> None:
        script(session, "#!/bin/sh\n")
        session.starts()
        assert reasons(session)

        shutil.rmtree(session.project)

        assert reasons(session) == []

    def test_every_kind_of_trouble_has_its_cure(self, session: Any) -> None:
        anchors = Path(session.project) / ".agent-memory" / "anchors"
        (anchors / "mine.md").write_text(
            "- [tool] `pay()` <!-- id: t-mine; check: path gone.py -->\n- [tool] x <!-- priority: odd -->\n"
        )
        script(session, "#!/bin/sh\n")
        session.starts()
        found = session.daemon.get("/v1/status")["reasons"]
        own = {each["cure"] for each in found if str(session.project) in each["text"]}

        assert {each["kind"] for each in found} <= set(KINDS)
        assert own == {
            f"agentinitd trust {session.project}/.agent-memory/init.d/S50-mine",
            f"agentinitd anchors verify --all, in {session.project}",
            f"mend {session.project}/.agent-memory/anchors/mine.md",
        }


class TestDisk:
    def test_a_record_that_cannot_be_saved_is_shown_until_it_can(
        self, daemon: Any, new_session: New, eventually: Eventually
    ) -> None:
        daemon.anchors(RULE)
        session = new_session(daemon)
        session.starts()
        sessions = daemon.state_dir / "sessions"
        sessions.rename(daemon.state_dir / "away")

        session.turn(150_000)
        session.compacts()
        assert "pnpm" in session.prompts()
        answer = daemon.get("/v1/status")
        assert [each["kind"] for each in answer["reasons"]] == ["disk"]
        assert session.id in answer["reasons"][0]["text"]

        (daemon.state_dir / "away").rename(sessions)
        session.turn(150_000)
        session.compacts()
        assert "pnpm" in session.prompts()
        eventually(lambda: daemon.get("/v1/status")["reasons"] == [])


class TestSession:
    def test_one_of_which_nothing_is_known_yet(self, rig: Any) -> None:
        shown = session_json(rig.followed(SessionRecord(key="k", agent="claude-code")))

        assert shown["session"] == "k"
        assert shown["due"] == []
        assert [
            shown[name] for name in ("project", "last_delivery", "last_compaction", "last_hook", "first_skip")
        ] == [None] * 5

    def test_one_of_which_all_is_known(self, rig: Any) -> None:
        cause = Cause(id="c", trigger="drop", turn=1, reason="context fell")
        handout = Handout(
            token="t", causes=(cause,), runlevel="compact", snippet_id="s", event="Stop", handed_at=0.0
        )
        record = SessionRecord(
            key="k",
            agent="claude-code",
            session_ids=("a", "b"),
            delivery=DeliveryState(due=(cause,), delivered=(Delivered(handout=handout, is_confirmed=True),)),
            last_compaction=LastCompaction(at=0.0, trigger="drop", reason="context fell"),
            last_hook=LastHook(event="Stop", at=0.0, outcome="served"),
        )

        shown = session_json(rig.followed(record))

        assert shown["session"] == "b"
        assert shown["due"] == [{"trigger": "drop", "reason": "context fell"}]
        assert shown["last_delivery"]["is_confirmed"] is True
        assert shown["last_compaction"]["at"] == shown["last_hook"]["at"] == "1970-01-01T00:00:00.000000Z"
