"""Where scripts come from: four layers, read once for a run, every file judged, none in silence."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH116, PTH118, PTH119, PTH120

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agentinitd.model.errors import PermissionRefused
from agentinitd.model.scripts import Header, LayerName, Script
from agentinitd.rc import entries, header, names, shadowing
from agentinitd.rc.checkout import TrustRoot, trust_root
from agentinitd.rc.ownership import Ownership
from agentinitd.rc.trust import Candidate, Trust

MEMORY_FOLDER = ".agent-memory"
MOST_FILES = 512


@dataclass(frozen=True, slots=True)
class Layer:
    """One place scripts come from; the folder holds `init.d/`, `rc.d/` and `overrides/`, or some of them."""

    name: LayerName
    folder: Path


@dataclass(frozen=True, slots=True)
class Project:
    """A project as its scripts are judged: all of them are refused with `fault`, if there is one (TRU-11)."""

    root: str
    """Real path."""
    trust_root: TrustRoot
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What is the same for every file of one survey."""

    trust: Trust
    ownership: Ownership
    project: Project | None = None
    timeout_seconds: float = 5.0
    overrides: Sequence[Layer] = field(default=())
    is_trusting: bool = False
    """Whatever nobody decided on counts as approved: for lint, which runs nothing of it."""

    def rules(self, layer: Layer) -> entries.Rules:
        return entries.Rules(
            ownership=self.ownership,
            within=self.project.root if layer.name == "project" and self.project else None,
            is_root_allowed=layer.name != "user",
            is_large_allowed=layer.name != "project",
        )


def standard(*, vendor: Path, system: Path, user: Path, project_root: Path | None) -> tuple[Layer, ...]:
    """The four layers, from the weakest to the strongest (supervision.md section 1)."""
    own = (Layer("vendor", vendor), Layer("system", system), Layer("user", user))
    return own if project_root is None else (*own, Layer("project", project_root / MEMORY_FOLDER))


def judge(
    layers: Sequence[Layer],
    *,
    trust: Trust,
    uid: int,
    project_root: Path | None,
    timeout_seconds: float = 5.0,
) -> Judge:
    """A judge for one survey: what it looks up about folders and groups holds for that one only."""
    return Judge(
        trust=trust,
        ownership=Ownership(uid),
        project=None if project_root is None else _project(project_root, uid),
        timeout_seconds=timeout_seconds,
        overrides=[layer for layer in layers if layer.name != "project"],
    )


def _project(project_root: Path, uid: int) -> Project:
    real = os.path.realpath(project_root)
    try:
        owner = os.stat(real).st_uid
        found = trust_root(project_root, uid)
    except OSError as error:
        return Project(real, TrustRoot(real, real), f"{real}: {error.strerror}")
    fault = f"the project folder {real} belongs to uid {owner}, not to you" if owner != uid else None
    return Project(real, found, fault)


def scripts(layers: Sequence[Layer], by: Judge, *, project_override: bool = False) -> tuple[Script, ...]:
    """Every file of every `init.d/` with its verdict, in running order.  Raises nothing for a bad file."""
    found = [script for layer in layers for script in _scan(layer, by)]
    allowed = frozenset(
        script.path
        for script in found
        if script.layer == "project" and script.key in _displaced_by_approval(script, by)
    )
    return shadowing.settle(found, project_override=project_override, may_displace=allowed)


def _displaced_by_approval(script: Script, by: Judge) -> tuple[str, ...]:
    if script.refusal is not None and script.refusal[0] != "masked":
        return ()
    if by.is_trusting:
        return (script.key,)
    wanted = candidate(Path(script.path), by)
    record = by.trust.approval(wanted) if wanted else None
    return record.displaced if record else ()


def _scan(layer: Layer, by: Judge) -> Iterator[Script]:
    path = os.path.join(layer.folder, "init.d")
    try:
        with entries.opened(path) as folder:
            if layer.name == "project" and by.project and not entries.is_inside(folder.path, by.project.root):
                yield _unusable(layer, path, f"init.d leads out of the project, to {folder.path}")
                return
            # Those that may be scripts first: no heap of other files may crowd them out.
            listed = sorted(folder.names(), key=lambda name: names.parse(name) is None)
            for name in listed[:MOST_FILES]:
                script = _judged(layer, folder, name, by)
                if script is not None:
                    yield script
            if len(listed) > MOST_FILES:
                left = len(listed) - MOST_FILES
                yield _unusable(layer, path, f"too full: {left:,} more files in it were not looked at")
    except FileNotFoundError:
        if Path(path).is_symlink():
            yield _unusable(layer, path, "dangling link")
    except OSError as error:
        yield _unusable(layer, path, f"cannot be read: {error.strerror}")


def _unusable(layer: Layer, path: str, reason: str) -> Script:
    return Script(name="init.d", key="", order=0, layer=layer.name, path=path, refusal=("refused", reason))


def _judged(layer: Layer, folder: entries.Folder, name: str, by: Judge) -> Script | None:
    parsed = names.parse(name)
    path = os.path.join(layer.folder, "init.d", name)
    if parsed is None or parsed.kind == "K":
        return _ignored(layer, folder, name, path, by)
    found = entries.read(folder, name, by.rules(layer))
    if found.is_folder:
        return _set_aside(layer, name, path, "directory")
    script = Script(
        name=name,
        key=parsed.key,
        order=parsed.order,
        layer=layer.name,
        path=path,
        sha256=found.sha256,
    )
    if layer.name == "project" and by.project and by.project.fault:
        return replace(script, refusal=("refused", by.project.fault))
    if found.fault:
        return replace(script, refusal=("refused", found.fault))
    script = replace(script, header=_header(layer, name, parsed, found, by))
    return _approved(script, found, by) if layer.name == "project" else _runnable(script, found)


def _ignored(layer: Layer, folder: entries.Folder, name: str, path: str, by: Judge) -> Script | None:
    reason = names.why_ignored(name)
    if reason is None or entries.read(folder, name, by.rules(layer)).is_folder:
        return None
    return _set_aside(layer, name, path, reason)


def _set_aside(layer: Layer, name: str, path: str, reason: str) -> Script:
    return Script(
        name=names.shown(name), key="", order=0, layer=layer.name, path=path, refusal=("ignored", reason)
    )


def _runnable(script: Script, found: entries.Found) -> Script:
    if found.is_mask:
        return replace(script, refusal=("masked", f"switched off in the {script.layer} layer"))
    if not found.is_executable:
        return replace(script, refusal=("skipped", "not executable"))
    return replace(script, executable=found.real)


def _approved(script: Script, found: entries.Found, by: Judge) -> Script:
    """A project's script: as any other, but only with an approval, and run from the private copy."""
    assert by.project is not None
    judged = _runnable(script, found)
    wanted = _candidate(script, found, by)
    if isinstance(wanted, str):
        return replace(script, refusal=("refused", wanted))
    if by.trust.is_denied(wanted):
        # As the person wants it: no fault, and so no failure.
        return replace(
            script,
            refusal=("skipped", "denied by you; to approve it: agentinitd trust " + shlex.quote(script.path)),
        )
    if by.is_trusting or (judged.refusal and judged.refusal[0] == "skipped"):
        return judged
    if by.trust.approval(wanted) is None:
        return replace(
            script,
            refusal=("pending-trust", f"not approved. Cure: agentinitd trust {shlex.quote(script.path)}"),
        )
    return judged if found.is_mask else _copied(judged, wanted, by)


def _copied(script: Script, wanted: Candidate, by: Judge) -> Script:
    try:
        return replace(script, executable=by.trust.executable(wanted))
    except (OSError, PermissionRefused) as error:
        return replace(script, executable="", refusal=("refused", f"no private copy could be made: {error}"))


def candidate(path: Path, by: Judge) -> Candidate | None:
    """What an approval of this project script would cover; None when it cannot be approved at all."""
    parsed = names.parse(path.name)
    if by.project is None or by.project.fault or parsed is None:
        return None
    layer = Layer("project", path.parent.parent)
    try:
        with entries.opened(str(path.parent)) as folder:
            found = entries.read(folder, path.name, by.rules(layer))
    except OSError:
        return None
    if found.fault or found.is_folder:
        return None
    script = Script(name=path.name, key=parsed.key, order=parsed.order, layer="project", path=str(path))
    wanted = _candidate(replace(script, header=_header(layer, path.name, parsed, found, by)), found, by)
    return None if isinstance(wanted, str) else wanted


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a script, and where its header stands: in itself, or in an override."""

    data: bytes
    header_path: str
    header: bytes


def source(script: Script, found: Sequence[Layer], by: Judge) -> Source | None:
    """Read again, for lint; None when it cannot be read."""
    layer = next(layer for layer in found if layer.name == script.layer)
    try:
        with entries.opened(os.path.join(layer.folder, "init.d")) as folder:
            read = entries.read(folder, script.name, by.rules(layer))
    except OSError:
        return None
    if read.fault or read.is_folder:
        return None
    path, text = _override_of(layer, script.name, by) or (script.path, read.data)
    return Source(read.data, path, text)


def _candidate(script: Script, found: entries.Found, by: Judge) -> Candidate | str:
    """The candidate, or why there can be none."""
    assert by.project is not None
    also: list[tuple[str, str]] = []
    for wanted in script.header.trust_also:
        told = _hash_inside(os.path.join(by.project.root, wanted), by)
        if told is None:
            return f"X-Agentinitd-Trust-Also: {wanted} cannot be read, or lies outside the project"
        also.append((wanted, told))
    override = _override(Path(script.path).parents[1], script.name, by, is_project=True)
    if override is not None:
        also.append((f"overrides/{script.name}", hashlib.sha256(override).hexdigest()))
    place = os.path.join(by.project.root, MEMORY_FOLDER, "init.d", script.name)
    return Candidate(
        root=by.project.trust_root.root,
        relative=os.path.relpath(place, by.project.trust_root.top),
        path=script.path,
        name=script.name,
        data=found.data,
        is_executable=found.is_executable,
        also=tuple(also),
    )


def _hash_inside(path: str, by: Judge) -> str | None:
    assert by.project is not None
    real = os.path.realpath(path)
    if not entries.is_inside(real, by.project.root):
        return None
    try:
        with entries.opened(os.path.dirname(real)) as folder:
            rules = entries.Rules(ownership=by.ownership, within=by.project.root)
            found = entries.read(folder, os.path.basename(real), rules)
    except OSError:
        return None
    return None if found.fault or found.is_folder else found.sha256


def _header(layer: Layer, name: str, parsed: names.ScriptName, found: entries.Found, by: Judge) -> Header:
    override = _override_of(layer, name, by)
    if override is not None:
        return header.parse(override[1], key=parsed.key, timeout_seconds=by.timeout_seconds)
    if found.is_mask:
        return Header()
    return header.parse(found.data, key=parsed.key, timeout_seconds=by.timeout_seconds)


def _override_of(layer: Layer, name: str, by: Judge) -> tuple[str, bytes] | None:
    """Path and bytes of the header that replaces the script's own; the strongest layer's (OVR-6)."""
    own = [layer] if layer.name == "project" else [
        over for over in reversed(by.overrides)
        if shadowing.LAYERS.index(over.name) >= shadowing.LAYERS.index(layer.name)
    ]  # fmt: skip
    for over in own:
        text = _override(over.folder, name, by, is_project=over.name == "project")
        if text is not None:
            return os.path.join(over.folder, "overrides", name), text
    return None


def _override(folder: Path, name: str, by: Judge, *, is_project: bool) -> bytes | None:
    try:
        with entries.opened(os.path.join(folder, "overrides")) as place:
            within = by.project.root if is_project and by.project else None
            found = entries.read(place, name, entries.Rules(ownership=by.ownership, within=within))
    except OSError:
        return None
    return None if found.fault or found.is_folder or found.is_mask else found.data
