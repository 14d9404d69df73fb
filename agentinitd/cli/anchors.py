"""`agentinitd anchors`: the group; each command has a file of its own, and nothing is imported until used."""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from agentinitd.memory.anchor_book import AnchorBook
    from agentinitd.model.facts import Anchor

# Command → the file here that holds it, the function, and its line in `--help`.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "list": ("anchors_list", "list_", "What is recorded, and how old it is."),
    "add": ("anchors_add", "add", "Write something down."),
    "edit": ("anchors_edit", "edit", "Change one anchor, by options or in your editor."),
    "verify": ("anchors_verify", "verify", "Say that you looked and that it is true; --all: run all checks."),
    "remove": ("anchors_remove", "remove", "Take anchors out."),
    "review": ("anchors_review", "review", "Keep, edit or reject what was found in sessions."),
    "lint": ("anchors_lint", "lint", "What is wrong with them, and how to mend it."),
}


class _LazyGroup(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        file, function, _ = COMMANDS[name]
        command = getattr(importlib.import_module(f"agentinitd.cli.{file}"), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(cls=_LazyGroup)
def anchors() -> None:
    """What the agent must not forget: constraints, tools and decisions of this folder's project.

    An ID may be shortened as long as it stays clear.
    """


TASK = click.option(
    "--task", metavar="TASK", help="Of this task as well; else of the one that the project is at."
)
JSON = click.option("--json", "as_json", is_flag=True, help="JSON, with stable names.")


def book_here(task: str | None) -> AnchorBook:
    """The anchors of this folder's project and of a task: the one named, else the one that it is at."""
    from agentinitd.cli.task_here import here
    from agentinitd.memory.anchor_book import AnchorBook
    from agentinitd.memory.tasks import UNNAMED
    from agentinitd.model.errors import MemoryRefused

    where = here()
    if task is not None:
        return AnchorBook(where.project, None if task == UNNAMED else task)
    try:
        return AnchorBook(where.project, where.default)
    except MemoryRefused:  # the task that the project is at is gone; its own anchors are not
        return AnchorBook(where.project)


def now() -> float:
    return time.time()


def place_text(file: str, line: int) -> str:
    """As an editor opens it from the project's folder."""
    return f".agent-memory/{file}:{line}"


def tell_doubts(anchor: Anchor, project: Path) -> None:
    """It was written down all the same: what it names may come later."""
    from agentinitd.cli.terminal import plain
    from agentinitd.memory.anchor_doubts import doubts

    for doubt in doubts(anchor, project):
        click.echo(plain(f"{doubt.told}. Change it: agentinitd anchors edit {anchor.id}"), err=True)
