"""`agentinitd stop`."""

from __future__ import annotations

import os

import click


@click.command()
def stop() -> None:
    """Stop the daemon.  Sessions go on; what happens meanwhile is caught up at the next start."""
    from agentinitd.cli.main import places
    from agentinitd.daemon import starting

    was_running = starting.stop(places(), os.environ)
    click.echo("agentinitd has stopped." if was_running else "agentinitd was not running.")
