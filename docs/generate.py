"""Writes what is made from the commands themselves: the man page, and the shells' completions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentinitd.cli.completion import SCRIPTS, tree_of
from agentinitd.cli.main import cli
from agentinitd.cli.manual import man_page

ROOT = Path(__file__).parents[1]
COMPLETIONS = {"bash": "agentinitd.bash", "zsh": "_agentinitd", "fish": "agentinitd.fish"}


def generated() -> Iterator[tuple[Path, str]]:
    """Each file and what is to be in it."""
    yield ROOT / "docs" / "man" / "agentinitd.1", man_page(cli)
    for shell, name in COMPLETIONS.items():
        yield ROOT / "etc" / "completions" / name, SCRIPTS[shell](tree_of(cli))


if __name__ == "__main__":
    for path, text in generated():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
