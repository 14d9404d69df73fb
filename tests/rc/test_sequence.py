from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from laying import RUN_ID, House, header, run_settings, write

from agentinitd.model.scripts import Runlevel, ScriptRun
from agentinitd.rc.request import RunRequest, RunSettings
from agentinitd.rc.sequence import batches, result_of, run_sequence

NOW = 1_700_000_000.0


@pytest.fixture
def settings(house: House) -> RunSettings:
    return run_settings(house)


def ask(house: House, runlevel: Runlevel = "session") -> RunRequest:
    return RunRequest(
        run_id=RUN_ID,
        session_id="abc",
        session_dir=house.base / "state" / "sessions" / "abc",
        project_root=house.project,
        task_id=None,
        trigger="session",
        runlevel=runlevel,
        stdin={"api": 1, "memory": {"constraints": []}},
        digest="d",
    )


def run(
    house: House,
    settings: RunSettings,
    request: RunRequest | None = None,
    *,
    now: Callable[[], float] = lambda: NOW,
    cancel: threading.Event | None = None,
) -> dict[str, ScriptRun]:
    request = request or ask(house)
    found = run_sequence(
        house.steps(request.runlevel), request, settings, now=now, cancel=cancel or threading.Event()
    )
    return {one.script.name: one for one in found}


def user_script(house: House, name: str, *lines: str, body: str = "echo hello") -> Path:
    return write(house.init_d("user", name), header(*lines, body=body))


def results(runs: dict[str, ScriptRun]) -> dict[str, str]:
    return {name: one.result for name, one in runs.items()}


def test_scripts_run_in_order_and_later_ones_see_earlier_results(house: House, settings: RunSettings) -> None:
    user_script(house, "S50-a")
    user_script(house, "S60-b", body="exit 1")
    user_script(house, "S70-c", body="cat")
    runs = run(house, settings)
    assert results(runs) == {"S50-a": "ok", "S60-b": "failed", "S70-c": "ok"}
    assert [one.start_ms for one in runs.values()] == sorted(one.start_ms for one in runs.values())
    told = json.loads(runs["S70-c"].output)
    assert told == {
        "api": 1,
        "memory": {"constraints": []},
        "action": "start",
        "script": "S70-c",
        "results": [{"script": "S50-a", "result": "ok"}, {"script": "S60-b", "result": "failed"}],
        "deadline": "2023-11-14T22:13:25.000Z",
    }


def test_a_script_works_in_the_project_with_private_folders_of_its_own(
    house: House, settings: RunSettings
) -> None:
    body = (
        'pwd; echo "$AGENTINITD_PROJECT_ROOT"; touch "$TMPDIR/x" "$AGENTINITD_STATE_DIR/kept"; echo "$TMPDIR"'
    )
    user_script(house, "S50-a", body=body)
    lines = run(house, settings)["S50-a"].output.splitlines()
    assert lines[:2] == [str(house.project), str(house.project)]
    assert not Path(lines[2]).exists()
    assert list(settings.scratch_dir.iterdir()) == []
    assert (ask(house).session_dir / "kept").exists()
    assert ask(house).session_dir.stat().st_mode & 0o777 == 0o700


def test_without_the_project_folder_it_works_in_the_session_folder(
    house: House, settings: RunSettings
) -> None:
    """EXE-3."""
    user_script(house, "S50-a", body='pwd; echo "root=$AGENTINITD_PROJECT_ROOT"')
    gone = replace(ask(house), project_root=house.base / "gone")
    for request, of in ((gone, settings), (ask(house), replace(settings, uid=54321))):
        if of.uid == 54321 and house.project.stat().st_uid == 0:
            os.chown(house.project, 12345, -1)
        assert run(house, of, request)["S50-a"].output == f"{gone.session_dir}\nroot=\n"


def test_what_may_not_run_is_reported_and_not_executed(house: House, settings: RunSettings) -> None:
    write(house.init_d("project", "S50-a"), f"#!/bin/sh\ntouch {house.base}/evil\n")
    found = run(house, settings)["S50-a"]
    assert found.result == "pending-trust"
    assert "agentinitd trust" in found.reason
    assert not (house.base / "evil").exists()


def test_the_approved_bytes_run_though_the_file_is_swapped_after_the_check(
    house: House, settings: RunSettings
) -> None:
    """TRU-6."""
    path = write(house.init_d("project", "S50-a"), '#!/bin/sh\necho good from "$AGENTINITD_SCRIPT_DIR"\n')
    house.approve(path)
    steps = house.steps("session")
    write(path, f"#!/bin/sh\ntouch {house.base}/evil\n")
    (found,) = run_sequence(steps, ask(house), settings, now=lambda: NOW, cancel=threading.Event())
    assert (found.result, found.output) == ("ok", f"good from {path.parent}\n")
    assert not (house.base / "evil").exists()


def test_a_script_needs_its_facilities_to_have_succeeded_earlier(house: House, settings: RunSettings) -> None:
    """HDR-5."""
    user_script(house, "S50-a", "Provides: a base")
    user_script(house, "S51-broken", body="exit 1")
    user_script(house, "S60-b", "Required-Start: base")
    user_script(house, "S61-c", "Required-Start: a broken")
    user_script(house, "S62-d", "Required-Start: later")
    user_script(house, "S70-later")
    runs = run(house, settings)
    assert results(runs) == {
        "S50-a": "ok",
        "S51-broken": "failed",
        "S60-b": "ok",
        "S61-c": "skipped",
        "S62-d": "skipped",
        "S70-later": "ok",
    }
    assert (runs["S61-c"].reason, runs["S62-d"].reason) == ("dependency broken", "dependency later")


def test_what_a_script_adds_is_run_the_next_time(house: House, settings: RunSettings) -> None:
    """NAM-9."""
    folder = house.folder("user") / "init.d"
    user_script(house, "S50-a", body=f"cp {folder}/S50-a {folder}/S60-b; rm {folder}/S70-c; echo hello")
    user_script(house, "S70-c")
    assert list(run(house, settings)) == ["S50-a", "S70-c"]
    assert list(run(house, settings)) == ["S50-a", "S60-b"]


def test_abort_stops_the_run_at_that_script(house: House, settings: RunSettings) -> None:
    """FAIL-1."""
    user_script(house, "S50-a", "X-Agentinitd-On-Failure: abort", body="exit 1")
    user_script(house, "S60-b")
    runs = run(house, settings)
    assert results(runs) == {"S50-a": "failed", "S60-b": "aborted"}
    assert runs["S60-b"].reason.startswith("S50-a failed")


class TestLastGood:
    """A failed script's last good output stands in for it."""

    FAILING = 'test -e "$AGENTINITD_STATE_DIR/broken" && exit 1; echo good'

    def broken(self, house: House) -> None:
        (ask(house).session_dir / "broken").touch()

    def test_it_is_used_with_its_age(self, house: House, settings: RunSettings) -> None:
        """FAIL-2."""
        user_script(house, "S50-a", body=self.FAILING)
        assert run(house, settings)["S50-a"].output == "good\n"
        self.broken(house)
        found = run(house, settings, now=lambda: NOW + 60)["S50-a"]
        assert (found.result, found.output, found.flags) == ("failed", "good\n", ("last-good",))
        assert found.last_good_age_seconds == 60.0

    def test_it_serves_in_other_runlevels_too(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", body=self.FAILING)
        run(house, settings)
        self.broken(house)
        assert run(house, settings, ask(house, "compact"))["S50-a"].output == "good\n"

    def test_not_when_too_old_or_the_script_changed(self, house: House, settings: RunSettings) -> None:
        """FAIL-2."""
        user_script(house, "S50-a", body=self.FAILING)
        run(house, settings)
        self.broken(house)
        old = run(house, settings, now=lambda: NOW + settings.last_good_max_age_seconds + 1)["S50-a"]
        assert (old.output, old.flags) == ("", ())
        user_script(house, "S50-a", body=self.FAILING + " # changed")
        assert run(house, settings)["S50-a"].flags == ()

    @pytest.mark.parametrize("choice", ["note", "omit"])
    def test_not_when_the_header_chose_otherwise(
        self, house: House, settings: RunSettings, choice: str
    ) -> None:
        user_script(house, "S50-a", f"X-Agentinitd-On-Failure: {choice}", body=self.FAILING)
        run(house, settings)
        self.broken(house)
        assert run(house, settings)["S50-a"].flags == ()

    def test_a_timeout_and_an_exec_error_have_it_too(self, house: House, settings: RunSettings) -> None:
        body = 'test -e "$AGENTINITD_STATE_DIR/broken" && sleep 60; echo good'
        user_script(house, "S50-a", "X-Agentinitd-Timeout: 0.2", body=body)
        run(house, settings)
        self.broken(house)
        found = run(house, settings)["S50-a"]
        assert (found.result, found.output) == ("timeout", "good\n")


class TestInputs:
    """A script that lists its inputs is not run again while they are unchanged."""

    BODY = 'echo x >> "$AGENTINITD_STATE_DIR/count"; wc -l < "$AGENTINITD_STATE_DIR/count" | tr -d " "'

    def test_unchanged_it_is_not_run(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Inputs: config.yaml", body=self.BODY)
        first, second = run(house, settings)["S50-a"], run(house, settings)["S50-a"]
        assert (first.output, first.flags) == ("1\n", ())
        assert (second.result, second.output, second.flags) == ("ok", "1\n", ("cached",))

    def test_a_changed_input_or_digest_or_an_order_runs_it(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Inputs: config.yaml", body=self.BODY)
        run(house, settings)
        write(house.folder("project") / "config.yaml", "budget_tokens: 400\n", mode=0o644)
        assert run(house, settings)["S50-a"].output == "2\n"
        assert run(house, settings, replace(ask(house), digest="e"))["S50-a"].output == "3\n"
        assert run(house, settings, replace(ask(house), digest="e", is_forced=True))["S50-a"].output == "4\n"
        assert run(house, settings, replace(ask(house), digest="e"))["S50-a"].flags == ("cached",)

    def test_a_script_without_inputs_always_runs(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", body=self.BODY)
        run(house, settings)
        assert run(house, settings)["S50-a"].output == "2\n"

    def test_a_failure_is_never_taken_for_unchanged(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Inputs: config.yaml", body=self.BODY + "; exit 1")
        run(house, settings)
        assert run(house, settings)["S50-a"].result == "failed"

    def test_what_depends_on_a_cached_script_still_runs(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Inputs: config.yaml")
        user_script(house, "S60-b", "Required-Start: a")
        run(house, settings)
        assert results(run(house, settings)) == {"S50-a": "ok", "S60-b": "ok"}


class TestTime:
    """A run ends within its budget, or when it is no longer wanted."""

    def test_the_budget_of_the_run_shortens_the_last_script_and_keeps_the_rest_from_starting(
        self, house: House, settings: RunSettings
    ) -> None:
        """KIL-1."""
        user_script(house, "S50-a", body="sleep 60")
        user_script(house, "S60-b")
        runs = run(house, settings, replace(ask(house), budget_seconds=0.3))
        assert results(runs) == {"S50-a": "timeout", "S60-b": "timeout"}
        assert runs["S60-b"].reason == "the 0.3 s of this rebuild were used up before it"

    def test_a_run_that_is_no_longer_wanted_ends_at_once(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", body="sleep 60")
        user_script(house, "S60-b")
        cancel = threading.Event()
        threading.Timer(0.1, cancel.set).start()
        began = time.monotonic()
        runs = run(house, settings, cancel=cancel)
        assert results(runs) == {"S50-a": "aborted", "S60-b": "aborted"}
        assert time.monotonic() - began < 30
        assert result_of(tuple(runs.values()), is_cancelled=True) == "aborted"


def test_stopping_calls_with_stop_and_shows_nothing(house: House, settings: RunSettings) -> None:
    user_script(
        house, "S50-a", "Default-Stop: shutdown", body='echo "$1" > "$AGENTINITD_STATE_DIR/said"; echo bye'
    )
    found = run(house, settings, ask(house, "shutdown"))["S50-a"]
    assert (found.action, found.result, found.output) == ("stop", "ok", "")
    assert (ask(house).session_dir / "said").read_text() == "stop\n"


def test_a_program_that_cannot_be_executed_is_an_exec_error(house: House, settings: RunSettings) -> None:
    write(house.init_d("user", "S50-a"), "#!/no/such/interpreter\n")
    found = run(house, settings)["S50-a"]
    assert (found.result, found.reason) == ("exec-error", "no interpreter /no/such/interpreter")


def test_measures_and_the_end_of_stderr_are_told(house: House, settings: RunSettings) -> None:
    """OUT-1."""
    user_script(house, "S50-a", body="echo out; printf '\\033[31mwhy\\n' >&2; exit 4")
    found = run(house, settings)["S50-a"]
    assert (found.exit_code, found.signal, found.out_bytes, found.err_bytes) == (4, None, 4, 9)
    assert found.err_tail == "why\n"
    assert found.duration_ms > 0


class TestSideBySide:
    """Scripts of one number that all say so may overlap; the order in the snippet is theirs all the same."""

    PARALLEL = "X-Agentinitd-Parallel: yes"
    # Each waits for the other: one after the other both would wait for ever.
    MEETS = (
        'cd "$AGENTINITD_STATE_DIR"; touch {own}; while ! test -e {other}; do sleep 0.01; done; echo {own}'
    )

    def test_they_overlap_and_stay_in_order(self, house: House, settings: RunSettings) -> None:
        """OUT-8."""
        late = self.MEETS.format(own="a", other="b") + "; sleep 0.1"
        user_script(house, "S50-a", self.PARALLEL, body=late)
        user_script(house, "S50-b", self.PARALLEL, body=self.MEETS.format(own="b", other="a"))
        user_script(house, "S60-c", body="cat")
        runs = run(house, settings)
        assert [(name, one.result) for name, one in runs.items()] == [
            ("S50-a", "ok"), ("S50-b", "ok"), ("S60-c", "ok"),
        ]  # fmt: skip
        told = json.loads(runs["S60-c"].output)["results"]
        assert [each["script"] for each in told] == ["S50-a", "S50-b"]

    def test_what_leaves_its_session_is_swept_with_its_own_script_only(
        self, house: House, settings: RunSettings
    ) -> None:
        """KIL-6: the helper of the slower one is not taken for a stray of the faster."""
        helper = "import os,time; os.setsid(); time.sleep(0.3); open('done', 'w').close()"
        slow = f"""{sys.executable} -c "{helper}" & sleep 0.6; test -e done && echo whole"""
        slow = f'cd "$AGENTINITD_STATE_DIR"; {slow}'
        user_script(house, "S50-a", self.PARALLEL, body="sleep 60 & sleep 0.2; echo quick")
        user_script(house, "S50-b", self.PARALLEL, body=slow)
        runs = run(house, settings)
        assert (runs["S50-a"].output, runs["S50-a"].flags) == ("quick\n", ("strays",))
        assert (runs["S50-b"].output, runs["S50-b"].flags) == ("whole\n", ())

    def test_without_the_word_of_all_or_with_need_of_each_other_they_wait(self, house: House) -> None:
        user_script(house, "S50-a", self.PARALLEL)
        user_script(house, "S50-b", self.PARALLEL, "Required-Start: a")
        user_script(house, "S50-c")
        user_script(house, "S51-d", self.PARALLEL)
        user_script(house, "S52-e", self.PARALLEL)
        assert [len(batch) for batch in batches(house.steps("session"))] == [1, 1, 1, 1, 1]

    def test_one_that_aborts_lets_those_beside_it_end_and_nothing_follow(
        self, house: House, settings: RunSettings
    ) -> None:
        user_script(house, "S50-a", self.PARALLEL, "X-Agentinitd-On-Failure: abort", body="exit 1")
        user_script(house, "S50-b", self.PARALLEL)
        user_script(house, "S60-c")
        assert results(run(house, settings)) == {"S50-a": "failed", "S50-b": "ok", "S60-c": "aborted"}


class TestResult:
    """The result of a whole rebuild."""

    def test_all_well_is_ok(self, house: House, settings: RunSettings) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Essential: yes")
        user_script(house, "S60-b", body="exit 6")
        assert result_of(tuple(run(house, settings).values())) == "ok"

    def test_any_failure_or_pending_trust_degrades(self, house: House, settings: RunSettings) -> None:
        """FAIL-3."""
        user_script(house, "S50-a", "X-Agentinitd-Essential: yes")
        write(house.init_d("project", "S60-b"))
        assert result_of(tuple(run(house, settings).values())) == "degraded"

    def test_an_essential_script_without_its_dependency_degrades(
        self, house: House, settings: RunSettings
    ) -> None:
        user_script(house, "S50-a", "X-Agentinitd-Essential: yes")
        user_script(house, "S60-b", "X-Agentinitd-Essential: yes", "Required-Start: nothing")
        assert result_of(tuple(run(house, settings).values())) == "degraded"

    def test_without_any_essential_section_it_failed(self, house: House, settings: RunSettings) -> None:
        """FAIL-3."""
        user_script(house, "S50-a", "X-Agentinitd-Essential: yes", body="exit 1")
        user_script(house, "S60-b")
        assert result_of(tuple(run(house, settings).values())) == "failed"
