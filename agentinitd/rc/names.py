"""Script names: the one pattern that runs, the order, and why every other name is left alone (NAM-1 to 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import LayerName

Kind = Literal["S", "K"]

LONGEST_NAME = 64
_NAME = re.compile(r"([SK])([0-9]{2})-([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)")
_NUMBERED = re.compile(r"[SKsk][0-9]{2}-")
_BACKUP = re.compile(
    r"^\.|^#.*#$|~$|\.(?:bak|old|orig|rej|sav|save|swp|swo|tmp|rpmnew|rpmsave|rpmorig|pacnew|pacsave)$"
    r"|\.(?:dpkg|ucf)-[a-z]+$"
)
_QUIET = frozenset({"README", "README.md", ".gitkeep", ".gitignore"})

# Who owns which numbers (NAM-5).
_PLAN: dict[LayerName, range] = {
    "vendor": range(10, 50),
    "system": range(50, 90),
    "user": range(50, 90),
    "project": range(50, 90),
}


@dataclass(frozen=True, slots=True)
class ScriptName:
    """`S10-constraints`, taken apart."""

    text: str
    kind: Kind
    order: int
    key: str


def parse(name: str) -> ScriptName | None:
    """The parts of a name that matches the pattern; None for every other."""
    match = _NAME.fullmatch(name)
    if match is None or len(name) > LONGEST_NAME:
        return None
    return ScriptName(name, "K" if match[1] == "K" else "S", int(match[2]), match[3])


def why_ignored(name: str) -> str | None:
    """Why a file of this name in an `init.d/` never runs; None for the few that need no mention."""
    if name in _QUIET:
        return None
    if _BACKUP.search(name):
        return "backup"
    if "." in name:
        return "extension"
    if not _NUMBERED.match(name):
        return "number"
    if parse(name[:1].upper() + name[1:].lower()):
        return "case" if not parse(name) else "number: K names belong in rc.d"
    return f"name: longer than {LONGEST_NAME} bytes" if len(name) > LONGEST_NAME else "name"


def plan_warning(name: ScriptName, layer: LayerName) -> str | None:
    """What lint says when a number is outside the plan; it runs all the same."""
    plan = _PLAN[layer]
    if name.order in plan:
        return None
    return f"warning: {name.order:02} is outside {plan.start}-{plan.stop - 1}, the plan for {layer} scripts"


def shown(name: str) -> str:
    """A file name that may hold anything, fit for a terminal, a log and JSON."""
    plain = name.encode("utf-8", "backslashreplace").decode()
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in plain)
