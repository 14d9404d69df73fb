"""Scripts that do not end by themselves, or leave something running: nothing of them survives the rebuild."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FOR_EVER = "python3 -c 'import time; time.sleep(300)'"


@pytest.fixture
def left(place: Any) -> Callable[[], list[str]]:
    """Processes of this daemon's scripts that are still there."""
    return lambda: [*place.processes()]


def assert_timed_out(place: Any, told: Any, left: Callable[[], list[str]]) -> None:
    ended = told.of("endless")
    assert ended["result"] == "timeout"
    assert ended["reason"] == "not done after 0.3 s"
    assert left() == []
    assert "Half of it" not in told.text
    place.assert_degraded(told, "S50-endless", "not done after 0.3 s")
    place.assert_others_delivered(told)


ENDLESS = {
    "sleeps": "exec sleep 300",
    "a child of it sleeps": "sleep 300; echo never",
    "ignores TERM": "trap '' TERM HUP INT; sleep 300; sleep 300; sleep 300",
    "stopped by STOP": "kill -STOP $$; sleep 300",
    "stops its own group": "sleep 300 & kill -STOP 0; sleep 300",
    "stopped and ignores TERM": "trap '' TERM; kill -STOP $$; sleep 300",
    "burns the processor": "while :; do :; done",
    "closed its output": "exec >&- 2>&-; sleep 300",
    "reads from a pipe that nobody fills": 'mkfifo "$TMPDIR/p"; cat "$TMPDIR/p"',
    "waits for its own child for ever": "(trap '' TERM; sleep 300) & wait",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_one_without_end_is_ended_with_all_its_group(
    place: Any, left: Callable[[], list[str]], kind: str
) -> None:
    """KIL-1, KIL-2, KIL-3: TERM, CONT, grace, KILL to the group."""
    place.script("S50-endless", f"echo '- Half of it'; {ENDLESS[kind]}", "X-Timeout: 0.3")

    assert_timed_out(place, place.starts(), left)


STRAYS = {
    "holds the pipe": "sleep 300 & echo '- Said all'",
    "ignores TERM in the background": "(trap '' TERM HUP; sleep 300; sleep 300) & echo '- Said all'",
    "setsid": "setsid sleep 300 & sleep 0.1; echo '- Said all'",
    "double fork": "(setsid sh -c 'sleep 300 & sleep 300' &); sleep 0.1; echo '- Said all'",
    "closed all its pipes": "(sleep 300 >/dev/null 2>&1 </dev/null &); echo '- Said all'",
    "cleared its environment": "(env -i setsid sleep 300 >/dev/null 2>&1 &); sleep 0.1; echo '- Said all'",
    "two hundred children": "for n in $(seq 200); do sleep 300 & done; echo '- Said all'",
    "many left the group": "for n in $(seq 99); do setsid sleep 300 & done; sleep 0.2; echo '- Said all'",
    "floods after its end": "echo '- Said all'; echo; yes Late &",
    "writes on after its end": "(while :; do echo '- Too late'; sleep 0.01; done) & echo '- Said all'",
    "made children as it ended": "trap 'sleep 300 & sleep 300 &' EXIT; echo '- Said all'",
}


@pytest.mark.parametrize("kind", STRAYS)
def test_what_it_leaves_behind_is_swept_and_its_output_counts(
    place: Any, left: Callable[[], list[str]], kind: str
) -> None:
    """KIL-4, KIL-6: its end is the end of its process; flagged, and nothing is left."""
    place.script("S50-leaver", STRAYS[kind], "X-Timeout: 10")

    told = place.starts()

    ended = told.of("leaver")
    assert ended["result"] == "ok"
    assert left() == []
    assert "strays" in ended["flags"]
    assert ended["duration_ms"] < 5000
    assert "- Said all" in told.lines
    assert told.run["result"] == "ok"
    place.assert_others_delivered(told)


def test_strays_of_one_that_ran_out_of_time_go_as_well(place: Any, left: Callable[[], list[str]]) -> None:
    """KIL-6."""
    stubborn = "setsid sh -c 'trap \"\" TERM HUP; sleep 300; sleep 300' &"
    place.script("S50-endless", f"{stubborn} trap '' TERM; sleep 300; sleep 300", "X-Timeout: 0.3")

    told = place.starts()

    assert told.of("endless")["flags"] == ["strays"]
    assert_timed_out(place, told, left)


def test_a_bomb_that_forks_on_is_ended(place: Any, left: Callable[[], list[str]]) -> None:
    """KIL-2, KIL-6: children that make children while they are killed."""
    place.script(
        "S50-endless",
        "breed() { [ $1 -gt 0 ] && { breed $(($1 - 1)) & breed $(($1 - 1)) & }; sleep 300; }; breed 6",
        "X-Timeout: 0.3",
    )

    assert_timed_out(place, place.starts(), left)


def test_of_parallel_ones_only_the_one_that_hangs_is_lost(place: Any, left: Callable[[], list[str]]) -> None:
    """OUT-8: side by side, and told in the order of their names."""
    place.script("S50-first", "until [ -e met ]; do sleep 0.02; done; echo '- Said first'", "X-Parallel: yes")
    place.script("S50-second", "touch met; echo '- Said second'", "X-Parallel: yes")
    place.script("S50-hangs", "setsid sleep 300 & sleep 300", "X-Parallel: yes", "X-Timeout: 0.4")

    told = place.starts()

    assert {key: told.of(key)["result"] for key in ("first", "hangs", "second")} == {
        "first": "ok", "hangs": "timeout", "second": "ok",
    }  # fmt: skip
    assert left() == []
    places = [told.text.index(text) for text in ("Said first", "not done after 0.4 s", "Said second")]
    assert places == sorted(places)
    place.assert_others_delivered(told)


def test_there_is_no_terminal_to_ask_on(place: Any) -> None:
    """EXE-5: a session of its own, without a controlling terminal."""
    place.script("S50-asks", "read answer </dev/tty && echo '- Asked'; echo '- No answer'", "X-Timeout: 5")

    told = place.starts()

    assert told.of("asks")["result"] == "ok"
    assert "- No answer" in told.lines
    assert "Asked" not in told.text
    place.assert_others_delivered(told)


def test_one_that_kills_its_group_kills_nobody_else(place: Any) -> None:
    """EXE-5: its group is its own."""
    place.script("S50-killer", "kill -KILL 0")

    told = place.starts()

    assert told.of("killer")["signal"] == "SIGKILL"
    place.assert_others_delivered(told)


def test_one_that_stops_badly_at_the_end_of_a_session_holds_up_nothing(
    place: Any, left: Callable[[], list[str]], eventually: Callable[..., Any]
) -> None:
    """RL-8, KIL-2: `stop` has the same limits as `start`."""
    place.script(
        "S50-endless",
        "[ $1 = start ] && { echo '- Started'; exit; }; trap '' TERM; sleep 300; sleep 300",
        "Default-Stop: shutdown",
        "X-Timeout: 1",
    )
    assert "- Started" in place.starts().lines

    place.session.told(place.session.payload("SessionEnd", reason="exit"))

    [stopped] = eventually(lambda: [each for each in place.logged("endless") if each["action"] == "stop"])
    assert stopped["result"] == "timeout"
    assert left() == []
    place.assert_serving()
