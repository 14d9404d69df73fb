"""`agentinitd snippet`: what the agent would get now, delivered or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.client import Client


@click.command()
@click.option(
    "--session", metavar="ID", help="A session, by the beginning of its id; else this folder's project."
)
@click.option("--task", metavar="TASK", help="With the anchors and the state of this task.")
@click.option("--budget", type=click.IntRange(60, 20_000), metavar="TOKENS", help="Another budget.")
@click.option("--runlevel", default="manual", show_default=True, metavar="NAME")
@click.option("--explain", is_flag=True, help="Why each item is in it, is left out, or stands where it does.")
@click.option("--json", "as_json", is_flag=True, help="With --explain: one JSON object.")
def snippet(
    session: str | None,
    task: str | None,
    budget: int | None,
    runlevel: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Print what the agent would get now.  Nothing is delivered by asking."""
    from agentinitd.cli.main import serving_client
    from agentinitd.cli.place_here import folder_to_ask_for

    folder = None if session else folder_to_ask_for()
    client = serving_client()
    asked: Any = {
        "session": session,
        "project": folder,
        "task": task,
        "budget": str(budget) if budget else None,
        "runlevel": runlevel,
    }
    if explain or as_json:
        _print_explanation(client, asked, as_json=as_json)
        return
    text = client.text("/v1/snippet", **asked)
    if text:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        for line in _why_nothing(client, session):
            click.echo(plain(line), err=True)


def _print_explanation(client: Client, asked: Any, *, as_json: bool) -> None:
    from agentinitd.cli.explain_text import explained_lines

    text = client.text("/v1/snippet", **asked, explain="1")
    if as_json:
        click.echo(msgspec.json.format(text))
        return
    for line in explained_lines(msgspec.json.decode(text)):
        click.echo(line)


def _why_nothing(client: Client, session: str | None) -> list[str]:
    """An empty memory is no trouble, but one that could not be read must not be called empty."""
    from agentinitd.cli.place_here import place_here, project_of_session

    project = project_of_session(client, session) if session else place_here().project
    begin = f"{project}/.agent-memory/"
    memory = [each["text"] for each in client.get("/v1/status")["reasons"] if each["kind"] == "memory"]
    troubles = [text for text in memory if text.startswith(begin)]
    if troubles:
        return ["There is nothing to say: the memory of this project cannot be used as it is.", *troubles]
    return ["The memory of this project is empty: there is nothing to say. See .agent-memory/anchors/."]
