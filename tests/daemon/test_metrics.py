"""What a scraper is told: every metric that is documented, as it really happened."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.metrics import Metrics

New = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
SLOW = "#!/bin/sh\nsleep 0.4\necho slow\n"
SAMPLE = re.compile(r'([a-z_]+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)')


@pytest.fixture(scope="module")
def known(shared_daemon: Any) -> Any:
    shared_daemon.anchors("- [constraint] Install with pnpm, never npm\n")
    scripts = shared_daemon.home / ".config" / "agentinitd" / "init.d"
    scripts.mkdir(parents=True, mode=0o700)
    for name, text in (("S60-slow", SLOW), ("S61-bad", "#!/bin/sh\nexit 1\n")):
        (scripts / name).write_text(text)
        (scripts / name).chmod(0o700)
    return shared_daemon


def scraped(daemon: Any) -> tuple[dict[str, str], dict[str, float]]:
    """Types by name, and values by name with labels; every line is one of the format."""
    status, body = daemon.ask("GET", "/metrics")
    assert status == 200
    types, values = {}, {}
    for line in body.decode().splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.fullmatch(line)
            assert match, line
            assert match[1] + match[2] not in values
            values[match[1] + match[2]] = float(match[3])
    return types, values


def documented() -> Iterator[str]:
    text = (ROOT / "docs" / "socket.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| (`[a-z_`, ]+`) \|", text.partition("## Metrics")[2], re.MULTILINE):
        yield from re.findall(r"`([a-z_]+)`", row)


def test_all_that_is_documented_is_told_and_nothing_else(known: Any) -> None:
    types, values = scraped(known)

    assert sorted(types) == sorted(set(documented()))
    assert values["process_resident_memory_bytes"] > 1_000_000
    assert values["agentinitd_degraded"] in (0, 1)


def test_it_counts_what_happened(known: Any, new_session: New) -> None:
    session = new_session(known)
    assert "pnpm" in session.starts()

    types, values = scraped(known)

    assert types["agentinitd_hook_duration_seconds"] == "histogram"
    assert values['agentinitd_hook_duration_seconds_count{agent="claude-code"}'] >= 1
    assert values['agentinitd_sessions{agent="claude-code"}'] == 1
    assert values['agentinitd_rebuilds_total{runlevel="session",result="degraded"}'] >= 1
    assert values['agentinitd_scripts_total{script="bad",layer="user",result="failed"}'] >= 1
    assert values['agentinitd_script_duration_seconds_sum{script="slow",layer="user"}'] > 0.39
    assert values['agentinitd_problems{kind="script"}'] == values["agentinitd_degraded"] == 1


def test_a_rebuild_that_waits_for_another_says_how_long(known: Any, new_session: New) -> None:
    session = new_session(known)
    session.starts()
    body = {"session": session.id, "force": True}
    threads = [threading.Thread(target=known.ask, args=("POST", "/v1/rebuild", body)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    runs = [run for run in known.get("/v1/runs")["runs"] if run["runlevel"] == "manual"][-2:]
    [ended] = [record for record in known.log() if record.get("run") == runs[1]["run"]][-1:]

    assert runs[0]["queue_ms"] < runs[1]["queue_ms"]
    assert runs[1]["queue_ms"] > 300
    assert (ended["event"], ended["queue_ms"]) == ("run.end", runs[1]["queue_ms"])
    assert f"{runs[1]['queue_ms']:,.1f} ms in the queue" in known.command("blame").stdout


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"\xff", b'{"event": 3, "level": "info"}', b'{"event": "run.end", "level": []}']
)
def test_a_record_that_is_none_is_not_counted(line: bytes) -> None:
    metrics = Metrics()
    metrics.see(line)

    status = {"manager": "none", "reasons": [], "sessions": [], "watch": []}
    told = metrics.text(status, running=0, lost=0)
    assert "\nagentinitd_log_records_total{" not in told
