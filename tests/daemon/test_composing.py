"""What the scripts printed as one snippet: nothing secret in it, and what found no room is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from agentinitd.daemon.rebuild import Rebuilder


def test_no_credential_reaches_a_snippet_whoever_wrote_it_down(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    rule = "- [constraint] the staging password is hunter2!x, ask Ann\n"

    async def story() -> None:
        built = await rebuilder.build_for(new_project("leaky", project_constraints=rule), runlevel="compact")
        assert built.snippet is not None
        assert "hunter2" not in built.snippet.text
        assert "the staging password is ***, ask Ann" in built.snippet.text

    asyncio.run(story())


def test_a_memory_too_large_for_scripts_is_counted_whole_and_led_to_by_recall(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    log = "".join(f"- [decision] number {number}: {'why not ' * 12}\n" for number in range(1000))
    project = new_project("large", decision_log=log)

    async def story() -> None:
        snippet = (await rebuilder.build_for(project, runlevel="manual", budget_tokens=20_000)).snippet

        assert snippet is not None
        assert snippet.kept + snippet.omitted == 1000
        assert snippet.omitted > 500
        assert f"{snippet.omitted} left out; search them: `agentinitd recall WORDS`" in snippet.text
        assert "--budget" not in snippet.text

    asyncio.run(story())
