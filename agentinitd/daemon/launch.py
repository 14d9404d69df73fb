"""Starting and stopping the daemon from outside of it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import psutil

from agentinitd.client import Client
from agentinitd.daemon.lock import Holder, held, read_holder
from agentinitd.daemon.paths import Places
from agentinitd.disk import private_folder, read_bounded
from agentinitd.integrations.launchd import ERRORS
from agentinitd.model.errors import AgentinitdError, AlreadyRunning, NotRunning, PermissionRefused

START_SECONDS = 10.0
STOP_SECONDS = 15.0
END_SECONDS = 3.0
"""For the interpreter's own goodbye, after everything is let go."""
POLL_SECONDS = 0.02
ALREADY_RUNNING = "agentinitd is already running"


def start_in_background(places: Places) -> int:
    """Spawns `start --foreground` once and waits until it is ready (supervision.md DMN-2).

    Gives its pid.  Raises AlreadyRunning when another holds the lock, and AgentinitdError with the daemon's
    own words when it ended.
    """
    errors = places.state_dir / ERRORS
    try:
        private_folder(places.state_dir)
        errors.touch(mode=0o600)
        errors.write_bytes(b"")
    except OSError as error:
        kind = PermissionRefused if isinstance(error, PermissionError) else AgentinitdError
        raise kind(
            f"{places.state_dir} cannot be written: {error}. Mend it, or set another XDG_STATE_HOME."
        ) from error
    ready, told = os.pipe()
    with errors.open("wb") as stderr:
        # -P: whatever folder we are called in must not be on the daemon's import path (supervision.md EXE-3).
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "agentinitd", "start", "--foreground", "--ready-fd", str(told)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            cwd="/",
            start_new_session=True,
            pass_fds=(told,),
        )
    os.close(told)
    try:
        if _is_ready(ready):
            return process.pid
    finally:
        os.close(ready)
    raise _reason(process, errors.read_text("utf-8", "replace").strip())


def said_at_start(places: Places) -> str:
    """Why the last start failed, in its own words; empty when it did not."""
    try:
        lines = read_bounded(places.state_dir / ERRORS, 1024 * 1024).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    said = [line.removeprefix("agentinitd: ") for line in lines if line.startswith("agentinitd: ")]
    # One that came second has failed at nothing.
    return "" if not said or said[-1].startswith(ALREADY_RUNNING) else said[-1]


def _is_ready(descriptor: int) -> bool:
    readable, _, _ = select.select([descriptor], [], [], START_SECONDS)
    return bool(readable) and os.read(descriptor, 1) == b"\n"


def _reason(process: subprocess.Popen[bytes], said: str) -> AgentinitdError:
    try:
        code = process.wait(timeout=1.0)
    except subprocess.TimeoutExpired:
        return AgentinitdError(
            f"The daemon (pid {process.pid}) is not ready after {START_SECONDS:g} s. See `agentinitd logs`."
        )
    if code == AlreadyRunning.exit_code:
        # Of several that start at once each empties the file in which the others said why.
        return AlreadyRunning(said.removeprefix("agentinitd: ") or f"{ALREADY_RUNNING}.")
    text = (
        said.removeprefix("agentinitd: ") or f"The daemon ended with exit code {code}. See `agentinitd logs`."
    )
    error = AgentinitdError(text)
    if code > 0:
        error.exit_code = code
    return error


def running(places: Places) -> Holder | None:
    """The daemon that holds the lock, if one does."""
    if held(places.lock_file) != "held":
        return None
    return read_holder(places.lock_file)


def wait_for(places: Places) -> Holder | None:
    """The daemon that somebody else was asked to start, None when none comes up in time."""
    _wait(lambda: running(places) is not None, START_SECONDS)
    return running(places)


def stop(places: Places, *, patience_seconds: float = STOP_SECONDS) -> bool:
    """Asks, then signals, then waits for the lock.  False: nothing was running.  Raises AgentinitdError."""
    # Between taking the lock and describing itself, a starting daemon holds an empty file.
    _wait(lambda: held(places.lock_file) != "held" or read_holder(places.lock_file) is not None, 2.0)
    holder = running(places)
    if holder is None:
        return False
    try:
        Client(places).post("/v1/stop", {}, timeout_seconds=2.0)
    except (NotRunning, AgentinitdError):
        _signal(holder, signal.SIGTERM)
    if _wait(lambda: held(places.lock_file) != "held", patience_seconds):
        _wait(lambda: _has_ended(holder), END_SECONDS)  # so that its folders can be unmounted, say
        return True
    _signal(holder, signal.SIGKILL)
    if _wait(lambda: held(places.lock_file) != "held", 2.0):
        return True
    raise AgentinitdError(
        f"The daemon (pid {holder.pid}) does not end. Look at it with `ps -fp {holder.pid}`."
    )


def _has_ended(holder: Holder) -> bool:
    """One that its parent has not waited for yet does nothing any more."""
    try:
        return not holder.is_alive() or psutil.Process(holder.pid).status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


def _signal(holder: Holder, number: signal.Signals) -> None:
    """Never to another program that has the pid by now (supervision.md LCK-3)."""
    if not hasattr(os, "pidfd_open"):
        if holder.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(holder.pid, number)
        return
    with contextlib.suppress(ProcessLookupError, OSError):
        descriptor = os.pidfd_open(holder.pid)
        try:
            if holder.is_alive():
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)


def _wait(is_done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
