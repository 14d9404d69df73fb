"""`agentinitd agents`: which agents are on this machine, where their sessions lie, what is read of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.transcripts.follower import Agent

SHOWN_ROOTS = 2
"""Of an agent that is not here: it may have many places."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def agents(as_json: bool) -> None:
    """Show which agents were found here, where, how many sessions, and what is read of each.

    Aider keeps its history in the project: it is looked for in the one of this folder.
    """
    import os

    from agentinitd.cli.main import places
    from agentinitd.daemon.finding import IN_PROJECTS
    from agentinitd.integrations.agents import INTEGRATIONS
    from agentinitd.transcripts.agents import AGENTS

    found = []
    for name, agent in AGENTS.items():
        own = agent.roots(places().home, os.environ)
        looked = _looked(agent, own, _project() if name in IN_PROJECTS else None)
        found.append({"agent": name, **looked, "has_hooks": name in INTEGRATIONS})
    if as_json:
        print_json({"agents": found})
        return
    for each in found:
        for line in _lines(each):
            click.echo(line)


def _project() -> Path:
    from agentinitd.cli.main import places
    from agentinitd.memory.project import find_project

    return find_project(Path.cwd(), home=places().home) or Path.cwd()


def _looked(agent: Agent, own: tuple[Path, ...], project: Path | None) -> dict[str, Any]:
    """An agent is here when one of its own folders is, or a session of it."""
    roots = own if project is None else (*own, project)
    sessions = {root: len(agent.scan(root)) for root in roots}
    present = [root for root in roots if sessions[root] or (root in own and root.is_dir())]
    return {
        "is_found": bool(present),
        "roots": [str(root) for root in (present or roots)],
        "sessions": sum(sessions.values()),
        "reads": agent.READS,
    }


def _lines(each: dict[str, Any]) -> Iterator[str]:
    indent = " " * 13
    roots = each["roots"]
    if each["is_found"]:
        number = f"{each['sessions']:,} session" + ("" if each["sessions"] == 1 else "s")
        served = (
            "served by hooks (`agentinitd install`)"
            if each["has_hooks"]
            else "no hooks: its snippets lie in a file"
        )
        yield f"{each['agent']:<13}{number}; {served}"
    else:
        yield f"{each['agent']:<13}not found"
        roots = roots[:SHOWN_ROOTS]
    yield from (f"{indent}{root}" for root in roots)
    if len(roots) < len(each["roots"]):
        yield f"{indent}… and {len(each['roots']) - len(roots)} more; --json names them"
    yield f"{indent}{each['reads']}"
