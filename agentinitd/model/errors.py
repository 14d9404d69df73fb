"""The few exceptions, cut by what the caller does next.  Each message says what, which, and the cure."""

from __future__ import annotations


class AgentinitdError(Exception):
    """Expected trouble: shown as one line, no traceback.  `exit_code` follows supervision.md section 18."""

    exit_code = 1


class UsageError(AgentinitdError):
    exit_code = 2


class PermissionRefused(AgentinitdError):
    exit_code = 4


class NotInstalled(AgentinitdError):
    exit_code = 5


class NotConfigured(AgentinitdError):
    """A config or settings file cannot be used; it was left as it is."""

    exit_code = 6


class MemoryRefused(AgentinitdError):
    """A change of the memory that was not made: what was there stands as it was."""


class MemoryForbidden(MemoryRefused):
    """The system gives no right to change it."""

    exit_code = 4


class MemoryConflict(MemoryRefused):
    """Somebody else changed the same item in between: their version stands, and ours is kept beside it."""


class NotRunning(AgentinitdError):
    exit_code = 7


class AlreadyRunning(AgentinitdError):
    """Another daemon holds the lock, or took the socket."""

    exit_code = 151
