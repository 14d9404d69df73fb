"""How English wishes, and how it takes back what was said."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import (
    CHANGE,
    form,
)

WISHES = (
    form(
        "find-bad",
        r"(?:i|we) (?:really |personally )?(?:find|consider) (?!it\b|this\b|that\b|the (?:error|output"
        r"|result))[^,;]{2,60}? (?:hard|ugly|confusing|difficult|annoying"
        r"|unreadable|noisy|distracting|harder|hideous|messy|overkill)\b",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "makes-me",
        r"(?P<subject>[^,;]{2,60}? )(?:makes?|drives?) me (?:sad|mad|crazy|nervous|angry|cringe|unhappy"
        r"|nuts)\b"
        r"|(?:i'?m|i am) (?:allergic to|tired of|sick of|against) (?!it\b|this\b|that\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "over",
        r"(?:[\w-]+ ){1,2}over (?!there|here|it|that|this|the\b|and|time|a\b|\d)[\w-]+(?: [\w-]+)?$",
        force="soft",
        confidence=0.75,
    ),
    form(
        "love-if",
        r"(?:i|we)(?:'d| would) (?:really )?(?:love|like|prefer|appreciate) it (?:more "
        r"|better )?if (?:you|we|the|all)\b(?! (?:could|can) (?:fix|help|explain|look|tell|show|check"
        r"|add)\b)",
        force="soft",
    ),
    form(
        "like",
        r"(?:i|we) (?:really |usually |generally |personally )?like (?!it\b|this\b|that\b|the\b|how\b"
        r"|your\b|what\b|to\b|a\b|those\b|these\b|option\b|plan\b|both\b|where\b)"
        r"(?:[a-z-]+ ){1,3}?[a-z-]+s\b",
        force="soft",
        confidence=0.65,
    ),
    form(
        "rather-not",
        r"(?:better (?:not to|to not|never to|not)\b|(?:i|we)(?:'d| would)?(?: much"
        r"| really)? (?:rather (?:not|avoid|you (?:didn'?t|not))|prefer (?:not|no|you (?:don'?t"
        r"|didn'?t)|to avoid|if you (?:don|didn)'?t|it if you (?:don|didn)'?t|fewer|without)"
        r"|like (?:to (?:not|avoid)|you not to|it if you didn'?t))|rather not|preferably (?:no|not"
        r"|without)|ideally (?:no|not|without)|i(?:'d| would) appreciate it if (?:you|we) (?:didn'?t"
        r"|don'?t|could avoid|avoided)|would be (?:nice|good|great|better|cool) (?:to avoid|not to"
        r"|to not|if (?:you|we) (?:didn'?t|don'?t|could avoid)|without)|(?:it'?d|it would) be (?:nice"
        r"|good|great|better|nicer) (?:not to|to avoid|to not|if (?:you|we) (?:didn'?t|don'?t"
        r"|could avoid)|without))\b",
        polarity="do_not",
        force="soft",
    ),
    form(
        "dislike",
        r"(?:(?:i|we)(?:'m| am|'re| are)? |(?=not (?:a |keen|fond|too)))(?:usually |generally |really "
        r"|personally |also |just |honestly |normally |tend to |kind of |kinda |sort of |absolutely "
        r"|still )*(?:(?:don'?t|do not|dont|never) (?:really |usually |particularly |much |normally "
        r"|like to )*(?:like|love|enjoy|care for|write|do|want to see)|not (?:a (?:big |huge )?fan of"
        r"|(?:too |very |so |that )?(?:keen|fond|big|hot|sold|into) (?:on|of)?|crazy about)|dislike"
        r"|hate|loathe|detest|can'?t stand|try to avoid|(?:to )?avoid|stay away from|(?:no"
        r"|not a) fan of)\s(?!(?:it|that|this|how|what|them|the way|when|where|the (?:look|idea|result"
        r"|output|error|second|first))\b)[^,;]+",
        polarity="do_not",
        force="soft",
    ),
    form(
        "not-my-thing",
        r"(?P<subject>[^,;]{2,60}?) (?:isn'?t|is not|aren'?t|are not) (?:really |exactly |quite "
        r"|so much )?(?:my (?:thing|style|taste|favou?rite|cup of tea|kind of)|how (?:i|we) (?:do|like"
        r"|write))\b",
        polarity="do_not",
        force="soft",
    ),
    form(
        "try-not",
        r"(?:please )?(?:try (?:not to|to avoid|to not|and avoid)|go easy on|take it easy with"
        r"|not too (?:many|much)|(?:fewer|less) (?=[^,;]*\b(?:please|pls)\b)|don'?t overdo"
        r"|do not overdo|as few [\w ]+ as possible|as little [\w ]+ as possible|lets? not get"
        r"|let'?s avoid|lets avoid)\b(?! than)(?! (?:that|it))",
        polarity="do_not",
        force="soft",
    ),
    form(
        "prefer",
        r"(?:(?:i|we)(?:'d| would)?(?: much| really| usually| generally| strongly| always"
        r"| still)? (?:rather (?:have|see|use|you (?!didn'?t|not)|keep|go)|prefer (?!(?:the|option|that"
        r"|this|it|to wait|a|b|c|number|\d)\b(?! \w+ (?:style|way|form|over|to|approach)\b))|favou?r"
        r"|like [^,;]{2,60} (?:better|more) than|(?:would )?(?:love|like) (?:to (?:keep|have"
        r"|avoid) [^,;]+|it if you (?:always|kept|used|could)))|my preference is|prefer(?:red)? "
        r"|try to (?:always )?(?:keep|stick|stay|use|prefer|limit|minimi[sz]e|reuse|follow|write|be"
        r"|have)\b|aim for|lean towards?|better to (?!not\b)[^,;]+ than|(?:it'?d|it would"
        r"|would) be (?:nice|great|good|better) (?:if (?:the |all |every |you (?:always|kept|used"
        r"|could (?:always |please )?(?:keep|use|stick|stay)))|to (?:keep|have|use|stick))|the (?:fewer"
        r"|shorter|smaller|simpler|less)\b[^;]+\bthe better)",
        force="soft",
    ),
    form(
        "a-fan",
        r"(?:i|we)(?:'m| am|'re| are)? (?:a )?(?:big |huge )?fan of [^,;]+",
        force="soft",
        confidence=0.7,
    ),
    form(
        "habit",
        r"(?:i|we) (?:usually|normally|generally|typically|mostly|tend to|like to|prefer to) (?:write"
        r"|use|name|put|keep|do|go with"
        r"|start|split|return|wrap|leave|commit|test|log|structure|format|have|work|stick|group|order)\b",
        force="soft",
        confidence=0.8,
    ),
    form(
        "not-into",
        r"(?:(?:i'?m|i am|we(?:'re| are)) (?:not|really not|no longer|not really) (?:that |really |too "
        r"|so )?(?:into|big on|fond of"
        r"|keen on|sold on|happy with)|i (?:could|can) (?:do|live) without|i don'?t (?:need|want"
        r"|enjoy) (?:to (?:read|see|look at|wade))"
        r"|i'?d rather live without|i'?d skip)\s(?!it\b|this\b|that\b|the (?:error|output|result))[^,;]+",
        polarity="do_not",
        force="soft",
    ),
    form(
        "value-it",
        r"(?:i|we)(?: really| much)? (?:value|care about|appreciate|favou?r|enjoy|love) (?!it\b|this\b"
        r"|that\b|the\b|your\b|you\b|how\b"
        r"|what\b)[^,;]+|(?:i'?m|i am) more of an? [^,;]+ (?:person|guy|girl|kind)|it (?:helps"
        r"|makes my life easier)(?: me)?(?: a lot)? (?:if"
        r"|when) (?:you|the|all|every)\b[^,;]*|i (?:can )?(?:read|review|follow|think) [^,;]* (?:better"
        r"|easier|faster) (?:when|if|with|in)\b",
        force="soft",
        confidence=0.75,
    ),
    form(
        "reads-badly",
        r"(?P<subject>(?!(?:the|this|that|these|those|your|it|new|my|there)\b)[^,;]{2,50}? )(?:is|are"
        r"|reads?|feels?|looks?|gets?) (?:a bit |a little "
        r"|much |so |way |far |just |really |too |kind of |kinda |always )*(?:hard(?:er)? to \w+"
        r"|unreadable|ugly|noisy|clunky|heavy|overkill"
        r"|clever|clumsy|hideous|confusing|a smell|evil|a nuisance|bad style"
        r"|bad taste|a mistake)\b",
        polarity="do_not",
        force="soft",
        confidence=0.7,
    ),
    form(
        "reads-better",
        r"(?P<subject>(?!(?:the|this|that|these|those|your|it|new|my|there)\b)[^,;]{2,50}? )(?:is|are"
        r"|reads?|feels?|looks?) (?:a bit |a little |much "
        r"|so much |way |far |just |really |always )*(?:nicer|cleaner|clearer|prettier|neater|better"
        r"|easier to \w+|more readable"
        r"|preferable|preferred|simpler|my favou?rite|my preference)\b",
        force="soft",
        confidence=0.7,
    ),
    form(
        "would-be-not",
        r"(?:it(?:'d| would) |that would )?be (?:nice|good|great|better|cool|lovely|helpful|best|ideal"
        r"|happier)\b[^,;]* (?:not|without|less|fewer|no)\b",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "would-be",
        r"(?:it(?:'d| would) |i(?:'d| would) )be (?:nice|good|great|better|cool|lovely|helpful|best"
        r"|ideal|happier) (?:if|to|when)"
        r" (?!you (?:could |can )?(?:fix|add|look|help|explain|tell|show|check)\b|to (?:know|see|get"
        r"|add|fix)\b)",
        force="soft",
        confidence=0.75,
    ),
    form(
        "gives-me",
        r"(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,60}? )gives? me (?:a |the )?(?:headaches?|creeps"
        r"|pause|trouble|shivers)\b",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "makes-happy",
        r"(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,60}? )makes? me (?:happy|happier|smile)\b|(?:i'?m"
        r"|i am|i feel|i'd be) (?:more comfortable|happier|better"
        r"|most comfortable) (?:with|when|if)\b(?! (?:it|this|that)\b)",
        force="soft",
        confidence=0.8,
    ),
    form(
        "like-when",
        r"(?:i|we) (?:really |always )?(?:like|love|prefer|appreciate) it (?:when|if) ",
        force="soft",
        confidence=0.8,
    ),
    form(
        "fewer-wished",
        r"(?:(?:i|we)(?:'d)? )?(?:could|can|would) do with (?:less|fewer|no)\b|(?P<subject>(?:less"
        r"|fewer|no) [^,;]{2,40}? )(?:would be|is) (?:nice|nicer|great|better"
        r"|good|lovely|welcome|appreciated|fine)\b",
        polarity="do_not",
        force="soft",
    ),
    form(
        "wished",
        r"(?:would (?:really )?(?:prefer|like|love|appreciate) (?!to (?:know|see))|(?:could"
        r"|can) do with (?:more|some|a)\b)|(?P<subject>(?!(?:it|this|that|the|what)\b)"
        r"[^,;]{2,50}? )would be (?:nice|nicer|great|better|good|lovely|welcome|appreciated|preferable"
        r"|ideal)\b",
        force="soft",
        confidence=0.75,
    ),
    form(
        "beats",
        r"(?:an? |the )?(?:[\w-]+ ){1,3}(?:beats?|trumps?|wins? over|>|>>) (?:an? "
        r"|the )?[\w-]+(?: [\w-]+){0,3}(?: any ?day| every time| always)?$"
        r"|rather (?:an? |the )?[\w-]+(?: [\w-]+){0,3} than [^,;]+",
        force="soft",
        confidence=0.8,
    ),
    form(
        "nobody-likes",
        r"nobody (?:likes|wants|needs|enjoys) (?!it\b|this\b|that\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "too-long",
        r"your (?:answers?|summar(?:y|ies)|messages?|repl(?:y|ies)|comments?|commits?|explanations?"
        r"|diffs?|functions?|prs?|names?) (?:is|are|get|keep getting) "
        r"(?:way |much |far |a bit |often )?too (?:long|verbose|wordy|big|many|chatty|short|detailed)\b",
        polarity="do_not",
        force="soft",
        confidence=0.7,
    ),
    form(
        "be-with",
        r"(?:please )?be (?:gentle|careful|conservative|strict|picky|precise|explicit|consistent"
        r"|sparing|generous) (?:with|about|in|when)\b",
        force="soft",
        confidence=0.75,
    ),
)

LAST = (
    form(
        "soft-lead",
        r"(?:preferabl[ey]|ideally|if (?:at all )?possible|where(?:ver)? possible"
        r"|whenever possible)[, ]+[a-z]",
        force="soft",
        confidence=0.75,
    ),
    form(
        "soft-tail",
        r"(?!i\b|let'?s see|we (?:have|are|were)|it\b|that\b|can\b|could\b"
        r"|is\b)[^,;]{5,100}\b(?:if (?:at all )?possible|where possible|whenever possible|if you can"
        r"|if we can(?: help it)?|wherever possible)$",
        force="soft",
        confidence=0.75,
    ),
)

WITHDRAWALS = (
    form(
        "lift",
        r"(?:please |you can |you may |we can |let'?s |lets )*(?:forget(?: about)?|drop|scratch|ignore"
        r"|disregard|never ?mind|lift|cancel|remove|revoke|retract|undo|take back|skip|ditch"
        r"|lose)\s(?:what i said (?:about|on|regarding) [^,;]+|(?:the|that|my|this|all the|our"
        r"|your)?\s?[^,;]{0,60}?(?:\b(?:rule|thing|ban|restriction|constraint|requirement|request"
        r"|convention|policy|limit|freeze|bit about|part about|stuff)s?\b[^,;]*)|the [\w-]+ again)",
        act="withdraw",
    ),
    form(
        "lift-back",
        r"(?:i )?(?:take (?:that|it|this|what i said[^,;]*|the [\w -]{2,30} (?:rule|ban)) back"
        r"|scratch that|strike that|(?:that|the [\w -]{2,40}|this) (?:rule|ban|restriction|constraint"
        r"|requirement|limit|limitation|freeze)(?: about [^,;]+)? (?:is (?:gone|lifted|over|off"
        r"|no longer \w+|obsolete|void|cancelled|dropped|removed)|no longer (?:applies|holds|counts"
        r"|stands)|(?:doesn'?t|does not) (?:apply|hold|count)(?: any ?more)?|can go))",
        act="withdraw",
    ),
    form(
        "no-need",
        r"(?:there(?:'s| is) )?(?:(?:you|we) can stop (?!here|now)\w+ing [^,;]+|no (?:more )?need (?:to"
        r"|for) [^,;]+|no longer (?:need|necessary|required)[^,;]*|(?:you|we|i) (?:no longer (?:need"
        r"|have)|needn'?t|(?:don'?t|do not|dont) (?:need|have))(?: (?:to |you to )[^,;]+| (?:the "
        r"|any )?[^,;]+? (?:any ?more|anymore|now|every time|each time|always|again))$"
        r"|not necessary to [^,;]+ any ?more)",
        act="withdraw",
        confidence=0.85,
    ),
    form(
        "not-needed",
        r"(?P<subject>[^,;]{2,60}?) (?:(?:is|are) (?:no longer|not) (?:needed|required|necessary"
        r"|mandatory|a (?:requirement|rule|must))|(?:isn'?t|aren'?t) (?:needed|required|necessary"
        r"|mandatory|a (?:requirement|rule|must))|no longer (?:needs?|requires?) [^,;]+|(?:doesn'?t"
        r"|don'?t) (?:need|require) [^,;]+(?= any ?more))(?: any ?more| anymore| now)?",
        act="withdraw",
        confidence=0.85,
    ),
    form(
        "allowed",
        r"(?P<subject>(?!(?:your|explain|how|what|tell|show|if|when"
        rf"|because)\b)(?:[^\s,;]+ ){{0,5}}?[^\s,;]+) (?:(?:is|are) (?:totally |perfectly |now "
        r"|again )*(?:fine|ok(?:ay)?|allowed|permitted|acceptable|welcome|fair game|open|unlocked"
        r"|free to|up for grabs|cool)(?: (?:again|now|with me|by me|to|from now on|for now)\b[^,;]*)?$"
        rf"|(?:may|can) (?:(?:now )?be (?:{CHANGE}\w*)(?: \w+){{0,5}} (?:again|now|after all)"
        r"|now be \w+)\b)",
        act="withdraw",
        is_permission=True,
        confidence=0.8,
    ),
    form(
        "you-may",
        r"(?:(?:and |so |ok |now )?(?:you|u|we(?= (?:can|may) (?:now|again)))(?:'re| are)? (?:(?:can"
        r"|may) (?:now |again |also |of course |totally |freely |safely )*(?!(?:[\w/. ]+ )?(?:exactly"
        r"|only|at most|nothing but)\b|(?:write|talk|speak|answer|reply|respond)\b.* in [A-Za-z]+ese\b"
        r"|(?:write|talk|speak|answer|reply|respond) (?:to me |with me )?in\b|not|never|always|see"
        r"|find|imagine|guess|tell|look|check|read|start with|begin|reproduce|also see|stop"
        r"|expect)[a-z]+|(?:now )?(?:allowed|free|welcome|permitted) to)\b[^,;]*|feel free to [^,;]+"
        r"|go ahead and (?!do it|implement\b$|start|continue|fix)[^,;]+|it(?:'s| is) (?:ok(?:ay)?|fine"
        r"|alright|all right|allowed) (?:now |again )?to [^,;]+|(?:i'?m|i am) (?:ok|okay|fine"
        r"|cool) with [^,;]+|i don'?t mind (?!if it)[^,;]+)",
        act="withdraw",
        is_permission=True,
        confidence=0.75,
    ),
    form(
        "may-inverted",
        r"(?:the |our )[\w./-]+(?: [\w./-]+)? (?:you|we) (?:may|can) [a-z]+$",
        act="withdraw",
        is_permission=True,
        confidence=0.7,
    ),
)
