"""The `agentinitd` command: finds the command's file; turns what goes wrong into a line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from agentinitd import __version__
from agentinitd.model.errors import AgentinitdError, NotInstalled

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from agentinitd.client import Client
    from agentinitd.daemon.paths import Places

# Command → the file here that holds it, and its line in `--help`.  Nothing is imported until it is used.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Make .agent-memory/ in this project and install the hooks."),
    "start": ("start", "Start the daemon."),
    "stop": ("stop", "Stop the daemon."),
    "restart": ("restart", "Stop the daemon and start it again."),
    "reload": ("reload", "Read the config again."),
    "status": ("status", "Is it running, and is all well?"),
    "logs": ("logs", "Read or follow the rebuild log."),
    "rebuild": ("rebuild", "Run a runlevel now."),
    "snippet": ("snippet", "Print what the agent would get now."),
    "task": ("task", "Tasks: what is done, what is next, which one is worked on."),
    "anchors": ("anchors", "What the agent must not forget: list, add, edit, verify, remove, review, lint."),
    "decisions": ("decisions", "Record and list what was decided."),
    "recall": ("recall", "Search anchors, decisions and what was told before."),
    "replay": ("replay", "Read a transcript offline: compactions and rebuilds."),
    "agents": ("agents", "Show which agents were found, and what is read of each."),
    "install": ("install", "Put the hooks into an agent's settings."),
    "uninstall": ("install", "Take our hooks out of an agent's settings."),
    "unit": ("unit", "Have systemd or launchd run the daemon."),
    "doctor": ("doctor", "What is wrong with this installation, and the cure."),
    "trust": ("trust", "Approve a project's scripts."),
    "rc": ("rc", "Scripts and runlevels: show, add, del, status."),
    "verify": ("verify", "Check scripts, links, headers and config; run nothing."),
    "reset-failed": ("reset_failed", "Try scripts again that failed too often."),
    "blame": ("blame", "Which scripts of a rebuild took how long."),
    "critical-chain": ("critical_chain", "What a rebuild waited for, in order."),
    "plot": ("plot", "Draw a rebuild, or a session's context over time."),
    "completion": ("completion", "Print what a shell needs to complete our commands."),
}


class LazyGroup(click.Group):
    """Knows its commands by name only, so that `--help` costs no import."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(
            importlib.import_module(f"agentinitd.cli.{COMMANDS[name][0]}"), name.replace("-", "_")
        )
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=line)
            for name, (_, line) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # The options; a group's own answer would import every command for its line.
        return names + click.Command.shell_complete(self, context, incomplete)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            raise click.UsageError(error.message + _nearest(args[0]), context) from None


def _nearest(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="agentinitd")
def cli() -> None:
    """Keeps what an AI coding agent must not forget alive across context compaction."""


def places() -> Places:
    """Where things lie for the person who called."""
    from agentinitd.daemon.paths import Places

    return Places.from_environment(os.environ)


def serving_client() -> Client:
    """A client with a daemon behind it: started now if none runs, unless AGENTINITD_NO_AUTOSTART is set."""
    from agentinitd.client import Client
    from agentinitd.daemon.launch import running, wait_for
    from agentinitd.daemon.starting import start
    from agentinitd.model.errors import AlreadyRunning

    if os.environ.get("AGENTINITD_RUN_ID"):
        raise AgentinitdError(
            "nested: a script of a rebuild cannot ask for another, which would wait for its end."
        )
    where = places()
    if running(where) is None and not os.environ.get("AGENTINITD_NO_AUTOSTART"):
        try:
            start(where, os.environ)
        except AlreadyRunning:  # another starter was quicker: its daemon serves as well, once it listens
            wait_for(where)
    client = Client(where)
    if told := client.older_daemon():
        click.echo(f"agentinitd: {told}", err=True)
    return client


def main() -> None:
    """Exits: 0 done, 1 and up as `model.errors` says, 2 usage, 3 a bug with its report, 130 interrupted."""
    _keep_standard_streams()
    try:
        status = _invoke()
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except AgentinitdError as error:
        click.echo(_told(f"agentinitd: {error}"), err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _forget_stdout()
        sys.exit(0)
    except Exception as error:
        _leave_expectedly(error)
        click.echo(f"agentinitd: a bug: {type(error).__name__}: {error}\n{_report()}", err=True)
        sys.exit(3)
    sys.exit(status if isinstance(status, int) else 0)


def _told(text: str) -> str:
    """It may quote what others wrote, and that shall not speak to the terminal."""
    from agentinitd.cli.terminal import plain

    return "\n".join(plain(line, most_chars=len(line)) for line in text.split("\n"))


def _leave_expectedly(error: Exception) -> None:
    """With one line, where what went wrong is no bug of ours."""
    if missing := _missing(error):
        cure = "Install agentinitd again, and what it depends on: pip install --force-reinstall agentinitd"
        click.echo(f"agentinitd: the module {missing} is missing. {cure}", err=True)
        sys.exit(NotInstalled.exit_code)
    if isinstance(error, OSError) and _is_nowhere():
        click.echo("agentinitd: The folder that you are in is gone. Go to another one: cd ~", err=True)
        sys.exit(1)
    if isinstance(error, OSError) and _is_full(error):
        _forget_stdout()  # it may be what takes nothing, and still holds what it did not take
        click.echo(f"agentinitd: {error}. Make room, or mend the disk, and try again.", err=True)
        sys.exit(1)


def _is_full(error: OSError) -> bool:
    from agentinitd.disk import TAKES_NOTHING

    return error.errno in TAKES_NOTHING


def _is_nowhere() -> bool:
    """The working directory was removed, or may not be asked for."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib is slow to import
    except OSError:
        return True
    return False


def _missing(error: Exception) -> str:
    """A module of somebody else that is not there; without one of ours it is a bug."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    return "" if name.partition(".")[0] == "agentinitd" else name


def _invoke() -> Any:
    """Not by `cli.main`, which takes a reader that left for an error (supervision.md LOG-6)."""
    asked = os.environ.get("_AGENTINITD_COMPLETE")
    if asked == "words":  # by the scripts that `completion` prints
        completing = importlib.import_module("agentinitd.cli.completing")  # by its name, as a command is
        for line in completing.answer_lines(cli, sys.argv[1:]):
            click.echo(line)
        return 0
    if asked is not None:  # by those of click
        return cli.main(prog_name="agentinitd", standalone_mode=False)
    try:
        with cli.make_context("agentinitd", sys.argv[1:]) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as end:  # of --help and --version
        return end.exit_code


def _keep_standard_streams() -> None:
    """A descriptor 0 to 2 that is closed would be given to the next file opened, and printed into."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:  # as Python leaves one that was closed when it began
            mode = "w" if descriptor else "r"
            setattr(sys, name, open(descriptor, mode, closefd=False, errors="replace"))  # noqa: SIM115


def _forget_stdout() -> None:
    """Nobody takes our output any more; the interpreter must not complain of that at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _report() -> str:
    import tempfile
    import traceback
    from pathlib import Path

    folder = Path(tempfile.mkdtemp(prefix="agentinitd-bug-"))
    path = folder / "traceback.txt"
    path.write_text(
        f"agentinitd {__version__}, Python {sys.version}\n{traceback.format_exc()}", encoding="utf-8"
    )
    return f"The traceback is in {path}. Please report it."
