"""`agentinitd install AGENT` and `uninstall AGENT`: hooks in the agent's own settings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from agentinitd import hook
from agentinitd.cli.main import places
from agentinitd.daemon.launch import running
from agentinitd.integrations.agents import INTEGRATIONS, Integration
from agentinitd.integrations.hook_trial import try_hook
from agentinitd.integrations.settings_file import SettingsFile
from agentinitd.model.errors import AgentinitdError, NotInstalled, UsageError


@click.command()
@click.argument("agent")
@click.option("--dry-run", "-n", is_flag=True, help="Show what would change, and change nothing.")
def install(agent: str, dry_run: bool) -> None:
    """Put our hooks into AGENT's settings, beside those that are there.

    A copy of the settings is kept beside them.  Run it again after moving Python or agentinitd.
    """
    integration = integration_of(agent)
    if dry_run:
        change = settings_of(integration).planned_install(command_of(integration))
        click.echo(change.diff if change.is_needed else f"{change.path}: nothing to change.")
        return
    install_hooks(integration)


@click.command()
@click.argument("agent")
@click.option("--dry-run", "-n", is_flag=True, help="Show what would change, and change nothing.")
def uninstall(agent: str, dry_run: bool) -> None:
    """Take our hooks out of AGENT's settings; everybody else's stay."""
    settings = settings_of(integration_of(agent))
    change = settings.planned_uninstall()
    if not change.is_needed:
        click.echo(f"{change.path}: none of our hooks are there; nothing to change.")
    elif dry_run:
        click.echo(change.diff)
    else:
        settings.uninstall(change)
        what = "the file held nothing else and was removed" if change.after is None else "our hooks are out"
        click.echo(f"{change.path}: {what}.")


def integration_of(agent: str) -> Integration:
    """Raises UsageError that lists the known agents."""
    if agent not in INTEGRATIONS:
        known = ", ".join(INTEGRATIONS)
        raise UsageError(f"{agent!r} is not an agent into which hooks can be installed. Known: {known}.")
    return INTEGRATIONS[agent]


def settings_of(integration: Integration) -> SettingsFile:
    """The agent's settings of the person who called."""
    path = Path(integration.settings_path(places().home, os.environ))
    return SettingsFile(integration, path, places().state_dir)


def command_of(integration: Integration) -> str:
    """The command line to install.  Raises NotInstalled when Python does not know its own path."""
    return integration.hook_command(interpreter(sys.executable), str(Path(hook.__file__).resolve()))


def interpreter(executable: str) -> str:
    """The program itself: a version manager's shim is a shell script that costs ten times the start."""
    path = Path(executable)
    if not path.is_absolute() or not os.access(path, os.X_OK):
        raise NotInstalled(
            f"Python does not know where it is ({executable!r}). Call it by its absolute path."
        )
    with path.open("rb") as file:
        is_script = file.read(2) == b"#!"
    return getattr(sys, "_base_executable", executable) if is_script else executable


def install_hooks(integration: Integration) -> None:
    """Installs, tries the hook out, and says what is left to do."""
    settings = settings_of(integration)
    command = command_of(integration)
    change = settings.planned_install(command)
    if change.is_needed:
        settings.install(change)
        kept = (
            f" The settings as they were are in {settings.backup.name}." if settings.backup.exists() else ""
        )
        click.echo(f"{change.path}: our hooks are in.{kept}")
    else:
        click.echo(f"{change.path}: our hooks are in already.")
    for warning in settings.warnings():
        click.echo(f"{change.path}: {warning}", err=True)
    click.echo(tried(command))
    click.echo(integration.HUMAN_STEP)


def tried(command: str) -> str:
    """What trying the hook showed.  Raises AgentinitdError when it does not work."""
    folder = places().home
    is_running = running(places()) is not None
    trial = try_hook(command, folder=folder)
    if trial.fault:
        raise AgentinitdError(
            f"The hook is installed, but does not work: {trial.fault}. It was run as: {command}"
        )
    if trial.is_silent and not is_running:
        raise AgentinitdError(
            f"The hook is installed, but says nothing. Reinstall agentinitd. It was run as: {command}"
        )
    if trial.is_silent:
        return "The hook answers: the daemon served it."
    if is_running:
        return "The hook answers, but did not reach the daemon; see `agentinitd status`."
    return "The hook answers. The daemon is not running yet: `agentinitd start`."
