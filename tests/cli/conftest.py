"""A rebuild log as a daemon would have left it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

BEGIN = 1_800_000_000.0


@pytest.fixture
def log_of(home: Path) -> Callable[..., Path]:
    """Writes these records, each `(seconds, event, fields)`, into the log of this home."""

    def write(*records: tuple[float, str, dict[str, Any]]) -> Path:
        path = home / ".local" / "state" / "agentinitd" / "rebuild.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for seconds, event, fields in records:
                at = datetime.fromtimestamp(BEGIN + seconds, UTC).isoformat().replace("+00:00", "Z")
                head = {"ts": at, "mono": 100 + seconds, "level": "info", "event": event, "instance": "i"}
                file.write(json.dumps({**head, **fields}, ensure_ascii=False) + "\n")
        return path

    return write


@pytest.fixture
def rebuild_records() -> Callable[..., list[tuple[float, str, dict[str, Any]]]]:
    """Those of one compact rebuild, noticed at `at` seconds, with these scripts and their milliseconds."""

    def records(
        run: str, at: float = 0.0, session: str = "s-1", **scripts: float
    ) -> list[tuple[float, str, dict[str, Any]]]:
        of = {"session": session, "project": "/p", "trigger": "marker", "runlevel": "compact"}
        made: list[tuple[float, str, dict[str, Any]]] = [
            (at, "trigger", {**of, "reason": "compaction (auto)", "detect_lag_ms": 40.0}),
            (at + 0.01, "run.start", {**of, "run": run}),
        ]
        reached = 2.0
        for name, duration in scripts.items():
            told = {"script": name.replace("_", "-"), "layer": "user", "action": "start", "result": "ok"}
            times = {"start_ms": reached, "duration_ms": duration, "exit": 0, "flags": []}
            made.append((at + 0.01 + reached / 1000, "script.end", {**told, **times, "run": run}))
            reached += duration + 2
        end = {"run": run, "result": "ok", "duration_ms": reached + 3, "tokens": 99, "snippet": f"n-{run}"}
        ended = at + 0.01 + (reached + 3) / 1000
        handed = {"result": "arrived", "hook": "UserPromptSubmit", "snippet": f"n-{run}"}
        return [*made, (ended, "run.end", {**of, **end}), (ended + 0.5, "delivery", {**of, **handed})]

    return records
