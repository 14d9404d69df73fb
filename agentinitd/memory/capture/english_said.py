"""English rules in the words of talk: what one gets to do, what counts, what it is now."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import THINGS
from agentinitd.memory.capture.english_verbs import ORDER

_NAME = r"(?:\"[^\"]+\"|`[^`]+`|x{3,}|\w*\d[\w.]*|\w[\w-]*[._/]\w[\w./-]*|(?-i:[A-Z]\w*[A-Z]\w*))"

SAID = (
    form(
        "said-do-not-get-to",
        r"you (?:don'?t|do not|never) get to (?!(?:see|know|the)\b)[a-z]+ [^,;]+",
        polarity="do_not",
        confidence=0.8,
        cue="get",
    ),
    form(
        "said-does-not-get-used",
        r"(?P<subject>(?!(?:it|this|that|he|she|they|we|i|you|the (?:error|page|app|event|callback"
        r"|request))\b)"
        r"(?:[\w./-]+ ){1,5})(?:doesn'?t|does not|don'?t|do not) get (?:used|touched|edited|merged"
        r"|committed|pushed"
        r"|deployed|mocked|logged|stored|hardcoded|copied|added|installed)\b[^,;]*",
        polarity="do_not",
        confidence=0.75,
        cue="get",
    ),
    form(
        "said-does-not-count",
        r"[a-z]+ing (?:[^,;]{2,50} )?(?:doesn'?t|does not|don'?t|is not going to|won'?t) count\b[^,;]*",
        polarity="do_not",
        confidence=0.75,
        cue="count",
    ),
    form(
        "said-somebody-wants-none",
        r"(?:she|he|they|the (?:client|customer|boss|owner|designer|team)|legal|marketing|security"
        r"|management)"
        r" (?:really |absolutely )?(?:doesn'?t|don'?t|does not|do not) want (?:any|to see any) [^,;]+",
        polarity="do_not",
        confidence=0.7,
        cue="want",
    ),
    form(
        "said-no-literal",
        r"(?:please )?no (?:more |new )?(?:[\w.]+\(\)|\d[\w.]*\+|--\w[\w-]*|@\w+|`[^`]+`)(?: [\w-]+){0,2}?"
        r"(?: (?:in|on|for|like|from|at) [^,;]+)?$",
        polarity="do_not",
        confidence=0.75,
        cue="no",
    ),
    form(
        "said-nothing-with",
        r"nothing (?:with|using|involving|based on) [\w./-]+(?: [\w./-]+)? (?:please|pls|plz)$",
        polarity="do_not",
        confidence=0.75,
        cue="nothing",
    ),
    form(
        "said-if-we-do-not",
        r"(?:if|when) an? [^;]{3,60}?,? (?:we|you) (?:don'?t|never|do not) [a-z]+ (?:it|them|that)$",
        polarity="do_not",
        confidence=0.75,
        cue="we|you",
    ),
    form(
        "said-it-is-now",
        rf"(?:it'?s|it is) (?:now )?{_NAME}(?: (?!now\b)[\w.-]+)?(?: now,?)? (?:for everything|everywhere"
        rf"|from (?:now|here) on|only|instead of [^,;]+)(?: [^,;]+)?$",
        confidence=0.75,
    ),
    form(
        "said-fronted-want",
        rf"{THINGS} (?:i|we) (?:want|need|like|prefer|expect) (?:as|in|with|at|under|to be|kept"
        rf"|written|named) [^,;]+",
        confidence=0.75,
        cue="i|we",
    ),
    form(
        "said-what-i-want",
        r"what (?:i|we) (?:want|need|expect|like)(?: to see)? (?:in|for|on|from|with) (?:every|each"
        r"|all|any|new) "
        r"[^,;]+? (?:is|are) [^,;]+",
        confidence=0.8,
        cue="what",
    ),
    form(
        "said-for-it-we",
        r"(?:for|in|on) (?!(?:now|this|that|me|it)\b)[\w-]+(?: [\w-]+){0,2} we (?:pin|stick|stay"
        r"|keep|target|build|test)"
        r"(?: to| with| on| against| at) [^,;]+",
        confidence=0.75,
        cue="we",
    ),
    form(
        "said-use-again",
        r"(?:please |so |just )*(?:use|take) (?:the )?(?!(?:the|old|same|this|that|first|last|other)\b)"
        r"[\w./-]+(?: [\w./-]+){0,2} again$",
        confidence=0.7,
        cue="again",
    ),
    form(
        "said-anything-that-needs",
        r"(?:anything|everything|whatever|any [\w-]+|every [\w-]+) (?:that|which) [^,;]+? (?:needs"
        r"|gets|requires|wants)"
        r" (?:an?|its|at least) [^,;]+",
        confidence=0.75,
        cue="needs|gets|requires|wants",
    ),
    form(
        "said-things-want",
        rf"{THINGS}(?: (?:in|on|of) (?:the |our )?[\w-]+)? want (?:an?|their|its|at least) [^,;]+",
        confidence=0.75,
        cue="want",
    ),
    form(
        "said-must-run-on",
        rf"{THINGS}(?: (?:in|on|of) (?:the |our )?[\w-]+)? must (?:run|work|build|compile"
        rf"|install) (?:on|with|under"
        rf"|against) [^,;]+",
        confidence=0.8,
        cue="must",
    ),
    form(
        "said-remember-whenever",
        r"(?:please )?remember (?:the|to|about) [^,;]+? (?:whenever|every time|each time"
        r"|when) (?:we|you) [^,;]+",
        confidence=0.75,
        cue="remember",
    ),
    form(
        "said-may-but-not",
        rf"{THINGS} (?:may|can) (?!be\b)[a-z]+ [^,;]+? but (?:not|never) (?!(?:yet|now|always"
        rf"|in time)\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
        cue="but",
    ),
    form(
        "said-word-is-out",
        r"the (?:word|term|name|phrase|spelling|abbreviation) [^,;]{2,30}? (?:is|are) (?:out|banned"
        r"|taboo|gone|dead)\b[^;]*",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "said-makes-me-nervous",
        r"i (?:get|become|go|am) (?:nervous|twitchy|mad|angry|sad|crazy|itchy|unhappy) (?:when"
        r"|whenever) (?:i see|you|there's"
        r"|there (?:is|are)) [^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.7,
        cue="i",
    ),
    form(
        "said-keep-them",
        r"(?:so )?(?:please |just )*keep them (?:boring|small|short|simple|clean|readable|tiny"
        r"|consistent|focused|separate"
        r"|neutral|plain|polite)(?: please| too| and [a-z]+)?$",
        confidence=0.7,
        cue="keep them",
    ),
    form(
        "said-next-time",
        rf"next time (?:please |just |you )*(?!(?:let|give it|look|think)\b){ORDER} [^,;]+",
        confidence=0.75,
        cue="next time",
    ),
    form(
        "said-anything-such",
        r"(?:anything|everything|any [\w-]+|every [\w-]+|all [\w-]+) (?:over|above|under|below"
        r"|longer than|bigger than"
        r"|larger than|more than|older than|with|without|that|which) [^,;]{2,50}, (?:please |just |then )*"
        rf"{ORDER} (?:it|them)\b[^;]*",
        confidence=0.75,
        cue="it|them",
    ),
    form(
        "said-simple-words",
        r"(?:please )?(?:explain|answer|write|talk|speak|say)(?: (?:to|it|me|things"
        r"|please))* (?:with|in|using) (?:simple"
        r"|short|plain|easy|clear) (?:words?|sentences?|terms?|language|english)\b[^,;]*",
        confidence=0.75,
        cue="with|in|using",
    ),
    form(
        "said-name-like",
        r"(?:please )?(?:name|call) (?:the |all |your |new )?[\w-]+s (?:like |as )?[\w.-]*[{<%][^,;]+",
        confidence=0.75,
        cue="name|call",
    ),
    form(
        "said-set-for-all",
        r"(?:please )?(?:fix|set|keep|pin|leave) the [\w -]{2,30}? (?:to|at) [\w.]+ for (?:all"
        r"|every|any|each) [^,;]+",
        confidence=0.75,
        cue="for",
    ),
    form(
        "said-as-long-as",
        r"as long as (?:the|our|my|all) [^,;]+? (?:doesn'?t|don'?t|does not|do not) (?:move|change"
        r"|break|grow|shift)\b"
        r"[^,;]*",
        confidence=0.7,
        cue="as long as",
    ),
    form(
        "said-only-there",
        rf"(?:please )?{ORDER} [^,;]*?(?:in|on|under|at|inside) [^,;]+? and only there$",
        confidence=0.8,
        cue="there",
    ),
    form(
        "said-do-this-not-that",
        rf"(?:please |always |just )*(?!(?:stop|wait|look|hold|go|see|remember"
        rf"|say)\b){ORDER}(?: [\w-]+)? (?:don'?t|do not|never) {ORDER}(?: [\w-]+)?$",
        confidence=0.8,
    ),
)
