"""Conversations as four agents leave them on disk: each says and does the same in its own way."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import time
import uuid
from abc import ABC, abstractmethod
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from speaking import Deed, as_json
from working import Worker

COMPACTED_TOKENS = 18_000
OPENCODE_SCHEMA = Path(__file__).resolve().parents[1] / "data" / "opencode" / "v1.sql"


class Conversation(ABC):
    """One session of an agent.  Only one thread plays it at a time."""

    agent: ClassVar[str]

    def __init__(self, project: Path, rng: random.Random) -> None:
        self.project = project
        self.rng = rng
        self.turns = 0
        self.compactions = 0
        self.drops = 0
        self._tokens = 20_000

    @property
    @abstractmethod
    def id(self) -> str:
        """As the agent calls it."""

    @property
    @abstractmethod
    def transcript(self) -> str:
        """As the daemon calls it."""

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def person(self, text: str) -> None: ...

    @abstractmethod
    def work(self, deed: Deed) -> None: ...

    @abstractmethod
    def reply(self, text: str) -> None: ...

    @abstractmethod
    def write_compaction(self) -> None:
        """The agent's own word that it replaced the context by a summary."""

    def compact(self) -> None:
        self.write_compaction()

    def end(self) -> None:  # noqa: B027 - most agents say nothing
        """Nothing more comes."""

    def shrink(self) -> None:
        """The next request has half the context, and no word tells why."""
        self.drops += 1
        self._tokens = int(self._tokens * 0.5)

    @property
    def is_filled(self) -> bool:
        """Enough for a fall to be one."""
        return self._tokens > 45_000

    def _compacted(self) -> None:
        self.compactions += 1
        self._tokens = COMPACTED_TOKENS

    def _request(self) -> int:
        """What the next call of the model carries."""
        self._tokens += self.rng.randrange(400, 2_500)
        return self._tokens


class ClaudeCode(Conversation):
    """Played by a session with hooks."""

    agent = "claude-code"

    def __init__(self, session: Worker, rng: random.Random) -> None:
        super().__init__(session.project, rng)
        self.session = session
        self._calls = 0

    @property
    def id(self) -> str:
        return self.session.id

    @property
    def transcript(self) -> str:
        return str(self.session.path)

    def begin(self) -> None:
        self.session.begin()

    def person(self, text: str) -> None:
        self.session.hook("UserPromptSubmit")
        self._row("user", {"role": "user", "content": text})

    def work(self, deed: Deed) -> None:
        self._calls += 1
        name = f"toolu_{self.id[:8]}_{self._calls}"
        self._answer([{"type": "tool_use", "id": name, "name": deed.tool, "input": deed.input}])
        result = {"type": "tool_result", "tool_use_id": name, "content": deed.output}
        if deed.is_error:
            result["is_error"] = True
        self._row("user", {"role": "user", "content": [result]})
        if self.rng.random() < 0.25:
            self.session.hook("PostToolUse")

    def reply(self, text: str) -> None:
        self._answer([{"type": "text", "text": text}])

    def compact(self) -> None:
        self._compacted()
        self.session.announce_compaction()
        self.reply("The summary is read; I go on.")

    def write_compaction(self) -> None:
        self.session.write_compaction()

    def resume(self) -> None:
        self.session.hook("SessionEnd")
        self.session.begin("resume")

    def end(self) -> None:
        self.session.hook("SessionEnd")

    def _answer(self, content: list[dict[str, Any]]) -> None:
        self._calls += 1
        tokens = self._request()
        usage = {"input_tokens": 4, "cache_read_input_tokens": tokens - 4, "cache_creation_input_tokens": 0}
        message = {
            "role": "assistant",
            "model": "claude-opus-4-5",
            "content": content,
            "id": f"msg_{self.id[:8]}_{self._calls}",
            "usage": {**usage, "output_tokens": 40},
        }
        self._row("assistant", message, requestId=f"req_{self.id[:8]}_{self._calls}")

    def _row(self, kind: str, message: dict[str, Any], **fields: object) -> None:
        self.session.say({"type": kind, "isSidechain": False, "message": message, **fields})


class _Lines(Conversation):
    """One whose transcript is lines of JSON, and which calls no hooks."""

    def __init__(self, project: Path, rng: random.Random) -> None:
        super().__init__(project, rng)
        self._id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        self._calls = 0

    @property
    def id(self) -> str:
        return self._id

    @property
    @abstractmethod
    def path(self) -> Path: ...

    @property
    def transcript(self) -> str:
        return str(self.path)

    def _write(self, *records: object) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(f"{as_json(record)}\n" for record in records).encode()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)


class Codex(_Lines):
    agent = "codex"

    def __init__(self, home: Path, project: Path, rng: random.Random) -> None:
        super().__init__(project, rng)
        now = datetime.now(UTC)
        folder = home / ".codex" / "sessions" / now.strftime("%Y/%m/%d")
        self._path = folder / f"rollout-{now:%Y-%m-%dT%H-%M-%S}-{self._id}.jsonl"
        self._total = 0

    @property
    def path(self) -> Path:
        return self._path

    def begin(self) -> None:
        meta = {"id": self._id, "timestamp": _now(), "cwd": str(self.project), "cli_version": "0.155.0"}
        turn = {"cwd": str(self.project), "model": "gpt-5.1-codex", "effort": "medium"}
        self._write(_codex("session_meta", meta), _codex("turn_context", turn))

    def person(self, text: str) -> None:
        self._write(
            _item("message", role="user", content=[{"type": "input_text", "text": text}]),
            _event("user_message", message=text, images=[]),
        )

    def work(self, deed: Deed) -> None:
        self._calls += 1
        name, arguments = self._call(deed)
        call = f"call_{self._calls}"
        output = as_json({"output": deed.output, "metadata": {"exit_code": int(deed.is_error)}})
        self._write(
            _item("function_call", name=name, arguments=as_json(arguments), call_id=call),
            _item("function_call_output", call_id=call, output=output),
            self._tokens_now(),
        )

    def reply(self, text: str) -> None:
        content = [{"type": "output_text", "text": text}]
        self._write(
            _item("message", role="assistant", content=content),
            _event("agent_message", message=text),
            self._tokens_now(),
        )

    def write_compaction(self) -> None:
        self._compacted()
        summary = "Another language model started to solve this problem and produced a summary."
        self._write(
            _codex("compacted", {"message": summary, "replacement_history": []}), _event("context_compacted")
        )

    def _call(self, deed: Deed) -> tuple[str, dict[str, Any]]:
        if deed.tool == "TodoWrite":
            steps = [{"step": each["content"], "status": each["status"]} for each in deed.input["todos"]]
            return "update_plan", {"plan": steps}
        command = deed.input.get("command", f"cat {deed.input.get('file_path')}")
        return "shell", {"command": ["bash", "-lc", command], "workdir": str(self.project)}

    def _tokens_now(self) -> dict[str, Any]:
        size = self._request()
        self._total += size
        info = {
            "total_token_usage": {"input_tokens": self._total, "total_tokens": self._total},
            "last_token_usage": {"input_tokens": size - 10, "output_tokens": 10, "total_tokens": size},
            "model_context_window": 258_400,
        }
        return _event("token_count", info=info, rate_limits={"primary": None})


class Gemini(_Lines):
    agent = "gemini"

    def __init__(self, home: Path, project: Path, rng: random.Random) -> None:
        super().__init__(project, rng)
        self._hash = hashlib.sha256(str(project).encode()).hexdigest()
        self._folder = home / ".gemini" / "tmp" / self._hash
        name = f"session-{datetime.now(UTC):%Y-%m-%dT%H-%M}-{self._id[:8]}.jsonl"
        self._path = self._folder / "chats" / name

    @property
    def path(self) -> Path:
        return self._path

    def begin(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / ".project_root").write_text(str(self.project))
        times = {"startTime": _now(), "lastUpdated": _now()}
        self._write({"sessionId": self._id, "projectHash": self._hash, **times, "kind": "main"})

    def person(self, text: str) -> None:
        self._write(self._message("user", content=[{"text": text}]), {"$set": {"lastUpdated": _now()}})

    def work(self, deed: Deed) -> None:
        self._calls += 1
        call = f"call_{self._calls}"
        name, arguments = _gemini_call(deed)
        key = "error" if deed.is_error else "output"
        answer = {"functionResponse": {"id": call, "name": name, "response": {key: deed.output}}}
        status = "error" if deed.is_error else "success"
        tool = {"id": call, "name": name, "args": arguments, "result": [answer], "status": status}
        self._write(
            self._answer(text="", toolCalls=[tool]),
            self._message("user", content=[answer]),
            {"$set": {"lastUpdated": _now()}},
        )

    def reply(self, text: str) -> None:
        self._write(self._answer(text=text))

    def write_compaction(self) -> None:
        self._compacted()
        summary = self._message(
            "user", content=[{"text": "<state_snapshot>\nAll is well.\n</state_snapshot>"}]
        )
        answer = self._message("gemini", content="Got it. Thanks for the additional context!")
        self._write(
            {"$set": {"messages": [summary, answer], "lastUpdated": _now()}},
            self._message("info", content="Context compressed from 52% to 3%."),
        )

    def _answer(self, *, text: str, **fields: object) -> dict[str, Any]:
        size = self._request()
        tokens = {
            "input": size,
            "output": 40,
            "cached": size // 2,
            "thoughts": 0,
            "tool": 0,
            "total": size + 40,
        }
        return self._message("gemini", content=text, tokens=tokens, model="gemini-2.5-pro", **fields)

    def _message(self, kind: str, **fields: object) -> dict[str, Any]:
        name = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        return {"id": name, "timestamp": _now(), "type": kind, **fields}


class OpenCode(Conversation):
    """All its sessions lie in one database."""

    agent = "opencode"

    def __init__(self, home: Path, project: Path, rng: random.Random) -> None:
        super().__init__(project, rng)
        self._id = f"ses_{rng.getrandbits(104):026x}"
        self._path = self._database(home)
        self._number = 0

    @property
    def id(self) -> str:
        return self._id

    @property
    def transcript(self) -> str:
        return f"{self._path}#{self._id}"

    @classmethod
    def install(cls, home: Path) -> None:
        """An empty database, once."""
        path = cls._database(home)
        path.parent.mkdir(parents=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = wal")
            for statement in OPENCODE_SCHEMA.read_text().split(";\n"):
                if "CREATE" in statement:
                    connection.execute(statement[statement.index("CREATE") :])

    @staticmethod
    def _database(home: Path) -> Path:
        return home / ".local" / "share" / "opencode" / "opencode.db"

    def begin(self) -> None:
        now = _milliseconds()
        values = (self._id, "p", "one", str(self.project), "One", "1.18.15", now, now)
        columns = "id, project_id, slug, directory, title, version, time_created, time_updated"
        self._change((f"INSERT INTO session ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    def person(self, text: str) -> None:
        self._say(self._user(), {"type": "text", "text": text})

    def work(self, deed: Deed) -> None:
        state = {"status": "completed", "input": deed.input, "output": deed.output, "title": deed.tool}
        if deed.is_error:
            state |= {"status": "error", "error": deed.output}
        name = {"TodoWrite": "todowrite"}.get(deed.tool, deed.tool.lower())
        part = {"type": "tool", "callID": f"call_{self._number}", "tool": name, "state": state}
        self._say(self._assistant(self._request()), part)

    def reply(self, text: str) -> None:
        self._say(self._assistant(self._request()), {"type": "text", "text": text})

    def write_compaction(self) -> None:
        size = self._request()
        self._compacted()
        self._say(self._user(), {"type": "compaction", "auto": True, "overflow": False})
        summary = {"type": "text", "text": "SUMMARY: the work goes well."}
        self._say({**self._assistant(size), "mode": "compaction", "summary": True}, summary)
        self.reply("I go on.")

    def _user(self) -> dict[str, Any]:
        model = {"providerID": "prov", "modelID": "model-x"}
        return {"role": "user", "time": {"created": _milliseconds()}, "agent": "build", "model": model}

    def _assistant(self, size: int) -> dict[str, Any]:
        now = _milliseconds()
        tokens = {"input": 10, "output": 40, "reasoning": 0, "cache": {"read": size - 10, "write": 0}}
        return {
            "role": "assistant",
            "mode": "build",
            "agent": "build",
            "modelID": "model-x",
            "providerID": "prov",
            "tokens": tokens,
            "time": {"created": now, "completed": now},
            "finish": "stop",
        }

    def _say(self, message: dict[str, Any], part: dict[str, Any]) -> None:
        self._number += 1
        now = _milliseconds()
        name = f"{now:013}{self._number:06}{self._id[-6:]}"
        self._change(
            (
                "INSERT INTO message VALUES (?, ?, ?, ?, ?)",
                (f"msg_{name}", self._id, now, now, as_json(message)),
            ),
            (
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
                (f"prt_{name}", f"msg_{name}", self._id, now, now, as_json(part)),
            ),
            ("UPDATE session SET time_updated = ? WHERE id = ?", (now, self._id)),
        )

    def _change(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        with closing(sqlite3.connect(self._path, timeout=30)) as connection, connection:
            for statement, values in statements:
                connection.execute(statement, values)


def _codex(kind: str, payload: object) -> dict[str, Any]:
    return {"timestamp": _now(), "type": kind, "payload": payload}


def _event(kind: str, **fields: object) -> dict[str, Any]:
    return _codex("event_msg", {"type": kind, **fields})


def _item(kind: str, **fields: object) -> dict[str, Any]:
    return _codex("response_item", {"type": kind, **fields})


def _gemini_call(deed: Deed) -> tuple[str, dict[str, Any]]:
    if deed.tool == "TodoWrite":
        todos = [{"description": each["content"], "status": each["status"]} for each in deed.input["todos"]]
        return "write_todos", {"todos": todos}
    names = {"Bash": "run_shell_command", "Read": "read_file", "Edit": "replace"}
    return names[deed.tool], deed.input


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000
