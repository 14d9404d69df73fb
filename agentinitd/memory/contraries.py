"""What a person said in a session, and wrote down, against the other: the later word holds meanwhile.

Their files are never rewritten for that.  Each such pair is named wherever anchors are shown, until the
person settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from agentinitd.memory.capture.sources import source_of
from agentinitd.memory.capture.wording import whole_words
from agentinitd.memory.decisions import Fate, Standing, fates_of, ids_in, served
from agentinitd.model.facts import Anchor, Problem

_CHARS = 60
_SESSION_CHARS = 8


class Contrary(NamedTuple):
    """Both hold by themselves."""

    said: Anchor
    """Captured."""
    written: Anchor
    """By a person's hand, or kept by their review."""

    @property
    def is_said_later(self) -> bool:
        """Else the person confirmed meanwhile what they had written."""
        return (self.written.verified_at or 0.0) <= said_at(self.said)


def said_at(anchor: Anchor) -> float:
    """When it was said last."""
    return max(anchor.verified_at or 0.0, anchor.written_at or 0.0)


def contraries(anchors: Iterable[Anchor]) -> Iterator[Contrary]:
    """Every two of these of which the one was said against the other."""
    given = [anchor for anchor in anchors if anchor.status == "active"]
    against = [anchor for anchor in given if anchor.captured is not None and anchor.against]
    if not against:
        return
    written = {anchor.id: anchor for anchor in given if anchor.captured is None}
    for said in against:
        for name in ids_in(said.against):
            if name in written:
                yield Contrary(said, written[name])


def written_later(anchors: Iterable[Anchor], changed_at: Mapping[str, float]) -> Iterator[Contrary]:
    """Every two of these of which the one was written after the other had been said."""
    given = list(anchors)
    said = {anchor.id: anchor for anchor in given if anchor.captured is not None}
    if not said:
        return
    # To compare rules takes a thirtieth of a second to load, which most commands have no use for.
    from agentinitd.memory.capture.overruled import overruled

    for name, written in overruled(given, changed_at).items():
        yield Contrary(said[name], written)


def fates_beside(
    anchors: Sequence[Anchor], there: Standing, changed_at: Mapping[str, float]
) -> Iterator[Fate | None]:
    """What became of each, also through what was said or written against it.  None: it simply holds."""
    held = served(anchors, there)
    told: dict[str, Fate] = {}
    for said, written in written_later(held, changed_at):
        told[said.id] = Fate("overruled", written.id, written.written_at)
    for pair in contraries(held):
        if pair.is_said_later:
            told[pair.written.id] = Fate("gainsaid", pair.said.id, said_at(pair.said))
        else:
            told[pair.said.id] = Fate("overruled", pair.written.id, pair.written.verified_at)
    for anchor, fate in zip(anchors, fates_of(anchors, there), strict=True):
        yield told.get(anchor.id, fate)


def open_contraries(anchors: Sequence[Anchor], later: Iterable[Contrary] = ()) -> Iterator[Problem]:
    """One for each that waits to be settled.  `later`: what was written against what had been said."""
    for pair in later:
        if pair.is_said_later:
            where = f"{pair.written.file}:{pair.written.line}"
            message = f"said, but written otherwise later at {where}. {cure(pair.said)}"
            yield Problem(file=pair.said.file, line=pair.said.line, message=message, is_mild=True)
    for said, written in filter(lambda pair: pair.is_said_later, contraries(anchors)):
        message = f"written here, but said otherwise at {where_said(said)}. {cure(said)}"
        yield Problem(file=written.file, line=written.line, message=message, is_mild=True)


def where_said(said: Anchor) -> str:
    """In few words: `0f3a91c2:7: “you may push now”`."""
    source = source_of(said.last_source or said.source)
    place = f"{source.session[:_SESSION_CHARS]}:{source.line}" if source else said.source
    return f"{place}: “{excerpt(whole_words(said))}”"


def cure(said: Anchor) -> str:
    """Where a person settles it."""
    return f"Settle it: `agentinitd anchors review` ({said.id})."


def excerpt(words: str) -> str:
    return words if len(words) <= _CHARS else f"{words[: _CHARS - 1].rstrip()}…"
