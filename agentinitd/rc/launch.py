"""Starting one script: what the kernel would refuse is said in words first (EXE-2 to 12)."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH110, PTH113, PTH117, PTH123, PTH108

from __future__ import annotations

import contextlib
import errno
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentinitd.rc import sweep

NICER_BY = 5
BUSY = "text file busy"
_SHELL_PATH = "/bin/sh"
LARGEST_FILE = 64 * 1024 * 1024
MOST_FILES = 1024
# `-f` counts in units of 512 bytes.  Errors are silenced one by one: a limit that is tighter is as good.
_LIMITS = ("-c 0", "-S -t $1", "-H -t $2", f"-f {LARGEST_FILE // 512}", f"-S -n {MOST_FILES}")
_SHELL = "".join(f"ulimit {limit} 2>/dev/null; " for limit in _LIMITS) + 'shift 2; exec "$@"'
HEAD_BYTES = 512
_LONGEST_INTERPRETER_LINE = 255
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PROGRAMS = (
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
)


class ExecError(Exception):
    """The script cannot be executed; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Everything about one execution."""

    executable: str
    action: str
    environment: Mapping[str, str]
    folder: str
    """Working directory."""
    stdin: bytes
    scratch: Path
    """Private folder on a disk that can be written."""
    run_id: str
    timeout_seconds: float
    max_output_bytes: int
    sweep_as: str = ""
    """Its name, when scripts of the same run go on beside it: what is theirs must not be swept away."""
    is_copy: bool = False
    """`executable` is our private copy: on a noexec mount its interpreter is called with it (TRU-6)."""
    kill_grace_seconds: float = 1.0
    drain_seconds: float = 0.5
    flood_bytes: int = 8 * 1024 * 1024


def spawn(call: Call) -> subprocess.Popen[bytes]:
    """The running script, leader of a new session, registered as such.  Raises ExecError."""
    command = _command(call)
    with _stdin_file(call) as stdin, _working_folder(call.folder) as folder:
        try:
            with sweep.children_lock:
                process = subprocess.Popen(
                    command,
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder,
                    env=call.environment,
                    start_new_session=True,
                    umask=0o077,
                    close_fds=True,
                )
                sweep.add_leader(process.pid)
        except OSError as error:
            raise ExecError(_plain(error)) from error
    _tame(process.pid, call, is_limited=command[0] == _SHELL_PATH)
    return process


def _plain(error: OSError) -> str:
    if error.errno == errno.ETXTBSY:
        return BUSY
    return error.strerror or str(error)


def _tame(pid: int, call: Call, *, is_limited: bool) -> None:
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICER_BY)
    if is_limited or sys.platform == "darwin":
        return
    soft = _cpu_seconds(call.timeout_seconds)
    wanted = (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, soft, soft + 5),
        (resource.RLIMIT_FSIZE, LARGEST_FILE, LARGEST_FILE),
    )
    for kind, low, high in wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, kind, (low, high))


def _command(call: Call) -> list[str]:
    try:
        with open(call.executable, "rb", buffering=0) as file:
            head = file.read(HEAD_BYTES)
            is_noexec = is_on_noexec(file.fileno())
    except OSError as error:
        raise ExecError(f"cannot be read: {error.strerror}") from error
    interpreter = interpreter_of(head)
    check_interpreter(interpreter)
    if is_noexec and not (call.is_copy and interpreter):
        raise ExecError("noexec mount")
    command = [*(interpreter if is_noexec else ()), call.executable, call.action]
    # A shell would read a program of a foreign machine as if it were a script: programs are executed
    # directly, and get their limits from outside, where the system can do that.
    if not interpreter and sys.platform != "darwin":
        return command
    soft = _cpu_seconds(call.timeout_seconds)
    return [_SHELL_PATH, "-c", _SHELL, "sh", str(soft), str(soft + 5), *command]


def is_on_noexec(descriptor: int) -> bool:
    """The mount that it lies on lets nothing be executed."""
    flag = getattr(os, "ST_NOEXEC", 0)
    return bool(os.fstatvfs(descriptor).f_flag & flag)


def _cpu_seconds(timeout_seconds: float) -> int:
    return max(1, math.ceil(2 * timeout_seconds))


def interpreter_of(head: bytes) -> tuple[str, ...]:
    """The words of the `#!` line; empty for a program.  Raises ExecError for what cannot be executed."""
    if head.startswith(_PROGRAMS):
        return ()
    if not head:
        raise ExecError("empty file")
    if head.startswith(_BYTE_ORDER_MARK):
        raise ExecError("byte order mark before #!")
    if not head.startswith(b"#!"):
        raise ExecError("no #! in the first line, and no program that this system knows")
    line, _, _ = head.partition(b"\n")
    if len(line) > _LONGEST_INTERPRETER_LINE:
        raise ExecError(f"#! line longer than {_LONGEST_INTERPRETER_LINE} bytes")
    if line.endswith(b"\r"):
        raise ExecError("CRLF after interpreter")
    # The kernel passes everything behind the interpreter as one argument.
    words = line[2:].strip(b" \t").split(None, 1)
    if not words:
        raise ExecError("no interpreter after #!")
    return tuple(os.fsdecode(word.strip(b" \t")) for word in words)


def check_interpreter(interpreter: tuple[str, ...]) -> None:
    """Raises ExecError when it cannot be called."""
    if not interpreter:
        return
    if not os.path.isabs(interpreter[0]):
        raise ExecError(f"interpreter {interpreter[0]} is not an absolute path")
    if not (os.path.isfile(interpreter[0]) and os.access(interpreter[0], os.X_OK)):
        raise ExecError(f"no interpreter {interpreter[0]}")


@contextlib.contextmanager
def _stdin_file(call: Call) -> Iterator[int]:
    """A regular file without a name, open for reading only: no hang, and a certain end (EXE-4)."""
    try:
        reading = _filled(call.stdin, call.scratch)
    except OSError:
        try:
            reading = _filled(call.stdin, None)  # where every program of this system finds room
        except OSError as error:
            raise ExecError(f"no room for its input: {error.strerror}") from error
    try:
        yield reading
    finally:
        os.close(reading)


def _filled(data: bytes, folder: Path | None) -> int:
    descriptor, path = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.unlink(path)


@contextlib.contextmanager
def _working_folder(path: str) -> Iterator[str]:
    """The folder to start in, by a descriptor where the system has a name for that (EXE-3)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise ExecError(f"working folder {path}: {error.strerror}") from error
    try:
        by_descriptor = f"/proc/self/fd/{descriptor}"
        yield by_descriptor if os.path.exists(by_descriptor) else path
    finally:
        os.close(descriptor)
