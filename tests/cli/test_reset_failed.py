"""FAIL-4 by the real daemon: what fails is left alone, over a restart too, until somebody asks for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.reset_failed import reset_failed
from agentinitd.model.errors import UsageError

New = Callable[..., Any]

FAILS = '#!/bin/sh\necho x >> "$AGENTINITD_STATE_DIR/tries"\necho no luck >&2\nexit 1\n'


def test_after_three_failures_it_waits_until_it_is_forced_or_reset(
    daemon: Any, new_session: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = daemon.home / ".config" / "agentinitd" / "init.d" / "S50-broken"
    script.parent.mkdir(parents=True)
    script.write_text(FAILS)
    script.chmod(0o755)
    daemon.anchors("- [constraint] only pnpm\n")
    session = new_session(daemon)
    session.starts()

    def rebuild(**body: object) -> dict[str, Any]:
        status, answer = daemon.ask("POST", "/v1/rebuild", {"session": session.id, **body})
        assert status == 200, answer
        scripts = {each["key"]: each for each in json.loads(answer)["scripts"]}
        found: dict[str, Any] = scripts["broken"]
        return found

    def tries() -> int:
        said = daemon.state_dir / "scripts" / session.seen()["key"] / "tries"
        return len(said.read_text().splitlines())

    for _ in range(2):
        assert rebuild()["flags"] == []
    assert rebuild()["flags"] == ["backoff"]
    assert tries() == 3
    assert "S50-broken" in session.prompts()  # the snippet goes on to say so
    (told,) = session.seen()["backoff"]
    assert (told["script"], told["failures"]) == ("broken", 3)
    assert "backoff: failed 3 times" in str(daemon.get("/v1/status")["reasons"])

    daemon.kill()
    daemon.start()
    session.prompts()
    assert rebuild()["flags"] == ["backoff"]
    assert rebuild(force=True)["flags"] == []
    assert tries() == 4
    assert rebuild()["flags"] == ["backoff"]

    monkeypatch.chdir(daemon.project)
    monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", str(daemon.runtime))
    assert CliRunner().invoke(reset_failed, ["S50-broken"]).output == "broken\n"
    assert rebuild()["flags"] == []
    assert CliRunner().invoke(reset_failed).output == "broken\n"
    for words in (["S50-broken"], [str(script)], ["--session", session.id, "broken"]):
        assert "broken: not left alone." in CliRunner().invoke(reset_failed, words).output
    unknown = CliRunner().invoke(reset_failed, ["S50-brokn"])
    assert isinstance(unknown.exception, UsageError)
    assert "S50-brokn. Did you mean broken?" in str(unknown.exception)
