"""The launchd agent: the template in `etc/` with the paths of one machine (supervision.md section 16)."""

from __future__ import annotations

from typing import Any

from agentinitd.integrations.units import SEAL, Order, Reading, checked_command, places_in, sealed

TEMPLATE = "etc/launchd/org.agentinitd.plist"
LABEL = "org.agentinitd"
UNIT = f"{LABEL}.plist"

ERRORS = "start.err"
"""In the state folder: what a start that failed said.  launchd appends to it and never empties it."""
NEVER_AGAIN = frozenset({2, 4, 5, 6, 151})
"""Exit codes after which a new try does not help; launchd would try for ever unless it were told 0."""


def written(template: str, order: Order) -> str:
    """The agent for this order.  Raises NotInstalled."""
    import plistlib  # not at the top: the daemon looks here for names alone, and has no use for XML

    agent = plistlib.loads(template.encode())
    errors, command = checked_command((str(order.state_dir / ERRORS),))[0], checked_command(order.command)
    agent["ProgramArguments"] = [*command, "start", "--foreground"]
    agent["EnvironmentVariables"] |= order.environment
    agent["StandardErrorPath"] = errors
    text = plistlib.dumps(agent, sort_keys=False).decode()
    return sealed(text.replace("<plist ", f"<!-- {SEAL}. -->\n<plist ", 1))


def reading(text: str) -> Reading:
    """Raises ValueError when it is no property list of a job."""
    import plistlib
    from xml.parsers.expat import ExpatError

    try:
        agent: Any = plistlib.loads(text.encode("utf-8", "surrogateescape"))
        command = [str(word) for word in agent.pop("ProgramArguments")]
        environment = {str(name): str(value) for name, value in agent.pop("EnvironmentVariables", {}).items()}
        agent.pop("StandardErrorPath", None)
    except (ExpatError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not the property list of a job: {error}") from error
    if command[-2:] == ["start", "--foreground"]:
        del command[-2:]
    rest = tuple(f"{key}: {value}" for key, value in sorted(agent.items()))
    return Reading(command=tuple(command), places=places_in(environment), rest=rest)
