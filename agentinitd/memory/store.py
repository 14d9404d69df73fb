"""The memory of a project as its files have it now.  A file is read again only when it changed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agentinitd.disk import read_bounded
from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.contraries import open_contraries, written_later
from agentinitd.memory.decisions import (
    newest_first,
    open_claims,
    open_conflicts,
    restorers_of,
    served,
    standing,
)
from agentinitd.memory.folder import DEFAULT_STATE, MAX_FILE_BYTES, MemoryFile, Stamp, memory_files
from agentinitd.memory.language import language_of
from agentinitd.memory.project import is_safe_task_id
from agentinitd.memory.task_state import State, parse_task_state, served_state
from agentinitd.model.facts import Anchor, Memory, Problem

# Two writes within one tick of the file system's clock look like one: so young a file is not cached.
_YOUNG_SECONDS = 0.1
_CACHED_FILES = 512
_CACHED_MEMORIES = 64


class _Content(NamedTuple):
    """What one file says: anchors, or a task state."""

    anchors: tuple[Anchor, ...] = ()
    state: State | None = None
    problems: tuple[Problem, ...] = ()


class MemoryStore:
    """Reads memories for a daemon; an unchanged one costs a few `stat` calls.  Threads may share it."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._contents: OrderedDict[Path, tuple[Stamp | None, _Content]] = OrderedDict()
        self._memories: OrderedDict[tuple[str, str | None], tuple[list[MemoryFile], Memory]] = OrderedDict()

    def load(self, project: Path, task_id: str | None = None) -> Memory:
        """What a session bound to this task is served; the same object while nothing changes.

        Never raises: what cannot be used stands in `problems`.
        """
        with self._lock:
            key = (str(project), task_id)
            files = memory_files(project, task_id)
            cached = self._memories.pop(key, None)
            if not cached or cached[0] != files:
                cached = (files, _memory([self._content(file) for file in files], files, task_id))
            if not any(self._is_young(file) for file in files):
                _keep(self._memories, key, cached, _CACHED_MEMORIES)
            return cached[1]

    def _content(self, file: MemoryFile) -> _Content:
        if file.stamp is None:
            return _Content(problems=(file.problem,) if file.problem else ())
        cached = self._contents.pop(file.path, None)
        if not cached or cached[0] != file.stamp:
            cached = (file.stamp, _read(file, cached[1].anchors if cached else ()))
        stamp = None if self._is_young(file) else file.stamp  # None: it is read again in any case
        _keep(self._contents, file.path, (stamp, cached[1]), _CACHED_FILES)
        return cached[1]

    def _is_young(self, file: MemoryFile) -> bool:
        now = self._now()
        return any(abs(now - nanoseconds / 1e9) < _YOUNG_SECONDS for nanoseconds in (file.stamp or ())[3:])


def recorded(project: Path, task_id: str | None = None) -> list[Anchor]:
    """Every anchor of the project and of this task as it stands, whether or not it holds; each fact once."""
    files = memory_files(project, task_id)
    contents = (_read(file) for file in files if file.stamp is not None and not file.name.endswith(".json"))
    return _distinct(anchor for content in contents for anchor in content.anchors)[0]


def unusable(project: Path, task_id: str | None = None) -> list[Problem]:
    """Files of anchors that cannot be read at all, and why."""
    files = [file for file in memory_files(project, task_id) if not file.name.endswith(".json")]
    problems = [(file.problem,) if file.stamp is None else _read(file).problems for file in files]
    return [problem for found in problems for problem in found if problem and not problem.line]


def changed_at(files: Iterable[MemoryFile]) -> dict[str, float]:
    """When each was written last, by its name."""
    return {file.name: file.stamp[3] / 1e9 for file in files if file.stamp is not None}


def _keep(cache: OrderedDict[Any, Any], key: object, value: object, limit: int) -> None:
    cache[key] = value
    while len(cache) > limit:
        cache.popitem(last=False)


def _read(file: MemoryFile, before: Sequence[Anchor] = ()) -> _Content:
    """What did not change stays the same object: sessions hold rules of many versions of a file."""
    try:
        data = read_bounded(file.path, MAX_FILE_BYTES)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}. Give yourself the right to read it."
        return _Content(problems=(Problem(file=file.name, line=0, message=reason),))
    if file.name.endswith(".json"):
        state, problems = parse_task_state(data, file=file.name)
        return _Content(state=state, problems=tuple(problems))
    text, faults = _text(data, file.name)
    anchors, problems = parse_anchors(text, file.name, known=before) if text is not None else ([], [])
    return _Content(anchors=tuple(anchors), problems=(*faults, *problems))


def _text(data: bytes, name: str) -> tuple[str | None, list[Problem]]:
    if b"\0" in data:
        message = "is not a text in UTF-8. Save it as UTF-8, or restore an older one."
        return None, [Problem(file=name, line=0, message=message)]
    try:
        return data.decode(), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "this line is not UTF-8. Save the file as UTF-8."
        return data.decode(errors="replace"), [Problem(file=name, line=line, message=message)]


def _memory(contents: list[_Content], files: list[MemoryFile], task_id: str | None) -> Memory:
    """What the files say together: equal items once, replaced ones not at all, decisions newest first."""
    state, problems = _state(contents, files, task_id)
    anchors, doubles = _distinct(anchor for content in contents for anchor in content.anchors)
    anchors, resting = _in_phase(anchors, _text_of(state, "phase"))
    fates = standing(anchors)
    current = served(anchors, fates)
    kept = [anchor for anchor in current if anchor.captured is None]
    later = list(written_later(current, changed_at(files)))
    words = [text for anchor in current for text in (anchor.what, anchor.why) if text]
    return Memory(
        constraints=tuple(anchor for anchor in kept if anchor.kind == "constraint"),
        tools=tuple(anchor for anchor in kept if anchor.kind == "tool"),
        decisions=tuple(newest_first(anchor for anchor in kept if anchor.kind == "decision")),
        restorers=restorers_of(anchors, fates),
        conflicts=fates.conflicts,
        resting=tuple(resting),
        captured=tuple(anchor for anchor in current if anchor.captured is not None),
        overruled={pair.said.id: pair.written.id for pair in later},
        task_id=task_id or _text_of(state, "task_id"),
        task_state=state,
        problems=(
            *(problem for content in contents for problem in content.problems),
            *problems,
            *doubles,
            *open_conflicts(anchors, fates),
            *open_claims(anchors),
            *open_contraries(current, later),
        ),
        language=language_of(words or _state_words(state)),
    )


def _in_phase(anchors: list[Anchor], phase: str | None) -> tuple[list[Anchor], list[Anchor]]:
    """Those that count in this phase of the task, and those that are limited to other ones."""
    present = (phase or "").strip().casefold()
    counting: list[Anchor] = []
    resting: list[Anchor] = []
    for anchor in anchors:
        is_limited = anchor.phases and present not in map(str.casefold, anchor.phases)
        (resting if is_limited else counting).append(anchor)
    return counting, resting


def _state(
    contents: list[_Content], files: list[MemoryFile], task_id: str | None
) -> tuple[State | None, list[Problem]]:
    """The state of this task.  The default one may belong to another task, of which nothing is served."""
    for content, file in zip(contents, files, strict=True):
        is_foreign = task_id is not None and file.name == DEFAULT_STATE
        if content.state is not None and not (is_foreign and _text_of(content.state, "task_id") != task_id):
            return content.state, []
    if task_id is None or not is_safe_task_id(task_id) or files[-1].name != DEFAULT_STATE:
        return None, []
    name = f"tasks/{task_id}/state/task_state.json"
    message = "is missing: nothing is recorded about this task yet."
    return None, [Problem(file=name, line=0, message=message)]


def _text_of(state: State | None, key: str) -> str | None:
    value = state.get(key) if state else None
    return value if isinstance(value, str) and value else None


def _state_words(state: State | None) -> Iterator[str]:
    for value in served_state(state or {}).values():
        yield from (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


def _distinct(anchors: Iterable[Anchor]) -> tuple[list[Anchor], list[Problem]]:
    """Each fact once.  One id for two different facts is a mistake: both are served, and it is named."""
    first: dict[str, Anchor] = {}
    distinct: list[Anchor] = []
    problems: list[Problem] = []
    for anchor in anchors:
        earlier = first.setdefault(anchor.id, anchor)
        is_same = (earlier.kind, earlier.what) == (anchor.kind, anchor.what)
        if earlier is anchor or not is_same:
            distinct.append(anchor)
        if not is_same:
            place = f"{earlier.file}:{earlier.line}"
            message = f"the id {anchor.id} is also that of {place}. Give one of them another id."
            problems.append(Problem(file=anchor.file, line=anchor.line, message=message))
    return distinct, problems
