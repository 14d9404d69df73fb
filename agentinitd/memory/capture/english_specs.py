"""How English lays down a value or a way of doing things without a verb: "go 1.22", "dates in utc"."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import LANGUAGE, VALUE, form

_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|sixteen|eighteen"
    r"|twenty"
    r"|thirty|forty|fifty|sixty|eighty|ninety|hundred)"
)
AMOUNT = rf"(?!one\b)(?:v?\d[\w.:%/-]*|{_NUMBER_WORD}\b(?: (?:{_NUMBER_WORD}|point|and)\b)*)"
_SETTING = (
    r"(?:versions?|ports?|sdk|api level|namespaces?|branch(?:es)?|db|database|hosts?|urls?|uri|registry"
    r"|regions?"
    r"|clusters?|contexts?|buckets?|queues?|topics?|schemas?|locale|seeds?|budgets?|limits?|sizes?|widths?"
    r"|lengths?"
    r"|heights?|depths?|rates?|timeouts?|delays?|intervals?|modules?|packages?|app id|bundle id|ids?"
    r"|prefix(?:es)?"
    r"|suffix(?:es)?|extensions?|roots?|folders?|director(?:y|ies)|dirs?|paths?|envs?|environments?"
    r"|profiles?"
    r"|accounts?|tenants?|projects?|runtimes?|targets?|base|editions?|encodings?|charsets?"
    r"|(?:time ?)?zones?"
    r"|indent(?:ation)?|line ?(?:lengths?|widths?|endings?)|coverage|precision|currency|units?|licen[cs]e"
    r"|package manager|test runner|framework|formatter|linter|bundler|orm|toolchain|dialect|standards?"
    r"|images?"
    r"|baud(?: ?rate)?|frequency|clock|resolution|fps|batch(?:es)?|workers?|threads?|retries|attempts|ttl"
    r"|quota"
    r"|index(?:es)?|keys?|tags?|labels?|headers?|cookies?|endpoints?|gateways?|proxy|proxies|servers?"
    r"|devices?"
    r"|boards?|serial|uart|bus|address(?:es)?|nodes?|python|java|go|ruby|php|rust|kotlin|swift|scala"
    r"|gradle|maven"
    r"|postgres(?:ql)?|mysql|redis|mongo|kafka|airflow|spark|docker|kubernetes|k8s|terraform|react|vue"
    r"|angular"
    r"|django|rails|storybook|jdk|jvm|gcc|clang|cmake|cuda|torch|compiler|emulator|simulator|staging"
    r"|prod(?:uction)?"
    r"|dev(?:elopment)?|sandbox|ci)"
)
_STYLED = (
    r"(?:answers?|repl(?:y|ies)|commits?|commit messages?|names?|variables?|functions?|methods?|classes"
    r"|files?|tests?"
    r"|columns?|tables?|comments?|docs?|docstrings?|imports?|quotes?|errors?|messages?|logs?|dates?|times?"
    r"|timestamps?"
    r"|branch(?:es)?|branch names?|keys?|titles?|headings?|constants?|enums?|types?|styles?|style|naming"
    r"|formatting"
    r"|indentation|language|units?|money|prices?|amounts?|colou?rs?|texts?|labels?|plots?|charts?|prs?"
    r"|pull requests?"
    r"|tags?|modules?|components?|hooks?|endpoints?|urls?|routes?|params?|arguments?|parameters?"
    r"|exceptions?|spacing"
    r"|layouts?|diffs?|changelogs?|queries|ids?)"
)
_THINGS = (
    r"(?:answers|repl(?:y|ies)|commits|commit messages?|names|variables|functions|methods|classes|files"
    r"|tests|columns"
    r"|column names?|tables|comments|docs|docstrings|imports|quotes|errors|error messages?|messages|logs"
    r"|dates|times"
    r"|timestamps|branches|branch names?|file names?|keys|titles|headings|constants|enums|types|styles?"
    r"|style|naming"
    r"|formatting|indentation|language|units|money|prices|amounts|colou?rs|texts|labels|plots|charts|prs"
    r"|pull requests"
    r"|tags|modules|components|hooks|endpoints|urls|routes|params|arguments|parameters|exceptions|spacing"
    r"|layouts|diffs"
    r"|changelogs|changelog entries|queries|ids|code|fields|props|models|schemas|migrations|services"
    r"|handlers|events"
    r"|metrics|secrets|settings|configs?|flags|buttons|icons|images|fonts|pages|scripts|helpers|fixtures"
    r"|mocks|members"
    r"|callbacks|values|lists|strings|numbers|floats|versions?|version numbers|releases|packages"
    r"|dependencies"
    r"|self|this)"
)
_ADJECTIVE = (
    r"(?:short(?:er)?|small(?:er)?|brief(?:er)?|concise|terse|plain|simple|early|tiny|minimal|strict"
    r"|explicit"
    r"|descriptive|meaningful|atomic|single|double|named|typed|relative|absolute|functional|readable|clean"
    r"|long"
    r"|full|flat|pure|static|async|lower ?case|upper ?case|kebab[- ]case|snake[- ]case|camel[- ]?case"
    r"|pascal[- ]?case"
    r"|conventional|semantic|british|american|german|french|english|metric|numbered|bulleted|trailing|unix)"
)
_NOT_SPEC = (
    r"(?:it|this|that|these|those|there|here|i|we|you|he|she|they|what|which|who|why|how|if|when|where"
    r"|because"
    r"|is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|not|no|yes|yeah|ok|okay|thanks"
    r"|and|but|or"
    r"|so|get|gets|got|try|tried|run|ran|see|saw|look|add|fix|set|use|used|make|check|show|find|found|only"
    r"|just|still"
    r"|now|then|also|about|after|before|around|over|under|with|from|for|at|on|in|to|of|lines?(?! (?:length"
    r"|width|limit))|step|page|option"
    r"|issue|pr|error|test|tests|day|attempt|part|phase|ticket|task|chapter|round|number|exit|status|code"
    r"|http|took"
    r"|takes|after|every|wait|bump|retry|returns|failed|fails|passed|my|some|any|all|another|last|next"
    r"|first|second)"
)
_WORDS = rf"(?:(?!{_NOT_SPEC}\b)[\w./+#%-]+ )"
_LEVEL = (
    r"(?: (?:please|pls|plz|max|maximum|min|minimum|only|always|everywhere|or (?:newer|higher|later"
    r"|lower|less)|and up|lts|exactly|strictly))*"
)
_IS = (
    r"(?:is|are|=|:|be|must be|has to be|should be|will be|stays|remains)(?: (?:always|only|exactly"
    r"|fixed at|fixed to|set to|called|named))*"
)
_AT = (
    r"(?: (?:here|at us|by us|on this (?:box|machine)|for (?:us|now|all|everything|tests"
    r"|this [\w-]+)|in (?:this|our) [\w-]+|now|everywhere|always|please|pls))*"
)
_NAME = r"(?:`[^`]+`|x{2,}|[a-z]*[\w]*[_/.:@-][\w./:@<>*-]*\w|(?-i:[A-Z]{2,}[\w-]*)|[a-z]+\d[\w.]*)"

CUE = re.compile(
    r"\d|:|\b(?:in|as|with|without|via|through|by|per|first|last|please|pls|plz|case|next to|under|one|"
    r"sorted|is|are|on|from|always|off|least|most|for|style|singular|then|each|utc)\b",
    re.IGNORECASE,
)

SPECS = (
    form(
        "tool-version",
        rf"(?:(?:for|in|on) (?:the )?[\w-]+(?: [\w-]+)? (?:is|it is|it's) )?(?:the "
        rf"|our )?{_WORDS}{{1,3}}(?:{AMOUNT}(?<!\b\d)|\d(?= ?(?:please|pls|only|always|everywhere|max|min"
        rf"|or (?:newer|higher|later)|lts|, (?:not|never|no|nothing))\b))(?: ?(?:ms|s|px|kb|mb|gb|chars"
        rf"|characters|columns|spaces|percent"
        rf"|lines|min|minutes|seconds))?{_LEVEL}{_AT}(?:[, ]+(?:not|never|no|nothing)(?: the)? [\w. -]+)?$",
        confidence=0.7,
    ),
    form(
        "setting-is",
        rf"(?!the (?:branch|module|folder|package) is called)(?:for [\w ]{{2,25}} )?(?:the |our "
        rf"|my )?(?:[\w-]+ ){{0,3}}?{_SETTING}(?: name| id"
        rf"| number)? {_IS} "
        rf"(?:the |on |version |port |under |at |in )*(?:{VALUE}|{_NAME}|{AMOUNT}(?! (?:times|minutes ago"
        rf"|seconds|rows|errors|of)\b)"
        rf"(?: ?(?:ms|px|kb|mb|gb|%|s|bytes|chars|characters|columns|spaces|percent|8N1"
        rf"|baud))?)[^,;]{{0,40}}$",
        confidence=0.75,
        cue=r"is|are|be|stays|remains",
    ),
    form(
        "sits-on",
        rf"(?:the |our |my |for [\w ]{{2,20}} (?:is )?)?(?:[\w./-]+ ){{1,3}}(?:is|runs|listens|sits|lives"
        rf"|goes|stays|must run"
        rf"|has to run|should run|be)?(?: always| only| now| still)? ?(?:on|at|under) (?:port |gpu |node "
        rf"|version |runtime "
        rf"|context |branch |cluster )?(?:{VALUE}|{_NAME}){_AT}(?:[, ]+(?:not|never)(?: the)? [\w. -]+)?$",
        confidence=0.75,
    ),
    form(
        "at-limit",
        rf"(?!.* (?:keeps|holds|stores|contains|returns|sends|shows|reads) )(?:the "
        rf"|our )?{_WORDS}{{1,4}}(?:(?:is|are|should be|must be|has to be) )?(?:at most|at least"
        rf"|max\.?|min\.?"
        rf"|maximum|minimum|no (?:more|less|longer|bigger) than|up to) {AMOUNT}[^,;]*$",
        confidence=0.75,
        cue=r"most|least|max|min|maximum|minimum|more|less|longer|bigger|up",
    ),
    form(
        "order-of",
        rf"(?P<subject>(?!{_NOT_SPEC}\b)(?:[\w./-]+ ){{1,4}}?)(?:(?:is|are|goes|go|comes?|stays?|must be"
        rf"|has to be) )?"
        r"(?:always )?(?:the )?(?:first|last|on top|at the (?:top|bottom|end|start))(?: (?:param(?:eter)?"
        r"|arg(?:ument)?"
        r"|line|column|place|thing|everywhere|always|in (?:every|each|the) [\w ]+))*$",
        confidence=0.65,
    ),
    form(
        "this-then-that",
        r"(?!(?:i|we|it|no|first|the|so"
        r"|they)\b)[a-z]+ (?:[\w-]+ ){0,2}first,? (?:and )?then [\w-]+(?: [\w-]+){0,2}$"
        r"|first (?:the )?[\w-]+s?,? (?:and )?then (?:the )?[\w-]+s?(?: always| every time)$",
        confidence=0.75,
    ),
    form(
        "adjective-things",
        rf"(?:{_ADJECTIVE} ){{1,2}}(?:[\w-]+ )?[a-z-]+(?:[a-rt-z]s|case|style|english|naming)(?: (?:for|in"
        rf"|on|everywhere)"
        rf"(?: [\w-]+){{0,4}})?(?: (?:please|pls|plz|only|always))?$",
        force="soft",
        confidence=0.65,
    ),
    form(
        "styled-as",
        rf"(?:all |the |our |new |public |private )*(?:(?!(?:the|this|that|an?|my|your|some|these|those"
        rf"|explain|show|remove|extract|rename|convert|delete|replace|fix|add|check|see|run|look|same|same"
        rf"|read|list|print|find|move|put|get|i|we|you"
        rf"|with|for)\b)[\w-]+ ){{0,2}}?{_THINGS} (?:(?:is|are|always|only"
        rf"|should be|all"
        rf"|must be|written|please) )*(?:in|as|with|without|under|via|through|by|per|from|against|into"
        rf"|next to|above"
        rf"|after|before|sorted"
        rf"|singular|plural|(?:snake|camel|kebab|pascal|upper|lower)(?:[ _-]?case)?|{_ADJECTIVE}|utc|iso"
        rf"|[\w-]+ style"
        rf"|imperative|on one line|one per line|relative|absolute|immutable|lazy|weak|optional|squashed"
        rf"|signed)"
        rf"(?: (?!(?:fail|fails|is|are|was|work|works|error|crash|crashes|that|which|does|do|did|has"
        rf"|have)\b)[\w`./%<>+#-]+){{0,6}}"
        rf"(?: (?:please|pls|plz)(?: all of them)?)?$",
        confidence=0.65,
        cue=r"against|into|uppercase|[a-z]+case|in|as|with|without|under|via|through|by|per|from|next|above"
        r"|after|before|sorted|singular|plural|case|snake|camel|kebab|pascal|upper|lower|utc|iso|style"
        r"|imperative|on|relative|absolute|immutable|lazy|weak|optional|squashed|signed|short|small|plain"
        r"|simple|lowercase",
    ),
    form(
        "things-for",
        rf"(?!{_NOT_SPEC}\b)(?:[a-z-]+ ){{0,2}}[a-z-]+[a-rt-z]s (?:for|in|on) (?:all |the "
        rf"|every )?{_STYLED}(?: please| pls)?$"
        rf"|(?:[\w-]+ ){{1,2}}(?:wrapping|handling|logging|formatting|naming|escaping|checking|sorting"
        rf"|mocking) (?:with"
        rf"|via|by|through|in) [\w`%./-]+(?: [\w`%./-]+){{0,2}}$",
        confidence=0.65,
    ),
    form(
        "tool-for",
        rf"(?!(?:{_NOT_SPEC}|thanks?|ready|time|waiting|good|sorry|looking|same|reason|need|cause|great"
        rf"|nice|idea|ideas|plan|one|more|less|support|code|tests?|script|command|place|room|except"
        rf"|besides|holds"
        r"|applies|goes)\b)"
        r"[\w./+-]+(?: (?:or|and) [\w-]+)? for (?:the |all |our |every )(?!(?:first|last|moment|time|help"
        r"|next|same|other)\b)[\w-]+(?: [\w-]+)?(?: please| pls)?$",
        confidence=0.65,
    ),
    form(
        "one-each",
        r"(?:just |only |exactly )?(?:one|a single|two|1|2) [\w-]+(?: [\w-]+){0,2} (?:per|for each"
        r"|for every|in each"
        r"|in every|each) [\w-]+(?: [\w-]+){0,2}$",
        confidence=0.75,
    ),
    form(
        "branch-off",
        r"(?:please |always )*(?:branch|fork|rebase|merge|cut|start)(?: (?:off|from|on|onto|into"
        r"|out of))+(?: (?:of|the|branch))*"
        r" (?!(?:it|that|this|here|there|scratch|them)\b)[\w./-]+(?: please| always)?$",
        confidence=0.75,
    ),
    form(
        "things-sorted",
        r"(?!(?:the|is|are|get)\b)[a-z-]+[a-rt-z]s (?:sorted|grouped|ordered|indented|aligned|numbered"
        r"|prefixed|suffixed"
        r"|separated|quoted|wrapped|named|spelled|typed|signed|squashed)(?: [\w-]+){0,4}$",
        confidence=0.65,
    ),
    form(
        "language-spec",
        rf"(?:[\w-]+ ){{1,3}}(?:in|on) {LANGUAGE}(?: (?:please|pls|only|always|everywhere))*$",
        confidence=0.75,
    ),
)

LABELLED = form(
    "labelled",
    rf"(?!(?:please |pls )?(?:stop|don'?t|do not|never|no|avoid|quit|use|add|keep)\b)(?:the |our |my "
    rf"|for )?(?:[\w-]+ ){{0,3}}(?:{_SETTING}|{_STYLED}|commands?|builds?"
    rf"|lint)(?: for [\w ]{{2,20}})?: ?"
    rf"(?!x{{2,}})(?!\w+ (?:is|are|was|does|did|fails?|has)\b)(?:{VALUE}|{LANGUAGE}\b"
    rf"|[\w`<>./%+-]+(?: [\w`<>./%+-]+){{0,6}})"
    r"(?:, (?:never|not|no|always|only|please|max|min)[\w .-]*)?(?:, or [^,;]*)?"
    r"(?:, (?!(?:no|never|not|don'?t|without|but|so|it|i|we)\b)[\w`<>./%+-]+(?: [\w`<>./%+:-]+){0,6})*"
    r"(?:,? (?:then|and then|e\.g\.|i\.e\.|like|such as|for example) [^;]*)*$",
    confidence=0.75,
)
"""`dev port: 5433`, `quotes: single`: tried on the whole statement, for a colon ends a clause."""
