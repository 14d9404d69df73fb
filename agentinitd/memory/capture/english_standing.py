"""English orders that are for more than once: by whose thing it is, for when it is, and how it is done."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import VALUE, form
from agentinitd.memory.capture.english_habits import HABITS
from agentinitd.memory.capture.english_terse import TERSE
from agentinitd.memory.capture.english_verbs import ORDER

_ALWAYS_YOU = r"(?:when|whenever|if|once|before|after|every time|each time|any time|as soon as|until)"
_NOT_DONE = (
    r"(?!(?:are|'re|were)? ?(?:done|ready|finished|through|back|there|sure"
    r"|stuck on this)\b)(?!(?:have (?:time|a"
    r"|the|it)|want|like|can|could|get|go on|continue|leave|start(?: (?:on )?(?:it|this|that))?$|did|found"
    r"|fixed|see this)\b)"
)
_GENERAL = (
    r"(?:code|tests?|docs?|sql|yaml|json|css|html|output|logs|imports|exports|lines|texts?|comments|commits"
    r"|commit messages|answers|replies|names|functions|methods|classes|columns|titles|headings|keys|options"
    r"|tables|plots|charts|axes|figures|branches|errors|dates|prices|queries|files|messages|strings|variables"
    r"|modules|notebooks?|diffs?|changelog|markdown|python|typescript|rust|go|java|kotlin|swift)"
)
STANDING = (
    form(
        "standing-your",
        r"(?:please |always |just )*(?P<manner>[a-z-]+)(?: off| up| out| down)? (?:on |to "
        r"|in )?your [\w-]+(?: "
        r"[\w-]+)?s(?<!ss)(?:\b[^,;]*)?$",
        confidence=0.75,
        cue=r"your",
    ),
    form(
        "standing-particle",
        r"(?:please |always )*(?P<manner>[a-z-]+) (?:off|up|out|down) (?:on )?(?!(?:the|it|this|that|them"
        r"|a|an|my"
        r"|your)\b)(?:[\w-]+ ){0,2}[\w-]+[a-rt-z]s\b[^,;]*",
        confidence=0.7,
        cue=r"off|up|out|down",
    ),
    form(
        "standing-place",
        r"(?:please |always )*(?:put|give|place|state|write|show|keep|list|leave|start with|end with"
        r"|begin with"
        r"|finish with) (?:me )?(?:the|an?|your|any) (?:short |brief |final |one[- ]line )?(?:summary"
        r"|conclusion"
        r"|answers?|results?|diffs?|short version|tl;?dr|gist|explanations?|reasons?|plan|recommendation"
        r"|todo list|open (?:points|questions)|details)(?: (?:at|on|in|to|first|last|before|after"
        r"|up front|above"
        r"|below|when|whenever|as|for (?:each|every))\b[^,;]*)$",
        confidence=0.7,
    ),
    form(
        "standing-show",
        r"(?:please |always )*(?:show|give|send|list|print|paste|return)(?: me| us)? (?:just "
        r"|only )?(?:diffs?|hunks?"
        r"|the (?:diff|hunk|change)s?|patches|signatures|snippets) (?:only|not|instead|rather|when"
        r"|whenever)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "standing-occasion",
        rf"(?:please |always |just |also )*(?:you (?:should )?)?(?P<order>[a-z-]+) (?!(?:it|this|that"
        rf"|them|me (?:know|a shout))\b)"
        rf"(?:(?!(?:fails?|crashes|breaks|happens|works)\b)[^\s,;]+ ){{1,10}}?{_ALWAYS_YOU} you {_NOT_DONE}"
        r"[a-z]+ [^,;]+",
        confidence=0.7,
        cue=r"you",
    ),
    form(
        "standing-manner-of",
        rf"(?:please |always )*(?P<manner>[a-z-]+) (?:the|all|our) (?:[\w-]+ )?{_GENERAL} (?:with|at|to"
        rf"|by|as|like"
        r"|without|after|per|next to|under) (?!(?:the|it|this|that|my|these|those|a new)\b)[^,;]+",
        confidence=0.7,
    ),
    form(
        "standing-port",
        r"(?:please |always )*(?:run|start|serve|launch|host|expose|bind|put) (?:the |your "
        r"|our )?[\w -]{2,40}? "
        r"(?:on|under|at) (?:port )?:?\d{2,5}(?: (?:and|for|please|only|not)\b[^,;]*)?$",
        confidence=0.75,
    ),
    form(
        "standing-use-the",
        r"(?:please |always )*(?:use|take|hit|call|query) the [\w. -]{2,40}? (?:for|in|with|when"
        r"|whenever) (?!(?:the"
        r"|this|that|it|now|a|an|these|those|him|her|my|today)\b)(?:[\w-]+ ){0,3}?[\w-]+(?:s|ing|code"
        r"|data)\b[^,;]*"
        r"|(?:please |always )*(?:target|aim at|deploy to|release to|publish to|ship to) (?!(?:it|this"
        r"|that|them)\b)"
        r"(?:the )?[\w.-]+(?: [\w.-]+){0,2}(?: (?:with|for|in) [^,;]+)?$"
        rf"|(?:please |always )*(?:use|hit|call|query|work against"
        rf"|go against) (?:the )?[\w -]{{2,30}} at {VALUE}"
        r"[^,;]*",
        confidence=0.7,
    ),
    form(
        "standing-each",
        r"(?:please |always )*(?:start|end|begin|open|close|finish|name|prefix"
        r"|(?P<manner>[a-z-]+)) (?:every|each) "
        r"(?!(?:of|one|time|and)\b)[\w-]+(?: [\w-]+){0,3} (?:with|in|as|by|after|on|under|to|without|for"
        r"|from|at)\b"
        r"[^,;]+",
        confidence=0.75,
        cue=r"every|each",
    ),
    form(
        "standing-so-that",
        r"(?:please |always )*(?:write|keep|structure|design|word|phrase|code|lay out|organi[sz]e"
        r"|name) (?:it|this"
        r"|everything|things|all of it|the code|your code|them|the \w+s) (?:all )?(?:so|such"
        r"|in (?:such )?a way)"
        r"(?: that)? [^,;]+",
        confidence=0.75,
    ),
    form(
        "standing-at-most",
        r"(?:max(?:imum)?\.?|at most|no more than|not more than|up to|at least) (?:\d+|one|two|three|four"
        r"|five"
        r"|ten) (?!times?\b|more\b|of\b)[\w-]+(?: [\w-]+)? (?:in|per|for|on|at|from|between)\b[^,;]+",
        confidence=0.75,
    ),
    form(
        "standing-branch",
        r"(?:please |always |we |let'?s )*(?:branch|fork|rebase|cut|base (?:it|them|everything|(?:your "
        r"|all |the |new "
        r")?[\w-]+)|continue|stay|carry on|go on|develop)(?: (?:off|from|on|onto|out of|of|the|branch))+ "
        rf"(?:{VALUE}|develop|main|master|trunk|staging|next)\b[^,;]*",
        confidence=0.75,
    ),
)
"""Orders that are for more than once, by whose thing it is, for when it is, or how it is done."""

STYLED = (
    form(
        "styled-way",
        r"(?:please |always )*(?P<order>[a-z-]+) (?!(?:this|that|me)\b)[^,;]{2,50}? (?:in|with"
        r"|as) (?:the |an? )?(?:past"
        r"|present|imperative|third|first|second|active|passive|plain|simple|british|american|lower|upper"
        r"|title|sentence"
        r"|camel|snake|kebab|pascal|formal|informal|full|short|neutral|friendly)(?: |-)?(?:tense|mood"
        r"|person|voice|case"
        r"|english|spelling|style|language|words|form|sentences|german|french|chinese|tone)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "styled-steps",
        r"(?:please |always )*(?P<order>[a-z-]+) (?:[\w-]+ ){0,3}?in (?:very |really )?(?:(?:small|tiny"
        r"|single|separate|logical"
        r"|little|reviewable|short)(?:er)? )?(?:steps|chunks|batches|commits|increments|pieces|stages"
        r"|phases|portions|prs)\b"
        r"[^,;]*",
        confidence=0.75,
    ),
    form(
        "styled-every",
        r"(?:please |always )*(?P<manner>[a-z-]+) (?!(?:it|this|that|them)\b)[^,;]{2,60}? (?:in|on|for|to"
        r"|at|with|of|into)"
        r" (?:every|each|all|any) (?!(?:of|the)\b)[^,;]+",
        confidence=0.7,
        cue=r"every|each|all|any",
    ),
    form(
        "styled-like-me",
        r"(?:please |always )*(?:talk|speak|write|explain|answer|reply|respond)(?: things| it"
        r"| everything)?(?: (?:to|with"
        r"|for) me)? (?:like|as if|as though|as to) (?!(?:that|this|it|before|above)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "styled-topic",
        r"(?:as for|regarding|concerning|when it comes to|as to|with regard to) [^,;]{3,60}, (?:please "
        r"|just |always )*"
        rf"{ORDER} [^;]+",
        confidence=0.75,
    ),
)
"""Orders that tell in which way."""
BANNED_BELOW = form(
    "banned-below",
    r"(?:(?:the )?(?:one|only) thing|what|things?|something) (?:you|we) (?:can'?t|cannot|must not"
    r"|mustn'?t|may not"
    r"|should not|shouldn'?t|never|don'?t|aren'?t (?:allowed|supposed) to|are not (?:allowed"
    r"|supposed) to) (?:do|touch|use"
    r"|change)(?: here| is)?: [^;]{3,120}$|(?:never do(?: this)?|what i don'?t want(?: is)?|not allowed"
    r"|off[- ]limits"
    r"|forbidden|please avoid|taboo|no-?go'?s?|hands off|banned): (?!(?:it|this|that)\b)[^;]{3,120}$",
    polarity="do_not",
    confidence=0.8,
)
"""Tried on the whole statement, for a colon ends a clause."""

SKIPS = (
    form(
        "skips-part",
        r"(?:please |just |for now )*(?:leave out|omit) (?:the |all "
        r"|any )?(?:[\w-]+ ){0,2}?(?:builds?"
        r"|tests?|checks?|lint(?:ing)?|hooks?|ci|docs|migrations?|release(?: notes)?|notes|suite|review"
        r"|e2e|emojis?"
        r"|headings?|intro|explanations?|type annotations|annotations|comments)\b(?! (?:in|on|at) (?:line"
        r"|the "
        r"(?:first|last|second)))[^,;]*",
        polarity="do_not",
        confidence=0.7,
    ),
    form(
        "skips-from",
        r"(?:please |kindly |always )*(?:refrain|abstain|desist) (?:from|to)\b(?: to)? [^,;]+"
        r"|(?:by no means|under no conditions?|in no way|at no time) (?P<order>[a-z-]+) [^,;]+",
        polarity="do_not",
        confidence=0.85,
    ),
    *TERSE,
    *HABITS,
)
_HOPED = (
    r"(?:passes|pass|works?|succeeds?|compiles?|looks? (?:good|ok|fine|right)|is (?:green|fine|ok|good"
    r"|done|ready"
    r"|finished|merged|in|there)|are (?:green|fine|ok|good|done|ready|finished|merged)|goes (?:well|through))"
)
_WHEN = (
    r"(?:if|when|whenever|in case(?: that| of)?|should|once|as soon as|as long as|every time|each time"
    r"|any time"
    r"|unless|where|while|until|till|during|for the (?:duration|length|time) of|throughout|whenever"
    r"|before|after)"
)
CONDITIONS = (
    form(
        "condition-then",
        rf"{_WHEN} (?!(?:that|this|so|possible|needed|necessary|not|done|ready|finished|he|she|they"
        rf"|lunch)\b(?!(?: [a-z]+)? (?:branch|pr|ticket|task"
        r"|feature|sprint|story|refactor\w*|migration|session|release)\b))(?!(?:it|everything|all"
        r"|both)\b(?! takes? more| takes? longer))"
        r"(?!(?:i|we) (?!(?:'re|are|say|write|type|ask|tell|send|paste|approve|give|ping|mention|comment"
        r"|call|talk"
        r"|work|stay)\b))(?!i'm\b|i've\b)(?!you(?:'re| are) (?:done|ready|finished|through"
        r"|back)\b)(?!you (?:have"
        rf"|want|like|can|could|get)\b)(?![^,;]{{0,60}}\b(?:was|were|did|had|{_HOPED})\b)[^,;]{{3,90}}?,? "
        r"(?:then |please |always |just |also |first |better |simply "
        r"|you )*(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bto )"
        r"(?<!\bcan )(?<!\bmay )(?<!\bcould )(?<!\bany )(?<!\byour )(?<!\bi )(?<!\bthey )(?<!\bwe"
        r" )(?<!\bthat )(?<!\bnew )(?<!\bof )"
        r"(?<!\bin )"
        r"(?<!\bon )(?<!\bfor )(?<!\bwith )(?<!\bevery )(?<!\beach )(?<!\bour )(?<!\bmy )(?<!\byou )"
        r"(?<!\band )(?<!\bor )(?<!n't )(?<!\bnot )(?<!\bnever )(?<!\bever )(?<!\bdont )(?<!\bavoid )"
        rf"{ORDER} (?:it|them|me|us|the|an?|all|any|every|each|no|one|back|to|up|off|on|under|over"
        rf"|through|via|for"
        r"|out|with"
        r"|without|as|in|into|at|from|against|and|my|our|your|[a-z-]+s|\d+|x{2,}|things|[a-z]+ing"
        r"|(?!\w+ed$)[\w./-]+$)(?:\b|$)"
        r"(?! (?:page|button|error)\b)[^;]*",
        confidence=0.75,
    ),
    form(
        "condition-ask",
        rf"{_WHEN} (?!(?:i|we|he|she|they)\b|(?:that|this|it)(?:'s| is)\b)[^,;]{{3,80}}?,? (?:then |please"
        rf" |just |better "
        rf"|rather )*(?:ask|stop|wait"
        r"|shout|say so|speak up|don'?t guess|leave it)(?: (?:instead|rather|me|us|first|for|out|and"
        r"|before)\b[^;]*)?$",
        confidence=0.75,
    ),
)
"""What is to be done whenever something is so."""
