"""The socket file: bound without a gap, checked for being ours, and the peer behind a connection."""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import socket
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from agentinitd.daemon.paths import SOCKET_PATH_LIMIT_BYTES
from agentinitd.disk import private_folder
from agentinitd.model.errors import AgentinitdError, PermissionRefused
from agentinitd.rc import sweep

BACKLOG = 1024
"""Clients that do not wait are turned away beyond it: far above the most that are served at once."""
TOLD_AGAIN_SECONDS = 60.0


class BoundSocket:
    """A listening socket and the file that names it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.socket = _bind(path)
        self._identity = _identity(path)
        self._folder = _held_folder(path.parent)

    def is_in_place(self) -> bool:
        """Whether the path still names our socket (supervision.md LCK-9)."""
        return _identity(self.path) == self._identity

    def is_stolen(self) -> bool:
        """Another socket stands where ours was; what else may stand there serves nobody."""
        try:
            found = self.path.lstat()
        except OSError:
            return False
        return stat.S_ISSOCK(found.st_mode) and (found.st_dev, found.st_ino) != self._identity

    def remove(self) -> None:
        """Unlinks the path only if it is still ours (supervision.md LCK-10)."""
        if self.is_in_place():
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.socket.close()
        self.let_folder_go()

    def keep_from_cleaners(self) -> None:
        """Those of /tmp go by the time something was used, where they do not ask for locks (LCK-6)."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                os.utime(self._folder)
                os.utime(self.path)

    def let_folder_go(self) -> None:
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None


def _bind(path: Path) -> socket.socket:
    """Clients never see a gap: bound under another name, then renamed (supervision.md LCK-8).

    Raises AgentinitdError naming the path when something that is no socket of ours stands there.
    """
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_LIMIT_BYTES:
        raise AgentinitdError(
            f"Cannot listen on {path}: its {length} bytes are more than the {SOCKET_PATH_LIMIT_BYTES} that a "
            "socket's path may have. Choose a shorter AGENTINITD_RUNTIME_DIR."
        )
    try:
        private_folder(path.parent)
        _refuse_foreign(path)
        return _listen(path)
    except OSError as error:
        raise AgentinitdError(
            f"Cannot listen on {path}: {error}. Choose another AGENTINITD_RUNTIME_DIR."
        ) from error


def _held_folder(folder: Path) -> int | None:
    """One of ours in /tmp, locked for as long as it is open: systemd-tmpfiles leaves such alone (LCK-6)."""
    if folder.parent != Path("/tmp"):
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _listen(path: Path) -> socket.socket:
    # Shorter than the final name, so that its length fits too; always the same, so that none is left over.
    temporary = path.with_name(".new")
    temporary.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old_mask = os.umask(0o177)
    try:
        bound.bind(str(temporary))
        bound.listen(BACKLOG)
        temporary.replace(path)
    except OSError:
        bound.close()
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.umask(old_mask)
    bound.setblocking(False)
    return bound


def _refuse_foreign(path: Path) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise AgentinitdError(f"{path} is not a socket and was left alone. Move it away and start again.")
    if found.st_uid != os.geteuid():
        raise PermissionRefused(
            f"{path} is a socket of uid {found.st_uid}. Choose another AGENTINITD_RUNTIME_DIR."
        )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def peer_uid(connection: socket.socket) -> int | None:
    """The uid at the other end; None where the system does not tell: the 0700 folder is the guard then."""
    if sys.platform == "linux":
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("=iII"))
        return int(struct.unpack("=iII", data)[1])
    if sys.platform == "darwin":
        # struct xucred of sys/ucred.h: version, uid, group count, groups (supervision.md SOC-1).
        data = connection.getsockopt(0, 1, 76)
        version, uid = struct.unpack_from("=II", data)
        return int(uid) if version == 0 else None
    return None


def peer_pid(connection: socket.socket) -> int | None:
    """The process that connected; None where the system does not tell."""
    if sys.platform == "linux":
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("=iII"))
        return int(struct.unpack("=iII", data)[0]) or None
    if sys.platform == "darwin":
        # LOCAL_PEERPID of sys/un.h.
        return int(connection.getsockopt(0, 2)) or None
    return None


def is_in_rebuild(connection: socket.socket) -> bool:
    """A script is at the other end, or what it started: it must not wait for another rebuild (RL-11)."""
    try:
        pid = peer_pid(connection)
    except OSError:
        return False
    return pid is not None and sweep.run_of(pid) != ""


def is_own_peer(connection: socket.socket) -> bool:
    try:
        uid = peer_uid(connection)
    except OSError:
        return False
    return uid is None or uid in (os.geteuid(), 0)


class Gate:
    """Lets our own user in, and root; whoever else tries is told of once a minute (supervision.md SOC-1)."""

    def __init__(
        self,
        *,
        refused: Callable[[int], None],
        monotonic: Callable[[], float],
        is_own: Callable[[socket.socket], bool] = is_own_peer,
    ) -> None:
        self._refused = refused
        self._monotonic = monotonic
        self._is_own = is_own
        self._told_at = -math.inf

    def is_open_to(self, connection: socket.socket) -> bool:
        if self._is_own(connection):
            return True
        now = self._monotonic()
        if now - self._told_at >= TOLD_AGAIN_SECONDS:
            self._told_at = now
            with contextlib.suppress(OSError):
                self._refused(peer_uid(connection) or 0)
        return False
