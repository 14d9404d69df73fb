"""A team's own reader: run by itself, bounded, and believed only where its words stand in the session."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.capture.external import ReaderFailed, Turn, proposals_from, turns_of
from agentinitd.model.events import AgentMessage, PersonMessage

EXAMPLE = Path(__file__).parents[3] / "etc" / "examples" / "capture-with-model.py"
TURNS = (
    Turn(who="person", line=3, text="Please never touch legacy/.\n> always push to main"),
    Turn(who="agent", line=5, text="I will always run make nuke first."),
)
Reader = Callable[[str], list[str]]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """`reader(code)`: the command of an executable that does this."""

    def write(code: str) -> list[str]:
        path = tmp_path / "reader.py"
        path.write_text(
            f"import json, os, sys, time\ntold = json.load(sys.stdin)\n{code}\n", encoding="utf-8"
        )
        return [sys.executable, str(path)]

    return write


def answers(*proposals: dict[str, Any]) -> str:
    return f"print({json.dumps({'proposals': proposals})!r})"


def ask(command: list[str], environment: dict[str, str] | None = None, seconds: float = 10.0) -> list[str]:
    found = proposals_from(command, "s", TURNS, environment=environment or {}, timeout_seconds=seconds)
    assert all(each.is_external for each in found)
    return [f"{each.act} {each.polarity}: {each.text}" for each in found]


def test_what_stands_in_the_persons_own_words_is_taken(reader: Reader) -> None:
    command = reader(answers({"line": 3, "quote": "never touch legacy/", "polarity": "do_not"}))

    assert ask(command) == ["state do_not: never touch legacy/"]


@pytest.mark.parametrize(
    "proposal",
    [
        {"line": 3, "quote": "always push to main"},
        {"line": 3, "quote": "never touch leg"},
        {"line": 3, "quote": "ever touch legacy/"},
        {"line": 3, "quote": "do not touch legacy/"},
        {"line": 5, "quote": "always run make nuke first"},
        {"line": 9, "quote": "never touch legacy/"},
        {"line": 3, "quote": ""},
    ],
)
def test_what_is_invented_reworded_quoted_or_the_agents_is_no_rule(
    reader: Reader, proposal: dict[str, Any]
) -> None:
    assert ask(reader(answers(proposal))) == []


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('{')", "did not print proposals"),
        ("print('[]')", "did not print proposals"),
        ("sys.exit(3)", "ended with 3$"),
        ("sys.exit('a\\nno \\x1b[31mroute\\n\\n')", r"ended with 1: no \[31mroute$"),
        ("sys.exit('bad key ghp_' + 'a1B2' * 9)", "ended with 1: bad key [^g]*$"),
        ("time.sleep(60)", "did not answer within 0.5 s"),
        ("print('x' * 300_000)", "printed more than 262,144 bytes"),
        ("while True: print('x' * 99_999)", "printed more than 262,144 bytes"),
    ],
)
def test_a_reader_that_fails_says_why_and_leaves_nothing_behind(
    reader: Reader, code: str, reason: str
) -> None:
    with pytest.raises(ReaderFailed, match=reason):
        ask(reader(code), seconds=0.5 if "sleep" in code else 10.0)


def test_one_that_does_not_listen_is_heard_all_the_same() -> None:
    turns = [Turn(who="person", line=line, text="x" * 8000) for line in range(50)]

    found = proposals_from([sys.executable, "-c", "print('{\"proposals\": []}')"], "s", turns, environment={})

    assert found == []


def test_it_has_a_group_of_its_own_in_our_session_so_that_no_sweep_behind_scripts_ends_it(
    reader: Reader,
) -> None:
    same = f"os.getsid(0) == {os.getsid(0)} and os.getpgid(0) == os.getpid()"

    assert ask(reader(f"assert {same}\n{answers()}")) == []


def test_one_that_is_not_there_is_said() -> None:
    with pytest.raises(ReaderFailed, match="cannot be run"):
        ask(["/no/such/reader"])


def test_it_is_told_no_more_of_the_environment_than_it_needs(reader: Reader, tmp_path: Path) -> None:
    out = tmp_path / "env.json"
    code = f"open({str(out)!r}, 'w').write(json.dumps(dict(os.environ)))\n" + answers()

    ask(reader(code), {"PATH": os.environ["PATH"], "MY_TOKEN": "x", "ANTHROPIC_API_KEY": "k"})

    told = json.loads(out.read_text())
    assert told["ANTHROPIC_API_KEY"] == "k"
    assert "MY_TOKEN" not in told


def test_credentials_do_not_leave_and_history_is_not_told() -> None:
    said = PersonMessage(offset=0, line=1, text="the password is hunter2!x")
    old = AgentMessage(offset=0, line=2, text="old", is_history=True)

    assert [turn.text for turn in turns_of([said, old])] == ["the password is ***"]


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A model server of both shapes, and what it was asked."""
    asked: list[dict[str, Any]] = []
    text = 'Sure: {"proposals": [{"line": 3, "quote": "never touch legacy/", "polarity": "do_not"}]}'

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append({"path": self.path, "body": body, "headers": dict(self.headers)})
            anthropic = {"content": [{"type": "text", "text": text}]}
            openai = {"choices": [{"message": {"content": text}}]}
            data = json.dumps(anthropic if self.path == "/v1/messages" else openai).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    http = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}", asked
    http.shutdown()


@pytest.mark.parametrize(
    ("vendor", "base", "path"),
    [("ANTHROPIC", "", "/v1/messages"), ("OPENAI", "/v1", "/v1/chat/completions")],
)
def test_the_example_asks_a_model_of_either_shape(
    server: tuple[str, list[dict[str, Any]]], vendor: str, base: str, path: str
) -> None:
    address, asked = server
    environment = {f"{vendor}_API_KEY": "k", f"{vendor}_BASE_URL": address + base, "PATH": os.environ["PATH"]}

    assert ask([sys.executable, str(EXAMPLE)], environment) == ["state do_not: never touch legacy/"]
    [request] = asked
    assert request["path"] == path
    assert "never touch legacy/" in json.dumps(request["body"])
