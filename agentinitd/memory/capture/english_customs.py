"""How English tells a custom of the house, a standing condition, and a taste, as statements in general."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import form

_HEADS = (
    r"(?:it|this|that|these|those|there|here|he|she|they|we|i|you|what|which|who|why|how|if|when|because"
    r"|and|but|or)"
)
_NP = rf"(?:(?!{_HEADS}\b)[^,;:?]{{2,60}}? )"
_ORDER = (
    r"(?:add|ask|abort|back ?up|bail|build|bump|call|check|clean|close|commit|copy|create|delete|deploy"
    r"|document|drop|escape"
    r"|explain|file|fix|format|give up|go|ignore|keep|leave|lint|list|log|make|mark|mention|merge|move"
    r"|name|note|notify|open"
    r"|pick|pin|ping|prefer|put|quarantine|quote|raise|re-?run|rebase|record|regenerate|remove|rename"
    r"|replace|report|restart"
    r"|retry|return|revert|roll back|run|say|send|set|show|skip|sort|split|squash|start|stick|stop|store"
    r"|tag|take|tell|test"
    r"|throw|treat|try|update|use|validate|verify|wait|warn|wrap|write)"
)
_STANDING = (
    r"(?:should (?:you|a|an|any|the)|the moment|in (?:the )?(?:case|event) (?:of|that)|in case"
    r"|no matter (?:how|what|which|when"
    r"|where)|unless|as long as|so long as|while|where(?:ver)?|once|as soon as|if ever|provided|given"
    r"|except when|whoever"
    r"|whatever|whichever|every time|each time|any time|whenever|when|if|before|after|for|with|on)"
)
_GENERALLY = (
    r"(?=[^,;]*\b(?:you(?! (?:are done|can|have time|want))|an?|any|every|each|all|something|anything"
    r"|in doubt|unsure|conflicts?|\w+s|takes?|fails|"
    r"changes|lasts|running|red|makes sense|possible)\b)"
)

CUSTOMS = (
    form(
        "modal-never",
        rf"(?P<subject>{_NP})(?:must|may|should|shall|can|will|has to|have to"
        rf"|needs? to) (?:under no circumstances|on no account|in no"
        r" case|at no (?:point|time)|by no means|never ever|not ever|no longer) [a-z]+[^,;]*"
        r"|(?:you|we) (?:must|may|should|shall|can|will) (?:under no circumstances|on no account"
        r"|in no case|at no (?:point|time)|by no"
        r" means|never ever|not ever|not just|not simply) [a-z]+[^,;]*"
        r"|(?:you|we) (?:can't|cannot|mustn'?t|shouldn'?t|may not) (?:just|simply|ever|touch|change|drop"
        r"|rename|break|remove|add|use)\b[^,;]+"
        r"|(?:under no circumstances|on no account|in no case|at no point) (?:may|must|should|can|do"
        r"|shall) [^,;]+",
        polarity="do_not",
    ),
    form(
        "no-way",
        r"(?:there(?:'s| is) no way|no way|no chance|not a chance|over my dead body|i refuse) (?:i(?:'m"
        r"| am)?|we(?:'re| are)?|you(?:'re| are)?"
        r"|to|that i|will|do)? ?(?:letting|let|having|putting|going to|accept\w*|merg\w*|allow\w*|want"
        r"|tak\w+|add\w*|us(?:e|ing)) [^,;]+"
        r"|(?:the last thing|not what) (?:i|we) (?:want|need) (?:is|are) [^,;]+"
        r"|(?:it's|it is|that's) an? (?:hard |big |clear |absolute )?no (?:to|for|from me (?:to|for|on)"
        r"|on) [^,;]+"
        r"|(?:i|we) (?:absolutely |really |definitely |certainly |honestly |simply )*(?:don'?t|do not"
        r"|dont) want (?!it\b|this\b|that\b|to\b)[^,;]+"
        r"|(?:please )?(?:forget about|no thanks to) (?:using |adding |doing )[^,;]+"
        r"|nothing (?:that|which|with) (?:needs?|requires?|uses?|depends?|has|is|breaks?|changes?|touches"
        r"|adds?|calls?|goes|writes?|talks?)\b[^,;]+"
        r"|(?:fewer|less) [\w-]+(?: [\w-]+)?(?: please| pls)?$",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "not-accepted",
        rf"(?P<subject>{_NP})(?:(?:is|are|will be|won'?t be|get|gets) (?:(?:not |never )(?:accepted"
        rf"|tolerated|merged|approved|shipped|reviewed"
        r"|considered)|rejected|sent back|refused)(?: (?:here|by me|in this [\w-]+|unless [^,;]+"
        r"|without [^,;]+))?$)",
        polarity="do_not",
        confidence=0.75,
        cue=r"not|never|rejected|refused|sent back",
    ),
    form(
        "hold",
        r"(?:please )?(?:hold|delay|postpone|defer|put off|pause) (?:the |your |all |any )?(?!it\b"
        r"|on\b)[\w-]+(?: [\w-]+){0,3} (?:until|till|unless"
        r"|while|for now|for today)\b[^,;]*"
        r"|(?:for |in )?this (?:one |single )?(?:commit|run|time|once|one|push|build|release"
        r"|pr)(?: only)?,? (?:please )?(?:skip|without|leave out|no\b"
        r"|omit|ignore)[^;]+|(?:abstain|desist|keep your distance) from [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "survives",
        rf"(?P<subject>{_NP})(?:must|has to|have to|needs? to|should|shall) (?:always |still )?(?:survive"
        rf"|keep (?:working|running|compiling|passing|its"
        r"|their|the)|continue to (?:work|run|exist)|be (?:kept|left|preserved|retained|the same|identical"
        r"|unchanged|stable|untouched)"
        r"|stay|remain|not (?:grow|change|break|move|shrink))\b[^,;]*"
        r"|(?:please )?(?:make|be) sure (?:that )?(?:the |our |all )?[^,;]{2,50}? (?:survives?"
        r"|keeps? working|stays?|remains?|still works?|doesn'?t"
        r" (?:change|break|grow|move))\b[^,;]*"
        r"|(?:please |always )*(?:preserve|retain|maintain|safeguard|protect) (?:the|our|all|every"
        r"|any) [^,;]+"
        r"|(?:please )?(?:don'?t|do not|never) let (?:the|our|any) [^,;]+",
        confidence=0.8,
    ),
    form(
        "standing-order",
        rf"(?!(?:if|when) (?:that|this|it) ){_STANDING}\b{_GENERALLY}[^,;]{{2,90}}, (?:(?:then|please|always"
        rf"|also|just|first|you|we|better"
        rf"|so|do|must|should|have to"
        rf"|need to|are to|simply) )*{_ORDER}\b(?! (?:it|them|that|this)$(?<!mark it)(?<!format it))[^;]*",
        confidence=0.75,
    ),
    form(
        "standing-need",
        r"(?:no matter (?:how|what|which|when|where)|however (?:small|big|trivial)|every time|each time"
        r"|whenever|once|when|if|as soon as)"
        r" (?!i\b|the user)(?:the |an? |any |your |our )?[^,;]{2,60}, (?:it|they|you|we|there"
        r"|the [\w-]+(?: [\w-]+)?|an? [\w-]+(?: [\w-]+)?) (?:needs?|must|has to"
        r"|have to|should|gets?|requires?|is to|are to|comes?|goes) (?!been\b|work\b|be (?:there|possible"
        r"|able|fine|ok)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "standing-nothing",
        r"(?:as long as|so long as|while|until|till|during|unless|before) [^,;]{2,60}?,? (?:nothing|nobody"
        r"|no one|no [\w-]+) (?:gets?|is|goes|may|will"
        r" be|must|can) [^,;]+"
        r"|(?:unless|until|till|as long as|while|before) [^,;]{2,60}, (?:you |please |we )?(?:leave"
        r"|keep away|stay away|stay out|hands off|don'?t|do"
        r" not|never)\b[^;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "custom-is",
        r"(?:in|on|for|at|within) (?:this|our|my|the) (?:repo|project|code ?base|team|house|company|app"
        r"|service|module|package|branch|monorepo)"
        r"(?: (?:of ours|here))?,? (?:the |all |every |our |new )?[\w -]{2,40}? (?:is|are|go|goes|live"
        r"|lives|use|uses|get|gets|start|end|come|run|runs"
        r"|must|should|have|has) (?!(?:broken|failing|wrong|slow|missing|no longer|a bug|an? error|not|too"
        r"|only \d)\b)[^,;]+"
        r"|(?:here|around here|over here),? (?:we (?!are\b|go\b|were\b|have\b)|all |every )[^,;]{2,60}",
        confidence=0.75,
    ),
    form(
        "our-is",
        r"(?:our|the (?:house|team|project|company|repo)(?:'s)?|my) (?:[\w-]+ )?(?:style(?: guide)?"
        r"|convention"
        r"|standard|rule|policy|naming|default|main branch|base branch"
        r"|line length|formatter|linter|test runner|package manager|target|minimum|baseline|way|approach"
        r"|language|stack|indent(?:ation)?)"
        r" (?:is|are|says|stays|will be)(?: called| named| set to| always)? (?!(?:broken|wrong|too"
        r"|not working|slow|that we|gone|over|lifted|off|dead|history|outdated|void|obsolete)\b)[^,;]+"
        r"|(?:the rule|the deal|the convention|the policy|the idea) (?:here )?is (?!gone\b|over\b"
        r"|lifted\b|off\b|dead\b)(?:simple|clear"
        r"|easy)?:? ?[^,;]+"
        r"|[\w.+-]+(?: [\w.+-]+)? \d[\w.]* is (?:the |our )?(?:minimum|maximum|baseline|floor|ceiling"
        r"|target|limit|oldest|newest)\b[^,;]*"
        r"|(?:it's|it is) [\w.+-]+ \d[\w.]* in (?:production|prod|staging|ci|this (?:repo|project)"
        r"|here)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "belongs",
        r"(?P<subject>(?:[\w/-]+ ){0,2}[\w/-]+s (?:(?:that|which|for|of|in) [^,;]{2,30}? )?)(?:belongs?"
        r"|goes?|lives?|should go|should live|are to be (?:put|kept)"
        r"|deserves?|are written|are meant|are documented) (?:in|into|under|to|on|next to|inside|with|for"
        r"|an?|by) [^,;]+",
        confidence=0.75,
    ),
    form(
        "goes-without-saying",
        r"(?:it goes without saying|needless to say|of course|as always|it should be clear"
        r"|it is understood|i take it for granted"
        r"|mind you|remember|note|keep in mind|bear in mind|be aware|don'?t forget)(?:,"
        r"|:)? (?:that )?(?!(?:i|it|this|that|there|when|how|what|me)\b)[^,;]*"
        r"(?:is|are|needs?|must|target|targets|support|supports|run|runs|use|uses|has to|have to|goes?"
        r"|come|comes) [^,;]+",
        confidence=0.75,
    ),
    form(
        "work-against",
        r"we (?:still |only |also )?(?:target|support|ship|compile|build|release|deploy) (?:for |to |with "
        r"|against )?(?!it\b|this\b|that\b|the\b|there\b|here\b|daily\b|weekly\b|often\b)[\w.+-]+"
        r"(?: [\w.+-]+)?$(?<!anymore)(?<!yet)(?<!as well)(?<!too)",
        confidence=0.7,
    ),
    form(
        "do-take-care",
        r"(?:please )?do (?:take care|make sure|remember|keep|use|write|check|run|ask|mind|add"
        r"|stick)\b [^,;]+"
        r"|your (?:answers?|commit messages?|commits?|code|tests?|names?|comments?|prs?|repl(?:y|ies)"
        r"|explanations?|functions?|summar(?:y|ies)) (?:should|must"
        r"|have to|need to|are to|may) [^,;]+",
        confidence=0.75,
    ),
    form(
        "not-for",
        r"(?P<subject>(?:the |our |all )?[\w-]+(?: [\w-]+){0,3} )(?:is|are) (?:written|meant|made|there"
        r"|intended) for [\w -]{2,30}$",
        confidence=0.7,
    ),
    form(
        "connect-as",
        r"(?:please |always |only )*(?:connect|log ?in|sign in|run|deploy|start|invoke|call|execute|test"
        r"|build|push|publish|authenticate)(?: (?:it|the [\w-]+|tests?"
        r"|everything))? (?:as|via|through|against|under) (?!(?:soon|usual|before|it|this|that|possible"
        r"|well|(?<!through )(?<!via )the)\b)[\w`./:-]+(?: [\w`./:-]+){0,2}"
        r"(?:,? (?:never|not|only) [^,;]+)?$"
        r"|(?:the |our |all )?(?:unit |integration |e2e )?(?:tests?|builds?|checks?|deploys?|linter"
        r"|docs) (?:run|runs|are run|is run|are started|go|goes)"
        r" (?:only |always )?(?:via|with|through|by|from) [\w`./-]+(?: [\w`./-]+){0,3}$",
        confidence=0.75,
    ),
    form(
        "spelled",
        r"(?:please |always )*(?:write|do|keep|put|make|spell|word|phrase) (?:the|all|our|your"
        r"|every) (?:user |public |api |code |inline )?(?:docs?|documentation|comments?"
        r"|messages?|names?|texts?|titles?|commits?|commit messages?|tests?|headings?|labels?|answers?"
        r"|keywords?|keys|errors?|explanations?) (?:in|as|with|to|like|without) [^,;]+",
        confidence=0.75,
    ),
    form(
        "please-when",
        r"(?!(?:the|it|this|that|i|we|you|can|could|add|fix|show|run)\b)(?:[\w-]+ ){1,3}(?:please"
        r"|pls) (?:when|whenever|if|where|for|in|on|wherever) [^,;]+"
        r"|same [\w-]+ (?:as|like) [^,;]+ (?:please|pls)$",
        confidence=0.75,
    ),
)
TASTES = (
    form(
        "prefers-over",
        r"(?:(?:if i (?:have|had) (?:a|the) choice|given the choice|personally|usually),? )?i(?:'d| would"
        r"|'ll)? (?:always |rather |usually |gladly |much )*(?:take|choose|pick|go for"
        r"|go with|have|want|use|favou?r|keep) [^,;]{2,50}? (?:over|any day|any time|before|whenever"
        r"|where(?:ver)? (?:possible|it makes sense)|where i can)\b[^,;]*"
        r"|(?:my|our) (?:preference|favou?rite|taste|choice|default|pick)(?: here| is| would be| goes to"
        r"| for [\w ]{2,20} (?:is|would be))+ [^,;]+"
        r"|(?:where|whenever|if) (?:it makes sense|possible|you can|there is a choice"
        r"|there's a choice),? (?:i'd like|i would like|i want|i prefer|please|use|go for|take)\b [^,;]+",
        force="soft",
        confidence=0.8,
    ),
    form(
        "finds-good",
        r"(?:i|we) (?:find|think|consider) (?!it\b|this\b|that\b|the\b|you\b|we\b)[^,;]{2,50}? (?:(?:is"
        r"|are|reads?|much|far|way|a lot|so much|a bit) )*(?:easier|nicer|clearer|cleaner|better"
        r"|simpler|more readable|prettier)\b[^,;]*"
        r"|it(?:'s| is|'d be| would be) (?:nicer|clearer|cleaner|easier for me|better|easier) (?:when|if"
        r"|with) (?!it\b|this\b|that\b|you (?:could|can)\b)[^,;]+"
        r"|(?:an? (?:little |bit of |small )?)?[\w -]{3,40}? (?:is|are) (?:much |far |way "
        r"|always )?(?:better|cheaper|nicer|safer|cleaner|clearer|preferable) (?:than|to) (?!(?:before"
        r"|expected|nothing"
        r"|i|the old|last|yesterday|it|the previous|ever)\b)[^,;]+",
        force="soft",
        confidence=0.7,
    ),
    form(
        "finds-bad-too",
        rf"(?P<subject>{_NP})(?:(?:is|are) (?:just |only |mere |pure |plain )*(?:noise|clutter|distracting"
        rf"|a distraction|overkill|a waste|useless|horrible|awful|dreadful|terrible|ugly)"
        r"(?: (?:to|for|in) [^,;]+)?$|(?:scares?|confuses?|distracts?|tires?|disgusts?|worr(?:y|ies)"
        r"|frightens?|slows?) me\b)[^,;]*"
        r"|(?:i'?m|i am) (?:allergic|not partial|averse|opposed) to [^,;]+"
        r"|(?:i|we) (?:find|think|consider) (?!it\b|this\b|that\b|the\b)[^,;]{2,50}? (?:harder|hard|ugly"
        r"|confusing|annoying|noisy|horrible|awful|unreadable|distracting|pointless|useless)\b[^,;]*",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
)
CUE = re.compile(
    r"\b(?:must|may|should|shall|can|can't|cannot|will|has to|have to|no|not|never|nothing|don'?t|dont"
    r"|last thing|fewer|less|hold|delay"
    r"|postpone|defer|pause|this|abstain|sure|preserve|retain|maintain|protect|moment|case|event|unless"
    r"|as long as|while|where|once"
    r"|whoever|whatever|every|each|any|when|whenever|if|before|after|for|with|on|in|here|our|the rule"
    r"|minimum|belongs?|goes?|lives?"
    r"|deserves?|are|is|without saying|of course|remember|note|mind|target|support|do|your|as|via|through"
    r"|against|write|please|pls"
    r"|same|needs?|we)\b",
    re.IGNORECASE,
)
TASTE_CUE = re.compile(
    r"\b(?:i|we|i'd|i'm|my|our|better|nicer|easier|clearer|cleaner|safer|cheaper|noise|clutter|overkill|me"
    r"|where|useless|ugly|horrible|awful)\b",
    re.IGNORECASE,
)
