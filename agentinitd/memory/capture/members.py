"""What a rule names, when it names several things: `a.ts or b.ts`, 登录和注册."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.concepts import chinese_tokens, is_action
from agentinitd.memory.capture.subject import MAX_CHARS, Subject, concerns, subject_of

_MAX_WORDS = 4
_REASON = re.compile(
    r"[;；。（(]|\b(?:because|since|as it|so that|before|after|unless|except)\b|因为|毕竟|除了|之前|以前"
)
_JOINT = re.compile(
    r"\s*,?\s+(?:and|or|nor|&)\s+(?!not\b|never\b|don['’]?t\b)"
    r"|\s*、\s*"
    r"|\s*(?:以及|或者|还有|(?<![涉普])及(?!时)|或(?!许)|(?<!参)与|和(?!平|谐)|跟(?!踪|着))\s*"
    r"(?!我|你|他|她|咱|大家|团队|不|别)"
)
_COMMA = re.compile(r"\s*[,，]\s*")
_WORD = re.compile(r"[^\s,，`\"'“”]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
# Behind the last of several things in Chinese stands what is said of all: 三个环境都别 …
_OF_ALL = re.compile(
    r"(?<!^)(?:[这那]?[两三四五六几\d]个|[都也全均别不禁勿只必须仅]|一律|统一|一概|谁也|(?<=[^新旧老大小])的"
    r"|(?<=[^线])[上里中](?=[跑做改动执用装建删写加直手随乱]))"
)
_KIND_WORDS = "目录 分支 环境 模块 文件 服务 接口 库 表 系统 集群 机器 仓库 包 组件 页面 字段 区 端"
_KINDS = frozenset(token for word in _KIND_WORDS.split() for token in chinese_tokens(word))
"""What all of them are, though it may stand behind the last one only."""


@lru_cache(maxsize=1024)
def members_of(text: str) -> tuple[Subject, ...]:
    """The things that the rule joins, each by what tells it from the others; none when it names one only."""
    text = text[:MAX_CHARS]
    members: list[Subject] = []
    for found in _JOINT.finditer(text):
        *earlier, last = _COMMA.split(_REASON.split(text[: found.start()])[-1])
        first = _COMMA.split(_REASON.split(text[found.end() :], maxsplit=1)[0])[0]
        # `a, b and c` is a list, `when you commit, run b and c` is none.
        is_list = bool(earlier) and len(last.split()) <= _MAX_WORDS and not subject_of(last).actions
        members += map(subject_of, map(_ending, [*(earlier if is_list else ()), last]))
        members.append(subject_of(_beginning(first)))
    return _distinct(members)


def _ending(text: str) -> str:
    """The thing a clause ends with: back to the first word that says nothing, or what is done."""
    kept: list[str] = []
    for word in reversed(_WORD.findall(_within_joints(text, -1))[-_MAX_WORDS:]):
        if not _tells(word, is_first=not kept):
            break
        kept.insert(0, word)
    return " ".join(kept)


def _beginning(text: str) -> str:
    kept: list[str] = []
    for word in _WORD.findall(_OF_ALL.split(_within_joints(text, 0))[0])[:_MAX_WORDS]:
        if _tells(word, is_first=not kept):
            kept.append(word)
        elif kept:
            break
        if kept and _is_action_only(word) and _HAN.search(text) is None:
            break
    return " ".join(kept)


def _within_joints(text: str, index: int) -> str:
    return _JOINT.split(text)[index]


def _tells(word: str, *, is_first: bool) -> bool:
    subject = subject_of(word)
    has_things = bool(subject.paths) or any(not is_action(token) for token in subject.weights)
    return has_things or (is_first and bool(subject.actions))


def _is_action_only(word: str) -> bool:
    return all(map(is_action, subject_of(word).weights))


def _distinct(members: list[Subject]) -> tuple[Subject, ...]:
    """Without those that say nothing; of things and what is done with them, the things."""
    told = [each for each in members if each.weights]
    things = [each for each in told if not all(map(is_action, each.weights))]
    found: list[Subject] = []
    for each in things or told:
        if all(each.weights != other.weights for other in found):
            found.append(each)
    return tuple(found) if len(found) > 1 else ()


def left_out(text: str, said: tuple[Subject, ...]) -> tuple[Subject, ...]:
    """Of the things that the rule joins, those that were not named, when others were."""
    members = members_of(text)
    left = tuple(each for each in members if not any(_names(subject, each, members) for subject in said))
    return left if len(left) < len(members) else ()


def _names(subject: Subject, member: Subject, members: tuple[Subject, ...]) -> bool:
    """Whether it is named there, by a word that the other things do not share."""
    common = frozenset.intersection(*(frozenset(each.weights) for each in members))
    own = [token for token in member.weights if token not in common]
    told = [token for token in own if token not in _KINDS] or own
    things = [token for token in told if not is_action(token)]
    return any(concerns(subject, name) for name in (*member.paths, *(things or told)))
