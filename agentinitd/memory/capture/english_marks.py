"""Signs in a piece of an English sentence: a label, a name, an exception, a word that tells or concludes."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_verbs import ORDER

LABEL = re.compile(
    r"[^:]{0,120}?\b(?:rules?|constraints?|conventions?|important|reminders?|remember|ground"
    r"|principles?|guidelines?|first|second|third|need from you"
    r"|picky about|strict about|particular about|matters|preferences?|conditions?|policy|please"
    r"|tastes?|wish(?:es)?|habits?|house style|requirements?|in short|keep in mind"
    r"|appl(?:y|ies) (?:to|for)|holds? for|goes for|you (?:write|make|create|send|open|produce|give me)"
    r"|agree on|adopt [\w ]+|same (?:as|like"
    r"|rules?))[^:]{0,80}:\s*$",
    re.IGNORECASE,
)
TOPIC = re.compile(
    r"(?:(?:code |coding )?style|naming|tests?|testing|commits?|prs|pull requests|docs|comments|code|python"
    r"|typescript|frontend|backend|answers|don'?t forget)$|(?:for|in|on|with) (?:the |our |all |any |new "
    r"|my )?[\w./-]+(?: [\w./-]+){0,3}$",
    re.IGNORECASE,
)
"""Over a list: "for the notebooks: …"."""
NAMES_TOPIC = re.compile(r"[\w./ -]{2,30}:\s*")
TOPIC_OF_ORDER = re.compile(
    r"(?:as for|regarding|concerning|when it comes to|as to|with regard to) (?!(?:it|this|that)\b)",
    re.IGNORECASE,
)
CONCLUDES = re.compile(r"\b(?:so|hence|therefore|but please|but don't|but do not)\s+$", re.IGNORECASE)
STAYS_VAGUE = re.compile(
    r"(?:please )?(?:just )?(?:don'?t \w+|stay out of|keep (?:out|off)(?: of)?|leave|keep|do not \w+"
    r"|never \w+) (?:it|that|them|there)(?: (?:alone|as is|at all))?",
    re.IGNORECASE,
)
NAMES = re.compile(
    r"(?!(?:it|this|that|there|i|you|he|she|they|no|yes|ok|please|if|when|so|and|but|what|how|now|then"
    r"|done|thanks)\b)"
    r"(?!.*\b(?:it|i think|maybe)\b)(?:[^,;]{2,60}? (?:is|are|was|were|belongs?|stays?|comes?) [^,;]+"
    r"|[\w./`-]+(?: [\w./`-]+){0,3})$",
    re.IGNORECASE,
)
"""A piece that names what "it" in the next one means."""
REFERS = re.compile(r"(?<! of) (?:it|them)$", re.IGNORECASE)
TOGETHER = re.compile(
    r"(?!(?:don't|do not|never|no)\b)[a-z]+ .*(?:in (?:the )?(?:same|one)\b|at (?:once|the same time)"
    r"|together|simultaneously)",
    re.IGNORECASE,
)
""" "Never rename and retype a column in the same step": the ban is on both at once."""
SPECIFIES = re.compile(
    r"(?:[a-z]+ (?=(?:port|user|version|branch|db) [\w.-]*\d))?(?:in|on|at|port|under"
    r"|version|with) [\w./-]+(?: [\w./-]+)?$",
    re.IGNORECASE,
)
STAYS_BAD = re.compile(
    r"(?:that|those|these|this|it|they)(?: one)?s? (?:stays?|remains?|is|are) (?:still )?(?:off"
    r"|forbidden|not|closed|frozen|untouched|as)\b",
    re.IGNORECASE,
)
FRAGMENT = re.compile(
    r"(?!(?:use|run|put|call|write|return|take|go|keep|make|add|prefer)\b)(?:(?!(?:is|are|was|were|has"
    r"|have|had|do|does|did|will|can|i|we|it|they|you|don't|so|but)\b)[^\s,;]+(?:\s+|$)){1,4}",
    re.IGNORECASE,
)
"""A few words without a verb of their own."""
COMMA = re.compile(r"\s*,\s*")
MODAL = re.compile(
    r"(?:must|should|has to|have to|needs? to|may not|cannot|can't|stays?|remains?|is|are|never)\b",
    re.IGNORECASE,
)
SO = re.compile(r"\b(?:so|just|only|please|pls|that way|like that|keep|agreed|settled)\b", re.IGNORECASE)
REMINDS = re.compile(
    r".{0,20}\b(?:as i|like i|i told|i said|again|remember|reminder|last time|repeat|please|pls)\b",
    re.IGNORECASE,
)
TOLD_YOU = re.compile(
    r"(?:i|we) (?:already |just |have )*(?:told you|said)(?: (?:already|twice|before|again|that))*[:,] no ",
    re.IGNORECASE,
)
ONLY = re.compile(r"\b(?:only|just|nothing but)\b", re.IGNORECASE)
DO_ONE = re.compile(
    rf"(?:please |always |just )*(?!(?:stop|wait|look|hold|go|see|remember|sleep|say|thanks)\b)"
    rf"{ORDER}(?: [\w-]+)?",
    re.IGNORECASE,
)
NO_THINGS = re.compile(r"(?:please )?no [\w-]+s (?:in|on|for) [^,;]+", re.IGNORECASE)
"""Before a colon: what is not to be, and behind it which ones."""
NOT_ONE = re.compile(rf"(?:don'?t|do not|never) {ORDER}(?: [\w-]+)?[.!]*", re.IGNORECASE)
"""Behind a bare order, "rebase, don't merge": both are one."""
BARE_NO = re.compile(r"(?:and )?no [\w-]+(?: [\w-]+){0,2}", re.IGNORECASE)
POLITE_NOT = re.compile(
    r"not (?!only|sure|just|(?:reach|see|find|connect|access|hear|remember|understand|reproduce|resolve"
    r"|tell|spot|get|log in"
    r"|open|load|read)\b)[a-z]+",
    re.IGNORECASE,
)
NOT_SO = re.compile(r"(?:not|never) (?!to be\b)", re.IGNORECASE)
ALWAYS = re.compile(r"always(?: and everywhere)?(?: please)?", re.IGNORECASE)
PHRASE = re.compile(
    r"\s*(?!(?:slow|fast|late|broken|wrong|weird|flaky|down|nice|good|great|bad|it|this|that|yes|no|ok"
    r"|sure|i|we|you|he|she|they|there|again|still|as|same|almost"
    r"|nearly)\b)(?:(?!(?:is|are|was|were|has|have|had|do|does|did"
    r"|can|will|would|fails?|works?|breaks?|happens?|gets?|goes)\b)[\w./+#-]+\s*){1,4}",
    re.IGNORECASE,
)
""" "Half even rounding, always": a few words that tell nothing."""
AND_BUT = re.compile(r"[\s,]*(?:and|but)?\s*", re.IGNORECASE)
MODAL_OF_THING = re.compile(
    r"(?!(?:you|we|i)\b)(?:the |an? )?(?:[\w-]+ ){1,3}?(?:should|must|can|will|may|has to|needs to) [a-z]+",
    re.IGNORECASE,
)
TELLS = re.compile(r"\b(?:is|are|was|were|has|have|gets?|does|did|it's)\b", re.IGNORECASE)
NEVER_QUOTED = re.compile(r"never (?:the )?x{2,}\W*", re.IGNORECASE)
""" "We say "workspace", never "project"": what is never said, as the words before it tell."""
NEVER_PAST = re.compile(
    r"never (?P<word>[a-z]+ed|seen|heard|thought|known|been|had|met|found|got)\b", re.IGNORECASE
)
NEVER_DONE = re.compile(
    r"never (?:\w+ed|read|set|run|put|sent|seen|made|found|built|written|called|used|get|got)\b",
    re.IGNORECASE,
)
NO_CHOICE = re.compile(
    r"(?:it|this|that|there|i|we|you|he|she|they|yes|no|ok|what|why|how|when|if|is|are|does|move|rename|fix"
    r"|put)\b|.*\b(?:is"
    r"|are) (?:the (?:problem|issue|reason)|gone|here|there)\b|.*\b(?:pass|passes|works?|runs? fine)\b",
    re.IGNORECASE,
)
IS_CODE = re.compile(r"no x{2,}")
IS_NAME = re.compile(
    r"(?:[\w+#-]+\s+)?(?:[\w./+#-]*[./+#_][\w./+#-]+|[a-z]+s)\s*|[a-z-]+s are [\w-]+\s*", re.IGNORECASE
)
IS_OTHER = re.compile(r"(?:not|never) (?:the )?[\w./+#-]+(?: [\w./+#-]+){0,2}", re.IGNORECASE)
AND = re.compile(r"\s+(?:and|or)\s+", re.IGNORECASE)
WOULD_HAPPEN = re.compile(
    r"or (?:(?!(?:you|we|i|a|an|any|every|each|the (?:same|like))\b)[\w']+ ){1,4}?(?:will|won'?t|would"
    r"|gets? (?:mad|angry|lost"
    r"|confused)|explodes?|breaks?|fails?|complains?|dies|crashes|kills?|goes (?:mad|nuts|down))\b"
    r"|or (?:it|he|she|they)'ll\b",
    re.IGNORECASE,
)
ELSE = re.compile(r",? (?:otherwise|or else)\b", re.IGNORECASE)
COMPLAINS = re.compile(
    r"(?:(?:stop|no|hey|wait|again|oh|ok)[.,!] )*you(?:'re| are|'ve| have| did| used| put| wrote| pushed"
    r"| committed| branched| ran)\b"
    r"[^,;]*[,;] ",
    re.IGNORECASE,
)
""" "You're on the wrong branch, …": what is wrong is what was done, not what is said next."""
DID = re.compile(
    r"^\W*(?:(?:just|ok|so|i|we) )*(?:[a-z]+ed|ran|got|had|went|made|found|built|sent"
    r"|put)\b",
    re.IGNORECASE,
)
"""What somebody did, of which the outcome follows: "tried it again. no joy"."""
BARE_REST = re.compile(
    r"no (?!(?:idea|clue|luck|errors?|problems?|issues?|way|one|thanks|worries|change|difference|response"
    r"|output|success|effect"
    r"|joke|rush|matter|need|answer|result|reason|crash|warnings?|doubt|more|longer|kidding|pressure"
    r"|offen[cs]e|hurry|dice|wonder"
    r"|comment|go|such|bueno|internet|access|signal|time|money|sound|biggie|stress|trace|logs?"
    r"|data)\b)[a-z-]+(?: [a-z-]+)?",
    re.IGNORECASE,
)
OR_ELSE = re.compile(r"(?:otherwise|or else|because|since|cause|cuz) ", re.IGNORECASE)
"""What would happen else, or why: nothing that the words before it ask for."""
ADOPTS = re.compile(
    r"[,;] (?:so |and |please |let'?s |we |you )*(?:follow|stick to|respect|obey|honou?r|adhere to|keep"
    r" to) (?:that|it"
    r"|this|them|those)\b"
    r"|[,;.] (?:so |and |please |let'?s |we |you )*do (?:that|so|the same|it (?:like that|that way"
    r"|so))(?: here)?(?: too| as well)?$"
    r"|,? (?:so |and )+(?:please )?(?:don'?t|do not|never)(?: do)?(?: it| that)?(?: here)?(?: either)?$"
    r"|,? and (?:i agree|(?:he|she|they)(?:'s| is|'re| are) right|so do i|i do too|me too)\b",
    re.IGNORECASE,
)
"""What others say is to be so here as well."""
THING_ONLY = re.compile(r"[\w'-]+(?: [\w'-]+){0,2} (?:only|just) [a-z]+[^s\W]s ", re.IGNORECASE)
""" "Redis only keeps the sessions, nothing else": what something does."""
