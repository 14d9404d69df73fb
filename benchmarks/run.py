"""Measures everything of architecture.md section 14 that exists, and writes RESULTS.md beside this file.

    python benchmarks/run.py

About ten minutes, much of it waiting for an idle daemon; 3 GB of room in the temporary folder.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import capture_cost
import capture_quality
import daemon
import hooks
import memory_size
import reading
import reading_agents
import reading_codex
import reading_databases
import reading_documents
import recall

RESULTS = Path(__file__).with_name("RESULTS.md")
HELP_RUNS = 15


class Row(NamedTuple):
    """One line of the table."""

    what: str
    figure: str
    target: str


def hook_rows() -> list[Row]:
    with hooks.ready_listener() as listener:
        taken = hooks.measure(listener, rounds=60)
    middle = {name: statistics.median(values) for name, values in taken.items()}
    client = middle[hooks.CLIENT]
    rows = [
        Row("hook client ÷ bare Python", f"{client / middle[hooks.PYTHON]:.2f} ({client:.1f} ms)", "≤ 1.5")
    ]
    if hooks.CURL in middle:
        rows.append(Row("hook client ÷ curl", f"{client / middle[hooks.CURL]:.2f}", "≤ 1.6"))
    return rows


def reading_rows() -> list[Row]:
    taken = reading.measure()
    rows = [
        Row(
            "`replay` ÷ `json.loads` loop, realistic lines", f"{taken['replay_vs_json_loads']:.2f} ×", "≥ 2 ×"
        )
    ]
    if "replay_vs_json_loads_short_lines" in taken:
        short = taken["replay_vs_json_loads_short_lines"]
        rows.append(Row("the same, samples of short lines", f"{short:.2f} ×", "≥ 2 ×"))
    return [
        *rows,
        Row(
            "memory, 500 MB file with 20 MB lines", f"{taken['replay_big_file_rss_mib']:.0f} MiB", "≤ 60 MiB"
        ),
        Row("taking up a 500 MB session", f"{taken['take_up_500_mb_ms']:.1f} ms", "≤ 50 ms"),
        Row("taking up 1,000 sessions", f"{taken['take_up_1000_sessions_ms']:.0f} ms", "≤ 300 ms"),
    ]


def agent_rows() -> list[Row]:
    """Processor time, not wall time, where two readings are compared."""
    lines = {
        name: ratio for name, ratio in reading_agents.measure().items() if not name.endswith("_detailed")
    }
    rows = [
        Row(f"reading {name} ÷ `json.loads` loop", f"{ratio:.2f} ×", "≥ 2 ×") for name, ratio in lines.items()
    ]
    documents = reading_documents.measure() | reading_databases.measure()
    rows += [Row(name.replace("_", " "), f"{figure:.2f}", "a figure") for name, figure in documents.items()]
    giant = reading_codex.measure()
    rows += [
        Row(name.replace("_", " "), f"{figure:.1f}", "≤ 100 ms" if name.endswith("_ms") else "≤ 60 MiB")
        for name, figure in giant.items()
    ]
    return rows


def help_rows() -> list[Row]:
    commands = {
        "help": [sys.executable, "-P", "-m", "agentinitd", "--help"],
        "bare": [sys.executable, "-c", "pass"],
    }
    middle = {
        name: statistics.median(_seconds(command) for _ in range(HELP_RUNS))
        for name, command in commands.items()
    }
    ratio = middle["help"] / middle["bare"]
    return [
        Row("`agentinitd --help` ÷ `python3 -c pass`", f"{ratio:.2f} ({middle['help'] * 1000:.0f} ms)", "≤ 4")
    ]


def _seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def daemon_rows() -> list[Row]:
    return [
        Row(*(cell.strip() for cell in line.strip("|").split("|")))
        for line in daemon.report().splitlines()[2:]
    ]


def recall_rows() -> list[Row]:
    taken = recall.measure()
    return [Row("recall over 100,000 entries", f"p50 {taken['recall_p50_ms']:.1f} ms", "p50 ≤ 10 ms")]


def capture_rows() -> list[Row]:
    names = {
        "dev": "development part",
        "held_out": "part kept apart",
        "unseen": "of another author, kept apart",
        "varied": "by other authors",
        "offhand": "typed offhand by four more",
        "strangers": "typed offhand, kept apart",
    }
    rows: list[Row] = []
    for part, found in capture_quality.measure().items():
        for language in ("zh", "en", "all"):
            tally = found[language]
            figure = f"{tally.recall:.3f} / {tally.precision:.3f}"
            target = "≥ 0.85 / ≥ 0.90" if part in capture_quality.KEPT_APART else "a figure"
            rows.append(Row(f"capture, {names[part]}, {language}: recall / precision", figure, target))
        tally = found["all"]
        wrong = f"{tally.polarity_errors}, {tally.secrets_leaked}"
        rows.append(Row(f"capture, {names[part]}: polarity errors, secrets leaked", wrong, "0, 0"))
        rows.append(Row(f"capture, {names[part]}: scope right", f"{tally.scope_accuracy:.2f}", "a figure"))
        gone = f"{tally.gone} of {tally.withdrawn}"
        rows.append(Row(f"capture, {names[part]}: withdrawn rules gone", gone, "a figure"))
    return [*rows, *_retention_rows()]


def _retention_rows() -> list[Row]:
    found = capture_quality.retention()["all"]
    kept = f"{found.share:.3f} ({found.kept} of {found.hard_rules})"
    served = f"{found.withdrawn_served}, {found.made_up}"
    return [
        Row("capture, hard rules of 12 sessions in 500 tokens", kept, "≥ 0.95"),
        Row("capture, withdrawn or made up among them", served, "0, 0"),
    ]


def cost_rows() -> list[Row]:
    taken = capture_cost.measure()
    rows = [
        Row(f"a long session, {what}", f"{taken[name]:,.0f} events/s", "a figure")
        for what, name in (
            ("read", "reading_events_per_s"),
            ("read with details", "detailed_events_per_s"),
            ("read and captured", "captured_events_per_s"),
            ("all that a followed session costs", "followed_events_per_s"),
        )
    ]
    return [
        *rows,
        Row("capture ÷ reading with details", f"{taken['capture_vs_reading']:.2f}", "≤ 1"),
        Row("all of it ÷ reading with details", f"{taken['followed_vs_reading']:.2f}", "≤ 3"),
        Row("longest stall, 100 MB backlog", f"{taken['longest_stall_ms']:.0f} ms", "≤ 50 ms"),
        Row("memory, 100 MB backlog", f"{taken['peak_rss_mib']:.0f} MiB", "≤ 100 MiB"),
    ]


def memory_rows() -> list[Row]:
    taken = memory_size.measure()
    large = f"{taken['rebuild_large_ms']:.0f} ms"
    scripts = f"{taken['rebuild_all_scripts_large_ms']:.0f} ms"
    what = "rebuild with 2,000 anchors, 5,000 decisions, 200 tasks ÷ with 20 of each"
    return [
        Row(what, f"{taken['rebuild_large_vs_small']:.2f} ({large})", "≤ 2"),
        Row(
            "the same, all scripts run",
            f"{taken['rebuild_all_scripts_large_vs_small']:.2f} ({scripts})",
            "≤ 2",
        ),
    ]


PARTS: tuple[Callable[[], list[Row]], ...] = (
    hook_rows,
    help_rows,
    reading_rows,
    agent_rows,
    recall_rows,
    memory_rows,
    capture_rows,
    cost_rows,
    daemon_rows,
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    names = [part.__name__.removesuffix("_rows") for part in PARTS]
    options.add_argument("parts", nargs="*", metavar="PART", help=f"only these of {', '.join(names)}")
    wanted = options.parse_args().parts or names
    measured: dict[str, Row] = {}
    for name, part in zip(names, PARTS, strict=True):
        for row in part() if name in wanted else ():
            print(f"{row.what:<55}{row.figure:<28}{row.target}", flush=True)
            measured[row.what] = row
    # What was not measured stays as it was.
    rows = {row.what: row for row in _last()} if wanted != names else {}
    RESULTS.write_text(page([*(rows | measured).values()]), encoding="utf-8")
    print(f"written to {RESULTS}")


def _last() -> list[Row]:
    """Of the page as it is."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("| ")][1:]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in table]


def page(rows: list[Row]) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime())
    python = platform.python_version()
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {python}"
    table = "\n".join(f"| {row.what} | {row.figure} | {row.target} |" for row in rows)
    return f"""# Benchmark results

The figures of the last `make bench`, some of them measured anew since: {day}, {machine}.
Each ratio compares two things measured in the same run; machines are noisy: read ratios before milliseconds.

| what | figure | target |
|---|---|---|
{table}
"""


if __name__ == "__main__":
    main()
