"""Turns of phrase in which English forbids, wishes and goes over to something new without its usual words."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import LANGUAGE, form

AWAY = (
    r"(?:avoid(?:ed|ing|s)?|refrain(?:ed|ing|s)?|abstain(?:ed|ing|s)?|stop(?:ped|ping|s)?|quit(?:ting|s)?"
    r"|ceased?|(?:stay|keep|kept|stayed|staying|keeping)(?: \w+){0,2}? (?:away|out|clear|off)|steer(?:ed"
    r"|ing)? clear"
    r"|skip(?:ped|ping)?|left out|leave out|leaving out|drop(?:ped|ping)?|spared?|omit(?:ted)?|got rid"
    r"|get rid"
    r"|did without|do without|gave up|resist(?:ed)?|held (?:back|off)|went easy)"
)
"""Verbs, in any tense, of what is not to be done."""
_ONE_OFF = (
    r"(?:fixed|fix|added|add|helped|help|looked|look|explained|explain|told|tell|showed|show|checked|check"
    r"|could|can"
    r"|went|ran|run|tried|try|finished|wrote|gave|had a look|took)"
)
_GENERAL = (
    r"(?=.*\b(?:each|every|always|all|whenever|any|never|before|after|from now on|everywhere|only|first)\b)"
)

TURNS = (
    form(
        "had-better-not",
        r"(?:please )?(?:(?:you|u|we)(?:'d| had| would)? better (?:not|never)|(?:you|u)(?:'d"
        r"| had)? best not"
        r"|don'?t (?:you )?(?:ever )?(?:dare|even think (?:of|about))|i(?:'d| would|'ll| will)? (?:ask|beg"
        r"|urge|advise"
        r"|tell) (?:you|u) (?:not|never) to|(?:it is|it's|is)? ?(?:strictly )?(?:forbidden|prohibited"
        r"|not (?:wished|wanted|desired|intended|supposed|foreseen)"
        r"|not allowed"
        r"|not permitted|not ok(?:ay)?|not acceptable|unacceptable)(?: (?:to|for) you)? to"
        r"|(?:you|u|we)(?:'re| are) (?:never|not) to)\b [a-z]+",
        polarity="do_not",
    ),
    form(
        "never-order",
        r"(?:please |pls |so |and )*(?:do never|never please|please to (?:not|never)|to not|not to"
        r"|never (?:ever )?(?:again )?|no longer|don'?t please|do please not|please do never) "
        r"(?!(?:on|in|at|with|for|from|to|more|mind|again|before|after|without|when|if|worked|works|was"
        r"|had|have|been"
        r"|saw|seen|got|the|a|an|say|heard|forget|knew|fails?|happens?|ending|mentioned|failed|crashed|came"
        r"|ran"
        r"|showed|appeared|occurred|returned|got|trust a)\b)[a-z]+\b[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "i-never-want",
        r"(?:i|we)(?:'d| would)? (?:never|don'?t ever|do not ever|no longer|don'?t"
        r"|do not) (?:ever )?(?:want|wish|care)"
        r" (?:to (?:see|have|find|read)|you to|any) (?!it\b|this\b|that\b|them\b)[^,;]+",
        polarity="do_not",
    ),
    form(
        "let-go",
        r"(?:please )?(?:resist (?:the|any|your) (?:\w+ )?(?:urge|temptation|impulse|itch)|let go of"
        r"|forget the idea"
        r"|banish|ban|outlaw|enough (?:with|of)|have mercy|spare me|cut (?:out )?the|lay off"
        r"|get out of the habit"
        r"|keep (?:your )?(?:hands|fingers|paws|mitts)(?: \w+)? (?:off|away|out)"
        r"|think twice before(?: you)?"
        r"|go easy on|avoid [^,;]{2,50} like the plague)\b[^,;]+",
        polarity="do_not",
    ),
    form(
        "keep-out",
        r"(?:please |always )*(?:keep|leave) (?!(?:it|an eye|me|us|that"
        r"|this)\b)[^,;]{2,50}? (?:out(?: of)?|away(?: from)?|off)\b[^,;]*",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "none-is-allowed",
        r"(?:in|on|for|inside|within|under) [^,;]{2,50}? (?:is|are) (?:no|not any|nothing) [^,;]{2,40}?"
        r"(?: (?:allowed|permitted|wanted|welcome|possible|ok))\b"
        r"|(?:you|we) (?:should|must|may|shall|can|are to) (?:nothing|nowhere|nobody|no \w+) [a-z]+[^,;]*"
        r"|(?![^,;]*\b(?:there'?s|there (?:is|are|was)|has|have|had|got|is|are|was) (?:no|never)\b)"
        r"(?:in|on|for|inside|within) [^,;]{2,50}? (?:never|no) (?!one\b|longer\b)[a-z]+ [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "nothing-without",
        r"(?:nothing|nobody|no one|no [\w-]+(?: [\w-]+){0,2}) (?:(?:gets?|is|are|goes|may be"
        r"|will be) )?[\w-]+"
        r"(?: [\w-]+){0,3} (?:without|before|until|unless)\b[^,;]+"
        r"|(?:nothing|nobody|no one) (?:gets?|is to be|should to|edits?|pushes|merges?|touches|deploys"
        r"|changes) [^,;]+",
        polarity="do_not",
        confidence=0.85,
    ),
    form(
        "wished-away",
        rf"(?:(?:it|that|this)(?:'d| would| will) |(?:i|we)(?:'d| would|'ll)? |would )?(?:really |very "
        rf"|much |so |also )*"
        rf"(?:be (?:\w+ )?(?:nice|good|great|better|cool|lovely|helpful|best|ideal|awesome|happy|happier"
        rf"|glad|grateful"
        rf"|thankful|delighted|obliged|perfect|kind)|appreciate(?: it)?|love(?: it)?|like it"
        rf"|prefer(?: it)?|help|welcome it"
        rf"|wish|hope)(?: (?:more|better|a lot|much|me|of you|a bit))* (?:(?:if|when|that) )?(?:we|you|u"
        rf"|the|all|every|each"
        rf"|no|our|your|it)\b[^,;]*?(?:n'?t\b|\bnot\b|\bnever\b|\bno\b|\bfewer\b|\bless\b|\bwithout\b"
        rf"|\b{AWAY})"
        rf"(?! (?:be|hesitate)\b)[^,;]*",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "wished-if",
        rf"(?:(?:it|that|this)(?:'d| would| will) |(?:i|we)(?:'d| would|'ll)? |would )?(?:really |very "
        rf"|much |so |also )*"
        rf"(?:be (?:\w+ )?(?:nice|good|great|better|cool|lovely|helpful|best|ideal|awesome|happy|happier"
        rf"|glad|grateful"
        rf"|thankful|delighted|obliged|perfect|kind)|appreciate(?: it)?|love(?: it)?|like it"
        rf"|prefer(?: it)?|help|welcome it"
        rf"|wish)(?: (?:more|better|a lot|much|me|of you|a bit))* (?:if|when|that|you'd"
        rf"|you would) (?:{_GENERAL}|(?!you "
        rf"(?:also |just |please )*{_ONE_OFF}\b))[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "would-welcome",
        r"(?:i|we)(?:'d| would)? (?:welcome|love to see|like to see|like to have|appreciate"
        r"|be happy (?:about|with)"
        r"|be glad (?:about|of)) (?:less|fewer|no)\b[^,;]+",
        polarity="do_not",
        force="soft",
    ),
    form(
        "welcome-more",
        r"(?:i|we)(?:'d| would)? (?:welcome|love to see|like to see|like to have|appreciate) (?:more"
        r"|smaller|shorter|simpler"
        r"|longer|better|always|every) [^,;]+"
        r"|(?:i|we)(?:'d| would) (?:like|love|want) (?:the|all|our|your|my) [^,;]{2,40}? to (?:be|stay"
        r"|have|use|start|end"
        r"|follow|look|read|go) (?!(?:able|fixed|removed|changed|there)\b)[^,;]+"
        r"|it is (?:wished|wanted|desired|preferred|expected) (?:that|to) [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "thing-instead",
        r"(?!(?:it|that|this|the|use|i|we|you|he|she|they|is|was|what|why"
        r"|how)\b)[\w./+-]+(?: [\w./+-]+){0,2} (?:instead of|rather than"
        r"|in place of|in lieu of) (?!it\b|this\b|that\b|the\b)[\w./+-]+(?: [\w./+-]+){0,5}$",
        confidence=0.75,
    ),
    form(
        "all-the",
        r"(?:all|every one of|both|each of) (?:the|our|my) [\w -]{2,40}? (?:comes?|goes?|lives?|uses?"
        r"|stays?|belongs?|are|is"
        r"|should|must|have to|starts?|ends?|get) (?:always |only |be )?(?:from|in|to|under|through|via"
        r"|with|at|on|by|utc|kept"
        r"|stored|written|named|an?)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "every-with",
        r"(?:every|each|any|all) (?!of\b|the\b|time\b|is\b|are\b)(?:new )?[\w-]+(?: [\w-]+)? (?:with|in|as"
        r"|via"
        r"|through|under|behind|without) "
        r"(?!the\b|my\b|this\b)[\w./-]+(?: (?!(?:is|are|was|has|fails?|works?)\b)[\w./-]+){0,4}$",
        confidence=0.7,
    ),
    form(
        "cannot-have",
        r"(?:i |we |you )?(?:can'?t|cannot|can not) (?:have|use|add|afford|ship|pull in|take on) (?:any"
        r"|more|new|another|extra)\b[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "have-rather",
        r"(?:please )?(?:have|get|see|make|do|take|go for|use|keep|put|pick) [^,;]{2,60}? (?:rather than"
        r"|instead of|and not"
        r"|in place of|over) [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "once-skip",
        r"(?:just |only )?(?:(?:for )?this (?:once|time|one time|run|commit|one)|just once|for (?:today"
        r"|now|once)|today"
        r"|tonight)(?: only)?,? (?:please |just |you can |let'?s )*(?:skip|leave out|omit|ignore|no\b"
        r"|without|don'?t|do not"
        r"|drop) [^;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "once-do",
        r"(?:just |only )(?:for )?this (?:once|time|one time|run|commit|one)(?: only)?,? (?:please |just )*"
        r"(?:use|run|take|keep|put|push|commit|deploy|write|merge|do|make|go) [^;]+",
        confidence=0.8,
    ),
    form(
        "until-only",
        r"(?:(?:until|till|up to|before|during|through) [^,;]{2,50}?,? )?only (?:[\w./-]+ ){1,4}?(?:goes?"
        r"|go|may|can|get|gets"
        r"|are (?:allowed|merged|ok)|is (?:allowed|ok)|land|lands|(?:until|till|during|before) [^,;]+"
        r"|from now on|please)\b[^,;]*",
        confidence=0.8,
    ),
    form(
        "moved-over",
        r"(?:we|i)(?:'ve|'re| have| are)? (?:now |just |already |recently |all )*(?:moved|switched"
        r"|migrated|changed|gone|upgraded|standardi[sz]ed|settled"
        r"|moving|switching|migrating|replaced|went|agreed|swapped|use|using|on)(?: (?:everything|all|over"
        r"|away|completely))*"
        r" [^;]{2,60}?, (?:so |and |please |thus |therefore |hence |now )*(?!(?:that|this|it|which|i"
        r"|the build|then)\b)(?=.*\b(?:only|from now on|from here on"
        r"|please|pls|always|new|use|everywhere|no more|for all|going forward|as well|too|instead"
        r"|as of now)\b)[^;]+",
        confidence=0.8,
    ),
    form(
        "swap-for",
        r"(?:from (?:now|here|today) on,? )?(?:let'?s |lets |please |we )(?:swap|replace|exchange"
        r"|trade) [^,;]{2,40}? (?:for|by"
        r"|with) [^,;]{2,60}?(?: (?:from (?:now|here|today) on|everywhere|going forward|for good"
        r"|always))?$",
        confidence=0.75,
    ),
    form(
        "from-today",
        r"(?:(?:from|as of|starting|effective|beginning) (?:today|now|tomorrow|here"
        r"|this point)(?: on(?:wards?)?| forward)?"
        r"|going forward|henceforth|in future|in the future|for the future),? (?:please |let'?s "
        r"|we )*(?=no more\b|no\b|never\b|not\b|don'?t\b|stop\b)[^;]+",
        polarity="do_not",
    ),
    form(
        "from-today-on",
        r"(?:(?:from|as of|starting|effective|beginning) (?:today|now|tomorrow|here"
        r"|this point)(?: on(?:wards?)?| forward)?"
        r"|going forward|henceforth|in the future|for the future),? (?!(?:i|it|there|i'll|we'll|you'll|i'm"
        r"|he|she|they)\b)[a-z]+ [^;]{3,}",
        confidence=0.8,
    ),
    form(
        "make-that",
        r"(?:please |no, |better |rather )*make (?:that|it) (?:port |version "
        r"|an? )?[\w.-]*\d[\w.-]*(?: please| instead)?$",
        confidence=0.75,
    ),
    form(
        "we-do-only",
        r"(?:[\w-]+ ){1,4}we (?:\w+ )?(?:only|always|exclusively|solely) [^,;]+"
        r"|(?:[\w-]+ ){1,4}we [a-z]+ (?:only|always"
        r"|exclusively|solely) [^,;]+"
        r"|we (?:only|always|exclusively|solely) [a-z]+ (?!it\b|that\b|to\b)[^,;]+"
        r"|we (?!are\b|have\b|were\b|had\b)[a-z]+ (?:on|in|with|from|against|to|through|via"
        r"|under) [^,;]+ only$"
        r"|(?:for|in|on|with) (?:the |our |my )?[\w-]+(?: [\w-]+){0,2} (?:we|you) (?:take|use|go with|run"
        r"|have) (?!(?:an? )?(?:different|other|another|separate|special|second)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "allowed-only",
        r"(?:we|you)(?:'re| are) (?:only )?(?:allowed|permitted|free|supposed) (?:to )?[^,;]*\bonly\b[^,;]*"
        r"|(?:we|you)(?:'re| are) only (?:allowed|permitted|supposed) [^,;]+|you [a-z]+ only (?:in|on|with"
        r"|under|inside|from|at) [^,;]+",
    ),
    form(
        "things-only-do",
        r"(?!(?:the|this|that|it|he|she|they|i|my)\b)(?:[\w-]+ ){0,3}[\w-]+s only (?:go|come|live|run"
        r"|happen|use|talk|get|belong|work)"
        r"(?: \w+ed)? (?:through|via|in|from|to|on|with|under|by|into|inside|after|when|if) [^,;]+",
        confidence=0.75,
    ),
    form(
        "per-thing",
        r"(?:please |always )*(?:keep|write|add|open|create|file|make|have) (?:an?"
        r"|one) [\w -]{2,30} per [\w-]+$"
        r"|we (?:always |all )?(?:sign|squash|tag|rebase|version|review|pin|test|document|lint|format|name"
        r"|prefix) (?:our|all|every|each) [^,;]+"
        r"|(?:please |always )*use (?:the|our) (?:existing|shared|common|same|internal|built-in|official"
        r"|project) [\w -]{2,30}? (?:in|from|for|when|instead) [^,;]+"
        r"|everything (?:through|via|with|by|under|on) (?!(?:hold|fire|my|this)\b)[^,;]+"
        r"|(?:i|we) want that (?:you|we|all|every|each|the) [^,;]+"
        r"|(?:please |always )*(?:give|send|show|write|make)(?: me)? (?:short|small|brief|concise|tiny"
        r"|minimal|plain|simple|full|complete) [\w-]+s$",
        confidence=0.75,
    ),
    form(
        "sole",
        r"(?P<subject>(?!(?:it|this|that|these|those|he|she|there)\b)[^,;]{2,40}? )(?:is|are) the (?:only"
        r"|sole|single) (?:[\w-]+ )?(?:entry point|source(?: of truth)?|way"
        r"|place|tool|library|dependency|branch|database|format|channel|path|interface|client|option|api"
        r"|language|version)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "or-nothing",
        r"[\w./+-]+(?: [\w./+-]+){0,4} (?:or nothing|and nothing else|or bust|and that'?s that|full stop"
        r"|period|and only"
        r" (?:that|those|this))(?: (?:my friend|please|here|dude|mate))?$",
        confidence=0.8,
    ),
    form(
        "you-also",
        r"(?:if|when(?:ever)?|once|as soon as|every time|each time|any time) (?:you|a|an|any|the|something"
        r"|someone|we)\b"
        r"[^,;]{2,80}, (?:(?:then|please|always|also|you|we|it|should|must|have to|need to|better|just"
        r"|first) )*"
        r"(?:you|we|also|always|please|make sure|add|update|bump|run|write|open|create|file|tell|ask|ping"
        r"|document|format"
        r"|regenerate|test|check|note|mention|leave|keep|put|use|quarantine|log|show|explain)\b"
        r"(?! (?:get|see|find|will|can|could|are|have (?:a|an|the|no))\b)[^;]*",
        confidence=0.75,
    ),
    form(
        "after-every",
        r"(?:after|before|with|on|for|upon|at) (?:each|every|any)\b[^,;]{2,70}?(?:, | please | always "
        r"| you | we |(?<=\w) )"
        r"(?:please |always |you |we |must |should |have to |first |also )*(?:make|run|write|do|add|update"
        r"|bump|create|generate"
        r"|regenerate|execute|show|send|ask|tell|commit|check|rebuild|restart|lint|format|test|tag|open"
        r"|file|document|post"
        r"|give|re-?run|call|log|back ?up) (?!(?:i|we|you|is|was)\b)[^;]+",
        confidence=0.8,
    ),
    form(
        "each-comes-with",
        r"(?:with |for )?(?:an? |every |each |any |all |new |no )+(?:[\w-]+ ){1,4}?(?:comes?|needs?|gets?"
        r"|requires?|has|have"
        r"|deserves?|carr(?:y|ies)|goes through|gets? [\w-]+ed)\b(?: along| together)?(?: with| through"
        r"| under)? "
        r"(?:an?|its|their|one|the same|at least|own|his)\b[^,;]*"
        r"|(?:[a-z-]+ )?[a-z-]+[a-rt-z]s (?:come|need|require|get) (?:with )?(?:an?|their own"
        r"|at least one) [^,;]+"
        r"|(?:anything|everything|whatever) [^,;]{2,40}? (?:goes|gets?|needs?|comes?|passes|belongs|must"
        r"|has to|is to be)\b [^,;]+",
        confidence=0.75,
        cue=r"comes?|needs?|gets?|requires?|has|have|deserves?|carr(?:y|ies)|goes|passes|belongs|must|is"
        r"|require|need",
    ),
    form(
        "changes-too",
        r"(?:whenever|when|if|every time|each time) (?:the|an?|any|our) [^,;]{2,40}? (?:changes?|moves?"
        r"|is (?:added|removed|renamed)),? "
        r"[^,;]+ (?:too|as well|along)$",
        confidence=0.75,
    ),
    form(
        "mind-the",
        r"(?:please |always )*(?:mind|respect|honou?r|watch|heed|observe|look after) (?:the|our|your|all"
        r"|any)\b(?! gap)"
        r" [^,;]+(?:when|whenever|while|if|in (?:all|every|each|any)|every time|before|after"
        r"|as you)\b[^,;]+",
        confidence=0.75,
        cue=r"mind|respect|honou?r|watch|heed|observe|look",
    ),
    form(
        "language-turn",
        rf"(?:please |so )*(?:answer|reply|write|speak|talk|respond) (?:me|us|to me"
        rf"|to us)?[\w ]{{0,20}}?(?:in|on) {LANGUAGE}\b"
        rf"|(?:please )?(?:all |the )?[\w-]+(?: [\w-]+)? on {LANGUAGE}$",
    ),
    form(
        "run-with",
        r"(?:please |always |kindly )*(?:flash|run|build|start|launch|deploy|test|lint|format|compile|boot"
        r"|seed|call|invoke"
        r"|execute|install) (?:it|them|that|the [\w -]{2,30}|this|everything|all|tests?) (?:with|via"
        r"|through|using|by) (?:`|x{2,}|\./|make |npm |yarn |uv |cargo |go )[^,;]*",
        confidence=0.75,
    ),
    form(
        "through-only",
        r"(?:please |always |so )*(?:add|put|store|save|send|route|pass|log|write|load|read|import|handle"
        r"|ship|commit|push|publish|track)"
        r" (?:all |new |any |every )+[\w./-]+(?: [\w./-]+){0,3} (?:through|via|with|to|in|into|under|by"
        r"|from|as) [^,;]+",
        confidence=0.75,
    ),
)
CUE = re.compile(
    r"\d|\b(?:better|dare|think|ask|beg|urge|advise|forbidden|prohibited|allowed|permitted|acceptable"
    r"|unacceptable|ok|okay"
    r"|not|never|no|nothing|nobody|nowhere|want|resist|let|forget|ban|banish|outlaw|enough|spare|cut|lay"
    r"|keep|leave|out"
    r"|be|appreciate|love|like|prefer|help|welcome|wish|hope|wished|wanted|expected|once|time|today"
    r"|tonight|run|only"
    r"|moved|switched|migrated|changed|gone|replaced|use|using|now|swap|replace|exchange|from|going"
    r"|henceforth|future|we"
    r"|if|when|whenever|every|each|any|after|before|with|for|comes?|needs?|mind|respect|watch|on|in|add"
    r"|put|store|save|all"
    r"|easy|avoid|period|full|don'?t|dont|instead|rather|anything|everything|whatever|get|as)\b",
    re.IGNORECASE,
)
