"""Fields of an anchor as text: values that are read back as they are, and comments changed in place."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from agentinitd.memory.fields import NO_VALUE, READ, instant, split_fields
from agentinitd.model.errors import MemoryRefused

KEY_OF: Mapping[str, str] = {attribute: key for key, (attribute, _) in READ.items()}
"""Attribute of Anchor → field as written, in the order of writing."""
_COMMENT_MARKS = re.compile(r"-->|<!--")
_SECOND_BLANK = re.compile(r"(?<= ) ")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_BALANCED_QUOTES = re.compile(r'[^"]*(?:"(?:[^"\\\n]|\\.)*"[^"]*)*')
_SEPARATORS = (";", "；")


def field_text(key: str, value: object) -> str:
    """What stands behind `key:` for this value.  Raises MemoryRefused when no text is read back as it."""
    text = _text(key, value)
    try:
        [field] = split_fields(f"{key}: {text}")
        is_read_back = not _CONTROL.search(text) and is_same(READ[key][1](field.text), value)
    except ValueError as error:
        raise MemoryRefused(f"{key}: `{text[:60]}` {error}") from error
    if not is_read_back:
        shown = f"{value!r:.80}"
        raise MemoryRefused(f"{key}: {shown} cannot be written. Leave out control characters.")
    return text


def is_same(one: object, other: object) -> bool:
    """Times are written to the microsecond."""
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=0.0, abs_tol=2e-6)
    return one == other


def _text(key: str, value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_part(str(part)) for part in value)
    if READ[key][1] is instant:
        return _time(key, value)
    return _quoted_if_needed(key, value) if isinstance(value, str) else str(value)


def _time(key: str, at: object) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")  # type: ignore[arg-type]  # refused below
    except (TypeError, ValueError, OverflowError, OSError):
        raise MemoryRefused(f"{key}: {at!r:.40} is not a time. Give seconds since 1970.") from None


def _quoted_if_needed(key: str, text: str) -> str:
    is_plain = (
        text.lower() not in NO_VALUE
        and not text.startswith('"')
        and not _COMMENT_MARKS.search(text)
        and _BALANCED_QUOTES.fullmatch(text)
        and [field.text for field in split_fields(f"{key}: {text}")] == [text]
    )
    return text if is_plain else _quoted(text)


def _part(text: str) -> str:
    """Of a list."""
    is_plain = text and not re.search(r'[,;；"\[\]\n]', text) and not _COMMENT_MARKS.search(text)
    return text if is_plain else _quoted(text)


def _quoted(text: str) -> str:
    r"""In double quotes, with a `\` wherever the words or the comment would end, or a blank would be lost."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    escaped = escaped.replace("-->", "--\\>").replace("<!--", "<\\!--")
    escaped = _SECOND_BLANK.sub(r"\\ ", escaped)
    return f'"{escaped}"'


def changed_comment(text: str, changes: Mapping[str, str | None]) -> tuple[str, set[str]]:
    """The text of a comment with other values of these fields (None: without), and the keys that it had.

    All other fields and words stay as they are, to the byte.
    """
    found: set[str] = set()
    pieces: list[str] = []
    position = 0
    for field in split_fields(_flat(text)):
        if field.key not in changes:
            continue
        new = None if field.key in found else changes[field.key]
        found.add(field.key)
        if new is None:
            begin, end = _segment(text, field.start, field.end)
            pieces.append(text[position : max(begin, position)])
            position = end
        else:
            value_end = field.start + len(text[field.start : field.end].rstrip())
            begin = min(field.value, value_end)
            pieces += [text[position:begin], "" if text[begin - 1 : begin].isspace() else " ", new]
            position = max(value_end, begin)
    new_text = "".join([*pieces, text[position:]])
    if new_text.lstrip().startswith(_SEPARATORS) and not text.lstrip().startswith(_SEPARATORS):
        blank = new_text[: len(new_text) - len(new_text.lstrip())]
        new_text = (blank or " ") + new_text.lstrip()[1:].lstrip()
    return new_text, found


def _flat(text: str) -> str:
    """Line feeds only, and every character in its place."""
    return text.replace("\r\n", " \n").replace("\r", "\n")


def _segment(text: str, start: int, end: int) -> tuple[int, int]:
    """A field with one of the separators around it: the one before it, else the one behind it."""
    if start > 0:
        begin = start - 2 if text[start - 2 : start] == "\r\n" else start - 1
        return begin, end - 1 if text[end - 1 : end + 1] == "\r\n" else end
    begin = end - len(text[:end].lstrip())
    behind = text[end + 1 :]
    return begin, min(len(text), end + 1 + len(behind) - len(behind.lstrip()))


def extended_comment(text: str, fields: str) -> str:
    """The text of a comment with further fields at its end."""
    kept = text.rstrip()
    separator = " " if kept.endswith(_SEPARATORS) else "; "
    return f"{kept}{separator}{fields}{text[len(kept) :] or ' '}"


def is_bare(text: str) -> bool:
    """A comment that says nothing any more."""
    return not text.strip(";； \t\r\n")


def has_fields(text: str) -> bool:
    """A comment of ours, not one in plain words."""
    return any(field.key in READ for field in split_fields(_flat(text)))
