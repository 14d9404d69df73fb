"""An English sentence → its pieces: what can stand alone, what belongs to it, and what is only talk."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = r"\s*[,.:;!–—-]+\s*"
_FILLER = re.compile(
    r"(?:(?:ok|okay|kk|btw|by the way|also|and|but|so|plus|oh|ah|hey|hi|hello|yes|yeah|yep|well|still"
    r"|again|actually|anyway|please|pls|plz"
    r"|kindly|personally|imo|imho|tbh|to be honest|in my opinion|if you ask me|for my taste"
    r"|whatever (?:you do|happens)|keep in mind(?: that)?(?! to\b)|bear in mind(?: that)?(?! to\b)"
    r"|(?:which|that) means(?= no [a-z])|basically|just(?= no\b)|simply(?= no\b)"
    r"|seriously|honestly|obviously|on second thoughts?|just to be clear|(?:just )?so we'?re clear"
    r"|to be clear|for the record|fyi"
    r"|if (?:it'?s all the same to you|you don'?t mind|you do not mind|that'?s (?:ok|okay|alright"
    r"|fine)(?: with you)?"
    r"|it'?s not too much trouble|i may)"
    r"|i(?:'d| would) say(?! (?:no|yes|so|it|that|this)\b)|though|however|guys|claude)"
    rf"(?:{_MARK}|\s+|$)"
    r"|(?:cool|nice|great|good|perfect|thanks|thank you|thx|hm+|mm+k?|yea|yup|sure|right|fine|alright"
    r"|then|(?:no|nope|nah)(?! [a-z]| [^\w\s]{1,3} (?:in|for|on)\b)"
    r"|(?:i(?:'ve| have)? )?changed my mind|(?:one|two|a few|some) (?:more |last |other "
    r"|quick )?things?(?: to (?:watch out for|note|remember))?"
    r"(?: going forward| from (?:now|here) on| for (?:next time|later|the future))?(?: please)?"
    r"|another thing|quick note"
    r"|whatever (?:you do|happens)"
    r"|like (?:every|last) time|as (?:usual|always|agreed|discussed|before)|same as (?:always|before"
    r"|usual)|still valid|(?:just )?a (?:friendly |quick )?reminder"
    r"|remember|reminder|note|important(?:ly)?|as (?:i )?(?:said|mentioned|told you)(?: before| earlier"
    r"| already)?|like i (?:said|told you)(?: before)?"
    r"|i(?:'ve| have)? (?:already |just )?(?:said|told you|asked you)(?: already| before| this| that"
    r"| it)*(?: \w+ times)?|i(?:'ll)? (?:repeat|say it again)"
    r"|how (?:many times|often) (?:do|must|should|did) i (?:have to |need to )?(?:say|tell|repeat"
    r"|ask)[^:,?]{0,20}|once (?:more|again)|(?:for )?the last time|mate|dude|look|listen|p\.?s\.?|nb"
    r"|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?"
    r"|finally|lastly|last|let'?s (?:say|agree|adopt (?:this|the \w+ one))|(?:we'?ll"
    r"|let'?s) do as it says|looks good(?: so far)?|good (?:point|catch)|got it|no problem)"
    rf"(?:{_MARK}))+",
    re.IGNORECASE,
)
BEGINS_ADVERBIAL = re.compile(
    r"(?:besides|apart from|aside from|other than|instead of|as part of|throughout|for|in|on"
    r"|under|inside|within|during|outside|at|with|from (?:now|here|today|tomorrow|\w+ on\b)"
    r"|right now"
    r"|by us|with us|at us|until|till"
    r"|this (?:one )?time|this (?:week|sprint|month|quarter|release)|just|generally|ideally|preferably"
    r"|(?:if|where|wherever|whenever) (?:at all )?possible|by default|everyone|everybody|going forward"
    r"|as (?:always|before)|as of (?:now|today)|starting (?:now|today)|henceforth)\b",
    re.IGNORECASE,
)
ADVERBIAL_WORD = re.compile(
    r"(?!(?:i|we|you|it|they|he|she|there|is|are|was|were|has|have|do|does|did|can|will|would|could"
    r"|that|which|a|an|to|and|what|how|why|but)\b)[\w./*`'-]+,?\s+",
    re.IGNORECASE,
)
"""What may stand before the verb and belongs to the rule: its place and time."""
_CUT = re.compile(
    r"\s*(?:[;,](?<!nobody,)(?<!no one,)(?<!you included,)(?<!includes you,)(?<!including me,)"
    r"|\s[-–—]{1,2}\s|\.{2,}|…|—)\s*"
    r"|\s+(?=(?:and(?! (?:forth\b|only|no other|no more|nothing (?:else|around|more))\b)"
    r"|(?<!anything )(?<!nothing )(?<!nobody )(?<!no one )(?<!none )(?<!anyone )(?<!anybody )(?<!anywhere )"
    r"(?<!nowhere )(?<!everything )(?<!everyone )but|so(?! (?:before"
    r"|explicitly|myself|that|when|if|first|far|long|much|many)\b)"
    r"|because|since|cause"
    r"|cuz|bc|or (?:(?!(?:you|we|i|else)\b)[\w']+ ){1,4}?(?:will|won'?t|would)\b|or (?:it|he|she"
    r"|they)'ll\b|(?<!say )(?<!says )(?<!told )otherwise|as (?:it|they|we|that|i)(?! (?:is|are|was|were"
    r"|stands?)\b)|or else|plus)\s)"
    r"|\s+(?=please (?:don'?t|do not|never|keep|leave|use|make|always|only|ask)\b)"
    r"|(?P<run_on>\s+(?=(?:don'?t|do not|pls|plz) [a-z]))"
    r"|:\s+",
    re.IGNORECASE,
)
_CUT_SPOKEN = re.compile(
    _CUT.pattern
    + r"|(?<!what)\s+(?=(?:whenever|every time|make sure|remember to|i'd like|i'd rather|i want you"
    r"|i don't want|what i don't want|from now on|one more thing)\s)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[,;:.]")
MIN_DICTATED_CHARS = 160
"""Of so many without a mark somebody spoke; then only words tell where a clause begins."""
# Before "don't" these are its subject or belong to it; any other word ends the clause before, without a mark.
_NO_RUN_ON = re.compile(
    r"(?:\b(?:i|we|you|u|they|it|to|please|pls|plz|just|so|and|but|or|also|really|if|who|that|which|now"
    r"|then|people|still|ok|again|why|usually|generally|normally|often|typically|do|\w+ly|\w+[^s]s))$",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"(?:while|when|whenever|if|unless|until|till|before|after|once|as long as|as soon as|in case"
    r"|every time|each time|any time|anytime|where|should(?= (?:the|an?|any|you|it|something|anything)\b))\b",
    re.IGNORECASE,
)
EXCEPTION = re.compile(
    r"(?:and |but |or )?(?:except|apart from|other than|no other|unless|besides|excluding"
    r"|with the exception"
    r"|only if|unless|not even|not|nowhere else|never (?:more|less|longer|later|again|otherwise)$"
    r"|just not|nothing else|no other|no exceptions|including|even|especially|at least|at most|instead of"
    r"|rather than|or"
    r"|ever|either|neither|too|as well"
    r"|every (?:single )?time|always$|please|pls|in (?:any|every|all)|until|till|before|after|when"
    r"|while|whenever|if|without|as (?:before|is|usual)"
    r"|use exactly|keep it (?:like|that)|exactly (?:that|this|like)|i\.e\.|e\.g\.|such as|like"
    r"|from now on|from here on|for now|this time)\b"
    r"(?!(?<!unless)(?<!until)(?<!till)(?<!except)(?<!before)\s(?:sure|i|we|it|my)\b)",
    re.IGNORECASE,
)
"""A piece that belongs to the rule before it."""
REASON = re.compile(
    r"(?:(?:and|but|so|cause|cuz|bc|because|since|as|otherwise|or else)\s+)*(?:it|it's|its|they|they're"
    r"|that|that's|this|this is|these|those|there|there's"
    r"|i|i'm|i'll|i've|i'd|we|we're|we'll|we've|he|she|you|you'll|nobody|everybody|somebody|people"
    r"|other \w+|the (?:last|old|other)|then|thanks|thx|ok)\b"
    r"|(?:because|since|cause|cuz|bc|otherwise|or else|as (?:it|they|we|that|i)|due to|reason)\b",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(
    r"(?:,\s*(?:ok(?:ay)?|right|yes|yeah|alright|got it|understood|remember|deal|agreed|thanks|thx|please"
    r"|pls)"
    r"|\s+(?:please|pls|plz|(?:ok(?:ay)?|right|yeah)(?=\s*\?)))\s*[?!.]*\s*$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:would you mind|do you mind|(?:can|could|would|will) (?:you|we|u)(?! (?:say|think|agree|recommend"
    r"|suggest|consider|prefer|like|rather|want|know|advise|call|expect)\b)(?: guys)?(?: (?:please|pls"
    r"|maybe|also|just|kindly))*|may i ask you(?: to)?"
    r"|i(?:'d| would) (?:ask|like) you to|i(?:'d)? (?:want|need|expect) you to|(?:you|u) (?:better"
    r"|'d better)|be so kind(?: as)? to|be so good(?: as)? to|shall we)\s+",
    re.IGNORECASE,
)


def without_filler(text: str) -> int:
    """Where the words begin that say something."""
    found = _FILLER.match(text)
    return found.end() if found else 0


def without_tag(plain: str) -> str:
    """`…, ok?` is no question."""
    found = _TAG_QUESTION.search(plain)
    return plain[: found.start()] if found else plain


def polite_start(plain: str) -> int:
    """Behind "could you please", when the sentence is a request in the form of a question; else 0."""
    found = _POLITE.match(plain)
    return found.end() if found else 0


def _is_dictated(plain: str) -> bool:
    return len(plain) >= MIN_DICTATED_CHARS and not _MARKS.search(plain)


def pieces(plain: str) -> Iterator[tuple[int, int]]:
    """Spans between all marks and words at which a new clause may begin."""
    start = 0
    for cut in (_CUT_SPOKEN if _is_dictated(plain) else _CUT).finditer(plain):
        if cut["run_on"] and (
            _NO_RUN_ON.search(plain, start, cut.start()) or BEGINS_ADVERBIAL.match(plain, start)
        ):
            continue
        if cut.start() > start:
            yield start, cut.start()
        start = cut.end()
    if start < len(plain):
        yield start, len(plain)
