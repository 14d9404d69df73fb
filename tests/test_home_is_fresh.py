"""No test can touch the real home, whether it asks for a home or not."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from agentinitd.daemon.paths import Places

REAL_HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)


@pytest.mark.parametrize("time", ["first", "second"])
def test_a_test_that_asks_for_nothing_has_a_fresh_home(
    tmp_path_factory: pytest.TempPathFactory, time: str
) -> None:
    base = tmp_path_factory.getbasetemp()
    assert Path.home().is_relative_to(base)
    assert Path("~/.claude").expanduser().is_relative_to(base)
    assert list(Path.home().iterdir()) == []
    (Path.home() / time).touch()


def test_it_is_not_the_home_of_the_user(home: Path) -> None:
    assert home == Path.home() != REAL_HOME
    assert not REAL_HOME.is_relative_to(home)


def test_everything_of_ours_lies_in_it(home: Path) -> None:
    places = Places.from_environment(os.environ)

    assert all(
        path.is_relative_to(home)
        for path in (places.config_dir, places.state_dir, places.runtime_dir, places.trust_dir)
    )


def test_a_child_has_it_as_well(home: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", "from pathlib import Path; print(Path.home())"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    assert Path(child.stdout.strip()) == home


@pytest.mark.parametrize("prefix", ["XDG_", "AGENTINITD_", "CLAUDE_"])
def test_no_variable_leads_out_of_it(home: Path, prefix: str) -> None:
    leading = {name: value for name, value in os.environ.items() if name.startswith(prefix)}

    assert all(Path(value).is_relative_to(home) for value in leading.values()), leading


class TestInAPersonsShell:
    """The whole suite is started with variables set: here by a run within the run."""

    def test_variables_that_were_set_before_are_gone(self, tmp_path: Path) -> None:
        case = Path(__file__).parent / "test_home_is_fresh.py"
        leading = {
            name: str(tmp_path / "real")
            for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "AGENTINITD_RUNTIME_DIR", "CLAUDE_CONFIG_DIR")
        }

        within = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                "-k",
                "not TestInAPersonsShell",
                str(case),
            ],
            env={**os.environ, **leading, "HOME": str(tmp_path / "real")},
            cwd=case.parents[1],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )

        assert within.returncode == 0, within.stdout
        assert not (tmp_path / "real").exists()
