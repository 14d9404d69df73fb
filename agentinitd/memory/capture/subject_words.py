"""The telling words of what somebody said, each with its weight: paths, numbers, names, and plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentinitd.memory.capture.concepts import chinese_tokens, english_token, is_action

STRONG = 2.0
"""From this weight on a word is a name: it is about this and nothing else."""
_PATH_WEIGHT = 3.0
NUMBER_WEIGHT = 3.0
_NAME_WEIGHT = 2.0
WORD_WEIGHT = 1.0
_WEAK_WEIGHT = 0.5
_MAIN_WEIGHT = 1.5
_REST = 0.3

_HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE = re.compile(
    rf"(?P<url>\w+://[^\s`'\"<>，。；）]+)"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|(?P<word>(?:~?/|\.{{1,2}}/|--?|@)?[A-Za-z0-9_.][A-Za-z0-9_.@+*#'’-]*(?:/[A-Za-z0-9_.@+*#-]*)*)"
)
NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_LEADING_NUMBER = re.compile(r"(\d{2,})(?=$|[_.-])")
_FILE_NAME = re.compile(r"\.?[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9}")
_PLAIN = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_APOSTROPHE = re.compile(r"['’](?:t|s|re|ve|ll|d|m)$|['’]")
# `src/a.py's parser`, `the parser in src/a.py`, `src/a.py 的解析器`: a part is something else than the whole.
# 新的依赖, 所有的测试 are no parts.
_HOW = "(?<![新旧老大小多好])(?<!所有|任何|其他|其它|其余|额外|多余|全部|相关|必要|现有|已有)"
_PART = re.compile(rf"[\w.-]/?`?(?:['’]s\s+|\s?{_HOW}的)(?P<after>[A-Za-z_]+|[{_HAN}]{{1,6}})")
_PART_BEFORE = re.compile(r"\bthe\s+(?P<before>[A-Za-z_]+)\s+(?:in|of|inside)\s+`?[\w.-]+[/.]\w")
_PLACING = re.compile(r"\b(?:put|store|write|place|keep)\b")
_WHOLES = frozenset(
    {"~migration", "~file", "~folder", "~code", "~script", "~table", "module", "content", "stuff"}
)
# Behind it stands a reason, or something more.
_END_OF_MAIN = re.compile(r"[,，;；。（(]|\b(?:because|since|as it)\b|因为|毕竟")
# Before the main clause: it says where that does not hold, or when it does.
_PROVISO = re.compile(
    r"\s*(?:除(?!非)[了开去]?|如果|要是|只要|凡是"
    r"|(?:except|apart from|other than|besides|if|when|whenever)\b)"
    r"[^,，;；]*[,，]",
    re.IGNORECASE,
)
# English words that say nothing in Chinese either; `any` and `this` are names there.
_SAID_IN_CHINESE = frozenset(
    {"ok", "okay", "the", "a", "an", "to", "of", "and", "or", "no", "yes", "please", "by", "for"}
)
_NOT_PATHS = frozenset({"and/or", "he/she", "his/her", "i/o", "n/a", "w/o", "tcp/ip", "ci/cd"})


def weighted_words(text: str, start: int) -> list[tuple[str, float]]:
    """What stands behind the first clause counts less, but for names: mostly it is the reason.

    "Except for X, …" and "if …, …" come before the first clause.
    """
    is_chinese = any("\u3400" <= character <= "\u9fff" for character in text)
    proviso = _PROVISO.match(text, start)
    end = _END_OF_MAIN.search(text, proviso.end() if proviso else 0)
    if end:
        main = list(_tokens(text[: end.start()], is_chinese=is_chinese))
        if sum(weight for _, weight in main) >= _MAIN_WEIGHT:
            rest = _tokens(text[end.start() :], is_chinese=is_chinese)
            return main + [
                (token, _lessened(token, weight)) for token, weight in rest if not is_action(token)
            ]
    return list(_tokens(text, is_chinese=is_chinese))


def tokens_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each word, or unbroken run of Chinese, with what it stands for; with nothing when it says nothing."""
    is_chinese = any("\u3400" <= character <= "\u9fff" for character in text)
    for found in _PIECE.finditer(text):
        tokens = (token for token, _ in _tokens(found.group(), is_chinese=is_chinese))
        yield found.group(), [token for token in tokens if not token.startswith("/")]


def _lessened(token: str, weight: float) -> float:
    return weight if weight >= STRONG or token.startswith("/") else weight * _REST


def parts_in(text: str) -> frozenset[str]:
    found = [match["after"] for match in _PART.finditer(text)]
    if not _PLACING.search(text):
        found += [match["before"] for match in _PART_BEFORE.finditer(text)]
    return frozenset(token for word in found for token in _part_tokens(word)) - _WHOLES


def _part_tokens(word: str) -> list[str]:
    tokens = [english_token(word.casefold())] if word.isascii() else chinese_tokens(word)
    return [token for token in tokens if token and not is_action(token)]


def _tokens(text: str, *, is_chinese: bool) -> Iterator[tuple[str, float]]:
    """Each with its weight; a path comes once more with a slash before it."""
    for found in _PIECE.finditer(text):
        if found.lastgroup == "url":
            yield found.group().casefold().rstrip(".,;:!?/"), _PATH_WEIGHT
        elif found.lastgroup == "han":
            for token in chinese_tokens(found.group()):
                yield token, _weight(token, is_name=False) if len(token) > 1 else _WEAK_WEIGHT
        else:
            yield from _word_tokens(found.group(), is_chinese=is_chinese)


def _word_tokens(word: str, *, is_chinese: bool) -> Iterator[tuple[str, float]]:
    word = word.rstrip(".,;:!?*-@+" if not word.endswith(("++", "*")) else ".,;:!?")
    lower = word.casefold()
    if NUMBER.fullmatch(lower):
        yield lower.lstrip("v"), NUMBER_WEIGHT if len(lower) > 1 else WORD_WEIGHT
    elif ("/" in word and lower not in _NOT_PATHS) or _FILE_NAME.fullmatch(word):
        yield from _path_tokens(lower)
    elif _PLAIN.fullmatch(word):
        token = english_token(_APOSTROPHE.sub("", lower))
        if token is None and is_chinese and lower not in _SAID_IN_CHINESE:
            token = lower
        if token:
            is_name = is_chinese or not (word.islower() or word.istitle())
            yield token, _weight(token, is_name=is_name)
    elif word:
        yield lower, _NAME_WEIGHT


def _weight(token: str, *, is_name: bool) -> float:
    if is_action(token):
        return _WEAK_WEIGHT
    return _NAME_WEIGHT if is_name and not token.startswith("~") else WORD_WEIGHT


def _path_tokens(path: str) -> Iterator[tuple[str, float]]:
    """The path, the number its last part begins with, and weakly the words of its folders."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..", "~")]
    if not parts:
        return
    yield "/" + "/".join(parts), 0.0
    number = _LEADING_NUMBER.match(parts[-1])
    yield (number[1] if number else "/".join(parts).removesuffix("/*")), _PATH_WEIGHT
    for part in parts[:-1] if number else ():
        token = english_token(part) if part.isalpha() else None
        if token:
            yield token, _WEAK_WEIGHT
