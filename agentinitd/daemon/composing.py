"""What the scripts printed becomes one snippet, with what we have to say ourselves before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agentinitd.daemon.question import Question
from agentinitd.memory.redact import redact
from agentinitd.model.facts import Language
from agentinitd.model.scripts import ScriptRun
from agentinitd.rc.sequence import is_trouble, result_of
from agentinitd.snippet import frame
from agentinitd.snippet.compose import Composition, compose
from agentinitd.snippet.fragments import fragment_of


def composed(question: Question, runs: tuple[ScriptRun, ...], *, count: Callable[[str], int]) -> Composition:
    language = question.language
    safe = [replace(run, output=redact(run.output).text) for run in runs]
    said = [redact(line).text for line in question.lines]
    fragments = [part for run in safe if (part := fragment_of(run, language=language)) is not None]
    return compose(
        fragments,
        budget_tokens=question.budget_tokens,
        language=language,
        notes=(*_notes(runs, language), *filter(None, [question.place]), *said),
        unserved=0 if question.is_line_only else question.unserved,
        count=count,
        max_chars=question.max_chars,
        relevance=question.relevance,
    )


def _notes(runs: tuple[ScriptRun, ...], language: Language) -> tuple[str, ...]:
    """What the snippet begins with when not all is well: never silent, in our own words (TRU-7, FAIL-3)."""
    failed = [run.script.name for run in runs if is_trouble(run)]
    pending = [run.script.name for run in runs if run.result == "pending-trust"]
    notes: list[str] = []
    if failed:
        line = frame.failed_line if result_of(runs) == "failed" else frame.degraded_line
        notes.append(line(failed, language))
    if pending:
        notes.append(frame.pending_trust_line(pending, language))
    return tuple(notes)
