from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agentinitd.model.scripts import Header, Script
from agentinitd.rc import environment
from agentinitd.rc.request import RunRequest, RunSettings

SCRIPT = Script(name="S50-a", key="a", order=50, layer="user", path="/home/me/user/init.d/S50-a")
REQUEST = RunRequest(
    run_id="i-7",
    session_id="abc",
    session_dir=Path("/state/sessions/abc"),
    project_root=Path("/p"),
    task_id=None,
    trigger="marker",
    runlevel="compact",
    previous_runlevel="session",
    transcript="/t.jsonl",
    budget_tokens=500,
)
SETTINGS = RunSettings(
    scratch_dir=Path("/state/run"),
    last_good_dir=Path("/state/last-good"),
    environment={"HOME": "/home/me", "LANG": "C.UTF-8", "TOKEN": "t", "SECRET": "s", "PATH": "/evil:."},
    interpreter_folder="/venv/bin",
    uid=1000,
)


def build(
    script: Script = SCRIPT, request: RunRequest = REQUEST, settings: RunSettings = SETTINGS, root: str = "/p"
) -> dict[str, str]:
    return environment.build(
        script,
        "start",
        request,
        settings,
        run_dir="/state/run/x",
        project_root=root,
        timeout_seconds=2.5,
        deadline="2026-01-01T00:00:00.000Z",
    )


def test_a_script_is_told_everything_about_its_call() -> None:
    """RL-10, EXE-6."""
    told = {
        name.removeprefix("AGENTINITD_"): value for name, value in build().items() if name.startswith("AGENT")
    }
    assert told.pop("VERSION")
    assert told == {
        "API": "1",
        "RUN_ID": "i-7",
        "TRIGGER": "marker",
        "RUNLEVEL": "compact",
        "PREVLEVEL": "session",
        "ACTION": "start",
        "SESSION_ID": "abc",
        "PROJECT_ROOT": "/p",
        "TASK_ID": "",
        "TRANSCRIPT": "/t.jsonl",
        "SCRIPT_NAME": "S50-a",
        "SCRIPT_DIR": "/home/me/user/init.d",
        "SCRIPT_LAYER": "user",
        "STATE_DIR": "/state/sessions/abc",
        "RUN_DIR": "/state/run/x",
        "TIMEOUT_MS": "2500",
        "DEADLINE": "2026-01-01T00:00:00.000Z",
        "MAX_OUTPUT": "16384",
        "BUDGET": "500",
    }


def test_the_first_run_of_a_session_has_no_previous_level() -> None:
    """RL-10."""
    assert build(request=replace(REQUEST, previous_runlevel=None))["AGENTINITD_PREVLEVEL"] == "N"


def test_nothing_of_the_daemons_environment_passes_by_itself() -> None:
    """EXE-6."""
    found = build()
    assert (found["HOME"], found["LANG"]) == ("/home/me", "C.UTF-8")
    assert (found["TERM"], found["NO_COLOR"], found["TMPDIR"]) == ("dumb", "1", "/state/run/x")
    assert not {"TOKEN", "SECRET"} & found.keys()


def test_the_user_can_pass_more() -> None:
    assert build(settings=replace(SETTINGS, env_pass=("TOKEN",)))["TOKEN"] == "t"


def test_a_header_is_granted_variables_only_with_the_approval_of_a_project_script() -> None:
    """EXE-6."""
    asking = replace(SCRIPT, header=Header(env=("SECRET",)))
    assert "SECRET" not in build(asking)
    assert build(replace(asking, layer="project"))["SECRET"] == "s"


@pytest.mark.parametrize(
    "name",
    ["NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONPATH",
     "BASH_ENV", "ENV", "IFS", "NODE_OPTIONS", "GIT_DIR", "PERL5OPT", "RUBYOPT", "AGENTINITD_RUN_ID",
     "JOURNAL_STREAM"],
)  # fmt: skip
def test_some_variables_are_never_passed_even_if_asked(name: str) -> None:
    """EXE-7."""
    settings = replace(SETTINGS, environment={**SETTINGS.environment, name: "evil"}, env_pass=(name,))
    asking = replace(SCRIPT, layer="project", header=Header(env=(name,)))
    assert build(asking, settings=settings).get(name) != "evil"


def test_the_search_path_begins_with_our_interpreter_and_avoids_the_project() -> None:
    path = build()["PATH"].split(":")
    assert path[:2] == ["/venv/bin", "/home/me/.local/bin"]
    assert {"/usr/bin", "/bin"} <= set(path)
    assert "/home/me/.local/bin" not in build(root="/home/me")["PATH"].split(":")


def test_the_search_path_of_the_config_takes_the_place_of_the_usual_one() -> None:
    """EXE-6."""
    wanted = ("~/.cargo/bin", "/opt/x", "", ".", "node_modules/.bin", "/work/tool/bin", "/a:/b", "/opt/x")
    settings = replace(SETTINGS, path=wanted)

    assert build(settings=settings, root="/work")["PATH"] == "/venv/bin:/home/me/.cargo/bin:/opt/x"


def test_a_nul_in_a_name_stops_no_script() -> None:
    assert build(request=replace(REQUEST, session_id="a\0b"))["AGENTINITD_SESSION_ID"] == "ab"
