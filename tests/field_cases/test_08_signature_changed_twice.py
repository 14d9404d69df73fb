"""Field case 08: an interface changed twice; a document, a search hit and the summary show older forms."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = "08-signature-changed-twice"
NOW = "create_invoice(customer_id: str, total_minor: int, currency: str, *, idempotency_key: str)"


def tool_lines(snippet: str) -> list[str]:
    return [line for line in snippet.splitlines() if "create_invoice" in line]


@pytest.fixture
def project(shared: Path, new_project: Callable[..., Path]) -> Path:
    """Whose file is as it is at the end."""
    folder = new_project("orchard")
    shutil.copytree(shared / "field-cases" / CASE / "src", folder / "src")
    return folder


@pytest.fixture
def played(shared_daemon: Any, project: Path, play_case: Callable[..., Any]) -> Any:
    return play_case(shared_daemon, CASE, "session.jsonl", project=project)


def test_the_snippet_after_the_compaction_has_the_third_form_alone(played: Any) -> None:
    played.check(played.last)
    [line] = tool_lines(played.last)
    assert NOW in line
    assert "check failed" not in line
    assert not re.search(r"amount: float|amount_cents", played.last)


def test_the_same_from_the_log_alone(replay_case: Callable[..., Any]) -> None:
    replayed = replay_case(CASE)

    replayed.check()
    assert [line for line in tool_lines(replayed.snippet) if NOW in line] == tool_lines(replayed.snippet)
    tools = [each for each in replayed.result.captured if each.kind == "tool"]
    assert [each.status for each in tools] == ["superseded", "superseded", "active"]


def test_one_entry_is_current_and_the_earlier_forms_are_its_history(played: Any) -> None:
    forms = [each for each in played.captured if each.captured == "tool"]
    current = [each for each in forms if each.status == "active"]
    listed = played.session.daemon.get(f"/v1/anchors?project={played.session.project}&kind=tool")["anchors"]

    assert [NOW in each.what for each in current] == [True]
    assert [each["id"] for each in listed] == [current[0].id]
    old = [each for each in forms if each.status == "superseded"]
    assert [("amount: float" in each.what, "amount_cents" in each.what) for each in old] == [
        (True, False),
        (False, True),
    ]
    found = played.session.daemon.get(f"/v1/recall?project={played.session.project}&q=create_invoice&all=1")
    assert {hit["id"]: hit["withdrawn"] for hit in found["hits"] if hit["kind"] == "tool"} == {
        each.id: each.status != "active" for each in forms
    }


def test_a_file_that_says_something_else_is_told(played: Any, project: Path) -> None:
    path = project / "src" / "billing.py"
    path.write_text(path.read_text().replace("currency: str", "currency_code: str"))

    [line] = tool_lines(played.session.daemon.command("snippet", "--session", played.session.id).stdout)

    assert "check failed" in line
    assert "currency_code: str" in line


def test_a_file_that_is_gone_is_told(played: Any, project: Path) -> None:
    (project / "src" / "billing.py").unlink()

    [line] = tool_lines(played.session.daemon.command("snippet", "--session", played.session.id).stdout)

    assert "src/billing.py is gone" in line
