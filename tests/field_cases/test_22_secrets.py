"""Field case 22, by the real daemon: credentials reach the log, and nothing that we write or serve."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CASE = "22-secrets-never-in-the-snippet"


@pytest.fixture
def needles(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "field-cases" / CASE / "needles.json").read_text(encoding="utf-8"))


@pytest.fixture
def secrets(needles: dict[str, Any]) -> dict[str, str]:
    return {name: "".join(needles["fill"][name]) for name in needles["secret"]}


@pytest.fixture
def session(daemon: Any, needles: dict[str, Any], shared: Path, new_session: Callable[..., Any]) -> Any:
    """The case's log was played to its end."""
    text = (shared / "field-cases" / CASE / "session.template.jsonl").read_text(encoding="utf-8")
    for name, halves in needles["fill"].items():
        text = text.replace("{{" + name + "}}", json.dumps("".join(halves))[1:-1])
    played = new_session(daemon)
    played.starts()
    for row in map(json.loads, text.splitlines()):
        line = json.dumps({**row, "cwd": str(daemon.project), "sessionId": played.id}, ensure_ascii=False)
        played.write(line.encode() + b"\n")
    return played


def leaked(text: str, secrets: dict[str, str]) -> list[str]:
    """Names of the secrets of which eight characters in a row are there."""
    return [
        name
        for name, value in secrets.items()
        if any(value[at : at + 8] in text for at in range(len(value) - 7))
    ]


def written(*folders: Path) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield path, path.read_bytes().decode("utf-8", "replace")


def test_no_secret_is_served_found_or_written_and_the_rules_around_them_stay(
    daemon: Any, session: Any, needles: dict[str, Any], secrets: dict[str, str]
) -> None:
    commit, ticket = needles["not_secret"][:2]
    row_13 = f"回退到提交 {commit}，工单 {ticket}。新的令牌：{secrets['zh_token']}"
    daemon.command("decisions", "add", row_13)
    snippet = session.prompts()

    assert leaked(snippet, secrets) == []
    assert "密码" in snippet and "别写进代码" in snippet
    assert "旧密钥" in snippet or "别再用" in snippet
    # What only looks like one stays whole: in the decision, and in the rule of row 15 in the person's words.
    listed = daemon.command("decisions", "list").stdout
    assert commit in listed and ticket in listed
    captured = (daemon.project / ".agent-memory" / "anchors" / "captured.md").read_text(encoding="utf-8")
    assert "import.meta.env.API_KEY" in captured
    assert "secrets/README.md" in captured or "secrets/README.md" in snippet
    assert daemon.session(session.id)["memory"]["masked"] > 0

    for word in ("密码", "token", "回退", *(secret[:6] for secret in secrets.values())):
        found = daemon.command("recall", "--all", word)
        assert leaked(found.stdout + found.stderr, secrets) == []
    status = daemon.command("status", "--json").stdout
    assert leaked(status, secrets) == []
    ours = [daemon.project / ".agent-memory", daemon.home / ".local" / "state" / "agentinitd"]
    files = dict(written(*ours))
    assert files
    assert {path: names for path, text in files.items() if (names := leaked(text, secrets))} == {}
