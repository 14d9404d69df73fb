"""How fast transcripts of Gemini CLI and Qwen Code are read, against a `json.loads` loop over the same lines.

    python benchmarks/reading_gemini.py

Documents have no lines: of those it is told how long one of 4 MB takes, whole and after one more message.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

RUNS = 5
CORPUS_BYTES = 32 * 1024 * 1024
DOCUMENT_BYTES = 4 * 1024 * 1024
TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""
# Half of what a message or a tool says is shorter than 4 kB, one in twenty is longer than 20 kB.
TEXT_BYTES = (200, 600, 1500, 2800, 3400, 4200, 6000, 9000, 14000, 24000)


def measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        chats = Path(name) / "project" / "chats"
        chats.mkdir(parents=True)
        (chats.parent / ".project_root").write_text("/home/user/project")
        figures: dict[str, float] = {}
        for agent, records in (("gemini", _gemini_lines), ("qwen", _qwen_lines)):
            path = chats / f"session-2026-11-29T10-00-{agent}.jsonl"
            _write_lines(path, records)
            figures[f"{agent}_vs_json_loads"] = reading_ratio(agent, path)
        document = chats / "session-2026-03-29T10-00-document.json"
        first, again = document_ms(document)
        figures["gemini_document_4_mb_ms"] = first
        figures["gemini_document_4_mb_again_ms"] = again
    return figures


def reading_ratio(agent: str, path: Path) -> float:
    """How many times as fast the follower and the replay are as `json.loads` over the same lines."""
    pairs = [
        (_seconds(lambda: _load_lines(path)), _seconds(lambda: _replay(agent, path))) for _ in range(RUNS)
    ]
    return statistics.median(plain / ours for plain, ours in pairs)


def document_ms(path: Path) -> tuple[float, float]:
    """Until a document is read the first time, and once more when a message was added."""
    from agentinitd.transcripts import gemini

    messages = list(_gemini_messages(DOCUMENT_BYTES))
    first, again = [], []
    for _ in range(RUNS):
        _write_document(path, messages[:-1])
        follower = gemini.follow(str(path))
        first.append(_seconds(follower.read))
        _write_document(path, messages)
        again.append(_seconds(follower.read))
    return 1000 * statistics.median(first), 1000 * statistics.median(again)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _load_lines(path: Path) -> None:
    loads = json.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _replay(agent: str, path: Path) -> None:
    from agentinitd.sessions.replay import Replaying
    from agentinitd.transcripts import gemini, qwen

    follow = {"gemini": gemini.follow, "qwen": qwen.follow}[agent]
    replaying = Replaying(agent)
    follower = follow(str(path))
    replaying.see(follower.read())
    while follower.has_more:
        replaying.see(follower.read())


def _write_lines(path: Path, records: Callable[[], Iterator[dict[str, Any]]]) -> None:
    with path.open("wb") as file:
        for record in records():
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            if file.tell() >= CORPUS_BYTES:
                return


def _write_document(path: Path, messages: list[dict[str, Any]]) -> None:
    document = {
        "sessionId": "s",
        "projectHash": "p",
        "startTime": "2026-03-29T10:00:00.000Z",
        "messages": messages,
    }
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")


def _gemini_lines() -> Iterator[dict[str, Any]]:
    """As the program's recorder writes them: each answer twice, a patch behind most of them."""
    patch = {"$set": {"lastUpdated": "2026-11-29T10:00:00.000Z"}}
    yield {"sessionId": "s", "projectHash": "p", "startTime": "2026-11-29T10:00:00.000Z", "kind": "main"}
    for message in _gemini_messages(1 << 62):
        if message["type"] == "gemini":
            yield {key: value for key, value in message.items() if key != "toolCalls"}
            yield patch
        yield message
        if message["type"] == "gemini":
            result = message["toolCalls"][0]["result"]
            yield {**message, "id": f"{message['id']}-result", "type": "user", "content": result}
        yield patch


def _gemini_messages(size: int) -> Iterator[dict[str, Any]]:
    chance = random.Random(1)
    written = index = 0
    while written < size:
        text = _text(chance)
        written += 2 * len(text)
        message = {"id": f"{index:08}-0000-4000-8000-000000000000", "timestamp": "2026-11-29T10:00:00.000Z"}
        if index % 8 == 0:
            yield {**message, "type": "user", "content": [{"text": text}]}
        else:
            yield {**message, **_gemini_answer(index, text, _text(chance))}
        index += 1


def _gemini_answer(index: int, text: str, output: str) -> dict[str, Any]:
    call_id = f"read_file-{index}"
    result = [{"functionResponse": {"id": call_id, "name": "read_file", "response": {"output": output}}}]
    call = {
        "id": call_id,
        "name": "read_file",
        "args": {"file_path": "/home/user/project/a.py"},
        "result": result,
    }
    thought = {"subject": "Reading", "description": TEXT * 3, "timestamp": "2026-11-29T10:00:00.000Z"}
    tokens = {"input": 20_000 + index % 900 * 100, "output": 90, "cached": 0, "thoughts": 9, "tool": 0}
    return {
        "type": "gemini",
        "content": text[:600],
        "thoughts": [thought],
        "tokens": tokens,
        "model": "gemini-2.5-pro",
        "toolCalls": [{**call, "status": "success", "resultDisplay": output[:2000]}],
    }


def _qwen_lines() -> Iterator[dict[str, Any]]:
    chance = random.Random(1)
    index = 0
    while True:
        record = {
            "uuid": f"{index:08}-0000-4000-8000-000000000000",
            "parentUuid": f"{index - 1:08}-0000-4000-8000-000000000000",
            "sessionId": "11111111-0000-4000-8000-000000000001",
            "timestamp": "2026-11-29T10:00:00.000Z",
            "cwd": "/home/user/project",
            "version": "0.24.4",
        }
        yield {**record, **_qwen_record(index, _text(chance))}
        index += 1


def _qwen_record(index: int, text: str) -> dict[str, Any]:
    """Every twenty-fourth the person's; else an answer, its telemetry, and the result of its tool."""
    call_id = f"call_{index // 3}"
    if index % 24 == 0:
        return {
            "type": "user",
            "provenance": "real_user",
            "message": {"role": "user", "parts": [{"text": text}]},
        }
    if index % 3 == 1:
        call = {
            "functionCall": {"id": call_id, "name": "write_file", "args": {"path": "a.py", "content": text}}
        }
        usage = {"promptTokenCount": 20_000 + index % 900 * 100, "totalTokenCount": 100_000}
        message = {"role": "model", "parts": [{"text": TEXT, "thought": True}, {"text": text[:600]}, call]}
        return {"type": "assistant", "model": "qwen3-coder-plus", "message": message, "usageMetadata": usage}
    if index % 3 == 2:
        event = {"event.name": "qwen-code.api_response", "model": "qwen3-coder-plus", "duration_ms": 2100}
        return {"type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": event}}
    response = {"id": call_id, "name": "write_file", "response": {"output": text}}
    result = {"callId": call_id, "status": "success", "resultDisplay": text[:2000]}
    message = {"role": "user", "parts": [{"functionResponse": response}]}
    return {"type": "tool_result", "message": message, "toolCallResult": result}


def _text(chance: random.Random) -> str:
    return TEXT * (chance.choice(TEXT_BYTES) // len(TEXT) + 1)


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:36}{figure:10.2f}")


if __name__ == "__main__":
    main()
