"""Starting and stopping as it is meant: by the service manager where our unit is installed (DMN-2)."""

from __future__ import annotations

from collections.abc import Mapping

from agentinitd.daemon import launch
from agentinitd.daemon.managers import Manager
from agentinitd.daemon.paths import Places
from agentinitd.daemon.units import unit_here
from agentinitd.model.errors import AgentinitdError


def start(places: Places, env: Mapping[str, str]) -> int:
    """Gives the daemon's pid.  Raises AlreadyRunning, and AgentinitdError with what went wrong."""
    manager = _responsible(places, env)
    if manager is None:
        return launch.start_in_background(places)
    manager.start()
    holder = launch.wait_for(places)
    if holder is None:
        raise AgentinitdError(
            f"{manager.NAME} was asked to start the daemon, but none runs. See `agentinitd unit status`."
        )
    return holder.pid


def stop(places: Places, env: Mapping[str, str]) -> bool:
    """False: nothing was running.  A manager that has to kill it must not start it again."""
    manager = _responsible(places, env)
    if manager is not None and manager.state().is_active:
        manager.stop()
        launch.stop(places)  # another that runs beside the unit's
        return True
    return launch.stop(places)


def _responsible(places: Places, env: Mapping[str, str]) -> Manager | None:
    """Asked only when the unit's file is there: that costs a look, where asking a manager costs a process."""
    unit = unit_here(places, env)
    if not unit.is_for() or unit.manager.refusal:
        return None
    return unit.manager
