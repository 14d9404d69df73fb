"""Which items touch what the session dealt with lately: by the files they apply to, by names, by words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from agentinitd.model.work import RecentWork

_APPLIES, _NAMES, _WORDS = 4.0, 3.0, 2.0
"""What a match of each kind weighs; of words the item that fits best has all of it, the others a share."""
_LEAST_SHARE = 0.25
"""A smaller one is chance: two texts share a common word."""
_SATURATION, _LENGTH = 1.2, 0.75
_MOST_GLOB_CHARS = 200
_MOST_SHOWN = 5
_PATH = re.compile(
    # Each begins where its run of letters does: a line of thousands of them is looked at once.
    r"(?<![\w.@+*-])(?:[\w.@+*-]*+(?:/[\w.@+*-]+)+/?|[\w.@+*-]++/)"
    r"|(?<![\w.])(?<!\w-)[\w-]{1,64}\.[A-Za-z]\w{0,5}(?!\w)"
)
_ENDING = re.compile(r"(?<=[^/.])\.\w{1,6}$")


@dataclass(frozen=True, slots=True)
class Touch:
    """How much an item has to do with recent work, and through what."""

    score: float = 0.0
    reasons: tuple[str, ...] = ()


UNTOUCHED = Touch()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """What recent work is compared with; `words` gives the search words of a text, parted by blanks."""

    work: RecentWork
    words: Callable[[str], str]
    roots: tuple[str, ...] = ()
    """Folders that paths are told relative to."""
    applies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the first line of an item: the globs of the files that it is about."""

    def touches(self, texts: Sequence[str]) -> list[Touch]:
        """One for each text.  Equal input gives equal touches."""
        files = tuple(dict.fromkeys(_relative(file, self.roots) for file in self.work.files))
        # The ending of a name says nothing: half of all files are `.py`.
        stems = (_ENDING.sub("", file) for file in files)
        asked = frozenset(self.words("\n".join([*stems, *self.work.commands])).split())
        matched = _matched([self.words(text).split() for text in texts], asked | set(self.work.words.split()))
        return [
            _touch(self._globs(text), text, files, share, words)
            for text, (share, words) in zip(texts, matched, strict=True)
        ]

    def _globs(self, text: str) -> tuple[str, ...]:
        """Those of the anchor that the item shows; scripts may put a warning behind its words."""
        line = text.partition("\n")[0].removeprefix("- ")
        while line and line not in self.applies:
            line = line[: max(line.rfind(" ("), line.rfind("（"), 0)].rstrip()
        return self.applies.get(line, ())


def _touch(
    globs: Iterable[str], text: str, files: tuple[str, ...], share: float, words: tuple[str, ...]
) -> Touch:
    score, reasons = 0.0, []
    glob = next((glob for glob in globs if any(is_match(glob, file) for file in files)), None)
    if glob is not None:
        score += _APPLIES
        reasons.append(f"applies to {glob}")
    name = next((name for name in _named(text) if _is_named(name, files)), None)
    if name is not None:
        score += _NAMES
        reasons.append(f"names {name}")
    if share >= _LEAST_SHARE:
        score += _WORDS * share
        reasons.append(f"words {' '.join(words[:_MOST_SHOWN])}")
    # So coarse that one more word in a long message moves nothing.
    return Touch(round(score, 1), tuple(reasons))


def _relative(file: str, roots: Iterable[str]) -> str:
    for root in roots:
        if root and file.startswith(root.rstrip("/") + "/"):
            return file[len(root.rstrip("/")) + 1 :]
    return file.removeprefix("./")


def _named(text: str) -> Iterator[str]:
    """What looks like a path, without the end of a sentence."""
    return (name.rstrip(".") for name in _PATH.findall(text))


def _is_named(name: str, files: Iterable[str]) -> bool:
    """Whether one of the files is what a text calls so: the file, a folder above it, or files like it."""
    if "*" in name:
        return any(is_match(name, file) for file in files)
    bare = name.removeprefix("./").strip("/")
    return any(f"/{bare}/" in f"/{file.strip('/')}/" for file in files) if bare else False


def is_match(glob: str, file: str) -> bool:
    """`src/*.py`, `**/test_*.py`, `docs/` and all below; a glob without a slash holds in any folder."""
    wanted = glob.removeprefix("./").strip("/").split("/")
    if len(glob) > _MOST_GLOB_CHARS or wanted == [""]:
        return False
    parts = file.strip("/").split("/")
    places = set(range(len(parts))) if len(wanted) == 1 else {0}
    for want in wanted:
        if want == "**":
            places = set(range(min(places), len(parts) + 1))
        else:
            places = {place + 1 for place in places if place < len(parts) and fnmatchcase(parts[place], want)}
        if not places:
            return False
    return True


def _matched(
    documents: list[list[str]], asked: set[str] | frozenset[str]
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Of each document its BM25 as a share of the best, and the words that count most."""
    containing = Counter(word for document in documents for word in asked.intersection(document))
    middle = sum(map(len, documents)) / max(1, len(documents)) or 1.0
    weights = {
        word: math.log(1 + (len(documents) - count + 0.5) / (count + 0.5))
        for word, count in containing.items()
    }
    scored = [_scored(document, weights, len(document) / middle) for document in documents]
    best = max((sum(scores.values()) for scores in scored), default=0.0) or 1.0
    for scores in scored:
        yield sum(scores.values()) / best, tuple(sorted(scores, key=lambda word: (-scores[word], word)))


def _scored(document: list[str], weights: Mapping[str, float], length: float) -> dict[str, float]:
    counts = Counter(word for word in document if word in weights)
    fixed = _SATURATION * (1 - _LENGTH + _LENGTH * length)
    return {
        word: weights[word] * count * (_SATURATION + 1) / (count + fixed)
        for word, count in sorted(counts.items())
    }
