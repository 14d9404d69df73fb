"""What is left of the rules of a whole session in the snippet after a compaction: kept, lifted, made up."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from capture_scoring import holds, polarities

from agentinitd.model.facts import Anchor

Labels = dict[str, Any]


@dataclass
class Retention:
    """Of one session or of all."""

    hard_rules: int = 0
    kept: int = 0
    withdrawn_served: int = 0
    made_up: int = 0
    remarks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.kept / self.hard_rules if self.hard_rules else 1.0

    def add(self, other: Retention) -> None:
        self.hard_rules += other.hard_rules
        self.kept += other.kept
        self.withdrawn_served += other.withdrawn_served
        self.made_up += other.made_up
        self.remarks += other.remarks


def measure(folder: Path, *, with_snippet: Collection[str] | None = None) -> dict[str, Retention]:
    """By session, and `all` together.  A snippet takes a third of a second: `with_snippet` names the sessions
    that get one, and the others are judged by what is remembered of them; by default each gets one.
    """

    def measured(session: tuple[Path, Labels]) -> tuple[str, Retention]:
        name = session[0].stem
        return name, _measured(*session, has_snippet=with_snippet is None or name in with_snippet)

    # The scripts of the snippet are processes: most of the time is waiting.
    with ThreadPoolExecutor(max_workers=4) as pool:
        found = dict(pool.map(measured, sessions(folder)))
    together = Retention()
    for each in found.values():
        together.add(each)
    return {"all": together, **found}


def _measured(path: Path, labels: Labels, *, has_snippet: bool) -> Retention:
    from agentinitd.cli.replay_snippet import snippet_of
    from agentinitd.model.config import Config
    from agentinitd.sessions.heard import Hearing
    from agentinitd.transcripts import claude_code

    hearing = Hearing()
    hearing.see(claude_code.new_reader(path, is_detailed=True).feed(path.read_bytes()))
    memory = hearing.memory()
    if not has_snippet:
        return retention(labels, "\n".join(item.what for item in memory.captured), memory.captured)
    snippet = snippet_of(memory, now=hearing.last_at or 0.0, budget_tokens=Config().budget_tokens)
    return retention(labels, snippet.text, memory.captured)


def sessions(folder: Path) -> list[tuple[Path, Labels]]:
    """Transcript and labels."""
    return [
        (path, json.loads(path.with_suffix(".labels.json").read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.jsonl"))
    ]


def retention(labels: Labels, snippet: str, captured: Iterable[Anchor]) -> Retention:
    """A rule is kept when one line of the snippet has all that it needs to be followed."""
    lines = snippet.splitlines()
    found = Retention()
    for rule in labels["active"]:
        if rule["force"] != "hard":
            continue
        found.hard_rules += 1
        if any(holds(line, rule["contains"]) for line in lines):
            found.kept += 1
        else:
            found.remarks.append(("not in the snippet", rule["text"]))
    for strings in labels["withdrawn"]:
        if any(holds(line, strings) for line in lines):
            found.withdrawn_served += 1
            found.remarks.append(("withdrawn", " ".join(strings)))
    made_up = [*_never(labels, lines), *_unlabelled(labels, captured)]
    found.made_up = len(made_up)
    found.remarks += [("made up", text) for text in made_up]
    return found


def _never(labels: Labels, lines: Sequence[str]) -> list[str]:
    return [" ".join(each) for each in labels["never"] if any(holds(line, each) for line in lines)]


def _unlabelled(labels: Labels, captured: Iterable[Anchor]) -> list[str]:
    """Rules that are active and that nobody gave, or gave the other way round."""
    return [
        f"{anchor.polarity}: {anchor.what}"
        for anchor in captured
        if anchor.captured == "rule"
        and anchor.status == "active"
        and not any(_is_given(anchor, rule) for rule in labels["active"])
        and not any(holds(anchor.what, strings) for strings in labels["optional"])
    ]


def _is_given(anchor: Anchor, rule: dict[str, Any]) -> bool:
    return anchor.polarity in polarities(rule) and holds(anchor.what, rule["contains"])
