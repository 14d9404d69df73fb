"""What a whole transcript gives to remember."""

from __future__ import annotations

from itertools import count
from typing import Any

from agentinitd.memory.capture.captured_file import PROJECT_FILE, captured_in, record
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import Event, PersonMessage, PlanStatus, PlanStep, PlanUpdate
from agentinitd.sessions.heard import Hearing

LINES = count(1)


def heard(*events: Event) -> Hearing:
    hearing = Hearing()
    hearing.see(events)
    return hearing


def says(text: str, line: int, **more: Any) -> Event:
    return PersonMessage(line=line, offset=line, written_at=1000.0 * line, text=text, **more)


def plans(line: int, *steps: tuple[str, PlanStatus], **more: Any) -> Event:
    made = tuple(PlanStep(text=text, status=status) for text, status in steps)
    return PlanUpdate(line=line, offset=line, steps=made, **more)


def test_a_rule_has_the_row_and_the_sentence_it_came_from() -> None:
    [rule] = heard(says("帮我看下导出。千万别动 migrations/0007。", 3)).heard()

    assert (rule.kind, rule.line, rule.status, rule.polarity) == ("rule", 3, "active", "do_not")
    assert "migrations/0007" in rule.text
    assert rule.text in rule.quote


def test_what_holds_no_longer_is_listed_and_not_served() -> None:
    hearing = heard(says("千万别动 legacy/。", 1), says("legacy/ 现在可以改了。", 5))

    assert [each.status for each in hearing.heard()] == ["ended"]
    assert hearing.memory().is_empty


def test_each_has_the_standing_that_the_memory_file_gives_it_when_it_is_written_row_by_row() -> None:
    told = [
        says("生产和 staging 都别直接部署。测试先别跑。", 1),
        says("Use npm for everything.", 2),
        says("staging 环境可以直接部署。Use pnpm, not npm.", 3),
        says("Never edit src/a.ts or src/b.ts.", 4),
        says("不用每次都跑全量测试。You may edit src/a.ts and src/b.ts now.", 5),
    ]
    listener, text = Listener("replay", readers=built_in()), ""
    for event in told:
        texts = record({PROJECT_FILE: text}, listener.hear([event]), session="replay", now=9000.0).texts
        text = texts.get(PROJECT_FILE, text)

    written = [
        (each.what, each.status, each.polarity, each.scope) for each in captured_in(text, PROJECT_FILE)
    ]

    assert len({status for _, status, _, _ in written}) == 3
    shown = [(each.text, each.status, each.polarity, each.scope) for each in heard(*told).heard()]
    assert sorted(shown) == sorted(written)


def test_the_last_plan_is_the_progress() -> None:
    hearing = heard(
        plans(1, ("Old", "pending")),
        plans(7, ("Model", "done"), ("Endpoint", "in_progress"), ("Docs", "pending"), ("Blog", "cancelled")),
        plans(9, ("of a helper", "pending"), is_helper=True),
    )

    assert [(each.kind, each.text, each.status, each.line) for each in hearing.heard()] == [
        ("progress", "Model", "ended", 7),
        ("progress", "Endpoint", "active", 7),
        ("progress", "Docs", "active", 7),
        ("progress", "Blog", "ended", 7),
    ]
    assert hearing.memory().task_state == {
        "status": "active",
        "completed": ["Model"],
        "in_progress": ["Endpoint"],
        "pending": ["Docs"],
        "blockers": [],
    }


def test_now_is_when_the_session_was_written_so_nothing_is_old() -> None:
    assert heard(says("hello", 9), says("hi", 3)).last_at == 9000.0
