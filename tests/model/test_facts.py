"""What a session is served."""

from __future__ import annotations

from agentinitd.model.facts import Anchor, AnchorKind, Memory


def anchor(kind: AnchorKind) -> Anchor:
    return Anchor(id=kind, kind=kind, what=f"the {kind}")


def test_what_is_hard_comes_first_and_decisions_last() -> None:
    memory = Memory(
        decisions=(anchor("decision"),), tools=(anchor("tool"),), constraints=(anchor("constraint"),)
    )

    assert [each.kind for each in memory.anchors] == ["constraint", "tool", "decision"]


def test_a_memory_without_anchors_and_state_is_empty_even_with_problems_or_a_task() -> None:
    assert Memory(task_id="t-1").is_empty
    assert Memory(task_state={}).is_empty
    assert not Memory(task_state={"status": "done"}).is_empty
    assert not Memory(tools=(anchor("tool"),)).is_empty
