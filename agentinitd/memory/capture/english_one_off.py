"""English orders for now: about one definite thing, to make one, or to try something."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_verbs import ORDERS

_LEAD = r"(?:(?:please|pls|now|then|just|so|and|ok|also|first|let'?s|lets|you|maybe|better|rather) )*"
LASTS = re.compile(
    r"\b(?:always|never|where you|idempotent|deterministic|reproducible|thread-?safe"
    r"|backwards?[- ]compatible|every(?:where|thing)?|each|any(?:thing|where)?|all|ever|whenever|when"
    r"|if|unless|until"
    r"|before|after you|after (?:a|an|any|every|each|changing|editing|adding)|from (?:now|here|today) on"
    r"|going forward|in general|generally|by default|per|new [a-z]+s|alone|as is|untouched|unchanged|working"
    r"|for now|this time|only when|as long as|while|wherever|without (?:exception|asking)|rule|habit"
    r"|next time|only there|from here|instead of guessing|in future"
    r"|in (?:this|the) (?:repo|project|code ?base))\b",
    re.IGNORECASE,
)
"""With these an order is for more than now."""
_ONE = re.compile(
    rf"{_LEAD}(?P<order>[a-z-]+) (?:out |up |down |over |off |back )?(?:(?:only |just )?(?P<ordinal>the"
    rf" (?:very )?"
    r"(?:first|second|third|fourth|last|next|previous|other|latter|former|left|right|middle|remaining"
    r"|failing|broken|two|three|same [\w-]+ (?:as|like))\b(?! (?:resort|thing|person|line|paragraph|sentence"
    r"|letter|column|word|argument|parameter|param)s?\b))|(?P<it>(?:it|this|that|them|these|those) "
    r"(?!(?:way|branch|port|version|alone|as|like|so|to|in|under|short|small|simple|a (?:rule|habit)|that"
    r"|below|at|minimal|out|off|away|repo|project)\b)(?!.*\d))|(?P<made>an? |some ))",
    re.IGNORECASE,
)
_MAKING = """
make add write create build draw put try give show draft start generate produce send prepare run print plot
sketch open render implement design set insert include extract introduce do get take
"""
_MAKES = frozenset(_MAKING.split())
_ONLY_DO = re.compile(
    r"(?:(?:please|let'?s|lets|ok|so|now|and|can you|you|i want you to|i need you to) )*(?:only"
    r"|just) (?:show|give|tell|do|rename|print"
    r"|list|explain|fix|remove|delete|move|look at|paste|send)(?: me| us)? (?:the|this|that|those|these"
    r"|my) (?![^,;]*s? (?:i|you|we)"
    r" (?:ask|need|touch|change|mention))",
    re.IGNORECASE,
)
""" "Only show me the diff of the header": for now."""
_IN_TASK = re.compile(
    r"\b(?:in|for|during) (?:this|the) (?:pr|mr|task|ticket|branch|session|commit|round|change|sprint"
    r"|refactor)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\bwithout (?:any|new|additional|adding|using|touching|changing|breaking"
    r"|extra)\b",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(
    rf"{_LEAD}(?:tag|name|title|release|version|publish|commit|push|(?:explain|translate|summari[sz]e|say"
    rf"|repeat|tell me)(?= \w+ (?:again )?in ))"
    r" (?:it|this|that|these|them)\b",
    re.IGNORECASE,
)
_WRITES_OUT = re.compile(
    rf"{_LEAD}(?:write|save|dump|export|print|output|copy|pipe|log) (?:the|this|that"
    rf"|my) (?:[\w-]+ )?(?:results?|outputs?|logs?|diff|list|report|table"
    r"|data|numbers?|response|answer|plot|image|file|summary) (?:to|into|in|as) [\w./-]+$",
    re.IGNORECASE,
)
_TRIAL = re.compile(
    rf"{_LEAD}(?:re-?)?try (?!(?:to|not|and|hard|your|only|with"
    rf"|at most)\b)[a-z]",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:for|in|on|to|from|of|at) (?:this|that) (?:one [\w-]+$|(?:[\w-]+ )?(?:function|method|line"
    r"|class|test|page|button"
    r"|banner|chart|plot|dialog|screen|case|loop|image|figure|section|paragraph|slide|query|row|column|cell"
    r"|block|example|snippet|commit message|mail|email|message|text|list|table|view|form|widget|header"
    r"|footer|icon|input|field|label|one)$)|\bin [\w.]+\(\)$",
    re.IGNORECASE,
)
_FIRST_THE_ONE = re.compile(r"[a-z-]+ (?:the|my|your|that|this) (?!\w+s\b)[^,;]* first$", re.IGNORECASE)
_SETS = re.compile(
    r"(?:set|change|increase|raise|lower|reduce|put|turn|switch|move) (?:the|that|my) [^,;]+? to [^,;]+",
    re.IGNORECASE,
)
_THEN_RUN = re.compile(
    r",? (?:and |then )+(?:re-?run|run|try|see|check|tell|restart|start|send|show|test) ", re.IGNORECASE
)
_INTO_ONE = re.compile(
    r"(?!(?:keep|leave|hold)\b)[a-z-]+ (?:the|this|that|my|those|these) [\w -]{2,40}? (?:in|into|to|as"
    r"|on) an? [\w-]+$",
    re.IGNORECASE,
)
""" "Put the numbers in a table": something is made, once."""
_ONE_OF_ROW = re.compile(
    r"\b(?:instead of|rather than|not)(?: (?:in|on|at|from|to))? (?:the )?(?:first|second|third|fourth"
    r"|last|next|previous"
    r"|other|left|right|top|bottom|upper|lower)(?: one)?(?: and [^,;]+)?$",
    re.IGNORECASE,
)
_LEFT_OUT = frozenset(("skip", "omit", "ignore"))
_SWEEPS = re.compile(
    rf"{_LEAD}(?:replace|convert|rename|remove|delete|swap|translate|port|move|turn|fix|list|count|find|show)"
    r" (?:all|every|each|any)(?: of)? (?:the |those |these |your )?",
    re.IGNORECASE,
)
_REPEATS = re.compile(
    rf"{_LEAD}(?:(?:repeat|continue|proceed|redo|go on|carry on|keep going)(?: (?:it|(?:this|that|these"
    rf"|those)(?: steps?)?"
    r"|the (?:same|process|steps?|procedure|exercise)))?|(?:do|run|apply|try|execute|perform|use|add)"
    r" (?:this|that|it|these|those|likewise|the (?:same(?: [a-z]+)?|script|command))"
    r"|generate an? [\w-]{2,30}(?: [\w-]{2,30})?) (?:for|on|to|in"
    r"|with|across|over|against)"
    r" (?:(?:each|every|all|both)\b(?! (?:new|future|commits?|push(?:es)?|prs?|pull|changes?|builds?"
    r"|releases?|merges?|deploy\w*|edits?|saves?|times?|sessions?|runs?|requests?|features?|tasks?"
    r"|branch(?:es)?)\b)"
    r"|the (?:others?|rest|remaining)\b)",
    re.IGNORECASE,
)
""" "Repeat for all tables": of what was said just now."""
_AT_ANY_TIME = re.compile(
    r"\b(?:always|whenever|when|if|from now on|you (?:find|see|touch|come|hit)|wherever|before|after|going"
    r" forward|by default|never|unless|until|per)\b",
    re.IGNORECASE,
)


def is_one_off(clause: str, sentence: str) -> bool:
    """An order about one definite thing, or to make one: "make it three columns instead of two"."""
    if _SWEEPS.match(clause) or _REPEATS.match(clause):
        return not _AT_ANY_TIME.search(sentence)
    if LASTS.search(sentence) or _WITHOUT.search(clause) or clause.lower().startswith("try not to "):
        return False
    if _NAMES_IT.match(clause) or _WRITES_OUT.match(clause):
        return True
    if _TRIAL.match(clause) or (_ONLY_DO.match(clause) and not _IN_TASK.search(sentence)):
        return True
    found = _ONE.match(clause)
    if found and found["order"].lower() in (_MAKES if found["made"] else ORDERS):
        return True
    first = clause.split(" ", 1)[0].lower()
    if first not in ORDERS or first in _LEFT_OUT:
        return False
    return bool(
        _HERE.search(clause)
        or _INTO_ONE.match(clause)
        or _ONE_OF_ROW.search(clause)
        or clause.endswith(" there")
        or (_FIRST_THE_ONE.match(clause) and ", then " in sentence)
        or (_SETS.match(clause) and _THEN_RUN.search(sentence))
    )
