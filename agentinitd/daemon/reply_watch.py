"""The reply to a snippet, judged once the snippet has arrived: what of its rules did the agent break?"""

from __future__ import annotations

from agentinitd.daemon.built import Built
from agentinitd.memory.language import language_of
from agentinitd.model.causes import Cause
from agentinitd.model.events import Event
from agentinitd.model.facts import Anchor
from agentinitd.sessions.record import LastReply
from agentinitd.sessions.reply_check import Broken, ReplyCheck

_LINES = {
    "en": "One of these rules was just broken ({how}). It is in force: {what}",
    "zh": "刚刚违反了一条规则（{how}）。它仍然有效：{what}",
}


class ReplyWatch:
    """Of one session.  Only the first reply after each full snippet is judged."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[Anchor, ...]] = {}
        self._check: ReplyCheck | None = None
        self._known: tuple[Broken, ...] = ()

    def told(self, built: Built) -> None:
        """This was handed out; its rules count once it has arrived."""
        if built.snippet is not None and built.rules:
            self._told = {built.snippet.id: built.rules}

    def arrived(self, snippet_id: str, *, project: str) -> None:
        rules = self._told.pop(snippet_id, None)
        if rules is not None:
            self._check, self._known = ReplyCheck(rules, project=project), ()

    def hear(self, event: Event) -> tuple[Broken, ...]:
        """What the event shows to be broken, and was not known before."""
        if self._check is None or self._check.is_over:
            return ()
        self._check.hear(event)
        new = tuple(each for each in self._check.broken if each not in self._known)
        self._known += new
        return new

    def verdict(self, *, at: float) -> LastReply | None:
        """Once the reply is over; given once."""
        check = self._check
        if check is None or not check.is_over or check.verdict is None:
            return None
        self._check = None
        broken = tuple(f"{each.rule.id}: {each.how}" for each in check.broken)
        return LastReply(at=at, verdict=check.verdict, broken=broken)


def reminder(broken: Broken, event: Event, *, turn: int) -> Cause:
    """One line that puts the rule before the agent again, at the next hook."""
    rule = broken.rule
    line = _LINES[language_of([rule.what])].format(how=broken.how, what=rule.what)
    return Cause(
        id=f"reminder:{event.offset}:{rule.id}",
        trigger="reminder",
        turn=turn,
        reason=f"rule {rule.id} was broken: {broken.how}",
        line=event.line,
        offset=event.offset,
        say=line,
    )
