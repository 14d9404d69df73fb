"""What a sentence takes back of the rules before it: "the squash rule, no need any more", 封网结束了."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agentinitd.memory.capture.change_words import is_not_meant
from agentinitd.memory.capture.changes import CHANGE_CONFIDENCE, Clause, clauses_of, may_speak_of_rules
from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.english_talk import is_joke
from agentinitd.memory.capture.english_traps import HEARSAY, HYPOTHETICAL
from agentinitd.memory.capture.needed import Sought
from agentinitd.memory.capture.proposals import MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.prose import Context, Found, Sentence
from agentinitd.memory.capture.retold import whole
from agentinitd.memory.capture.slots import is_named_in, shares_deed, shares_thing, words_of

_Means = Callable[[Proposal], bool]
_NAMED = Sought(
    r"\b(?:the|that|my|our|this)\s+(?P<x>[\w`./@-]+(?: [\w`./@-]+){0,3}?) (?:rule|thing|ban|limit"
    r"|limitation|restriction"
    r"|requirement|constraint|convention|policy|bit|part|stuff|request|freeze|instruction|business)\b"
    r"|\bwhat i (?:said|wrote|told you) (?:about|on|regarding) (?P<said>[^,;:.]{2,40})"
    r"|(?:之前|前面|刚才|上次|上面|我)*(?:说的|讲的|提的|定的)?(?P<han>[^，。、]{1,14}?)的?"
    r"(?:(?:那|这)(?:条|个|项|事|件事)?|的)?(?:规矩|规定|规则|要求|限制|约定|禁令|[那这](?:条|个|项|事"
    r"|件事)|的事)",
)
_TAKEN_BACK = Sought(
    r"\b(?:no (?:more |longer )?(?:need|necessary|required)|not? (?:longer )?(?:needed|necessary|required"
    r"|valid|worth it)"
    r"|(?:don'?t|do not) (?:need|have to)|forget|drop|scrap|scratch|ignore|lift(?:ed)?|cancel(?:led)?"
    r"|never ?mind"
    r"|off the table|(?:is|'s|are) (?:off|gone|void|over|history|dead|moot|out)|can go|changed my mind"
    r"|take (?:it|that) back|was a? ?(?:bad|wrong|mistake|stupid|silly)\b)"
    r"|(?:不用|不必|无需|不需要|没必要)[^，]{0,4}了|不[用必再](?:守|管|遵|理|执行)|取消|作废|算了|不算数?"
    r"|收回|撤[了销回]|去掉吧|免了|解除|放开|废[了除]|不作数|过时了",
)
_NOT_CARED_FOR = re.compile(
    r"^(?:那|现在)?(?P<x>[^，]{1,12}?)(?:那边)?(?:都)?(?:不用|不必|无需|不需要|没必要)(?:再)?(?:管|支持"
    r"|兼容|考虑|理|守|顾)它?了?$"
)
_LEFT_OUT_NOW = re.compile(
    r"^(?:(?:so|ok|okay|and|now|then|well|you can|you may|we can|please|pls|let'?s|just)[, ]+)*(?:drop"
    r"|skip|lose|leave out|omit"
    r"|forget(?: about)?|ditch|scrap|stop(?: with| doing)?|spare me|never ?mind) (?P<x>(?:the |that "
    r"|those |all |my |your )?[^,;]+)$",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"^(?:(?:ok|okay|so|and|now|good news|fyi|hey|great)[, ]+)*(?:the |our "
    r"|my )?(?P<x>[\w/-]+(?: [\w/-]+){0,3}?)"
    r" (?:is|are|has|have|was|got)(?: (?:now|finally|been|officially|all))* (?:over|done|finished|lifted"
    r"|ended|completed?"
    r"|through|merged|shipped|released|out|approved|passed|signed off)$"
    r"|^(?:那|好了)?(?!已经|终于)(?P<han>[^，。]{2,12}?)(?:已经|终于|都|也)*(?:结束|过去?|解除|完成|搞定"
    r"|上线|合并?|发布|跑完|修好|弄完|做完|批|通过|完|发完|合进去)了$"
    r"|^(?:(?:已经|终于|都|也|刚|全)+)(?P<deed>[一-龥]{1,4})了$",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:until|till|before|while|during|as long as|unless|for the duration of)\b(?P<x>[^,;]+)"
    r"|(?P<han>[^，。]{2,12}?)(?:期间|之前|以前|没[^，]{1,6}(?:之前|前)|的时候|(?<=[完束线布成并])前)|(?:直到"
    r"|等到?)(?P<wait>[^，。]{2,12})",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    r"^(?:(?:so|ok|okay|and|now|then|well|sure|fine|yes)[, ]+)*(?:(?:you|we|u)(?:'re| are)? (?:can|may"
    r"|free to|allowed to|welcome to)\b"
    r"(?! (?:only|not|see|imagine|guess|find|tell|check|read|look|always)\b)|feel free to\b|go ahead and\b)"
    r"|(?:\b(?:is|are)|\bthat's) (?:now |perfectly |totally )*(?:fine|ok|okay|allowed|free|open)(?: (?:now"
    r"|again|by me|with me|after all|from (?:now|here) on(?:wards)?))*$"
    r"|(?<![不只才])(?:可以|允许|能)(?!不|只|吗|看|想|说|理解)[^，]{0,12}了?$",
    re.IGNORECASE,
)
_THAT_IS = re.compile(r"(?:that|it)(?:'s| is) ", re.IGNORECASE)
_DO_THEM = re.compile(r"\b[a-z]+ (?:it|them|those)\b", re.IGNORECASE)
_MAY_DO = re.compile(
    r"(?:(?:so|ok|okay|and|now|then|well|sure|fine|yes|from (?:now|here) on(?:wards)?)[, ]+)*(?:you|we"
    r"|u)(?:'re| are)?"
    r" (?:can|may|(?:free|allowed|welcome) to)(?: (?:now|again|also))* (?P<deed>[a-z]+)(?: (?:yourself"
    r"|things|stuff|anything|everything|now|again|too|as well"
    r"|from (?:now|here) on(?:wards)?|whenever you (?:want|like)|what you (?:want|like)))*$",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"^(?:(?:so|ok|okay|and|now|then|please|pls|you can|we can|let'?s)[, ]+)*[a-z]+ [^,;]+? again\b"
    r"|^(?:那|现在|又|就)*(?:可以|能)?(?:恢复|重新|继续)(?!的)",
    re.IGNORECASE,
)
_DONE_AFTER_ALL = re.compile(r"^(?!.*(?:[别不没勿甭]|[吗呢?？]|怎么|要不)).{2,30}?吧$")
_ONLY_NOW = re.compile(
    r"\b(?:this (?:time|once|one|file|pr|commit|branch)|just once|once|today|for now|in here|right now)\b"
    r"|这次|这回|今天|暂时|先|这个(?:文件|提交|分支|函数)|只能|才能|才可以|只可以",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:please |just )*(?:skip|leave out|omit|hold off|pause|stop)\b|跳过|先跳过|暂停", re.IGNORECASE
)
_THEM = re.compile(
    r"\b(?:it|them|that|those|this)(?: again| now| whenever| any ?time| then| if you (?:like|want|need to))*$"
    r"|它们?|这个|那个",
    re.IGNORECASE,
)
# In small letters, in which it is found three times as fast as in any case.
_MAY = re.compile(
    r"\b(?:need\w*|necessary|required|have to|forget|drop|scrap|scratch|ignore|lift\w*|cancel\w*|mind|off"
    r"|gone|void|over|history|dead"
    r"|moot|out|can|may|free|allowed|fine|ok|okay|open|again|done|finished|ended|completed?|through"
    r"|merged|shipped|released|approved"
    r"|passed|signed|back|was)\b|了$|了[，。！ ]|不[用必再算]|取消|作废|收回|可以|允许|恢复|重新|继续"
    r"|吧(?:[，。！ ]|$)",
)


def with_retractions(found: list[Found], sentence: Sentence, context: Context) -> list[Found]:
    """What was found; and what is taken back, where only the rule itself tells that."""
    if not may_speak_of_rules(sentence, context) or any(item.corrects for item in found):
        return found
    plain = simplified(sentence.plain).rstrip(" .!。！~")
    if not _MAY.search(plain.lower()) or is_joke(plain) or HYPOTHETICAL.search(plain):
        return found
    if is_not_meant(plain.replace("已经", "")):
        return found
    is_permitted = any(item.is_permission for item in found)
    for clause in clauses_of(plain, sentence):
        text = clause.text.strip(" .!。！~")
        if HEARSAY.search(text):
            continue
        rule = _taken_back(text, plain, context.rules, is_permitted=is_permitted)
        if rule is not None:
            return _lifted(found, clause, sentence, rule)
    return found


def _taken_back(text: str, plain: str, rules: Sequence[Proposal], *, is_permitted: bool) -> Proposal | None:
    meanings = [_is_over(text), _is_named(text, plain), _is_not_cared_for(text, plain)]
    # What is allowed in so many words, the ledger compares with all bans, and with parts of them.
    if not is_permitted or _THEM.search(text):
        meanings.append(_is_allowed(text, plain))
    meanings.append(_is_deed_allowed(text, plain))
    meanings += [_is_done_again(text), _is_done_after_all(text)]
    for is_meant in filter(None, meanings):
        for rule in reversed(rules):
            if is_meant(rule):
                return rule
    return None


# Each gives what tells the rule that is meant; nothing, when the clause takes nothing back in that way.


def _is_over(text: str) -> _Means | None:
    """The freeze during which, or the release until which, it was to hold."""
    over = _OVER.match(text)
    if over is None:
        return None

    def is_meant(rule: Proposal) -> bool:
        until = _UNTIL.search(whole(rule))
        return until is not None and is_named_in(_first(until), _first(over))

    return is_meant


def _is_named(text: str, plain: str) -> _Means | None:
    """ "About the squash rule: no need any more", 之前说的 rebase 那条不用守了."""
    found = _NAMED.search(text)
    if found is None or _ONLY_NOW.search(plain) or not _TAKEN_BACK.search(plain):
        return None
    return lambda rule: is_named_in(whole(rule), _first(found))


def _is_not_cared_for(text: str, plain: str) -> _Means | None:
    """IE 不用管了, "you can drop the summary at the top"."""
    found = _NOT_CARED_FOR.match(text) or _LEFT_OUT_NOW.match(text)
    if found is None or _ONLY_NOW.search(plain):
        return None
    return lambda rule: rule.polarity == "do" and is_named_in(whole(rule), found["x"])


def _is_allowed(text: str, plain: str) -> _Means | None:
    """It names nothing but what the rule does; by "them" what stands before it in the sentence."""
    if not _ALLOWED.search(text) or _ONLY_NOW.search(plain):
        return None
    is_them = _THEM.search(text) is not None
    is_deed = _THAT_IS.match(text) is not None and _DO_THEM.search(plain) is not None

    def is_meant(rule: Proposal) -> bool:
        said = whole(rule)
        is_all_of = is_named_in(said, text) and shares_thing(said, text)
        is_told = (is_them and shares_thing(said, plain)) or (is_deed and shares_deed(said, plain))
        return rule.polarity == "do_not" and (is_all_of or is_told)

    return is_meant


def _is_deed_allowed(text: str, plain: str) -> _Means | None:
    """ "You may push from now on", where that was banned of everything."""
    allowed = _MAY_DO.match(text)
    if allowed is None or _ONLY_NOW.search(plain):
        return None
    said = words_of(allowed["deed"])

    def is_meant(rule: Proposal) -> bool:
        banned = words_of(whole(rule))
        return rule.polarity == "do_not" and banned.actions == said.actions and not (banned.told | said.told)

    return is_meant if said.actions else None


def _is_done_again(text: str) -> _Means | None:
    """ "Please build ios again", where that was to be left out."""
    if not _AGAIN.match(text):
        return None
    return lambda rule: (
        (rule.polarity == "do_not" or _LEFT_OUT.match(rule.text) is not None)
        and is_named_in(whole(rule), text)
    )


def _is_done_after_all(text: str) -> _Means | None:
    """首页放个弹窗吧, where none was to be put there; 引入 lodash 吧."""
    if not _DONE_AFTER_ALL.match(text) or _ONLY_NOW.search(text):
        return None

    def is_meant(rule: Proposal) -> bool:
        banned, asked = words_of(whole(rule)), words_of(text)
        is_all = bool(banned.told) and banned.told <= asked.told
        return rule.polarity == "do_not" and is_all and banned.actions == asked.actions

    return is_meant


def _first(found: re.Match[str]) -> str:
    return next((group for group in found.groups() if group), "")


def _lifted(found: list[Found], clause: Clause, sentence: Sentence, rule: Proposal) -> list[Found]:
    text = sentence.text[clause.start : clause.end].strip()
    lifted = Found(
        text=text[:MAX_TEXT_CHARS],
        act="withdraw",
        confidence=CHANGE_CONFIDENCE,
        is_permission=rule.polarity == "do_not",
        topic=rule.topic,
        corrects=rule.text,
    )
    return [*(item for item in found if item.text not in text and text not in item.text), lifted]
