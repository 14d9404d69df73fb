"""The block between two `---` at the top of a memory file.  Only `last_updated` means something to us."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import yaml

from agentinitd.memory.fields import instant
from agentinitd.model.facts import Problem

_LIMIT_CHARS = 64 * 1024
# Nodes, not values: a node keeps its text, so `no`, `12:30` and `010` are never turned into something else.
_LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FrontMatter(NamedTuple):
    """What the block says, and the index of the first line behind it."""

    written_at: float | None
    end: int


def read_front_matter(lines: Sequence[str], file: str) -> tuple[FrontMatter, list[Problem]]:
    """Never raises: a block that cannot be read is named, and the items below it are served all the same."""
    start = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[start].rstrip() != "---":
        return FrontMatter(None, 0), []
    ends = (index for index in range(start + 1, len(lines)) if lines[index].rstrip() in ("---", "..."))
    end = next(ends, None)
    if end is None:
        message = "the front matter has no end. Close it with a line `---`."
        return FrontMatter(None, start + 1), [Problem(file=file, line=start + 1, message=message)]
    written_at, faults = _written_at("\n".join(lines[start + 1 : end]))
    problems = [Problem(file=file, line=start + 2 + line, message=message) for line, message in faults]
    return FrontMatter(written_at, end + 1), problems


def _written_at(text: str) -> tuple[float | None, list[tuple[int, str]]]:
    """The time, and faults as (line from 0, message)."""
    cure = "Correct the YAML between the two `---`, or remove it."
    if len(text) > _LIMIT_CHARS:
        return None, [(0, f"the front matter is longer than {_LIMIT_CHARS:,} characters. {cure}")]
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        return None, [(line, f"the front matter is not YAML: {error.problem}. {cure}")]
    except (yaml.YAMLError, ValueError, RecursionError):
        return None, [(0, f"the front matter is not YAML. {cure}")]
    if node is None:
        return None, []
    if not isinstance(node, yaml.MappingNode):
        return None, [(0, f"the front matter is not a list of `key: value`. {cure}")]
    return _last_updated(node)


def _last_updated(node: yaml.MappingNode) -> tuple[float | None, list[tuple[int, str]]]:
    entries = [value for key, value in node.value if key.value == "last_updated"]
    if not entries or entries[0].value in ("", "null", "~"):
        return None, []
    line = entries[-1].start_mark.line
    if len(entries) > 1:
        return None, [(line, "last_updated comes a second time. Keep one of the two.")]
    try:
        return instant(str(entries[0].value)), []
    except ValueError as error:
        return None, [(line, f"last_updated: `{str(entries[0].value)[:60]}` {error}")]
