"""Whether the project still is as an anchor says: `check:` is proved by reading, never by running."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml

from agentinitd.disk import read_bounded
from agentinitd.memory.capture.signatures import signatures
from agentinitd.memory.staleness import GONE
from agentinitd.model.facts import Anchor

MAX_BYTES = 4 * 1024 * 1024
CHECK_FORMS = '`path FILE`, `text FILE "STRING"`, `script FILE NAME` or `symbol FILE NAME`'
_WORDS_OF = {"path": 1, "text": 2, "script": 2, "symbol": 2}
_SIGNATURE = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What became of a check.  `is_held` None: it could not be evaluated."""

    is_held: bool | None
    reason: str
    """For people: what was found, or what keeps it from being evaluated."""


class Checks:
    """Evaluates checks for a daemon: a file that did not change is not read again."""

    def __init__(self) -> None:
        self._proofs: dict[tuple[str, str, str], tuple[tuple[int, ...] | None, Proof]] = {}

    def disproved(self, anchors: Iterable[Anchor], project: Path) -> dict[str, str]:
        """Of anchors whose check failed: id → what was found."""
        proofs = {anchor.id: self.proof(anchor, project) for anchor in anchors if anchor.check}
        return {name: proof.reason for name, proof in proofs.items() if proof and proof.is_held is False}

    def proof(self, anchor: Anchor, project: Path) -> Proof | None:
        """None for an anchor without a check.  Never raises."""
        if anchor.check is None:
            return None
        key = (str(project), anchor.check, anchor.what)
        stamp = _stamp(anchor.check, project)
        known = self._proofs.get(key)
        if known is None or known[0] != stamp:
            if len(self._proofs) >= KEPT_PROOFS:
                self._proofs.clear()
            known = self._proofs[key] = (stamp, evaluate(anchor, project))
        return known[1]


KEPT_PROOFS = 2000


def words_of(check: str) -> tuple[str, ...]:
    """Kind, file and argument.  Raises ValueError with the cure for a check that is malformed."""
    try:
        kind, *rest = shlex.split(check)
    except ValueError:
        raise ValueError(f"`{check[:60]}`: a quotation mark is missing. Write {CHECK_FORMS}.") from None
    if kind not in _WORDS_OF or len(rest) != _WORDS_OF[kind] or not all(rest):
        raise ValueError(f"`{check[:60]}` is no check. Write {CHECK_FORMS}.")
    return (kind, *rest)


def evaluate(anchor: Anchor, project: Path) -> Proof:
    """Reads what the check names, inside the project only.  Never raises."""
    try:
        kind, file, *argument = words_of(anchor.check or "")
        path = _inside(project, file)
        found = path.stat()
        if kind == "path":
            return Proof(is_held=True, reason=f"{file} is there")
        if not stat.S_ISREG(found.st_mode):
            return Proof(is_held=False, reason=f"{file} is no file")
        text = read_bounded(path, MAX_BYTES).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return Proof(is_held=False, reason=f"{file} {GONE}")
    except (ValueError, OSError) as error:
        return Proof(is_held=None, reason=str(error))
    if kind == "text":
        is_there = argument[0] in text
        return Proof(is_held=is_there, reason=f"{file} {'has' if is_there else 'no longer has'} that text")
    if kind == "script":
        return _script(file, argument[0], text)
    return _symbol(file, argument[0], text, anchor.what)


def _inside(project: Path, file: str) -> Path:
    root = os.path.realpath(project)
    real = os.path.realpath(os.path.join(root, file))  # noqa: PTH118  # an absolute `file` must win, to be refused
    if not real.startswith(root.rstrip("/") + "/"):
        raise ValueError(f"`{file}` leaves the project: it is not read.")
    return Path(real)


def _stamp(check: str, project: Path) -> tuple[int, ...] | None:
    try:
        found = _inside(project, words_of(check)[1]).stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _script(file: str, name: str, text: str) -> Proof:
    """A command that a file of the project defines: of package.json, a Makefile, pyproject.toml, …"""
    read = _SCRIPTS.get(PurePosixPath(file).name.lower()) or _SCRIPTS.get(PurePosixPath(file).suffix.lower())
    if read is None:
        return Proof(is_held=None, reason=f"{file} is no file whose scripts are known")
    try:
        names = set(read(text))
    except (ValueError, yaml.YAMLError, RecursionError):
        return Proof(is_held=None, reason=f"{file} cannot be parsed")
    is_there = name in names
    return Proof(is_held=is_there, reason=f"{file} {'defines' if is_there else 'no longer defines'} {name}")


def _of_json(*keys: str) -> Callable[[str], Iterator[str]]:
    def names(text: str) -> Iterator[str]:
        yield from _below(json.loads(text), keys)

    return names


def _below(value: object, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    yield from (str(name) for name in (value if isinstance(value, Mapping) else ()))


_TOML_TABLES = (
    "project scripts", "tool poetry scripts", "tool pdm scripts", "tool poe tasks",
    "tool hatch envs default scripts", "tool taskipy tasks", "tool pixi tasks", "tasks", "alias",
)  # fmt: skip


def _of_toml(text: str) -> Iterator[str]:
    value = tomllib.loads(text)
    for keys in _TOML_TABLES:
        yield from _below(value, tuple(keys.split()))


def _of_make(text: str) -> Iterator[str]:
    for found in re.finditer(
        r"^([A-Za-z0-9_][^\s:=#]*(?:[ \t]+[^\s:=#]+)*)[ \t]*::?(?!=)", text, re.MULTILINE
    ):
        yield from found[1].split()


def _of_just(text: str) -> Iterator[str]:
    yield from re.findall(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:\n]*)?:(?!=)", text, re.MULTILINE)


def _of_taskfile(text: str) -> Iterator[str]:
    yield from _below(yaml.safe_load(text), ("tasks",))


_SCRIPTS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "package.json": _of_json("scripts"),
    "composer.json": _of_json("scripts"),
    "deno.json": _of_json("tasks"),
    ".toml": _of_toml,
    "makefile": _of_make,
    "gnumakefile": _of_make,
    ".mk": _of_make,
    "justfile": _of_just,
    ".justfile": _of_just,
    "taskfile.yml": _of_taskfile,
    "taskfile.yaml": _of_taskfile,
}


def _symbol(file: str, name: str, text: str, what: str) -> Proof:
    """Whether the name is defined there; where the anchor tells its signature, whether that is still so."""
    bare = name.rpartition(".")[2]
    now = next((each for each in signatures(text, file).values() if each.name in (name, bare)), None)
    told = next(
        (part for part in _SIGNATURE.findall(what) if re.match(rf"(?:\w+\.)*{re.escape(bare)}\(", part)), ""
    )
    if now and told and _squeezed(told) not in _squeezed(now.text):
        return Proof(is_held=False, reason=f"in {file} it is now `{now.text}`")
    is_there = bool(now) or bool(_definition(bare).search(text))
    return Proof(is_held=is_there, reason=f"{file} {'defines' if is_there else 'no longer defines'} {name}")


def _squeezed(signature: str) -> str:
    return re.sub(r"\s+|,(?=\s*\))", "", signature)


_DEFINES = (
    r"def|class|function\*?|const|let|var|func|fn|struct|type|interface|enum|trait|impl|module|mod|record"
    r"|object|val|fun|CREATE TABLE|message|service|rpc"
)


def _definition(name: str) -> re.Pattern[str]:
    quoted = re.escape(name)
    return re.compile(
        rf"\b(?:{_DEFINES})\s+(?:\([^)\n]*\)\s*)?{quoted}\b|#define\s+{quoted}\b|^\s*{quoted}\s*(?::[^=\n]+)?=(?!=)"
        rf"|^\s*(?:[\w<>\[\]*&:]+\s+)+\*?{quoted}\s*\(",
        re.MULTILINE,
    )
