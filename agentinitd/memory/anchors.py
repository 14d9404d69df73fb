"""Anchors as people write them: a Markdown list; an item has a tag, a line what, a line why, and fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from typing import NamedTuple

from msgspec.structs import replace

from agentinitd.memory.fields import read_fields
from agentinitd.memory.front_matter import read_front_matter
from agentinitd.memory.markdown import Comment, Line, Lines, readable_lines
from agentinitd.model.facts import Anchor, AnchorKind, Problem, Scope

KIND_OF_TAG: dict[str, AnchorKind] = {
    "constraint": "constraint", "约束": "constraint",
    "tool": "tool", "工具": "tool",
    "decision": "decision", "决策": "decision",
}  # fmt: skip
KIND_OF_FILE: dict[str, AnchorKind] = {
    "project_constraints.md": "constraint",
    "tool_interfaces.md": "tool",
    "decision_log.md": "decision",
}
"""In these files an item without a tag is of the file's kind; anywhere else it is free text."""
MAX_ITEM_CHARS = 4000
# Forty bits: with fewer, two items of a memory of thousands would share one by chance.
_ID_DIGITS = 10

_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|$)", re.DOTALL)
_CHECKBOX = re.compile(r"\[[ xX]\]\s+")
TAG = re.compile(r"\**[\[【［]\s*([^\[\]【】［］]{1,32}?)\s*[\]】］]([(\[]?)")
_END_OF_BOLD = re.compile(r"^[:：]?\*+")
_BREAK = re.compile(r" {0,3}(?:#{1,6}(?:\s|$)|(?:[-*_][ \t]*){3,}$|={3,}$)")
WHY = re.compile(r"(?:why|reason|because|原因|理由|为什么)\s*[:：]\s*", re.IGNORECASE)
_BECAUSE = re.compile(r"因为|because\b", re.IGNORECASE)
# What a terminal or a reader could take for something else than text.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


class Words(NamedTuple):
    """The words of an item on one line: what stands there from `start` on."""

    line: Line
    start: int

    @property
    def text(self) -> str:
        return self.line.text[self.start :]


class Item(NamedTuple):
    """An anchor, and where each part of it stands in its file."""

    anchor: Anchor
    tag: Words | None
    """The line of the tag, from its name on; None: the file tells the kind."""
    what: tuple[Words, ...]
    why: tuple[Words, ...]
    comments: tuple[Comment, ...]
    fields: Mapping[str, object]
    """Attributes of the anchor that the comments name."""
    end: int
    """Number of its last line."""


@dataclass(slots=True)
class _Draft:
    """An item while its lines are collected; `kind` None: free text, or a tag nobody knows."""

    kind: AnchorKind | None
    tag: Words | None
    indent: int
    words: list[Words]
    comments: list[Comment]
    end: int
    code_line: int | None = None

    @property
    def line(self) -> int:
        return self.words[0].line.number


def parse_anchors(
    text: str, file: str, *, known: Iterable[Anchor] = ()
) -> tuple[list[Anchor], list[Problem]]:
    """Every anchor of a file, in its order, and what could not be used.  Never raises.

    `file` is relative to the memory folder; below `tasks/` an item's scope is by default `task`.  What is
    equal to one of `known` is that one: of a file that changed a little, little is new.
    """
    problems: list[Problem] = []
    before = {anchor.id: anchor for anchor in known}
    anchors = [_as_before(item.anchor, before) for item in _items(text, file, problems)]
    return anchors, _in_order(problems)


def _as_before(anchor: Anchor, before: Mapping[str, Anchor]) -> Anchor:
    """Where it only stands on another line, its words are kept once."""
    known = before.get(anchor.id)
    if known is None:
        return anchor
    there = known if known.line == anchor.line else replace(known, line=anchor.line)
    return there if there == anchor else anchor


def parse_items(text: str, file: str) -> tuple[list[Item], list[Problem]]:
    """As `parse_anchors`, with the places of all parts."""
    problems: list[Problem] = []
    items = list(_items(text, file, problems))
    return items, _in_order(problems)


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.line)


def _items(text: str, file: str, problems: list[Problem]) -> Iterator[Item]:
    """One after the other: the parts of all take three times as much as the anchors.

    What is wrong with one is in `problems` when the next comes.
    """
    if not text.strip("\ufeff \t\r\n"):
        message = "the file is empty. Write items into it, or remove it."
        problems.append(Problem(file=file, line=1, message=message))
        return
    lines = Lines(text)
    front, faults = read_front_matter(lines, file)
    problems += faults
    readable = readable_lines(lines, front.end, file, problems)
    for draft in _drafts(readable, KIND_OF_FILE.get(PurePath(file).name)):
        item, faults = _item(draft, file, front.written_at)
        problems += faults
        if item:
            yield item


def _drafts(lines: Iterable[Line], kind_of_file: AnchorKind | None) -> Iterator[_Draft]:
    """Each when its last line was read."""
    current: _Draft | None = None
    is_after_blank = False
    for line in lines:
        is_blank = not line.text.strip()
        opened = None if is_blank or line.is_code else _opened(line, current, kind_of_file)
        if opened:
            if current:
                yield current
            current, is_after_blank = opened, False
        elif is_blank and not line.comments:
            is_after_blank = True
        elif current and _belongs(line, current, is_after_blank=is_after_blank):
            _extend(current, line)
        elif current:
            yield current
            current = None
    if current:
        yield current


def _opened(line: Line, current: _Draft | None, kind_of_file: AnchorKind | None) -> _Draft | None:
    """The item that begins on this line, if one does: a list item at the top, or a tagged one anywhere."""
    bullet = _BULLET.fullmatch(line.text)
    if not bullet or _BREAK.match(line.text):
        return None
    indent = len(bullet[1].expandtabs(4))
    rest = (
        _CHECKBOX.sub("", bullet[2] or "", count=1) if _CHECKBOX.match(bullet[2] or "") else bullet[2] or ""
    )
    tag = _tag(rest)
    if tag is None and current and indent > current.indent:
        return None
    kind, text = tag or (kind_of_file, rest)
    words = Words(line, len(line.text) - len(text))
    tagged = Words(line, len(line.text) - len(rest)) if tag else None
    return _Draft(kind, tagged, indent, [words], list(line.comments), line.end)


def _tag(text: str) -> tuple[AnchorKind | None, str] | None:
    """Kind (None: a tag nobody knows) and the text behind it; None when the text begins with no tag."""
    found = TAG.match(text)
    if not found:
        return None
    kind = KIND_OF_TAG.get(found[1].lower())
    is_link = kind is None and found[2]
    rest = text[found.start(2) :]
    if text.startswith("*"):
        rest = _END_OF_BOLD.sub("", rest, count=1)
    return None if is_link else (kind, rest.lstrip(" \t:："))


def _belongs(line: Line, current: _Draft, *, is_after_blank: bool) -> bool:
    if _BREAK.match(line.text):
        return False
    indent = len(line.text.expandtabs(4)) - len(line.text.expandtabs(4).lstrip())
    return indent > current.indent or (not is_after_blank and not line.is_code)


def _extend(draft: _Draft, line: Line) -> None:
    draft.end = line.end
    if line.is_code:
        draft.code_line = draft.code_line or line.number
        return
    draft.comments += line.comments
    bullet = _BULLET.fullmatch(line.text)
    draft.words.append(Words(line, len(line.text) - len(bullet[2] or "") if bullet else 0))


def _item(draft: _Draft, file: str, file_written_at: float | None) -> tuple[Item | None, list[Problem]]:
    if draft.kind is None:
        return None, []
    cleaned = [(each, text) for each in draft.words if (text := _clean(each.text))]
    words, texts = [each for each, _ in cleaned], [text for _, text in cleaned]
    begin = _begin_of_why(texts)
    what, why = _what_and_why(texts, begin)
    fault = _fault(what, why)
    if fault:
        is_worth_a_word = draft.tag or what
        return None, [Problem(file=file, line=draft.line, message=fault)] if is_worth_a_word else []
    values, problems = read_fields(draft.comments, file)
    if draft.code_line:
        message = (
            "the code block of this item is not served. Put what matters into its first line, in backticks."
        )
        problems.append(Problem(file=file, line=draft.code_line, message=message))
    defaults: dict[str, object] = {
        "id": derived_id(draft.kind, what),
        "written_at": file_written_at,
        "scope": default_scope(file),
    }
    _share(values, what)
    anchor = Anchor(kind=draft.kind, what=what, why=why, file=file, line=draft.line, **(defaults | values))  # type: ignore[arg-type]  # read_fields checked each
    item = Item(
        anchor=anchor,
        tag=draft.tag,
        what=tuple(words[:begin]),
        why=tuple(words[begin:]),
        comments=tuple(draft.comments),
        fields=values,
        end=draft.end,
    )
    return item, problems


def _share(values: dict[str, object], what: str) -> None:
    """Most rules are kept in the words in which they were said, and were said once: one text for both."""
    if values.get("quote") == what:
        values["quote"] = what
    if "source" in values and values.get("last_source") == values["source"]:
        values["last_source"] = values["source"]


def default_scope(file: str) -> Scope:
    """Of items that name none."""
    return "task" if file.startswith("tasks/") else "project"


def derived_id(kind: AnchorKind, what: str) -> str:
    """The id of an item that names none: the same as long as its kind and its words are."""
    return f"{kind[0]}-{sha256(f'{kind}:{what}'.encode()).hexdigest()[:_ID_DIGITS]}"


def _clean(text: str) -> str:
    return " ".join((text if text.isprintable() else _CONTROL.sub(" ", text)).split())


def _fault(what: str, why: str | None) -> str | None:
    if not what:
        return "this item has no text. Write what holds in its first line."
    size = len(what) + len(why or "")
    if size > MAX_ITEM_CHARS:
        return f"this item has {size:,} characters, more than {MAX_ITEM_CHARS:,}. Shorten it to two lines."
    return None


def _begin_of_why(texts: list[str]) -> int:
    """The first line is what; the rest is why.  A line that says so by itself may stand further down."""
    says_why = (n for n, text in enumerate(texts) if n and (WHY.match(text) or _BECAUSE.match(text)))
    return next(says_why, 1)


def _what_and_why(texts: list[str], begin: int) -> tuple[str, str | None]:
    what, why = _joined(texts[:begin]), _joined(texts[begin:])
    prefix = WHY.match(why)
    return what, why[prefix.end() :] if prefix else why or None


def _joined(texts: list[str]) -> str:
    """Wrapped lines as one: with a blank between words, without one between Chinese characters."""
    joined = ""
    for text in texts:
        is_wide = not joined or (_WIDE.match(joined[-1]) and _WIDE.match(text[0]))
        joined += text if is_wide else f" {text}"
    return joined
