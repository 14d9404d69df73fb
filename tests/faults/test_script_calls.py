"""Scripts that use up, break or change what they are given, while they run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_one_that_reads_its_input_to_the_end_does_not_hang(place: Any) -> None:
    """EXE-4: stdin is a file, so its end is certain, and nobody can write to it."""
    place.script("S50-odd", "cat > got; cat; echo more >&0 && echo '- Wrote'; echo '- Read all'")

    told = place.starts()

    assert told.of("odd")["result"] == "ok"
    assert "- Read all" in told.lines
    assert "- Wrote" not in told.lines
    given = json.loads((place.root / "got").read_text())
    assert (given["script"], given["action"]) == ("S50-odd", "start")
    place.assert_others_delivered(told)


def test_one_that_leaves_its_input_unread_breaks_nothing(place: Any) -> None:
    """EXE-4: no EPIPE for anybody."""
    place.script("S50-odd", "exec <&-; echo '- Deaf'")

    told = place.starts()

    assert "- Deaf" in told.lines
    place.assert_others_delivered(told)


def test_one_that_knows_no_such_action_is_skipped(place: Any) -> None:
    """EXE-1: one word, and exit 3 for an unknown one."""
    place.script("S50-odd", '[ "$#:$1" = 1:begin ] || exit 3; echo "- Odd"')

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["reason"]) == ("skipped", "action not implemented")
    place.assert_others_delivered(told)


def test_what_must_not_be_passed_is_not_there(place: Any) -> None:
    """EXE-6, EXE-7, EXE-8: not even when the header asks for it; and no descriptor of the daemon's."""
    place.script(
        "S50-odd",
        "env -0 > env; ls /dev/fd/ > fds; umask > mask; ulimit -c > core; ulimit -t > cpu",
        "X-Env: LD_PRELOAD PYTHONPATH NOTIFY_SOCKET GIT_DIR PATH AGENTINITD_RUNTIME_DIR",
        "X-Timeout: 2",
    )

    told = place.starts()

    assert told.of("odd")["result"] == "empty"
    given = dict(each.split("=", 1) for each in (place.root / "env").read_text().split("\0") if each)
    ours = {name for name in given if name.startswith("AGENTINITD_")}
    assert "AGENTINITD_RUNTIME_DIR" not in ours
    assert not given.keys() & {"LD_PRELOAD", "PYTHONPATH", "NOTIFY_SOCKET", "GIT_DIR"}
    assert str(place.root) not in given["PATH"]
    assert all(folder.startswith("/") for folder in given["PATH"].split(":"))
    assert (place.root / "mask").read_text().strip()[-3:] == "077"
    assert (place.root / "core").read_text() == "0\n"
    assert (place.root / "cpu").read_text() == "4\n"
    numbers = {int(word) for word in (place.root / "fds").read_text().split() if word.isdecimal()}
    assert numbers <= {0, 1, 2, 3}  # the fourth is that of `ls`
    place.assert_others_delivered(told)


def test_a_rebuild_asked_for_from_within_is_refused(place: Any) -> None:
    """RL-11: at once, with exit 1 and the word."""
    place.script("S50-odd", 'python3 -P -m agentinitd rebuild; echo "- Ended $?"')

    told = place.starts()

    assert "- Ended 1" in told.lines
    assert told.of("odd")["err_tail"].startswith("agentinitd: nested")
    place.assert_others_delivered(told)


NESTED = """\
import os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect(sys.argv[1])
body = b'{"session": "%s", "runlevel": "compact"}' % os.environ["AGENTINITD_SESSION_ID"].encode()
head = b"POST /v1/rebuild HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body)
asked.sendall(head + body)
print("- Answered", asked.recv(1000)[:12].decode())
"""


def test_a_rebuild_asked_for_from_within_by_the_socket_begins_no_endless_chain(place: Any) -> None:
    """RL-11: it never waits for itself."""
    socket_path = place.daemon.runtime / "agentinitd.sock"
    (place.root / "nested.py").write_text(NESTED)
    place.script("S50-odd", f"echo run >> count; exec python3 -I nested.py {socket_path}", "X-Timeout: 2")

    told = place.starts()

    assert "- Answered HTTP/1.1 409" in told.lines
    assert (place.root / "count").read_text() == "run\n"
    place.assert_others_delivered(told)


def test_one_that_takes_memory_without_end_dies_alone(place: Any) -> None:
    """EXE-11: here within a limit of its own; the daemon is none the larger for it."""
    place.script(
        "S50-odd",
        "ulimit -v 200000; exec python3 -I -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'",
        "X-Timeout: 20",
    )

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["exit"]) == ("failed", 1)
    assert "MemoryError" in told.of("odd")["err_tail"]
    place.assert_degraded(told, "S50-odd", "exit 1")
    place.assert_others_delivered(told)


def test_one_that_burns_its_processor_time_is_ended_by_the_limit(place: Any) -> None:
    """EXE-11: twice its time, for those that burn on several processors at once; here it is lowered."""
    place.script("S50-odd", "ulimit -S -t 1; while :; do :; done", "X-Timeout: 20")

    told = place.starts()

    ended = told.of("odd")
    if ended["result"] == "timeout":  # on a machine so busy that it does not get a second in twenty
        assert ended["user_ms"] + ended["sys_ms"] < 1100
    else:
        assert (ended["result"], ended["signal"]) == ("failed", "SIGXCPU")
        place.assert_degraded(told, "S50-odd", "signal: SIGXCPU")
    place.assert_others_delivered(told)


@pytest.mark.parametrize("kind", ["script", "program"])
def test_one_that_writes_a_file_beyond_the_limit_is_stopped(place: Any, kind: str) -> None:
    """EXE-11: 64 MiB."""
    command = 'dd if=/dev/zero of="$TMPDIR/big" bs=1 count=1 seek=67108864'
    place.script("S50-odd", f"exec {command}" if kind == "script" else f'{command}; echo "- Ended $?"')

    told = place.starts()

    if kind == "script":
        assert (told.of("odd")["result"], told.of("odd")["signal"]) == ("failed", "SIGXFSZ")
    else:
        assert any(line.startswith("- Ended ") and line != "- Ended 0" for line in told.lines)
    place.assert_others_delivered(told)


def test_one_that_opens_all_it_can_costs_nobody_else_a_descriptor(place: Any) -> None:
    """EXE-11: 1024."""
    body = "import os\nn = 0\ntry:\n  while True: os.dup(0); n += 1\nexcept OSError: print('- Opened', n)"
    place.script("S50-odd", f'exec python3 -I -c "{body}"')

    told = place.starts()

    [line] = [line for line in told.lines if line.startswith("- Opened ")]
    assert 500 < int(line.split()[2]) <= 1024
    place.assert_others_delivered(told)


def test_what_it_leaves_in_its_folder_is_gone_after_the_run(place: Any) -> None:
    """EXE-6: however it is locked away."""
    place.script(
        "S50-odd",
        'echo "$TMPDIR" > folder; cd "$TMPDIR"; mkdir -p a/b/c; head -c 20000000 /dev/zero > a/b/big;'
        " for n in $(seq 300); do : > a/b/c/$n; done; ln -s / a/root; chmod 0 a/b/c a/b a; chmod 500 .",
    )

    told = place.starts()

    folder = Path((place.root / "folder").read_text().strip())
    assert told.of("odd")["result"] == "empty"
    assert folder.is_relative_to(place.daemon.state_dir)
    assert not folder.exists()
    assert Path("/bin/sh").exists()
    place.assert_others_delivered(told)


def test_one_that_removes_its_own_folder_takes_it_from_nobody(place: Any) -> None:
    """EXE-6, FAIL-1: the next script finds one again."""
    place.script("S50-odd", 'rm -rf "$TMPDIR"; echo "- Removed"')
    place.script("S51-even", ': > "$TMPDIR/mine" && echo "- Has room"')

    told = place.starts()

    assert "- Removed" in told.lines
    assert "- Has room" in told.lines
    assert told.run["result"] == "ok"
    place.assert_others_delivered(told)


def test_one_that_fills_its_folder_with_a_link_empties_nothing_else(place: Any, tmp_path: Path) -> None:
    """EXE-6: what is removed after the run is the folder, and not what was laid in its place."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    place.script(
        "S50-odd", f'rmdir "$TMPDIR" && ln -s {kept} "$TMPDIR"; ls -l "$TMPDIR" > listed; echo "- Swapped"'
    )

    told = place.starts()

    assert "- Swapped" in told.lines
    assert (kept / "file").exists()
    place.assert_others_delivered(told)


def test_one_that_removes_the_project_costs_the_others_nothing_of_this_run(place: Any) -> None:
    """EXE-3: they run in the session's folder, and know of no project."""
    place.script("S50-odd", 'cd /; rm -rf "$AGENTINITD_PROJECT_ROOT"; echo "- Removed"')
    place.script("S51-even", 'echo "- Here: $AGENTINITD_PROJECT_ROOT"; pwd -P >&2; exit 1')

    told = place.starts()

    assert "- Removed" in told.lines
    assert told.of("even")["result"] == "failed"
    assert told.of("even")["exit"] == 1
    assert told.of("even")["err_tail"].strip() == str(session_folder(place))
    assert not place.root.exists()  # nor does the daemon make it again
    place.assert_others_delivered(told)
    assert place.session.prompts() == ""


def session_folder(place: Any) -> Path:
    return Path(os.path.realpath(place.daemon.state_dir / "scripts" / place.session.seen()["key"]))


def test_one_that_removes_the_memory_costs_the_others_nothing_of_this_run(place: Any) -> None:
    """EXE-4: the memory was read before the first script ran; what is gone is not made again."""
    place.script("S50-odd", 'rm -rf .agent-memory; echo "- Removed"')

    told = place.starts()

    assert "- Removed" in told.lines
    place.assert_others_delivered(told)
    assert not (place.root / ".agent-memory").exists()


def test_one_that_changes_the_memory_changes_the_next_run(place: Any) -> None:
    """NAM-9, EXE-4."""
    place.script("S05-odd", "echo '- [constraint] Say less' > .agent-memory/anchors/project_constraints.md")

    told = place.starts()

    place.assert_others_delivered(told)
    assert "Say less" not in told.text
    later = place.compacts()
    assert "- Say less" in later.lines
    assert place.rule not in later.text


def test_one_that_adds_scripts_adds_them_to_the_next_run(place: Any) -> None:
    """NAM-9: names are read once."""
    place.script("S50-odd", f"cp {place.init_d}/S50-odd {place.init_d}/S60-more; echo '- Added'")

    told = place.starts()

    assert told.of_any("more") == "absent"
    place.assert_others_delivered(told)
    assert place.compacts().of_any("more") == "pending-trust"


def test_one_that_removes_itself_runs_to_its_end(place: Any) -> None:
    """TRU-6: what runs is a copy."""
    path = place.script(
        "S50-odd", 'rm "$AGENTINITD_SCRIPT_DIR/$AGENTINITD_SCRIPT_NAME" "$0"; echo "- Last words"'
    )

    told = place.starts()

    assert "- Last words" in told.lines
    assert not path.exists()
    place.assert_others_delivered(told)
    assert place.compacts().of_any("odd") == "absent"


def test_one_that_replaces_its_copy_is_run_as_approved_the_next_time(place: Any) -> None:
    """TRU-6."""
    evil = 'printf \'#!/bin/sh\\necho - Evil\\n\' > "$TMPDIR/new"; chmod 500 "$TMPDIR/new"'
    place.script("S50-odd", f'{evil}; mv -f "$TMPDIR/new" "$0"; cat "$0" >&2; echo "- Approved"')
    first = place.starts()
    assert "echo - Evil" in first.of("odd")["err_tail"]

    told = place.compacts()

    assert "- Approved" in told.lines
    assert "Evil" not in told.text
    place.assert_others_delivered(told)


def test_one_that_goes_for_the_daemon_finds_it_armed(place: Any) -> None:
    """DMN-6: PIPE and the like are nothing to it; nobody can stop a person's own TERM."""
    place.script(
        "S50-odd", 'for name in PIPE CHLD URG WINCH CONT; do kill -$name "$PPID"; done; echo "- Shot"'
    )

    told = place.starts()

    assert "- Shot" in told.lines
    place.assert_others_delivered(told)


def test_one_that_asks_for_the_person_gets_no_window(place: Any) -> None:
    """EXE-6: no display, no agent of keys, no terminal to draw on."""
    place.script("S50-odd", 'echo "- [${DISPLAY}${WAYLAND_DISPLAY}${SSH_AUTH_SOCK}${TERM}${NO_COLOR}]"')

    told = place.starts()

    assert "- [dumb1]" in told.lines
    place.assert_others_delivered(told)


def test_ten_sessions_of_one_project_with_a_script_that_hangs_are_all_served(
    place: Any, new_session: Callable[..., Any]
) -> None:
    """RL-11: two at once, the others wait; none is lost."""
    from concurrent.futures import ThreadPoolExecutor

    place.script("S50-odd", "sleep 300", "X-Timeout: 0.1", "X-On-Failure: omit")
    sessions = [new_session(place.daemon, project=place.root) for _ in range(10)]

    with ThreadPoolExecutor(10) as room:
        texts = list(room.map(lambda session: session.starts(), sessions))

    assert len(set(texts)) == 1
    assert f"- {place.rule}" in texts[0].splitlines()
    assert texts[0].splitlines()[1].startswith("Degraded: S50-odd")
    assert place.processes() == []


def test_one_that_stops_the_daemon_keeps_it_from_nothing(place: Any) -> None:
    """DMN-6, KIL-2: it does not wait for the script that waits for it, and leaves nothing of it."""
    place.script("S50-odd", "python3 -P -m agentinitd stop; sleep 300", "X-Timeout: 20")
    payload = place.session.payload("SessionStart", source="startup")

    status, _ = place.daemon.ask("POST", "/v1/hook/claude-code", payload)

    assert status == 503
    assert place.daemon.process.wait(timeout=20) == 0
    [ended] = place.logged("odd")
    assert ended["result"] == "aborted"
    (place.init_d / "S50-odd").unlink()
    place.daemon.start()  # for those that follow
    assert place.processes() == []
    place.assert_others_delivered(place.starts())
