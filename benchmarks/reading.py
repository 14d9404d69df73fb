"""How fast and how small reading transcripts is: against a `json.loads` loop, and at take-up.

    python benchmarks/reading.py

Each figure is a ratio against a baseline of the same run, or a time or size on its own; `measure` returns
them all, for whoever prints a table.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import reading_corpora

RUNS = 5
CORPUS_BYTES = 64 * 1024 * 1024
BIG_BYTES = 500 * 1024 * 1024
GIANT_LINE_BYTES = 20 * 1024 * 1024
SESSIONS = 1000


def measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        folder = Path(name)
        # A folder for each: transcripts beside each other are looked through for copies of each other.
        corpus, big, samples = (_path_in(folder / name) for name in ("corpus", "big", "samples"))
        _write_session(corpus, CORPUS_BYTES)
        _write_big(big, corpus)
        figures = {"replay_vs_json_loads": reading_ratio(corpus)}
        if _write_samples(samples):
            figures["replay_vs_json_loads_short_lines"] = reading_ratio(samples)
        figures["replay_big_file_rss_mib"] = peak_rss_mib(big)
        figures["take_up_500_mb_ms"] = take_up_ms([big])
        figures["take_up_1000_sessions_ms"] = take_up_ms(_write_sessions(folder / "many", corpus))
    return figures


def reading_ratio(path: Path) -> float:
    """How many times as fast the whole replay path is as `json.loads` over the same lines."""
    pairs = [(_seconds(lambda: _load_lines(path)), _seconds(lambda: _replay(path))) for _ in range(RUNS)]
    return statistics.median(plain / ours for plain, ours in pairs)


def peak_rss_mib(path: Path) -> float:
    """Of `agentinitd replay` on this file."""
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from agentinitd.cli.replay import replay_file\n"
        "replay_file(Path(sys.argv[1]), None, ignore_markers=False)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    # Through a shell: the peak of a child counts from before its exec, when it still was a copy of us.
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, "-c", program, str(path)]
    peak = int(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return peak / 1024 / (1024 if sys.platform == "darwin" else 1)


def take_up_ms(paths: list[Path]) -> float:
    """Until each of these sessions is followed, its last request known."""
    from agentinitd.model.events import Request
    from agentinitd.transcripts.agents import AGENTS

    def take_up() -> None:
        for path in paths:
            events = AGENTS["claude-code"].follow(str(path), start="end").read()
            assert any(isinstance(event, Request) for event in events)

    return 1000 * statistics.median(_seconds(take_up) for _ in range(RUNS))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _load_lines(path: Path) -> None:
    loads = json.loads
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _replay(path: Path) -> None:
    from agentinitd.cli.replay import replay_file

    replay_file(path, None, ignore_markers=False)


def _path_in(folder: Path) -> Path:
    folder.mkdir()
    return folder / "11111111-0000-4000-8000-000000000001.jsonl"


def _write_samples(path: Path) -> bool:
    """The whole lines of the real, shortened transcripts beside the project, many times over."""
    folder = Path(__file__).resolve().parents[1].parent / "shared" / "transcripts" / "claude-code"
    samples = sorted(folder.glob("cc-[12]*.jsonl"))
    text = b"".join(sample.read_bytes() for sample in samples)
    if text:
        path.write_bytes(text * (CORPUS_BYTES // len(text)))
    return bool(text)


def _write_session(path: Path, size: int) -> None:
    reading_corpora.write_lines(path, reading_corpora.claude_code(), size)


def _write_big(path: Path, corpus: Path) -> None:
    """500 MB, with a line of 20 MB now and then, as pictures make them."""
    text = corpus.read_bytes()
    picture = b'{"type":"user","uuid":"p","sessionId":"s","message":{"content":[{"type":"image","data":"'
    with path.open("wb") as file:
        while file.tell() < BIG_BYTES:
            file.write(picture + b"QUJD" * (GIANT_LINE_BYTES // 4) + b'"}]}}\n')
            file.write(text)


def _write_sessions(folder: Path, corpus: Path) -> list[Path]:
    """A thousand sessions of 300 kB in two hundred projects."""
    with corpus.open("rb") as file:
        text = file.read(300_000)
    text = text[: text.rindex(b"\n") + 1]
    paths = [folder / f"project-{index // 5}" / f"session-{index}.jsonl" for index in range(SESSIONS)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return paths


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:36}{figure:10.2f}")


if __name__ == "__main__":
    main()
