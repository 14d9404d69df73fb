"""Config files: found, read and laid over each other (supervision.md OVR-7)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from agentinitd.daemon.paths import Places
from agentinitd.disk import read_bounded
from agentinitd.model.config import PROJECT_KEYS, Config, apply
from agentinitd.model.errors import NotConfigured

CONFIG_LIMIT_BYTES = 256 * 1024


class _StrictLoader(yaml.SafeLoader):
    """YAML silently takes the last of two equal keys; a config file must not."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                mark = key_node.start_mark
                raise yaml.MarkedYAMLError(problem=f"{key} is given twice", problem_mark=mark)
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep)


def load_config(places: Places) -> Config:
    """System, then user, then the user's drop-ins, over the vendor defaults.

    Raises NotConfigured naming file, place and cure; the caller keeps the config it has.
    """
    config = Config()
    for path in _user_files(places):
        config = apply(config, read_yaml(path), source=str(path))
    return config


def project_config(config: Config, project: Path) -> Config:
    """`config` with what the project may change for its own sessions.  Raises NotConfigured."""
    path = project / ".agent-memory" / "config.yaml"
    return apply(config, read_yaml(path), source=str(path), allowed=PROJECT_KEYS)


def _user_files(places: Places) -> list[Path]:
    drop_ins = sorted(places.config_dir.glob("agentinitd.d/*.yaml"))
    return [places.system_dir / "agentinitd.yaml", places.user_config_file, *drop_ins]


def read_yaml(path: Path) -> Mapping[object, object]:
    """The mapping in `path`; an absent or empty file is an empty one.  Raises NotConfigured."""
    try:
        text = read_bounded(path, CONFIG_LIMIT_BYTES).decode("utf-8-sig")
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
    problem = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}" if mark else str(problem)
