"""Which lines of a message are a pasted letter: the head of an e-mail in any order, and its body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from agentinitd.memory.capture.literals import small
from agentinitd.memory.capture.needed import Hints
from agentinitd.memory.capture.speakers import has_colon

_HEADER = re.compile(
    r"\s*+\**(From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Sender|Message-ID|Importance|Attachments?"
    r"|发件人|寄件人|收件人|抄送|主题|日期|时间|发送时间|发送日期|附件)\**\s?[:：]\**\s*(.{0,400})",
    re.IGNORECASE,
)
_SENDERS = frozenset(("From", "Sender", "Sent", "发件人", "寄件人", "发送时间", "发送日期"))
_SUBJECTS = frozenset(("Subject", "主题"))
_LAYS_DOWN = re.compile(
    r"\b(?:always|never|must|should|keep|use|no|not|don'?t|only|headers?|fields?|lines?)\b"
    r"|不要|不能|必须|一律|统一|禁止|只能|用",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\s*+(?:(?:hi|hello|hey|dear|good (?:morning|afternoon))\b(?! (?:claude|codex|copilot|gemini|cursor))"
    r"[^.:;!?\n]{0,40}[,:!]|(?:大家好|各位|您好|你好|尊敬的)[^。？\n]{0,20}[,，:：!！。]?)\s*$",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(
    r"\s*+(?:(?:(?:best|kind|warm|many)\s)?(?:regards|wishes|best|cheers|sincerely|yours|greetings|br)"
    r"(?: [a-z]+){0,2}[,.!]?|(?:thanks|thank you|thx)[,.!]?|--|[–—]\s?\w+|-[A-Z]\w+"
    r"|此致|敬礼|祝好|谢谢|多谢)[！!。]?\s*$",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"\s*+(?:(?:(?:best|kind|warm)\s)(?:regards|wishes)|regards|best|sincerely|yours|此致|敬礼|祝好)"
    r"(?: [a-z]+){0,2}[,.!！。]?\s*$",
    re.IGNORECASE,
)
_CLOSING_HINTS = Hints(_CLOSES.pattern)
_SPEAKS_AGAIN = re.compile(
    r"\s*+(?:(?:btw|by the way|anyway|ok(?:ay)?)\b|that(?:'s| is| was) (?:what|the|from)\b"
    r"|(?:what|how) (?:do|does|should|would|can)\b|what'?s\b|(?:can|could) you (?:please )?(?:draft|write"
    r"|answer"
    r"|reply|summari|translate|explain|check|look|fix)|(?:please |pls )?(?:draft|summari[sz]e|reply|answer"
    r"|translate|explain|do what|follow what|ignore)\b|顺便|对了|另外[，,]|以上|上面|帮我|这封|按[他她邮]"
    r"|怎么回)",
    re.IGNORECASE,
)
MAX_NAME_CHARS = 60


def lines_of_letters(texts: Sequence[str], message: str) -> set[int]:
    """The numbers of the lines that stand in a letter, from its head to where the person speaks again."""
    found: set[int] = set()
    number = 0 if len(texts) > 1 else 1
    while number < len(texts):
        if not has_colon(texts[number]):
            number += 1
            continue
        headers = _headers(texts, number)
        last = number + len(headers)
        if headers and _is_head(headers, texts, last):
            last = _body_end(texts, last)
            found.update(range(number, last))
        number = max(last, number + 1)
    is_closed = not found and len(texts) > 2 and _CLOSING_HINTS.are_in(small(message))
    return _greeted(texts) if is_closed else found


def _headers(texts: Sequence[str], start: int) -> list[tuple[str, str]]:
    headers: list[tuple[str, str]] = []
    for text in islice(texts, start, None):
        header = _HEADER.match(text)
        if header is None:
            break
        headers.append((header[1].capitalize() if header[1][0].islower() else header[1], header[2]))
    return headers


def _is_head(headers: Sequence[tuple[str, str]], texts: Sequence[str], end: int) -> bool:
    """Two headers, one of a sender or neither laying down something; or a subject and a greeting."""
    names = {name for name, _ in headers}
    if texts[end - len(headers)].lstrip("* ")[0].islower() and not _SUBJECTS.intersection(names):
        return False
    plain = {name for name, value in headers if not _LAYS_DOWN.search(value)}
    if len(names) >= 2 and (len(plain) >= 2 or _SENDERS.intersection(plain)):
        return True
    return bool(_SUBJECTS.intersection(names)) and _is_greeting(texts, end)


def _is_greeting(texts: Sequence[str], number: int) -> bool:
    following = next((text for text in texts[number : number + 3] if text.strip()), "")
    return bool(_GREETING.match(following))


def _body_end(texts: Sequence[str], start: int) -> int:
    """Behind the name under "Best regards", or where a paragraph turns to the agent."""
    for number in range(start, len(texts)):
        text = texts[number]
        is_first = number == start or not texts[number - 1].strip()
        if is_first and number > start and _SPEAKS_AGAIN.match(text):
            return number
        if _SIGN_OFF.match(text):
            return _signature_end(texts, number + 1)
        if (
            is_first
            and number == len(texts) - 1
            and text.rstrip().endswith(("?", "？"))
            and number > start + 1
        ):
            return number
    return len(texts)


def _signature_end(texts: Sequence[str], start: int) -> int:
    number = start
    while number < len(texts) and not texts[number].strip():
        number += 1
    if number > start and not (number < len(texts) and _is_name(texts[number])):
        return start
    while number < len(texts) and texts[number].strip():
        number += 1
    return number


def _is_name(text: str) -> bool:
    return len(text) < MAX_NAME_CHARS and len(text.split()) <= 3 and text.strip()[-1] not in ".!?。！？"


def _greeted(texts: Sequence[str]) -> set[int]:
    """A letter without a head: from "Hi all," to "Best regards"."""
    closing = [
        number for number, text in enumerate(texts) if len(text) < MAX_NAME_CHARS and _CLOSES.match(text)
    ]
    if not closing:
        return set()
    greeting = next((number for number, text in enumerate(texts) if _GREETING.match(text)), len(texts))
    return set(range(greeting, _signature_end(texts, closing[-1] + 1)))
