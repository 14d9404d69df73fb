from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.scripts import Header
from agentinitd.rc import header


def parse(*lines: str, key: str = "git-branch", timeout_seconds: float = 5.0) -> Header:
    text = "\n".join(["#!/bin/sh", "### BEGIN INIT INFO", *lines, "### END INIT INFO", "echo hello"])
    return header.parse(text.encode(), key=key, timeout_seconds=timeout_seconds)


def test_every_key_is_understood() -> None:
    found = parse(
        "# Provides:          git-branch branch",
        "# Required-Start:    constraints tools",
        "# Should-Start:      task-state",
        "# Default-Start:     session compact slim",
        "# Default-Stop:      shutdown",
        "# Short-Description: The branch that is checked out",
        "# Description:       First line",
        "#\tsecond line",
        "#  third line",
        "# X-Agentinitd-Timeout: 2.5",
        "# X-Agentinitd-Max-Output: 32 KiB",
        "# X-Agentinitd-Section: Git branch",
        "# X-Agentinitd-On-Failure: note",
        "# X-Agentinitd-Parallel: yes",
        "# X-Agentinitd-Essential: yes",
        "# X-Agentinitd-Env: SSH_AUTH_SOCK FOO",
        "# X-Agentinitd-Trust-Also: scripts/lib.sh",
        "# X-Agentinitd-Inputs: ../.git/HEAD anchors/*.md",
    )
    assert found == Header(
        provides=("git-branch", "branch"),
        required_start=("constraints", "tools"),
        should_start=("task-state",),
        default_start=("session", "compact", "slim"),
        default_stop=("shutdown",),
        short_description="The branch that is checked out",
        description="First line\nsecond line\nthird line",
        timeout_seconds=2.5,
        max_output_bytes=32 * 1024,
        section="Git branch",
        on_failure="note",
        is_parallel=True,
        is_essential=True,
        env=("SSH_AUTH_SOCK", "FOO"),
        trust_also=("scripts/lib.sh",),
        inputs=("../.git/HEAD", "anchors/*.md"),
    )


def test_a_missing_header_is_legal_and_warned_about() -> None:
    """HDR-3."""
    found = header.parse(b"#!/bin/sh\necho hello\n", key="x", timeout_seconds=7.0)
    assert found.timeout_seconds == 7.0
    assert found.default_start == ("session", "compact", "periodic")
    assert "no header" in found.findings[0]


def test_an_empty_default_start_means_no_runlevel() -> None:
    assert parse("# Default-Start:").default_start == ()


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("# Provides: other", "error: Provides begins with other, but the file name says git-branch"),
        ("# Provide: git-branch", "warning: unknown key Provide; did you mean Provides?"),
        ("# X-Agentinitd-Timeuot: 3", "did you mean X-Agentinitd-Timeout?"),
        ("# X-Agentinitd-Future: 3", "warning: unknown key X-Agentinitd-Future"),
        ("#Provides git-branch", "is not `# Key: value`"),
        ("# Default-Start: sesion", "unknown runlevel sesion; did you mean session?"),
        ("# Short-Description: " + "x" * 81, "longer than 80 columns"),
        ("# X-Agentinitd-Timeout: soon", "expected seconds, found 'soon'"),
        ("# X-Agentinitd-Timeout: nan", "expected seconds, found 'nan'"),
        ("# X-Agentinitd-Timeout: 600", "600 was clipped to 60"),
        ("# X-Agentinitd-Timeout: 0", "0 was clipped to 0.1"),
        ("# X-Agentinitd-Max-Output: 1", "1 was clipped to 1024"),
        ("# X-Agentinitd-Max-Output: 10 MiB", "expected bytes"),
        ("# X-Agentinitd-Max-Output: 999999999", "was clipped to 262144"),
        ("# X-Agentinitd-On-Failure: retry", "expected one of last-good, note, omit, abort"),
        ("# X-Agentinitd-Parallel: true", "expected one of yes, no"),
        ("# X-Agentinitd-Env: A=B", "'A=B' is no variable name"),
        ("### begin init info", "is not a delimiter"),
    ],
)
def test_what_is_wrong_is_said_and_the_rest_still_counts(line: str, finding: str) -> None:
    """OVR-1, HDR-1, HDR-2, HDR-4."""
    found = parse(line, "# X-Agentinitd-Section: Kept")
    assert any(finding in text for text in found.findings), found.findings
    assert found.section == "Kept"


def test_the_first_of_two_equal_keys_counts() -> None:
    """HDR-2."""
    found = parse("# X-Agentinitd-Timeout: 2", "# X-Agentinitd-Timeout: 3")
    assert found.timeout_seconds == 2
    assert "error: X-Agentinitd-Timeout stands there twice; the first counts" in found.findings


def test_an_essential_script_cannot_be_omitted() -> None:
    """FAIL-2."""
    found = parse("# X-Agentinitd-Essential: yes", "# X-Agentinitd-On-Failure: omit")
    assert found.on_failure == "last-good"
    assert any("omit is not allowed" in text for text in found.findings)


def test_a_block_that_never_ends_within_8_kib_is_no_header() -> None:
    """HDR-1."""
    text = "### BEGIN INIT INFO\n# X-Agentinitd-Timeout: 2\n" + "# x: y\n" * 2000 + "### END INIT INFO\n"
    found = header.parse(text.encode(), key="x")
    assert found.timeout_seconds == 5.0
    assert any("no '### END INIT INFO'" in text for text in found.findings)


def test_a_header_cannot_steer_the_terminal_it_is_shown_on() -> None:
    found = parse("# Short-Description: \x1b[31mred\x1b[0m \u202eevil")
    assert found.short_description.isprintable()


@given(st.binary(max_size=300))
def test_no_bytes_break_the_parser(junk: bytes) -> None:
    block = b"### BEGIN INIT INFO\n# X-Agentinitd-Section: Kept\n" + junk + b"\n### END INIT INFO\n"
    found = header.parse(block, key="x")
    assert 0.1 <= found.timeout_seconds <= 60
    assert 1024 <= found.max_output_bytes <= 256 * 1024


@given(
    st.lists(st.sampled_from(["Provides", "Default-Start", "X-Agentinitd-Timeout", "Description"])), st.text()
)
def test_any_value_of_any_key_gives_a_bounded_header(keys: list[str], value: str) -> None:
    found = parse(*(f"# {key}: {value}" for key in keys))
    assert 0.1 <= found.timeout_seconds <= 60
    assert set(found.default_start) <= {
        "session",
        "compact",
        "periodic",
        "slim",
        "switch",
        "manual",
        "shutdown",
    }
