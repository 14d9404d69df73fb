"""English clauses that lean on the one before: "the lockfile is generated, don't edit it".

Such a clause says nothing alone, so it is kept together with the clause that names what it is about.
"""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import BAD, CHANGE, Form, form
from agentinitd.memory.capture.english_verbs import ORDER
from agentinitd.memory.capture.needed import Possible

_IT = (
    r"(?:it|them|(?:that|those|these|this)(?: ones?)?(?=$| (?:please|pls|plz|ever|again|either|at all"
    r"|for now|as"
    r"|like|by|without|unless|in|on|to|directly|manually|for|everywhere|instead|too|where|how|the way|alone"
    r"|unchanged|untouched|exactly|from now on|only|always)\b)|there)"
)
_LEAD = r"(?:please |pls |plz |just |so |really |and |also |then )*"
_KEPT_AS = (
    r"(?: (?:exactly|just|all|right|strictly))*(?: (?:alone|as(?:-| )is|be|unchanged|untouched|intact"
    r"|in place"
    r"|in peace|so|that way|like (?:that|this)|(?:as|where|how|what|the way) (?:it|they) (?:is|are|was"
    r"|were)(?: now)?"
    r"|stable|frozen|as before))?(?: (?:please|pls|plz|at all|for now))*$"
)
_END = r"(?: [^,;]{1,60})?$"
_PREDICATE = (
    rf"(?:(?:must |should |has to |have to |needs? to |shall |will )?(?:stays?|remains?|be kept|be left)\b"
    rf"|(?:must|may|should|shall|can)(?:n'?t| not| never) (?:be )?(?:ever )?(?:re)?{CHANGE}\w*"
    rf"|(?:is|are|stays?|remains?) {BAD}|(?:is|are) not (?:yours|ours|to be)\b|never (?:change|leave"
    rf"|go)s?\b)"
)

LEANING = (
    form(
        "ban-it",
        rf"{_LEAD}(?:never(?: ever)?|don'?t|do not|dont|do never)(?: (?:ever|please|just|you dare|even"
        rf"|try to))* "
        rf"(?!(?:worry|mind|think|like|know|see|get|want|need|have|do|be)\b)[a-z-]+(?: (?:in|into|to|on"
        rf"|from"
        rf"|with|off|out of|around))? {_IT}{_END}",
        polarity="do_not",
    ),
    form(
        "hands-off-it",
        rf"{_LEAD}(?:avoid|hands off|keep (?:off|out of|away from)|stay (?:off|out of|away from)"
        rf"|steer clear of|stop \w+ing|refrain from \w+ing) {_IT}{_END}",
        polarity="do_not",
    ),
    form("leave-it", rf"{_LEAD}(?:leave|let) {_IT}(?! for\b| to\b){_KEPT_AS}", polarity="do_not"),
    form("keep-it", rf"{_LEAD}(?:keep|preserve) {_IT}{_KEPT_AS}"),
    form(
        "keep-it-so",
        rf"{_LEAD}(?:always )?keep (?:it|them|those|these) (?:in|out of|under|at|away|below|off)\b{_END}",
    ),
    form(
        "none-there",
        rf"{_LEAD}no (?:[\w-]+ ){{1,4}}(?:there|in (?:it|there|them)|(?:to|of|on|with|for) (?:it|them))$"
        r"|nothing (?:goes|gets|comes) (?:in|into) (?:it|there|them)$",
        polarity="do_not",
    ),
    form(
        "via-it",
        rf"{_LEAD}(?:always|only|always only|never anything but) (?:go (?:through|via|with)|use|call|take"
        rf"|run"
        rf"|re-?use|stick to|work (?:in|with|on)|read from|write to|import) {_IT}{_END}"
        rf"|{_LEAD}(?:use|take|go with|stick to|pick|reuse) {_IT} (?:for (?:all|every|any|each|everything"
        r"|new)\b|everywhere|always|from now on|in (?:all|every|each|any)\b|for [\w-]+(?: [\w-]+)?s$"
        r"|instead|only|as well|please"
        rf"|every time|to \w+){_END}",
    ),
    form(
        "treat-it-like",
        rf"{_LEAD}(?:always )?treat (?:it|them|those|these|that) (?:like|as) (?!(?:nothing|that"
        rf"|this)\b)[^,;]+$",
    ),
    form(
        "avoid-it",
        r"i (?:try to |tend to |usually |always |generally |mostly )*(?:avoid|skip|stay away from|steer"
        r" clear of) "
        r"(?:it|them|those|these)(?: (?:when|where|if|as far as|wherever|whenever) (?:i|possible)\b[^,;]*)?$",
        polarity="do_not",
        force="soft",
    ),
    form(
        "follow-it",
        rf"{_LEAD}(?:always )?(?:follow|obey|respect|stick to|keep to|adhere to|heed|apply|honou?r) (?:it"
        rf"|them"
        rf"|that|those|these)"
        r"(?: please| always| everywhere| strictly| to the (?:letter|pixel|dot))*$",
    ),
    form("always-so", rf"{_LEAD}(?:always|only) (?:through|via|with|by|in|from|on|under) [^,;]+$"),
    form(
        "not-yours-alone",
        r"(?:those|these|that|they|it)(?:'s| is| are|'re) (?:mine|ours) to [a-z]+$"
        r"|not (?:yours|ours) to [a-z]+|not for (?:you|us) to [a-z]+|(?:it's|they're"
        r"|that's) (?:off[ -]limits"
        r"|frozen|not (?:yours|ours)|read-only|taboo)\b",
        polarity="do_not",
    ),
    form(
        "order-it-so",
        rf"{_LEAD}{ORDER} (?:it|them|those|yours|these) (?:like (?:that|this)|(?:that|this|the same) way"
        rf"|accordingly)$",
    ),
    form(
        "pronoun-must-not",
        r"(?:it|they|these|those|that|this) (?:must|may|shall|should)(?:n'?t| not"
        r"| never) (?:ever )?(?!(?:be (?:the|an?|that"
        r"|because|due|in|from|about|so|very|too|my|our|hard|difficult|possible|too)|happen|have been"
        r"|take|matter|hurt|work"
        r"|look|seem|need)\b)[a-z]+\b[^,;]*",
        polarity="do_not",
    ),
    form(
        "pronoun-keep",
        rf"(?:it|they|these|those|that|this) {_PREDICATE}[^,;]*",
    ),
)
_POSSIBLE = Possible([each.source for each in LEANING])
"""Forms of a clause whose object is named only by a pronoun."""

VERDICT_ALONE = form(
    "verdict-alone",
    rf"(?:it's |they're |is |are )?(?:{BAD}|out|frozen|off[ -]limits|hands off|stays?|never|no way"
    rf"|untouched"
    r"|read-only|(?:please )?(?:leave|keep|don'?t (?:touch|change|edit|move)) (?:it|that|them|those)"
    r"(?: [\w' ]{1,30})?|never (?:change|touch|edit|move|rename) (?:it|that|them|those))$",
    polarity="do_not",
)
"""What is said of "the savegame format?"."""
_STRICTER = (
    r"(?:and |but )?(?:never|not|no|nothing|don'?t|dont|nowhere) (?:ever )?(?:go )?(?:(?:any )?(?:more"
    r"|less|lower"
    r"|higher|longer|newer|older|later|below|above|beyond|else|further|earlier|bigger"
    r"|smaller)(?: than that)?"
    r"|under that|over that)$|(?:not|never|no) (?:the )?v?\d[\w.-]*$|(?:and )?(?:with|by|through|via"
    r"|in) nothing else$"
)
MAKES_STRICT = re.compile(_STRICTER, re.IGNORECASE)
"""What makes a rule of the piece before it: "frame budget: 16 ms, never more"."""
TURNS_AWAY = re.compile(
    r"(?:and |but )?(?:(?:never|not) (?:(?:in|on|at|with|from|to|via|by|under|into|through|as|outside"
    r"|inside)\b(?: [\w./-]+){1,4}|globally|locally|directly|manually|inline|nested|elsewhere|by hand"
    r"|anything [\w-]+|anywhere else)|nothing (?:from|in|outside|beyond|else|bigger|fancier|newer|older|more"
    r"|less|around|[a-z]+er)(?: [\w./-]+){0,4}|no other(?: [\w./-]+){0,2}"
    r"|(?:do )?not (?:to )?(?:create|add|write|make|invent|build|introduce|copy|use) (?:an?(?:other)? |any"
    r" |yet another "
    r"|your )?(?:new|own|second|different|extra)\b[^,;]*)$",
    re.IGNORECASE,
)
"""What makes a rule of a choice before it: "native fetch, nothing from npm"."""
TAIL = re.compile(
    rf"{_STRICTER}|(?:never|always|at all times|everywhere|no matter what|full stop|period"
    rf"|without exceptions?|no exceptions?"
    r"|like that every time|all of them)$",
    re.IGNORECASE,
)
"""What only says how strictly the piece before it holds: "line length 100, never more"."""
STRICT = form("strict", r"", confidence=0.75)
"""Of a piece that only its tail makes a rule."""
LISTED = form("listed", r"", confidence=0.75)
"""Of an item that only its neighbours make a rule."""
_NAMES = re.compile(
    r"^(?!(?:it|this|that|there|here|he|she|they|we|i|you|what|which|everything|nothing"
    r"|something)\b)(?:[\w./-]+ ){1,4}?"
    r"(?:is|are|comes?|belongs?|gets?)\b|(?:[\w.-]*[\w-]\.[a-z]{1,6}\b|[\w.-]+/[\w./*-]*|x{2,})"
    r"|\b(?:the|our|my|your|that|this|these|those|an?|all|every|each|any)\s+(?!(?:is|was|one|other|same"
    r"|best"
    r"|way|idea|point|problem|thing|end|moment)\b)[\w.-]+"
    r"|\b(?!(?:is|was|has|does|yes|this|thanks|its|it's|looks|works|always|as|us|seems)\b)[a-z_-]{3,}s\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"(?:looks|ok|okay|good|great|nice|thanks|yes|no|yeah|hm+|sure|cool|perfect|fine|i think|i guess|what"
    r"|why"
    r"|how|who|where|when|is|are|does|do|can|could|should|did|was)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|can|could|should|would|will|what|why)\b", re.IGNORECASE
)
MAX_REFERENT_CHARS = 150


def leaning_form(piece: str) -> Form | None:
    """Its form, when it is about something that the clause before it names."""
    possible = map(LEANING.__getitem__, _POSSIBLE.in_text(piece))
    return next((each for each in possible if each.pattern.match(piece)), None)


def is_referent(clause: str) -> bool:
    """Whether it names something that "it" and "them" can mean."""
    if not 3 <= len(clause) <= MAX_REFERENT_CHARS or _TALK.match(clause):
        return False
    if clause.rstrip().endswith("?"):
        return not _ASKS.search(clause)
    return bool(_NAMES.search(clause))
