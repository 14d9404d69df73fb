"""`agentinitd reload`."""

from __future__ import annotations

import click


@click.command()
def reload() -> None:
    """Read the config again.  A config that cannot be used leaves the old one in force (exit code 6)."""
    from agentinitd.cli.main import places
    from agentinitd.client import Client
    from agentinitd.model.errors import NotConfigured

    answer = Client(places()).post("/v1/reload", {})
    if answer["error"]:
        raise NotConfigured(f"{answer['error']} The old config stays in force.")
    click.echo("The config was read again.")
    if answer["warning"]:
        click.echo(f"agentinitd: {answer['warning']}", err=True)
    if answer["at_next_start"]:
        click.echo(f"Only `agentinitd restart` puts in force: {', '.join(answer['at_next_start'])}.")
