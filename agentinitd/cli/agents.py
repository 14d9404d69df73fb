"""`agentinitd agents`: which agents are on this machine, where their sessions lie, what is read of them."""

from __future__ import annotations

from typing import Any

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def agents(as_json: bool) -> None:
    """Show which agents were found here, where, how many sessions, and what is read of each."""
    import os

    from agentinitd.cli.main import places
    from agentinitd.integrations.agents import INTEGRATIONS
    from agentinitd.transcripts.agents import AGENTS

    home = places().home
    found = [_described(agent.roots(home, os.environ), name, agent) for name, agent in AGENTS.items()]
    for each in found:
        each["has_hooks"] = each["agent"] in INTEGRATIONS
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode({"agents": found})).decode())
        return
    for each in found:
        _show(each)


def _described(roots: tuple[Any, ...], name: str, agent: Any) -> dict[str, Any]:
    present = [root for root in roots if root.is_dir()]
    sessions = {session for root in present for session in agent.scan(root)}
    return {
        "agent": name,
        "is_found": bool(present),
        "roots": [str(root) for root in (present or roots)],
        "sessions": len(sessions),
        "reads": agent.READS,
    }


def _show(each: dict[str, Any]) -> None:
    if each["is_found"]:
        number = f"{each['sessions']:,} session" + ("" if each["sessions"] == 1 else "s")
        hooks = "hooks can be installed" if each["has_hooks"] else "no hooks yet: watched, not served"
        click.echo(f"{each['agent']:<13}{number}; {hooks}")
    else:
        click.echo(f"{each['agent']:<13}not found")
    for root in each["roots"]:
        click.echo(f"{'':<13}{root}")
    click.echo(f"{'':<13}{each['reads']}")
