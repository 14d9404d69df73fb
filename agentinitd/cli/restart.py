"""`agentinitd restart`."""

from __future__ import annotations

import os

import click


@click.command()
def restart() -> None:
    """Stop the daemon and start it again."""
    from agentinitd.cli.main import places
    from agentinitd.cli.start import start_once
    from agentinitd.daemon import starting

    starting.stop(places(), os.environ)
    start_once()
