"""What scripts require of each other, checked and never used to re-sort (HDR-5, HDR-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agentinitd.model.scripts import Runlevel, Script
from agentinitd.rc.runlevels import Step


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that cannot hold; `cure` says what would make it."""

    script: Script
    rule: str
    text: str
    cure: str
    is_error: bool = True


def unmet(scripts: Sequence[Script], steps: Mapping[Runlevel, Sequence[Step]]) -> Iterator[Unmet]:
    """Of the scripts that run: what they require and what they wish for, where it cannot be had."""
    for script in scripts:
        if script.refusal is not None:
            continue
        for facility in script.header.required_start:
            yield from _required(script, facility, scripts, steps)
        for facility in script.header.should_start:
            yield from _wished(script, facility, steps)
    yield from _loops(scripts)


def _provides(script: Script, facility: str) -> bool:
    return facility in (script.key, *script.header.provides)


def _required(
    script: Script, facility: str, scripts: Sequence[Script], steps: Mapping[Runlevel, Sequence[Step]]
) -> Iterator[Unmet]:
    known = [other for other in scripts if _provides(other, facility) and other.key]
    able = [other for other in known if other.refusal is None]
    if not known:
        yield Unmet(script, "HDR-5", f"requires {facility}, which no script provides", "correct the name")
    elif not able:
        why = ": ".join(known[-1].refusal or ())
        yield Unmet(
            script, "HDR-5", f"requires {facility}, but {known[-1].name} does not run: {why}", "mend that one"
        )
    else:
        late = [level for level in steps if _comes_late(script, facility, steps[level])]
        absent = [level for level in steps if _is_absent(script, facility, steps[level])]
        name = able[0].name
        if late:
            text = f"requires {facility}, which comes later: {name} in {', '.join(late)}"
            yield Unmet(script, "HDR-5", text, f"give {script.name} a number above that of {name}")
        if absent:
            text = f"requires {facility}, which these runlevels do not call: {', '.join(absent)}"
            cure = f"agentinitd rc add {name} {' '.join(absent)}"
            yield Unmet(script, "HDR-5", text, cure)


def _wished(script: Script, facility: str, steps: Mapping[Runlevel, Sequence[Step]]) -> Iterator[Unmet]:
    late = [level for level in steps if _comes_late(script, facility, steps[level])]
    if late:
        text = f"should start after {facility}, which comes later in {', '.join(late)}"
        yield Unmet(script, "HDR-5", text, "change the number of one of them", is_error=False)


def _places(script: Script, facility: str, steps: Sequence[Step]) -> tuple[int, list[int]]:
    """Where the script and the providers stand among what starts; -1 and nothing where they do not."""
    starts = [step.script for step in steps if step.action == "start" and step.script.refusal is None]
    own = next((place for place, each in enumerate(starts) if each.path == script.path), -1)
    providers = [
        place for place, each in enumerate(starts) if _provides(each, facility) and each.path != script.path
    ]
    return own, providers


def _comes_late(script: Script, facility: str, steps: Sequence[Step]) -> bool:
    own, providers = _places(script, facility, steps)
    return own >= 0 and bool(providers) and min(providers) > own


def _is_absent(script: Script, facility: str, steps: Sequence[Step]) -> bool:
    own, providers = _places(script, facility, steps)
    return own >= 0 and not providers


def _loops(scripts: Sequence[Script]) -> Iterator[Unmet]:
    able = [script for script in scripts if script.refusal is None]
    needs = {
        script.key: [
            other.key
            for facility in script.header.required_start
            for other in able
            if _provides(other, facility)
        ]
        for script in able
    }
    told: set[frozenset[str]] = set()
    for script in able:
        chain = _way_back(script.key, needs)
        if chain and frozenset(chain) not in told:
            told.add(frozenset(chain))
            text = f"requirements go in a loop: {' -> '.join((*chain, script.key))}"
            yield Unmet(script, "HDR-6", text, "take one of these out of a Required-Start")


def _way_back(start: str, needs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The shortest way from a script over what it needs to itself; empty when there is none."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for key in needs.get(way[-1], ()):
            if key == start:
                return way
            if key not in seen:
                seen.add(key)
                ways.append((*way, key))
    return ()
