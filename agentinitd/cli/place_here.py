"""The project of the working directory, for commands that need one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agentinitd.cli.main import places
from agentinitd.memory.project import find_place
from agentinitd.model.errors import AgentinitdError

if TYPE_CHECKING:
    from agentinitd.client import Client


class PlaceHere(NamedTuple):
    project: Path
    worktree: str | None


def place_here() -> PlaceHere:
    """Raises AgentinitdError where there is no memory."""
    project, worktree = find_place(Path.cwd(), home=places().home)
    if project is None:
        raise AgentinitdError(f"There is no .agent-memory/ in or above {Path.cwd()}. Run `agentinitd init`.")
    return PlaceHere(project, worktree)


def folder_to_ask_for() -> str:
    """Before a daemon is asked, and started for that: where there is no memory it would only say so."""
    place_here()
    return str(Path.cwd())


def project_of_session(client: Client, named: str) -> Path | None:
    """Where the session of this id, or beginning of one, works, as the daemon says."""
    sessions = client.get("/v1/sessions")["sessions"]
    exact = [each for each in sessions if named in (each["session"], each["key"])]
    begun = [each for each in sessions if each["session"].startswith(named)]
    project = next((each["project"] for each in [*exact, *begun]), None)
    return Path(project) if project else None
