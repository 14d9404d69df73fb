"""Several projects in which several agents work, and a person who edits, switches, approves and looks."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import random
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from conversing import ClaudeCode, Codex, Conversation, Gemini, OpenCode
from speaking import Rule, Speech
from working import Gate, Worker, post
from world import WAIT_SECONDS, World, kill

from agentinitd.daemon.records import record_key
from agentinitd.sessions.record import SessionRecord

DROPS = "periodic_turns: 0\nperiodic_requests: 0\ncheckpoint_percent: 0\n"
"""A fall of the context and the compactions are the only causes: each of them can be counted."""
USER = "log_bytes: 33554432\nlog_files: 20\nstale_days: {days}\nscript_timeout_seconds: 2\n"
"""Nothing of the log is gone in the end."""
TASKS = ("basket", "search")
SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides:             house
# X-Agentinitd-Timeout: 0.5
# X-Agentinitd-Section: House
### END INIT INFO
# version {version}
case "$(cat {mood} 2>/dev/null)" in
    fails) echo "not today" >&2; exit 1 ;;
    hangs) sleep 60 ;;
    floods) head -c 300000 /dev/zero | tr '\\0' x ;;
esac
echo "- the house is version {version}"
"""
MOODS = (*["is well"] * 5, "fails", "hangs", "floods")


class Office(World):
    """What `World` has, with more projects, and conversations of four agents."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        super().__init__(folder, rng)
        (self.mixed / ".agent-memory" / "config.yaml").write_text("periodic_turns: 7\n")
        self.drops = self._project("drops", DROPS)
        self.site = self._project("site", "")
        self.tool = self._project("tool", "")
        self.config.write_text(USER.format(days=7))
        self.gate = Gate()
        self.conversations: list[Conversation] = []
        self.workers: list[Worker] = []
        self.rules: list[list[Rule]] = []
        """As they were said in each conversation."""
        self.start_seconds: list[float] = []
        """Of each restart, until it was ready."""
        self.killed: list[int] = []
        """Daemons that could not tidy up."""
        self.opening = threading.Lock()
        """Whoever holds it, no conversation begins: one that no daemon knows would be taken for old."""
        self._numbers = itertools.count(1)
        OpenCode.install(self.home)

    def new_conversation(self) -> tuple[Conversation, Speech]:
        with self._lock:
            rng = random.Random(self._rng.getrandbits(64))
            conversation = rng.choice(
                (
                    lambda: self._claude_code(self.pure, rng),
                    lambda: self._claude_code(self.mixed, rng),
                    lambda: self._claude_code(self.drops, rng),
                    lambda: self._claude_code(self.site, rng),
                    lambda: self._claude_code(self.tool, rng),
                    lambda: Codex(self.home, self.drops, rng),
                    lambda: Codex(self.home, self.tool, rng),
                    lambda: Gemini(self.home, self.site, rng),
                    lambda: OpenCode(self.home, self.drops, rng),
                    lambda: OpenCode(self.home, self.tool, rng),
                )
            )()
            has_plans = conversation.project != self.pure  # a plan begins a task, which is told of as well
            speech = Speech(rng=rng, project=conversation.project, numbers=self._numbers, has_plans=has_plans)
            self.conversations.append(conversation)
            self.rules.append(speech.rules)
            return conversation, speech

    def _claude_code(self, project: Path, rng: random.Random) -> ClaudeCode:
        worker = Worker(
            self.transcripts,
            project,
            self.environment,
            rng,
            is_written_down=project in (self.mixed, self.tool),
            gate=self.gate,
        )
        self.sessions.append(worker)
        self.workers.append(worker)
        return ClaudeCode(worker, rng)

    def make_leak(self, mebibytes_per_minute: float) -> None:
        """Whatever daemon starts from now on keeps so much more."""
        leak = Path(__file__).resolve().parent / "leak"
        self.environment |= {"PYTHONPATH": str(leak), "SOAK_LEAK": str(mebibytes_per_minute)}

    def make_roots(self) -> None:
        """Where agents write: a folder that comes later is one more that is watched."""
        for root in (self.transcripts, self.home / ".codex" / "sessions", self.home / ".gemini" / "tmp"):
            root.mkdir(parents=True, exist_ok=True)

    def record_at(self, conversation: Conversation) -> Path:
        """What the daemon remembers of it."""
        name = os.path.realpath(conversation.transcript)
        return self.state / "sessions" / f"{record_key(conversation.agent, name)}.json"

    def names(self) -> dict[str, str]:
        return {self.record_at(each).stem: each.id for each in self.conversations}

    def ask(self, path: str, value: object) -> tuple[int, bytes]:
        return post(self.runtime / "agentinitd.sock", path, value)

    def restart(self, *, is_killed: bool) -> None:
        """Begun conversations are known before, and none begins meanwhile; what goes on goes on."""
        with self.opening:
            _wait_until(self._is_all_known, "every conversation found")
            if is_killed:
                with self.gate.shut():
                    _wait_until(self._is_settled, "the last answers settled")
                    pid = self.holder()
                    kill(pid)
                    self.killed.append(pid)
            else:
                done = self.command("stop")
                if done.returncode:
                    raise AssertionError(f"`agentinitd stop` ended with {done.returncode}: {done.stderr}")
            time.sleep(self._rng.random() * 0.5)
            self.start_in_time()

    def start_in_time(self) -> None:
        """What was said meanwhile is read first: `start` gives up waiting, and the daemon goes on."""
        began = time.monotonic()
        before = self._times_ready()
        if self.command("start").returncode:
            _wait_until(lambda: self._times_ready() > before, "the daemon ready", seconds=3 * WAIT_SECONDS)
        self.start_seconds.append(time.monotonic() - began)

    def _times_ready(self) -> int:
        return sum(path.read_bytes().count(b'"daemon.ready"') for path in self.state.glob("rebuild.log*"))

    def unread(self) -> list[str]:
        """Conversations that the daemon has not read to their end, or whose rules it has yet to write down.

        Of a database its record tells no end that could be compared.
        """
        found = []
        for each in self.conversations:
            path, record = Path(each.transcript), SessionRecord(key="", agent=each.agent)
            with contextlib.suppress(FileNotFoundError):  # it ended before the daemon saw that it began
                record = msgspec.json.decode(self.record_at(each).read_bytes(), type=SessionRecord)
            is_read = not path.is_file() or record.offset >= path.stat().st_size
            if not record.key or not is_read or record.unwritten:
                found.append(f"{each.agent} {each.id} was read up to {record.offset}")
        return found

    def end(self) -> None:
        """Whatever still lives in this home, when something of the play itself failed."""
        for process in self.processes():
            kill(int(process.split()[0]))

    def _is_all_known(self) -> bool:
        return all(self.record_at(each).exists() for each in list(self.conversations))

    def _is_settled(self) -> bool:
        """And that is on disk."""
        return not any(
            b'"handouts":[{' in self.record_of(worker).read_bytes() for worker in list(self.workers)
        )


class Person:
    """Does one thing after the other, each of which a daemon has to stand."""

    def __init__(self, office: Office, rng: random.Random) -> None:
        self.done: dict[str, int] = {}
        self._office = office
        self._rng = rng
        self._version = 0
        self._deeds: dict[Callable[[], object], int] = {
            self._edits_rules: 6,
            self._edits_task_state: 3,
            self._switches_task: 2,
            self._writes_script: 1,
            self._changes_mood: 2,
            self._reloads: 1,
            self._looks: 2,
            self._listens: 1,
        }

    def begin(self) -> None:
        """While nobody works yet, and the daemon runs."""
        for project in self._office.projects:
            self._rules_of(project)
        for project in (self._office.site, self._office.tool):
            for task in TASKS:
                self._post("/v1/tasks", {"project": str(project), "task": task, "pending": ["look", "mend"]})
        self._writes_script()

    def act(self) -> None:
        deed = self._rng.choices(list(self._deeds), weights=list(self._deeds.values()))[0]
        name = deed.__name__.strip("_").replace("_", " ")
        with contextlib.suppress(ConnectionError, FileNotFoundError):  # the daemon is away just now
            deed()
            self.done[name] = self.done.get(name, 0) + 1

    def _edits_rules(self) -> None:
        self._rules_of(self._rng.choice(self._office.projects))

    def _rules_of(self, project: Path) -> None:
        self._version += 1
        rules = "".join(
            f"- [constraint] House rule {number} of edition {self._version}\n  Why: the person says so.\n"
            for number in range(1, 6)
        )
        _replace(project / ".agent-memory" / "anchors" / "project_constraints.md", rules)

    def _edits_task_state(self) -> None:
        self._version += 1
        project = self._rng.choice([each for each in self._office.projects if each != self._office.pure])
        state = {"task_id": project.name, "status": "in progress", "pending": [f"step {self._version}"]}
        _replace(project / ".agent-memory" / "state" / "task_state.json", json.dumps(state))

    def _switches_task(self) -> None:
        project = self._rng.choice((self._office.site, self._office.tool))
        task = self._rng.choice((*TASKS, "-"))
        self._post("/v1/tasks/switch", {"project": str(project), "task": task})

    def _writes_script(self) -> None:
        """It is another one now, which asks to be approved; mostly it is."""
        self._version += 1
        memory = self._office.tool / ".agent-memory"
        script = memory / "init.d" / "S50-house"
        script.parent.mkdir(exist_ok=True)
        text = SCRIPT.format(version=self._version, mood=memory / "mood")
        _replace(script, text, mode=0o755)
        if self._rng.random() < 0.8:
            digest = hashlib.sha256(text.encode()).hexdigest()
            self._run("trust", "allow", "--sha256", digest, str(script))

    def _changes_mood(self) -> None:
        _replace(self._office.tool / ".agent-memory" / "mood", self._rng.choice(MOODS))

    def _reloads(self) -> None:
        self._office.config.write_text(USER.format(days=self._rng.randrange(5, 9)))
        self._post("/v1/reload", {})

    def _looks(self) -> None:
        self._run(*self._rng.choice((("status", "--json"), ("logs", "-n", "20"), ("rc", "show", "-v"))))

    def _listens(self) -> None:
        """And leaves in the middle."""
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(5.0)
            channel.connect(str(self._office.runtime / "agentinitd.sock"))
            channel.sendall(b"GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
            channel.recv(4096)

    def _post(self, path: str, value: object) -> None:
        status, body = self._office.ask(path, value)
        if status not in (0, 200, 201, 503):
            raise AssertionError(f"{path} {value}: {status} {body!r}")

    def _run(self, *arguments: str) -> None:
        done = self._office.command(*arguments)
        if done.returncode not in (0, 1, 3, 4, 7):
            raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stderr}")


def _wait_until(is_so: Callable[[], bool], what: str, *, seconds: float = WAIT_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.05)


def _replace(path: Path, text: str, *, mode: int = 0o644) -> None:
    """As an editor saves."""
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(mode)
    beside.replace(path)
