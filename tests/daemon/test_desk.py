"""Hooks at the desk: who comes first takes it, whoever does not take it whole leaves it to the next."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agentinitd.daemon.desk import HookDesk
from agentinitd.daemon.http import HttpRequest
from agentinitd.daemon.receipts import Receipts

New = Callable[..., Any]
Eventually = Callable[..., Any]

RULE = "- [constraint] Install with pnpm, never npm\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has one rule, and is changed by nobody."""
    memory = tmp_path_factory.mktemp("desk") / "project" / ".agent-memory"
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


def request(payload: dict[str, object], *headers: str) -> bytes:
    body = json.dumps(payload).encode()
    head = ["POST /v1/hook/claude-code HTTP/1.1", "Host: x", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def connected(session: Any) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    client.connect(str(session.daemon.runtime / "agentinitd.sock"))
    return client


def outcomes(session: Any) -> list[str]:
    """What became of the snippets handed out so far."""
    records = session.daemon.log()
    return [
        each["result"] for each in records if each["event"] == "delivery" and each["session"] == session.id
    ]


def due(session: Any) -> list[str]:
    return [cause["trigger"] for cause in session.seen()["due"]]


class SlowSupervisor:
    """Builds until it is told that it is enough; and what is heard meanwhile."""

    def __init__(self, roster: Any, tasks: asyncio.TaskGroup) -> None:
        self.roster = roster
        self.is_building, self.is_enough = asyncio.Event(), asyncio.Event()
        self.ended: list[str] = []
        self._tasks = tasks

    async def read(self, _followed: Any) -> None: ...

    async def built(self, followed: Any, _runlevel: str) -> Any:
        async with followed.building.lock:
            self.is_building.set()
            await self.is_enough.wait()
        return SimpleNamespace(result="empty", snippet=None, reason="nothing to say")

    def undertake(self, _doing: str, deed: Any) -> Any:
        return self._tasks.create_task(deed)

    def end(self, followed: Any) -> None:
        self.ended.append(followed.record.last_hook.event)

    def build_ahead(self, _followed: Any) -> None: ...


class TestQuietHooks:
    """Those whose output reaches no model."""

    @pytest.mark.parametrize("event", ["Stop", "PreCompact", "PostCompact", "SessionEnd", "Unheard"])
    def test_it_waits_for_no_rebuild_that_another_hook_asked_for(
        self, rig: Any, tmp_path: Path, event: str
    ) -> None:
        def hook(name: str) -> HttpRequest:
            payload = {"session_id": "one", "cwd": str(rig.project), "hook_event_name": name}
            body = json.dumps(payload).encode()
            return HttpRequest(method="POST", target="/v1/hook/claude-code", body=body)

        async def story() -> Any:
            async with asyncio.TaskGroup() as tasks:
                slow: Any = SlowSupervisor(rig.roster(), tasks)
                desk = HookDesk(slow, receipts=Receipts(tmp_path), now=lambda: rig.now)
                prompt = tasks.create_task(desk.serve("claude-code", hook("UserPromptSubmit")))
                await slow.is_building.wait()
                answer = await desk.serve("claude-code", hook(event))
                assert (answer.status, prompt.done(), slow.ended) == (204, False, [])
                slow.is_enough.set()
            return slow

        slow = asyncio.run(story())

        [session] = slow.roster
        assert session.record.last_hook.event == event, "it was heard all the same"
        assert slow.ended == (["SessionEnd"] if event == "SessionEnd" else [])


class TestOnce:
    def test_of_many_hooks_at_once_one_gets_it(self, session: Any, eventually: Eventually) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        answers: list[str] = []

        def ask() -> None:
            answers.append(session.daemon.context(session.payload("PostToolUse")))

        def all_ask() -> str:
            """Where the build takes longer than a hook waits, the next ones get it."""
            threads = [threading.Thread(target=ask) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return max(answers, key=len)

        assert "pnpm" in eventually(all_ask)
        all_ask()
        assert len([answer for answer in answers if answer]) == 1

    def test_a_client_that_leaves_while_it_is_built_does_not_take_it_away(
        self, session: Any, eventually: Eventually
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        with connected(session) as client:
            client.sendall(request(session.payload("PostToolUse"), "X-Agentinitd-Client: hook"))
            while b"102 Processing" not in client.recv(65536):
                pass

        # Gone before the hand-out, or, when the build was quicker, after it.
        eventually(
            lambda: session.seen()["last_hook"]["outcome"] == "client left" or "put back" in outcomes(session)
        )
        assert due(session) == ["marker"]
        assert "pnpm" in session.prompts()

    def test_a_client_that_was_killed_before_it_printed_does_not_take_it_away(
        self, session: Any, eventually: Eventually
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        with connected(session) as client:
            client.sendall(request(session.payload("PostToolUse"), "X-Agentinitd-Client: hook"))
            text = b""
            while b"additionalContext" not in text:
                text += client.recv(65536)

        eventually(lambda: "put back" in outcomes(session))
        assert due(session) == ["marker"]
        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_a_client_that_knows_no_receipts_has_it_when_it_took_it_whole(
        self, session: Any, eventually: Eventually
    ) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        with connected(session) as client:
            client.sendall(request(session.payload("PostToolUse")))
            text = b""
            while b"additionalContext" not in text:
                text += client.recv(65536)

        eventually(lambda: session.seen()["last_delivery"]["hook"] == "PostToolUse")
        assert session.prompts() == ""

    def test_a_hook_whose_output_nobody_reads_does_not_take_it_away(self, session: Any) -> None:
        session.starts()
        session.turn(150_000)
        session.compacts()
        payload = json.dumps(session.payload("PostToolUse")).encode()
        client = Path(__file__).resolve().parents[2] / "agentinitd" / "hook.py"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(client), "claude-code"],
            env=session.daemon.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(payload)
        process.stdin.close()
        assert process.wait(timeout=10) == 0

        assert "pnpm" in session.prompts()


class TestWhichSession:
    def test_another_id_for_the_same_transcript_is_the_same_session(self, session: Any) -> None:
        session.starts()
        session.turn(1000)

        assert session.prompts(session_id="another-id") == ""
        sessions = session.daemon.get("/v1/sessions")["sessions"]
        assert [each["transcript"] for each in sessions].count(str(session.transcript)) == 1

    def test_a_hook_that_names_neither_is_answered_with_nothing(self, session: Any) -> None:
        before = len(session.daemon.get("/v1/sessions")["sessions"])

        for payload in ({"hook_event_name": "SessionStart"}, {"hook_event_name": "Stop", "cwd": "/"}, {}):
            assert session.daemon.hook(payload) == ""

        assert len(session.daemon.get("/v1/sessions")["sessions"]) == before

    @pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork", "later-invention"])
    def test_each_way_to_start_is_a_start(self, session: Any, source: str) -> None:
        assert "pnpm" in session.starts(source)
        assert session.seen()["last_hook"]["outcome"] == "served"

    def test_a_prompt_without_a_start_before_it_gets_the_snippet_as_well(self, session: Any) -> None:
        assert "pnpm" in session.prompts()
        assert session.prompts() == ""

    def test_an_event_that_nobody_knows_changes_nothing(self, session: Any) -> None:
        session.starts()

        assert session.daemon.hook(session.payload("SomethingNew")) == ""
        assert session.seen()["last_hook"]["event"] == "SomethingNew"


class TestNothingToSay:
    def test_what_is_due_waits_until_there_is_something_to_say(self, own: Any) -> None:
        anchors = own.project / ".agent-memory" / "anchors" / "project_constraints.md"
        anchors.write_text("")

        assert own.starts() == ""
        assert own.seen()["last_hook"]["outcome"] == "no memory"
        anchors.write_text(RULE)

        assert "pnpm" in own.prompts()
        assert own.prompts() == ""

    def test_an_empty_memory_is_not_built_again_at_every_hook(self, own: Any) -> None:
        (own.project / ".agent-memory" / "anchors" / "project_constraints.md").write_text("")
        own.starts()

        for _ in range(4):
            assert own.told(own.payload("PostToolUse")) == ""

        runs = [run for run in own.daemon.get("/v1/runs")["runs"] if run["session"] == own.id]
        assert len(runs) == 1
        assert runs[0]["result"] == "empty"

    def test_a_memory_that_goes_away_is_silent_and_comes_back(self, own: Any) -> None:
        own.starts()
        memory = own.project / ".agent-memory"
        memory.rename(own.project / "away")
        own.turn(150_000)
        own.compacts()
        assert own.prompts() == ""
        assert not memory.exists()

        (own.project / "away").rename(memory)

        assert "pnpm" in own.prompts()


class TestTaskState:
    def test_a_state_that_comes_and_goes_within_one_turn_is_told_each_time(self, own: Any) -> None:
        path = own.project / ".agent-memory" / "state" / "task_state.json"
        states = [{"task_id": "t", "status": "in_progress", "pending": [word]} for word in ("alpha", "beta")]
        path.write_text(json.dumps(states[0]))
        own.starts()
        own.says()

        for state, word in ((states[1], "beta"), (states[0], "alpha"), (states[1], "beta")):
            path.write_text(json.dumps(state))
            assert word in own.told(own.payload("PostToolUse"))
            assert own.told(own.payload("PostToolUse")) == ""

    def test_of_many_changes_only_the_last_waits(self, own: Any) -> None:
        path = own.project / ".agent-memory" / "state" / "task_state.json"
        path.write_text(json.dumps({"task_id": "t", "status": "in_progress", "pending": ["zero"]}))
        own.starts()
        own.says()

        for number in range(5):
            path.write_text(
                json.dumps({"task_id": "t", "status": "in_progress", "pending": [f"step-{number}"]})
            )
            own.daemon.hook(own.payload("Stop"))

        assert due(own) == ["task-state"]
        assert "step-4" in own.prompts()
