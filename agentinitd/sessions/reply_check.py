"""Whether the agent's first reply after a snippet honours its rules (architecture.md section 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Literal

from agentinitd.memory.file_edits import file_edits_of
from agentinitd.memory.obligations import Obligation, ObligationKind, Spoken, obligations_of
from agentinitd.memory.redact import redact
from agentinitd.memory.shell import ran
from agentinitd.memory.tool_calls import command_of
from agentinitd.memory.unwrapping import behind_options, layers
from agentinitd.model.events import AgentMessage, Event, PersonMessage, ToolCall
from agentinitd.model.facts import Anchor

Verdict = Literal["echoed", "silent", "violated"]
MAX_BROKEN = 5
_SHOWN_CHARS = 80
# Fewer words are a name, an "OK", or a title.
_FEW_WORDS = 4

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n`]*)\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_NO_PROSE = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|\w+://\S+|[\w.-]*/[\w./-]+|^\s*>.*$", re.MULTILINE
)
_COMMENT = re.compile(
    r"(?:^|[ \t;{}])(?:#(?!!|\w*\()|//|/\*+|--)[ \t]*(.+)$|^[ \t]*\*[ \t]+(.+)$", re.MULTILINE
)
_NO_CODE = frozenset(["md", "markdown", "text", "txt", "diff", "console", "log", "rst", "json", "csv", ""])
_XARGS_OPTIONS = frozenset(["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"])
_WRITING = frozenset(["rm", "mv", "tee", "truncate", "unlink", "shred", "patch"])
_REDIRECT = re.compile(r"(?<![<>&\d])>{1,2}\s*([\w./~-]+)")
_LETTERS: dict[Spoken, re.Pattern[str]] = {
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
# What a rule is about: a path, a name of code, or an English word in a Chinese sentence.
_NAME = re.compile(
    r"[\w-]+[./_][\w./-]+|(?<=[\u3000-\uffef ])[A-Za-z]\w{2,}(?=[ ，。]?[\u3000-\uffef])", re.ASCII
)
_WORD = re.compile(r"[A-Za-z][a-z']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A rule that the reply broke, and by what."""

    rule: Anchor
    how: str
    """For people and for the agent: `ran pip install tenacity`."""


class ReplyCheck:
    """Hears the agent from a snippet's arrival to the person's next message.  Nobody answered: no verdict."""

    def __init__(self, rules: Iterable[Anchor], *, project: str) -> None:
        self._rules = [(rule, obligations_of(rule)) for rule in rules]
        self._project = project
        self._has_heard = False
        self._said: list[str] = []
        self._broken: dict[str, Broken] = {}
        self.is_over = False

    @property
    def broken(self) -> tuple[Broken, ...]:
        return tuple(self._broken.values())

    @property
    def verdict(self) -> Verdict | None:
        """None while nothing was said and done: not yet known is not honoured."""
        if not self._has_heard:
            return None
        if self._broken:
            return "violated"
        return "echoed" if any(self._is_echoed(rule) for rule, _ in self._rules) else "silent"

    def hear(self, event: Event) -> None:
        if self.is_over or event.is_history or event.is_helper:
            return
        if isinstance(event, PersonMessage):
            self.is_over = self._has_heard
        elif isinstance(event, AgentMessage) and event.text.strip():
            self._has_heard = True
            self._said.append(event.text)
            self._judge(lambda obligation: _broken_by_words(obligation, event.text))
        elif isinstance(event, ToolCall):
            self._has_heard = True
            self._judge(lambda obligation: _broken_by_call(obligation, event, self._project))

    def _judge(self, how_of: Callable[[Obligation], str | None]) -> None:
        for rule, obligations in self._rules:
            for obligation in obligations:
                how = how_of(obligation)
                if how and rule.id not in self._broken and len(self._broken) < MAX_BROKEN:
                    self._broken[rule.id] = Broken(rule=rule, how=how)

    def _is_echoed(self, rule: Anchor) -> bool:
        names = _NAME.findall(rule.what)
        return any(name in text for text in self._said for name in names)


def _broken_by_words(obligation: Obligation, text: str) -> str | None:
    if obligation.kind == "reply-language" and obligation.language:
        prose = _NO_PROSE.sub(" ", _FENCE.sub(" ", text))
        return f"answered: {_shown(prose)}" if _is_other(prose, obligation.language) else None
    if obligation.kind == "comment-language" and obligation.language:
        blocks = (block for block in _FENCE.finditer(text) if block[2].strip().lower() not in _NO_CODE)
        code = "\n".join(block[3] for block in blocks)
        return _foreign_comment(code, "", obligation.language)
    return None


def _is_other(prose: str, language: Spoken) -> bool:
    """Whether a text is clearly written in another language than this one."""
    words = len(_WORD.findall(prose))
    counts = {name: len(letters.findall(prose)) for name, letters in _LETTERS.items()}
    if language == "en":
        return sum(counts.values()) > max(2 * words, _FEW_WORDS)
    # Words of code and product names are English in every language.
    return not counts[language] and words + sum(counts.values()) >= _FEW_WORDS


def _foreign_comment(code: str, before: str, language: Spoken) -> str | None:
    for found in _COMMENT.finditer(code):
        comment = (found[1] or found[2]).strip()
        if comment in before:
            continue
        is_chinese = language == "en" and _LETTERS["zh"].search(comment)
        if is_chinese or (language != "en" and _is_other(comment, language)):
            return f"comment: {_shown(comment)}"
    return None


def _broken_by_call(obligation: Obligation, call: ToolCall, project: str) -> str | None:
    return _BY_CALL[obligation.kind](obligation, call, project) if obligation.kind in _BY_CALL else None


def _by_comment(obligation: Obligation, call: ToolCall, _project: str) -> str | None:
    assert obligation.language is not None
    for edit in file_edits_of(call):
        is_code = PurePosixPath(edit.file).suffix[1:].lower() not in _NO_CODE
        how = _foreign_comment(edit.after, edit.before, obligation.language) if is_code else None
        if how:
            return how
    return None


def _by_command(obligation: Obligation, call: ToolCall, _project: str) -> str | None:
    for words in _commands(call):
        if any(_is_run(layer, obligation.words) for layer in _layers(words)):
            return f"ran {_shown(' '.join(words))}"
    return None


def _is_run(words: Sequence[str], banned: Sequence[str]) -> bool:
    """The same program, the same words behind it, and every option; `--force` is also said `-f`."""
    (program, *given), (banned_program, *rest) = words, banned
    if program != banned_program:
        return False
    options = {word for word in given if word.startswith("-")}
    plain = [word for word in given if not word.startswith("-")][1 if "-C" in options else 0 :]
    wanted = [word for word in rest if not word.startswith("-")]
    has_options = all(
        word in options or (word == "--force" and "-f" in options) for word in set(rest) - set(wanted)
    )
    return has_options and plain[: len(wanted)] == wanted


def _commands(call: ToolCall) -> list[tuple[str, ...]]:
    command = command_of(call)
    return [each.words for each in ran(command, has_succeeded=None)] if command else []


def _layers(words: Sequence[str]) -> list[tuple[str, ...]]:
    """What runs, from the outside in: `pip` in `sudo -H pip install x`, `python -m pip`, `xargs pip`."""
    found = layers(words)
    core = found[-1] if found else ()
    inner: Sequence[str] = ()
    if core[1:2] == ("-m",) and re.fullmatch(r"python[\d.]*", core[0]):
        inner = core[2:]
    elif core[:1] == ("xargs",):
        inner = behind_options(core[1:], _XARGS_OPTIONS)
    return found + (_layers(inner) if inner else [])


def _by_edit(obligation: Obligation, call: ToolCall, project: str) -> str | None:
    for file in _written(call, project):
        if any(_is_at(file, path) for path in obligation.paths):
            return f"changed {_shown(file)}"
    return None


def _by_edit_elsewhere(obligation: Obligation, call: ToolCall, project: str) -> str | None:
    for edit in file_edits_of(call):
        file = _relative(edit.file, project)
        if not file.startswith("/") and not any(_is_at(file, path) for path in obligation.paths):
            return f"changed {_shown(file)}"
    return None


def _by_tool(obligation: Obligation, call: ToolCall, project: str) -> str | None:
    commands = [" ".join(words) for words in _commands(call)]
    if commands and obligation.tool == "Bash":
        hit = next((command for command in commands if fnmatchcase(command, obligation.pattern)), None)
        return f"ran {_shown(hit)}" if hit else None
    files = [_relative(edit.file, project) for edit in file_edits_of(call)]
    if files and obligation.tool in ("Edit", "Write"):
        hit_file = next((file for file in files if _is_at(file, obligation.pattern)), None)
        return f"changed {_shown(hit_file)}" if hit_file else None
    if fnmatchcase(call.name, obligation.tool) and fnmatchcase(
        call.input_json.decode(errors="replace"), obligation.pattern
    ):
        return f"called {_shown(call.name)}"
    return None


_BY_CALL: Mapping[ObligationKind, Callable[[Obligation, ToolCall, str], str | None]] = {
    "comment-language": _by_comment,
    "never-run": _by_command,
    "never-edit": _by_edit,
    "edit-only": _by_edit_elsewhere,
    "never-call": _by_tool,
}


def _written(call: ToolCall, project: str) -> Iterator[str]:
    """Files that the call changes: by an editing tool, or by a command that writes."""
    for edit in file_edits_of(call):
        yield _relative(edit.file, project)
    for words in _commands(call):
        program = next((layer[0] for layer in reversed(_layers(words))), "")
        if program in _WRITING or (program == "sed" and any(word.startswith("-i") for word in words)):
            yield from (_relative(word, project) for word in words)
    yield from (_relative(file, project) for file in _REDIRECT.findall(command_of(call) or ""))


def _relative(file: str, project: str) -> str:
    return file.removeprefix(project.rstrip("/") + "/").removeprefix("./")


def _is_at(file: str, path: str) -> bool:
    """`file` is what a rule names, or lies below it: `legacy/`, `config.py`, `migrations/0007`, `*.lock`."""
    if "*" in path:
        return fnmatchcase(file, path) or fnmatchcase(PurePosixPath(file).name, path)
    name = path.rstrip("/").removeprefix("./")
    # By hand: a pattern for each rule would be compiled for each edit, and hundreds of them kept.
    return any(_is_part(file, at, at + len(name)) for at in _places(file, name))


def _places(file: str, name: str) -> Iterator[int]:
    at = file.find(name)
    while at >= 0:
        yield at
        at = file.find(name, at + 1)


def _is_part(file: str, start: int, end: int) -> bool:
    """From the beginning of a folder or file on, and not in the middle of a word."""
    after = file[end : end + 1]
    return (start == 0 or file[start - 1] == "/") and not (after.isascii() and after.isalnum())


def _shown(text: str) -> str:
    """Masked before it is cut: half a credential is still one."""
    line = " ".join(redact(text).text.split())
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"
