"""What is said in a session and is to be remembered → `captured.md` of the project and of the task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from agentinitd.daemon.binding import bound_task
from agentinitd.daemon.process import lasting
from agentinitd.daemon.scribe import Desk, Noting
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.sources import session_name, source_of
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.memory.contraries import said_at
from agentinitd.memory.edit import change_item
from agentinitd.memory.writer import update
from agentinitd.model.errors import AgentinitdError
from agentinitd.model.events import Event
from agentinitd.model.facts import Anchor, Memory

if TYPE_CHECKING:
    from agentinitd.daemon.own_reader import OwnReader
    from agentinitd.memory.capture.captured_file import Recorded
    from agentinitd.memory.capture.listener import Listener

Load = Callable[[Path, str | None], Memory]
Texts = dict[str, str | None]


class Capture(Noting[Proposal]):
    """Rules, decisions, interfaces and values; config `capture: off` switches it off."""

    hears_earlier = True
    """What the person said holds; an old result of a test says nothing of the task."""

    def __init__(self, load: Load, *, environment: Mapping[str, str]) -> None:
        super().__init__()
        self._load = load
        self._listener: Listener | None = None
        self._own_reader: OwnReader | None = None
        """None while there is no command for it."""
        self._environment = environment

    @property
    def is_waiting(self) -> bool:
        return super().is_waiting or (self._own_reader is not None and self._own_reader.is_waiting)

    @property
    def own_trouble(self) -> str:
        return self._own_reader.trouble if self._own_reader is not None else ""

    def as_json(self) -> dict[str, int]:
        heard = self._listener
        return {
            "captured": self.count,
            "masked": heard.masked if heard else 0,
            "dropped": heard.dropped if heard else 0,
        }

    def _found(self, events: Sequence[Event], desk: Desk, now: float) -> Sequence[Proposal]:  # noqa: ARG002
        if desk.config.capture == "off":
            self._listener = None
            return ()
        if self._listener is None:
            self._listener = _listener(desk, self._load)
        found = self._listener.hear(events)
        if desk.config.capture_command:
            self._own_reader = self._own_reader or _own_reader(self._environment)
            self._own_reader.hear(events, desk.config.capture_command, desk.session)
        return [*found, *self._own_reader.answers()] if self._own_reader is not None else found

    def _from_plain(self, plain: Any) -> Proposal:
        return msgspec.convert(plain, Proposal)

    def _written(self, found: Sequence[Proposal], desk: Desk, now: float) -> int:
        _load_readers()
        from agentinitd.memory.capture.captured_file import record
        from agentinitd.memory.captured_elsewhere import rejected_in_tasks

        task_id = bound_task(desk.record, desk.project)
        known = self._load(desk.project, task_id).anchors
        texts = _texts(desk.project, task_id)
        # Read from the files of all tasks, for which most finds give no reason.
        is_for_all = any(each.is_for_all_tasks for each in found)
        rejected = rejected_in_tasks(desk.project, but=task_id) if is_for_all else []

        def recorded(texts: Mapping[str, str | None]) -> Recorded:
            return record(
                texts,
                found,
                session=desk.session,
                now=now,
                task_id=task_id,
                known=known,
                rejected=rejected,
            )

        result = recorded(texts)
        for file, text in result.texts.items():
            # An editor may have saved another version meanwhile: it is looked through anew.
            def edit(current: str | None, file: str = file, text: str = text) -> str | None:
                return text if current == texts[file] else recorded({**texts, file: current}).texts.get(file)

            update(Path(file), edit, project=desk.project)
        _confirm(desk.project, known, result.confirmed)
        self.left_out += result.left_out
        return result.new


def _listener(desk: Desk, load: Load) -> Listener:
    _load_readers()
    from agentinitd.memory.capture.listener import Listener
    from agentinitd.memory.capture.readers import built_in

    rules = _rules_that_hold(desk, load)
    session = session_name(desk.session)
    return Listener(
        desk.session,
        readers=built_in(),
        open_once=[rule for rule, said_in in rules if rule.scope == "once" and said_in == session],
        laid_down=[rule for rule, _ in rules],
    )


@cache
def _load_readers() -> None:
    """And what files their finds.  Hundreds of patterns take 9 MB and half a second: not before a session
    needs them."""
    with lasting():
        import_module("agentinitd.memory.capture.readers")
        import_module("agentinitd.memory.capture.captured_file")


def _own_reader(environment: Mapping[str, str]) -> OwnReader:
    from agentinitd.daemon.own_reader import OwnReader

    return OwnReader(environment)


def _texts(project: Path, task_id: str | None) -> Texts:
    """As they are now.  Raises MemoryRefused for what cannot be read."""
    from agentinitd.memory.capture.captured_file import PROJECT_FILE, task_file

    files = [PROJECT_FILE] if task_id is None else [PROJECT_FILE, task_file(task_id)]
    return {file: update(Path(file), lambda _: None, project=project) for file in files}


def _confirm(project: Path, known: Sequence[Anchor], confirmed: Mapping[str, float]) -> None:
    """The person said again what they had written down: that verifies it."""
    for anchor in known:
        at = confirmed.get(anchor.id)
        if at is not None and anchor.file and (anchor.verified_at or 0.0) < at:

            def edit(text: str | None, anchor: Anchor = anchor, at: float = at) -> str | None:
                return change_item(text or "", anchor.id, file=anchor.file, verified_at=at)

            update(Path(anchor.file), edit, project=project)


def _rules_that_hold(desk: Desk, load: Load) -> list[tuple[Proposal, str]]:
    """What people wrote, and said before a daemon took this session up, in which session; the latest last."""
    task_id = bound_task(desk.record, desk.project)
    try:
        anchors = load(
            desk.project, task_id
        ).anchors  # never waits for the lock: a hook waits for the hearing
    except (AgentinitdError, OSError):
        return []
    rules = [anchor for anchor in anchors if _is_rule(anchor) and anchor.status == "active"]
    return list(_proposals(sorted(rules, key=said_at)))


def _is_rule(anchor: Anchor) -> bool:
    return anchor.captured == "rule" or (anchor.captured is None and anchor.kind == "constraint")


def _proposals(anchors: Iterable[Anchor]) -> Iterator[tuple[Proposal, str]]:
    for anchor in anchors:
        source = source_of(anchor.source)
        if source is not None or anchor.captured is None:
            proposal = Proposal(
                kind="rule",
                text=anchor.what,
                quote=anchor.quote,
                speaker="person",
                line=source.line if source else 0,
                at=anchor.written_at,
                polarity=anchor.polarity or polarity_of(anchor.what),
                scope=anchor.scope,
                topic=anchor.topic,
                corrects=anchor.instead_of if anchor.captured else "",
            )
            yield proposal, source.session if source else ""
