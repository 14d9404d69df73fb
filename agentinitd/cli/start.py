"""`agentinitd start`: in the background, or in the foreground for a service manager."""

from __future__ import annotations

import os

import click


@click.command()
@click.option("--foreground", is_flag=True, help="Stay in the foreground: what service managers call.")
@click.option("--ready-fd", type=int, metavar="N", help="Write a newline to this descriptor when ready.")
@click.option("--strict-config", is_flag=True, help="End with exit code 6 when a config file cannot be used.")
def start(foreground: bool, ready_fd: int | None, strict_config: bool) -> None:
    """Start the daemon.  One daemon serves all projects of a user.

    Where a unit is installed, the service manager is asked to start it.
    """
    from agentinitd.cli.main import places

    if foreground:
        from agentinitd.daemon.process import import_asyncio

        import_asyncio()
        from agentinitd.daemon.launched import run_for_manager

        raise SystemExit(run_for_manager(places(), os.environ, ready_fd=ready_fd, is_strict=strict_config))
    start_once()


def start_once() -> None:
    """Starts it, or says that it runs already: both are what the caller wants."""
    from agentinitd.cli.main import places
    from agentinitd.daemon import starting
    from agentinitd.daemon.launch import running
    from agentinitd.model.errors import AlreadyRunning

    holder = running(places())
    if holder is not None:
        click.echo(f"agentinitd is already running (pid {holder.pid}).")
        return
    try:
        pid = starting.start(places(), os.environ)
    except AlreadyRunning as error:
        click.echo(str(error))
        return
    click.echo(f"agentinitd is running (pid {pid}). `agentinitd status` shows what it sees.")
