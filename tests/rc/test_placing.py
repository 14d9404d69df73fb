"""`rc add` and `rc del` as changes of files: written, read again, and the runlevels are as asked (RL-7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from laying import House, header, link, write

from agentinitd.model.errors import AgentinitdError, PermissionRefused, UsageError
from agentinitd.model.scripts import RUNLEVELS, LayerName, Runlevel
from agentinitd.rc import entry_files
from agentinitd.rc.placing import Change, Placing
from agentinitd.rc.survey import survey


def placing(house: House, named: str, layer: LayerName = "user") -> Placing:
    return Placing(survey(house.layers, house.judge()), layer, house.folder(layer), named=named)


def add(house: House, named: str, *levels: Runlevel, layer: LayerName = "user") -> tuple[Change, ...]:
    changes = placing(house, named, layer).add(levels)
    entry_files.write(house.folder(layer), changes, within=house.project if layer == "project" else None)
    return changes


def remove(house: House, named: str, *levels: Runlevel, layer: LayerName = "user") -> tuple[Change, ...]:
    changes = placing(house, named, layer).remove(levels)
    entry_files.write(house.folder(layer), changes, within=house.project if layer == "project" else None)
    return changes


def calls(house: House, key: str) -> list[str]:
    """`level action` wherever the script is called."""
    return [
        f"{level} {step.action}"
        for level in RUNLEVELS
        for step in house.steps(level)
        if step.script.key == key
    ]


DEFAULT = ["session start", "compact start", "periodic start"]


def test_a_script_without_links_keeps_the_runlevels_of_its_header_and_gets_one_more(house: House) -> None:
    """RL-4: the first link takes the say from the header, which is therefore written out."""
    write(house.init_d("user", "S50-a"))
    add(house, "S50-a", "slim")
    assert calls(house, "a") == [*DEFAULT, "slim start"]
    path = house.rc_d("user", "slim", "S50-a")
    assert str(path.readlink()) == "../../init.d/S50-a"
    assert path.read_text() == house.init_d("user", "S50-a").read_text()


def test_without_runlevels_the_header_says_which_and_twice_changes_nothing(house: House) -> None:
    """RL-8: K entries are numbered 100 - S."""
    write(house.init_d("user", "S60-a"), header("Default-Start: compact", "Default-Stop: switch shutdown"))
    add(house, "a")
    assert calls(house, "a") == ["compact start", "switch stop", "shutdown stop"]
    assert house.rc_d("user", "switch", "K40-a").is_symlink()
    assert add(house, "a") == ()


def test_a_vendor_script_is_placed_by_a_line_that_no_upgrade_breaks(house: House) -> None:
    write(house.init_d("vendor", "S10-a"), header("Default-Start: compact"))
    add(house, "a", "slim")
    path = house.rc_d("user", "slim", "S10-a")
    assert path.read_text() == "../../init.d/S10-a\n"
    assert path.stat().st_mode & 0o777 == 0o644
    assert calls(house, "a") == ["compact start", "slim start"]


@pytest.mark.parametrize("layer", ["user", "vendor"])
def test_taken_out_of_one_runlevel_it_stays_in_the_others(house: House, layer: str) -> None:
    write(house.init_d(layer, "S20-a"))
    remove(house, "a", "periodic")
    assert calls(house, "a") == ["session start", "compact start"]
    assert remove(house, "a", "periodic") == ()


def test_a_link_of_a_lower_layer_is_removed_by_an_empty_file(house: House) -> None:
    write(house.init_d("vendor", "S10-a"))
    for level in ("session", "slim"):
        link(house.rc_d("vendor", level, "S10-a"), "../../init.d/S10-a")
    remove(house, "a", "slim")
    assert house.rc_d("user", "slim", "S10-a").read_bytes() == b""
    assert calls(house, "a") == ["session start"]
    add(house, "a", "slim")
    assert calls(house, "a") == ["session start", "slim start"]


def test_taken_out_everywhere_its_header_does_not_come_back(house: House) -> None:
    write(house.init_d("user", "S50-a"))
    add(house, "a")
    link(house.rc_d("user", "slim", "S51-a"), "../../init.d/S51-a")
    link(house.rc_d("user", "slim", "S52-gone"), "../../init.d/S52-gone")
    changes = remove(house, "a", *RUNLEVELS)
    assert calls(house, "a") == []
    assert len({(change.level, change.name) for change in changes}) == len(changes)
    assert remove(house, "a", *RUNLEVELS) == ()
    remove(house, "gone", *RUNLEVELS)
    assert not house.rc_d("user", "slim", "S52-gone").is_symlink()
    add(house, "a")
    assert calls(house, "a") == DEFAULT


def test_what_would_not_run_is_refused_with_the_reason(house: House) -> None:
    write(house.init_d("user", "S50-off"), mode=0o644)
    write(house.init_d("project", "S51-new"))
    write(house.init_d("user", "S52-mask"), "")
    for named, layer, reason in (
        ("off", "user", "not executable"),
        ("new", "project", "pending-trust: .* agentinitd trust"),
        ("mask", "user", "masked"),
    ):
        with pytest.raises(AgentinitdError, match=reason):
            add(house, named, "slim", layer=layer)  # type: ignore[arg-type]
    assert not (house.folder("user") / "rc.d").exists()


def test_a_script_of_a_higher_layer_is_not_linked_from_a_lower_one(house: House) -> None:
    """RL-1."""
    house.approve(write(house.init_d("project", "S50-a")))
    with pytest.raises(AgentinitdError, match="--project"):
        add(house, "a", "slim")
    add(house, "a", "slim", layer="project")
    assert calls(house, "a") == [*DEFAULT, "slim start"]


def test_what_a_stronger_layer_decides_is_said(house: House) -> None:
    write(house.init_d("vendor", "S10-a"), header("Default-Start: compact"))
    removal = write(house.rc_d("project", "slim", "S10-a"), "", mode=0o644)
    from agentinitd.rc import links

    pending = next(entry for entry in house.entries() if entry.path == str(removal))
    found = links.candidate(pending, house.judge())
    assert found is not None
    house.trust.allow(found, now=1.0, displaced=(), env=(), summary="")
    with pytest.raises(AgentinitdError, match=f"{removal} takes it out again"):
        add(house, "a", "slim")


def test_a_runlevel_that_stacks_another_is_named(house: House) -> None:
    write(house.init_d("user", "S50-a"))
    write(house.rc_d("user", "manual", "@compact"), "", mode=0o644)
    with pytest.raises(AgentinitdError, match="because it stacks compact"):
        remove(house, "a", "manual")


def test_what_nobody_knows_is_a_usage_error_with_the_nearest(house: House) -> None:
    write(house.init_d("user", "S50-branch"))
    with pytest.raises(UsageError, match="Did you mean branch"):
        placing(house, "brnch")


def test_nothing_is_written_outside_the_project(house: House, tmp_path: Path) -> None:
    house.approve(write(house.init_d("project", "S50-a")))
    outside = tmp_path / "outside"
    outside.mkdir()
    (house.folder("project") / "rc.d").symlink_to(outside)
    with pytest.raises(PermissionRefused, match="leads out of the project"):
        add(house, "a", "slim", layer="project")
    assert list(outside.iterdir()) == []
