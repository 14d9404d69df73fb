"""`agentinitd plot`: which picture, from what, and into which file."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from agentinitd.cli.main import cli
from agentinitd.cli.past_sessions import found_session, known_sessions
from agentinitd.cli.plot_scene import Scene, Text
from agentinitd.cli.plot_svg import to_svg
from agentinitd.daemon.paths import Places
from agentinitd.model.errors import AgentinitdError, UsageError

Log = Callable[..., Path]
Records = Callable[..., list[Any]]
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def plotted(*words: str) -> str:
    done = CliRunner().invoke(cli, ["plot", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def session_record(home: Path, key: str, **fields: object) -> None:
    folder = home / ".local" / "state" / "agentinitd" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{key}.json").write_text(json.dumps({"key": key, "agent": "claude-code", "v": 1, **fields}))


def transcript(path: Path, session: str) -> Path:
    rows = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {
            "type": "assistant", "requestId": "r",
            "message": {"id": "m", "role": "assistant", "model": "claude-x", "content": [],
                        "usage": {"input_tokens": 12_000, "output_tokens": 1}},
        },
    ]  # fmt: skip
    head = {
        "uuid": "u",
        "sessionId": session,
        "cwd": "/p",
        "version": "2.1.0",
        "timestamp": "2026-11-30T10:00:00Z",
    }
    path.write_text("".join(json.dumps({**head, **row}) + "\n" for row in rows))
    return path


def test_the_last_rebuild_is_drawn_as_sound_xml_whatever_names_say(
    log_of: Log, rebuild_records: Records
) -> None:
    records = rebuild_records("i-1", S10_a=5.0, S20_b=30.0)
    records[2][2]["script"] = "S10-<b>&\"'\x1b]]>"
    log_of(*records)

    svg = plotted()

    assert {"S10-<b>&\"' ]]>", "S20-b", "30.0 ms", "44.0 ms in all"} <= set(texts(svg))
    assert "prefers-color-scheme: dark" in svg


def test_a_session_is_drawn_with_what_the_log_tells_of_it(
    home: Path, tmp_path: Path, log_of: Log, rebuild_records: Records
) -> None:
    path = transcript(tmp_path / "t.jsonl", "5e55-1")
    session_record(home, "k", session_ids=["5e55-1"], transcript=str(path), project="/p")
    at = 1_796_032_800.0 - 1_800_000_000.0  # the row's time, after that of the log's begin
    log_of(*rebuild_records("i-1", at=at, session="5e55-1", S10_a=5.0))

    by_id, by_path = plotted("--session", "5e55"), plotted("--session", str(path))

    for svg in (by_id, by_path):
        assert "Context of session 5e55-1 (claude-code)" in texts(svg)
        assert {"rebuild", "delivery: the snippet arrived"} <= set(texts(svg))


def test_a_session_that_is_unknown_or_unclear_is_refused_by_name(home: Path) -> None:
    where = Places.from_environment({"HOME": str(home)})
    session_record(home, "k1", session_ids=["5e55-1"])
    session_record(home, "k2", session_ids=["5e55-2"])
    (where.sessions_dir / "k3.json").write_text("torn")

    assert {each.id for each in known_sessions(where)} == {"5e55-1", "5e55-2"}
    assert found_session(where, "5e55-2").key == "k2"
    with pytest.raises(UsageError, match="5e55 may be"):
        found_session(where, "5e55")
    with pytest.raises(AgentinitdError, match="No session x was followed"):
        found_session(where, "x")
    assert (where.sessions_dir / "k3.json").read_text() == "torn"


def test_a_session_without_a_transcript_says_so(home: Path) -> None:
    session_record(home, "k1", session_ids=["5e55-1"])

    done = CliRunner().invoke(cli, ["plot", "--session", "5e55"])

    assert "No transcript of 5e55-1 is known yet" in str(done.exception)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("i-1", "--session", "s"), "Take one away"),
        (("-o", "x.pdf"), "neither an .svg nor a .png"),
        (("-o", "/nowhere/x.svg"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_cure(
    log_of: Log, rebuild_records: Records, words: tuple[str, ...], said: str
) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0))

    assert said in str(CliRunner().invoke(cli, ["plot", *words]).exception)


def test_an_svg_goes_into_the_file(log_of: Log, rebuild_records: Records, tmp_path: Path) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0))

    told = plotted("-o", str(tmp_path / "r.svg"))

    assert told.startswith(f"{tmp_path}/r.svg: compact rebuild i-1")
    assert "S10-a" in texts((tmp_path / "r.svg").read_text(encoding="utf-8"))


@pytest.mark.skipif(HAS_MATPLOTLIB, reason="matplotlib is installed")
def test_a_png_without_matplotlib_says_what_to_install(
    log_of: Log, rebuild_records: Records, tmp_path: Path
) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0))

    done = CliRunner().invoke(cli, ["plot", "-o", str(tmp_path / "r.png")])

    assert "pip install 'agentinitd[plot]'" in str(done.exception)
    assert not (tmp_path / "r.png").exists()


@pytest.mark.skipif(not HAS_MATPLOTLIB, reason="matplotlib is not installed: pip install 'agentinitd[plot]'")
def test_a_png_is_one(log_of: Log, rebuild_records: Records, tmp_path: Path) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0))

    plotted("-o", str(tmp_path / "r.png"))

    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_no_character_that_xml_forbids_is_written() -> None:
    scene = Scene(width=100, height=50, title="a\x00\ud800\ufffe")
    scene.add(Text(x=1, y=2, text="\x0b<&>"))

    assert texts(to_svg(scene)) == [" <&>"]
