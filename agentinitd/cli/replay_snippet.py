"""The full snippet that a replayed transcript would have earned: its memory, through the vendor's scripts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentinitd.model.facts import JsonValue, Memory
    from agentinitd.model.scripts import ScriptRun
    from agentinitd.model.snippets import Snippet

RUNLEVEL = "compact"
SCRIPT_SECONDS = 20.0


def snippet_of(memory: Memory, *, now: float, budget_tokens: int) -> Snippet:
    """Only scripts of the vendor run, each as it is installed; no project, and nobody's trust, is needed."""
    from agentinitd.memory.serving import memory_json
    from agentinitd.model.config import Config
    from agentinitd.snippet.compose import compose
    from agentinitd.snippet.fragments import fragment_of
    from agentinitd.snippet.tokens import TokenCounter

    config = Config()
    served = memory_json(memory, now=now, stale_days=config.stale_days)
    runs = list(_runs({"api": 1, "runlevel": RUNLEVEL, "language": memory.language, "memory": served}))
    fragments = [part for run in runs if (part := fragment_of(run, language=memory.language)) is not None]
    omitted = served["omitted"]
    return compose(
        fragments,
        budget_tokens=budget_tokens,
        language=memory.language,
        unserved=omitted if isinstance(omitted, int) else 0,
        count=TokenCounter().count,
    ).snippet


def _runs(given: dict[str, JsonValue]) -> Iterator[ScriptRun]:
    from agentinitd.rc.vendor import vendor_folder

    folder = vendor_folder()
    data = json.dumps(given).encode()
    for entry in sorted((folder / "rc.d" / f"{RUNLEVEL}.d").iterdir()):
        path = folder / "init.d" / entry.name
        if entry.name.startswith("S") and path.is_file():
            yield _run(path, data)


def _run(path: Path, data: bytes) -> ScriptRun:
    from agentinitd.model.errors import AgentinitdError
    from agentinitd.model.scripts import Script, ScriptRun
    from agentinitd.rc.header import HEAD_BYTES, parse

    name, key = path.name, path.name[4:]
    header = parse(path.read_bytes()[:HEAD_BYTES], key=key)
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(path), "start"],
            input=data,
            capture_output=True,
            check=True,
            timeout=SCRIPT_SECONDS,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise AgentinitdError(f"{path} did not run ({error}). Install agentinitd anew.") from None
    output = done.stdout.decode("utf-8", "replace")
    script = Script(name=name, key=key, order=int(name[1:3]), layer="vendor", path=str(path), header=header)
    return ScriptRun(script=script, action="start", result="ok" if output else "empty", output=output)
