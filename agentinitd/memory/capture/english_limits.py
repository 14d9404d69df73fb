"""How English says what must stay as it is, and that nothing else will do."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import SUBJECT, form

KEPT = (
    r"(?:unchanged|down|up to date|untouched|intact|stable|sorted|short|small|simple|minimal|clean"
    r"|green|consistent|compatible|compatibility|identical|the same|as(?:-| )is|as (?:it|they|before)"
    r"|as [\w ]{2,25}? (?:approved|wrote|sent|designed|specified|agreed|defined|delivered|signed)"
    r"|side by side|in parallel|together|apart|alive|around|available|reachable|in use"
    r"|in (?:sync|one|order|english|place|line|its|their|the same)|under|below|within|above"
    r"|at (?:least|most)?|to (?:a minimum|one|under|the|yourself|\d)|out of|away from|separate|private"
    r"|public|optional|backwards?|pure|generic|readable|tidy|flat|terse|brief|concise|low|dry|thin"
    r"|up to date|working|alphabetical|style|names?|naming|interfaces?|signatures?|apis?|schema|format"
    r"|options|behaviou?rs?|contracts?|structure|layout|conventions?|for (?:now|the moment))\b"
)

KEEPS = (
    form(
        "leave",
        r"(?:please )?(?:always )?(?:leave|let) (?!me\b|us\b|it\b|that\b|this alone\b|out\b|for\b"
        r"|the (?:call|decision))[^,;]{2,80}?\s(?:alone|as(?:-| )is|as (?:it|they) (?:is|are|were)"
        r"|as (?:before|now)|be$|unchanged|untouched|intact|in place|in peace|the way (?:it is"
        r"|they are)|(?:exactly )?(?:how|like|where|what) (?:it|they) (?:is|are))\b",
        polarity="do_not",
    ),
    form(
        "keep-off",
        r"(?:please |always )*keep (?!an eye|me\b|us\b)[^,;]{2,60}? (?:out of|away from|off) [^,;]+",
        polarity="do_not",
    ),
    form(
        "keep",
        r"(?:please |let'?s )?(?:always )?(?:keep|preserve|maintain|retain)\s(?!(?:going|it up"
        r"|at it|up|me|calm"
        r"|trying|on|in mind|working|track|an eye|running|reading|looking|that in|this in"
        r"|it\b(?! (?:under|below|short|small|simple|like that|that way|as|to|in|minimal))|it$|that$"
        rf"|this$|\w+ing)\b)(?:[^,;]*?\b{KEPT}|(?:[\w`./-]+ ){{0,3}}{KEPT})[^,;]*",
    ),
    form(
        "stays",
        rf"{SUBJECT}(?:must |should |has to |have to |needs? to |shall |will )?(?:stays?"
        r"|remains?)\s(?:exactly |strictly |always )?(?:as|at|in|out|unchanged|the (?:same|way)|what"
        r"|where|how|put|stable|single|under|below|above|within|off|compatible|backwards?|frozen"
        r"|untouched|intact|identical|green|sync|async|pure|private|public|optional|immutable|\d|`"
        rf"|x{{2}})",
    ),
    form(
        "stays-what",
        rf"{SUBJECT}(?:must|should|has to|have to|needs? to|shall)(?: always| still)? (?:stay|remain"
        r"|keep|be kept|be left)\b",
    ),
    form(
        "stay-constant",
        r"(?P<subject>(?:(?:the|our|my|all|each|every) )?(?:[\w./`-]+ ){1,4})stays? (?!up|on|there|open"
        r"|here|home|visible|empty|stuck|in the|for|with|blank|black|white)(?:\w+ ){0,3}\w+",
        confidence=0.75,
        cue=r"stays?",
    ),
)

ONLY = (
    form(
        "with-only",
        r"(?!show|tell|give|print|list|do\b|it\b|that\b|i\b|we\b"
        r"|the )[\w./`-]+(?: [\w./`-]+){0,2} (?:with|via|through|in|using|by|on) [\w./`-]+ only$",
        confidence=0.8,
    ),
    form("version-only", r"[a-z.+#]+ v?\d[\w.+]* only$"),
    form(
        "only-when",
        r"(?:please )?(?:push|commit|merge|deploy|release|edit|change|use|run|write|touch|log|retry"
        r"|cache|call|publish"
        r"|install|rebase|squash|ask|rename|delete|bump) only\b(?! once)",
    ),
    form(
        "only",
        r"(?:please )?(?:you (?:may|can|should|must) |we )?only (?:ever )?(?:touch|change|edit|modify"
        r"|use|write|work|commit|run|install|add|import|call|read|deploy|push|format|allow|accept"
        r"|support|test|log|ship|merge|target|depend|look|do|make|put|create|refactor|fix|update|rename"
        r"|delete|remove|translate|ask|answer|return|move|copy|show|send|set|start|cache|retry|throw"
        r"|raise|bump|document)\b(?! (?:the|this|that|it)$)(?! the (?:first|last|second|failing|other)\b)",
    ),
    form(
        "only-noun",
        r"only (?!(?:the|one|two|three|a|if|when|then|because|for|on|in|after|thing|problem|\d"
        r"|\w+[^s\s]s)\b)[\w./`-]+(?: [\w./`-]+){0,5} (?:please|in|for|under|here|as|with|allowed"
        r"|is allowed|are allowed)\b",
    ),
    form(
        "nothing-but",
        r"(?:use |write |allow )?(?:nothing (?:but|except|other than|else than)|exclusively|solely)\b",
    ),
    form(
        "stick",
        r"(?:please |let'?s |lets |always )*(?:stick (?:to|with)|adhere to|obey|(?:match|mirror|mimic"
        r"|re-?use)(?= (?:the |our )?(?:existing|surrounding|current|style)\b)|(?:follow|respect"
        r"|honou?r)(?= .*\b(?:\.?\w*config|conventions?|style|guides?|rules?|naming|pep|existing"
        r"|standards?|semver|limits?|layout|structure|order|principles?|licen[cs]e)\b)|conform to"
        r"|comply with|restrict yourself to|limit yourself to|confine yourself to|stay (?:within|inside"
        r"|on|with|in|consistent with|compatible with)|go by)\s(?!up|the line|the link|this link|along|me\b"
        r"|the steps|these steps|it\b|instructions|the instructions|the plan|that\b|this\b|home|here"
        r"|there)[^,;]+",
    ),
    form(
        "x-only",
        r"(?:please )?(?:use|edit|change|touch|modify|work|write|commit|run|deploy|install|allow|accept"
        r"|support|import|test|target) [\w./`-]+(?: [\w./`+-]+){0,8} only$",
        confidence=0.8,
    ),
    form(
        "nowhere-else", r"[^,;]+ (?:and )?(?:nowhere else|nothing else|no other \w+|no(?:thing| one) else)$"
    ),
    form(
        "the-only",
        r"(?:the (?:only|one|sole|single) (?=[^,;]*\b(?:we|you|i|allowed|permitted|supported|here|valid"
        r"|accepted)\b)(?!thing|problem|issue|question|reason|way i|one|difference|error"
        r"|test)[\w-]+(?: [\w-]+){0,3} (?:is|are) (?:allowed|[\w`./-]+)|[^,;]{2,50}? (?:is|are)"
        r" the only [\w-]+(?: [\w-]+){0,3} (?:we|you|that (?:is|are)|allowed|permitted|supported"
        r"|that may)\b)",
        confidence=0.8,
        cue=r"only|one|sole|single",
    ),
    form(
        "nothing-more",
        r"(?:just |only )?[\w./`-]+(?: [\w./`-]+){0,5} (?:nothing (?:else|more)|and that'?s (?:it|all)"
        r"|no more no less)$",
        confidence=0.8,
    ),
    form(
        "things-only",
        r"(?!(?:very|also|more|less|most|the|this|that|it|one|two|first|second|show|give|tell|print"
        r"|list|do|read|view|for|i|we"
        r"|you|if|when|is|are|was|now|still|currently)\b)(?:[\w./+-]+ ){1,4}only$",
        confidence=0.75,
    ),
    form(
        "all-via",
        r"all (?!.*\b(?:was|is|are|were|well|good)\b)(?!the\b|of\b|good\b|tests\b|my\b|these\b"
        r"|those\b)[\w-]+(?: [\w-]+){0,2} (?:via|through"
        r"|in|with|as|under|behind|from|by) [\w`./-]+(?: [\w`./-]+){0,3}$",
        confidence=0.75,
    ),
    form("you-may-only", r"you (?:may|can|should) (?:[\w]+ )?(?:only|just|exactly|at most|nothing but)\b"),
    form(
        "keep-to",
        r"(?:please |always )*(?:keep|stay|remain) (?:to|within|inside) (?!it\b|me\b|that\b"
        r"|yourself\b)[^,;]+|[^,;]{2,50}? (?:is|are) all (?:you|we) (?:may|need|can|should) (?:touch"
        r"|use|change|edit|have)\b"
        r"|all (?:you|we) (?:may|need|can|should) (?:touch|use|change|edit) (?:is|are) [^,;]+"
        r"|[\w./-]+(?: [\w./-]+){0,4} and no other\b",
        confidence=0.8,
    ),
    form(
        "just",
        r"(?:please )?just (?:touch|change|edit|use|work on|stay in) (?!it\b|that\b|this\b|the (?:same"
        r"|other)\b)[\w./`-]+(?: [\w./`-]+){0,4}$",
        confidence=0.7,
    ),
)
