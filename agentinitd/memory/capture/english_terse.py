"""How English lays something down in few words: who alone may, what is too long, which comes first."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import CHANGE, form
from agentinitd.memory.capture.english_verbs import ORDER

_DEEDS = (
    r"(?:merg|chang|touch|push|deploy|publish|edit|commit|releas|approv|delet|renam|sign|writ|decid|configur"
    r"|migrat|upload|tag|review|rotat|administ|own|updat|bump|ship|modif|alter|run|fix|sett|set|open|clos)"
)
_WHO = (
    r"(?:teams?|groups?|leads?|owners?|maintainers?|ops|devops|devs?|developers?|admins?|dbas?|reviewers?"
    r"|managers?"
    r"|bots?|ci|pipelines?|layers?|modules?|services?|packages?|crates?|squad|department|people|architects?)"
)
_SPEECH = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|texts?|sentences?|plans?)"
)
_BRIEF = (
    r"(?:shorter|briefer|terser|(?:more )?(?:concise|to the point)|less (?:verbose|wordy|chatty|talkative))"
)
_A_BIT = r"(?:(?:a (?:bit|little|touch|lot)|a little bit|much|even|way|slightly|somewhat|generally) )?"
_POLITE = r"(?:,? (?:please|pls|plz|thanks|thx|ok|next time|from now on|in general|in future|for me))*$"
_RUNS = (
    r"(?:run|work|compile|build|stay|remain|fit|support|load|start|boot|install|render|scale|print|respond"
    r"|survive|finish|pass|behave|keep|handle|be (?:\w+ly )?(?:usable|readable|compatible|reproducible"
    r"|deterministic|idempotent|accessible|under|below|within|offline|backwards?))"
)

TERSE = (
    form(
        "terse-only-who",
        rf"only (?:(?:the |our |my )?(?:[\w-]+ ){{0,2}}?{_WHO} |(?-i:[A-Z][a-z]+ )(?:and (?-i:[A-Z][a-z]+"
        rf" ))?)"
        rf"(?:{_DEEDS}(?:e|t)?(?:s|es|ies)|(?:talks?|speaks?|writes?) to|knows about)"
        rf" (?!(?:it|this|that|them|once|twice|when|if|on (?:error|startup|start)|at|after|before)\b)[^,;]+",
        confidence=0.75,
        cue=r"only",
    ),
    form(
        "terse-brief",
        rf"(?:please )?(?:(?:your |the |all )?{_SPEECH} (?:should be |must be |can be |could be )?)?{_A_BIT}"
        rf"{_BRIEF}{_POLITE}"
        rf"|(?:please )?{_A_BIT}(?:shorter|longer|smaller|simpler|plainer) {_SPEECH}{_POLITE}",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-small-things",
        r"(?:please )?(?:short|brief|concise|terse|small|tiny|compact|minimal|focused|atomic|descriptive"
        r"|meaningful) (?:answers|replies|responses"
        r"|commits|prs"
        r"|pull requests|functions|explanations|summaries|diffs|changes|names|messages|commit messages"
        r"|steps|modules"
        r"|classes)"
        rf"{_POLITE}",
        force="soft",
        confidence=0.7,
    ),
    form(
        "terse-better-you",
        r"(?:it is |it's |is )?better (?:if )?(?:you|we) (?:always |only |just )?(?!(?:not|don'?t|do not"
        r"|didn'?t|never"
        r"|stop|look|see|check|fix|tell|ask him|go|wait|hurry|be quick)\b)[a-z]+ (?!(?:it|that"
        r"|this)\b)[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-when-you",
        r"(?:when|whenever|if|every time|each time|any time|once|after|before) (?:you|we|an?|any|something"
        r"|anything)"
        r" [^,;]{3,80}? (?:you|we) (?:need to|have to|must|should|always|gotta) (?:always |also |first "
        r"|please )*"
        rf"(?!(?:wait|see|find|scroll|click|press|be|get|look|think|know|remember|start over"
        rf"|live)\b){ORDER}\b"
        r" (?!(?:it|this|that) (?:again|twice)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "terse-not-wanted",
        r"what (?:i|we) (?:really |certainly |definitely )?(?:don'?t|do not|dont|never) want(?: though| to"
        r" see| to have"
        r"| here)? is (?:that |for )?(?!(?:to (?:say|be|know))\b)[^;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-without",
        r"(?:please )?without (?:any |using |an? |adding |more )*(?!(?:it|this|that|the|them|success|luck"
        r"|error"
        r"|errors|problems?|issues?|doubt|reason|result)\b)[\w./+#`-]+(?: [\w./+#`-]+){0,3} (?:please|pls"
        r"|plz)$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-my-choice",
        r"(?P<subject>(?!(?:it|this|that|the (?:first|second|third|other|last|latter"
        r"|former))\b)[^,;:?]{2,50}? )"
        r"(?:would be|is|remains|stays) (?:still |clearly |always )?my (?:personal |preferred |first"
        r" )?(?:choice"
        r"|pick|preference|favou?rite|go-to|weapon of choice|default)\b[^,;]*",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-goes-at",
        rf"(?P<subject>(?:the |your |a |an |each |every )?(?:short |quick |final |full )?(?:{_SPEECH}"
        r"|conclusions?|results?|verdicts?|reasons?|changelog|todo list|diff|next steps)(?: (?:to|of|for"
        r"|about)"
        r" [^,;]{2,30}?)? )(?:always )?(?:goes?|comes?|belongs?) (?:(?:always )?(?:at|on|in|to) (?:the"
        r" )?(?:very )?"
        r"(?:top|bottom|end|start|beginning|front)|first|last|up front|before|after)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "terse-nothing-er",
        r"(?:please |so |and )*nothing (?:that (?:is|needs) )?(?:(?!other|rather|under|over)[a-z]+er|more"
        r" [a-z]+"
        r"|less [a-z]+) than (?!(?:expected|usual|before|i |we )\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-must-run",
        rf"(?:must|has to|have to|needs? to)(?: also| still| always"
        rf"| even)?(?: be able to)? {_RUNS}\b(?! (?:it|this|that"
        rf"|them|now"
        r"|again|fine|up|out)\b)[^,;]+",
        confidence=0.75,
        cue=r"must|has to|have to|needs? to",
    ),
    form(
        "terse-for-use",
        r"for (?!(?:now|this|that|the|my|your|his|her|a|an|it|them|these|those|some|example|instance|what"
        r"|whom"
        r"|today|tomorrow|once|reference|me|us)\b)[\w./+-]+(?: [\w./+-]+){0,3}?,? (?:please |always |we "
        r"|you |just )*"
        r"(?:use|take|go with|call|stick to|reuse)\b (?!(?:it|this|that|them|my|your|whatever|what"
        r"|cases?)\b)[^,;]+",
        confidence=0.75,
        cue=r"use|take|go with|call|stick to|reuse",
    ),
    form(
        "terse-wherever",
        r"(?:wherever|where|whenever|as far as) (?:you can|we can|possible|it makes sense|it fits|you are"
        r" able),?"
        rf" (?:please |just )*{ORDER} (?!(?:it|this|that)\b)[^;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-mine",
        r"(?:(?:the|my|our) )?(?:[\w-]+ )?(?:[\w-]*[./][\w./*-]+|`[^`]+`|x{2,})(?: (?:file|folder"
        r"|directory|branch"
        r"|module|script))? (?:is|are) (?:all )?(?:mine|ours|theirs|hers|his|somebody else'?s|not yours)\b"
        r"(?: alone| only| to (?:edit|change|touch))?$",
        polarity="do_not",
        confidence=0.75,
        cue=r"mine|ours|theirs|hers|his|else'?s|not yours",
    ),
    form(
        "terse-we-leave-it",
        r"(?:we|you) (?:don'?t|do not|never|shouldn'?t|must not|mustn'?t|may not|can'?t|cannot) (?:ever"
        r" )?(?:touch"
        r"|change|edit|modify|rename|alter|delete|remove|reformat|rewrite|move) (?:it|them|that|those)$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-not-get-to",
        rf"(?:you|u|we) (?:don'?t|do not|dont|never) get to (?:re)?{CHANGE}[a-z]* [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "terse-spelling",
        r"(?:please )?(?:british|american|us|uk|canadian) (?:english|spelling)(?: (?:in|for|on|throughout"
        r"|everywhere)"
        r"\b[^,;]*)?(?: please| pls)?$",
        confidence=0.75,
    ),
    form(
        "terse-gets-entry",
        r"the (?:changelog|release notes|readme|docs|wiki|spec|test suite|overview|index|glossary|manual)"
        r" (?:always )?"
        r"(?:gets|needs|must get|has to get) [^,;]+ (?:for|with|on|per|after|about) (?:every|each|any)"
        r" [^,;]+",
        confidence=0.75,
        cue=r"every|each|any",
    ),
    form(
        "terse-matters-more",
        r"(?P<subject>(?!(?:it|this|that|what|the|my|your)\b)[\w -]{3,30}? )(?:matters?|counts?|weighs?"
        r"|(?:is|are)"
        r" (?:worth|more important)|comes?|goes?) (?:(?:far |much |a lot )?more than|before|than|ahead of"
        r"|first,)"
        r" (?!(?:it|this|that|the|lunch|ever|i|we)\b)[\w -]{3,30}(?: (?:in|for|on) [^,;]+)?$",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-nicer-if",
        r"(?:much |a bit |way |a lot |even )?(?:nicer|better|cleaner|clearer|simpler|safer) (?:if|when)"
        r" (?:the|all"
        r"|every|each|we|you) (?!(?:could|can) (?:fix|add|help|explain|look|check)\b)[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-still-holds",
        r"(?:what i (?:said|told you|asked)|the same|same rule|that rule) (?:about|on|for|regarding)"
        r" [^,;]{2,50}?"
        r" (?:holds|applies|goes|counts|is true|stands|is valid)(?: also| too| as well)? (?:for|to|in"
        r"|here)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "terse-use-now",
        r"(?:we(?:'re| are)?|the (?:team|project|repo)(?: is)?) (?:all )?(?:us(?:e|es|ing)|build(?:ing)? with"
        r"|deploy(?:ing)? to|run(?:ning)? on|target(?:ing)?|test(?:ing)? with|compil(?:e|ing) with)"
        r" (?!(?:it|this|that|the|a|an|some|more|less|too|my|your)\b)[\w./+#@-]+(?: v?[\w.+-]+){0,2} now$"
        r"|we now (?:use|build with|deploy to|run on|target|test with) (?!(?:it|this|that|the|a|an|some)\b)"
        r"[\w./+#@-]+(?: v?[\w.+-]+){0,3}(?: instead| everywhere| for [\w ]{2,20})?$",
        confidence=0.75,
        cue=r"now",
    ),
    form(
        "terse-first-then",
        r"(?:always |please )*first (?:an? |the (?=plan|spec|design))?(?:(?:failing|red|unit|small|short"
        r"|new|rough|detailed"
        r"|regression|full) )*(?:tests?|spec|types?|plan|design|docs?"
        r"|schema"
        r"|migration|interface|contract|proposal|sketch|outline|draft|benchmark|repro(?:duction)?|backup"
        r"|rfc),?"
        r" (?:and |and only |only )?then (?:the |an? |comes? )?[\w-]+(?: [\w-]+){0,3}$",
        confidence=0.75,
    ),
    form(
        "terse-between",
        r"(?:i|we)(?:'d| would)? (?:like|love|want|prefer|need)(?: to have| to see)? (?:an? |one |two "
        r"|exactly one )"
        r"(?:[\w-]+ ){1,3}(?:between|before|after|above|below|around|under|on top of|at the end of) (?:the"
        r" |all |every"
        r" |each )?(?:[\w-]+ ){0,2}[\w-]+s\b[^,;]*",
        force="soft",
        confidence=0.75,
        cue=r"between|before|after|above|below|around|under|on top|at the end",
    ),
    form(
        "terse-let-me",
        r"(?:please )?let me (?:do|handle|take care of) (?:the |all |all the )?(?:[\w-]+ )?(?:[a-z]+ing"
        r"|merges?"
        r"|commits?|push(?:es)?|deploys?|releases?|migrations?|reviews?)(?: myself)?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-style",
        r"(?:please |just |only )*(?:(?:\d|two|three|four|eight)[- ]spaces?(?: indent(?:ation|s)?)?"
        r"|(?:single|double"
        r"|straight) quotes|trailing commas|no semicolons|lf line endings|(?:snake|camel|kebab|pascal)[_"
        r" ]?case)"
        r"(?: (?:please|pls|everywhere|always))*$",
        confidence=0.7,
    ),
    form(
        "terse-wont-have",
        r"(?:i (?:won'?t|will not)|(?:i|we) refuse to) have (?:any |a single |another |more )?(?!(?:time"
        r"|it|this"
        r"|that|access|to"
        r"|the)\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "terse-see-to-it",
        r"(?:please )?(?:always )?see to it that (?!(?:it|this|that)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "terse-oldest",
        r"the (?:oldest|lowest|minimum|smallest|highest|newest|largest|latest|slowest|only) [\w-]+(?:"
        r" [\w-]+)? (?:that )?"
        r"(?:(?:we|you|i) (?:support|target|ship|allow|use|care about|accept|test(?: on)?|run)|(?:in|for)"
        r" (?:the|this|our)"
        r" (?:repo|project|code ?base|team|code|docs)) (?:is|are) (?!(?:that|because|the (?:problem|bug)"
        r"|not|gone|broken"
        r"|missing|wrong|still)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "terse-find-tiring",
        r"(?:i|we) find (?!(?:it|this|that|the|out|my|your)\b)[\w -]{3,40}? (?!(?:interest|amaz|fascinat"
        r"|charm|promis"
        r"|appeal|pleas|refresh|relax|encourag|comfort|remain|exist|miss|us|do|be|work)ing\b)(?:[a-z]+ing"
        r"|tiresome"
        r"|irksome|bothersome)$",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-sooner",
        r"(?:i|we)(?:'d| would) sooner (?:have|use|see|keep|write|take|duplicate|copy) [^,;]+ than [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "terse-remember-the",
        r"(?:please )?(?:and )?(?:remember|mind|watch|don'?t forget) (?:the|your|our) (?:changelog|docs"
        r"|unit tests|tests?"
        r"|types|translations|version(?: bump| number)?|licen[cs]e headers?|line endings|locales?"
        r"|migrations?|readme"
        r"|schema|linter|style guide|naming|units|time ?zones?|indentation|encoding|imports)\b(?! (?:that"
        r"|we|you|i)\b)"
        r"[^,;]*",
        confidence=0.75,
    ),
    form(
        "terse-throughout",
        r"(?:please |always )*(?:use|store|keep|handle|pass|represent|compute|treat|hold|calculate|write"
        r"|format) (?!(?:it"
        r"|this|that|them)\b)[^,;]+ (?:internally|throughout|consistently|at the (?:edges?|boundar(?:y"
        r"|ies)|borders?)"
        r"(?: only)?)$",
        confidence=0.75,
    ),
    form(
        "terse-often",
        r"(?:please )?(?:commit|push|test|release|ship|merge|rebase|save|sync|fail|ask) (?:early|often"
        r"|frequently"
        r"|regularly|in small steps)\b[^,;]*$",
        confidence=0.75,
    ),
    form(
        "terse-helps-me",
        r"(?P<subject>(?!(?:it|this|that|what|coffee|the)\b)[\w -]{3,40}? )(?:helps?|works? for|tells?"
        r"|suits?) (?:me|us)"
        r" (?:far |much |a lot )?(?:more|better|best)\b(?: than (?!(?:before|ever|i|we)\b)[^,;]+)?",
        force="soft",
        confidence=0.75,
        cue=r"me|us",
    ),
    form(
        "terse-for-anything",
        r"(?!(?:thanks?|thank you|same|ready|time|room|good|nice|great|sorry|cause|ok|okay|works?|looks?"
        r"|it|this|that"
        r"|search|look|check|wait|sort|test|ask|do|go)\b)[\w-]+(?: [\w-]+){0,2} for (?:anything|everything"
        r"|whatever) (?!else"
        r"$)[^,;]+",
        confidence=0.7,
        cue=r"anything|everything|whatever",
    ),
)
"""Of few words, and therefore bound to what they hold."""
