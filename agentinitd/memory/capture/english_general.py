"""English customs told of things in general, and tastes told by how something looks or feels."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS, WHAT

_USED = (
    r"(?:always |only |just |all |never )?(?:get|go|come|fall|need|live|use|follow|carry|start|begin|end"
    r"|stay|return"
    r"|take|have|run|belong|wear|fit|link|point|open|close|log|throw|raise|write|read|sit|share|support"
    r"|show"
    r"|contain|include|describe|cover|keep|match|respect|obey|depend|inherit|derive|speak|stop|validate|work"
    r"|explain|say|require|count|land|happen|mention|name|cite|refer|leave|wait)"
)
_AILS = (
    r"(?! (?:been|had|got|swallowed|dropped|ignored|killed|rejected|truncated|in (?:about|every)|back$|wrong"
    r"|up (?:empty|null)|missing|lost|stuck|through (?:fine|ok)|fine|well"
    r"|too long|down"
    r"|away|empty"
    r"|undefined|an? (?:error|exception|404|500)|the error|no (?:effect|error)|ages|forever|me\b|us\b"
    r"|you\b)\b)"
)
_BETTER = (
    r"(?:better|nicer|cleaner|clearer|easier|simpler|neater|prettier|lighter|safer|saner|calmer|tidier"
    r"|(?:far |much"
    r" )?more (?:natural|readable|honest|robust|pleasant|solid|obvious|elegant|direct|modern|idiomatic))"
)
_WORSE = (
    r"(?:dated|ugly|wrong|off|weird|heavy|clumsy|awkward|alien|forced|unreadable|noisy|messy|cheap|sloppy"
    r"|fragile"
    r"|old-fashioned|worse|harder|hacky|strange|bloated|cluttered|cramped|confusing|dirty|painful)"
)

GENERAL = (
    form(
        "general-things-do",
        rf"(?P<subject>(?!other\b|both\b|(?:[\w-]+ ){{0,3}}(?:users|teams|clients|customers|people"
        rf"|(?<!pull )(?<!merge )requests)\b)(?:all |new |our )?{THINGS} (?:(?:over|above|below|under"
        rf"|with|without|from|of|in|for|that|which"
        rf"|on|behind) [^,;:?]{{2,40}}? )?){_USED}{_AILS} (?!(?:it|this|that|there"
        rf"|too)\b)[^,;]+(?<! it)(?<! them)$",
        confidence=0.65,
    ),
    form(
        "general-each-does",
        r"(?:every|each) (?!(?:time|one|of)\b)[\w/-]+(?: [\w/-]+){0,2} (?!(?:takes|fails|is|has|was|does"
        r"|returns|crashes"
        r"|hangs|prints|shows|seems|looks|costs|needs to)\b)[a-z]+s (?:up |down |out |off )?(?:with|in|on"
        r"|after|before|for|under|through|via|by|as"
        r"|into|to|from|at"
        r"|an?|its|the|exactly|only|one|two) (?!(?:end|error|exception|bug|moment)\b)[^,;]+",
        confidence=0.7,
    ),
    form(
        "general-order-as",
        rf"(?:please |always )*(?P<order>[a-z-]+) (?:all )?{THINGS} (?:as|like|an?"
        rf"|their own) [^,;]+"
        r"|(?:please |always )*(?:make|keep|use|choose|take|pick|prefer|go for|do|write"
        r"|find) the [a-z]+est [^,;]+"
        r"|(?:please |always )*(?P<order_before>[a-z-]+) [^,;]{2,60}? before (?:you (?!continue|go on"
        r"|proceed|move on|leave)|any |every "
        r"|each )[a-z]+[^,;]*",
        confidence=0.7,
    ),
    form(
        "general-things-never",
        rf"(?P<subject>(?!(?:old|most|some|many|other|(?:[\w-]+ ){{0,2}}(?:browsers|users|clients|servers"
        rf"|drivers|devices"
        rf"|customers|people|strings|arrays|requests|things))\b){THINGS} )(?:don'?t|do not|dont"
        rf"|never) (?P<order>(?!(?:support"
        r"|work|see|show|need|match|fail|run|start|finish|load|arrive|compile|render|update|return|pass"
        r"|change|appear"
        r"|stop|look|open|close|connect|respond|think)\b)[a-z-]+) (?!(?:it|them|that|this|anything|anymore"
        r"|any more|so far"
        r"|yet)\b)[^,;]+",
        polarity="do_not",
        confidence=0.65,
    ),
    form(
        "general-always-so",
        r"(?!(?:it|this|that|there|i|we|you|he|she|they|the|is|are|fails?|goes|went"
        r"|happens?)\b)(?:[\w-]+ ){1,3}(?:to|in"
        r"|on|via|with|as|before|after|from|under|per) [\w./-]+(?: [\w./-]+){0,3} (?:always"
        r"|without exceptions?)$"
        r"|(?!(?:it|this|that|i|we|the)\b)(?:an? )?(?:[\w-]+ ){1,3}(?:before|after|on|with) (?:any|every"
        r"|each) [\w-]+"
        r"(?: [\w-]+){0,2}$",
        confidence=0.7,
    ),
    form(
        "general-keep-so",
        r"(?:please |always )*(?:keep (?:the |all |our |every |any )?|make (?:all|every|any|each) )(?!(?:it"
        r"|that|this|them|me|us)\b)"
        r"[\w-]+(?: [\w-]+){0,2}? (?:[a-z]+ed|[a-z]+(?:able|ible|ent|ant|ive|ous|less|ful|al|ic|ary|free"
        r"|safe)|pure|small"
        r"|short|flat|thin|dry|tidy|private|async|lazy|local|warm|cold)$",
        confidence=0.7,
    ),
    form(
        "general-stop-at",
        r"(?:please |always )*(?:stop|abort|bail out|give up|fail|quit) (?:at|on|after|with) the (?:first"
        r"|slightest|second"
        r"|third|smallest) [^,;]+|(?:please |always )*let me (?:review|see|check|approve|read|sign off"
        r"|look at) (?:every|each"
        r"|all|any) [^,;]+"
        r"|(?:max(?:imum)?\.?|at most|no more than|at least|not more than) (?:one|two|three|four|five|ten"
        r"|a dozen|\d+) "
        r"(?!times?\b|more\b|of\b)[\w-]+(?: [\w-]+){0,3}$"
        r"|(?!(?:the|it|this|that|he|she)\b)(?:[\w-]+ ){1,2}?[a-z]+s? (?:to |with "
        r"|from )?[^,;]{2,40} only (?:through|via"
        r"|over|using) [^,;]+",
        confidence=0.7,
    ),
    form(
        "general-told",
        r"i (?:already |have |'ve |just )*(?:told|said)(?: you| to you)?(?: already| before| that"
        r"| twice)* we (?:only |always "
        r"|all )?(?:use|run|write|deploy|build|test|work|stay|keep|have|do|go|take|stick|log|name|format"
        r"|commit)\b[^,;]+",
        confidence=0.8,
    ),
    form(
        "general-only-for",
        rf"{WHAT}(?:is|are) (?:there |meant |made |good |kept )?(?:for|in|to) [^,;]{{2,40}} only$"
        rf"|(?P<things>{THINGS}) [a-z]+ (?:[a-z]+ )?(?:through|via|in|from|to|on|with|under|by|into|as"
        rf"|for) [^,;]+"
        r" only$|(?P<subject_all>(?!(?:it|this|that|there|which|what)\b)[^,;:?]{2,50}? )(?:is|are) (?:all"
        r"|plenty|everything|enough)(?: (?:that )?(?:we|you|i) (?:need|get|want|use"
        r"|have|may use|support)| for (?:me|us|this|now|our|the))\b[^,;]*"
        r"|(?:just |only |exactly )?one (?:source|place|way|style|format|language|library|tool|version"
        r"|logger|client"
        r"|entry point|path|pattern|convention|name|file|class|branch|database)(?: of [\w -]{2,20})? (?:for"
        r"|per|in) "
        r"[^,;]+",
        confidence=0.7,
    ),
    form(
        "general-only-are",
        r"only (?:[\w./+-]+ ){1,5}?(?:is|are) (?:accepted|allowed|ok|merged|used|supported|valid|welcome"
        r"|permitted"
        r"|trusted|needed here|deployed|cached)\b[^,;]*|only (?:two|three|four|five"
        r"|\d+) (?:[\w-]+ )?(?:levels?|columns"
        r"|spaces|arguments|params|parameters|workers|threads|retries|attempts|colou?rs|fonts|lines"
        r"|characters|layers"
        r"|dependencies|languages|versions|items|sentences|paragraphs|words)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "general-it-has-to",
        r"(?:it|this|everything|all of it|the whole thing) (?:also |still )?(?:has to|must|should"
        r"|needs? to) (?:also "
        r"|still |always )?(?:look|feel|run|read|scale|print|install|boot|open|pass|stay|remain"
        r"|keep) (?:right|good|ok"
        r"|fine|well|native|at|in|on|with|under|below|working|the same|within|without|up to)\b[^,;]+",
        confidence=0.75,
    ),
)
LOOKS = (
    form(
        "looks-better",
        rf"{WHAT}(?:feels?|looks?|reads?|sounds?|seems?|is|are) (?:just |a bit |a lot |much |so much "
        rf"|way )?{_BETTER}"
        r" (?:to me|in my (?:eyes|book|opinion)|on my [a-z]+|for (?:me|us)|to (?:read|follow|review"
        r"|maintain)|than"
        r" (?!before|expected|yesterday|i |the (?:old|new|other|first|last|previous)\b)[^,;]+)[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_makes')}makes? (?:things|it|code|the code|reviews?|everything"
        rf"|life|reading|debugging|diffs) "
        rf"(?:much |a lot |so much )?{_BETTER}\b[^,;]*",
        force="soft",
        confidence=0.75,
    ),
    form(
        "skip-for-this",
        r"(?:please |just )*(?:skip|leave out|omit|ignore) (?!(?:it|that|this"
        r"|them)\b)[^,;]+ for this [\w-]+$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "looks-worse",
        rf"{WHAT}(?:feels?|looks?|reads?|sounds?|seems?) (?:just |a bit |so |very |rather "
        rf"|kind of )?{_WORSE} (?:to me"
        r"|in my (?:eyes|book|opinion)|to us)[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_makes')}makes? (?:things|it|code|the code|reviews?|everything"
        rf"|life|reading|debugging|diffs) (?:much "
        rf"|a lot |so )?{_WORSE}\b[^,;]*|{WHAT.replace('subject', 'subject_smell')}(?:is|are) (?:just "
        rf"|really )?(?:an? )?(?:code )?(?:smells?|pain"
        r"|nuisance|mess|headache|burden|plague|crutch|hack|liability) (?:to|for) (?:me|us)[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_hurts')}(?:hurts?|strains?|offends?) my (?:eyes|brain|head"
        rf"|soul)\b[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_annoying')}(?:is|are) (?:so |very |really |just )?(?:annoying"
        rf"|distracting"
        r"|painful|tiresome|exhausting|unreadable|a pain)(?: (?:on|to|for|in|when) [^,;]+)?$"
        r"|(?:i'?m |i am |we'?re )?not (?:the|a|an?) (?:biggest |big |great |huge )?(?:fan|friend"
        r"|lover) of (?!this\b|that\b|it\b)[^,;]+"
        r"|(?:please )?nothing (?:too |overly |so )[a-z]+(?: please)?$"
        r"|(?:it )?(?:would|'d) be (?:lovely|nice|great|good|better|best) (?:not to|never to|to not"
        r"|to never) [^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "prefers-to",
        r"(?:i|we)(?:'d| would)? (?:usually |generally |much |always |strongly |really )*prefer (?:an? "
        r"|the )?[\w-]+"
        r"(?: [\w-]+){0,4} (?:to|over|rather than) [^,;]+"
        r"|(?:(?:if i had to choose|given the choice|if you ask me|in doubt"
        r"|when in doubt)[,:]? )(?:[\w-]+ ){1,4}"
        r"(?:over|before|rather than) [^,;]+|(?:(?:i|we)(?:'d| would) )?rather (?!not\b|you (?:didn|don)"
        r"|than\b)[a-z]+ [^,;]+ than"
        r" [^,;]+|(?:i|we)(?:'d| would) (?:rather |always |usually )?(?:go|opt|vote) for (?!(?:it|that|this"
        r"|the (?:first"
        r"|second|other))\b)[^,;]+|rather [a-z]+ [^,;]+ than [^,;]+",
        force="soft",
        confidence=0.8,
    ),
)
CUE = re.compile(
    r"\b(?:only|max|most|least|more|keep|make|first|slightest|let|stop|an?|plenty|enough|everything|always"
    r"|any|don'?t|do not|never|told|skip|every|each|all|one|as"
    r"|like|in|with|by|before|est|has to|must|should|needs?|need|get|go|come"
    r"|fall|live"
    r"|use|follow|carry|start|begin|end|stay|return|take|have|run|belong|fit|link|point|open|close|log"
    r"|throw|raise"
    r"|write|read|share|support|show|contain|include|describe|cover|keep|match|depend|stop|work|explain"
    r"|require|land"
    r"|happen|wait|the)\b",
    re.IGNORECASE,
)
LOOKS_CUE = re.compile(
    r"\b(?:for this|would|hurts?|annoying|distracting|painful|unreadable|me|my|us|makes?|prefer|rather|not"
    r"|nothing|over|than|to)\b",
    re.IGNORECASE,
)
