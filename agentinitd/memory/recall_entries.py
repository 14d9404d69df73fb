"""What can be found again, each thing once: anchors, and the single lines of task states and snippets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, get_args

import msgspec

from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.decisions import is_claim
from agentinitd.memory.fields import instant
from agentinitd.memory.task_state import State, parse_task_state
from agentinitd.model.facts import Anchor, AnchorKind, JsonValue

RecallKind = AnchorKind | Literal["state", "snippet"]
KINDS: tuple[RecallKind, ...] = (*get_args(AnchorKind), "state", "snippet")

MAX_ENTRY_CHARS = 4000
MAX_STATE_TEXTS = 2000
DEFAULT_TASK = ""
"""The task that has no name."""
_FRAME_MARK = "(agentinitd "
_LEFT_OUT = re.compile(r"\d+ (?:left out|条未列)[^`]{0,20}`agentinitd (?:snippet|recall) [^`]+`")
# The lines of the vendor script that show one value of a task state.
_STATE_LABEL = re.compile(r"^(?:Next|Blocked|下一步|受阻): ")
# It counts the days: with it, the same item would be another one every day.
_STALE_NOTE = re.compile(r"\s*(?:\((?:last checked|written) [^()]{1,40}\)|（[^（）]{1,24}未核对）)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that can be found, and where it stands."""

    kind: RecallKind
    what: str
    why: str = ""
    names: str = ""
    """Further words that lead to it: its id, its topic, what it was chosen over, the files it applies to."""
    item: str = ""
    """Id of an anchor."""
    task: str | None = None
    """None: of the whole project."""
    at: float | None = None
    line: int = 1
    is_past: bool = False
    """It was so once: a line of an old snippet, of an old state."""
    anchor: str | None = None
    """As JSON, when it says more of itself than its words: what it replaces, its topic, that it is over."""

    @property
    def digest(self) -> int:
        """Equal for what is the same thing at another line or time."""
        parts = (self.kind, self.item, self.what, self.why, self.names, repr(self.task))
        return _number("\0".join(parts))

    @property
    def key(self) -> int:
        """Equal for the same words: what a snippet says is what an anchor, or a value of a state, said."""
        text = self.what.partition(": ")[2] if self.kind == "state" else self.what
        if self.kind == "snippet":
            text = _STATE_LABEL.sub("", text)
        return _number(" ".join(text.casefold().split()))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), signed=True)


def anchor_entries(text: str, file: str, task: str | None) -> Iterator[Entry]:
    for anchor in parse_anchors(text, file)[0]:
        told = (anchor.id, *anchor.applies, anchor.forbid, anchor.check, anchor.topic, anchor.instead_of)
        names = " ".join(filter(None, told))
        yield Entry(
            kind=anchor.kind,
            what=_encodable(anchor.what),
            why=_encodable(anchor.why or ""),
            names=_encodable(names),
            item=anchor.id,
            task=task,
            at=anchor.written_at,
            line=anchor.line,
            anchor=json.dumps(msgspec.structs.asdict(anchor)) if _is_telling(anchor) else None,
        )


def _is_telling(anchor: Anchor) -> bool:
    named = anchor.supersedes or anchor.restores or anchor.topic or anchor.outcome
    # Of two rules one may be said, or written, against the other.
    return bool(named) or anchor.status != "active" or is_claim(anchor) or anchor.kind == "constraint"


def anchor_of(entry: Entry) -> Anchor:
    """The anchor again, with as much of it as tells whether it holds."""
    if entry.anchor is None:
        kind: AnchorKind = entry.kind  # type: ignore[assignment]  # only anchors are asked for
        return Anchor(id=entry.item, kind=kind, what=entry.what, written_at=entry.at)
    fields = json.loads(entry.anchor)
    return Anchor(**{**fields, "applies": tuple(fields["applies"]), "phases": tuple(fields["phases"])})


def state_entries(data: bytes, task: str | None) -> Iterator[Entry]:
    """Every value of a task state; `task` None: the state says itself whose it is."""
    state, _ = parse_task_state(data)
    if state is None:
        return
    text = data.decode("utf-8-sig", "replace")
    at = _instant(state.get("last_updated") or state.get("updated_at"))
    whose = _task_of(state) if task is None else task
    for what, value in _texts(state):
        yield Entry(kind="state", what=what, task=whose, at=at, line=_line_of(text, value))


def _task_of(record: Mapping[str, JsonValue], key: str = "task_id") -> str:
    name = record.get(key)
    return _encodable(name) if isinstance(name, str) else DEFAULT_TASK


def _texts(state: State) -> Iterator[tuple[str, str]]:
    """`key: value` for each single value, and the value itself."""
    for number, (name, value) in enumerate(pair for key in state for pair in _values(key, state[key])):
        if number == MAX_STATE_TEXTS:
            return
        yield _encodable(f"{name}: {value}")[:MAX_ENTRY_CHARS], value


def _values(name: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _values(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from [(name, _one_line(inner))] if isinstance(inner, dict) else _values(name, inner)
    elif value is not None and value != "":
        yield name, " ".join((value if isinstance(value, str) else json.dumps(value)).split())


def _one_line(step: Mapping[str, JsonValue]) -> str:
    """A step of a plan, whose parts are nothing without each other."""
    return " · ".join(value for key in step for _, value in _values(key, step[key]))


def _line_of(text: str, value: str) -> int:
    head = value.partition(" · ")[0]
    for written in (json.dumps(head, ensure_ascii=False)[1:-1], json.dumps(head)[1:-1]):
        place = text.find(written)
        if place >= 0:
            return text.count("\n", 0, place) + 1
    return 1


Numbered = Iterable[tuple[int, bytes]]
"""Lines with their number in the file."""


def history_entries(lines: Numbered, task: str | None) -> Iterator[Entry]:
    """What earlier states of a task said, and why they came about."""
    for number, record in _records(lines):
        state = record.get("state")
        if not isinstance(state, dict):
            continue
        at = _instant(record.get("at"))
        whose = _task_of(state) if task is None else task
        texts = [what for what, _ in _texts(state)]
        reason = record.get("reason")
        if isinstance(reason, str) and reason.strip():
            texts.append(_encodable(f"reason: {' '.join(reason.split())}")[:MAX_ENTRY_CHARS])
        for what in texts:
            yield Entry(kind="state", what=what, task=whose, at=at, line=number, is_past=True)


def snippet_entries(lines: Numbered) -> Iterator[Entry]:
    """The items that agents were handed, without the frame around them."""
    for number, record in _records(lines):
        text = record.get("text")
        if not isinstance(text, str):
            continue
        at, task = _instant(record.get("at")), _task_of(record, "task")
        for what, why in _items(text):
            yield Entry(kind="snippet", what=what, why=why, task=task, at=at, line=number, is_past=True)


def _items(snippet: str) -> Iterator[tuple[str, str]]:
    """First line and the rest of each item."""
    lines = snippet.split("\n")
    # The frame: a first line with the id, and as a last line what to do when unsure.
    if _FRAME_MARK in lines[0]:
        lines = "\n".join(lines[1:]).rstrip().split("\n")[:-1]
    what, rest = "", list[str]()
    for line in [*lines, "- "]:
        if line[:1].isspace() and what:
            rest.append(line)
        elif line and not line.startswith("## ") and not _LEFT_OUT.fullmatch(line):
            if what:
                yield _item(what, rest)
            what, rest = line.removeprefix("- "), []


def _item(what: str, rest: list[str]) -> tuple[str, str]:
    texts = (_STALE_NOTE.sub("", " ".join(what.split())), " ".join(" ".join(rest).split()))
    first, second = (_encodable(text)[:MAX_ENTRY_CHARS] for text in texts)
    return first, second


def _records(lines: Numbered) -> Iterator[tuple[int, dict[str, JsonValue]]]:
    """The JSON objects among the lines; a torn or foreign one is passed over."""
    for number, line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield number, record


def _instant(value: JsonValue) -> float | None:
    """Seconds since the epoch, also of a time in words."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e12 else None
    try:
        return instant(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
