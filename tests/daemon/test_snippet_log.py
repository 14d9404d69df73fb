"""Past snippets are kept line by line, once, and never through a link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon import snippet_log
from agentinitd.daemon.snippet_log import NAME, PastSnippet, append


def past(number: int, text: str = "Use pnpm.") -> PastSnippet:
    return PastSnippet(at=1.5, session="s", task=None, runlevel="compact", id=f"id{number}", text=text)


def lines(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / NAME).read_text(encoding="utf-8").splitlines()]


def test_each_other_snippet_is_a_line_and_the_same_again_is_none(tmp_path: Path) -> None:
    for number in (1, 1, 2, 1):
        append(tmp_path, past(number))

    assert [line["id"] for line in lines(tmp_path)] == ["id1", "id2", "id1"]
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_a_line_that_a_full_disk_cut_stays_apart_from_the_next(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b'{"at":1.0,"ses')

    append(tmp_path, past(1))

    assert (tmp_path / NAME).read_bytes().splitlines()[1].startswith(b'{"at":1.5')


def test_the_older_half_is_forgotten_at_a_line_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippet_log, "MOST_BYTES", 2000)
    for number in range(100):
        append(tmp_path, past(number, text="x" * 50))

    kept = [line["id"] for line in lines(tmp_path)]
    assert kept == [f"id{number}" for number in range(100 - len(kept), 100)]
    assert (tmp_path / NAME).stat().st_size < 2500


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / NAME).symlink_to(victim)

    with pytest.raises(OSError, match=r"symbolic link|Too many levels"):
        append(tmp_path, past(1))

    assert victim.read_text() == "mine"
