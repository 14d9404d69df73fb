"""Made-up sessions of every agent that writes lines of JSON, each as that agent would write it.

What is said is as long as in real sessions: half of it below 4 kB, one in ten above 20 kB.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""
TEXT_BYTES = (200, 600, 1500, 2800, 3400, 4200, 6000, 9000, 14000, 24000)
START = 1_788_400_000
SESSION = "11111111-0000-4000-8000-000000000001"
AT = "2026-11-29T10:00:00.000Z"


def write_lines(path: Path, records: Iterable[object], size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for record in records:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            if file.tell() >= size:
                return


def _text(chance: random.Random) -> str:
    return TEXT * (chance.choice(TEXT_BYTES) // len(TEXT) + 1)


def _numbered(record: Callable[[int, str], object]) -> Iterator[object]:
    chance = random.Random(1)
    return (record(index, _text(chance)) for index in itertools.count())


def claude_code() -> Iterator[object]:
    return _numbered(_claude_code_record)


def _claude_code_record(index: int, text: str) -> object:
    """Every third a tool's result, every sixtieth the person's, the others two lines of one answer."""
    record: dict[str, object] = {
        "parentUuid": f"{index - 1:08}-0000-4000-8000-000000000000",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/user/project",
        "sessionId": "11111111-0000-4000-8000-000000000001",
        "version": "2.1.111",
        "gitBranch": "main",
    }
    if index % 60 == 0:
        record |= {"type": "user", "message": {"role": "user", "content": text}}
    elif index % 3 == 0:
        block = {"tool_use_id": f"toolu_{index}", "type": "tool_result", "content": text}
        record |= {
            "type": "user",
            "message": {"role": "user", "content": [block]},
            "toolUseResult": {"stdout": text},
        }
    else:
        usage = {"input_tokens": 3, "cache_read_input_tokens": 20_000 + index % 900 * 100, "output_tokens": 5}
        message = {
            "model": "claude-opus-4-7",
            "id": f"msg_{index // 3}",
            "type": "message",
            "role": "assistant",
        }
        message |= {"content": [{"type": "text", "text": text}], "usage": usage}  # type: ignore[dict-item]
        record |= {"message": message, "requestId": f"req_{index // 3}", "type": "assistant"}
    record |= {"uuid": f"{index:08}-0000-4000-8000-000000000000", "timestamp": "2026-11-29T10:00:00.000Z"}
    return record


def codex() -> Iterator[object]:
    meta = {"id": "thread", "timestamp": AT, "cwd": "/p", "cli_version": "0.118.0"}
    yield {"timestamp": AT, "type": "session_meta", "payload": meta}
    chance = random.Random(1)
    for number in itertools.count():
        for kind, payload in _codex_request(number, chance):
            yield {"timestamp": AT, "type": kind, "payload": payload}


def _codex_request(number: int, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """What one call of the model leaves, as versions of 2026 write it; every twentieth begins a turn."""
    if number % 20 == 0:
        yield "turn_context", {"turn_id": f"t{number}", "cwd": "/p", "model": "gpt-5.4"}
        yield "event_msg", {"type": "user_message", "message": "go on", "images": []}
    reasoning = "gAAAAAB" + "QUJDREVG" * (chance.choice(TEXT_BYTES) // 8)
    yield "response_item", {"type": "reasoning", "summary": [], "encrypted_content": reasoning}
    arguments = json.dumps({"command": _text(chance)[:800], "workdir": "/p", "timeout_ms": 10000})
    call = {"type": "function_call", "name": "shell_command", "call_id": f"c{number}"}
    yield "response_item", {**call, "arguments": arguments}
    output = "Exit code: 0\nWall time: 0.9 seconds\nOutput:\n" + _text(chance)
    yield "response_item", {"type": "function_call_output", "call_id": f"c{number}", "output": output}
    last = {"input_tokens": 20_000 + number % 900 * 100, "cached_input_tokens": 5504, "output_tokens": 9}
    last["total_tokens"] = last["input_tokens"] + 9
    total = {**last, "total_tokens": number * 1000 + last["total_tokens"]}
    info = {"total_token_usage": total, "last_token_usage": last, "model_context_window": 258_400}
    yield "event_msg", {"type": "token_count", "info": info, "rate_limits": {"primary": None}}


def gemini() -> Iterator[dict[str, Any]]:
    """As the program's recorder writes them: each answer twice, a patch behind most of them."""
    patch = {"$set": {"lastUpdated": "2026-11-29T10:00:00.000Z"}}
    yield {"sessionId": "s", "projectHash": "p", "startTime": "2026-11-29T10:00:00.000Z", "kind": "main"}
    for message in gemini_messages(1 << 62):
        if message["type"] == "gemini":
            yield {key: value for key, value in message.items() if key != "toolCalls"}
            yield patch
        yield message
        if message["type"] == "gemini":
            result = message["toolCalls"][0]["result"]
            yield {**message, "id": f"{message['id']}-result", "type": "user", "content": result}
        yield patch


def gemini_messages(size: int) -> Iterator[dict[str, Any]]:
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


def qwen() -> Iterator[dict[str, Any]]:
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


def copilot_cli() -> Iterator[object]:
    return _numbered(_copilot_record)


def kimi_cli() -> Iterator[object]:
    return _numbered(_kimi_cli_record)


def kimi_code() -> Iterator[object]:
    return _numbered(_kimi_code_record)


def time_of(index: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(START + index))


def _copilot_record(index: int, text: str) -> object:
    """Of five records two start and end a turn, one is an answer, two are its tool; one in forty asks."""
    call = {"toolCallId": f"t{index // 5}", "toolName": "bash", "arguments": {"command": text[:200]}}
    kinds: list[tuple[str, dict[str, object]]] = [
        ("assistant.turn_start", {"turnId": str(index)}),
        ("assistant.message", {"messageId": f"m{index}", "model": "m", "content": text[:400],
                               "toolRequests": [call], "outputTokens": 10 + index,
                               "reasoningOpaque": "QUJD" * (len(text) // 4)}),
        ("tool.execution_start", call),
        ("tool.execution_complete", {"toolCallId": call["toolCallId"], "success": True,
                                     "result": {"content": text, "detailedContent": text}}),
        ("assistant.turn_end", {"turnId": str(index)}),
    ]  # fmt: skip
    kind, data = kinds[index % 5]
    if index % 40 == 1:
        kind = "user.message"
        data = {"content": text[:300], "transformedContent": text, "source": "user"}
    if index == 0:
        kind, data = "session.start", {"sessionId": SESSION, "context": {"cwd": "/p"}}
    own, parent = (f"{number:08}-0000-4000-8000-000000000000" for number in (index, index - 1))
    return {"type": kind, "data": data, "id": own, "timestamp": time_of(index), "parentId": parent}


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


def goose() -> Iterator[object]:
    """Of the time before its database."""
    yield {"working_dir": "/srv", "description": "", "message_count": 1, "total_tokens": 9}
    chance = random.Random(1)
    for number in itertools.count():
        call = {
            "status": "success",
            "value": {"name": "shell", "arguments": {"command": _text(chance)[:800]}},
        }
        result = {"status": "success", "value": {"content": [{"type": "text", "text": _text(chance)}]}}
        for role, piece in (
            ("assistant", {"type": "toolRequest", "id": f"t{number}", "toolCall": call}),
            ("user", {"type": "toolResponse", "id": f"t{number}", "toolResult": result}),
            ("assistant", {"type": "text", "text": _text(chance)[:2000]}),
        ):
            yield {"role": role, "created": START + number, "content": [piece]}
