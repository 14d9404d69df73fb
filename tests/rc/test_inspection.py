"""Every fault is found without running anything, and told with file, line, rule and cure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from laying import House, header, link, write

from agentinitd.rc.faults import Fault
from agentinitd.rc.inspection import Surroundings, faults_of
from agentinitd.rc.survey import survey

GOOD = header("Short-Description: x")


def inspect(house: House, *, env_pass: tuple[str, ...] = ()) -> list[Fault]:
    around = Surroundings(search_path="/usr/bin:/bin", env_pass=env_pass)
    return faults_of(survey(house.layers, house.judge()), house.layers, around)


def told(house: House, path: Path) -> list[tuple[str, int | None, str]]:
    """Severity, line and rule of all that is said of this file."""
    return [(each.severity, each.line, each.rule) for each in inspect(house) if each.path == str(path)]


def test_good_scripts_in_every_layer_have_no_fault(house: House) -> None:
    for layer, name in (("vendor", "S10-a"), ("system", "S50-b"), ("user", "S60-c"), ("project", "S70-d")):
        path = write(house.init_d(layer, name), GOOD.replace("x", name))
        if layer == "project":
            house.approve(path)
    faults = inspect(house)
    assert {each.path for each in faults} == {f"rc.d/{level}.d" for level in ("slim", "switch", "manual")}
    assert {(each.severity, each.rule) for each in faults} == {("warning", "RL-4")}


@pytest.mark.parametrize(
    ("name", "severity", "rule"),
    [
        ("S50-a.sh", "warning", "NAM-3"),
        ("S50-a~", "warning", "NAM-3"),
        ("S50-Upper", "warning", "NAM-3"),
        ("plain", "warning", "NAM-3"),
        ("K50-a", "warning", "NAM-3"),
        ("S05-a", "warning", "NAM-5"),
    ],
)
def test_names(house: House, name: str, severity: str, rule: str) -> None:
    path = write(house.init_d("user", name), GOOD)
    assert told(house, path) == [(severity, None, rule)]
    assert all(each.cure for each in inspect(house))


def test_files_that_must_not_run(house: House) -> None:
    loose = write(house.init_d("user", "S50-a"), GOOD, mode=0o757)
    os.mkfifo(fifo := house.init_d("user", "S51-b"))
    gone = link(house.init_d("user", "S52-c"), "../nowhere")
    off = write(house.init_d("user", "S53-d"), GOOD, mode=0o644)
    write(house.init_d("user", "S54-e"), GOOD)
    twice = write(house.init_d("user", "S55-e"), GOOD)
    waits = write(house.init_d("project", "S70-f"), GOOD)
    expected = {
        loose: ("error", "TRU-1"),
        fifo: ("error", "NAM-6"),
        gone: ("error", "NAM-8"),
        off: ("warning", "NAM-7"),
        twice: ("error", "OVR-5"),
        waits: ("warning", "TRU-7"),
    }
    found = {path: [(each[0], each[2]) for each in told(house, path)] for path in expected}
    assert found == {path: [one] for path, one in expected.items()}
    cures = {each.path: each.cure for each in inspect(house)}
    assert cures[str(loose)] == f"chmod o-w {loose}"
    assert cures[str(waits)] == f"agentinitd trust {waits}"


def test_layers_are_explained_and_overreaching_is_an_error(house: House) -> None:
    lower = write(house.init_d("vendor", "S10-a"), GOOD)
    mask = write(house.init_d("user", "S10-a"), "")
    write(house.init_d("user", "S60-b"), GOOD)
    project = write(house.init_d("project", "S60-b"), GOOD)
    house.approve(project)
    assert told(house, lower) == [("note", None, "OVR-2")]
    assert told(house, mask) == [("note", None, "OVR-3")]
    assert told(house, project) == [("error", None, "OVR-4")]


def test_headers_line_by_line(house: House) -> None:
    text = header(
        "Provides: other",
        "Provide: a",
        "Short-Description: x",
        "X-Agentinitd-Timeout: 600",
        "Required-Start: nothing",
        "X-Agentinitd-Env: TOKEN LD_PRELOAD",
    )
    path = write(house.init_d("user", "S50-a"), text)
    assert told(house, path) == [
        ("error", 3, "OVR-1"),
        ("warning", 4, "HDR-2"),
        ("warning", 6, "HDR-4"),
        ("error", 7, "HDR-5"),
        ("warning", 8, "EXE-6"),
        ("warning", 8, "EXE-7"),
    ]
    bare = write(house.init_d("user", "S51-b"), "#!/bin/sh\n")
    assert told(house, bare) == [("warning", 1, "HDR-3")]
    unended = write(house.init_d("user", "S52-c"), "#!/bin/sh\n\n### BEGIN INIT INFO\n")
    assert told(house, unended) == [("error", 3, "HDR-1")]
    assert "EXE-6" not in {each.rule for each in inspect(house, env_pass=("TOKEN",))}


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("Provides: other", "let it begin with the key"),
        ("Provide: a", "correct its name"),
        ("no key", "write it so"),
        ("Default-Start: sesion", "take of session, compact"),
        ("X-Agentinitd-Timeout: 600", "write the value that holds"),
        ("X-Agentinitd-Timeout: soon", "write what is expected"),
        ("X-Agentinitd-Parallel: perhaps", "write what is expected"),
        ("X-Agentinitd-Env: 1A", "write letters"),
        (f"Short-Description: {'x' * 81}", "shorten it to 80 columns"),
    ],
)
def test_what_is_wrong_in_a_header_has_its_own_cure(house: House, line: str, cure: str) -> None:
    write(house.init_d("user", "S50-a"), header(line))
    cures = [each.cure for each in inspect(house) if each.line == 3]
    assert any(each.startswith(cure) for each in cures), cures


def test_an_override_is_blamed_for_its_own_lines(house: House) -> None:
    """OVR-6."""
    path = write(house.init_d("vendor", "S10-a"), GOOD)
    override = write(house.folder("user") / "overrides" / "S10-a", header("X-Oops: 1"), mode=0o644)
    stray = write(house.folder("user") / "overrides" / "S11-none", GOOD, mode=0o644)
    loose = write(house.folder("user") / "overrides" / "S12-b", GOOD, mode=0o666)
    assert told(house, path) == []
    assert [line for _, line, _ in told(house, override)] == [3, 3]
    assert told(house, stray) == [("warning", None, "OVR-6")]
    assert told(house, loose) == [("warning", None, "OVR-6")]


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (b"#!/bin/sh\r\n", "CRLF after interpreter"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "byte order mark"),
        (b"#!/no/such/interpreter\n", "no interpreter /no/such/interpreter"),
        (b"#!/usr/bin/env no-such-program\n", "finds no no-such-program"),
        (b"#!/usr/bin/env -S LANG=C no-such-program -x\n", "finds no no-such-program"),
        (b"echo hello\n", "no #! in the first line"),
    ],
)
def test_first_lines(house: House, first: bytes, reason: str) -> None:
    """EXE-2."""
    path = write(house.init_d("user", "S50-a"), first + GOOD.encode())
    faults = [each for each in inspect(house) if each.rule == "EXE-2" and each.severity == "error"]
    assert [(each.path, each.line) for each in faults] == [(str(path), 1)]
    assert reason in faults[0].text
    assert faults[0].cure


def test_line_ends_of_another_system_inside_a_script(house: House) -> None:
    path = write(house.init_d("user", "S50-a"), GOOD + "echo one\necho two\r\n")
    assert told(house, path) == [("warning", 7, "EXE-2")]


def test_links_and_runlevels(house: House) -> None:
    write(house.init_d("vendor", "S10-a"), GOOD)
    gone = link(house.rc_d("user", "slim", "S60-gone"), "../../init.d/S60-gone")
    real = write(house.rc_d("user", "slim", "S10-a"), "one\ntwo\n", mode=0o644)
    odd = write(house.rc_d("user", "switch", "K50-a"), "../../init.d/S10-a\n", mode=0o644)
    write(house.rc_d("user", "manual", "@slim"), "", mode=0o644)
    write(house.rc_d("user", "slim", "@manual"), "", mode=0o644)
    wrong = house.folder("user") / "rc.d" / "sesion.d"
    wrong.mkdir()
    removal = write(house.rc_d("project", "session", "S10-a"), "", mode=0o644)
    found = {(each.path, each.rule): each for each in inspect(house)}
    assert found[str(gone), "NAM-8"].cure.startswith("agentinitd rc del gone --all")
    assert found[str(real), "RL-2"].severity == "error"
    assert "K90 would be the reverse" in found["rc.d/switch.d", "RL-8"].text
    assert odd.exists()
    assert "slim -> manual -> slim" in found["rc.d/slim.d", "RL-6"].text
    assert "did you mean session.d?" in found[str(wrong), "RL-6"].text
    assert found[str(removal), "TRU-7"].cure == f"agentinitd trust {removal}"


def test_nothing_is_run(house: House) -> None:
    write(house.init_d("user", "S50-a"), f"#!/bin/sh\ntouch {house.base}/ran\n")
    inspect(house)
    assert not (house.base / "ran").exists()


def test_a_script_has_the_same_faults_before_and_after_it_is_approved(house: House) -> None:
    """What is wrong with it does not depend on whether somebody trusts it."""
    write(house.init_d("vendor", "S10-rules"), GOOD)
    write(house.init_d("user", "S60-mine"), header("Short-Description: x", "Required-Start: late"))
    theirs = {
        "S50-lost": header("Short-Description: x", "Required-Start: nowhere"),
        "S51-early": header("Short-Description: x", "Required-Start: late"),
        "S52-late": header("Short-Description: x", "X-Agentinitd-Timeout: 999"),
        "S53-round": header("Short-Description: x", "Required-Start: about"),
        "S54-about": header("Short-Description: x", "Required-Start: round"),
        "S55-wish": header("Short-Description: x", "Should-Start: about zoo", "Default-Start: slim"),
        "S56-twice": header("Short-Description: x", "X-Agentinitd-Nonsense: 1"),
        "S57-twice": GOOD,
        "S58-crlf": "#!/bin/sh\r\n",
        "S60-mine": GOOD,
    }
    paths = [write(house.init_d("project", name), text) for name, text in theirs.items()]
    link(entry := house.rc_d("project", "slim", "S10-rules"), "../../init.d/S10-rules")

    def said() -> set[tuple[str, int | None, str, str]]:
        return {
            (each.path, each.line, each.rule, each.text)
            for each in inspect(house)
            if each.rule != "TRU-7" and each.severity != "note" and each.path != str(entry)
        }

    before = said()
    for path in paths:
        house.approve(path, displaced=("mine",))

    assert before == said()
    assert {"HDR-5", "HDR-6", "HDR-4", "OVR-5", "HDR-2", "EXE-2"} <= {rule for _, _, rule, _ in before}
    assert not any("pending-trust" in text for _, _, _, text in before)
