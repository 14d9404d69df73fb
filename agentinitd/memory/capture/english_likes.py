"""How English tells likes and dislikes that no closed list of verbs holds."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import form
from agentinitd.memory.capture.english_open import WHAT

LIKES = (
    form(
        "like-makes-easier",
        rf"{WHAT}(?:makes?|made|keeps?) (?:my|our|everybody'?s|everyone'?s) (?:life|lives|work|job|day"
        rf"|reviews?"
        r"|reviewing) (?:much |a lot |so much )?(?:easier|better|simpler|nicer|quicker)\b[^,;]*",
        force="soft",
        confidence=0.8,
    ),
    form(
        "like-taste-not",
        rf"{WHAT}(?:isn'?t|is not|aren'?t|are not)(?: really| quite| exactly| so much)? (?:to my (?:taste"
        rf"|liking)"
        r"|for me|my (?:thing|idea of)|what i (?:like|want|enjoy))\b[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_last')}(?:should|must|is to|has to) be (?:the|an?|our"
        rf"|only the) "
        r"(?:last resort|exception|rare exception|rarity)\b[^,;]*"
        r"|(?:i|we)?(?:'d| would)? ?(?:rather|prefer|prefer it|prefer that|like it|love it)(?: if)? (?:we"
        r"|you|it"
        r"|they|this|the [\w-]+) (?:got by|did|managed|worked|lived|could do|went|made do|get by|do"
        r"|goes) without "
        r"[^,;]+"
        r"|(?:maybe |perhaps |please |just )*go (?:light|easy|slow|gentle) (?:on|with) [^,;]+"
        r"|if there(?:'s| is) (?:a|any) way (?:around|to avoid|without|not to use) [^;]+"
        r"|the (?:less|fewer) [^,;]{2,50}?,? the better|(?:i|we) (?:never |don'?t )(?:quite "
        r"|really )?warm(?:ed)? "
        r"(?:up )?to (?!it\b|this\b|that\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.8,
    ),
    form(
        "like-like-adjective",
        r"(?:i|we) (?:really |usually |generally |personally |do |also )?(?:like|love|prefer|enjoy) (?!(?:it"
        r"|this"
        r"|that|the|how|your|what|to|those|these|option|plan|both|where|you|him|her|them|a lot|my|our)\b)"
        r"(?:[\w-]+ ){1,4}(?:in|for|with|more|better|over|on|than|as|wherever|whenever|where|when"
        r"|everywhere)\b"
        r"[^;]*",
        force="soft",
        confidence=0.7,
    ),
    form(
        "like-over",
        r"(?!(?:the|this|that|it|i|we|you|all|is|are|lunch|run|do|go|went|hover|move|took|take|get|what)\b)"
        r"(?:[\w./-]+ ){1,3}(?:over|before|rather than|instead of) (?!(?:the|it|that|this|there|here|time|a"
        r"|an"
        r"|you|i|we|\d+)\b)[\w./-]+(?: [\w./-]+)? (?:where(?:ver)?|when(?:ever)?|if|in|for|as long as|please"
        r"|unless"
        r"|anywhere|everywhere)\b[^,;]*",
        force="soft",
        confidence=0.7,
    ),
    form(
        "like-things-please",
        r"(?!(?:no|without|more|less|the|a|an|any|some|these|those|my|your|next|other|all the|two|three"
        r"|\d+|show"
        r"|give|fix"
        r"|list|add|run|not|only|first|last)\b)(?:[\w/.-]+ ){0,3}[\w-]+[a-rt-z]s(?: (?:for|in|on|with|as"
        r"|over|by)"
        r" [\w ./-]{2,40})? (?:please|pls|plz)$(?<!details please)(?<!examples please)(?<!ideas please)"
        r"(?<!results please)(?<!thoughts please)(?<!steps please)(?<!thanks please)(?<!tests please)",
        force="soft",
        confidence=0.65,
    ),
    form(
        "like-try",
        r"(?:please |always )*try to (?:always )?(?!(?:fix|find|reproduce|understand|get|run|see|figure"
        r"|debug|open"
        r"|start|restart|build|compile|connect|call|load|install|remember|think|explain|log|print|add|remove"
        r"|move|do|rename|delete|set|change|revert|merge|rebase|replace|be (?:here"
        r"|there))\b)[a-z-]+ (?!(?:it|this"
        r"|that|them|the)\b)[^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "like-best",
        rf"{WHAT}(?:is|are) (?:always |usually |generally )?(?:the best (?:choice|option|way|fit)"
        rf"|my favou?rites?"
        r"|(?:easier|nicer|better|kinder) on the eyes?|the way to go|welcome here|worth (?:it|more))\b[^,;]*"
        rf"|{WHAT.replace('subject', 'subject_reads')}(?:suits?|fits?|pleases?) (?:me|us) (?:better|best"
        rf"|more"
        r"|well)\b[^,;]*|(?:i|we)(?:'m|'re| am| are) (?:happ(?:y|ier|iest)|most at home|more at ease|at home)"
        r" with [^,;]+",
        force="soft",
        confidence=0.75,
    ),
)
CUE = re.compile(
    r"\b(?:i|we|i'd|i'm|my|our|me|us|over|before|rather|instead|please|pls|plz|try|go|resort|better|exception"
    r"|way|best|eyes?|favou?rites?)\b",
    re.IGNORECASE,
)
