"""What is asked of one rebuild, and the settings that hold for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentinitd.model.facts import JsonValue
from agentinitd.model.scripts import Failing, Runlevel


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One rebuild of one session, as the supervisor asks for it."""

    run_id: str
    """`<instance>-<number>`; also the cookie by which stray processes are found."""
    session_id: str
    session_dir: Path
    """Writable by the scripts of this session, 0700; made if absent."""
    project_root: Path | None
    task_id: str | None
    trigger: str
    runlevel: Runlevel
    previous_runlevel: Runlevel | None = None
    transcript: str = ""
    stdin: Mapping[str, JsonValue] = field(default_factory=dict)
    """What every script is told; `action`, `script`, `results` and `deadline` are added for each."""
    digest: str = ""
    """Of everything in `stdin` that may change what is printed; scripts that list inputs run again then."""
    budget_tokens: int = 500
    budget_seconds: float = 20.0
    """Wall-clock time for the whole run."""
    is_forced: bool = False
    """Run every script, also those whose inputs are unchanged, and those that are held back."""
    failing: tuple[Failing, ...] = ()
    """What failed in this session before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The same for every rebuild until the config is read again."""

    scratch_dir: Path
    """Each run gets a private folder in it, removed afterwards."""
    last_good_dir: Path
    environment: Mapping[str, str]
    """The daemon's own; scripts get a chosen part of it."""
    interpreter_folder: str
    """Of the daemon's own Python: the first entry of PATH."""
    uid: int
    env_pass: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Folders of programs that the user wants in place of the usual ones."""
    kill_grace_seconds: float = 1.0
    drain_seconds: float = 0.5
    flood_bytes: int = 8 * 1024 * 1024
    last_good_max_age_seconds: float = 24 * 3600.0
