from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from laying import HELLO, House, header, link, write


def names(house: House) -> list[tuple[str, str, str]]:
    return [
        (script.layer, script.name, script.refusal[0] if script.refusal else "runs")
        for script in house.scripts()
    ]


def test_scripts_of_all_layers_are_found_in_order(house: House) -> None:
    write(house.init_d("user", "S60-later"))
    write(house.init_d("vendor", "S10-first"))
    write(house.init_d("system", "S10-first"))
    assert names(house) == [
        ("vendor", "S10-first", "shadowed"),
        ("system", "S10-first", "runs"),
        ("user", "S60-later", "runs"),
    ]


def test_layers_that_do_not_exist_are_empty(house: House) -> None:
    assert house.scripts() == ()


def test_a_heap_of_other_files_crowds_out_no_script_and_is_told(house: House) -> None:
    """NAM-9, NAM-3."""
    script = write(house.init_d("user", "S50-a"))
    for number in range(600):
        write(house.init_d("user", f"#{number}#"), "", mode=0o644)

    assert house.verdict(script) == ("runs", "")
    folder = house.verdict(script.parent)
    assert folder == ("refused", "too full: 89 more files in it were not looked at")


def test_no_file_is_passed_over_in_silence(house: House) -> None:
    """NAM-1, NAM-3."""
    write(house.init_d("user", "S50-a.sh"))
    write(house.init_d("user", "S50-b~"))
    write(house.init_d("user", "S50-Upper"))
    write(house.init_d("user", "plain"))
    write(house.init_d("user", "K50-stop"))
    write(house.init_d("user", "README.md"))
    write(house.init_d("user", ".gitkeep"))
    (house.folder("user") / "init.d" / "S50-folder").mkdir()
    (house.folder("user") / "init.d" / "__pycache__").mkdir()
    assert [(script.name, script.refusal) for script in house.scripts()] == [
        ("K50-stop", ("ignored", "number: K names belong in rc.d")),
        ("S50-Upper", ("ignored", "case")),
        ("S50-a.sh", ("ignored", "extension")),
        ("S50-b~", ("ignored", "backup")),
        ("S50-folder", ("ignored", "directory")),
        ("plain", ("ignored", "number")),
    ]


def test_a_script_knows_its_header_its_hash_and_what_is_executed(house: House) -> None:
    path = write(house.init_d("user", "S50-a"), header("X-Agentinitd-Timeout: 3"))
    script = house.scripts()[0]
    assert (script.key, script.order, script.header.timeout_seconds) == ("a", 50, 3.0)
    assert script.executable == str(path)
    assert len(script.sha256) == 64


def test_without_the_execute_bit_it_is_skipped(house: House) -> None:
    """NAM-7."""
    path = write(house.init_d("user", "S50-a"), mode=0o644)
    assert house.verdict(path) == ("skipped", "not executable")


@pytest.mark.parametrize("form", ["empty", "link"])
def test_an_empty_file_and_a_link_to_dev_null_mask_lower_layers(house: House, form: str) -> None:
    """OVR-3."""
    lower = write(house.init_d("vendor", "S10-a"))
    path = house.init_d("user", "S10-a")
    if form == "empty":
        write(path, "")
    else:
        link(path, "/dev/null")
    assert house.verdict(lower)[0] == "shadowed"
    assert house.verdict(path) == ("masked", "switched off in the user layer")


def test_a_fifo_and_a_dangling_link_are_refused_and_the_rest_goes_on(house: House) -> None:
    """NAM-6, NAM-8."""
    write(house.init_d("user", "S50-a"))
    os.mkfifo(house.init_d("user", "S51-fifo"))
    link(house.init_d("user", "S52-gone"), "../nowhere")
    link(house.init_d("user", "S53-loop"), "S53-loop")
    link(house.init_d("user", "S54-tty"), "/dev/tty")
    assert [(script.name, script.refusal) for script in house.scripts()] == [
        ("S50-a", None),
        ("S51-fifo", ("refused", "not a regular file")),
        ("S52-gone", ("refused", "dangling link to ../nowhere")),
        ("S53-loop", ("refused", "dangling link to S53-loop")),
        ("S54-tty", ("refused", "not a regular file")),
    ]


def test_a_link_of_the_user_is_followed_and_its_target_judged(house: House) -> None:
    """NAM-8."""
    tool = write(house.base / "tools" / "a.sh")
    path = link(house.init_d("user", "S50-a"), str(tool))
    assert house.verdict(path) == ("runs", "")
    assert house.scripts()[0].executable == str(tool)
    tool.chmod(0o777)
    assert house.verdict(path)[0] == "refused"


def test_a_foreign_owner_or_a_loose_mode_is_refused(house: House) -> None:
    """TRU-1."""
    path = write(house.init_d("user", "S50-a"), mode=0o757)
    assert house.verdict(path) == ("refused", f"{path} is writable by everybody. Cure: chmod o-w {path}")
    path.chmod(0o755)
    assert house.verdict(path) == ("runs", "")
    assert replace(house, uid=54321).verdict(path)[0] == "refused"


def test_a_big_program_of_ones_own_runs_but_not_one_of_a_project(house: House) -> None:
    """TRU-6."""
    big = HELLO.encode() + b"#" * (1024 * 1024)
    own = write(house.init_d("user", "S50-a"), big)
    foreign = write(house.init_d("project", "S50-b"), big)
    assert house.verdict(own) == ("runs", "")
    assert house.verdict(foreign) == ("refused", "larger than 1,048,576 bytes")


def test_an_override_replaces_the_header_from_the_same_or_a_higher_layer(house: House) -> None:
    """OVR-6."""
    write(house.init_d("vendor", "S10-a"), header("X-Agentinitd-Timeout: 3"))
    write(house.folder("user") / "overrides" / "S10-a", header("X-Agentinitd-Timeout: 9"), mode=0o644)
    assert house.scripts()[0].header.timeout_seconds == 9.0


def test_a_project_cannot_override_headers_of_others(house: House) -> None:
    write(house.init_d("vendor", "S10-a"), header("X-Agentinitd-Timeout: 3"))
    write(house.folder("project") / "overrides" / "S10-a", header("Default-Start:"), mode=0o644)
    assert house.scripts()[0].header.timeout_seconds == 3.0


class TestProjectScripts:
    """A project's scripts run only as approved."""

    def test_not_approved_is_pending_with_the_cure(self, house: House) -> None:
        """TRU-2, TRU-7."""
        path = write(house.init_d("project", "S50-a"))
        assert house.verdict(path) == ("pending-trust", f"not approved. Cure: agentinitd trust {path}")

    def test_approved_it_runs_from_the_private_copy(self, house: House) -> None:
        """TRU-6."""
        path = write(house.init_d("project", "S50-a"))
        house.approve(path)
        assert house.verdict(path) == ("runs", "")
        executable = Path(house.scripts()[0].executable)
        assert executable.read_text() == HELLO
        assert executable.is_relative_to(house.base / "state" / "exec")

    def test_an_edit_revokes_and_restoring_the_bytes_renews(self, house: House) -> None:
        """TRU-3."""
        path = write(house.init_d("project", "S50-a"))
        house.approve(path)
        write(path, "#!/bin/sh\necho evil\n")
        assert house.verdict(path)[0] == "pending-trust"
        write(path)
        assert house.verdict(path) == ("runs", "")

    def test_renaming_revokes(self, house: House) -> None:
        path = write(house.init_d("project", "S50-a"))
        house.approve(path)
        moved = path.rename(path.with_name("S51-a"))
        assert house.verdict(moved)[0] == "pending-trust"

    def test_a_copied_project_is_not_trusted(self, house: House) -> None:
        """TRU-3, TRU-4."""
        path = write(house.init_d("project", "S50-a"))
        house.approve(path)
        copy = write(House(house.base / "copy").init_d("project", "S50-a"))
        judge = house.judge()
        assert replace(house, base=house.base).verdict(path) == ("runs", "")
        elsewhere = _Elsewhere(house.base / "copy", trust_of=house)
        assert elsewhere.verdict(copy)[0] == "pending-trust"
        assert judge.project is not None

    def test_a_mask_needs_approval_like_a_script(self, house: House) -> None:
        lower = write(house.init_d("vendor", "S10-a"))
        mask = write(house.init_d("project", "S10-a"), "")
        assert house.verdict(lower) == ("runs", "")
        assert house.verdict(mask)[0] == "pending-trust"
        house.approve(mask)
        assert house.verdict(lower)[0] == "shadowed"
        assert house.verdict(mask)[0] == "masked"

    def test_it_displaces_a_user_script_only_if_the_approval_says_so(self, house: House) -> None:
        """OVR-4."""
        own = write(house.init_d("user", "S60-a"))
        path = write(house.init_d("project", "S60-a"))
        house.approve(path)
        assert house.verdict(path)[0] == "refused"
        assert house.verdict(own) == ("runs", "")
        house.approve(path, displaced=("a",))
        assert house.verdict(path) == ("runs", "")
        assert house.verdict(own)[0] == "shadowed"

    def test_it_displaces_a_user_script_if_the_config_says_so(self, house: House) -> None:
        write(house.init_d("user", "S60-a"))
        path = write(house.init_d("project", "S60-a"))
        house.approve(path)
        assert replace(house, project_override=True).verdict(path) == ("runs", "")

    def test_a_link_must_stay_inside_the_project(self, house: House) -> None:
        """NAM-8."""
        outside = write(house.base / "outside.sh")
        inside = write(house.project / "scripts" / "a.sh")
        leaving = link(house.init_d("project", "S50-a"), str(outside))
        staying = link(house.init_d("project", "S51-b"), "../../scripts/a.sh")
        assert house.verdict(leaving) == ("refused", f"link leads out of the project, to {outside}")
        house.approve(staying)
        assert house.verdict(staying) == ("runs", "")
        write(inside, "#!/bin/sh\necho evil\n")
        assert house.verdict(staying)[0] == "pending-trust"

    def test_an_init_d_outside_the_project_is_refused(self, house: House) -> None:
        write(house.base / "outside" / "S50-a")
        link(house.folder("project") / "init.d", str(house.base / "outside"))
        assert names(house) == [("project", "init.d", "refused")]

    def test_files_it_sources_are_part_of_the_approval(self, house: House) -> None:
        """TRU-3."""
        library = write(house.project / "lib.sh", "true\n", mode=0o644)
        path = write(house.init_d("project", "S50-a"), header("X-Agentinitd-Trust-Also: lib.sh"))
        house.approve(path)
        assert house.verdict(path) == ("runs", "")
        library.write_text("echo evil\n")
        assert house.verdict(path)[0] == "pending-trust"
        library.unlink()
        assert house.verdict(path)[0] == "refused"

    def test_its_header_override_is_part_of_the_approval(self, house: House) -> None:
        path = write(house.init_d("project", "S50-a"))
        override = house.folder("project") / "overrides" / "S50-a"
        write(override, header("X-Agentinitd-Env: TOKEN"), mode=0o644)
        house.approve(path)
        assert house.verdict(path) == ("runs", "")
        write(override, header("X-Agentinitd-Env: TOKEN SECRET"), mode=0o644)
        assert house.verdict(path)[0] == "pending-trust"

    def test_a_project_of_somebody_else_is_refused_whatever_the_records_say(self, house: House) -> None:
        """TRU-11."""
        path = write(house.init_d("project", "S50-a"))
        house.approve(path)
        assert replace(house, uid=54321).verdict(path)[0] == "refused"
        if os.geteuid() == 0:
            os.chown(house.project, 54321, -1)
            assert house.verdict(path) == (
                "refused",
                f"the project folder {house.project} belongs to uid 54321, not to you",
            )


class _Elsewhere(House):
    """A house that asks for the approvals of another."""

    def __init__(self, base: Path, trust_of: House) -> None:
        super().__init__(base)
        object.__setattr__(self, "_trust", trust_of.trust)

    @property
    def trust(self):  # type: ignore[no-untyped-def]
        return self.__dict__["_trust"]
