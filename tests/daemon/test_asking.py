"""What a rebuild is asked: the memory as it is now, with what its checks found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.sessions.record import SessionRecord

RECORD = SessionRecord(key="k", agent="claude-code", session_ids=("s-1",))


def test_a_check_that_fails_marks_its_item_at_once_and_is_named(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    rule = "- [constraint] Tests: `npm test` <!-- id: c-1; check: script package.json test -->\n"
    project = new_project("checked", project_constraints=rule)
    (project / "package.json").write_text('{"scripts": {"test": "vitest"}}')

    async def told() -> tuple[str, list[str]]:
        built = await rebuilder.build_for(project, runlevel="compact")
        assert built.snippet is not None
        return built.snippet.text, [problem.text for problem in built.problems if not problem.is_absence]

    async def story() -> None:
        assert "check failed" not in (await told())[0]
        (project / "package.json").write_text('{"scripts": {}}')
        text, problems = await told()
        assert "`npm test` (check failed: package.json no longer defines test)" in text
        assert problems == [
            "anchors/project_constraints.md:1: the check of c-1 failed: package.json no longer defines test."
            " Correct it, or the project."
        ]

    asyncio.run(story())


def test_a_task_is_known_by_its_folder_or_its_state_and_no_name_leads_out(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    project = new_project("p")
    (project / ".agent-memory" / "tasks" / "one").mkdir(parents=True)

    async def story() -> None:
        known = [await rebuilder.asking.has_task(project, name) for name in ("one", "two", "../tasks/one")]
        assert known == [True, False, False]

    asyncio.run(story())


def test_another_state_of_the_task_is_another_question(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    project = new_project("p")
    state = project / ".agent-memory" / "state" / "task_state.json"
    state.parent.mkdir(exist_ok=True)

    async def story() -> None:
        digests = []
        for step in ("one", "another", "one"):
            state.write_text(f'{{"task_id": "t", "next_action": "{step}"}}')
            digests.append((await rebuilder.asking.question(RECORD, project, "compact")).digest)
        assert digests[0] == digests[2] != digests[1]

    asyncio.run(story())
