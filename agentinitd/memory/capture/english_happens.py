"""English clauses of a report or an errand: what a thing does, how much there is, what is done just now."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_one_off import LASTS
from agentinitd.memory.capture.english_talk import is_third_person
from agentinitd.memory.capture.english_work import IS_WORK
from agentinitd.memory.capture.needed import AnyOf

_THING_DOES = re.compile(
    r"(?:(?:and|but|so|also) )?(?:(?:on|in|at|with) [^,;]{2,40}? )?(?:the|your|this|that|our|my)"
    r" (?P<what>(?:[\w.-]+ ){0,2}?[\w.-]*[^s\W]) (?:also |still |now |only |sometimes )?(?P<does>[a-z]+s)"
    r" (?!(?:must|should|can|may|will|stay|remain|are|is|need|have|get|go|keep|see|use|do|we|you|i)\b)",
    re.IGNORECASE,
)
_TO_WHAT = re.compile(r"(?:the|an?|its|it|each|every|all|my|your|about) ", re.IGNORECASE)
_LIVING = """
lives goes belongs stays sits comes uses listens needs wants owns gets is has was does this runs stands speaks
targets ends starts carries follows
"""
_LIVES = frozenset(_LIVING.split())
"""Where a thing is to be found and what it uses is told to be kept to."""
_ASKS = re.compile(
    r"n'?t\b|\b(?:must|should|shall|wins?|beats?|please|pls|don'?t|do not|never|always|keep|has to"
    r"|have to|needs?|so|no|own"
    r"|only(?! (?:in|on|when|after|if) )|instead|rather|not|nothing|nobody|leave|make|from now on)\b"
    r"|(?<!,) only\b",
    re.IGNORECASE,
)
_IN_NO_ORDER = re.compile(r"in no (?:particular|special|specific) order\b", re.IGNORECASE)
_HAS_NO = re.compile(
    r"(?!(?:i (?:would|'d|want|like)|i'd|we|you|to|please|always|let)\b)(?P<what>(?:[\w'-]+ ){0,3}[\w'-]+)"
    r" (?:has|have|had|shows?|gives?|gets?|returns?|sends?|sees?|knows?) no"
    r" (?!one\b|place\b|business\b|room\b|say\b)",
    re.IGNORECASE,
)
_SOME_ARE = re.compile(
    r"(?:about |roughly |almost |over )?(?:half|most|some|many|few|several|a (?:third|quarter|lot|few"
    r"|handful)|\d+ ?%"
    r"|\w+ out of \w+) (?:of )?(?:our|the|my|them|these|those|users|customers|people)\b",
    re.IGNORECASE,
)
_AND_THERE = re.compile(r",? (?:and|but) there(?:'s| is| are) ", re.IGNORECASE)
_RESETS = re.compile(
    r"(?:please |now |just |so |and )*(?:make|set|change|move|have|let|schedule|start|run) (?:the|that"
    r"|this|my|our)"
    r" [^,;]*\d[^,;]*? (?:instead of|rather than|and not|not) (?:at |to |on |in )?[^,;]*\d",
    re.IGNORECASE,
)
_WHILE_THERE = re.compile(
    r"(?:while|when|since) (?:you'?re|you are|we'?re|we are|ur) (?:already )?(?:there|at it|in there"
    r"|on it)\b",
    re.IGNORECASE,
)
_STILL_WORKS = re.compile(
    r"(?:please |and |also |just |then )*(?:make sure|check|verify|see|ensure|confirm) (?:that "
    r"|if )?(?:it|both|they|these"
    r"|those|that|all of (?:it|them)|the (?:two|three|others?)) (?:all |both )?(?:still )?(?:compiles?"
    r"|builds?|works?|runs?"
    r"|pass(?:es)?|loads?|starts?|boots?)$",
    re.IGNORECASE,
)
_DID_THIS_TIME = re.compile(r"\b(?:i|we)(?:'ve| have)? [a-z]+[^,;]* this time\b", re.IGNORECASE)
_FOR_THE_THEN = re.compile(r"[a-z]+ [^,;]+ for the [\w-]+ then$", re.IGNORECASE)
_WOULD_DROP = re.compile(
    r"i(?:'d| would) (?:just |rather |probably |maybe )*(?:drop|remove|skip|lose|cut|delete|kill"
    r"|leave out|get rid of)"
    r" (?:the|this|that|those|these|your)\b",
    re.IGNORECASE,
)
_IF_IT_LOOKS = re.compile(
    r"(?:if|when) (?:the|that|this|it) ?(?:[\w-]+ ){0,3}(?:looks|feels|seems|sounds|turns out"
    r"|gets too|is too"
    r"|becomes too) [^;]*\b(?:it|that|them|this)(?: (?:out|off|away|be|in|go|as is))?$",
    re.IGNORECASE,
)
_MOVED_THEN = re.compile(
    r"(?:we|i|they)(?:'ve| have)? (?:\w+ )?[a-z]+ed [^,;]*\b(?:yesterday|last (?:week|month|year|night"
    r"|spring|summer"
    r"|fall|winter|\w+day)|(?:days?|weeks?|months?|years?) ago|this morning|a while back)\b"
    r"|i(?:'ve| have)? (?:just |already |also )?(?:moved|switched|changed|renamed|put|added|removed"
    r"|fixed) (?:your|the|my"
    r"|those|these|both|all)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r",? so (?:please |just |now )*(?:use|go|write|take|run|target|deploy|build)\b",
    re.IGNORECASE,
)
_ANNOYS = re.compile(
    r"(?:the|this|that) [^,;]*? (?:(?:drives?|makes?|gives?) me|annoys me|bothers me|gets on my nerves)\b"
    r"[^;]*[,;] (?:please |so )?(?:fix|change|rename|correct|mend|remove) (?:it|that|this)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"(?:epoch|step|iter(?:ation)?|batch|top|level|day|round|attempt|try) #?\d[\d/.,]*\b"
    r"|[\w' -]{2,30}? (?:grew|fell|dropped|rose|shrank|jumped|climbed|went (?:up|down)) (?:by|to|from) "
    r"|(?:i|we) (?:can|could|get|got|see|saw|have seen) [^,;]* on \S*\d"
    r"|(?:please |now |and |also )*(?:clean up|fix|open|check|look at|delete|rerun|tidy(?: up)?|revert)"
    r" [\w./-]+\.[a-z]{1,5}$"
    r"|(?:all|both|none|most) of (?:them|these|those) (?:are|have|were|had|fail|get|got)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:is|are|looks?) (?:wrong|off|incorrect|outdated|stale)\b[^;]*[,;:] $", re.IGNORECASE
)
_STORY = re.compile(
    r"\b(?:someone|somebody|he|she|they|we|i|who|[A-Z]\w+) (?:\w+ed|gave|went|took|got|ran|came|left"
    r"|made|had|did|began)\b"
    r"[^,;]{0,25} and $"
)
_MUSING = re.compile(r"\bpart of me\b|\bsometimes i (?:wish|think|want)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"(?:the|it|that|this)\b", re.IGNORECASE)
_SIZE_NOW = re.compile(
    r"(?!(?:every|each|all|any)\b)(?:[\w'./-]+ ){1,4}?(?:is|are|'s) (?:now |already |currently "
    r"|still )?(?:at|up to"
    r"|down to) \d[\d.,]* ?(?:kb|mb|gb|tb|k|m|ms|s|%|percent)\b",
    re.IGNORECASE,
)
_AS_BEFORE = re.compile(r"\S+(?: \S+)? (?:as|like) (?:before|usual|ever|always)$", re.IGNORECASE)
_IN_MIND = re.compile(
    r"(?:please |just |so )*(?:have|keep|bear|take) (?:this|that|it) (?:in|to) (?:mind|heart)\b",
    re.IGNORECASE,
)
_FAILED_WITH = re.compile(r"\b(?:failed|error|exception|denied|fatal|warning)\b[^:]{0,30}:", re.IGNORECASE)
_TOLD_BY_MACHINE = re.compile(r"(?:you|please|must|cannot|can't|use|try|see|do not|don't) ", re.IGNORECASE)
_BECAUSE_IT = re.compile(r"\b(?:because|too [a-z]+|keeps? \w+ing)\b[^;]*, $", re.IGNORECASE)
_MAKE_IT = re.compile(
    r"(?:please |so |just )*(?:make it \S+$|(?:take|use|keep|drop|add|put|set|read|join"
    r"|filter)(?: only| just)? the )",
    re.IGNORECASE,
)
_FOR_THAT = re.compile(
    r"(?:please |just |so |ok )*(?:use|try|take) (?!(?:the|our) )[^,;]{2,40} for (?:that"
    r"|it)$",
    re.IGNORECASE,
)
_PEOPLE_DO = re.compile(
    r"(?:(?:our|the|my|their) )?(?:accountants|designers|analysts|users|customers|clients|testers"
    r"|translators|auditors"
    r"|lawyers|managers|admins|operators|players|visitors|people|folks|teams?) (?:use|have|like"
    r"|read|open|run|want|work"
    r"|live|sit|look) [^,;]+$"
    r"|(?-i:[A-Z][a-z]+) (?:has|needs) to [a-z]+ (?:it|them|that|this)\b",
    re.IGNORECASE,
)
_THEIRS = re.compile(
    r"\bon (?:their|the (?:vendor|provider|client|customer)'?s?) (?:side|end)\b", re.IGNORECASE
)
_BREAKING = """
dies crashes hangs fails breaks stalls freezes leaks times flickers spins loops
"""
_FAILING = frozenset(_BREAKING.split())
_TELLS = AnyOf(
    (
        _FOR_THAT,
        _PEOPLE_DO,
        _SOME_ARE,
        _RESETS,
        _STILL_WORKS,
        _FOR_THE_THEN,
        _WOULD_DROP,
    )
)
_ALWAYS_TELLS = AnyOf((_WHILE_THERE, _IF_IT_LOOKS, _COUNTS, _SIZE_NOW, _AS_BEFORE, _IN_MIND, _IN_NO_ORDER))


def is_happening(clause: str, sentence: str, before: str) -> bool:
    """What is so, or to be done, just now; `before` is the sentence before."""
    if _MUSING.search(sentence) or _THEIRS.search(sentence) or _ALWAYS_TELLS.begins(clause):
        return True
    if _FAILED_WITH.search(before) and _TOLD_BY_MACHINE.match(clause):
        return True
    if _is_thing_at_work(clause, sentence):
        return True
    at = max(0, sentence.find(clause))
    if _STORY.search(sentence[:at]) or _AND_THERE.match(sentence, at + len(clause)):
        return True
    if _MAKE_IT.match(clause) and _BECAUSE_IT.search(sentence[:at]):
        return True
    if _ANNOYS.match(sentence, at):
        return True
    if _DEFINITE.match(clause) and _WRONG.search(sentence[:at]):
        return True
    if _DID_THIS_TIME.search(sentence, at) and "this time" in clause:
        return True
    if LASTS.search(sentence):
        return False
    if _MOVED_THEN.match(clause):
        return not _CONCLUDES.search(sentence)
    return _TELLS.begins(clause)


def _is_thing_at_work(clause: str, sentence: str) -> bool:
    """ "The toolbar overlaps the first cell, only in landscape", "compute nodes have no internet"."""
    lacks = _HAS_NO.match(clause)
    if lacks and not IS_WORK.search(lacks["what"]):
        return True
    if _ASKS.search(sentence):
        return False
    told = _THING_DOES.match(sentence) or _THING_DOES.match(clause)
    if told is None or told["does"].lower() in _LIVES:
        return False
    if told["does"].lower() in _FAILING:
        return True
    return is_third_person(told["does"]) or _TO_WHAT.match(told.string, told.end()) is not None
