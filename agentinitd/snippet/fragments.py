"""What one script contributes to a snippet: a section, and a note in it when something went wrong."""

from __future__ import annotations

from agentinitd.model.facts import Language
from agentinitd.model.scripts import ScriptRun
from agentinitd.model.snippets import Fragment
from agentinitd.snippet.frame import no_output_note, old_output_note
from agentinitd.snippet.items import items_of


def fragment_of(run: ScriptRun, *, language: Language = "en") -> Fragment | None:
    """The section a script contributes; None for one that has nothing to say.

    A failed script keeps its section: with its last good output and a note, or with the note alone.
    """
    script, header = run.script, run.script.header
    is_silent = run.is_failure and header.on_failure == "omit" and not header.is_essential
    if run.action != "start" or is_silent or not (run.is_failure or run.result == "ok"):
        return None
    is_old = "last-good" in run.flags
    title, items = items_of(run.output if is_old or not run.is_failure else "")
    if not items and not run.is_failure:
        return None
    return Fragment(
        key=script.key,
        section=header.section or title or script.key,
        items=items,
        is_essential=header.is_essential,
        is_project=script.layer == "project",
        note=_note(run, language, is_old=is_old and bool(items)),
    )


def _note(run: ScriptRun, language: Language, *, is_old: bool) -> str | None:
    reason = run.reason or run.result
    if is_old:
        return old_output_note(run.last_good_age_seconds, reason, language)
    return no_output_note(reason, language) if run.is_failure else None
