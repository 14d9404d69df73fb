"""The signatures of functions in a piece of source code, for the languages people call across sessions in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

MAX_SIGNATURE_CHARS = 220
MAX_PARAMETER_CHARS = 4000

_PYTHON = re.compile(r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>\w+)(?P<open>\()", re.MULTILINE)
_CLASS = re.compile(r"^(?P<indent>[ \t]*)class[ \t]+(?P<name>\w+)", re.MULTILINE)
_SCRIPT = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?"
    r"(?:function\*?[ \t]+(?P<name>[\w$]+)|const[ \t]+(?P<name2>[\w$]+)[ \t]*=[ \t]*(?:async[ \t]*)?(?=\()"
    r"|(?:(?:public|protected|static|async)[ \t]+)+(?P<name3>[\w$]+))(?:<[^()\n]{0,80}>)?(?P<open>\()",
    re.MULTILINE,
)
_GO = re.compile(
    r"^func[ \t]+(?:\([^()\n]{1,80}\)[ \t]*)?(?P<name>[A-Z]\w*)(?:\[[^\]\n]{0,80}\])?(?P<open>\()",
    re.MULTILINE,
)
_RUST = re.compile(
    r"^[ \t]*pub(?:\([^)\n]*\))?[ \t]+(?:const[ \t]+|unsafe[ \t]+)*(?:async[ \t]+)?fn[ \t]+(?P<name>\w+)"
    r"(?:<[^()\n]{0,120}>)?(?P<open>\()",
    re.MULTILINE,
)
_KOTLIN = re.compile(
    r"^[ \t]*(?:(?:public|open|override|suspend|static|final)[ \t]+)*fun(?:c)?[ \t]+(?:<[^>\n]{0,80}>[ \t]*)?"
    r"(?P<name>\w+)(?:<[^>\n]{0,80}>)?(?P<open>\()",
    re.MULTILINE,
)
_JAVA = re.compile(
    r"^[ \t]*public[ \t]+(?:(?:static|final|async|override|virtual)[ \t]+)*[\w<>\[\],.? ]{1,80}?"
    r"[ \t]+(?P<name>\w+)(?P<open>\()",
    re.MULTILINE,
)
_PATTERNS: dict[str, re.Pattern[str]] = (
    dict.fromkeys((".py", ".pyi"), _PYTHON)
    | dict.fromkeys((".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".vue", ".svelte"), _SCRIPT)
    | {
        ".go": _GO,
        ".rs": _RUST,
        ".kt": _KOTLIN,
        ".kts": _KOTLIN,
        ".swift": _KOTLIN,
        ".java": _JAVA,
        ".cs": _JAVA,
    }
)
# A signature stands on one line, up to its bracket: only lines with one of these words are looked at.
_WORDS: dict[re.Pattern[str], tuple[str, ...]] = {
    _PYTHON: ("def",),
    _SCRIPT: ("function", "const", "public", "protected", "static", "async"),
    _GO: ("func",),
    _RUST: ("fn",),
    _KOTLIN: ("fun",),
    _JAVA: ("public",),
    _CLASS: ("class",),
}
# From the closing bracket to where the body begins.
_RESULTS: dict[str, re.Pattern[str]] = (
    dict.fromkeys((".py", ".pyi"), re.compile(r"[ \t]*(->[^:\n]{1,120})?:"))
    | dict.fromkeys((".go",), re.compile(r"[ \t]*([^{\n]{0,120}?)[ \t]*\{"))
    | dict.fromkeys((".rs", ".swift"), re.compile(r"[ \t]*(->[^{\n;]{1,120}?)?[ \t]*(?:where\b|[{;])"))
)
_ANY_RESULT = re.compile(r"[ \t]*(:[^{=\n]{1,120}?)?[ \t]*(?:=>|[{;=]|throws\b|$)")
_TESTS = re.compile(r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)(?:test_|conftest)|_test\.|\.(?:test|spec)\.")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_STRING_OR_BRACKET = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()\[\]{}]|#[^\n]*|//[^\n]*")
_LAST_COMMA = re.compile(r",? ?\)$")
_PYTHON_COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """`name` with the class it is in, where that is seen: `Invoice.total`."""

    name: str
    text: str
    """On one line, from the name to the result: `total(self, *, rounded: bool) -> int`."""


@lru_cache(maxsize=512)
def is_read(file: str) -> bool:
    """Whether it is source code of a language that is read, and no test."""
    return _suffix(file) in _PATTERNS and not _TESTS.search(file)


@lru_cache(maxsize=512)
def _suffix(file: str) -> str:
    return PurePosixPath(file).suffix.lower()


def signatures(source: str, file: str) -> dict[str, Signature]:
    """By name, the last of each, without private functions and without tests.

    `source` may be a part of a file.  Empty for a language that is not read.
    """
    if not is_read(file):
        return {}
    return {found.name: found for found in _found(source, _suffix(file))}


def may_differ(before: str, after: str, file: str) -> bool:
    """False where both have the same signatures, as after most edits: told by the lines that differ."""
    if not is_read(file):
        return False
    pattern = _PATTERNS[_suffix(file)]
    words = (*_WORDS[pattern], *_WORDS[_CLASS])
    lines = _telling_lines(before, words)
    if lines == _telling_lines(after, words) and all(map(_is_closed, lines)):
        return False
    start, same_end = _edges(before, after)
    sides = (before[start : len(before) - same_end], after[start : len(after) - same_end])
    if any(word in side for word in words for side in sides):
        return True
    return _is_within_signature(before, start, pattern)


def _telling_lines(source: str, words: Sequence[str]) -> list[str]:
    """Those that hold one of the words, in their order."""
    ended = source + "\n"
    return [ended[start : ended.index("\n", start)] for start in _starts(source, words)]


def _is_closed(line: str) -> bool:
    """Whether what a bracket opens in it ends in it, and something stands behind that."""
    return line.count("(") == line.count(")") and not line.rstrip().endswith(")")


def _is_within_signature(source: str, at: int, pattern: re.Pattern[str]) -> bool:
    """Whether one that begins before that place goes on there."""
    ends = (_closing(source, match.start("open")) for match in _matches(pattern, source, at))
    return any(end is None or source.find("\n", end, at) < 0 for end in ends)


def _edges(before: str, after: str) -> tuple[int, int]:
    """How much is the same in whole lines at the beginning, the last line apart, and at the end."""
    start = before.rfind("\n", 0, _same(before, after)) + 1
    end = _same(before[start:][::-1], after[start:][::-1])
    line = before.find("\n", len(before) - end)
    return start, len(before) - line - 1 if line >= 0 else 0


def _same(one: str, other: str) -> int:
    """How many characters at the beginning of both are the same, of all but their last."""
    low, high = 0, max(0, min(len(one), len(other)) - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _found(source: str, suffix: str) -> Iterator[Signature]:
    for match in _matches(_PATTERNS[suffix], source):
        groups = match.groupdict()
        name = groups["name"] or groups.get("name2") or groups.get("name3") or ""
        if name.startswith(("_", "test")) or name in ("if", "for", "while", "switch", "catch", "new"):
            continue
        end = _closing(source, match.start("open"))
        result = _RESULTS.get(suffix, _ANY_RESULT).match(source, end) if end else None
        if not end or not result:
            continue
        parameters = _one_line(source[match.start("open") : end], is_python=suffix in (".py", ".pyi"))
        text = f"{name}{parameters}{_result(result[1])}"
        if len(text) <= MAX_SIGNATURE_CHARS:
            owner = _class_of(source, match) if suffix in (".py", ".pyi") else ""
            yield Signature(name=f"{owner}{name}", text=f"{owner}{text}")


def _matches(pattern: re.Pattern[str], source: str, end: int | None = None) -> list[re.Match[str]]:
    found = (pattern.match(source, start) for start in _starts(source, _WORDS[pattern], end))
    return [match for match in found if match is not None]


def _starts(source: str, words: Sequence[str], end: int | None = None) -> list[int]:
    """Where the lines begin that hold one of the words."""
    starts: set[int] = set()
    for word in words:
        at = source.find(word, 0, end)
        while at >= 0:
            starts.add(source.rfind("\n", 0, at) + 1)
            at = source.find("\n", at, end)
            at = source.find(word, at, end) if at >= 0 else at
    return sorted(starts)


def _result(written: str | None) -> str:
    text = " ".join((written or "").split())
    return text if not text or text.startswith(":") else f" {text}"


def _closing(source: str, start: int) -> int | None:
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(source, start, start + MAX_PARAMETER_CHARS):
        depth += _BRACKETS.get(found[0], 0)
        if depth == 0:
            return found.end()
    return None


def _one_line(parameters: str, *, is_python: bool) -> str:
    if is_python:
        parameters = _PYTHON_COMMENT.sub("", parameters) if '"' not in parameters else parameters
    text = " ".join(parameters.split())
    return _LAST_COMMA.sub(")", "(" + text[2:] if text.startswith("( ") else text)


def _class_of(source: str, match: re.Match[str]) -> str:
    """`Name.` of the nearest class above with a smaller indent."""
    indent = len(match["indent"].expandtabs(4))
    if not indent:
        return ""
    above = _matches(_CLASS, source, match.start())
    owner = next((each for each in reversed(above) if len(each["indent"].expandtabs(4)) < indent), None)
    return f"{owner['name']}." if owner else ""
