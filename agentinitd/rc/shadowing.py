"""Which of several scripts of one key counts: layers, masks, duplicates, and what a project may do (OVR)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace

from agentinitd.model.scripts import LayerName, Script

LAYERS: tuple[LayerName, ...] = ("vendor", "system", "user", "project")
"""From the weakest to the strongest."""
_OWNED_BY_PERSON = frozenset({"system", "user"})


def settle(
    scripts: Iterable[Script], *, project_override: bool = False, may_displace: frozenset[str] = frozenset()
) -> tuple[Script, ...]:
    """Every script again, in order, with a refusal for those that another displaces.

    `may_displace` holds the paths of project files whose approval names the key that they displace.
    """
    by_key: dict[str, list[Script]] = {}
    for script in scripts:
        by_key.setdefault(script.key or script.name, []).append(script)
    settled = [
        judged
        for group in by_key.values()
        for judged in _settle_key(group, project_override=project_override, may_displace=may_displace)
    ]
    return tuple(sorted(settled, key=lambda script: (script.name.encode(), LAYERS.index(script.layer))))


def counts(script: Script) -> bool:
    """It decides for its key: it runs, or it switches the key off on purpose."""
    if script.refusal is None or script.refusal[0] == "masked":
        return True
    # `chmod -x` is a documented way to switch off; a repository gets no such say about others' scripts.
    return script.refusal[0] == "skipped" and script.layer != "project"


def _settle_key(
    group: list[Script], *, project_override: bool, may_displace: frozenset[str]
) -> Iterable[Script]:
    strongest_first = sorted(group, key=lambda script: (-LAYERS.index(script.layer), script.name.encode()))
    winner: Script | None = None
    for script in strongest_first:
        if not counts(script):
            yield script
        elif winner is not None:
            yield _beaten(script, winner)
        elif _overreaches(script, group, project_override=project_override, may_displace=may_displace):
            yield replace(script, refusal=("refused", _displaces(script, group)))
        else:
            winner = script
            yield script


def _beaten(script: Script, winner: Script) -> Script:
    if script.layer == winner.layer:
        return replace(script, refusal=("ignored", f"duplicate of {winner.name} in the same layer"))
    return replace(script, refusal=("shadowed", f"by {winner.name} of the {winner.layer} layer"))


def _overreaches(
    script: Script, group: list[Script], *, project_override: bool, may_displace: frozenset[str]
) -> bool:
    if script.layer != "project" or project_override or script.path in may_displace:
        return False
    return any(other.layer in _OWNED_BY_PERSON and counts(other) for other in group)


def _displaces(script: Script, group: list[Script]) -> str:
    owner = next(other.layer for other in group if other.layer in _OWNED_BY_PERSON and counts(other))
    return f"displaces {owner} script {script.key}. Cure: agentinitd trust {shlex.quote(script.path)}"
