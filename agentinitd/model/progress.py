"""A rule of the config: which result of which command moves which step of the task."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

On = Literal["success", "failure"]

MAX_RULES = 100
MAX_TEXT_CHARS = 200
EXAMPLE = '{command: "pytest*", complete: run tests}'


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressRule:
    """Applied to every result of a tool; only what is given has to match."""

    tool: str = ""
    """Glob over the tool's name; empty: any tool that runs commands."""
    command: str = ""
    """Glob over a single command, without `cd x &&`, variables and wrappers; further arguments may follow."""
    on: On = "success"
    complete: str = ""
    """The step that is done then: its title, or a glob over titles."""
    block: str = ""
    """The step that is blocked then, or in words what blocks; lifted when the command comes out otherwise."""
    note: str = ""
    """Recorded then among the last results, word for word."""


def rule_of(raw: object) -> ProgressRule:
    """One entry of the list `progress`.  Raises ValueError with the fault and its cure."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"expected a rule such as {EXAMPLE}, found {_shown(raw)}")
    # YAML takes the bare word `on` for true.
    given = {("on" if key is True else key): value for key, value in raw.items()}
    for key, value in given.items():
        if key not in _NAMES:
            raise ValueError(_unknown(key))
        _check(str(key), value)
    if not (given.get("tool") or given.get("command")):
        raise ValueError(f"a rule needs `command` or `tool`; for instance {EXAMPLE}")
    if not any(given.get(action) for action in _ACTIONS):
        raise ValueError(f"a rule needs one of {', '.join(_ACTIONS)}; for instance {EXAMPLE}")
    return ProgressRule(**{str(key): value for key, value in given.items()})


_NAMES = tuple(field.name for field in fields(ProgressRule))
_ACTIONS = ("complete", "block", "note")


def _check(key: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{key}: expected a text, found {_shown(value)}; put it into quotes")
    if len(value) > MAX_TEXT_CHARS:
        raise ValueError(f"{key}: {len(value):,} characters are too many; at most {MAX_TEXT_CHARS}")
    if not value.isprintable():
        raise ValueError(f"{key}: expected one line of text, found {_shown(value)}")
    if key == "on" and value not in ("success", "failure"):
        raise ValueError(f"on: expected success or failure, found {_shown(value)}")


def _unknown(key: object) -> str:
    near = difflib.get_close_matches(key, _NAMES, n=1, cutoff=0.4) if isinstance(key, str) else []
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(_NAMES)}"
    return f"{_shown(key)}: unknown key of a rule; {hint}"


def _shown(value: object) -> str:
    return reprlib.repr(value)[:80]
