"""All there is to know of scripts and runlevels at one moment: the layers and their links, read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agentinitd.model.scripts import RUNLEVELS, Runlevel, Script
from agentinitd.rc import layers, links, names, runlevels
from agentinitd.rc.layers import Judge, Layer
from agentinitd.rc.runlevels import Entry, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """One reading of all layers."""

    judge: Judge
    scripts: tuple[Script, ...]
    entries: tuple[Entry, ...]
    findings: tuple[str, ...]
    """What is wrong with `rc.d/` folders, links and numbers."""

    def steps(self, level: Runlevel, *, started: frozenset[str] | None = None) -> tuple[Step, ...]:
        """All of them, unless `started` says which may be stopped."""
        return runlevels.steps(level, self.scripts, self.entries, started=started)

    def unassigned(self) -> tuple[Script, ...]:
        return runlevels.unassigned(self.scripts, self.entries, RUNLEVELS)


def survey(found: Sequence[Layer], judge: Judge, *, project_override: bool = False) -> Survey:
    """Read every layer once."""
    scripts = layers.scripts(found, judge, project_override=project_override)
    entries, findings = links.read(found, scripts, judge, project_override=project_override)
    return Survey(
        judge=judge,
        scripts=scripts,
        entries=entries,
        findings=(
            *findings,
            *_faults(entries),
            *_stacks(entries),
            *(f"{path}: {warning}" for path, warning in plan_warnings(scripts).items()),
        ),
    )


def as_if_approved(real: Survey, found: Sequence[Layer]) -> Survey:
    """Read again, as it would be with everything approved on which nobody decided."""
    return survey(found, replace(real.judge, is_trusting=True))


def _faults(entries: Sequence[Entry]) -> list[str]:
    return [f"{entry.path}: {entry.fault}" for entry in entries if entry.fault]


def _stacks(entries: Sequence[Entry]) -> list[str]:
    return [finding for level in RUNLEVELS for finding in runlevels.stacked(level, entries)[1]]


def plan_warnings(scripts: Sequence[Script]) -> dict[str, str]:
    """Path → what lint says of its number; one that takes the place of another bears that one's (NAM-5)."""
    found: dict[str, str] = {}
    for script in scripts:
        name = names.parse(script.name)
        is_override = any(other.name == script.name and other.layer != script.layer for other in scripts)
        warning = names.plan_warning(name, script.layer) if name and not is_override else None
        if warning:
            found[script.path] = warning
    return found
