"""How English settles which way is taken: instead of, everywhere, before each, and exact values."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import (
    NOUNS,
    VALUE,
    form,
)

CHOICES = (
    form(
        "each-answer",
        r"(?!(?:i|we|it|the|there|a|an|that|this|you|they|what|is|are)\b)[a-z]+ [^;]*\b(?:at the (?:end"
        r"|start|beginning|top) of|after|before|in|with|on)"
        r" (?:each|every) (?:answer|reply|response|task|step|commit|session|pr|turn|release|merge|plot"
        r"|page|file you \w+)s?\b"
        r"|(?:at the (?:end|start|beginning) of|after|before) (?:each|every) (?:answer|reply|response"
        r"|task|step|commit|session|pr|turn|release|merge)\b"
        r"[^;]{0,30}?, (?!i\b|we\b|it\b|the\b|there\b)[a-z]+ .+"
        r"|(?:start|begin|end|finish) (?:each|every) (?:answer|reply|response|message|commit)\b",
        confidence=0.85,
    ),
    form(
        "bare-plural",
        r"(?:please |always )*(?:prefix|suffix|name|tag|sign|label|group|sort|version|squash|pin"
        r"|validate|escape|annotate|store|express|represent|measure)"
        r" (?!(?:the|a|an|this|that|it|my|these|those|all the|them|his|its)\b)(?:everything"
        r"|(?:[a-z-]+ )?[a-z-]+s)\b[^,;]+",
        confidence=0.7,
    ),
    form(
        "everywhere",
        r"(?!(?:i|we|it|that|this|not|and|or|same|errors?|update|change|fix|replace|rename|remove"
        r"|search|look|apply|used)\b)[\w./`-]+(?: [\w./`-]+){0,2} everywhere"
        r"(?: (?:except|but|apart from|other than|besides) [^,;]+)?$",
        confidence=0.75,
    ),
    form(
        "one-at-a-time",
        r"(?:do |just |only )?one [\w-]+(?: [\w-]+)? at a time$",
        confidence=0.8,
    ),
    form(
        "per",
        r"(?:max(?:imum)?\.?|at most|no more than|do one|exactly one) (?:\d+ )?[\w-]+ per [\w-]+",
        confidence=0.8,
    ),
    form(
        "are-not",
        rf"(?P<subject>(?!(?:the|these|those|some|it|this|that|my|your)\b){NOUNS}\s)(?:is"
        rf"|are) (?!not\b)(?!.*\b(?:so|that's|that is)\b)[^,;]{{1,40}}? not (?!yet|sure|really|working|found"
        rf"|the)[\w ]+$",
        confidence=0.75,
    ),
    form(
        "wherever",
        r"(?:replace|convert|use|migrate|switch|fix|drop|remove|rewrite)\b [^,;]+? (?:wherever|whenever"
        r"|every time|each time|any time) you\b",
    ),
    form(
        "x-not-y",
        r"(?!(?:yes|no|why|maybe|or|and|but|if|it|that|this|what|so|probably|apparently"
        r"|currently)\b)(?:(?!(?:make|call|name|set|put|move|rename|change|turn|paint|did|does|do|is"
        r"|are|was|were|am|if|when|i|you|we|they|he|she|has|have"
        r"|had|can|could|would|should|will|must|still)\b)[\w./`+-]+ ){1,4}?not (?!(?:the|in|on|it|this"
        r"|that|yet|now|sure|really|there"
        r"|so|too|very|only|just|a|an|found"
        r"|working|set|ready|done|my|your|me|you|i|we|at|as|for|to|with|from|because|allowed|available"
        r"|defined|needed|supported|possible|necessary|\w+ed|\w+ing)\b)[\w./`+-]+(?: [\w./`+-]+)?$",
        confidence=0.7,
    ),
    form(
        "before-lead",
        r"(?:before|after) (?:you (?!go on|continue|proceed|move on|leave)[a-z]+|(?:each|every|any"
        r"|an?) [\w-]+|commits?|(?!starting"
        r"|going)\w+ing)\b[^;]{0,60}?(?:, "
        r"| )"
        r"(?:always |please |first |also )?(?:run|show|ask|check|tell|update|lint|format|test|rebase"
        r"|bump|commit|wait|get"
        r"|let me|make sure|regenerate|verify|confirm)\b",
        confidence=0.85,
    ),
    form(
        "one-per",
        r"(?:exactly |only |just )?(?:one|1|a single) (?!(?:requests?|calls?|quer(?:y|ies)|errors?"
        r"|events?|hits?|packets?)\b)"
        r"[\w-]+(?: [\w-]+)? per [\w-]+(?: [\w-]+)?"
        r"(?:$| so(?: that)? [^,;]+$"
        r"| (?:in|for|on|with|at|across|under|if|unless|where|when) (?!(?:this (?:one|file)|it"
        r"|that)\b)[\w./ -]{2,40}$)",
        confidence=0.8,
    ),
    form(
        "style",
        r"(?:always |only )?(?:\d+ spaces|tabs|spaces|snake_case|camel_?case|pascal_?case|kebab-case"
        r"|single quotes|double quotes"
        r"|lf line endings|utf-8|semicolons|trailing commas) (?:for|in|everywhere|please|not|over|as"
        r"|only)\b",
        confidence=0.8,
    ),
    form(
        "settled",
        r"(?:the |our )?(?P<subject>[\w-]+(?: [\w-]+){0,2} )(?:is|are) [^,;]{1,40}? (?:(?:in|across"
        r"|throughout) this (?:repo"
        r"|project|code ?base|pipeline|service|app|package|crate|library|api|engine|company|team|monorepo"
        r"|module)"
        r"|everywhere|throughout|project-wide|across the (?:board|repo|project))$",
        confidence=0.75,
    ),
    form(
        "instead",
        r"(?:please |let'?s |lets |always |we (?:should |want to )?)*(?:(?:use|prefer|pick|choose|take"
        r"|write|go (?:with|for)|do(?! one more\b| another\b)|call|import|return|throw|raise|log|run|install"
        r"|put|store|keep"
        r"|format|favou?r)\s(?!that\b|this\b|the \w+ instead)[^,;]{1,80}?\s(?:instead(?: of\b|$)"
        r"|rather than|in place of|over|in lieu of)|(?:use|prefer|pick|choose|take|write|go (?:with"
        r"|for)|call|import|return|throw|raise|log|install)\s(?!that\b|this\b)(?:(?!(?:is|are|do|does"
        r"|if|or|see|it|can|could)\b)[^\s,;]+ ){1,5}(?:and )?not)\b(?!.*\b(?:here|there|line \d+"
        r"|this (?:function|file|line|method|class|case|one|test)|in the (?:function|loop|test"
        r"|constructor|method))$)",
    ),
    form(
        "switch",
        r"(?:please |let'?s |lets |we(?:'re| are)? )*(?:switch(?:ing)?|migrate|move|moving"
        r"|change)(?: \w+)? from [^,;]+ to [^,;]+",
        confidence=0.7,
    ),
    form(
        "we-use",
        r"(?:here |in this (?:repo|project) )?we(?:'re| are|'ll| will| shall)? (?:only |always |all |now "
        r"|normally )?(?:us(?:e|ing)|run"
        r"|write|go with|work with|deploy (?:with|via|through)|manage|build with|test with|format with"
        r"|squash|rebase|commit|ship|name|prefix|store|keep|put|follow|stick to|do)\s(?!it\b|this\b"
        r"|that\b)[^,;]*?(?:\b(?:here|not|instead|everywhere|only|throughout|exclusively"
        r"|in this (?:repo|project|code ?base)|for (?!now\b|that\b|this\b|it\b|the\b)\w+(?: [\w-]+){0,2}$"
        r"|for (?:all"
        r"|every\w*)|never|always|convention|style)\b)",
        cue=r"we",
    ),
    form(
        "use-for",
        r"(?:please |always )*(?:(?:use|run|log|format|return|wrap|name|prefix|tag|sign|indent|type"
        r"|go (?:through|via))|(?:add|write|put|document|mark|apply|store|place|save|test|start|end"
        r"|call|pass)(?=.*\b(?:every new|all new|any|new|always|every time|each time|from now on"
        r"|everywhere|exactly|consistently)\b))\s(?!it\b|that\b|this\b|them\b)[^,;]*?\b(?:everywhere"
        r"|throughout|always|by default|at all times|every(?: single)? time|each time|from (?:now"
        r"|here) on(?:wards)?|going forward|whenever|for (?:all|any|every|each|new|anything"
        r"|everything)\b|in (?:all|any|every|each|new)\b|(?:to|with|on|under|after|before) (?:all|any"
        r"|every|each)\b|exactly|exclusively|consistently|as (?:usual|before|always)$)",
        cue=r"everywhere|throughout|always|default|times|time|on|onwards|forward|whenever|for|in|to|with"
        r"|under|after|before|exactly|exclusively|consistently|as",
    ),
    form(
        "use-with",
        r"(?:please )?use (?!this|that|it|these|the same|a |an |my|your"
        rf"|them)[\w.@/`+-]+(?: [\w.@/`+-]+)? (?:for|as|with|in) (?:the )?(?:{NOUNS}|logging|formatting"
        r"|linting|styling|testing|validation|packages?|dates?|money|http|state management|builds?"
        r"|parsing|auth|everything)\s*(?:here|now|please)?$",
        confidence=0.75,
    ),
    form(
        "use-exact",
        r"(?:please )?(?:always )?(?:(?:run|build|test|deploy|lint|start) (?:the |all "
        r"|your )?(?:\w+ )?(?:tests?|suite|builds?|linter|server|app|docs|it"
        rf"|checks?)\b[^,;]{{0,20}}?\b(?:with|via|through|using|on port|by running)|(?:use|connect to"
        r"|target|deploy to|work on|push to|commit to|branch (?:off|from)|work(?: only)? (?:in|on|from"
        r"|under|inside)) (?:the )?(?:port|folder|dir(?:ectory)?|worktree|branch|version|node|python|go"
        rf"|java|ruby))\s(?:port |branch |the )?{VALUE}(?: (?:for|as|when|to|now|instead|from)\b.*)?$",
        confidence=0.7,
    ),
    form(
        "before",
        r"(?:please |first |always )*(?:run|show|ask|check with|tell|confirm|lint|format|verify|say"
        r"|do an?|let me|get|wait|back ?up|make a (?:backup|plan|copy)|propose|present|explain|plan"
        r"|commit|stash|squash|fetch|sync|pull|rebase|consult|measure|announce|warn|mention|discuss"
        r"|(?:write|test|check"
        r"|build|read|update|bump|document|summari[sz]e|describe)(?=.*\b(?:every|each|any|you (?:commit"
        r"|push|merge|touch|change|edit|start|say|open))\b))\b[^,;]*?\b(?:before|after|prior to"
        r"|whenever|every time|each time)\s(?:you|each|every|any|an?\b|(?!(?:starting|we|i|it|that|this"
        r"|lunch|going|the (?:meeting|release|demo|deadline|weekend))\b)\w+ing\b|commits?|push|merge"
        r"|release|making|committing)",
        confidence=0.85,
    ),
    form(
        "pin",
        r"(?:please )?(?:always )?(?:pin|lock|freeze|cap|limit|restrict) (?!(?:the|this"
        r"|that) (?:[\w-]+ )?(?:rows?|columns?|panes?|tabs?"
        r"|headers?|footers?|toolbars?|side ?bars?|screen|ui|cells?|notes?|messages?|posts?)\b|starts?\b"
        r"|begins?\b|ends?\b|lasts?\b|lifts?\b|was\b|is\b"
        r"|of\b|for\b|in\b"
        r"|it\b|this\b|that\b|me\b"
        r"|up\b)[^,;]+",
    ),
    form(
        "make-that",
        r"make (?:it|that|this|them) (?:port )?[^,;]*\d[^,;]*\b(?:instead|for all|everywhere"
        r"|from now on|now)\b",
        confidence=0.8,
    ),
    form(
        "we-are-on",
        r"(?:(?:the )?(?:project|repo|service|app|codebase|we|prod(?:uction)?|ci)|this (?:project|repo"
        r"|service|app|codebase))(?:'re| are|'s| is| runs?| stays?)? (?:still |currently |now |already "
        r"|pinned |locked |stuck )*(?:on|to|at|with|targets?|using) (?!the\b|it\b|a\b)(?!(?:phase|step|stage"
        r"|point|line|day|page|task|round|part|version)\b)(?:[a-z.+#]+ ){1,3}v?\d[\w.]*\b",
        confidence=0.8,
    ),
    form(
        "value",
        r"(?:the |our |my |your |this |use )?(?:(?:[\w-]+ )?(?:(?:test|build|lint|format|dev|start|run"
        r"|deploy|check|release|install|type-?check)(?:s|ing)? (?:command|script|runner|task|target)s?"
        r"|lint|format|type-?check|tests?|test suite|unit tests|builds?|linter|formatter|(?:dev |test "
        r"|staging |prod |local "
        r"|main )?(?:db|database|server|api|redis|postgres|mysql|port|branch|url|host|endpoint|worktree"
        r"|bucket|registry|cluster|namespace|queue|proxy|frontend|backend|gateway|base url"
        r"|default branch|feature branch|release branch|package manager)|staging|prod(?:uction)?"
        rf"|timeouts?))(?: (?:to use|for [\w ]{{2,25}}|branch|port|in this repo))? (?:is run|are run|is"
        r"|are|runs?"
        r"|lives?|listens?|sits?|=|must be run|get run)(?: now| always| only| still)?(?: (?:on|at|under"
        rf"|in|via|with|through|from|port|branch|called|named))* (?:port |branch |node |python )?{VALUE}",
        confidence=0.8,
    ),
    form(
        "noun-goes",
        r"(?P<subject>(?!the |these |those |some |most |many |my |your |his |it |this "
        rf"|that ){NOUNS}\s)(?:go(?:es)? (?:through|in|into|under|to|via)|lives? (?:in|under|at)"
        r"|belongs? (?:in|to|under)|carry|start with|end with|(?:are|is) (?:named|prefixed"
        r"|written (?:in|with|as)|kept in|stored (?:in|as)|formatted with|called|in (?:snake|camel"
        r"|kebab|pascal|upper|lower)|(?:snake|camel|kebab|pascal)[_ -]?case)|use (?!the\b|a\b|up\b"
        r"|too\b|it\b)|come from|happen (?:through|via|only|in)|get \w+ed)\b",
        confidence=0.7,
    ),
    form(
        "from-now-on",
        r"(?!like\b|as\b|same\b|i\b|i'm|we(?:'ll|'re| will| are)\b|it\b|that\b|this\b|what|how|why|when"
        r"|where|is\b|are\b"
        r"|the problem)(?!.{3,100}\b(?:fine|ok(?:ay)?|allowed) from)(?!you (?:can|may)\b).{3,120}\b(?:from"
        r" (?:now|here) on(?:wards)?|going forward|in future"
        r"|in the future|every (?:single )?time|each time)$",
        confidence=0.8,
    ),
    form(
        "from-now-on-lead",
        r"(?:from (?:now|here) on(?:wards)?|going forward|as a rule),? (?!i\b|it\b|there\b|i'll"
        r"|we'll|you (?:can|may)\b)[a-z]+ .{3,}",
        confidence=0.8,
    ),
    form(
        "condition",
        r"(?!(?:when|if|once) you(?:'re| are) (?:done|ready|finished|through|back)\b)(?:by default"
        r"|in future|in general|for all (?:future|new)|every time|whenever you"
        r"|each time you|any time you|anytime you|when(?:ever)? (?:you|a|an|any)\b|if (?:you|a|an"
        r"|any)\b|when in doubt|(?:if|when) (?:in doubt|unsure|not sure))(?!.*\b(?:crash|fail|error"
        r"|happens?|i get|it (?:does|shows|says|is))\b)[^,;]*, (?:then )?(?!i\b|it\b|the\b|there\b|we\b"
        r"|you\b|not\b|if\b|in which|is\b|are\b|does\b|can\b|why|what|how|\w+s\b)[a-z].{3,}",
        confidence=0.8,
    ),
)
USE_INSTEAD = form(
    "use-instead",
    r"(?:use|prefer|take|write|go with|import|return|log with|call) [^,;]{1,60}$",
    confidence=0.8,
)
"""What is taken instead of what the clause before rules out."""
