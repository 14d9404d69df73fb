"""Which files, commands and names a session dealt with last, gathered from what its transcript says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from agentinitd.memory.redact import redact
from agentinitd.memory.search_tokens import query_terms
from agentinitd.model.events import AgentMessage, Event, PersonMessage, PlanUpdate, ToolCall
from agentinitd.model.work import RecentWork

MOST_FILES = 20
MOST_COMMANDS = 10
MOST_WORDS = 100
MOST_EVENTS = 300
"""Looked at of one reading: what comes before is past."""
_MOST_CHARS = 400
_MESSAGE_CHARS = 2000
_INPUT_BYTES = 256 * 1024
# How the tools of the agents call what they are given; compared without case, `_` and `-`.
_FILES = frozenset(
    ("filepath", "path", "filename", "file", "notebookpath", "absolutepath", "relativepath", "targetfile",
     "relativeworkspacepath", "paths", "files", "filepaths", "directory", "dirpath")
)  # fmt: skip
_COMMANDS = frozenset(("command", "cmd", "script", "commandline"))
_SEARCHED = frozenset(("pattern", "query", "regex", "glob", "globpattern", "symbol", "search", "searchterm"))
_PATCHES = frozenset(("input", "patch", "patchtext", "diff"))
_PATCHED = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File:|\+\+\+ (?:b/)?)\s*(\S.{0,300})$", re.MULTILINE)
# In a command: with a slash in it, or a name with an ending.
_PATH = re.compile(
    r"(?<![\w@:/.-])(?:~?/|\.{1,2}/)?[\w.@+-]+(?:/[\w.@+-]+)+|(?<![\w@:/.-])[\w-]+\.[A-Za-z]\w{0,5}\b"
)
_MOST_PATHS_OF_COMMAND = 8


def heard(work: RecentWork, events: Sequence[Event]) -> RecentWork:
    """The work after these events; only the last of many count."""
    for event in events[-MOST_EVENTS:]:
        work = hear(work, event)
    return work


def hear(work: RecentWork, event: Event) -> RecentWork:
    """The work with what this event adds to it; the same object when it adds nothing.

    What helpers do and what was copied from another transcript is not the work of this session.
    """
    if event.is_history or event.is_helper:
        return work
    if isinstance(event, ToolCall):
        return _of_call(work, event)
    if isinstance(event, PersonMessage | AgentMessage):
        return _with_words(work, [event.text])
    if isinstance(event, PlanUpdate):
        return _with_words(work, [step.text for step in event.steps if step.status == "in_progress"])
    return work


def _of_call(work: RecentWork, call: ToolCall) -> RecentWork:
    if len(call.input_json) > _INPUT_BYTES:
        return work
    files: list[str] = []
    commands: list[str] = []
    searched: list[str] = []
    for key, text in _texts(call.input):
        if key in _FILES:
            files.append(text)
        elif key in _COMMANDS:
            commands.append(text)
            files += _PATH.findall(text[:_MESSAGE_CHARS])[:_MOST_PATHS_OF_COMMAND]
        elif key in _SEARCHED:
            searched.append(text)
        elif key in _PATCHES:
            files += _PATCHED.findall(text)
    with_words = _with_words(work, searched)
    return replace(
        with_words,
        files=_latest(with_words.files, map(_one_line, files), MOST_FILES),
        commands=_latest(with_words.commands, map(_command, commands), MOST_COMMANDS),
    )


def _texts(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Every text with the key it stands under, also those one list or object deeper."""
    for name, value in arguments.items():
        key = _plain(name)
        values = value if isinstance(value, list) else [value]
        if key in _COMMANDS:
            yield key, " ".join(part for part in values if isinstance(part, str))
            continue
        for each in values:
            if isinstance(each, str):
                yield key, each
            elif isinstance(each, dict):
                yield from (
                    (_plain(str(inner)), text) for inner, text in each.items() if isinstance(text, str)
                )


def _plain(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "")


def _command(text: str) -> str:
    return redact(_one_line(text)).text


def _one_line(text: str) -> str:
    return " ".join(text[:_MOST_CHARS].split())


def _with_words(work: RecentWork, texts: Iterable[str]) -> RecentWork:
    words = [word for text in texts for word in _words(text)]
    if not words:
        return work
    return replace(work, words=" ".join(_latest(tuple(work.words.split()), words, MOST_WORDS)))


def _words(text: str) -> Iterator[str]:
    for term in query_terms(redact(text[:_MESSAGE_CHARS]).text):
        yield term.whole
        yield from (part for part in term.parts if len(part) > 1)


def _latest(known: tuple[str, ...], new: Iterable[str], most: int) -> tuple[str, ...]:
    """Each once, where it was met last."""
    merged = dict.fromkeys(known)
    for text in new:
        merged.pop(text, None)
        if text:
            merged[text] = None
    return tuple(merged)[-most:]
