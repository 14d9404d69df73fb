"""Everything a rebuild depends on: what scripts are told, and when it would be another question."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentinitd.daemon.question import Question, ask, task_digest
from agentinitd.model.causes import Cause, Trigger
from agentinitd.model.config import Config
from agentinitd.model.facts import Anchor, Memory
from agentinitd.model.scripts import Runlevel
from agentinitd.sessions.delivery import DeliveryState
from agentinitd.sessions.record import SessionRecord

RECORD = SessionRecord(key="k", agent="claude-code", session_ids=("s",), transcript="/t.jsonl", offset=7)
RULE = Anchor(id="c-1", kind="constraint", what="only pnpm", written_at=0.0)
MEMORY = Memory(constraints=(RULE,), task_id="t-1", task_state={"task_id": "t-1", "pending": ["x"]})


def question(
    *,
    runlevel: Runlevel = "compact",
    record: SessionRecord = RECORD,
    memory: Memory = MEMORY,
    config: Config | None = None,
    now: float = 0.0,
    budget_tokens: int | None = None,
) -> Question:
    return ask(record, Path("/p"), runlevel, memory, config or Config(), now=now, budget_tokens=budget_tokens)


def due(*triggers: Trigger) -> SessionRecord:
    causes = tuple(Cause(id=f"{n}", trigger=trigger, turn=1, reason="") for n, trigger in enumerate(triggers))
    return replace(RECORD, delivery=DeliveryState(due=causes))


def test_scripts_are_told_the_session_its_task_and_its_memory() -> None:
    told = question().stdin()

    assert told["api"] == 1
    assert told["session"] == {"id": "s", "agent": "claude-code", "transcript": "/t.jsonl", "offset": 7}
    assert (told["project"], told["task"], told["runlevel"]) == ("/p", "t-1", "compact")
    assert told["budget_tokens"] == 500
    json.dumps(told)


def test_the_slim_level_has_a_budget_of_its_own_and_whoever_asks_may_name_another() -> None:
    config = Config(budget_tokens=400, slim_budget_tokens=90)

    assert question(config=config).budget_tokens == 400
    assert question(config=config, runlevel="slim").budget_tokens == 90
    assert question(config=config, runlevel="slim", budget_tokens=700).budget_tokens == 700


@pytest.mark.parametrize(
    ("triggers", "runlevel", "trigger"),
    [
        ((), "manual", "manual"),
        (("drop",), "compact", "drop"),
        (("task-state", "marker", "drop"), "compact", "marker"),
        (("periodic",), "session", "manual"),
    ],
)
def test_the_trigger_is_that_of_the_first_cause_which_the_level_serves(
    triggers: tuple[Trigger, ...], runlevel: Runlevel, trigger: str
) -> None:
    assert question(record=due(*triggers), runlevel=runlevel).trigger == trigger


def test_the_language_is_that_of_the_memory_unless_it_was_chosen() -> None:
    chinese = replace(MEMORY, language="zh")

    assert question(memory=chinese).language == "zh"
    assert question(memory=chinese, config=Config(language="en")).language == "en"
    assert question(memory=chinese, config=Config(language="en")).served["language"] == "en"


def test_the_log_says_when_something_is_caught_up() -> None:
    cause = Cause(id="c", trigger="marker", turn=1, reason="", is_catchup=True)
    late = replace(RECORD, delivery=DeliveryState(due=(cause,)))

    assert question(record=late).names()["catchup"] is True
    assert question().names()["catchup"] is False


OTHER_RULE = msgspec.structs.replace(RULE, what="only npm")
DIFFERENT: dict[str, dict[str, Any]] = {
    "another rule": {
        "memory": replace(MEMORY, constraints=(msgspec.structs.replace(RULE, what="only npm"),))
    },
    "another state": {"memory": replace(MEMORY, task_state={"task_id": "t-1", "pending": ["y"]})},
    "another task": {"record": replace(RECORD, task_id="t-2")},
    "another level": {"runlevel": "slim"},
    "another budget": {"budget_tokens": 300},
    "another language": {"config": Config(language="zh")},
    "a rule that became old": {"now": 30 * 86_400.0},
}


@pytest.mark.parametrize("change", DIFFERENT)
def test_it_is_another_question_with(change: str) -> None:
    assert question(**DIFFERENT[change]).digest != question().digest


def test_it_is_the_same_question_whoever_asks_and_whenever() -> None:
    other = replace(RECORD, key="o", session_ids=("o",), seen_at=9.0, offset=99, last_hook=None)

    assert question(record=other, now=60.0).digest == question().digest


def test_the_digest_of_a_task_state_is_that_of_the_state_alone() -> None:
    assert task_digest(replace(MEMORY, constraints=())) == task_digest(MEMORY)
    assert task_digest(replace(MEMORY, task_state=None)) != task_digest(MEMORY)
    shuffled = {"pending": ["x"], "task_id": "t-1"}
    assert task_digest(replace(MEMORY, task_state=shuffled)) == task_digest(MEMORY)


def test_facts_that_no_script_gets_are_known_but_not_where_the_task_state_alone_is_shown() -> None:
    decisions = tuple(
        Anchor(id=f"d-{number}", kind="decision", what=f"{number} {'x' * 200}", written_at=0.0)
        for number in range(1000)
    )
    large = replace(MEMORY, decisions=decisions)
    asked = question(memory=large)

    assert (
        asked.unserved == 1001 - len(_listed(asked, "constraints")) - len(_listed(asked, "decisions")) > 500
    )
    assert question(memory=large, runlevel="manual").unserved == asked.unserved
    assert question(memory=large, runlevel="slim").unserved == 0
    assert question().unserved == 0


def _listed(asked: Question, key: str) -> list[Any]:
    listed = asked.served[key]
    assert isinstance(listed, list)
    return listed


def test_lines_that_are_due_alone_need_no_script_and_ride_with_what_else_is_due() -> None:
    line = Cause(id="c", trigger="checkpoint", turn=1, reason="", say="please report")
    state = Cause(id="t", trigger="task-state", turn=1, reason="")
    alone, together = (replace(RECORD, delivery=DeliveryState(due=due)) for due in ((line,), (state, line)))

    assert question(record=alone, runlevel="slim").is_line_only
    assert not question(record=alone, runlevel="manual").is_line_only
    assert not question(record=together, runlevel="slim").is_line_only
    assert question(record=together, runlevel="slim").lines == ("please report",)
    assert not question(runlevel="slim").is_line_only


def test_a_text_that_is_no_unicode_has_a_digest_as_well() -> None:
    halves = [
        replace(MEMORY, task_state={"task_id": "import", "note": half}) for half in ("\ud800", "\ud801")
    ]

    first, second = (question(memory=memory).digest for memory in halves)

    assert first != second
