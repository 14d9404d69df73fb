"""How fast and how small reading giant Codex rollouts is: from the top, and taken up at the end.

    python benchmarks/reading_codex.py

`measure` returns the figures.  The rollout of 2 GB is made in
the folder for temporary files, and removed.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import reading_corpora

RUNS = 5
CORPUS_BYTES = 48 * 1024 * 1024
BIG_BYTES = 2 * 1024 * 1024 * 1024
GIANT_LINE_BYTES = 20 * 1024 * 1024

PROGRAM = """
import resource, sys, time
from agentinitd.transcripts import codex
began = time.perf_counter()
follower = codex.follow(sys.argv[1], start=sys.argv[2])
told = follower.read()
first = time.perf_counter() - began
while follower.has_more:
    follower.read()
print(first, len(told), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure() -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        corpus, big = (Path(name) / f"rollout-{kind}.jsonl" for kind in ("corpus", "big"))
        reading_corpora.write_lines(corpus, reading_corpora.codex(), CORPUS_BYTES)
        for ending in ("sizes", "pictures"):
            _write_big(big, corpus, ending=ending)
            figures[f"codex_take_up_2_gb_{ending}_last_ms"], figures["codex_take_up_rss_mib"] = follow(
                big, "end"
            )
        _, figures["codex_read_2_gb_rss_mib"] = follow(big, "top")
    return figures


def follow(path: Path, start: str) -> tuple[float, float]:
    """Milliseconds until the first `read` has returned, and the peak of memory when all is read, in MiB."""
    # Through a shell: the peak of a child counts from before its exec, when it still was a copy of us.
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, "-c", PROGRAM, str(path), start]
    runs = []
    for _ in range(RUNS if start == "end" else 1):
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        seconds, told, peak = printed.split()
        assert int(told), "nothing was told of the thread"
        runs.append((1000 * float(seconds), int(peak) / 1024 / (1024 if sys.platform == "darwin" else 1)))
    return statistics.median(run[0] for run in runs), max(run[1] for run in runs)


def _line(kind: str, payload: object) -> bytes:
    record = {"timestamp": reading_corpora.AT, "type": kind, "payload": payload}
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _write_big(path: Path, corpus: Path, *, ending: str) -> None:
    """2 GB, a compaction of 20 MB with its pictures again and again; pictures or sizes at the end."""
    text = corpus.read_bytes()
    picture = [{"type": "input_image", "image_url": "data:" + "QUJD" * (GIANT_LINE_BYTES // 4)}]
    compacted = _line("compacted", {"message": "", "replacement_history": picture})
    output = _line("response_item", {"type": "function_call_output", "call_id": "c", "output": picture})
    with path.open("wb") as file:
        file.write(text[: text.index(b"\n") + 1])
        while file.tell() < BIG_BYTES:
            file.write(compacted)
            file.write(text)
        if ending == "pictures":
            file.write(output)


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:40}{figure:10.2f}")


if __name__ == "__main__":
    main()
