"""Replay over every Claude Code transcript of the shared material: exactly the compactions that are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agentinitd.cli.replay import replay_file
from agentinitd.sessions.replay import Compaction

FALL = 0.8
FALSE_DROPS_ALLOWED = 3


def entries(shared: Path) -> list[dict[str, Any]]:
    manifest = json.loads((shared / "transcripts" / "MANIFEST.json").read_text(encoding="utf-8"))
    found = [entry for entry in manifest["files"] if entry["agent"] == "claude-code"]
    assert len(found) >= 20
    return found


def of_main(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [compaction for compaction in entry["compactions"] if compaction["scope"] == "main"]


def test_replay_lists_exactly_the_compactions_of_the_main_session(shared: Path) -> None:
    for entry in entries(shared):
        result = replay_file(shared / "transcripts" / entry["file"], None, ignore_markers=False)

        assert result.compactions == tuple(
            Compaction(
                line=compaction["line_number"],
                kind="marker",
                trigger=compaction["trigger"],
                tokens_before=compaction["tokens_before"],
                tokens_after=compaction["tokens_after"],
            )
            for compaction in of_main(entry)
        ), entry["file"]
        assert result.peak_context_tokens == entry["max_context_tokens"], entry["file"]


def test_compactions_of_helpers_are_listed_apart(shared: Path) -> None:
    for entry in entries(shared):
        result = replay_file(shared / "transcripts" / entry["file"], None, ignore_markers=False)
        expected = [each["line_number"] for each in entry["compactions"] if each["scope"] == "subagent"]

        assert [each.line for each in result.helper_compactions] == expected, entry["file"]


def test_without_markers_each_compaction_that_shrank_the_context_is_found(shared: Path) -> None:
    false_drops: list[tuple[str, int]] = []
    for entry in entries(shared):
        result = replay_file(shared / "transcripts" / entry["file"], None, ignore_markers=True)
        drops = [compaction.line for compaction in result.compactions]
        markers = [compaction["line_number"] for compaction in of_main(entry)]
        for compaction, until in zip(of_main(entry), [*markers[1:], entry["lines"] + 1], strict=False):
            own = [line for line in drops if compaction["line_number"] <= line < until]
            after, before = compaction["tokens_after"], compaction["tokens_before_last_request"]
            if after is not None and after < FALL * before:
                assert own, f"{entry['file']}: line {compaction['line_number']} was not found"
            if own:
                drops.remove(own[0])
        if not entry["constructed"]:
            false_drops += [(entry["file"], line) for line in drops]

    assert len(false_drops) <= FALSE_DROPS_ALLOWED, false_drops
