"""What a person said in a session against what they had written down: the later word holds meanwhile.

Their files are never rewritten for that.  Each such pair is named wherever anchors are shown, until the
person settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentinitd.memory.capture.sources import source_of
from agentinitd.memory.capture.wording import whole_words
from agentinitd.memory.decisions import ids_in
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


def open_contraries(anchors: Iterable[Anchor]) -> Iterator[Problem]:
    """One for each that waits to be settled."""
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
