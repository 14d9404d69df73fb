"""`agentinitd reset-failed`: scripts that failed too often are tried again at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from agentinitd.client import Client


@click.command()
@click.argument("scripts", nargs=-1, metavar="[SCRIPT]...")
@click.option("--session", metavar="ID", help="For this session; else for all of this folder's project.")
def reset_failed(scripts: tuple[str, ...], session: str | None) -> None:
    """Try scripts again that are left alone because they failed; without names all of them."""
    from agentinitd.cli.main import places
    from agentinitd.client import Client

    client = Client(places())
    # What is asked for by its path is known by its name.
    names = tuple(PurePath(script).name for script in scripts)
    body = {"scripts": names, "session": session, "project": None if session else str(Path.cwd())}
    freed: list[str] = client.post("/v1/reset-failed", body)["scripts"]
    for key in freed:
        click.echo(key)
    if not (names or freed):
        click.echo("No script is left alone.")
    _tell_of_others(client, session, names, freed)


def _tell_of_others(client: Client, session: str | None, names: Sequence[str], freed: Sequence[str]) -> None:
    """Raises UsageError for a name that no script has."""
    from agentinitd.cli.main import places
    from agentinitd.cli.place_here import project_of_session
    from agentinitd.cli.survey_here import project_here, surveyed
    from agentinitd.rc.names import parse
    from agentinitd.rc.placing import key_of

    others = [name for name in names if (parsed.key if (parsed := parse(name)) else name) not in freed]
    if not others:
        return
    where = places()
    project = project_of_session(client, session) if session else project_here(where)
    survey = surveyed(where, project)
    for name in others:
        key_of(survey, name)
        click.echo(f"{name}: not left alone.")
