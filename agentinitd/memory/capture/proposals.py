"""What one event of a session gives to remember, before it is compared with what is known already."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentinitd.model.facts import CapturedKind, Outcome, Polarity, Scope

Speaker = Literal["person", "agent", "tool"]
Act = Literal["state", "withdraw", "end", "renew"]
"""`state`: it holds from now on.  `withdraw`: what was said about this holds no longer.  `end`: its occasion
is over.  `renew`: what a person wrote down about this holds still; it makes nothing new."""
Force = Literal["hard", "soft"]
"""A ban or demand, or a preference ("rather not", 尽量别)."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing to remember, or to stop remembering, with the words it stands on."""

    kind: CapturedKind
    act: Act = "state"
    text: str
    """The speaker's own clause, complete with its exception and condition, in the speaker's language."""
    why: str = ""
    quote: str
    """The sentence the clause stands in, at most `MAX_QUOTE_CHARS`."""
    speaker: Speaker
    line: int
    """Of the transcript record; counted as the reader counts."""
    at: float | None = None
    """Seconds since the epoch, as the transcript says."""
    polarity: Polarity = "do"
    force: Force = "hard"
    scope: Scope = "project"
    confidence: float = 0.9
    topic: str = ""
    """What it is about where that is known exactly: a path, a signature's name, what a decision is about."""
    corrects: str = ""
    """The words of the rule whose place it takes, where the person said that it does."""
    is_permission: bool = False
    """With `withdraw`: what was forbidden is allowed now, so only a ban can be meant."""
    outcome: Outcome | None = None
    """With a decision: `failed` for a dead end.  With a rule: `adopted` when it was told as a choice."""
    rejected: str = ""
    """What was rejected in favour of it, for a decision: `jest` in "vitest instead of jest"."""
    is_external: bool = False
    """Found by the user's own reader, `capture_command`, and not by ours."""

    @property
    def is_for_all_tasks(self) -> bool:
        """A rule that what was rejected in any task speaks of as well."""
        return self.kind == "rule" and self.scope in ("project", "always")


MAX_QUOTE_CHARS = 300
MAX_TEXT_CHARS = 240
