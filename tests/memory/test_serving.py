"""What scripts get on stdin: complete, in order, and never more than a script can be handed."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from agentinitd.memory.serving import MAX_JSON_BYTES, memory_json
from agentinitd.model.facts import (
    Anchor,
    AnchorKind,
    Conflict,
    JsonValue,
    Language,
    Memory,
    Priority,
    Problem,
)

NOW = 1_795_000_000.0


def anchor(
    name: str, kind: AnchorKind = "constraint", priority: Priority = "normal", size: int = 0
) -> Anchor:
    return Anchor(
        id=name, kind=kind, what=f"rule {name}" + "字" * size, priority=priority, file="anchors/a.md", line=3
    )


def served(memory: Memory) -> dict[str, JsonValue]:
    return memory_json(memory, now=NOW, stale_days=7)


def names(value: JsonValue) -> list[object]:
    assert isinstance(value, list)
    return [entry["id"] for entry in value if isinstance(entry, dict)]


def test_the_object_has_every_field_a_script_may_use() -> None:
    rule = Anchor(
        id="c-1",
        kind="constraint",
        what="a",
        why="b",
        written_at=NOW - 9 * 86_400,
        file="anchors/a.md",
        line=2,
    )
    memory = Memory(
        constraints=(rule,),
        task_id="t",
        task_state={"task_id": "t", "pending": ["x"], "branch": "main"},
        problems=(
            Problem(file="anchors/a.md", line=4, message="m"),
            Problem(file="state", line=0, message="n"),
        ),
    )

    assert served(memory) == {
        "language": "en",
        "task_id": "t",
        "constraints": [
            {
                "id": "c-1", "what": "a", "why": "b", "priority": "normal", "scope": "project",
                "source": "user", "confidence": 1.0, "stale": "(written 9 d ago, never checked)",
                "file": "anchors/a.md", "line": 2,
            }
        ],
        "tools": [],
        "decisions": [],
        "task_state": {
            "task_id": "t", "blockers": [], "in_progress": [], "pending": ["x"], "completed": [],
            "counts": {"blocked": 0, "in_progress": 0, "pending": 1, "completed": 0}, "branch": "main",
        },
        "problems": ["anchors/a.md:4: m", "state: n"],
        "conflicts": [],
        "captured": [],
        "omitted": 0,
    }  # fmt: skip


def test_a_decision_tells_whether_it_failed_and_what_brought_it_back() -> None:
    memory = Memory(
        decisions=(
            Anchor(id="d1", kind="decision", what="Redis"),
            Anchor(id="d2", kind="decision", what="files", outcome="failed"),
        ),
        restorers={"d1": Anchor(id="d4", kind="decision", what="back again", written_at=NOW)},
        conflicts=(Conflict(topic="cache", served="d1", others=("d5",)),),
    )

    told = served(memory)

    assert isinstance(told["decisions"], list)
    assert [
        (entry["outcome"], entry["restored"]) for entry in told["decisions"] if isinstance(entry, dict)
    ] == [
        (None, {"id": "d4", "what": "back again", "on": "2026-11-18"}),
        ("failed", None),
    ]
    assert told["conflicts"] == [{"topic": "cache", "served": "d1", "others": ["d5"]}]


def test_the_language_can_be_set_and_reaches_the_warning() -> None:
    memory = Memory(constraints=(Anchor(id="c", kind="constraint", what="a", verified_at=NOW - 9 * 86_400),))

    served = memory_json(memory, now=NOW, stale_days=7, language="zh")["constraints"]

    assert isinstance(served, list)
    (entry,) = served
    assert isinstance(entry, dict)
    assert entry["stale"] == "（9 天未核对）"


@pytest.mark.parametrize(("language", "note"), [("en", "(written by a program, "), ("zh", "（程序所写，")])
def test_what_a_program_wrote_says_so_until_a_person_verified_it(language: Language, note: str) -> None:
    tool = Anchor(id="t", kind="tool", what="pay(order)", source="socket", written_at=NOW)
    memory = Memory(
        tools=(tool, replace(tool, id="u", verified_at=NOW), replace(tool, id="v", source="user"))
    )

    told = memory_json(memory, now=NOW, stale_days=7, language=language)["tools"]

    assert isinstance(told, list)
    first, *rest = [str(entry["stale"] or "") for entry in told if isinstance(entry, dict)]
    assert first.startswith(note)
    assert rest == ["", ""]


def test_the_oldest_decisions_are_left_out_first_then_tools_then_constraints_of_low_priority() -> None:
    def memory(rules: int, tools: int, decisions: int) -> Memory:
        return Memory(
            constraints=tuple(
                anchor(f"c{n}", priority="low" if n % 2 else "normal", size=100) for n in range(rules)
            ),
            tools=tuple(anchor(f"t{n}", "tool", size=100) for n in range(tools)),
            decisions=tuple(anchor(f"d{n}", "decision", size=100) for n in range(decisions)),
        )

    much = served(memory(20, 20, 500))
    assert names(much["constraints"]) == [f"c{n}" for n in range(20)]
    assert names(much["tools"]) == [f"t{n}" for n in range(20)]
    kept = len(names(much["decisions"]))
    assert names(much["decisions"]) == [f"d{n}" for n in range(kept)]
    assert much["omitted"] == 500 - kept > 0

    more = served(memory(100, 20, 20))
    assert {f"c{n}" for n in range(0, 100, 2)} <= set(names(more["constraints"]))
    assert not names(more["decisions"])


def test_critical_anchors_of_any_kind_come_before_all_others() -> None:
    memory = Memory(
        constraints=tuple(anchor(f"c{n}", size=200) for n in range(300)),
        decisions=(anchor("d1", "decision", size=200), anchor("d2", "decision", "critical", size=200)),
    )

    assert names(served(memory)["decisions"]) == ["d2"]


def test_the_object_is_never_larger_than_a_script_can_be_handed() -> None:
    memory = Memory(
        constraints=tuple(anchor(f"c{n}", priority="critical", size=900) for n in range(100)),
        task_id="t" * 64,
        task_state={"goal": "字" * 400, "pending": ["字" * 90] * 99, "x": "字" * 600, "notes": ["字"] * 3000},
        problems=tuple(Problem(file="字" * 200, line=n, message="字" * 500) for n in range(100)),
    )

    assert len(json.dumps(served(memory))) <= MAX_JSON_BYTES
    assert len(names(served(memory)["constraints"])) > 0


def test_a_hundred_thousand_decisions_cost_no_more_than_those_that_fit() -> None:
    memory = Memory(decisions=tuple(anchor(f"d{n}", "decision") for n in range(100_000)))

    assert served(memory)["omitted"] == 100_000 - len(names(served(memory)["decisions"]))
