"""What a session shows besides rules: interfaces that were changed, decisions, dead ends, exact values."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator

from agentinitd.memory.capture.decided import may_tell, told_in
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Act, Proposal, Speaker
from agentinitd.memory.capture.prose import sentences
from agentinitd.memory.capture.report import REPORT_MARK, Report, report_in
from agentinitd.memory.capture.signatures import Signature, is_read, signatures
from agentinitd.memory.file_edits import file_edits_of
from agentinitd.memory.shell import ran
from agentinitd.memory.tool_calls import command_of, edited_files, has_succeeded
from agentinitd.model.events import AgentMessage, Event, PersonMessage, SessionSeen, ToolCall, ToolResult
from agentinitd.model.facts import CapturedKind, Outcome

KEPT_CALLS = 64
KEPT_FORMS = 512
MAX_SIGNATURES = 8
"""Of one edit: a file that is written whole is not an interface that changed."""
_CONFIDENCE: dict[Speaker, float] = {"person": 0.9, "tool": 0.8, "agent": 0.6}

_TESTS = re.compile(
    r"(?:^|[ /])(?:pytest|py\.test|vitest|jest|mocha|tox|nox|ctest|rspec|phpunit|ava)(?: |$)"
    r"|(?:^|[ /])(?:go|cargo|npm|pnpm|yarn|bun|deno|mix|dotnet|make|just|mvn|gradlew?|swift|flutter)"
    r"(?: run| exec| -\S+)* (?:test|tests|check)(?::\S+)?(?: |$)"
)
# Sought in the call as it is written: to decode each of them would cost more than all the rest.
_RUNS = re.compile(
    rb"git (?:-C \S+ )?(?:checkout|switch|worktree) |pytest|py\.test|vitest|jest|mocha|\btox|\bnox|ctest"
    rb"|rspec|phpunit|\bava |(?:go|cargo|npm|pnpm|yarn|bun|deno|mix|dotnet|make|just|mvn|gradlew?|swift"
    rb"|flutter)\b[^;&|]{0,40} (?:test|check)"
)
_DEFINES = re.compile(rb"\b(?:def|function|func?|fn|public|const)\b")
_NAME_END = re.compile(r"\s*[=:：]\s*")
_BRANCH = re.compile(r"(?:^| )git(?: -C \S+)? (?:checkout -[bB]|switch (?:-c|-C|--create)) (\S+)")
_SWITCH = re.compile(r"(?:^| )git(?: -C \S+)? switch ([\w./-]+)$")
_WORKTREE = re.compile(r"(?:^| )git(?: -C \S+)? worktree add (?:.*? )?(/\S+|\.\.?/\S+)")


class Facts:
    """Hears the events of one session.  A tool call counts once its result says that it worked."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, ToolCall] = OrderedDict()
        self._cwd = ""
        self._forms: dict[str, str] = {}
        """Of interfaces that were told, by topic."""

    def hear(self, event: Event) -> list[Proposal]:
        if event.is_history or event.is_helper:
            return []
        if isinstance(event, SessionSeen):
            self._cwd = event.cwd or self._cwd
        elif isinstance(event, ToolCall):
            if not _is_telling(event):
                return []
            self._calls[event.call_id] = event
            while len(self._calls) > KEPT_CALLS:
                self._calls.popitem(last=False)
        elif isinstance(event, ToolResult):
            call = self._calls.pop(event.call_id, None)
            return list(self._done(call, event)) if call is not None else []
        elif isinstance(event, AgentMessage):
            report = report_in(event.text) if REPORT_MARK in event.text.upper() else None
            return _reported(event, report) if report else _told(event, "agent", event.text)
        elif isinstance(event, PersonMessage) and may_tell(event.text, is_person=True):
            own = "\n".join(sentence.text for sentence in sentences(event.text))
            return _told(event, "person", own)
        return []

    def _done(self, call: ToolCall, result: ToolResult) -> Iterator[Proposal]:
        if _RUNS.search(call.input_json):
            yield from _values(call, result)
        is_refused = result.is_success is False or result.text.startswith(("Error", "<tool_use_error>"))
        if not is_refused and _DEFINES.search(call.input_json):
            yield from self._changed_interfaces(call, result)

    def _changed_interfaces(self, call: ToolCall, result: ToolResult) -> Iterator[Proposal]:
        for edit in file_edits_of(call):
            file = edit.file.removeprefix(self._cwd.rstrip("/") + "/") if self._cwd else edit.file
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


def _is_telling(call: ToolCall) -> bool:
    """Whether a fact can come of it: most calls only look at something."""
    if _RUNS.search(call.input_json):
        return True
    return bool(_DEFINES.search(call.input_json)) and any(map(is_read, edited_files(call)))


def _values(call: ToolCall, result: ToolResult) -> Iterator[Proposal]:
    """Of the commands of which it is known that they came out well."""
    command = command_of(call)
    for each in ran(command, has_succeeded=has_succeeded(result)) if command else ():
        if each.has_succeeded:
            yield from _values_of(" ".join(each.words), result)


def _values_of(command: str, result: ToolResult) -> Iterator[Proposal]:
    if _TESTS.search(command) and len(command) <= MAX_TEXT_CHARS - 30:
        topic = f"test command {command.partition(' ')[0]}"
        yield _fact(result, "value", "tool", f"Tests passed with `{command}`", topic=topic)
    branch = _BRANCH.search(command) or _SWITCH.search(command)
    if branch:
        yield _fact(result, "value", "tool", f"Branch: `{branch[1]}`", topic="branch")
    worktree = _WORKTREE.search(command)
    if worktree:
        yield _fact(result, "value", "tool", f"Worktree: `{worktree[1]}`", topic="worktree")


def _told(event: Event, speaker: Speaker, text: str) -> list[Proposal]:
    return [
        _fact(
            event,
            told.kind,
            speaker,
            told.text,
            why=told.why,
            rejected=told.rejected,
            outcome="failed" if told.kind == "dead_end" else None,
        )
        for told in told_in(text, is_person=speaker == "person")
    ]


def _reported(event: AgentMessage, report: Report) -> list[Proposal]:
    """What the agent wrote into the progress report it was asked for."""
    return [
        *(_fact(event, "decision", "agent", what, why=why) for what, why in report.decided),
        *(_fact(event, "dead_end", "agent", what, why=why, outcome="failed") for what, why in report.failed),
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
    topic: str = "",
    rejected: str = "",
    outcome: Outcome | None = None,
) -> Proposal:
    return Proposal(
        kind=kind,
        act=act,
        text=text[:MAX_TEXT_CHARS],
        why=why[:MAX_TEXT_CHARS],
        quote=f"{text} {why}".strip()[:MAX_QUOTE_CHARS],
        speaker=speaker,
        line=event.line,
        at=event.written_at,
        confidence=_CONFIDENCE[speaker],
        topic=topic,
        rejected=rejected,
        outcome=outcome,
    )
