"""HDR-5 and HDR-6: what scripts require of each other is checked, and never used to re-sort."""

from __future__ import annotations

from laying import House, header, write

from agentinitd.model.scripts import RUNLEVELS
from agentinitd.rc import requirements


def told(house: House) -> list[tuple[str, str, str]]:
    scripts = house.scripts()
    steps = {level: house.steps(level) for level in RUNLEVELS}
    return [(each.script.name, each.rule, each.text) for each in requirements.unmet(scripts, steps)]


def script(house: House, name: str, *lines: str) -> None:
    write(house.init_d("user", name), header("Default-Start: compact", *lines))


def test_what_comes_earlier_is_met_by_key_or_by_another_name(house: House) -> None:
    script(house, "S50-a", "Provides: a base")
    script(house, "S60-b", "Required-Start: a base", "Should-Start: a nothing")
    assert told(house) == []


def test_what_comes_later_or_is_provided_by_nobody_is_an_error(house: House) -> None:
    script(house, "S50-a", "Required-Start: b nothing", "Should-Start: b")
    script(house, "S60-b")
    assert told(house) == [
        ("S50-a", "HDR-5", "requires b, which comes later: S60-b in compact"),
        ("S50-a", "HDR-5", "requires nothing, which no script provides"),
        ("S50-a", "HDR-5", "should start after b, which comes later in compact"),
    ]


def test_what_a_runlevel_does_not_call_or_what_does_not_run_is_named(house: House) -> None:
    write(house.init_d("user", "S50-a"), header("Default-Start: compact"))
    write(house.init_d("user", "S51-off"), header("Default-Start: compact"), mode=0o644)
    write(house.init_d("user", "S60-b"), header("Default-Start: compact slim", "Required-Start: a off"))
    assert told(house) == [
        ("S60-b", "HDR-5", "requires a, which these runlevels do not call: slim"),
        ("S60-b", "HDR-5", "requires off, but S51-off does not run: skipped: not executable"),
    ]


def test_a_loop_is_told_once_with_the_whole_chain(house: House) -> None:
    script(house, "S50-a", "Required-Start: c")
    script(house, "S60-b", "Required-Start: a")
    script(house, "S70-c", "Provides: c x", "Required-Start: b")
    script(house, "S80-d", "Required-Start: x")
    script(house, "S81-self", "Required-Start: self")
    loops = [text for _, rule, text in told(house) if rule == "HDR-6"]
    assert loops == [
        "requirements go in a loop: a -> c -> b -> a",
        "requirements go in a loop: self -> self",
    ]
