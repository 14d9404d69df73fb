"""`agentinitd replay`: what it prints, what it refuses, and how little memory it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agentinitd.cli.replay import replay, sparkline
from agentinitd.model.errors import AgentinitdError, PermissionRefused, UsageError

SAMPLES = Path(__file__).parents[1] / "data" / "claude-code"
SAMPLE = SAMPLES / "cc-1.0.89-tiny-with-compaction.jsonl"
MEMORY_LIMIT_KIB = 60 * 1024


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(replay, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def error_of(*arguments: str | Path) -> AgentinitdError:
    with pytest.raises(AgentinitdError) as caught:
        run(*arguments)
    return caught.value


def test_json_is_one_object_with_these_names() -> None:
    shown = json.loads(run(SAMPLE, "--json"))

    assert shown["agent"] == "claude-code"
    assert shown["session_id"]
    assert (shown["turns"], shown["requests"], shown["peak_context_tokens"]) == (0, 3, 171_298)
    assert shown["window_tokens"] is None
    assert shown["compactions"] == [
        {"line": 5, "kind": "marker", "trigger": None, "tokens_before": 171_298, "tokens_after": 49_741}
    ]
    assert [(each["line"], each["runlevel"]) for each in shown["rebuilds"]] == [
        (1, "session"),
        (5, "compact"),
    ]
    assert all(each["reason"] for each in shown["rebuilds"])
    assert shown["skipped_lines"] == []


def test_without_markers_the_fall_is_listed() -> None:
    [compaction] = json.loads(run(SAMPLE, "--json", "--ignore-markers"))["compactions"]

    assert (compaction["line"], compaction["kind"]) == (6, "drop")


def test_damaged_lines_are_named_with_their_reason() -> None:
    skipped = json.loads(run(SAMPLES / "cc-damaged-lines-a.jsonl", "--json"))["skipped_lines"]

    assert [each["line"] for each in skipped] == [5, 12, 46, 47, 48, 51]
    assert skipped[-1]["reason"] == "the last line is incomplete"


def test_people_see_a_table_and_a_sparkline() -> None:
    shown = run(SAMPLE)

    assert "3 requests, context up to 171,298 tokens" in shown
    assert "5     marker  -        171,298  49,741" in shown
    assert "█" in shown


def test_an_empty_transcript_is_one_of_a_session_that_has_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()

    assert json.loads(run(path, "--json"))["requests"] == 0
    assert "Compactions: none" in run(path)


def test_what_is_no_transcript_is_refused_with_the_cure(tmp_path: Path) -> None:
    foreign, binary = tmp_path / "rollout.jsonl", tmp_path / "program"
    foreign.write_text('{"type":"session_meta","payload":{"id":"x"}}\n', encoding="utf-8")
    binary.write_bytes(b"\x7fELF\0\0\0" * 100)

    assert "holds no record of claude-code" in str(error_of(foreign))
    assert "is a binary file" in str(error_of(binary))
    for path in (foreign, binary):
        assert isinstance(error_of(path), UsageError)
        assert "--agent claude-code" in str(error_of(path))
        assert json.loads(run(path, "--json", "--agent", "claude-code"))["turns"] == 0


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")

    assert "does not exist" in str(error_of(tmp_path / "missing"))
    assert "holds no record" in str(error_of(tmp_path))
    assert "not a regular file" in str(error_of(tmp_path / "fifo"))
    assert "nobody is not an agent" in str(error_of(SAMPLE, "--agent", "nobody"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "closed.jsonl"
    path.touch(mode=0)

    assert isinstance(error_of(path), PermissionRefused)


def test_the_sparkline_has_a_bar_for_each_size_and_is_never_wider_than_asked() -> None:
    assert sparkline([0, 50, 100], 10) == "▁▅█"
    assert len(sparkline(list(range(1000)), 72)) == 72
    assert sparkline([0], 5) == "▁"


def test_a_huge_file_with_giant_lines_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    session = b'"sessionId":"s","uuid":"u%d","isSidechain":false'
    usage = b'"usage":{"input_tokens":%d}'
    with path.open("wb") as file:
        for index in range(10):
            file.write(b'{"type":"assistant",' + session % index + b',"message":{"id":"m%d",' % index)
            file.write(b'"content":[{"type":"image","data":"')
            for _ in range(320):
                file.write(b"QUJD" * 16384)
            file.write(b'"}],"model":"m",' + usage % (1000 + index) + b"}}\n")
    assert path.stat().st_size > 200_000_000
    program = (
        "import resource, sys\n"
        "from agentinitd.cli.replay import replay_file, to_json\n"
        "from pathlib import Path\n"
        "print(to_json(replay_file(Path(sys.argv[1]), None, ignore_markers=False)))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )

    # Through a shell: the peak of a child counts from before its exec, when it still was a copy of pytest.
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, check=True)

    shown = json.loads(done.stdout)
    assert (shown["requests"], shown["peak_context_tokens"], shown["skipped_lines"]) == (10, 1009, [])
    # macOS counts bytes where Linux counts KiB.
    assert int(done.stderr) / (1024 if sys.platform == "darwin" else 1) < MEMORY_LIMIT_KIB
