"""The lines of a snippet: frame, notes, headings and the pieces that were chosen, in script order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from agentinitd.model.facts import Language
from agentinitd.model.snippets import Fragment
from agentinitd.snippet.frame import (
    ID_DIGITS,
    first_line,
    last_line,
    left_out_line,
    left_out_unserved_line,
    one_line,
    section_title,
)
from agentinitd.snippet.trim import Piece

MAX_BUDGET = 20_000
MAX_NOTES = 8
_BUDGET_STEP = 500
# Few texts have fewer bytes to a token, in English and in Chinese alike.
_BYTES_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that could be said; `text` says a choice of it."""

    fragments: tuple[Fragment, ...]
    notes: tuple[str, ...]
    language: Language
    pieces: tuple[Piece, ...]
    unserved: int = 0
    """Facts that reached no script, and so are in no piece."""

    def text(self, chosen: Iterable[Piece]) -> str:
        """The snippet with its id, which is that of the same text without it."""
        lines = self._lines(sorted(chosen))
        snippet_id = sha256("\n".join([first_line("", self.language), *lines, ""]).encode()).hexdigest()[
            :ID_DIGITS
        ]
        return "\n".join([first_line(snippet_id, self.language), *lines, ""])

    def heading(self, section: int) -> str:
        fragment = self.fragments[section]
        title = section_title(fragment.key, fragment.section, self.language, is_project=fragment.is_project)
        return f"\n## {title}"

    def _lines(self, chosen: Sequence[Piece]) -> list[str]:
        lines = [one_line(note) for note in self.notes[:MAX_NOTES]]
        section = -1
        for piece in chosen:
            if piece.section != section:
                section = piece.section
                lines.append(self.heading(section))
            lines.append(piece.text)
        left_out = items_in(self.pieces) - items_in(chosen) + self.unserved
        if left_out:
            lines += ["", self._left_out_line(left_out)]
        return [*lines, *([] if left_out else [""]), last_line(self.language)]

    def _left_out_line(self, count: int) -> str:
        if self.unserved:
            return left_out_unserved_line(count, self.language)
        return left_out_line(count, self._budget_for_all(), self.language)

    def _budget_for_all(self) -> int:
        """A budget that surely has room for everything, as a round number."""
        size = sum(len(piece.text.encode()) + 1 for piece in self.pieces)
        tokens = size / _BYTES_PER_TOKEN + 100
        return min(MAX_BUDGET, int(tokens // _BUDGET_STEP + 1) * _BUDGET_STEP)


def items_in(pieces: Iterable[Piece]) -> int:
    return sum(piece.is_item for piece in pieces)


def id_of(text: str) -> str:
    """The id that stands in the first line."""
    return text.partition("(agentinitd ")[2][:ID_DIGITS]
