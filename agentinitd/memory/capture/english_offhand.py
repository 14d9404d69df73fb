"""English rules as they are typed offhand, beside the work: what is needed, held, said; what goes where."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_verbs import ORDER

_ALL = r"(?:every|each|all|any|no|new|our)"
_CODE = (
    r"(?:`[^`]+`|x{2,}|(?:make|npm|pnpm|yarn|uv|cargo|go|just|docker|poetry|tox|bazel|gradle"
    r"|mvn) (?!(?:that|it|sure|the|a|an)\b)[\w:./-]+)"
)
_NO_STATE = (
    r"(?![^,;]*\b(?:fails?|failed|works?|breaks?|broken|passes|passed|is|are|was|were|has|have|had)\b)"
)
_GENERIC_THING = (
    r"(?!(?:the|this|that|it|now|these|those|an?|my|your|his|her|both|me|us|example|instance|once|today"
    r"|sure)\b)"
    r"[\w./+#-]+(?: [\w./+#-]+)?"
)

OFFHAND = (
    form(
        "offhand-need-that",
        rf"(?:i|we)(?:'d| would)? (?:really |also )?(?:need|want|require|expect|insist|demand"
        rf"|would like)(?: it)? that "
        rf"{_ALL} [^,;]{{2,60}}? (?!(?:was|were|did|had)\b)(?:[a-z]+s|have|are|be|get|use|go|must"
        rf"|should)\b [^,;]+"
        r"|(?:i|we) (?:need|want|require|expect) that all (?:[\w-]+ ){0,2}[\w-]+s (?!(?:is|was|were|did|had"
        r"|so|again)\b)[a-z]+ [^,;]+",
        confidence=0.75,
        cue=r"that",
    ),
    form(
        "offhand-hold-at",
        r"(?:please |pls |but |just )*(?:hold|pin|keep|freeze|lock|leave) (?!(?:it|that|this|them|us|me"
        r"|the line)\b)"
        r"(?:[\w@./+-]+ ){1,4}?(?:at|on|to) v?\d[\w.]*(?: for now| please| pls)?$",
        confidence=0.8,
    ),
    form(
        "offhand-keep-going",
        r"(?:please |pls |but |just )*keep (?!(?:it|that|this|them|on|me|us"
        r"|going)\b)[^,;]{2,60}? (?:answering|working"
        r"|compiling|passing|reachable|responding|supported|usable|buildable|readable|importable|online"
        r"|functional"
        r"|runnable|intact|callable|served|exported)(?: [^,;]+)?$",
        confidence=0.75,
        cue=r"keep",
    ),
    form(
        "offhand-only-lands",
        r"(?:as long as|while|during|until|till|before|after"
        r"|when) [^,;]{2,60}?,? only (?:[\w./-]+ ){1,4}?(?:lands?|goes"
        r"|go|gets?(?: in| merged)?|may|can|ships?|merges?|deploys?|is allowed|are allowed)\b[^,;]*",
        confidence=0.8,
        cue=r"only",
    ),
    form(
        "offhand-to-do-it-is",
        rf"(?:to|for) (?:the )?[a-z]+ [^,;]{{2,60}}?,? (?:it'?s|it is|that'?s|you (?:run|call|use|type"
        rf"|need)|use|run|call"
        rf"|the command is) {_CODE}[^,;]*",
        confidence=0.75,
    ),
    form(
        "offhand-no-more-sign",
        r"(?:please |and |but )*(?:no more|not one more|no) [!@#$%&*:.<-]+\w[\w-]*(?! (?:left|there|found)\b)"
        r"(?: [^,;]+)?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "offhand-no-bother",
        r"(?:for (?:now|the moment|this one),? )?(?:please |just )*(?:don'?t|do not"
        r"|dont) (?:even )?bother (?:with|about"
        r"|to|[a-z]+ing) (?!(?:it|that|this|me|him|her|them|us)\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "offhand-here-only",
        rf"(?:in|for|within|during|on) (?:this|the current) (?:pr|mr|pull request|branch|commit|task"
        rf"|ticket|round|change"
        rf"|patch|sprint|session|issue|refactor|release|step)(?: please)?,? (?:only|just"
        rf"|nothing but) {_NO_STATE}"
        r"(?!(?:one|a few|the (?:first|last|second)) (?:test|error|failure))[^,;]+$",
        confidence=0.75,
        cue=r"only|just|nothing but",
    ),
    form(
        "offhand-pr-against",
        r"(?:please |pls |open |always )*(?:all |new |your )?(?:prs?|mrs?|pull requests?|merge requests?"
        r"|branch(?:es)?"
        r"|releases?|rebases?|hotfix(?:es)?) (?:against|off|into|from|onto) (?!(?:the|it|this|that"
        r"|my)\b)[\w./-]+"
        r"(?: please| pls| instead| from now on| only| always)*$",
        confidence=0.75,
    ),
    form(
        "offhand-use-the-for",
        rf"(?:please |always |just )*use (?:the|our|my) (?!(?:first|second|third|last|same|other|latter"
        rf"|former|new|old"
        rf"|next|following|above|below|number|option|word|term)\b)(?:[\w./-]+ ){{1,4}}?(?:for|as"
        rf"|when) {_GENERIC_THING}$",
        confidence=0.75,
        cue=r"use",
    ),
    form(
        "offhand-we-say-not",
        r"(?:in [^,;]{2,30}? )?we (?:say|write|spell|call (?:it|them|those|that)|speak of|name (?:it"
        r"|them)) [^,;]+?,? (?:and )?"
        r"(?:never|not) [^,;]+",
        confidence=0.75,
        cue=r"never|not",
    ),
    form(
        "offhand-everything-from",
        r"everything (?!(?:fine|ok|okay|good|great|green|done|ready|broken|new|else|clear|there|here"
        r"|again|now|so|too|right"
        r"|wrong|red|up|down|you|i|we|it|that|about|possible|seemed|looked|went|was|had|got|is|are)\b)"
        r"[a-z-]*[a-ce-rt-z](?:,? (?:or|and|in|from|via|with|as|by) [^,;]{2,40}| please| pls| always)$",
        confidence=0.7,
        cue=r"everything",
    ),
    form(
        "offhand-just-in",
        r"(?:please )?(?:run|test|build|edit|change|touch|lint|check|work on|format|read|scan"
        r"|index) just (?:the )?[^,;]*?"
        r"(?:[\w-]+/[\w./-]*|x{2,})[^,;]*$",
        confidence=0.75,
        cue=r"just",
    ),
    form(
        "offhand-i-said",
        r"(?:i|we) (?:clearly |already |explicitly |just )?(?:said|asked for"
        r"|told you(?: that)?)(?: (?:to use|use|we use))? "
        r"(?!(?:it|that|this|so|no|yes|yeah|please|stop|wait|hi|hello|hey|sorry|thanks|maybe|ok|okay"
        r"|nothing|something|what"
        r"|why|how|enough|above|before|earlier|already|the|an?|my|your|to|i|you|we|he|she|they|there|help"
        r"|more|less|twice|once|often|again|repeatedly)\b)"
        r"[\w@./+#-]+(?: [\d.]+| format| style| everywhere)?$",
        confidence=0.7,
        cue=r"said|asked for|told you",
    ),
    form(
        "offhand-where-you-can",
        r"(?!(?:it|this|that|help|as|do|look|try|anything|whatever|wherever|only|stop"
        r"|see)\b)[\w./-]+(?: [\w./-]+){0,3} where(?:ver)?"
        r" (?:you can|we can|possible|feasible|it makes sense|it fits)$",
        force="soft",
        confidence=0.75,
    ),
    form(
        "offhand-acronym-is",
        r"(?-i:[A-Z]{2,8}) is (?:at |still )?[a-z]{0,4}\d+\.\d+(?:\.\d+)*$",
        confidence=0.75,
    ),
    form(
        "offhand-work-happens",
        r"(?:all |the |our |your |new )*(?:work|development|changes|everything) (?:happens?|goes"
        r"|continues?|takes? place|is done) "
        r"(?:on|in|off|under) (?:branch )?(?:[\w.-]+/[\w./-]+|[a-z]+-[\w-]+|x{2,})$",
        confidence=0.8,
    ),
    form(
        "offhand-goes-in-file",
        r"(?:the|that|this|these|those|such|all) (?:[\w-]+ ){1,3}?(?:goes?|belongs?) (?:in|into|to"
        r"|under) (?:`[^`]+`|x{2,}"
        r"|[\w.-]*/[\w./-]*|[\w-]+\.[a-z]{1,9})\b[^;]*",
        confidence=0.75,
        cue=r"goes?|belongs?",
    ),
    form(
        "offhand-like-that-always",
        r"(?:i|we)(?:'d| would)? (?:like|want|need|prefer|wish) (?:it )?that (?:the|our"
        r"|your) [^,;]{2,60}? (?:is|are|gets?|stays?|has"
        r"|have) (?:always|never|only|all|everywhere)\b[^,;]*",
        confidence=0.75,
        cue=r"always|never|only|all|everywhere",
    ),
    form(
        "offhand-agreed-that",
        r"(?:we have|there is|there'?s|we made|we came to|we reached) (?:the|an?) (?:agreement|rule"
        r"|policy|convention|decision"
        r"|understanding|deal) (?:that|to|not to)\b [^,;]+|(?:we|the team) (?:have |has )?agreed (?:that"
        r"|to|not to|never to) [^,;]+"
        r"|it(?:'s| is| was| has been) agreed that [^,;]+",
        confidence=0.75,
    ),
    form(
        "offhand-attention",
        r"(?:please )?(?:always )?pay attention (?:that|to|not to)\b(?! (?:this|me|it|what (?:i"
        r"|happens))\b) [^,;]+",
        confidence=0.75,
    ),
    form(
        "offhand-most-important",
        r"(?:the|what(?:'s| is)) (?:by far |really )?most important(?: thing| part| point)?(?: (?:for"
        r"|to) (?:me|us))?(?: here)? is"
        r" (?:that|to) (?!(?:you|we) (?:finish|fix|find))[^,;]+",
        confidence=0.75,
        cue=r"important",
    ),
    form(
        "offhand-assume-of-reader",
        r"(?:please |always |just )*assume (?:that )?(?:i|the readers?|readers|people|nobody"
        r"|your readers?|the audience)\b [^,;]+",
        confidence=0.7,
    ),
    form(
        "offhand-round-to",
        r"(?:please |always |just )*round (?:up |down |everything |numbers |all numbers "
        r"|amounts )?to (?:full|whole|one|two|three|four"
        r"|the nearest|\d|even|cents)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "offhand-show-your-work",
        r"(?:please |always |just )*show (?:me )?(?:your|the) (?:work|working|reasoning|steps"
        r"|calculations?|math|derivations?)"
        r"(?: (?:for|in|with|when|every|each|please|always)\b[^,;]*)?$",
        confidence=0.7,
    ),
    form(
        "offhand-format-is",
        r"(?:the |our )?(?:date|time|datetime|timestamp|number|currency|phone|file ?name|name|id|branch"
        r"|version|url|key|tag)"
        r" (?:format|pattern|suffix|prefix|separator|scheme)(?: is"
        r"|:)? (?=[^\s,;]*[./_:{<#-])(?!is\b)[^\s,;]+(?: (?:please|always"
        r"|everywhere))?$",
        confidence=0.75,
    ),
    form(
        "offhand-use-the-style-of",
        r"(?:please |always |just )*(?:use|follow|keep|take|stick to"
        r"|stay with) the (?:[\w-]+ )?(?:notation|style|format|terminology"
        r"|conventions?|naming|template|structure|palette|wording|spelling|layout|tone|vocabulary"
        r"|patterns?|colou?rs?|numbering)"
        r" (?:from|of|in|that|we|used) (?!(?:this|the (?:first|second|third|last|next|other)) (?:one"
        r"|screenshot|image|picture)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "offhand-double-check",
        r"(?:please |always |just )*(?:double[- ]check|proof-?read|justify|cite|sanity[- ]check"
        r"|spell[- ]?check|peer[- ]review)"
        r" (?:every|each|all|any) (?!(?:of|time|the)\b)[\w -]+$",
        confidence=0.75,
        cue=r"every|each|all|any",
    ),
    form(
        "offhand-isnt-to-be",
        r"(?P<subject>(?!(?:it|this|that|there)\b)[^,;:]{2,50}? )(?:isn'?t|aren'?t"
        r"|ain'?t) to be [a-z]+\b[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "offhand-goes-too",
        rf"{_ALL} [^,;]{{2,50}}? (?:goes|go|belongs?|lands?|has to go|must go|needs to go) (?:there|in"
        rf"|into [^,;]{{2,30}}) "
        r"(?:too|as well|also|first)$",
        confidence=0.75,
    ),
    form(
        "offhand-when-forget",
        rf"(?:when|whenever|once|before|after|if) [^,;]{{2,60}}?,? (?:please )?(?:don'?t|do not|dont"
        rf"|never) forget"
        rf" (?:to|the|about|{ORDER})\b[^,;]*",
        confidence=0.8,
    ),
)
"""Each holds what it is told by: none needs to be looked for by what else is said."""
