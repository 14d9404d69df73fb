"""Scripts that end in every way there is: exit codes, and signals that nobody expected."""

from __future__ import annotations

import json
from typing import Any

import pytest

FAILURES = {
    1: "exit 1",
    2: "exit 2: bad arguments",
    4: "exit 4: permission denied",
    7: "exit 7: a daemon it needs is not running",
    8: "exit 8",
    75: "exit 75: try later",
    99: "exit 99",
    100: "exit 100",
    125: "exit 125: it says that it will never succeed as it is",
    126: "exit 126: a command inside it could not be executed",
    127: "exit 127: a command inside it was not found",
    254: "exit 254",
}
SKIPS = {3: "action not implemented", 5: "not installed", 6: "not configured"}
SIGNALS = ("TERM", "KILL", "SEGV", "ABRT", "PIPE", "INT", "HUP", "QUIT", "USR1", "XCPU", "BUS", "ALRM")


def test_exit_0_is_the_only_one_whose_output_is_used(place: Any) -> None:
    """Section 7: done."""
    place.script("S50-ends", "echo '- It ended well'; exit 0")

    told = place.starts()

    assert (told.of("ends")["result"], told.of("ends")["exit"]) == ("ok", 0)
    assert "- It ended well" in told.lines
    assert told.run["result"] == "ok"
    place.assert_others_delivered(told)


@pytest.mark.parametrize("code", FAILURES)
def test_an_exit_code_of_failure_is_told_everywhere_and_its_output_is_dropped(place: Any, code: int) -> None:
    """Section 7, FAIL-1, FAIL-3: recorded with its meaning, and the run goes on."""
    place.script("S50-ends", f"echo '- Half of it'; echo trouble >&2; exit {code}")

    told = place.starts()

    ended = told.of("ends")
    assert (ended["result"], ended["exit"], ended["signal"]) == ("failed", code, None)
    assert ended["reason"].startswith(FAILURES[code])
    assert ended["err_tail"] == "trouble\n"
    assert "Half of it" not in told.text
    assert "trouble" not in told.text  # OUT-1
    place.assert_degraded(told, "S50-ends", FAILURES[code])
    assert [(each["event"], each["exit"]) for each in place.logged("ends")] == [("script.end", code)]
    place.assert_others_delivered(told)


@pytest.mark.parametrize("code", SKIPS)
def test_an_exit_code_of_absence_is_no_failure(place: Any, code: int) -> None:
    """Section 7: what is not installed, not configured or not meant is skipped without a word."""
    place.script("S50-ends", f"echo '- Half of it'; exit {code}")

    told = place.starts()

    ended = told.of("ends")
    assert (ended["result"], ended["reason"], ended["exit"]) == ("skipped", SKIPS[code], code)
    assert told.run["result"] == "ok"
    assert "Half of it" not in told.text
    assert "S50-ends" not in told.text
    assert place.reasons() == []
    place.assert_others_delivered(told)


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_told_by_its_name(place: Any, name: str) -> None:
    """Section 7, EXE-9: never as 128+n; and no signal is ignored because the daemon ignores it."""
    place.script("S50-ends", f"echo '- Half of it'; kill -{name} $$; sleep 30", "X-Timeout: 10")

    told = place.starts()

    ended = told.of("ends")
    assert (ended["result"], ended["signal"], ended["exit"]) == ("failed", f"SIG{name}", None)
    assert ended["reason"] == f"signal: SIG{name}"
    assert "Half of it" not in told.text
    place.assert_degraded(told, "S50-ends", f"signal: SIG{name}")
    place.assert_others_delivered(told)


def again(place: Any) -> dict[str, Any]:
    """What becomes of the script in another rebuild of the same session."""
    asked = {"session": place.session.id, "runlevel": "compact"}
    status, body = place.daemon.ask("POST", "/v1/rebuild", asked)
    assert status == 200, body
    return next(each for each in json.loads(body)["scripts"] if each["key"] == "ends")


def test_after_three_failures_it_is_left_alone_until_reset(place: Any) -> None:
    """FAIL-4."""
    place.script("S50-ends", f"echo run >> {place.root}/count; exit 1")
    place.starts()

    ended = [again(place) for _ in range(3)]

    assert [each["flags"] for each in ended] == [[], [], ["backoff"]]
    assert ended[-1]["reason"].startswith("backoff: failed 3 times in a row")
    assert (place.root / "count").read_text() == "run\n" * 3
    [held] = place.session.seen()["backoff"]
    assert (held["script"], held["failures"]) == ("ends", 3)

    reset = place.daemon.command("reset-failed", "S50-ends", cwd=place.root)

    assert reset.returncode == 0, reset.stderr
    assert place.session.seen()["backoff"] == []
    assert again(place)["flags"] == []
    assert (place.root / "count").read_text() == "run\n" * 4
    place.assert_serving()


def test_other_bytes_are_tried_at_once(place: Any) -> None:
    """FAIL-4: the wait is for these bytes."""
    place.script("S50-ends", "exit 1")
    place.starts()
    assert [again(place)["flags"] for _ in range(3)][-1] == ["backoff"]

    place.script("S50-ends", "echo '- Mended'")

    assert again(place)["result"] == "ok"
    assert place.session.seen()["backoff"] == []


def test_try_later_does_not_count_as_a_failure_in_a_row(place: Any) -> None:
    """Section 7: 75."""
    place.script("S50-ends", "exit 75")
    place.starts()

    assert [again(place)["flags"] for _ in range(4)] == [[], [], [], []]
    assert place.session.seen()["backoff"] == []


def test_never_again_holds_from_the_first_time_on(place: Any) -> None:
    """Section 7: 125."""
    place.script("S50-ends", f"echo run >> {place.root}/count; exit 125")
    place.starts()

    held = again(place)

    assert (held["result"], held["flags"]) == ("failed", ["backoff"])
    assert (place.root / "count").read_text() == "run\n"
    assert place.session.seen()["backoff"][0]["again_at"] is None


@pytest.fixture
def breakable(place: Any) -> Any:
    """A place whose script speaks once, and fails as soon as there is a file `broken`."""
    place.script("S50-ends", "[ -e broken ] && exit 9; echo '- It was so'")
    assert "- It was so" in place.starts().lines
    (place.root / "broken").touch()
    return place


def test_what_it_said_last_stands_in_for_it_with_a_note(breakable: Any) -> None:
    """FAIL-2, OUT-9."""
    told = breakable.compacts()

    assert (told.of("ends")["result"], told.of("ends")["flags"]) == ("failed", ["last-good"])
    assert "- It was so" in told.lines
    assert any(line.startswith("(old output, ") and "exit 9" in line for line in told.lines)
    assert told.lines[1].startswith("Degraded: S50-ends")
    breakable.assert_others_delivered(told)


def test_what_it_said_too_long_ago_does_not_stand_in(breakable: Any) -> None:
    """FAIL-2: a day at most."""
    for kept in breakable.daemon.state_dir.glob("last-good/*/ends.*.json"):
        record = json.loads(kept.read_text())
        kept.write_text(json.dumps({**record, "made_at": record["made_at"] - 25 * 3600}))

    told = breakable.compacts()

    assert told.of("ends")["flags"] == []
    assert "It was so" not in told.text
    breakable.assert_degraded(told, "S50-ends", "exit 9")


def test_what_other_bytes_said_does_not_stand_in(breakable: Any) -> None:
    """FAIL-2: only of the same script."""
    breakable.script("S50-ends", "exit 9 # another one")

    told = breakable.compacts()

    assert told.of("ends")["flags"] == []
    assert "It was so" not in told.text
    breakable.assert_degraded(told, "S50-ends", "exit 9")


def test_a_damaged_record_of_what_it_said_costs_nothing_but_that(breakable: Any) -> None:
    """FIL-5: derived data that is torn is made again."""
    for kept in breakable.daemon.state_dir.glob("last-good/*/ends.*.json"):
        kept.write_bytes(kept.read_bytes()[:40])

    told = breakable.compacts()

    assert "It was so" not in told.text
    breakable.assert_degraded(told, "S50-ends", "exit 9")
    breakable.assert_others_delivered(told)


def test_an_essential_one_that_fails_degrades_the_whole(place: Any) -> None:
    """FAIL-3, FAIL-2: `omit` is not allowed for it."""
    place.script("S50-ends", "exit 1", "X-Essential: yes", "X-On-Failure: omit")
    place.script("S51-other", "echo '- Other'", "X-Essential: yes")

    told = place.starts()

    place.assert_degraded(told, "S50-ends", "exit 1")
    place.assert_others_delivered(told)


def test_when_no_essential_one_is_left_the_snippet_says_what_it_lacks(place: Any) -> None:
    """FAIL-3: `failed`."""
    place.file("S10-constraints", b"")
    place.script("S50-ends", "exit 1", "X-Essential: yes")

    told = place.starts()

    assert told.run["result"] == "failed"
    assert told.lines[1].startswith("Failed: S50-ends did not run")
    assert "- The neighbour was here" in told.lines
    place.assert_serving()


def test_one_that_asks_to_be_omitted_leaves_no_section(place: Any) -> None:
    """FAIL-2."""
    place.script("S50-ends", "exit 1", "X-On-Failure: omit", "X-Section: Gone")

    told = place.starts()

    assert told.of("ends")["result"] == "failed"
    assert "Gone" not in told.text
    assert told.run["result"] == "degraded"
    place.assert_others_delivered(told)


def test_one_that_aborts_takes_all_behind_it_along_and_none_before(place: Any) -> None:
    """FAIL-1."""
    place.script("S50-ends", "exit 1", "X-On-Failure: abort")

    told = place.starts()

    assert told.of("ends")["result"] == "failed"
    assert told.of("neighbour")["result"] == "aborted"
    assert "S50-ends failed" in told.of("neighbour")["reason"]
    assert "The neighbour was here" not in told.text
    assert f"- {place.rule}" in told.lines
    assert told.lines[1].startswith("Degraded: S50-ends")
    place.assert_serving()
