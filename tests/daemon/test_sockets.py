"""The socket file: ours alone, never in anybody's way, and told apart from everybody else's."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentinitd.daemon.sockets import BoundSocket, Gate, is_in_rebuild, is_own_peer, peer_uid
from agentinitd.model.errors import AgentinitdError, PermissionRefused


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short, since the path of a socket may have 103 bytes only."""
    with tempfile.TemporaryDirectory(prefix="b-", dir="/tmp") as made:
        yield Path(made)


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / "agentinitd" / "agentinitd.sock"


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


class TestBinding:
    def test_the_file_is_a_socket_for_its_owner_alone_in_a_folder_for_its_owner_alone(
        self, path: Path
    ) -> None:
        before = os.umask(0o022)
        try:
            bound = BoundSocket(path)
            after = os.umask(0o022)
        finally:
            os.umask(before)

        assert stat.S_ISSOCK(path.lstat().st_mode)
        assert stat.S_IMODE(path.lstat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.lstat().st_mode) == 0o700
        assert after == 0o022
        bound.remove()

    def test_it_listens_as_soon_as_it_is_there_and_nothing_else_is_left_in_the_folder(
        self, path: Path
    ) -> None:
        bound = BoundSocket(path)

        assert answers(path)
        assert list(path.parent.iterdir()) == [path]
        bound.remove()

    def test_the_socket_that_a_dead_daemon_left_is_replaced(self, path: Path) -> None:
        path.parent.mkdir()
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
        assert not answers(path)

        bound = BoundSocket(path)

        assert answers(path)
        bound.remove()

    def test_clients_never_see_a_gap(self, path: Path) -> None:
        """The name is taken over in one step: an open connection lasts, a new one finds the new socket."""
        # LCK-8.
        first = BoundSocket(path)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            second = BoundSocket(path)

            accepted, _ = first.socket.accept()
            client.sendall(b"still here")
            accepted.setblocking(True)
            assert accepted.recv(100) == b"still here"
            accepted.close()
        assert answers(path)
        first.remove()
        assert answers(path)
        second.remove()

    def test_what_a_killed_daemon_left_half_done_is_no_hindrance(self, path: Path) -> None:
        path.parent.mkdir()
        path.with_name(".new").touch()

        BoundSocket(path).remove()

        assert list(path.parent.iterdir()) == []

    @pytest.mark.parametrize("kind", ["file", "folder", "link", "fifo"])
    def test_what_is_no_socket_is_named_and_left_alone(self, path: Path, kind: str) -> None:
        path.parent.mkdir()
        match kind:
            case "file":
                path.write_bytes(b"precious")
            case "folder":
                path.mkdir()
            case "link":
                path.symlink_to("/nowhere")
            case "fifo":
                os.mkfifo(path)
        before = path.lstat()

        with pytest.raises(AgentinitdError, match=f"{path} is not a socket and was left alone"):
            BoundSocket(path)

        assert (path.lstat().st_ino, path.lstat().st_mode) == (before.st_ino, before.st_mode)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a socket away")
    def test_a_socket_of_somebody_else_is_named_and_left_alone(self, path: Path) -> None:
        """LCK-8."""
        path.parent.mkdir()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
            os.chown(path, 12345, -1)

            with pytest.raises(PermissionRefused, match="12345"):
                BoundSocket(path)

            assert path.exists()

    def test_a_folder_that_others_can_reach_is_closed_or_refused(self, path: Path) -> None:
        """LCK-5."""
        path.parent.mkdir(mode=0o755)
        BoundSocket(path).remove()
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

        path.parent.chmod(0o1777)
        with pytest.raises(PermissionRefused):
            BoundSocket(path)

    def test_a_folder_that_cannot_be_made_is_told_with_the_cure(self, folder: Path) -> None:
        (folder / "file").touch()

        with pytest.raises(AgentinitdError, match="AGENTINITD_RUNTIME_DIR"):
            BoundSocket(folder / "file" / "below" / "agentinitd.sock")

    def test_103_bytes_are_not_too_many_and_104_are_told_in_figures(self, folder: Path) -> None:
        """LCK-6."""
        rest = 103 - len(f"{folder}//agentinitd.sock")
        BoundSocket(folder / ("x" * rest) / "agentinitd.sock").remove()

        with pytest.raises(AgentinitdError, match="104 bytes are more than the 103"):
            BoundSocket(folder / ("x" * (rest + 1)) / "agentinitd.sock")

    def test_a_failure_leaves_neither_file_nor_descriptor(self, path: Path) -> None:
        path.parent.mkdir()
        path.with_name(".new").mkdir()  # a name that cannot be bound
        before = open_descriptors()

        with pytest.raises(AgentinitdError, match="Cannot listen"):
            BoundSocket(path)

        assert open_descriptors() == before
        assert not path.exists()

    def test_it_is_closed_to_children(self, path: Path) -> None:
        bound = BoundSocket(path)

        assert not os.get_inheritable(bound.socket.fileno())
        bound.remove()


class TestKeeping:
    def test_it_is_in_place_until_somebody_removes_it(self, path: Path) -> None:
        bound = BoundSocket(path)
        assert bound.is_in_place() and not bound.is_stolen()

        path.unlink()

        assert not bound.is_in_place() and not bound.is_stolen()
        bound.remove()

    def test_it_is_not_in_place_when_its_whole_folder_is_gone(self, path: Path) -> None:
        bound = BoundSocket(path)
        path.unlink()
        path.parent.rmdir()

        assert not bound.is_in_place() and not bound.is_stolen()
        bound.remove()

    def test_another_socket_at_its_place_is_theft_and_is_not_removed(self, path: Path) -> None:
        """LCK-9, LCK-10."""
        bound = BoundSocket(path)
        path.unlink()
        with socket.socket(socket.AF_UNIX) as thief:
            thief.bind(str(path))

            assert bound.is_stolen() and not bound.is_in_place()
            bound.remove()

            assert path.exists()

    def test_a_file_that_is_touched_or_gets_another_mode_is_still_ours(self, path: Path) -> None:
        bound = BoundSocket(path)
        os.utime(path)
        path.chmod(0o700)

        assert bound.is_in_place()
        bound.remove()

    def test_removing_takes_the_file_away_and_closes(self, path: Path) -> None:
        before = open_descriptors()
        bound = BoundSocket(path)

        bound.remove()
        bound.remove()

        assert not path.exists()
        assert open_descriptors() == before


class TestGate:
    def test_whoever_is_refused_is_told_of_once_a_minute(self) -> None:
        """SOC-1."""
        refused: list[int] = []
        now = [100.0]
        ours, theirs = socket.socketpair()
        own = Gate(refused=refused.append, monotonic=lambda: now[0])
        foreign = Gate(refused=refused.append, monotonic=lambda: now[0], is_own=lambda _: False)

        assert own.is_open_to(ours) and refused == []
        for later in (0.0, 30.0, 29.0, 2.0):
            now[0] += later
            assert not foreign.is_open_to(ours)
        assert refused == [os.geteuid(), os.geteuid()]
        ours.close()
        theirs.close()


class TestInTmp:
    def test_its_folder_is_locked_and_looks_used_so_that_cleaners_leave_it_alone(self) -> None:
        """LCK-6."""
        folder = Path(tempfile.mkdtemp(prefix="agd-", dir="/tmp"))
        before = open_descriptors()
        bound = BoundSocket(folder / "agentinitd.sock")
        os.utime(folder, (1.0, 1.0))
        os.utime(bound.path, (1.0, 1.0))
        other = os.open(folder, os.O_RDONLY)

        with pytest.raises(BlockingIOError):  # what systemd-tmpfiles asks before it goes in
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        bound.keep_from_cleaners()

        assert folder.stat().st_mtime > 1e9 and bound.path.stat().st_mtime > 1e9
        assert bound.is_in_place()
        bound.remove()
        os.close(other)
        assert open_descriptors() == before
        folder.rmdir()


class TestPeers:
    def test_whoever_is_at_the_other_end_has_our_uid(self) -> None:
        one, other = socket.socketpair(socket.AF_UNIX)
        with one, other:
            assert peer_uid(one) in (os.geteuid(), None)
            assert is_own_peer(one)

    @pytest.mark.skipif(
        os.geteuid() != 0 or sys.platform != "linux", reason="only root can become somebody else"
    )
    @pytest.mark.parametrize("uid", [12345, 3_000_000_000])
    def test_a_stranger_is_known_and_refused(self, path: Path, uid: int) -> None:
        """SOC-1."""
        bound = BoundSocket(path)
        path.chmod(0o666)
        path.parent.chmod(0o755)
        path.parent.parent.chmod(0o755)
        script = (
            "import os, socket, sys\n"
            "client = socket.socket(socket.AF_UNIX)\n"
            "os.setuid(int(sys.argv[2]))\n"
            "client.connect(sys.argv[1])\n"
            "client.recv(1)\n"
        )
        bound.socket.setblocking(True)
        stranger = subprocess.Popen([sys.executable, "-I", "-c", script, str(path), str(uid)])
        accepted, _ = bound.socket.accept()

        with accepted:
            assert peer_uid(accepted) == uid
            assert not is_own_peer(accepted)
        assert stranger.wait() == 0
        bound.remove()

    def test_a_socket_that_cannot_be_asked_is_not_trusted(self) -> None:
        closed = socket.socket(socket.AF_UNIX)
        closed.close()

        assert not is_own_peer(closed)
        assert not is_in_rebuild(closed)

    @pytest.mark.parametrize(("cookie", "is_in"), [({}, False), ({"AGENTINITD_RUN_ID": "i-1"}, True)])
    def test_a_script_of_a_rebuild_is_known_by_its_cookie(
        self, path: Path, cookie: dict[str, str], is_in: bool
    ) -> None:
        """RL-11."""
        bound = BoundSocket(path)
        bound.socket.setblocking(True)
        code = "import socket, sys; c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1]); c.recv(1)"
        script = subprocess.Popen([sys.executable, "-I", "-c", code, str(path)], env={**os.environ, **cookie})
        accepted, _ = bound.socket.accept()

        with accepted:
            assert is_in_rebuild(accepted) is is_in
        assert script.wait() == 0
        bound.remove()
