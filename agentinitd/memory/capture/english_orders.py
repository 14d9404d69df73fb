"""How English lays down a way of working without "must" or "always": by orders and statements in general.

An order is a rule when it is given in general: of things without an article ("store dates in UTC"), of all
there are, or for whenever something happens.  "Fix the test" is work to be done, and no rule.
"""

from __future__ import annotations

from agentinitd.memory.capture.english_form import LANGUAGE, VALUE, form

_ORDER = (
    r"(?:add|ask|avoid|bail|branch|build|bump|cache|call|catch|check|clean|close|commit|confirm|copy"
    r"|declare|define|delete"
    r"|deploy|describe|do|document|drop|escape|explain|export|extend|fail|fall back|follow|format"
    r"|generate|give|go|handle|have"
    r"|ignore|import|inject|insert|keep|leave|let|link|lint|list|load|lock|log|make|mark|measure"
    r"|mention|merge|mock|move|name"
    r"|notify|open|pass|pick|pin|ping|place|prefer|prefix|print|propose|pull|push|put|quote|raise|read"
    r"|rebase|record|refer|reject"
    r"|release|remind|remove|rename|repeat|replace|report|require|respond|restart|retry|return|revert"
    r"|round|run|say|save|send|set"
    r"|show|sign|skip|sort|split|squash|start|stash|stay|stick|stop|store|summari[sz]e|switch|tag|take"
    r"|tell|test|throw|treat"
    r"|try|type|undo|update|use|validate|verify|version|wait|warn|wrap|write)"
)
_ARTEFACT = (
    r"(?:answers|repl(?:y|ies)|apis?|args|arguments|amounts|assets|branches|builds|buttons|caches"
    r"|charts|checks|classes|colou?rs"
    r"|columns|comments|commits|commit messages|components|configs?|configuration|constants"
    r"|constructors|containers|controllers"
    r"|dashboards|dates|dependencies|deploys|deployments|docs|docstrings|documentation|emails|endpoints"
    r"|enums|env vars|errors"
    r"|error messages|events|examples|exceptions|experiments|exports|features|fields|files|fixtures"
    r"|flags|forms|functions|getters"
    r"|globals|handlers|headers|helpers|hooks|icons|ids|images|imports|indexes|interfaces|jobs|keys"
    r"|labels|lambdas|layouts|lists"
    r"|logs|log lines|log messages|loops|macros|metrics|methods|migrations|mocks|models|modules|names"
    r"|notebooks|numbers|options"
    r"|packages|pages|params|parameters|passwords|paths|plots|ports|prices|props|prs|pull requests"
    r"|queries|releases|requests"
    r"|responses|results|returns|routes|schemas|scripts|secrets|seeds|selectors|services|settings"
    r"|shaders|snapshots|specs|state"
    r"|statements|strings|structs|styles|tables|tags|tasks|templates|test cases|test data|test files"
    r"|test names|tests|texts"
    r"|text|textures|timeouts|times|timestamps|titles|tokens|translations|types|units|urls|users|utils"
    r"|validation|values"
    r"|variables|variable names|function names|file names|branch names|class names|versions|views"
    r"|weights|widgets|workers"
    r"|logging|formatting|styling|error handling|money|code|sql|css|html|json|yaml|unit tests"
    r"|integration tests)"
)
_SETTLED = (
    r"(?:seed|indentation|indent|target|minimum version|maximum|minimum|limit|line (?:length|width"
    r"|limit)|tab (?:width|size)"
    r"|page size|batch size|coverage|budget|base image|region|locale|time ?zone|encoding|charset"
    r"|line endings?|print width"
    r"|separator|delimiter|language|database|db|port|branch|version|licen[cs]e|registry|package manager"
    r"|test runner|framework"
    r"|formatter|linter|bundler|orm|toolchain|edition|dialect|currency|units?|precision|rounding"
    r"|default branch|base branch)"
)
_NOT_SETTLED = (
    r"(?!(?:not|wrong|missing|broken|null|empty|too|the|off|unset|set|a bit|ok|fine|different|outdated"
    r"|old|new|unknown|unclear"
    r"|weird|\w+ed|\w+er than|better|frozen|invalid|good|bad|slow|huge|small|correct|right|full|up|down"
    r"|running|ready|done|gone"
    r"|exceeded|reached|taken|in use"
    r"|closed|open|used|being|already|still|now|currently|there|what|why|where|how|probably|maybe)\b)"
)

LABELLED = form(
    "labelled-value",
    r"(?!(?:their|his|her)\b)(?:the |our |my )?(?:[\w-]+ ){0,2}(?:commands?|port|branch|url|version|db"
    r"|database|node|python"
    r"|java|go|ruby|tests?|builds?|lint"
    r"|format(?:ting)?|style|indent(?:ation)?|encoding|time ?zone|host|endpoint|registry"
    r"|package manager|answers?|repl(?:y|ies)"
    r"|comments|docs|commits?|commit messages?|names?|naming|line length|quotes"
    r"|language)(?: for [\w ]{2,20})?: ?"
    rf"(?:{VALUE}|{LANGUAGE}\b|max \d+)",
    confidence=0.8,
)
"""`dev port: 5433`, `answers: German`: tried on the whole statement, for a colon ends a clause."""
ORDERS = (
    form(
        "if-stop",
        r"(?:if|when(?:ever)?|once|as soon as) (?!.*\b(?:i|we|user|users|somebody"
        r"|someone) )[^,;]{3,50}? (?:stop|ask me|tell me|report|abort|bail out|revert|roll back|ping me"
        r"|let me know)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "at-most",
        r"(?:max(?:imum)?\.?|at most|no more than|at least) \d+ (?!times?\b|more\b"
        r"|of\b)[\w-]+(?: [\w-]+)?$",
        confidence=0.75,
    ),
    form(
        "are-only",
        r"(?P<subject>(?!(?:it|this|that|there)\b)[^,;]{2,50}? )(?:is|are) (?!not\b"
        r"|read\b)[^,;]{1,30} only$",
        confidence=0.75,
    ),
    form(
        "this-time",
        rf"(?:please |just |let'?s |only )*{_ORDER}\b(?! (?:it|that|this|them|here"
        r"|there)\b)[^,;]+? (?:this (?:one )?time|for (?:now|today|the moment|the time being|this one)"
        r"|just (?:this )?once|until (?:i|we|monday|tuesday|wednesday|thursday|friday|tomorrow|next|the"
        r"|further)\b[^,;]*|(?:while|as long as) (?:we|i)(?:'re|'m| are| am)\b[^,;]*|right now|tonight"
        r"|today)$"
        r"|(?:this (?:one )?time|for (?:now|today|the moment|the time being)|until (?:i|we|monday"
        rf"|tuesday|wednesday|thursday|friday|tomorrow|next|the|further)[^,;]{{2,40}}),?"
        rf" (?:please |just |only )*{_ORDER}\b(?! (?:it|that|this|them|here|there)\b)",
        confidence=0.75,
    ),
    form(
        "order-whenever",
        r"(?:please |always )*(?:ask|tell(?= (?:me|us) (?:whenever|every|each|before))|warn|stop|rerun"
        r"|re-run|regenerate|update|bump|split|document"
        r"|write|run|check|mention|flag|ping|notify|commit|rebase|squash|use"
        r"|keep|prefer|say|explain|summari[sz]e|list|propose|start|create|make|add|repeat|confirm"
        r"|report|raise|lower|format|lint|rebuild|restart|reload|clear|sync)\b"
        r"(?! (?:it|this|that)\b)[^,;]*? (?:whenever|every time|each time|as soon as|the moment|if ever"
        r"|in case|(?:if|when|once|after|before) (?:you|a|an|any|something|anything"
        r"|the (?:schema|api|interface|protocol|spec|model)\b))\b[^,;]*(?<!works)(?<!done)(?<!ready)",
        confidence=0.75,
    ),
    form(
        "participle",
        r"(?:all |every |any )?(?!(?:i|we|it|the|that|this|is|are|was|just|only|already"
        r"|not)\b)[\w-]+s? (?:formatted|validated|wrapped|written|named|stored|logged|escaped|sorted"
        r"|typed"
        r"|documented|tested|prefixed|signed|squashed|pinned|grouped|indented|aligned|quoted"
        r"|capitali[sz]ed|spelled) (?:as|with|in|by|to|at|before|after|like|using) [^,;]+",
        confidence=0.7,
    ),
    form(
        "moved-to",
        r"(?:we|i)(?:'ve| have|'re| are)? (?:moved|switched|migrated|changed|gone over|standardi[sz]ed"
        r"|settled|agreed) (?:over )?(?:to|on) (?!it\b|this\b|that\b|the (?:next|other|new))[^,;]+",
        confidence=0.75,
    ),
    form(
        "is-now",
        rf"(?:the |our )?(?!(?:it|this|that|there|i|we|everything|all)\b)[\w-]+(?: [\w-]+){{0,3}} (?:is"
        rf"|are|runs on|lives (?:in|at|under)) now (?:called |on |at |in |under )?(?:port )?{VALUE}",
        confidence=0.75,
    ),
    form(
        "work-in",
        r"(?:please |always )*work(?: only)? (?:in|on|from|inside"
        r"|out of) (?:the )?(?:\w+ )?~?/?[\w.-]+/[\w./~-]*",
        confidence=0.8,
    ),
    form(
        "use-bare",
        r"(?:please |always |just |let'?s |lets )*use (?!(?:the|this|that|it|these|those|an?|my|your"
        r"|them|one|both|some|same|him|her"
        r"|whatever|whichever|any|all|option|plan|approach|number|solution|variant|method|more|less|another"
        r"|different|google|sudo)\b)"
        r"[\w`@./+#-]+(?: (?!to\b)[\w`@./+#-]+){0,7}$(?<!\bhere)(?<!\bfor)(?<!\bthere)(?<!\bnow)",
        confidence=0.75,
    ),
    form(
        "order-of-things",
        r"(?:please |always )*(?:handle|catch|wrap|log|return|throw|raise|validate|escape|cache|quote"
        r"|indent|align|document|type"
        r"|declare|inject|pass|expose|encode|serialize|lock|close|release|capitali[sz]e|number|place"
        r"|separate|nest|compose|round"
        r"|reference|put|keep|name|sort|group|store|format|spell|order|load|mark|treat"
        r"|prefix|suffix|tag|label"
        r"|annotate|pin|mock|express|represent|represent|measure|prefer|model|start|end)"
        r" (?:all |new |any |public |private )*(?!(?:the|an?|this|that|it|my|these|those|them|his|its"
        r"|your|to|with|from|by|is|process"
        r"|access)\b)(?:[a-z-]+ ){0,2}?(?:[a-z-]+[a-rt-z]s|everything|money|state|text|code|sql"
        r"|data)\b(?! (?:i|you|we|is|are|was|were) )[^,;]*",
        confidence=0.7,
    ),
    form(
        "write-as",
        r"(?:please |always )*(?:write|do|keep|make|format|name|spell) (?!(?:the|an?|this|that|me|it"
        r"|whatever|what|as|anything|something"
        r"|some|my|them|sure|us)\b)"
        r"(?:[\w-]+ ){1,3}?(?:in|as|like|with|using|without|lower|upper|after|before"
        r"|next to) [\w`./-]+(?: [\w`./-]+){0,4}$",
        confidence=0.75,
    ),
    form(
        "put-somewhere",
        r"(?:please |always )*(?:put|place|store|keep|save) (?!(?:it|this|that|them|those|me)\b)(?:the "
        r"|all |your |any |new )*"
        r"(?:[\w-]+ ){0,2}?(?:[\w-]+s|test data|state|config) (?:in|into|under|next to|beside|at|on top"
        r"|above|below|behind) [^,;]+",
        confidence=0.75,
    ),
    form(
        "when-order",
        r"(?:when(?:ever)?|if|in case|should you|whatever you|wherever you|on|for (?:every|each|any)"
        r"|every time|each time|any time|once"
        r"|as soon as|before|after|unless)"
        r"\s(?!(?:that|this|it|so|i|we|they|he|she|not|possible|needed|necessary)\b|you(?:'re"
        r"| are) (?:done|ready|finished|through"
        r"|back)\b|you (?:have time|want|like|can|get)\b|(?:done|ready"
        r"|finished)\b)[^,;]{3,90}, (?:then |please |always |first "
        rf"|also |just |you (?:also )?(?:have|need) to |better )*{_ORDER}\b(?! (?:it|them|that|this)$)",
        confidence=0.75,
    ),
    form(
        "when-unsure",
        r"(?:if|when(?:ever)?) (?:you(?:'re| are) )?(?:in doubt|unsure|uncertain|not sure|stuck"
        r"|something is (?:unclear|missing))[, ]+"
        rf"{_ORDER}\b",
        confidence=0.8,
    ),
    form(
        "artefacts",
        r"(?P<subject>(?:(?:all|new|our|public|private|internal|shared) )*(?:(?!(?:the|these|those|some"
        r"|most|many|my|your|his|her|a|i"
        rf"|we|you|and|or|but|when|if)\b)[\w-]+ ){{0,2}}?{_ARTEFACT} )(?:always |only |just |all "
        r"|still )*(?:goes?|lives?|belongs?"
        r"|uses?|carry|carries|starts?|ends?|returns?|takes?|comes?|stays?|follows?|mirrors?|reflects?"
        r"|match(?:es)?"
        r"|begins?|contains?|holds?|bubbles?"
        r"|throws?|raises?|logs?|inherits?|extends?|implements?|derives?|sits?|resides?|reads?|accepts?"
        r"|expects?|gets? \w+ed"
        r"|(?:is|are) (?:(?:always |all )?(?:named|written|kept|stored|sorted|grouped|prefixed|typed"
        r"|async|sync|immutable|lowercase"
        r"|lower case|uppercase|upper case|singular|plural|private|public|optional|squashed|signed"
        r"|tagged|pinned|generated|reviewed"
        r"|deployed|built|tested|mocked|validated|escaped|logged|versioned|declared|defined|read-only"
        r"|utc|iso|utf-8|strings?|ints?"
        r"|integers?|floats?|uuids?|objects?|functions?|pure|thin|short|small|flat|explicit|relative"
        r"|absolute|\w+[_-]?case)\b"
        r"|(?:in|on|at|under|via|through|by) [\w`])|have (?:an?|no|their|exactly|one|to)\b) ?[^,;]*",
        confidence=0.7,
        cue=r"goes|go|live|lives|belongs?|uses?|carry|carries|starts?|ends?|returns?|takes?|comes?|stays?"
        r"|follows?|mirrors?|reflects?|match|matches|begins?|contains?|holds?|bubbles?|throws?|raises?"
        r"|logs?|inherits?|extends?"
        r"|implements?|derives?|sits?|resides?|reads?|accepts?|expects?|gets?|is|are|have",
    ),
    form(
        "settled-value",
        rf"(?:the |our |my )?(?:[\w-]+ )?{_SETTLED} (?:is|are|has to be|=) {_NOT_SETTLED}(?:always "
        r"|only |exactly |fixed at )*[\w`][^,;]*",
        confidence=0.75,
        cue=r"is|are|has",
    ),
    form(
        "runs",
        r"(?:we|prod(?:uction)?|ci|staging|the (?:server|cluster|app|service|project)|everything"
        r"|this (?:repo|project)) "
        r"(?:runs?|deploys?|builds?|ships?|targets?|merges?|branch(?:es)?|release[sd]?) (?:only "
        r"|always )?(?:on|with|via|from|to|in|off"
        rf"|against|through|by)? ?(?:[a-z+#.]+ )?{VALUE}",
        confidence=0.75,
    ),
    form(
        "against",
        r"(?:all |new |your )*(?:prs?|pull requests|merge requests|branches|commits|releases|changes"
        r"|work) (?:go|goes|come|comes|are"
        r"|is|start|starts|happens?)(?: made| opened| based)? (?:against|off|from|on|into"
        r"|to) (?:branch )?[\w./-]+$",
        confidence=0.8,
    ),
    form(
        "we-do",
        r"we (?:all )?(?:log|write|store|name|test|deploy|release|branch|merge|squash|rebase|build|ship"
        r"|version|document|format|indent|return|throw|raise|cache|round"
        r"|measure|mock|paginate|translate|track|review|commit) (?!it\b|this\b|that\b|the\b"
        r"|them\b)[\w`./-]*(?: ?[\w`./-]+){0,2} ?(?:in|as|with|via|by|per|before|after|on|to|under"
        r"|through|from)"
        r" [\w`./-]+(?: [\w`./-]+){0,3}$",
        confidence=0.7,
    ),
    form(
        "for-any",
        r"(?:for|on|with|at|in) (?:anything|any|every|each|all|new)\b[^,;]{2,60}? (?:please |always "
        r"|first )?(?:make|write|ask|run|add|check|update|show|use|bump|document|create|open|tell"
        r"|plan)\b [^,;]+",
        confidence=0.75,
    ),
    form(
        "enough",
        r"(?:\d+|one|two|three|four|five|ten) [\w-]+(?: [\w-]+)? (?:is|are) (?:enough|plenty|the limit"
        r"|the maximum|max)\b",
        confidence=0.75,
    ),
    form(
        "when-say-so",
        r"(?:when(?:ever)?|if) (?:something|anything|things?|you|a|an|any)\b[^,;]{2,50} (?:say so"
        r"|tell me|ask(?: me)?|stop|let me know|report it|shout|speak up)$"
        r"|ask (?:me )?(?:when|if|whenever) (?:you|in doubt|something|anything|unsure)\b[^,;]*",
        confidence=0.8,
    ),
    form(
        "first",
        r"(?:offline|mobile|tests?|security|correctness|readability|performance|docs|accessibility"
        r"|safety|plan)[ -]first(?: please)?$",
        confidence=0.75,
    ),
    form(
        "only-prep",
        r"(?!(?:the|it|this|that|works?|fails?|happens?|shows?|appears?|occurs?|breaks?|runs?"
        r"|crash(?:es)?|hangs?"
        r"|throws?|compiles?|loads?|renders?|flickers?|i|we"
        r"|you)\b)[\w-]+(?: [\w-]+){0,2} only (?:after|before|with|when|if|from|in|on|via|through|by"
        r"|for|as|unless|under|inside|where|at|during|until|once)\b[^,;]*|only (?:after|with|when"
        r"|if) [^,;]+ (?:may|can"
        r"|should) (?:you|we)\b",
        confidence=0.8,
    ),
    form(
        "report-as",
        r"(?:please |always )*(?:report|answer|reply|respond) (?:in|with|using|as|by) (?!the\b|this\b"
        r"|that\b)[^,;]+|call me [A-Z]\w+$",
        confidence=0.8,
    ),
    form(
        "for-i-want",
        r"(?:for|in|on|with) [\w ]{2,30}? i(?:'d)? (?:want|need|prefer|expect|would like|like) (?!to\b"
        r"|you to (?:fix|add|look))[^,;]+",
        confidence=0.8,
    ),
    form(
        "verbless",
        r"(?:all |new |public |no )?(?!(?:errors?|warnings|events|requests|results|changes|tests"
        rf"|logs) (?:in|on|from)\b)(?:{_ARTEFACT}|animations|spacing|margins|fonts|titles|captions) "
        r"(?:in|under|above|below|with|as|by|via|from|per|at|on|like|without) (?!the (?:log|console"
        r"|screen|terminal)\b)[\w`./-]+(?: (?!(?:is|are|was|has|fail|do|does|not)\b)[\w`./-]+){0,4}$",
        confidence=0.65,
    ),
)
