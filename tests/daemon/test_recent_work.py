"""When room is short, a session is told first what touches its own work; no script runs for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.model.causes import Cause
from agentinitd.model.work import RecentWork
from agentinitd.sessions.delivery import DeliveryState
from agentinitd.sessions.record import SessionRecord

RULES = "".join(f"- [constraint] rule number {n} of the house is to be kept\n" for n in range(80))
ABOUT_REFUNDS = "- [constraint] amounts are integer cents\n  <!-- applies: services/billing/** -->\n"
CAUSE = Cause(id="m", trigger="marker", reason="r", turn=1, offset=0)
RECORD = SessionRecord(
    key="k", agent="claude-code", session_ids=("s-1",), delivery=DeliveryState(due=(CAUSE,))
)


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    return new_project("p", project_constraints=RULES + ABOUT_REFUNDS)


def working_on(*files: str) -> SessionRecord:
    return replace(RECORD, recent_work=RecentWork(files=files))


def test_each_session_gets_what_concerns_it_and_scripts_know_nothing_of_it(
    rebuilder: Rebuilder, project: Path
) -> None:
    async def story() -> None:
        billing = working_on(f"{project}/services/billing/refund.py")
        first = await rebuilder.build(billing, project, "compact")
        other = await rebuilder.build(working_on("docs/a.md"), project, "compact")
        again = await rebuilder.build(billing, project, "compact")

        assert first.snippet and other.snippet and again.snippet
        assert "integer cents" in first.snippet.text
        assert "integer cents" not in other.snippet.text
        assert again.snippet == first.snippet
        assert first.digest == other.digest
        assert all("cached" in run.flags for run in again.runs if run.script.key == "constraints")
        # What was built ahead is stale only when other work could have led to another choice.
        more = working_on("services/billing/tax.py", "services/billing/refund.py")
        for work, is_same in ((billing, True), (more, True), (working_on("docs/a.md"), False)):
            assert await rebuilder.would_say_the_same(again, work, project, "compact") is is_same

    asyncio.run(story())


def test_with_room_for_all_any_work_leads_to_the_same(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    async def story() -> None:
        project = new_project("small", project_constraints=ABOUT_REFUNDS + "- another rule\n")
        built = await rebuilder.build(working_on("services/billing/a.py"), project, "compact")

        assert await rebuilder.would_say_the_same(built, working_on("docs/a.md"), project, "compact")

    asyncio.run(story())


def test_the_work_is_heard_in_the_transcript_and_survives_a_restart(
    daemon: Any, new_session: Callable[..., Any]
) -> None:
    daemon.anchors(RULES + ABOUT_REFUNDS)
    session = new_session(daemon)
    assert "integer cents" not in session.starts()
    session.says("look into it")
    block = {"type": "tool_use", "id": "t1", "name": "Edit"}
    file = {"file_path": f"{daemon.project}/services/billing/refund.py", "old_string": "a", "new_string": "b"}
    session.row(
        type="assistant", message={"role": "assistant", "model": "m", "content": [{**block, "input": file}]}
    )
    session.answers(90_000)
    session.compacts()

    assert "integer cents" in session.prompts()
    daemon.stop()
    daemon.start()
    assert "integer cents" in session.starts("resume")
