"""`agentinitd restart`."""

from __future__ import annotations

import click


@click.command()
def restart() -> None:
    """Stop the daemon and start it again."""
    from agentinitd.cli.main import places
    from agentinitd.cli.start import start_once
    from agentinitd.daemon import launch

    launch.stop(places())
    start_once()
