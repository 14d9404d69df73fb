"""`agentinitd snippet`: what the agent would get now, delivered or not."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option(
    "--session", metavar="ID", help="A session, by the beginning of its id; else this folder's project."
)
@click.option("--task", metavar="TASK", help="With the anchors and the state of this task.")
@click.option("--budget", type=click.IntRange(60, 20_000), metavar="TOKENS", help="Another budget.")
@click.option("--runlevel", default="manual", show_default=True, metavar="NAME")
def snippet(session: str | None, task: str | None, budget: int | None, runlevel: str) -> None:
    """Print what the agent would get now.  Nothing is delivered by asking."""
    from agentinitd.cli.main import serving_client

    text = serving_client().text(
        "/v1/snippet",
        session=session,
        project=None if session else str(Path.cwd()),
        task=task,
        budget=str(budget) if budget else None,
        runlevel=runlevel,
    )
    if text:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        click.echo(
            "The memory of this project is empty: there is nothing to say. See .agent-memory/anchors/.",
            err=True,
        )
