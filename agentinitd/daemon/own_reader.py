"""A team's own reader of what sessions say, run beside ours: `capture_command` of the user's config.

It may take seconds: it runs in a thread of its own, one at a time for all sessions, and what it answers is
taken up whenever the session is looked at next.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence

from agentinitd.memory.capture.external import MAX_TURNS, ReaderFailed, Turn, proposals_from, turns_of
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.model.events import Event

_room = threading.Semaphore(1)


class OwnReader:
    """Of one session."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.trouble = ""
        """Why the last run gave nothing; ours read on meanwhile."""
        self._environment = environment
        self._turns: list[Turn] = []
        self._is_due = False
        self._is_running = False
        self._answers: queue.SimpleQueue[list[Proposal]] = queue.SimpleQueue()

    @property
    def is_waiting(self) -> bool:
        """There is an answer to be taken, or a question to be asked."""
        return not self._answers.empty() or (self._is_due and not self._is_running)

    def hear(self, events: Sequence[Event], command: Sequence[str], session: str) -> None:
        """Asks it when the person has said something."""
        turns = turns_of(events)
        self._turns = [*self._turns, *turns][-MAX_TURNS:]
        self._is_due = self._is_due or any(turn.who == "person" for turn in turns)
        if self._is_due and not self._is_running:
            self._is_due, self._is_running = False, True
            asked = (tuple(command), session, tuple(self._turns))
            threading.Thread(target=self._ask, args=asked, name="own reader", daemon=True).start()

    def answers(self) -> list[Proposal]:
        found: list[Proposal] = []
        while not self._answers.empty():
            found += self._answers.get()
        return found

    def _ask(self, command: Sequence[str], session: str, turns: Sequence[Turn]) -> None:
        try:
            with _room:
                self._answers.put(proposals_from(command, session, turns, environment=self._environment))
            self.trouble = ""
        except ReaderFailed as error:
            self.trouble = f"capture_command: {error}"
        except Exception as error:  # a bug of ours: the thread has nobody above it
            self.trouble = f"capture_command: {type(error).__name__}: {error}"
        finally:
            self._is_running = False
