"""The words with which a person changes what they said before, in both languages."""

from __future__ import annotations

import re

from agentinitd.memory.capture.needed import Sought

_SIGH = (
    r"(?:(?:no+|nope|nah|hm+|uh+|um+|ah|oh|ugh|argh|sorry|wait|ok(?:ay)?|hold on|well|so|and|but|please"
    r"|pls|my bad|oops"
    r"|whoops|yeah|right|then|also|fine|alright|hey|thanks|thx|actually|rather|instead|better"
    r"|just)\b[ ,.:!-]*)*"
)
_WE = (
    r"(?:(?:let'?s|lets|let us|we'?(?:ll|re)?|we (?:will|are)|you (?:can|should|may)|i'?(?:d|ll)"
    r"|i (?:want|need) (?:you )?to|please|pls|can (?:you|we)|could (?:you|we)|to|just|now|better|rather"
    r"|go(?:ing)?(?: ahead)?(?: and)?|i would|like to|rather) )*"
)
_VALUE_FOLLOWS = (
    r"(?: (?:it|that|this|them|those|these|back|over|all|everything|things|again|now|on|up|down|(?:the"
    r"|our|my) [\w/-]+(?: [\w/-]+){0,2}?))*"
)
_TURNS = (
    rf"make (?:that|it|this|them|those)(?! (?:work|so|up|happen|clear|sure|possible|easier|faster|better"
    rf"|look|pass"
    rf"|compile|run|green|red|blue|bigger|smaller|a bit|more|less|do|return)\b)"
    rf"|(?:switch|chang|mov|go|revert|return|convert|swap|bump|rais|lower|reduc|increas|rais|set|shift"
    rf"|turn|roll"
    rf"|switch|swapp|migrat|sett?)(?:e|ing)?{_VALUE_FOLLOWS} (?:to|with|for|onto|on)\b"
    rf"|(?!(?:add|apply|do|send|give|show|point|link)\b)[a-z]+ (?:that|it|this|them)"
    rf" (?:back |up |down )?to (?=\S*\d)"
    rf"|back to\b|(?:we |you )?(?:continue|carry on|proceed|stay|go on|keep going|keep working) (?:on"
    rf"|with|in)\b"
    rf"|(?:on|at) \S+(?: \S+)? now$|(?:it|that|this|they)(?:'s| has| have|'ve)? (?:moved|changed"
    rf"|switched) to (?=\S)"
    rf"|(?:it|that)(?:'s| is) (?![^,;]*%)\S+(?: \S+)? (?:now|since (?:today|this|last|yesterday)\b.*)$"
    rf"|\S*[\d/_-]\S* is the (?:right |new )?(?:one|branch|version|port|tag|file|region|folder)\b"
    rf"|settle (?:on|for)\b|opt for\b|stick (?:with|to)\b"
)
_ENGLISH_TURN = re.compile(rf"^{_SIGH}{_WE}(?:{_TURNS})", re.IGNORECASE)
_ENGLISH_INSTEAD = re.compile(
    r"\b(?:instead(?! of (?:just|only|trying))|after all|it is(?= for\b|$| then\b| from\b| now\b)"
    r"|rather than|then$|^(?:(?:but|sorry|no|oops|ah|oh),? )*i (?:meant|mean) (?!that|it|this|the\b)"
    r"|from now on(?=.* instead\b)|as of now|will do(?=$| then\b| too\b)|is enough|are enough|(?:is"
    r"|are) fine too"
    r"|(?:not|no longer) [\w./-]+ any ?more)\b",
    re.IGNORECASE,
)
_ENGLISH_PURE = re.compile(
    rf"^{_SIGH}(?:(?:(?:scrap|scratch|strike|forget|ignore|cancel|nix|drop|disregard|never ?mind)"
    r"(?: (?:(?:that|it|this)(?: (?:about|with|on) [\w./ -]{2,30})?|what i (?:said|wrote)[^,;]*"
    r"|my last[^,;]*|the (?:last|previous)[^,;]*"
    r"|(?:the |those |all the )[\w./-]+(?: [\w-]+)?))?"
    r"|(?:small |one |quick |slight )?(?:correction|change|update|edit|amendment|revision)(?: (?:on|to"
    r"|of) [^,;:]+| here)?"
    r"|(?:change of |new |different )plans?|(?:the )?plans? (?:has |have )?changed|on (?:second"
    r"|further) thoughts?"
    r"|thinking about it[^,;]*|(?:i )?(?:have |'ve |i've )?changed my mind[^,;:]*"
    r"|i(?:'?m| was| am| take)(?: a bit| way)? (?:too [a-z]+|wrong|mistaken|that back|it back)[^,;:]*"
    r"|wrong (?:one|branch|port|version|name|file|folder|repo|region)"
    r"|let me (?:rephrase|correct|change|revise|rectify)[^,;:]*|that was (?:wrong|too )[^,;:]*|i misspoke"
    r"|i meant|i mean|(?:better |rather )?make (?:that|it|this)(?: instead)?)|(?P<sigh>))$",
    re.IGNORECASE,
)
_TELLS_SIGH = re.compile(
    r"\b(?:no+|nope|nah|actually|rather|wait|sorry|oops|whoops|my bad|instead)\b", re.IGNORECASE
)
_ENGLISH_LEAD = re.compile(
    r"^(?:(?:no+|nope|nah|rather|oops|sorry|correction)[,.:!-]+ |rather |no+ wait[ ,.:!-]+"
    r"|actually[ ,.:!-]+)+(?=\S)",
    re.IGNORECASE,
)
_ENGLISH_NOT_MEANT = Sought(
    r"\b(?:if|should we|shall we|might|could (?:also|have)|would (?:be|have)|some ?day|one day|maybe"
    r"|perhaps|wonder"
    r"|thinking (?:of|about) |think about (?!it)|considering|consider|yesterday|last (?:week|month|year"
    r"|time|night)|ago|used to"
    r"|wants?(?= (?:us|me|to|everyone))|suggest\w*|says?|said|told|proposed?|keeps? (?:asking|telling)"
    r"|(?:he|she|they)(?:'d|'ll|'re)?"
    r"|eventually|later this|next (?:week|month|year|sprint|quarter)|in the (?:demo|meeting))\b",
)

_CHINESE_TURN = re.compile(
    r"(?:改[成为用到回走放写叫按]|换[成为用到回]|变[成为](?!了)|切[到成回换]|调[到成回]"
    r"|[降升加减提放缩收][到成为]"
    r"|放[宽低]到|收紧到|转(?:成|为|用)|改从|[挪搬移迁给]到"
    r"|恢复(?:成|为|到)|还原(?:成|为)|统一到|(?:^|[那就先都还是，, ])换(?:个|一个)?(?= ?[\w`/.-]"
    r"|[一-龥]{1,12}吧)|还是(?:用|走|放|写|叫|按|跑|回|选|以|拿|得|要|改|换)"
    r"|^(?:那|算了|就|那就)*还是(?=[^，]{1,16}(?:吧|好了|算了|为好)$)|还是 ?(?=[A-Za-z0-9`])|(?:^"
    r"|[那就])(?:用|走|选) ?[^，]{1,16}(?:吧|好了|算了)$|^(?:还是|那就?|就)?定(?:为|成|在|下来|了)?"
    r"|(?:就|还是)(?:用|走|按|写|选|跑|定)|不再?(?:用|走)[^，]{1,16}了)"
)
_CHINESE_PURE = re.compile(
    r"^(?:那|啊|呃|额|嗯|哎|唉|诶|等等|等下|不|我|又|哦|好吧|这个?|再|先|抱歉|不好意思|[,， ])*"
    r"(?:算了|不对|等等|等下|等一下|改一?下|换一?下|更正(?:一?下)?|纠正(?:一?下)?|修正(?:一?下)?"
    r"|调整(?:一?下)?|说错了?|写错了?|搞错了?|记错了?|改主意了?|想了想"
    r"|想想|想好了|考虑了一?下|重新考虑[^，]*|(?:刚才|前面|之前|上面)(?:那条|那个|说的"
    r"|讲的)?[^，]{0,6}(?:作废|不算|不对|说错了?|错了|收回|取消|改一?下)"
    r"|[^，]{0,8}(?:定了|定下来了|敲定了)|计划有变|情况有变|变[卦更]了?"
    r"|还是不行|太(?:[^，]{1,4})了|试了[^，]{0,8}|商量[^，]{0,8}"
    r"|讨论[^，]{0,8}|还是别了)[.。~啊吧哈呢]*$"
)
_CHINESE_NOT_MEANT = re.compile(
    r"[吗呢么?？]$|(?:如果|要是|假如|万一|是不是|要不要|能不能|可不可以|会不会|有没有|以后再|改天|回头"
    r"|等有空|哪天|将来|也许|可能|说不定|考虑|在想|想过"
    r"|听说|据说|建议|觉得|推荐|昨天|上周|上个?月|去年|上次|当时|以前|曾经"
    r"|之前(?![说讲提定])(?=[^，]*[了过])|已经"
    r"|刚刚?(?:改|换|切)|(?:[他她]们?|小[一-龥]|老[一-龥]|[一-龥][哥姐总工])(?:把|想|要|说|又|就|也|给|换"
    r"|改|让))"
)
_FROM_NOW_ON = Sought(
    r"\b(?:from (?:now|here|today|this point)(?: on(?:wards?)?)?|as of (?:now|today|this \w+)"
    r"|starting (?:now|today)|now"
    r"|henceforth|hereafter|going forward|any ?more|instead|these days|again|as well)\b"
    r"|以后|今后|从今|从现在|现在|今天起|往后|接下来|之后都|改(?!动)|换",
)
_RELAXED = re.compile(
    r"\b(?:is|are|would be|will be) (?:also )?(?:fine|ok|okay|alright|acceptable|good)"
    r"(?: too| as well| instead| by me| from (?:now|here) on(?:wards)?)*$"
    r"|也(?:行|可以|成|没问题|ok)[了吧的]?$",
    re.IGNORECASE,
)
_NOW_LAST = re.compile(
    r"\b(?:now|from (?:now|here) on(?:wards)?|as of (?:now|today)|going forward|henceforth"
    r"|instead)(?: (?:please|pls|then))?$"
    r"|^(?:那)?(?:以后|今后|从今|从现在|往后)",
    re.IGNORECASE,
)
_IS_NOW = re.compile(
    r"^(?:(?:so|and|ok|then|sorry) )*(?!(?:i|we|he|she|they|it|there)\b)(?:[\w./-]+ ){1,4}?(?:is|are)"
    r" (?:now |back )*(?:(?:on|at|in|under|called|named) )?\S+(?: (?:now|again|these days|as of (?:now"
    r"|today)))+$"
    r"|^(?:(?:so|and|ok|then) )*(?:[\w./-]+ ){1,4}?(?:is|are) now (?:(?:on|at|in|under|called|named) )?\S+$",
    re.IGNORECASE,
)
_ENDS_DONE = re.compile(r"(?<!算)(?<!好)(?<!行)(?<!得)了$")
_SAYS_INSTEAD = re.compile(
    r"\b(?:switch\w*|chang(?:e|es|ed|ing)|mov(?:e|ed|ing)|revert\w*|convert\w*|swap\w*|migrat(?:e|ed|ing)"
    r"|roll"
    r"|bump|rais\w+|lower|reduc\w+"
    r"|make (?:that|it|this|them|those)|back to|instead|after all|rather|actually|meant?|no longer"
    r"|not [\w./-]+ any ?more|no+|nope|nah|sorry|wait|oops|whoops|correction)\b"
    r"|[改换变切转调降升]|还是|恢复|还原|不再|不用|算了|不对",
    re.IGNORECASE,
)
# In small letters, in which it is found three times as fast as in any case.
_MAY = re.compile(
    r"\b(?:make|switch\w*|chang\w+|mov\w+|go(?:ing)?|back|revert|return|convert|swap\w*|bump|raise|lower"
    r"|reduce|increase|set|shift|turn"
    r"|roll|continue|carry|proceed|stay|settle|opt|stick|instead|after all|it is|rather|from now on"
    r"|as of now|will do|enough|any ?more"
    r"|scrap|scratch|strike|forget|ignore|cancel|nix|drop|disregard|mind|correction|change|update|edit"
    r"|plans?|thoughts?|thinking"
    r"|wrong|mistaken|too|let me|misspoke|meant?|no+|nope|nah|actually|wait|sorry|oops|whoops|bad|but"
    r"|only|except|rest|other|others|else|just|now|stop|no more|pls)\b|\bis the\b|\bplease\W*$"
    r"|\b\d+ [a-z]|\bthen$|\bthen\W|\bmeant\b|[改换变切调降升转还定只其除]"
    r"|算了|放宽|收紧|恢复|不对|不用|等等|等下|更正|纠正|修正"
    r"|说错|写错|记错|搞错|以后|往后|从现在|[收放延提]到|[\d半一二两三四五六七十] ?(?:个?月|年|天|周|次|条"
    r"|行|页|秒|分钟)|想"
    r"|考虑|计划|作废|太.{1,4}了|试了|商量|讨论|剩|别的|用.{1,16}吧",
)


def may_change(plain: str) -> bool:
    """Quickly, whether there is any of these words."""
    return _MAY.search(plain.lower()) is not None


def is_turn(clause: str) -> bool:
    """Whether the clause itself says that something becomes something else."""
    text = clause.strip(" .!。！~…")
    if is_not_meant(text):
        return False
    if _CHINESE_TURN.search(text):
        return not _ENDS_DONE.search(text)
    return bool(_ENGLISH_TURN.match(text) or _ENGLISH_INSTEAD.search(text))


def says_instead(clause: str) -> bool:
    """Whether it says that there was something else before; "let's go with X" may begin what is new."""
    return _SAYS_INSTEAD.search(clause) is not None


def is_relaxed(clause: str) -> bool:
    """Whether it allows more than was asked for: "40 lines is fine too", 300 字也行."""
    return bool(_RELAXED.search(clause.strip(" .!。！~"))) and not is_not_meant(clause)


def is_done(clause: str) -> bool:
    """A change that has happened: 部署换成 github actions 了."""
    text = clause.strip(" .!。！~")
    return bool(_CHINESE_TURN.search(text) and _ENDS_DONE.search(text)) and not is_not_meant(text)


def begins_anew(clause: str) -> bool:
    """Whether it begins as one who corrects themselves: "no, …", "actually …"."""
    return bool(_ENGLISH_LEAD.match(clause.strip())) and not is_not_meant(clause)


def takes_back(clause: str) -> bool:
    """Whether it says nothing but that what follows is a change: "scrap that", 改一下."""
    text = clause.strip(" .!。！~…:：")
    found = _ENGLISH_PURE.match(text)
    if found and found["sigh"] is not None:
        return bool(_TELLS_SIGH.search(text))
    return bool(found or (not text.isascii() and _CHINESE_PURE.match(text)))


def is_from_now_on(clause: str) -> bool:
    """Whether it says that it holds from now on: with the rest of a rule, it is the change of that."""
    return bool(_FROM_NOW_ON.search(clause)) and not is_not_meant(clause)


def is_now(clause: str) -> bool:
    """Whether it ends by saying that it holds from now on, so that no order of the moment is meant."""
    text = clause.strip(" .!。！~")
    return bool(_NOW_LAST.search(text)) and not is_not_meant(text)


def is_told_now(clause: str) -> bool:
    """Whether it tells where a thing is now: "the API is on 5050 now"."""
    return _IS_NOW.search(clause.strip(" .!~")) is not None


def is_not_meant(clause: str) -> bool:
    """A question, a supposition, what others think, what is past."""
    if _ENGLISH_NOT_MEANT.search(clause):
        return True
    return clause.endswith("?") if clause.isascii() else _CHINESE_NOT_MEANT.search(clause) is not None
