"""A text that the person gives to be used as it is: to be translated, or for a message, a title, a label.

It is made blank with the words that announce it: what it says is for its readers, not for the agent.
"""

from __future__ import annotations

import re

from agentinitd.memory.capture.literals import Literals, small
from agentinitd.memory.capture.paste_words import ASIDE
from agentinitd.memory.capture.speakers import has_colon

_WORDS = Literals(
    [
        word.encode()
        for word in (
            "transl", "phrase", "reword", "rewrite", "proofread", "polish", "grammar", "spelling",
            "message",
            "title", "description", "label", "caption", "tooltip", "placeholder", "docstring", "comment",
            "changelog", "note", "branch", "headline", "banner", "tagline", "text", "wording",
            "commit", "readme", "docs", "alert", "dialog", "answer", "reply", "tell", "respon", "write to",
            "say it", "say this", "say that", "公告", "回复", "告诉", "答复", "更新日志", "帮助页",
            "文说", "文讲", "语说",
            "翻", "译", "润色", "改写", "信息", "标题", "描述", "文案", "注释", "提示", "按钮", "占位",
        )
    ]
)  # fmt: skip
_START = r"(?:^|(?<=[.!?;]\s)|(?<=[。！？；，]))[ \t]*+"
_ASKED = (
    r"(?:(?:please|pls|can you|could you|now|then|and|ok|so|also|just|请你?|帮我|帮忙|麻烦|再|先)"
    r"[ ,，]*+){0,3}"
)
_TEXT = r"(?:sentence|text|phrase|message|line|paragraph|words?|quote|note|e?mail|comment|wording|copy)"
_REWORKED = re.compile(
    _START
    + _ASKED
    + rf"(?P<how>(?:translate|rephrase|reword|paraphrase|rewrite|proofread|polish|spell-?check|improve"
    rf"|(?:fix|correct|check|improve) (?:the|my) (?:grammar|spelling|wording|english|style)(?: (?:of|in))?)"
    rf"(?: (?:(?:this|that|these|it|the following|my)(?: {_TEXT})?|the {_TEXT}))?"
    r"(?: (?:from [a-z]+ )?(?:to|into|in) [a-z]+(?: [a-z]+)?)?(?:,? (?:please|pls|for me)){0,2}"
    r"|(?:把|将)?(?:这|下面|以下){0,2}(?:一?[句段些]|个)?(?:话|文字|文案|内容)?(?:翻译|翻(?=成)|译|改写|润色|校对)"
    r"(?:[成为到]|下|一下)?[^:：。！？，\n]{0,14}|[英中日德法韩][译翻][英中日德法韩]"
    r"|用[英中日德法韩][文语](?:说|讲|表达)|say (?:it|this|that) in [a-z]+)[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_OF_TRANSLATION = re.compile(
    r"\b(?:i18n|l10n|locales?|hard-?cod\w*|translat\w*|strings?|keys?|glossary|terms?|tone|keep|code"
    r"|literal\w*"
    r"|formal|informal|placeholders?|tags?|markdown|names?|meaning)\b"
    r"|硬编码|文案|词条|术语|翻译|语气|名词|机翻|直译|意译|走|占位符|变量|标签|代码|逐字|原意|原文|保留|口语|书面|正式",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:this|that|these|following|it)\b|这|下面|以下", re.IGNORECASE)
_LABEL = (
    r"(?:commit (?:message|msg|title|subject|body)"
    r"|(?:pr|mr|pull request|issue|ticket|release|page|window|dialog|section|email|mail|blog|post)"
    r" (?:title|description|body|subject|text|name)"
    r"|(?:button|field|menu|tab|form|link|checkbox) (?:label|text|caption|title)"
    r"|(?:error|help|alert|toast|warning|success|info|hint|consent|footer|header|banner|empty state) text"
    r"|(?:the|this|an?|with(?: the)?|as(?: the)?) (?:[\w-]+ )?message"
    r"|docstring|tooltip|placeholder|sub-?title|headline|caption|alt text|changelog (?:entry|line)"
    r"|branch name(?=[:：]\s*(?:never|always|do-?not|dont|must|no)-)|release notes? entry|banner|tagline"
    r"|slogan"
    r"|(?<=add a )(?:comment|note|todo)|(?<=add the )(?:comment|note|todo)|(?<=add this )(?:comment|note"
    r"|todo)"
    r"|(?<=write a )comment|(?<=put a )comment"
    r"|(?:log|assert(?:ion)?|exception|error|warning|panic) message|alert|dialog"
    r"|message for (?:the|this|that) (?:commit|tag|merge|release|user|error))"
)
_USED = re.compile(
    _START + _ASKED + r"(?P<how>(?:(?:use|take|put|set|write|add|insert|commit|give)\b[^:：.!?,;\n]{0,40} )?"
    rf"(?:(?:the|a|my|new|with|as|for|it|this|that|commit) ){{0,3}}{_LABEL}"
    r"(?: (?:should|shall|must|will) (?:be|say|read)| is| reads?| says?| for [^:：.!?,;\n]{1,30}"
    r"|\s?(?:写成?|用|就写|是|为|叫))?"
    r"|commit (?:as|-m)|(?:add|write|put)(?: this| it)? (?:to|in|into) the (?:readme|docs|documentation"
    r"|changelog|faq"
    r"|wiki|help page|footer|header)|(?:answer|reply to|tell|respond to|write to) (?:him|her|them"
    r"|(?-i:[A-Z][a-z]+)"
    r"|the (?:client|customer|reviewer|boss|team)s?)"
    r"|(?:在|往|给)? ?(?:README|更新日志|公告|帮助页)\s?里?"
    r"(?:加|写|补)(?:上|入)?一?[句行段条]?|(?:回复|告诉|答复)(?:[他她]们?|客户|老板|对方|[小老][\u4e00-\u9fff])"
    r"|(?:给|用|这个|这次|在)?(?:[\w\u4e00-\u9fff]{0,6}?)(?:提交(?:信息|说明|消息)|(?:PR|MR|issue|页面|弹窗)\s?(?:标题|描述)"
    r"|(?:按钮|提示|弹窗|错误|占位)(?:文案|文字|文本|内容)|占位符|(?<=加)注释|(?<=写)注释)(?:就?写成?|用|改成|写上|为|是|叫)?)[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_OF_FORM = re.compile(
    r"\b(?:in (?:english|chinese|german|french|japanese|lower|upper|title|the imperative|past|present"
    r"|sentence)"
    r"|english|chinese|imperative|conventional|short|concise|brief|under|max(?:imum)?|at most"
    r"|no more than|less than"
    r"|longer|characters?|chars|words?|lines?|prefix\w*|suffix\w*|format\w*|style|emojis?|tickets?"
    r"|issue (?:ids?|numbers?|keys?)|scopes?|lower-?case|upper-?case|capital\w*|punctuation|period|full stop"
    r"|co-?author\w*|sign(?:ed|s)?-?off|mention\w*|referenc\w*|includ\w*|contains?|starts?|begins?|ends?"
    r"|keep|(?:never|not|be|non)[ -]?empty"
    r"|tense|wip|jira|attribution|generated|claude|ai|verbs?|explain\w*|describ\w*|same|template|squash|amend"
    r"|links?|lists?|fill\w*|checklist|screenshots?|summar\w*|bullets?|test plan|dash(?:es)?|hyphens?"
    r"|kebab\S*"
    r"|underscores?|required|mandatory|secrets?|tokens?|passwords?|user data|pii|stack traces?|every|each"
    r"|public|numpy|google|sphinx)\b"
    r"|[#<{]|英文|中文|英语|格式|字以内|个字|不超过|前缀|后缀|emoji|表情|动词|开头|结尾|带上?|写[明清]|单号|编号|简短"
    r"|规范|署名|提到|提及|包含|小写|大写|时态|按模板|套模板|语言|一句话|风格|说明|为什么|废话|统一|生成|关联|链接|每个|都要|必要|[只少多]写|标点|叹号|句号|i18n|硬编码",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？]|\n")
_NOT_SPACE = re.compile(r"\S")
_LINE_ENDS = re.compile(r"[^\S\n]*\n")
_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n|$)")


def without_given(message: str) -> str:
    """As long as before, with blanks for such texts."""
    if not has_colon(message) or not _WORDS.are_in(small(message)):
        return message
    places = [(each, _end_of_block) for each in _reworked(message)]
    places += [(each, _end_of_text) for each in _used(message)]
    parts: list[str] = []
    at = 0
    for label, end_of in sorted(places, key=lambda place: place[0].start()):
        if label.start() >= at:
            end = end_of(message, label.end())
            parts += (message[at : label.start()], _blank(message[label.start() : end]))
            at = end
    return "".join((*parts, message[at:]))


def _reworked(message: str) -> list[re.Match[str]]:
    return [
        each
        for each in _REWORKED.finditer(message)
        if _NAMED.search(each["how"]) or not _OF_TRANSLATION.search(_rest(message, each.end()))
    ]


def _used(message: str) -> list[re.Match[str]]:
    return [each for each in _USED.finditer(message) if not _OF_FORM.search(_rest(message, each.end()))]


def _rest(message: str, start: int) -> str:
    """Of the line; of the next one when the text begins there."""
    shown = message[start : start + 400].lstrip(" \t")
    return shown.lstrip("\n").split("\n", 1)[0]


def _end_of_block(message: str, start: int) -> int:
    """The rest of the block; where the label stands alone, the block under it."""
    began = _NOT_SPACE.search(message, start)
    at = began.start() if began else len(message)
    ended = _BLANK_LINE.search(message, at)
    end = ended.start() if ended else len(message)
    line = message.find("\n", at, end)
    while line >= 0:
        following = message.find("\n", line + 1, end)
        if ASIDE.match(message[line + 1 : following if following >= 0 else end]):
            return line
        line = following
    return end


def _end_of_text(message: str, start: int) -> int:
    """One sentence; where the label stands alone, the block under it."""
    if _LINE_ENDS.match(message, start):
        return _end_of_block(message, start)
    ended = _SENTENCE_END.search(message, start)
    return ended.start() if ended else len(message)


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
