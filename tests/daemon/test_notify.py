"""What the service manager hears of us, through a real socket."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentinitd.daemon.notify import Notifier, manager_of, tell_ready


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    """Stands in a short folder, since the path of a socket may have 103 bytes only."""
    with (
        tempfile.TemporaryDirectory(prefix="n-", dir="/tmp") as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound,
    ):
        bound.bind(f"{folder}/s")
        bound.settimeout(5.0)
        yield bound


def notifier(manager: socket.socket) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": manager.getsockname()}, pid=42)


def test_each_message_arrives_as_one_datagram(manager: socket.socket) -> None:
    ours = notifier(manager)

    ours.status("reading the config")
    ours.ready("3 sessions")
    ours.reloading(17)
    ours.watchdog()
    ours.stopping()

    assert [manager.recv(4096) for _ in range(5)] == [
        b"STATUS=reading the config",
        b"READY=1\nSTATUS=3 sessions",
        b"RELOADING=1\nMONOTONIC_USEC=17",
        b"WATCHDOG=1",
        b"STOPPING=1",
    ]


def test_a_status_of_several_lines_says_nothing_but_a_status(manager: socket.socket) -> None:
    notifier(manager).status("config error:\nREADY=1\r\nMAINPID=1")

    assert manager.recv(4096) == b"STATUS=config error: READY=1 MAINPID=1"


def test_a_name_that_is_not_utf_8_does_not_hurt(manager: socket.socket) -> None:
    notifier(manager).ready("cannot read /home/\udcff, 约束")

    assert manager.recv(4096) == "READY=1\nSTATUS=cannot read /home/?, 约束".encode()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has abstract addresses")
def test_an_abstract_address_is_reached() -> None:
    """ACT-4."""
    name = f"agentinitd-test-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bound:
        bound.bind("\0" + name)
        bound.settimeout(5.0)

        Notifier({"NOTIFY_SOCKET": "@" + name}, pid=1).ready("up")

        assert bound.recv(4096) == b"READY=1\nSTATUS=up"


@pytest.mark.parametrize(
    "address",
    ["", "relative", "vsock:2:1234", "@", "/nowhere/at/all", "/dev/null", "/" + "x" * 300, "@" + "y" * 300],
)
def test_where_no_manager_listens_nothing_happens(address: str) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    ours = Notifier({"NOTIFY_SOCKET": address}, pid=1)

    ours.ready("up")
    ours.stopping()

    assert len(list(Path("/dev/fd").iterdir())) == before
    assert ours.watchdog_seconds is None


def test_a_manager_that_never_reads_does_not_stop_us(manager: socket.socket) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as flood:
        flood.setblocking(False)
        with pytest.raises(OSError):
            for _ in range(100_000):
                flood.sendto(b"x" * 1000, manager.getsockname())

    notifier(manager).stopping()

    manager.setblocking(False)
    waiting = []
    with pytest.raises(BlockingIOError):
        while True:
            waiting.append(manager.recv(4096))
    assert b"STOPPING=1" not in waiting


@pytest.mark.parametrize(
    ("env", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "120000000"}, 40.0),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "42"}, 40.0),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "41"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_fed_three_times_as_often_as_asked_if_we_are_asked(
    env: dict[str, str], seconds: float | None
) -> None:
    """ACT-5."""
    assert Notifier(env, pid=42).watchdog_seconds == seconds


class TestReadyDescriptor:
    def test_it_gets_one_newline_and_is_closed(self) -> None:
        """ACT-3."""
        reading, writing = os.pipe()

        tell_ready(writing)

        assert os.read(reading, 10) == b"\n"
        assert os.read(reading, 10) == b""
        os.close(reading)

    def test_nobody_at_the_other_end_does_not_hurt_and_it_is_closed_all_the_same(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)

        tell_ready(writing)

        with pytest.raises(OSError):
            os.fstat(writing)

    def test_a_number_that_is_no_descriptor_does_not_hurt(self) -> None:
        tell_ready(10_000)


class TestManager:
    @pytest.mark.parametrize(
        ("env", "manager"),
        [
            ({"NOTIFY_SOCKET": "/s", "INVOCATION_ID": "1", "SYSTEMD_EXEC_PID": "7"}, "systemd"),
            ({"NOTIFY_SOCKET": "/s", "INVOCATION_ID": "1"}, "systemd"),
            ({"XPC_SERVICE_NAME": "org.agentinitd"}, "launchd"),
            ({"XPC_SERVICE_NAME": "0"}, "none"),
            ({}, "none"),
        ],
    )
    def test_is_who_started_this_process(self, env, manager):
        assert manager_of(env, 7) == manager

    def test_is_not_that_of_the_terminal_it_was_started_in(self):
        assert manager_of({"INVOCATION_ID": "1"}, 7) == "none"
        assert manager_of({"INVOCATION_ID": "1", "NOTIFY_SOCKET": "/s", "SYSTEMD_EXEC_PID": "6"}, 7) == "none"
