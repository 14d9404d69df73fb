"""JSON of a settings file, edited by splicing: what is not edited keeps every byte.

Comments and trailing commas are read over, because some agents allow them; all else is strict JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from agentinitd.model.facts import JsonValue

MAX_DEPTH = 100
_SPACE = " \t\r\n"
_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_WORD = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|(?:true|false|null)(?!\w)")
_CLOSING = {"{": "}", "[": "]"}


class NotJson(ValueError):
    """Text that cannot be read as JSON; line and column count from 1."""

    def __init__(self, text: str, offset: int, why: str) -> None:
        super().__init__(why)
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One value, and where it stands: `text[start:end]`."""

    kind: Literal["object", "array", "plain"]
    start: int
    end: int
    plain: bool | int | float | str | None = None
    children: tuple[Child, ...] = ()

    @property
    def value(self) -> JsonValue:
        if self.kind == "object":
            return {child.key: child.node.value for child in self.children}
        return [child.node.value for child in self.children] if self.kind == "array" else self.plain

    def member(self, key: str) -> Node | None:
        """The last one of that name, as every reader of JSON takes it."""
        return next((child.node for child in reversed(self.children) if child.key == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A member of an object, or an item of an array, with the comma that may follow it."""

    start: int
    node: Node
    key: str = ""
    comma: int | None = None


def parse(text: str) -> Node:
    """The one value that is the text.  Raises NotJson."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith("\ufeff") else 0

    def whole(self) -> Node:
        self._skip_blank()
        node = self._value(0)
        self._skip_blank()
        if self.at < len(self.text):
            raise self._fault("nothing may follow the end of the value")
        return node

    def _fault(self, why: str) -> NotJson:
        return NotJson(self.text, self.at, why)

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()

    def _peek(self, inside: str) -> str:
        if self.at >= len(self.text):
            # The end of what is written helps more than the empty line behind it.
            self.at = len(self.text.rstrip(_SPACE))
            raise self._fault(f"the file ends, but {inside} is not complete")
        return self.text[self.at]

    def _value(self, depth: int) -> Node:
        character = self._peek("the value")
        if character in _CLOSING:
            return self._container(depth)
        found = (_STRING if character == '"' else _WORD).match(self.text, self.at)
        if found is None:
            raise self._fault(
                "a text is not closed or not valid" if character == '"' else "a value is expected"
            )
        start, self.at = self.at, found.end()
        return Node(kind="plain", start=start, end=self.at, plain=_plain(found[0]))

    def _container(self, depth: int) -> Node:
        if depth >= MAX_DEPTH:
            raise self._fault(f"more than {MAX_DEPTH} levels deep")
        start = self.at
        opening = self.text[start]
        self.at += 1
        children = tuple(self._children(opening, depth + 1, line=self.text.count("\n", 0, start) + 1))
        self.at += 1
        kind: Literal["object", "array"] = "object" if opening == "{" else "array"
        return Node(kind=kind, start=start, end=self.at, children=children)

    def _children(self, opening: str, depth: int, *, line: int) -> Iterator[Child]:
        closing = _CLOSING[opening]
        inside = f"the {opening}{closing} that begins on line {line}"
        while True:
            self._skip_blank()
            if self._peek(inside) == closing:
                return
            child = self._member(depth) if opening == "{" else self._item(depth)
            self._skip_blank()
            has_comma = self._peek(inside) == ","
            yield replace(child, comma=self.at) if has_comma else child
            if has_comma:
                self.at += 1
            elif self.text[self.at] != closing:
                raise self._fault(f"expected , or {closing}")

    def _item(self, depth: int) -> Child:
        start = self.at
        return Child(start=start, node=self._value(depth))

    def _member(self, depth: int) -> Child:
        start = self.at
        key = _STRING.match(self.text, start)
        if key is None:
            raise self._fault('expected a name in "quotes"')
        self.at = key.end()
        self._skip_blank()
        if self._peek("the member") != ":":
            raise self._fault("expected : after the name")
        self.at += 1
        self._skip_blank()
        return Child(start=start, key=json.loads(key[0]), node=self._value(depth))


def _plain(written: str) -> bool | int | float | str | None:
    try:
        value: bool | int | float | str | None = json.loads(written)
    except ValueError:  # a whole number of thousands of digits
        return float(written)
    return value


def added(text: str, container: Node, value: JsonValue, *, key: str | None = None) -> str:
    """`text` with one more child at the end of `container`, written as its neighbours are."""
    style = _Style(text, container)
    rendered = style.rendered(value, key)
    closing = container.end - 1
    # Behind the last child, and behind the comments that follow it.
    tail = max(len(text[:closing].rstrip(_SPACE)), container.start + 1)
    if not container.children:
        return text[:tail] + style.before + rendered + style.after + text[closing:]
    last = container.children[-1]
    if last.comma is not None:
        return text[:tail] + style.before + rendered + "," + text[tail:]
    return text[: last.node.end] + "," + text[last.node.end : tail] + style.before + rendered + text[tail:]


def removed(text: str, container: Node, index: int) -> str:
    """`text` without one child of `container`; a container that is empty afterwards closes up."""
    child = container.children[index]
    start = len(text[: child.start].rstrip(_SPACE))
    end = child.node.end if child.comma is None else child.comma + 1
    if len(container.children) == 1:
        inside = text[container.start + 1 : start] + text[end : container.end - 1]
        return text[: container.start + 1] + (inside if inside.strip() else "") + text[container.end - 1 :]
    if "\n" in text[start : child.start] and not text[end:].lstrip(" \t\r").startswith("\n"):
        # The line break may end a comment, which must not reach what stands behind the child.
        start = child.start
    before = container.children[index - 1].comma
    if child.comma is None and before is not None:
        return text[:before] + text[before + 1 : start] + text[end:]
    return text[:start] + text[end:]


def replaced(text: str, node: Node, value: JsonValue) -> str:
    """`text` with another value in the place of `node`, which is a child of an array."""
    style = _Style(text, node)
    return text[: node.start] + style.in_place(value) + text[node.end :]


class _Style:
    """How this file is written around `node`: on lines or in a line, how deep, with which line breaks."""

    def __init__(self, text: str, node: Node) -> None:
        root = parse(text)
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.unit = self._indent_at(root.children[0].start) if root.children else ""
        self.unit = self.unit or "  "
        self.outer = self._indent_at(node.start)
        self.is_on_lines = self._is_on_lines(root, node)
        indent = self.outer + self.unit
        if node.children and self._is_first_on_line(node.children[-1].start):
            indent = self._indent_at(node.children[-1].start)
        self.indent = indent
        gap = " " if node.children and '": ' in text else ""
        self.before = self.newline + indent if self.is_on_lines else gap
        self.after = self.newline + self.outer if self.is_on_lines else ""

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def _indent_at(self, offset: int) -> str:
        line = self.text[self._line_start(offset) :]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _is_first_on_line(self, offset: int) -> bool:
        return "\n" in self.text[:offset] and not self.text[self._line_start(offset) : offset].strip(" \t")

    def _is_on_lines(self, root: Node, node: Node) -> bool:
        if node.kind == "plain":
            return False
        if node.children:
            last = self.text[node.children[-1].node.end : node.end]
            return "\n" in self.text[node.start : node.children[0].start] or "\n" in last
        return not root.children or "\n" in self.text[root.start : root.end]

    def rendered(self, value: JsonValue, key: str | None) -> str:
        name = (
            "" if key is None else json.dumps(key, ensure_ascii=False) + (": " if self._is_spaced() else ":")
        )
        return name + self._dumped(value, self.indent)

    def in_place(self, value: JsonValue) -> str:
        return self._dumped(value, self.outer)

    def _is_spaced(self) -> bool:
        return self.is_on_lines or '": ' in self.text

    def _dumped(self, value: JsonValue, indent: str) -> str:
        if self.is_on_lines:
            lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
            return (self.newline + indent).join(lines)
        separators = (", ", ": ") if self._is_spaced() else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators)
