"""What the person says still holds: "yes, releases still go out on Tuesdays" renews what they wrote down."""

from __future__ import annotations

import re

from agentinitd.memory.capture.needed import Sought
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.prose import sentences
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.model.events import PersonMessage

_YES = r"(?:对的?|是的?|没错|正确|嗯+|yes|yep|yeah|right|correct|exactly|true)"
_LEAD = re.compile(rf"^\s*(?:{_YES}[，,。.!！、：:\s]+)+", re.IGNORECASE)
_STILL = Sought(rf"{_LEAD.pattern}|还是|仍|依然|依旧|照旧|\b(?:still|as before|as ever|remains?)\b")


def renewals_in(message: PersonMessage) -> list[Proposal]:
    """Each sentence that says so.  Whether it is about anything that is known, the ledger finds out."""
    if not _STILL.search(message.text):
        return []
    found = []
    for sentence in sentences(message.text):
        text = _LEAD.sub("", sentence.text).strip()
        if text and len(text) <= MAX_TEXT_CHARS and not sentence.is_question and _STILL.search(sentence.text):
            renewal = Proposal(
                kind="rule",
                act="renew",
                text=text,
                quote=sentence.text[:MAX_QUOTE_CHARS],
                speaker="person",
                line=message.line,
                at=message.written_at,
                polarity=polarity_of(text),
            )
            found.append(renewal)
    return found
