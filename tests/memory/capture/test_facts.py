"""Facts of a session: interfaces that really changed, commands that really passed, what the agent decided."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePath

from agentinitd.memory.capture.facts import Facts
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.model.events import AgentMessage, Event, PersonMessage, SessionSeen, ToolCall, ToolResult
from agentinitd.transcripts.claude_code import new_reader

OLD = "def bill(amount: float) -> Invoice:"
NEW = "def bill(cents: int) -> Invoice:"


def call(tool: str, call_id: str = "1", **given: object) -> Event:
    return ToolCall(offset=0, line=1, call_id=call_id, name=tool, input_json=json.dumps(given).encode())


def result(text: str = "ok", call_id: str = "1", *, is_success: bool | None = True) -> Event:
    return ToolResult(offset=0, line=2, call_id=call_id, is_success=is_success, text=text)


def edit(before: str, after: str) -> Event:
    return call("Edit", file_path="/srv/shop/src/billing.py", old_string=before, new_string=after)


def heard(*events: Event) -> list[Proposal]:
    return _heard(events)


def _heard(events: Iterable[Event]) -> list[Proposal]:
    facts = Facts()
    return [proposal for event in events for proposal in facts.hear(event)]


def test_a_signature_that_was_edited_is_an_interface_with_its_file() -> None:
    where = SessionSeen(offset=0, line=0, session_id="s", cwd="/srv/shop", agent_version=None)

    older, found = heard(where, edit(OLD, NEW), result())

    assert (found.kind, found.act, found.speaker) == ("tool", "state", "tool")
    assert found.text == "`bill(cents: int) -> Invoice` in src/billing.py"
    assert (found.topic, found.line) == ("src/billing.py:bill", 2)
    # What it was before, for the history: told as earlier, so that the newer form takes its place.
    assert older.text != found.text
    assert (older.topic, older.line) == ("src/billing.py:bill", 1)


def test_a_form_that_was_told_is_not_told_again() -> None:
    newest = NEW.replace("cents", "minor")
    found = heard(edit(OLD, NEW), result(), edit(NEW, newest), result())

    assert [each.text.partition(")")[0] for each in found][1:] == ["`bill(cents: int", "`bill(minor: int"]


def test_an_edit_that_failed_or_changed_no_signature_is_none() -> None:
    assert heard(edit(OLD, NEW), result("String not found", is_success=False)) == []
    assert heard(edit(OLD, NEW)) == []
    assert heard(edit(OLD + "\n  a", OLD + "\n  b"), result()) == []


def test_a_function_that_was_taken_away_is_withdrawn() -> None:
    [found] = heard(edit(OLD, "pass"), result())

    assert (found.act, found.topic) == ("withdraw", "/srv/shop/src/billing.py:bill")


def test_field_case_08_gives_the_three_forms_in_their_order(shared: Path) -> None:
    log = shared / "field-cases" / "08-signature-changed-twice" / "session.jsonl"
    reader = new_reader(PurePath("s.jsonl"), is_detailed=True)
    events = [event for line in log.read_bytes().splitlines(keepends=True) for event in reader.feed(line)]

    texts = [each.text for each in _heard(events) if each.kind == "tool"]

    assert texts == [
        "`create_invoice(customer_id: str, amount: float) -> Invoice` in src/billing.py",
        "`create_invoice(customer_id: str, amount_cents: int, currency: str) -> Invoice` in src/billing.py",
        "`create_invoice(customer_id: str, total_minor: int, currency: str, *, idempotency_key: str)"
        " -> Invoice` in src/billing.py",
    ]


def test_exact_values_come_from_commands_that_came_out_well() -> None:
    command = "cd api && uv run pytest -q -p no:randomly tests/ocr"
    found = heard(
        call("Bash", command=command),
        result("3 passed"),
        call("Bash", command="git switch -c fix/x"),
        result(),
    )

    assert [each.text for each in found] == [
        "Tests passed with `uv run pytest -q -p no:randomly tests/ocr`",
        "Branch: `fix/x`",
    ]
    assert heard(call("Bash", command=command), result("Exit code 1\n1 failed", is_success=False)) == []
    assert heard(call("Bash", command="pytest | tail -1"), result()) == []
    assert heard(call("Bash", command=command), result("2 failed, 3 passed in 0.12s")) == []


def test_the_agents_report_gives_decisions_dead_ends_and_values_as_the_agents() -> None:
    report = "PROGRESS REPORT\ndecided: keep A because B\nfailed: mmap because of locks\nvalue: port = 5433\n"

    found = heard(AgentMessage(offset=0, line=3, text=report))

    assert [(each.kind, each.text, each.why) for each in found] == [
        ("decision", "keep A", "B"),
        ("dead_end", "mmap", "of locks"),
        ("value", "port = 5433", ""),
    ]
    assert {each.speaker for each in found} == {"agent"}
    assert all(each.quote in report for each in found)


def test_a_pasted_decision_is_nobodys() -> None:
    pasted = "what is this?\n```\nDecision: use Redis because it is quick\n```"

    assert heard(PersonMessage(offset=0, line=1, text=pasted)) == []
    [found] = heard(PersonMessage(offset=0, line=1, text="Decision: use Redis because it is quick"))
    assert (found.speaker, found.confidence) == ("person", 0.9)


def test_the_quote_is_the_sentence_as_it_was_said() -> None:
    said = "We decided on Postgres for the ledger because of the partial indexes."

    [found] = heard(PersonMessage(offset=0, line=1, text=said))

    assert (found.text, found.why) == ("We decided on Postgres for the ledger", "the partial indexes")
    assert found.quote == said
