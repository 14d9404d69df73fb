"""What `GET /metrics` tells: counted from the records of the log, and read from the daemon as it is now."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import psutil

from agentinitd import __version__
from agentinitd.daemon.prometheus import OTHER, Family, Spread, gauge, page
from agentinitd.transcripts.agents import AGENTS

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
WATCH_STATES = ("events", "polling", "waiting")


class _Record(msgspec.Struct, frozen=True):
    """Of any record of the log; each event fills a part of it."""

    event: str
    level: str
    trigger: str = ""
    runlevel: str = ""
    result: str = ""
    verdict: str = ""
    key: str = ""
    layer: str = ""
    flags: tuple[str, ...] = ()
    tokens: int = 0
    catchup: bool = False
    detect_lag_ms: float | None = None
    queue_ms: float = 0.0
    duration_ms: float = 0.0


def _counter(name: str, told: str, *labels: str) -> Family:
    return Family(name, "counter", told, labels)


class _Counted:
    """Told in this order."""

    def __init__(self) -> None:
        self.records = _counter("agentinitd_log_records_total", "Records of the log.", "event", "level")
        self.triggers = _counter("agentinitd_triggers_total", "What made a rebuild due.", "trigger")
        self.lag = Spread(
            "agentinitd_detect_lag_seconds",
            "From a row written into a transcript to the trigger it caused.",
            bounds=SECONDS,
        )
        self.rebuilds = _counter("agentinitd_rebuilds_total", "Rebuilds that ended.", "runlevel", "result")
        self.rebuild_seconds = Spread(
            "agentinitd_rebuild_duration_seconds", "What rebuilds took.", ("runlevel",), bounds=SECONDS
        )
        self.queue_seconds = Spread(
            "agentinitd_rebuild_queue_seconds", "What rebuilds waited for others.", bounds=SECONDS
        )
        self.tokens = Spread("agentinitd_snippet_tokens", "Tokens of the snippets.", ("runlevel",))
        script = ("script", "layer")
        told = "What became of each script in rebuilds; cached: unchanged, not run again."
        self.scripts = _counter("agentinitd_scripts_total", told, *script, "result")
        self.script_seconds = Spread("agentinitd_script_duration_seconds", "What scripts took.", script)
        told = "Snippets handed out, by what became of them."
        self.deliveries = _counter("agentinitd_deliveries_total", told, "result")
        told = "First replies to a full snippet, as judged."
        self.replies = _counter("agentinitd_replies_total", told, "verdict")
        told = "From a hook's request to its answer being ready."
        self.hook_seconds = Spread("agentinitd_hook_duration_seconds", told, ("agent",), bounds=SECONDS)

    def lines(self) -> list[Iterator[str]]:
        return [family.lines() for family in vars(self).values()]


class Metrics:
    """`see` takes every record of the log; whatever is counted begins with this life of the daemon."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(_Record)
        self._counted = _Counted()

    def see(self, line: bytes) -> None:
        """One record of the log; what is not told as expected is not counted."""
        try:
            record = self._decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        self._counted.records.add(record.event, record.level)
        match record.event:
            case "trigger":
                self._see_trigger(record)
            case "run.end":
                self._see_run(record)
            case "script.end" | "script.skip":
                self._see_script(record)
            case "delivery":
                self._counted.deliveries.add(record.result)
            case "reply":
                self._counted.replies.add(record.verdict)

    def hook(self, agent: str, seconds: float) -> None:
        self._counted.hook_seconds.observe(agent if agent in AGENTS else OTHER, value=seconds)

    def text(self, status: Mapping[str, Any], *, running: int, lost: int) -> str:
        """Everything, with what `status` says of now."""
        return page(
            [
                *_of_status(status),
                *_of_process(),
                gauge("agentinitd_rebuilds_running", "Rebuilds under way.", running),
                gauge(
                    "agentinitd_log_records_lost", "Records that found no room and were not told yet.", lost
                ),
                *self._counted.lines(),
            ]
        )

    def _see_trigger(self, record: _Record) -> None:
        self._counted.triggers.add(record.trigger)
        if record.detect_lag_ms is not None and not record.catchup:
            self._counted.lag.observe(value=record.detect_lag_ms / 1000)

    def _see_run(self, record: _Record) -> None:
        self._counted.rebuilds.add(record.runlevel, record.result)
        self._counted.rebuild_seconds.observe(record.runlevel, value=record.duration_ms / 1000)
        self._counted.queue_seconds.observe(value=record.queue_ms / 1000)
        if record.tokens:
            self._counted.tokens.observe(record.runlevel, value=record.tokens)

    def _see_script(self, record: _Record) -> None:
        result = "cached" if "cached" in record.flags else record.result
        self._counted.scripts.add(record.key, record.layer, result)
        if record.duration_ms:
            self._counted.script_seconds.observe(record.key, record.layer, value=record.duration_ms / 1000)


def _of_status(status: Mapping[str, Any]) -> Iterator[Iterator[str]]:
    info = Family("agentinitd_info", "gauge", "Which agentinitd this is.", ("version", "python", "manager"))
    info.add(__version__, sys.version.split()[0], str(status["manager"]))
    yield info.lines()
    degraded = 1.0 if status["reasons"] else 0.0
    yield gauge("agentinitd_degraded", "1 when something is wrong; `agentinitd status` says what.", degraded)
    yield _counted(
        "agentinitd_problems",
        "What is wrong now, by kind.",
        "kind",
        (reason["kind"] for reason in status["reasons"]),
    )
    yield _counted(
        "agentinitd_sessions",
        "Sessions that are followed.",
        "agent",
        (each["agent"] for each in status["sessions"]),
    )
    due = sum(bool(each["due"]) for each in status["sessions"])
    yield gauge("agentinitd_sessions_due", "Sessions for which a snippet waits to be delivered.", due)
    states = Family("agentinitd_watches", "gauge", "Watched folders of agents, by state.", ("state",))
    for state in WATCH_STATES:
        states.add(state, by=sum(each["state"].startswith(state) for each in status["watch"]))
    yield states.lines()


def _counted(name: str, told: str, label: str, values: Iterable[str]) -> Iterator[str]:
    family = Family(name, "gauge", told, (label,))
    for value, count in Counter(values).items():
        family.add(value, by=count)
    return family.lines()


def _of_process() -> Iterator[Iterator[str]]:
    """Under the names that every exporter has for these."""
    own = psutil.Process()
    with own.oneshot():
        cpu = own.cpu_times()
        seconds = Family("process_cpu_seconds_total", "counter", "Processor time used.")
        seconds.add(by=cpu.user + cpu.system)
        yield seconds.lines()
        memory = own.memory_info()
        yield gauge("process_resident_memory_bytes", "Memory in use.", memory.rss)
        yield gauge("process_start_time_seconds", "When it began, since the epoch.", own.create_time())
        yield gauge("process_open_fds", "Open file descriptors.", own.num_fds())
