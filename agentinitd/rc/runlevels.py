"""Which scripts a runlevel calls, how and in which order: scripts and links in, steps out (RL-1 to 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import Action, LayerName, Runlevel, Script
from agentinitd.rc import shadowing

DEEPEST_STACK = 8
STOPPING: frozenset[Runlevel] = frozenset({"switch", "shutdown"})
"""The only runlevels in which K entries count (RL-9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One name in an `rc.d/<runlevel>.d/`: a link to a script, the removal of one, or a level stacked on."""

    level: Runlevel
    layer: LayerName
    name: str
    path: str
    kind: Literal["S", "K", "@"]
    key: str
    """Of the script; for `@` the level that is stacked."""
    target: str = ""
    """What the link says; empty for a removal and for `@`."""
    is_removal: bool = False
    is_pending: bool = False
    """Its `fault` is that nobody approved it yet."""
    fault: str = ""
    """Why it is not followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of one script, or the report why it is not called."""

    name: str
    """`S10-constraints` or `K90-constraints`: as the runlevel calls it, which decides the order."""
    action: Action
    script: Script


def stacked(level: Runlevel, entries: Sequence[Entry]) -> tuple[tuple[Runlevel, ...], tuple[str, ...]]:
    """`level` and every level stacked on it, and what is wrong with the stack: a loop, or too deep (RL-6)."""
    found: dict[Runlevel, None] = {}
    findings: list[str] = []

    def visit(this: Runlevel, chain: tuple[Runlevel, ...]) -> None:
        if this in chain:
            findings.append("error: runlevels stack in a loop: " + " -> ".join((*chain, this)))
        elif len(chain) > DEEPEST_STACK:
            findings.append(
                f"error: runlevels stack deeper than {DEEPEST_STACK}: " + " -> ".join((*chain, this))
            )
        else:
            found[this] = None
            for entry in _effective(this, entries):
                if entry.kind == "@":
                    visit(entry.key, (*chain, this))  # type: ignore[arg-type]  # checked when it was read

    visit(level, ())
    return tuple(found), tuple(findings)


def steps(
    level: Runlevel,
    scripts: Sequence[Script],
    entries: Sequence[Entry],
    *,
    started: frozenset[str] | None = None,
) -> tuple[Step, ...]:
    """The sequence of one runlevel: K entries with `stop`, then S entries with `start` (RL-8).

    Only keys in `started` are stopped; None means all of them, as `rc show` wants it.
    """
    levels, _ = stacked(level, entries)
    followed = [entry for this in levels for entry in _effective(this, entries)]
    linked = frozenset(entry.key for entry in entries if not entry.fault and entry.kind != "@")
    stops = starts = ()  # type: tuple[Step, ...]
    if level in STOPPING:
        stops = tuple(_stops(scripts, followed, linked, levels, started))
    if level != "shutdown":
        starts = tuple(_starts(scripts, followed, linked, levels))
    return (*_in_order(stops), *_in_order(starts))


def unassigned(
    scripts: Sequence[Script], entries: Sequence[Entry], levels: Iterable[Runlevel]
) -> tuple[Script, ...]:
    """Scripts that could run but belong to no runlevel."""
    used = {step.script.path for level in levels for step in steps(level, scripts, entries)}
    return tuple(script for script in scripts if script.refusal is None and script.path not in used)


def _in_order(found: Iterable[Step]) -> list[Step]:
    return sorted(found, key=lambda step: (step.name.encode(), shadowing.LAYERS.index(step.script.layer)))


def _effective(level: Runlevel, entries: Sequence[Entry]) -> list[Entry]:
    """The entries of one level that hold: for each kind and key the strongest layer's, less the removed."""
    removed: set[str] = set()
    chosen: dict[tuple[str, str], Entry] = {}
    here = [entry for entry in entries if entry.level == level and not entry.fault]
    for entry in sorted(here, key=lambda entry: (-shadowing.LAYERS.index(entry.layer), entry.name.encode())):
        if entry.is_removal:
            removed.add(entry.name)
        elif entry.name not in removed:
            chosen.setdefault((entry.kind, entry.key), entry)
    return list(chosen.values())


def _starts(
    scripts: Sequence[Script], followed: Sequence[Entry], linked: frozenset[str], levels: Sequence[Runlevel]
) -> Iterator[Step]:
    by_key = {entry.key: entry for entry in followed if entry.kind == "S"}
    for script in _reported(scripts):
        entry = by_key.get(script.key)
        if entry is not None:
            yield Step(name=_name(entry, script), action="start", script=script)
        elif script.key not in linked and set(script.header.default_start) & set(levels):
            yield Step(name=script.name, action="start", script=script)


def _stops(
    scripts: Sequence[Script],
    followed: Sequence[Entry],
    linked: frozenset[str],
    levels: Sequence[Runlevel],
    started: frozenset[str] | None,
) -> Iterator[Step]:
    by_key = {entry.key: entry for entry in followed if entry.kind == "K"}
    for script in scripts:
        if script.refusal is not None or (started is not None and script.key not in started):
            continue
        entry = by_key.get(script.key)
        if entry is not None:
            yield Step(name=entry.name, action="stop", script=script)
        elif script.key not in linked and set(script.header.default_stop) & set(levels):
            # 100 - S number, so that stopping is the reverse of starting (RL-8).
            name = f"K{min(100 - script.order, 99):02}-{script.key}"
            yield Step(name=name, action="stop", script=script)


def _reported(scripts: Sequence[Script]) -> Iterator[Script]:
    """What a run has to speak of: what runs, and what would have, were it approved, sound or switched on."""
    for script in scripts:
        if script.key and (script.refusal is None or script.refusal[0] not in {"ignored", "shadowed"}):
            yield script


def _name(entry: Entry, script: Script) -> str:
    """The link says the order, except for a file that overrides the one the link was made for."""
    is_override = shadowing.LAYERS.index(script.layer) > shadowing.LAYERS.index(entry.layer)
    return script.name if is_override else entry.name
