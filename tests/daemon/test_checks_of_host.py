"""What the doctor finds on machines that are not as they should be."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentinitd.daemon.checks_of_host import host_findings
from agentinitd.daemon.paths import Places

NOW = 1_800_000_000.0


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", "/tmp/short")
    return Places.from_environment(os.environ)


def levels(places: Places, *, now: float = NOW, inotify: Path = Path("/nowhere")) -> dict[str, str]:
    """The worst of each topic."""
    found = list(host_findings(places, now=now, inotify=inotify))
    assert all(finding.cure or finding.level == "ok" for finding in found)
    order = ["ok", "warn", "fail"]
    return {
        topic: max((each.level for each in found if each.topic == topic), key=order.index)
        for topic in [each.topic for each in found]
    }


def test_a_fresh_machine_is_well_and_nothing_is_made_on_it(places, home):
    assert set(levels(places).values()) == {"ok"}
    assert list(home.iterdir()) == []


class TestState:
    def test_open_to_others(self, places):
        places.state_dir.mkdir(parents=True)
        places.state_dir.chmod(0o755)

        assert levels(places)["state"] == "warn"

    def test_no_folder(self, places):
        places.state_dir.parent.mkdir(parents=True)
        places.state_dir.write_text("")

        assert levels(places)["state"] == "fail"

    def test_a_link_is_none(self, places, tmp_path):
        places.state_dir.parent.mkdir(parents=True)
        places.state_dir.symlink_to(tmp_path)

        assert levels(places)["state"] == "fail"


def test_a_name_too_long_for_a_socket(monkeypatch):
    monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", "/" + "x" * 120)

    assert levels(Places.from_environment(os.environ))["socket"] == "warn"


@pytest.mark.parametrize(
    ("instances", "watches", "level"),
    [("128", "65536", "ok"), ("8", "65536", "warn"), ("128", "100", "warn"), ("?", "", "ok")],
)
def test_low_limits_of_inotify(places, tmp_path, instances, watches, level):
    folder = tmp_path / "inotify"
    folder.mkdir()
    (folder / "max_user_instances").write_text(instances)
    (folder / "max_user_watches").write_text(watches)

    assert levels(places, inotify=folder).get("events", "ok") == level


class TestClock:
    def test_of_a_machine_without_a_battery(self, places):
        assert levels(places, now=86_400.0)["clock"] == "fail"

    def test_behind_our_own_files(self, places):
        places.state_dir.mkdir(parents=True, mode=0o700)
        places.log_file.write_text("")

        assert levels(places, now=time.time() - 3600)["clock"] == "warn"
        assert levels(places, now=time.time())["clock"] == "ok"
