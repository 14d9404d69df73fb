from __future__ import annotations

import pytest

from agentinitd.rc import verdict
from agentinitd.rc.verdict import Verdict


def judge(**changes: object) -> Verdict:
    told: dict[str, object] = {
        "cause": "exit",
        "status": 0,
        "signal_name": None,
        "action": "start",
        "stdout": b"hello\n",
        "stdout_bytes": 6,
        "max_output_bytes": 1024,
        "timeout_seconds": 5.0,
        "strays": 0,
    }
    told |= changes
    return verdict.of(**told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "result", "reason"),
    [
        (1, "failed", "exit 1"),
        (2, "failed", "bad arguments"),
        (3, "skipped", "action not implemented"),
        (4, "failed", "permission"),
        (5, "skipped", "not installed"),
        (6, "skipped", "not configured"),
        (7, "failed", "not running"),
        (8, "failed", "exit 8"),
        (75, "failed", "try later"),
        (100, "failed", "exit 100"),
        (125, "failed", "never succeed"),
        (126, "failed", "could not be executed"),
        (127, "failed", "was not found"),
        (255, "failed", "exit 255"),
    ],
)
def test_each_exit_code_has_its_meaning_and_no_text(status: int, result: str, reason: str) -> None:
    found = judge(status=status)
    assert (found.result, found.text) == (result, "")
    assert reason in found.reason


def test_stopping_what_has_nothing_to_stop_is_success() -> None:
    assert judge(status=3, action="stop").result == "ok"


def test_a_signal_is_named() -> None:
    assert judge(status=-11, signal_name="SIGSEGV") == Verdict(result="failed", reason="signal: SIGSEGV")


@pytest.mark.parametrize(
    ("cause", "status", "result", "reason"),
    [
        ("timeout", -15, "timeout", "not done after 5 s"),
        ("timeout", 0, "timeout", "not done after 5 s"),
        ("timeout", None, "timeout", "not done after 5 s; unkillable: it is still there"),
        ("flood", -15, "flood", "it wrote without end"),
        ("cancelled", -9, "aborted", "the rebuild was no longer wanted"),
    ],
)
def test_what_we_ended_is_told_by_why_we_did(cause: str, status: int, result: str, reason: str) -> None:
    """KIL-9: what not even KILL ended has no status."""
    assert judge(cause=cause, status=status) == Verdict(result=result, reason=reason)  # type: ignore[arg-type]


def test_good_output_is_cleaned_and_every_change_flagged() -> None:
    assert judge() == Verdict(result="ok", text="hello\n")
    assert judge(stdout=b"\x1b[1mhi\x1b[0m").flags == ("sanitised",)
    assert judge(stdout=b"line\n" * 100, stdout_bytes=99_999).flags == ("truncated",)
    assert judge(strays=2).flags == ("strays",)


@pytest.mark.parametrize("stdout", [b"", b"\n \n", b"\x1b[0m"])
def test_output_without_anything_to_read_is_empty(stdout: bytes) -> None:
    """OUT-2."""
    found = judge(stdout=stdout, stdout_bytes=len(stdout))
    assert (found.result, found.text) == ("empty", "")


def test_binary_output_is_dropped() -> None:
    assert judge(stdout=bytes(range(256))) == Verdict(result="binary", reason="it wrote binary data")
