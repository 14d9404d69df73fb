"""The words around a paste: those that introduce it, ask about it, or show that the person speaks again."""

from __future__ import annotations

import re

MAX_POINTER_CHARS = 200
_POINTERS = " \t^↑⬆☝👆\ufe0f"
_SAYS = (
    r"(?:says?|said|reads?|states?|stated|wrote|writes|complain(?:s|ed)|prints?|printed|returns?"
    r"|outputs?|shows?"
    r"|gives?|gave|tells?|told me|mentions?|mentioned|warns?|warned|reports?|reported|replied|answered"
    r"|commented|asked|suggests?|suggested|demands?|claims?|claimed|goes)"
)
_THING = (
    r"(?:logs?|output|errors?|messages?|readme(?:\.md)?|docs?|documentation|guides?|guidelines|manual"
    r"|page|article"
    r"|post|spec|rfc|wiki|comments?|reviews?|reviewer|bot|linter|lint|compiler|ci|pipeline|build"
    r"|console|terminal"
    r"|stack ?trace|traceback|trace|diff|snippet|excerpt|quote|e?mail|thread|ticket|issue|slack|chat"
    r"|transcript"
    r"|changelog|policy|template|prompt|text|paragraph|passage|section|file|config|header"
    r"|contributing(?:\.md)?"
    r"|claude\.md|agents\.md|license|notes|warnings?|response|answer|reply|summary|description"
    r"|docstring|hook|tool)"
)
_FOREIGN_THING = (
    r"(?:logs?|output|errors?|messages?|readme(?:\.md)?|guidelines|manual|article|wiki|comments?"
    r"|reviews?|reviewer"
    r"|bot|linter|compiler|ci|stack ?trace|traceback|excerpt|quote|e?mail|thread|ticket|slack|chat"
    r"|transcript|policy"
    r"|contributing(?:\.md)?|claude\.md|agents\.md|license|release notes|warnings?|response|answer|reply)"
)
_CHINESE_INTRODUCES = (
    r"(?:日志|报错|错误|输出|文档|消息|信息|评论|评审|邮件|说明|原文|截图|聊天|群里|里写|里说|上写|说的?|写的?|写道"
    r"|提示|显示|返回|贴|README)[^:：。！？\n]{0,16}[:：]\s*$"
)
INTRODUCES_LIST = re.compile(
    rf"\b(?:{_SAYS}|{_FOREIGN_THING}|from (?:the|their|our|an?|his|her"
    rf"|its)\b[^:：.!?\n]{{1,40}})\b[^:：.!?\n]{{0,60}}[:：]\s*$"
    rf"|{_CHINESE_INTRODUCES}",
    re.IGNORECASE,
)
"""A line that ends in a colon and announces words of something or somebody else."""
INTRODUCES_TEXT = re.compile(
    rf"\b(?:{_SAYS}|{_THING}|following|this|that|below|these|here(?:'s| is| are)|got|getting|see|seeing)\b"
    rf"[^:：.!?\n]{{0,60}}[:：]\s*$|(?:内容|如下|下面|这段|这几行|这些|这个)[^:：。！？\n]{{0,16}}[:：]\s*$|{_CHINESE_INTRODUCES}",
    re.IGNORECASE,
)
"""The same, where no list follows: people announce lists of their own in the same way."""
OWN_LIST = re.compile(
    r"\b(?:rules?|constraints?|requirements?|conventions?|remember|please|pls|must|never|always|don'?t|do not"
    r"|preferences?|i want|i'd like|i need|i expect|keep in mind|follow|stick to|boundaries|respect"
    r"|you (?:should|must|need|can)|before (?:you|we) start|from now on|going forward|do (?:this|these"
    r"|the following))\b"
    r"|规则|要求|约定|注意|记住|规矩|请|别|不要|必须|先说好|前提|几条|几点|以后|从现在起|遵守",
    re.IGNORECASE,
)
FOREIGN = re.compile(
    rf"\b(?:{_THING}|he|she|they|somebody|someone|guy|[A-Z][a-z]+)\b[^.!?\n]{{0,40}}\b{_SAYS}\b"
    r"|\b[Ff](?:rom|ound|ound this in) (?:the|our|their|a|an)\b|\baccording to\b"
    r"|文档里|里写|里说|群里|README|[他她]说|[他她]们说|有人说|上面写|贴"
)
"""In a line that introduces a list: the list is not the person's own all the same."""
_ASKS_ABOUT = re.compile(
    r"\b(?:explain|translate|summari[sz]e|proofread|rephrase|interpret|reword)\s*(?:this|that|these|it"
    r"|the (?:text|following)|me|to me)?\s*(?:[?:.!]|$)"
    r"|\b(?:explain|translate|summari[sz]e|proofread|rephrase|interpret|reword) (?:this|that|these|it"
    r"|the (?:text|following))\b"
    r"|\b(?:this|that|it|these|those|they|above)\b(?:[^.!?\n]|\.(?=\w)){0,40}\b(?:mean|means|true|right"
    r"|correct"
    r"|valid|outdated|up to date|apply|applies|holds?|relevant|accurate|in force|say|saying|about|come from"
    r"|comes from)\b[^.!?\n]{0,40}\?"
    r"|\b(?:this|that|it|these|those|they)\b[^.!?\n]{0,30}\b(?:mean|means|say|saying|about|come from"
    r"|comes from)\b[^.!?\n]{0,40}$"
    r"|\b(?:is|are|does|do) (?:this|that|it|these|those|they)\b[^.!?\n]{0,30}\b(?:true|right|correct"
    r"|valid|outdated|up to date|apply|hold|relevant)\b[^.!?\n]{0,40}$"
    r"|\bwhat(?:'s| is| are) (?:this|that|these|those|it)\b(?! \w+ing)|\bmakes? sense\b|\bany ideas?\b"
    r"|\bwho (?:wrote|says|said|prints|posted)\b|\bwhich of (?:these|those|them)\b"
    r"|\bhow many of (?:these|those|them)\b|\bdo (?:we|i) (?:satisfy|follow|violate|comply|break|meet)\b"
    r"|什么意思|怎么回事|谁[写加定改]的|谁打|谁说的|哪来的|还对吗|对不对|是真的吗|翻译|解释一下|总结一下|看不懂|润色|还有效|靠谱吗|有道理吗"
    r"|适用吗|还成立|还算数",
    re.IGNORECASE,
)
# One of these stands in every such question; looking for them costs next to nothing.
_ASKING_WORDS = (
    *(
        "mean",
        "expla",
        "trans",
        "summar",
        "proofr",
        "rephr",
        "interpret",
        "reword",
        "true",
        "right",
        "correct",
        "valid",
    ),
    *(
        "outdated",
        "up to date",
        "appl",
        "say",
        "about",
        "come",
        "sense",
        "idea",
        "wrote",
        "said",
        "prints",
        "posted",
        "hold",
        "relevan",
        "accurate",
        "in force",
    ),
    *(
        "what is",
        "what's",
        "what are",
        "which of",
        "how many of",
        "do we",
        "do i",
        "什么意思",
        "怎么回事",
        "谁",
        "哪来",
        "吗",
    ),
    *("对不对", "翻译", "解释", "总结", "看不懂", "润色", "有效", "成立", "算数"),
)


def asks_about(line: str) -> bool:
    """A question about words that stand beside it, which are then somebody else's."""
    lowered = line.lower()
    return any(word in lowered for word in _ASKING_WORDS) and bool(_ASKS_ABOUT.search(line))


_POINTS_UP = re.compile(r"\s*+(?:\^+|[↑⬆☝👆]+\ufe0f?)\s*(?:\S|$)")
_DOCUMENT = (
    r"(?:[\w./-]+\.(?:md|mdc|txt|rst|adoc|html)\b"
    rf"|(?:(?:the|our|their|an?|some|his|her|your|another) )?(?:[\w./-]+ ){{0,3}}?(?:docs?|documentation"
    rf"|guide|wiki|page"
    rf"|repo|confluence|notion|contributing|agents|{_FOREIGN_THING})\b)"
)
_SOURCE = re.compile(
    r"^\W*(?:(?:i|we|just|so|hey|btw|hm+|and|but|ok|all|also|actually|was it|rules?)\W+){0,3}(?:(?:found"
    r"|copied|taken|quoted|pasted|got|saw|read)(?: (?:this|these|that|those|them))?(?: all)?"
    r"|(?:this|these|that|those|they|(?:the )?above)(?: all| ones?| rules| lines)?(?:'s|'re| (?:is|are"
    r"|was|were|comes?|came|stands?|stood))"
    rf"(?: still| also| all| just| only)?) (?:in|from|on|out of) {_DOCUMENT}"
    r"|(?:上面|以上|上述|上边|[这那](?:[些几][条段句]?|[条段句]))[^，。？?\n]{0,6}(?:是|来自|摘自|抄自|出自|写在)"
    r"[^。？?\n]{0,30}(?:里的?|里[写说]的|上的|上[写说]的|[写说]的|贴的|文档|README|AGENTS|CLAUDE|wiki)"
    r"|(?:摘自|抄自|来自|出自)[^，。\n]{0,20}(?:README|AGENTS|CLAUDE|文档|wiki|群)"
    r"|从[^，。\n]{1,20}[里上](?:看到|抄来|复制|找到|翻到|贴)",
    re.IGNORECASE,
)
_FROM = re.compile(rf"(?:from|in|per) {_DOCUMENT}", re.IGNORECASE)
_ADOPTS = re.compile(
    r"\b(?:follow|obey|stick to|respect|adhere|apply|binding|mandatory|keep to|important|must|please)\b"
    r"|照|遵守|遵循|按|必须|执行|记住",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    r"\b(?:still|anymore|any more|valid|true|needed?|follow|hold|apply|keep|drop|remove|correct|relevant"
    r"|outdated)\b"
    r"|还|有效|过时|作数|算数|适用|成立|需要|对吗|对不对",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\W*$|[吗呢么]\W*$")


def points_up(line: str) -> bool:
    """`^ found this in the wiki, still valid?`: what stands over it is somebody else's."""
    if len(line) > MAX_POINTER_CHARS:
        return False
    is_asked = bool(_ASKS.search(line))
    if _POINTS_UP.match(line):
        said = line.lstrip(_POINTERS)
        return is_asked or bool((_SOURCE.search(said) or _FROM.match(said)) and not _ADOPTS.search(said))
    is_adopted = _ADOPTS.search(line) and not (is_asked and _ASKS_WHETHER.search(line))
    return not is_adopted and bool(_SOURCE.search(line))


TYPED = re.compile(
    r"\s*+(?:btw|by the way|also|please|pls|plz|so|but|and|ok|okay|hey|hi|hmm|anyway|now|then|i|i'm"
    r"|i've|we|my|our"
    r"|can you|could you|what|why|how|where|who|which|is (?:this|that|it)|does|do you|here|thanks|thx"
    r"|fix|look|check"
    r"|one more|apart from that|from now on|oh|ah|yes|yeah|wait|again|remember|let's|while you|when you"
    r"|just)\b"
    r"|.*(?:\b(?:don'?t|doesn'?t|can't|cant|won't|isn't|didn't|i'm|i've|i'd|i'll|we're|let's|pls|plz"
    r"|shouldn't|mustn't)"
    r"\b|[?？]\s*$)"
    r"|.*[我你咱帮请吧啊呢吗啥哈哦嘛呀别]|.*(?:顺便|一下|这是|另外|对了|看看|不要|怎么|为什么|记得)",
    re.IGNORECASE,
)
"""A line under a paste with which the person speaks again."""
ASIDE = re.compile(
    r"\s*+(?:[Bb]tw|[Bb]y the way|[Aa]lso,|also|[Ss]o,?|[Bb]ut|[Aa]nd|[Aa]nyway|[Ii]|[Ii]'m|i've|we"
    r"|[Cc]an you|[Cc]ould you"
    r"|[Ww]hat|[Ww]hy|[Hh]ow|[Oo]k|[Oo]kay|please|pls|don'?t|fix|[Aa]gain|[Oo]h)\b"
    r"|.*\b(?:Don't|dont|don't|i'm|pls|plz)\b|.*[?？]\s*$|.*(?:顺便|帮我|[我你吧啊呢吗]|对了|另外|怎么|为什么)"
)
"""The same amidst a paste or behind an introduced one, where more is asked for."""
SAYS_THAT = re.compile(
    rf"\b(?:{_THING}|it|he|she|they|someone|somebody)\s+(?:\w+\s)?{_SAYS}\b[^:：.!?\n]{{0,40}}[:：]\s"
    r"|(?:文档|日志|报错|README|机器人|同事|他|她|他们|评论|提示|群)里?(?:说|写|提示|显示)[^:：。！？\n]{0,10}[:：]",
    re.IGNORECASE,
)
"""In the midst of a line: what follows the colon is said by somebody else."""
RULE_HEADING = re.compile(
    r"\b(?:rules?|constraints?|conventions?|ground rules|house rules|preferences|boundaries|don'?ts?"
    r"|never|always|must|do not"
    r"|how (?:i|we) work|off[ -]limits|keep in mind)\b|规则|约定|规矩|约束|注意事项|要求|偏好|禁止|不要|原则",
    re.IGNORECASE,
)
"""Over a part of a document that lays down how to work."""
