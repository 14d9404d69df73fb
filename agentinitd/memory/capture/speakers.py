"""Who speaks in a line of a pasted chat: `Bob: …`, `老王：…`; a label such as `Tests: …` is nobody."""

from __future__ import annotations

import re

_SPEAKER = re.compile(
    r"\s*+(?:[-*]\s+)?\**(@?[A-Za-z][\w.-]{0,30}(?: [A-Z][\w.-]*)?"
    r"|[\u4e00-\u9fff]{2,5})\**\s?(?:[(\[（][^)\]）]{1,30}[)\]）])?\s?[:：]"
    r"\**\s*\S"
)
_NAME = re.compile(
    r"(?:alice|bob|carol|carlos|charlie|dave|dan|daniel|david|eve|erin|frank|grace|heidi|henry|ivan"
    r"|jack|james|jane|jenny|jim|joe|john|judy|julia|kate|kevin|kim|laura|leo|lisa|lucy|mallory"
    r"|maria|mark|martin|mary|max|mia|mike|nick|nina|olivia|oscar|paul|peggy|peter|priya|rachel|rob"
    r"|robert|ryan|sam|sara|sarah|simon|sophie|steve|sue|sybil|ted|tim|tina|tom|trent|victor|wang"
    r"|walter|wendy|xiao|li|zhang|chen|liu|lin|wei|ming|yuki|yang|zhao|anna|ann|andrew|alex|adam"
    r"|amy|ben|brian|chris|emma|eric|george|hannah|jake|jason|jeff|karen|luke|matt|michael|nora|pat"
    r"|raj|rosa|scott|reviewer|boss|manager|pm|cto|ceo|qa|client|customer|support|user|assistant"
    r"|human|system|bot|claude|gpt|chatgpt|copilot|codex|gemini|coderabbit|dependabot|teammate"
    r"|colleague|lead|admin|me)$",
    re.IGNORECASE,
)
_CHINESE_NAME = re.compile(
    r"[小老阿][\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:总|哥|姐|工|老师|经理)"
    r"|(?:同事|老板|客户|领导|用户|机器人|评审|评审人|审核|助手|组长|主管|师兄|师姐|产品经理|甲方)"
)
_LABEL = re.compile(
    r"(?:notes?|rules?|constraints?|important|reminders?|to-?dos?|tests?|testing|docs?|documentation"
    r"|database|db|style|naming"
    r"|names|format|formatting|languages?|output|input|backend|frontend|api|apis|ci|cd|git|commits?"
    r"|branch(?:es)?|deploy(?:ment)?"
    r"|python|node|js|ts|typescript|rust|go|java|sql|css|html|tip|goals?|tasks?|context|scope"
    r"|background|requirements?|edit"
    r"|ps|fyi|ports?|question|caveat|plan|steps?|example|bug|expected|actual|dependencies|deps|logging"
    r"|logs|errors?|security"
    r"|performance|code|comments?|types?|imports|files?|paths?|config|settings|environment|env"
    r"|versions?|tools?|tooling|build"
    r"|lint(?:ing)?|migrations?|schema|ui|ux|design|architecture|packages?|package manager|infra|prod"
    r"|staging|dev|local|answers?"
    r"|replies|also|remember|hard rule|last|first|second|third|finally|do|don'?ts?|dos|never|always"
    r"|must|nice|preferences?)$",
    re.IGNORECASE,
)


def speaks(line: str) -> bool:
    """The line is what somebody said, by name or by rank."""
    found = _spoken(line)
    if not found:
        return False
    name = found[1]
    return name[0] == "@" or bool(_NAME.match(name.split()[0])) or bool(_CHINESE_NAME.fullmatch(name))


def is_talk(first: str, second: str) -> bool:
    """Two lines, each of somebody whose name looks like one."""
    one, two = _spoken(first), _spoken(second)
    if not one or not two or not (one[1][0].isupper() and two[1][0].isupper()):
        return False
    return not (_LABEL.match(one[1]) or _LABEL.match(two[1]))


def _spoken(line: str) -> re.Match[str] | None:
    return _SPEAKER.match(line) if ":" in line or "：" in line else None
