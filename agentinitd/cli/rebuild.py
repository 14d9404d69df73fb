"""`agentinitd rebuild`: runs a runlevel now, or shows what it would run."""

from __future__ import annotations

from typing import Any

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain


@click.command()
@click.option("--runlevel", default="manual", show_default=True, metavar="NAME")
@click.option("--session", metavar="ID", help="For this session, which gets the snippet at its next hook.")
@click.option(
    "-n", "--dry-run", is_flag=True, help="Show the sequence, and the reason for every skip; run nothing."
)
@click.option(
    "--force", is_flag=True, help="Run every script: unchanged inputs and earlier failures do not count."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def rebuild(runlevel: str, session: str | None, dry_run: bool, force: bool, as_json: bool) -> None:
    """Run a runlevel now, for a session or for this folder's project."""
    from agentinitd.cli.main import serving_client
    from agentinitd.cli.place_here import folder_to_ask_for

    body: dict[str, object] = {"runlevel": runlevel, "session": session, "dry_run": dry_run, "force": force}
    if session is None:
        body["project"] = folder_to_ask_for()
    answer: dict[str, Any] = serving_client().post("/v1/rebuild", body, timeout_seconds=60.0)
    if as_json:
        print_json(answer)
    elif dry_run:
        wide = max((len(each["script"]) for each in answer["steps"]), default=0) + 2
        for each in answer["steps"]:
            click.echo(f"{each['action']:<6}{each['script']:<{wide}}{each['layer']:<9}{each['verdict']}")
    else:
        _show(answer)


def _show(run: dict[str, Any]) -> None:
    wide = max((len(script["script"]) for script in run["scripts"]), default=0) + 2
    for script in run["scripts"]:
        flags = f" ({', '.join(script['flags'])})" if script["flags"] else ""
        reason = f"  {plain(script['reason'].partition('. Cure: ')[0])}" if script["reason"] else ""
        result = script["result"] + flags
        click.echo(f"{script['script']:<{wide}}{result:<20}{script['duration_ms']:>8.1f} ms{reason}".rstrip())
    click.echo(f"{run['runlevel']}: {run['result']}, {run['tokens']} tokens, {run['duration_ms']:.0f} ms")
