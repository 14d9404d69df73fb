"""What a hook costs: from spawn to the last byte, against a bare Python and against curl, in turn.

    python benchmarks/hooks.py [ROUNDS]

It asks a listener that has a 4 kB answer ready, so that only the client is measured; `measure` can be pointed
at the socket of a real daemon.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

HOOK = Path(__file__).resolve().parents[1] / "agentinitd" / "hook.py"
PAYLOAD = json.dumps(
    {
        "session_id": "11111111-0000-4000-8000-000000000001",
        "transcript_path": "/nowhere/11111111.jsonl",
        "cwd": "/nowhere",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "go on",
    }
).encode()
ANSWER = json.dumps(
    {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "x" * 4000}}
).encode()
PYTHON, CURL, CLIENT = "python -I -S -c pass", "curl --unix-socket", "hook client"


def commands(socket_path: Path, agent: str = "claude-code") -> dict[str, list[str]]:
    """What is compared: name → command line.  Without curl on this machine it is left out."""
    found = {
        PYTHON: [sys.executable, "-I", "-S", "-c", "pass"],
        CLIENT: [sys.executable, "-I", "-S", str(HOOK), agent],
    }
    if shutil.which("curl"):
        options = ["-q", "-s", "--max-time", "9", "-H", "Expect:", "--data-binary", "@-"]
        url = f"http://agentinitd/v1/hook/{agent}"
        found[CURL] = ["curl", *options, "--unix-socket", str(socket_path), url]
    return found


def measure(
    socket_path: Path,
    *,
    rounds: int = 60,
    payload: bytes = PAYLOAD,
    answer: bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> dict[str, list[float]]:
    """Milliseconds of each command in each round, in random order; one round before goes uncounted.

    Raises ValueError when a client prints anything but `answer`, if that is given.
    """
    compared = commands(socket_path)
    surroundings = {**os.environ, "AGENTINITD_RUNTIME_DIR": str(socket_path.parent), **(env or {})}
    taken: dict[str, list[float]] = {name: [] for name in compared}
    for turn in range(rounds + 1):
        for name in random.sample(list(compared), len(compared)):
            milliseconds, output = _timed(compared[name], payload, surroundings)
            if answer is not None and name != PYTHON and output != answer:
                raise ValueError(f"{name} printed {output[:80]!r}")
            if turn:
                taken[name].append(milliseconds)
    return taken


def _timed(command: list[str], payload: bytes, env: Mapping[str, str]) -> tuple[float, bytes]:
    start = time.perf_counter()
    done = subprocess.run(command, input=payload, capture_output=True, env=dict(env), check=True)
    return (time.perf_counter() - start) * 1000, done.stdout


def report(taken: Mapping[str, list[float]]) -> str:
    """A Markdown table: medians, 95th percentiles, and the ratios that count."""
    client = statistics.median(taken[CLIENT])
    lines = ["| command | p50 ms | p95 ms | hook client / this |", "|---|---|---|---|"]
    for name, values in taken.items():
        middle = statistics.median(values)
        high = sorted(values)[int(len(values) * 0.95)]
        lines.append(f"| {name} | {middle:.2f} | {high:.2f} | {client / middle:.2f} |")
    return "\n".join(lines)


@contextlib.contextmanager
def ready_listener() -> Iterator[Path]:
    """A socket whose owner answers every request at once with 4 kB."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(ANSWER)
    with tempfile.TemporaryDirectory(prefix="hooks-", dir="/tmp") as folder:
        path = Path(folder) / "agentinitd.sock"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            threading.Thread(target=_serve, args=(listener, head + ANSWER), daemon=True).start()
            yield path


def _serve(listener: socket.socket, answer: bytes) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, contextlib.suppress(OSError):
            request = b""
            while len(request.partition(b"\r\n\r\n")[2]) < len(PAYLOAD) and (piece := connection.recv(65536)):
                request += piece
            connection.sendall(answer)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with ready_listener() as path, tempfile.TemporaryDirectory() as state:
        print(report(measure(path, rounds=rounds, answer=ANSWER, env={"XDG_STATE_HOME": state})))


if __name__ == "__main__":
    main()
