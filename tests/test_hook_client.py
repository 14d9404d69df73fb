"""Reading an answer: bytes may come in any pieces, and what is not whole is never printed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd import hook_client

INTERIM = b"HTTP/1.1 102 Processing\r\nDate: today\r\n\r\n"
FOLDER = Path(hook_client.__file__).parent


@given(body=st.binary(max_size=64), interims=st.integers(0, 3), receipt=st.sampled_from(["", "00ff00ff"]))
def test_an_answer_is_taken_when_its_last_byte_is_there_and_not_before(body, interims, receipt):
    headers = (
        f"Content-Type: text/plain\r\nX-Agentinitd-Receipt: {receipt}\r\nCONTENT-LENGTH: {len(body)}\r\n"
    )
    data = INTERIM * interims + b"HTTP/1.1 200 OK\r\n" + headers.encode() + b"\r\n" + body

    assert hook_client.whole_answer(data) == (body, receipt)
    assert all(hook_client.whole_answer(data[:size]) is None for size in range(len(data)))


@given(st.binary())
def test_any_bytes_are_an_answer_or_a_value_error(data):
    try:
        answer = hook_client.whole_answer(data)
    except ValueError:
        return
    assert answer is None or isinstance(answer[0], bytes)


@pytest.mark.parametrize(
    ("payload", "seconds"),
    [
        (b'{"hook_event_name": "SessionStart"}', hook_client.START_ANSWER_SECONDS),
        (b'{"hook_event_name": "SessionEnd"}', hook_client.END_ANSWER_SECONDS),
        (b'{"hook_event_name": "Stop", "x": "say \\"SessionEnd\\""}', hook_client.ANSWER_SECONDS),
    ],
)
def test_the_event_decides_how_long_a_living_daemon_may_think(payload, seconds):
    assert hook_client.answer_seconds(payload) == seconds


@pytest.mark.parametrize("name", ["hook.py", "hook_client.py", "hook_fallback.py"])
def test_the_client_imports_nothing_but_what_every_start_of_python_has(name):
    tree = ast.parse((FOLDER / name).read_bytes())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}

    assert imported <= {"_socket", "os", "socket", "sys"}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
