"""`agentinitd reset-failed`: scripts that failed too often are tried again at once."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("scripts", nargs=-1, metavar="[SCRIPT]...")
@click.option("--session", metavar="ID", help="For this session; else for all of this folder's project.")
def reset_failed(scripts: tuple[str, ...], session: str | None) -> None:
    """Try scripts again that are left alone because they failed; without names all of them."""
    from agentinitd.cli.main import places
    from agentinitd.client import Client

    body = {"scripts": scripts, "session": session, "project": None if session else str(Path.cwd())}
    freed = Client(places()).post("/v1/reset-failed", body)["scripts"]
    named = ", ".join(scripts)
    click.echo("\n".join(freed) or (f"{named}: not left alone." if named else "No script is left alone."))
