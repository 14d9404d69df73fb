"""English clauses in the form of a rule that are said beside it: an outcome, a date, a step, a choice."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_one_off import LASTS
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.memory.capture.needed import AnyOf

_FOUND_THERE = re.compile(
    r"(?:any|anything|everything|every|all|whatever)\b[^,;]*? (?:you|we|i) (?:may |might |can "
    r"|will )?(?:find|see"
    r"|get|notice|come across|stumble (?:on|over|upon)|spot)\b[^,;]* (?:is|are|comes?|belongs?) ",
    re.IGNORECASE,
)
_ARE_JUST = re.compile(
    r"(?:any|anything|everything|every|all|most)\b[^,;]*? (?:is|are) (?:just |only |all |probably "
    r"|mostly )*(?:test data"
    r"|leftovers?|fakes?|dummy|dummies|from|known|expected|wrong|duplicates?|legacy|garbage|noise|empty"
    r"|obsolete|old"
    r"|broken|missing|gone|back|red|green|fine|copies|placeholders?|samples?|generated|mine|theirs)\b",
    re.IGNORECASE,
)
_DO_ONLY = re.compile(
    r"(?:please |now |then |just )*(?:fix|run|do|delete|show|check|open|test|merge|rename|update|rerun"
    r"|print|remove)"
    r" (?:the|this|that|these|those) [^,;]{2,40} only$",
    re.IGNORECASE,
)
_TWO_VALUES = re.compile(
    r"\b(?:is|are|runs?|was) [^,;]*?(?:,| and| but| while)+ (?:on )?(?:the )?(?:staging|prod\w*|dev|local"
    r"|test|ci|mine|the other"
    r"|here)(?: one)? (?:is|are|runs?|has|still|it's) "
    r"|\b\d[\w.]* (?:on|in) (?:prod\w*|staging|dev|ci|test|the [\w-]+) (?:and|but|,) \d[\w.]* (?:here|on|in"
    r"|locally|for)\b",
    re.IGNORECASE,
)
_BUT_IS = re.compile(
    r"\b(?:must|should|has to|needs to) [^,;]*, (?:but )?(?:you|it|they|we)(?:'re)? (?:pass|send|give"
    r"|return|store|hand|get"
    r"|put)(?:s|es|ing)? (?:an?|the|it|null|nothing)\b",
    re.IGNORECASE,
)
_SHRUGS = re.compile(
    r"\bbut (?:whatever|hey|who cares|that'?s just me|i can live with (?:it|that)|up to you|do what you)\b"
    r"|\botherwise (?:you get |i get |it'?s )?(?:an? )?[45]\d\d\b",
    re.IGNORECASE,
)
_PRAISED = re.compile(
    r", (?:nice|neat|great|lovely|cool|well done|good job|(?:that )?looks (?:right|good|great"
    r"|nice)(?: now)?)\W*$"
    r"|, (?:and )?that'?s (?:why\b|what (?:makes|causes|breaks|kills|slows)\b|the (?:bug|deadlock|problem"
    r"|issue|reason"
    r"|culprit|leak|cause)\b)",
    re.IGNORECASE,
)
_WISHED_WORKED = re.compile(
    r"\bif (?:it|this|that) (?:just |finally |only )?(?:worked|works|compiled|ran|stopped|was|were|did)\b",
    re.IGNORECASE,
)
_NO_DATA = re.compile(
    r"no (?:data|entries|rows|values|points|results|output|text|content)s? (?:in|on|at|for) (?:the |this "
    r"|that )?(?:chart"
    r"|table|panel|page|tab|column|graph|dashboard|response|screen|list|plot|view)\b",
    re.IGNORECASE,
)
_LIES_THERE = re.compile(
    r"(?:the |all |both )*(?:[\w-]+ )?(?:snapshots|logs|dumps|screenshots|traces|recordings|results|backups"
    r"|mockups"
    r"|designs|details|slides|numbers) (?:are|is) (?:all |also |now )*(?:in|on|under|at|attached|here"
    r"|there)\b"
    r"(?!.*\b(?:never|only|must|not)\b)",
    re.IGNORECASE,
)
_THERE_ARE = re.compile(r"there(?:'s| is| are) [^:]*:", re.IGNORECASE)
_NOTHING_DID = re.compile(
    r"nothing (?:worked|happened|changed|moved|helped|failed|came|went|got|showed|broke|was"
    r"|could)\b",
    re.IGNORECASE,
)
_RECENTLY = re.compile(
    r"\b(?:yesterday|last (?:night|week|month)|this morning|(?:days?|weeks?|months?"
    r"|hours?) ago)\b",
    re.IGNORECASE,
)
_IS_SO = re.compile(r"(?:[\w-]+ ){1,4}(?:is|are) (?:out|gone|in|on|off|back|done|dead|live)$", re.IGNORECASE)
_BAD_SO_MEND = re.compile(
    r"(?:the|this|that|these|those) [^,;]*? (?:is|are|looks?|feels?) (?:\w+ )?[a-z]+, (?:so |please "
    r"|can you |just )*"
    r"(?P<order>[a-z-]+) (?:it|that|this|them|those)(?: up| down| out)?(?: please)?\W*$",
    re.IGNORECASE,
)
_KEEPS = frozenset(("leave", "keep", "respect", "follow", "use", "obey", "preserve"))
_IS_AWAY = re.compile(
    r"(?:(?-i:[A-Z][a-z]+)|my \w+|(?:he|she|they|the (?:boss|team|lead))) (?:is|are) (?:out|off|away|gone)$",
    re.IGNORECASE,
)
_FAILS_WITH = re.compile(
    r"(?!(?:i|we|you|please|no|never)\b)(?!.*\b(?:not|never|must|should|only|n't|argument|parameter|option"
    r"|handler"
    r"|message|type|class|field|page)\b)(?:[\w'-]+ ){1,6}?(?:gives?|returns?|gets?|throws?|ends"
    r" (?:up )?(?:in|with))"
    r" (?:an? |the )?(?:[45]\d\d|errors?|timeouts?|exceptions?|blank|null|nan|stack ?trace)\b",
    re.IGNORECASE,
)
_LETS_MAKE = re.compile(
    r"let'?s (?:now |first |also )?(?:write|build|draft|create|do|start|make|add|set up|implement|plan"
    r"|sketch)"
    r" (?:the|an?|this|that|those|up) ",
    re.IGNORECASE,
)
_BUT_SO = re.compile(r"\b(?:instead|rather|without|not|no|only|never)\b", re.IGNORECASE)
_TOLD_TWICE = re.compile(
    r"(?:(?:the|our|my|their) )?(?:[\w-]+ ){1,3}?(?:is|are|runs?|has|sits?|lives?|stands?) [^;]*? and "
    r"(?:(?:is |are |gets? )?(?:published|deployed|reset|backed|restarted|rebuilt|refreshed|synced|pulled"
    r"|pushed"
    r"|scaled|served|owned|managed|maintained|hosted)\b"
    r"|(?:resets|publishes|restarts|syncs|rebuilds|pulls|pushes|sends|scales|reads|writes|serves|refreshes"
    r"|wakes"
    r"|polls|answers|feeds|mirrors|collects|expires|rotates|renews|deletes|drops|cleans) (?:its|the|their"
    r"|each"
    r"|every|at|on|to|all|itself|from|into|up)\b"
    r"|(?:the|its|our|their) (?:[\w-]+ ){1,3}?(?:sits?|lives?|runs?|hangs?|stands?) )",
    re.IGNORECASE,
)
_GRANTS = re.compile(
    r"\b(?:gives?|lets?|allows?|grants?|offers?|charges?|bills?) (?:you|us|me|them|everyone)"
    r" (?:only )?(?:at most"
    r"|at least|up to|max|maximum)\b",
    re.IGNORECASE,
)
_NUMBERED_RUN = re.compile(
    r"(?:the )?(?:[\w-]+ )?(?:run|build|job|pipeline|ticket|issue|request|order|commit|try|attempt"
    r"|batch) #?\d+"
    r" (?:had|has|took|failed|passed|gave|got|is|was|shows?|crashed|hung|died|ended)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?!(?:please|pls|don'?t|do|no|not|nobody|nothing|never|only|just|use|run|keep|until|till|before|leave"
    r"|if"
    r"|when|by|freeze|hold|wait|commit|push|deploy|as|from|since|starting)\b)(?!.*\b(?:until|till|only|freeze"
    r"|before)\b)(?:[\w-]+ ){1,4}?"
    r"(?:tonight|tomorrow|today|next week|at noon|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|this"
    r" (?:morning"
    r"|afternoon|evening|\w+day))\b",
    re.IGNORECASE,
)
_FROM_DAY = re.compile(r"freeze from (?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)
_PROGRESS = re.compile(
    r"\b(?:we'?re|we are|i'?m|i am|now|still|currently|already) (?:at|on|through) (?:[\w-]+ )?\d+ (?:of"
    r"|out of|/)"
    r" ?\d+\b",
    re.IGNORECASE,
)
_NEEDS_THAT = re.compile(
    r"(?!(?:please|always|you|we|i)\b)(?:[\w'-]+ ){1,4}?(?:expects?|uses?|needs?|reads?|wants?|assumes?"
    r"|rel(?:y|ies) on|depends? on) (?:exactly |just |only )?(?:that|it|this|them)(?: one| file| port"
    r"| name)?$",
    re.IGNORECASE,
)
_LOOK_AND_GIVE = re.compile(
    r"(?:please |now |then |just )*(?:check|look|find|search|go through|read|scan|see|grep|query|count"
    r"|collect"
    r"|gather) [^,;]+ and (?:then )?(?:give|send|show|tell|list|get|paste|post|report)\b",
    re.IGNORECASE,
)
_MOVES_ALL = re.compile(
    r"(?:please |now |then |just )*(?:move|copy|port|migrate|convert|rename|translate|transfer|change)"
    r" (?:everything"
    r"|all of (?:it|them)|it all|them all|the [\w -]{2,30}?) from [^,;]+ to [^,;]+ and (?:then )?(?:fix"
    r"|update|adjust"
    r"|delete|remove|check|run|tell|correct|redirect|rebuild)\b",
    re.IGNORECASE,
)
_WENT = re.compile(
    r"(?!(?:anything|everything|whatever|what|code|stuff)\b)(?:the |our |my )?(?:(?!that\b|which\b"
    r"|who\b)[\w-]+"
    r" ){1,3}?(?:went|came|took|broke|fell|rose|grew|lost|met|froze|began|became) ",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"(?!(?:if|when|once|unless|whatever|anything|everything|nothing)\b)(?:(?!that\b"
    r"|which\b)[\w-]+ ){1,4}?(?:takes|costs"
    r"|lasts|weighs) (?:about |only |just |at least |around )?\d",
    re.IGNORECASE,
)
_BUILDS = re.compile(
    r"(?:(?:now|then|next|please|ok|so|also|and),? )*(?:build|create|add|write|make|implement|generate"
    r"|design)"
    r" (?:me )?(?:the|an?|another|one|new) ",
    re.IGNORECASE,
)
_OF_WHAT_IS_BUILT = re.compile(
    r"(?:(?:exactly )?(?:one|1|a single|two) (?:row|column|line|page|button|tab|card|slide|chart|entry|bar"
    r"|section"
    r"|record|cell|tile|dot|marker|item|box|tick)s? per |(?:left |inner )?(?:join|filter|group|sort|order"
    r"|aggregate"
    r"|sum|count|pivot|rank) )",
    re.IGNORECASE,
)
_IS_RULE = re.compile(
    r"\b(?:never|always|must|only|please|without|don'?t|no|not|everywhere)\b", re.IGNORECASE
)
_TROUBLE = re.compile(
    r"\b(?:don'?t|do not|dont) (?:want|need) (?:any |more |nasty )*(?:surprises|trouble|problems|drama"
    r"|headaches"
    r"|excuses|bad news|accidents|regrets|complaints)\b",
    re.IGNORECASE,
)
_MAKES_ME = re.compile(
    r"(?-i:[A-Z]{2,6}|[A-Z][a-z]+) (?:always )?(?:gives me|drives me|makes me|scares me|bores me|tires me)\b",
    re.IGNORECASE,
)
_ANNOYS = re.compile(
    r"(?:(?:also|and|but|btw|oh|plus),? )*(?:the|this|that) [^,;]*? (?:(?:drives?|makes?|gives?) me|annoys me"
    r"|bothers me|gets on my nerves)\b[^;]*[,;] (?:please |so )?(?:fix|change|rename|correct|mend|remove)"
    r" (?:it|that|this)\b",
    re.IGNORECASE,
)
_ONLY_THERE = re.compile(
    r"(?:only|just|always) (?:in|on|with|under|at|for|when|after|during|from) ", re.IGNORECASE
)
_ASKS = re.compile(
    r"\b(?:must|should|please|pls|never|always|don'?t|do not|no|nothing|goes?|belongs?|stays?|needs?|has to"
    r"|have to|keep|use|allowed|may|can)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?!(?:i|we|you) )(?:[\w'-]+ ){1,5}?(?:is|are|has|have|shows?|looks?|feels?|gets?|[a-z]+[^s\W]s|spawn"
    r"|crash"
    r"|fail|flicker|happen|appear|disappear|jump|hang|break|overlap|freeze|drop|lag|blink|move|die|leak"
    r"|load)\b ?",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b[^?]*\?", re.IGNORECASE)
_THE_ONE = re.compile(
    r"(?:(?:the|just|rather|then|i'd say|let'?s (?:do|take|go with)|go with|take) )*(?:one|first|second"
    r"|former"
    r"|latter|both|neither|either|option \w+|[ab12])\b(?! (?:commit|pr|file|test|function|class|line|thing"
    r"|change)"
    r"s? (?:per|at|for|in)\b)",
    re.IGNORECASE,
)
_BESIDE = AnyOf(
    (
        _FOUND_THERE,
        _ARE_JUST,
        _LIES_THERE,
        _THERE_ARE,
        _NOTHING_DID,
        _NO_DATA,
        _IS_AWAY,
        _DO_ONLY,
        _FAILS_WITH,
        _NUMBERED_RUN,
        _DATED,
        _FROM_DAY,
        _NEEDS_THAT,
        _LOOK_AND_GIVE,
        _MOVES_ALL,
        _COSTS,
        _TOLD_TWICE,
        _MAKES_ME,
    )
)
_BESIDE_WITHIN = AnyOf((_GRANTS, _PROGRESS, _TROUBLE, _WISHED_WORKED))
_TOLD_WITH_IT = AnyOf((_TWO_VALUES, _SHRUGS, _BUT_IS))


def is_aside(clause: str, sentence: str, before: str) -> bool:
    """Whether it tells what came out, when something is, what is next; `before`: the sentence before."""
    if _BESIDE.begins(clause) or _BESIDE_WITHIN.is_in(clause):
        return True
    if _TOLD_WITH_IT.is_in(sentence) or (_PRAISED.search(sentence) and not _IS_RULE.search(sentence)):
        return True
    if _LETS_MAKE.match(clause) and not (LASTS.search(sentence) or _BUT_SO.search(sentence)):
        return True
    if _WENT.match(clause) and clause.split(" ", 1)[0].lower() not in ORDERS:
        return True
    if _BUILDS.match(sentence) and _OF_WHAT_IS_BUILT.match(clause) and not _IS_RULE.search(clause):
        return True
    if _ONLY_THERE.match(sentence) and _STATES.match(before) and not _ASKS.search(before):
        return True
    if _IS_SO.match(clause) and _RECENTLY.search(sentence):
        return True
    mended = _BAD_SO_MEND.match(sentence)
    if mended and mended["order"].lower() in ORDERS - _KEEPS:
        return True
    return "me" in clause and _ANNOYS.match(sentence) is not None


def is_choice_offered(plain: str, agent_before: str) -> bool:
    """Whether it takes one of two things that the agent asked about: "A or B?", "the second"."""
    tail = agent_before[-400:]
    if "?" not in tail or _IS_RULE.search(plain):
        return False
    return _THE_ONE.match(plain) is not None and _EITHER.search(tail) is not None
