"""The client of hooks: hands stdin to the daemon, prints its answer, and never stands in the agent's way.

It runs at every hook of every session, hence `_socket`, `os` and `sys` only, nothing of the package.
What it says when there is no answer is in `hook_fallback.py`.  Without a daemon it ends within 2 seconds.
"""

import os
import sys

try:
    import _socket
except ImportError:  # a Python with other insides: slower, and just as good
    import socket as _socket  # type: ignore[no-redef]

STARTED = os.times()[4]

# Seconds since our start.  Whoever has sent one byte is alive, and may think for as long as the agent waits.
STDIN_SECONDS = 1.0
CONNECT_SECONDS = 1.0
FIRST_BYTE_SECONDS = 1.5
ANSWER_SECONDS = 4.0
START_ANSWER_SECONDS = 9.0
END_ANSWER_SECONDS = 0.8

STDIN_LIMIT_BYTES = 16 * 1024 * 1024
ANSWER_LIMIT_BYTES = 1024 * 1024


class Absent(OSError):
    """Nobody listens where a daemon would."""


def main(arguments: list[str]) -> None:
    """Run for the agent named by the first argument, and leave without the interpreter's slow goodbye."""
    try:
        run(arguments[0] if arguments else "claude-code")
    finally:
        os._exit(0)


def run(agent: str) -> None:
    """One hook: read, ask, print."""
    fill_closed_descriptors()
    if os.environ.get("AGENTINITD_RUN_ID"):
        return  # an agent that a script of ours started: it would wait for the rebuild that it is part of
    payload = b"" if os.isatty(0) else read_stdin()
    if not payload or not (agent.isascii() and agent.replace("-", "").isalnum()):
        return
    try:
        limit_seconds = answer_seconds(payload)
        # Open until we leave: its end tells the daemon to look for the receipt.
        connection = connect(min(FIRST_BYTE_SECONDS, limit_seconds))
        body, token = ask(connection, agent, payload, limit_seconds)
        receipt = new_receipt(token)
    except Exception as error:
        body, receipt = without_answer(agent, payload, error), ""
    print_once(body, receipt)


def without_answer(agent: str, payload: bytes, error: Exception) -> bytes:
    """What to print all the same.  The half that says it is seldom needed, and not loaded before."""
    hook_fallback = __import__("hook_fallback")
    said: bytes = hook_fallback.without_answer(
        agent, payload, state_dir(), str(error), is_absent=isinstance(error, Absent)
    )
    return said


def elapsed() -> float:
    """Seconds since our start, as exact as ten milliseconds."""
    return os.times()[4] - STARTED


def remaining(limit_seconds: float) -> float:
    """What is left until then; never zero, which would mean not to wait at all."""
    return max(limit_seconds - elapsed(), 0.01)


def pause() -> None:
    """Sleep a little, without a clock: wait for a message that nobody can send."""
    waiting = _socket.socket(_socket.AF_UNIX, _socket.SOCK_DGRAM)
    waiting.settimeout(0.002)
    try:
        waiting.recv(1)
    except OSError:
        waiting.close()


def fill_closed_descriptors() -> None:
    """Else our socket would become stdout, and the answer go back to the daemon."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open("/dev/null", os.O_RDONLY)  # read only: a write must fail, so that no receipt is left


def read_stdin() -> bytes:
    """What the agent sends.  A pipe that stays open holds us up for a second only."""
    pieces: list[bytes] = []
    size = 0
    was_blocking = os.get_blocking(0)
    os.set_blocking(0, False)
    while elapsed() < STDIN_SECONDS:
        try:
            piece = os.read(0, 1 << 20)
        except BlockingIOError:
            pause()
            continue
        if not piece:
            break
        if size <= STDIN_LIMIT_BYTES:  # beyond it we only drain: a closed pipe would trouble the agent
            pieces.append(piece)
        size += len(piece)
    os.set_blocking(0, was_blocking)  # the shell that called us may share it
    return b"".join(pieces)


def ask(connection: _socket.socket, agent: str, payload: bytes, limit_seconds: float) -> tuple[bytes, str]:
    """What to print, and the token of the receipt to leave.  Raises when the answer is not whole."""
    connection.sendall(
        b"POST /v1/hook/%s HTTP/1.1\r\nHost: agentinitd\r\nX-Agentinitd-Client: hook\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        % (agent.encode(), len(payload), payload)
    )
    connection.settimeout(remaining(min(FIRST_BYTE_SECONDS, limit_seconds)))
    data = b""
    while len(data) <= ANSWER_LIMIT_BYTES:
        piece = connection.recv(1 << 16)
        if not piece:
            raise ValueError("the daemon ended before its answer was whole")
        data += piece
        answer = whole_answer(data)
        if answer is not None:
            return answer
        connection.settimeout(remaining(limit_seconds))
    raise ValueError("the daemon's answer is larger than 1 MiB")


def answer_seconds(payload: bytes) -> float:
    """How long a living daemon may think about it.  Raises when it would not take so much.

    Inside another string the quotes looked for here would have a backslash.
    """
    if len(payload) > STDIN_LIMIT_BYTES:
        raise ValueError("the hook's input is larger than 16 MiB")
    if b'"SessionStart"' in payload:
        return START_ANSWER_SECONDS
    return END_ANSWER_SECONDS if b'"SessionEnd"' in payload else ANSWER_SECONDS


def whole_answer(data: bytes) -> tuple[bytes, str] | None:
    """Body and receipt, or None while bytes are missing.  An interim answer says that somebody is there."""
    while True:
        head, end, body = data.partition(b"\r\n\r\n")
        if not end:
            return None
        if not head.startswith(b"HTTP/1."):
            raise ValueError("somebody else answered on the socket")
        if head[9:10] != b"1":
            break
        data = body
    status = head[9:12]
    if status == b"204":
        return b"", ""
    if status != b"200":
        raise ValueError(f"the daemon answered {status.decode('ascii', 'replace')}")
    length = int(value_of(b"content-length", head))
    if len(body) < length:
        return None
    return body[:length], value_of(b"x-agentinitd-receipt", head).decode("ascii")


def value_of(name: bytes, head: bytes) -> bytes:
    """The value of a header; empty when there is none."""
    for line in head.split(b"\r\n"):
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip()
    return b""


def connect(limit_seconds: float) -> _socket.socket:
    """A connection to the daemon of our user.  Raises Absent with what was found at the last place."""
    why = "no socket found"
    for path in socket_paths():
        try:
            if os.lstat(path).st_uid == os.geteuid():
                return dial(path, limit_seconds)
            why = f"{path} belongs to somebody else"
        except FileNotFoundError:
            continue
        except OSError as error:
            why = f"{path}: {error.strerror or error}"
    raise Absent(why)


def socket_paths() -> list[str]:
    """Where the daemon may listen: where it says so itself, then the places it chooses from, in its order."""
    state, name = state_dir(), "/agentinitd.sock"
    paths = [
        address_in(state + "/address.json"),
        os.environ.get("AGENTINITD_RUNTIME_DIR", "") + name,
        os.environ.get("XDG_RUNTIME_DIR", "") + "/agentinitd" + name,
        f"/run/user/{os.geteuid()}/agentinitd{name}",
        f"{state}/run{name}",
    ]
    return [path for path in paths if path.startswith("/")]


def address_in(path: str) -> str:
    """The socket's path in the file that the daemon writes when it binds; empty when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return ""
    data = os.read(descriptor, 4096)
    os.close(descriptor)
    if b"\\" in data:
        return str(__import__("hook_fallback").string_in(data, b"socket"))
    return data.partition(b'"socket"')[2].partition(b'"')[2].partition(b'"')[0].decode("utf-8", "replace")


def state_dir() -> str:
    """The folder in which the daemon keeps its state."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not base.startswith("/"):
        base = os.path.expanduser("~/.local/state")  # noqa: PTH111 - pathlib is slow to import
    return base + "/agentinitd"


def dial(path: str, limit_seconds: float) -> _socket.socket:
    """Connect, and see that the one at the other end is our user, or root."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(remaining(limit_seconds))
    while True:
        try:
            connection.connect(path)
            break
        except BlockingIOError:  # its queue is full: it lives, and is busy
            if elapsed() > CONNECT_SECONDS:
                raise RuntimeError("too many wait for the daemon") from None
            pause()
    if hasattr(_socket, "SO_PEERCRED"):
        credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        if int.from_bytes(credentials[4:8], sys.byteorder) not in (0, os.geteuid()):
            raise OSError("somebody else listens there")
    return connection


def write_stdout(data: bytes) -> None:
    """All of it, or an error."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(1, view) :]
        except BlockingIOError:
            if elapsed() > START_ANSWER_SECONDS:
                raise
            pause()


def new_receipt(token: str) -> str:
    """The path of the receipt, made before we print: who makes it has decided (see `daemon/receipts.py`).

    Raises ValueError when a daemon was quicker.  Empty when none can be made: better twice than never.
    """
    if not 8 <= len(token) <= 64 or token.strip("0123456789abcdef"):
        return ""
    path = f"{state_dir()}/receipts/{token}"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise ValueError("the daemon took its answer back") from None
    except OSError:
        return ""
    return path


def print_once(body: bytes, receipt: str) -> None:
    """Print, and make the receipt say so by its mode, which needs no room on the disk."""
    try:
        write_stdout(body)
    except OSError:
        if receipt:
            os.unlink(receipt)  # noqa: PTH108 - pathlib is slow to import
        raise
    if receipt:
        os.chmod(receipt, 0o400)  # noqa: PTH101
