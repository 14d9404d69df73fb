"""What the title of a step asks for, when that is nothing but checks: `run tests`, `跑测试`, `commit …`.

A step that asks for more (`add pagination and run the tests`) is proven by no check, and asks for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agentinitd.memory.check_runs import Check, Kind

MAX_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Each of these has to come out well."""

    wants: frozenset[str] = frozenset()
    """Kinds, or single tools where the title names them."""
    is_whole: bool = False
    """All of it: a run of single tests is not enough."""


_TOOLS: dict[str, Kind] = {
    **dict.fromkeys(("pytest", "jest", "vitest", "mocha", "tox", "nox", "unittest"), "tests"),
    **dict.fromkeys(("cargo test", "go test", "npm test", "pnpm test", "yarn test", "bun test"), "tests"),
    "make test": "tests",
    **dict.fromkeys(("ruff", "eslint", "flake8", "pylint", "biome", "clippy", "cargo clippy"), "lint"),
    **dict.fromkeys(("tsc", "mypy", "pyright"), "types"),
}
_TOOL = "|".join(sorted(map(re.escape, _TOOLS), key=len, reverse=True))
_KIND_WORDS: tuple[tuple[Kind, str], ...] = (
    ("types", r"type[- ]?check(?:s|er|ing)?|typing(?: errors)?|types?(?: errors?)?"),
    ("lint", r"lint(?:s|er|ers|ing)?(?: errors?)?|code style|static checks?"),
    (
        "tests",
        r"(?:unit |integration |regression |e2e |whole |full )*tests?(?:[ -]suites?)?|test-suites?|suite",
    ),
)
_ALONE = {"types": r"type[- ]?check(?:ing)?", "lint": r"lint(?:ing)?", "tests": r"test(?:ing)?"}
_RUN = (
    r"(?:re-?)?run|execute|verify|check|ensure|confirm|make sure|see|validate|get|make|wait for|do"
    r"|finally run"
)
_GOOD = r"(?:still |are |is |all |stay |stays |be )*(?:pass(?:es|ing)?|green|succeeds?|clean|ok|okay|work)"
_FIX = r"(?:fix|repair|resolve|mend)(?: up)?"
_BROKEN = r"(?:failing|broken|failed|red|remaining|any|all|the|those|these)"
_FILL = (
    r"(?:the|all|our|its|any|of|full|whole|entire|complete|existing|project|repo|local|relevant|related"
    r"|again)"
)
_TAIL = (
    r"(?:again|locally|now|first|once more|one last time|one more time|for real"
    r"|(?:for|in|on|with|against) .+|to (?:verify|confirm|check|be sure)(?: .+)?)"
)
_WHOLE = re.compile(
    r"\b(?:all|full|whole|entire|complete|every|everything)\b|suite|全部|所有|全量|整套|完整|全绿|全过"
)
_NO_CHECK = re.compile(
    r"\b(?:write|writing|add|adding|create|extend|update|implement|refactor|improve|cover(?:age|s)?|port"
    r"|document|design|migrate|rewrite|delete|remove|rename|move|plan|strategy|data|fixtures?|manual(?:ly)?"
    r"|by hand|flak\w+|hooks?|review|set ?up|configure|config|framework|browser|deploy\w*|benchmark\w*|speed"
    r"|slow|skip|mock\w*|pipeline|ci|pr|pull request|template|message|investigate|debug|why|how|whether)\b"
    r"|写|添加|新增|增加|补充|补|覆盖率|数据|计划|方案|环境|框架|手动|手工|重构|设计|实现|更新|完善|删除"
    r"|修改测试|评审|流水线|基准|工单|申请|审核|表单|合并请求|部署|分析|调研|为什么"
)
_COMMIT = re.compile(
    r"(?:git )?commit(?:s|ting)?(?! to (?:a|an|one|this|that|using)\b)\b.*"
    r"|(?:create|make) (?:a |the )?commit\b.*"
)
_REF = (
    r"it|them|everything|the|our|my|to|a|new|feature|origin|main|master|dev|develop|branch|commits?"
    r"|changes|-u|upstream|remote|github|[\w.-]+/[\w./-]+"
)
_PUSH = re.compile(rf"(?:git )?push(?:es|ing)?(?: (?:{_REF}))*")
_THEM = re.compile(
    r"修[复好]?(?:失败|问题|错误|报错)?(?:的)?(?:测试|用例)?"
    r"|(?:and )?(?:fix|repair|resolve)(?: up)?(?: \w+){0,2} (?:failures?|errors?|issues?|problems?|them|it)"
)
_CLAUSES = re.compile(
    r"\s*(?:[,;&+]|\band then\b|\bthen\b|\band\b|[，、；。]|并且|然后|接着|以及|并|再(?!跑)|和)\s*"
)
_NUMBER = re.compile(r"^[\s\-*•]*(?:(?:step|步骤|第)?\s*[0-9一二三四五六七八九十]+\s*步?\s*[.):：、]\s*)?")
_LEAD = re.compile(r"^[^:：]{1,24}[:：]\s*(?=\S)")
_CJK = re.compile(r"[\u3400-\u9fff]")
_RUN_ZH = (
    r"(?:重新|最后|先|再|本地)?(?:跑通|跑过|跑完|跑一?[遍下次]?|运行|执行|重跑|验证|确认|确保|保证|检查|通过"
    r"|过一?[遍下次]?|修[复好]?|让)"
)
_GOOD_ZH = (
    r"(?:仍然|依然|都|要|能|是否|全部|全都|必须)*"
    r"(?:通过|全绿|变绿|绿|跑通|全过|没问题|成功|无误|无报错|不报错|干净)"
)
_NOUN_ZH: tuple[tuple[Kind, str], ...] = (
    ("tests", r"测试用例|单元测试|集成测试|回归测试|单测|测试|用例|回归"),
    ("lint", r"代码检查|静态检查|代码规范|格式检查|lint"),
    ("types", r"类型检查|类型错误|类型"),
)
_FILL_ZH = (
    r"(?:全部|所有|全量|整套|完整|一下|一遍|一次|的|了|相关|失败|出错|现有|项目|全|本地|[a-z0-9_./ -])*"
)
_COMMIT_ZH = re.compile(
    r"(?:git ?)?(?:提交|commit)(?:一下|一次)?(?:本次|这次|全部|所有|当前)?(?:的)?"
    r"(?:代码|改动|更改|变更|修改|commit|成果|到.{1,20})?"
)
_PUSH_ZH = re.compile(r"推送(?:一下)?(?:到.{1,20}|代码|分支|改动|远端|远程)*|(?:git )?push(?:到.{1,20})?")
_NAMED = re.compile(
    rf"(?:(?:{_RUN}|{_FIX}|跑一?[遍下]?|运行|执行)\s*)?(?:{_FILL} )*({_TOOL})(?:\s+[\w./:=-]+)*?"
    rf"(?:\s*(?:{_GOOD}|{_GOOD_ZH}|{_TAIL}|errors?|报错))?"
)


@lru_cache(maxsize=1024)
def asked_by(title: str) -> Asked:
    """Empty for a title that asks for anything but checks."""
    text = " ".join(title[:MAX_TITLE_CHARS].replace("`", "").replace('"', "").lower().split()).rstrip(
        " .!。！"
    )
    text = _NUMBER.sub("", text, count=1)
    found = _asked_by_clauses(text)
    lead = _LEAD.match(text)
    if not found and lead is not None:
        found = _asked_by_clauses(text[lead.end() :])
    return Asked(wants=found, is_whole=_WHOLE.search(text) is not None)


def is_answered_by(asked: Asked, check: Check) -> bool:
    """This check is, or is one of, what the title asks for."""
    return bool(asked.wants & _names(check)) and not (asked.is_whole and check.is_partial)


def unanswered(asked: Asked, checks: list[Check]) -> frozenset[str]:
    """What is still wanted after these came out well."""
    return frozenset(want for want in asked.wants if not any(want in _names(check) for check in checks))


def _names(check: Check) -> frozenset[str]:
    """`npm test` is of the kind `tests`; `cargo clippy` is `clippy` too."""
    return frozenset({check.kind, check.name, check.name.rpartition(" ")[2]})


def _asked_by_clauses(text: str) -> frozenset[str]:
    wants: set[str] = set()
    may_be_bare = False
    for clause in filter(None, _CLAUSES.split(text)):
        if wants and _THEM.fullmatch(clause):
            continue
        found = _asked_by_clause(clause, may_be_bare=may_be_bare)
        if not found:
            return frozenset()
        wants |= found
        may_be_bare = True
    return frozenset(wants)


def _asked_by_clause(clause: str, *, may_be_bare: bool) -> frozenset[str]:
    if _COMMIT.fullmatch(clause) or _COMMIT_ZH.fullmatch(clause):
        is_other = re.search(r"\bhooks?\b|message convention", clause)
        return frozenset() if is_other else frozenset({"commit"})
    if _PUSH.fullmatch(clause) or _PUSH_ZH.fullmatch(clause):
        return frozenset({"push"})
    if _NO_CHECK.search(clause):
        return frozenset()
    named = _NAMED.fullmatch(clause)
    if named is not None:
        return frozenset({named[1]})
    return _kind_in_chinese(clause) if _CJK.search(clause) else _kind_in_english(clause, may_be_bare)


def _kind_in_english(clause: str, may_be_bare: bool) -> frozenset[str]:
    for kind, noun in _KIND_WORDS:
        thing = rf"(?:{_FILL} )*(?:[\w./-]+ ){{0,2}}?(?:{noun})"
        forms = [
            rf"(?:{_RUN}) (?:that |if )?{thing}(?: {_GOOD})?(?: {_TAIL})?",
            rf"{thing} {_GOOD}(?: {_TAIL})?",
            rf"green {thing}",
            rf"{_FIX} (?:{_BROKEN} )*(?:{noun})(?: failures?| errors?| issues?| problems?)?(?: {_TAIL})?",
            thing if may_be_bare else _ALONE[kind],
        ]
        if any(re.fullmatch(form, clause) for form in forms):
            return frozenset({kind})
    return frozenset()


def _kind_in_chinese(clause: str) -> frozenset[str]:
    for kind, noun in _NOUN_ZH:
        forms = (
            rf"{_RUN_ZH}{_FILL_ZH}(?:{noun}){_FILL_ZH}(?:{_GOOD_ZH})?",
            rf"{_FILL_ZH}(?:{noun}){_FILL_ZH}{_GOOD_ZH}",
            rf"(?:{noun})",
        )
        if any(re.fullmatch(form, clause) for form in forms):
            return frozenset({kind})
    return frozenset()
