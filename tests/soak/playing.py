"""A session as Claude Code plays it: records appended one by one, and the installed hook called in between.

The records are those of a real session, with new names and the present time; compactions come more often.
"""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOOK = [sys.executable, "-I", "-S", str(ROOT / "agentinitd" / "hook.py"), "claude-code"]
REAL_SESSION = ROOT / "tests" / "data" / "claude-code" / "two-compactions.jsonl"
ANNOUNCED_BY = (
    ("records",),
    ("records", "SessionStart"),
    ("SessionStart", "records"),
    ("records", "PostCompact", "SessionStart"),
    ("SessionStart", "records", "PostCompact"),
)
"""In which order a compaction is told: each is one compaction."""
HOOK_SECONDS = 60.0
"""Only so that a hook that hangs is found out."""


@dataclass(kw_only=True)
class Call:
    """One call of the hook, and what it printed."""

    session: str
    event: str
    started: float
    ended: float = 0.0
    printed: bytes = b""
    faults: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What the model gets; empty for nothing."""
        if not self.printed:
            return ""
        answer = json.loads(self.printed)["hookSpecificOutput"]
        assert answer["hookEventName"] == self.event
        return str(answer["additionalContext"])

    @property
    def is_delivery(self) -> bool:
        """The text for a daemon that is gone begins with our name, and says that it may be old."""
        return bool(self.printed) and not self.text.startswith("agentinitd ")


@dataclass(frozen=True, kw_only=True)
class Epoch:
    """From here on the session has to be told once more what it forgot."""

    began: float
    what: str
    is_owed: bool = True
    """Else only the hook told of it, and the daemon may have been killed before it knew."""


class Records:
    """The records of the real session over and over, renamed for one session."""

    def __init__(self, session: str, cwd: Path) -> None:
        self._session = session
        self._cwd = str(cwd)
        self._parent: str | None = None
        self._real = [json.loads(line) for line in REAL_SESSION.read_bytes().splitlines()]
        self._boundary = next(each for each in self._real if each.get("subtype") == "compact_boundary")
        self._summary = next(each for each in self._real if each.get("isCompactSummary"))

    def ordinary(self) -> Iterator[dict[str, Any]]:
        """Without its own compactions, for ever."""
        usual = [
            each
            for each in self._real
            if each.get("type") in ("user", "assistant", "system")
            and each.get("subtype") != "compact_boundary"
            and not each.get("isCompactSummary")
        ]
        turn = 0
        while True:
            turn += 1
            for each in usual:
                yield self.renamed(each, suffix=f"-{turn}")

    def compaction(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The boundary and the summary behind it."""
        boundary = self.renamed(self._boundary, is_root=True)
        boundary["logicalParentUuid"], self._parent = self._parent, boundary["uuid"]
        return boundary, self.renamed(self._summary)

    def attachment(self, event: str, text: str) -> dict[str, Any]:
        """How Claude Code writes down what a hook told the model."""
        found = {"type": "hook_additional_context", "content": [text], "hookName": event, "hookEvent": event}
        return self.renamed({"type": "attachment", "isSidechain": False, "attachment": found})

    def renamed(self, record: dict[str, Any], *, suffix: str = "", is_root: bool = False) -> dict[str, Any]:
        found = copy.deepcopy(record)
        found |= {
            "uuid": str(uuid.uuid4()),
            "parentUuid": None if is_root else self._parent,
            "sessionId": self._session,
            "cwd": self._cwd,
            "version": "2.1.87",
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        if not is_root:
            self._parent = found["uuid"]
        message = found.get("message")
        if isinstance(message, dict) and "id" in message:
            message["id"] += suffix
            found["requestId"] = f"{found.get('requestId')}{suffix}"
        return found


class Session:
    """One conversation; only one thread plays it at a time."""

    def __init__(
        self,
        folder: Path,
        project: Path,
        environment: dict[str, str],
        rng: random.Random,
        *,
        is_written_down: bool,
    ) -> None:
        self.id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        self.project = project
        self.is_written_down = is_written_down
        """The agent leaves in the transcript what hooks printed; not every version does."""
        self.calls: list[Call] = []
        self.epochs: list[Epoch] = []
        self.markers: list[tuple[str, float]] = []
        self.path = folder / ("-" + str(project).strip("/").replace("/", "-")) / f"{self.id}.jsonl"
        self._environment = environment
        self._rng = rng
        self._records = Records(self.id, project)
        self._ordinary = self._records.ordinary()
        self._since_compaction = 0

    def begin(self, source: str = "startup") -> None:
        """The hook comes first; the transcript is made with the first message."""
        self._enter(source, is_owed=source == "startup")
        self.hook("SessionStart", source=source)

    def beat(self) -> None:
        """One record, with the hooks that belong to it."""
        record = next(self._ordinary)
        content = record.get("message", {}).get("content")
        if record["type"] == "user" and isinstance(content, str):
            self.hook("UserPromptSubmit")
        self.write(record)
        if record["type"] == "user" and isinstance(content, list) and self._rng.random() < 0.25:
            self._in_parallel(self._rng.choice((1, 1, 2)))
        self._since_compaction += record["type"] == "assistant"

    @property
    def may_compact(self) -> bool:
        """The model was asked since the last one."""
        return self._since_compaction > 2

    def compact(self) -> None:
        """As the agent may announce it: by its hooks before or after the records, or by the records alone."""
        self._since_compaction = 0
        self._enter("compaction")
        for announcer in self._rng.choice(ANNOUNCED_BY):
            if announcer == "records":
                self.write_compaction()
            else:
                self.hook(announcer, source="compact" if announcer == "SessionStart" else None)
        while not self._since_compaction:
            self.beat()

    def announce(self) -> None:
        """The records of a compaction, and nothing else yet."""
        self._since_compaction = 0
        self._enter("compaction")
        self.write_compaction()

    def write_compaction(self) -> None:
        boundary, summary = self._records.compaction()
        self.write(boundary)
        self.markers.append((boundary["uuid"], time.time()))
        self.write(summary)

    def write(self, record: dict[str, Any]) -> None:
        """Now and then in two pieces: the agent is seen half way through its line."""
        line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        cut = self._rng.randrange(len(line)) if self._rng.random() < 0.1 else 0
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if cut:
                os.write(descriptor, line[:cut])
                time.sleep(self._rng.random() * 0.02)
            os.write(descriptor, line[cut:])
        finally:
            os.close(descriptor)

    def hook(self, event: str, *, source: str | None = None) -> Call:
        call, process = self.start_hook(event, source=source, stdout=subprocess.PIPE)
        return self.end_hook(call, process)

    def start_hook(
        self, event: str, *, source: str | None = None, stdout: int
    ) -> tuple[Call, subprocess.Popen[bytes]]:
        call = Call(session=self.id, event=event, started=time.time())
        process = subprocess.Popen(
            HOOK,
            env=self._environment,
            cwd=self.project,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(self._payload(event, source)).encode())
        process.stdin.close()
        process.stdin = None  # `communicate` would flush it
        return call, process

    def end_hook(self, call: Call, process: subprocess.Popen[bytes], printed: bytes | None = None) -> Call:
        """`printed`: what came through a pipe of the caller's own."""
        stdout, stderr = process.communicate(timeout=HOOK_SECONDS)
        if process.returncode or stderr:
            call.faults.append(f"exit {process.returncode}, stderr {stderr!r}")
        return self._heard(call, stdout if printed is None else printed)

    def _payload(self, event: str, source: str | None) -> dict[str, object]:
        payload: dict[str, object] = {
            "session_id": self.id,
            "transcript_path": str(self.path),
            "cwd": str(self.project),
            "hook_event_name": event,
        }
        return payload if source is None else {**payload, "source": source}

    def _heard(self, call: Call, printed: bytes) -> Call:
        call.printed = printed
        call.ended = time.time()
        self.calls.append(call)
        if call.is_delivery and self.is_written_down:
            self.write(self._records.attachment(call.event, call.text))
        return call

    def _in_parallel(self, count: int) -> None:
        started = [self.start_hook("PostToolUse", stdout=subprocess.PIPE) for _ in range(count)]
        for call, process in started:
            self.end_hook(call, process)

    def _enter(self, what: str, *, is_owed: bool = True) -> None:
        self.epochs.append(Epoch(began=time.time(), what=what, is_owed=is_owed))
