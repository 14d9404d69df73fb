"""The reader of Aider's chat history: whose line is whose, whatever is quoted and wherever it is cut."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    ToolCall,
    ToolResult,
)
from agentinitd.sessions.replay import replay
from agentinitd.transcripts.aider_log import AiderLogReader
from agentinitd.transcripts.aider_reader import AiderReader
from agentinitd.transcripts.reader import Checkpoint

DATA = Path(__file__).parents[1] / "data" / "aider"
START = "\n# aider chat started at 2026-09-01 10:00:00\n\n> Aider v0.86.1  \n> Main model: model-x  \n"


def read(text: str | bytes) -> list[Event]:
    reader = AiderReader("/srv/demo", is_detailed=True)
    events = reader.feed(text if isinstance(text, bytes) else text.encode())
    return [*events, *reader.flush()]


def of(events: Iterable[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def typed(text: str) -> list[str]:
    return [event.text for event in of(read(START + text), PersonMessage)]


def test_an_input_of_several_lines_is_one_message() -> None:
    assert typed("\n#### first  \n####   \n#### third  \n\nok\n\n") == ["first\n\nthird"]


def test_headings_and_quotes_of_the_model_are_its_own() -> None:
    reply = "Look:\n\n#### A heading\n\n> a quote\n\n# Another\n\n> Tokens: 9k sent, 1 received."
    events = read(f"{START}\n#### go  \n\n{reply}\n\n> Tokens: 4.1k sent, 2 received.  \n")

    assert [event.text for event in of(events, PersonMessage)] == ["go"]
    assert [event.text for event in of(events, AgentMessage)] == [reply]
    assert [event.context_tokens for event in of(events, Request)] == [4_100]


def test_a_file_whose_line_ends_were_trimmed_is_read_all_the_same() -> None:
    text = (DATA / "aider.chat.history.md").read_text(encoding="utf-8")
    trimmed = "\n".join(line.rstrip() for line in text.split("\n"))
    whole, cut = read(text), read(trimmed)

    assert [type(event) for event in cut] == [type(event) for event in whole]
    assert [event.context_tokens for event in of(cut, Request)] == [4_100, 19_000, 6_200, 3_000]


@pytest.mark.parametrize(
    ("figures", "tokens"),
    [
        ("4.1k sent, 120 received.", 4_100),
        ("920 sent, 12 received. Cost: $0.01 message, $0.01 session.", 920),
        ("5,244 sent, 604 received. Cost: $0.02 request, $0.02 session.", 5_244),
        ("19k sent, 2.3k cache write, 11k cache hit, 1.4k received.", 19_000),
        ("310 sent, 40k cache hit, 1.4k received.", 40_310),
        ("128k sent, 1.4k received", 128_000),
    ],
)
def test_figures_of_every_form_are_read(figures: str, tokens: int) -> None:
    assert [event.context_tokens for event in of(read(f"{START}> Tokens: {figures}  \n"), Request)] == [
        tokens
    ]


@pytest.mark.parametrize(
    "figures", ["0 sent, 0 received.", ". sent, 1 received.", "9" * 400 + " sent, 1 received."]
)
def test_figures_that_are_none_are_no_request(figures: str) -> None:
    assert not of(read(f"{START}> Tokens: {figures}  \n"), Request)


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("/clear", "clear"), ("/cl", "clear"), ("/reset", "clear"), ("/res", "clear"),
        ("/drop", "microcompact"), ("/drop a.py b.py", "microcompact"), ("/dr a.py", "microcompact"),
    ],
)  # fmt: skip
def test_commands_that_shrink_the_context_are_no_compaction(command: str, kind: str) -> None:
    figures = "\nok\n\n> Tokens: {} sent, 1 received.  \n"
    events = read(f"{START}{figures.format('50k')}\n#### {command}  \n{figures.format('5.0k')}")

    assert [event.kind for event in of(events, ContextCleared)] == [kind]
    assert replay(events, "aider").compactions == ()


@pytest.mark.parametrize(
    "command", ["/clearly", "/c", "/r", "/d", "/add a.py", "/diff", "/undo", "!ls", "/usr/bin is missing"]
)
def test_other_commands_neither_clear_nor_say_anything(command: str) -> None:
    events = read(f"{START}\n#### {command}  \n")

    assert not of(events, ContextCleared)
    assert not of(events, PersonMessage)


def test_a_question_by_command_is_asked_once_though_it_is_written_twice() -> None:
    assert typed("\n#### /ask why?  \n\n#### why?  \n\nBecause.\n\n#### why?  \n") == ["why?", "why?"]


def test_what_the_architect_hands_to_the_editor_was_not_typed() -> None:
    assert typed("\n#### plan it  \n\nChange a.\nThen b.\n\n\n#### Change a.  \n#### Then b.  \n\nok\n") == [
        "plan it"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<blank>",
        "# Fix any errors below, if possible.",
        "Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: y",
        'I\'ve written your instructions in comments in the code and marked them with "ai"',
    ],
)
def test_what_aider_writes_in_the_persons_place_is_not_heard(text: str) -> None:
    assert typed(f"\n#### {text}  \n") == []


def test_a_run_without_figures_is_estimated_and_says_so() -> None:
    question, answer = "a" * 400, "b" * 4000
    once = f"\n#### {question}  \n\n{answer}\n\n"
    found = of(read(START + once * 2), Request)

    assert [(event.context_tokens, event.is_estimate) for event in found] == [(1100, True), (2200, True)]


def test_the_way_of_counting_can_be_chosen() -> None:
    reader = AiderReader(None, count=lambda text: len(text.split()), is_detailed=True)
    events = reader.feed(f"{START}\n#### one two three  \n\nfour five\n\n".encode()) + reader.flush()

    assert [event.context_tokens for event in of(events, Request)] == [5]


def test_a_run_with_figures_is_never_estimated() -> None:
    turn = "\n#### go  \n\nok\n\n"
    events = read(f"{START}{turn}> Tokens: 9.0k sent, 1 received.  \n{turn}{turn}")

    assert [event.is_estimate for event in of(events, Request)] == [False]


def test_estimates_are_not_compared_with_figures() -> None:
    long = "c" * 9000
    figures = "> Tokens: 300 sent, 1 received.  \n"
    events = read(f"{START}\n#### go  \n\n{long}\n\n\n#### on  \n\nok\n\n{figures}")

    assert [event.is_estimate for event in of(events, Request)] == [True, False]
    assert replay(events, "aider").compactions == ()


def test_what_verbose_says_of_a_summary_is_a_marker() -> None:
    events = read(f"{START}> Starting to summarize chat history.  \n> Finished summarizing chat history.  \n")

    assert len(of(events, CompactionMarker)) == 1


def test_an_edit_is_a_tool_that_succeeded() -> None:
    events = read(f"{START}> Applied edit to src/数据.py  \n")

    assert [(event.name, event.input) for event in of(events, ToolCall)] == [
        ("edit", {"path": "src/数据.py"})
    ]
    assert [event.is_success for event in of(events, ToolResult)] == [True]


def test_a_switched_model_is_the_model_from_then_on() -> None:
    figures = "> Tokens: 300 sent, 1 received.  \n"
    events = read(f"{START}{figures}> Main model: other/model-y with diff edit format  \n{figures}")

    assert [event.model for event in of(events, Request)] == ["model-x", "other/model-y"]


def long_chat() -> bytes:
    chosen = random.Random(5)
    parts = [START]
    for number in range(40):
        parts.append(f"\n#### 第 {number} 步  \n#### and more  \n\nA reply.\n\n#### heading\n\n> quoted\n\n")
        parts.append(f"> Tokens: {chosen.randint(10, 99)}k sent, 1 received.  \n")
        if number % 7 == 0:
            parts.append(
                f"\n# aider chat started at 2026-09-01 10:{number:02}:00\n\n> Aider v0.86.{number}  \n"
            )
        if number % 9 == 0:
            parts.append("\n#### /clear  \n> All chat history cleared.  \n")
    return "".join(parts).encode()


def test_cut_anywhere_it_reads_the_same() -> None:
    text = long_chat()
    whole = read(text)
    for cut in random.Random(1).sample(range(len(text)), 50):
        reader = AiderReader("/srv/demo", is_detailed=True)
        events = reader.feed(text[:cut])
        reader = AiderReader(
            "/srv/demo",
            Checkpoint(offset=reader.offset, line=reader.checkpoint().line, state=reader.checkpoint().state),
            is_detailed=True,
        )
        events += reader.feed(text[reader.offset :]) + reader.flush()

        assert events == whole
    reader = AiderReader("/srv/demo", is_detailed=True)
    bytewise = [event for at in range(len(text)) for event in reader.feed(text[at : at + 1])]
    assert [*bytewise, *reader.flush()] == whole


def test_a_torn_end_is_waited_for_and_read_once() -> None:
    text = long_chat()
    whole = read(text)
    for cut in random.Random(2).sample(range(len(text)), 50):
        if text[cut - 1 : cut] == b"\n":
            continue
        reader = AiderReader("/srv/demo", is_detailed=True)
        events = reader.feed(text[:cut]) + reader.flush()
        events += reader.feed(text[cut:]) + reader.flush()

        for kind in (Request, SessionSeen, PersonMessage, ContextCleared):
            assert of(events, kind) == of(whole, kind)


def test_damage_is_the_models_and_costs_nothing_around_it() -> None:
    figures = "> Tokens: 300 sent, 1 received.  \n"
    damaged = f"{START}{figures}".encode() + bytes(range(256)) * 8 + f"\n{figures}".encode()

    assert len(of(read(damaged), Request)) == 2


def test_an_endless_line_is_skipped() -> None:
    line = b'{"a":[' + b'"b",' * 2_000_000 + b"\n"
    events = read(START.encode() + line + b"> Tokens: 300 sent, 1 received.  \n")

    assert len(of(events, Skipped)) == 1
    assert [event.line for event in of(events, Request)] == [7]


@given(st.lists(st.sampled_from([
    b"#### ", b"> ", b"# aider chat started at 2026-09-01 10:00:00", b"  \n", b"\n",
    b"Tokens: 4k sent, 1 received",
    b"/clear", b"Aider v1", b"\xff\0", b"9" * 30, b"# aider chat started at 9999-99-99 99:99:99\n",
]) | st.binary(max_size=12), max_size=20), st.integers(0, 300))  # fmt: skip
def test_no_bytes_raise_and_a_valid_end_is_read(pieces: list[bytes], cut: int) -> None:
    text = b"".join(pieces) + b"\n> Tokens: 7.0k sent, 1 received.  \n"
    reader = AiderReader("/srv/demo", is_detailed=True)
    events = reader.feed(text[:cut]) + reader.feed(text[cut:]) + reader.flush()

    assert of(events, Request)[-1].context_tokens == 7_000


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(), max_size=4))
def test_a_state_of_any_kind_does_no_harm(state: dict[str, Any]) -> None:
    AiderReader(None, Checkpoint(state=state), is_detailed=True).feed(START.encode())
    AiderLogReader(None, Checkpoint(state=state)).feed(b"TO LLM 2026-09-01T10:00:00\n")


def log(*requests: list[str]) -> str:
    text = ""
    for number, turns in enumerate(requests):
        text += f"TO LLM 2026-09-01T10:{number:02}:00\n"
        text += "".join(f"-------\n{turn}\n" for turn in turns)
        text += f"LLM RESPONSE 2026-09-01T10:{number:02}:09\nASSISTANT done\n"
    return text


def summaries(text: str) -> list[int]:
    reader = AiderLogReader("/srv/demo")
    return [event.line for event in of(reader.feed(text.encode()) + reader.flush(), CompactionMarker)]


def test_a_summary_in_the_log_is_a_compaction() -> None:
    system, summary = "SYSTEM s", "USER I spoke to you previously about a number of things."
    first, second = [system, "USER one"], [system, "USER one", "ASSISTANT done", "USER two"]
    third = [system, summary, "ASSISTANT Ok.", "USER three"]

    assert summaries(log(first, second, third, [*third, "ASSISTANT done", "USER four"])) == [19]


def test_an_emptied_chat_or_a_text_brought_in_is_no_summary() -> None:
    system = "SYSTEM s"
    first = [system, "USER one"]

    assert summaries(log(first, [system, "USER two"])) == []
    assert (
        summaries(log(first, [*first, "ASSISTANT done", "USER web page", "ASSISTANT Ok.", "USER two"])) == []
    )


def test_the_log_cut_anywhere_reads_the_same() -> None:
    text = (DATA / "aider.llm.history").read_bytes()
    reader = AiderLogReader("/srv/demo")
    whole = reader.feed(text) + reader.flush()
    for cut in range(len(text)):
        reader = AiderLogReader("/srv/demo")
        events = reader.feed(text[:cut])
        reached = reader.checkpoint()
        reader = AiderLogReader("/srv/demo", reached)

        assert events + reader.feed(text[reached.offset :]) + reader.flush() == whole
