"""English clauses in the form of a rule that are none: an outcome, a state, a deed, how something runs."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_one_off import LASTS
from agentinitd.memory.capture.english_work import IS_WORK
from agentinitd.memory.capture.needed import AnyOf

_IN_A_LANGUAGE = re.compile(
    r"in (?:java|go|rust|c|c\+\+|python|js|javascript|typescript|swift|kotlin|sql|react|vue|css|html"
    r"|haskell|scala|php|ruby"
    r"|bash|elixir|lua),? (?:you|one) (?:must|have to|need to|can'?t|cannot|should)\b",
    re.IGNORECASE,
)
"""What the language asks for."""
_AND_TAKE = re.compile(
    r"(?:remove|drop|delete|replace|throw out|kill|rip out) (?:the|this|that"
    r"|those) [^,;]+? and use an? ",
    re.IGNORECASE,
)
_SAID_BUT = re.compile(r"(?:i|we) (?:said|asked for|told you) [^,;]+?,? (?:but|and) ", re.IGNORECASE)
""" "I said httpx but I meant aiohttp": what was said is none any more."""
_IS_RELEASED = re.compile(
    r"(?:(?:the|our|my|that) )?(?:[\w.-]+ )?(?:release|version|build|patch|update|hotfix|beta|demo|app"
    r"|feature|v?\d[\w.]*) is"
    r" (?:finally |now |already )?out\b(?! of)",
    re.IGNORECASE,
)
_THAT_IS_FINE = re.compile(
    r",? (?:and |but )?that'?s (?:fine|ok(?:ay)?|good|alright|right|expected|intended|correct"
    r"|normal)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"(?:the|this|that|these|those|it) ", re.IGNORECASE)
_ABLE = re.compile(
    r"\b(?:you|one|they|users?|people|players?) (?:should|must|may|will)(?:n'?t| not| never)? (?:only "
    r"|also |still )?be able to\b",
    re.IGNORECASE,
)
_FOR_THE_YOU_NEED = re.compile(r"for the [^,;]+? you(?:'ll| will)(?: also)? need (?!to\b)", re.IGNORECASE)
_WONDERS = re.compile(
    r"\b(?:for (?:some|whatever|no) (?:odd |strange |weird )?reason|somewhere|somehow|oddly"
    r"|strangely|weirdly"
    r"|funnily|believe it or not|it turns out|turns out|no idea why|not sure why|which is (?:why|how)"
    r"|i don'?t know why|don'?t ask (?:me )?why"
    r"|(?:asked|asks|asking|wondering|wonders|unclear|unsure|debating|arguing) (?:me |us )?(?:whether|if"
    r"|why|how|when) (?:we|you|i|they|it|the))\b",
    re.IGNORECASE,
)
"""With these somebody tells what he found."""
_AMOUNT = r"(?:about |around |roughly |over |almost |only |nearly )?\d[\d.,]*"
_STANDS_AT = re.compile(
    rf"(?!(?:every|each|all|any)\b)(?:[\w'./-]+ ){{1,4}}(?:runs|is|sits|stands|lives|hangs) (?:on|at)"
    rf" {_AMOUNT}"
    r" ?(?:%|percent|(?!(?:spaces)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
_CLOCK = (
    r"(?:\d{1,2}(?::\d\d| ?[ap]m| o'clock)|noon|midnight|(?:(?:every|second|first|last|next|each|the"
    r"|other|end of|start of|beginning of) )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening"
    r"|night|week|month|year|quarter"
    r"|january|february|march|april|june|july|august|september|october|november|december))"
)
_TIMETABLE = re.compile(
    r"(?!(?:please|always|never|only|we|you|i)\b)(?:[\w'./-]+ ){1,5}?(?:closes?|opens?|starts?"
    r"|ends?|begins?"
    r"|expires?|renews?|arrives?|leaves?|goes out|go out|is cut|is due|are due|is sent|are sent|happens)"
    rf"(?: [\w ]{{2,20}})? (?:at|on|in|every|around|after|before|by) {_CLOCK}\b",
    re.IGNORECASE,
)
_MUST_FOR = re.compile(
    r"\b(?:has|have|needs?) to [a-z]+ (?:for|about|around) [^,;]* before (?:you|i|we|it|they|anything)\b"
    r"|\b(?:needs?|takes?|wants?|uses?) (?:at least |about |up to |over )?\d[^,;]* or (?:it|they|the"
    r" [\w-]+) ",
    re.IGNORECASE,
)
_NARRATES = re.compile(
    r"(?:after (?:that|this|a while)|afterwards|by then|from then on|then|meanwhile|at that point|in that"
    r" case)"
    r",? (?:the|it|they|its|this|that|nothing|he|she) (?!.*\b(?:must|should|please|has to|needs to)\b)",
    re.IGNORECASE,
)
_NONE_YET = re.compile(
    r"(?:there (?:are|is) )?no [\w -]{2,40}? (?:since|so far|this (?:morning|week|afternoon)"
    r"|to be (?:seen|found)|left)\b",
    re.IGNORECASE,
)
_I_DID = re.compile(
    r"\bi(?:'ve| have)? (?:just |also |then |now |already |even )?(?:(?!need|feed)\w{2,}ed|ran|tried|did"
    r"|got|had"
    r"|saw|took|put|went|read|found|let|left|made|built)\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:no|not a single|zero|nothing|only|just) ", re.IGNORECASE)
_ONLY_DID = re.compile(
    r"only (?:took|went|came|found|lost|made|cost|ran|broke|got|saw|had|was|were|did|kept|left"
    r"|needed|worked"
    r"|failed|seems?|looks?|feels?|matters?|affects?"
    r"|dies|crashes|breaks|hangs|shows|appears|occurs|triggers|reproduces|hits|leaks|flickers|freezes|lags"
    r"|spikes"
    r"|fires|throws|complains|returns|lasts|takes|kicks|goes|becomes|gets|seems|starts to|stops working)\b",
    re.IGNORECASE,
)
_SYMPTOM = re.compile(
    r"(?:still |again |now |just |random |sporadic )*(?:(?:http )?[45]\d\d|segfaults?|time-?outs?|nan"
    r"|nulls?|errors?"
    r"|exceptions?|crash(?:es)?|oom|panics?|deadlocks?|white screen|blank (?:page|screen)|garbage"
    r"|flicker\w*)"
    r" (?:on|in|at|when|after|with|for|from|if|during|under)\b",
    re.IGNORECASE,
)
_WORKS_BUT = re.compile(
    r"(?!(?:if|when|unless|make sure)\b)(?:[\w'./-]+ ){1,6}?(?:works?|fails?|runs?|builds?|loads?|compiles?"
    r"|crash(?:es)?|breaks?|happens?|appears?|shows? up|renders?|pass(?:es)?)(?: [\w']+){0,3} but (?:only"
    r"|not|never)\b",
    re.IGNORECASE,
)
_BECAUSE_WE = re.compile(
    r"\b(?:we|i|it|they) (?:just |also |only )?(?:\w{2,}ed|lost|ran|broke|had|got|forgot|went|took|left"
    r"|did|was|were)\b"
    r"[^;]*[,;] so $",
    re.IGNORECASE,
)
_THE_HAS_TO = re.compile(r"(?:so )?(?:the|that|this|it) ?(?:[\w-]+ ){0,2}(?:has|needs) to\b", re.IGNORECASE)
"""Behind what happened: what has to be done about it now."""
_YOUR_CODE = re.compile(
    r"(?:you|u) (?:never|always|only|don'?t|do not|dont|still) (?:close|return|handle|free|release|await"
    r"|catch"
    r"|reset|unlock|initiali[sz]e|increment|decrement|unsubscribe|flush|dispose|pass|assign|call|set|read"
    r"|load"
    r"|check|validate|update|parse|cancel|clear|skip|miss|count|compare) (?:the|this|that|it"
    r"|an?) (?!\w+s\b)"
    r"(?!.*\b(?:before|when|if|first$|unless)\b)",
    re.IGNORECASE,
)
""" "You never close the file": what is wrong with the code."""
_WHAT_FOR = re.compile(
    r"\b(?:the|our|my) (?:whole |main |only |basic )?(?:idea|goal|point|aim|purpose|plan|question|problem"
    r"|catch"
    r"|trick|task|job|hope|dream|concept|use case) (?:here |now |of [\w ]{2,30}? |behind [\w ]{2,30}?"
    r" )?(?:is|was)"
    r" (?:that|to|how|whether|so that)\b",
    re.IGNORECASE,
)
_I_SAW = re.compile(
    r"(?<!even )(?<!nervous )(?<!mad )(?<!angry )(?<!sad )\bwhen(?:ever)? i (?!(?:report|say|ask"
    r"|tell|write|approve|send|paste|give|type|mention|call"
    r"|comment|talk|want|need"
    r"|am|'m|can|could|may|review|read|request|speak|point|push back|reply|work|code)\b)[a-z]+\b"
    r"|, (?:i|we) (?:checked|counted|calculated|measured|looked)\b",
    re.IGNORECASE,
)
_WANTS_ONE = re.compile(
    r"(?:i|we)(?:'d| would)? (?:really |also |just )?(?:like|love|want|need)(?: to (?:have|see|get|add"
    r"|build))?"
    r" (?:an?|some) (?!few\b|little\b|bit\b)(?!(?:[\w-]+ )?(?:fix|solution|version|patch|approach"
    r"|workaround) (?:that|which) (?:doesn|does"
    r" not|never|won))[a-z]",
    re.IGNORECASE,
)
_WANTS_SUCH = re.compile(
    r"(?:i|we) (?:just |only |also )?(?:want|need) (?:all|every one of) (?:of )?(?:the|those|these)"
    r" [^,;]*\b(?:where"
    r"|that|which|whose|from)\b",
    re.IGNORECASE,
)
_OF_THINGS = re.compile(
    r"\b(?:on|for|in|with|above|to|at|of|between) (?!(?:the|this|that|my|his|her)\b)(?:[\w-]+"
    r" ){0,2}?[\w-]+s\b"
    r"|\b(?:at the (?:end|top|start|bottom)|over|rather|than|instead|without|more|less|not|no)\b",
    re.IGNORECASE,
)
_OWN_PLAN = re.compile(
    r"i(?:'d| would) (?:rather|prefer to|like to|love to|much rather) (?:be|start|begin|do|finish|look|work"
    r"|continue"
    r"|wait|think|talk|check|try|test|discuss|leave|stop|know|understand|find|hear|sleep"
    r"|read)\b(?!.*\b(?:than"
    r"|instead|always|every|before you)\b)",
    re.IGNORECASE,
)
_OF_ONE_THING = re.compile(
    r"(?:(?:i|we)(?:'m| am|'re| are)? |not |it )?.{0,40}?\b(?:like|love|hate|happy with|fan of"
    r"|fond of|prefer"
    r"|enjoy|dislike|into|keen on|sold on) (?:the|this|that) (?:[\w-]+ )?(?:[\w-]+ (?:of|in|on) (?:the"
    r"|this|that)"
    r" [\w-]+|(?:first|second|last|new|old|current) [\w-]+|result|outcome|output|design|look|name|idea"
    r"|colou?r|layout|logo|animation|feeling|tone)"
    r"(?: yet| so far| at all| any ?more| though)?$",
    re.IGNORECASE,
)
_SPINS = re.compile(
    r"(?:the|this|that) [\w-]+ (?!(?:is|has|lives|runs|listens|stays|sits|needs|targets|uses)\b)[a-z]+s"
    r" (?:up to"
    r"|at|at most|around|about|between|down to|every|within) \d",
    re.IGNORECASE,
)
_BY_SOMETHING = re.compile(
    r"(?!(?:please|always|never|only|all|every|each|any|new)\b)[\w'/ -]{2,40}? (?:is|are|gets?)"
    r" [a-z]+(?:ed|en|nt"
    r"|pt|lt|ne|ad) by (?:an?|the|our|some) (?!.*\b(?:so|leave|keep|must|should|only|please|always"
    r"|never)\b)",
    re.IGNORECASE,
)
_YOUR_WAYS = re.compile(
    r"(?:you|u|we|they) (?:never|always) (?:run into|struggle|wonder|lose|suffer|wait for|disappoint|find"
    r"|manage|surprise|amaze|deliver|save (?:me|my|the day)"
    r"|know|come up"
    r"|impress|seem|end up|overdo|forget|fail|miss|mess)\b(?!.*\b(?:before|when|if|unless)\b)",
    re.IGNORECASE,
)
"""Praise and blame."""
_IT_ALWAYS = re.compile(
    r"(?<!sure )(?<!that )(?<!ensure )(?<!so )(?<!after )(?<!until )\b(?:it|this|that) (?:always|never"
    r"|only) [a-z]+[^s\W]s\b",
    re.IGNORECASE,
)
_SHOWS_TEXT = re.compile(
    r"\b(?:show|display|pop up|flash) (?:an? |the )?(?:x{4,}|(?:error |success )?(?:message|toast|hint"
    r"|dialog|tooltip"
    r"|spinner|banner))\b",
    re.IGNORECASE,
)
_JUST_DO = re.compile(
    r",? (?:and )?just (?:open|look at|read|run|print|try|check|go to) (?:the|it|this"
    r"|that)\b",
    re.IGNORECASE,
)
""" "Don't use grep, just open the file": an order for now."""
_HOLDS_ONLY = re.compile(
    r"[\w'-]+(?: [\w'-]+){0,2} (?:only|just) [a-z]+[^s\W]s [^,;]+, nothing (?:else|more)$", re.IGNORECASE
)
_ASKS_OTHERS = re.compile(r"(?:please |just |so )*ask (?:them|him|her)\b", re.IGNORECASE)
_FINE_AS_IS = re.compile(
    r"\b(?:is|are|looks?) (?:fine|ok(?:ay)?|right|correct|good|alright|needed),? (?:so |and |just |please"
    r" )*(?:keep|leave)"
    r" (?:it|that|them)(?: in| there| as is)?$",
    re.IGNORECASE,
)
""" "That flag is fine, keep it": an answer."""
_SO_IT_IS = re.compile(
    r",? so (?:the|that|this|it|what) ?[\w ]{0,30}? ?(?:is|was|are|were) (?:right|correct|normal|expected"
    r"|fine|wrong"
    r"|intended|ok|by design|to be expected)\b",
    re.IGNORECASE,
)
_CONCLUDED = re.compile(r",? (?:hence|therefore|thus|consequently|that'?s why|which is why)\b", re.IGNORECASE)
_EVERY_SO_MANY = re.compile(
    r"every (?:second|other|third|fourth|few|single other) [\w-]+ (?:[a-z]+s|is"
    r"|has)\b",
    re.IGNORECASE,
)
_MENDING = re.compile(r"\bneeds? (?:some )?[a-z]+ing$", re.IGNORECASE)
""" "Just the imports need fixing": work to be done."""
_MY_HABIT = re.compile(
    r"(?:i|we) (?:normally|usually|often|sometimes|mostly) [^,;]+ for (?:that|this"
    r"|it)$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:my|our|the|this|that) (?:[\w-]+ ){1,3}?(?:is|are) (?:\w+ )?(?:behind|ahead of|off|over"
    r"|short) [^,;]*\bby\b",
    re.IGNORECASE,
)
_ONE_NEEDS = re.compile(
    r"(?!the moment\b)(?:the|this|that|my|these|those) (?:[\w-]+ ){1,3}?needs? (?:an? (?!(?:test|review"
    r"|changelog"
    r"|approval|sign-?off|docstring)\b)"
    r"|at least|about|more|some|\d)",
    re.IGNORECASE,
)
_ASK_SOMEBODY = re.compile(
    r"(?:please |just |so )*ask (?!me\b|us\b|first\b"
    r"|before\b)(?:the )?[\w-]+(?: (?:about|for) (?:it|that|this))?$",
    re.IGNORECASE,
)
_WOULD_BE_NICE_HERE = re.compile(
    r"(?:an?|some|the|this|that) [^,;]+ would be (?:nice|good|great|cool"
    r"|useful|helpful)(?: here| there| now)?$",
    re.IGNORECASE,
)
_NAMED_SO = re.compile(
    r"(?:the )?(?:do not|don'?t|never|always|no|only|must)[- ][a-z]+(?:[- ][a-z]+)? (?:mode|flag|list"
    r"|type|page|header|banner|button|option"
    r"|setting|policy|checkbox|keyword|rule|branch|case) (?:is|was|has|does|doesn'?t|keeps|shows|breaks"
    r"|confuses|seems|makes)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:(?:and|but|so|in|on|at|for) )?(?P<what>(?:every|each)(?: (?!(?:of|that|which|who|with"
    r"|without)\b)[\w'/.-]+){1,3}?)"
    r"(?: (?:in|of|on|for|from|under|inside|with) [^,;]{2,30}?)? (?:(?:always|also"
    r"|only|usually|still) )?(?!(?:needs|gets) (?:an?|its|at least|exactly|one|two)\b|its\b)(?:is|has"
    r"|[a-z]+[^s\W]s)\b(?! to\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:must|should|shall|please|pls|only|never|always|from (?:now|here) on|we|you|own (?:commit"
    r"|branch|pr"
    r"|file|folder|module)|unless|except|instead)\b",
    re.IGNORECASE,
)


_TOLD_IN_SENTENCE = AnyOf((_WONDERS, _WHAT_FOR, _I_SAW, _AND_TAKE, _SHOWS_TEXT, _MUST_FOR))
_SENTENCE_TELLS = AnyOf((_WORKS_BUT, _SYMPTOM, _IN_A_LANGUAGE))
_CLAUSE_TELLS = AnyOf(
    (
        _ONLY_DID,
        _STANDS_AT,
        _TIMETABLE,
        _NARRATES,
        _YOUR_CODE,
        _SPINS,
        _YOUR_WAYS,
        _IS_RELEASED,
        _FOR_THE_YOU_NEED,
        _BY_SOMETHING,
        _OWN_PLAN,
        _OF_ONE_THING,
        _WANTS_SUCH,
        _HOLDS_ONLY,
        _ASKS_OTHERS,
        _EVERY_SO_MANY,
        _WOULD_BE_NICE_HERE,
        _NAMED_SO,
        _BEHIND,
        _ONE_NEEDS,
        _ASK_SOMEBODY,
        _MY_HABIT,
    )
)
_TOLD_IN_CLAUSE = AnyOf((_MENDING, _ABLE, _IT_ALWAYS, _FINE_AS_IS))


def is_told(clause: str, sentence: str) -> bool:
    """How something stands, runs by the clock, came out or behaves, in words that no rule is told in."""
    if _TOLD_IN_SENTENCE.is_in(sentence) or _SENTENCE_TELLS.begins(sentence):
        return True
    if _CLAUSE_TELLS.begins(clause) or _TOLD_IN_CLAUSE.is_in(clause):
        return True
    if _WANTS_ONE.match(clause) and not (LASTS.search(sentence) or _OF_THINGS.search(clause)):
        return True
    return _is_told_around(clause, sentence) or _is_general(clause)


def _is_told_around(clause: str, sentence: str) -> bool:
    """By what stands before it or goes on behind it."""
    at = max(0, sentence.find(clause))
    end = at + len(clause)
    said = _SAID_BUT.match(sentence, at)
    if said is not None and said.end() > end:
        return True
    before = sentence[:at]
    if _THE_HAS_TO.match(clause) and _BECAUSE_WE.search(before):
        return True
    if _NONE.match(clause) and _I_DID.search(before):
        return True
    if _JUST_DO.search(sentence, at) or _NONE_YET.match(sentence, at):
        return True
    if _DEFINITE.match(clause) and _THAT_IS_FINE.match(sentence, end):
        return True
    return bool(_SO_IT_IS.match(sentence, end) or _CONCLUDED.match(sentence, end))


def _is_general(clause: str) -> bool:
    """What every one of some things is or does."""
    generic = _GENERIC.match(clause)
    return bool(generic and not IS_WORK.search(generic["what"]) and not _ASKS.search(clause))
