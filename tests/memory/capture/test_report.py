"""The progress report an agent writes when it is asked for one."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.report import REPORT_REQUEST, Reason, Report, report_in

TEXT = """Done with the parser; next the writer.

PROGRESS REPORT
done: parser and its tests
- **done:** fixtures
next: writer in src/writer.py
blocked: none
decided: keep SQLite because the deployment has one host
failed: mmap，因为 Windows 上锁不住
value: test port = 5433
"""


def test_every_line_of_the_form_is_read() -> None:
    assert report_in(TEXT) == Report(
        done=("parser and its tests", "fixtures"),
        next=("writer in src/writer.py",),
        decided=(
            Reason(
                "keep SQLite",
                "the deployment has one host",
                "keep SQLite because the deployment has one host",
            ),
        ),
        failed=(Reason("mmap", "Windows 上锁不住", "mmap，因为 Windows 上锁不住"),),
        values=("test port = 5433",),
    )


def test_the_last_of_several_counts() -> None:
    assert report_in(TEXT + "\n## Progress report\ndoing: docs\n") == Report(doing=("docs",))


@pytest.mark.parametrize(
    "text", ["", "I will add the PROGRESS REPORT later", "PROGRESS REPORT\nnothing to say", REPORT_REQUEST]
)
def test_talking_about_a_report_is_none(text: str) -> None:
    assert report_in(text) is None
