"""What a sentence changes of the rules before it: "make that 50", 换 6001 吧, "jest it is"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agentinitd.memory.capture.answers import is_answer_elsewhere
from agentinitd.memory.capture.bare_names import renamed_by, turned_from
from agentinitd.memory.capture.change_words import (
    begins_anew,
    is_done,
    is_from_now_on,
    is_not_meant,
    is_now,
    is_relaxed,
    is_turn,
    may_change,
    says_instead,
    takes_back,
)
from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.chinese_turns import turned
from agentinitd.memory.capture.english_talk import is_joke
from agentinitd.memory.capture.english_traps import HEARSAY, HYPOTHETICAL, REMARK
from agentinitd.memory.capture.needed import Sought
from agentinitd.memory.capture.proposals import MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.prose import Context, Found, Sentence
from agentinitd.memory.capture.retold import (
    is_done_otherwise,
    is_near,
    moved,
    named_please,
    stopped,
    whole,
)
from agentinitd.memory.capture.slots import (
    excepts_from,
    fit,
    frame_of,
    has_exception,
    is_choice_anew,
    is_done_to_another,
    is_of_one_purpose,
    is_of_other_purpose,
    is_typed,
    keeps_value,
    names_old_value,
    shares_deed,
    shares_thing,
)
from agentinitd.memory.capture.wording import polarity_of

CHANGE_CONFIDENCE = 0.8
MAX_TOPIC_CHARS = 160
MAX_SENTENCE_CHARS = 400
MAX_BEFORE_CHARS = 120
MIN_AROUND_CHARS = 4
_MOST = 0.7
MIN_CHARS = 8
"""A shorter clause is kept with the whole sentence."""
_CUT = re.compile(
    r"\s*(?:[,，;；:：。!！…]|\s[-–—]{1,2}\s|——)\s*|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])"
    r"|(?<=[a-z\d])[.]\s+|\s+(?=(?:so|because|since|as it|but) )",
)
_LEADING = re.compile(
    r"^(?:(?:so|and|but|ok|okay|then|hm+|well|oh|sorry|also|now|just|anyway|please|pls|yes|yeah|那么?|嗯"
    r"|好吧|哦|唉|啊|呃)\b[ ,，]*)+",
    re.IGNORECASE,
)
_THAT_ONE = re.compile(
    r"\b(?:that|this) one\b|\b(?:it|that) (?:from now on|always)\b|(?:这个|那个|这|那)(?:端口|分支|版本"
    r"|库|目录|工具|方案|格式|名字|来|$|吧|为准)"
    r"|以后(?:都|就)?(?:用|按|走)?(?:这个|它|这样)",
    re.IGNORECASE,
)
_REST = Sought(
    r"\b(?:the rest|everything else|all (?:the )?others?|the others|(?:the )?other \w+s)\b[^,;.]*"
    r"\b(?:stays?|remains?|not|never|don'?t|still|is|are|keep|untouched|off)\b"
    r"|\b(?:not |never )?(?:anything|nothing|nowhere|no one|everywhere|anywhere|somewhere) else\b"
    r"|\belsewhere\b|\b(?:keep|leave|not"
    r"|don'?t)\b[^,;.]* the (?:rest|others)\b"
    r"|(?:其他|其它|其余|剩下|别的|另外的)[^，。]{0,10}(?:不|别|禁|照旧|还是|保持|原样)",
)
_MAY = re.compile(
    r"\b(?:may|can|is (?:ok|fine|allowed)|are (?:ok|fine|allowed)|allowed|except)\b|可以|能[改动用碰]"
    r"|除了|允许|随便|随意|放开",
    re.IGNORECASE,
)
_SUFFICES = Sought(
    r"\b(?:is|are|that'?s|will be|'s|should be) (?:\w+ )?(?:enough|sufficient|plenty)\b|\bsuffices?\b"
    r"|\bwill do\b"
    r"|就行|就够|就好|就可以|足够",
)
_VERB_TO = re.compile(r"^\W*(?:please )?[a-z]+ (?:that|it|this|them) (?:back |up |down )?to\b", re.IGNORECASE)
_NOT_NAMED = re.compile(
    rf"\W*(?:(?:no|sorry|actually|wait)\W+)*(?:(?:the|this|that|an?|my|your|our) |{REMARK.pattern}\W*$)",
    re.IGNORECASE,
)
""" "No, the login test", "sorry, lunch": nothing that could be taken instead."""
_VALUE_FIRST = re.compile(
    r"(?:so |then |just |please )*\d+ [a-z]+ (?:for|in|on|per|at|with)\b", re.IGNORECASE
)
_TELLS = re.compile(
    r"\b(?:(?:you|we) (?:can|may|could)|feel free|i|it|he|she|they|is|are|was|were|has|have|had|fail\w*"
    r"|took|takes|show\w*|see|saw|get|got"
    r"|gets)\b|[了过着]$|有|是|可以",
    re.IGNORECASE,
)
_SORRY = re.compile(r"\W*(?:sorry|oops|my (?:bad|mistake))\W*", re.IGNORECASE)
_NARROWS = re.compile(r"\b(?:only|just|is enough|are enough|suffices)\b|只|就行|就够|就好", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence between two marks."""

    start: int
    end: int
    text: str
    is_led: bool
    """Behind "scrap that", 改一下."""


def may_speak_of_rules(sentence: Sentence, context: Context) -> bool:
    """Whether there are rules before it that it may change."""
    return bool(context.rules) and not sentence.is_question and len(sentence.plain) <= MAX_SENTENCE_CHARS


def with_changes(found: list[Found], sentence: Sentence, context: Context) -> list[Found]:
    """What was found, with what it replaces; and what is a rule only as the change of one."""
    if not may_speak_of_rules(sentence, context):
        return found
    rules = context.rules
    plain = simplified(sentence.plain)
    if not (found or may_change(plain)) or is_joke(plain) or HYPOTHETICAL.search(plain):
        return found
    found = [item for item in found if item.act != "state" or not takes_back(simplified(item.text))]
    rest = _with_rest(found, plain, sentence, rules) or _with_exception(found, plain, sentence, rules)
    if rest is not None:
        return rest
    for clause in clauses_of(plain, sentence):
        if is_not_meant(clause.text) or HEARSAY.search(clause.text) or takes_back(clause.text):
            continue
        own = _found_in(found, sentence.text[clause.start : clause.end])
        if own is None and (
            polarity_of(clause.text) == "do_not"
            or (_is_lifting(found, clause) and not is_relaxed(clause.text))
        ):
            continue
        rule = _meant(clause, own, rules, context, plain)
        if rule and not _may_be_meant(rule, clause, context):
            # Which of all rules can be meant is dear to tell, and mostly none is.
            open_ = [rule for rule in rules if _may_be_meant(rule, clause, context)]
            rule = _meant(clause, own, open_, context, plain)
        if rule:
            return _changed(found, own, clause, sentence, rule)
    return found


def _meant(
    clause: Clause, own: Found | None, rules: Sequence[Proposal], context: Context, plain: str
) -> Proposal | None:
    rule = _rule_changed(clause, own, rules, context, plain) or _renamed(clause, own, rules, context)
    is_ban = own is not None and own.polarity == "do_not"
    if rule or is_ban or clause.text.isascii():
        return rule
    return turned(rules, clause.text, context, is_led=clause.is_led, is_asked=own is not None)


def _may_be_meant(rule: Proposal, clause: Clause, context: Context) -> bool:
    """Whether another value for it can be what the clause gives."""
    old = whole(rule)
    if is_of_other_purpose(old, clause.text) or is_answer_elsewhere(old, clause.text, context.agent_before):
        return False
    return clause.is_led or says_instead(clause.text) or not keeps_value(old, clause.text)


def _is_lifting(found: Sequence[Found], clause: Clause) -> bool:
    """Whether the clause as a whole takes something back: then it demands nothing else instead."""
    lifting = (item.text for item in found if item.act == "withdraw")
    return any(text in clause.text and len(text) >= _MOST * len(clause.text.strip()) for text in lifting)


def _rule_changed(
    clause: Clause, own: Found | None, rules: Sequence[Proposal], context: Context, plain: str
) -> Proposal | None:
    """What is asked for takes the place of what was; a ban stands beside another, unless it is said to be
    its correction."""
    is_strong = clause.is_led or is_turn(clause.text)
    if own is not None:
        over = stopped(clause.text, rules)
        if over:
            return over
        rules = [rule for rule in rules if rule.polarity == own.polarity]
        if own.polarity == "do_not" and not is_strong:
            return None
    is_more = own is not None and (is_from_now_on(clause.text) or _SUFFICES.search(plain) is not None)
    if is_strong or is_more or begins_anew(clause.text):
        rule = _replaced(clause, rules, context, is_strong=is_strong or is_more)
        return rule or (_narrowed(own, clause, rules, context, plain) if own else None)
    if is_relaxed(clause.text):
        rule = _replaced(clause, rules, context, is_strong=False)
        return rule if rule and is_typed(whole(rule), clause.text) else None
    if own is not None:
        rule = _outdated(clause, rules, context) or _chosen_anew(clause, rules)
        return rule or _bare_value(clause, rules, context)
    if is_done(clause.text):
        return _outdated(clause, rules, context)
    return _restated(clause, rules, context)


def _renamed(
    clause: Clause, own: Found | None, rules: Sequence[Proposal], context: Context
) -> Proposal | None:
    """The rule just before, for one name of which the clause gives another."""
    near = [rule for rule in rules if is_near(rule, context)]
    renamed = turned_from(own.text, near) if own is not None else None
    if renamed or (own is not None and not (clause.is_led or begins_anew(clause.text))):
        return renamed
    return renamed_by(clause.text, near, is_led=clause.is_led)


def _bare_value(clause: Clause, rules: Sequence[Proposal], context: Context) -> Proposal | None:
    """The rule just before, where nothing but a value of its kind is named: "English please"."""
    near = (rule for rule in reversed(rules) if rule.polarity == "do" and is_near(rule, context))
    return next((rule for rule in near if fit(whole(rule), clause.text) == "typed"), None)


def _chosen_anew(clause: Clause, rules: Sequence[Proposal]) -> Proposal | None:
    """The rule that is said again with another value, where only one can be meant."""
    demands = (rule for rule in reversed(rules) if rule.polarity == "do")
    return next((rule for rule in demands if is_choice_anew(whole(rule), clause.text)), None)


def _restated(clause: Clause, rules: Sequence[Proposal], context: Context) -> Proposal | None:
    """The rule in other words with another value: "4 workers for the tests", "write the texts in du now"."""
    named = named_please(clause.text, rules, context)
    if named:
        return named
    if _TELLS.search(clause.text):
        return moved(clause.text, rules)
    outdated = _outdated(clause, rules, context)
    if outdated and is_typed(whole(outdated), clause.text):
        return outdated
    if not (is_now(clause.text) or _VALUE_FIRST.match(clause.text)):
        return None
    return next((rule for rule in reversed(rules) if fit(whole(rule), clause.text) == "framed"), None)


def _outdated(clause: Clause, rules: Sequence[Proposal], context: Context) -> Proposal | None:
    """The rule of whose value the message speaks before it gives another: "beta is frozen now.  Target …"."""
    around = _around(clause, context)
    if len(around.strip(" .,。，!！")) < MIN_AROUND_CHARS:
        return None
    for rule in reversed(rules):
        old = whole(rule)
        if fit(old, clause.text) and names_old_value(old, clause.text, around):
            return rule
    return None


def _around(clause: Clause, context: Context) -> str:
    return simplified(context.message[: 2 * MAX_SENTENCE_CHARS]).replace(clause.text, " ")


def clauses_of(plain: str, sentence: Sentence) -> Iterator[Clause]:
    """Cut at every mark; `plain`: the sentence, of the same length, as it is read."""
    is_led = any(map(takes_back, _CUT.split(simplified(sentence.before)[-MAX_BEFORE_CHARS:])))
    start = 0
    for end, after in [*((cut.start(), cut.end()) for cut in _CUT.finditer(plain)), (len(plain), 0)]:
        text = plain[start:end]
        if text.strip():
            is_sorry = bool(after) and _SORRY.fullmatch(plain, after) is not None
            yield Clause(start, end, text, is_led or is_sorry)
            is_led = takes_back(text) or (is_led and len(text) <= 3)
        start = after


def _found_in(found: Sequence[Found], typed: str) -> Found | None:
    """What the readers found there already."""
    typed = typed.strip()
    states = (item for item in found if item.act == "state")
    return next((item for item in states if item.text in typed or typed.strip(" .") in item.text), None)


def _replaced(
    clause: Clause, rules: Sequence[Proposal], context: Context, *, is_strong: bool
) -> Proposal | None:
    """The last rule for whose value the clause gives another."""
    for rule in reversed(rules):
        how = fit(whole(rule), _VERB_TO.sub("", clause.text))
        if how == "named" and _NOT_NAMED.match(clause.text):
            continue
        if is_strong and is_done_otherwise(rule, clause.text):
            return rule if is_near(rule, context) else None
        is_clear = how == "typed" or (how == "named" and is_strong and _is_named_for(rule, clause, context))
        if how == "framed" or (is_clear and is_near(rule, context)):
            return rule
    return None


def _is_named_for(rule: Proposal, clause: Clause, context: Context) -> bool:
    """Whether the name is meant for what the rule demands: it is said to be, or both are for one purpose."""
    if rule.polarity != "do":
        return False
    if clause.is_led or says_instead(clause.text):
        return True
    old = whole(rule)
    if is_of_one_purpose(old, clause.text) or is_done_to_another(old, clause.text):
        return True
    return names_old_value(old, clause.text, _around(clause, context))


def _narrowed(
    own: Found, clause: Clause, rules: Sequence[Proposal], context: Context, plain: str
) -> Proposal | None:
    """The last rule about the same, where what follows takes its place: "make that: no X in the engine"; or
    "only Y will do", where more of it was wanted just before."""
    is_enough = _SUFFICES.search(plain) is not None
    for rule in reversed(rules):
        old, new = whole(rule), simplified(own.text)
        if rule.polarity != own.polarity:
            continue
        if is_enough and shares_deed(old, new) and is_near(rule, context):
            return rule
        if shares_thing(old, new):
            return rule if clause.is_led or _NARROWS.search(clause.text) else None
    return None


def _changed(
    found: list[Found], own: Found | None, clause: Clause, sentence: Sentence, rule: Proposal
) -> list[Found]:
    topic = frame_of(whole(rule), clause.text)[:MAX_TOPIC_CHARS].strip()
    if own is not None:
        changed = replace(own, corrects=rule.text, topic=own.topic or topic)
        return [changed if item is own else item for item in found]
    start, end = clause.start, clause.end
    others = []
    for item in found:
        at = sentence.text.find(item.text)
        if item.act == "state" and _THAT_ONE.search(item.text) and at >= clause.start:
            end = max(end, at + len(item.text))
        else:
            others.append(item)
    text = _LEADING.sub("", sentence.text[start:end].strip(" ,，;；.。!！~"))
    if len(text) < MIN_CHARS and not (topic and text):
        text = sentence.text.strip(" .。!！~")
    changed = Found(
        text=text[:MAX_TEXT_CHARS],
        polarity=rule.polarity if rule.polarity == "do" else "do",
        scope=rule.scope if rule.scope in ("task", "always") else "project",
        confidence=CHANGE_CONFIDENCE,
        topic=topic,
        corrects=rule.text,
    )
    return [changed, *(item for item in others if item.text not in text and text not in item.text)]


def _with_exception(
    found: list[Found], plain: str, sentence: Sentence, rules: Sequence[Proposal]
) -> list[Found] | None:
    """ "X stays untouched except Y", which by itself may only tell how things are."""
    if found or len(sentence.text) > MAX_TEXT_CHARS or not has_exception(plain) or is_not_meant(plain):
        return None
    for rule in reversed(rules):
        if polarity_of(plain) == rule.polarity and excepts_from(whole(rule), plain):
            text = _LEADING.sub("", sentence.text.strip(" .。!！~"))
            return [
                Found(text=text, polarity=rule.polarity, confidence=CHANGE_CONFIDENCE, corrects=rule.text)
            ]
    return None


def _with_rest(
    found: list[Found], plain: str, sentence: Sentence, rules: Sequence[Proposal]
) -> list[Found] | None:
    """ "X may be changed now, the rest stays": what stays is said with what is free of it."""
    rest = _REST.search(plain)
    if rest is None or not _MAY.search(plain) or len(sentence.text) > MAX_TEXT_CHARS:
        return None
    for rule in reversed(rules):
        if rule.polarity == "do_not" and shares_thing(whole(rule), plain, of_any_deed=True):
            kept = next((item for item in found if _REST.search(item.text)), None)
            start = 0
            for cut in _CUT.finditer(plain):
                if takes_back(plain[start : cut.start()]):
                    start = cut.end()
            text = _LEADING.sub("", sentence.text[start:].strip(" ,，;；.。!！"))
            base = kept or Found(text=text, confidence=CHANGE_CONFIDENCE)
            said = replace(
                base, text=text, polarity="do_not", act="state", is_permission=False, corrects=rule.text
            )
            return [said]
    return None
