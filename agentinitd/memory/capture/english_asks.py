"""How English asks for a way of working in any words: wishes and votes, and who or what alone may."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import form

_OFTEN = (
    r"(?:(?:much|really|usually|generally|strongly|always|still|tend to|do|personally|kind of|definitely"
    r"|mostly|normally|typically|often|also|just|clearly|simply|rather|would|very much|honestly) )*"
)
_I = r"(?:(?:i|we)(?:'d| would|'m|'re| am| are)? )"
_WORK = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|functions?|methods?|class(?:es)?"
    r"|names?"
    r"|tests?|comments?|commits?|commit (?:history|messages?)|history|code|diffs?|docs?|docstrings?|errors?"
    r"|error (?:texts?|messages?)|messages?|logs?|prs?|imports?|exports?|modules?|files?|handlers?|helpers?"
    r"|components?|types?|quer(?:y|ies)|sql|yaml|json|css|html|output|tables?|plots?|charts?|figures?"
    r"|branch(?:es)?|state|changes|steps|plans?|options|lines?|titles?|headings?|changelog|constants?"
    r"|variables?|interfaces?|apis?|migrations?|snapshots?|fixtures?|mocks?|dates?|timestamps?|keywords?"
    r"|side effects|texts?|lists?|numbers?)"
)
_ONE_OFF = (
    r"(?:fixed|removed|updated|done|changed|moved|back|working|explained|gone|deleted|renamed|merged|finished"
    r"|added|reverted|rewritten|checked|first|now|today|tomorrow|again|to (?:work|pass|run|compile|load|know"
    r"|see|understand)|for (?:this|that|the)\b)"
)
_NO_CHOICE = (
    r"(?!(?:it|this|that|them|the (?:first|second|third|other|latter|former|last|one)|option|both)\b)"
)

WANTS = (
    form(
        "asks-work-so",
        rf"{_I}{_OFTEN}(?:like|love|want|prefer|need|expect|wish|fancy)(?: it if| for| to have| to see"
        rf"| to get)? "
        rf"(?:the |my |your |our |all |any |every |each "
        rf"|new )*(?:[\w-]+ )?{_WORK} (?!{_ONE_OFF})(?!that i\b|of\b|\d+ (?:to|and)\b)"
        r"[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-thing-so",
        rf"{_I}{_OFTEN}(?:like|love|prefer) (?!(?:it|this|that|the|how|your|what|to|those|these|a|an)\b)"
        r"(?:[\w-]+ ){1,3}?(?!(?:be|i)\b)(?:[a-z]+ed|kept|written|put|built|done|split|short|small|linear"
        r"|flat"
        r"|thin|plain|explicit|clean|separate|close|near|next|apart|together)(?: (?:to|in|at|by|with|as"
        r"|on|from"
        r"|into|per|and|under|over)\b[^,;]*)?$",
        force="soft",
        confidence=0.7,
    ),
    form(
        "asks-vote",
        r"(?:my|our) (?:vote|money|preference|choice|pick|taste|default|heart)(?: here"
        r"| for [\w ]{2,25})? (?:is"
        rf"|goes|would be|would go|stays|lies)(?: clearly| definitely| still| always)* (?:for|to|with|on|in) "
        rf"{_NO_CHOICE}[^,;]+"
        rf"|{_I}{_OFTEN}(?:go|opt|vote|plead|root) for {_NO_CHOICE}[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-tend",
        rf"{_I}{_OFTEN}(?:prefer|favou?r) (?!(?:not|no|if|it|this|that|the|to (?:wait|not)|option|a\b|b\b"
        r"|without|fewer|less)\b)[^,;]+"
        r"|(?:i'?m|we'?re|i am|we are) (?:rather |much |a bit )?(?:fonder of|keener on|more into|happier with"
        rf"|more at home with) {_NO_CHOICE}[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-rather",
        rf"(?:{_I}|would ){_OFTEN}rather (?!(?:not|never|avoid|than|you (?:don|didn)|be (?:at|in)|die|eat"
        rf"|sleep"
        r"|go home|wait|know)\b)[a-z]+ [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-rather-not",
        rf"(?:{_I}|would ){_OFTEN}rather (?:not|never|avoid) (?!(?:say|know|talk|think|wait|be"
        rf"|go)\b)[a-z]+ [^,;]+"
        r"|(?:i |we )?(?:wouldn'?t|would not|don'?t really|do not really) (?:want|like|love"
        r"|enjoy) (?!(?:it|this"
        r"|that|to (?:say|know|be|wait|think)|you)\b)[^,;]+"
        r"|(?:i |we )?(?:could|can) (?:well |easily |happily )?(?:live|do|work) without (?!it\b|this\b"
        r"|that\b)"
        rf"[^,;]+|{_I}be (?:a lot |much )?(?:happier|happy|better off|glad) (?:with(?:out)?|about"
        rf"|to (?:have|see)) "
        r"(?:fewer|less|no|not) [^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-if-you",
        r"(?:(?:it|that)(?:'d| would)? )?(?:would )?be (?:really |very )?(?:nice|good|great|cool|lovely"
        r"|best|ideal"
        r"|helpful|better) if (?:you|we|all|every|the) (?!(?:could|can|would) (?:fix|add|look|help"
        r"|explain|tell"
        r"|show|check|find)|(?:fixed|added|looked|explained|helped|found|told|showed|checked|had time|did)\b)"
        r"(?![^,;]*n'?t\b)(?![^,;]*\b(?:not|never)\b(?! '| x))[^;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-like-more",
        rf"{_I}{_OFTEN}(?:like|love|prefer|want|appreciate) it (?:more|better|most|best) (?:with|as"
        rf"|in) [^,;]+"
        rf"|{_I}{_OFTEN}(?:like|love|prefer|want|appreciate)(?: it)?(?: more| better| most)? (?:that|if"
        rf"|when) you "
        r"(?!(?:could|can) (?:fix|add|help|look|find))(?![^,;]*n'?t\b)[^;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-what-is",
        r"(?:what|all|one thing|the thing|something) (?:i|we)(?:'d| would)? (?:really |always "
        r"|also )?(?:like|want"
        r"|need|ask for|prefer|expect|care about|insist on|ask)(?: from you| of you| to see)? is (?:that )?"
        r"(?!(?:to know|this|it|why|how|an?(?! (?:clear|consistent|stable|short|single)\b)"
        r"|the (?:real|root))\b)[^;]+"
        r"|it(?:'s| is) (?:my|our) (?:preference|wish|habit|policy|custom|rule|convention) (?:to|that) [^,;]+"
        rf"|{_I}(?:want|need|expect|would like|like|prefer) you to be [^,;]+"
        r"|(?:for (?:me|us),? )?(?:the|my|our) (?:ideal|perfect|preferred) [\w-]+(?: [\w-]+)? (?:is|has|looks"
        r"|stays|are|have)\b [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-idiom",
        r"(?:i|we)(?:'ve| have)?(?: got)? (?:a |an |some )?(?:soft spot|weakness|preference"
        r"|strong preference|liking"
        rf"|thing|sympathy) for {_NO_CHOICE}[^,;]+"
        rf"|{_I}(?:very |really |quite |so )?(?:keen on|fond of|wild about|crazy about|enthusiastic about"
        rf"|sold on"
        rf"|big on|happiest (?:with|when|if)) {_NO_CHOICE}[^,;]+"
        r"|[^,;]{2,50}? (?:is|are) (?:much |far |a lot )?(?:easier|nicer|better|kinder|quicker) (?:on"
        r"|for) (?:me|us) "
        r"than [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-idiom-not",
        r"(?:i|we)(?:'ve| have)?(?: got)? (?:a |an |some )?(?:aversion|dislike|distaste|allergy|no love"
        r"|little love"
        rf"|no patience|little patience|no use) (?:for|of|to|with) {_NO_CHOICE}[^,;]+"
        rf"|{_I}not (?:very |really |exactly |so |too |all that )?(?:wild|mad|crazy|thrilled|enthusiastic"
        rf"|excited"
        rf"|happy) (?:about|with|by) {_NO_CHOICE}[^,;]+"
        r"|it (?:irks|bugs|annoys|bothers|irritates|disturbs|confuses) me (?:when|if|that|to) [^,;]+"
        r"|(?:not )?[a-z]+ing (?:fewer|less|no) [^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "asks-lean",
        r"(?:please |can we |let'?s |always )*(?:lean|err) (?:on|to|towards?) (?!it\b|this\b|that\b"
        r"|me\b)[^,;]+",
        force="soft",
        confidence=0.75,
    ),
)
"""Wishes, told by who wishes and how the thing wished for is said to be."""

ALONE = (
    form(
        "alone-may",
        r"(?:nobody|no ?one|nothing) (?:but|except|other than|besides|apart from) "
        r"(?![^,;]*\b(?:knows|understands"
        r"|sees|cares|likes|has|is|was|works|remembers|noticed|uses|gets (?:it|this|that))\b)[^,;]{1,40}? "
        r"(?:may|can|should|must|shall|gets? to|is allowed to|is to|[a-z]+[^s\W]s) [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "alone-place",
        r"(?:the |our )?(?:only|one|sole|single)(?: and only)? (?!(?:problem|issue|question|reason|difference"
        r"|error|test|bug|downside|catch|one|explanation|hope|option)\b)[\w-]+(?: [\w-]+)? (?:where|for"
        r"|from which"
        r"|that(?:'s| is)?|you|we|to)\b [^,;]{2,60}? (?:is|are) (?!(?:that|because|the (?:problem|bug)"
        r"|not|on|gone"
        r"|broken"
        r"|missing|wrong|still)\b)[^,;]+"
        r"|[^,;]{2,50}? (?:is|are) the (?:only|one|sole|single) (?:place|file|folder|thing|spot|module|branch"
        r"|class) (?:where|for|that|you|we|to)\b [^,;]+",
        confidence=0.75,
    ),
    form(
        "alone-only",
        r"only (?:the |our |my )?(?:[\w-]+ ){1,3}?(?:may|can|should|must|is to|are to|(?:is|are) allowed to) "
        r"(?!be (?:the|because|why))[a-z]+[^,;]*",
        confidence=0.75,
    ),
    form(
        "alone-adverb",
        r"(?:please |always )*(?P<order>[a-z-]+) (?:(?!(?:is|are|was"
        r"|were)\b)[^\s,;]+ ){0,9}(?:exclusively|solely)"
        r"(?: (?:in|on|with|via|through|over|for|against|from|by|to)\b[^,;]*)?$"
        r"|(?:please |always )*(?:exclusively|solely) (?P<order_then>[a-z-]+) [^,;]+"
        r"|(?P<subject>(?:[\w-]+ ){1,4}?)(?:go|run|come|happen|are (?:made|run|done|written|read|stored|sent)"
        r"|goes|runs) [^,;]{2,60}? (?:exclusively|solely)$",
        confidence=0.8,
    ),
    form(
        "alone-way",
        r"(?:please |always )*(?P<order>[a-z-]+) (?:(?!(?:is|are|was|were|me"
        r"|fails?)\b)[^\s,;]+ ){1,6}?(?:through"
        r"|via|over|using|by way of) [^,;]{2,50} only$",
        confidence=0.75,
    ),
)
"""Who or what alone may, and the one way or place."""

CUE = re.compile(
    r"\b(?:i|we|i'd|i'm|we're|my|our|would|wouldn'?t|be|what|all|something|it's|it|me|us|could|can|the"
    r"|lean|err"
    r"|thing)\b",
    re.IGNORECASE,
)
