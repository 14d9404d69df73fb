"""`snippet --explain` for people: each item on a line, and below it why it is in or out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentinitd.cli.terminal import plain

TEXT_CHARS = 90


def explained_lines(told: dict[str, Any]) -> Iterator[str]:
    """Of the answer of `GET /v1/snippet?explain=1`, the most important item first."""
    items = told.get("items", [])
    if items:
        yield _summary(told)
    if told["place"]:
        yield plain(f"It begins with: {told['place']}")
    for item in items:
        yield _head(item)
        yield plain(f"         {item['why']}{_touches(item)}")
    for rule in told["resting"]:
        phases = ", ".join(rule["phases"])
        yield plain(f"   -  out  {rule['id']}  {_short(rule['text'])}")
        yield plain(f"         only in the phases {phases}")
    if told.get("unserved"):
        yield f"{told['unserved']} more reached no script: they are too many. `agentinitd recall` has them."
    if not items:
        yield "There is nothing to say."


def _summary(told: dict[str, Any]) -> str:
    over = ", over it" if told["over_budget"] else ""
    size = f"{told['tokens']} tokens of {told['budget_tokens']}{over}"
    kept = f"{told['kept']} item{'' if told['kept'] == 1 else 's'} in"
    return f"{size}; {kept}, {told['left_out']} left out; the most important first"


def _head(item: dict[str, Any]) -> str:
    place = f"{item['place']:>4}  {'in ' if item['in'] else 'out'}  {item['rank']:<9}"
    return plain(f"{place} {item['tokens']:>4} tokens  {item['section']}: {_short(item['text'])}")


def _touches(item: dict[str, Any]) -> str:
    return f"; relevance {item['relevance']:g}: {'; '.join(item['touches'])}" if item["touches"] else ""


def _short(text: str) -> str:
    line = text.partition("\n")[0].removeprefix("- ")
    return line if len(line) <= TEXT_CHARS else line[: TEXT_CHARS - 1] + "…"
