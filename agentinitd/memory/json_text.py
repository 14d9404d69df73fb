"""A JSON object as text, changed key by key: what was not changed keeps its bytes.

A number such as 1.10, the order of keys, odd spacing and escapes are the writer's; writing the whole object
anew would change them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from agentinitd.model.facts import JsonValue

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


class _Member(NamedTuple):
    """A key with its value, and where they stand."""

    key: str
    start: int
    value_start: int
    end: int


def rewritten(text: str, before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> str:
    """`text`, which says `before`, made to say `after`.  New keys come last, in the style of the others."""
    members = _members(text)
    if not members or len({member.key for member in members}) < len(members):
        return written(after, is_ascii=_is_escaped(text))
    style = _Style(text, members)
    pieces = [text[: members[0].start]]
    has_one = False
    for number, member in enumerate(members):
        if member.key not in after:
            continue
        if has_one:
            pieces.append(style.separator(number))
        has_one = True
        is_same = _form(before.get(member.key)) == _form(after[member.key])
        value = text[member.value_start : member.end] if is_same else style.value(after[member.key])
        pieces += [text[member.start : member.value_start], value]
    for key in (key for key in after if key not in before):
        pieces += [style.separator(len(members)) if has_one else "", style.pair(key, after[key])]
        has_one = True
    return "".join([*pieces, text[members[-1].end :]])


def written(value: Mapping[str, JsonValue], *, is_ascii: bool = False) -> str:
    return json.dumps(value, indent=2, ensure_ascii=is_ascii) + "\n"


def _form(value: JsonValue) -> str:
    """Equal for the same value of the same type: 1 and true are not."""
    return json.dumps(value)


def _is_escaped(text: str) -> bool:
    return text.isascii() and "\\u" in text


class _Style:
    """How the writer of an object lays it out."""

    def __init__(self, text: str, members: list[_Member]) -> None:
        self._text = text
        self._members = members
        first = members[0]
        before = text[: first.start]
        opening = before[before.rfind("{") + 1 :]
        self._usual = _usual_separator(opening)
        self._newline = "\r\n" if "\r\n" in opening else "\n"
        self._indent = opening.rpartition("\n")[2] if "\n" in opening else None
        self._colon = text[first.start : first.value_start].rpartition('"')[2]
        self._is_ascii = _is_escaped(text)

    def separator(self, number: int) -> str:
        """Between the member of this number and the one before it."""
        if 0 < number < len(self._members):
            return self._text[self._members[number - 1].end : self._members[number].start]
        return self.separator(len(self._members) - 1) if len(self._members) > 1 else self._usual

    def pair(self, key: str, value: JsonValue) -> str:
        return json.dumps(key, ensure_ascii=self._is_ascii) + self._colon + self.value(value)

    def value(self, value: JsonValue) -> str:
        if self._indent is None:
            tight = (",", ":") if self._colon == ":" else None
            return json.dumps(value, ensure_ascii=self._is_ascii, separators=tight)
        text = json.dumps(value, indent=self._indent or 2, ensure_ascii=self._is_ascii)
        return text.replace("\n", self._newline + self._indent)


def _usual_separator(opening: str) -> str:
    return "," + opening if "\n" in opening else ", "


def _members(text: str) -> list[_Member]:
    """Those of the outermost object; none where it has none, or where the text is no object."""
    members: list[_Member] = []
    place = _after(text, _blank(text, 1 if text.startswith("\ufeff") else 0), "{")
    while 0 <= place < len(text) and text[place] == '"':
        key, end = _DECODER.raw_decode(text, place)
        value_start = _after(text, _blank(text, end), ":")
        _, value_end = _DECODER.raw_decode(text, value_start)
        members.append(_Member(key, place, value_start, value_end))
        place = _after(text, _blank(text, value_end), ",")
    return members


def _blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _after(text: str, place: int, mark: str) -> int:
    """Where the next thing stands behind this mark; -1 without the mark."""
    return _blank(text, place + 1) if text[place : place + 1] == mark else -1
