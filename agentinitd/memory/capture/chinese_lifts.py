"""Which rule is meant by what Chinese allows again, or says may go: “Laravel may go up to 11 now”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentinitd.memory.capture.chinese_groups import NAME
from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.chinese_terse import MAY_GO
from agentinitd.memory.capture.members import members_of
from agentinitd.memory.capture.proposals import Proposal

_DEED = re.compile(
    r"(?:可以|能|直接|随便|放心|允许)(?:你)?(?:直接|先|再|自己|放心|开始|随时)*"
    r"(?P<deed>提交|推送|合并|部署|发布|发版|上线|重启|回滚|升级|重构|迁移|格式化"
    r"|[升改动删加换用碰推合装引拆跑])"
)
_NOTHING_NAMED = re.compile(r"那|之后|以后|后面|现在|接下来|已经|你|都|就|也")


def allowed_again(text: str, rules: Sequence[Proposal]) -> str:
    """The last ban of that deed on something that is named, or of a deed that tells by itself."""
    plain = simplified(text)
    found = _DEED.search(plain)
    if found is None:
        return ""
    named = _NOTHING_NAMED.sub("", plain[: found.start()]).strip(" ，,").casefold()
    is_name = NAME.fullmatch(named) is not None
    is_bare = not named and len(found["deed"]) > 1
    for rule in reversed(rules):
        said = simplified(rule.text).casefold()
        if rule.polarity != "do_not" or found["deed"] not in said or members_of(rule.text):
            continue
        if is_bare or (is_name and named in said):
            return rule.text
    return ""


def may_go(text: str, rules: Sequence[Proposal]) -> str:
    """The last demand for what is no more needed: “the mock data can go now”."""
    found = MAY_GO.match(simplified(text).strip(" 。！!，"))
    demands = (rule.text for rule in reversed(rules) if rule.polarity == "do")
    return next((rule for rule in demands if found and found["x"] in simplified(rule)), "")
