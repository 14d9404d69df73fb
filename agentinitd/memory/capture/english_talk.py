"""English sentences that are talk for all their "never": jokes, reports, and what is to be built."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.english_clauses import CONDITION, polite_start, without_filler
from agentinitd.memory.capture.english_traps import PEOPLE
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.memory.capture.english_work import WRITTEN
from agentinitd.memory.capture.needed import Sought

_LAUGHS = re.compile(
    r"\b(?:(?:ha){2,}h?|(?:he){2,}h?|lol|lmao|rofl|xd|(?<!no )kidding|jk)\b|[😂🤣😅😆😹🙃😄😁]", re.IGNORECASE
)
_IN_EARNEST = re.compile(
    r"^(?:\W|\b(?:haha|lol)\b)*(?:don'?t|do not|stop|use|keep|no [a-z])|\b(?:but|seriously|please|pls|plz"
    r"|ok|okay|no,|jokes? aside|anyway|so)\b|`|\w\(\)",
    re.IGNORECASE,
)
"""With these a sentence is meant, although somebody laughs."""
_JOKES = Sought(
    r"^(?:\W*\b(?:haha|lol|oh|please|ok)\b)*\W*never change(?:$|,)|\b(?:let me (?:any ?)?(?:near|close to"
    r"|loose)"
    r"|(?:become|becomes|became) (?:self[- ]aware|sentient|evil)|running system|always (?:blame|something"
    r"|(?:fun|nice|good|great|hard|easy|interesting|a (?:pleasure|joy|mess))(?: to| when|$))|never ask why"
    r"|(?:i (?:shall|will|am)|i'm|call me)(?: now| henceforth)? (?:be )?(?:known as|called|the (?:king|queen"
    r"|lord|god|destroyer|master))"
    r"|call (?:this|that|it|him|her|us) (?:an? |the )|no more \w+ for (?:me|us|him|her|whoever)"
    r"|(?:for|of) whoever|(?:in|of) my (?:whole )?life|my (?:soul|sanity|tombstone|will to live)"
    r"|ever again will|never again will|as long as i live|(?:the )?(?:first|number one|no\. ?1) rule of"
    r"|rule (?:number|no\.?|#) ?(?:one|two|three|1|2|3) of [\w ]{2,40}(?=[:,])"
    r"|rule (?:number|no\.?|#) ?(?:one|two|three|1|2|3)[:,]? "
    r"(?:don'?t|do not|never|always) (?:talk|speak|blame|trust)"
    r"|(?:don'?t|dont|do not|never) (?:ever )?(?:let me|judge me|hate me|blame me|shoot me|sue me|feed the"
    r"|take over|believe (?:the|a|in))|world domination|take over the (?:world|planet)"
    r"|(?:nobody|no one|no human|noone) should (?:ever )?(?:have to|need to|suffer)"
    r"|(?:must|should) (?:really |secretly |personally )?(?:hate|love|despise|enjoy) (?:me|us|it|its)"
    r"|(?:should|must) (?:all )?be (?:illegal|a crime|a felony|against the law|burned|burnt|nuked"
    r"|destroyed with fire|punish\w+|(?:shot|launched|sent) in(?:to)? (?:the sun|space|orbit))"
    r"|(?:should|must) (?:really )?(?:come|ship) with (?:an? )?(?:warning|health|trigger|apology)\b"
    r"|(?:i|we)(?:'d| would) (?:much |honestly )?(?:rather|sooner) (?:fight|eat|die|marry|lick|swim|walk"
    r"|wrestle|quit|live"
    r"|sleep|chew|swallow|jump|sell|retire|become|hug|kiss|drink|starve|cry|crawl|shave|set (?:my|the)"
    r"|go (?:back )?to (?:school|prison|jail|the dentist))|(?:an?|the) (?:atom|printer)s?, they"
    r"|(?:they|it|he|she) (?:can )?makes? up everything)\b"
    r"|\b(?:don'?t|dont|do not|never) (?:ever )?tell (?:anyone|anybody|no ?one|a soul|them|him|her)\b"
    r"|\b(?:don'?t|dont|do not|never) (?:ever )?(?:tell|let|show) (?:(?:this|it|that) to )?"
    r"(?:my|our|the|your|any) (?:[\w-]+ )?(?!clients?\b|customers?\b|users?\b|board\b)"
    + PEOPLE.pattern.pattern
)
"""Nobody lays down how to work in these words."""


_OTHER_WORLDS = Sought(
    r"\b(?:sacrific\w+|skynet|exorcis\w+|priests?|pray(?:ers?|ing)?|amen|thou|holy|witch\w*|wizards?|aliens?"
    r"|gods|satan|karma|(?:in|to|from) hell|souls?|tears|tombstones?|graves?|funerals?|jail|prison|therap\w+"
    r"|lotter(?:y|ies)|millionaires?|beers?|pizzas?|whiske?y|vodka|grandmas?|kittens?|cats|pupp(?:y|ies)"
    r"|root canal|eat (?:glass|my \w+)|fire extinguishers?|out of (?:the|a|my) window|smell (?:of )?fear"
    r"|it'?s (?:always )?dns)\b(?![/.(_-]\w)",
)
"""Things that no work on code deals with, unless it is a game, which has names for them."""


_RULE_ONE = r"\brule (?:number |no\.? ?|# ?)?(?:one|1)\b"
_OF_NO_WORK = Sought(
    r"\b(?:they|it|he|she|these things) (?:can )?(?:smells? (?:the |your )?fear|bites?|hears? (?:you|us))\b"
    r"|(?:\.|…|,|-) ?(?:just |only )?(?:kidding|joking)\b"
    rf"|{_RULE_ONE}.*\brule (?:number |no\.? ?|# ?)?(?:two|2)\b[:,]? ?i (?:always|never|only|just|usually)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Also beside what sounds like a rule: what bites, and a second rule that is broken."""
_MAX_QUIP = 120


def is_joke(plain: str, message: str = "") -> bool:
    """Also by what stands beside it in a message of few words."""
    if _OF_NO_WORK.search(message if len(message) <= _MAX_QUIP else plain):
        return True
    if _JOKES.search(plain) or _OTHER_WORLDS.search(plain):
        return True
    return bool(_LAUGHS.search(plain)) and not _IN_EARNEST.search(plain)


_ATTRIBUTED = re.compile(
    r", (?:so |or so |at least )?(?:says|said|according to|as per|per|if (?:i|you) (?:believe"
    r"|trust)) (?:the|my|our|their"
    r"|his|her|(?-i:[A-Z]))|(?<!i know), i know\b",
    re.IGNORECASE,
)
_HOLDS = (
    r"(?:says?|said|swears?|insists?|thinks?|claims?|believes?|wants?|argues?|likes?|loves?|hates?"
    r"|prefers?|would|keeps?"
    r"|demands?|recommends?|is of|are of|say it)"
)
_CAMPS = Sought(
    r"\b(?:(?:one|the (?:other|second)|another) (?:half|camp|side|school|faction|part|group|ones?)"
    r"|(?:half|most|some|many|several|a few|few|plenty|two|three|part|both|none) of (?:them|us|you guys|my"
    r"|our|the|these)"
    rf"(?! (?:time|files|tests))(?: [\w-]+){{0,3}}?|(?:some|many|most|other|certain) (?:people|folks|devs"
    rf"|guys|colleagues"
    rf"|teams|others)(?: [\w-]+){{0,4}}?|half (?:the|my|our) [\w-]+|the rest|the others) {_HOLDS}\b"
    r"|\b(?:reviewer|referee) (?:\d|#|one|two)\b[^,;]* (?:says|said|wants|insists|thinks|asks|likes)\b"
    r"|^(?:he|she|they|the (?:previous|last|old|former) [\w -]{2,20}) (?:had|has|have|held|was|were|used"
    r"|believed|liked"
    r"|loved|swore)\b[^:]{0,60}:",
)
"""Who holds what is told: opinions of others, and none of them the person's own."""


def is_attributed(plain: str) -> bool:
    """What somebody else says or holds, as the sentence tells, or what is only conceded."""
    return bool(_ATTRIBUTED.search(plain) or _CAMPS.search(plain))


_ERRAND_VERB = (
    r"(?:run|rerun|re-run|execute|print|show|plot|check|retry|try|look(?: at| into)?|test|open|list|dump"
    r"|fetch|delete|rename"
    r"|start|restart|build|rebuild|deploy|send|upload|download|read|count|compare|convert|fix|do)"
)
_ERRAND_OBJECT = (
    r"(?:`[^`]+`|x{2,}|test_\w+|[\w-]+(?:_[\w-]+)+|[\w./-]*\w\.[a-z]{1,4}\b|(?:the|that|this|these"
    r"|those) (?:very |one |two )?"
    r"(?:first|second|third|last|next|previous|new|newest|failing|failed|broken|other|same|named?s?"
    r"|numbers?|command|config"
    r"|result|output|headers?|lock|old|parser|lines?|rows?|steps?|\w+ (?:file|test|case|row|line|step|part"
    r"|page|commit|table"
    r"|cell|job|one))s?\b)"
)
_ERRAND = re.compile(
    rf"(?:please |now |then |and |ok,? )*(?:(?:only|just) {_ERRAND_VERB}(?: it| them)?(?: on| in| with"
    rf"| for| at)?"
    rf"|{_ERRAND_VERB}(?: it| them| the [\w-]+| this)? (?:only|just)(?: on| in| with| for"
    rf"| at)?) {_ERRAND_OBJECT}"
    r"|(?:don'?t|dont|do not|not) (?:[\w-]+ )?(?:it|this|that|them)\b[^;]*,? (?:now|right now"
    r"|just yet)\b,? (?:only|just)\b",
    re.IGNORECASE,
)
_FOR_LATER = re.compile(
    r"\b(?:always|never|ever|for (?:now|the moment)|this (?:time|once)|when(?:ever)?|if|after|before|every"
    r"|each|any|from now on|in ci|is for|are for|you (?:change|touch|edit)"
    r"\w*|nothing else|(?:in|for) (?:this|the) (?:task|ticket|pr|branch|session)|until|unless|locally"
    r"|by default|per)\b",
    re.IGNORECASE,
)


def is_errand(clause: str, sentence: str) -> bool:
    """ "Run only test_login": one piece of work, with no word of when else it holds."""
    return bool(_ERRAND.match(clause) and not _FOR_LATER.search(sentence))


_COMPARED = re.compile(
    r"\b(?:is|are|gets?|becomes?|grows?|takes|runs) (?:always |even |much |only |way |a bit |ever )*"
    r"(?:slower|faster|bigger|smaller|longer|shorter|older|larger|higher|lower|harder|hotter|louder|later"
    r"|[a-z]+ier|worse|(?:more|less) (?!than\b)[a-z]+)\b(?! (?:than|by) (?:\d|v\d))",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:has|have|needs?) to be [a-z]+ (?:twice|again|(?:two|three|several|\d+) times|before (?:the|it|they"
    r"|you can|we can|anything)\b[^,;]*\b[a-z]+s\b|or (?:it|the|they)\b|for it to\b)"
    r"|\b(?:has to|have to|needs? to|must) (?:first )?(?:be|get|have) [\w -]{1,30}? (?:before|until"
    r"|or else|otherwise)"
    r" (?:it|they|the [\w-]+) [a-z]+s?\b|\b(?:should|must|can) be able to\b"
    r"|^[\w-]+ (?!is )[a-z]+s (?:out|off|away|down|over|back)$|\b(?:tomorrow|tonight|today|(?:mon|tues|wednes"
    r"|thurs|fri)day) at \d",
    re.IGNORECASE,
)
_PEOPLE_DO = re.compile(
    r"(?:our |the |my |most )?(?:users|customers|people|clients|testers|players|visitors|interns|devs|folks)"
    r" (?:always|never|only|usually)\b",
    re.IGNORECASE,
)
_FEELS = (
    r"(?:annoying|sad|(?:what )?a pity|a shame|too bad|sadly|unfortunately|alas|sigh|ugh|weird|funny"
    r"|strange|crazy|painful|frustrating|stupid"
    r"|silly|huh"
    r"|stressful|huge|nuts|insane|slow|odd|bad|wrong|ok|too [a-z]+)"
)
_EVALUATED = re.compile(
    rf", (?:so |really |quite |pretty |very )?{_FEELS}(?: though| really)?$|, (?:apparently|supposedly"
    rf"|(?:a |that'?s a )?bug)$"
    rf"|^(?:unfortunately|sadly"
    rf"|annoyingly)\b"
    rf"|(?<!sure )(?<!sure that )(?<!since )(?<!because )(?<!as )(?<!, )(?<!- )\b"
    rf"(?:it|that)(?:'s| is) always\b|\bwhich (?:is|seems|looks|feels) (?:a"
    rf" bit |quite |pretty |way "
    rf"|rather )*"
    rf"{_FEELS}\b",
    re.IGNORECASE,
)
"""With this somebody sighs over what is so."""
_DURATION = re.compile(
    r"(?:(?:ugh|argh|phew|wow|damn|oh),? )?\d+ ?(?:s|ms|secs?|seconds?|mins?|minutes?|hours?|days?|gb|mb)\b",
    re.IGNORECASE,
)
_OWNS_ONLY = re.compile(
    r"(?:(?:at|in|on|for) [\w-]+(?: [\w-]+)? )?(?:we|i|you) (?:still |currently )?(?:only|just) (?:ever )?"
    r"(?:have|had|got|get|see|saw|know|knew|found|own|need|needed|noticed|want to know)\b",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"(?:please |just |also )*(?:always|never|only) (?:ever )?([a-z-]+s)\b", re.IGNORECASE
)
_SINGULAR_ALWAYS = re.compile(
    r"(?P<who>(?:[\w.'-]+ ){0,3}?[\w.'-]*[^s\W]) (?:almost |nearly )?(?:always|only ever|never ever|only) "
    r"(?P<does>[a-z-]+s)\b",
    re.IGNORECASE,
)
_GENERIC_WHO = re.compile(r"(?:every|each|any|an?|no|new|our|all)\b", re.IGNORECASE)
_EDITS = re.compile(r"(?P<order>[a-z-]+) (?:the|this|that|these|those|an?|my|it) ", re.IGNORECASE)
_REMOVES_ALWAYS = re.compile(r"[a-z-]+ (?:the|this|that) (?:\w+ )?(?:always|never)\b", re.IGNORECASE)
_TO_BE_MENDED = re.compile(
    r", (?:please |pls |so )*(?:fix|add|change|correct|do|remove|undo|revert) (?:it|that"
    r"|this)(?: (?:please|now|too))?$"
    r"|\b(?:nobody|no one) gets (?:that|this|it)\b",
    re.IGNORECASE,
)
"""Behind what is wrong: "you never close it, fix that"."""
_CHECK_THERE = re.compile(
    r"\bso (?:please )?(?:check|look|see|try|grep|that'?s|it'?s|no wonder|maybe|probably|i guess"
    r"|the (?:bug|error|problem|issue|404|500))\b",
    re.IGNORECASE,
)


def is_report(clause: str, sentence: str) -> bool:
    """How something is or behaves: told in the third person, compared, counted, or as a cause."""
    if CONDITION.match(clause):
        return False
    if any(sign.search(clause) for sign in (_COMPARED, _TIMES)) or _CHECK_THERE.search(sentence):
        return True
    if (_TO_BE_MENDED.search(sentence) and not CONDITION.match(sentence)) or _REMOVES_ALWAYS.match(clause):
        return True
    if _EVALUATED.search(sentence):
        return True
    return any(sign.match(clause) for sign in (_DURATION, _OWNS_ONLY, _PEOPLE_DO)) or _does_itself(clause)


def _does_itself(clause: str) -> bool:
    """ "Always revalidates", "Sam always finds one": no order, but what somebody or something does."""
    alone = _OF_ITSELF.match(clause)
    if alone:
        return is_third_person(alone[1])
    told = _SINGULAR_ALWAYS.match(clause)
    return bool(told and not _GENERIC_WHO.match(clause) and is_third_person(told["does"]))


def is_third_person(word: str) -> bool:
    word = word.lower()
    if word in ORDERS or word.endswith(("ss", "us", "is")):
        return False
    stems = (word[:-1], word[:-2], f"{word[:-3]}y")
    return word in _STATES or any(
        stem.removeprefix(again) in ORDERS for stem in stems for again in ("", "re")
    )


_SET_UP = frozenset(
    (
        "lives",
        "goes",
        "belongs",
        "runs",
        "stays",
        "listens",
        "uses",
        "sits",
        "comes",
        "starts",
        "ends",
        "builds",
        "deploys",
        "targets",
        "speaks",
    )
)
_THING_DOES = re.compile(r"(?:the|this|that) [\w-]+ (?P<does>[a-z]+s) ", re.IGNORECASE)


def is_behaviour(clause: str) -> bool:
    """What one definite thing does, other than where it is and what it uses."""
    told = _THING_DOES.match(clause)
    return bool(told and told["does"].lower() not in _SET_UP and is_third_person(told["does"]))


_STATES = frozenset(
    (
        "ignores",
        "knows",
        "sees",
        "happens",
        "becomes",
        "hates",
        "loves",
        "likes",
        "wants",
        "needs",
        "works",
        "means",
        "sits",
        "wins",
        "ends",
        "looks",
        "revalidates",
        "complains",
        "crashes",
        "hangs",
        "throws",
    )
)
"""Verbs in the third person that no order begins with."""


_MAKES = (
    r"(?:implement|build|create|write|develop|design|introduce|add|make|code|prototype|scaffold)"
    r"(?! (?:sure|it (?:a|the) (?:rule|habit)|a (?:habit|point|rule) of|everything|all|every|each)\b)"
)
_MADE_THAT = re.compile(
    rf"(?:(?:please|pls|just|also|now|then|let'?s|lets|we (?:need|want|have) to|i (?:want|need) you to"
    rf"|first|next) )*{_MAKES} (?:me |us )?(?:an?|the|some|another|new|one|support|validation"
    r"|\w+ (?:support|validation|rule))\b(?:(?!\b(?:every|each|any|all|whenever|always)\b)[^.]){0,80}?"
    r"(?:\b(?:that|which|who|where|so that)\b|: )|(?:a )?(?:new )?feature(?: request)?:|new feature\b",
    re.IGNORECASE,
)
_WANTS_THAT = re.compile(
    r"(?:for (?:the |our |my )?[\w -]{2,30} )?(?:i|we) (?:want|need|would like|'d like) (?:an?|some) "
    r"(?!(?:rule|convention|few|couple)\b)(?!(?:[\w-]+ )?(?:fix|solution|version|patch|approach|workaround)"
    r" (?:that|which) (?:doesn|does not|never|won))[\w -]{2,40} (?:that|which|where|so that)\b",
    re.IGNORECASE,
)


def is_build_order(plain: str) -> bool:
    """ "Add a check that users must …": the demand is on what is to be built."""
    start = without_filler(plain)
    start += polite_start(plain[start:])
    return bool(_MADE_THAT.match(plain, start) or _WANTS_THAT.match(plain, start))


_DESCRIBES = re.compile(
    r"\b(?:implement|build|code up) (?:that|this|it|those|these|them)\b"
    r"|\b(?:can|could|would) you (?:please |pls )?(?:build|add|implement|do|code|make) (?:that|this|it|those"
    r"|these|them)\b|\bthat'?s the (?:whole |entire )?(?:feature|requirement"
    r"|ticket|story|spec)\b|\bnew feature\b|\bfeature request\b|\buser story\b|\bfeature:|\bacceptance"
    r" criteria\b"
    r"|\b(?:add|build|implement) (?:that|those|these)(?: (?:in|to|please|pls))?\s*$"
    r"|[,;.] ?(?:please |pls |can you |could you )?(?:add|build|put|implement) (?:that|this) (?:to|in|into"
    r"|on) "
    r"|\b(?:bot|app|game|widget|page|tool|cli|service|plugin|extension) (?:we're|we are|i'm|i am) building\b"
    r"|\bfor (?:the|our|my|this) (?!(?:tests?|code|commits?|docs?|repo|project)\b)[\w -]{2,30}? (?:i|we) "
    r"(?:want|need) (?!you\b|to\b|the (?:tests|code))[\w -]{2,30}:"
    r"|(?:^|[.!?\n] *)(?:(?:ok|so|hi|hey|now|next),? )*(?:we need|we want|i want|i need|let'?s (?:build|add)"
    r"|build|implement|create|develop|design|write) (?:an?|the) (?!(?:rule|convention|couple|few)\b)"
    r"[\w -]{2,60}[.:!] ?\S",
    re.IGNORECASE,
)
_SPOKEN_TO = re.compile(
    r"(?:please|pls|plz|(?:always|never|don'?t|dont|do not|only)(?! (?:show|display|hide|open|send|play"
    r"|let|allow"
    r"|render|blink|ask the user)\b)|no|not|avoid|we|you|i|stop|keep|leave|use|make"
    r"|if|when|whenever|before|after)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8)
def describes_feature(message: str) -> bool:
    """Whether the message tells what is to be built."""
    return bool(_DESCRIBES.search(message))


def is_description(clause: str) -> bool:
    """What the thing to be built does or is; no order to whoever builds it, and not about their work."""
    if _SPOKEN_TO.match(clause) or WRITTEN.search(clause):
        return False
    edits = _EDITS.match(clause)
    return not (edits and edits["order"].lower() in ORDERS)
