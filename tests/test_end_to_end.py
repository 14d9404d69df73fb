"""The whole way, from a row in a transcript to the text a hook hands over, through the real program."""

from __future__ import annotations

import hashlib
import json
import os
import re
import select
import shutil
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

RULE = "- [constraint] Install with pnpm, never npm\n"
STATE = {
    "task_id": "t-1",
    "status": "in_progress",
    "completed": ["parser"],
    "pending": ["writer"],
    "blockers": [],
}

# supervision.md section 17, and what architecture.md adds: deliveries, and a bug of ours.
EVENTS = frozenset(
    [
        *(f"daemon.{word}" for word in ("start", "ready", "reload", "state", "stopping", "exit", "bug")),
        *(f"watch.{word}" for word in ("armed", "lost", "polling", "resumed")),
        *(f"trust.{word}" for word in ("allow", "deny", "pending")),
        *(
            "session.new",
            "session.gone",
            "trigger",
            "delivery",
            "reply",
            "run.start",
            "run.end",
            "run.cancel",
        ),
        *("script.end", "script.skip", "socket.rebind", "socket.stolen", "socket.refused"),
        *("disk.full", "log.dropped", "config.error"),
    ]
)

New = Callable[..., Any]
Eventually = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def log_is_sound(shared_daemon: Any) -> Iterator[None]:
    """After all of them: no bug of ours was met, and the log speaks its closed set of words."""
    yield
    records = shared_daemon.log()
    assert {record["event"] for record in records} <= EVENTS
    assert [record for record in records if record["event"] == "daemon.bug"] == []


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has one rule, and is changed by nobody: what its scripts print is cached after the first test."""
    memory = tmp_path_factory.mktemp("of-one-rule") / "project" / ".agent-memory"
    (memory / "anchors").mkdir(parents=True)
    (memory / "anchors" / "project_constraints.md").write_text(RULE)
    return memory.parent


@pytest.fixture
def session(shared_daemon: Any, project: Path, new_session: New) -> Any:
    return new_session(shared_daemon, project=project)


@pytest.fixture
def own(shared_daemon: Any, new_project: New, new_session: New) -> Any:
    """A session in a project of its own, with the same rule."""
    return new_session(shared_daemon, project=new_project("own", project_constraints=RULE))


def due(session: Any) -> list[str]:
    return [cause["trigger"] for cause in session.seen().get("due", [])]


def memory(session: Any) -> Path:
    return Path(session.project) / ".agent-memory"


def script(session: Any, text: str, name: str = "S50-branch") -> Path:
    path = memory(session) / "init.d" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def approve(session: Any, path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    done = session.daemon.command("trust", str(path), "--sha256", digest, cwd=session.project)
    assert done.returncode == 0, done.stderr


class TestOneSession:
    def test_each_start_gets_the_snippet_and_the_prompts_after_it_get_none(self, session: Any) -> None:
        assert "pnpm" in session.daemon.context(session.payload("SessionStart", source="startup"))
        session.turn(50_000)
        assert session.daemon.context(session.payload("UserPromptSubmit")) == ""
        assert "pnpm" in session.starts("resume")
        assert session.prompts() == ""

    def test_a_marker_makes_a_snippet_pending_before_any_hook_asks(
        self, session: Any, eventually: Eventually
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()

        eventually(lambda: due(session) == ["marker"])
        assert session.seen()["last_compaction"]["trigger"] == "marker"
        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_a_marker_that_nobody_noticed_yet_is_served_by_the_hook_that_comes_first(
        self, session: Any
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()

        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_a_drop_without_a_marker(self, session: Any) -> None:
        session.starts()
        for _ in range(4):
            session.turn(150_000)
            assert session.prompts() == ""
        session.turn(100_000)

        assert "pnpm" in session.prompts()
        assert "-33.3 %" in session.seen()["last_compaction"]["reason"]
        assert session.prompts() == ""

    def test_a_drop_inside_the_cool_down_is_put_off_not_lost(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        session.turn(100_000)
        assert session.prompts() == ""
        session.turn(101_000)

        session.says()

        assert "pnpm" in session.prompts()

    def test_ten_turns_without_a_snippet(self, session: Any) -> None:
        session.starts()
        for _ in range(9):
            session.turn(50_000)
            assert session.prompts() == ""

        session.turn(50_000)

        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_a_changed_task_state_comes_alone_and_small(self, own: Any) -> None:
        (memory(own) / "state" / "task_state.json").write_text(json.dumps(STATE))
        assert "writer" in own.starts()
        own.turn(50_000)
        assert own.prompts() == ""
        state = {
            **STATE,
            "completed": ["parser", "writer"],
            "pending": [f"step {n} of many more" for n in range(90)],
        }
        (memory(own) / "state" / "task_state.json").write_text(json.dumps(state))

        slim = own.prompts()

        assert "step 0 of many more" in slim
        assert "pnpm" not in slim
        run = own.daemon.get("/v1/runs")["runs"][-1]
        assert (run["runlevel"], run["session"]) == ("slim", own.id)
        assert 0 < run["tokens"] <= 150
        assert own.prompts() == ""

    def test_a_task_state_that_is_changed_and_changed_back_says_nothing(self, own: Any) -> None:
        path = memory(own) / "state" / "task_state.json"
        path.write_text(json.dumps(STATE))
        own.starts()
        path.write_text(json.dumps({**STATE, "pending": ["other"]}))
        own.daemon.hook(own.payload("Stop"))
        assert due(own) == ["task-state"]

        path.write_text(json.dumps(STATE))

        assert own.prompts() == ""

    def test_one_compaction_said_by_a_hook_and_then_by_the_marker_is_one_snippet(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        assert "pnpm" in session.starts("compact")
        session.compacts()
        session.answers(20_000)

        assert session.prompts() == ""
        session.turn(21_000)
        assert session.prompts() == ""

    def test_one_compaction_said_by_the_marker_and_then_by_a_hook_is_one_snippet(
        self, session: Any, eventually: Eventually
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        eventually(lambda: due(session) == ["marker"])
        assert "pnpm" in session.starts("compact")

        session.answers(20_000)

        assert session.prompts() == ""

    def test_three_causes_in_one_turn_give_one_snippet(self, own: Any) -> None:
        """RL-12."""
        (memory(own) / "state" / "task_state.json").write_text(json.dumps(STATE))
        own.starts()
        own.turn(150_000)
        own.compacts()
        (memory(own) / "state" / "task_state.json").write_text(json.dumps({**STATE, "blockers": ["the net"]}))
        own.daemon.command("rebuild", "--session", own.id)

        told = own.prompts()

        assert "pnpm" in told
        assert "the net" in told
        assert own.prompts() == ""


class TestWhoGetsWhat:
    def test_two_sessions_of_one_project_are_served_apart(self, session: Any, new_session: New) -> None:
        other = new_session(session.daemon, project=session.project)
        session.starts()
        other.starts()
        for each in (session, other):
            each.turn(150_000)
        session.compacts()

        assert other.prompts() == ""
        assert "pnpm" in session.prompts()
        other.compacts()
        assert session.prompts() == ""
        assert "pnpm" in other.prompts()

    def test_a_sub_agent_gets_nothing_and_takes_nothing_away(self, session: Any) -> None:
        assert session.starts(agent_id="a1b2", agent_type="Explore") == ""
        assert session.prompts(agent_id="a1b2") == ""

        assert "pnpm" in session.starts()

    def test_rows_of_a_sub_agent_are_no_compaction(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        session.row(type="system", subtype="compact_boundary", isSidechain=True, agentId="a1b2")

        assert session.prompts() == ""

    def test_a_hook_that_cannot_deliver_leaves_it_to_the_next(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()

        for event in ("PreCompact", "Stop", "SessionEnd", "Notification", "SubagentStop"):
            assert session.daemon.hook(session.payload(event)) == ""

        assert "pnpm" in session.daemon.context(session.payload("PostToolUse", tool_name="Bash"))

    def test_a_project_without_a_memory_is_silent(
        self, shared_daemon: Any, new_session: New, tmp_path: Path
    ) -> None:
        (tmp_path / "bare").mkdir()
        bare = new_session(shared_daemon, project=tmp_path / "bare")

        assert bare.starts() == ""
        bare.turn(150_000)
        bare.compacts()
        assert bare.prompts() == ""
        assert bare.seen()["project"] is None
        assert list((tmp_path / "bare").iterdir()) == []

    def test_a_memory_made_after_the_start_is_served_from_then_on(
        self, shared_daemon: Any, new_session: New, tmp_path: Path
    ) -> None:
        (tmp_path / "late").mkdir()
        late = new_session(shared_daemon, project=tmp_path / "late")
        assert late.starts() == ""
        late.turn(50_000)
        assert shared_daemon.command("init", cwd=late.project).returncode == 0
        assert late.prompts() == ""

        (memory(late) / "anchors" / "project_constraints.md").write_text(RULE)

        assert "pnpm" in late.prompts()
        assert late.prompts() == ""

    def test_hooks_that_name_the_transcript_only_later_speak_of_one_session(self, session: Any) -> None:
        nameless = session.payload("SessionStart", source="startup")
        del nameless["transcript_path"]
        assert "pnpm" in session.told(nameless)
        session.turn(1000)

        assert [session.prompts(), session.prompts()] == ["", ""]
        sessions = session.daemon.get("/v1/sessions")["sessions"]
        assert [each["transcript"] for each in sessions].count(str(session.transcript)) == 1


class TestScripts:
    def test_a_script_that_nobody_approved_is_named_and_not_run(self, own: Any, tmp_path: Path) -> None:
        """TRU-7."""
        script(own, f"#!/bin/sh\ntouch {tmp_path}/ran\necho hello from the repository\n")

        told = own.starts()

        assert "S50-branch" in told
        assert "agentinitd trust" in told
        assert "hello" not in told
        assert not (tmp_path / "ran").exists()
        reasons = own.daemon.get("/v1/status")["reasons"]
        assert any(str(own.project) in each["text"] for each in reasons if each["kind"] == "trust")

    def test_a_script_that_was_approved_speaks_until_its_bytes_change(self, own: Any) -> None:
        """RL-5, TRU-2, TRU-3."""
        path = script(own, "#!/bin/sh\necho '- on branch main'\n")
        approve(own, path)

        assert "on branch main" in own.starts()
        script(own, "#!/bin/sh\necho '- on branch evil'\n")
        told = own.starts("resume")
        assert "evil" not in told
        assert "agentinitd trust" in told

    def test_a_script_that_fails_leaves_its_last_words_and_a_note(self, own: Any) -> None:
        """OUT-1, FAIL-3."""
        flag = own.project / "broken"
        path = script(
            own, f'#!/bin/sh\n[ -e {flag} ] && {{ echo no such host >&2; exit 1; }}\necho "- 3 pods"\n'
        )
        approve(own, path)
        assert "3 pods" in own.starts()
        flag.touch()

        told = own.starts("clear")

        assert "3 pods" in told
        assert "S50-branch did not run well" in told
        assert "old output" in told
        reasons = [each["text"] for each in own.daemon.get("/v1/status")["reasons"]]
        assert any("S50-branch" in text and "no such host" in text for text in reasons)


class TestMemoryInTrouble:
    def test_a_folder_in_place_of_a_file_costs_that_file_alone(self, own: Any) -> None:
        (memory(own) / "anchors" / "decision_log.md").mkdir()

        assert "pnpm" in own.starts()

    def test_bytes_that_are_no_text_cost_that_line_alone_and_are_named(self, own: Any) -> None:
        path = memory(own) / "anchors" / "tool_interfaces.md"
        path.write_bytes(b"- [tool] fetch(url)\n- [tool] \xff\xfe(x)\n")

        assert "fetch(url)" in own.starts()
        reasons = [each["text"] for each in own.daemon.get("/v1/status")["reasons"]]
        assert any("tool_interfaces.md:2" in text and "UTF-8" in text for text in reasons)

    def test_a_huge_file_is_left_out_and_named(self, own: Any) -> None:
        (memory(own) / "anchors" / "decision_log.md").write_text("- [decision] yes\n" * 400_000)

        assert "pnpm" in own.starts()
        reasons = [each["text"] for each in own.daemon.get("/v1/status")["reasons"]]
        assert any("decision_log.md" in text and "Shorten it" in text for text in reasons)

    def test_a_large_file_keeps_nobody_else_waiting(
        self, session: Any, new_project: New, new_session: New
    ) -> None:
        rules = "".join(
            f"- [constraint] rule {n} about src/module_{n}.py\n  Why: it broke once\n" for n in range(30_000)
        )
        other = new_session(session.daemon, project=new_project("large", project_constraints=rules))
        body = json.dumps(other.payload("SessionStart", source="startup")).encode()
        with socket.socket(socket.AF_UNIX) as hook:
            hook.connect(str(session.daemon.runtime / "agentinitd.sock"))
            head = f"POST /v1/hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
            hook.sendall(head.encode() + body)
            while b"102 Processing" not in hook.recv(65536):
                pass

            answered = 0
            while not select.select([hook], [], [], 0)[0]:
                assert session.daemon.ask("GET", "/v1/sessions")[0] == 200
                answered += 1

            assert b"rule 0" in hook.recv(65536)
        # One at most got through while such a file was read on the loop.
        assert answered > 5


class TestTranscriptInTrouble:
    def test_a_transcript_that_is_deleted_and_written_anew(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        assert session.prompts() == ""
        session.transcript.unlink()
        assert session.prompts() == ""
        session.turn(150_000)
        session.compacts()

        assert "pnpm" in session.prompts()

    def test_a_transcript_that_is_cut(self, session: Any) -> None:
        session.starts()
        for _ in range(3):
            session.turn(150_000)
        assert session.prompts() == ""
        os.truncate(session.transcript, 100)
        session.write(b"\n")
        assert session.prompts() == ""
        session.turn(150_000)
        session.compacts()

        assert "pnpm" in session.prompts()

    def test_a_transcript_that_is_replaced_as_a_whole(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        assert session.prompts() == ""
        copy = session.transcript.with_suffix(".new")
        shutil.copy(session.transcript, copy)
        copy.replace(session.transcript)
        assert session.prompts() == ""
        session.compacts()

        assert "pnpm" in session.prompts()

    @pytest.mark.parametrize("kind", ["fifo", "folder", "dangling link", "link to a device", "binary"])
    def test_something_else_in_its_place_stops_nothing(self, session: Any, kind: str) -> None:
        session.starts()
        session.turn(150_000)
        assert session.prompts() == ""
        path = session.transcript
        path.unlink()
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "binary":
            path.write_bytes(os.urandom(300_000))
        else:
            path.symlink_to("/nowhere/at/all" if "dangling" in kind else "/dev/zero")

        session.prompts()
        assert session.prompts() == ""
        assert "pnpm" in session.starts("resume")

    def test_torn_and_foreign_lines_are_counted_and_passed_over(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        session.write(b'{"type": "user", "mess\n\x00\x00\xff\n[1, 2]\n' + b"x" * 3_000_000 + b"\n")
        session.compacts()

        assert "pnpm" in session.prompts()
        assert session.seen()["skipped_lines"] >= 2

    def test_a_name_that_is_no_text_costs_nobody_anything(self, session: Any) -> None:
        path = os.fsencode(session.transcript.parent) + b"/\xff\xfe.jsonl"
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        session.starts()

        assert session.daemon.ask("GET", "/v1/status")[0] == 200
        session.turn(150_000)
        session.compacts()
        assert "pnpm" in session.prompts()

    @pytest.mark.parametrize("path", ["/dev/zero", "/", "relative.jsonl", "/proc/self/mem", "/x" * 3000])
    def test_a_hook_that_names_something_else_as_its_transcript_is_served(
        self, session: Any, path: str
    ) -> None:
        assert "pnpm" in session.starts(transcript_path=path)
        assert session.prompts(transcript_path=path) == ""

    def test_a_hook_whose_values_are_of_other_types(self, session: Any) -> None:
        odd: dict[str, object] = {"session_id": 7, "transcript_path": ["x"], "cwd": {}, "source": 1}

        assert session.daemon.hook({**odd, "hook_event_name": "SessionStart"}) == ""


class TestLifeCycle:
    """Each with a daemon of its own."""

    def test_a_compaction_while_it_was_down_is_caught_up_once(
        self, daemon: Any, new_session: New, eventually: Eventually
    ) -> None:
        """RL-13."""
        daemon.anchors(RULE)
        session = new_session(daemon)
        session.starts()
        session.turn(150_000)
        assert session.prompts() == ""
        daemon.stop()
        session.compacts()
        session.answers(20_000)
        daemon.start()

        eventually(lambda: due(session) == ["marker"])
        assert "pnpm" in session.prompts()
        assert session.prompts() == ""
        flagged = [record for record in daemon.log() if record["event"] == "trigger" and record["catchup"]]
        assert [record["trigger"] for record in flagged] == ["marker"]
        daemon.kill()
        daemon.start()
        assert session.prompts() == ""
        assert sum(record["event"] == "trigger" and record["catchup"] for record in daemon.log()) == 1

    def test_what_is_due_survives_a_kill(self, daemon: Any, new_session: New, eventually: Eventually) -> None:
        daemon.anchors(RULE)
        session = new_session(daemon)
        session.starts()
        session.turn(150_000)
        session.compacts()
        eventually(lambda: due(session) == ["marker"])
        daemon.kill()
        daemon.start()

        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_a_hook_under_way_when_it_stops_loses_nothing(
        self, daemon: Any, new_session: New, eventually: Eventually
    ) -> None:
        daemon.anchors(RULE)
        session = new_session(daemon)
        path = script(session, f"#!/bin/sh\n[ -e {session.project}/slow ] && sleep 30\necho '- a line'\n")
        approve(session, path)
        assert "a line" in session.starts()
        (session.project / "slow").touch()
        session.turn(150_000)
        session.compacts()
        eventually(lambda: due(session) == ["marker"])
        began = time.monotonic()

        daemon.stop()

        assert time.monotonic() - began < 5
        (session.project / "slow").unlink()
        daemon.start()
        told = session.prompts()
        assert "a line" in told
        assert "pnpm" in told
        assert session.prompts() == ""

    def test_a_reload_changes_what_is_counted(self, daemon: Any, new_session: New) -> None:
        daemon.anchors(RULE)
        session = new_session(daemon)
        session.starts()
        config = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
        config.parent.mkdir(parents=True)
        config.write_text("periodic_turns: 2\n")
        session.turn(50_000)
        session.turn(50_000)
        assert session.prompts() == ""

        assert daemon.command("reload").returncode == 0

        session.turn(50_000)
        assert "pnpm" in session.prompts()
        config.write_text("periodic_turns: often\n")
        refused = daemon.command("reload")
        assert refused.returncode == 6
        assert "periodic_turns: expected a number" in refused.stderr
        assert daemon.get("/v1/status")["cure"]

    def test_all_that_is_written_is_for_its_owner_alone(self, daemon: Any, new_session: New) -> None:
        """FIL-5."""
        daemon.anchors(RULE)
        session = new_session(daemon)
        approve(session, script(session, "#!/bin/sh\necho '- a line'\n"))
        session.starts()
        session.turn(150_000)
        session.compacts()
        session.prompts()
        daemon.command("snippet")

        ours = [daemon.state_dir, *daemon.state_dir.rglob("*"), daemon.runtime, *daemon.runtime.rglob("*")]
        ours += (memory(session) / "run").rglob("*")
        assert len(ours) > 12
        open_to_others = [
            path for path in ours if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077
        ]
        assert open_to_others == []

    def test_a_kill_leaves_no_rubbish_behind_for_ever(
        self, daemon: Any, new_session: New, eventually: Eventually
    ) -> None:
        daemon.anchors(RULE)
        session = new_session(daemon)
        path = script(session, f"#!/bin/sh\necho $$ > {session.project}/pid\nexec sleep 30\n")
        approve(session, path)
        session.transcript.touch()
        session.turn(1000)
        eventually(
            lambda: (session.project / "pid").exists() and (session.project / "pid").read_text().strip()
        )
        daemon.kill()
        pid = int((session.project / "pid").read_text())
        assert list((daemon.state_dir / "scratch").iterdir())
        path.unlink()
        daemon.start()

        assert list((daemon.state_dir / "scratch").iterdir()) == []
        # Where nobody reaps orphans, what was killed stays in the list of processes.
        eventually(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)

    def test_signals(self, daemon: Any, new_session: New, eventually: Eventually) -> None:
        """DMN-1, DMN-6."""
        daemon.anchors(RULE)
        session = new_session(daemon)
        session.starts()
        assert session.prompts() == ""

        daemon.process.send_signal(signal.SIGUSR1)

        eventually(lambda: due(session) == ["manual"])
        assert "pnpm" in session.prompts()
        daemon.process.send_signal(signal.SIGHUP)
        eventually(lambda: any(record["event"] == "daemon.reload" for record in daemon.log()))
        daemon.process.send_signal(signal.SIGTERM)
        assert daemon.process.wait(timeout=10) == 0
        assert re.fullmatch(r"daemon\.exit", daemon.log()[-1]["event"])


class TestAskedBySignal:
    def test_what_a_signal_asked_for_survives_a_kill(
        self, new_daemon: Callable[[], Any], new_session: Callable[..., Any], eventually: Callable[..., Any]
    ) -> None:
        daemon = new_daemon()
        daemon.anchors("- [constraint] Use `pnpm`.\n")
        daemon.start()
        session = new_session(daemon)
        assert session.starts()
        daemon.process.send_signal(signal.SIGUSR1)
        eventually(lambda: session.seen()["due"])
        time.sleep(0.3)  # for the write behind it

        daemon.kill()
        daemon.start()

        assert "pnpm" in session.prompts()

    def test_a_client_that_gave_up_on_a_slow_script_leaves_the_snippet_to_the_next(
        self, new_daemon: Callable[[], Any], new_session: Callable[..., Any], home: Path
    ) -> None:
        folder = home / ".config" / "agentinitd" / "init.d"
        folder.mkdir(parents=True)
        header = "### BEGIN INIT INFO\n# X-Agentinitd-Timeout: 9\n### END INIT INFO"
        (folder / "S50-slow").write_text(f"#!/bin/sh\n{header}\nsleep 5.5\necho '- slow'\n")
        (folder / "S50-slow").chmod(0o755)
        daemon = new_daemon()
        daemon.anchors("- [constraint] Use `pnpm`.\n")
        daemon.start()
        session = new_session(daemon)

        asked = session.payload("UserPromptSubmit")

        first, second = daemon.hook(asked), daemon.hook(asked)

        assert first == ""
        assert "pnpm" in second
