"""What a session dealt with lately: the files, commands and words that tell which facts concern it now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentWork:
    """Each once, the latest last; bounded by whoever fills it."""

    files: tuple[str, ...] = ()
    """As the tools were given them: absolute, or relative to the working directory."""
    commands: tuple[str, ...] = ()
    words: str = ""
    """In the form of the search index: lower case, Chinese in pairs, identifiers whole and in parts; parted
    by blanks, because a daemon keeps this of a thousand sessions."""

    @property
    def is_empty(self) -> bool:
        return not (self.files or self.commands or self.words)
