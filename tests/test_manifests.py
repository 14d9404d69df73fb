"""Replay over every sample of every manifest: exactly the compactions that are listed, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agentinitd.cli.replay import replay_file
from agentinitd.model.events import CompactionMarker, Event
from agentinitd.sessions.replay import Compaction, Replay
from agentinitd.transcripts.agents import AGENTS, guess

OWN = Path(__file__).parent / "data"
TRIGGERS = {"auto": "auto", "token_limit": "auto", "manual": "manual"}
NO_COMPACTION = "#### /clear"
"""Listed by the manifest of Aider, and called by it what it is: a reset, no summary."""

Place = Callable[[CompactionMarker, dict[str, Any]], bool]


@dataclass(frozen=True)
class Sample:
    path: Path
    agent: str
    listed: tuple[dict[str, Any], ...]
    """The compactions of the main session."""
    others: tuple[dict[str, Any], ...]
    """Those of sub-agents, and copies of what happened in another session."""
    entry: dict[str, Any]

    def replayed(self) -> Replay:
        return replay_file(self.path, None)

    def markers(self) -> list[CompactionMarker]:
        agent = AGENTS[self.agent]
        follower = agent.follow(agent.names_in(self.path)[-1])
        events: list[Event] = follower.read()
        while follower.has_more:
            events += follower.read()
        events += follower.finish()
        return [event for event in events if isinstance(event, CompactionMarker) and not event.is_history]


def of_manifest(path: Path) -> Iterator[Sample]:
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        name = entry.get("file") or entry["path"]
        agent = entry.get("agent") or ("roo" if name.startswith("roo/") else manifest["agent"])
        found = [
            each for each in entry["compactions"] if not each.get("marker", "").startswith(NO_COMPACTION)
        ]
        yield Sample(
            path=path.parent / name,
            agent=agent,
            listed=tuple(each for each in found if each.get("scope", "main") == "main"),
            others=tuple(each for each in found if each.get("scope", "main") != "main"),
            entry=entry,
        )


@pytest.fixture
def samples(shared: Path) -> list[Sample]:
    manifests = [
        *sorted((shared / "transcripts").rglob("MANIFEST.json")),
        *sorted(OWN.rglob("MANIFEST.json")),
    ]
    return [sample for manifest in manifests for sample in of_manifest(manifest)]


def test_every_agent_has_samples(samples: list[Sample]) -> None:
    assert {sample.agent for sample in samples} == set(AGENTS)
    assert len(samples) >= 57


def test_every_sample_is_known_for_what_its_agent_wrote(samples: list[Sample]) -> None:
    for sample in samples:
        found = guess(sample.path)
        assert found is AGENTS[sample.agent], sample.path


def test_each_has_exactly_the_compactions_that_are_listed(samples: list[Sample]) -> None:
    for sample in samples:
        compactions = sample.replayed().compactions

        kind = "drop" if sample.path.suffix == ".md" else "marker"
        assert [each.kind for each in compactions] == [kind] * len(sample.listed), sample.path
        for compaction, listed in zip(compactions, sample.listed, strict=True):
            assert compaction.tokens_before == listed["tokens_before"], sample.path
            if listed.get("trigger"):
                assert compaction.trigger == TRIGGERS[listed["trigger"]], sample.path
            if "line_number" in listed and listed["line_number"] is not None:
                assert compaction.line == listed["line_number"], sample.path


def test_the_size_after_each_is_the_one_that_is_listed(samples: list[Sample]) -> None:
    for sample in samples:
        for compaction, listed in zip(sample.replayed().compactions, sample.listed, strict=True):
            if not _gives_the_markers_own_figure(sample):
                assert compaction.tokens_after == listed["tokens_after"], sample.path


def test_where_the_manifest_has_the_figure_of_the_marker_the_marker_tells_it(samples: list[Sample]) -> None:
    chosen = [sample for sample in samples if _gives_the_markers_own_figure(sample)]

    assert len(chosen) == 1
    for sample in chosen:
        told = [marker.tokens_after for marker in sample.markers()]
        assert told == [each["tokens_after"] for each in sample.listed], sample.path


def _gives_the_markers_own_figure(sample: Sample) -> bool:
    """Goose, before a request followed."""
    return "2-after-compaction" in sample.path.parts


# --- Where each stands


def test_each_is_found_at_the_record_that_is_listed(samples: list[Sample]) -> None:
    for sample in samples:
        if sample.path.suffix == ".md":
            [drop] = sample.replayed().compactions
            assert [drop.line] == [each["line"] for each in sample.listed]
            continue
        for marker, listed in zip(sample.markers(), [*sample.others, *sample.listed], strict=False):
            assert _is_at(marker, listed, sample), (sample.path, marker)


def _is_at(marker: CompactionMarker, listed: dict[str, Any], sample: Sample) -> bool:
    if listed.get("line_number"):
        return bool(marker.line == listed["line_number"])
    if "message_index" in listed:
        return bool(marker.offset == listed["message_index"])
    if "line" in listed:
        return bool(_counted_line(marker, sample) == listed["line"])
    return PLACES[sample.agent](marker, listed)


def _counted_line(marker: CompactionMarker, sample: Sample) -> int:
    """The manifest of Aider does not count the separators, which it calls illustrative."""
    if not sample.path.name.endswith("llm.history"):
        return marker.line
    lines = sample.path.read_text(encoding="utf-8").splitlines()[: marker.line]
    return sum(line != "-------" for line in lines)


PLACES: dict[str, Place] = {
    "cline": lambda marker, listed: (
        f"index {marker.offset}" in listed["record"]
        or f"source_message_count {marker.offset}" in listed["marker"]
        or listed["record"] == "messages[0].metadata"
    ),
    "roo": lambda marker, listed: f"index {marker.offset}" in listed["record"],
    "copilot-cli": lambda marker, listed: listed["record"].endswith(f"id {marker.line}"),
    "goose": lambda marker, listed: (
        marker.marker_id == "usage:4" and ("id 4" in listed["record"] or "same event" in listed["record"])
    ),
    "opencode": lambda marker, listed: (
        marker.marker_id in listed["record"] or f"seq {marker.line}" in listed["record"]
    ),
}
"""What a manifest calls the place, for agents that do not write lines."""


# --- What is none


def test_sub_agents_and_copied_history_give_nothing(samples: list[Sample]) -> None:
    helpers = [sample for sample in samples if "subagent" in sample.path.name]
    copies = [sample for sample in samples if any(each["scope"] == "replayed" for each in sample.others)]

    assert len(helpers) == 4 and len(copies) == 1
    for sample in helpers:
        assert (sample.replayed().compactions, sample.replayed().rebuilds) == ((), ()), sample.path
    for sample in copies:
        assert {each.runlevel for each in sample.replayed().rebuilds} <= {"session", "periodic"}, sample.path


def test_a_fall_that_was_no_compaction_causes_nothing_where_it_stands(samples: list[Sample]) -> None:
    falls = [
        (sample, fall) for sample in samples for fall in sample.entry.get("drops_without_compaction", ())
    ]

    assert len(falls) >= 12
    for sample, fall in falls:
        found: list[Compaction] = [
            each for each in sample.replayed().compactions if each.tokens_after == fall["after"]
        ]
        assert found == [], (sample.path, fall)


def test_what_a_manifest_calls_no_compaction_is_none(samples: list[Sample]) -> None:
    denied = [(sample, each) for sample in samples for each in sample.entry.get("not_compactions", ())]

    assert len(denied) >= 2
    for sample, each in denied:
        lines = [compaction.line for compaction in sample.replayed().compactions]
        assert each["line"] not in lines, (sample.path, each)
