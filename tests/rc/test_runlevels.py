from __future__ import annotations

from dataclasses import replace

from agentinitd.model.scripts import Header, LayerName, Result, Runlevel, Script
from agentinitd.rc.runlevels import Entry, stacked, steps, unassigned


def script(
    name: str,
    layer: LayerName = "vendor",
    *,
    start: tuple[str, ...] = ("session", "compact", "periodic"),
    stop: tuple[str, ...] = (),
    refusal: tuple[Result, str] | None = None,
) -> Script:
    return Script(
        name=name,
        key=name[4:],
        order=int(name[1:3]),
        layer=layer,
        path=f"/{layer}/init.d/{name}",
        header=Header(default_start=start, default_stop=stop),
        refusal=refusal,
    )


def entry(level: Runlevel, name: str, layer: LayerName = "vendor", *, is_removal: bool = False) -> Entry:
    kind, key = ("@", name[1:]) if name.startswith("@") else (name[0], name[4:])
    return Entry(
        level=level,
        layer=layer,
        name=name,
        path=f"/{layer}/rc.d/{level}.d/{name}",
        kind=kind,  # type: ignore[arg-type]
        key=key,
        target="" if is_removal or kind == "@" else f"../../init.d/{name}",
        is_removal=is_removal,
    )


def called(level: Runlevel, scripts: list[Script], entries: list[Entry], **options: object) -> list[str]:
    return [
        f"{step.name} {step.action}"
        for step in steps(level, scripts, entries, **options)  # type: ignore[arg-type]
    ]


def test_without_links_the_header_decides() -> None:
    """RL-4."""
    scripts = [script("S20-b"), script("S10-a"), script("S30-c", start=("slim",))]
    assert called("session", scripts, []) == ["S10-a start", "S20-b start"]
    assert called("slim", scripts, []) == ["S30-c start"]


def test_a_link_anywhere_takes_the_decision_from_the_header() -> None:
    """RL-4."""
    scripts = [script("S10-a"), script("S20-b")]
    assert called("session", scripts, [entry("compact", "S10-a")]) == ["S20-b start"]
    assert called("compact", scripts, [entry("compact", "S10-a")]) == ["S10-a start", "S20-b start"]


def test_the_link_decides_the_order() -> None:
    scripts = [script("S10-a"), script("S20-b")]
    assert called("session", scripts, [entry("session", "S70-a")]) == ["S20-b start", "S70-a start"]


def test_a_file_that_overrides_the_linked_one_brings_its_own_number() -> None:
    scripts = [script("S10-a", refusal=("shadowed", "")), script("S60-a", "user"), script("S20-b")]
    assert called("session", scripts, [entry("session", "S10-a")]) == ["S20-b start", "S60-a start"]


def test_a_higher_layer_renumbers_and_removes_entries() -> None:
    scripts = [script("S10-a"), script("S20-b")]
    vendor = [entry("session", "S10-a"), entry("session", "S20-b")]
    assert called("session", scripts, [*vendor, entry("session", "S90-a", "user")]) == [
        "S20-b start",
        "S90-a start",
    ]
    assert called("session", scripts, [*vendor, entry("session", "S10-a", "user", is_removal=True)]) == [
        "S20-b start"
    ]


def test_a_lower_layer_cannot_remove_what_a_higher_one_added() -> None:
    entries = [entry("session", "S10-a", is_removal=True), entry("session", "S10-a", "user")]
    assert called("session", [script("S10-a")], entries) == ["S10-a start"]


def test_removing_every_link_does_not_bring_the_header_back() -> None:
    entries = [entry("session", "S10-a"), entry("session", "S10-a", "user", is_removal=True)]
    assert called("session", [script("S10-a")], entries) == []


def test_an_entry_with_a_fault_counts_for_nothing() -> None:
    broken = replace(entry("compact", "S10-a"), fault="error: dangling")
    assert called("session", [script("S10-a")], [broken]) == ["S10-a start"]


def test_levels_stack() -> None:
    """RL-6."""
    scripts = [script("S10-a"), script("S20-b", start=("compact",)), script("S30-c", start=("manual",))]
    entries = [entry("manual", "@compact"), entry("compact", "S10-a")]
    assert called("manual", scripts, entries) == ["S10-a start", "S20-b start", "S30-c start"]


def test_a_stack_that_loops_is_named_and_ends() -> None:
    """RL-6."""
    entries = [entry("manual", "@compact"), entry("compact", "@manual")]
    levels, findings = stacked("manual", entries)
    assert levels == ("manual", "compact")
    assert findings == ("error: runlevels stack in a loop: manual -> compact -> manual",)


def test_k_entries_come_first_with_stop_and_only_in_switch_and_shutdown() -> None:
    """RL-8, RL-9."""
    scripts = [script("S10-a", stop=("switch", "shutdown", "session")), script("S20-b")]
    entries = [entry("switch", "@compact"), entry("switch", "K80-b"), entry("compact", "S20-b")]
    assert called("switch", scripts, entries) == ["K80-b stop", "K90-a stop", "S10-a start", "S20-b start"]
    assert called("shutdown", scripts, entries) == ["K90-a stop"]
    assert called("session", scripts, entries) == ["S10-a start"]


def test_only_what_was_started_in_this_session_is_stopped() -> None:
    """RL-9."""
    scripts = [script("S10-a", stop=("shutdown",)), script("S20-b", stop=("shutdown",))]
    assert called("shutdown", scripts, [], started=frozenset({"b"})) == ["K80-b stop"]
    assert called("shutdown", scripts, [], started=frozenset()) == []


def test_what_would_have_run_is_reported_with_its_refusal() -> None:
    scripts = [
        script("S10-a"),
        script("S10-a", "project", refusal=("pending-trust", "")),
        script("S20-b", refusal=("masked", "")),
        script("S30-c", refusal=("shadowed", "")),
        script("S40-d", refusal=("ignored", "")),
    ]
    found = steps("session", scripts, [])
    assert [(step.name, step.script.layer, step.script.refusal) for step in found] == [
        ("S10-a", "vendor", None),
        ("S10-a", "project", ("pending-trust", "")),
        ("S20-b", "vendor", ("masked", "")),
    ]


def test_scripts_of_no_runlevel_are_found() -> None:
    scripts = [script("S10-a"), script("S20-b", start=())]
    assert [one.name for one in unassigned(scripts, [], ["session", "compact"])] == ["S20-b"]
