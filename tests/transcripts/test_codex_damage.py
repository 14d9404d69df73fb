"""Damage in a Codex rollout, cuts at any place, and checkpoints change nothing of what is intact."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    Event,
    Skipped,
)
from agentinitd.transcripts.codex_reader import CodexReader
from agentinitd.transcripts.reader import Checkpoint

sys.path.insert(0, str(Path(__file__).parent))

from codex_lines import (
    SAMPLES,
    compacted,
    data_of,
    events_of,
    in_pieces,
    kinds,
    meta,
    of,
    read,
    record,
    said,
    typed,
)

# Damage, cuts, checkpoints


def samples() -> list[Path]:
    return sorted(SAMPLES.glob("cx-*.jsonl"))


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.stem)
def test_the_place_of_a_cut_changes_nothing(path: Path) -> None:
    data = path.read_bytes()
    whole = read(data)
    chance = random.Random(7)

    for _ in range(50):
        cut = chance.randrange(len(data) + 1)
        assert in_pieces(data, [cut]) == whole
    assert in_pieces(data, range(0, len(data), 97)) == whole


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.stem)
def test_a_checkpoint_anywhere_goes_on_as_if_nothing_had_been(path: Path) -> None:
    data = path.read_bytes()
    whole = read(data)
    chance = random.Random(8)

    for _ in range(50):
        cut = chance.randrange(len(data) + 1)
        first = CodexReader(is_detailed=True)
        events = first.feed(data[:cut])
        kept = json.loads(msgspec.json.encode(first.checkpoint()))
        second = CodexReader(msgspec.convert(kept, Checkpoint), is_detailed=True)
        events += second.feed(data[second.offset :])
        assert events + second.flush() == whole


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.stem)
def test_a_torn_end_waits_and_is_read_when_it_is_whole(path: Path) -> None:
    data = path.read_bytes()
    whole = read(data)
    last = data[:-1].rfind(b"\n") + 1
    reader = CodexReader(is_detailed=True)
    events = reader.feed(data[: last + 20])

    assert reader.flush() == []
    assert events + reader.feed(data[last + 20 : -1]) + reader.flush() + reader.feed(b"\n") == whole


@pytest.mark.parametrize(
    "damage",
    [
        b"not json\n",
        b"\0" * 500 + b"\n",
        b"\xff\xfe\xfa\n",
        b'{"timestamp":"2026\n',
        b"[]\n",
        b"7\n",
        b"\r\n",
        b"null\n",
    ],
)
def test_damage_costs_its_own_line_alone(damage: bytes) -> None:
    data = samples()[0].read_bytes()
    lines = data.splitlines(keepends=True)
    whole = [strip(each) for each in read(data)]

    for place in (0, 3, 21, 22, len(lines)):
        found = read(b"".join(lines[:place]) + damage + b"".join(lines[place:]))
        assert [strip(each) for each in found if not isinstance(each, Skipped)] == whole
        assert len(of(Skipped, found)) == bool(damage.strip())


def strip(told: Event) -> Event:
    """Without its place: damage before it moves it."""
    return msgspec.structs.replace(told, line=0, offset=0)


def test_a_record_behind_the_torn_end_of_another_is_read() -> None:
    torn = json.dumps(said("never finished")).encode()[:-30]
    events = read(data_of([meta()]) + torn + data_of([compacted(1), typed()]))

    assert kinds(events) == ["SessionSeen", "Skipped", "CompactionMarker", "PersonMessage"]


@pytest.mark.parametrize(
    "line",
    [
        record("session_meta", None),
        record("session_meta", {"id": 7, "cwd": [], "source": {"subagent": []}}),
        record("turn_context", {"model": {}, "cwd": 5}),
        record("compacted", {"window_id": {}}),
        record("from_the_future", {"type": "message"}),
        record("event_msg", "text"),
        record(
            "event_msg", {"type": "token_count", "info": {"last_token_usage": [1], "total_token_usage": 5}}
        ),
        record("event_msg", {"type": "user_message", "message": {"a": 1}}),
        record("event_msg", {"type": "item_completed", "item": "x"}),
        record("event_msg", {"type": "plan_update", "plan": {"a": 1}}),
        record("response_item", {"type": "message", "role": "assistant", "content": {"a": 1}}),
        record("response_item", {"type": "message", "role": "assistant", "content": "plain"}),
        record("response_item", {"type": "function_call", "name": 5, "arguments": [], "call_id": {}}),
        record(
            "response_item", {"type": "function_call_output", "output": {"content": [1], "success": "no"}}
        ),
        {"timestamp": 5, "type": "event_msg", "payload": {"type": "user_message", "message": "x"}},
        {"timestamp": "yesterday", "type": "event_msg", "payload": {"type": "user_message", "message": "x"}},
        {"timestamp": "2026-11-29T10:00:00", "type": "compacted", "payload": {}},
        {"type": ["list"], "payload": {}},
        {},
    ],
)
def test_fields_of_the_wrong_type_and_unknown_records_are_no_damage(line: object) -> None:
    assert not of(Skipped, events_of(meta(), line, typed()))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=6), st.randoms(use_true_random=False))
def test_no_bytes_make_it_raise(pieces: list[bytes], chance: random.Random) -> None:
    lines = samples()[0].read_bytes().splitlines(keepends=True)[:12]
    mixed = [*lines, *pieces]
    chance.shuffle(mixed)
    data = bytearray(b"".join(mixed))
    for _ in range(5):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)

    reader = CodexReader(is_detailed=True)
    reader.feed(bytes(data))
    reader.flush()
    msgspec.json.encode(reader.checkpoint())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
_TYPES = st.sampled_from(
    ["session_meta", "turn_context", "event_msg", "response_item", "compacted", "message", "token_count",
     "user_message", "function_call", "function_call_output", "item_completed", "local_shell_call"]
)  # fmt: skip
_FIELDS = st.sampled_from(
    ["type", "id", "cwd", "info", "content", "role", "arguments", "output", "item", "plan", "message",
     "source", "timestamp", "window_id", "action", "name", "call_id", "model", "forked_from_id", "turn_id"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(_TYPES, _TYPES, st.dictionaries(_FIELDS, _JSON, max_size=4)), max_size=4))
def test_no_values_make_it_raise(found: list[tuple[str, str, dict[str, object]]]) -> None:
    records = [record(kind, {"type": inner, **fields}) for kind, inner, fields in found]
    bare = [{"type": inner, **fields} for _, inner, fields in found]

    events = read(data_of([meta(), *records, *bare]))

    msgspec.json.encode(events)
