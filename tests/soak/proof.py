"""What must be true after all the kills, by what was printed, what was logged, and what lies on the disk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from playing import Call, Session
from world import World

from agentinitd.sessions.record import SessionRecord

FIRST_LINE = re.compile(
    r"(?:Recorded by the project's owner, in force now |项目所有者的记录，现行有效 )"
    r"\(agentinitd ([0-9a-f]{12})\)[:：]"
)
LAST_LINES = ("When unsure, check these first; do not assume.", "不确定时先核对以上内容，不要假设。")
# Causes found in the transcript: a daemon that is killed before it remembers them finds them again.
COMPACTIONS = ("marker:", "compact:", "hook:")
BEGINNINGS = ("found:", "startup:", "resume:")
FOUND_AGAIN = ("marker:", "drop:", "periodic:", "found:")
TEMPORARY = re.compile(r"\..+\.\d+\.[0-9a-f]{8}|run-.+|\.\d+")


def torn_snippets(world: World) -> Iterator[str]:
    """Every snippet that lies in a project."""
    for project in world.projects:
        run = project / ".agent-memory" / "run"
        for path in (*run.glob("*/snippet.md"), *run.glob("last-snippet")):
            text = path.read_text(encoding="utf-8")
            if fault := torn(text):
                yield f"{path}: {fault}"


def torn(text: str) -> str:
    """Why this is no whole snippet; empty when it is."""
    lines = text.splitlines()
    if not lines or not FIRST_LINE.fullmatch(lines[0]):
        return f"the first line is {lines[:1]}"
    if not text.endswith("\n") or lines[-1] not in LAST_LINES:
        return f"the last line is {lines[-1:]}"
    return ""


def broken_records(world: World) -> Iterator[str]:
    """Every record of a session."""
    for path in (world.state / "sessions").iterdir():
        if path.suffix == ".json":
            try:
                msgspec.json.decode(path.read_bytes(), type=SessionRecord)
            except (msgspec.MsgspecError, OSError) as error:
                yield f"{path}: {error}"
        elif not TEMPORARY.fullmatch(path.name):
            yield f"{path} was kept aside"


def left_over(world: World) -> Iterator[str]:
    """Temporary files that nobody will ever look at again."""
    folders = [
        world.state,
        world.runtime,
        *(project / ".agent-memory" for project in world.projects),
    ]
    for folder in folders:
        for path in folder.rglob("*"):
            if TEMPORARY.fullmatch(path.name):
                yield str(path)


def strange_calls(session: Session) -> Iterator[str]:
    for call in session.calls:
        for fault in call.faults:
            yield f"{session.id}: {call.event}: {fault}"
        if call.is_delivery and (fault := torn(call.text)):
            yield f"{session.id}: {call.event} printed a snippet that is torn: {fault}"


def miscounted(session: Session) -> Iterator[str]:
    """Where starts and compactions are the only causes, each is told once, judged by what was printed."""
    deliveries = sorted((call for call in session.calls if call.is_delivery), key=lambda call: call.started)
    bounds = [epoch.began for epoch in session.epochs[1:]] + [float("inf")]
    owed = ""
    for epoch, until in zip(session.epochs, bounds, strict=True):
        within = [call for call in deliveries if epoch.began <= call.started < until]
        if len(within) > 1:
            yield (
                f"{session.id}: the {epoch.what} at {epoch.began:.3f} was told {len(within)} times: "
                + ", ".join(f"{call.event} {call.started:.3f}" for call in within)
            )
        if epoch.is_owed:
            owed = f"{session.id}: the {epoch.what} at {epoch.began:.3f} was never told"
        if within:
            owed = ""
    if owed:
        yield owed


class Told:
    """What the log says of causes and deliveries."""

    def __init__(self, records: list[dict[str, Any]], names: dict[str, str]) -> None:
        self.triggers: dict[tuple[str, str], int] = {}
        """When a cause of a session was found last, by the place in the log."""
        self.deliveries: dict[str, dict[str, Any]] = {}
        """By token."""
        self.faults: list[str] = []
        for number, record in enumerate(records):
            if record["event"] == "trigger":
                session = names.get(record["session"], record["session"])
                self.triggers[session, record["cause"]] = number
            elif record["event"] == "delivery":
                self._take(record)
            elif record["level"] == "error":
                self.faults.append(f"the log has {record['event']}: {record.get('error')}")

    def _take(self, record: dict[str, Any]) -> None:
        """A daemon killed before it remembers that it settled one settles it again, and the same way."""
        known = self.deliveries.setdefault(record["token"], record)
        if known["result"] != record["result"] or known["causes"] != record["causes"]:
            told = " and ".join(
                f"{each['result']} {each['causes']} at {each['ts']}" for each in (known, record)
            )
            self.faults.append(f"{record['session']}: {record['token']} was settled twice: {told}")

    @property
    def arrived(self) -> list[dict[str, Any]]:
        return [each for each in self.deliveries.values() if each["result"] == "arrived"]

    def doubled(self) -> Iterator[str]:
        counted = Counter((each["session"], cause) for each in self.arrived for cause in each["causes"])
        for (session, cause), times in counted.items():
            if times > 1:
                yield f"{session}: {cause} was delivered {times} times"

    def lost(self) -> Iterator[str]:
        served = {(each["session"], cause) for each in self.arrived for cause in each["causes"]}
        for (session, cause), number in self.triggers.items():
            is_open = cause.startswith(FOUND_AGAIN) and (session, cause) not in served
            if is_open and not self._is_replaced(session, cause, number, served):
                yield f"{session}: {cause} was never delivered"

    def _is_replaced(self, session: str, cause: str, number: int, served: set[tuple[str, str]]) -> bool:
        """Nothing of the session was remembered yet: it began anew, which serves all that was before."""
        replacing = COMPACTIONS + BEGINNINGS if cause.startswith("found:") else BEGINNINGS
        return any(
            at > number and name == session and other.startswith(replacing) and (name, other) in served
            for (name, other), at in self.triggers.items()
        )

    def unlike_printed(self, calls: list[Call]) -> Iterator[str]:
        """Each delivery in the log is one print, and the other way round."""
        printed = Counter((call.session, call.event, _id(call.text)) for call in calls if call.is_delivery)
        told = Counter((each["session"], each["hook"], each["snippet"]) for each in self.arrived)
        for each, times in (printed - told).items():
            yield f"{times} × printed, but not known to have arrived: {each}"
        for each, times in (told - printed).items():
            yield f"{times} × arrived by the log, but printed by nobody: {each}"

    def untold(self, session: Session) -> Iterator[str]:
        """Each start and each compaction was followed by a full snippet, and no compaction counts twice."""
        arrived = [each for each in self.arrived if each["session"] == session.id]
        full = [_seconds(each["ts"]) for each in arrived if each["runlevel"] != "slim"]
        for epoch in session.epochs:
            if epoch.is_owed and not any(epoch.began < at for at in full):
                yield f"{session.id}: no full snippet after the {epoch.what} at {epoch.began:.3f}"
        causes = {cause for each in arrived for cause in each["causes"] if cause.startswith(COMPACTIONS)}
        compactions = sum(epoch.what == "compaction" for epoch in session.epochs)
        if len(causes) > compactions:
            yield f"{session.id}: {compactions} compactions were {len(causes)} causes"


def _id(text: str) -> str:
    found = FIRST_LINE.match(text)
    return found.group(1) if found else ""


def _seconds(timestamp: str) -> float:
    return datetime.fromisoformat(timestamp).timestamp()
