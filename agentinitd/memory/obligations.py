"""What of a rule can be seen in a reply: its languages, commands and files.  The rest nobody can check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentinitd.model.facts import Anchor

Spoken = Literal["zh", "en", "ja", "ko", "ru"]
ObligationKind = Literal[
    "reply-language", "comment-language", "never-run", "never-edit", "edit-only", "never-call"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """One thing that a reply can break."""

    kind: ObligationKind
    language: Spoken | None = None
    words: tuple[str, ...] = ()
    """Of a command: its program, and words that must all follow it."""
    paths: tuple[str, ...] = ()
    """As the rule names them: a folder, a file, the beginning of a name, or a glob."""
    tool: str = ""
    pattern: str = ""
    """Globs for the tool's name and its argument: `forbid: Bash(rm -rf *)`."""


_LANGUAGES: dict[str, Spoken] = {
    "中文": "zh", "汉语": "zh", "漢語": "zh", "chinese": "zh", "mandarin": "zh",
    "英文": "en", "英语": "en", "英語": "en", "english": "en",
    "日文": "ja", "日语": "ja", "日語": "ja", "japanese": "ja",
    "韩文": "ko", "韩语": "ko", "韓文": "ko", "korean": "ko",
    "俄文": "ru", "俄语": "ru", "russian": "ru",
}  # fmt: skip
_LANGUAGE = re.compile("|".join(_LANGUAGES), re.IGNORECASE)
_COMMENT = re.compile(r"注[释釋]|\bcomments?\b|docstrings?", re.IGNORECASE)
_REPLY = re.compile(
    r"回答|回复|回覆|答复|[跟和对同]我[说讲]|交流|沟通|讲话|说话|\b(?:answer|repl(?:y|ies)|respond|speak|talk)",
    re.IGNORECASE,
)
_BARE_LANGUAGE = re.compile(
    r"\W*(?:请|請|麻烦|以后|从现在起|都|一律|全部|还是"
    r"|please|always|from now on|keep it|stick to|use|all|\s)*"
    r"(?:用|说|講|讲|in\s)?\s*(?:中文|汉语|漢語|英文|英语|英語|日文|日语|chinese|english|japanese)"
    r"(?:吧|哈|啊|please|from now on|\s)*\W*",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[，,;；。！!？?\n]|\.\s|\s(?:but|and then|then)\s|但是?|不过")
_BAN = re.compile(
    r"不要|别|別|不准|不许|不許|不能|不得|禁止|勿|不再|严禁"
    r"|\b(?:do not|don['’]?t|never|must(?: not|n['’]t)|should(?: not|n['’]t)|cannot|can['’]?t|no longer|not"
    r"|no|avoid|stop|instead of|rather than)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"只|仅|\bonly\b|\bnothing but\b", re.IGNORECASE)
_RUN = re.compile(
    r"用|跑|执行|執行|运行|運行|调用|装|裝|instead of|rather than"
    r"|\b(?:us(?:e|ing)|run(?:ning)?|call(?:ing)?|execut(?:e|ing)|install(?:ing)? with)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"改|动|動|碰|编辑|編輯|写|寫|删|刪|移|覆盖"
    r"|\b(?:touch|edit|chang|modif|writ|delet|remov|overwrit|renam|rewrit|alter|refactor)",
    re.IGNORECASE,
)
# It holds, or does not, under a condition that a reply does not show.
_CONDITION = re.compile(
    r"除非|除了|以外|之前|之后|的时候|如果|要是|等.{0,8}再"
    r"|未经|不问|\b(?:without|unless|except|before|after|until|when|while|if|other than)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"^\s*(?:but |and )?(?:except|unless|apart from|other than|excluding|aside from|save for"
    r"|the (?:only )?exception|(?:that|this|it) (?:does not|doesn'?t) )"
    r"|\b(?:is|are) (?:the |an )?(?:exceptions?|exempt|excluded|fine|ok|okay|allowed)\b"
    r"|除外|例外|不算|不包括|^\s*除[了非]|可以",
    re.IGNORECASE,
)
_GIT = re.compile(r"(force[- ])?\b(push|commit|merge|rebase|amend)\b|(提交|推送|合并)", re.IGNORECASE)
_GIT_OF = {"提交": "commit", "推送": "push", "合并": "merge"}
_COMMAND = re.compile(r"`([^`]+)`|(?<![\w/.-])([A-Za-z][\w+-]*(?: +-{1,2}[\w-]+| +[a-z][\w-]*)*)(?![\w/(.])")
_PATH = re.compile(
    r"(?<![\w/.:])(?:[\w.@~*-]+/)+[\w.@*-]*|(?<![\w/.-])\.?[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{1,8}(?![\w/(])"
)
_NO_PROGRAM = re.compile(
    r"(?:the|an?|any|this|that|it|them|my|our|your|to|in|on|for|of|or|and)\b", re.IGNORECASE
)
_BARE_COMMAND = re.compile(r"\W*\w+\W+([a-z][\w+-]*)\W*")
_FORBID = re.compile(r"([\w*.-]+)\((.*)\)|(.+)", re.DOTALL)


def obligations_of(rule: Anchor) -> tuple[Obligation, ...]:
    """What of this rule a reply can break; empty for most rules."""
    found: list[Obligation] = []
    if rule.forbid:
        found.append(_forbidden(rule.forbid))
    clauses = [clause for clause in _CLAUSE_END.split(rule.what) if clause.strip()]
    for clause, after in zip(clauses, [*clauses[1:], ""], strict=True):
        # Whether a reply is in what is left out nobody can tell.
        if not _LEFT_OUT.search(after):
            found += _of_clause(clause)
    return tuple(dict.fromkeys(found))


def _forbidden(forbid: str) -> Obligation:
    tool, pattern, command = _FORBID.fullmatch(forbid.strip() or "-").groups()  # type: ignore[union-attr]  # matches any text
    if command is not None:
        return Obligation(kind="never-call", tool="Bash", pattern=command)
    return Obligation(kind="never-call", tool=tool, pattern=pattern or "*")


def _of_clause(clause: str) -> Iterator[Obligation]:
    ban = _BAN.search(clause)
    if _LANGUAGE.search(clause) and not ban:
        yield from _language(clause)
    paths = tuple(_PATH.findall(clause))
    if _CONDITION.search(clause):
        return
    if ban is None:
        if paths and _ONLY.search(clause) and _CHANGE.search(clause):
            yield Obligation(kind="edit-only", paths=paths)
        return
    if paths and _CHANGE.search(clause):
        yield Obligation(kind="never-edit", paths=paths)
    elif not paths:
        yield from _commands(clause[ban.start() :])


def _language(clause: str) -> Iterator[Obligation]:
    [*_, named] = _LANGUAGE.finditer(clause)
    language = _LANGUAGES[named[0].lower()]
    if _COMMENT.search(clause):
        yield Obligation(kind="comment-language", language=language)
    elif _REPLY.search(clause) or _BARE_LANGUAGE.fullmatch(clause):
        yield Obligation(kind="reply-language", language=language)


def _run(told: str) -> Iterator[Obligation]:
    for part in re.split(r"\b(?:or|and|nor)\b|[、/和或]", told):
        found = _COMMAND.search(part)
        words = (found[1] or found[2]).split() if found else []
        if words and not _NO_PROGRAM.match(words[0]):
            yield Obligation(kind="never-run", words=tuple(words))


def _commands(banned: str) -> Iterator[Obligation]:
    """What must not be run: `不要用 pip`, `never run make nuke`, `don't push`."""
    run = _RUN.search(banned)
    if run:
        yield from _run(banned[run.end() :])
        return
    bare = _BARE_COMMAND.fullmatch(banned)
    if bare and not _GIT.search(banned):
        yield Obligation(kind="never-run", words=(bare[1],))
    for found in _GIT.finditer(banned):
        word = _GIT_OF.get(found[3] or "", (found[2] or "").lower())
        words = ["git", "commit", "--amend"] if word == "amend" else ["git", word]
        yield Obligation(kind="never-run", words=(*words, *(["--force"] if found[1] else [])))
