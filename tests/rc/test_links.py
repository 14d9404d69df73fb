from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from laying import House, header, link, write

from agentinitd.rc import links

TARGET = "../../init.d/S10-a"


def faults(house: House) -> dict[str, str]:
    return {f"{entry.layer}/{entry.level}/{entry.name}": entry.fault for entry in house.entries()}


def started(house: House, level: str) -> list[str]:
    return [f"{step.script.layer}:{step.name}" for step in house.steps(level)]  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["link", "line", "line without newline", "copy"])
def test_a_link_is_read_in_each_of_its_forms(house: House, form: str) -> None:
    """RL-2."""
    write(house.init_d("vendor", "S10-a"), header("Default-Start:"))
    path = house.rc_d("vendor", "session", "S10-a")
    if form == "link":
        link(path, TARGET)
    elif form == "copy":
        write(path, house.init_d("vendor", "S10-a").read_bytes())
    else:
        write(path, TARGET + ("" if "without" in form else "\n"), mode=0o644)
    assert faults(house) == {"vendor/session/S10-a": ""}
    assert house.entries()[0].target == TARGET
    assert started(house, "session") == ["vendor:S10-a"]


@pytest.mark.parametrize(
    ("content", "mode"), [("#!/bin/sh\necho other\n", 0o755), ("two\nlines\n", 0o644), ("x" * 5000, 0o644)]
)
def test_any_other_file_is_an_error(house: House, content: str, mode: int) -> None:
    """RL-2."""
    write(house.init_d("vendor", "S10-a"))
    write(house.rc_d("vendor", "session", "S10-a"), content, mode=mode)
    assert faults(house) == {"vendor/session/S10-a": "error: real file in rc.d"}


@pytest.mark.parametrize(
    ("target", "fault"),
    [
        ("../../init.d/S10-gone", "error: the link is called a, but leads to ../../init.d/S10-gone"),
        ("../init.d/S10-a", "error: leads to no init.d of this or a lower layer"),
        ("../../../../etc/passwd", "error: leads to no init.d of this or a lower layer"),
        ("/etc/agentinitd/init.d/S10-a", "error: links are relative"),
        ("../../init.d/../init.d/S10-a", ""),
        ("../../../vendor/init.d/S10-a", ""),
    ],
)
def test_a_link_leads_into_an_init_d_of_its_own_or_a_lower_layer(
    house: House, target: str, fault: str
) -> None:
    """RL-1."""
    write(house.init_d("vendor", "S10-a"))
    link(house.rc_d("user", "session", "S10-a"), target)
    assert faults(house) == {"user/session/S10-a": fault}


def test_a_lower_layer_cannot_link_to_a_higher_one(house: House) -> None:
    """RL-1."""
    write(house.init_d("user", "S10-a"))
    link(house.rc_d("vendor", "session", "S10-a"), "../../../user/init.d/S10-a")
    link(house.rc_d("system", "session", "S10-a"), TARGET)
    assert faults(house) == {
        "vendor/session/S10-a": "error: leads to no init.d of this or a lower layer",
        "system/session/S10-a": "error: dangling: no init.d holds a",
    }


def test_an_empty_file_and_dev_null_remove_a_lower_entry(house: House) -> None:
    """RL-4."""
    write(house.init_d("vendor", "S10-a"))
    for level in ("session", "compact", "periodic"):
        link(house.rc_d("vendor", level, "S10-a"), TARGET)
    write(house.rc_d("user", "session", "S10-a"), "", mode=0o644)
    link(house.rc_d("user", "compact", "S10-a"), "/dev/null")
    assert started(house, "session") == []
    assert started(house, "compact") == []
    assert started(house, "periodic") == ["vendor:S10-a"]


def test_levels_stack_and_can_be_unstacked(house: House) -> None:
    """RL-6."""
    write(house.init_d("vendor", "S10-a"), header("Default-Start: compact"))
    write(house.rc_d("vendor", "manual", "@compact"), "", mode=0o644)
    assert started(house, "manual") == ["vendor:S10-a"]
    link(house.rc_d("user", "manual", "@compact"), "/dev/null")
    assert started(house, "manual") == []


def test_what_does_not_belong_there_is_said(house: House) -> None:
    write(house.rc_d("user", "session", "S10-a.bak"))
    write(house.rc_d("user", "sesion", "S10-a"))
    write(house.rc_d("user", "session", "@compcat"), "")
    write(house.rc_d("user", "session", ".gitkeep"), "")
    entries, findings = house.links()
    assert [entry.fault for entry in entries] == ["error: no runlevel compcat"]
    base = house.folder("user") / "rc.d"
    assert findings == (
        f"warning: {base}/sesion.d: no such runlevel; did you mean session.d?",
        f"warning: {base}/session.d/S10-a.bak: ignored: backup",
    )


def test_links_that_others_could_have_made_are_not_followed(house: House) -> None:
    write(house.init_d("vendor", "S10-a"))
    path = link(house.rc_d("user", "session", "S10-a"), TARGET)
    path.parent.chmod(0o777)
    assert "writable by everybody" in faults(house)["user/session/S10-a"]


class TestOfAProject:
    """A project's `rc.d/` decides about the project's own scripts; for more it needs approval."""

    def test_its_own_scripts_it_places_freely(self, house: House) -> None:
        script = write(house.init_d("project", "S50-b"), header("Default-Start:"))
        house.approve(script)
        link(house.rc_d("project", "slim", "S50-b"), "../../init.d/S50-b")
        assert faults(house) == {"project/slim/S50-b": ""}
        assert started(house, "slim") == ["project:S50-b"]

    def test_an_unapproved_script_is_not_let_in_by_a_link(self, house: House) -> None:
        write(house.init_d("project", "S50-b"), header("Default-Start:"))
        link(house.rc_d("project", "slim", "S50-b"), "../../init.d/S50-b")
        steps = house.steps("slim")
        assert [step.script.refusal and step.script.refusal[0] for step in steps] == ["pending-trust"]

    def test_removing_a_vendor_script_needs_approval(self, house: House) -> None:
        write(house.init_d("vendor", "S10-a"))
        link(house.rc_d("vendor", "session", "S10-a"), TARGET)
        write(house.rc_d("project", "session", "S10-a"), "", mode=0o644)
        assert faults(house)["project/session/S10-a"].startswith(
            "pending-trust: not approved. Cure: agentinitd trust "
        )
        assert started(house, "session") == ["vendor:S10-a"]
        self.approve(house, "S10-a")
        assert started(house, "session") == []

    def test_stacking_a_level_needs_approval(self, house: House) -> None:
        write(house.init_d("vendor", "S10-a"), header("Default-Start: compact"))
        write(house.rc_d("project", "slim", "@compact"), "", mode=0o644)
        assert started(house, "slim") == []
        self.approve(house, "@compact")
        assert started(house, "slim") == ["vendor:S10-a"]

    def test_a_user_script_it_touches_only_with_the_users_explicit_word(self, house: House) -> None:
        write(house.init_d("user", "S60-c"))
        write(house.rc_d("project", "session", "S60-c"), "", mode=0o644)
        self.approve(house, "S60-c")
        assert faults(house)["project/session/S60-c"] == "refused: displaces your own script c"
        self.approve(house, "S60-c", displaced=("c",))
        assert faults(house)["project/session/S60-c"] == ""
        assert faults(replace(house, project_override=True))["project/session/S60-c"] == ""

    def test_an_rc_d_outside_the_project_is_not_read(self, house: House) -> None:
        write(house.init_d("vendor", "S10-a"))
        write(house.base / "outside" / "session.d" / "S10-a", "")
        link(house.folder("project") / "rc.d", str(house.base / "outside"))
        assert house.entries() == ()
        assert "leads out of the project" in house.links()[1][0]

    def approve(self, house: House, name: str, *, displaced: tuple[str, ...] = ()) -> None:
        entry = next(entry for entry in house.entries() if entry.name == name and entry.layer == "project")
        wanted = links.candidate(entry, house.judge())
        assert wanted is not None
        house.trust.allow(wanted, now=1.0, displaced=displaced, env=(), summary="")


def test_the_vendor_runlevels_are_the_promised_ones() -> None:
    root = Path(__file__).parents[2] / "rc.d"
    found = {level.name: sorted(entry.name for entry in level.iterdir()) for level in root.iterdir()}
    six = [
        "S10-constraints",
        "S15-captured-rules",
        "S20-tools",
        "S30-task-state",
        "S40-decisions",
        "S45-captured-facts",
    ]
    assert found == {
        "session.d": six,
        "compact.d": six,
        "periodic.d": six,
        "slim.d": ["S30-task-state"],
        "manual.d": ["@compact"],
        "switch.d": ["@compact"],
        "shutdown.d": [".gitkeep"],
    }
    for path in root.glob("*.d/S*"):
        assert path.is_symlink()
        assert str(path.readlink()) == f"../../init.d/{path.name}"
