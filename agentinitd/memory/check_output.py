"""What the output of a check says of it: `3 failed`, `test result: ok`, `All checks passed!`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentinitd.memory.check_runs import Kind

# Line by line.  The words of a failure outweigh those of a success.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_BAD: dict[Kind, str] = {
    "tests": r"""
        .*\b[1-9]\d*\ (?:failed|errors?)\b.*\bin\ [\d.]+\ ?s
      | (?:FAILED|ERROR)\ \S+(?:::|\.py)
      | \s*(?:Tests?|Test\ (?:Files|Suites)):?\s+(?:.*[\s|,])?[1-9]\d*\ failed
      | \s*[1-9]\d*\ failing\b
      | [#ℹ]\ fail\ [1-9]
      | \s*[1-9]\d*\ fail\b\s*$
      | test\ result:\ FAILED
      | (?:---\ FAIL|FAIL)(?::|\s)
      | FAILED\ \((?:failures|errors)=
      | FAILURES!
      | \d+\ (?:examples?|tests?),\ .*\b[1-9]\d*\ failures?
      | (?:\[ERROR\]\ )?.*\bBUILD\ FAIL(?:ED|URE)
      | npm\ (?:ERR!|error)\ (?:Test\ failed|Lifecycle\ script|code\ ELIFECYCLE)
      | make(?:\[\d+\])?:\ \*\*\*\ .*Error\ \d+
    """,
    "lint": r"""
        Found\ [1-9]\d*\ errors?(?!.*\b0\ remaining)
      | .*✖\ \d+\ problems?\ \([1-9]\d*\ errors?
      | error:\ could\ not\ compile
    """,
    "types": r"""
        .*\berror\ TS\d+:
      | Found\ [1-9]\d*\ errors?
      | [1-9]\d*\ errors?,\ \d+\ warnings?
    """,
    "commit": r"nothing\ to\ commit|no\ changes\ added|Aborting\ commit|fatal:\ |error:\ ",
    "push": r"\s*!\ \[(?:remote\ )?rejected\]|error:\ failed\ to\ push|fatal:\ ",
}
_GOOD: dict[Kind, str] = {
    "tests": r"""
        .*\b[1-9]\d*\ passed\b.*\bin\ [\d.]+\ ?s
      | \s*Tests?:?\s+(?:.*,\ )?[1-9]\d*\ passed
      | \s*[1-9]\d*\ passing\b
      | [#ℹ]\ pass\ [1-9]
      | \s*[1-9]\d*\ pass\b\s*$
      | test\ result:\ ok\.\ [1-9]
      | ok\s+\S+\s+(?:[\d.]+s|\(cached\))
      | OK(?:\ \(.*)?$
      | [1-9]\d*\ examples?,\ 0\ failures
      | (?:\[INFO\]\ )?BUILD\ SUCCESS
    """,
    "lint": r"All\ checks\ passed!|Found\ \d+\ errors?.*\b0\ remaining",
    "types": r"Success:\ no\ issues\ found|0\ errors,|Found\ 0\ errors",
    "commit": r"\[[^\]\n]+\ [0-9a-f]{7,40}\]\ ",
    "push": r"Everything\ up-to-date|\s+[ +*]?\s*(?:[0-9a-f]+\.{2,3}[0-9a-f]+|\[new\ \w+\])\s+\S+\ ->\ ",
}


def _lines(patterns: dict[Kind, str]) -> dict[Kind, re.Pattern[str]]:
    return {kind: re.compile(f"(?:{text})", re.X) for kind, text in patterns.items()}


_SAYS_BAD, _SAYS_GOOD = _lines(_BAD), _lines(_GOOD)

# Each line above has one of these: only lines with one are looked at.  A line break stands for its beginning.
_WORDS_BAD: dict[Kind, tuple[str, ...]] = {
    "tests": ("fail", "FAIL", "rror", "ERR"),
    "lint": ("rror", "problem"),
    "types": ("rror",),
    "commit": ("\nnothing to", "\nno changes", "\nAborting", "\nfatal: ", "\nerror: "),
    "push": ("rejected]", "\nerror: ", "\nfatal: "),
}
_WORDS_GOOD: dict[Kind, tuple[str, ...]] = {
    "tests": ("pass", "\ntest result: ok", "\nok", "\nOK", " 0 failures", "BUILD SUCCESS"),
    "lint": ("\nAll checks", "rror"),
    "types": ("\nSuccess", "rror"),
    "commit": ("\n[",),
    "push": ("\nEverything", " -> "),
}


def said_by(kind: Kind, text: str) -> bool | None:
    """What the output itself says of a check of this kind; None when it says nothing."""
    plain = _plain(text)
    if _is_bad(kind, plain):
        return False
    return True if any(map(_SAYS_GOOD[kind].match, _lines_with(_WORDS_GOOD[kind], plain))) else None


def says_bad(kind: Kind, text: str) -> bool:
    """Whether the output itself says that a check of this kind failed."""
    return _is_bad(kind, _plain(text))


def _plain(text: str) -> str:
    return "\n" + (_COLOUR.sub("", text) if "\x1b" in text else text)


def _is_bad(kind: Kind, plain: str) -> bool:
    return any(map(_SAYS_BAD[kind].match, _lines_with(_WORDS_BAD[kind], plain)))


def _lines_with(words: tuple[str, ...], text: str) -> Iterator[str]:
    """With their ends."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            inside = at + len(word) - 1
            end = text.find("\n", inside)
            end = len(text) if end < 0 else end + 1
            yield text[text.rfind("\n", 0, inside) + 1 : end]
            at = text.find(word, end - 1)
