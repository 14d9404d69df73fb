"""`rebuild`: for this folder or for a session; with `-n` only the sequence."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from agentinitd import hook

HOOK_FILE = hook.__file__
New = Callable[..., Any]


@pytest.fixture
def known(shared_daemon: Any) -> Any:
    shared_daemon.anchors("- [constraint] only pnpm\n")
    return shared_daemon


def test_it_shows_what_each_script_did(known: Any) -> None:
    done = known.command("rebuild")

    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:6]] == [
        "S10-constraints",
        "S15-captured-rules",
        "S20-tools",
        "S30-task-state",
        "S40-decisions",
        "S45-captured-facts",
    ]
    assert lines[6].startswith("manual: ok, ")


def test_as_json_it_is_the_run(known: Any) -> None:
    run = json.loads(known.command("rebuild", "--json", "--runlevel", "compact").stdout)

    assert (run["runlevel"], run["result"], len(run["scripts"])) == ("compact", "ok", 6)


def test_a_dry_run_names_every_script_and_why_it_would_not_run(known: Any) -> None:
    """RL-14."""
    folder = known.project / ".agent-memory" / "init.d"
    folder.mkdir(exist_ok=True)
    (folder / "S50-mine").write_text("#!/bin/sh\n")
    (folder / "S50-mine").chmod(0o755)

    done = known.command("rebuild", "-n")

    assert done.returncode == 0
    assert any("S10-constraints" in line and line.endswith("runs") for line in done.stdout.splitlines())
    assert any("S50-mine" in line and "pending-trust" in line for line in done.stdout.splitlines())
    (folder / "S50-mine").unlink()


def test_for_a_session_its_next_hook_gets_the_snippet(known: Any, new_session: New) -> None:
    session = new_session(known)
    session.starts()
    assert session.prompts() == ""

    assert known.command("rebuild", "--session", session.id[:8]).returncode == 0

    assert "only pnpm" in session.prompts()
    assert session.prompts() == ""


@pytest.mark.parametrize(
    ("arguments", "said"), [(("--runlevel", "turbo"), "turbo"), (("--session", "nobody"), "nobody")]
)
def test_what_is_unknown_is_named(known: Any, arguments: tuple[str, ...], said: str) -> None:
    done = known.command("rebuild", *arguments)

    assert done.returncode == 1
    assert said in done.stderr


def test_outside_of_a_project_it_says_what_to_do(known: Any) -> None:
    done = known.command("rebuild", cwd=known.home)

    assert done.returncode == 1
    assert "agentinitd init" in done.stderr


def test_a_daemon_is_started_for_it_unless_that_is_forbidden(new_daemon: New) -> None:
    """DMN-4."""
    daemon = new_daemon()
    daemon.environment["AGENTINITD_NO_AUTOSTART"] = "1"
    forbidden = daemon.command("rebuild")
    del daemon.environment["AGENTINITD_NO_AUTOSTART"]

    allowed = daemon.command("rebuild")

    assert forbidden.returncode == 7
    assert "agentinitd start" in forbidden.stderr
    assert allowed.returncode == 0
    assert daemon.command("stop").stdout == "agentinitd has stopped.\n"


def test_from_inside_a_rebuild_it_is_refused_and_waits_for_nothing(known: Any) -> None:
    """RL-11: neither a script's own `rebuild` nor the hooks of an agent that it starts wait for its end."""
    script = known.home / ".config" / "agentinitd" / "init.d" / "S50-nested"
    script.parent.mkdir(parents=True)
    event = {"session_id": "inner", "cwd": str(known.project), "hook_event_name": "SessionStart"}
    script.write_text(
        f"""#!/bin/sh
echo '{json.dumps(event)}' | {sys.executable} -I -S {HOOK_FILE} claude-code > hook
{sys.executable} -P -m agentinitd rebuild > said 2>&1 || echo "exit $?: $(cat said)"
echo "hook said: <$(cat hook)>"
rm hook said
"""
    )
    script.chmod(0o755)
    try:
        text = known.command("snippet", "--budget", "5000").stdout
    finally:
        script.unlink()
    assert "exit 1: agentinitd: nested" in text
    assert "hook said: <>" in text
    assert known.session("inner") == {}
