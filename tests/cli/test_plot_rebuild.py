"""One rebuild as bars: whatever ran in it, nothing lies on anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentinitd.cli.plot_rebuild import MOST_ROWS, rebuild_scene
from agentinitd.cli.plot_scene import Rect, Scene, Text
from agentinitd.sessions.timeline import Around, RunTime, ScriptTime

Overlapping = Callable[[Scene], list[tuple[str, str]]]
NAMES = (
    "constraints",
    "a-very-long-name-of-a-script-that-goes-on-and-on-and-on",
    "数据库迁移-检查脚本",
    "<b>&'\"",
)
RESULTS = (
    ("ok", ()),
    ("empty", ("cached",)),
    ("failed", ("last-good",)),
    ("timeout", ("strays",)),
    ("skipped", ()),
)
AROUND = Around(lag_ms=130, waited_ms=88, cause="marker: 上下文压缩", read_ms=4100, hook="UserPromptSubmit")


def run_of(count: int, *, milliseconds: float = 30.0) -> RunTime:
    scripts, reached = [], 3.0
    for number in range(count):
        result, flags = RESULTS[number % len(RESULTS)]
        duration = 0.0 if result == "skipped" or "cached" in flags else milliseconds * (1 + number % 9)
        name = f"S{number + 10}-{NAMES[number % len(NAMES)]}"
        scripts.append(
            ScriptTime(
                script=name, layer="user", result=result, flags=flags, start_ms=reached, duration_ms=duration,
                user_ms=duration / 2, exit=None if result == "skipped" else 0,
            )
        )  # fmt: skip
        reached += duration + 2
    return RunTime(
        run="ab12cd34-7", at="2026-11-30T01:10:31Z", session="s" * 36, project="/home/张三/" * 30,
        trigger="marker", runlevel="compact", result="degraded", duration_ms=reached + 6,
        tokens=480, scripts=tuple(scripts),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("run", "around"),
    [
        (run_of(40), AROUND),
        (run_of(40, milliseconds=3000), Around()),
        (run_of(1), AROUND),
        (run_of(1, milliseconds=0.01), Around()),
        (run_of(0), Around()),
        (run_of(MOST_ROWS + 40), AROUND),
    ],
)
def test_no_label_lies_on_another_or_outside(run: RunTime, around: Around, overlapping: Overlapping) -> None:
    assert overlapping(rebuild_scene(run, around)) == []


def test_every_script_has_a_bar_in_its_colour_and_order() -> None:
    scene = rebuild_scene(run_of(5), AROUND)
    bars = [part for part in scene.parts if isinstance(part, Rect) and part.hint]

    assert [bar.role for bar in bars] == [
        "wait",
        "wait",
        "ok",
        "cached",
        "failed",
        "timeout",
        "skipped",
        "daemon",
    ]
    assert [bar.x for bar in bars] == sorted(bar.x for bar in bars)
    assert "failed (last-good)" in bars[4].hint


def test_a_wait_that_would_squeeze_the_bars_is_told_in_words() -> None:
    scene = rebuild_scene(run_of(2), Around(lag_ms=10.0, waited_ms=3_600_000.0))
    texts = [part.text for part in scene.parts if isinstance(part, Text)]

    assert "waited to begin" not in texts
    assert any("began 1 h 0 min later" in text for text in texts)


def test_more_scripts_than_can_be_seen_are_counted() -> None:
    texts = [
        part.text for part in rebuild_scene(run_of(MOST_ROWS + 7), Around()).parts if isinstance(part, Text)
    ]

    assert any(text.startswith("7 scripts more are not shown") for text in texts)
