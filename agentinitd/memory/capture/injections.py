"""Text that asks to be remembered, from anywhere but the person: it is dropped, and counted."""

from __future__ import annotations

import re

from agentinitd.memory.capture.literals import Literals, small

MAX_CHARS = 20_000
# What a page, a file or a tool has no reason to say, unless it wants to be taken for a person.  Every result
# of every tool is looked through, as bytes: each pattern is tried only where one of its words is, and found
# fast when it begins with a letter.
_WIDE = rb"[\xc0-\xff][\x80-\xbf]*"
_SPACE = rb"[\s\x1c-\x1f]"
_AGREED = rb"(?:approved|agreed|consented|confirmed)"
_TO_MACHINES = rb"s?%b+(?:for|to)%b+(?:all%b+)?(?:the%b+)?(?:ai|llms?)\b".replace(b"%b", _SPACE)
_ASKS = (
    (
        b"remember",
        rb"remember\b(?:[^.\n\x80-\xff]|%b){0,60}\b(?:rules?|instructions?|for ever|forever|permanently)\b"
        % _WIDE,
    ),
    (b"all future ", rb"all future (?:sessions|conversations|tasks)\b"),
    (
        b"to memory|to your memory|to the memory|to long|to your long|to the long",
        rb"[asr](?:(?<=\ba)dd|(?<=\bs)(?:ave|tore)|(?<=\br)ecord)\b(?:[^.\n\x80-\xff]|%b){0,40}"
        rb"\bto (?:your |the )?(?:long[- ]term )?memory\b" % _WIDE,
    ),
    (
        b"user has |user have |user already |user approved|user agreed|user consented|user confirmed"
        b"|user prefers to |user wants you to",
        rb"user (?:(?:has |have )?(?:already )?%b|prefers to (?:skip|disable|ignore)|wants you to)\b"
        % _AGREED,
    ),
    (b"owner ", rb"owner (?:(?:has )?(?:already )?%b|wants you to)\b" % _AGREED),
    (
        b"ignore all |ignore any |ignore previous |ignore prior |ignore above |ignore earlier ",
        rb"ignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|rules|messages)\b",
    ),
    (
        b"do not mention|do not reveal|do not disclose",
        rb"do not (?:mention|reveal|disclose) this\b",
    ),
    (
        b"_constraint|_rule|_memory|_anchor|_decision",
        rb"_(?=constraint|rule|memory|anchor|decision)"
        rb"(?:(?<=record_)|(?<=store_)|(?<=save_)|(?<=add_)|(?<=set_))"
        rb"(?:constraint|rule|memory|anchor|decision)s?%b*\(" % _SPACE,
    ),
    (
        b"agent-context>|<rule>",
        rb"<(?:/?agent-context>|rule>(?:[^<\n\x80-\xff]|%b){0,80}\b(?:user|always|never)\b)" % _WIDE,
    ),
    *((word, word + _TO_MACHINES) for word in (b"important", b"instruction", b"attention", b"note")),
)
_ASKS_WIDE = (
    ("记住", r"记住[^。\n]{0,12}(?:[:：]|规则|以后|所有|这条)"),
    ("记忆", r"(?:写入|存入|加入)[^。\n]{0,6}(?:长期)?记忆"),
    ("以后所有", r"以后所有(?:的)?(?:提交|会话|任务)"),
    ("用户", r"用户(?:已经?|早已)(?:经)?(?:同意|批准|授权)"),
    ("忽略", r"忽略(?:之前|以上|前面)的?(?:所有)?(?:指令|规则|要求)"),
)
_HINTS = [(word, re.compile(asks)) for words, asks in _ASKS for word in words.split(b"|")]
_HINTS_WIDE = [(word.encode(), re.compile(asks)) for word, asks in _ASKS_WIDE]
_WORDS = Literals([word for word, _ in (*_HINTS, *_HINTS_WIDE)])


def asks_to_be_remembered(text: str) -> bool:
    part = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    lower = small(part)
    found = _WORDS.in_text(lower)
    for number in found:
        if number < len(_HINTS):
            is_asked = _HINTS[number][1].search(lower) is not None
        else:
            is_asked = _HINTS_WIDE[number - len(_HINTS)][1].search(part) is not None
        if is_asked:
            return True
    return False
