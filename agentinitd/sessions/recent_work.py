"""Which files, commands and names a session dealt with last, gathered from what its transcript says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
    fresh = _Fresh()
    for event in reversed(events[-MOST_EVENTS:]):
        fresh.add(event)
    return fresh.before(work)


def hear(work: RecentWork, event: Event) -> RecentWork:
    """The work with what this event adds to it; the same object when it adds nothing."""
    return heard(work, (event,))


class _Latest:
    """At most so many texts, each where it was met last; they come newest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._texts: dict[str, None] = {}

    @property
    def is_full(self) -> bool:
        return len(self._texts) >= self._most

    def add(self, texts: Sequence[str]) -> None:
        for text in reversed(texts):
            if self.is_full:
                return
            if text:
                self._texts.setdefault(text)

    def before(self, older: tuple[str, ...]) -> tuple[str, ...]:
        if not self._texts:
            return older
        self.add(older)
        return tuple(reversed(self._texts))


class _Fresh:
    """What events add, looked at from the newest back: most of the old ones need not be read any more."""

    def __init__(self) -> None:
        self._files = _Latest(MOST_FILES)
        self._commands = _Latest(MOST_COMMANDS)
        self._words = _Latest(MOST_WORDS)

    def add(self, event: Event) -> None:
        """What helpers do and what was copied from another transcript is not the work of this session."""
        if event.is_history or event.is_helper:
            return
        if isinstance(event, ToolCall):
            self._add_call(event)
        elif self._words.is_full:
            return
        elif isinstance(event, PersonMessage | AgentMessage):
            self._add_words([event.text])
        elif isinstance(event, PlanUpdate):
            self._add_words([step.text for step in event.steps if step.status == "in_progress"])

    def before(self, work: RecentWork) -> RecentWork:
        files, commands = self._files.before(work.files), self._commands.before(work.commands)
        words = " ".join(self._words.before(tuple(work.words.split())))
        after = replace(work, files=files, commands=commands, words=words)
        return work if after == work else after

    def _add_call(self, call: ToolCall) -> None:
        if len(call.input_json) > _INPUT_BYTES:
            return
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
        self._files.add([_one_line(file) for file in files])
        self._commands.add([] if self._commands.is_full else [_command(text) for text in commands])
        self._add_words(searched)

    def _add_words(self, texts: Sequence[str]) -> None:
        if not self._words.is_full:
            self._words.add([word for text in texts for word in _words(text)])


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


def _words(text: str) -> Iterator[str]:
    for term in query_terms(redact(text[:_MESSAGE_CHARS]).text):
        yield term.whole
        yield from (part for part in term.parts if len(part) > 1)
