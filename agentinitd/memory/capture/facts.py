"""What a session shows besides rules: interfaces that were changed, decisions, dead ends, exact values."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agentinitd.memory.capture.decided import may_tell, told_in
from agentinitd.memory.capture.literals import Literals, small
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Act, Proposal, Speaker
from agentinitd.memory.capture.prose import sentences
from agentinitd.memory.capture.report import Reason, Report, may_hold_report, report_in
from agentinitd.memory.capture.signatures import Signature, may_differ, signatures
from agentinitd.memory.check_output import says_bad
from agentinitd.memory.check_runs import check_of
from agentinitd.memory.file_edits import file_edits_of
from agentinitd.memory.shell import ran
from agentinitd.memory.tool_calls import command_of, has_succeeded, is_editing, kind_of
from agentinitd.model.events import AgentMessage, Event, PersonMessage, SessionSeen, ToolCall, ToolResult
from agentinitd.model.facts import CapturedKind, Outcome

KEPT_CALLS = 64
KEPT_FORMS = 512
MAX_SIGNATURES = 8
"""Of one edit: a file that is written whole is not an interface that changed."""
_CONFIDENCE: dict[Speaker, float] = {"person": 0.9, "tool": 0.8, "agent": 0.6}

# Sought in every command, and in every edit as it is written: to read them would cost more than all the rest.
_RUNS = ("test", "check", "jest", "mocha", "tox", "nox", "rspec", "phpunit", "ava ", "switch ", "worktree ")
_RUNS_AS_GIVEN = Literals([*(hint.strip().encode() for hint in _RUNS), b"\\u00"])
_DEFINES = Literals([b"def", b"fun", b"fn", b"public", b"const"])
_TEST_COMMAND = "test command"
_NAME_END = re.compile(r"\s*[=:：]\s*")
_BRANCH = re.compile(r"(?:^| )git(?: -C \S+)? (?:checkout -[bB]|switch (?:-c|-C|--create)) (\S+)")
_SWITCH = re.compile(r"(?:^| )git(?: -C \S+)? switch ([\w./-]+)$")
_WORKTREE = re.compile(r"(?:^| )git(?: -C \S+)? worktree add (?:.*? )?(/\S+|\.\.?/\S+)")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call of which something may be learned once it is answered."""

    call: ToolCall
    command: str
    """Empty when it runs none that tells anything."""
    is_edit: bool


class Facts:
    """Hears the events of one session, those that happen here and now.

    A tool call counts once its result says that it worked.
    """

    def __init__(self) -> None:
        self._calls: OrderedDict[str, _Asked] = OrderedDict()
        self._cwd = ""
        self._forms: dict[str, str] = {}
        """Of interfaces that were told, by topic."""
        self._hears: dict[type[Event], Callable[[Any], Sequence[Proposal]]] = {
            SessionSeen: self._hear_place,
            ToolCall: self._hear_call,
            ToolResult: self._hear_result,
            AgentMessage: _said_by_agent,
            PersonMessage: _said_by_person,
        }

    def hear(self, event: Event) -> Sequence[Proposal]:
        hears = self._hears.get(type(event))
        return hears(event) if hears is not None else ()

    def _hear_place(self, seen: SessionSeen) -> Sequence[Proposal]:
        self._cwd = seen.cwd or self._cwd
        return ()

    def _hear_call(self, call: ToolCall) -> Sequence[Proposal]:
        """Most calls only look at something."""
        kind = kind_of(call.name)
        if kind is None:
            return ()
        command = ""
        if kind == "shell" and _RUNS_AS_GIVEN.are_in(call.input_json):
            command = command_of(call) or ""
            is_telling = any(hint in command for hint in _RUNS) and _may_have_values(command)
            command = command if is_telling else ""
        is_edit = is_editing(call) and _DEFINES.are_in(call.input_json)
        if command or is_edit:
            self._calls[call.call_id] = _Asked(call, command, is_edit)
            while len(self._calls) > KEPT_CALLS:
                self._calls.popitem(last=False)
        return ()

    def _hear_result(self, result: ToolResult) -> Sequence[Proposal]:
        asked = self._calls.pop(result.call_id, None) if self._calls else None
        return list(self._done(asked, result)) if asked is not None else ()

    def _done(self, asked: _Asked, result: ToolResult) -> Iterator[Proposal]:
        if asked.command:
            yield from _values(asked.command, result)
        is_refused = result.is_success is False or result.text.startswith(("Error", "<tool_use_error>"))
        if asked.is_edit and not is_refused:
            yield from self._changed_interfaces(asked.call, result)

    def _changed_interfaces(self, call: ToolCall, result: ToolResult) -> Iterator[Proposal]:
        for edit in file_edits_of(call):
            file = edit.file.removeprefix(self._cwd.rstrip("/") + "/") if self._cwd else edit.file
            if not may_differ(edit.before, edit.after, file):
                continue
            before, after = signatures(edit.before, file), signatures(edit.after, file)
            changed = [each for name, each in after.items() if before.get(name) != each]
            for each in changed if len(changed) <= MAX_SIGNATURES else []:
                if each.name in before:
                    # Seen in the call, so before the result: it becomes the older form.
                    yield from self._form(before[each.name], file, call)
                yield from self._form(each, file, result)
            for name in before.keys() - after.keys():
                self._forms.pop(f"{file}:{name}", None)
                text = f"`{before[name].text}` in {file}"
                yield _fact(result, "tool", "tool", text, topic=f"{file}:{name}", act="withdraw")

    def _form(self, signature: Signature, file: str, event: Event) -> Iterator[Proposal]:
        """Nothing when this was the last that was told of it."""
        topic = f"{file}:{signature.name}"
        if self._forms.get(topic) == signature.text:
            return
        self._forms.pop(topic, None)
        self._forms[topic] = signature.text
        if len(self._forms) > KEPT_FORMS:
            del self._forms[next(iter(self._forms))]
        yield _fact(event, "tool", "tool", f"`{signature.text}` in {file}", topic=topic)


def _values(command: str, result: ToolResult) -> Iterator[Proposal]:
    """Of the commands of which it is known that they came out well: by their exit, and by what they say."""
    outcome = has_succeeded(result)
    for text, topic in _values_in(command, outcome) if outcome is not None else ():
        if not (topic.startswith(_TEST_COMMAND) and says_bad("tests", result.text)):
            yield _fact(result, "value", "tool", text, topic=topic)


def _may_have_values(command: str) -> bool:
    return bool(_values_in(command, True) or _values_in(command, False))


# Agents run the same tests again and again.
@lru_cache(maxsize=64)
def _values_in(command: str, has_succeeded: bool) -> tuple[tuple[str, str], ...]:
    """Text and topic, if the whole came out like that."""
    done = (each for each in ran(command, has_succeeded=has_succeeded) if each.has_succeeded)
    return tuple(value for each in done for value in _values_of(each.words))


def _values_of(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    command, check = " ".join(words), check_of(words)
    if check and check.kind == "tests" and len(command) <= MAX_TEXT_CHARS - 30:
        yield f"Tests passed with `{command}`", f"{_TEST_COMMAND} {command.partition(' ')[0]}"
    if "git" not in command:
        return
    branch = _BRANCH.search(command) or _SWITCH.search(command)
    if branch:
        yield f"Branch: `{branch[1]}`", "branch"
    worktree = _WORKTREE.search(command)
    if worktree:
        yield f"Worktree: `{worktree[1]}`", "worktree"


def _said_by_agent(message: AgentMessage) -> Sequence[Proposal]:
    words = small(message.text)
    report = report_in(message.text) if may_hold_report(words) else None
    if report:
        return _reported(message, report)
    return _told(message, "agent", message.text) if may_tell(words, is_person=False) else ()


def _said_by_person(message: PersonMessage) -> Sequence[Proposal]:
    if not may_tell(small(message.text), is_person=True):
        return ()
    return _told(message, "person", "\n".join(sentence.text for sentence in sentences(message.text)))


def _told(event: Event, speaker: Speaker, text: str) -> list[Proposal]:
    return [
        _fact(
            event,
            told.kind,
            speaker,
            told.text,
            why=told.why,
            quote=told.sentence,
            rejected=told.rejected,
            outcome="failed" if told.kind == "dead_end" else None,
        )
        for told in told_in(text, is_person=speaker == "person")
    ]


def _reported(event: AgentMessage, report: Report) -> list[Proposal]:
    """What the agent wrote into the progress report it was asked for."""
    told: tuple[tuple[CapturedKind, tuple[Reason, ...], Outcome | None], ...] = (
        ("decision", report.decided, None),
        ("dead_end", report.failed, "failed"),
    )
    return [
        *(
            _fact(event, kind, "agent", each.what, why=each.why, quote=each.line, outcome=outcome)
            for kind, reasons, outcome in told
            for each in reasons
        ),
        *(_fact(event, "value", "agent", value, topic=_NAME_END.split(value)[0]) for value in report.values),
    ]


def _fact(
    event: Event,
    kind: CapturedKind,
    speaker: Speaker,
    text: str,
    *,
    act: Act = "state",
    why: str = "",
    quote: str = "",
    topic: str = "",
    rejected: str = "",
    outcome: Outcome | None = None,
) -> Proposal:
    return Proposal(
        kind=kind,
        act=act,
        text=text[:MAX_TEXT_CHARS],
        why=why[:MAX_TEXT_CHARS],
        quote=(quote or f"{text} {why}".strip())[:MAX_QUOTE_CHARS],
        speaker=speaker,
        line=event.line,
        at=event.written_at,
        confidence=_CONFIDENCE[speaker],
        topic=topic,
        rejected=rejected,
        outcome=outcome,
    )
