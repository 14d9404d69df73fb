"""Changes of a task state: on every shape that the format allows, with unknown keys and order kept."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.memory.task_edit import (
    add,
    block,
    blocked,
    complete,
    find_blocker,
    find_open_step,
    finish,
    new_state,
    numbered_steps,
    open_steps,
    set_text,
    start,
    unblock,
)
from agentinitd.memory.task_state import State, parse_task_state, served_state, step_progress
from agentinitd.model.errors import UsageError

PLAIN: dict[str, Any] = {
    "mine": {"x": [1]},
    "pending": ["write", {"title": "test", "owner": "me", "status": "todo"}],
    "completed": ["read"],
    "task_id": "a",
}
STEPS: dict[str, Any] = {
    "goal": "g",
    "steps": [
        {"id": 1, "title": "read", "status": "done"},
        {"id": 2, "title": "write", "status": "in_progress", "note": "n"},
        {"id": 3, "title": "test", "status": "todo"},
    ],
    "port": 5433,
}
TODOS: dict[str, Any] = {
    "todos": [{"content": "write", "status": "pending", "activeForm": "writing"}, "test"]
}


@pytest.mark.parametrize("state", [PLAIN, STEPS, TODOS, {}, {"pending": "write"}, {"completed": "read"}])
def test_a_completed_step_is_done_wherever_it_stood_and_the_rest_is_as_it_was(state: State) -> None:
    before = deepcopy(state)

    after = complete(state, "  WRITE ")

    assert state == before
    progress = step_progress(after)
    done = {title.casefold().strip() for title, stands in progress.items() if stands == "completed"}
    assert "write" in done
    assert {key: value for key, value in after.items() if key in ("mine", "port", "goal", "task_id")} == {
        key: value for key, value in before.items() if key in ("mine", "port", "goal", "task_id")
    }
    assert [key for key in after if key in before] == list(before)
    assert complete(after, "write") == after


def test_an_object_keeps_its_own_keys_and_the_word_of_its_list() -> None:
    assert complete(STEPS, "write")["steps"][1] == {**STEPS["steps"][1], "status": "done"}  # type: ignore[index,call-overload]
    assert complete(PLAIN, "test")["completed"] == [
        "read",
        {"title": "test", "owner": "me", "status": "done"},
    ]
    assert complete(TODOS, "write")["todos"][0]["status"] == "completed"  # type: ignore[index,call-overload]
    assert complete(TODOS, "test")["todos"][1] == {"title": "test", "status": "completed"}  # type: ignore[index,call-overload]


def test_what_the_agent_only_claimed_is_so_once_a_person_says_it() -> None:
    plan: State = {"plan": [{"title": "test", "status": "done", "claimed": True}]}

    assert complete(plan, "test") == {"plan": [{"title": "test", "status": "done", "claimed": False}]}
    assert start(plan, "test") == {"plan": [{"title": "test", "status": "in_progress", "claimed": False}]}


def test_a_blocker_that_is_a_step_goes_with_it() -> None:
    state = block(PLAIN, "write")

    assert (blocked(state), step_progress(state)["write"]) == (["write"], "blocked")
    assert "write" in state["pending"]  # type: ignore[operator]
    assert blocked(complete(state, "write")) == []
    assert step_progress(unblock(state, "write"))["write"] == "pending"


def test_a_blocked_step_of_a_list_waits_again_when_nothing_blocks_it() -> None:
    state = block(STEPS, "test")

    assert state["steps"][2]["status"] == "blocked"  # type: ignore[index,call-overload]
    assert step_progress(unblock(state, "test"))["test"] == "pending"
    assert blocked(unblock(state, "test")) == []


def test_a_new_step_has_the_form_of_the_others() -> None:
    assert add(STEPS, "ship")["steps"][3] == {"id": 4, "title": "ship", "status": "todo"}  # type: ignore[index,call-overload]
    assert add(PLAIN, "ship")["pending"][-1] == "ship"  # type: ignore[index]
    assert add({}, "ship") == {"pending": ["ship"]}
    assert add({"pending": ""}, "ship") == {"pending": ["ship"]}
    assert add(STEPS, "Read") == STEPS


def test_a_started_step_is_the_one_that_runs() -> None:
    assert step_progress(start(STEPS, "test"))["test"] == "in_progress"
    state = start(PLAIN, "test")
    assert state["in_progress"] == [{"title": "test", "owner": "me", "status": "in_progress"}]
    assert state["pending"] == ["write"]
    assert start(state, "test") == state


def test_a_finished_task_has_no_next_step_and_nothing_in_its_way() -> None:
    state = finish({"status": "open", "next_action": "x", "blockers": ["y"], "pending": ["z"], "k": 1})

    assert state == {"status": "done", "next_action": "", "blockers": [], "pending": ["z"], "k": 1}
    assert finish({}) == {"status": "done"}


def test_an_empty_text_takes_away_what_stood_there() -> None:
    assert set_text({"phase": "build"}, "phase", "") == {"phase": ""}
    assert set_text({}, "phase", "") == {}
    assert set_text({}, "phase", "build") == {"phase": "build"}


@pytest.mark.parametrize(
    ("words", "title"),
    [("write", "write"), ("WRI", "write"), ("2", "write"), ("3", "test"), ("read", "read"), ("1", "read")],
)
def test_a_step_is_named_by_its_title_a_part_of_it_or_its_number(words: str, title: str) -> None:
    assert find_open_step(STEPS, words) == title


def test_steps_of_plain_lists_are_numbered_as_they_are_open() -> None:
    assert open_steps(PLAIN) == ["write", "test"]
    assert find_open_step(PLAIN, "2") == "test"


@pytest.mark.parametrize(
    ("state", "words", "told"),
    [
        (STEPS, "t", "more than one"),
        (STEPS, "deploy", "no step that is open"),
        (STEPS, "", "no step"),
        (STEPS, "9", "no step"),
        ({}, "x", "There is no step"),
    ],
)
def test_a_name_that_fits_none_or_several_is_refused_with_the_choices(
    state: State, words: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        find_open_step(state, words)


def test_a_blocker_is_found_by_a_part_of_it() -> None:
    assert find_blocker({"blockers": ["waits for the key of the bank"]}, "bank") == (
        "waits for the key of the bank"
    )


def test_a_new_state_has_what_every_state_has() -> None:
    assert {"task_id", "status", "completed", "pending", "blockers"} <= new_state("a", "g", ["b"]).keys()


titles = st.sampled_from(["a", "b", "写 文档", "x" * 40])
entries = st.one_of(
    titles,
    st.fixed_dictionaries({"title": titles}, optional={"status": st.sampled_from(["done", "todo", "?"])}),
)
values = st.one_of(st.none(), titles, st.lists(entries, max_size=4))
states = st.dictionaries(
    st.sampled_from(["completed", "pending", "in_progress", "blockers", "steps", "todos", "plan", "other"]),
    values,
)


@settings(max_examples=60)
@given(state=states, title=titles)
def test_no_change_makes_a_state_faulty_or_loses_another_step(state: State, title: str) -> None:
    import json

    for change in (complete, start, add, block, unblock):
        after = change(state, title)
        assert parse_task_state(json.dumps(after).encode())[1] == []
        served_state(after)
        others = set(step_progress(state)) - {title}
        assert others <= set(step_progress(after))
    assert step_progress(complete(state, title))[title] == "completed"


def test_a_plan_of_the_agent_hides_no_step_of_the_person() -> None:
    state: State = {
        "pending": ["writer"],
        "completed": ["reader"],
        "plan": [{"title": "a", "status": "pending"}],
    }

    assert numbered_steps(state) == [
        (1, "a", "pending"),
        (2, "reader", "completed"),
        (3, "writer", "pending"),
    ]
