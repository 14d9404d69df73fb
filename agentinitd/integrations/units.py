"""A unit of a service manager as text: what goes into it, who wrote it, and what is out of date in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from agentinitd.model.errors import NotInstalled

Origin = Literal["ours", "changed", "foreign"]

# Who looks for sessions, settings or our own files looks at these; the daemon has to see the same.
PLACES = (
    "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "AGENTINITD_RUNTIME_DIR",
    "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "COPILOT_HOME",
    "CLINE_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR", "KIMI_SHARE_DIR", "KIMI_CODE_HOME",
    "OPENCODE_DB", "GOOSE_PATH_ROOT",
)  # fmt: skip
OWN_PLACES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "AGENTINITD_RUNTIME_DIR")
"""Of these, what makes one daemon another."""
_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")

_SEAL = re.compile(r"written by `agentinitd unit install`, sha256 ([0-9a-f]{64})")
_UNSEALED = "0" * 64
SEAL = f"written by `agentinitd unit install`, sha256 {_UNSEALED}"
"""Stands in a comment of each unit until `sealed` fills it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What one machine needs in its unit."""

    command: tuple[str, ...]
    """The program and what comes before its subcommand."""
    environment: Mapping[str, str]
    state_dir: PurePath
    manager_version: int = 0
    is_hardened: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a unit says, apart from what may differ without harm."""

    command: tuple[str, ...]
    places: Mapping[str, str]
    rest: tuple[str, ...]


def environment_of(env: Mapping[str, str]) -> dict[str, str]:
    """Of the environment of the person who installs: what the daemon and its scripts cannot guess."""
    chosen = {name: env[name] for name in (*PLACES, *_LOCALE) if env.get(name)}
    folders = [folder for folder in env.get("PATH", "").split(":") if folder.startswith("/")]
    if folders:
        chosen["PATH"] = ":".join(dict.fromkeys(folders))
    # Control characters, and bytes that are no text, cannot be written down.
    return {name: value for name, value in sorted(chosen.items()) if value.isprintable()}


def places_in(environment: Mapping[str, str], names: Iterable[str] = PLACES) -> dict[str, str]:
    return {name: environment[name] for name in names if name in environment}


def checked_command(command: tuple[str, ...]) -> tuple[str, ...]:
    """Raises NotInstalled when a service manager could not call it."""
    if not command[0].startswith("/") or not all(word.isprintable() for word in command):
        raise NotInstalled(
            f"{command[0]!r} cannot be written into a unit. Install agentinitd at a plain absolute path."
        )
    return command


def sealed(text: str) -> str:
    """`text`, which holds `SEAL` once, with its own hash: a change by hand shows."""
    return text.replace(_UNSEALED, _digest(text), 1)


def origin(text: str) -> Origin:
    """Whether we wrote it, and nobody since."""
    found = _SEAL.search(text)
    if found is None:
        return "foreign"
    return "ours" if _digest(text.replace(found[1], _UNSEALED, 1)) == found[1] else "changed"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def drift(installed: Reading, fresh: Reading) -> tuple[str, ...]:
    """Why the unit would not do what a new one does: agentinitd was moved or upgraded, say."""
    found = []
    if installed.command != fresh.command:
        found.append(f"it starts {' '.join(installed.command)!r}; this is {' '.join(fresh.command)!r}")
    for name in PLACES:
        there, here = installed.places.get(name), fresh.places.get(name)
        if there != here:
            found.append(f"{name} is {_shown(there)} in the unit and {_shown(here)} here")
    if installed.rest != fresh.rest:
        found.append("its options are those of another version of agentinitd")
    return tuple(found)


def _shown(value: str | None) -> str:
    return "not set" if value is None else repr(value)
