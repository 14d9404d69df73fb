"""The running daemon follows every agent: each one's sample is written as that agent writes, and is seen.

One life of one daemon for all: sessions begin, the daemon is killed, contexts are compacted, the daemon is
stopped, the sessions go on meanwhile, the daemon is back.  Each test looks at one session afterwards.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agentinitd.transcripts.agents import AGENTS

DATA = Path(__file__).resolve().parents[1] / "data"
SECONDS = 20.0

Step = Callable[[], None]


@dataclass(kw_only=True)
class Played:
    """One session of one agent, in three acts; the compaction is the second."""

    agent: str
    session_id: str
    folder: Path
    begins: Step
    compacts: Step
    goes_on: Step
    trigger: str = "marker"
    seen: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the daemon said of it after each act."""
    published: str = ""
    fetched: str = ""

    @property
    def snippet(self) -> Path:
        return self.folder / ".agent-memory" / "run" / self.session_id / "snippet.md"

    @property
    def rule(self) -> str:
        return f"Install what {self.folder.name} needs with pnpm"


# --- How the agents write


def appended(path: Path, lines: list[bytes], *cuts: int) -> tuple[Step, ...]:
    """Line by line to the end of one file; each act reaches to one of these lines, the last to the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    places = (0, *cuts, len(lines))

    def act(begin: int, end: int) -> Step:
        def write() -> None:
            with path.open("ab", buffering=0) as file:
                for line in lines[begin:end]:
                    file.write(line)

        return write

    return tuple(act(begin, end) for begin, end in itertools.pairwise(places))


def rewritten(path: Path, documents: list[Any], *, by_rename: bool) -> tuple[Step, ...]:
    """The whole document anew in each act: in place, or beside it and then put in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)

    def act(document: Any) -> Step:
        text = json.dumps(document, indent=2)

        def write() -> None:
            target = path.with_name(f".{path.name}.tmp") if by_rename else path
            target.write_text(text, encoding="utf-8")
            if by_rename:
                target.replace(path)

        return write

    return tuple(map(act, documents))


class Database:
    """A database in WAL mode that its agent keeps open, and writes to in transactions."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")

    def becomes(self, script: str) -> None:
        """What the database of this script holds, in one transaction: rows removed, changed and added."""
        wanted = sqlite3.connect(":memory:")
        wanted.executescript(script)
        schema = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        self._db.execute("BEGIN IMMEDIATE")
        for table, sql in wanted.execute(schema).fetchall():
            self._db.execute(sql.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1))
            rows = wanted.execute(f"SELECT rowid, * FROM {table}").fetchall()
            known = set(self._db.execute(f"SELECT rowid, * FROM {table}").fetchall())
            gone = {row[0] for row in known} - {row[0] for row in rows}
            self._db.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(rowid,) for rowid in gone])
            names = [row[1] for row in wanted.execute(f"PRAGMA table_info({table})")]
            marks = ", ".join("?" * (len(names) + 1))
            insert = f"INSERT OR REPLACE INTO {table}(rowid, {', '.join(names)}) VALUES ({marks})"
            self._db.executemany(insert, [row for row in rows if row not in known])
        self._db.execute("COMMIT")
        wanted.close()


def lines_of(sample: str, cwd: str, folder: Path, session_id: str = "", other_id: str = "") -> list[bytes]:
    """Of this sample, as if it had been played in `folder`."""
    text = (DATA / sample).read_bytes().replace(cwd.encode(), str(folder).encode())
    if session_id:
        text = text.replace(session_id.encode(), other_id.encode())
    return text.splitlines(keepends=True)


def now_instead(script: str, *fields: str) -> str:
    """The agent writes the time at which it writes."""
    for each in fields:
        script = script.replace(each, time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()))
    return script


# --- The agents


def claude_code(home: Path, folder: Path) -> Played:
    cwd = r"C:\\Users\\user\\Documents\\dir-1566\\.claude\\worktrees\\dir-1567"
    lines = lines_of("claude-code/two-compactions.jsonl", cwd, folder)
    session_id = "00f6f9b5-3841-4f1d-aefd-b000aec0ea72"
    path = home / ".claude" / "projects" / str(folder).replace("/", "-") / f"{session_id}.jsonl"
    acts = appended(path, lines, 60, 81, 150)[:3]
    return played("claude-code", session_id, folder, acts)


def played(agent: str, session_id: str, folder: Path, acts: tuple[Step, ...], **fields: Any) -> Played:
    begins, compacts, goes_on = acts
    return Played(
        agent=agent,
        session_id=session_id,
        folder=folder,
        begins=begins,
        compacts=compacts,
        goes_on=goes_on,
        **fields,
    )


def codex(home: Path, folder: Path) -> Played:
    lines = lines_of("codex/cx-0.58-local-two-compactions.jsonl", "/home/user/project", folder)
    session_id = "8ad0e43e-0715-7f4d-a924-1adc3d49bfc9"
    day = home / ".codex" / "sessions" / "2025" / "11" / "14"
    path = day / f"rollout-2025-11-14T09-00-00-{session_id}.jsonl"
    return played("codex", session_id, folder, appended(path, lines, 22, 28, 45)[:3])


def gemini(home: Path, folder: Path) -> Played:
    lines = lines_of("gemini/gm-0.61-auto-compress.jsonl", "/home/user/project", folder)
    session_id = "ed16bc00-118a-489f-a473-94e5edfb291f"
    room = home / ".gemini" / "tmp" / "lines"
    path = room / "chats" / "session-2026-07-31T09-00-ed16bc00.jsonl"
    acts = appended(path, lines, 110, 118)
    (room / ".project_root").write_text(str(folder))
    return played("gemini", session_id, folder, acts)


def gemini_document(home: Path, folder: Path) -> Played:
    """Up to 0.36: one document, put in its place as a whole."""
    session_id = "11111111-2222-4333-8444-555555555555"
    room = home / ".gemini" / "tmp" / hashlib.sha256(str(folder).encode()).hexdigest()
    head = {"sessionId": session_id, "projectHash": room.name, "startTime": "2026-03-01T09:00:00.000Z"}
    messages: list[dict[str, Any]] = []

    def message(kind: str, content: str, tokens: int | None = None) -> None:
        at = f"2026-03-01T09:{len(messages):02}:00.000Z"
        made = {"id": f"m-{len(messages)}", "timestamp": at, "type": kind, "content": content}
        size = {"input": tokens, "output": 9, "cached": 0, "thoughts": 0, "tool": 0, "total": 0}
        messages.append(made if tokens is None else {**made, "model": "gemini-3", "tokens": size})

    def document() -> dict[str, Any]:
        return {**head, "lastUpdated": messages[-1]["timestamp"], "messages": list(messages)}

    documents = []
    message("user", "list the rows")
    message("gemini", "two rows", 500_000)
    documents.append(document())
    message("user", "repeat for all tables")
    message("info", "Context compressed from 60% to 6%.")
    documents.append(document())
    message("gemini", "all listed", 58_000)
    documents.append(document())
    acts = rewritten(room / "chats" / "session-2026-03-01T09-00-11111111.json", documents, by_rename=True)
    (home / ".gemini" / "projects.json").write_text(json.dumps({"projects": {str(folder): room.name}}))
    return played("gemini", session_id, folder, acts)


def qwen(home: Path, folder: Path) -> Played:
    lines = lines_of("qwen/qw-0.24-auto-compress.jsonl", "/home/user/project", folder)
    session_id = "418a3bd8-c735-4bcd-ae85-f256b14460ce"
    path = home / ".qwen" / "projects" / str(folder).replace("/", "-") / "chats" / f"{session_id}.jsonl"
    return played("qwen", session_id, folder, appended(path, lines, 15, 18))


def opencode(home: Path, folder: Path) -> Played:
    """Version 2: the session's row exists from the beginning, its messages are added."""
    script = (DATA / "opencode" / "v1.sql").read_text().replace("/srv/demo", str(folder))
    database = Database(home / ".local" / "share" / "opencode" / "opencode.db")
    acts = [_until(script, last) for last in (5, 7, 9)]
    session_id = "ses_1f00aa11bb22CCddEEffGGhh01"
    steps = tuple(lambda text=text: database.becomes(text) for text in acts)
    return played("opencode", session_id, folder, steps)


def _until(script: str, last: int) -> str:
    """The database as it was when message number `last` was the newest."""
    kept = []
    for line in script.splitlines():
        number = line.partition("msg_0f00aa")[2][:6]
        if line.startswith(('INSERT INTO "message"', 'INSERT INTO "part"')) and int(number, 16) > last:
            continue
        kept.append(line)
    times = {5: "1788000065000", 7: "1788000071500", 9: "1788000076300"}
    return "\n".join(kept).replace("1788000076300,NULL,NULL);", f"{times[last]},NULL,NULL);")


def opencode_tree(home: Path, folder: Path) -> Played:
    """Before the database: a file for each message and each part."""
    session_id = "ses_0f00aa11bb22CCddEEffGGhh77"
    storage = home / ".local" / "share" / "opencode" / "storage"

    def put(place: str, value: dict[str, Any]) -> None:
        path = storage / f"{place}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")

    def message(number: int, role: str, parts: list[dict[str, Any]], **more: Any) -> None:
        message_id, at = f"msg_0e{number:04}", 1_787_000_000_000 + number * 1000
        for index, part in enumerate(parts):
            put(f"part/{message_id}/prt_0e{number:04}{index}", part)
        times = {"created": at, "completed": at + 500}
        put(f"message/{session_id}/{message_id}", {"role": role, "time": times, **more})

    def answer(number: int, tokens: int, text: str, **more: Any) -> None:
        size = {"input": tokens, "output": 100, "reasoning": 0, "cache": {"read": 0, "write": 0}}
        parts = [{"type": "text", "text": text}]
        message(number, "assistant", parts, modelID="m", tokens=size, finish="stop", **more)

    def begins() -> None:
        session = {"id": session_id, "directory": str(folder), "version": "0.9.1", "time": {"created": 1}}
        put(f"session/prj1/{session_id}", session)
        message(1, "user", [{"type": "text", "text": "list the rows"}])
        answer(2, 150_000, "two rows")

    def compacts() -> None:
        message(3, "user", [{"type": "compaction", "auto": True}])
        answer(4, 151_000, "SUMMARY", summary=True)

    def goes_on() -> None:
        message(5, "user", [{"type": "text", "text": "repeat"}])
        answer(6, 15_000, "all listed")

    return played("opencode", session_id, folder, (begins, compacts, goes_on))


def copilot_cli(home: Path, folder: Path) -> Played:
    session_id = "aaaaaaaa-1111-4222-8333-000000000001"
    lines = lines_of("copilot-cli/compaction.jsonl", "/srv/demo", folder)
    acts = appended(home / ".copilot" / "session-state" / session_id / "events.jsonl", lines, 12, 16)
    script = (DATA / "copilot-cli" / "session-store.sql").read_text()
    Database(home / ".copilot" / "session-store.db").becomes(script)
    return played("copilot-cli", session_id, folder, acts)


def cline(home: Path, folder: Path) -> Played:
    """The store of 4.x: messages in place, the sidecar of a compaction by a rename."""
    session_id = "1788200000000_ab1cd"
    samples, room = DATA / "cline" / "store", home / ".cline" / "data" / "sessions" / session_id
    document = json.loads((samples / f"{session_id}.messages.json").read_text())
    acts = rewritten(
        room / f"{session_id}.messages.json",
        [{**document, "messages": document["messages"][:last]} for last in (6, 6, len(document["messages"]))],
        by_rename=False,
    )
    manifest = (samples / f"{session_id}.json").read_text()
    cwd = json.loads(manifest)["cwd"]
    sidecar = room / f"{session_id}.compaction.json"

    def begins() -> None:
        (room / f"{session_id}.json").write_text(manifest.replace(cwd, str(folder)))
        acts[0]()

    def compacts() -> None:
        temporary = sidecar.with_suffix(".tmp")
        shutil.copyfile(samples / sidecar.name, temporary)
        temporary.replace(sidecar)

    return played("cline", session_id, folder, (begins, compacts, acts[2]))


def cline_task(home: Path, folder: Path) -> Played:
    """The extension 3.x."""
    task = (
        home
        / ".config"
        / "Code"
        / "User"
        / "globalStorage"
        / "saoudrizwan.claude-dev"
        / "tasks"
        / "1788200000000"
    )
    messages = json.loads((DATA / "cline" / "task" / "ui_messages.json").read_text())
    acts = _task(task, messages, folder, first=6, second=7)
    return played("cline", task.name, folder, acts)


def roo(home: Path, folder: Path) -> Played:
    task_id = "0b8c0000-0000-4000-8000-000000000001"
    extension = home / ".config" / "Code" / "User" / "globalStorage" / "rooveterinaryinc.roo-cline"
    task = extension / "tasks" / task_id
    messages = json.loads((DATA / "roo" / "task" / "ui_messages.json").read_text())
    acts = _task(task, messages, folder, first=4, second=5)
    return played(
        "roo",
        task_id,
        folder,
        (acts[0], acts[1], rewritten(task / "ui_messages.json", [messages[:6]], by_rename=True)[0]),
    )


def _task(task: Path, messages: list[Any], folder: Path, *, first: int, second: int) -> tuple[Step, ...]:
    documents = [messages[:first], messages[:second], messages]
    acts = rewritten(task / "ui_messages.json", documents, by_rename=True)
    environment = f"# Current Working Directory ({folder}) Files\nNo files."
    told = [{"role": "user", "content": [{"type": "text", "text": environment}]}]
    (task / "api_conversation_history.json").write_text(json.dumps(told))
    return acts


def goose(home: Path, folder: Path) -> Played:
    database = Database(home / ".local" / "share" / "goose" / "sessions" / "sessions.db")

    def act(name: str) -> Step:
        script = (DATA / "goose" / f"{name}.sql").read_text().replace("/srv/demo", str(folder))
        return lambda: database.becomes(now_instead(script, "2026-09-01 00:01:00"))

    acts = tuple(map(act, ("1-before", "2-after-compaction", "3-next-reply")))
    return played("goose", "20260830_3", folder, acts)


def kimi_cli(home: Path, folder: Path) -> Played:
    session_id = "5c0f0000-0000-4000-8000-000000000001"
    group = hashlib.md5(str(folder).encode(), usedforsecurity=False).hexdigest()
    lines = lines_of("kimi/kimi-cli.jsonl", "/srv/demo", folder)
    path = home / ".kimi" / "sessions" / group / session_id / "wire.jsonl"
    acts = appended(path, lines, 20, 22, 26)[:3]
    work_dirs = {"work_dirs": [{"path": str(folder), "last_session_id": session_id}]}
    (home / ".kimi" / "kimi.json").write_text(json.dumps(work_dirs))
    return played("kimi", session_id, folder, acts)


def kimi_code(home: Path, folder: Path) -> Played:
    session_id = "session_0c0f0001"
    lines = lines_of("kimi/kimi-code.jsonl", "/srv/demo", folder)
    room = home / ".kimi-code" / "sessions" / "wd_project_0011" / session_id
    acts = appended(room / "agents" / "main" / "wire.jsonl", lines, 20, 25, 28)[:3]
    (room / "state.json").write_text(json.dumps({"workDir": str(folder)}))
    return played("kimi", session_id, folder, acts)


def aider(_home: Path, folder: Path) -> Played:
    """In the project itself, which the daemon knows from another agent."""
    lines = lines_of("aider/aider.chat.history.md", "/srv/demo", folder)
    acts = appended(folder / ".aider.chat.history.md", lines, 20, 27)
    return played("aider", "aider-2026-09-01T10:00:00", folder, acts, trigger="drop")


AGENTS_PLAYED: tuple[Callable[[Path, Path], Played], ...] = (
    claude_code, codex, gemini, gemini_document, qwen, opencode, opencode_tree, copilot_cli, cline,
    cline_task, roo, goose, kimi_cli, kimi_code, aider,
)  # fmt: skip


# --- The story


class Stage:
    """Where all are played."""

    def __init__(self, daemon: Any, root: Path) -> None:
        self.daemon = daemon
        self.root = root
        self.sessions = {
            each.__name__: each(daemon.home, self._project(each.__name__)) for each in AGENTS_PLAYED
        }

    def _project(self, name: str) -> Path:
        folder = self.root / f"project-of-{name}"
        anchors = folder / ".agent-memory" / "anchors"
        anchors.mkdir(parents=True)
        (folder / ".agent-memory" / "state").mkdir()
        rule = f"- [constraint] Install what {folder.name} needs with pnpm\n"
        (anchors / "project_constraints.md").write_text(rule)
        return folder

    def play(self) -> None:
        config = self.daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
        config.parent.mkdir(parents=True)
        config.write_text("tick_idle_seconds: 1\n")
        self.daemon.start()
        self._use_another_agent_in(self.sessions["aider"].folder)
        self.daemon.stop()

        self.daemon.start()
        for each in self.sessions.values():
            each.begins()
        self._look("begun", lambda seen: bool(seen.get("project")))
        self.daemon.kill()

        self.daemon.start()
        for each in self.sessions.values():
            each.compacts()
        self._look("compacted", lambda seen: bool(seen.get("last_compaction")))
        for each in self.sessions.values():
            self._fetch(each)
        self.daemon.stop()

        for each in self.sessions.values():
            each.goes_on()
        self.daemon.start()
        self._look("gone on", bool)
        self.daemon.stop()

    def _use_another_agent_in(self, folder: Path) -> None:
        """Aider leaves no word of where it works: its projects are those that the daemon knows anyhow."""
        transcript = str(self.daemon.projects_dir / "p" / "other.jsonl")
        payload = {"session_id": "other", "transcript_path": transcript, "cwd": str(folder)}
        self.daemon.hook({**payload, "hook_event_name": "SessionStart", "source": "startup"})

    def _look(self, act: str, is_so: Callable[[dict[str, Any]], bool]) -> None:
        """Waits until the daemon says so of all; who is late is found by its test."""
        deadline = time.monotonic() + SECONDS
        waiting = dict(self.sessions)
        while waiting and time.monotonic() < deadline:
            for name, each in list(waiting.items()):
                each.seen[act] = self.daemon.session(each.session_id)
                if each.seen[act] and is_so(each.seen[act]):
                    del waiting[name]
            time.sleep(0.05)

    def _fetch(self, each: Played) -> None:
        deadline = time.monotonic() + 5
        while not each.snippet.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        with contextlib.suppress(OSError):
            each.published = each.snippet.read_text(encoding="utf-8")
        _, body = self.daemon.ask("GET", f"/v1/snippet?session={each.session_id}")
        each.fetched = body.decode()


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, shared_daemon: Any) -> Stage:
    # The agents were there before it.
    shared_daemon.stop()
    made = Stage(shared_daemon, tmp_path_factory.mktemp("stage"))
    made.play()
    return made


@pytest.fixture(params=[each.__name__ for each in AGENTS_PLAYED])
def session(stage: Stage, request: pytest.FixtureRequest) -> Played:
    return stage.sessions[request.param]


def triggers(stage: Stage, session: Played) -> list[str]:
    """Of full snippets: where a window fills up before, a checkpoint is told as well."""
    log = stage.daemon.log()
    told = [
        record for record in log if record["event"] == "trigger" and record["session"] == session.session_id
    ]
    assert {record["project"] for record in told} == {str(session.folder)}
    return [record["trigger"] for record in told if record["trigger"] != "checkpoint"]


def test_every_agent_is_played(stage: Stage) -> None:
    assert {each.agent for each in stage.sessions.values()} == set(AGENTS)


def test_the_session_is_found_with_its_agent_and_its_project(session: Played) -> None:
    begun = session.seen["begun"]

    assert (begun.get("agent"), begun.get("project")) == (session.agent, str(session.folder))
    assert begun.get("last_compaction") is None


def test_its_compaction_is_seen_once_whatever_happens_to_the_daemon(stage: Stage, session: Played) -> None:
    assert (session.seen["compacted"].get("last_compaction") or {}).get("trigger") == session.trigger
    assert triggers(stage, session) == ["session", session.trigger]
    assert session.seen["gone on"].get("last_compaction") == session.seen["compacted"].get("last_compaction")


def test_what_must_not_be_forgotten_is_at_hand_for_it(session: Played) -> None:
    assert session.rule in session.published
    assert session.rule in session.fetched


def test_no_bug_of_ours_was_met(stage: Stage) -> None:
    assert [record for record in stage.daemon.log() if record["event"] == "daemon.bug"] == []
