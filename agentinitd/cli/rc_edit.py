"""`agentinitd rc add` and `rc del`: put a script into runlevels, and take it out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from agentinitd.model.scripts import LayerName, Runlevel
    from agentinitd.rc.placing import Change, Placing
    from agentinitd.rc.survey import Survey

PROJECT = click.option("--project", "is_project", is_flag=True, help="In the project's rc.d/, not in yours.")
DRY_RUN = click.option("-n", "--dry-run", is_flag=True, help="Show the changes; write nothing.")


@click.command()
@click.argument("script", metavar="SCRIPT")
@click.argument("runlevels", nargs=-1, metavar="[RUNLEVEL]...")
@PROJECT
@DRY_RUN
def add(script: str, runlevels: tuple[str, ...], is_project: bool, dry_run: bool) -> None:
    """Call a script in these runlevels too; without any, in those its header names.

    From the first link on, links alone decide: the runlevels of its header are written out as well.
    """
    levels = levels_named(runlevels)
    _edit(
        script,
        lambda placing: placing.add(levels),
        nothing="is called there already",
        is_project=is_project,
        is_dry=dry_run,
    )


@click.command()
@click.argument("script", metavar="SCRIPT")
@click.argument("runlevels", nargs=-1, metavar="[RUNLEVEL]...")
@click.option("--all", "is_all", is_flag=True, help="Out of every runlevel, and what leads nowhere goes too.")
@PROJECT
@DRY_RUN
def delete(script: str, runlevels: tuple[str, ...], is_all: bool, is_project: bool, dry_run: bool) -> None:
    """Call a script no more in these runlevels.  Its file stays where it is."""
    from agentinitd.model.errors import UsageError
    from agentinitd.model.scripts import RUNLEVELS

    if bool(runlevels) == is_all:
        raise UsageError("Name the runlevels, or --all.")
    levels = RUNLEVELS if is_all else levels_named(runlevels)
    where = "any runlevel" if is_all else " or ".join(levels)
    _edit(
        script,
        lambda placing: placing.remove(levels),
        nothing=f"is not called in {where}",
        is_project=is_project,
        is_dry=dry_run,
    )


def levels_named(names: Iterable[str]) -> tuple[Runlevel, ...]:
    """Raises UsageError for a name that is none."""
    import difflib

    from agentinitd.model.errors import UsageError
    from agentinitd.model.scripts import RUNLEVELS

    levels: list[Runlevel] = []
    for name in names:
        if name not in RUNLEVELS:
            near = difflib.get_close_matches(name, RUNLEVELS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(RUNLEVELS)}."
            raise UsageError(f"{name} is not a runlevel. {hint}")
        levels.append(name)
    return tuple(levels)


def _edit(
    named: str,
    plan: Callable[[Placing], tuple[Change, ...]],
    *,
    nothing: str,
    is_project: bool,
    is_dry: bool,
) -> None:
    """`nothing`: what is so already when no change is needed."""
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import project_here, surveyed
    from agentinitd.model.errors import UsageError
    from agentinitd.rc import entry_files
    from agentinitd.rc.layers import MEMORY_FOLDER
    from agentinitd.rc.placing import Placing

    where = places()
    project = project_here(where)
    if is_project and project is None:
        raise UsageError("There is no .agent-memory/ in or above this folder. Run `agentinitd init`.")
    layer: LayerName = "project" if is_project else "user"
    folder = project / MEMORY_FOLDER if is_project and project else where.config_dir
    placing = Placing(surveyed(where, project), layer, folder, named=named)
    changes = plan(placing)
    if not is_dry:
        entry_files.write(folder, changes, within=project if is_project else None)
    for change in changes:
        click.echo(f"{_sign(change)} {folder}/rc.d/{change.level}.d/{change.name}")
    if not changes:
        click.echo(f"{placing.key} {nothing}: nothing to change.")
    elif not is_dry:
        _tell_pending(surveyed(where, project), placing.key)


def _sign(change: Change) -> str:
    return "-" if not change.says else "+"


def _tell_pending(survey: Survey, key: str) -> None:
    """A project's entry about scripts that are not its own holds only when it is approved."""
    for entry in survey.entries:
        if entry.key == key and entry.is_pending:
            click.echo(f"It holds once you approve it: agentinitd trust {Path(entry.path)}")
