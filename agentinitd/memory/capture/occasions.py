"""What was said for once: its occasion is watched, and when it is over that is told.

Over it is when what it was about was done, when the person asks for that after all, when they turn to
something else, or five messages later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.subject import Subject, subject_of
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.memory.tool_calls import command_of
from agentinitd.model.events import PersonMessage, ToolCall, ToolResult

MAX_OPEN = 50
MAX_TURNS = 5
MAX_ORDER_CHARS = 200
_TURNS_ELSEWHERE = re.compile(
    r"\s*(?:(?:ok|okay|great|thanks|good|now|right|fine|alright)[,.!:]?\s+)*(?:next\b|moving on|back to\b"
    r"|let'?s (?:move on|switch|turn)|switch(?:ing)? to|now (?:for|on to)|another (?:thing|topic|task)"
    r"|new task|different (?:topic|task))"
    r"|(?:[好行][的了]?[，,。！ ]*)*"
    r"(?:下一[个步件项]|接下来|换个|换一个|回到|先放一放|去把|现在[去来]|另一件事|新任务)",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(r"[?？吗呢]\s*$")
# What was done, by the command that does it.
_DOES: dict[str, re.Pattern[str]] = {
    "!commit": re.compile(r"\bgit\b[^\n|;&]*\bcommit\b"),
    "!push": re.compile(r"\bgit\b[^\n|;&]*\bpush\b"),
    "!merge": re.compile(r"\bgit\b[^\n|;&]*\bmerge\b|\bgh pr merge\b"),
    "!rebase": re.compile(r"\bgit\b[^\n|;&]*\brebase\b"),
    "!delete": re.compile(r"(?:^|[\s;&|])(?:rm|rmdir|unlink|git rm|del)\s"),
    "!install": re.compile(
        r"\b(?:npm|pnpm|yarn|pip|uv|cargo|go|apt(?:-get)?|brew)\b[^\n|;&]*\b(?:install|add|i|get)\b"
    ),
    "!deploy": re.compile(r"\b(?:deploy|publish|release|kubectl apply|helm upgrade)\b"),
    "!restart": re.compile(r"\b(?:restart|reload)\b"),
    "~test": re.compile(r"\b(?:pytest|jest|vitest|tox|ctest|rspec|phpunit)\b|\b(?:test|check)\b"),
    "~migration": re.compile(r"migrat|alembic|flyway|liquibase"),
    "~build": re.compile(r"\b(?:build|make|compile|tsc|webpack)\b"),
    "!format": re.compile(r"\b(?:fmt|format|prettier|black)\b"),
}


@dataclass(slots=True)
class _Open:
    """Something said for once, while its occasion lasts."""

    proposal: Proposal
    subject: Subject
    turns: int = 0


class Occasions:
    """Those of one session that are open.  `again`: what was found open when the session was taken up."""

    def __init__(self, again: Iterable[Proposal] = ()) -> None:
        self._open: list[_Open] = []
        self._calls: dict[str, list[_Open]] = {}
        self.begin(again)

    @property
    def are_open(self) -> bool:
        """Whether there is anything to watch: mostly there is not."""
        return bool(self._open)

    def begin(self, proposals: Iterable[Proposal]) -> None:
        for proposal in proposals:
            if proposal.kind == "rule" and proposal.act == "state" and proposal.scope == "once":
                self._open.append(_Open(proposal, subject_of(proposal.text, proposal.topic)))
        del self._open[:-MAX_OPEN]

    def hear_person(self, message: PersonMessage) -> list[Proposal]:
        """What is over with this message, as `end`s."""
        if not self._open:
            return []
        for each in self._open:
            each.turns += 1
        text = message.text[:MAX_ORDER_CHARS]
        is_elsewhere = bool(_TURNS_ELSEWHERE.match(text))
        order = None if len(message.text) > MAX_ORDER_CHARS or _IS_QUESTION.search(text) else subject_of(text)
        over = [
            each
            for each in self._open
            if is_elsewhere or each.turns >= MAX_TURNS or (order and _is_ordered(each, order, text))
        ]
        return self._ends(over, message)

    def hear_call(self, call: ToolCall) -> None:
        command = command_of(call)
        doing = [
            each for each in self._open if command and each.proposal.polarity == "do" and _does(command, each)
        ]
        if doing and len(self._calls) < MAX_OPEN:
            self._calls[call.call_id] = doing

    def hear_result(self, result: ToolResult) -> list[Proposal]:
        """What is over because it was done."""
        doing = self._calls.pop(result.call_id, ())
        if not doing or result.is_success is False:
            return []
        return self._ends([each for each in doing if each in self._open], result)

    def _ends(self, over: list[_Open], event: PersonMessage | ToolResult) -> list[Proposal]:
        self._open = [each for each in self._open if each not in over]
        return [replace(each.proposal, act="end", line=event.line, at=event.written_at) for each in over]


def _is_ordered(each: _Open, order: Subject, text: str) -> bool:
    """Whether the person now asks for what was not to be done yet."""
    if each.proposal.polarity != "do_not" or polarity_of(text) == "do_not":
        return False
    actions = each.subject.actions
    return bool(actions) and actions <= order.actions and each.subject.names <= order.weights.keys()


def _does(command: str, each: _Open) -> bool:
    patterns: Iterator[re.Pattern[str]] = (_DOES[token] for token in each.subject.weights if token in _DOES)
    return any(pattern.search(command) for pattern in patterns)
