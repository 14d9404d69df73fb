"""Where everything of ours lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.daemon.finding import roots_of
from agentinitd.daemon.paths import SOCKET_PATH_LIMIT_BYTES, Places
from agentinitd.model.errors import NotConfigured
from agentinitd.transcripts.agents import AGENTS

HOME = "/home/me"


def places(**env: str) -> Places:
    return Places.from_environment({"HOME": HOME, "XDG_RUNTIME_DIR": "/nowhere", **env})


@pytest.mark.parametrize("env", [{}, {"HOME": ""}, {"HOME": "me"}, {"HOME": "~"}])
def test_without_a_home_there_is_no_place(env: dict[str, str]) -> None:
    with pytest.raises(NotConfigured, match="HOME"):
        Places.from_environment(env)


def test_without_any_variable_the_standard_folders_below_home_are_used() -> None:
    ours = places()

    assert ours.home == Path("/home/me")
    assert ours.user_config_file == Path("/home/me/.config/agentinitd/agentinitd.yaml")
    assert ours.state_dir == Path("/home/me/.local/state/agentinitd")
    assert ours.system_dir == Path("/etc/agentinitd")
    assert ours.socket == Path("/home/me/.local/state/agentinitd/run/agentinitd.sock")


def test_the_variables_move_config_and_state() -> None:
    ours = places(XDG_CONFIG_HOME="/c", XDG_STATE_HOME="/s")

    assert ours.config_dir == Path("/c/agentinitd")
    assert {
        ours.log_file.name: ours.log_file.parent,
        ours.lock_file.name: ours.lock_file.parent,
        ours.address_file.name: ours.address_file.parent,
        ours.trust_dir.name: ours.trust_dir.parent,
        ours.exec_dir.name: ours.exec_dir.parent,
        ours.last_good_dir.name: ours.last_good_dir.parent,
        ours.sessions_dir.name: ours.sessions_dir.parent,
        ours.receipts_dir.name: ours.receipts_dir.parent,
    } == dict.fromkeys(
        [
            "rebuild.log",
            "agentinitd.lock",
            "address.json",
            "trust",
            "exec",
            "last-good",
            "sessions",
            "receipts",
        ],
        Path("/s/agentinitd"),
    )


def test_relative_and_empty_variables_are_ignored_as_the_standard_says() -> None:
    assert places(XDG_CONFIG_HOME="c", XDG_STATE_HOME="") == places()


class TestRuntimeFolder:
    def test_our_own_variable_comes_first(self, tmp_path: Path) -> None:
        """LCK-4."""
        ours = places(AGENTINITD_RUNTIME_DIR="/r", XDG_RUNTIME_DIR=str(tmp_path))

        assert ours.runtime_dir == Path("/r")

    def test_then_the_session_s_folder_if_it_is_ours(self, tmp_path: Path) -> None:
        """LCK-4."""
        assert places(XDG_RUNTIME_DIR=str(tmp_path)).runtime_dir == tmp_path / "agentinitd"

    @pytest.mark.parametrize("kind", ["absent", "file", "foreign"])
    def test_else_the_state_folder(self, tmp_path: Path, kind: str) -> None:
        """LCK-4."""
        session = tmp_path / "session"
        if kind == "file":
            session.touch()
        elif kind == "foreign":
            if os.geteuid() != 0:
                pytest.skip("only root can give a folder away")
            session.mkdir()
            os.chown(session, 12345, -1)

        ours = places(XDG_RUNTIME_DIR=str(session), XDG_STATE_HOME="/s")

        assert ours.runtime_dir == Path("/s/agentinitd/run")

    def test_a_relative_one_is_not_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "r").mkdir()

        assert places(XDG_RUNTIME_DIR="r", AGENTINITD_RUNTIME_DIR="r") == places()


class TestSocketPath:
    def test_a_path_of_exactly_the_limit_is_used(self) -> None:
        folder = "/" + "x" * (SOCKET_PATH_LIMIT_BYTES - len("//agentinitd.sock"))

        socket = places(AGENTINITD_RUNTIME_DIR=folder).socket

        assert socket == Path(folder) / "agentinitd.sock"
        assert len(str(socket)) == SOCKET_PATH_LIMIT_BYTES

    @pytest.mark.parametrize("folder", ["/" + "x" * 200, "/" + "约" * 30])
    def test_a_longer_one_is_replaced_by_a_short_one_of_the_same_user(self, folder: str) -> None:
        """LCK-6."""
        socket = places(AGENTINITD_RUNTIME_DIR=folder).socket

        assert socket.parent.parent == Path("/tmp")
        assert socket.parent.name.startswith(f"agentinitd-{os.geteuid()}-")
        assert len(os.fsencode(socket)) <= SOCKET_PATH_LIMIT_BYTES

    def test_two_long_folders_have_two_sockets_and_each_always_the_same(self) -> None:
        first, second, again = (
            places(AGENTINITD_RUNTIME_DIR="/" + letter * 200).socket for letter in ("a", "b", "a")
        )

        assert first == again != second

    def test_a_name_that_is_not_utf_8_has_one_as_well(self) -> None:
        assert places(AGENTINITD_RUNTIME_DIR="/" + "\udcff" * 150).socket.is_absolute()


def test_nothing_of_ours_lies_where_transcripts_are_watched(tmp_path: Path) -> None:
    """WAT-10."""
    places = Places.from_environment({"HOME": str(tmp_path)})
    roots = roots_of(AGENTS, tmp_path, {}, ())

    assert len(roots) > 5
    for ours in (places.log_file, places.lock_file, places.sessions_dir, places.socket, places.config_dir):
        assert not [root for root in roots if ours.is_relative_to(root)]
