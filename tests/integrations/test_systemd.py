"""The systemd user unit: what section 15 of the contract asks for, in words that systemd understands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path, PurePath

import pytest

from agentinitd.integrations import systemd
from agentinitd.integrations.systemd import HARDENING, reading, written
from agentinitd.integrations.units import Order, origin

ROOT = Path(__file__).parents[2]
TEMPLATE = (ROOT / systemd.TEMPLATE).read_text(encoding="utf-8")

REQUIRED = {
    "Type": "notify", "NotifyAccess": "main", "KillMode": "mixed",
    "TimeoutStartSec": "15", "TimeoutStopSec": "20",
    "Restart": "on-failure", "RestartSec": "1", "RestartPreventExitStatus": "2 4 5 6 151",
    "StartLimitIntervalSec": "120", "StartLimitBurst": "5", "WatchdogSec": "120", "UMask": "0077",
    "SyslogIdentifier": "agentinitd", "Slice": "background.slice", "OOMScoreAdjust": "300", "Nice": "5",
    "LimitCORE": "0", "LimitNOFILE": "4096", "TasksMax": "512", "WantedBy": "default.target",
}  # fmt: skip
# Each means something else on 252 than on 257, keeps the unit from starting, or breaks scripts.
FORBIDDEN = frozenset(
    {
        "RuntimeDirectory", "StateDirectory", "LogsDirectory", "CacheDirectory", "ConfigurationDirectory",
        "ProtectSystem", "ProtectHome", "PrivateTmp", "ReadOnlyPaths", "InaccessiblePaths",
        "ProtectControlGroups", "PrivateNetwork", "PrivateMounts", "PrivateUsers", "ProtectKernelTunables",
        "ProtectHostname", "ProtectProc", "ProcSubset", "RemoveIPC", "PrivateIPC", "PrivateDevices",
        "ProtectKernelModules", "ProtectKernelLogs", "ProtectClock", "CapabilityBoundingSet",
        "TemporaryFileSystem", "DynamicUser", "User", "Group", "SecureBits", "LogNamespace",
        "IPAddressDeny", "SocketBindDeny", "DevicePolicy", "RestrictFileSystems",
        "RestrictAddressFamilies", "RestrictNamespaces", "MemoryDenyWriteExecute", "SystemCallFilter",
        "DefaultDependencies",
    }
)  # fmt: skip


def unit(*command: str, version: int = 252, is_hardened: bool = True, **environment: str) -> str:
    order = Order(
        command=command or ("/opt/agentinitd",),
        environment=environment,
        state_dir=PurePath("/s"),
        manager_version=version,
        is_hardened=is_hardened,
    )
    return written(TEMPLATE, order)


def options(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


def test_it_holds_what_the_contract_asks_for():
    found = options(unit())

    assert REQUIRED.items() <= found.items()
    assert found["ExecStart"] == "/opt/agentinitd start --foreground"
    assert found["ExecReload"] == "/opt/agentinitd reload"
    assert [found[name] for name in HARDENING] == ["yes", "yes", "yes", "yes", "native"]


def test_it_holds_nothing_that_works_on_some_versions_only():
    assert not {*options(unit()), *options(unit(version=257))} & FORBIDDEN
    assert "notify-reload" not in TEMPLATE


def test_slower_restarts_are_asked_of_managers_that_know_them():
    assert "RestartSteps" not in unit(version=253)
    assert options(unit(version=254))["RestartSteps"] == "5"
    assert options(unit(version=257))["RestartMaxDelaySec"] == "60"


def test_without_hardening_it_differs_in_nothing_else():
    bare = options(unit(is_hardened=False))

    assert {name: value for name, value in options(unit()).items() if name not in HARDENING} == bare


def test_it_is_ours_and_reads_back_whatever_the_version_and_the_hardening():
    old, new = unit(version=252, is_hardened=False), unit(version=257)

    assert (origin(old), origin(new)) == ("ours", "ours")
    assert reading(old) == reading(new)


@pytest.mark.parametrize(
    "command",
    [
        ("/a b/%h/agentinitd",),
        ("/$HOME/agentinitd",),
        ("/x;y'z/agentinitd",),
        ("/p/python", "-P", "-m", "$x y"),
    ],
)
def test_a_path_of_any_characters_comes_back_as_it_was(command):
    assert reading(unit(*command)).command == command


def test_specifiers_and_variables_in_what_is_ours_are_not_expanded():
    text = unit("/a%h/$X", "$Y", CODEX_HOME='/c %d "e" \\f $Z')

    assert 'ExecStart="/a%%h/$X" "$$Y" start' in text
    assert 'Environment="CODEX_HOME=/c %%d \\"e\\" \\\\f $Z"' in text
    assert reading(text).places == {"CODEX_HOME": '/c %d "e" \\f $Z'}


@pytest.mark.parametrize("text", ["", "[Service]\n", "ExecStart=\n", "\udcff\0"])
def test_what_starts_nothing_is_no_unit_of_ours(text):
    with pytest.raises(ValueError, match="ExecStart"):
        reading(text)


def test_systemd_itself_finds_nothing_wrong_with_it(tmp_path, home):
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed: systemd's own opinion of the unit cannot be had")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = int(re.match(r"systemd (\d+)", said)[1])
    # An instance of each form in one call: it takes as long as one.
    paths = [tmp_path / "plain.service", tmp_path / "bare.service"]
    paths[0].write_text(unit("/bin/true", version=version, CODEX_HOME='/a b%c"d\\e'))
    paths[1].write_text(unit("/bin/true", version=version, is_hardened=False))

    (home / "run").mkdir(mode=0o700)

    done = subprocess.run(
        [program, "--user", "verify", "--man=no", "--recursive-errors=no", *paths],
        env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert [line for line in done.stderr.splitlines() if "plain" in line or "bare" in line] == []
    assert done.returncode == 0, done.stderr
