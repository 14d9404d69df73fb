"""Takes a shell command apart into words and operators, past quotes, substitutions and here-documents.

No text makes it raise: an unfinished quotation ends with the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

MAX_DEPTH = 8

Separator = Literal["&&", "||", ";", "&", "|"]


@dataclass(slots=True)
class Part:
    """A simple command, or a list in brackets, and what stands behind it."""

    words: list[str] = field(default_factory=list)
    inner: list[Part] | None = None
    then: Separator = ";"
    is_negated: bool = False


_PLAIN = re.compile(r"[^\s'\"\\;&|()<>$`#]+|#")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&?|[;|&\n]")
_REDIRECTION = re.compile(r"[0-9]*(?:&>>?|>>|>\||>&|<&|<>|>|<)")
_HEREDOC = re.compile(r"[0-9]*<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.!-]+))")
_COMMENT = re.compile(r"#[^\n]*")
_SPACE = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
_SEPARATORS: dict[str, Separator] = {"&&": "&&", "||": "||", "|": "|", "|&": "|", "&": "&"}


def parts_of(command: str) -> list[Part]:
    return _Scanner(command).parts()


class _Scanner:
    def __init__(self, text: str, *, at: int = 0, depth: int = 0) -> None:
        self._text = text
        self._at = at
        self._depth = depth
        self._heredocs: list[str] = []

    def parts(self, depth: int = 0) -> list[Part]:
        """Up to the bracket that closes this list, or to the end."""
        parts = [Part()]
        while self._at < len(self._text):
            if self._skip() or self._operator(parts) or self._redirection():
                continue
            sign = self._text[self._at]
            if sign == ")":
                self._at += 1
                if depth:
                    break
            elif sign == "(" and not parts[-1].words and depth < MAX_DEPTH:
                self._at += 1
                parts[-1].inner = self.parts(depth + 1)
            elif sign == "(":
                self._at += 1  # of a function or an array
            elif self._is_brace("{") and not parts[-1].words and depth < MAX_DEPTH:
                self._at += 1
                parts[-1].inner = self.parts(depth + 1)
            elif self._is_brace("}") and depth and not parts[-1].words:
                self._at += 1
                break
            else:
                self._take(parts[-1], self._word())
        return [part for part in parts if part.words or part.inner is not None]

    def _is_brace(self, sign: str) -> bool:
        return (
            self._text[self._at] == sign and (self._text[self._at + 1 : self._at + 2] or " ") in " \t\n;)&|"
        )

    def _take(self, part: Part, word: str) -> None:
        if part.inner is not None:
            return
        if word == "!" and not part.words:
            part.is_negated = not part.is_negated
        else:
            part.words.append(word)

    def _skip(self) -> bool:
        found = _SPACE.match(self._text, self._at) or _COMMENT.match(self._text, self._at)
        if found is None:
            return False
        self._at = found.end()
        return True

    def _operator(self, parts: list[Part]) -> bool:
        if self._text.startswith("&>", self._at):
            return False
        found = _OPERATOR.match(self._text, self._at)
        if found is None:
            return False
        self._at = found.end()
        sign = found[0]
        if sign == "\n":
            self._skip_heredocs()
        if parts[-1].words or parts[-1].inner is not None:
            parts[-1].then = _SEPARATORS.get(sign, ";")
            parts.append(Part())
        return True

    def _redirection(self) -> bool:
        if heredoc := _HEREDOC.match(self._text, self._at):
            self._heredocs.append(heredoc[1] or heredoc[2] or heredoc[3])
            self._at = heredoc.end()
            return True
        found = _REDIRECTION.match(self._text, self._at)
        if found is None or self._text.startswith(("<(", ">("), self._at):
            return False
        self._at = found.end()
        while (space := _SPACE.match(self._text, self._at)) is not None:
            self._at = space.end()
        self._word()
        return True

    def _skip_heredocs(self) -> None:
        """Their bodies are no commands."""
        for end in self._heredocs:
            found = re.compile(rf"^[ \t]*{re.escape(end)}[ \t]*$", re.MULTILINE).search(self._text, self._at)
            self._at = min(found.end() + 1, len(self._text)) if found is not None else len(self._text)
        self._heredocs.clear()

    def _word(self) -> str:
        """One word with its quotes taken away; a substitution stays as it is written."""
        pieces: list[str] = []
        start = self._at
        while self._at < len(self._text):
            sign = self._text[self._at]
            if plain := _PLAIN.match(self._text, self._at):
                pieces.append(plain[0])
                self._at = plain.end()
            elif sign == "'":
                end = self._text.find("'", self._at + 1)
                pieces.append(self._until(end if end >= 0 else len(self._text)))
            elif sign == '"':
                pieces.append(self._double())
            elif sign == "\\":
                pieces.append(self._text[self._at + 1 : self._at + 2])
                self._at += 2
            elif sign in "$`" or self._text.startswith(("<(", ">("), self._at):
                pieces.append(self._substitution())
            else:
                break
        if self._at == start:
            self._at += 1  # no sign of a word: never stand still
        return "".join(pieces)

    def _until(self, end: int) -> str:
        """What stands in quotes that end there."""
        found = self._text[self._at + 1 : end]
        self._at = end + 1
        return found

    def _double(self) -> str:
        pieces: list[str] = []
        self._at += 1
        while self._at < len(self._text):
            sign = self._text[self._at]
            if sign == '"':
                self._at += 1
                break
            if sign == "\\":
                pieces.append(self._text[self._at + 1 : self._at + 2])
                self._at += 2
            elif sign in "$`":
                pieces.append(self._substitution())
            else:
                end = _next(self._text, self._at, '"\\$`')
                pieces.append(self._text[self._at : end])
                self._at = end
        return "".join(pieces)

    def _substitution(self) -> str:
        """`$(…)`, backticks, `${…}`, or a plain variable: as written."""
        start = self._at
        if self._text.startswith(("$(", "<(", ">("), self._at) and self._depth < MAX_DEPTH:
            self._at += 2
            self._skip_to_bracket()
        elif self._text[self._at] == "`" or self._text.startswith("${", self._at):
            end = self._text.find("`" if self._text[self._at] == "`" else "}", self._at + 1)
            self._at = end + 1 if end >= 0 else len(self._text)
        else:
            self._at += 1
        return self._text[start : self._at]

    def _skip_to_bracket(self) -> None:
        """Past the bracket that closes a substitution; what is quoted in it may hold brackets."""
        inner = _Scanner(self._text, at=self._at, depth=self._depth + 1)
        depth = 1
        while inner._at < len(self._text) and depth:
            sign = self._text[inner._at]
            if sign in "()":
                depth += 1 if sign == "(" else -1
                inner._at += 1
            elif not (inner._skip() or inner._operator([Part()]) or inner._redirection()):
                inner._word()
        self._at = inner._at


def _next(text: str, at: int, signs: str) -> int:
    return min((found for sign in signs if (found := text.find(sign, at)) >= 0), default=len(text))
