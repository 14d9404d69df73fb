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


_CHINESE_FULL_NAME = re.compile(
    r"(?!曾经|严[禁格重肃]|杜绝|罗列|陈[述旧列]|张贴|郑重|胡乱|宋体|董事|孙子|苏打|钟[表头])"
    r"[王李张刘陈杨赵吴徐孙朱胡郭罗郑梁宋韩冯邓曹彭曾肖董袁潘蔡杜苏魏吕姚卢姜崔钟谭廖贾邹孟熊邱薛侯黎贺郝龚邵严覃]"
    r"[\u4e00-\u9fff]{1,2}"
    r"|(?!马上|万一|金额|范围|何[时为必]|许[可多]|夏[令天]|雷达|钱包|段落|顾客|黄[色金]|谢谢|毛病)"
    r"[林许沈唐汪田何范陆夏秦钱段雷毛谢顾叶黄孔丁戴汤陶万金马][\u4e00-\u9fff]{2}"
)
_ROLES = re.compile(
    r"(?:reviewer|boss|manager|pm|cto|ceo|qa|client|customer|support|lead|admin|me|system|max|mark|pat)$",
    re.IGNORECASE,
)
_NO_PERSON = re.compile(
    r"(?:deploy|backup|release|cron|stand-?up|start|stop|freeze|maintenance|build|run|nightly|meeting|sync"
    r"|window|cut-?off|deadline|until|after|before|by|since|from|to|at|on|daily|weekly|every|each|only"
    r"|restart"
    r"|reboot|import|export|report|schedule|time|timeout|now|today|tomorrow|yesterday|monday|tuesday"
    r"|wednesday"
    r"|thursday|friday|saturday|sunday|default|utc|the|this|it|we|i|log|line|port|server|service|job|update"
    r"|version|ratio|aspect|verse)s?$",
    re.IGNORECASE,
)
_NO_CHINESE_PERSON = re.compile(
    r"[每今明昨前后周]|[\u4e00-\u9fff]{0,3}(?:[前后时天早晚点]$|上午|下午|凌晨|晚上|早上|中午|时间|备份|部署|发布|上线"
    r"|任务|会议|开始|结束|重启|定时|执行|截止|运行|维护|窗口|例会|站会|评审|同步|更新|规则|要求|约定|注意)"
)


def is_person(name: str) -> bool:
    """The name is one that people have, or looks like no word of the work."""
    bare = _bare(name)
    if not is_somebody(name) or _ROLES.match(bare):
        return False
    if name[0] == "@" or _NAME.match(bare.split()[0]):
        return True
    if _is_chinese_person(bare.split("-")[-1]):
        return True
    words = bare.split()
    return len(words) == 2 and all(
        word[0].isupper() and (word.istitle() or word[1:].islower()) for word in words
    )


def is_somebody(name: str) -> bool:
    """Beside a time of day: not the name of something that happens then."""
    words = _bare(name).split()
    if not words or _NO_CHINESE_PERSON.match(words[0]):
        return False
    return not any(_NO_PERSON.match(word) or _LABEL.match(word) for word in words)


def _bare(name: str) -> str:
    """Without the mark before it and what stands in brackets behind."""
    return re.split(r"\s?[(（:]", name.lstrip("@ *"), maxsplit=1)[0].strip()


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
    if not one or not two:
        return False
    if _CHINESE_FULL_NAME.fullmatch(one[1]) and one[1] != two[1] and _is_chinese_person(two[1]):
        return True
    if not (one[1][0].isupper() and two[1][0].isupper()):
        return False
    return not (_LABEL.match(one[1]) or _LABEL.match(two[1]))


def _is_chinese_person(name: str) -> bool:
    return bool(_CHINESE_FULL_NAME.fullmatch(name) or _CHINESE_NAME.fullmatch(name))


def _spoken(line: str) -> re.Match[str] | None:
    return _SPEAKER.match(line) if has_colon(line) else None


def has_colon(text: str) -> bool:
    """Of either width: without one nobody speaks, and no header is there."""
    return ":" in text or "：" in text
