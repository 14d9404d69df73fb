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


RULES = (
    "Please fix the export. Never push to main.",
    "use port 5433 for the database",
    "the database is on port 5434 now, use port 5434 for the database",
)


def written(folder: Path, *messages: str) -> Path:
    path = folder / "session.jsonl"
    row = {"type": "user", "sessionId": "s", "cwd": "/p", "version": "2.1.0", "isSidechain": False}
    rows = [
        {**row, "uuid": f"u{number}", "parentUuid": None, "message": {"role": "user", "content": text}}
        for number, text in enumerate(messages)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_json_lists_what_was_captured_with_its_fate_and_the_row(tmp_path: Path) -> None:
    captured = json.loads(run(written(tmp_path, *RULES), "--json"))["captured"]

    assert [(each["kind"], each["line"], each["status"]) for each in captured] == [
        ("rule", 1, "active"),
        ("rule", 2, "superseded"),
        ("rule", 3, "active"),
    ]
    assert set(captured[0]) == {
        "kind", "text", "polarity", "scope", "status", "line", "quote", "confidence"
    }  # fmt: skip
    assert (captured[0]["polarity"], captured[0]["text"]) == ("do_not", "Never push to main")


def test_people_see_it_as_a_table(tmp_path: Path) -> None:
    shown = run(written(tmp_path, *RULES))

    assert "Captured: 3" in shown
    assert "Never push to main" in shown


def test_the_snippet_is_what_the_agent_would_get_from_captured_memory_alone(tmp_path: Path) -> None:
    text = run(written(tmp_path, *RULES), "--snippet")

    assert text.startswith("Recorded by the project's owner, in force now (agentinitd ")
    assert "## Said in the session\n" in text
    assert "- Never push to main\n" in text
    assert "5433" not in text


def test_the_snippet_keeps_to_its_budget(tmp_path: Path) -> None:
    path = written(tmp_path, *(f"Never edit module_{n}/generated_{n}.py by hand." for n in range(60)))

    full, tight = run(path, "--snippet", "--budget", "4000"), run(path, "--snippet", "--budget", "120")

    assert full.count("Never edit") == 60
    assert 0 < tight.count("Never edit") < 10


def test_nothing_said_gives_no_snippet(tmp_path: Path) -> None:
    assert run(written(tmp_path, "hello"), "--snippet") == ""


@pytest.mark.parametrize(
    "options",
    [("--snippet", "--json"), ("--snippet", "--events"), ("--budget", "99"), ("--json", "--budget", "99")],
)
def test_options_that_do_not_go_together_are_refused(options: tuple[str, ...]) -> None:
    assert isinstance(error_of(SAMPLE, *options), UsageError)


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


def test_every_event_is_one_json_object_on_a_line_of_its_own() -> None:
    shown = [json.loads(line) for line in run(SAMPLE, "--events").splitlines()]

    assert [each["event"] for each in shown][:6] == [
        "SessionSeen",
        "ToolResult",
        "Request",
        "AgentMessage",
        "ToolCall",
        "ToolResult",
    ]
    asked = shown[4]
    assert (asked["line"], asked["name"], list(asked["input"])) == (3, "Bash", ["command", "description"])
    text = SAMPLE.read_bytes()
    assert b"toolu_07XJ1ji7GTUg2aSHCNj1BngC" in text[asked["offset"] :].split(b"\n")[0]
    markers = [each for each in shown if each["event"] == "CompactionMarker"]
    assert [each["line"] for each in markers] == [5]
    assert all(isinstance(each["offset"], int) for each in shown)


def test_events_are_shown_of_damaged_lines_too_and_of_what_no_file_would_take(tmp_path: Path) -> None:
    shown = [json.loads(line) for line in run(SAMPLES / "cc-damaged-lines-a.jsonl", "--events").splitlines()]
    assert sum(each["event"] == "Skipped" for each in shown) == 6

    path = tmp_path / "odd.jsonl"
    given = '{"a": "\\ud800", "b": ' + "9" * 400 + ', "c": ' + "[" * 900 + "]" * 900 + "}"
    block = '{"type":"tool_use","id":"t","name":"Bash","input":' + given + "}"
    message = '"message":{"id":"m","model":"m","content":[' + block + "]}"
    path.write_text('{"type":"assistant","uuid":"u","sessionId":"s",' + message + "}\n", encoding="utf-8")
    [asked] = [
        each for each in map(json.loads, run(path, "--events").splitlines()) if each["event"] == "ToolCall"
    ]
    assert asked["name"] == "Bash"


@pytest.mark.parametrize("other", ["--json", "--ignore-markers"])
def test_events_go_with_no_other_form(other: str) -> None:
    assert isinstance(error_of(SAMPLE, "--events", other), UsageError)


def test_the_help_says_what_events_are() -> None:
    assert "--events" in run("--help")
    assert "to-do lists" in run("--help")


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
    shown = peak_below_the_limit("print(to_json(replay_file(path, None, ignore_markers=False)))", path)
    events = peak_below_the_limit("for line in event_lines(path, None): print(line)", path)

    counted = json.loads(shown)
    assert (counted["requests"], counted["peak_context_tokens"], counted["skipped_lines"]) == (10, 1009, [])
    assert [json.loads(line)["event"] for line in events.splitlines()] == ["SessionSeen", *["Request"] * 10]


def peak_below_the_limit(work: str, path: Path) -> bytes:
    """What a process of its own prints that does this."""
    program = (
        "import resource, sys\n"
        "from agentinitd.cli.replay import event_lines, replay_file, to_json\n"
        "from pathlib import Path\n"
        "path = Path(sys.argv[1])\n"
        f"{work}\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    # Through a shell: the peak of a child counts from before its exec, when it still was a copy of pytest.
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, check=True)
    # macOS counts bytes where Linux counts KiB.
    assert int(done.stderr) / (1024 if sys.platform == "darwin" else 1) < MEMORY_LIMIT_KIB
    return done.stdout
