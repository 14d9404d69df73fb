"""`restart`: another process, the same sessions; where none runs, a start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture
def ended(new_daemon: Callable[[], Any]) -> Iterator[Any]:
    daemon = new_daemon()
    yield daemon
    daemon.command("stop")


def test_where_none_runs_it_is_a_start(ended: Any) -> None:
    done = ended.command("restart")

    assert done.returncode == 0
    assert ended.get("/v1/status")["pid"]


def test_another_process_goes_on_with_the_same_sessions(ended: Any, new_session: Callable[..., Any]) -> None:
    ended.anchors("- [constraint] only pnpm\n")
    ended.start()
    session = new_session(ended)
    assert "only pnpm" in session.starts()
    session.turn(150_000)
    before = ended.get("/v1/status")["pid"]

    assert ended.command("restart").returncode == 0

    assert ended.get("/v1/status")["pid"] != before
    assert session.prompts() == ""
    session.compacts()
    assert "only pnpm" in session.prompts()
