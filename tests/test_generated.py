"""What is made from the commands themselves is kept in the repository, and is that of the commands."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GENERATED = dict(runpy.run_path(str(ROOT / "docs" / "generate.py"))["generated"]())


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: str(path.name))
def test_it_is_that_of_the_commands_as_they_are(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == GENERATED[path], "run `make docs`"


def test_it_goes_where_man_and_the_shells_look() -> None:
    build = (ROOT / "hatch_build.py").read_text(encoding="utf-8")

    assert [path for path in GENERATED if f'"{path.relative_to(ROOT)}": "share/' not in build] == []
