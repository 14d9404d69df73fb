"""`agentinitd unit`: the daemon as a unit of systemd or an agent of launchd."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.daemon.managers import ManagerName
    from agentinitd.daemon.units import Report, Unit

Command = TypeVar("Command", bound=Callable[..., Any])

FINE, TROUBLE, NOT_INSTALLED = 0, 1, 5


def _of_a_manager(command: Command) -> Command:
    """Without either option it is the manager that this system has."""
    for name in ("launchd", "systemd"):
        command = click.option(f"--{name}", "manager", flag_value=name, help=f"The one of {name}.")(command)
    return command


@click.group()
def unit() -> None:
    """Have the service manager run the daemon: it starts with each login and is restarted after a crash."""


@unit.command()
@_of_a_manager
@click.option("--force", is_flag=True, help="Also replace a unit that was changed by hand, or is not ours.")
@click.option("--no-hardening", is_flag=True, help="For scripts that need sudo or rootless containers.")
@click.option("--linger", is_flag=True, help="Have the daemon outlive the last logout (systemd).")
@click.option("--dry-run", "-n", is_flag=True, help="Show the unit, and change nothing.")
def install(
    manager: ManagerName | None, force: bool, no_hardening: bool, linger: bool, dry_run: bool
) -> None:
    """Write the unit, enable it and start it.

    Run it again after moving or upgrading agentinitd, or after changing a variable that it looks at.
    """
    found = _unit(manager)
    if dry_run:
        click.echo(f"# {found.path}\n{found.fresh(is_hardened=not no_hardening)}", nl=False)
        return
    for line in found.install(is_hardened=not no_hardening, is_forced=force):
        click.echo(line)
    if linger:
        found.linger()
        click.echo("It outlives the last logout.")
    for text, cure in found.report().problems:
        click.echo(f"! {text}. Cure: {cure}")


@unit.command()
@_of_a_manager
@click.option("--force", is_flag=True, help="Also one that was changed by hand, or is not ours.")
def remove(manager: ManagerName | None, force: bool) -> None:
    """Stop the daemon and take our unit out; drop-ins of your own stay."""
    for line in _unit(manager).remove(is_forced=force):
        click.echo(line)


@unit.command()
@_of_a_manager
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
def status(manager: ManagerName | None, as_json: bool) -> int:
    """Is the unit installed, enabled, active, and what it should be?

    Exit codes: 0 all is well, 1 something is not, 5 no unit is installed.
    """
    report = _unit(manager).report()
    if as_json:
        print_json(as_object(report))
    else:
        click.echo("\n".join(_lines(report)))
    if report.origin is None:
        return NOT_INSTALLED
    return TROUBLE if report.problems else FINE


def _unit(manager: ManagerName | None) -> Unit:
    from agentinitd.cli.main import places
    from agentinitd.daemon.units import unit_here

    return unit_here(places(), os.environ, manager)


def as_object(report: Report) -> dict[str, Any]:
    """With stable names: other programs read this."""
    return {
        "manager": report.manager,
        "is_available": not report.refusal,
        "refusal": report.refusal or None,
        "path": str(report.path),
        "is_installed": report.origin is not None,
        "origin": report.origin,
        "is_enabled": report.state.is_enabled,
        "is_active": report.state.is_active,
        "state": report.state.words if report.origin else "not installed",
        "pid": report.state.pid,
        "lingers": report.lingers,
        "drop_ins": list(report.state.drop_ins),
        "problems": [{"text": text, "cure": cure} for text, cure in report.problems],
    }


def _lines(report: Report) -> list[str]:
    if report.origin is None:
        cure = "agentinitd start" if report.refusal else "agentinitd unit install"
        return [
            *([report.refusal] if report.refusal else []),
            f"{report.path}: no unit is installed. Cure: {cure}",
        ]
    state = report.state
    lines = [f"{report.path}"]
    if not report.refusal:
        pid = f", pid {state.pid}" if state.pid else ""
        lines.append(
            f"{report.manager}: {state.words}{pid}, {'enabled' if state.is_enabled else 'not enabled'}"
        )
    lines += [f"drop-in: {path}" for path in state.drop_ins]
    return [*lines, *(f"! {text}. Cure: {cure}" for text, cure in report.problems)]
