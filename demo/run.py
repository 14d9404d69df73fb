"""The main job on a bundled real session, in a throw-away home: `make run`.

Starts the daemon, writes the session line by line as the agent would, calls the installed hook with the JSON
that Claude Code sends, and shows what happened.  Exits 0 only if the snippet held what it had to.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SESSION = Path(__file__).parents[1] / "tests" / "data" / "claude-code" / "two-compactions.jsonl"
SESSION_ID = "5a3f0c1e-0000-4000-8000-0000000000d0"
ANCHORS = {
    "project_constraints.md": """\
- [constraint] Tests: `pnpm test` (Vitest)
  Why: CI runs exactly this; jest is not installed.
  <!-- priority: critical -->
- [constraint] Never edit `legacy/billing`: it is frozen until the audit.
""",
    "tool_interfaces.md": "- [tool] create_invoice(customer_id: str, total_minor: int) -> Invoice\n",
    "decision_log.md": """\
- [decision] Money is kept in integer cents.
  Why: float rounding broke the March invoices.
""",
}
TASK = {
    "task_id": "billing-417",
    "status": "in_progress",
    "completed": ["reader"],
    "pending": ["report totals"],
    "blockers": [],
}
MUST_HOLD = ("pnpm test", "legacy/billing", "create_invoice", "integer cents", "report totals")
WAIT_SECONDS = 5.0
BARS = "▁▂▃▄▅▆▇█"


@dataclass
class Stage:
    """A throw-away home with a project in it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def build(cls) -> Stage:
        root = Path(tempfile.mkdtemp(prefix="agentinitd-demo-"))
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        stage = cls(root, {**keep, "HOME": str(root / "home")})
        (stage.home / ".claude").mkdir(parents=True)
        stage.project.mkdir()
        return stage

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "shop"

    @property
    def transcript(self) -> Path:
        return self.home / ".claude" / "projects" / "-shop" / f"{SESSION_ID}.jsonl"

    def agentinitd(self, *arguments: str) -> str:
        command = [sys.executable, "-P", "-m", "agentinitd", *arguments]
        done = subprocess.run(
            command, env=self.environment, cwd=self.project, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"agentinitd {' '.join(arguments)} failed ({done.returncode}): {done.stderr}")
        return done.stdout

    def hook(self, event: str, **more: str) -> str:
        """Calls the command that `install` wrote, as Claude Code does, and gives the text for the model."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text())
        command = settings["hooks"][event][0]["hooks"][0]["command"]
        told = {"session_id": SESSION_ID, "transcript_path": str(self.transcript), "cwd": str(self.project)}
        payload = json.dumps({**told, "hook_event_name": event, **more})
        done = subprocess.run(
            command,
            shell=True,
            input=payload,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.agentinitd("status", "--json"))
        return found


def prepare(stage: Stage) -> None:
    stage.agentinitd("init", "--agent", "claude-code")
    memory = stage.project / ".agent-memory"
    for name, text in ANCHORS.items():
        (memory / "anchors" / name).write_text(text)
    (memory / "state" / "task_state.json").write_text(json.dumps(TASK))
    print(f"• a project with {len(ANCHORS)} anchor files and a task state; hooks installed; daemon starting")
    stage.agentinitd("start")


def records(stage: Stage) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The bundled session, as if it had been held in our project."""
    for line in SESSION.read_bytes().splitlines():
        record = json.loads(line)
        record |= {
            key: value
            for key, value in (("cwd", str(stage.project)), ("sessionId", SESSION_ID))
            if key in record
        }
        yield record, json.dumps(record).encode() + b"\n"


def play(stage: Stage) -> tuple[list[int], str, int]:
    """Writes the whole session; gives the context sizes, the last snippet, and the lines written."""
    stage.transcript.parent.mkdir(parents=True)
    first = stage.hook("SessionStart", source="startup")
    print(f"• session starts: the hook brought {len(first):,} characters")
    sizes: list[int] = []
    snippet, lines = "", 0
    with stage.transcript.open("ab", buffering=0) as transcript:
        for record, line in records(stage):
            transcript.write(line)
            lines += 1
            sizes += [size for size in [context_of(record)] if size]
            if record.get("subtype") == "compact_boundary":
                snippet = after_compaction(stage, lines, sizes[-1])
    return sizes, snippet, lines


def after_compaction(stage: Stage, line: int, size: int) -> str:
    """What Claude Code does next: its SessionStart hooks, with source `compact`."""
    found = wait_for_due(stage)
    print(f"• line {line}: the agent compacts at {size:,} tokens; the daemon: {found}")
    snippet = stage.hook("SessionStart", source="compact")
    print(f"  the SessionStart hook brought {len(snippet):,} characters back")
    if stage.hook("UserPromptSubmit", prompt="go on"):
        raise SystemExit("FAILED: the same compaction was served twice")
    return snippet


def wait_for_due(stage: Stage) -> str:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        session = stage.status()["sessions"][0]
        if session["due"]:
            return str(session["due"][0]["reason"])
    raise SystemExit(f"the compaction was not noticed within {WAIT_SECONDS:g} s")


def context_of(record: dict[str, Any]) -> int:
    message = record.get("message") or {}
    usage = message.get("usage") if isinstance(message, dict) else None
    if not usage or record.get("isSidechain") or message.get("model") == "<synthetic>":
        return 0
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage.get(name) or 0 for name in names)


def sparkline(sizes: list[int], width: int = 76) -> str:
    """Each column shows the largest size of its part, so that a fall is seen where it was."""
    step = max(1, len(sizes) // width)
    columns = [max(sizes[start : start + step]) for start in range(0, len(sizes), step)]
    top = max(columns)
    return "".join(BARS[min(len(BARS) - 1, size * len(BARS) // top)] for size in columns)


def show(stage: Stage, sizes: list[int], snippet: str, lines: int) -> None:
    print(f"\n{lines} lines; the context over time, up to {max(sizes):,} tokens:\n{sparkline(sizes)}\n")
    run = stage.status()["last_run"]
    print(f"The last rebuild ({run['runlevel']}, {run['result']}, {run['duration_ms']:.0f} ms):")
    for script in run["scripts"]:
        took = f"{script['duration_ms']:6.1f} ms"
        print(f"  {script['script']:<20}{script['result']:<8}{took}  {' '.join(script['flags'])}")
    print("\nThe snippet that came through the socket:\n")
    print("\n".join(f"  │ {line}" for line in snippet.splitlines()))


def main() -> int:
    stage = Stage.build()
    try:
        prepare(stage)
        sizes, snippet, lines = play(stage)
        show(stage, sizes, snippet, lines)
        missing = [text for text in MUST_HOLD if text not in snippet]
    finally:
        stage.agentinitd("stop")
        shutil.rmtree(stage.root, ignore_errors=True)
    if missing:
        print(f"\nFAILED: the snippet lacks {missing}")
    else:
        print("\nOK: constraints, tools, task state and decisions are back, once for each compaction.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
