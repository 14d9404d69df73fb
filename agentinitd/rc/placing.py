"""Putting a script into runlevels and taking it out: a survey in, changes of one `rc.d/` out (RL-7)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from agentinitd.model.errors import AgentinitdError, UsageError
from agentinitd.model.scripts import RUNLEVELS, LayerName, Runlevel, Script
from agentinitd.rc import runlevels
from agentinitd.rc.runlevels import STOPPING, Entry
from agentinitd.rc.shadowing import LAYERS
from agentinitd.rc.survey import Survey


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What becomes of one name in an `rc.d/<runlevel>.d/`."""

    level: Runlevel
    name: str
    says: str | None
    """The path a link holds; empty: an empty file, which removes a lower layer's entry; None: it goes."""


class Placing:
    """Plans for one script in one layer.  A plan raises AgentinitdError when it would not have its effect."""

    def __init__(self, survey: Survey, layer: LayerName, folder: PurePath, *, named: str) -> None:
        """`folder` holds the layer's `rc.d/`.  Raises UsageError when nothing is called `named`."""
        self._survey = survey
        self._layer = layer
        self._folder = folder
        self.key = key_of(survey, named)
        self._script = _speaker(survey, self.key)

    def add(self, levels: Sequence[Runlevel]) -> tuple[Change, ...]:
        """Into these runlevels besides those it is in; without any, into those its header names."""
        script = self._runnable()
        wanted = [place for level in levels for place in _places(script, level)] or _of_header(script)
        if not wanted:
            raise UsageError(f"The header of {script.path} names no runlevel. Name one here.")
        places = [] if self._has_say(self._survey.entries) else _of_header(script)
        begun = self._after([self._link(script, *place) for place in places])
        places += [place for place in wanted if not self._is_called(*place, begun)]
        changes = tuple(self._link(script, *place) for place in dict.fromkeys(places))
        after = self._after(changes)
        for level, kind in wanted:
            if not self._is_called(level, kind, after):
                raise AgentinitdError(self._blocked(level))
        return changes

    def remove(self, levels: Sequence[Runlevel]) -> tuple[Change, ...]:
        """Out of these runlevels."""
        changes = [change for level in levels for change in self._taken_out(level)]
        script = self._script
        if script is not None and not self._has_say(self._survey.entries):
            kept = [place for place in _of_header(script) if place[0] not in levels]
            changes += [self._link(script, *place) for place in kept]
        if script is not None and _of_header(script) and not self._has_say(self._after(changes)):
            # Without any entry its header would have its say again.
            changes.append(Change(level=levels[0], name=script.name, says=""))
            changes = list({(change.level, change.name): change for change in changes}.values())
        after = self._after(changes)
        for level in levels:
            if any(self._is_called(level, kind, after) for kind in ("S", "K")):
                raise AgentinitdError(self._still_called(level, after))
        return tuple(changes)

    def _runnable(self) -> Script:
        found = [script for script in self._survey.scripts if script.key == self.key]
        runs = next((script for script in found if script.refusal is None), None)
        if runs is None:
            script = self._script or found[-1]
            assert script.refusal is not None
            raise AgentinitdError(f"{script.path} would not run: {': '.join(script.refusal)}.")
        if LAYERS.index(runs.layer) > LAYERS.index(self._layer):
            how = "Add --project." if runs.layer == "project" else ""
            raise AgentinitdError(
                f"{runs.path} belongs to the {runs.layer} layer, which the {self._layer} layer "
                f"cannot link to. {how}".rstrip()
            )
        return runs

    def _has_say(self, entries: Iterable[Entry]) -> bool:
        return any(entry.key == self.key and entry.kind != "@" and not entry.fault for entry in entries)

    def _is_called(self, level: Runlevel, kind: str, entries: Sequence[Entry]) -> bool:
        action = "start" if kind == "S" else "stop"
        steps = runlevels.steps(level, self._survey.scripts, entries)
        return any(step.script.key == self.key and step.action == action for step in steps)

    def _blocked(self, level: Runlevel) -> str:
        reach = LAYERS.index(self._layer)
        above = [
            entry.path
            for entry in self._survey.entries
            if entry.level == level and entry.is_removal and LAYERS.index(entry.layer) > reach
        ]
        told = f"{above[0]} takes it out again" if above else "another entry takes its place"
        return f"{level} would still not call {self.key}: {told}. Nothing was changed."

    def _still_called(self, level: Runlevel, entries: Sequence[Entry]) -> str:
        for lower in runlevels.stacked(level, entries)[0][1:]:
            if any(self._is_called(lower, kind, entries) for kind in ("S", "K")):
                return (
                    f"{level} calls {self.key} because it stacks {lower}. "
                    f"Name {lower} as well, or mask {level}.d/@{lower}. Nothing was changed."
                )
        above = next(
            (e.path for e in entries if e.level == level and e.key == self.key and e.layer != self._layer),
            "an entry of a stronger layer",
        )
        return f"{level} would still call {self.key}: {above} puts it there. Nothing was changed."

    def _taken_out(self, level: Runlevel) -> Iterator[Change]:
        here = [
            entry
            for entry in self._survey.entries
            if entry.level == level and entry.key == self.key and entry.kind != "@"
        ]
        own = {entry.name for entry in here if entry.layer == self._layer and not entry.is_removal}
        removed = {entry.name for entry in here if entry.layer == self._layer and entry.is_removal}
        reach = LAYERS.index(self._layer)
        lower = {
            entry.name
            for entry in here
            if LAYERS.index(entry.layer) < reach and not (entry.fault or entry.is_removal)
        } - removed
        for name in sorted(own | lower):
            yield Change(level=level, name=name, says="" if name in lower else None)

    def _link(self, script: Script, level: Runlevel, kind: str) -> Change:
        # 100 - S number, so that stopping is the reverse of starting (RL-8).
        name = script.name if kind == "S" else f"K{min(100 - script.order, 99):02}-{script.key}"
        return Change(level=level, name=name, says=f"../../init.d/{script.name}")

    def _after(self, changes: Sequence[Change]) -> tuple[Entry, ...]:
        gone = {(change.level, change.name) for change in changes}
        kept = [
            entry
            for entry in self._survey.entries
            if entry.layer != self._layer or (entry.level, entry.name) not in gone
        ]
        made = [self._entry(change) for change in changes if change.says is not None]
        return (*kept, *made)

    def _entry(self, change: Change) -> Entry:
        return Entry(
            level=change.level,
            layer=self._layer,
            name=change.name,
            path=str(self._folder / "rc.d" / f"{change.level}.d" / change.name),
            kind="K" if change.name.startswith("K") else "S",
            key=self.key,
            target=change.says or "",
            is_removal=not change.says,
        )


def key_of(survey: Survey, named: str) -> str:
    """The key of the script meant by its key, its name or its path.  Raises UsageError when there is none."""
    name = PurePath(named).name
    known = {script.key for script in survey.scripts if script.key}
    known |= {entry.key for entry in survey.entries if entry.kind != "@"}
    for key in (name, name[4:] if name[:1] in ("S", "K") and name[3:4] == "-" else ""):
        if key in known:
            return key
    near = difflib.get_close_matches(name, sorted(known), n=1)
    hint = f" Did you mean {near[0]}?" if near else " `agentinitd rc show` lists them."
    raise UsageError(f"No init.d holds a script called {named}.{hint}")


def _speaker(survey: Survey, key: str) -> Script | None:
    """The script that has the say for its key; without one any that there is."""
    found = [script for script in survey.scripts if script.key == key]
    return next((script for script in found if script.refusal is None), found[-1] if found else None)


def _of_header(script: Script) -> list[tuple[Runlevel, str]]:
    """Where its header puts it: to be written out, because the first link takes the say from it (RL-4)."""
    starts = [(level, "S") for level in RUNLEVELS if level in script.header.default_start]
    stops = [(level, "K") for level in RUNLEVELS if level in script.header.default_stop]
    return [
        *((level, kind) for level, kind in starts if level != "shutdown"),
        *((level, kind) for level, kind in stops if level in STOPPING),
    ]


def _places(script: Script, level: Runlevel) -> list[tuple[Runlevel, str]]:
    """The ways in which one runlevel calls it: `shutdown` only stops, `switch` does both."""
    if level == "shutdown":
        return [(level, "K")]
    stops = level in STOPPING and level in script.header.default_stop
    return [(level, "S"), *([(level, "K")] if stops else [])]
