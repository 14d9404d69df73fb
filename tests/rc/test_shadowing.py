from __future__ import annotations

from agentinitd.model.scripts import LayerName, Result, Script
from agentinitd.rc.shadowing import settle


def script(name: str, layer: LayerName, refusal: tuple[Result, str] | None = None) -> Script:
    return Script(
        name=name,
        key=name[4:],
        order=int(name[1:3]),
        layer=layer,
        path=f"/{layer}/init.d/{name}",
        refusal=refusal,
    )


def verdicts(*scripts: Script, **options: object) -> dict[str, str]:
    settled = settle(scripts, **options)  # type: ignore[arg-type]
    return {one.path: one.refusal[0] if one.refusal else "runs" for one in settled}


def test_the_highest_layer_wins_and_the_others_are_listed() -> None:
    """OVR-2."""
    assert verdicts(script("S10-a", "vendor"), script("S10-a", "system"), script("S15-a", "user")) == {
        "/vendor/init.d/S10-a": "shadowed",
        "/system/init.d/S10-a": "shadowed",
        "/user/init.d/S15-a": "runs",
    }


def test_a_mask_switches_off_every_lower_layer() -> None:
    """OVR-3."""
    assert verdicts(script("S10-a", "vendor"), script("S10-a", "user", ("masked", "off"))) == {
        "/vendor/init.d/S10-a": "shadowed",
        "/user/init.d/S10-a": "masked",
    }


def test_of_two_files_with_one_key_in_one_layer_the_first_runs() -> None:
    """OVR-5."""
    found = settle([script("S60-a", "user"), script("S50-a", "user")])
    assert [(one.name, one.refusal) for one in found] == [
        ("S50-a", None),
        ("S60-a", ("ignored", "duplicate of S50-a in the same layer")),
    ]


def test_a_script_that_cannot_run_displaces_nothing() -> None:
    for refusal in (("pending-trust", ""), ("refused", ""), ("ignored", "")):
        found = verdicts(script("S10-a", "vendor"), script("S10-a", "project", refusal))  # type: ignore[arg-type]
        assert found["/vendor/init.d/S10-a"] == "runs", refusal


def test_taking_the_execute_bit_switches_off_but_not_from_a_project() -> None:
    """NAM-7."""
    off: tuple[Result, str] = ("skipped", "not executable")
    assert (
        verdicts(script("S10-a", "vendor"), script("S10-a", "user", off))["/vendor/init.d/S10-a"]
        == "shadowed"
    )
    assert (
        verdicts(script("S10-a", "vendor"), script("S10-a", "project", off))["/vendor/init.d/S10-a"] == "runs"
    )


def test_a_project_may_override_vendor_scripts_but_not_those_of_the_person() -> None:
    """OVR-4."""
    assert verdicts(script("S10-a", "vendor"), script("S10-a", "project")) == {
        "/vendor/init.d/S10-a": "shadowed",
        "/project/init.d/S10-a": "runs",
    }
    found = settle([script("S10-a", "vendor"), script("S10-a", "user"), script("S10-a", "project")])
    assert [(one.layer, one.refusal and one.refusal[0]) for one in found] == [
        ("vendor", "shadowed"),
        ("user", None),
        ("project", "refused"),
    ]
    assert found[2].refusal is not None
    assert found[2].refusal[1].startswith("displaces user script a")


def test_the_person_can_allow_it_in_general_or_for_one_file() -> None:
    """OVR-4."""
    both = script("S10-a", "system"), script("S10-a", "project")
    assert verdicts(*both, project_override=True)["/project/init.d/S10-a"] == "runs"
    assert verdicts(*both, may_displace=frozenset({"/project/init.d/S10-a"})) == {
        "/system/init.d/S10-a": "shadowed",
        "/project/init.d/S10-a": "runs",
    }


def test_a_project_mask_of_a_user_script_is_refused_too() -> None:
    found = verdicts(script("S10-a", "user"), script("S10-a", "project", ("masked", "off")))
    assert found == {"/user/init.d/S10-a": "runs", "/project/init.d/S10-a": "refused"}


def test_order_is_that_of_the_bytes() -> None:
    """NAM-4."""
    found = settle([script("S20-a", "user"), script("S10-b_x", "user"), script("S10-b-x", "vendor")])
    assert [one.name for one in found] == ["S10-b-x", "S10-b_x", "S20-a"]
