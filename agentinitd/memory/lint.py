"""What makes an anchor a bad one, or two of them a contradiction: each finding with place and cure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import chain, combinations

from agentinitd.memory.anchors import KIND_OF_TAG, TAG, Item, parse_items
from agentinitd.memory.capture.subject import Subject, is_opposite, is_same, likeness, subject_of
from agentinitd.memory.contraries import Contrary, contraries, cure, where_said, written_later
from agentinitd.memory.decisions import ids_in
from agentinitd.memory.fields import READ, split_fields
from agentinitd.memory.front_matter import read_front_matter
from agentinitd.memory.markdown import Lines, readable_lines
from agentinitd.memory.obligations import obligations_of
from agentinitd.memory.redact import has_secret
from agentinitd.model.facts import Anchor

MAX_LINES = 2
MAX_ALIKE = 40
"""A word that so many anchors share tells nothing about any two of them."""
_DAY = 86_400.0
_RESTATED = 0.6
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`rule` is one of `RULES`."""

    file: str
    line: int
    rule: str
    message: str
    cure: str
    is_mild: bool = False
    """Worth knowing, but nothing that somebody has to mend."""

    @property
    def text(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.message}. {self.cure}"


RULES: Mapping[str, str] = {
    "unreadable": "Correct what is named.",
    "too-long": "Keep two lines: what holds, and why.",
    "not-checkable": "Name the file, the command or the value by which anyone can see whether it is kept.",
    "process-note": "Put it into the task state; an anchor is what holds for long.",
    "secret": "Take it out, and change the credential: this file may be shared.",
    "duplicate": "Keep one of the two.",
    "contradiction": "Correct one of the two, or name it in `supersedes`.",
    "unknown-tag": "Write [constraint], [tool] or [decision].",
    "unknown-field": "Correct its name, or remove it.",
    "future-date": "Correct the date.",
    "check-fails": "Correct the anchor, or its check.",
    "forbid-misses": "Correct it: nothing would be found to break the rule.",
    "applies-misses": "Correct the glob: it is compared with paths in the project.",
    "said-otherwise": "Settle it with `agentinitd anchors review`.",
    "circle": "Take one of them out of the `supersedes` of the other.",
}
_CONCRETE = re.compile(r"[`\d/_]|[\w-]+\.\w{1,5}\b|\"[^\"]+\"|[A-Z]{2,}|[a-z][A-Z]|\w\(|--\w|「")
_VAGUE = re.compile(
    r"\b(?:careful|good|clean|nice|proper(?:ly)?|appropriate(?:ly)?|quality|best practices?|reasonable"
    r"|sensible|simple|readable|elegant|robust|as (?:needed|possible)|when necessary|try to|think|attention"
    r"|mind|well)\b"
    r"|注意|小心|认真|合理|适当|尽量|质量|规范|优雅|简洁|谨慎|仔细|良好|最佳实践",
    re.IGNORECASE,
)
_PROCESS = re.compile(
    r"^(?:todo|wip|fixme|next|done|status|progress)\b|\b(?:in progress|currently (?:working|doing|fixing)"
    r"|will (?:do|fix|look)|to be done|(?:i|we)(?:'m| am|'re| are) (?:working|fixing)|today|tomorrow"
    r"|this (?:morning|week|afternoon)"
    r"|half done|almost finished)\b"
    r"|^(?:待办|进度|状态)[:：]|正在|进行中|明天|今天|本周|下一步|待完成|还没做完|做到一半|已完成$",
    re.IGNORECASE,
)
_COMMAND_TOPICS: Mapping[str, str] = {
    "test command": r"^(?:run )?(?:the )?tests?\b|\btests? (?:run|with)|跑测试|测试(?:命令|用|：|:)",
    "build command": r"^(?:the )?build\b|\bbuild with|(?:构建|编译)(?:命令|用|：|:)",
    "lint command": r"^(?:the )?lint(?:er|ing)?\b|\blint with|(?:lint|检查)(?:命令|用|：|:)",
    "format command": r"^(?:the )?format(?:ter|ting)?\b|\bformat with|格式化(?:命令|用|：|:)",
    "start command": r"^(?:start|serve|dev server)\b|\bstart with|启动(?:命令|用|：|:)",
    "package manager": r"package manager|包管理",
    "default branch": r"(?:default|main|base) branch|主分支|默认分支",
}
_TOPICS = {name: re.compile(words, re.IGNORECASE) for name, words in _COMMAND_TOPICS.items()}
_PORT = re.compile(
    r"([\w\u4e00-\u9fff-]*)\s*(?:\b(?:is |runs |listens )?(?:on )?port|端口)"
    r"\s*(?:is|=|:|：|是|为|用)?\s*(\d{2,5})",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\b(Node(?:\.js)?|Python|Go|Java|JDK|Rust|Ruby|PHP|Postgres(?:QL)?|Redis)\s*v?(\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
_CALL = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*)(\([^()`]*\))")
_COMMAND = re.compile(r"`([^`]+)`")
_USED = re.compile(r"(?:\b(?:use|using|with|run|via)\b|用|跑)\s*`?([a-z][\w.-]+)|`([a-z][\w.-]+)[ `]", re.I)


Doubts = Callable[[Anchor], Iterable[tuple[str, str]]]


def lint(
    files: Iterable[tuple[str, str]], *, now: float, doubts: Doubts = lambda _anchor: ()
) -> list[Finding]:
    """Findings in the order of files and lines.  `files`: name relative to the memory folder, and text.

    `doubts` tells of an anchor what only its project can: rule and message.
    """
    items: list[Item] = []
    findings: list[Finding] = []
    for file, text in files:
        found, problems = parse_items(text, file)
        items += found
        findings += [_finding(file, each.line, "unreadable", each.message.rstrip(".")) for each in problems]
        findings += _unknown_tags(text, file)
        for item in found:
            findings += chain.from_iterable(rule(item, text, now) for rule in _OF_ITEM)
    held = [item.anchor for item in items if item.anchor.status == "active"]
    replaced = {name for anchor in held for name in ids_in(anchor.supersedes)}
    findings += [
        _doubted(anchor, rule, message)
        for anchor in held
        if anchor.id not in replaced
        for rule, message in doubts(anchor)
    ]
    said_otherwise = [pair for pair in contraries(held) if pair.written.id not in replaced]
    later = [pair for pair in written_later(held, {}) if pair.said.id not in replaced]
    findings += map(_said_otherwise, (pair for pair in said_otherwise if pair.is_said_later))
    findings += map(_written_otherwise, (pair for pair in later if pair.is_said_later))
    findings += _circles([item.anchor for item in items])
    told = {frozenset((pair.said.id, pair.written.id)) for pair in (*said_otherwise, *later)}
    findings += _between([anchor for anchor in held if anchor.id not in replaced], told)
    order = {file: place for place, file in enumerate(dict.fromkeys(finding.file for finding in findings))}
    return sorted(findings, key=lambda finding: (order[finding.file], finding.line))


def _finding(file: str, line: int, rule: str, message: str) -> Finding:
    return Finding(file=file, line=line, rule=rule, message=message, cure=RULES[rule])


def _doubted(anchor: Anchor, rule: str, message: str) -> Finding:
    """What was only found in a session goes out of date while people work: that is no fault of theirs."""
    finding = _finding(anchor.file, anchor.line, rule, message)
    if anchor.captured is None:
        return finding
    cure = f"`agentinitd anchors review --reject {anchor.id}` takes it out."
    return replace(finding, cure=cure, is_mild=True)


def _of(item: Item, rule: str, message: str) -> Finding:
    return _finding(item.anchor.file, item.anchor.line, rule, message)


def _unknown_tags(text: str, file: str) -> Iterator[Finding]:
    lines = Lines(text)
    front, _ = read_front_matter(lines, file)
    for line in readable_lines(lines, front.end, file, problems=[]):
        bullet = None if line.is_code else _BULLET.fullmatch(line.text)
        tag = TAG.match(bullet[1]) if bullet else None
        if tag and not tag[2] and tag[1].lower() not in KIND_OF_TAG:
            yield _finding(file, line.number, "unknown-tag", f"[{tag[1]}] is no tag; the item is not served")


def _too_long(item: Item, _text: str, _now: float) -> Iterator[Finding]:
    lines = len(item.what) + len(item.why)
    if lines > MAX_LINES:
        yield _of(item, "too-long", f"it has {lines} lines")


def _not_checkable(item: Item, _text: str, _now: float) -> Iterator[Finding]:
    anchor = item.anchor
    if anchor.kind == "constraint" and not _CONCRETE.search(anchor.what) and _VAGUE.search(anchor.what):
        yield _of(item, "not-checkable", "nobody can tell whether it is kept")


def _process_note(item: Item, _text: str, _now: float) -> Iterator[Finding]:
    found = _PROCESS.search(item.anchor.what)
    if found and item.anchor.kind != "decision":
        yield _of(item, "process-note", f"`{found[0].strip()}` tells how work goes")


def _secret(item: Item, _text: str, _now: float) -> Iterator[Finding]:
    anchor = item.anchor
    if any(has_secret(text) for text in (anchor.what, anchor.why or "", anchor.quote)):
        yield _of(item, "secret", "it holds what looks like a credential; it is masked wherever it is served")


def _unknown_fields(item: Item, _text: str, _now: float) -> Iterator[Finding]:
    for comment in item.comments:
        for field in split_fields(comment.text):
            if field.key not in READ:
                message = f"`{field.key}` is no field"
                yield _finding(item.anchor.file, comment.number, "unknown-field", message)


def _future_dates(item: Item, _text: str, now: float) -> Iterator[Finding]:
    anchor = item.anchor
    times = {
        "verified": anchor.verified_at,
        "last_updated": anchor.written_at,
        "recorded": anchor.recorded_at,
    }
    for name, at in times.items():
        # Clocks and time zones differ: a day ahead is no mistake.
        if at is not None and at > now + _DAY:
            yield _of(item, "future-date", f"`{name}` lies in the future")


_OF_ITEM: tuple[Callable[[Item, str, float], Iterator[Finding]], ...] = (
    _too_long, _not_checkable, _process_note, _secret, _unknown_fields, _future_dates,
)  # fmt: skip


def _said_otherwise(pair: Contrary) -> Finding:
    said, written = pair
    message = f"written, but said otherwise at {where_said(said)}"
    return replace(_finding(written.file, written.line, "said-otherwise", message), cure=cure(said))


def _written_otherwise(pair: Contrary) -> Finding:
    said, written = pair
    message = f"said, but written otherwise later at {written.file}:{written.line}"
    finding = _finding(said.file, said.line, "said-otherwise", message)
    return replace(finding, cure=cure(said))


def _circles(anchors: Iterable[Anchor]) -> Iterator[Finding]:
    """Those that replace each other, by a detour or not: told once, at the one that was read last."""
    known = {anchor.id: anchor for anchor in anchors}
    order = {name: place for place, name in enumerate(known)}
    for name, anchor in known.items():
        way = _way_back(name, known)
        if way and name == max(way, key=order.__getitem__):
            chain = " → ".join((*way, name))
            served = "the one decided last is served"
            message = f"it replaces itself: {chain}; {served}" if len(way) > 1 else "it replaces itself"
            yield _finding(anchor.file, anchor.line, "circle", message)


def _way_back(name: str, known: Mapping[str, Anchor]) -> list[str]:
    """The shortest way by `supersedes` from an anchor to itself; empty when there is none."""
    ways = [[name]]
    seen: set[str] = set()
    for way in ways:
        for other in ids_in(known[way[-1]].supersedes):
            if other == name:
                return way
            if other in known and other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return []


def _between(anchors: list[Anchor], told: Set[frozenset[str]]) -> Iterator[Finding]:
    """Every two that say the same, or cannot both hold, told at the later one; but for those told already."""
    subjects = [subject_of(anchor.what, anchor.topic) for anchor in anchors]
    for first, second in _alike(anchors, subjects):
        one, other = anchors[first], anchors[second]
        if _are_apart(one, other) or {one.id, other.id} in told:
            continue
        place = f"{one.file}:{one.line}"
        if _plain(one.what) == _plain(other.what):
            yield _finding(other.file, other.line, "duplicate", f"it says what {place} says")
            continue
        clash = _clash(one, other)
        # "Use pnpm" and "use pnpm, never npm" want the same.
        is_agreed = bool(_programs(one)[0] & _programs(other)[0])
        is_opposed = _is_ban(one.what) != _is_ban(other.what) and not is_agreed
        if clash is None and is_opposed and is_opposite(subjects[first], subjects[second]):
            clash = "one demands what the other forbids"
        if clash:
            yield _finding(other.file, other.line, "contradiction", f"with {place}: {clash}")
        elif one.kind == other.kind and not is_opposed and _is_restated(subjects[first], subjects[second]):
            yield _finding(other.file, other.line, "duplicate", f"it says what {place} says")


def _alike(anchors: list[Anchor], subjects: list[Subject]) -> list[tuple[int, int]]:
    """The pairs that are worth comparing: they share a telling word, a value's name, or all their words."""
    sharing: dict[str, list[int]] = {}
    for place, (anchor, subject) in enumerate(zip(anchors, subjects, strict=True)):
        words = {token for token, weight in subject.weights.items() if weight >= 1} | subject.paths
        programs = {f"run {name}" for names in _programs(anchor) for name in names}
        for key in {
            *words,
            *programs,
            f"= {_plain(anchor.what)}",
            *(f"= {name}" for name in _values(anchor)),
        }:
            sharing.setdefault(key, []).append(place)
    alike = (places for places in sharing.values() if len(places) <= MAX_ALIKE)
    return sorted({pair for places in alike for pair in combinations(places, 2)})


def _is_restated(one: Subject, other: Subject) -> bool:
    return is_same(one, other) and is_same(other, one) and likeness(one, other) >= _RESTATED


def _are_apart(one: Anchor, other: Anchor) -> bool:
    """They are for different files, phases or tasks."""
    if one.applies and other.applies and not set(one.applies) & set(other.applies):
        return True
    if one.phases and other.phases and not set(one.phases) & set(other.phases):
        return True
    tasks = [anchor.file.split("/")[1] for anchor in (one, other) if anchor.file.startswith("tasks/")]
    return len(set(tasks)) > 1


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text).casefold().split())


_BAN = re.compile(
    r"不要|别|禁止|不准|不许|不得|\b(?:never|don['’]?t|do not|must not|avoid|no)\b", re.IGNORECASE
)


def _is_ban(text: str) -> bool:
    return bool(_BAN.search(text))


def _clash(one: Anchor, other: Anchor) -> str | None:
    """Two values for one thing."""
    first, second = _values(one), _values(other)
    for name in first.keys() & second.keys():
        if first[name] != second[name]:
            return f"{name}: `{first[name]}` and `{second[name]}`"
    (used, shunned), (used_there, shunned_there) = _programs(one), _programs(other)
    for name in sorted((used & shunned_there) | (used_there & shunned)):
        return f"one uses `{name}`, which the other forbids"
    return None


def _programs(anchor: Anchor) -> tuple[set[str], set[str]]:
    """Those that it wants to be used, and those that it wants not to be."""
    if anchor.kind == "decision":
        return set(), set()
    shunned = {
        each.words[0] for each in obligations_of(anchor) if each.kind == "never-run" and len(each.words) == 1
    }
    used = {(found[1] or found[2]).lower() for found in _USED.finditer(anchor.what)}
    return used - shunned, shunned


def _values(anchor: Anchor) -> dict[str, str]:
    if anchor.kind == "decision":
        return {}
    found = {f"signature of {name}": " ".join(given.split()) for name, given in _CALL.findall(anchor.what)}
    command = _COMMAND.search(anchor.what)
    if command and not _is_ban(anchor.what[: command.start()]):
        found |= {name: command[1] for name, words in _TOPICS.items() if words.search(anchor.what)}
    found |= {f"port of {each[1].lower() or 'it'}": each[2] for each in _PORT.finditer(anchor.what)}
    found |= {f"version of {each[1]}": each[2] for each in _VERSION.finditer(anchor.what)}
    found |= {
        f"language of {'answers' if each.kind == 'reply-language' else 'comments'}": each.language
        for each in obligations_of(anchor)
        if each.language is not None
    }
    return found
