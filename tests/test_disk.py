"""Files that survive a kill and a full disk."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentinitd.disk import private_folder, read_bounded, write_atomically
from agentinitd.model.errors import PermissionRefused


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


class TestWriteAtomically:
    def test_a_new_file_holds_the_bytes_and_is_for_its_owner_alone(self, tmp_path: Path) -> None:
        write_atomically(tmp_path / "f", b"\x00new\n")

        assert (tmp_path / "f").read_bytes() == b"\x00new\n"
        assert mode_of(tmp_path / "f") == 0o600

    def test_the_mode_asked_for_does_not_depend_on_the_umask(self, tmp_path: Path) -> None:
        before = os.umask(0o077)
        try:
            write_atomically(tmp_path / "f", b"", mode=0o755)
        finally:
            os.umask(before)

        assert mode_of(tmp_path / "f") == 0o755

    def test_whoever_holds_the_old_file_open_goes_on_reading_the_old_bytes(self, tmp_path: Path) -> None:
        """FIL-1."""
        path = tmp_path / "f"
        path.write_bytes(b"old")
        with path.open("rb") as held:
            write_atomically(path, b"newer")
            assert held.read() == b"old"

        assert path.read_bytes() == b"newer"

    def test_a_link_stays_a_link_and_the_file_behind_it_is_replaced(self, tmp_path: Path) -> None:
        """FIL-3."""
        (tmp_path / "dotfiles").mkdir()
        target = tmp_path / "dotfiles" / "settings.json"
        target.write_bytes(b"old")
        link = tmp_path / "settings.json"
        link.symlink_to("dotfiles/settings.json")

        write_atomically(link, b"new")

        assert link.is_symlink()
        assert target.read_bytes() == b"new"

    def test_a_target_that_cannot_be_replaced_leaves_nothing_behind(self, tmp_path: Path) -> None:
        (tmp_path / "f").mkdir()

        with pytest.raises(OSError):
            write_atomically(tmp_path / "f", b"data")

        assert list(tmp_path.glob("*f*")) == [tmp_path / "f"]

    def test_a_full_disk_keeps_the_old_file_whole_and_leaves_nothing_behind(self, tmp_path: Path) -> None:
        """FIL-1, FIL-2."""
        path = tmp_path / "f"
        path.write_bytes(b"old and whole")
        # The limit on a file's size fails like a full disk: first a short write, then an error.
        script = (
            "import resource, sys; from pathlib import Path; from agentinitd.disk import write_atomically\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
            "try: write_atomically(Path(sys.argv[1]), b'x' * 10000)\n"
            "except OSError: sys.exit(7)\n"
        )

        done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)

        assert done.returncode == 7
        assert path.read_bytes() == b"old and whole"
        assert list(tmp_path.glob(".f.*")) == []

    def test_no_descriptor_is_left_open(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        before = open_descriptors()

        write_atomically(tmp_path / "f", b"1")
        with pytest.raises(OSError):
            write_atomically(tmp_path / "folder", b"1")

        assert open_descriptors() == before

    @settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(data=st.binary(max_size=5000))
    def test_any_bytes_come_back(self, tmp_path: Path, data: bytes) -> None:
        write_atomically(tmp_path / "f", data)

        assert read_bounded(tmp_path / "f", 5000) == data


class TestPrivateFolder:
    def test_it_is_made_with_its_parents_and_open_to_nobody_else(self, tmp_path: Path) -> None:
        made = private_folder(tmp_path / "a" / "b")

        assert made == tmp_path / "a" / "b"
        assert mode_of(made) == 0o700

    def test_an_open_one_of_ours_is_closed(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir(mode=0o755)

        assert mode_of(private_folder(tmp_path / "a")) == 0o700

    @pytest.mark.parametrize("target", ["/", "nowhere", "file"])
    def test_a_link_is_refused_wherever_it_leads(self, tmp_path: Path, target: str) -> None:
        (tmp_path / "file").touch()
        (tmp_path / "a").symlink_to(target)

        with pytest.raises(PermissionRefused, match="must be a folder"):
            private_folder(tmp_path / "a")

    def test_a_file_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"mine")

        with pytest.raises(PermissionRefused, match="must be a folder"):
            private_folder(tmp_path / "a")

        assert (tmp_path / "a").read_bytes() == b"mine"

    @pytest.mark.parametrize("mode", [0o1777, 0o777, 0o702])
    def test_one_that_others_may_write_to_is_refused_and_left_alone(self, tmp_path: Path, mode: int) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a").chmod(mode)

        with pytest.raises(PermissionRefused, match="shared"):
            private_folder(tmp_path / "a")

        assert mode_of(tmp_path / "a") == mode

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
    def test_one_of_somebody_else_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir(mode=0o700)
        os.chown(tmp_path / "a", 12345, -1)

        with pytest.raises(PermissionRefused, match="12345"):
            private_folder(tmp_path / "a")


class TestReadBounded:
    def test_exactly_the_limit_is_read_and_one_byte_more_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_bytes(b"12345")

        assert read_bounded(tmp_path / "f", 5) == b"12345"
        with pytest.raises(OSError, match="larger than 4 bytes"):
            read_bounded(tmp_path / "f", 4)

    def test_a_fifo_without_a_writer_does_not_block(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "f")

        with pytest.raises(OSError, match="not a regular file"):
            read_bounded(tmp_path / "f", 10)

    def test_a_device_is_refused(self) -> None:
        with pytest.raises(OSError, match="not a regular file"):
            read_bounded(Path("/dev/zero"), 10)

    def test_a_socket_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # the whole path may be too long for a socket
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("s")
            with pytest.raises(OSError):
                read_bounded(tmp_path / "s", 10)

    def test_what_is_refused_leaves_no_descriptor_open(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        before = open_descriptors()

        for path in (tmp_path, tmp_path / "fifo", tmp_path / "absent"):
            with pytest.raises(OSError):
                read_bounded(path, 10)

        assert open_descriptors() == before
