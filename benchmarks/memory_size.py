"""What a rebuild costs with a small memory and with a large one: it must not grow with what is recorded.

    python benchmarks/memory_size.py

The rebuild is that of a daemon that knows the memory: with the outputs of scripts cached, as between two
compactions of one day, and with every script run.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

SMALL = (20, 20, 20)
LARGE = (2_000, 5_000, 200)
"""Anchors, decisions, tasks."""
ROUNDS = 15
_WORDS = ("cache", "retry", "invoice", "ledger", "schema", "export", "queue", "search", "tenant", "deploy")


def measure() -> dict[str, float]:
    sizes = {"small": SMALL, "large": LARGE}
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        folder = Path(name)
        for size, counts in sizes.items():
            write_memory(folder / size, *counts)
        taken = asyncio.run(_taken(folder, list(sizes)))
    return {
        "rebuild_small_ms": taken["small", "cached"] * 1000,
        "rebuild_large_ms": taken["large", "cached"] * 1000,
        "rebuild_large_vs_small": taken["large", "cached"] / taken["small", "cached"],
        "rebuild_all_scripts_small_ms": taken["small", "run"] * 1000,
        "rebuild_all_scripts_large_ms": taken["large", "run"] * 1000,
        "rebuild_all_scripts_large_vs_small": taken["large", "run"] / taken["small", "run"],
        "first_rebuild_large_ms": taken["large", "first"] * 1000,
    }


async def _taken(folder: Path, sizes: list[str]) -> dict[tuple[str, str], float]:
    """Medians by size and by whether scripts were run; sizes take turns: a busy moment hits both."""
    from agentinitd.sessions.record import SessionRecord

    rebuilder = _rebuilder(folder)
    record = SessionRecord(key="bench", agent="claude-code")
    times: dict[tuple[str, str], list[float]] = {}

    async def built(size: str, kind: str, runlevel: Any) -> None:
        began = time.perf_counter()
        await rebuilder.build(record, folder / size, runlevel)
        times.setdefault((size, kind), []).append(time.perf_counter() - began)

    for size in sizes:
        await built(size, "first", "compact")
    for _ in range(ROUNDS):
        for size in sizes:
            await built(size, "cached", "compact")
    for number in range(ROUNDS):
        for size in sizes:
            state = folder / size / ".agent-memory" / "state" / "task_state.json"
            state.write_text(f'{{"task_id": "bench", "next_action": "step {number}"}}')
            await built(size, "run", "compact")
    return {key: statistics.median(values) for key, values in times.items()}


def _rebuilder(folder: Path) -> Any:
    from agentinitd.daemon.logs import LogFile, RebuildLog
    from agentinitd.daemon.paths import Places
    from agentinitd.daemon.rebuild import Rebuilder
    from agentinitd.daemon.settings import Settings

    home = folder / "home"
    home.mkdir()
    places = Places.from_environment({"HOME": str(home)})
    places.state_dir.mkdir(parents=True, mode=0o700)
    log = RebuildLog(
        LogFile(folder / "rebuild.log", limit_bytes=1 << 24, files=1),
        instance="bench",
        wall=time.time,
        monotonic=time.monotonic,
    )
    return Rebuilder(places, Settings(places), log, instance="bench", now=time.time, monotonic=time.monotonic)


def write_memory(project: Path, anchors: int, decisions: int, tasks: int) -> None:
    """So many anchors, decisions of which a third was replaced, and tasks with rules of their own."""
    chance = random.Random(1)
    memory = project / ".agent-memory"
    (memory / "anchors").mkdir(parents=True)
    (memory / "state").mkdir()
    rules = [f"- [constraint] rule {n}: {_sentence(chance)}\n" for n in range(anchors)]
    (memory / "anchors" / "project_constraints.md").write_text("".join(rules))
    log = []
    for n in range(decisions):
        replaced = f"; supersedes: d{n - 2}" if n % 3 == 2 else ""
        fields = f"id: d{n}; topic: topic {n}; last_updated: {_day(n, decisions)}{replaced}"
        what, why = _sentence(chance), _sentence(chance)
        log.append(f"- [decision] decision {n}: {what}\n  Why: {why}\n  <!-- {fields} -->\n")
    (memory / "anchors" / "decision_log.md").write_text("".join(log))
    (memory / "state" / "task_state.json").write_text('{"task_id": "bench", "next_action": "measure"}')
    for n in range(tasks):
        task = memory / "tasks" / f"task-{n}"
        (task / "anchors").mkdir(parents=True)
        (task / "state").mkdir()
        (task / "anchors" / "project_constraints.md").write_text(f"- only in task {n}\n")
        (task / "state" / "task_state.json").write_text(f'{{"task_id": "task-{n}", "pending": ["a", "b"]}}')


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(9))


def _day(number: int, count: int) -> str:
    at = time.time() - (count - number) * 3600
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:40}{figure:10.2f}")


if __name__ == "__main__":
    main()
