"""Field case 05: rules live and die; the summary remembers the morning."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.recall import recall
from agentinitd.memory.capture.captured_file import PROJECT_FILE, updated
from agentinitd.memory.capture.ledger import apply
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.facts import Anchor

CASE = "05-rule-revoked-later"


@pytest.fixture
def replayed(replay_case: Callable[..., Any]) -> Any:
    return replay_case(CASE)


@pytest.fixture
def items(shared: Path, read_events: Callable[..., Any]) -> tuple[Anchor, ...]:
    events = read_events(shared / "field-cases" / CASE / "session.jsonl")
    return apply((), Listener("s", readers=built_in()).hear(events), session="s", now=0)


def test_what_was_lifted_is_not_in_force_whatever_the_summary_says(replayed: Any) -> None:
    replayed.check()
    assert [line for line in replayed.snippet.splitlines() if "legacy" in line] == [
        "- legacy/billing 还是别碰"
    ]
    assert len(replayed.rules) == 2


def test_the_daemon_serves_what_is_left_and_its_search_finds_what_was_lifted(
    play_bare: Callable[..., Any],
) -> None:
    played = play_bare(CASE)
    daemon, project = played.session.daemon, played.session.project

    played.check(played.last)
    assert len(played.rules) == 2
    for word, lifted in (("legacy", "legacy/ 目录一个字都别动"), ("diff", "提交前先给我看 diff")):
        hits = daemon.get(f"/v1/recall?project={project}&q={word}")["hits"]
        [hit] = [hit for hit in hits if hit["text"] == lifted]
        assert hit["withdrawn"] and hit["since"]
        assert lifted in daemon.command("recall", word, cwd=project).stdout


def test_to_put_a_topic_off_lifts_nothing(replayed: Any) -> None:
    assert any("迁移" in rule for rule in replayed.rules)


def test_the_narrowing_is_one_chain(items: tuple[Anchor, ...]) -> None:
    whole = next(item for item in items if "legacy/ " in item.what)
    part = next(item for item in items if "legacy/billing" in item.what)

    assert part.supersedes == whole.id
    assert (whole.status, whole.source, whole.ended_by) == ("superseded", "s:1", "s:7")


def test_the_lifted_rules_are_found_as_lifted_with_when(
    items: tuple[Anchor, ...], new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = new_project("orchard")
    text = updated(None, items, file=PROJECT_FILE)
    (project / ".agent-memory" / PROJECT_FILE).write_text(text or "", encoding="utf-8")
    monkeypatch.chdir(project)

    for word, text in (("legacy", "legacy/ 目录一个字都别动"), ("diff", "提交前先给我看 diff")):
        shown = json.loads(CliRunner().invoke(recall, [word, "--all", "--json"]).stdout)
        [hit] = [hit for hit in shown["hits"] if hit["text"] == text]
        assert hit["withdrawn"] is True
        assert hit["standing"] != "current"
        assert hit["since"]
