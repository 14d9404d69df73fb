"""The project of the working directory, for commands that need one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from agentinitd.cli.main import places
from agentinitd.memory.project import find_place
from agentinitd.model.errors import AgentinitdError


class PlaceHere(NamedTuple):
    project: Path
    worktree: str | None


def place_here() -> PlaceHere:
    """Raises AgentinitdError where there is no memory."""
    project, worktree = find_place(Path.cwd(), home=places().home)
    if project is None:
        raise AgentinitdError(f"There is no .agent-memory/ in or above {Path.cwd()}. Run `agentinitd init`.")
    return PlaceHere(project, worktree)
