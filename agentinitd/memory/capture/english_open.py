"""English rules told with any verb and any noun: standing orders, general needs, limits, and choices.

What makes a rule of them is not their words but that they speak in general: of things without an article, of
every one, of whatever may come, or of what else is not to be.
"""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import LANGUAGE, form
from agentinitd.memory.capture.english_verbs import ORDER, THIRD_PERSON

_NOT_HEADS = (
    r"(?:it|this|that|these|those|there|here|he|she|they|we|i|you|what|which|who|why|how|if|when|where"
    r"|because|and|but|or|so|not|no|yes|ok|okay|something|someone|everyone|people|users?|clients?|is|are"
    r"|was|were|thanks|still|now|then|my|your|his|her|some|most|many|says?|said|shows?|gets?|got|it's"
    r"|just not"
    r"|has|have|had|does|did)"
)
WHAT = rf"(?P<subject>(?!{_NOT_HEADS}\b(?!-))[^,;:?]{{2,70}}? )"
THINGS = (
    rf"(?!{_NOT_HEADS}\b(?!-))(?!(?:the|a|an|nobody|those|these|both|two|three|four|other)\b)(?:(?!(?:has"
    rf"|is|was|does|of|to|in|are"
    rf"|have)\b)[\w/.-]+ ){{0,2}}"
    r"(?!(?:has|is|was|does|this|always|us|as|its|yes|perhaps|sometimes|goes|gets)\b)[\w-]+[a-rt-z]s"
)
"""Things in general: plural, and without an article."""
_DO = r"(?:(?:please|pls|always|just|also|only|then|first|so|you|you must|you should|you have to|let'?s) )*"
_NO_IT = r"(?! (?:it|that|this|them|those|these|here|there)(?: (?:again|now|please|here|there))?$)"
_OBJECT = (
    r"(?= (?:the|an?|it|them|me|us|all|any|every|each|no|one|back|to|for|up|on|off|with|without|as|in|into"
    r"|at|from|and|my|our|your|[a-z-]+s|\d+|x{2,})\b|$)"
)
_SHOWS = r"(?!(?:show|display|list|print|highlight|render|select|filter|count|find|look|get|give|fetch)\b)"
_WHENEVER = (
    r"(?:if|when|whenever|in case|once|should|where|wherever|unless|as soon as|every time|each time|any time"
    r"|before|after|until)"
)
_NOT_PERSON = r"(?!(?:i|he|she|they|we|the user|a user|users|that|this|so|possible|needed|necessary|not)\b)"
_MUST = (
    r"(?:needs?|requires?|gets?|must|has to|have to|should|goes|go|comes?|belongs?|deserves?|is to|are to"
    r"|want"
    r"|takes?|carry|carries|wants?)"
)
_NOT_DONE = (
    r"(?! (?:be |to be |get )?(?:fixed|updated|changed|moved|removed|added|cleaned|done|finished|rewritten"
    r"|merged|replaced|refactored|able|restarted|rerun|work|help|fixing|updating|cleaning|stuck|lost|slow"
    r"|broken|null|there|enough|possible|fine|ok|better|wrong|missing|some|more time)\b)"
)
_LATER = (
    r"(?:this (?:one )?(?:time|once|round|run|one)|for (?:now|today|the moment|the time being|this (?:one"
    r"|once|run|time|round|commit|pr))|just now|right now|tonight|today|until [\w' ]{2,30}|till [\w' ]{2,30}"
    r"|yet|just once|in this round|while (?:we|i)(?:'re|'m| are| am) [\w' ]{2,30})"
)
_NOT_THERE = (
    r"[^,;]{1,50}?(?:,? (?:and |but )?(?:not|never)|,? rather than|,? instead of|,? in place of)"
    r" (?!(?:a|that|this|it)\b)[^,;]{2,50}$"
)
_ONCE_ONLY = (
    r"(?:move|rename|remove|delete|drop|copy|change|replace|convert|switch|swap|strip|hide|extract|cut"
    r"|paste|fix"
    r"|turn|make|let|tell|ask|see|look|try|think|go|come|be|mind|mean|know|expect|open|show|compare|give"
    r"|stop)"
)

OPEN = (
    form(
        "open-whenever",
        rf"{_WHENEVER}\s{_NOT_PERSON}(?:(?!(?:i|we|he|she|they|was|were|did)\b)[^\s,;]+ ){{2,14}}?"
        r"(?!(?:the|an?|to|and|or|i|we|you|they|it|that|which|can|could|will|would|may|might|must|should|not"
        r"|no"
        rf"|of|in|on|with|for|any|new|every|each|this|is|are|be)\b)[^\s,;]+ {_DO}{ORDER}\b{_NO_IT}{_OBJECT}"
        r"(?! (?:page|button|error)\b)",
        confidence=0.75,
    ),
    form(
        "open-in-case",
        rf"(?:in (?:case )?(?:of )?doubt|between [\w -]{{2,30}}?|on the (?:first|last|slightest|next"
        rf"|second) [\w-]+|in case of [\w -]{{2,40}}?|on (?:an? |any )[\w -]{{2,40}}?|given the"
        rf" choice|for (?:risky|big|large|small|new|breaking|longer|larger) [\w -]{{2,40}}?|with (?:new|big"
        rf"|risky) [\w -]{{2,40}}?),? {_DO}{ORDER}\b{_NO_IT}[^;]*",
        confidence=0.75,
    ),
    form(
        "open-topic-order",
        r"(?:anything|everything|whatever|every|each|any|all|new) (?!i\b|we\b|is\b|are\b|the\b)[^,;]{3,60}, "
        rf"{_DO}{ORDER}\b{_NO_IT}[^;]*",
        confidence=0.75,
    ),
    form(
        "open-general-need",
        rf"(?:every|each|any|all|new) (?!i\b|we\b|one\b|is\b|are\b|of (?:the|these"
        rf"|those)\b)[^,;:?]{{2,70}}? "
        rf"{_MUST}{_NOT_DONE} (?!\w+ing\b)[^,;]+"
        rf"|(?P<subject>(?!errors|exceptions|requests)(?:{THINGS}) (?:to|in|of|for|from|that|which|with"
        rf"|under|on|without"
        rf"|by) [^,;:?]{{2,50}}? )"
        rf"(?:needs?|requires?|must|have to|has to|should|get|go|are to){_NOT_DONE} [^,;]+"
        r"|(?:every|each|any) [\w-]+(?: [\w-]+)? (?:wears|bears|ships with|is followed by|starts with"
        r"|ends with|fits|covers|ends in) (?!been|to do|got|no |the (?:same )?(?:error|bug|problem))[^,;]+",
        confidence=0.75,
    ),
    form(
        "open-change-need",
        r"(?:whenever|when|if|every time|each time|as soon as|wherever|where) (?:an?|any|the|our|every|new) "
        r"[^,;]{2,50}?,? (?:the|our|an?|its|there) (?:[\w-]+ ){0,3}?(?:gets?|needs?|must|has to|have to"
        r"|should"
        rf"|goes|is to){_NOT_DONE} [^,;]+",
        confidence=0.75,
    ),
    form(
        "open-fine-if",
        rf"{WHAT}(?:is|are) (?:only )?(?:fine|ok(?:ay)?|allowed|acceptable|permitted|welcome|good|possible) "
        r"(?:as long as|so long as|provided|only (?:if|when|in|for|with|under|inside|after)|if and only if"
        r"|on condition) [^,;]+",
        confidence=0.75,
    ),
    form(
        "open-only-things",
        rf"only (?!{THIRD_PERSON}\b)(?!(?:the|one|two|three|a|an|if|when|then|because|i|we|you|he|she|god"
        rf"|thing"
        r"|problem|question|reason|after|before|now|last|on|in|at|by|for|is|was|it|this|that|some|\d+"
        r"|\w+ed|saw|got|had)\b)"
        r"(?:[\w./+-]+ ){0,5}?[\w./+-]+s(?: (?:for|in|on|as|with|from|inside|under|at|to|please|here|anywhere"
        r"|allowed)(?: [^,;]{2,40})?)?$",
        confidence=0.75,
    ),
    form(
        "open-may-only",
        rf"{WHAT}(?:may|must|should|shall|is to|are to|has to|have to|needs? to)(?: ever)? (?:only"
        rf"|exclusively"
        r"|solely|just|at most) [a-z]+[^,;]*",
        confidence=0.8,
        cue=r"only|exclusively|solely|just|at most",
    ),
    form(
        "open-one-and-only",
        rf"{WHAT}(?:is|are) (?:our |the )?(?:one and only|only|sole|single) (?!(?:one|problem|issue|thing"
        r"|reason|difference|bug|error|way)\b)[a-z][^,;]*(?:here|we|you|allowed|there|store|tool|library"
        r"|source"
        r"|database|db|backend|client|logger|runner|manager|format|language|branch|entry|dependency|framework"
        r"|target|driver|engine|package|editor|server)\b[^,;]*",
        confidence=0.75,
        cue=r"only|sole|single",
    ),
    form(
        "open-x-alone",
        r"(?!(?:it|that|leave|let|i|we)\b)[\w./-]+ (?:is|are|with|by|via|in|on|through|use|uses|means) "
        r"(?P<name>[\w./-]+) and (?P=name) (?:alone|only)$|(?:you|u) (?:only )?(?:get|have|may)[^,;]+,? "
        r"(?:that'?s (?:it|all)|nothing (?:more|else)|and no more)$",
        confidence=0.75,
    ),
    form(
        "open-x-no-y",
        rf"(?!{_NOT_HEADS}\b)(?!(?:all|good|nice|done|same|nothing|looks?|still|great|cool|perfect|fine"
        rf"|the|h+m+|well|oh|ah|uh|um|wait|sorry|actually)\b)"
        rf"(?:just |only |plain |pure |simply )?(?:(?!(?:will|would|can|could|is|are|be|that|which|it|them"
        rf"|this|has"
        rf"|have|do|does|did|me|you|i|we|make|again)\b)[\w./+#-]+ ){{1,5}}(?:no|not|without) (?:an? |any "
        rf"|the )?(?!(?:it|this|that|yet|sure|now|idea|luck|problem|errors?|change|effect|difference|matter"
        rf"|so"
        r"|too|really|very|working|there|need|needed|worries|rush|output|response|found|set|ready|valid|null"
        r"|up"
        r"|empty|possible|available|able|in|on|at|\w+ed|\w+ing)\b)[\w./+#`-]+"
        r"(?: [\w./+#`-]+)?$",
        confidence=0.65,
    ),
    form(
        "open-still-banned",
        rf"(?:the |our )?(?!{_NOT_HEADS}\b)[\w./-]+(?: [\w./-]+){{0,3}} (?:still |also |too "
        rf"|again )*(?:not allowed"
        r"|off[ -]limits|forbidden|untouchable|taboo|banned|not to be [a-z]+|hands off|out of bounds"
        r"|verboten)"
        r"(?: (?:please|though|here|anywhere|in here|for now))*$",
        polarity="do_not",
        confidence=0.75,
        cue=r"not|off|forbidden|untouchable|taboo|banned|out|verboten",
    ),
    form(
        "open-language-again",
        rf"(?:back to |only )?{LANGUAGE} (?:again|now|please|from now on|instead|everywhere|as before)"
        rf"(?: (?:please|now|again))*$|back to {LANGUAGE}\b",
        confidence=0.75,
    ),
    form(
        "open-things-get",
        rf"(?P<subject>(?:all )?{THINGS} )(?:get|carry|bear|wear|follow|share|take|need) (?:the|an?|their"
        rf"|our"
        r"|exactly|at least|at most|\d|two|one|three) (?!(?:404|500|error|bug|crash|while|bit|lot|wrong)\b)"
        r"(?:same )?[\w-]+[^,;]*",
        confidence=0.65,
    ),
    form(
        "open-quality",
        rf"{WHAT}(?:needs? to|must|has to|have to) be(?: (?:a|an|the|fully|always|both|easy|at least|as))* "
        r"(?!(?:a (?:bug|typo|problem|mistake|reason|way|race|joke)|\w+ed|rewritten|done|redone|rerun|built"
        r"|able"
        r"|there|some|something|because|in|on|off|up|down|wrong|missing|another|different|why|the (?:cause"
        r"|reason|problem|bug))\b)[a-z-]+[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_works')}(?:should|must|needs? to|has to|have to) (?:also "
        rf"|still "
        r"|always )?(?:work|run|compile|behave|build|look good|be usable|be readable|render|stay usable|hold"
        r"|fit|finish|start|load|respond|return|survive) (?:in|on|with|without|under|at|offline|for|the same"
        r"|within|inside|across|even|from|below)\b[^,;]*"
        r"|(?:it|this|everything) (?:all )?(?:should|must|needs? to|has to|have to) (?:also |still |always )?"
        r"(?:work|run|compile|behave|build|be usable|render|stay|fit|support|be compatible|finish) (?:in|on"
        r"|with|without|under|offline|within|inside|across|even|below|under|up)\b(?! (?:it|this|that|line)\b)"
        r"[^,;]+",
        confidence=0.75,
    ),
    form(
        "open-sure-all",
        r"(?:please )?(?:make|be) sure (?:that )?(?:all|every|each|any|both|new|everything)\b(?! tests? "
        r"(?:pass|run|are))[^,;]+",
        confidence=0.8,
    ),
    form(
        "open-things-run",
        r"(?P<subject>(?!(?:those|these|the|my|your|some)\b)(?:[\w-]+ )?(?:tests|builds|jobs|scripts"
        r"|benchmarks|specs|checks|migrations|deploys"
        r"|experiments|queries|reports|exports|backups|trainings|simulations|releases) )(?:run|go|happen"
        r"|start"
        r"|are run|are done|are started) (?:without|with|against|in|on|under|from|inside|by|via|through|at"
        r"|only"
        r"|after|before|every) (?!(?:the same|it|no|\d+ (?:errors|failures)|errors|failures|my)\b)[^,;]+",
        confidence=0.65,
    ),
    form(
        "open-once-not",
        rf"(?:we(?:'re| are) |you(?:'re| are) |i(?:'d| would) (?:rather )?|please )?(?:not|no|without|skip"
        rf"|hold"
        rf"|leave|ignore|omit|let'?s wait with|wait with|hold off|let'?s skip|let'?s leave)\b(?! (?:it|that"
        rf"|this"
        rf"|them|sure|working|found|seen)\b)(?: \w+ing)? [^,;]+? {_LATER}$"
        rf"|{_LATER},? (?:not|no|without|skip|leave|ignore|hold|omit|don'?t|do not)\b(?! (?:it|that"
        rf"|this)$)[^;]+",
        polarity="do_not",
        confidence=0.75,
    ),
)
ORDERED = (
    form(
        "open-only-when",
        rf"{_DO}(?P<order>[a-z-]+) (?!(?:it|this|that|them)\b)[^,;]{{2,70}}? only (?:when|if|after|before"
        rf"|with|in|on|for"
        r"|via|through|once|where|as|by|to|from|under|inside)\b[^,;]+"
        rf"|{_DO}only {_SHOWS}(?P<order_only>[a-z-]+) (?!(?:it|this|that|them)\b)(?!(?:the|one) (?:last"
        rf"|first|second|failing"
        rf"|other)\b)"
        rf"[^,;]+|{_DO}{_SHOWS}(?P<only_order>[a-z-]+) only (?!(?:once|then|one (?:of|more)|the (?:last"
        rf"|first|second"
        rf"|failing)|this"
        r"|that)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "open-one-for",
        r"(?:just |only |exactly |(?P<order>[a-z-]+) )?(?:a single|exactly one|just one|only one"
        r"|one) [\w-]+(?: [\w-]+)? "
        r"(?:for|per|in|across) (?:the (?:whole|entire)|every|each|all|any|logical|[\w-]+$)(?: [\w-]+)*$",
        confidence=0.75,
    ),
    form(
        "open-order-not",
        rf"{_DO}(?P<order>[a-z-]+) (?!(?:it|that|this|them|me|sure)\b)[^,;]{{2,60}}?,? (?:and |but )?(?:not"
        rf"|never) (?:in|on"
        r"|at|with|from|to|via|by|under|into|through|against|inside|as|as an?|just) (?:the |an? |any )?"
        r"[\w./`-]+(?: [\w./`-]+){0,3}$",
        confidence=0.7,
        cue=r"not|never",
    ),
    form(
        "open-source",
        rf"{_DO}(?!{_ONCE_ONLY}\b)(?P<order>[a-z-]+) (?!(?:it|that|this|them|me)\b)(?:[^\s,;]+ ){{1,8}}?"
        rf"(?:from|via|through|against|off|relative to) {_NOT_THERE}"
        rf"|{_DO}(?:clone|build|deploy|ship|restore|branch|release|boot|bootstrap|seed|rebase|sync|test|run"
        rf"|work|import|install|read|load|publish) (?:from|via|through|against|off|on) {_NOT_THERE}",
        confidence=0.75,
        cue=r"not|never|rather than|instead of|in place of",
    ),
    form(
        "open-place",
        rf"{_DO}(?!(?:{_ONCE_ONLY}|put|place|render|position|align|insert|center)\b)(?P<manner>[a-z-]+) "
        rf"(?!(?:it|that|this|them|me)\b)(?:[^\s,;]+ ){{1,8}}?"
        rf"(?:in|on|at|by|with|under|inside|as|into|to|per) {_NOT_THERE}",
        confidence=0.75,
        cue=r"not|never|rather than|instead of|in place of",
    ),
    form(
        "open-with",
        rf"(?:{_DO}|we (?:always |only |all )?)(?P<order>(?!(?:go|come|start|begin|continue|proceed|help"
        rf"|deal|try|check"
        r"|be|end|talk|speak|compare|replace|combine|merge|swap|switch)\b)[a-z-]+) (?:all "
        r"|everything )?(?:with|via"
        r"|through|using|against) (?!(?:the|an?|it|this|that|me|us|them|these|care|caution|him|her|my|your"
        r"|our|some|what|step|one|another|more|less)\b)[\w./+#-]+(?: [\w./+#-]+)?$"
        rf"|{_DO}(?:log|write|answer|reply|respond|document|indent|serialize|encode|comment|store|compute"
        r"|calculate|measure|count|commit) in (?!(?:the|an?|this|that|here|again|now|as|to|with|my|your|it"
        r"|case|order|front|addition|general|detail|person|red|green|bold|parallel|there"
        r"|between)\b)[\w./+#-]+"
        r"(?: [\w./+#-]+){0,2}$",
        confidence=0.7,
        cue=r"with|via|through|using|against|in",
    ),
    form(
        "open-manner",
        rf"{_DO}(?P<manner>[a-z-]+) (?!\d)(?!(?:starts|begins|ends|lasts|the|an?|this|that|it|my|these"
        rf"|those|them|his|its|your|to"
        rf"|with|from|by"
        rf"|is|in|on"
        r"|at|up|me|us|as|for|out|off|here|there|what|how|why|when|if|one|some|both|two|three|everybody)\b)"
        r"(?:all |new |any |public |private |every )*(?:[\w-]+ ){0,3}?(?:[\w-]+(?:[a-rt-z]s|code)"
        r"|(?:[\w-]+)?(?:data|text|input|output|money|state|sql|html|json|content|traffic|logic"
        r"|config))\b(?! (?:i|you|we|is|are|was|were|has|have|do|does"
        r"|fail"
        r"|fails|does)\b)[^,;]*",
        confidence=0.7,
    ),
    form(
        "open-manner-all",
        rf"{_DO}(?P<order>[a-z-]+) (?:all (?:new |public |user |external |outgoing |incoming |raw )*(?!the\b"
        rf"|of\b"
        rf"|these\b"
        r"|those\b|tests?\b|this\b|that\b)[\w-]+(?: [\w-]+)? (?:at|in|with|through|via|before|on|by|as|to"
        r"|under"
        r"|for|into|from)\b[^,;]+|(?<=name )the [\w-]+s (?:after|like|as) [^,;]+"
        r"|(?<=cite )the [\w-]+s\b[^,;]*"
        r"|(?:one|a single|an?|exactly one) (?:[\w-]+ ){1,3}(?:per|for each|for every) "
        r"[^,;]+|(?:why|what|how),? not (?:what|how|why)[^;]*)",
        confidence=0.7,
    ),
    form(
        "open-once",
        rf"(?:only |just )?{_LATER},? (?:only |just |please |you |let'?s )*{ORDER}\b{_NO_IT} [^;]+"
        rf"|(?:just )?{_LATER},? (?:only|just|with) (?!(?:it|that|this|works?|fails?)\b)[^;]+"
        rf"|(?:please |just |only |let'?s )*(?P<order>[a-z-]+) (?:(?!(?:it|that|this|them|here"
        rf"|there)\b(?! with))[^,;]+?) {_LATER}$",
        confidence=0.75,
    ),
)
"""Those that may begin with a verb; which verbs are meant is looked up behind the match."""
ORDERED_CUE = re.compile(
    r"(?:please |pls |always |just |also |so |you |we )*[a-z-]+ (?!(?:is|are|was)\b)", re.IGNORECASE
)
CUE = re.compile(
    r"\b(?:if|when|whenever|case|doubt|once|should|where|wherever|unless|soon|time|before|after|until|till"
    r"|every|each|any|all|new|anything|everything|whatever|needs?|requires?|must|has|have|gets?|get|goes|go"
    r"|only|alone|single|one|no|not|never|without|sole|that's|thats|sure|run|today|tonight|now|round|why|for"
    r"|on|carry|follow|take|happen|start|banned|forbidden|taboo|untouchable|hands|off|back|again|please)\b",
    re.IGNORECASE,
)
