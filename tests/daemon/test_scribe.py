"""What a session does moves its task and fills its memory, once, and never stops the reading."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon import following
from agentinitd.daemon.following import Followed
from agentinitd.daemon.scribe import (
    MOST_KEPT_BYTES,
    MOST_WAITING,
    RETRY_SECONDS,
    WRITTEN_TOGETHER,
    Desk,
    Noting,
    Progress,
    Scribe,
)
from agentinitd.memory.capture.report import Reason, Report
from agentinitd.memory.check_runs import Check
from agentinitd.memory.locking import locked
from agentinitd.memory.progress_events import CheckRan, Finding, Planned, Reported, RuleApplies
from agentinitd.model.config import Config
from agentinitd.model.events import Event, PersonMessage, PlanStep
from agentinitd.model.progress import ProgressRule
from agentinitd.sessions.record import SessionRecord

AGENT = "claude-code"
TESTS_PASS = ("pytest -q", "3 passed in 0.1s", True)


class Work:
    """An agent at work in the transcript."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.calls = 0

    def calls_tool(self, name: str, given: object) -> str:
        self.calls += 1
        call_id = f"toolu_{self.calls}"
        block = {"type": "tool_use", "id": call_id, "name": name, "input": given}
        message = {"id": f"m{self.calls}", "role": "assistant", "model": "m", "content": [block]}
        self.session.row(type="assistant", message=message)
        return call_id

    def is_answered(self, call_id: str, text: str, is_success: bool = True) -> None:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": not is_success}
        self.session.row(type="user", message={"role": "user", "content": [block]})

    def runs(self, command: str, text: str = "", is_success: bool = True) -> None:
        self.is_answered(self.calls_tool("Bash", {"command": command}), text, is_success)

    def plans(self, **steps: str) -> None:
        todos = [{"content": title.replace("_", " "), "status": status} for title, status in steps.items()]
        self.is_answered(self.calls_tool("TodoWrite", {"todos": todos}), "ok")


@pytest.fixture
def work(transcript: Any) -> Work:
    return Work(transcript)


@pytest.fixture
def followed(rig: Any, transcript: Any) -> Followed:
    found: Followed = rig.roster().of_transcript(AGENT, str(transcript.transcript))[0]
    return found


def read(followed: Followed) -> None:
    asyncio.run(followed.catch_up())


def state_file(project: Path) -> Path:
    return project / ".agent-memory" / "state" / "task_state.json"


def lay_state(rig: Any, state: dict[str, Any]) -> None:
    path = state_file(rig.project)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(state), encoding="utf-8")


def state_of(rig: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(state_file(rig.project).read_text(encoding="utf-8"))
    return found


def history_of(rig: Any) -> list[dict[str, Any]]:
    path = state_file(rig.project).with_name("history.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


class TestProgress:
    def test_a_check_that_passed_completes_its_step_and_the_history_says_why(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        lay_state(rig, {"goal": "x", "pending": ["run tests", "docs"]})
        work.session.turn(1000)
        work.runs(*TESTS_PASS)

        read(followed)

        state = state_of(rig)
        assert (state["completed"], state["pending"], state["goal"]) == (["run tests"], ["docs"], "x")
        last = history_of(rig)[-1]
        assert last["by"] == f"claude-code {work.session.id[:8]}"
        assert last["reason"] == "pytest passed (toolu_1)"
        assert followed.scribe.as_json()["proven"] == 1

    def test_a_failing_one_does_not(self, rig: Any, followed: Followed, work: Work) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        work.session.turn(1000)
        work.runs("pytest -q", "Exit code 1\n1 failed in 0.1s", False)

        read(followed)

        assert state_of(rig)["pending"] == ["run tests"]
        assert state_of(rig)["last_results"][0]["result"] == "failed"
        assert followed.scribe.as_json()["proven"] == 0

    def test_a_plan_is_claimed_until_a_result_proves_it(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        work.session.turn(1000)
        work.plans(write="completed", run_tests="completed", docs="pending")
        read(followed)
        assert [step["claimed"] for step in state_of(rig)["plan"]] == [True, True, False]

        work.runs(*TESTS_PASS)
        read(followed)
        plan = state_of(rig)["plan"]
        assert [step["claimed"] for step in plan] == [True, False, False]
        assert plan[1]["proven_by"] == "pytest -q"

    def test_a_rule_of_the_config_moves_the_step_it_names(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        rig.config = Config(progress=(ProgressRule(command="make e2e", complete="end to end"),))
        lay_state(rig, {"pending": ["end to end"]})
        work.session.turn(1000)
        work.runs("cd x && make e2e", "fine")

        read(followed)

        assert state_of(rig)["completed"] == ["end to end"]

    def test_the_same_stretch_read_twice_is_written_once(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        work.session.turn(1000)
        work.plans(write="completed", run_tests="in_progress")
        work.runs("pytest -q", "Exit code 1\n1 failed in 0.1s", False)
        work.runs(*TESTS_PASS)
        read(followed)
        before, count = state_of(rig), len(history_of(rig))

        # Killed before the record was saved: the next daemon begins where this one began.
        again: Followed = rig.roster().of_transcript(AGENT, str(work.session.transcript))[0]
        again.record = replace(again.record, checkpoint=None, offset=0)
        read(again)

        assert state_of(rig) == before
        assert len(history_of(rig)) == count

    def test_a_session_of_a_named_task_moves_that_task_alone(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        folder = rig.project / ".agent-memory" / "tasks" / "t1" / "state"
        folder.mkdir(parents=True)
        (folder / "task_state.json").write_text('{"task_id": "t1", "pending": ["run tests"]}')
        lay_state(rig, {"pending": ["run tests"]})
        followed.bind("t1")
        work.session.turn(1000)
        work.runs(*TESTS_PASS)

        read(followed)

        assert json.loads((folder / "task_state.json").read_text())["completed"] == ["run tests"]
        assert state_of(rig) == {"pending": ["run tests"]}

    def test_results_alone_make_no_task_and_a_plan_does(
        self, rig: Any, followed: Followed, work: Work
    ) -> None:
        work.session.turn(1000)
        work.runs("git commit -m x", "[main 1a2b3c4] x")
        read(followed)
        assert not state_file(rig.project).exists()

        work.plans(write="in_progress")
        read(followed)
        state = state_of(rig)
        assert (state["status"], state["completed"], len(state["plan"])) == ("", [], 1)


class TestWhatIsHeard:
    def test_what_was_there_before_we_followed_moves_nothing(
        self, rig: Any, transcript: Any, work: Work
    ) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        transcript.turn(1000)
        work.runs(*TESTS_PASS)
        size = transcript.transcript.stat().st_size
        followed = rig.roster().of_transcript(AGENT, str(transcript.transcript), known_size=size)[0]

        read(followed)

        assert state_of(rig) == {"pending": ["run tests"]}

    def test_a_helper_moves_nothing(self, rig: Any, followed: Followed, work: Work) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        work.session.turn(1000)
        call = work.calls_tool("Bash", {"command": "pytest"})
        block = {"type": "tool_result", "tool_use_id": call, "content": "3 passed in 0.1s"}
        work.session.row(type="user", isSidechain=True, message={"role": "user", "content": [block]})

        read(followed)

        assert state_of(rig) == {"pending": ["run tests"]}

    def test_a_session_of_no_project_is_read_without_details_until_there_is_one(
        self, rig: Any, followed: Followed, work: Work, transcript: Any
    ) -> None:
        memory = rig.project / ".agent-memory"
        memory.rename(rig.project / "away")
        transcript.turn(1000)
        work.runs(*TESTS_PASS)
        read(followed)
        assert followed.project is None

        (rig.project / "away").rename(memory)
        lay_state(rig, {"pending": ["run tests", "lint"]})
        followed.set_place(str(rig.project))  # as the next hook does
        work.runs("ruff check .", "All checks passed!")
        read(followed)
        assert state_of(rig)["completed"] == ["lint"]

    def test_what_the_person_says_is_captured_once(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.says("Never push to main without asking me first.")
        transcript.answers(1000, "All right.")

        read(followed)

        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"
        assert "push to main" in captured.read_text(encoding="utf-8")
        assert followed.scribe.as_json()["captured"] == 1
        before = captured.read_bytes()

        again: Followed = rig.roster().of_transcript(AGENT, str(transcript.transcript))[0]
        again.record = replace(again.record, checkpoint=None, offset=0)
        read(again)
        assert captured.read_bytes() == before
        assert again.scribe.as_json()["captured"] == 0

    def test_unless_capture_is_off(self, rig: Any, followed: Followed, transcript: Any) -> None:
        rig.config = Config(capture="off")
        transcript.says("Never push to main without asking me first.")
        transcript.answers(1000, "All right.")

        read(followed)

        assert not (rig.project / ".agent-memory" / "anchors" / "captured.md").exists()


class TestOwnReader:
    """A program of the team's choice that reads along."""

    def program(self, tmp_path: Path, body: str) -> tuple[str, ...]:
        path = tmp_path / "reader.py"
        path.write_text(f"import json, sys\nturn = json.load(sys.stdin)['turns'][-1]\n{body}\n")
        return (sys.executable, str(path))

    def test_what_it_finds_is_captured_beside_what_we_find(
        self, rig: Any, followed: Followed, transcript: Any, tmp_path: Path, eventually: Callable[..., Any]
    ) -> None:
        body = (
            "found = {'line': turn['line'], 'quote': 'ask Mia about the ledger'}\n"
            "print(json.dumps({'proposals': [found]}))"
        )
        rig.config = Config(capture_command=self.program(tmp_path, body))
        transcript.says("Hm, ask Mia about the ledger")
        read(followed)
        eventually(lambda: followed.scribe.is_waiting)

        read(followed)
        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"
        assert "ask Mia about the ledger" in captured.read_text(encoding="utf-8")

    def test_one_that_fails_costs_nothing_but_what_it_would_have_found(
        self, rig: Any, followed: Followed, transcript: Any, tmp_path: Path, eventually: Callable[..., Any]
    ) -> None:
        rig.config = Config(
            capture_command=self.program(tmp_path, "print('no model here', file=sys.stderr)\nsys.exit(7)")
        )
        transcript.says("Never push to main without asking me first.")
        read(followed)

        eventually(lambda: "capture_command" in followed.scribe.own_trouble)
        assert "ended with 7: no model here" in followed.scribe.own_trouble
        assert followed.scribe.as_json()["captured"] == 1


class TestTrouble:
    def test_a_memory_that_cannot_be_written_stops_no_reading_and_is_told_once(
        self, rig: Any, followed: Followed, work: Work, transcript: Any
    ) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        whole = state_file(rig.project).read_text()
        state_file(rig.project).write_text("{ torn")
        transcript.turn(1000)
        work.runs(*TESTS_PASS)
        read(followed)
        transcript.turn(2000)
        read(followed)

        assert followed.record.detector.turn == 2
        assert "not JSON" in followed.scribe.trouble
        assert "not JSON" in str(followed.scribe.as_json()["error"])
        assert len(rig.told("memory.refused")) == 1
        assert state_file(rig.project).read_text() == "{ torn"

        state_file(rig.project).write_text(whole)
        rig.now += RETRY_SECONDS
        read(followed)
        assert state_of(rig)["completed"] == ["run tests"]
        assert followed.scribe.trouble == ""

    def test_a_full_disk_is_trouble_of_the_memory_alone(
        self, rig: Any, followed: Followed, work: Work, transcript: Any
    ) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        (rig.project / ".agent-memory" / ".lock").mkdir()
        transcript.turn(1000)
        work.runs(*TESTS_PASS)

        read(followed)

        assert followed.record.detector.turn == 1
        assert followed.scribe.trouble

    def test_a_bug_costs_what_was_said_and_no_more(self, rig: Any) -> None:
        class Clumsy(Noting[Event]):
            def _found(self, events: Sequence[Event], *_: object) -> Sequence[Event]:
                if isinstance(events[0], PersonMessage) and events[0].text == "odd":
                    raise KeyError("oops")
                return events

            def _written(self, found: Sequence[Event], *_: object) -> int:
                return len(found)

            def as_json(self) -> dict[str, int]:
                return {"heard": self.count}

        scribe = Scribe(Clumsy(), now=lambda: rig.now)
        desk = Desk(project=rig.project, record=SessionRecord(key="k", agent=AGENT), config=Config())
        for text in ("a", "odd", "b"):
            scribe.hear([PersonMessage(line=1, offset=1, text=text)], desk)
            scribe.write(desk)

        assert scribe.as_json() == {
            "heard": 2,
            "left_out": 0,
            "error": "clumsy: hearing: KeyError: 'oops'",
        }

    def test_what_waits_for_a_memory_that_cannot_be_written_is_bounded(self, rig: Any) -> None:
        class Stuck(Noting[int]):
            written: tuple[int, ...] = ()
            is_stuck = True

            def _found(self, *_: object) -> Sequence[int]:
                return range(MOST_WAITING)

            def _written(self, found: Sequence[int], *_: object) -> int:
                if self.is_stuck:
                    raise OSError("no space left on device")
                self.written = tuple(found)
                return len(found)

            def as_json(self) -> dict[str, int]:
                return {}

        stuck = Stuck()
        desk = Desk(project=rig.project, record=SessionRecord(key="k", agent=AGENT), config=Config())
        for now in (0.0, 1.0, 2.0):
            stuck.hear([], desk, now=now)
            if stuck.is_due(now):
                stuck.write(desk, now=now)
        assert stuck.trouble == "no space left on device"

        stuck.is_stuck = False
        assert stuck.is_due(RETRY_SECONDS)
        stuck.write(desk, now=RETRY_SECONDS)
        assert (len(stuck.written), stuck.left_out) == (MOST_WAITING, 2 * MOST_WAITING)
        assert (stuck.trouble, stuck.is_waiting) == ("", False)


class TestRestart:
    def test_a_correction_reaches_what_was_said_before_a_restart(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.says("max 20 rows in any table you print here")
        read(followed)
        followed.save_now()
        transcript.says("make that 50 rows max")
        read(rig.roster().of_transcript(AGENT, str(transcript.transcript))[0])

        text = (rig.project / ".agent-memory" / "anchors" / "captured.md").read_text(encoding="utf-8")
        _, first, second = text.split("- [constraint] ")
        assert ("20 rows" in first, "superseded" in first) == (True, True)
        assert ("50 rows" in second, "superseded" in second) == (True, False)

    def test_what_could_not_be_written_is_kept_across_a_restart_and_written_once(
        self, rig: Any, followed: Followed, work: Work, transcript: Any
    ) -> None:
        lay_state(rig, {"pending": ["run tests"]})
        whole = state_file(rig.project).read_text()
        state_file(rig.project).write_text("{ torn")
        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"
        captured.parent.mkdir(exist_ok=True)
        captured.write_bytes(b"\xff\xff")
        transcript.says("Never touch ga-2/")
        work.runs(*TESTS_PASS)
        rig.read(followed)
        assert followed.scribe.trouble
        asyncio.run(followed.save(is_urgent=True))

        captured.unlink()
        state_file(rig.project).write_text(whole)
        for _ in range(2):
            (again,) = rig.roster().take_up_elsewhere({str(transcript.transcript)})
            rig.read(again)
        assert captured.read_text(encoding="utf-8").count("] Never touch ga-2/") == 1
        assert state_of(rig)["completed"] == ["run tests"]

        asyncio.run(again.save(is_urgent=True))
        assert rig.saved(again).unwritten == {}
        assert rig.roster().take_up_elsewhere({str(transcript.transcript)}) == []

    def test_every_kind_of_finding_survives_it(self) -> None:
        check = Check(name="pytest", kind="tests")
        ran = CheckRan(check=check, command="pytest", has_succeeded=True, call_id="1", at=1.0)
        rule = ProgressRule(command="make", complete="docs")
        found: list[Finding] = [
            ran,
            RuleApplies(rule=rule, command="make", has_succeeded=True, call_id="2", at=2.0),
            Planned(steps=(PlanStep(text="a", status="pending"),), at=3.0, passed=(ran,)),
            Reported(report=Report(done=("x",), decided=(Reason("y", "z", "y, since z"),)), at=4.0),
        ]
        before, after = Heard(found), Heard([])
        before.hear(
            [], Desk(project=Path("/p"), record=SessionRecord(key="k", agent=AGENT), config=Config()), now=0
        )
        after.take_up([{"OfAnotherVersion": {}}, None, *before.keep()])

        assert after.keep() == before.keep()
        assert after.waiting == found

    def test_what_the_record_keeps_is_bounded_and_the_latest(self) -> None:
        told = [
            Planned(steps=(PlanStep(text=f"{n} " + "x" * 20_000, status="pending"),), at=n) for n in range(60)
        ]
        heard = Heard(told)
        heard.hear(
            [], Desk(project=Path("/p"), record=SessionRecord(key="k", agent=AGENT), config=Config()), now=0
        )

        kept = heard.keep()
        assert 20 < len(kept) < 60
        assert kept[-1]["Planned"]["at"] == 59
        assert len(json.dumps(kept)) <= MOST_KEPT_BYTES


class Heard(Progress):
    """Has found this."""

    def __init__(self, found: Sequence[Finding]) -> None:
        super().__init__()
        self._told = found

    @property
    def waiting(self) -> list[Finding]:
        return list(self._waiting)

    def _found(self, *_: object) -> Sequence[Finding]:
        return self._told


class TestBehind:
    def test_whoever_reads_does_not_wait_for_a_memory_that_another_process_holds(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.says("Never touch ga-2/")
        released, taken = threading.Event(), threading.Event()

        def hold() -> None:
            with locked(rig.project):
                taken.set()
                released.wait(30)

        holder = threading.Thread(target=hold)
        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"

        async def read_while_it_is_held() -> None:
            holder.start()
            taken.wait(30)
            await followed.catch_up()
            assert followed.scribe.is_waiting
            assert not captured.exists()
            released.set()

        asyncio.run(read_while_it_is_held())
        holder.join()
        assert "Never touch ga-2/" in captured.read_text(encoding="utf-8")
        assert not followed.scribe.is_waiting


class TestBacklog:
    def test_what_many_slices_give_is_written_together(self, rig: Any) -> None:
        class Counting(Noting[int]):
            writings: tuple[int, ...] = ()

            def _found(self, events: Sequence[Event], *_: object) -> Sequence[int]:
                return range(len(events))

            def _written(self, found: Sequence[int], *_: object) -> int:
                self.writings += (len(found),)
                return len(found)

            def as_json(self) -> dict[str, int]:
                return {}

        counting = Counting()
        desk = Desk(project=rig.project, record=SessionRecord(key="k", agent=AGENT), config=Config())
        half = [PersonMessage(line=1, offset=1, text="x")] * (WRITTEN_TOGETHER // 2)
        for _ in range(3):
            counting.hear(half, desk, now=rig.now)
            if counting.is_due(rig.now, has_more=True):
                counting.write(desk, now=rig.now)
        assert (counting.writings, counting.is_waiting) == ((2 * len(half),), True)

        assert counting.is_due(rig.now)
        counting.write(desk, now=rig.now)
        assert (counting.writings, counting.is_waiting) == ((2 * len(half), len(half)), False)

    def test_a_daemon_that_stops_amid_a_backlog_loses_nothing_and_counts_nothing_twice(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.says("Never edit the files under src/gen.")
        for _ in range(40):
            transcript.turn(1000)
            transcript.answers(1000, "word " * 10_000)

        async def stop_amid(followed: Followed) -> None:
            reading = asyncio.create_task(followed.catch_up())
            while not (followed.scribe.is_waiting or reading.done()):  # noqa: ASYNC110  # a thread finds it
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.wait([reading])
            await followed.settle(seconds=10)
            await followed.save(is_urgent=True)

        asyncio.run(stop_amid(followed))
        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"
        assert "Never edit the files under src/gen" in captured.read_text(encoding="utf-8")
        assert 0 < followed.record.offset < transcript.transcript.stat().st_size

        again = rig.roster().of_transcript(AGENT, str(transcript.transcript))[0]
        read(again)
        assert again.record.detector.turn == 41
        assert "Said" not in captured.read_text(encoding="utf-8")


class TestEarlier:
    """What was said before a session was followed."""

    @pytest.fixture
    def captured(self, rig: Any) -> Path:
        found: Path = rig.project / ".agent-memory" / "anchors" / "captured.md"
        return found

    @staticmethod
    def take_up(rig: Any, transcript: Any) -> Followed:
        path = transcript.transcript
        found: Followed = rig.roster().of_transcript(AGENT, str(path), known_size=path.stat().st_size)[0]
        return found

    def test_it_is_remembered_in_order_with_its_line_and_causes_nothing(
        self, rig: Any, transcript: Any, work: Work, captured: Path
    ) -> None:
        transcript.says("Never touch old/. Use port 4000 for the API.")
        work.plans(write="completed")
        transcript.turn(90_000)
        transcript.compacts()
        followed = self.take_up(rig, transcript)
        transcript.says("Port 4001 for the API from now on, not 4000.")

        read(followed)

        text = captured.read_text(encoding="utf-8")
        assert text.count("] Never touch old/") == 1
        assert f"{transcript.id}:1" in text
        assert f"{transcript.id}:{transcript.rows}" in text
        assert "superseded" in text[text.index("Use port 4000") :]
        assert not followed.record.delivery.due
        assert not state_file(rig.project).exists()
        assert followed.record.earlier == 0

    def test_it_is_heard_when_somebody_works_there_and_not_before(
        self, rig: Any, transcript: Any, captured: Path
    ) -> None:
        transcript.says("Never touch old/.")
        followed = self.take_up(rig, transcript)
        followed.is_unheard = True
        followed.set_place(str(rig.project))
        read(followed)
        assert not captured.exists()
        followed.save_now()

        again = rig.roster().of_transcript(AGENT, str(transcript.transcript))[0]
        transcript.says("go on")
        read(again)
        assert captured.read_text(encoding="utf-8").count("] Never touch old/") == 1

    def test_a_memory_that_is_made_in_the_middle_of_a_session_holds_its_beginning(
        self, rig: Any, transcript: Any, captured: Path
    ) -> None:
        memory = rig.project / ".agent-memory"
        memory.rmdir()
        followed = rig.roster().of_transcript(AGENT, str(transcript.transcript))[0]
        transcript.says("Never touch old/.")
        read(followed)
        assert followed.project is None

        memory.mkdir()
        followed.set_place(str(rig.project))
        read(followed)
        assert captured.read_text(encoding="utf-8").count("] Never touch old/") == 1

    def test_a_copy_of_another_session_is_not_heard_again(
        self, rig: Any, transcript: Any, new_session: Callable[..., Any], captured: Path
    ) -> None:
        transcript.says("Never touch old/.")
        read(self.take_up(rig, transcript))
        fork = new_session(rig)
        fork.write(transcript.transcript.read_bytes())
        fork.says("go on")
        read(self.take_up(rig, fork))
        assert captured.read_text(encoding="utf-8").count("] Never touch old/") == 1
        assert "said: 2" not in captured.read_text(encoding="utf-8")

    def test_a_very_large_one_is_followed_from_its_end(
        self, rig: Any, transcript: Any, captured: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "MOST_EARLIER_BYTES", 100)
        transcript.says("Never touch old/.")
        followed = self.take_up(rig, transcript)
        transcript.says("Never touch new/.")
        read(followed)
        text = captured.read_text(encoding="utf-8")
        assert ("old/" in text, "new/" in text) == (False, True)


class TestLiving:
    def test_what_was_said_while_no_daemon_ran_is_heard_when_the_session_goes_on(
        self, daemon: Any, new_session: Callable[..., Any]
    ) -> None:
        daemon.stop()
        session = new_session(daemon)
        session.says("Never touch legacy/")
        session.answers(1000)
        daemon.start()
        session.says("go on")
        session.answers(2000)
        assert session.prompts() == ""  # it has heard so itself
        session.compacts()
        assert "legacy/" in session.prompts()
        session.answers(3000)
        assert session.prompts() == ""

    def test_what_waits_outlives_an_orderly_restart_and_is_written_when_the_memory_is_whole(
        self, daemon: Any, new_session: Callable[..., Any], eventually: Callable[..., Any]
    ) -> None:
        session = new_session(daemon)
        session.starts()
        captured = daemon.project / ".agent-memory" / "anchors" / "captured.md"
        captured.parent.mkdir(parents=True, exist_ok=True)
        captured.write_bytes(b"\xff\xff")
        session.says("Never touch ga-2/")
        session.prompts()
        eventually(lambda: session.seen()["memory"]["error"])

        daemon.stop()
        captured.unlink()
        daemon.start()
        eventually(captured.exists)
        assert captured.read_text(encoding="utf-8").count("] Never touch ga-2/") == 1

    def test_a_living_daemon_moves_the_task_and_tells_the_agent_and_no_kill_makes_it_twice(
        self, daemon: Any, new_session: Callable[..., Any]
    ) -> None:
        daemon.task_state({"goal": "credit notes", "pending": ["run tests", "docs"]})
        (daemon.project / ".agent-memory" / "config.yaml").write_text(
            "progress:\n- {command: make docs, complete: docs}\n"
        )
        session = new_session(daemon)
        work = Work(session)
        assert "run tests" in session.starts()
        session.turn(1000)
        work.plans(write="completed", run_tests="completed")
        assert session.prompts() == ""  # its own plan is no news to it

        work.runs(*TESTS_PASS)
        news = session.prompts()
        assert "Done: 2/3 (1 claimed)" in news
        assert "Pending: docs" in news
        path = daemon.project / ".agent-memory" / "state" / "history.jsonl"
        lines = path.read_text().splitlines()

        daemon.kill()
        daemon.start()
        session.turn(2000)
        session.prompts()
        assert path.read_text().splitlines() == lines

        work.runs("make docs")
        assert "Done: 3/3 (1 claimed)" in session.prompts()
        assert session.seen()["memory"] == {
            "proven": 1, "captured": 0, "masked": 0, "dropped": 0, "left_out": 0, "error": None
        }  # fmt: skip
