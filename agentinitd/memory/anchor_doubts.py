"""What of an anchor cannot work as it stands: a check that does not hold, a call that nobody can make."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from agentinitd.memory.checks import evaluate
from agentinitd.model.facts import Anchor

_TOOLS = (
    "Bash", "Edit", "Write", "Read", "Glob", "Grep", "WebFetch", "WebSearch", "NotebookEdit", "Task",
    "TodoWrite",
)  # fmt: skip
_OF_FILES = ("Edit", "Write")
_NEAR = 0.75
_GLOB = re.compile(r"[*?\[{]")


class Doubt(NamedTuple):
    """`rule` is one of lint's."""

    rule: Literal["check-fails", "forbid-misses", "applies-misses"]
    told: str


def doubts(anchor: Anchor, project: Path) -> Iterator[Doubt]:
    """By reading in the project only."""
    proof = evaluate(anchor, project) if anchor.check else None
    if proof is not None and not proof.is_held:
        how = "does not hold" if proof.is_held is False else "cannot be evaluated"
        yield Doubt("check-fails", f"check `{anchor.check}` {how}: {proof.reason.rstrip('.')}")
    if anchor.forbid:
        for told in _of_forbid(anchor.forbid.strip(), project):
            yield Doubt("forbid-misses", f"forbid `{anchor.forbid}`: {told}")
    for glob in anchor.applies:
        for told in _of_path(glob, project):
            yield Doubt("applies-misses", f"applies `{glob}`: {told}")


def _of_forbid(forbid: str, project: Path) -> Iterator[str]:
    call = re.match(r"([\w*.-]+)\(", forbid)
    if call is None:
        return  # a command as it is typed
    if not forbid.endswith(")"):
        yield "the closing bracket is missing"
        return
    tool, pattern = call[1], forbid[call.end() : -1].strip()
    if meant := _meant(tool):
        yield f"no tool is called {tool}, but {meant} is"
    elif tool in _OF_FILES:
        yield from _of_path(pattern, project)


def _meant(tool: str) -> str:
    """The tool that this is a misspelling of, in letters or in their size."""
    if tool in _TOOLS:
        return ""
    near = difflib.get_close_matches(tool.lower(), [each.lower() for each in _TOOLS], n=1, cutoff=_NEAR)
    return next((each for each in _TOOLS if [each.lower()] == near), "")


def _of_path(pattern: str, project: Path) -> Iterator[str]:
    """Files are compared by their path in the project.  A bare name may lie anywhere."""
    root = os.path.realpath(project)
    if pattern.startswith("/") and Path(pattern).is_relative_to(root):
        yield f"write it relative to {root}"
        return
    if ".." in Path(pattern).parts:
        yield "it leaves the project, and no path in the project is like it"
        return
    glob = _GLOB.search(pattern)
    fixed = pattern[: glob.start()].rpartition("/")[0] if glob else pattern.rstrip("/")
    is_somewhere = "/" in pattern.rstrip("/") and not pattern.startswith("/")
    if fixed and is_somewhere and not Path(root, fixed).exists():
        yield f"nothing is at {fixed} in the project"
