"""`agentinitd init`: a memory folder for this project, and hooks for the agents that are there."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import click

from agentinitd.cli import scaffold
from agentinitd.cli.install import install_hooks, integration_of, settings_of
from agentinitd.cli.main import places
from agentinitd.daemon.launch import running
from agentinitd.disk import write_atomically
from agentinitd.integrations.agents import INTEGRATIONS, Integration
from agentinitd.memory.project import MEMORY_FOLDER, find_project, is_trusted_owner
from agentinitd.model.errors import AgentinitdError, NotConfigured, PermissionRefused, UsageError


@click.command()
@click.option(
    "--share", is_flag=True, help="Let git keep the anchors and scripts; by default it keeps nothing."
)
@click.option(
    "--agent", "agents", multiple=True, metavar="NAME", help="Install hooks for it; can be repeated."
)
@click.option("--no-hooks", is_flag=True, help="Leave the agents' settings alone.")
def init(share: bool, agents: tuple[str, ...], no_hooks: bool) -> None:
    """Make .agent-memory/ in this project and install the hooks.

    What is there already is never overwritten: run it again as often as you like.
    """
    if agents and no_hooks:
        raise UsageError("--agent and --no-hooks exclude each other. Take one away.")
    wanted = [] if no_hooks else [integration_of(agent) for agent in agents] or _present()
    project = project_root(Path.cwd(), home=places().home)
    memory = project / MEMORY_FOLDER
    made = _make(memory, is_shared=share)
    click.echo(f"{memory}: {'made ' + ', '.join(made) if made else 'all is there already'}.")
    for integration in wanted:
        install_hooks(integration)
    if not wanted and not no_hooks:
        click.echo(
            f"No agent found; `agentinitd install AGENT` installs its hooks ({', '.join(INTEGRATIONS)})."
        )
    click.echo(f"Next: write your rules into {memory / 'anchors' / 'project_constraints.md'}{_and_start()}.")


def project_root(cwd: Path, *, home: Path) -> Path:
    """Where the memory belongs: where one is in reach already, else the top of the git checkout, else `cwd`.

    Raises UsageError for the home and for `/`: a memory there would be every project's.
    """
    real_home = Path(os.path.realpath(home))
    start = Path(os.path.realpath(cwd))
    checkout = next((folder for folder in (start, *start.parents) if os.path.lexists(folder / ".git")), start)
    root = find_project(start, home=home) or (start if checkout == real_home else checkout)
    if root in (real_home, Path("/")):
        raise UsageError(f"{root} is not a project, but holds all of them. Go into a project's folder first.")
    if not is_trusted_owner(root.stat().st_uid):
        raise PermissionRefused(f"{root} belongs to somebody else. Its memory would not be trusted.")
    return root


def _make(memory: Path, *, is_shared: bool) -> list[str]:
    """Makes what is missing and gives the names of it.  Raises AgentinitdError."""
    texts = scaffold.files(
        language=scaffold.language_of(os.environ), now=datetime.now(tz=UTC), is_shared=is_shared
    )
    # What is shared gets the usual modes; what is private stays so on this machine, too.
    folder_mode, file_mode = (0o755, 0o644) if is_shared else (0o700, 0o600)
    try:
        for folder in (memory, *(memory / name for name in scaffold.FOLDERS)):
            _folder(folder, folder_mode)
        return [name for name, text in texts.items() if _wrote(memory / name, text, file_mode)]
    except PermissionError as error:
        raise PermissionRefused(
            f"{error.filename or memory} cannot be written. Give yourself the right."
        ) from error
    except OSError as error:
        raise AgentinitdError(f"{memory}: {error.strerror or error}. What was there is unchanged.") from error


def _folder(path: Path, mode: int) -> None:
    path.mkdir(mode=mode, exist_ok=True)
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise NotConfigured(f"{path} is a link, not a folder. Remove it and try again.")


def _wrote(path: Path, text: str, mode: int) -> bool:
    """Writes a file that is not there, or our own unchanged .gitignore when sharing begins."""
    if os.path.lexists(path) and not _is_to_be_shared(path, text):
        return False
    write_atomically(path, text.encode(), mode=mode)
    return True


def _is_to_be_shared(path: Path, text: str) -> bool:
    if text != scaffold.SHARED_GITIGNORE or path.is_symlink():
        return False
    return path.is_file() and path.read_bytes() == scaffold.PRIVATE_GITIGNORE.encode()


def _present() -> list[Integration]:
    """The agents whose settings folder is there."""
    return [agent for agent in INTEGRATIONS.values() if settings_of(agent).path.parent.is_dir()]


def _and_start() -> str:
    return "" if running(places()) else ", then `agentinitd start`"
