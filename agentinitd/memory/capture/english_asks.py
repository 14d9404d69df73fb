"""How English asks for a way of working in any words: wishes, votes, standing orders, and who alone may."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import VALUE, form
from agentinitd.memory.capture.english_verbs import ORDER

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
        rf"|new )*(?:[\w-]+ )?{_WORK} (?!{_ONE_OFF})(?!that i\b|of\b)"
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
        rf"{_I}{_OFTEN}(?:like|love|prefer|want|appreciate)(?: it)?(?: more| better| most)? (?:that|if"
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
        r"(?!(?:to know|this|it|why|how|a way|the (?:real|root))\b)[^;]+"
        r"|it(?:'s| is) (?:my|our) (?:preference|wish|habit|policy|custom|rule|convention) (?:to|that) [^,;]+"
        rf"|{_I}(?:want|need|expect|would like|like|prefer) you to be [^,;]+"
        r"|(?:for (?:me|us),? )?(?:the|my|our) (?:ideal|perfect|preferred) [\w-]+(?: [\w-]+)? (?:is|has|looks"
        r"|stays|are|have)\b [^,;]+",
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
        r"|that|you|we|to)\b [^,;]{2,60}? (?:is|are) (?!(?:that|because|the (?:problem|bug)|not|on|gone"
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
        rf"|lunch)\b(?! [a-z]+"
        r" (?:branch|pr|ticket|task|feature)))(?!(?:it|everything|all|both)\b(?! takes? more| takes? longer))"
        r"(?!(?:i|we) (?!(?:'re|are|say|write|type|ask|tell|send|paste|approve|give|ping|mention|comment"
        r"|call|talk"
        r"|work|stay)\b))(?!i'm\b|i've\b)(?!you(?:'re| are) (?:done|ready|finished|through"
        r"|back)\b)(?!you (?:have"
        rf"|want|like|can|could|get)\b)(?![^,;]{{0,60}}\b(?:was|were|did|had|{_HOPED})\b)[^,;]{{3,90}}?,? "
        r"(?:then |please |always |just |also |first |better |simply "
        r"|you )*(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bto )"
        r"(?<!\bany )(?<!\byour )(?<!\bi )(?<!\bthey )(?<!\bwe )(?<!\bthat )(?<!\bnew )(?<!\bof )"
        r"(?<!\bin )"
        r"(?<!\bon )(?<!\bfor )(?<!\bwith )(?<!\bevery )(?<!\beach )(?<!\bour )(?<!\bmy )(?<!\byou )"
        r"(?<!\band )(?<!\bor )(?<!n't )(?<!\bnot )(?<!\bnever )(?<!\bever )(?<!\bdont )(?<!\bavoid )"
        rf"{ORDER} (?:it|them|me|us|the|an?|all|any|every|each|no|one|back|to|up|off"
        r"|out|with"
        r"|without|as|in|into|at|from|against|and|my|our|your|[a-z-]+s|\d+|x{2,}|things|[a-z]+ing"
        r"|(?!\w+ed$)[\w./-]+$)(?:\b|$)"
        r"(?! (?:page|button|error)\b)[^;]*",
        confidence=0.75,
    ),
    form(
        "condition-ask",
        rf"{_WHEN} (?!(?:i|we|he|she|they)\b)[^,;]{{3,80}}?,? (?:then |please |just |better "
        rf"|rather )*(?:ask|stop|wait"
        r"|shout|say so|speak up|don'?t guess|leave it)(?: (?:instead|rather|me|us|first|for|out|and"
        r"|before)\b[^;]*)?$",
        confidence=0.75,
    ),
)
"""What is to be done whenever something is so."""

CUE = re.compile(
    r"\b(?:i|we|i'd|i'm|we're|my|our|would|wouldn'?t|be|what|all|something|it's|could|can|the|lean|err"
    r"|thing)\b",
    re.IGNORECASE,
)
