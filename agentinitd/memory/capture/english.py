"""English sentences → rules, by grammar: what is said of doing, and how firmly; never by a list of topics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agentinitd.memory.capture.english_clauses import (
    ADVERBIAL_WORD,
    BEGINS_ADVERBIAL,
    CONDITION,
    EXCEPTION,
    REASON,
    pieces,
    polite_start,
    without_filler,
    without_tag,
)
from agentinitd.memory.capture.english_heads import HEADS, Head
from agentinitd.memory.capture.english_traps import (
    HEARSAY,
    HYPOTHETICAL,
    IDIOM,
    OWN_SAYING,
    PAST,
    PRONOUN,
    REMARK,
)
from agentinitd.memory.capture.proposals import MAX_TEXT_CHARS
from agentinitd.memory.capture.prose import QUESTION_START, Context, Found, Sentence
from agentinitd.model.facts import Polarity, Scope

CUES = re.compile(
    r"n['’]t\b|\b(?:dont|not|never|no|nothing|nobody|none|must|always|only|keep|leave|stay|stays|remains?|avoid|stop|quit|hands|off|without|every|all|any"
    r"|each|instead|rather|prefer|like|fan|ensure|sure|remember|forget|need|needs|needed|have to|has to|should|may|can|allowed|ok|okay|fine|use|uses|using"
    r"|pin|stick|ask|before|after|from now|going forward|when|whenever|if|in|on|with|is|are|run|runs|go|goes|via|through|under|live|lives|carry|drop|lift|scratch|feel free"
    r"|better|ideally|possible|try|fewer|less|please|let|make|follow|respect|switch|hate|dislike|limits|forbidden|want|rule|back|ahead|ignore|cancel|free)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[^:]{0,120}?\b(?:rules?|constraints?|conventions?|important|reminders?|remember|ground|principles?|guidelines?|first|second|third|need from you"
    r"|preferences?|conditions?|policy|please|agree on|adopt [\w ]+)[^:]{0,80}:\s*$",
    re.IGNORECASE,
)
_RULE_HEADING = re.compile(
    r"\b(?:rules?|constraints?|requirements?|conventions?|principles?|guidelines?|must|always|please|preferences?|style|reminders?|ground rules|boundaries|dos|keep in mind)\b",
    re.IGNORECASE,
)
_BAN_HEADING = re.compile(
    r"(?:.*\b)?(?:don'?ts?|do not|never|avoid|forbidden|not allowed|off[ -]limits|no-?go'?s?|must not|hands off|banned|prohibited|what not to do|stay away from)\b[^a-z]*(?:do|use|touch|change|edit)?[^a-z]*$",
    re.IGNORECASE,
)
_TASK_HEADING = re.compile(
    r"\b(?:to-?dos?|tasks?|steps?|plan|bugs?|issues?|problems?|questions?|observed|expected|actual|remaining|next|done|changes|notes from|findings|features?|acceptance)\b",
    re.IGNORECASE,
)

_ONCE = re.compile(
    r"\b(?:this (?:one )?time|this once|just once|for (?:now|today|the moment|the time being)|right now|at the moment|(?:not|n'?t) [^,;]{0,60}\b(?:yet|today|now)|yet$|tonight|today|until (?:i|we) (?:say|am|are|get|come|have|talk|decide)|this (?:one )?commit|in this message|in this answer)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:(?:in|for|on|during|within|throughout) this (?:\w+ )?(?:pr|mr|pull request|task|ticket|branch|change|session|issue|refactor(?:ing)?|migration|job|piece of work|feature|round|sprint|story|patch|fix)|while (?:working on|you(?:'re| are)(?: working)? (?:on|in)|doing|we(?:'re| are) (?:on|in|at))\b|until (?:this|the) (?:task|ticket|pr|feature|migration|refactor\w*) is|(?:this|the current) (?:pr|task|ticket) (?:is|stays|only|must))\b",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\b(?:in (?:any|every|all|each)(?: of)?(?: my| our| the)? (?:repos?|repositor(?:y|ies)|projects?|sessions?|codebases?)|for (?:all|any|every)(?: of)?(?: my| our)? (?:work|projects?|repos?|tasks?|sessions?)|across (?:all |my |our )?(?:projects|repos)|(?:this|that) (?:goes|holds|applies|counts) (?:for|to|in) (?:all|every|any)|all (?:my|our) (?:projects|repos)|whatever (?:the )?project|everywhere,? in all|no matter (?:which|what) (?:repo|project)|this repo and others|globally|wherever you work)\b",
    re.IGNORECASE,
)

_VAGUE = re.compile(
    r"(?:(?:you |we )?don'?t need to (?:do|check|worry about)? ?(?:it|that|this)?$)|(?:please )?(?:just )?(?:don'?t|do not|never|always|only|keep|stop|avoid)? ?(?:\w+ )?(?:it|that|this|them|those|so|like (?:that|this)|the same)?(?: (?:again|now|please|anymore|any more|yet))?$",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"[\s,;:.!?–—-]+$|\s*,\s*(?:pls|plz|ok|okay|thanks|thx|haha|lol)[\s.!]*$|\s+(?:though|haha|lol|thx|pls|plz)[\s.!]*$",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:fails?|failing|crash(?:es|ed|ing)?|errors? out|errored|broken|breaks|hangs?|throws|bug|doesn'?t work|not working|weird|strange|turns out|flaky|stuck)\b",
    re.IGNORECASE,
)
_IS_ADDRESSED = re.compile(
    r"\b(?:please|pls|must|don'?t|do not|never|always|keep|leave|only|avoid|make sure|should|use)\b",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/[\w./*-]*|[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|toml|ya?ml|json|sql|md|css|html|c|h|cpp|java|rb|sh|lock|txt|conf|prisma))(?![\w/])"
)
_THE_THING = re.compile(
    r"\b(?:the|that|my) ([\w./ -]{2,40}?) (?:rule|thing|ban|restriction|constraint|requirement|stuff|bit|part)s?\b",
    re.IGNORECASE,
)
_STILL_BANNED = re.compile(
    r"(?:but |and )?(?:still )?(?:except|apart from|(?<=, )other than|not|but not|excluding|just not)\b\s*(?P<what>.{2,})",
    re.IGNORECASE,
)
_PERMISSIONS = frozenset({"you-may", "allowed", "may-inverted"})
_TAILS = frozenset({"always", "use-exact", "use-for", "keep", "only-noun", "nothing-but", "condition", "ask"})
"""Forms that a piece such as "always, in any repo" has only by chance."""
_STAYS_BAD = re.compile(
    r"(?:that|those|these|this|it|they)(?: one)?s? (?:stays?|remains?|is|are) (?:still )?(?:off|forbidden|not|closed|frozen|untouched|as)\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"(?:(?!(?:is|are|was|were|has|have|had|do|does|did|will|can|i|we|it|they|you|don't|so|but)\b)[^\s,;]+(?:\s+|$)){1,4}",
    re.IGNORECASE,
)
"""A few words without a verb of their own."""
MAX_ADVERBIAL_WORDS = 6
_BEFORE_CLEAR = re.compile(
    r"(?<!\bi)(?<!\bwe)(?<!\bthey)\s(?=(?:don'?t|do not|never|always|please|ask me)\s)", re.IGNORECASE
)
_CODE_SIGN = re.compile(r"[`/_]|\w\.\w|xx")
_SOFT = re.compile(
    r"\b(?:if (?:at all )?possible|where(?:ver)? possible|whenever possible|ideally|preferably|if (?:you|we) can(?: help it)?|try (?:to|not)|would be nice|i'd like)\b",
    re.IGNORECASE,
)
_SURE_NOT = re.compile(
    r"\b(?:sure|ensure|care|it)\b(?: that)? (?:no|nothing|nobody)\b|\b(?:sure|ensure)\b(?: that)?(?: (?!that\b|which\b|you\b|it\b|find\b)[^\s,;]+){1,4} (?:don'?t|doesn'?t|never|isn'?t|aren'?t|do not|does not|is not|are not|can'?t)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:we|i|you|u)\b", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_MODAL = re.compile(
    r"(?:must|should|has to|have to|needs? to|may not|cannot|can't|stays?|remains?|is|are|never)\b",
    re.IGNORECASE,
)
_SO = re.compile(r"\b(?:so|please|pls|that way|like that|keep|agreed|settled)\b", re.IGNORECASE)
_ONLY_BEHIND_RULE = frozenset({"never-latest", "noun-not"})
_ONLY_FIRST = frozenset({"no-one-word", "x-only", "only-noun"})
_TELLS = re.compile(r"\b(?:is|are|was|were|has|have|gets?|does|did|it's)\b", re.IGNORECASE)
_NEVER_DONE = re.compile(
    r"never (?:\w+ed|read|set|run|put|sent|seen|made|found|built|written|called|used|get|got)\b",
    re.IGNORECASE,
)
_THIRD_PERSON = re.compile(r"never \w*[^s\s]s\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"\b(?:can|could|might|would|will|what|how|why|that|which|who|because|if|n't|not|i|to)\s*$|\b(?:i|what|how|why|but|don't|doesn't|there's|there|something|someone)\b",
    re.IGNORECASE,
)
_IS_STATE = re.compile(r"\b(?:right now|currently|so far|at present)\b", re.IGNORECASE)
# Forms with a "not" that does not turn them round.
_MAY_DENY = frozenset(
    {
        "forget",
        "instead",
        "we-use",
        "sure",
        "condition",
        "use-for",
        "before",
        "from-now-on",
        "value",
        "want",
        "language",
        "language-of",
        "ask",
    }
)
_DENIES = re.compile(r"n't\b|\b(?:not|never|no|dont)\b", re.IGNORECASE)
SURE = 0.8
MIN_CHARS = 5
LISTED_CONFIDENCE = 0.75


@dataclass(slots=True)
class _Clause:
    start: int
    end: int
    head: Head
    why: str = ""


def read(sentence: Sentence, _context: Context) -> list[Found]:
    """What the sentence lays down, or takes back.  Nothing for questions, hearsay, musing, the past, remarks."""
    if len(sentence.plain) < MIN_CHARS or not CUES.search(sentence.plain):
        return []
    plain = without_tag(sentence.plain).rstrip(" .!…")
    start = _statement_start(plain)
    if start is None:
        return []
    is_rule_list = bool(_RULE_HEADING.search(sentence.heading)) and not _TASK_HEADING.search(sentence.heading)
    clauses = _Clauses(plain, start)
    found = [item for clause in clauses.read() for item in _found(clause, sentence, plain)]
    is_rule_list = is_rule_list or bool(clauses.label_end)
    return found or _under_heading(sentence, plain, max(start, clauses.label_end), is_rule_list=is_rule_list)


def _statement_start(plain: str) -> int | None:
    """Where the statement begins behind filler and politeness; None for a question that is no request."""
    start = without_filler(plain)
    asked = polite_start(plain[start:])
    if not asked and (plain.rstrip().endswith("?") or QUESTION_START.match(plain, start)):
        return None
    return start + asked


class _Clauses:
    """Joins the pieces of a sentence: each rule with its condition, its exception and its reason."""

    def __init__(self, plain: str, start: int) -> None:
        self._plain = plain
        self._start = start
        self._clauses: list[_Clause] = []
        self._waiting: tuple[int, int] | None = None
        """A piece that may belong to the next rule: a condition, or a part of its subject."""
        self._is_open = False
        self.label_end = 0
        """Behind "One rule:" and the like; 0 without one."""

    def read(self) -> list[_Clause]:
        for first, last in pieces(self._plain[self._start :]):
            start = self._start + first
            end = self._start + last
            start += without_filler(self._plain[start:end])
            if start < end and not self._take(start, end):
                break
        return self._clauses

    def _take(self, start: int, end: int) -> bool:
        """False when nothing that follows is the person's own word any more."""
        piece = self._plain[start:end]
        if HEARSAY.search(piece) and not OWN_SAYING.search(piece):
            return False
        if self._plain[end : end + 1] == ":" and not self._clauses and self._is_label(end):
            self.label_end = end + 1
            self._waiting = None
            return True
        if self._is_open and self._belongs(piece):
            self._clauses[-1].end = end
            return True
        head = _head_of(piece)
        if head is None and self._waiting:
            start, head = self._joined(start, end)
        elif head is not None and self._waiting and self._is_lead(self._waiting, start, head):
            start = self._waiting[0]
        if head is not None and (
            (head.name in _ONLY_FIRST and self._is_late(start)) or self._is_told(start, head)
        ):
            head = None
        self._waiting = None
        if head is not None:
            self._clauses.append(_Clause(start, end, head))
            self._is_open = True
        else:
            self._take_other(start, end)
        return True

    def _belongs(self, piece: str) -> bool:
        """Exceptions, conditions and the like go with the rule before them; so does a bare name."""
        if EXCEPTION.match(piece):
            head = _head_of(piece)
            return head is None or head.name in _TAILS
        if self._clauses[-1].head.name in _PERMISSIONS and _STAYS_BAD.match(piece):
            return True
        return _head_of(piece) is None and bool(_FRAGMENT.fullmatch(piece)) and not REASON.match(piece)

    def _joined(self, start: int, end: int) -> tuple[int, Head | None]:
        """A condition and what to do then; or an order with its "not that" behind a comma."""
        assert self._waiting is not None
        merged = self._plain[self._waiting[0] : end]
        head = _head_of(merged) or _head_of(_COMMA.sub(" ", merged))
        return (self._waiting[0], head) if head else (start, None)

    def _is_label(self, end: int) -> bool:
        return bool(_LABEL.match(self._plain, 0, end + 1))

    def _is_lead(self, waiting: tuple[int, int], start: int, head: Head) -> bool:
        lead = self._plain[waiting[0] : waiting[1]]
        if CONDITION.match(lead):
            return True
        is_subject = "subject" in head.pattern.groupindex or "generic" in head.pattern.groupindex
        return (
            is_subject
            and bool(_FRAGMENT.fullmatch(lead) or _MODAL.match(self._plain, start))
            and not PRONOUN.match(lead)
        )

    def _is_told(self, start: int, head: Head) -> bool:
        """ "The flag is defined but never read": this "never" goes on with what is told."""
        if head.name in _ONLY_BEHIND_RULE:
            return not self._clauses
        if head.name != "ban" or not self._waiting:
            return False
        told = self._plain[self._waiting[0] : self._waiting[1]]
        return bool(_TELLS.search(told)) and bool(_NEVER_DONE.match(self._plain, start))

    def _is_late(self, start: int) -> bool:
        """Not the first words of the sentence or of what its label introduces, nor of "please keep it so, …"."""
        before = self._plain[max(self._start, self.label_end) : start]
        return without_filler(before) < len(before.rstrip()) and not _SO.search(before)

    def _take_other(self, start: int, end: int) -> None:
        piece = self._plain[start:end]
        if self._is_open and self._clauses and REASON.match(piece) and not self._clauses[-1].why:
            self._clauses[-1].why = piece
        self._is_open = False
        self._waiting = (start, end)


def _head_of(piece: str) -> Head | None:
    """The first form that the piece has, at its beginning or behind its place, time or condition."""
    if IDIOM.search(piece) or (REMARK.search(piece) and not _CODE_SIGN.search(piece)):
        return None
    heads = [head for words, group in HEADS if words.search(piece) for head in group]
    for start in _starts(piece):
        for head in heads:
            found = head.pattern.match(piece, start)
            if found and _is_meant(head, found, piece):
                return head
    return None


def _starts(piece: str) -> Iterator[int]:
    """Where the verb may stand: at once, behind an adverbial, or behind a condition where only "don't" is clear."""
    yield 0
    if BEGINS_ADVERBIAL.match(piece):
        end = 0
        for _ in range(MAX_ADVERBIAL_WORDS):
            word = ADVERBIAL_WORD.match(piece, end)
            if word is None:
                break
            end = word.end()
            yield end
    if CONDITION.match(piece):
        yield from (word.end() for word in _BEFORE_CLEAR.finditer(piece))


def _is_meant(head: Head, found: re.Match[str], piece: str) -> bool:
    """Not a guess, a remark about somebody, a memory of the past, or a report of what goes wrong."""
    if HYPOTHETICAL.search(piece) and head.force == "hard":
        return False
    groups = found.groupdict()
    subject = groups.get("subject")
    if _PERSON.match(piece, found.start()) and (PAST.search(piece) or _IS_STATE.search(piece)):
        return False
    if head.name == "ban" and _THIRD_PERSON.match(piece, found.start()):
        return False
    if (
        head.polarity == "do"
        and head.act == "state"
        and head.name not in _MAY_DENY
        and _DENIES.search(found.group())
    ):
        return False
    if subject is None:
        return groups.get("generic") is None or not PAST.search(piece)
    return not (
        PRONOUN.match(subject)
        or _NO_SUBJECT.search(subject)
        or PAST.search(piece)
        or (head.confidence < SURE and _FAILS.search(piece))
    )


def _found(clause: _Clause, sentence: Sentence, plain: str) -> list[Found]:
    head = clause.head
    text = _tidied(sentence.text[clause.start : clause.end])
    if _VAGUE.fullmatch(_tidied(plain[clause.start : clause.end])) or len(text) < MIN_CHARS:
        return []
    found = Found(
        text=text,
        act=head.act,
        polarity=_polarity(head, plain[clause.start : clause.end]),
        force="soft" if _SOFT.search(plain, clause.start, clause.end) else head.force,
        scope=_scope(
            f"{sentence.heading} {plain}" if sentence.heading else plain, plain[clause.start : clause.end]
        ),
        why=clause.why[:MAX_TEXT_CHARS],
        is_permission=head.is_permission,
        confidence=head.confidence,
        topic=_topic(text, head),
    )
    banned = _STILL_BANNED.search(text) if head.name in _PERMISSIONS else None
    if banned is None or banned.start() == 0:
        return [found]
    allowed = replace(found, text=_tidied(text[: banned.start()]), topic="")
    return [
        allowed,
        replace(found, text=_tidied(banned.group()), act="state", polarity="do_not", is_permission=False),
    ]


def _polarity(head: Head, clause: str) -> Polarity:
    return "do_not" if head.name == "sure" and _SURE_NOT.search(clause) else head.polarity


def _scope(sentence: str, clause: str) -> Scope:
    if _ALWAYS.search(sentence):
        return "always"
    if _TASK.search(sentence):
        return "task"
    return "once" if _ONCE.search(clause) else "project"


def _topic(text: str, head: Head) -> str:
    """A path, when there is just one; for a rule that is taken back "the diff thing", its name."""
    thing = _THE_THING.search(text) if head.act == "withdraw" else None
    if thing:
        return thing[1]
    paths = set(_PATH.findall(text))
    return paths.pop() if len(paths) == 1 else ""


def _tidied(text: str) -> str:
    """Without what hangs over at the end; at most `MAX_TEXT_CHARS`, cut at a word."""
    text = text.strip()
    while (tidied := _TRAILING.sub("", text)) != text:
        text = tidied
    if len(text) > MAX_TEXT_CHARS:
        text = text[: MAX_TEXT_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return text


def _under_heading(sentence: Sentence, plain: str, start: int, *, is_rule_list: bool) -> list[Found]:
    """An item that is a rule by what stands over its list: "Don'ts:", "Conventions:"."""
    is_ban = bool(_BAN_HEADING.match(sentence.heading))
    if not (is_ban or is_rule_list) or len(plain) - start > MAX_TEXT_CHARS:
        return []
    if HEARSAY.search(plain) or PAST.search(plain):
        return []
    item = _tidied(sentence.text[start:])
    text = f"{sentence.heading.rstrip(':： ')}: {item}" if is_ban else item
    return [
        Found(
            text=text[:MAX_TEXT_CHARS],
            polarity="do_not" if is_ban else "do",
            scope=_scope(f"{sentence.heading} {plain}", plain),
            confidence=LISTED_CONFIDENCE,
            topic="",
        )
    ]
