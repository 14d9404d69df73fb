"""The launchd agent: read as a property list, and held to the rules of section 16 of the contract."""

from __future__ import annotations

import plistlib
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.integrations import launchd
from agentinitd.integrations.launchd import reading, written
from agentinitd.integrations.units import Order, origin

ROOT = Path(__file__).parents[2]
TEMPLATE = (ROOT / launchd.TEMPLATE).read_text(encoding="utf-8")

# launchd.plist(5): what each key may hold.  Others are misspelt, out of date, or not for agents.
TYPES: dict[str, type] = {
    "Label": str, "ProgramArguments": list, "EnvironmentVariables": dict, "RunAtLoad": bool,
    "KeepAlive": dict, "ThrottleInterval": int, "ExitTimeOut": int, "ProcessType": str,
    "AbandonProcessGroup": bool, "Umask": int, "SoftResourceLimits": dict,
    "StandardOutPath": str, "StandardErrorPath": str,
}  # fmt: skip


def agent(*command: str, state_dir: str = "/Users/me/.local/state/agentinitd", **environment: str) -> str:
    order = Order(
        command=command or ("/opt/homebrew/bin/agentinitd",),
        environment=environment,
        state_dir=PurePath(state_dir),
    )
    return written(TEMPLATE, order)


def plist(text: str) -> dict[str, Any]:
    found: dict[str, Any] = plistlib.loads(text.encode())
    return found


@pytest.mark.parametrize("text", [TEMPLATE, agent()])
def test_it_keeps_the_rules_of_launchd(text):
    found = plist(text)

    assert {key: type(value) for key, value in found.items()} == TYPES
    assert found["Label"] == launchd.LABEL == Path(launchd.TEMPLATE).stem
    assert found["KeepAlive"] == {"SuccessfulExit": False}
    assert found["RunAtLoad"] is True and found["AbandonProcessGroup"] is False
    assert (found["ThrottleInterval"], found["ExitTimeOut"], found["ProcessType"]) == (10, 20, "Background")
    assert found["Umask"] == 0o077
    assert found["SoftResourceLimits"] == {"NumberOfFiles": 4096}
    assert found["ProgramArguments"][1:] == ["start", "--foreground"]


@pytest.mark.parametrize("text", [TEMPLATE, agent()])
def test_every_path_is_absolute_and_holds_nothing_to_expand(text):
    found = plist(text)
    paths = [found["ProgramArguments"][0], found["StandardOutPath"], found["StandardErrorPath"]]
    paths += found["EnvironmentVariables"]["PATH"].split(":")

    assert [path for path in paths if not path.startswith("/") or "~" in path or "$" in path] == []


def test_what_a_failed_start_says_goes_to_a_file_of_ours_and_the_rest_nowhere():
    found = plist(agent(state_dir="/s"))

    assert (found["StandardOutPath"], found["StandardErrorPath"]) == ("/dev/null", "/s/start.err")


def test_the_environment_of_the_person_replaces_the_bare_one():
    found = plist(agent(PATH="/a & b", CODEX_HOME="/<c>"))

    assert found["EnvironmentVariables"] == {"PATH": "/a & b", "CODEX_HOME": "/<c>"}


def test_it_is_ours_and_reads_back():
    text = agent("/p/python", "-P", "-m", "agentinitd", CODEX_HOME="/c", LANG="C")

    assert origin(text) == "ours"
    assert origin(text.replace("<integer>10<", "<integer>9<")) == "changed"
    assert reading(text).command == ("/p/python", "-P", "-m", "agentinitd")
    assert reading(text).places == {"CODEX_HOME": "/c"}
    assert reading(text).rest == reading(agent()).rest


@pytest.mark.parametrize(
    "text", ["", "<plist", "<plist><array/></plist>", "<plist><dict/></plist>", "\udcff\0"]
)
def test_what_is_no_job_is_no_agent_of_ours(text):
    with pytest.raises(ValueError, match="property list"):
        reading(text)
