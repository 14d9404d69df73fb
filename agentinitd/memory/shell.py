"""Reads a shell command: which simple commands it is made of, and what its exit status says of each.

Only what surely follows is told.  `a && b` came out well: both did.  `a | b`, `a; b`, `a || true`: of `a`
nothing is known.  What is not understood (loops, conditions) says nothing of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agentinitd.memory.shell_words import MAX_DEPTH, Part, Separator, parts_of

MAX_COMMANDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One simple command of the text, without its redirections."""

    words: tuple[str, ...]
    has_succeeded: bool | None
    """None: the exit status of the whole does not tell."""


_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select"}
)
_SETUP = frozenset(
    {
        "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "alias", "echo", "printf", "mkdir",
        "true", ":", "sleep", "umask", "ulimit", "pwd", "clear", "date", "shopt", "rm", "",
    }
)  # fmt: skip
"""What stands before the command that matters: when a chain fails, it is hardly one of these."""
_SHELL = re.compile(r"(?:.*/)?(?:ba|z|da|k)?sh")


def ran(command: str, *, has_succeeded: bool | None) -> list[Ran]:
    """The simple commands in `command`, first to last, given how the whole came out.  Raises nothing."""
    return list(_ran(command, has_succeeded))


# Agents run the same tests again and again, and several of us ask.
@lru_cache(maxsize=32)
def _ran(command: str, has_succeeded: bool | None) -> tuple[Ran, ...]:
    return tuple(_told(parts_of(command), has_succeeded, depth=0))[:MAX_COMMANDS]


def _told(parts: list[Part], outcome: bool | None, *, depth: int) -> Iterator[Ran]:
    """Of a whole list: its last chain gave the exit status, unless `set -e` makes each of them count."""
    chains = _split(parts, (";", "&"))
    is_strict = bool(chains) and _stops_at_errors(chains[0])
    is_lost = any(_has_keyword(part) for part in parts)
    for place, chain in enumerate(chains):
        is_last = place == len(chains) - 1
        counts = (is_last or (is_strict and outcome is True)) and chain[-1].then != "&" and not is_lost
        if is_strict and outcome is False and len(chains) > 2:
            counts = False
        yield from _of_chain(chain, outcome if counts else None, depth=depth)


def _split(parts: list[Part], separators: tuple[Separator, ...]) -> list[list[Part]]:
    found: list[list[Part]] = [[]]
    for part in parts:
        found[-1].append(part)
        if part.then in separators:
            found.append([])
    return [chain for chain in found if chain]


def _stops_at_errors(chain: list[Part]) -> bool:
    words = chain[0].words
    return words[:1] == ["set"] and any(re.fullmatch(r"-[a-z]*e[a-z]*", word) for word in words[1:])


def _has_keyword(part: Part) -> bool:
    return bool(part.words) and part.words[0] in _KEYWORDS


def _of_chain(chain: list[Part], outcome: bool | None, *, depth: int) -> Iterator[Ran]:
    """Of `a && b || c`: which of its pipelines are known to have come out well or badly."""
    pipelines = _split(chain, ("&&", "||"))
    if len(pipelines) > 1 and pipelines[-2][-1].then == "||" and _never_succeeds(pipelines[-1]):
        pipelines = pipelines[:-1]  # `a || exit 1` fails exactly when `a` does
    known = _known(pipelines, outcome)
    for pipeline, has_succeeded in zip(pipelines, known, strict=True):
        yield from _of_pipeline(pipeline, has_succeeded, depth=depth)


def _known(pipelines: list[list[Part]], outcome: bool | None) -> list[bool | None]:
    known: list[bool | None] = [None] * len(pipelines)
    for place in range(len(pipelines) - 1, -1, -1):
        joined = pipelines[place - 1][-1].then if place else None
        if outcome is True:
            if joined == "||":
                break
            known[place] = True
        elif outcome is False and joined != "&&":
            known[place] = False
        elif outcome is False:
            group = [at for at in range(place + 1) if not _is_setup(pipelines[at])]
            if len(group) == 1 and all(pipelines[at][-1].then == "&&" for at in range(place)):
                known[group[0]] = False
            break
    return known


def _never_succeeds(pipeline: list[Part]) -> bool:
    words = pipeline[0].words
    if len(pipeline) != 1 or not words:
        return False
    return words == ["false"] or (words[0] in ("exit", "return") and words[1:] != ["0"] and len(words) == 2)


def _is_setup(pipeline: list[Part]) -> bool:
    part = pipeline[-1]
    return part.inner is None and next((word for word in part.words if "=" not in word), "") in _SETUP


def _of_pipeline(pipeline: list[Part], outcome: bool | None, *, depth: int) -> Iterator[Ran]:
    """The last command gave the exit status."""
    for part in pipeline:
        has_succeeded = outcome if part is pipeline[-1] else None
        if part.is_negated and has_succeeded is not None:
            has_succeeded = not has_succeeded
        yield from _of_part(part, has_succeeded, depth=depth)


def _of_part(part: Part, outcome: bool | None, *, depth: int) -> Iterator[Ran]:
    if part.inner is not None:
        yield from _told(part.inner, outcome, depth=depth)
        return
    words = part.words
    while words and words[0] in _KEYWORDS:
        words = words[1:]
    script = _script_in(words)
    if script is not None and depth < MAX_DEPTH:
        yield from _told(parts_of(script), outcome, depth=depth + 1)
    elif words:
        yield Ran(words=tuple(words), has_succeeded=outcome)


def _script_in(words: list[str]) -> str | None:
    """What `bash -lc '…'` is given."""
    if len(words) < 3 or not _SHELL.fullmatch(words[0]):
        return None
    option = next((at for at, word in enumerate(words[1:-1], 1) if re.fullmatch(r"-[a-z]*c", word)), None)
    return words[option + 1] if option is not None else None
