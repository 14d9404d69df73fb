"""Without an answer: the last record of the right project, in JSON that was written by hand."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd import hook_fallback

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_quoted_text_is_what_json_reads_back(text):
    quoted = hook_fallback.quoted(text)

    assert quoted.isascii()
    # json joins two escapes of surrogates that stand side by side; so does every reader of JSON
    assert json.loads(quoted) == json.loads(json.dumps(text))


@given(
    st.dictionaries(ANY_TEXT, st.recursive(st.none() | ANY_TEXT | st.integers(), st.lists), max_size=6),
    st.booleans(),
)
def test_a_string_is_found_at_the_top_of_any_object(value, is_pretty):
    # a lone surrogate cannot be written as UTF-8, so it stays an escape
    data = json.dumps({**value, "cwd": '/果/"園"\\😀'}, indent=2 if is_pretty else None).encode()

    for key, item in json.loads(data).items():
        if isinstance(item, str) and key.isalnum() and key.isascii():
            assert hook_fallback.string_in(data, key.encode()) == item


@given(st.text())
def test_text_in_utf_8_is_found_as_well(text):
    data = json.dumps({"a": [{"cwd": "no"}], "cwd": text, "b": {"cwd": "no"}}, ensure_ascii=False).encode()

    assert hook_fallback.string_in(data, b"cwd") == text


@pytest.mark.parametrize(
    "data", [b"", b'{"a": {"cwd": "x"}}', b'["cwd", "x"]', b'{"cwd": 1}', b'{"cwd": "x', b'{"cwd"']
)
def test_a_string_that_is_not_there_is_empty(data):
    assert hook_fallback.string_in(data, b"cwd") == ""


def remember(project: Path, text: str, *, age_seconds: float = 0) -> Path:
    record = project / ".agent-memory" / "run" / "last-snippet"
    record.parent.mkdir(parents=True)
    record.write_text(text)
    os.utime(record, (time.time() - age_seconds,) * 2)
    return record


@pytest.mark.parametrize(
    ("age_seconds", "words"),
    [
        (5, "less than a minute old"),
        (90, "1 min old"),
        (2 * 3600 + 1800, "2 h old"),
        (86400 * 9 + 50, "9 d old"),
        (-5000, "of unknown age"),
    ],
)
def test_the_age_is_told_in_words(tmp_path, age_seconds, words):
    remember(tmp_path, "- rule", age_seconds=age_seconds)

    assert f", {words}, may be out of date:\n- rule" in hook_fallback.last_record(
        "Gone.", str(tmp_path / "a" / "b")
    )


def test_a_long_record_is_cut_between_lines(tmp_path):
    lines = [f"{number:04} 只用 😀😀😀" for number in range(2000)]
    remember(tmp_path, "\n".join(lines))

    text = hook_fallback.last_record("Gone.", str(tmp_path))

    shown = text.split("\n")[1:]
    assert shown == lines[: len(shown)]
    assert 9400 < len(text.encode("utf-16-le")) // 2 <= 9500


@pytest.mark.parametrize("text", ["", "\n \n", "x" * 10_000])
def test_a_record_of_which_nothing_can_be_shown_is_none(tmp_path, text):
    remember(tmp_path, text)

    assert hook_fallback.last_record("Gone.", str(tmp_path)) == ""


def test_the_nearest_project_counts(tmp_path):
    remember(tmp_path, "- outer")
    remember(tmp_path / "inner", "- inner")

    assert "- inner" in hook_fallback.last_record("Gone.", str(tmp_path / "inner" / "src"))


def test_the_search_ends_at_the_home(tmp_path, home):
    remember(tmp_path, "- not ours")

    assert hook_fallback.last_record("Gone.", str(home / "work")) == ""


@pytest.mark.parametrize("is_folder", [True, False])
def test_the_search_ends_at_a_checkout(tmp_path, is_folder):
    remember(tmp_path, "- another project")
    inner = tmp_path / "vendored"
    (inner / "src").mkdir(parents=True)
    if is_folder:
        (inner / ".git").mkdir()
    else:
        (inner / ".git").write_text("gitdir: ../elsewhere\n")

    assert hook_fallback.last_record("Gone.", str(inner / "src")) == ""
    assert hook_fallback.last_record("Gone.", str(inner)) == ""

    remember(inner, "- its own")
    assert "- its own" in hook_fallback.last_record("Gone.", str(inner / "src"))


def test_the_memory_of_the_home_is_the_last(home):
    remember(home, "- of the home")

    assert "- of the home" in hook_fallback.last_record("Gone.", str(home / "work"))


def test_a_link_into_another_project_is_followed_as_the_daemon_does(tmp_path):
    remember(tmp_path / "real", "- real")
    remember(tmp_path / "linking", "- linking")
    (tmp_path / "real" / "src").mkdir()
    (tmp_path / "linking" / "src").symlink_to(tmp_path / "real" / "src")

    assert "- real" in hook_fallback.last_record("Gone.", str(tmp_path / "linking" / "src"))


@pytest.mark.parametrize("linked", [".agent-memory", ".agent-memory/run"])
def test_a_memory_that_is_a_link_is_not_read(tmp_path, linked):
    remember(tmp_path / "other", "- another project")
    remember(tmp_path, "- above")
    link = tmp_path / "mine" / linked
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "other" / linked)

    assert hook_fallback.last_record("Gone.", str(tmp_path / "mine")) == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_search_ends_at_a_folder_of_somebody_else(tmp_path):
    remember(tmp_path, "- above")
    inner = tmp_path / "theirs" / "src"
    inner.mkdir(parents=True)
    assert "- above" in hook_fallback.last_record("Gone.", str(inner))

    os.chown(inner.parent, 12345, -1)
    assert hook_fallback.last_record("Gone.", str(inner)) == ""


def test_the_search_ends_before_another_file_system(tmp_path, monkeypatch):
    remember(tmp_path, "- above")
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    true_stat = os.stat

    def stat_as_if_mounted(path: str) -> os.stat_result:
        found = true_stat(path)
        device = found.st_dev + (str(path) == str(mounted))
        return os.stat_result((*found[:2], device, *found[3:]))

    assert "- above" in hook_fallback.last_record("Gone.", str(mounted))
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", stat_as_if_mounted)
        said = hook_fallback.last_record("Gone.", str(mounted))
    assert said == ""


@pytest.mark.parametrize("folder", ["/a\0b", "/\ud800", "/" + "x" * 5000])
def test_a_text_that_can_be_no_folder_still_gets_the_note(tmp_path, folder):
    payload = json.dumps({"hook_event_name": "SessionStart", "cwd": folder}).encode()

    said = hook_fallback.without_answer("claude-code", payload, str(tmp_path), "why", is_absent=True)

    assert b"agentinitd is not running." in said


def test_without_a_folder_the_present_one_counts(tmp_path, monkeypatch):
    remember(tmp_path, "- here")
    monkeypatch.chdir(tmp_path)

    assert "- here" in hook_fallback.last_record("Gone.", "")


def test_a_record_that_is_a_link_or_no_file_is_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("token")
    record = remember(tmp_path, "x")
    record.unlink()
    record.symlink_to(secret)
    assert hook_fallback.last_record("Gone.", str(tmp_path)) == ""

    record.unlink()
    os.mkfifo(record)
    assert hook_fallback.last_record("Gone.", str(tmp_path)) == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_memory_of_somebody_else_is_not_shown(tmp_path):
    record = remember(tmp_path, "- planted")
    os.chown(record.parents[1], 12345, -1)

    assert hook_fallback.last_record("Gone.", str(tmp_path)) == ""


def test_only_the_start_of_a_session_gets_a_word(tmp_path):
    said = {
        event: hook_fallback.without_answer(
            "claude-code",
            json.dumps({"hook_event_name": event}).encode(),
            str(tmp_path),
            "why",
            is_absent=True,
        )
        for event in (
            "SessionStart",
            "UserPromptSubmit",
            "PostToolUse",
            "PreCompact",
            "PostCompact",
            "Stop",
            "SessionEnd",
        )
    }

    assert [event for event, output in said.items() if output] == ["SessionStart"]


def test_a_session_at_a_task_of_its_own_is_shown_its_own_record(tmp_path):
    run = remember(tmp_path, "of all").parent
    (run / "s-1").mkdir()
    (run / "s-1" / "last-snippet").write_text("of its task")

    for session, text in (
        ("s-1", "of its task"),
        ("s-2", "of all"),
        ("../run/s-1", "of all"),
        ("", "of all"),
    ):
        assert hook_fallback.last_record("Gone.", str(tmp_path), session).endswith(f"\n{text}")
