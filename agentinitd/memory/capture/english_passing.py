"""English rules in passing, about things in general: all of it, each one, whatever is touched."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS
from agentinitd.memory.capture.english_verbs import ORDER

PASSING = (
    form(
        "passing-same-as",
        r"(?:please |always |just )*(?:use|keep|follow|take|apply|reuse) the same (?!(?:one|thing|way"
        r"|trick|for)\b)[\w -]{2,40}?"
        r" (?:as|like) (?:in |for |on )?(?!(?:before|last|above|yesterday|always)\b)[^,;]+",
        confidence=0.75,
        cue=r"same",
    ),
    form(
        "passing-things-through",
        r"(?:please |always |just )*(?:run|start|launch|call|execute|install|build|test|deploy"
        r"|do) (?:things|stuff|everything"
        r"|anything|all (?:commands|scripts|tests|tools|jobs)|commands|scripts|tools) (?:through|with|via"
        r"|in|inside|under"
        r"|from|using|on) [^,;]+",
        confidence=0.75,
    ),
    form(
        "passing-only-ever",
        rf"(?:please |we |you )*only ever {ORDER}\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-where-you",
        r"(?:please |always |just )*(?P<order>[a-z-]+) (?!(?:it|this|that"
        r"|them)\b)[^,;]{2,60}? where(?:ver)? (?:you(?:'re"
        r"| are)? (?:unsure|not sure|uncertain|guess|guessing|assume|skip|deviate|can't|cannot|don't"
        r"|had to|have to"
        r"|change|see fit)|something|anything|it is (?:unclear|possible|needed)|possible|needed"
        r"|applicable)\b[^,;]*",
        confidence=0.75,
        cue=r"where|wherever",
    ),
    form(
        "passing-all-of-it",
        r"(?:please |always |just )*(?:seed|type|lint|log|validate|document|escape|quote|version|pin|sign"
        r"|encrypt|sanitize"
        r"|sanitise|annotate|prefix|namespace|internationali[sz]e|parametri[sz]e) everything(?: please"
        r"| always| twice)?$",
        confidence=0.75,
    ),
    form(
        "passing-before-doing-one",
        r"(?:please |always |just )*(?P<order>[a-z-]+) (?!(?:it|this|that|them"
        r"|me)\b)[^,;]{2,60}? (?:before|after|when"
        r"|whenever|while) (?!(?:looking|seeing|thinking|going)\b)[a-z]+ing (?:an?|any|each|every|new|in"
        r"|to) [^,;]+",
        confidence=0.75,
        cue=r"before|after|when|whenever|while",
    ),
    form(
        "passing-log-at",
        r"(?:please |always |just )*(?:log (?:at|to|with|as)|fail (?:on|with|at)|retry (?:on|with)"
        r"|cache (?:by|per|on|for)) "
        r"(?!(?:the|this|that|it|me|my|an?|him|her|once|least|first)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "passing-no-when",
        r"(?:please |and |but |absolutely )*no (?!(?:answer|response|reply|access|data|changes?|effect"
        r"|difference|luck|progress"
        r"|success|results?|signal|connections?|sounds?|traffic|problems?|issues?|news|feedback"
        r"|permissions?|words?|sign"
        r"|crash(?:es)?|logs?|e?mails?|hits?|match(?:es)?|rows?|help|time|money|internet|power|one|more"
        r"|less|errors?|output"
        r"|trace|idea|way|reason|need|longer|such|doubt|warnings?|events?|messages?|calls?|requests?"
        r"|packets?|update)\b)"
        r"(?:[\w./-]+ ){1,3}?(?:after|during|while|from|with|by|between|via|through) (?!(?:that|this|it"
        r"|me|my|them)\b)[^,;]+$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "passing-is-the-limit",
        r"(?:about |around |roughly )?\d[\w.,]*(?: ?[\w%/]+){0,2} (?:is|are) (?:the|our|my) (?:hard "
        r"|absolute |upper |lower"
        r" )?(?:budget|limit|max(?:imum)?|min(?:imum)?|cap|ceiling|floor|target|threshold|standard"
        r"|default)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-tell-of-any",
        r"(?:please |always |just )*(?:tag|ping|cc|ask|notify|tell|include|loop|mention|consult|inform"
        r"|warn|check with|add) "
        r"(?:me|us|@[\w-]+|[A-Z]\w+|the [\w-]+ team)(?: in)? (?:on|for|about|in|with|before|if"
        r"|when) (?:anything|everything"
        r"|any|every|each|all)\b[^,;]*",
        confidence=0.75,
        cue=r"anything|everything|any|every|each|all",
    ),
    form(
        "passing-nothing-such",
        r"(?:please |and )*nothing (?!(?:new|wrong|special|else|useful|interesting|relevant|there|found"
        r"|left|suspicious|obvious"
        r"|unusual|weird|changed|happens|happened|much|more|works|bad|strange|shows|really|got|was|is|to"
        r"|but|than|in|on|by"
        r"|from|outside|under|inside)\b)(?![a-z]+er\b)[a-z-]+ (?:in|on|into|to) (?:the|our|any|this|git"
        r"|prod) ?(?!(?:logs?|console|output"
        r"|screen|terminal|browser)s?\b)[^,;]*",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "passing-go-with-for",
        r"(?:let'?s|lets|we'?ll|we will|i'd|please) (?:go with|use|take|stick with|stick to|do) (?!(?:the"
        r"|this|that|it|an?|my"
        r"|your|one|what|option|plan|number|some|another|these|those|both"
        r"|them)\b)[\w@./+#-]+(?: [\w.+#-]+)? for (?:the |our |all"
        r" |any |these )?(?!(?:now|that|this|it|lunch|today|once|me|example)\b)[\w./-]+(?: [\w./-]+){0,2}$",
        confidence=0.75,
    ),
    form(
        "passing-let-tool",
        r"(?:please |always |just )*(?:let|leave it to|leave that to) (?:the |our )?(?:linter|formatter"
        r"|compiler|orm|framework"
        r"|library|database|db|ci|pipeline|caller|type ?checker|prettier|black|ruff|eslint|gofmt"
        r"|clang-format|codegen|build"
        r"|scheduler|garbage collector|router|store) (?:to )?(?:decide|handle|do|take care|deal|manage"
        r"|generate|format|sort|pick"
        r"|figure|catch|choose|own|infer) ?[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-what-you-will",
        r"(?:please |always |just )*(?:explain|tell me|say|describe|list|print|show(?: me)?|announce"
        r"|write down|state) what"
        r" (?:you(?:'re| are) (?:going|about|planning) to [a-z]+|you(?:'ll| will)? (?:plan|intend|want"
        r"|mean) to [a-z]+|you(?:'ll"
        r"| will) [a-z]+|will happen|it will do)\b[^,;]*? before [^,;]+",
        confidence=0.75,
        cue=r"before",
    ),
    form(
        "passing-nobody-does",
        r"(?:(?:while|until|till|as long as|during|before|after) [^,;]{2,60}?,? )?(?:nobody|no one"
        r"|noone) (?:ever )?(?:touches"
        r"|edits|changes|pushes|merges|deploys|clicks|commits|renames|rewrites|bypasses|skips|force-pushes) "
        r"(?!(?:(?:it|that|them) (?:because|any ?more)|anything)\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
        cue=r"nobody|no one|noone",
    ),
    form(
        "passing-at-the-edge",
        r"(?:please |always |only |just )*(?:convert|parse|validate|translate|round|format|serialize"
        r"|normali[sz]e|check|encode|decode"
        r"|escape|handle errors|catch) (?:only )?at the (?:edges?|boundar(?:y|ies)|borders?|rim"
        r"|very end)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-make-it-safe",
        r"(?:please |and |just )*make (?:it|this|that|them|everything) (?:all )?(?:idempotent"
        r"|deterministic|reproducible"
        r"|thread-?safe|backwards?[- ]compatible|accessible|testable|stateless|portable|re-?entrant"
        r"|gdpr compliant)\b[^,;]*",
        confidence=0.7,
    ),
    form(
        "passing-things-relative",
        rf"(?:all |new )?{THINGS} (?:always )?(?:relative to|independent of|alongside) (?!(?:it|that"
        rf"|this)$)[^,;]+$",
        confidence=0.75,
    ),
    form(
        "passing-things-on-each",
        rf"(?!(?:errors|warnings|failures|crashes|exceptions|spikes|flickers|leaks|thanks|requests|calls"
        rf"|changes)\b){THINGS}"
        r" (?:on|around|behind|in|for|before|after|at|with) (?:every|each|all) (?:[\w-]+ ){0,2}(?!(?:run"
        r"|build|time|click|reload"
        r"|start|restart|login|refresh|load|day|week|night|morning|cases|times)\b)[\w-]+(?: please| pls)?$",
        confidence=0.7,
    ),
    form(
        "passing-rather-than-doing",
        rf"(?:please |always |just )*(?P<order>[a-z-]+) (?:(?:all |new |old |any )*{THINGS}|everything|it"
        rf"|them)(?: [^,;]{{2,40}})?"
        r" (?:instead of|rather than) [a-z]+ing\b[^,;]*",
        confidence=0.7,
        cue=r"instead of|rather than",
    ),
    form(
        "passing-is-called-not",
        r"(?:it|that|this|the [\w-]+)(?:'s| is) (?:called|named|spelled|spelt"
        r"|pronounced) (?:an? )?(?!(?:twice|once|from|by|in|at|when"
        r"|after|before|on|with|for)\b)[^,;]+?,? (?:and )?(?:not|never) (?!(?:once|twice|from|by|in|at"
        r"|yet|any)\b)[^,;]+",
        confidence=0.75,
        cue=r"not|never",
    ),
    form(
        "passing-goes-through-first",
        r"(?!(?:the|this|that|it|he|she|they|i|we|you|what|which|there)\b)(?:[\w-]+ ){1,3}(?:goes?"
        r"|has to go|must go) (?:through|past"
        r"|via|by|to) [^,;]+? (?:before|first|for (?:approval|review|sign-?off))\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-is-so-much-for",
        r"(?!(?:it|this|that|there)\b)(?:[\w-]+ ){1,3}(?:is|are|stays?(?: at)?) (?:at most |max "
        r"|exactly )?\d[\w.,]*(?: [\w%/]+){0,2}"
        r" for (?:any|anything|all|every|each|everything)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-everything-in",
        r"everything (?:in|on|under|via|through|with|as|over|behind) (?!(?:here|there|order|place|sync"
        r"|between|one|it|that|this|the"
        r"|my|our|fire|hold|track|top)\b)[\w./-]+(?: [\w./-]+){0,2}(?: unless [^,;]+| please| pls| always)?$",
        confidence=0.7,
        cue=r"everything",
    ),
    form(
        "passing-things-via",
        rf"(?!(?:errors|warnings|failures|thanks|greetings)\b)(?:all |new )?(?:[\w-]+ )?{THINGS} (?:only "
        rf"|always )?(?:via|through)"
        r" (?!(?:the (?:night|day|window)|it|that|this)\b)[\w./-]+(?: [\w./-]+){0,2}(?: only| please| pls)?$",
        confidence=0.7,
        cue=r"via|through",
    ),
    form(
        "passing-deed-before",
        rf"(?:please |always |just )*(?P<order>(?!(?:look|see|go|come|wait|think"
        rf"|check)\b)[a-z-]+) before you (?!(?:know|go|start"
        rf"|leave|ask)\b){ORDER}\b[^,;]*",
        confidence=0.75,
        cue=r"before you",
    ),
    form(
        "passing-things-in-things",
        rf"(?!(?:errors|warnings|bugs|typos|failures|differences|changes|tests|gaps|leaks|holes|problems"
        rf"|issues|mistakes|spikes"
        rf"|drops|users|links|thanks)\b){THINGS} in (?!(?:tests|results|logs|builds)\b)[\w-]+s(?: please"
        rf"| pls| only| always)?$",
        confidence=0.65,
        cue=r"in",
    ),
    form(
        "passing-things-only",
        rf"(?!(?:errors|warnings|bugs|failures|fails)\b){THINGS} (?:with|from|via|in|on|for|by|through"
        rf"|under) (?![^,;]*\b(?:is|are"
        rf"|fails?|works?|breaks?|was|were)\b)[^,;]+ only(?: please| pls)?$",
        confidence=0.7,
        cue=r"only",
    ),
    form(
        "passing-what-you-did",
        r"(?:please |always |just )*(?:explain|summari[sz]e|tell me|say|describe|list"
        r"|write down) what you (?:did|changed|do"
        r"|have done|touched)\b[^,;]*?(?:at the end|when(?:ever)? you(?:'re| are)? (?:done|finish\w*)"
        r"|in (?:one|two|three|a few"
        r"|\d)[\w ]* (?:sentences?|lines?|words)|briefly|after (?:each|every)|each time|every time)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-in-message",
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
        "passing-every-one",
        r"(?:please |always |just )*(?P<order>[a-z]+) (?:off|out|up|down|in|back|off on) (?:every|each"
        r"|all) (?!(?:of|the|this"
        r"|that|time|day|now|it)\b)[^,;]+",
        confidence=0.75,
        cue=r"every|each|all",
    ),
    form(
        "passing-every-so-often",
        r"(?:please |always |just )*(?:checkpoint|snapshot|autosave|poll"
        r"|(?P<order>[a-z-]+)) (?:[\w -]{2,30} )?every (?:\d+|few"
        r"|other|couple of|half|hour|minute|day|week) ?[^,;]*",
        confidence=0.75,
        cue=r"every",
    ),
    form(
        "passing-tense",
        r"(?:please |always |use )*(?:(?:past|present|future|simple present|present perfect|imperative"
        r"|active|passive)"
        r" (?:tense|mood|voice)(?: (?:in|for|throughout|everywhere|please|only)\b[^,;]*)?"
        r"|(?:passive|imperative|first person|third person) (?:in|for|throughout|everywhere|please"
        r"|only)\b[^,;]*)$",
        confidence=0.75,
    ),
    form(
        "passing-no-er-than",
        r"(?:please |and |but |absolutely )*no (?!(?:more|less|other|later|sooner|longer|better|worse"
        r"|one)\b)(?:[\w./-]+ ){1,3}?"
        r"(?:longer|bigger|larger|wider|deeper|older|newer|smaller|higher|lower|heavier|slower"
        r"|more [a-z]+) than [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "passing-one-for-each",
        r"(?:please |always |just )*(?!(?:render|draw|plot|label|compute|calculate|count|get|fetch|load"
        r"|highlight|select|send"
        r"|give me|print|sum|display|play|open|return|parse|store|call)\b)(?P<manner>[a-z]+) (?:the|an?"
        r"|its|your|one) [\w -]{2,40}?"
        r" (?:for|with|in|on|to|at|after|before|of|per) (?:each|every|any) (?!(?:other|one|of)\b)[\w -]+$",
        confidence=0.75,
        cue=r"each|every|any",
    ),
    form(
        "passing-everything-there",
        r"(?:please |always |just |lazy |auto-?|double |pre-?)*(?P<manner>[a-z-]+) everything (?:below"
        r"|above|in|under|outside"
        r"|that|from|with|on|behind|inside|as|to|through|via) (?!(?:one|this|that|order|case|it)\b)[^,;]+",
        confidence=0.75,
        cue=r"everything",
    ),
    form(
        "passing-take-the-for",
        r"(?:please |always |just )*(?:take|pick|bump|raise|apply|keep|set|choose|reach for"
        r"|call) the (?!(?:first|second|third"
        r"|last|same|other)\b)(?:[\w./-]+ ){1,3}?for (?!(?:the|this|that|it|now|an?|me|us"
        r"|my)\b)(?:[\w-]+ ){0,2}[\w-]*[a-rt-z]s"
        r"(?: and [^,;]+)?$",
        confidence=0.75,
    ),
    form(
        "passing-each-are",
        r"(?!(?:the|these|those|both|they)\b)(?:[\w-]+ ){0,2}[\w-]+s are (?:at most |max |exactly "
        r"|always |only )*(?:one|two|three|\d+)"
        r" [\w-]+(?: [\w-]+)? (?:each|long|max|at most|wide|deep)$",
        confidence=0.75,
    ),
)
"""Each holds what it is told by, as those typed offhand do."""
