"""Each trigger, told as a history of observations and the causes they must and must not have."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import msgspec
import pytest

from agentinitd.model.causes import Cause
from agentinitd.model.events import (
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
)
from agentinitd.sessions.detector import PAUSE_SECONDS, step
from agentinitd.sessions.detector_state import DetectorState
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.observations import (
    Asked,
    Compacted,
    Delivered,
    Observation,
    SessionStarted,
    TaskStateChanged,
)
from agentinitd.transcripts.claude_code import new_reader

START = SessionStarted(source="startup", cause_id="session:1")
FULL = Delivered(runlevel="compact", is_full=True)


class Story:
    """Observations in order; places and times go up by themselves, and the state survives JSON each time."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.state = DetectorState()
        self.limits = limits or Limits()
        self.clock = 1_800_000_000.0
        self.line = 0

    def see(self, *observations: Observation) -> list[str]:
        """The triggers of what became due."""
        return [cause.trigger for cause in self.causes(*observations)]

    def causes(self, *observations: Observation) -> list[Cause]:
        due: list[Cause] = []
        for observation in observations:
            self.state, causes = step(self.state, observation, self.limits)
            self.state = msgspec.json.decode(msgspec.json.encode(self.state), type=DetectorState)
            due += causes
        return due

    def where(self, more: dict[str, Any]) -> dict[str, Any]:
        self.line += 1
        self.clock += more.pop("after", 10)
        return {"line": self.line, "offset": self.line * 100, "written_at": self.clock} | more

    def asks(self, tokens: int, model: str = "m", **more: Any) -> Request:
        return Request(**self.where(more), request_id=f"r{self.line}", model=model, context_tokens=tokens)

    def says(self, **more: Any) -> PersonMessage:
        return PersonMessage(**self.where(more), text="go on")

    def marks(self, marker_id: str = "b1", **more: Any) -> CompactionMarker:
        return CompactionMarker(
            **self.where(more), marker_id=marker_id, trigger="auto", tokens_before=None, tokens_after=None
        )

    def clears(self, kind: Any, **more: Any) -> ContextCleared:
        return ContextCleared(**self.where(more), kind=kind)

    def turns(self, *sizes: int) -> list[str]:
        """A turn for each size."""
        return [trigger for size in sizes for trigger in self.see(self.says(), self.asks(size))]


@pytest.fixture
def story() -> Story:
    return Story()


def settled(limits: Limits | None = None) -> Story:
    """A session four turns old at 100,000 tokens: outside the cool-down of its start."""
    story = Story(limits)
    assert story.see(START, FULL) == ["session"]
    assert story.turns(70_000, 80_000, 90_000, 100_000) == []
    return story


# Drop


def test_a_fall_of_more_than_the_limit_is_a_drop_and_names_its_figures() -> None:
    story = settled()

    [cause] = story.causes(story.asks(79_999))

    assert (cause.trigger, cause.runlevel, cause.turn) == ("drop", "compact", 4)
    assert cause.id == f"drop:{cause.offset}" == f"drop:{story.line * 100}"
    assert cause.reason == "context fell from 100,000 to 79,999 tokens (-20.0 %)"


def test_a_fall_of_exactly_the_limit_is_none() -> None:
    story = settled()

    assert story.see(story.asks(80_000)) == []


def test_small_falls_add_up_to_the_highest_value() -> None:
    story = settled()

    assert story.see(story.asks(88_000), story.asks(81_000)) == []
    assert story.see(story.asks(78_000)) == ["drop"]


def test_falls_that_recover_in_between_do_not_add_up() -> None:
    story = settled()

    assert story.turns(85_000, 99_000, 83_000, 90_000) == []


def test_after_a_drop_the_size_it_fell_to_is_the_new_base() -> None:
    story = settled()

    assert story.see(story.asks(60_000), FULL) == ["drop"]
    assert story.turns(61_000, 62_000, 63_000, 51_000) == []
    assert story.see(story.asks(50_000)) == ["drop"]


def test_a_full_snippet_makes_the_current_size_the_base_and_a_slim_one_does_not() -> None:
    story, slim = settled(), settled()
    for each, runlevel, is_full in ((story, "periodic", True), (slim, "slim", False)):
        each.see(each.asks(85_000), Delivered(runlevel=runlevel, is_full=is_full))  # type: ignore[arg-type]
        each.turns(85_000, 85_000, 85_000)

    assert story.see(story.asks(79_000)) == []
    assert slim.see(slim.asks(79_000)) == ["drop"]


def test_a_drop_inside_the_cool_down_is_put_off_until_it_is_over() -> None:
    story = Story()
    story.see(START, FULL)
    assert story.turns(100_000, 50_000) == []
    dropped_at = story.line * 100

    [cause] = story.causes(story.says())

    assert (cause.id, cause.turn) == (f"drop:{dropped_at}", 3)
    assert story.turns(51_000, 52_000, 53_000) == []


def test_a_drop_put_off_is_served_by_a_full_snippet_in_between() -> None:
    story = Story()
    story.see(START, FULL)
    story.turns(100_000, 50_000)

    assert story.see(Delivered(runlevel="manual", is_full=True)) == []
    assert story.turns(51_000, 52_000, 53_000, 54_000) == []


def test_without_a_cool_down_each_drop_is_due_at_once() -> None:
    story = Story(Limits(cooldown_turns=0))
    story.see(START, FULL)

    assert story.see(story.asks(100_000), story.asks(50_000), FULL, story.asks(30_000)) == ["drop", "drop"]


def test_history_and_helpers_never_fire_but_history_tells_the_size() -> None:
    story = settled()

    assert story.see(story.asks(10_000, is_helper=True), story.asks(100_000)) == []
    assert story.see(story.asks(50_000, is_history=True), story.marks(is_history=True)) == []
    assert story.see(story.asks(90_000, is_history=True), story.asks(70_000)) == ["drop"]


def test_a_call_on_the_side_by_another_model_is_no_drop() -> None:
    story = settled()

    assert story.see(story.asks(3_000, "small"), story.asks(101_000)) == []


def test_a_fall_with_another_model_counts_when_the_next_request_confirms_it() -> None:
    story = settled()
    fall = story.asks(30_000, "other")

    assert story.see(fall) == []
    [cause] = story.causes(story.asks(31_000, "other"))

    assert (cause.line, cause.offset) == (fall.line, fall.offset)
    assert "from 100,000 to 30,000" in cause.reason


def test_a_large_call_on_the_side_does_not_raise_the_base() -> None:
    story = settled()

    assert story.see(story.asks(190_000, "other"), story.asks(101_000)) == []


def test_what_a_session_loses_over_a_long_pause_is_no_compaction() -> None:
    story, shorter, tool = settled(), settled(), settled()

    assert story.see(story.says(after=PAUSE_SECONDS), story.asks(46_000), story.asks(47_000)) == []
    assert shorter.see(shorter.says(after=PAUSE_SECONDS - 60), shorter.asks(46_000)) == ["drop"]
    assert tool.see(tool.asks(46_000, after=PAUSE_SECONDS * 2)) == ["drop"], "a slow tool is no pause"


@pytest.mark.parametrize("kind", ["clear", "microcompact", "rewind"])
def test_a_context_that_shrank_on_purpose_is_no_drop(kind: str) -> None:
    story = settled()

    assert story.see(story.clears(kind), story.asks(20_000), story.asks(21_000)) == []


# Compactions announced


def test_a_marker_is_never_held_back_and_hides_its_own_drop() -> None:
    story = Story()
    story.see(START, FULL)
    story.turns(100_000)

    [cause] = story.causes(story.marks("b7"))

    assert (cause.id, cause.trigger, cause.line) == ("marker:b7", "marker", story.line)
    assert story.see(story.asks(30_000)) == []


def test_a_marker_read_again_is_not_due_again() -> None:
    """RL-13, CLK-4."""
    story = settled()

    assert story.see(story.marks("b7"), story.asks(50_000), story.marks("b7")) == ["marker"]


BY_HOOK = SessionStarted(source="compact", cause_id="hook:1")


def test_hook_and_marker_are_one_compaction_in_either_order() -> None:
    story, other = settled(), settled()

    assert [cause.id for cause in story.causes(BY_HOOK, story.marks("b1"), story.asks(40_000))] == ["hook:1"]
    assert [cause.id for cause in other.causes(other.marks("b1"), BY_HOOK, other.asks(40_000))] == [
        "marker:b1"
    ]


def test_two_hooks_and_the_marker_are_one_compaction() -> None:
    story = settled()

    assert story.see(Compacted(cause_id="hook:0"), story.marks(), BY_HOOK, story.asks(40_000)) == ["marker"]


def test_the_next_compaction_is_another_whoever_announces_it() -> None:
    story = settled()
    later = SessionStarted(source="compact", cause_id="hook:2")

    told = story.see(
        BY_HOOK, story.marks("b1"), story.asks(40_000), later, story.asks(90_000), story.marks("b2")
    )

    assert told == ["marker", "marker", "marker"]


def test_two_markers_without_a_request_between_them_are_two_compactions() -> None:
    story = settled()

    assert story.see(story.marks("b1"), story.marks("b2")) == ["marker", "marker"]


def test_a_request_written_before_the_hook_but_read_after_it_ends_nothing() -> None:
    story = settled()
    late, marker = story.asks(100_000), story.marks("b1")
    hook = SessionStarted(source="compact", cause_id="hook:1", at=late.written_at)

    assert story.see(hook, late, marker, story.asks(40_000), story.asks(41_000)) == ["marker"]


def test_a_hook_that_is_heard_after_the_request_that_ended_its_compaction_is_no_other() -> None:
    """A hook that can deliver nothing does not wait for a rebuild; the transcript is read meanwhile."""
    story = settled()
    marker = story.marks("b1")
    spoken = Compacted(cause_id="hook:1", at=story.clock)
    again = Compacted(cause_id="hook:2", at=story.clock)

    assert story.see(marker, story.asks(40_000), spoken) == ["marker"]
    assert story.see(again) == ["marker"]  # twice by the same means: another one


def test_a_hook_after_that_request_announces_another_compaction() -> None:
    story = settled()
    told = story.see(story.marks("b1"), story.asks(40_000))

    later = Compacted(cause_id="hook:1", at=story.clock + 1)

    assert [*told, *story.see(later)] == ["marker", "marker"]


def test_a_compaction_that_only_a_hook_announced_is_not_found_again_as_a_drop() -> None:
    story = settled()
    hook = SessionStarted(source="compact", cause_id="hook:1", at=story.clock + 1)

    assert story.see(hook, story.asks(40_000), story.asks(41_000)) == ["marker"]


def test_a_hook_whose_clock_is_ahead_of_the_transcript_does_not_make_deaf() -> None:
    story = settled()
    ahead = SessionStarted(source="compact", cause_id="hook:1", at=story.clock + 30 * 24 * 3600)

    assert story.see(ahead, *(story.asks(40_000) for _ in range(4))) == ["marker"]
    assert story.turns(60_000, 80_000, 100_000, 100_000, 50_000) == ["drop"]


# Sessions


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork"])
def test_a_session_start_is_never_held_back_and_compares_with_nothing_before(source: Any) -> None:
    story = settled()
    story.see(story.asks(60_000), FULL)

    started = SessionStarted(source=source, cause_id="session:2")

    assert story.see(started, started) == ["session"]
    assert story.see(story.asks(9_000)) == []


def test_what_the_transcript_says_of_names_is_no_start() -> None:
    story = settled()
    seen = SessionSeen(**story.where({}), session_id="s", cwd="/p", agent_version=None)

    assert story.see(seen) == []


# Periodic, task state, asked


def test_ten_turns_after_the_last_full_snippet_one_is_due() -> None:
    story = Story()
    story.see(START, FULL)

    assert story.turns(*[50_000] * 9) == []
    [cause] = story.causes(story.says())

    assert (cause.trigger, cause.runlevel, cause.id) == (
        "periodic",
        "periodic",
        f"periodic:{story.line * 100}",
    )
    assert story.see(FULL) == []
    assert story.turns(*[50_000] * 9) == []
    assert story.see(story.says()) == ["periodic"]


def test_sixty_requests_without_a_turn_make_one_due() -> None:
    story = Story()
    story.see(START, FULL, story.says())

    assert story.see(*[story.asks(50_000) for _ in range(59)]) == []
    assert story.see(story.asks(50_000)) == ["periodic"]
    assert story.see(*[story.asks(50_000) for _ in range(59)]) == []


def test_a_turn_starts_the_count_of_requests_again() -> None:
    story = Story()
    story.see(START, FULL)

    assert (
        story.see(*[story.asks(9) for _ in range(59)], story.says(), *[story.asks(9) for _ in range(59)])
        == []
    )


def test_zero_switches_the_periodic_rebuild_off() -> None:
    story = Story(Limits(periodic_turns=0, periodic_requests=0))
    story.see(START, FULL)

    assert story.turns(*[50_000] * 30) == []
    assert story.see(*[story.asks(50_000) for _ in range(200)]) == []


def test_a_changed_task_state_is_due_once_and_not_when_it_is_what_the_agent_knows() -> None:
    story = settled()

    assert story.see(TaskStateChanged(digest="a"), TaskStateChanged(digest="a")) == ["task-state"]
    assert story.see(Delivered(runlevel="slim", is_full=False, task_digest="a")) == []
    assert story.see(TaskStateChanged(digest="a")) == []
    assert story.see(TaskStateChanged(digest="b"), TaskStateChanged(digest="a")) == ["task-state"]
    assert story.see(TaskStateChanged(digest="b")) == ["task-state"]


def test_a_slim_snippet_ends_neither_the_cool_down_nor_the_count_of_turns() -> None:
    story = Story()
    story.see(START, FULL)
    story.turns(*[50_000] * 9)
    story.see(TaskStateChanged(digest="a"), Delivered(runlevel="slim", is_full=False, task_digest="a"))

    assert story.see(story.says()) == ["periodic"]


def test_what_a_person_asks_for_is_due_at_once() -> None:
    story = settled()

    told = story.see(
        Asked(trigger="manual", cause_id="asked:1", reason="agentinitd rebuild"),
        Asked(trigger="switch", cause_id="asked:2", reason="task switch"),
    )

    assert told == ["manual", "switch"]


# Field cases


def due_rows(path: Path) -> list[int]:
    """The rows at which a snippet is due, each delivered at once; row 0 is the start of the session."""
    state, limits = DetectorState(), Limits()
    due: list[int] = []
    events: list[Event] = new_reader(PurePath("main.jsonl")).feed(path.read_bytes())
    observations: list[tuple[int, Observation]] = [(0, START), *((event.line, event) for event in events)]
    for row, observation in observations:
        state, causes = step(state, observation, limits)
        if causes:
            due.append(row)
            state, _ = step(state, FULL, limits)
    return due


def test_field_case_01_two_small_drops(shared: Path) -> None:
    folder = shared / "field-cases" / "01-two-small-drops"

    assert due_rows(folder / "session.jsonl") == [0, 16]
    assert due_rows(folder / "control.jsonl") == [0]


def test_field_case_02_cache_noise_is_not_compaction(shared: Path) -> None:
    assert due_rows(shared / "field-cases" / "02-cache-noise-is-not-compaction" / "session.jsonl") == [0, 18]


def test_field_case_03_a_helper_in_the_same_log(shared: Path) -> None:
    path = shared / "field-cases" / "03-subagent-interleaved" / "session.jsonl"
    events = new_reader(PurePath("main.jsonl")).feed(path.read_bytes())

    assert due_rows(path) == [0]
    assert not [event for event in events if isinstance(event, CompactionMarker)]
    assert [event.line for event in events if isinstance(event, PersonMessage)] == [1, 15, 17]


class TestCheckpoint:
    """Before the window is full the agent is asked for a report, once per filling."""

    def test_one_line_becomes_due_and_no_script_is_run_for_it(self) -> None:
        story = Story()

        story.see(START, story.asks(149_000, window_tokens=200_000))
        [cause] = story.causes(story.asks(150_000, window_tokens=200_000))

        assert cause.trigger == "checkpoint"
        assert "PROGRESS REPORT" in cause.say
        assert story.see(story.asks(160_000, window_tokens=200_000)) == []

    @pytest.mark.parametrize("end", ["marks", "clears", "falls"])
    def test_it_is_asked_again_when_the_window_was_emptied_and_fills_again(self, end: str) -> None:
        story = Story(Limits(cooldown_turns=0))
        story.see(START, story.asks(150_000, window_tokens=200_000))
        emptied = {
            "marks": story.marks(),
            "clears": story.clears("clear"),
            "falls": story.asks(60_000, window_tokens=200_000),
        }[end]

        story.see(emptied, story.asks(50_000, window_tokens=200_000))

        assert story.see(story.asks(155_000, window_tokens=200_000)) == ["checkpoint"]

    @pytest.mark.parametrize(
        ("model", "tokens", "due"),
        [
            ("claude-opus-4-6", 149_000, []),
            ("claude-opus-4-6", 151_000, ["checkpoint"]),
            ("claude-sonnet-4-5", 240_000, []),
            ("claude-sonnet-4-5", 760_000, ["checkpoint"]),
            ("model-s", 199_000, []),
        ],
    )
    def test_a_window_that_is_not_told_is_that_of_the_models_family_or_unknown(
        self, model: str, tokens: int, due: list[str]
    ) -> None:
        story = Story()
        story.see(START)

        assert story.see(story.asks(tokens, model=model)) == due

    def test_a_person_may_name_the_window_or_want_none_of_it(self) -> None:
        named, unwanted = Story(Limits(window_tokens=32_000)), Story(Limits(checkpoint_percent=0))

        assert named.see(named.asks(25_000)) == ["checkpoint"]
        assert unwanted.see(unwanted.asks(199_000, window_tokens=200_000)) == []

    def test_a_helper_and_history_are_not_asked(self) -> None:
        story = Story()

        assert story.see(story.asks(190_000, window_tokens=200_000, is_helper=True)) == []
        assert story.see(story.asks(190_000, window_tokens=200_000, is_history=True)) == []
