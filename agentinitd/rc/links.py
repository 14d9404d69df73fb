"""Reading `rc.d/`: links in three forms, removals, stacked levels, and their approval (RL-1 to 4)."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH117, PTH118, PTH119, PTH120

from __future__ import annotations

import contextlib
import difflib
import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from agentinitd.model.scripts import RUNLEVELS, Runlevel, Script
from agentinitd.rc import entries, names, shadowing
from agentinitd.rc.layers import MEMORY_FOLDER, MOST_FILES, Judge, Layer
from agentinitd.rc.runlevels import Entry
from agentinitd.rc.trust import Candidate

_LONGEST_LINK = 4096
_LEVELS: dict[str, Runlevel] = {level: level for level in RUNLEVELS}


def read(
    layers: Sequence[Layer], scripts: Sequence[Script], by: Judge, *, project_override: bool = False
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Every entry of every `rc.d/`, and what else lies there.  An entry that is not followed says why."""
    found: list[Entry] = []
    findings: list[str] = []
    for layer in layers:
        for level, path in _level_folders(layer, by, findings):
            found += [_judged(entry, layers, scripts) for entry in _scan(layer, level, path, by, findings)]
    return tuple(_permitted(entry, scripts, by, project_override=project_override) for entry in found), tuple(
        findings
    )


def candidate(entry: Entry, by: Judge) -> Candidate | None:
    """What an approval of this entry of a project's `rc.d/` would cover."""
    if by.project is None or by.project.fault:
        return None
    place = os.path.join(by.project.root, MEMORY_FOLDER, "rc.d", f"{entry.level}.d", entry.name)
    says = "removal" if entry.is_removal else f"link {entry.target}" if entry.target else "stack"
    return Candidate(
        root=by.project.trust_root.root,
        relative=os.path.relpath(place, by.project.trust_root.top),
        path=entry.path,
        name=entry.name,
        data=says.encode("utf-8", "surrogateescape") + b"\n",
        is_executable=False,
    )


def _level_folders(layer: Layer, by: Judge, findings: list[str]) -> Iterator[tuple[Runlevel, str]]:
    try:
        with entries.opened(os.path.join(layer.folder, "rc.d")) as folder:
            listed = folder.names()[:MOST_FILES]
            inside = (
                by.project is None
                or layer.name != "project"
                or entries.is_inside(folder.path, by.project.root)
            )
    except OSError:
        return
    if not inside:
        findings.append(f"error: {layer.folder}/rc.d: leads out of the project")
        return
    for name in listed:
        level = _LEVELS.get(name.removesuffix(".d")) if name.endswith(".d") else None
        if level is not None:
            yield level, os.path.join(layer.folder, "rc.d", name)
        elif names.why_ignored(name) is not None:
            near = difflib.get_close_matches(name, [f"{known}.d" for known in RUNLEVELS], n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            findings.append(f"warning: {layer.folder}/rc.d/{names.shown(name)}: no such runlevel{hint}")


def _scan(layer: Layer, level: Runlevel, path: str, by: Judge, findings: list[str]) -> Iterator[Entry]:
    try:
        with entries.opened(path) as folder:
            if layer.name == "project" and by.project and not entries.is_inside(folder.path, by.project.root):
                findings.append(f"error: {path}: leads out of the project")
                return
            for name in folder.names()[:MOST_FILES]:
                entry = _entry(layer, level, os.path.join(path, name), name)
                if entry is not None:
                    yield _read(entry, folder, layer, by)
                elif (reason := names.why_ignored(name)) is not None:
                    findings.append(f"warning: {path}/{names.shown(name)}: ignored: {reason}")
    except OSError as error:
        findings.append(f"error: {path}: cannot be read: {error.strerror}")


def _entry(layer: Layer, level: Runlevel, path: str, name: str) -> Entry | None:
    parsed = names.parse(name)
    if parsed is not None:
        return Entry(level=level, layer=layer.name, name=name, path=path, kind=parsed.kind, key=parsed.key)
    if name.startswith("@"):
        fault = "" if name[1:] in _LEVELS else f"error: no runlevel {names.shown(name[1:])}"
        entry = Entry(
            level=level, layer=layer.name, name=name, path=path, kind="@", key=name[1:], fault=fault
        )
        return replace(entry, name=names.shown(name))
    return None


def _read(entry: Entry, folder: entries.Folder, layer: Layer, by: Judge) -> Entry:
    """The entry with what it says, in whichever form (RL-2)."""
    if entry.fault:
        return entry
    try:
        found = os.lstat(entry.name, dir_fd=folder.descriptor)
        fault = by.ownership.folder_fault(folder.path, found.st_uid)
        if fault:
            return replace(entry, fault=f"error: {fault}")
        if stat.S_ISLNK(found.st_mode):
            target = os.readlink(entry.name, dir_fd=folder.descriptor)
            return replace(entry, target=target) if target != os.devnull else replace(entry, is_removal=True)
        return _read_file(entry, folder, layer, by)
    except OSError as error:
        return replace(entry, fault=f"error: cannot be read: {error.strerror}")


def _read_file(entry: Entry, folder: entries.Folder, layer: Layer, by: Judge) -> Entry:
    found = entries.read(folder, entry.name, by.rules(layer))
    if found.fault or found.is_folder:
        return replace(entry, fault=f"error: {found.fault or 'a folder'}")
    if found.is_mask:
        return entry if entry.kind == "@" else replace(entry, is_removal=True)
    if found.is_executable:
        return _read_copy(entry, found, layer, by)
    line, _, rest = found.data.partition(b"\n")
    if rest or len(line) > _LONGEST_LINK or b"\0" in line or entry.kind == "@":
        return replace(entry, fault="error: real file in rc.d")
    return replace(entry, target=line.decode("utf-8", "surrogateescape").strip())


def _read_copy(entry: Entry, found: entries.Found, layer: Layer, by: Judge) -> Entry:
    """An executable copy of the script of that key counts as a link: what some tools make of links."""
    with contextlib.suppress(OSError), entries.opened(os.path.join(layer.folder, "init.d")) as scripts:
        for name in scripts.names():
            parsed = names.parse(name)
            if (
                parsed
                and parsed.key == entry.key
                and entries.read(scripts, name, by.rules(layer)).data == found.data
            ):
                return replace(entry, target=f"../../init.d/{name}")
    return replace(entry, fault="error: real file in rc.d")


def _judged(entry: Entry, layers: Sequence[Layer], scripts: Sequence[Script]) -> Entry:
    """With a fault unless it leads to a script of the same key, of the same or a lower layer (RL-1)."""
    if entry.fault or not entry.target:
        return entry
    if os.path.isabs(entry.target):
        return replace(entry, fault="error: links are relative")
    reach = shadowing.LAYERS.index(entry.layer)
    folders = [layer.folder for layer in layers if shadowing.LAYERS.index(layer.name) <= reach]
    if not _leads_to_init_d(entry, folders):
        return replace(entry, fault="error: leads to no init.d of this or a lower layer")
    parsed = names.parse(os.path.basename(entry.target))
    if parsed is None or parsed.key != entry.key:
        return replace(
            entry, fault=f"error: the link is called {entry.key}, but leads to {names.shown(entry.target)}"
        )
    if not any(
        script.key == entry.key and shadowing.LAYERS.index(script.layer) <= reach for script in scripts
    ):
        return replace(entry, fault=f"error: dangling: no init.d holds {entry.key}")
    return entry


def _leads_to_init_d(entry: Entry, folders: Sequence[Path]) -> bool:
    place = os.path.dirname(os.path.join(os.path.dirname(entry.path), entry.target))
    meant = {os.path.normpath(place), os.path.realpath(place)}
    known = [os.path.join(folder, "init.d") for folder in folders]
    return any(meant & {os.path.normpath(folder), os.path.realpath(folder)} for folder in known)


def _permitted(entry: Entry, scripts: Sequence[Script], by: Judge, *, project_override: bool) -> Entry:
    """A project's entry about more than the project's own scripts needs an approval of its own."""
    if entry.layer != "project" or entry.fault or _is_own(entry, scripts):
        return entry
    wanted = candidate(entry, by)
    if wanted is None or by.project is None or by.project.fault:
        return replace(entry, fault=f"refused: {by.project.fault if by.project else 'no project'}")
    if by.trust.is_denied(wanted):
        return replace(entry, fault="refused: denied by you")
    if by.is_trusting:
        return entry
    record = by.trust.approval(wanted)
    if record is None:
        return replace(
            entry,
            is_pending=True,
            fault=f"pending-trust: not approved. Cure: agentinitd trust {shlex.quote(entry.path)}",
        )
    is_others = any(script.key == entry.key and script.layer in {"system", "user"} for script in scripts)
    if is_others and not project_override and entry.key not in record.displaced:
        return replace(entry, fault=f"refused: displaces your own script {entry.key}")
    return entry


def _is_own(entry: Entry, scripts: Sequence[Script]) -> bool:
    winner = next(
        (script for script in scripts if script.key == entry.key and shadowing.counts(script)), None
    )
    is_pending = any(
        script.key == entry.key and script.layer == "project" and script.refusal for script in scripts
    )
    if winner is None:
        return entry.kind != "@" and is_pending
    return winner.layer == "project"
