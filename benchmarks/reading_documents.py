"""How fast documents (Cline, Roo Code, old Gemini CLI) and Aider are read: no lines of JSON to compare with.

    python benchmarks/reading_documents.py

Of documents it is told how long one of 4 MB takes, whole and after one more message, against a single
`json.loads` of it; of Aider's Markdown how many megabytes are read in a second.
"""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reading_corpora

RUNS = 5
DOCUMENT_BYTES = 4 * 1024 * 1024
TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""
# Half of what a message or a tool says is shorter than 4 kB, one in twenty is longer than 20 kB.
TEXT_BYTES = (200, 600, 1500, 2800, 3400, 4200, 6000, 9000, 14000, 24000)


def measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        folder = Path(name)
        figures: dict[str, float] = {}
        store = folder / "1788200000000_ab1cd" / "1788200000000_ab1cd.messages.json"
        task = folder / "tasks" / "0b8c0000-0000-4000-8000-000000000001" / "ui_messages.json"
        document = folder / "p" / "chats" / "session-2026-03-29T10-00-document.json"
        for agent, path, write in (
            ("cline", store, _write_store),
            ("roo", task, _write_task),
            ("gemini", document, _write_gemini),
        ):
            path.parent.mkdir(parents=True)
            plain, first, again = document_ms(agent, path, write)
            figures[f"{agent}_document_4_mb_ms"] = first
            figures[f"{agent}_document_4_mb_again_ms"] = again
            figures[f"{agent}_document_vs_json_loads"] = plain / first
        figures["aider_mb_per_second"] = aider_speed(folder / ".aider.chat.history.md")
    return figures


def document_ms(agent: str, path: Path, write: Callable[[Path, int], None]) -> tuple[float, float, float]:
    """`json.loads`, the first reading of a document, and another when one turn was added to it."""
    from agentinitd.transcripts.agents import AGENTS

    module = AGENTS[agent]
    turns = _turns_in(DOCUMENT_BYTES)
    plain, first, again = [], [], []
    for _ in range(RUNS):
        write(path, turns)
        data = path.read_bytes()
        plain.append(_seconds(lambda data=data: json.loads(data)))  # type: ignore[misc]
        follower = module.follow(str(path))
        first.append(_seconds(follower.read))
        write(path, turns + 1)
        again.append(_seconds(follower.read))
    return tuple(1000 * statistics.median(times) for times in (plain, first, again))  # type: ignore[return-value]


def aider_speed(path: Path) -> float:
    from agentinitd.sessions.replay import Replaying
    from agentinitd.transcripts import aider

    _write_chat(path, 2 * _turns_in(DOCUMENT_BYTES))

    def play() -> None:
        follower = aider.follow(str(path))
        replaying = Replaying("aider")
        replaying.see(follower.read())
        while follower.has_more:
            replaying.see(follower.read())

    megabytes = path.stat().st_size / 1e6
    return megabytes / statistics.median(_seconds(play) for _ in range(RUNS))


def _turns_in(size: int) -> int:
    return size // (sum(TEXT_BYTES) // len(TEXT_BYTES))


def _text(number: int) -> str:
    size = TEXT_BYTES[number % len(TEXT_BYTES)]
    return (f"{number} " + TEXT * (size // len(TEXT) + 1))[:size]


def _write_store(path: Path, turns: int) -> None:
    messages: list[dict[str, Any]] = []
    for number in range(turns):
        asked = {"type": "text", "text": f"step {number}"}
        messages.append({"role": "user", "content": [asked], "ts": 1_788_200_000_000 + 2 * number})
        messages.append(
            {
                "role": "assistant",
                "content": [{"type": "text", "text": _text(number)}],
                "ts": 1_788_200_000_001 + 2 * number,
                "metrics": {"inputTokens": 30_000 + number, "outputTokens": 200},
            }
        )
    document = {"version": 1, "sessionId": path.parent.name, "messages": messages}
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")


def _write_task(path: Path, turns: int) -> None:
    messages = [{"ts": 1_788_200_000_000, "type": "say", "say": "text", "text": "build it"}]
    for number in range(turns):
        usage = json.dumps({"tokensIn": 30_000 + number, "tokensOut": 200, "cacheReads": 0, "cacheWrites": 0})
        for name, text in (("api_req_started", usage), ("text", _text(number))):
            messages.append(
                {"ts": 1_788_200_000_000 + len(messages), "type": "say", "say": name, "text": text}
            )
    path.write_text(json.dumps(messages), encoding="utf-8")


def _write_gemini(path: Path, turns: int) -> None:
    """As Gemini CLI up to 0.36 wrote it."""
    messages = list(itertools.islice(reading_corpora.gemini_messages(1 << 62), turns))
    head = {"sessionId": "s", "projectHash": "p", "startTime": reading_corpora.AT}
    path.write_text(json.dumps({**head, "messages": messages}, indent=2), encoding="utf-8")


def _write_chat(path: Path, turns: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("\n# aider chat started at 2026-09-01 10:00:00\n\n> Aider v0.86.1  \n")
        for number in range(turns):
            file.write(f"\n#### step {number}  \n\n{_text(number)}\n\n> Tokens: 30k sent, 200 received.  \n")


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    for name, figure in measure().items():
        print(f"{name:40} {figure:10.2f}")
