"""What an editing tool call puts into files: which text gives way to which, whichever agent edits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agentinitd.memory.tool_calls import edited_by, is_editing
from agentinitd.model.events import ToolCall

MAX_CHARS = 64 * 1024
_BEFORE = ("old_string", "old_str", "oldText", "old_text", "search", "oldString")
_AFTER = (
    "new_string", "new_str", "newText", "new_text", "replace", "newString", "content", "contents",
    "file_text", "fileText", "new_source", "code", "text", "insert_text",
)  # fmt: skip
_PLAIN_EDIT = frozenset({"file_path", "old_string", "new_string", "replace_all"})
"""What most edits are given, and nothing else."""
_LISTS = ("edits", "replacements", "changes", "files")
_PATCHES = ("input", "patch", "patchText", "patch_text", "diff", "command", "cmd")
_PATHS = ("file_path", "filePath", "path", "file", "filename", "target_file")
_FILE_LINE = re.compile(r"\*\*\* (?:Update|Add) File: (.+)|\+\+\+ (?:b/)?(\S+)")
_BLOCK = re.compile(r"<{5,} SEARCH[^\n]*\n(.*?)={5,}\n(.*?)>{5,} REPLACE", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A piece of one file: `before` gives way to `after`; a file written whole has no before."""

    file: str
    before: str
    after: str


def file_edits_of(call: ToolCall) -> tuple[Edit, ...]:
    """The pieces in their order; empty for a call that edits nothing, or does not say what."""
    if not is_editing(call):
        return ()
    given = call.input
    if given.keys() <= _PLAIN_EDIT:
        file, before, after = (given.get(key) for key in ("file_path", "old_string", "new_string"))
        if file and isinstance(file, str) and isinstance(before, str) and isinstance(after, str):
            return (Edit(file=file, before=before[:MAX_CHARS], after=after[:MAX_CHARS]),)
    files = edited_by(call, given)
    if not files:
        return ()
    found = [*_patched(given, files[0]), *_named(given, files[0])]
    return tuple(found) or tuple(Edit(file=file, before="", after="") for file in files)


def _named(given: Mapping[str, object], file: str) -> Iterator[Edit]:
    before, after = (_text(given, keys) for keys in (_BEFORE, _AFTER))
    if before or after:
        named = _text(given, _PATHS) or file
        yield Edit(file=named, before=before, after=after)
    for key in _LISTS:
        entries = given.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping):
                yield from _named(entry, _text(given, _PATHS) or file)


def _text(given: Mapping[str, object], keys: tuple[str, ...]) -> str:
    for key in keys:
        if isinstance(text := given.get(key), str):
            return text[:MAX_CHARS]
    return ""


def _patched(given: Mapping[str, object], file: str) -> Iterator[Edit]:
    for value in [given[key] for key in _PATCHES if key in given]:
        text = "\n".join(map(str, value)) if isinstance(value, list) else value
        if not isinstance(text, str):
            continue
        for before, after in _BLOCK.findall(text[:MAX_CHARS]):
            yield Edit(file=file, before=before, after=after)
        if "*** Begin Patch" in text or "\n+++ " in text:
            yield from _hunks(text[:MAX_CHARS], file)


def _hunks(patch: str, file: str) -> Iterator[Edit]:
    """One edit a file: the lines that go, and those that come, each with what stays around them."""
    lines: tuple[list[str], list[str]] = ([], [])
    for line in [*patch.split("\n"), "*** End"]:
        named = _FILE_LINE.match(line)
        if named or line.startswith("*** End"):
            if any(lines):
                yield Edit(file=file, before="\n".join(lines[0]), after="\n".join(lines[1]))
            lines = ([], [])
            file = ((named[1] or named[2]) if named else file).strip()
        elif line[:1] in ("-", " ") and not line.startswith("--- "):
            lines[0].append(line[1:])
            if line[0] == " ":
                lines[1].append(line[1:])
        elif line[:1] == "+":
            lines[1].append(line[1:])
