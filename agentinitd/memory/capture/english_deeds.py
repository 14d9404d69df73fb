"""English rules that tell of a deed when, where and how often it is done, and by whom."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS
from agentinitd.memory.capture.english_verbs import ORDER

DEEDS = (
    form(
        "deed-happens-once",
        r"(?!(?:the|this|that|it|which|what)\b)(?:[\w-]+ ){1,2}happens? (?:only )?(?:exactly )?(?:once"
        r"|in one place|last|first|at the (?:very )?(?:end|edges?|boundar(?:y|ies)))"
        r"(?: only)?\b[^;]*",
        confidence=0.75,
    ),
    form(
        "deed-everything-goes-through",
        r"everything (?:goes|has to go|must go|comes|is routed) (?:through|via|past|by) (?!(?:my head"
        r"|the roof)\b)[^,;]+",
        confidence=0.75,
        cue=r"everything",
    ),
    form(
        "deed-then-only",
        r"(?:after|until|till|before|from) (?:that"
        r"|then)(?: on)?,? only [\w./-]+(?: [\w./-]+){0,2}(?: please| pls)?$",
        confidence=0.75,
        cue=r"only",
    ),
    form(
        "deed-version-range",
        r"(?!(?:status|count|value|size|len|length|index|code|age|score|total|price|result|sum|max|min"
        r"|exit)\b)[a-z][\w.-]{2,} ?(?:<=?|>=?|==|~=|\^|~>) ?v?\d[\w.*]*"
        r"(?: (?:for now|please|everywhere|only|still|until [^,;]+))?$",
        confidence=0.75,
    ),
    form(
        "deed-support-last",
        r"(?:we |please |always )*(?:support|target) (?:only )?(?:the )?(?:last|latest|current|two|three"
        r"|newest|oldest) [^,;]*?(?:versions?|releases?|lts|browsers?)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-on-real-ones",
        r"(?:please |always )*(?:test|verify|measure|profile|benchmark)(?: things| everything| it)? (?:on"
        r"|with|against) (?:an? |the )?(?:real|physical|actual|oldest|slowest)"
        r" [^,;]+",
        confidence=0.75,
    ),
    form(
        "deed-layer-never",
        r"(?!(?:it|this|that|they|we|i|you|he|she|there)\b)(?:(?:the |our )?(?:[\w-]+ ){1,2}(?:layers?"
        r"|modules?|packages?|components?|crates?|side|code|tier)"
        r"|(?!the\b|my\b)[\w-]+(?: [\w-]+)?) (?:must |may |should |shall )?never (?:imports?|depends?"
        r"|calls?|touch(?:es)?|talks?|references?|reach(?:es)?"
        r"|knows?|access(?:es)?|includes?|leaks?)(?: from| on| to| into| about| in)? (?!(?:it|that|this"
        r"|again|back|me|by)\b)[\w./-]+(?: [\w./-]+){0,3}$",
        polarity="do_not",
        confidence=0.75,
        cue=r"never",
    ),
    form(
        "deed-done-means",
        r"(?:done|finished|ready|reviewed|tested) means (?!(?:that|it|nothing)\b)[^;]+|(?:our "
        r"|the )?definition of done(?: is|:)? [^;]+",
        confidence=0.75,
    ),
    form(
        "deed-what-is-left",
        r"(?:please |always |just )*(?:tell me|say|mention|list|note|be (?:honest|clear|open) about"
        r"|point out|report|write down) what you (?:left out|skipped"
        r"|didn'?t [a-z]+|did not [a-z]+|couldn'?t [a-z]+|could not [a-z]+|assumed|guessed"
        r"|weren'?t sure about)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-we-are-on-version",
        r"we(?:'re| are) (?:still |currently )?on v\d[\w.]*(?: of [^,;]+)?$",
        confidence=0.75,
    ),
    form(
        "deed-things-in-own",
        rf"{THINGS} (?:go |come |belong |live |stay |must go |should go )?(?:in|into|on|to) (?:an?|their"
        rf"|its|one) (?:own|separate|different|extra|dedicated)"
        r" [\w-]+(?: please| pls)?$",
        confidence=0.75,
    ),
    form(
        "deed-has-last-word",
        r"(?!(?:it|he|she|this|that|who|nobody)\b)(?:the )?[\w.-]+ (?:decides|has the (?:last"
        r"|final) (?:word|say))(?: [^,;]+)?$|whatever [\w. -]{2,30}? says,? goes$",
        confidence=0.7,
        cue=r"decides|has the|goes",
    ),
    form(
        "deed-so-many-max",
        r"(?:\d+|one|two|three|four|five|six|ten) (?!(?:hours?|minutes?|mins?|days?|weeks?|seconds?|secs?"
        r"|months?|times)\b)[\w-]+(?: [\w-]+)?,?"
        r" (?:max(?:imum)?|at (?:the )?most|tops)(?: (?:per|for|in) [^,;]+)?$",
        confidence=0.7,
        cue=r"max|maximum|most|tops",
    ),
    form(
        "deed-no-change",
        r"(?:please |and |but |absolutely )*no (?:[\w-]+ )?(?:behaviou?r(?:al)?|functional|api|schema|ui"
        r"|visual|breaking|semantic|style"
        r"|formatting|logic) changes?(?: please| pls| at all| here)?$",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "deed-without",
        r"(?:please |but |and )*(?:i (?:need|want) (?:it|this|that|all)|(?:do|solve|make|build|write|fix"
        r"|implement|keep) (?:it|this|that|all)"
        r"|all) without (?:any |new |additional |adding |using |touching |changing |breaking |extra "
        r"|an? )+(?!(?:luck|success|problem|doubt)\b)"
        r"[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "deed-every-one-there-is",
        r"(?:please |always |just )*(?:rate[- ])?(?!(?:render|draw|load|loop|iterate|visit|scan|walk"
        r"|highlight|select|send|list|count|poll|parse"
        r"|process|fetch|print|label|read|display|cover|open)\b)(?P<manner>[a-z-]+) (?:every"
        r"|each) (?:single )?(?!(?:one|of|time|other|second"
        r"|few|day|week|month|hour|minute|\d)\b)[\w-]+(?: [\w-]+){0,2}$",
        confidence=0.7,
        cue=r"every|each",
    ),
    form(
        "deed-behind-flag",
        r"(?:please |always |just )*(?:roll (?:it |everything )?out|ship|release|deploy|merge|launch|land"
        r"|hide|put)(?: [\w ]{2,30})? behind"
        r" (?:an? )?(?:feature )?(?:flags?|toggles?)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-everything-in",
        r"everything (?:in|on|under|via|through|with|as|over|behind) (?!(?:here|there|order|place|sync"
        r"|between|one|it|that|this|the"
        r"|my|our|fire|hold|track|top)\b)[\w./-]+(?: [\w./-]+){0,2}(?: unless [^,;]+| please| pls| always)?$",
        confidence=0.7,
        cue=r"everything",
    ),
    form(
        "deed-things-via",
        rf"(?!(?:errors|warnings|failures|thanks|greetings)\b)(?:all |new )?(?:[\w-]+ )?{THINGS} (?:only "
        rf"|always )?(?:via|through)"
        r" (?!(?:the (?:night|day|window)|it|that|this)\b)[\w./-]+(?: [\w./-]+){0,2}(?: only| please| pls)?$",
        confidence=0.7,
        cue=r"via|through",
    ),
    form(
        "deed-deed-before",
        rf"(?:please |always |just )*(?P<order>(?!(?:look|see|go|come|wait|think"
        rf"|check)\b)[a-z-]+) before you (?!(?:know|go|start"
        rf"|leave|ask)\b){ORDER}\b[^,;]*",
        confidence=0.75,
        cue=r"before you",
    ),
    form(
        "deed-things-only",
        rf"(?!(?:errors|warnings|bugs|failures|fails)\b){THINGS} (?:with|from|via|in|on|for|by|through"
        rf"|under) (?![^,;]*\b(?:is|are"
        rf"|fails?|works?|breaks?|was|were)\b)[^,;]+ only(?: please| pls)?$",
        confidence=0.7,
        cue=r"only",
    ),
    form(
        "deed-stuff-is-mine",
        r"(?:the |all )?(?:[\w/.-]+ ){0,2}(?:stuff|things?|work|part|deploys?|releases?|merges?|commits?"
        r"|publishing|[a-z]+ing) (?:is|are)"
        r" (?:mine|my job|my business|on me)(?: only| alone| please)?$",
        polarity="do_not",
        confidence=0.75,
        cue=r"mine|my|me",
    ),
    form(
        "deed-leave-doing-to-me",
        r"(?:please |always |and |but )*(?:leave|hand) (?:the |all )?(?:[\w-]+ )?(?:[a-z]+ing|merges?"
        r"|deploys?|deployments?|commits?"
        r"|pushes|releases?|tags|decisions?) to (?:me|us|ops|the [\w-]+ team|[A-Z]\w+)\b(?! (?:when"
        r"|after) (?:it|this|that)\b)[^,;]*",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "deed-doubt-wins",
        r"(?:when|if|where) (?:in doubt|they (?:differ|disagree|conflict)|there(?:'s| is) (?:a "
        r"|any )?(?:doubt|conflict)),? (?:the |our )?"
        r"[^,;]+? (?:wins?|decides?|counts?|rules?|is right|takes precedence|has priority"
        r"|goes first)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-use-what-is",
        r"(?:please |always |just )*(?:re-?use|use|take|stick to|stick with|work with) what(?:'s| is"
        r"|ever is|ever's| we have) (?:already )?"
        r"(?:in|there|available|installed|at hand)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-order-at-event",
        r"(?:please |always |just )*(?P<order>(?!(?:go|come|look|wait|check|be|see|get|fail|crash|hang"
        r"|break|stop|die)\b)[a-z-]+)"
        r"(?: (?:the|all|your|our|each|every) (?:[\w-]+ ){0,2}?[\w-]+| (?!(?:it|that|this"
        r"|them)\b)[\w-]+s)? (?:on|before|after|at|upon)"
        r" (?:(?:each|every|the|a) )?(?:merge|merging|push|pushing|commit|committing|release|releasing"
        r"|deploy|deploying|deployment"
        r"|review|save|startup|shutdown)(?: please| pls| only)?$",
        confidence=0.7,
    ),
    form(
        "deed-under-so-much",
        r"(?!(?:it|this|that|there|the|still|now|finally|already|we|i|got|is"
        r"|are)\b)[\w-]+(?: [\w-]+){0,2} (?:under|below|within|at most|max\.?"
        r"|no longer than|shorter than|up to) \d[\w.]*(?: [\w%]+)?(?: please| pls)?$",
        confidence=0.7,
        cue=r"under|below|within|at most|max|longer|shorter|up to",
    ),
    form(
        "deed-things-branch-off",
        rf"{THINGS} (?:branch|fork|start|are cut|are based|are taken|are made)(?: off| from| on"
        rf"| out of) [^,;]+",
        confidence=0.7,
    ),
    form(
        "deed-what-you-did",
        r"(?:please |always |just )*(?:explain|summari[sz]e|tell me|say|describe|list"
        r"|write down) what you (?:did|changed|do"
        r"|have done|touched)\b[^,;]*?(?:at the end|when(?:ever)? you(?:'re| are)? (?:done|finish\w*)"
        r"|in (?:one|two|three|a few"
        r"|\d)[\w ]* (?:sentences?|lines?|words)|briefly|after (?:each|every)|each time|every time)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "deed-in-message",
        r"(?:please |always |just )*(?:mention|put|include|reference|note|link|have|keep|use|write|state"
        r"|name|cite) "
        r"(?:the|your|our|an?|my) [^,;]{2,40}? (?:in|into|at the (?:end|start|top) of) (?:the|your|each"
        r"|every|all) (?:commit"
        r" (?:messages?|titles?|subjects?|bod(?:y|ies))|subject(?: lines?)?|pr (?:titles?|descriptions?"
        r"|bod(?:y|ies))"
        r"|branch names?|changelog|file headers?|docstrings?)$",
        confidence=0.75,
    ),
    form(
        "deed-every-one",
        r"(?:please |always |just )*(?P<order>[a-z]+) (?:off|out|up|down|in|back|off on) (?:every|each"
        r"|all) (?!(?:of|the|this"
        r"|that|time|day|now|it)\b)[^,;]+",
        confidence=0.75,
        cue=r"every|each|all",
    ),
    form(
        "deed-every-so-often",
        r"(?:please |always |just )*(?:checkpoint|snapshot|autosave|poll"
        r"|(?P<order>[a-z-]+)) (?:[\w -]{2,30} )?every (?:\d+|few"
        r"|other|couple of|half|hour|minute|day|week) ?[^,;]*",
        confidence=0.75,
        cue=r"every",
    ),
    form(
        "deed-tense",
        r"(?:please |always |use )*(?:(?:past|present|future|simple present|present perfect|imperative"
        r"|active|passive)"
        r" (?:tense|mood|voice)(?: (?:in|for|throughout|everywhere|please|only)\b[^,;]*)?"
        r"|(?:passive|imperative|first person|third person) (?:in|for|throughout|everywhere|please"
        r"|only)\b[^,;]*)$",
        confidence=0.75,
    ),
    form(
        "deed-no-er-than",
        r"(?:please |and |but |absolutely )*no (?!(?:more|less|other|later|sooner|longer|better|worse"
        r"|one)\b)(?:[\w./-]+ ){1,3}?"
        r"(?:longer|bigger|larger|wider|deeper|older|newer|smaller|higher|lower|heavier|slower"
        r"|more [a-z]+) than [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "deed-one-for-each",
        r"(?:please |always |just )*(?!(?:render|draw|plot|label|compute|calculate|count|get|fetch|load"
        r"|highlight|select|send"
        r"|give me|print|sum|display|play|open|return|parse|store|call)\b)(?P<manner>[a-z]+) (?:the|an?"
        r"|its|your|one) [\w -]{2,40}?"
        r" (?:for|with|in|on|to|at|after|before|of|per) (?:each|every|any) (?!(?:other|one|of)\b)[\w -]+$",
        confidence=0.75,
        cue=r"each|every|any",
    ),
    form(
        "deed-everything-there",
        r"(?:please |always |just |lazy |auto-?|double |pre-?)*(?P<manner>[a-z-]+) everything (?:below"
        r"|above|in|under|outside"
        r"|that|from|with|on|behind|inside|as|to|through|via) (?!(?:one|this|that|order|case|it)\b)[^,;]+",
        confidence=0.75,
        cue=r"everything",
    ),
    form(
        "deed-take-the-for",
        r"(?:please |always |just )*(?:take|pick|bump|raise|apply|keep|set|choose|reach for"
        r"|call) the (?!(?:first|second|third"
        r"|last|same|other)\b)(?:[\w./-]+ ){1,3}?for (?!(?:the|this|that|it|now|an?|me|us"
        r"|my)\b)(?:[\w-]+ ){0,2}[\w-]*[a-rt-z]s"
        r"(?: and [^,;]+)?$",
        confidence=0.75,
    ),
    form(
        "deed-each-are",
        r"(?!(?:the|these|those|both|they)\b)(?:[\w-]+ ){0,2}[\w-]+s are (?:at most |max |exactly "
        r"|always |only )*(?:one|two|three|\d+)"
        r" [\w-]+(?: [\w-]+)? (?:each|long|max|at most|wide|deep)$",
        confidence=0.75,
    ),
)
"""Each holds what it is told by, as those typed offhand do."""
