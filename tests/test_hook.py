"""The hook as the agent runs it: a process, a pipe in, a pipe out, and a daemon that is well, ill or gone."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agentinitd.daemon.receipts import Receipts

HOOK = Path(__file__).resolve().parents[1] / "agentinitd" / "hook.py"
COMMAND = [sys.executable, "-I", "-S", str(HOOK), "claude-code"]
LIMIT_SECONDS = 20
"""Only so that a hook that hangs fails the test."""
START = {"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup", "cwd": "/srv/orchard"}
TOOL = {"session_id": "s-1", "hook_event_name": "PostToolUse", "tool_name": "Bash"}
ANSWER = '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"只用 pnpm\\n"}}'.encode()

Reply = Callable[[socket.socket, bytes], None]


class Listener:
    """A daemon's outside: it takes one request after another and replies as it was told."""

    def __init__(self, path: Path, reply: Reply) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.requests: list[bytes] = []
        self._reply = reply
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen(8)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                request = read_request(connection)
                self.requests.append(request)
                self._reply(connection, request)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(LIMIT_SECONDS)


def read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(1 << 16)
        if not piece:
            raise ConnectionError
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        body += connection.recv(1 << 20)
    return head + b"\r\n\r\n" + body


def http(body: bytes, status: str = "200 OK", headers: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


def replies(data: bytes) -> Reply:
    return lambda connection, _: connection.sendall(data)


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has room for 103 bytes."""
    with tempfile.TemporaryDirectory(prefix="hook-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def runtime(short: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = short / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", str(folder))
    return folder


@pytest.fixture
def listen() -> Iterator[Callable[[Path, Reply], Listener]]:
    opened: list[Listener] = []

    def start(path: Path, reply: Reply) -> Listener:
        opened.append(Listener(path, reply))
        return opened[-1]

    yield start
    for listener in opened:
        listener.close()


@pytest.fixture
def state(short: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = short / "state" / "agentinitd"
    folder.mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent))
    return folder


def run(payload: object, command: list[str] = COMMAND, **kwargs: object) -> bytes:
    """Stdout of the hook, after seeing that it kept its promises: exit code 0 and a silent stderr."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(command, input=data, capture_output=True, timeout=LIMIT_SECONDS, **kwargs)  # type: ignore[call-overload]

    assert (done.returncode, done.stderr) == (0, b"")
    return bytes(done.stdout)


def context(output: bytes) -> str:
    said = json.loads(output)["hookSpecificOutput"]
    assert said["hookEventName"] == "SessionStart"
    return str(said["additionalContext"])


# With a daemon


def test_the_answer_is_printed_byte_for_byte_and_stdin_sent_byte_for_byte(runtime, listen):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    payload = json.dumps(START, indent=2).encode() + b"\n\n"

    assert run(payload) == ANSWER

    head, _, body = listener.requests[0].partition(b"\r\n\r\n")
    assert body == payload
    assert head.startswith(b"POST /v1/hook/claude-code HTTP/1.1\r\n")
    assert b"\r\nHost: " in head
    assert b"\r\nConnection: close" in head


def test_an_answer_without_content_prints_nothing(runtime, listen):
    listen(runtime / "agentinitd.sock", replies(b"HTTP/1.1 204 No Content\r\n\r\n"))

    assert run(START) == b""


def test_a_slow_daemon_that_says_it_is_there_is_waited_for(runtime, listen):
    def reply(connection: socket.socket, _: bytes) -> None:
        connection.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(2.0)  # longer than a daemon that says nothing would get
        answer = http(ANSWER)
        for start in range(0, len(answer), 7):
            connection.sendall(answer[start : start + 7])

    listen(runtime / "agentinitd.sock", reply)

    assert run(START) == ANSWER


def test_stdin_may_be_any_bytes(runtime, listen):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    payload = bytes(range(256)) * 4000

    assert run(payload) == ANSWER
    assert listener.requests[0].endswith(payload)


def test_no_body_is_read_beyond_its_length(runtime, listen):
    listen(runtime / "agentinitd.sock", replies(http(ANSWER) + b"HTTP/1.1 500 Oops\r\n\r\nmore"))

    assert run(START) == ANSWER


def test_the_console_script_does_the_same(runtime, listen):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    script = [sys.executable, "-c", "from agentinitd.hook import main; main()", "codex"]

    assert run(START, script, cwd=HOOK.parents[1]) == ANSWER
    assert listener.requests[0].startswith(b"POST /v1/hook/codex ")


# Finding it


def test_the_address_file_is_believed_first(runtime, state, short, listen):
    moved = short / '搬 "家"' / "s.sock"
    listen(runtime / "agentinitd.sock", replies(http(b"wrong")))
    listen(moved, replies(http(ANSWER)))
    address = {"pid": 1, "socket": str(moved), "started": 1.0, "protocol": 1, "version": "0"}
    (state / "address.json").write_text(json.dumps(address))

    assert run(START) == ANSWER


@pytest.mark.parametrize(
    "address",
    [
        b"",
        b"{",
        b"null",
        b'{"socket": 5}',
        b'{"socket": "/nowhere/a.sock"}',
        b'{"socket": "\\u12"}',
        b"\xff" * 99,
    ],
)
def test_a_wrong_address_file_does_not_hide_the_daemon(runtime, state, listen, address):
    listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    (state / "address.json").write_bytes(address)

    assert run(START) == ANSWER


def test_the_session_folder_and_the_state_folder_are_tried_in_turn(state, short, listen, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short / "session"))
    listen(state / "run" / "agentinitd.sock", replies(http(b"{}")))
    assert run(START) == b"{}"

    listen(short / "session" / "agentinitd" / "agentinitd.sock", replies(http(ANSWER)))
    assert run(START) == ANSWER


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_socket_of_somebody_else_is_left_alone(runtime, listen):
    """SOC-2."""
    path = runtime / "agentinitd.sock"
    listener = listen(path, replies(http(ANSWER)))
    os.chown(path, 12345, -1)

    assert "not running" in context(run(START))
    assert listener.requests == []


# Receipts


def test_a_receipt_is_left_once_the_answer_is_out(runtime, state, listen):
    (state / "receipts").mkdir(mode=0o700)
    listen(runtime / "agentinitd.sock", replies(http(ANSWER, headers="X-Agentinitd-Receipt: 0123abcdef\r\n")))

    assert run(START) == ANSWER

    receipt = state / "receipts" / "0123abcdef"
    assert (receipt.read_bytes(), receipt.stat().st_mode & 0o777) == (b"", 0o400)


def test_the_receipt_is_there_when_the_connection_ends(runtime, state, listen):
    (state / "receipts").mkdir()
    seen: list[bool] = []

    def reply(connection: socket.socket, _: bytes) -> None:
        connection.sendall(http(ANSWER, headers="X-Agentinitd-Receipt: 0123abcdef\r\n"))
        connection.settimeout(LIMIT_SECONDS)
        assert connection.recv(1) == b""
        seen.append((state / "receipts" / "0123abcdef").exists())

    listener = listen(runtime / "agentinitd.sock", reply)
    assert run(START) == ANSWER
    listener.close()

    assert seen == [True]
    assert b"\r\nX-Agentinitd-Client: " in listener.requests[0]


def test_no_receipt_is_left_when_nobody_could_read_the_answer(runtime, state, listen):
    (state / "receipts").mkdir()
    answer = http(ANSWER * 2000, headers="X-Agentinitd-Receipt: 0123abcdef\r\n")
    listener = listen(runtime / "agentinitd.sock", replies(answer))
    reading, writing = os.pipe()
    os.close(reading)

    assert run(START, ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND]) == b""
    with os.fdopen(writing, "wb") as broken:
        data = json.dumps(START).encode()
        done = subprocess.run(
            COMMAND, input=data, stdout=broken, stderr=subprocess.PIPE, timeout=LIMIT_SECONDS
        )

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(listener.requests) == 2
    assert list((state / "receipts").iterdir()) == []


def test_what_a_daemon_took_back_meanwhile_is_not_printed_as_well(runtime, state, listen):
    """The one that answered was killed, and another found no receipt: the next hook gets it."""
    (state / "receipts").mkdir()

    def reply(connection: socket.socket, _: bytes) -> None:
        assert Receipts(state / "receipts").settle("0123abcdef") == "taken back"
        connection.sendall(http(ANSWER, headers="X-Agentinitd-Receipt: 0123abcdef\r\n"))

    listen(runtime / "agentinitd.sock", reply)

    assert "did not answer" in context(run(START))
    assert run(TOOL) == b""


def test_where_no_receipt_can_be_made_the_answer_is_printed_all_the_same(runtime, state, listen):
    assert not (state / "receipts").exists()
    listen(runtime / "agentinitd.sock", replies(http(ANSWER, headers="X-Agentinitd-Receipt: 0123abcdef\r\n")))

    assert run(START) == ANSWER


@pytest.mark.parametrize("token", ["../../0123abcdef", "0123", "ABCDEF0123", "a" * 65, ""])
def test_a_receipt_that_is_no_token_is_not_written(runtime, state, listen, token):
    (state / "receipts").mkdir()
    listen(runtime / "agentinitd.sock", replies(http(ANSWER, headers=f"X-Agentinitd-Receipt: {token}\r\n")))

    assert run(START) == ANSWER
    assert [path.name for path in state.rglob("*")] == ["receipts"]


# Without a daemon, or with one that is ill


def hangs(connection: socket.socket, _: bytes) -> None:
    connection.settimeout(LIMIT_SECONDS)
    connection.recv(1)


ILL = {
    "hangs": hangs,
    "dies": replies(b""),
    "dies in the middle": replies(http(ANSWER)[:-5]),
    "dies in the head": replies(b"HTTP/1.1 200 OK\r\nContent-Len"),
    "has trouble": replies(http(b'{"error": "x"}', "500 Internal Server Error")),
    "is not http": replies(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    "gives no length": replies(b"HTTP/1.1 200 OK\r\n\r\n{}"),
    "never ends": replies(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + bytes(2 * 1024 * 1024)),
}


@pytest.mark.parametrize("illness", ILL)
def test_a_daemon_that_does_not_answer_is_replaced_by_a_note(runtime, listen, illness):
    listen(runtime / "agentinitd.sock", ILL[illness])

    assert "did not answer" in context(run(START))
    assert run(TOOL) == b""


def test_a_daemon_whose_queue_is_full_is_not_said_to_be_gone(runtime):
    with contextlib.ExitStack() as opened:
        busy = opened.enter_context(socket.socket(socket.AF_UNIX))
        busy.bind(str(runtime / "agentinitd.sock"))
        busy.listen(1)
        for _ in range(8):
            waiting = opened.enter_context(socket.socket(socket.AF_UNIX))
            waiting.setblocking(False)
            with contextlib.suppress(OSError):
                waiting.connect(str(runtime / "agentinitd.sock"))

        assert "did not answer" in context(run(START))


def test_on_a_fresh_home_a_note_says_that_memory_could_not_be_loaded(home):
    said = context(run(START))

    assert "could not be loaded" in said
    assert "agentinitd start" in said
    assert list(home.iterdir()) == []


def test_the_field_case_of_a_daemon_that_was_never_started(shared, tmp_path):
    payload = (shared / "field-cases/15-daemon-gone/hook.json").read_text().replace("{{DIR}}", str(tmp_path))

    assert "could not be loaded" in context(run(payload.encode()))


def test_a_socket_that_was_left_behind_and_a_plain_file_are_as_good_as_none(runtime):
    path = runtime / "agentinitd.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert "not running" in context(run(START))

    path.unlink()
    path.write_text("precious")
    assert "not running" in context(run(START))
    assert path.read_text() == "precious"


def test_after_a_kill_the_last_snippet_is_shown_as_possibly_old(tmp_path, runtime, state):
    """FAIL-6."""
    folder = tmp_path / '果 "园"' / "src"
    memory = folder.parent / ".agent-memory"
    (memory / "run").mkdir(parents=True)
    folder.mkdir()
    record = memory / "run" / "last-snippet"
    record.write_text("- 只用 pnpm 😀\n- Billing rounds half up\n")
    os.utime(record, (time.time() - 3 * 3600 - 9,) * 2)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(runtime / "agentinitd.sock"))
    (state / "address.json").write_text(json.dumps({"socket": str(runtime / "agentinitd.sock")}))

    said = context(run({**START, "cwd": str(folder)}))

    assert said.splitlines() == [
        "agentinitd is not running. Last record of this project, 3 h old, may be out of date:",
        "- 只用 pnpm 😀",
        "- Billing rounds half up",
    ]


def test_why_there_was_no_answer_is_kept_for_the_status_command(runtime, state):
    (runtime / "agentinitd.sock").write_text("")

    run(TOOL)

    kept = json.loads((state / "hook-fallback.json").read_bytes())
    assert (kept["agent"], kept["event"]) == ("claude-code", "PostToolUse")
    assert str(runtime / "agentinitd.sock") in kept["why"]


def test_a_sub_agent_is_told_nothing():
    assert run({**START, "agent_id": "a-1"}) == b""


# Bad input


@pytest.mark.parametrize(
    "payload", [b"", b"\x00\xff\xfe", b"{", b"[]", b'"SessionStart"', b'{"hook_event_name": "Ses']
)
def test_input_that_is_no_hook_gives_no_output(payload):
    assert run(payload) == b""


def test_an_event_named_deep_inside_is_not_the_hooks_event():
    assert run({"tool_input": {"hook_event_name": "SessionStart"}, "hook_event_name": "Stop"}) == b""


def test_input_beyond_the_limit_is_drained_and_not_sent(runtime, listen):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))

    assert run({**TOOL, "tool_response": "x" * 20_000_000}) == b""
    assert listener.requests == []


def test_a_stdin_that_stays_open_does_not_hold_it_up(runtime, listen):
    listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    reading, writing = os.pipe()
    os.write(writing, json.dumps(START).encode())
    try:
        done = subprocess.run(COMMAND, stdin=reading, capture_output=True, timeout=LIMIT_SECONDS)
    finally:
        os.close(writing)
        os.close(reading)

    assert (done.returncode, done.stdout) == (0, ANSWER)


def test_a_terminal_is_not_waited_for(runtime, listen):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))
    keyboard, terminal = os.openpty()
    try:
        done = subprocess.run(COMMAND, stdin=terminal, capture_output=True, timeout=LIMIT_SECONDS)
    finally:
        os.close(keyboard)
        os.close(terminal)

    assert (done.returncode, done.stdout, listener.requests) == (0, b"", [])


def test_closed_descriptors_do_no_harm(runtime, listen):
    listen(runtime / "agentinitd.sock", replies(http(ANSWER)))

    assert run(START, ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *COMMAND]) == b""


@pytest.mark.parametrize("agent", ["../stop", "a b", "x\r\nHost: y", "é", ""])
def test_an_agent_that_cannot_be_one_is_not_asked_about(runtime, listen, agent):
    listener = listen(runtime / "agentinitd.sock", replies(http(ANSWER)))

    assert run(START, [*COMMAND[:-1], agent]) == b""
    assert listener.requests == []


@pytest.mark.parametrize("home_value", ["", "relative", "/nowhere/at/all"])
def test_without_a_home_there_is_still_a_note(monkeypatch, tmp_path, home_value):
    monkeypatch.setenv("HOME", home_value)

    assert "could not be loaded" in context(run(START, cwd=tmp_path))


def test_a_broken_installation_is_silent(tmp_path):
    alone = tmp_path / "hook.py"
    alone.write_bytes(HOOK.read_bytes())

    assert run(START, [*COMMAND[:3], str(alone), "claude-code"]) == b""
