"""`agentinitd task`: where the work of this project stands; what is changed here needs no daemon."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain

if TYPE_CHECKING:
    from agentinitd.cli.task_here import Here
    from agentinitd.memory.tasks import Change

_Command = Callable[..., Any]
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")


@click.group()
def task() -> None:
    """Tasks: what is done, what comes next, and which one is worked on.

    Without --task and --session a command is about the task that this folder's project is at.
    """


def _of_one_task(command: _Command) -> _Command:
    """The options that say which task is meant."""
    command = click.option("--session", metavar="ID", help="The task that this session is at.")(command)
    return click.option("--task", "task_id", metavar="ID", help="Another task than the present one.")(command)


@task.command("list")
@click.option("--all", "is_all", is_flag=True, help="Also those that were archived.")
@JSON
def list_(is_all: bool, as_json: bool) -> None:
    """All tasks of this project; `*` marks the one it is at."""
    from agentinitd.cli.task_here import here
    from agentinitd.cli.task_text import list_lines
    from agentinitd.memory.task_answer import task_json
    from agentinitd.memory.tasks import tasks

    where = here()
    found = [task_json(each, default=where.default) for each in tasks(where.project, with_archived=is_all)]
    answer = {**where.as_json(), "tasks": found}
    _print(answer, list_lines(found), as_json=as_json)


@task.command()
@click.argument("task_id", metavar="ID")
@click.argument("goal", nargs=-1)
@click.option("--step", "steps", multiple=True, metavar="TEXT", help="Something to do; may be repeated.")
@click.option("--switch", "is_switched", is_flag=True, help="And go to it.")
@JSON
def new(
    task_id: str, goal: tuple[str, ...], steps: tuple[str, ...], is_switched: bool, as_json: bool
) -> None:
    """Begin a task, with a name of letters, digits, `-`, `_` and `.`."""
    from agentinitd.cli.task_here import here, switch_default
    from agentinitd.memory.task_answer import change_json
    from agentinitd.memory.tasks import new_task

    where = here()
    made = new_task(where.project, task_id, goal=" ".join(goal), pending=steps, by="user", now=time.time())
    lines = [f"Task {task_id} begins: .agent-memory/{made.file}"]
    if is_switched:
        lines += switch_default(where, task_id)
    else:
        lines.append(f"Go to it: agentinitd task switch {task_id}")
    _print(change_json(made), lines, as_json=as_json)


@task.command()
@click.argument("task_id", metavar="[ID]", required=False)
@click.option("--session", metavar="ID", help="For this session only; else for the whole project.")
@click.option(
    "--follow",
    is_flag=True,
    help="In place of ID: the session is at its project's task again, a worktree at that of the main one.",
)
def switch(task_id: str | None, session: str | None, follow: bool) -> None:
    """Go to another task; `-` is the one without a name.

    Sessions without a task of their own follow, and get its memory with their next message.
    """
    from agentinitd.cli.task_here import here, switch_default, switch_session
    from agentinitd.model.errors import UsageError

    if (task_id is None) != follow:
        raise UsageError("Name the task to go to, or give --follow. `agentinitd task list` lists them.")
    chosen = None if follow else task_id
    lines = switch_session(session, chosen) if session else switch_default(here(), chosen)
    for line in lines:
        click.echo(plain(line))


@task.command()
@click.argument("task_id", metavar="[ID]", required=False)
@click.option("--session", metavar="ID", help="The task that this session is at.")
@click.option(
    "--history", "with_history", is_flag=True, help="How it got there: what changed, when, by whom."
)
@click.option("-n", "number", type=click.IntRange(1), metavar="N", help="Of the history only the last N.")
@JSON
def show(
    task_id: str | None, session: str | None, with_history: bool, number: int | None, as_json: bool
) -> None:
    """Where a task stands, and with --history how it got there."""
    from agentinitd.cli.task_here import target
    from agentinitd.cli.task_text import history_lines, show_lines
    from agentinitd.memory.task_answer import history_json, task_json
    from agentinitd.memory.tasks import note_state, read_history, task_named

    where, chosen = target(task_id, session)
    found = task_named(where.project, chosen)
    answer = task_json(found, default=where.default, with_state=True)
    lines = show_lines(answer)
    if with_history:
        if not found.is_archived and found.state is not None:
            note_state(where.project, chosen, now=time.time())
        answer["history"] = history_json(read_history(found.place))[-(number or 0) :]
        lines = history_lines(answer["history"])
    _print(answer, lines, as_json=as_json)


@task.command()
@click.argument("task_id", metavar="[ID]", required=False)
@click.option("--session", metavar="ID", help="The task that this session is at.")
@JSON
def done(task_id: str | None, session: str | None, as_json: bool) -> None:
    """The whole task is done.  For one step of it: `task complete STEP`."""
    where, made = _changed(task_id, session, done=True)
    name = made.task_id or "The unnamed task"
    if not made.is_changed:
        lines = [f"{name} was done already."]
    else:
        lines = [f"{name} is done.", *_left_open(made), _what_next(where, made)]
    _print(_answer(made), lines, as_json=as_json)


@task.command()
@click.argument("step")
@_of_one_task
@JSON
def complete(step: str, task_id: str | None, session: str | None, as_json: bool) -> None:
    """A step is done: its title, a part of it, or its number in `task show`."""
    _print_change(_changed(task_id, session, complete=step)[1], as_json=as_json)


@task.command()
@click.argument("step")
@_of_one_task
@JSON
def start(step: str, task_id: str | None, session: str | None, as_json: bool) -> None:
    """A step is worked on now."""
    _print_change(_changed(task_id, session, start=step)[1], as_json=as_json)


@task.command()
@click.argument("step", nargs=-1, required=True)
@_of_one_task
@JSON
def add(step: tuple[str, ...], task_id: str | None, session: str | None, as_json: bool) -> None:
    """One more step, at the end."""
    _print_change(_changed(task_id, session, add=" ".join(step))[1], as_json=as_json)


@task.command("next")
@click.argument("text", nargs=-1, required=True)
@_of_one_task
@JSON
def next_(text: tuple[str, ...], task_id: str | None, session: str | None, as_json: bool) -> None:
    """What is to be done next.  An empty text takes it away."""
    _print_change(_changed(task_id, session, next_action=" ".join(text))[1], as_json=as_json)


@task.command()
@click.argument("text", nargs=-1, required=True)
@_of_one_task
@JSON
def block(text: tuple[str, ...], task_id: str | None, session: str | None, as_json: bool) -> None:
    """Something is in the way: a step that is blocked, or in words what blocks."""
    _print_change(_changed(task_id, session, block=" ".join(text))[1], as_json=as_json)


@task.command()
@click.argument("text", nargs=-1, required=True)
@_of_one_task
@JSON
def unblock(text: tuple[str, ...], task_id: str | None, session: str | None, as_json: bool) -> None:
    """It is in the way no more: the words of the blocker, or a part of them."""
    _print_change(_changed(task_id, session, unblock=" ".join(text))[1], as_json=as_json)


@task.command()
@click.argument("name")
@_of_one_task
@JSON
def phase(name: str, task_id: str | None, session: str | None, as_json: bool) -> None:
    """The phase the task is in; anchors may be limited to phases.  An empty name: none."""
    _print_change(_changed(task_id, session, phase=name)[1], as_json=as_json)


@task.command()
@click.argument("text", nargs=-1, required=True)
@_of_one_task
@JSON
def status(text: tuple[str, ...], task_id: str | None, session: str | None, as_json: bool) -> None:
    """The status of the whole task, in a word or two."""
    _print_change(_changed(task_id, session, status=" ".join(text))[1], as_json=as_json)


@task.command()
@click.argument("number", type=click.IntRange(1), required=False)
@_of_one_task
@JSON
def restore(number: int | None, task_id: str | None, session: str | None, as_json: bool) -> None:
    """State NUMBER of `task show --history` holds again; without a number the last one that was recorded.

    A state file that cannot be read is kept beside it.
    """
    from agentinitd.cli.task_here import target
    from agentinitd.memory.tasks import restore_state

    where, chosen = target(task_id, session)
    made = restore_state(where.project, chosen, number, by="user", now=time.time())
    _print_change(made, as_json=as_json)


@task.command()
@click.argument("task_id", metavar="ID")
@click.option("--back", is_flag=True, help="Open an archived task again.")
def archive(task_id: str, back: bool) -> None:
    """Put a task away, with its anchors and its history.  `recall --all` still finds it."""
    from agentinitd.cli.task_here import here, sessions_at
    from agentinitd.memory.tasks import archive as put_away
    from agentinitd.memory.tasks import unarchive

    where = here()
    if back:
        unarchive(where.project, task_id)
        click.echo(f"Task {task_id} is open again. Go to it: agentinitd task switch {task_id}")
        return
    for session in sessions_at(where.project, task_id):
        click.echo(
            f"Session {session} is at this task: agentinitd task switch ID --session {session}", err=True
        )
    click.echo(
        f"Task {task_id} was put away: .agent-memory/{put_away(where.project, task_id, now=time.time())}"
    )


def _changed(task_id: str | None, session: str | None, **asked: Any) -> tuple[Here, Change]:
    from agentinitd.cli.task_here import target
    from agentinitd.memory.task_request import TaskRequest
    from agentinitd.memory.tasks import change_state

    request = TaskRequest(**asked)
    request.check()
    where, chosen = target(task_id, session)
    made = change_state(
        where.project, chosen, request.applied, by="user", reason=request.reason, now=time.time()
    )
    return where, made


def _answer(made: Change) -> dict[str, Any]:
    from agentinitd.memory.task_answer import change_json

    return change_json(made)


def _print_change(made: Change, *, as_json: bool) -> None:
    from agentinitd.cli.task_text import change_lines

    _print(_answer(made), change_lines(made), as_json=as_json)


def _left_open(made: Change) -> list[str]:
    from agentinitd.memory.task_edit import open_steps

    left = open_steps(made.after)
    return [f"Steps that were left open: {'; '.join(left)}"] if left else []


def _what_next(where: Here, made: Change) -> str:
    if made.task_id is not None and made.task_id != where.default:
        return f"Put it away: agentinitd task archive {made.task_id}"
    return "Go on with another: agentinitd task switch ID, or agentinitd task new ID --switch"


def _print(answer: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    for line in lines:
        click.echo(plain(line))
