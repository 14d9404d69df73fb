"""How fast the lines of every agent are read: following and replaying them, against a `json.loads` loop.

    python benchmarks/reading_agents.py

`measure` returns a ratio for each agent, by the time of the processor; each is the best of some runs, so that
what else runs on the machine takes no part.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import reading_corpora as corpora

RUNS = 5
CORPUS_BYTES = 16 * 1024 * 1024
SESSION = corpora.SESSION


class Sample(NamedTuple):
    label: str
    agent: str
    place: str
    records: Callable[[], object]


SAMPLES = (
    Sample("claude_code", "claude-code", f"claude/{SESSION}.jsonl", corpora.claude_code),
    Sample("codex", "codex", "rollout-2026-11-29T10-00-00-thread.jsonl", corpora.codex),
    Sample("gemini", "gemini", "gemini/chats/session-2026-11-29T10-00-s.jsonl", corpora.gemini),
    Sample("qwen", "qwen", "qwen/chats/s.jsonl", corpora.qwen),
    Sample(
        "copilot_cli", "copilot-cli", f"copilot/session-state/{SESSION}/events.jsonl", corpora.copilot_cli
    ),
    Sample("kimi_cli", "kimi", f".kimi/sessions/0f0f/{SESSION}/wire.jsonl", corpora.kimi_cli),
    Sample(
        "kimi_code", "kimi", f".kimi-code/sessions/wd/{SESSION}/agents/main/wire.jsonl", corpora.kimi_code
    ),
    Sample("goose_legacy", "goose", "goose/20251129_1.jsonl", corpora.goose),
)


def measure() -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        for sample in SAMPLES:
            path = Path(name) / sample.place
            corpora.write_lines(path, sample.records(), CORPUS_BYTES)  # type: ignore[arg-type]
            if sample.agent == "gemini":
                (path.parents[1] / ".project_root").write_text("/home/user/project")
            if sample.agent == "copilot-cli":
                _write_store(path.parents[2] / "session-store.db", path)
            figures[sample.label] = ratio(sample.agent, path)
            figures[f"{sample.label}_detailed"] = ratio(sample.agent, path, is_detailed=True)
            path.unlink()
    return figures


def ratio(agent: str, path: Path, *, is_detailed: bool = False) -> float:
    """How many times as fast following and replaying is as `json.loads` over the same lines."""
    plain = min(_seconds(lambda: _load_lines(path)) for _ in range(RUNS))
    return plain / min(_seconds(lambda: _replay(agent, path, is_detailed=is_detailed)) for _ in range(RUNS))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _load_lines(path: Path) -> None:
    loads = json.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _replay(agent: str, path: Path, *, is_detailed: bool) -> None:
    from agentinitd.sessions.replay import Replaying
    from agentinitd.transcripts.agents import AGENTS

    follower = AGENTS[agent].follow(str(path), is_detailed=is_detailed)
    replaying = Replaying(agent)
    is_more = True
    while is_more:
        replaying.see(follower.read())
        is_more = follower.has_more
    replaying.see(follower.finish())
    assert replaying.result().requests, f"nothing was read of {path}"


def _write_store(path: Path, events: Path) -> None:
    """The database of Copilot CLI, which alone knows the sizes."""
    with sqlite3.connect(path) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute(
            "CREATE TABLE assistant_usage_events(id INTEGER PRIMARY KEY, session_id TEXT, model TEXT,"
            " input_tokens INTEGER, output_tokens INTEGER, initiator TEXT, created_at TEXT)"
        )
        with events.open("rb") as file:
            rows = [
                (SESSION, 20_000 + index % 900 * 100, 10 + index, corpora.time_of(index))
                for index, line in enumerate(file)
                if b'"assistant.message"' in line
            ]
        store.executemany(
            "INSERT INTO assistant_usage_events(session_id, model, input_tokens, output_tokens, created_at)"
            " VALUES (?, 'm', ?, ?, ?)",
            rows,
        )


if __name__ == "__main__":
    for label, figure in measure().items():
        print(f"{label:36}{figure:10.2f}")
