"""A rebuild log as a daemon would have left it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agentinitd.cli.plot_scene import Scene, Text, text_width

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


@pytest.fixture
def overlapping() -> Callable[[Scene], list[tuple[str, str]]]:
    """The texts of a picture that lie on each other, or outside of it."""

    def pairs(scene: Scene) -> list[tuple[str, str]]:
        boxes = [(_box(part), part.text) for part in scene.parts if isinstance(part, Text)]
        found = [(text, "the edge") for box, text in boxes if not _is_inside(box, scene)]
        for number, (box, text) in enumerate(boxes):
            found += [(text, other) for beside, other in boxes[number + 1 :] if _touch(box, beside)]
        return found

    return pairs


Box = tuple[float, float, float, float]


def _box(text: Text) -> Box:
    width, height = text_width(text.text, text.size), text.size * 0.8
    shift = {"start": 0.0, "middle": -width / 2, "end": -width}[text.anchor]
    if text.is_upright:
        return (text.x - height, text.y - shift - width, text.x, text.y - shift)
    return (text.x + shift, text.y - height, text.x + shift + width, text.y)


def _is_inside(box: Box, scene: Scene) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= scene.width and box[3] <= scene.height


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
