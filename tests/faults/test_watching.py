"""What may happen to transcripts and to the watch on them: each turn is found all the same, and once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

RULE = "Install with pnpm, never npm"
DAY = 24 * 3600.0
SILENCE_SECONDS = 2.1
"""A little longer than a torn end is waited for."""

New = Callable[..., Any]
Eventually = Callable[..., Any]


@pytest.fixture(scope="module")
def shared_daemon(shared_daemon: Any) -> Any:
    """Looks soon where no event told it to; and further folders may hold sessions, one of them absent yet."""
    shared_daemon.stop()
    roots = [str(shared_daemon.home / name) for name in ("later", "moved")]
    (shared_daemon.home / "moved").mkdir()
    make_quick(shared_daemon, watch_roots=roots)
    shared_daemon.start()
    return shared_daemon


def make_quick(daemon: Any, **settings: object) -> None:
    """It looks soon where no event told it to."""
    config = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(json.dumps({"tick_active_seconds": 0.3, "tick_idle_seconds": 0.5} | settings))


@pytest.fixture
def followed(session: Any, eventually: Eventually) -> Any:
    """One that has said something, was told of the rule, and was found by its file alone."""
    session.turn(150_000)
    eventually(lambda: turns(session) == 1)
    assert RULE in session.prompts()
    return session


def turns(session: Any) -> int:
    return int(session.seen().get("turn", 0))


def due(session: Any) -> list[str]:
    return [cause["trigger"] for cause in session.seen().get("due", [])]


def watch(daemon: Any, root: Path) -> str:
    return next(str(each["state"]) for each in daemon.get("/v1/status")["watch"] if each["root"] == str(root))


def deliveries(session: Any) -> list[str]:
    return [
        record["runlevel"]
        for record in session.daemon.log()
        if record["event"] == "delivery" and record["session"] == session.id and record["result"] == "arrived"
    ]


def placed_in(session: Any, root: Path) -> Any:
    """The session, whose transcript lies below another root."""
    session.transcript = root / "of-project" / session.transcript.name
    session.transcript.parent.mkdir(parents=True, exist_ok=True)
    return session


def stays(question: Callable[[], Any], seconds: float) -> None:
    """It is so, and after this time it still is."""
    assert question()
    time.sleep(seconds)
    assert question()


def assert_goes_on(session: Any, eventually: Eventually, *, after: int) -> None:
    """One more turn and a compaction are found by their file alone, and told of once."""
    session.turn(150_000)
    eventually(lambda: turns(session) == after + 1)
    session.compacts()
    eventually(lambda: "marker" in due(session))
    assert RULE in session.prompts()
    assert session.prompts() == ""


class TestTheWatch:
    def test_more_events_than_the_system_keeps_are_a_reason_to_look(
        self, session: Any, eventually: Eventually
    ) -> None:
        """WAT-1, WAT-3: the queue overflows while the daemon sleeps, and the turn is among what is lost."""
        limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
        eventually(lambda: watch(session.daemon, session.daemon.projects_dir) == "events")
        storm = session.transcript.parent / "storm"
        storm.mkdir()
        eventually(lambda: session.daemon.get("/v1/status"))
        session.daemon.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(limit // 2 + 100):  # made and removed: two different events, which are not merged
                os.close(os.open(storm / "x", os.O_CREAT | os.O_WRONLY))
                (storm / "x").unlink()
            session.turn(150_000)
        finally:
            session.daemon.process.send_signal(signal.SIGCONT)

        eventually(lambda: turns(session) == 1)
        assert_goes_on(session, eventually, after=1)

    def test_a_root_that_is_removed_and_made_again(self, session: Any, eventually: Eventually) -> None:
        """WAT-6."""
        root = session.daemon.home / "moved"
        shutil.rmtree(root)
        eventually(lambda: watch(session.daemon, root).startswith("waiting"))
        placed_in(session, root)
        session.turn(150_000)

        eventually(lambda: turns(session) == 1)
        eventually(lambda: watch(session.daemon, root) == "events")
        assert_goes_on(session, eventually, after=1)

    def test_a_root_that_appears_after_the_start(self, session: Any, eventually: Eventually) -> None:
        """WAT-6."""
        root = session.daemon.home / "later"
        assert watch(session.daemon, root) == "waiting: folder is absent"
        placed_in(session, root)
        session.turn(150_000)

        eventually(lambda: turns(session) == 1)
        eventually(lambda: watch(session.daemon, root) == "events")
        assert_goes_on(session, eventually, after=1)
        shutil.rmtree(root)

    def test_a_root_that_becomes_a_link_still_holds_the_same_sessions(
        self, session: Any, eventually: Eventually
    ) -> None:
        """WAT-6, WAT-9: somebody moves the folder to another disk and leaves a link."""
        root = session.daemon.home / "moved"
        placed_in(session, root)
        session.turn(150_000)
        eventually(lambda: turns(session) == 1)
        assert RULE in session.prompts()
        root.rename(root.with_name("elsewhere"))
        root.symlink_to("elsewhere")

        assert_goes_on(session, eventually, after=1)
        known = [each["session"] for each in session.daemon.get("/v1/sessions")["sessions"]]
        assert known.count(session.id) == 1


class TestTheFile:
    def test_one_that_is_cut_and_grows_beyond_its_old_size(
        self, followed: Any, eventually: Eventually
    ) -> None:
        """WAT-7: by size alone it would seem to have grown."""
        size = followed.transcript.stat().st_size
        os.truncate(followed.transcript, 0)
        while followed.transcript.stat().st_size <= size:
            followed.turn(150_000)
        turns_written = 1 + (followed.rows - 2) // 2

        eventually(lambda: turns(followed) == turns_written)
        assert_goes_on(followed, eventually, after=turns_written)

    def test_one_that_is_written_anew_beside_itself_tells_nothing_twice(
        self, followed: Any, eventually: Eventually
    ) -> None:
        """WAT-2, WAT-7."""
        copy = followed.transcript.with_suffix(".new")
        shutil.copy(followed.transcript, copy)
        copy.replace(followed.transcript)

        stays(lambda: (turns(followed), due(followed)) == (1, []), 0.7)
        assert_goes_on(followed, eventually, after=1)

    def test_one_that_was_removed_and_whose_inode_went_to_the_next(
        self, followed: Any, eventually: Eventually
    ) -> None:
        """WAT-7."""
        path, old = followed.transcript, followed.transcript.stat()
        path.unlink()
        followed.turn(150_000)
        if path.stat().st_ino != old.st_ino:
            pytest.skip("this file system gives an inode not at once to the next file")

        eventually(lambda: turns(followed) == 2)
        assert_goes_on(followed, eventually, after=2)

    def test_one_that_grows_while_its_time_goes_back(self, followed: Any, eventually: Eventually) -> None:
        """WAT-4."""
        followed.turn(150_000)
        os.utime(followed.transcript, (0, 0))

        eventually(lambda: turns(followed) == 2)
        assert_goes_on(followed, eventually, after=2)

    def test_one_that_is_a_link_out_of_the_tree(
        self, session: Any, tmp_path: Path, eventually: Eventually
    ) -> None:
        """WAT-1: no event tells of what happens there."""
        session.transcript.symlink_to(tmp_path / "real.jsonl")
        session.turn(150_000)

        eventually(lambda: turns(session) == 1)
        assert_goes_on(session, eventually, after=1)

    @pytest.mark.parametrize("kind", ["fifo", "folder", "endless device", "dangling link", "link to itself"])
    def test_something_that_is_no_file_keeps_nobody_waiting(
        self, session: Any, new_session: New, kind: str, eventually: Eventually
    ) -> None:
        """WAT-3."""
        odd = new_session(session.daemon, project=session.project)
        # Below a root of many agents its first lines are asked whose it is.
        for path in (odd.transcript, session.daemon.home / "moved" / "odd" / f"{kind}.jsonl"):
            path.parent.mkdir(exist_ok=True, parents=True)
            lay(path, kind)
        session.turn(150_000)

        eventually(lambda: turns(session) == 1)
        assert_goes_on(session, eventually, after=1)
        assert odd.seen() == {} or odd.seen()["turn"] == 0


def lay(path: Path, kind: str) -> None:
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "endless device":
            path.symlink_to("/dev/zero")
        case "dangling link":
            path.symlink_to("/nowhere/at/all")
        case "link to itself":
            path.symlink_to(path.name)


class TestItsBytes:
    def test_a_line_whose_end_comes_a_second_later(self, followed: Any, eventually: Eventually) -> None:
        """WAT-8."""
        line = said(followed)
        followed.write(line[:90])
        stays(lambda: turns(followed) == 1, 1.0)
        followed.write(line[90:])

        eventually(lambda: turns(followed) == 2)
        assert followed.seen()["skipped_lines"] == 0
        assert_goes_on(followed, eventually, after=2)

    def test_a_line_whose_end_comes_after_its_time(self, followed: Any, eventually: Eventually) -> None:
        """WAT-8: it is given up neither before nor twice."""
        line = said(followed)
        followed.write(line[:90])
        time.sleep(SILENCE_SECONDS)
        followed.write(line[90:])

        eventually(lambda: turns(followed) == 2)
        assert_goes_on(followed, eventually, after=2)

    def test_zeros_that_a_crash_left_at_the_end(self, followed: Any, eventually: Eventually) -> None:
        """WAT-7."""
        followed.write(bytes(5000))
        time.sleep(SILENCE_SECONDS)
        followed.write(b"\n")

        assert_goes_on(followed, eventually, after=1)

    def test_zeros_in_whose_place_the_bytes_come_at_last(self, followed: Any, eventually: Eventually) -> None:
        """WAT-7: a disk that wrote the size before the bytes."""
        line = said(followed)
        size = followed.transcript.stat().st_size
        followed.write(bytes(len(line)))
        stays(lambda: turns(followed) == 1, 0.7)
        with followed.transcript.open("r+b") as file:
            file.seek(size)
            file.write(line)

        eventually(lambda: turns(followed) == 2)
        assert_goes_on(followed, eventually, after=2)

    def test_a_line_of_20_mb(self, followed: Any, eventually: Eventually) -> None:
        """WAT-8."""
        followed.write(said(followed, "x" * 20_000_000))
        followed.turn(150_000)

        eventually(lambda: turns(followed) == 3)
        assert_goes_on(followed, eventually, after=3)

    def test_garbage(self, followed: Any, eventually: Eventually) -> None:
        """WAT-8."""
        followed.write(os.urandom(300_000) + b"\n")

        assert_goes_on(followed, eventually, after=1)
        assert followed.seen()["skipped_lines"] > 0


def said(session: Any, text: str = "go on, and take your time with what you do there") -> bytes:
    """The line of one more turn."""
    row = {"type": "user", "message": {"role": "user", "content": text}, "sessionId": session.id}
    written_at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    more = {"uuid": f"{session.id}-x", "cwd": str(session.project), "timestamp": written_at}
    return json.dumps(row | more).encode() + b"\n"


class TestTimes:
    def test_a_new_file_from_1970_is_old_until_somebody_works_in_it(
        self, session: Any, eventually: Eventually
    ) -> None:
        """CLK-3."""
        session.turn(150_000)
        os.utime(session.transcript, (1, 1))
        stays(lambda: session.seen() == {} or turns(session) == 1, 0.8)
        session.turn(150_000)
        os.utime(session.transcript, (2, 2))

        eventually(lambda: turns(session) in (1, 2))
        assert_goes_on(session, eventually, after=turns(session))

    def test_a_file_and_its_rows_from_the_year_2100(self, session: Any, eventually: Eventually) -> None:
        """CLK-4: what is written today, behind them, is no history."""
        session.turn(150_000)
        later = b"2100-01-01T00:00:00.000Z"
        text = session.transcript.read_bytes()
        at = json.loads(text.splitlines()[0])["timestamp"].encode()
        session.transcript.write_bytes(text.replace(at[:19], later[:19]))
        os.utime(session.transcript, (4_102_444_800, 4_102_444_800))
        eventually(lambda: turns(session) == 1)
        assert RULE in session.prompts()

        assert_goes_on(session, eventually, after=1)


@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_a_system_that_has_no_watch_left(
    new_daemon: New, new_session: New, eventually: Eventually, limit: str
) -> None:
    """WAT-3: it looks by itself, says so, and takes the watch when there is one again."""
    daemon = new_daemon()
    daemon.anchors(f"- [constraint] {RULE}\n")
    make_quick(daemon)
    set_limit = f"echo $0 >/proc/sys/user/{limit}"
    if subprocess.run(["unshare", "-Ur", "sh", "-c", set_limit, "1"], check=False).returncode:
        pytest.skip("no limits of one's own without a user namespace")
    daemon.wrapper = ("unshare", "-Ur", "sh", "-c", f'{set_limit}; exec "$@"', "0")
    daemon.start()
    session = new_session(daemon)
    session.turn(150_000)

    eventually(lambda: turns(session) == 1)
    assert watch(daemon, daemon.projects_dir).startswith("polling")
    reasons = [each for each in daemon.get("/v1/status")["reasons"] if each["kind"] == "watch"]
    assert str(daemon.projects_dir) in reasons[0]["text"]
    assert "watch.polling" in [record["event"] for record in daemon.log()]
    assert_goes_on(session, eventually, after=1)
    inside = ["nsenter", "-t", str(daemon.process.pid), "-U", "--preserve-credentials"]
    subprocess.run([*inside, "sh", "-c", set_limit, "1000"], check=True)
    eventually(lambda: watch(daemon, daemon.projects_dir) == "events")
    session.turn(150_000)
    eventually(lambda: turns(session) == 3)


def test_folders_and_files_that_are_closed_to_us(
    new_daemon: New, new_session: New, eventually: Eventually
) -> None:
    """WAT-3: they cost themselves alone, and what is opened again is read."""
    daemon = new_daemon()
    daemon.anchors(f"- [constraint] {RULE}\n")
    make_quick(daemon)
    if os.geteuid() == 0:
        # Nothing is closed to root but by taking this right away.
        lost = "-dac_override,-dac_read_search"
        daemon.wrapper = ("setpriv", f"--bounding-set={lost}", f"--inh-caps={lost}")
    closed, session = new_session(daemon), new_session(daemon)
    folder = daemon.projects_dir / "closed"
    folder.mkdir(mode=0)
    daemon.start()
    closed.turn(150_000)
    closed.transcript.chmod(0)
    session.turn(150_000)

    eventually(lambda: turns(session) == 1)
    eventually(lambda: watch(daemon, daemon.projects_dir) == "events")
    assert_goes_on(session, eventually, after=1)
    assert turns(closed) == 0
    reasons = [each["text"] for each in daemon.get("/v1/status")["reasons"]]
    assert any(f"{closed.transcript}: Permission denied" in each for each in reasons), reasons
    closed.transcript.chmod(0o600)
    assert_goes_on(closed, eventually, after=1)
    assert daemon.get("/v1/status")["state"] == "running"
    folder.chmod(0o700)


MOVED_CLOCK = """
import os, time
real = time.time
def moved():
    with open(os.environ["CLOCK_FILE"]) as file:
        return real() + float(file.read() or 0)
time.time = moved
"""


def test_a_clock_that_jumps_a_year_ahead_and_back_again(
    new_daemon: New, new_session: New, tmp_path: Path, eventually: Eventually
) -> None:
    """CLK-1, CLK-2, CLK-3, CLK-4: what happened is counted by what was said, not by the hour."""
    daemon, clock = new_daemon(), tmp_path / "clock"
    clock.write_text("0")
    make_quick(daemon)
    (tmp_path / "sitecustomize.py").write_text(MOVED_CLOCK)
    daemon.environment |= {"PYTHONPATH": str(tmp_path), "CLOCK_FILE": str(clock)}
    daemon.anchors(f"- [constraint] {RULE}\n")
    daemon.start()
    session = new_session(daemon)
    session.turn(150_000)
    eventually(lambda: turns(session) == 1)
    assert RULE in session.prompts()

    for number, days in enumerate((400, -400), start=1):
        clock.write_text(str(days * DAY))
        assert session.prompts() == ""
        assert_goes_on(session, eventually, after=number)
    years = {record["ts"][:4] for record in daemon.log()}
    assert len(years) == 3
    assert deliveries(session) == ["session", "compact", "compact"]


def test_a_folder_of_4_000_old_transcripts(daemon: Any, new_session: New, eventually: Eventually) -> None:
    """WAT-1: brought in one go they are known, and nobody reads them; nor does the next start."""
    session = new_session(daemon)
    daemon.anchors(f"- [constraint] {RULE}\n")
    folder = daemon.projects_dir / "of-many"
    folder.mkdir()
    for number in range(4_000):
        descriptor = os.open(folder / f"{number}.jsonl", os.O_CREAT | os.O_WRONLY)
        os.write(descriptor, b"{}\n")
        os.utime(descriptor, (1, 1))
        os.close(descriptor)
    session.turn(150_000)

    eventually(lambda: turns(session) == 1)
    assert RULE in session.prompts()
    assert len(daemon.get("/v1/sessions")["sessions"]) < 64
    daemon.stop()
    session.turn(150_000)
    daemon.start()
    assert [each["session"] for each in daemon.get("/v1/sessions")["sessions"]] == [session.id]
    session.turn(150_000)
    eventually(lambda: turns(session) == 3)
