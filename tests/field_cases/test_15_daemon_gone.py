"""Field case 15: never started, killed hard, started twice at once, a foreign file in the way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = "15-daemon-gone"


@pytest.fixture
def payload(shared: Path, tmp_path: Path) -> Callable[[Any], dict[str, object]]:
    (tmp_path / "empty.jsonl").touch()

    def make(daemon: Any) -> dict[str, object]:
        text = (shared / "field-cases" / CASE / "hook.json").read_text(encoding="utf-8")
        return {**json.loads(text.replace("{{DIR}}", str(tmp_path))), "cwd": str(daemon.project)}

    return make


def test_a_never_started(new_daemon: Callable[[], Any], payload: Callable[[Any], dict[str, object]]) -> None:
    daemon = new_daemon()

    said = daemon.context(payload(daemon))

    assert "agentinitd start" in said
    assert "no rules" not in said.lower()


def test_b_killed_hard(daemon: Any, payload: Callable[[Any], dict[str, object]]) -> None:
    daemon.anchors("- [约束] 只用 pnpm\n")
    daemon.anchors("- [决策] 金额一律用整数分。\n", name="decision_log.md")
    assert "只用 pnpm" in daemon.context(payload(daemon))
    daemon.kill()
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        for name in ("agentinitd.lock", "address.json"):
            path = daemon.state_dir / name
            path.write_text(json.dumps({**json.loads(path.read_text()), "pid": bystander.pid}))

        without = daemon.context(payload(daemon))
        assert "只用 pnpm" in without
        assert "not running" in without

        assert daemon.command("status").returncode == 1
        daemon.start()
        after = daemon.context(payload(daemon))
        assert "只用 pnpm" in after
        assert "金额一律用整数分" in after
        assert bystander.poll() is None
    finally:
        bystander.communicate(b"\n")


def test_c_two_at_once(new_daemon: Callable[[], Any]) -> None:
    daemon = new_daemon()
    for _ in range(4):
        both = [
            subprocess.Popen(
                [sys.executable, "-P", "-m", "agentinitd", "start"],
                env=daemon.environment,
                cwd="/",
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        said = [process.communicate(timeout=30)[0] for process in both]

        assert [process.returncode for process in both] == [0, 0]
        assert sum("is running" in text for text in said) == 1, said
        assert sum("already running" in text for text in said) == 1, said
        assert daemon.status()["state"] == "running"
        assert daemon.command("stop").returncode == 0


def test_c_the_second_in_the_foreground_ends_with_its_own_code(daemon: Any) -> None:
    second = daemon.command("start", "--foreground")

    assert second.returncode == 151
    assert "already running" in second.stderr
    assert daemon.status()["state"] == "running"


def test_d_a_plain_file_in_the_way(new_daemon: Callable[[], Any]) -> None:
    daemon = new_daemon()
    path = daemon.runtime / "agentinitd.sock"
    path.write_text("mine")

    refused = daemon.command("start")

    assert refused.returncode != 0
    assert str(path) in refused.stderr
    assert path.read_text() == "mine"
    assert [entry.name for entry in daemon.runtime.iterdir()] == ["agentinitd.sock"]
