"""What is wrong with scripts, links and runlevels: a survey in, faults with rule and cure out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import RUNLEVELS, Result, Runlevel
from agentinitd.rc import requirements, runlevels
from agentinitd.rc.runlevels import Entry, Step
from agentinitd.rc.survey import Survey, plan_warnings

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing to say; a note is as it should be, and only explained."""

    severity: Severity
    path: str
    line: int | None = None
    rule: str
    """Of supervision.md."""
    text: str
    cure: str = ""


# Words of a reason → rule and cure; the first that fits.
_REASONS: tuple[tuple[str, str, str], ...] = (
    ("duplicate of", "OVR-5", "keep one of the two"),
    ("directory", "NAM-6", "move it out of the folder"),
    ("dangling", "NAM-8", "point the link at a script that is there, or remove it"),
    ("too full", "NAM-9", "move out of it what is no script"),
    ("leads out of", "NAM-8", "put a copy inside the project"),
    ("not a regular file", "NAM-6", "put a plain file in its place"),
    ("displaces", "OVR-4", ""),
    ("project folder", "TRU-11", "work in a checkout of your own"),
    ("writable by", "TRU-1", ""),
    ("belongs to uid", "TRU-1", "chown it to yourself, or take a copy"),
    ("larger than", "TRU-6", "make it smaller, or let it call a program that you installed"),
    ("Trust-Also", "TRU-3", "name files that are there, relative to the project"),
    ("cannot be read", "TRU-1", "make it readable for yourself"),
    ("private copy", "TRU-6", "make room in the state folder"),
    ("denied by you", "TRU-5", ""),
    ("not executable", "NAM-7", "chmod +x, unless it is meant to be switched off"),
    ("not approved", "TRU-7", ""),
    ("pending-trust", "TRU-2", ""),
    ("real file in rc.d", "RL-2", "put a link to the script in its place"),
    ("runlevel", "RL-6", "correct the name"),
    ("K names belong", "NAM-3", "K names are links in rc.d; call it S##-name here"),
    ("extension", "NAM-3", "rename it without a dot"),
    ("backup", "NAM-3", "remove it once you need it no more"),
    ("case", "NAM-3", "use lower case"),
    ("number", "NAM-3", "call it S##-name"),
    ("name", "NAM-3", "lower case letters and digits, joined by - or _, at most 64 bytes"),
)  # fmt: skip
_SEVERITIES: dict[Result, Severity] = {
    "shadowed": "note", "masked": "note", "ignored": "warning", "skipped": "warning",
    "pending-trust": "warning", "refused": "error",
}  # fmt: skip
_RULES: dict[Result, str] = {"shadowed": "OVR-2", "masked": "OVR-3"}


def of_survey(found: Survey, approved: Survey) -> tuple[Fault, ...]:
    """All that can be told without reading a script again.

    `approved` is the same with everything approved: what is wrong with a script does not depend on that.
    """
    told = [
        *_of_verdicts(found),
        *(fault for fault in _of_verdicts(approved) if fault.severity != "note"),
        *_of_plan(approved),
    ]
    return tuple(dict.fromkeys(told))


def _of_verdicts(found: Survey) -> Iterator[Fault]:
    for script in found.scripts:
        if script.refusal is not None:
            yield _of_refusal(script.path, *script.refusal)
    for entry in found.entries:
        if entry.fault:
            yield _of_entry(entry)


def _of_plan(found: Survey) -> Iterator[Fault]:
    for path, warning in plan_warnings(found.scripts).items():
        text, cure = warning.removeprefix("warning: "), "take a number of the plan"
        yield Fault(severity="warning", path=path, rule="NAM-5", text=text, cure=cure)
    steps = {level: found.steps(level) for level in RUNLEVELS}
    for level in RUNLEVELS:
        yield from _of_level(level, found, steps[level])
    for each in requirements.unmet(found.scripts, steps):
        severity: Severity = "error" if each.is_error else "warning"
        yield Fault(severity=severity, path=each.script.path, rule=each.rule, text=each.text, cure=each.cure)
    for script in found.unassigned():
        text = "belongs to no runlevel, and never runs"
        cure = f"agentinitd rc add {script.name} RUNLEVEL"
        yield Fault(severity="note", path=script.path, rule="RL-4", text=text, cure=cure)


def of_finding(finding: str) -> Fault:
    """A finding of a folder of links: severity, path and text in one line."""
    kind, _, rest = finding.partition(": ")
    path, _, text = rest.partition(": ")
    rule, cure = _judged(text)
    return Fault(
        severity="error" if kind == "error" else "warning", path=path, rule=rule, text=text, cure=cure
    )


def _of_refusal(path: str, result: Result, reason: str) -> Fault:
    severity = _SEVERITIES.get(result, "error")
    if reason.startswith("duplicate"):
        severity = "error"
    elif reason.startswith("denied"):
        severity = "note"
    text, _, cure = reason.partition(". Cure: ")
    rule, usual = _judged(text)
    return Fault(
        severity=severity,
        path=path,
        rule=_RULES.get(result, rule),
        text=f"{result}: {text}",
        cure="" if severity == "note" else cure or usual,
    )


def usual_cure(reason: str) -> str:
    """Of a file that must not be used, where its reason names none."""
    return _judged(reason)[1]


def _judged(reason: str) -> tuple[str, str]:
    found = ((rule, cure) for words, rule, cure in _REASONS if words in reason)
    return next(found, ("RL-1", "let it be a relative link to an init.d/ of this or a lower layer"))


def _of_entry(entry: Entry) -> Fault:
    reason = entry.fault.removeprefix("error: ")
    text, _, cure = reason.partition(". Cure: ")
    rule, usual = _judged(text)
    severity: Severity = "warning" if entry.is_pending else "error"
    if "denied by you" in text:
        severity = "note"
    if text.startswith("dangling"):
        usual = f"agentinitd rc del {entry.key} --all, or put the script back"
    return Fault(severity=severity, path=entry.path, rule=rule, text=text, cure=cure or usual)


def _of_level(level: Runlevel, found: Survey, steps: tuple[Step, ...]) -> Iterator[Fault]:
    place = f"rc.d/{level}.d"
    for text in runlevels.stacked(level, found.entries)[1]:
        cure = "remove one of these @ entries"
        yield Fault(severity="error", path=place, rule="RL-6", text=text.removeprefix("error: "), cure=cure)
    if level != "shutdown" and not any(
        step.action == "start" and step.script.refusal is None for step in steps
    ):
        cure = f"agentinitd rc add SCRIPT {level}"
        yield Fault(severity="warning", path=place, rule="RL-4", text=f"{level} calls no script", cure=cure)
    for step in steps:
        wanted = min(100 - step.script.order, 99)
        if step.action == "stop" and int(step.name[1:3]) != wanted:
            text = f"{step.name} stops {step.script.name}; K{wanted:02} would be the reverse of starting"
            yield Fault(severity="warning", path=place, rule="RL-8", text=text, cure="rename the link")
