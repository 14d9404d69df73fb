"""Config files: found, read and laid over each other (supervision.md OVR-7)."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from agentinitd.daemon.paths import Places
from agentinitd.disk import read_bounded
from agentinitd.model.config import PROJECT_KEYS, Config, Finding, apply, checked
from agentinitd.model.errors import NotConfigured

CONFIG_LIMIT_BYTES = 64 * 1024
PROJECT_CONFIG_LIMIT_BYTES = 16 * 1024
"""It comes with the repository, and is read while hooks wait."""
PROJECT_CONFIG = ".agent-memory/config.yaml"

_Stamp = tuple[int, int, int] | None
RELOAD = "agentinitd reload, after mending the file"
"""The cure for the user's own files; those of projects are read again by themselves."""
DROP_IN_NAME = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\.yaml")
"""No other dot: what editors, packagers and file managers leave behind is not read (supervision.md NAM-1)."""


_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):  # type: ignore[misc, valid-type]  # ten times as fast where libyaml is there
    """YAML takes the last of two equal keys, and 0500 for 320, without a word; a config file must not."""

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        number: int = super().construct_yaml_int(node)
        if re.fullmatch(r"[-+]?(0[0-9_]+|.*:.*)", node.value):
            problem = f"YAML takes {node.value} for {number}; write it as a plain number"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return number

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                mark = key_node.start_mark
                raise yaml.MarkedYAMLError(problem=f"{key} is given twice", problem_mark=mark)
            if isinstance(key, Hashable):
                seen.add(key)
        found: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return found


_StrictLoader.add_constructor("tag:yaml.org,2002:int", _StrictLoader.construct_yaml_int)


class Settings:
    """The config in force.  A file that cannot be used leaves the older one standing, and is named."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.config = Config()
        self.error = ""
        self.warning = ""
        """Keys that counted for nothing (supervision.md DMN-7)."""
        self._projects: dict[Path, _OfProject] = {}

    def load(self) -> str:
        """Reads the user's files.  Gives what is wrong with them, empty when nothing is."""
        try:
            self.config = load_config(self._places)
            self.error = ""
        except NotConfigured as error:
            self.error = str(error)
        self.warning = _ignored(look_through(self._places, None))
        self._projects.clear()
        return self.error

    def of(self, project: Path | None) -> Config:
        """For the sessions of this project; read again whenever its config.yaml changed."""
        return self._of(project).config if project else self.config

    def project_errors(self) -> list[str]:
        return [known.error for known in self._projects.values() if known.error]

    def project_warnings(self) -> list[str]:
        return [known.warning for known in self._projects.values() if known.warning]

    def _of(self, project: Path) -> _OfProject:
        stamp = _stamp(project / PROJECT_CONFIG)
        known = self._projects.get(project)
        if known is not None and known.stamp == stamp:
            return known
        try:
            config, error = project_config(self.config, project), ""
        except NotConfigured as refused:
            config, error = known.config if known else self.config, str(refused)
        warning = _ignored(_findings(project / PROJECT_CONFIG, project)) if stamp else ""
        found = self._projects[project] = _OfProject(stamp, config, error, warning)
        return found


@dataclass(frozen=True, slots=True)
class _OfProject:
    """The config of a project, as its file was."""

    stamp: _Stamp
    config: Config
    error: str
    warning: str


def _stamp(path: Path) -> _Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def load_config(places: Places) -> Config:
    """System, then user, then the user's drop-ins, over the vendor defaults.

    Raises NotConfigured naming each faulty file, the place and the cure; the caller keeps the config it has.
    """
    config = Config()
    faults: list[str] = []
    for path in _user_files(places):
        try:
            config = apply(config, read_yaml(path), source=str(path))
        except NotConfigured as error:
            faults.append(str(error))
    if faults:
        raise NotConfigured("; also ".join(faults))
    return config


def project_config(config: Config, project: Path) -> Config:
    """`config` with what the project may change for its own sessions.  Raises NotConfigured."""
    raw = _project_yaml(project)
    return apply(config, raw, source=str(project / PROJECT_CONFIG), allowed=PROJECT_KEYS)


def _project_yaml(project: Path) -> Mapping[object, object]:
    path = project / PROJECT_CONFIG
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(project)):
        raise NotConfigured(f"{path}: leads out of the project and is not read. Put a file there.")
    return read_yaml(path, limit_bytes=PROJECT_CONFIG_LIMIT_BYTES)


def look_through(places: Places, project: Path | None) -> Iterator[tuple[Path, Finding]]:
    """What is to be said of the config files; without a key it is said of the whole file."""
    for path in _user_files(places):
        yield from _findings(path)
    if project is not None:
        yield from _findings(project / PROJECT_CONFIG, project)


def _findings(path: Path, project: Path | None = None) -> Iterator[tuple[Path, Finding]]:
    try:
        raw = read_yaml(path) if project is None else _project_yaml(project)
    except NotConfigured as error:
        yield path, Finding(key="", told=str(error).removeprefix(f"{path}: "), is_fault=True)
        return
    for finding in checked(raw, allowed=None if project is None else PROJECT_KEYS)[1]:
        yield path, finding


def _ignored(findings: Iterable[tuple[Path, Finding]]) -> str:
    return "; also ".join(f"{path}: {each.text}" for path, each in findings if not each.is_fault)


def unread_drop_ins(places: Places) -> list[Path]:
    """Files beside the drop-ins that are not read, by their name (supervision.md OVR-7)."""
    found = sorted((places.config_dir / "agentinitd.d").glob("*"))
    return [path for path in found if not DROP_IN_NAME.fullmatch(path.name)]


def _user_files(places: Places) -> list[Path]:
    found = sorted(places.config_dir.glob("agentinitd.d/*.yaml"))
    drop_ins = [path for path in found if DROP_IN_NAME.fullmatch(path.name)]
    return [places.system_dir / "agentinitd.yaml", places.user_config_file, *drop_ins]


def read_yaml(path: Path, *, limit_bytes: int = CONFIG_LIMIT_BYTES) -> Mapping[object, object]:
    """The mapping in `path`; an absent or empty file is an empty one.  Raises NotConfigured."""
    try:
        text = read_bounded(path, limit_bytes).decode("utf-8-sig")
        found = yaml.load(text, Loader=_StrictLoader)
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise NotConfigured(f"{path}: cannot be read: {error}. Mend or remove the file.") from error
    except yaml.YAMLError as error:
        raise NotConfigured(f"{path}: {_where(error)}. Mend the line and reload.") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise NotConfigured(f"{path}: expected `key: value` lines, found {type(found).__name__}.")
    return found


def _where(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = " ".join(str(getattr(error, "problem", None) or error).split())
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}" if mark else problem
