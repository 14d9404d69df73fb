"""How fast `recall` answers over a large memory, how long its index takes to make, and how large it is.

    python benchmarks/recall.py

The entries are mixed from the decisions of the tests, so that each word of a query is in hundreds of them.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ENTRIES = 100_000
FILES = 20
ROUNDS = 3
DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "recall"


def measure() -> dict[str, float]:
    from agentinitd.memory.recall import recall
    from agentinitd.memory.recall_answer import Question

    queries = [json.loads(line)["query"] for line in (DATA / "queries.jsonl").open(encoding="utf-8")]
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        project = Path(name)
        write_memory(project, ENTRIES)
        build_seconds = _seconds(lambda: recall(project, Question(text="Redis")))
        recall(project, Question(text="Redis"))
        taken = sorted(
            _seconds(lambda text=query: recall(project, Question(text=text)))  # type: ignore[misc]
            for query in queries * ROUNDS
        )
        log = project / ".agent-memory" / "anchors" / "part-00.md"
        with log.open("a", encoding="utf-8") as file:
            file.write("- [decision] one more, quokka\n")
        return {
            "recall_p50_ms": statistics.median(taken) * 1000,
            "recall_p95_ms": taken[len(taken) * 95 // 100] * 1000,
            "recall_build_s": build_seconds,
            "recall_after_one_change_ms": _seconds(lambda: recall(project, Question(text="quokka"))) * 1000,
            "recall_index_mb": (project / ".agent-memory" / "index.sqlite").stat().st_size / 1e6,
            "recall_memory_mb": sum(path.stat().st_size for path in log.parent.iterdir()) / 1e6,
        }


def write_memory(project: Path, entries: int) -> None:
    """So many decisions, in twenty files."""
    chance = random.Random(1)
    text = (DATA / "decision_log.md").read_text(encoding="utf-8")
    items = [item.split("\n") for item in text.split("- [decision] ")[1:]]
    folder = project / ".agent-memory" / "anchors"
    folder.mkdir(parents=True)
    for part in range(FILES):
        lines = []
        for number in range(part, entries, FILES):
            what, why = chance.choice(items)[0], chance.choice(items)[1]
            name = f"{chance.choice('abcdefgh')}{chance.randrange(10**6)}_task"
            lines.append(f"- [decision] {what} ({name})\n{why}\n  <!-- id: d{number} -->\n")
        (folder / f"part-{part:02}.md").write_text("".join(lines), encoding="utf-8")


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:36}{figure:10.2f}")


if __name__ == "__main__":
    main()
