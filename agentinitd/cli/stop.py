"""`agentinitd stop`."""

from __future__ import annotations

import click


@click.command()
def stop() -> None:
    """Stop the daemon.  Sessions go on; what happens meanwhile is caught up at the next start."""
    from agentinitd.cli.main import places
    from agentinitd.daemon import launch

    was_running = launch.stop(places())
    click.echo("agentinitd has stopped." if was_running else "agentinitd was not running.")
