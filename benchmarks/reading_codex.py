"""How fast and how small reading Codex rollouts is: against a `json.loads` loop, and taken up at the end.

    python benchmarks/reading_codex.py

`measure` returns the figures: a ratio is against a baseline of the same run.  The rollout of 2 GB is made in
the folder for temporary files, and removed.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 5
CORPUS_BYTES = 48 * 1024 * 1024
BIG_BYTES = 2 * 1024 * 1024 * 1024
GIANT_LINE_BYTES = 20 * 1024 * 1024
TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""
TEXT_BYTES = (200, 600, 1500, 2800, 3400, 4200, 6000, 9000, 14000, 24000)
AT = "2026-11-29T10:00:00.000Z"

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
        corpus, samples, big = (Path(name) / f"rollout-{kind}.jsonl" for kind in ("corpus", "samples", "big"))
        _write_corpus(corpus, CORPUS_BYTES)
        figures["codex_vs_json_loads"] = reading_ratio(corpus)
        if _write_samples(samples):
            figures["codex_vs_json_loads_short_lines"] = reading_ratio(samples)
        for ending in ("sizes", "pictures"):
            _write_big(big, corpus, ending=ending)
            figures[f"codex_take_up_2_gb_{ending}_last_ms"], figures["codex_take_up_rss_mib"] = follow(
                big, "end"
            )
        _, figures["codex_read_2_gb_rss_mib"] = follow(big, "top")
    return figures


def reading_ratio(path: Path) -> float:
    """How many times as fast reading to events is as `json.loads` over the same lines."""
    pairs = [(_seconds(lambda: _load_lines(path)), _seconds(lambda: _read(path))) for _ in range(RUNS)]
    return statistics.median(plain / ours for plain, ours in pairs)


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


def _seconds(work: Callable[[], object]) -> float:
    """Of the processor: what else runs on the machine takes no part."""
    start = time.process_time()
    work()
    return time.process_time() - start


def _load_lines(path: Path) -> None:
    loads = json.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _read(path: Path) -> None:
    from agentinitd.transcripts import codex

    follower = codex.follow(str(path))
    follower.read()
    while follower.has_more:
        follower.read()


def _write_samples(path: Path) -> bool:
    """The real, shortened rollouts beside the project, many times over."""
    folder = Path(__file__).resolve().parents[1].parent / "shared" / "transcripts" / "codex"
    text = b"".join(sample.read_bytes() for sample in sorted(folder.glob("cx-*.jsonl")))
    if text:
        path.write_bytes(text * (CORPUS_BYTES // len(text) // 2))
    return bool(text)


def _write_corpus(path: Path, size: int) -> None:
    chance = random.Random(1)
    with path.open("wb") as file:
        file.write(
            _line("session_meta", {"id": "thread", "timestamp": AT, "cwd": "/p", "cli_version": "0.118.0"})
        )
        request = 0
        while file.tell() < size:
            file.write(b"".join(_request(request, chance)))
            request += 1


def _request(number: int, chance: random.Random) -> list[bytes]:
    """What one call of the model leaves, as versions of 2026 write it; every twentieth begins a turn."""
    lines = []
    if number % 20 == 0:
        lines.append(_line("turn_context", {"turn_id": f"t{number}", "cwd": "/p", "model": "gpt-5.4"}))
        lines.append(_line("event_msg", {"type": "user_message", "message": "go on", "images": []}))
    reasoning = "gAAAAAB" + "QUJDREVG" * (chance.choice(TEXT_BYTES) // 8)
    lines.append(_line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": reasoning}))
    call = {"type": "function_call", "name": "shell_command", "call_id": f"c{number}"}
    call["arguments"] = json.dumps({"command": TEXT[:80], "workdir": "/p", "timeout_ms": 10000})
    lines.append(_line("response_item", call))
    output = "Exit code: 0\nWall time: 0.9 seconds\nOutput:\n" + TEXT * (
        chance.choice(TEXT_BYTES) // len(TEXT)
    )
    result = {"type": "function_call_output", "call_id": f"c{number}", "output": output}
    lines.append(_line("response_item", result))
    last = {"input_tokens": 20_000 + number % 900 * 100, "cached_input_tokens": 5504, "output_tokens": 9}
    last["total_tokens"] = last["input_tokens"] + 9
    total = {**last, "total_tokens": number * 1000 + last["total_tokens"]}
    info = {"total_token_usage": total, "last_token_usage": last, "model_context_window": 258_400}
    return [
        *lines,
        _line("event_msg", {"type": "token_count", "info": info, "rate_limits": {"primary": None}}),
    ]


def _line(kind: str, payload: object) -> bytes:
    record = {"timestamp": AT, "type": kind, "payload": payload}
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
