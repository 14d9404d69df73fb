"""English rules in passing, about things in general: all of it, each one, whatever is touched."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS
from agentinitd.memory.capture.english_verbs import ORDER

PASSING = (
    form(
        "passing-smallest",
        r"(?:please |always |the |just )*(?:smallest|shortest|simplest|least|fewest"
        r"|minimum) possible (?:diffs?|changes?|patch(?:es)?|commits?|prs?|code"
        r"|steps?|answers?|functions?|api|surface|footprint|edits?)(?: please| pls| always)?$",
        force="soft",
        confidence=0.75,
        cue=r"possible",
    ),
    form(
        "passing-on-this-box",
        r"(?:on|in) (?:this|my|our) (?:box|machine|laptop|host|system|mac|server|setup|environment"
        r"|container),? [\w-]+ is (?:called |really )?"
        r"(?:`[^`]+`|x{2,}|(?!(?:broken|slow|missing|old|gone|down|not|too|very|dead|full|out|fine|ok"
        r"|there|installed|on|off|in|at)\b)[\w-]+)$",
        confidence=0.7,
    ),
    form(
        "passing-applies-to-you",
        r"(?:the |our )?(?:[\w-]+\.[a-z]{2,4}|[\w-]+(?: [\w-]+)?) (?:applies|apply|holds?) (?:to"
        r"|for) (?:you|us|everyone|everybody|everything|all)\b[^,;]*",
        confidence=0.7,
        cue=r"applies|apply|holds?",
    ),
    form(
        "passing-on-everything",
        r"(?:please |always |just )*(?P<order>[a-z-]+) (?!(?:it|this|that|them)\b)[^,;]{2,50}? (?:on|to"
        r"|for|in|with|about) (?:everything|anything)"
        r" (?!(?:else|i|we|you|is|it)\b)[\w-]+(?: [\w-]+)?$",
        confidence=0.7,
        cue=r"everything|anything",
    ),
    form(
        "passing-things-are-mine",
        r"(?!(?:these|those|they|the (?:last|first|other))\b)(?:all )?(?:[\w-]+ )?[\w-]+s(?: (?:about|on"
        r"|for|in|of|regarding|to) [^,;]{2,40}?)? are"
        r" (?:mine|my call|my job|ours to make|up to me|made by me)(?: alone| only)?$",
        polarity="do_not",
        confidence=0.75,
        cue=r"mine|my|ours|me",
    ),
    form(
        "passing-after-attempts",
        r"(?:please |just |always )*(?:give up|stop|bail(?: out)?|abort|ask(?: me)?|report|escalate"
        r"|move on|back off) after (?:\d+|one|two|three|four|five|ten|a few)"
        r" (?:failed |unsuccessful )?(?:attempts?|tries|retries|failures?|errors?|rounds?)\b[^,;]*"
        r"|(?:\d+|one|two|three|four|five|max \d+) (?:failed )?(?:attempts?|tries|retries"
        r"|rounds?),? then [a-z]+[^,;]*",
        confidence=0.75,
    ),
    form(
        "passing-use-one-for-things",
        r"(?:please |always |just )*use an? (?!(?:new|different|separate|second"
        r"|third)\b)[\w./-]+(?: [\w./-]+){0,2} for (?!(?:the|this|that|these|those|now|my)\b)"
        r"(?:[\w-]+ ){0,2}[\w-]*[a-rt-z]s(?: please| pls| only)?$",
        confidence=0.65,
        cue=r"use",
    ),
    form(
        "passing-what-you-open",
        r"(?:please |always |just )*(?P<order>[a-z-]+)(?: up| down)? (?:what(?:ever)?|everything|anything"
        r"|all) you (?:start|open|create|add|spawn|allocate|break"
        r"|touch|borrow|mount|launch)(?:ed)?(?: please| again)?$",
        confidence=0.75,
        cue=r"you",
    ),
    form(
        "passing-when-done",
        r"(?:please |always |just )*(?:clean up|remove|delete|close|stop|kill|shut down|tear down|drop"
        r"|reset) (?:all |any |your |the )*(?:temp(?:orary)?"
        r" [\w-]+|(?:[\w-]+ )?[\w-]+s) (?:when|once|after|as soon as) you(?:'re| are| have)? (?:done"
        r"|finish(?:ed)?)\b[^,;]*",
        confidence=0.75,
        cue=r"done|finish|finished",
    ),
    form(
        "passing-fail-so",
        r"(?:please |always |just )*(?:fail|crash|exit|degrade|error out) (?:loudly|early|fast|hard"
        r"|gracefully|closed|safe)(?: (?:on|when|if|at|in|rather|instead"
        r"|with|and)\b[^,;]*)?$",
        confidence=0.75,
    ),
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
        r"|from|outside|under|inside)\b)(?![a-z]+er\b)[a-z-]+ (?:in|on|into|to) (?:(?:the|our|any|this)"
        r" )?(?!(?:logs?|console|output"
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
)
"""Each holds what it is told by, as those typed offhand do."""
