"""The daemon under a service manager that knows only success and failure: launchd would try for ever."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

import click

from agentinitd.daemon.main import run
from agentinitd.daemon.notify import manager_of
from agentinitd.daemon.paths import Places
from agentinitd.integrations.launchd import ERRORS, NEVER_AGAIN
from agentinitd.model.errors import AgentinitdError


def run_for_manager(places: Places, env: Mapping[str, str], *, ready_fd: int | None, is_strict: bool) -> int:
    """As `main.run`; but launchd is told 0 when another try cannot help, and finds the reason in a file."""
    # Only the last start's words count, and launchd appends for ever.
    with contextlib.suppress(OSError):
        os.truncate(places.state_dir / ERRORS, 0)
    if manager_of(env, os.getpid()) != "launchd":
        return run(places, ready_fd=ready_fd, is_strict=is_strict)
    try:
        code = run(places, ready_fd=ready_fd, is_strict=is_strict)
    except AgentinitdError as error:
        if error.exit_code not in NEVER_AGAIN:
            raise
        click.echo(f"agentinitd: {error}", err=True)
        return 0
    return 0 if code in NEVER_AGAIN else code
