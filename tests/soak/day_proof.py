"""What must be true after a day of work, besides what `proof` asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import proof
from conversing import Conversation
from gauging import Growth, Sample
from office import Office
from speaking import SECRET, Rule

from agentinitd.memory.anchors import parse_anchors
from agentinitd.model.facts import Anchor
from agentinitd.sessions.record import SessionRecord

MOST_GROWTH_PERCENT = 5.0
JUDGED_SECONDS = 60.0
"""A shorter life is not warm before its end: its memory is told, and not judged."""


def left_open(before: Sample, after: Sample) -> Iterator[str]:
    """At rest again it has no more files open than before the work."""
    if after.open_files > before.open_files:
        more = Counter(after.names) - Counter(before.names)
        grown = f"{before.open_files} files open before the work, {after.open_files} after it"
        yield f"{grown}: {sorted(more.elements())}"


def grown(growth: Growth | None, *, calm_seconds: float) -> Iterator[str]:
    """The memory of the life that is measured, which took so long."""
    if calm_seconds < JUDGED_SECONDS:
        return
    if growth is None:
        yield "the daemon did not live through the second part of the day"
    elif growth.percent >= MOST_GROWTH_PERCENT:
        yield f"the memory grew by {growth.percent:.1f} %"


def miscounted(office: Office, conversation: Conversation, told: proof.Told) -> Iterator[str]:
    """Each compaction that was played is one cause, which arrived once or is due; there are no others."""
    record = msgspec.json.decode(office.record_at(conversation).read_bytes(), type=SessionRecord)
    open_causes = [*record.delivery.due, *(each for one in record.delivery.handouts for each in one.causes)]
    due = Counter(cause.id for cause in open_causes)
    arrived = Counter(
        cause for each in told.arrived if each["session"] == conversation.id for cause in each["causes"]
    )
    for what, prefixes, played in (
        ("compactions", proof.COMPACTIONS, conversation.compactions),
        ("falls of the context", ("drop:",), conversation.drops),
    ):
        found = {cause: due[cause] + arrived[cause] for cause in due | arrived if cause.startswith(prefixes)}
        if len(found) != played:
            yield f"{conversation.agent} {conversation.id}: {played} {what} were {len(found)} causes"
        for cause, times in found.items():
            if times > 1:
                yield f"{conversation.id}: {cause} was told or is due {times} times"


def unlike_said(office: Office) -> Iterator[str]:
    """Each rule stands once in what was captured; none that was taken back holds."""
    known: dict[Path, list[Anchor]] = {}
    for project in office.projects:
        try:
            known[project] = captured(project)
        except ValueError as error:
            yield f"torn: {error}"
    for rules in office.rules:
        for rule in rules:
            if rule.project != office.pure and rule.project in known:
                yield from _unlike(rule, known[rule.project])


def _unlike(rule: Rule, known: list[Anchor]) -> Iterator[str]:
    found = [anchor for anchor in known if rule.name in anchor.what]
    active = [anchor for anchor in found if anchor.status == "active"]
    said = f"rule {rule.name} of {rule.project.name}"
    if rule.is_withdrawn and active:
        yield f"{said} was taken back, and holds: {active[0].what}"
    if not rule.is_withdrawn and len(active) != 1:
        yield f"{said} holds {len(active)} times: {[(each.what, each.status) for each in found]}"
    if len(found) > 1:
        yield f"{said} stands {len(found)} times in what was captured"


def captured(project: Path) -> list[Anchor]:
    """Of the project and of its tasks.  Raises ValueError for a file that is torn."""
    memory = project / ".agent-memory"
    found: list[Anchor] = []
    for path in (memory / "anchors" / "captured.md", *memory.glob("tasks/*/anchors/captured.md")):
        if path.exists():
            anchors, problems = parse_anchors(path.read_bytes().decode(), str(path))
            if problems:
                raise ValueError(f"{path}: {problems[0].text}")
            found += anchors
    return found


def torn(office: Office) -> Iterator[str]:
    """Whatever others may read at any moment."""
    yield from proof.torn_snippets(office)
    yield from proof.broken_records(office)
    for project in office.projects:
        try:
            captured(project)
        except ValueError as error:
            yield f"torn: {error}"
        memory = project / ".agent-memory"
        for path in (memory / "state" / "task_state.json", *memory.glob("tasks/*/state/task_state.json")):
            if path.exists():
                try:
                    msgspec.json.decode(path.read_bytes())
                except msgspec.MsgspecError as error:
                    yield f"{path}: {error}"


def left_over(office: Office) -> Iterator[str]:
    """But for what a killed daemon had begun in a memory: the next write of the same file takes that away."""
    for path in map(Path, proof.left_over(office)):
        is_of_killed = any(f".{pid}." in path.name for pid in office.killed)
        if not (is_of_killed and ".agent-memory" in path.parts):
            yield f"{path} was left behind"


def spilled(office: Office) -> Iterator[str]:
    """Files of ours that hold the credential that was said."""
    for folder in (office.state, *(project / ".agent-memory" for project in office.projects)):
        for path in folder.rglob("*"):
            if path.is_file() and SECRET.encode() in path.read_bytes():
                yield f"{path} holds a credential"
