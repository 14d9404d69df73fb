"""How English wishes: likes, dislikes, habits, and what would be nice."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import (
    form,
)

WISHES = (
    form(
        "find-bad",
        r"(?:i|we) (?:really |personally )?(?:find|consider) (?!it\b|this\b|that\b"
        r"|the (?!\w+ing\b))[^,;]{2,60}? (?:hard|ugly|confusing|difficult|annoying"
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
        cue=r"me|allergic|tired|sick|against",
    ),
    form(
        "over",
        r"(?!under\b|over\b|very\b)(?:[\w-]+ ){1,2}over (?!ov\b|over\b|about\b|there|here|it|that|this"
        r"|the\b|and|time|a\b|\d)[\w-]+(?: [\w-]+)?$",
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
        r"|could (?:always |please )?(?:keep|use|stick|stay)))|to (?:keep|have|use|stick))|the (?:shorter"
        r"|smaller"
        r"|simpler|more|earlier|closer)\b[^;]+\bthe better)",
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
        r"(?:please )?be (?!(?:back|there|here|right|done|quick|nice|with|a|an|the|at|in"
        r"|on)\b)[a-z-]+ (?:with|about|when|on)"
        r" (?!(?:it|this|that|me|us|him|her)\b)[^,;]+|(?:please )?be (?:gentle|careful|conservative"
        r"|strict|picky|precise|explicit|consistent"
        r"|sparing|generous) (?:with|about|in|when)\b",
        force="soft",
        confidence=0.75,
    ),
    form(
        "i-would-not",
        r"(?:personally,? )?i(?:'d| would) (?:rather |really |personally )?(?:avoid|skip|drop|leave out"
        r"|not|never|stay away from|steer clear of|do without) (?!mind|say|know|worry|be\b|have\b"
        r"|call|bother|it\b|that\b|this\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "i-would",
        r"i(?:'d| would) (?:always |rather |personally |much |simply |just )?(?:keep|go with|use|put"
        r"|name|write|stick (?:to|with)|leave|favou?r|choose|pick|stay with|welcome|lean towards)"
        r" (?!it\b|that\b|this\b|the (?:first|second|other|same)\b|option\b|an? \w+ (?:here"
        r"|there)\b)[^,;]+",
        force="soft",
        confidence=0.65,
    ),
    form(
        "i-think",
        r"i(?:'d)? (?:think|feel|believe|say|suggest|propose|vote) (?:that )?(?:we|you) (?:should|could"
        r"|'d better|ought to) (?:rather |better )?(?:avoid|not|never|always|keep|stick|use"
        r"|prefer|stay|leave)\b",
        force="soft",
        confidence=0.7,
    ),
    form(
        "never-liked",
        r"(?:i|we) (?:have |'ve )?never (?:really )?(?:liked|loved|got used to|warmed to"
        r"|understood the (?:point|appeal) of|been a fan of|enjoyed) (?!it\b|this\b|that\b)[^,;]+"
        r"|i (?:can'?t|cannot|struggle to) (?:get used to|bear|deal with|follow|parse) (?!it\b|this\b"
        r"|that\b|you\b)[^,;]+|i (?:get lost in|struggle with) [^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "less-please",
        r"(?:a bit |a little |much |far )?(?:less|fewer) [\w -]+ (?:please|pls)$",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "more-please",
        r"(?:a bit |a little |some |much |far )?(?:more|shorter|longer|smaller|bigger|simpler|plainer"
        r"|tighter) (?!details?|info|context|time|examples?|of\b)[\w -]+ (?:please|pls)$"
        r"|better (?:an? )?(?!to\b|not\b|late\b|safe\b)[\w-]+(?: [\w-]+){0,3} than [^,;]+",
        force="soft",
        confidence=0.7,
    ),
    form(
        "suits-me",
        r"(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,50}? )(?:works? (?:better|best) for me"
        r"|suits? me(?: better| best| fine)?|(?:is|are) more my (?:style|thing|taste|speed))\b",
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
        r"(?!i\b|let'?s see|make it\b|we (?:have|are|were)|it\b|that\b|can\b|could\b"
        r"|is\b)[^,;]{5,100}\b(?:if (?:at all )?possible|where possible|whenever possible|if you can"
        r"|if we can(?: help it)?|wherever possible)$",
        force="soft",
        confidence=0.75,
    ),
)
