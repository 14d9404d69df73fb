"""How far an English clause reaches and which way: for how long, for or against, how firmly, about what."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_clauses import CONDITION
from agentinitd.memory.capture.english_form import Form
from agentinitd.memory.capture.english_leaning import LISTED
from agentinitd.memory.capture.english_sense import DENIES
from agentinitd.memory.capture.english_turns import AWAY
from agentinitd.memory.capture.english_verbs import ORDER
from agentinitd.memory.capture.english_wishes import LAST
from agentinitd.memory.capture.needed import Sought
from agentinitd.memory.capture.proposals import Force
from agentinitd.model.facts import Polarity, Scope

_ONCE = re.compile(
    r"\b(?:this (?:one )?time|this once|for this one|until (?:further|monday|tuesday|wednesday|thursday"
    r"|friday|tomorrow|next)|just once|for (?:now|today|the moment|the time being)|right now"
    r"|at the moment|(?:not|n'?t) [^,;]{0,60}\b(?:yet|today|now)|yet$|tonight"
    r"|(?<!from )(?<!of )(?<!starting )today|until (?:i"
    r"|we) (?:say|am|are|get|come|have|talk|decide)|this (?:one )?commit|in this message"
    r"|in this answer)\b",
    re.IGNORECASE,
)
_TASK = Sought(
    r"\b(?:(?:in|for|on|during|within|throughout) this (?:\w+ )?(?:pr|mr|pull request|task|ticket"
    r"|branch|change|session|issue|refactor(?:ing)?|migration|job|piece of work|feature|round|sprint"
    r"|story|patch|fix)|while (?:working on|you(?:'re| are)(?: working)? (?:on|in)|doing|we(?:'re"
    r"| are) (?:on|in|at))\b|until (?:this|the) (?:task|ticket|pr|feature|migration|refactor\w*) is"
    r"|(?:this|the current) (?:pr|task|ticket) (?:is|stays|only|must))\b",
)
_ALWAYS = Sought(
    r"\b(?:in (?:any|every|all|each)(?: of)?(?: my| our| the)? (?:repos?|repositor(?:y|ies)|projects?"
    r"|sessions?|codebases?)|for (?:all|any|every)(?: of)?(?: my| our)? (?:work|projects?|repos?|tasks?"
    r"|sessions?)|across (?:all |my |our )?(?:projects|repos)|(?:this|that) (?:goes|holds|applies"
    r"|counts) (?:for|to|in) (?:all|every|any)|all (?:my|our) (?:projects|repos)"
    r"|whatever (?:the )?project|everywhere,? in all|no matter (?:which|what) (?:repo|project)"
    r"|this repo and others|globally|wherever you work)\b",
)
_PATH = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/[\w./*-]*|[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|toml|ya?ml|json|sql|md|css"
    r"|html|c|h|cpp|java|rb|sh|lock|txt|conf|prisma))(?![\w/])"
)
_THE_THING = re.compile(
    r"(?:said|told you) (?:about|on|regarding) (?:the |my )?(?P<said>[\w./ -]{2,40}?)$|\b(?:drop|forget"
    r"|scrap|ditch|skip|lift) (?:the|that|my) (?P<again>[\w./-]+) again$"
    r"|\b(?:freeze|ban|rule|restriction|limit|lock|embargo) (?:on|about|for|against|regarding) (?:the |my "
    r"|our )?"
    r"(?P<on>[\w./ -]{2,40}?)(?= (?:is|are|has|no longer|doesn'?t|can|may)\b|$)"
    r"|\b(?:the|that|my) (?P<thing>[\w./ -]{2,40}?) (?:rule|thing|ban|restriction|constraint"
    r"|requirement|stuff"
    r"|bit|part)s?\b",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"\b(?:if (?:at all )?possible|where(?:ver)? possible|whenever possible|ideally|preferably"
    r"|if (?:you|we) can(?: help it)?|try (?:to|not)|would be nice|i'd like)\b",
    re.IGNORECASE,
)
_SHYLY = re.compile(r"(?:ok(?:ay)?,? |so |and )?(?:could|can|shall) we\b(?! please)", re.IGNORECASE)
_SURE_NOT = re.compile(
    r"\b(?:important|crucial|essential|critical|vital|mandatory|careful|care|watch out|mind|is) (?:that"
    r"|to|for)\b.*\b(?:not|never|no"
    r"|nothing)\b|\b(?:sure|ensure|care|it)\b(?: that)? (?:no|nothing|nobody)\b|\b(?:sure"
    r"|ensure)\b(?: that)?(?: (?!that\b|which\b|you\b|it\b|find\b)[^\s,;]+){1,4} (?:don'?t|doesn'?t"
    r"|never|isn'?t|aren'?t|do not|does not|is not|are not|can'?t)\b",
    re.IGNORECASE,
)
_OF_CONTENT = frozenset(
    {
        "sure",
        "important",
        "want",
        "careful",
        "policy",
        "i-think",
        "offhand-most-important",
        "offhand-agreed-that",
        "offhand-need-that",
        "offhand-attention",
    }
)
_DOUBLE = frozenset(
    {"like-over", "better-than", "have-rather", "wins-over", "prefer", "forget", "instead", "we-use", "ask"}
)
_WISHED_AWAY = re.compile(
    rf"\b(?:if|when|that|wish|hope|want|like|love|prefer) (?:you|u|we|the|all|every|each|no|our|your"
    rf"|it)\b[^,;]*?"
    rf"(?:n'?t\b|\b(?:not|never|no|fewer|less|without)\b|\b{AWAY}\b)(?! (?:be|hesitate)\b)"
    r"|\b(?:happier|happy|better off|glad) (?:with(?:out)?|to have) (?:fewer|less|no)\b",
    re.IGNORECASE,
)
_DONT = re.compile(
    r"(?<!\bi )(?<!\byou )(?<!\bwe )(?<!\bthey )(?<!\bwho )(?<!\bthat )(?<!\bwhich )\b(?:don'?t|do not"
    r"|never|dont)"
    r"(?: ever)? (?!forget\b|hesitate\b)[a-z]+"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bhas )(?<!\bhave )(?<!\bwith )(?<!\bor )"
    r"(?<!'s )\bno (?!longer|one\b|idea"
    r"|matter|more than)[a-z]+|\b(?:leave|keep) [^,;]+ (?:alone|as is|untouched)\b"
    r"|\b(?:stay|keep) (?:out|away"
    r"|off|clear)\b"
    r"|\bhold off\b|\brefrain from\b|(?:, |\bplease |\bthen )(?:please )?(?:avoid|stay away from) [a-z]+",
    re.IGNORECASE,
)
_THEN_ORDER = re.compile(rf"(?:, (?:then |please |just )*| then ){ORDER}\b", re.IGNORECASE)
_WISHES_NONE = re.compile(
    r"\b(?:prefer|want|like|love|see|have|favou?r|for|expect|is)"
    r" (?:no|zero|fewer|less) (?!one\b|[^,;]*\bthan\b)",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"\b(?:nobody|no one) (?!else\b)\w+|(?:^|, |\b(?:until|till|release|lasts|running"
    r"|then) )nothing (?:gets?|is|goes|may|must|will)\b"
    r"|\b(?:you|we) (?:change|touch|edit|add|merge|push|deploy|commit|delete|do|move|rename) nothing\b",
    re.IGNORECASE,
)
_NAMES_A_BAN = re.compile(r"\bno-|\b(?:ban|freeze|not?|never)\b", re.IGNORECASE)
_REFRAINS = re.compile(
    r"\b(?:to|always|must|should|you|we|that|possible,?|ideally,?|preferably,?) (?:avoid|refrain from"
    r"|never)\b|\b(?:(?:stays?|remains?|kept|keep) (?:out|off|clear) of|(?:stay|keep) (?:away|clear|off)\b)"
    r"|\b(?:under no (?:circumstances?|conditions?)|on no account|in no case|by no means|at no (?:time"
    r"|point))\b|^(?:avoid|never|don't|do not"
    r"|dont)\b",
    re.IGNORECASE,
)


_ELSE = re.compile(r",? (?:otherwise|or else|because)\b", re.IGNORECASE)
_DOES_NONE = re.compile(
    r"(?!not\b)(?:[\w/-]+ ){1,4}?(?:never (?!mind\b)[a-z]+(?! again)|(?:contains?|holds?|carr(?:y|ies)"
    r"|imports?|exposes?|hold|carry) (?:no|nothing|zero)\b)",
    re.IGNORECASE,
)
""" "Core never imports from infra", "views contain no logic": whatever form tells it."""
_SAYS_NO = re.compile(r"\b(?:is|are|says)(?: that)?:? (?:no|never|not|don'?t|nothing)\b", re.IGNORECASE)
_SAYS_WHAT = frozenset({"labelled", "labelled-value"})
_IS_NONE = re.compile(r"[^:]*:\s*(?:no|never|not|none|don'?t|dont|do not|avoid|without)\b", re.IGNORECASE)
_MAY_SKIP = frozenset({"this-time", "open-once", "from-now-on", "from-today-on", "from-now-on-lead"})
_SKIPS = re.compile(
    r"(?:[\w' ]{2,30},? )?(?:please |just |only |so )*(?:skip|leave|omit|ignore|drop|hold|avoid|stop"
    r"|wait with|delay)\b",
    re.IGNORECASE,
)


_FIRST_DO = re.compile(
    rf", (?:then |please |just )*(?!stop\b|wait\b){ORDER} (?:\w+ ){{1,4}}and $", re.IGNORECASE
)
""" "When I ask, answer it and leave the code alone": what is to be done comes first."""
_FOR_IT_NO = re.compile(
    r"(?:for|in|on|with) (?:this|that|the|these) [^,;]{2,40}? no [\w-]+(?: [\w-]+)?$", re.IGNORECASE
)


def _bans_then(clause: str) -> bool:
    """ "If there are conflicts don't resolve them": what is said of the case is a ban."""
    if not CONDITION.match(clause):
        return False
    banned = _DONT.search(clause)
    if banned and _FIRST_DO.search(clause, 0, banned.start()):
        return False
    return banned is not None and not _THEN_ORDER.search(clause, banned.end())


def polarity_of(form: Form, clause: str) -> Polarity:
    """Of the form, unless a demand or a wish asks to refrain: "make sure to avoid", "ideally no mocks".

    What would happen otherwise turns nothing round.
    """
    clause = _ELSE.split(clause, maxsplit=1)[0]
    is_turned = (
        (form.name in _SAYS_WHAT and _IS_NONE.match(clause))
        or (form.name in _MAY_SKIP and _SKIPS.match(clause))
        or (form.polarity == "do" and form.act == "state" and _NOBODY.search(clause))
        or _REFRAINS.search(clause)
        or (form.polarity == "do" and form.act == "state" and _DOES_NONE.match(clause))
        or (form.name in _OF_CONTENT and _SURE_NOT.search(clause))
        or (form.force == "soft" and form.name not in _DOUBLE and _WISHED_AWAY.search(clause))
        or (form.polarity == "do" and form.act == "state" and _bans_then(clause))
        or (form.name == "open-x-no-y" and _FOR_IT_NO.match(clause))
        or (form in (*LAST, LISTED) and DENIES.search(clause))
    )
    if form.name == "our-is" and _SAYS_NO.search(clause):
        return "do_not"
    if form.name == "rule-holds":
        return "do_not" if _NAMES_A_BAN.search(clause) else "do"
    if form.force == "soft" and form.act == "state" and _WISHES_NONE.search(clause):
        return "do_not"
    return "do_not" if is_turned and form.name not in _DOUBLE else form.polarity


def scope_of(sentence: str, clause: str) -> Scope:
    if _ALWAYS.search(sentence):
        return "always"
    if _TASK.search(sentence):
        return "task"
    return "once" if _ONCE.search(clause) else "project"


def topic_of(text: str, form: Form) -> str:
    """A path, when there is just one; for a rule that is taken back "the diff thing", its name."""
    thing = _THE_THING.search(text) if form.act == "withdraw" else None
    if thing:
        return thing["thing"] or thing["said"] or thing["again"] or thing["on"]
    paths = set(_PATH.findall(text))
    return paths.pop() if len(paths) == 1 else ""


def force_of(form: Form, clause: str, sentence: str) -> Force:
    """Soft too: what is asked for only where possible, or shyly, as in "could we …"."""
    return "soft" if _SOFT.search(clause) or _SHYLY.match(sentence) else form.force
