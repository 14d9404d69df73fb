"""What can follow at the end of a command line that is being typed: names, options, ids that are on disk.

The shells' scripts (`completion.py`) know the names of commands by themselves and ask here for all else.  No
daemon is asked: whoever presses a key does not wait for one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import click
from click.shell_completion import CompletionItem, ShellComplete

from agentinitd.cli.terminal import plain

VARIABLE = "_AGENTINITD_COMPLETE"
"""Set to `words` when a script of ours asks."""
MOST_SESSIONS = 50
MOST_RUNS = 20
HELP_CHARS = 70

Names = Iterable[tuple[str, str]]
"""Each with a few words about it."""


def answer_lines(cli: click.Group, words: Sequence[str]) -> Iterator[str]:
    """`kind`, value and help, parted by tabs, of what may stand in place of the last of `words`."""
    *before, incomplete = words or [""]
    if before and before[-1] == "=":  # bash parts `--option=value` there
        before.pop()
    # Other shells do not part it, and replace all of it.
    joined = f"{incomplete.partition('=')[0]}=" if incomplete.startswith("--") and "=" in incomplete else ""
    _equip(cli, before)
    asked = ShellComplete(cli, {}, "agentinitd", VARIABLE)
    for item in asked.get_completions(before, incomplete):
        about = plain(item.help or "", most_chars=HELP_CHARS)
        yield f"{item.type}\t{joined}{item.value}\t{about}"


def _equip(cli: click.Group, words: Sequence[str]) -> None:
    """Lets the command that these words name know what its values may be."""
    command: click.Command = cli
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(click.Context(command), word)
        # `trust PATH` stands for `trust allow PATH`.
        found = found or command.get_command(click.Context(command), "allow")
        if found is not None:
            command = found
    for param in command.params:
        names = _names_for(command, param)
        if names is not None and isinstance(param.type, click.types.StringParamType):
            param.type = names


def _names_for(command: click.Command, param: click.Parameter) -> click.Path | _OneOf | None:
    if param.name in ("paths", "file"):
        return click.Path()
    if isinstance(param, click.Argument) and param.name == "task_id" and command.name == "new":
        return None  # it is to be a new one
    if isinstance(param, click.Option) and param.name == "name":
        return None  # as is that of `decisions add --id`
    source = _SOURCES.get(str(param.name))
    if isinstance(param, click.Argument) and param.name == "agent":
        source = _integrations
    return _OneOf(source) if source is not None else None


class _OneOf(click.types.StringParamType):
    """A text, for which there are proposals."""

    def __init__(self, names: Callable[[], Names]) -> None:
        self._names = names

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from agentinitd.model.errors import AgentinitdError

        found: dict[str, CompletionItem] = {}
        # What is wrong with a memory or a home is told by the command itself.
        with contextlib.suppress(AgentinitdError, OSError):
            for name, about in self._names():
                if name.startswith(incomplete):
                    found.setdefault(name, CompletionItem(name, help=about))
        return list(found.values())


def _sessions() -> Names:
    from agentinitd.cli.main import places
    from agentinitd.cli.past_sessions import known_sessions

    for session in known_sessions(places(), most=MOST_SESSIONS):
        yield session.id, f"{session.agent} {session.project or ''}"


def _runs() -> Names:
    from agentinitd.cli.main import places
    from agentinitd.cli.past_runs import read_story

    for run in reversed(read_story(places()).runs[-MOST_RUNS:]):
        yield run.run, f"{run.runlevel}, {run.result}, {run.at}"


def _tasks() -> Names:
    from agentinitd.cli.task_here import here
    from agentinitd.memory.tasks import tasks

    for task in tasks(here().project):
        if task.task_id is not None:
            yield task.task_id, str((task.state or {}).get("goal", ""))


def _anchors() -> Names:
    from agentinitd.cli.anchors import book_here

    for entry in book_here(None).entries():
        if entry.anchor.id and not entry.is_withdrawn:
            yield entry.anchor.id, entry.anchor.what


def _decisions() -> Names:
    from agentinitd.cli.anchors import book_here

    for entry in book_here(None).entries():
        if entry.anchor.id and entry.anchor.kind == "decision" and not entry.is_withdrawn:
            yield entry.anchor.id, entry.anchor.what


def _integrations() -> Names:
    from agentinitd.integrations.agents import INTEGRATIONS

    return [(name, "") for name in INTEGRATIONS]


def _readers() -> Names:
    from agentinitd.transcripts.agents import AGENTS

    return [(name, "") for name in AGENTS]


def _runlevels() -> Names:
    from agentinitd.model.scripts import RUNLEVELS

    return [(name, "") for name in RUNLEVELS]


def _scripts() -> Names:
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import project_here, surveyed

    where = places()
    for script in surveyed(where, project_here(where)).scripts:
        yield script.key, script.header.short_description


# By the name that a value has in the commands.
_SOURCES: dict[str, Callable[[], Names]] = {
    "session": _sessions,
    "run": _runs,
    "task": _tasks,
    "task_id": _tasks,
    "name": _anchors,
    "names": _anchors,
    "kept": _anchors,
    "rejected": _anchors,
    "supersedes": _anchors,
    "restores": _decisions,
    "replaced": _decisions,
    "agents": _integrations,
    "agent": _readers,
    "runlevel": _runlevels,
    "runlevels": _runlevels,
    "script": _scripts,
}


def subcommands(group: click.Group) -> dict[str, str]:
    """Name → a line about it, of those that are not hidden."""
    context = click.Context(group)
    found: dict[str, str] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            found[name] = first_sentence(command.help or "")
    return found


def first_sentence(text: str) -> str:
    """Of a command's help, on one line and without its full stop."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    return paragraph.split(". ", 1)[0].split(".  ", 1)[0].removesuffix(".")
