"""How fast sessions of Copilot CLI, Kimi CLI and Kimi Code are read, and taken up at their end.

    python benchmarks/reading_copilot_kimi.py

Made-up sessions, lines as long as real ones; `measure` returns the figures, for whoever prints a table.
"""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentinitd.transcripts.follower import Follower

RUNS = 5
CORPUS_BYTES = 24 * 1024 * 1024
TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""
# As in `reading.py`: half of the lines of real sessions have less than 4 kB.
TEXT_BYTES = (200, 600, 1500, 2800, 3400, 4200, 6000, 9000, 14000, 24000)
START = 1_788_400_000
SESSION = "11111111-0000-4000-8000-000000000001"


def measure() -> dict[str, float]:
    from agentinitd.transcripts import copilot_cli, kimi

    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        home = Path(name)
        copilot = home / ".copilot" / "session-state" / SESSION / "events.jsonl"
        cli = home / ".kimi" / "sessions" / "0f0f" / SESSION / "wire.jsonl"
        code = home / ".kimi-code" / "sessions" / "wd_x" / SESSION / "agents" / "main" / "wire.jsonl"
        for label, path, record, follow in (
            ("copilot_cli", copilot, _copilot_record, copilot_cli.follow),
            ("kimi_cli", cli, _kimi_cli_record, kimi.follow),
            ("kimi_code", code, _kimi_code_record, kimi.follow),
        ):
            _write(path, record)
            if path is copilot:
                _write_store(home / ".copilot" / "session-store.db", path)
            figures[f"{label}_reading_vs_json_loads"] = _ratio(path, follow)
            figures[f"{label}_take_up_ms"] = _take_up_ms(path, follow)
    return figures


def _take_up_ms(path: Path, follow: Callable[..., Follower]) -> float:
    return 1000 * statistics.median(
        _seconds(lambda: follow(str(path), start="end").read()) for _ in range(RUNS)
    )


def _ratio(path: Path, follow: Callable[..., Follower]) -> float:
    """Of the time of the processor, which does not depend on what else runs."""
    clock = time.process_time
    pairs = [
        (_seconds(lambda: _load(path), clock), _seconds(lambda: _read(path, follow), clock))
        for _ in range(RUNS)
    ]
    return statistics.median(plain / ours for plain, ours in pairs)


def _seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def _load(path: Path) -> None:
    loads = json.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _read(path: Path, follow: Callable[..., Follower]) -> None:
    follower = follow(str(path))
    is_more = True
    while is_more:
        follower.read()
        is_more = follower.has_more


def _write(path: Path, record: Callable[[int, str], object]) -> None:
    path.parent.mkdir(parents=True)
    chance = random.Random(1)
    with path.open("wb") as file:
        index = 0
        while file.tell() < CORPUS_BYTES:
            text = TEXT * (chance.choice(TEXT_BYTES) // len(TEXT) + 1)
            file.write(json.dumps(record(index, text), separators=(",", ":")).encode() + b"\n")
            index += 1


def _time(index: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(START + index))


def _copilot_record(index: int, text: str) -> object:
    """Of six records two start and end a turn, one is an answer, two are its tool, one asks."""
    call = {"toolCallId": f"t{index // 6}", "toolName": "bash", "arguments": {"command": text[:200]}}
    kinds: list[tuple[str, dict[str, object]]] = [
        ("user.message", {"content": text[:300], "transformedContent": text, "source": "user"}),
        ("assistant.turn_start", {"turnId": str(index)}),
        ("assistant.message", {"messageId": f"m{index}", "model": "m", "content": text[:400],
                               "toolRequests": [call], "outputTokens": 10 + index,
                               "reasoningOpaque": "QUJD" * (len(text) // 4)}),
        ("tool.execution_start", call),
        ("tool.execution_complete", {"toolCallId": call["toolCallId"], "success": True,
                                     "result": {"content": text, "detailedContent": text}}),
        ("assistant.turn_end", {"turnId": str(index)}),
    ]  # fmt: skip
    kind, data = kinds[index % 6]
    if index == 0:
        kind, data = "session.start", {"sessionId": SESSION, "context": {"cwd": "/p"}}
    own, parent = (f"{number:08}-0000-4000-8000-000000000000" for number in (index, index - 1))
    return {"type": kind, "data": data, "id": own, "timestamp": _time(index), "parentId": parent}


def _write_store(path: Path, events: Path) -> None:
    with sqlite3.connect(path) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute(
            "CREATE TABLE assistant_usage_events(id INTEGER PRIMARY KEY, session_id TEXT, model TEXT,"
            " input_tokens INTEGER, output_tokens INTEGER, initiator TEXT, created_at TEXT)"
        )
        with events.open("rb") as file:
            rows = [
                (SESSION, 20_000 + index % 900 * 100, 10 + index, _time(index))
                for index, line in enumerate(file)
                if b'"assistant.message"' in line
            ]
        store.executemany(
            "INSERT INTO assistant_usage_events(session_id, model, input_tokens, output_tokens, created_at)"
            " VALUES (?, 'm', ?, ?, ?)",
            rows,
        )


def _kimi_cli_record(index: int, text: str) -> object:
    if index == 0:
        return {"type": "metadata", "protocol_version": "1.10"}
    arguments = json.dumps({"command": text[:200]})
    value = {
        "is_error": False,
        "output": text,
        "message": "",
        "display": [{"type": "brief", "text": text[:80]}],
    }
    usage = {"input_other": 400, "output": 9, "input_cache_read": 20_000, "input_cache_creation": 0}
    kinds: list[tuple[str, dict[str, object]]] = [
        ("StepBegin", {"n": index}),
        ("ContentPart", {"type": "think", "think": text, "encrypted": None}),
        ("ContentPart", {"type": "text", "text": text[:400]}),
        ("ToolCall", {"type": "function", "id": f"t{index // 6}", "extras": None,
                      "function": {"name": "Shell", "arguments": arguments}}),
        ("StatusUpdate", {"context_usage": 0.1, "context_tokens": 20_000 + index % 900 * 100,
                          "max_context_tokens": 262_144, "token_usage": usage, "message_id": f"m{index}"}),
        ("ToolResult", {"tool_call_id": f"t{index // 6}", "return_value": value}),
    ]  # fmt: skip
    kind, payload = kinds[index % 6]
    return {"timestamp": START + index, "message": {"type": kind, "payload": payload}}


def _kimi_code_record(index: int, text: str) -> object:
    if index == 0:
        return {"type": "metadata", "protocol_version": "1.4", "created_at": START * 1000}
    step = {"uuid": f"u{index}", "turnId": "0", "step": index}
    usage = {"inputOther": 400, "output": 9, "inputCacheRead": 20_000, "inputCacheCreation": 0}
    loop = "context.append_loop_event"
    kinds: list[tuple[str, dict[str, object]]] = [
        ("llm.request", {"kind": "loop", "model": "k", "messageCount": index}),
        (loop, {"event": {"type": "content.part", **step, "part": {"type": "think", "think": text}}}),
        (loop, {"event": {"type": "content.part", **step, "part": {"type": "text", "text": text[:400]}}}),
        (loop, {"event": {"type": "tool.call", **step, "toolCallId": f"t{index // 6}", "name": "Bash",
                          "args": {"command": text[:200]}}}),
        (loop, {"event": {"type": "tool.result", "toolCallId": f"t{index // 6}",
                          "result": {"output": text}}}),
        ("usage.record", {"model": "k", "usage": usage, "usageScope": "turn"}),
    ]  # fmt: skip
    kind, fields = kinds[index % 6]
    return {"type": kind, **fields, "time": (START + index) * 1000}


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:36}{figure:10.2f}")


if __name__ == "__main__":
    main()
