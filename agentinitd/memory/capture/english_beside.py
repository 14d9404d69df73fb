"""English rules said beside the work: whose a thing is, who may, how much at most, what is done without."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS
from agentinitd.memory.capture.english_verbs import ORDER

_NO_NAME = (
    r"(?!(?:the|this|that|it|these|those|they|an?|my|your|his|her|their|our|some|one|what|which|who|there"
    r"|everyone|everybody|i|we|you|he|she|fault|time|mistake|answer|guess|question)\b)"
)
_SOLUTION = (
    r"(?:fix|solution|version|patch|approach|implementation|change|variant|design|workaround|refactoring"
    r"|upgrade|migration)"
)
_BARE_STUFF = (
    r"(?:spacing|colou?rs?|fonts?|sizes?|margins?|paddings?|shadows?|breakpoints?|durations?|strings?|labels?"
    r"|copy|texts?|translations?|icons?|secrets?|credentials?|passwords?|config(?:uration)?|settings|urls?"
    r"|constants?|types|versions?|timeouts?|limits?|feature flags|permissions|ids?)"
)
_CASED = (
    r"(?:sentence|title|lower|upper|snake|camel|kebab|pascal|screaming snake)[ _-]?case|lowercase|uppercase"
    r"|all caps|camelcase|singular|plural"
)
_MADE_SO = (
    r"(?:prefixed|suffixed|typed|documented|capitali[sz]ed|namespaced|annotated|versioned|wrapped|sorted)"
)

OF_ALL = form(
    "beside-of-all",
    r"(?:in|for|on|with) (?:all|every|each|any)(?: one)?(?: of)?(?: my| our| the| your)* (?:projects?|repos?"
    r"|repositor(?:y|ies)|codebases?)\b[^:;]{0,40}: [^:]+$",
    confidence=0.75,
)
""" "In all my projects: metric units": tried on the whole statement, as a colon ends a clause."""
THEN_DO = form(
    "beside-then-do",
    rf"(?:anything|everything|whatever|any [\w-]+|every [\w-]+) (?!(?:i|we|you|he|she|they|new"
    rf"|else)\b)(?!.*\b(?:tried|did|checked"
    rf"|found)\b)[^:;]{{2,60}}: ?"
    rf"(?:please |always |first )*{ORDER} (?!(?:fixes|works|helps|fails|is|was|does|did|breaks)\b)[^:]+$",
    confidence=0.75,
)
BESIDE = (
    form(
        "beside-mine-to",
        rf"(?P<subject>{_NO_NAME}[^,;:]{{2,40}}? )(?:is|are) (?:mine|ours|ops'|for me|up to me) to"
        rf" (?!(?:lose|blame|worry|waste|spend|keep)\b)[a-z]+(?: [^,;]+)?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "beside-deed-is-mine",
        rf"{_NO_NAME}(?:[\w./-]+ )?(?P<order>[a-z-]+) is (?:all )?(?:mine|on me|my (?:job|part|turf))"
        r"(?: alone| only| please)?$",
        polarity="do_not",
        confidence=0.7,
        cue=r"mine|me|my",
    ),
    form(
        "beside-nobody",
        r"(?:until then |till then |until \w+,? )?(?:nobody|no one|noone), (?:and )?(?:you|not even|me|i mean"
        r"|including|that|this)\b[^,;]{0,30}, (?!(?:reads|knows|cares|understands|likes|uses|remembers|sees"
        r"|thinks|wants|has|is|does|notices|needs|gets)\b)[a-z]+s (?!(?:it|that) (?:because"
        r"|any ?more)\b)[^,;]+",
        polarity="do_not",
        confidence=0.8,
        cue=r"nobody|no one|noone",
    ),
    form(
        "beside-cap",
        r"(?:please |pls |just |so |and )*cap (?:it|this|that|them|the [\w-]+(?: [\w-]+)?"
        r"|[\w-]+s?(?: [\w-]+)?)"
        r" (?:at|to) (?:about |around |max )?(?:\d|two|three|five|ten|half|a )[^,;]*",
        confidence=0.75,
    ),
    form(
        "beside-must-keep",
        r"(?:it|this|that|they|everything|(?:the|our|my|your|old|existing|all) [\w./ -]{2,40}?) (?:must"
        r"|has to"
        r"|have to|needs? to|should) (?:still |also |always )?(?:keep|stay|remain|continue) (?:on )?(?:to )?"
        r"(?:working|compiling|building|running|starting|loading|booting|passing|work|compile|build|run)"
        r" (?:with|on|under|in|without|for|from|after|against|down to|back to) (?!(?:it|that|this|another"
        r"|an?|a few|\d+ (?:hours?|minutes?|days?))\b)[^,;]+",
        confidence=0.75,
        cue=r"keep|stay|remain|continue",
    ),
    form(
        "beside-nicer-if",
        rf"(?:much |a bit |a lot |even |way )?(?:nicer|better|cleaner|clearer|simpler|easier to read|good"
        rf"|prettier) (?:if|when) {THINGS} (?!(?:could|can|was|were|didn'?t)\b)[a-z]+ [^,;]+",
        force="soft",
        confidence=0.75,
        cue=r"if|when",
    ),
    form(
        "beside-leave-in",
        r"(?:please |pls |kindly |just |and |but )*leave (?:(?:all |any )?(?:of )?(?:my|our|the|those|these"
        r"|existing|all)) (?!(?:branch|pr|meeting|room|call|door|house|rest|decision|ticket|light)\b)"
        r"(?:[\w./-]+ ){0,3}?[\w./-]+s (?:in (?:the (?:code|files?|tests?|source|repo|place)|there|place)"
        r"|in|there|alone)(?: please| pls)?$",
        polarity="do_not",
        confidence=0.75,
        cue=r"leave",
    ),
    form(
        "beside-comes-from",
        rf"(?:all |our )?{_BARE_STUFF} (?:always |only |all )?(?:comes?|is read|are read|is taken|are taken)"
        r" (?:straight |only )?from (?!(?:here|there|somewhere|where|a |an ))[^,;]+",
        confidence=0.7,
        cue=r"from",
    ),
    form(
        "beside-cased",
        rf"(?:all |our |the )?(?:ui |button |table |column |file |page |error |enum |route |env )?(?:copy"
        rf"|texts?"
        rf"|headings?|headlines?|titles?|labels?|buttons?|names?|keys|keywords|messages?|constants|tables"
        rf"|columns|urls|slugs|routes|branches|filenames|fields|params|headers|vars) (?:is|are|in|stays?"
        rf"|always)"
        rf" (?:always |all |in )?(?:{_CASED})(?: please| always| everywhere)*$",
        confidence=0.75,
    ),
    form(
        "beside-query-by",
        r"(?:please |always |just )*(?:query|select|find|locate|grab|look up|get)(?: (?:elements|things|nodes"
        r"|everything|them|stuff))? by [^,;]+? in (?:the |all |our |new |any )*(?:[\w-]+ )?(?:tests?|specs?"
        r"|stories|page objects)$",
        confidence=0.75,
        cue=r"by",
    ),
    form(
        "beside-round-half",
        r"(?:please |always |just )*round (?:half(?:[- ](?:up|down|even))?|commercially|up to|down to"
        r"|away from zero|bankers?'?)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "beside-things-made-so",
        rf"(?:(?:all|every|each|any|public|private|internal|new|exported) )+(?:[\w-]+ ){{0,2}}?[\w-]+"
        rf" (?:(?:is"
        rf"|are|gets?|get) )?(?:(?:pre|suf)fixed (?!by mistake)[^,;]+|{_MADE_SO} (?:with|by|in|as|like|under)"
        r" (?!(?:mistake|the (?:last|old))\b)[^,;]+|signed[ -]off)$",
        confidence=0.7,
        cue=r"\w+fixed|\w+ed",
    ),
    form(
        "beside-solution-without",
        rf"(?:please |ok |so )?(?:(?:i|we)(?:'d| would)? (?:want|need|like|prefer|love)(?: to have)?|give me"
        rf"|find|find me|make it) an? (?:[\w-]+ )?{_SOLUTION} (?:that (?:doesn'?t|does not|never|won'?t)"
        r"|which (?:doesn'?t|does not)|without|with no) (?!(?:work|fail|crash|break again|it|this"
        r"|that|(?:an? |any )?(?:bugs?|errors?|problems?|typos?))\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
        cue=r"that|which|without|with no",
    ),
    form(
        "beside-plain-this-time",
        r"(?:please |ok |so )?(?:just |only )?(?:plain|pure|vanilla|native|bare|raw|good old)"
        r" (?!(?:wrong|bad|weird|stupid|silly|luck|and|old"
        r"|text here)\b)[\w.+#/-]+(?: [\w.+#/-]+)?(?: please)?"
        r" (?:this time|for this one|here|throughout|only|for the \w+)(?: please)?$",
        confidence=0.75,
    ),
    form(
        "beside-read-only",
        r"(?:please )?(?:read[- ]only|dry[- ]run) (?!(?:file|fs|mode|flag|property|field|error|mount|array"
        r"|state)\b)[\w./-]+(?: [\w./-]+)? (?:please|pls|for now|until [^,;]+)(?: for now)?$",
        confidence=0.75,
    ),
    form(
        "beside-the-rest",
        r"(?:and |but )?(?:everything else|anything else|all the rest|(?:the )?rest of (?:the "
        r"|our )?(?!(?:team|group|company|people|family|day|week|time|money)\b)[\w-]+)"
        r" (?:stays |is |goes |remains )?(?:on|in|at|with|via|as|under|through) (?!(?:the|my|your|an?|this"
        r"|that|order|place|line|progress|time|track|hold|schedule|fine|it|there|usual|good|working|one)\b)"
        r"[\w./+#-]+(?: [\w./+#-]+){0,2}$",
        confidence=0.75,
        cue=r"else|rest",
    ),
    form(
        "beside-so-many-when",
        r"(?:\d+|one|two|three|four|five|six|ten|a|an?|a few) (?!(?:hours?|minutes?|mins?|days?|weeks?"
        r"|seconds?"
        r"|secs?|months?|times)\b)[\w-]+(?: [\w-]+)?,? (?:max(?:imum)?|at (?:the )?most|tops)"
        r" (?:when(?:ever)?"
        r"|if|each time) (?:you|i) (?!(?:have|get|can|want|like)\b)[^,;]+$",
        confidence=0.75,
        cue=r"max|maximum|most|tops",
    ),
    form(
        "beside-again",
        r"(?:please |ok |so )?(?:short(?:er)?|brief|terse|long(?:er)?|detailed|small(?:er)?|concise|simple"
        r"|plain)"
        r" (?:answers|replies|responses|commits|prs|summaries|explanations|diffs|messages|steps) (?:again"
        r"|instead|from now on|then|only)(?: please)?$",
        confidence=0.75,
        cue=r"again|instead|from now on|then|only",
    ),
    form(
        "beside-never-beyond",
        r"(?!(?:i|we|you|he|she|they|it|this|that|there|the)\b)(?:[\w./-]+ ){1,4}?never (?:above|below|over"
        r"|under|beyond|more than|less than|higher than|lower than|faster than) (?:about )?\d[^,;]*$",
        polarity="do_not",
        confidence=0.8,
        cue=r"never",
    ),
    form(
        "beside-wait-for",
        r"(?:and |then )?(?:you (?:always )?wait (?:until|till) (?:i|we|it'?s|they)\b|you"
        r" (?:always )?wait for (?:me|my|an? ok"
        r"|approval|the ok|a yes|a go)\b|wait (?:until|till) i(?:'ve| have)? (?:said|say|approved?|ok)\b)"
        r"(?! (?:it|them)\b)[^,;]*",
        confidence=0.75,
        cue=r"wait",
    ),
    form(
        "beside-prefixed-by-rule",
        r"(?:whatever|anything|everything) (?:that )?[a-z]+s [^,;]{2,50}? (?:needs|wants|requires|gets"
        r"|goes"
        r" through|is (?:reviewed|approved|checked|merged|tested|run) by) (?:an?|my|its|the|two|[A-Z])\b"
        r"(?! (?:error|crash|timeout|\d))[^,;]*",
        confidence=0.75,
        cue=r"whatever|anything|everything",
    ),
    form(
        "beside-if-you-touch",
        rf"(?:if|when(?:ever)?|once|each time|every time) (?:you|we) (?:touch|change|edit|modify|add|remove"
        rf"|rename"
        rf"|move|update|delete|create|introduce|bump) (?:anything|something|any|an?|the|one) [^,;]{{2,60}}?"
        rf" (?:please |also |then |always )*{ORDER} (?:the|all|an?|it|its|every|both|that) [^,;]+?"
        rf" (?:after(?:wards)?"
        r"|too|as well|first|before|again|along|with it)$",
        confidence=0.75,
        cue=r"after|afterwards|too|as well|first|before|again|along|with it",
    ),
    form(
        "beside-each-its-own",
        r"(?:each|every) [\w-]+(?: [\w-]+)?,? (?:in |as |gets |on )?(?:its"
        r"|their) own [\w-]+(?: [\w-]+)?(?: please)?$",
        confidence=0.75,
    ),
    form(
        "beside-here-its-not",
        r"(?:(?:(?:on|in|at|for) (?:this|our|my) [\w-]+|here|around here|for us),? it(?:'s| is)|the"
        r" (?:right |correct "
        r"|official )?(?:word|term|spelling) (?:here )?is) (?:called |named |an? )?[^,;]{2,40}? (?:not"
        r"|never)"
        r" (?!(?:yet|working|there|here|so|really|that|what)\b)[^,;]{1,40}$",
        confidence=0.75,
        cue=r"not|never",
    ),
    form(
        "beside-before-you",
        rf"(?!{ORDER}\b)"
        r"(?!(?:it|this|that|the|i|we|you|is|are|what|just|right|shortly|long|ever|one|and"
        r"|but)\b)(?!(?:[\w-]+ ){0,2}(?:seconds?|minutes?|hours?|days?|weeks?|months?)\b)"
        r"[\w-]+(?: [\w-]+){0,2} before you (?:ask|push|merge|open|commit|deploy|hand|send"
        r"|continue|request|release|ship)\b[^,;]*",
        confidence=0.75,
        cue=r"before you",
    ),
    form(
        "beside-or-it-stays-out",
        r"(?!(?:it|this|that|is|are|what|did|does)\b)(?:[\w-]+ ){1,4}or (?:it|they|the pr) (?:doesn'?t"
        r"|don'?t|does not|won'?t)"
        r" (?:go|get|land|be merged|merge|ship)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "beside-nothing-fancy",
        r"(?:please |so |and |but )*nothing (?:too |overly )?(?:fancy|clever|exotic|risky|flashy|heavy"
        r"|complicated|crazy"
        r"|destructive|experimental|over-?engineered)(?: please)?(?: (?:here|this time|until [^,;]+|for now"
        r"|yet))?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "beside-wont-approve",
        r"(?:i|we) (?:can'?t|cannot|won'?t|will not|don'?t|do not|never) (?:approve|merge|accept|review"
        r"|sign off(?: on)?"
        r"|let in) (?:anything|something|prs?|code|commits?|changes|diffs?|patches) (?:with|that|over"
        r"|bigger|larger"
        r"|longer|above) [^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "beside-next-time",
        r"(?:please |pls |just |always )*(?P<order>[a-z-]+) (?!(?:me|us|you|him|her|that|it"
        r"|this)\b)[^,;]{3,80} next time"
        r"(?: please| pls)?\??$",
        confidence=0.75,
        cue=r"next time",
    ),
    form(
        "beside-no-sign",
        r"(?:please |and |but )*(?:no|avoid) [^\w\s,;`'\"-]{1,3}"
        r" (?:in|for|on|at|outside|anywhere|please|like)\b[^,;]*",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "beside-as-its",
        r"(?!(?:same|as|it|that|this|works?|serves?|act)\b)[\w./-]+(?: [\w./-]+)? as (?:the |a "
        r"|an )?(?:field |column "
        r"|decimal |date |line |default )?(?:separator|delimiter|encoding|format|unit|base|default|prefix"
        r"|suffix"
        r"|primary key|quote char|indent(?:ation)?|currency|locale|fallback)(?: please| pls| everywhere)?$",
        confidence=0.75,
        cue=r"as",
    ),
    form(
        "beside-we-spell",
        r"we (?:always )?(?:spell|call|abbreviate|write) (?:it|them|that|those) (?:x{3,}|with (?:an?|two"
        r"|one|no)\b"
        r"|as one word|as two words|in one word)[^,;]*",
        confidence=0.75,
    ),
    form(
        "beside-belongs-in",
        r"the [\w -]{2,30}? (?:belongs|goes|has to go|must go) (?:in|into|at|to|before|after|on) the"
        r" (?:end of the "
        r"|start of the |front of the )?(?:branch|commit|pr|title|subject|description|message|changelog"
        r"|body|header"
        r"|footer|file ?name|docstring)\b[^,;]*",
        confidence=0.75,
        cue=r"belongs|goes|go",
    ),
    form(
        "beside-feel-better-if",
        r"i(?:'d| would) (?:feel (?:much |a lot )?(?:better|safer)|sleep (?:much )?better|rest easier|be"
        r" (?:much )?"
        r"(?:calmer|happier)) if (?:you|we) (?!(?:could|can|would) (?:fix|check|look|explain|help"
        r"|find)\b)[a-z]+ [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "beside-get-nervous",
        r"i (?:always )?get (?:so |really |very )?(?:nervous|anxious|grumpy|twitchy|scared|angry|itchy"
        r"|mad) (?:when"
        r"|whenever|if) (?!(?:i|it|this|that|he|she|the|my|our)\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "beside-less-more",
        r"(?:please )?less (?!(?:than|of)\b)[a-z]+,? (?:and )?more (?!than\b)[a-z]+(?: please| pls)?$",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "beside-one-at-a-time",
        r"(?:please |always |only |just )*(?:(?P<order>[a-z-]+) (?:me |us )?)?(?:only |just )?one"
        r" (?!(?:error|bug)\b)"
        r"[\w-]+(?: [\w-]+)? at a time(?: please| pls)?(?: (?:when|if|so|for)\b[^,;]*)?$",
        confidence=0.75,
        cue=r"at a time",
    ),
    form(
        "beside-be-so-in",
        r"(?:please |always |just |so )*be (?:very |extra |as |more )?(?:polite|brief|kind|concise|specific"
        r"|formal|honest"
        r"|explicit|consistent|terse|nice|friendly|blunt|direct|gentle|conservative|strict|generous|stingy"
        r"|frugal)"
        r" (?:in|with|about|when|to|towards|on) (?!(?:me|him|her|it|that|this|time)\b)[^,;]+",
        confidence=0.75,
    ),
)
"""Each holds what it is told by."""
