"""Plays the conversations of a day, a few side by side, each turn when its time has come."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass

from conversing import ClaudeCode, Conversation, Gemini
from office import Office, Person
from speaking import Speech

SIDE_BY_SIDE = 10
COOL_TURNS = 5
"""A fall of the context is put off for three turns after a full snippet: none is played so early."""
LAST_HOOKS = 8
LEAST_PACE = 0.4
"""Of the time that there is for a turn."""
PERSON_SECONDS = 1.5


@dataclass(frozen=True, kw_only=True)
class Plan:
    sessions: int
    turns: int
    seconds: float


class Shift:
    """`run` in a thread of the caller's; what goes wrong in it is in `faults`."""

    def __init__(self, office: Office, person: Person, plan: Plan, rng: random.Random) -> None:
        self.faults: list[str] = []
        self.turns = 0
        self._office = office
        self._person = person
        self._plan = plan
        self._lengths = _lengths(plan, rng)
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._began = time.monotonic()
        self._workers = [
            threading.Thread(target=self._work, args=(random.Random(rng.getrandbits(64)),))
            for _ in range(min(SIDE_BY_SIDE, plan.sessions))
        ]
        self._at_desk = threading.Thread(target=self._attend)

    def start(self) -> None:
        self._began = time.monotonic()
        for thread in (*self._workers, self._at_desk):
            thread.start()

    @property
    def is_over(self) -> bool:
        return not any(thread.is_alive() for thread in self._workers)

    def join(self) -> None:
        for thread in self._workers:
            thread.join()
        self._ended.set()
        self._at_desk.join()

    def _attend(self) -> None:
        try:
            while not self._ended.wait(PERSON_SECONDS):
                self._person.act()
        except Exception as error:  # told in the verdict; the thread has nobody to raise to
            self.faults.append(f"the person gave up: {type(error).__name__}: {error}")

    def _work(self, rng: random.Random) -> None:
        try:
            while (turns := self._next_length()) is not None:
                with self._office.opening:
                    conversation, speech = self._office.new_conversation()
                    conversation.begin()
                self._play(conversation, speech, turns, rng)
                self._take_leave(conversation)
        except Exception as error:  # told in the verdict; the thread has nobody to raise to
            self.faults.append(f"an agent gave up: {type(error).__name__}: {error}")

    def _next_length(self) -> int | None:
        with self._lock:
            return self._lengths.pop() if self._lengths else None

    def _wait_for_turn(self) -> None:
        """Also where the day is late nobody works much faster than planned: people do not either."""
        each_seconds = self._plan.seconds / self._plan.turns
        with self._lock:
            at = self._began + self.turns * each_seconds
            self.turns += 1
        least_seconds = LEAST_PACE * each_seconds * len(self._workers)
        time.sleep(max(least_seconds, at - time.monotonic()))

    def _play(self, conversation: Conversation, speech: Speech, turns: int, rng: random.Random) -> None:
        since_full = since_compaction = 0
        for _ in range(turns):
            self._wait_for_turn()
            conversation.person(speech.message())
            since_full = 0 if _was_told_all(conversation) else since_full + 1
            since_compaction += 1
            for _ in range(rng.randrange(1, 4)):
                conversation.work(speech.deed())
            if self._may_shrink(conversation, since_full) and rng.random() < 0.3:
                conversation.shrink()
                since_full = 0
            conversation.reply(speech.reply())
            conversation.turns += 1
            if since_compaction > 3 and rng.random() < 0.08:
                conversation.compact()
                since_full = since_compaction = 0
            elif isinstance(conversation, ClaudeCode) and rng.random() < 0.005:
                conversation.resume()
                since_full = 0

    def _may_shrink(self, conversation: Conversation, since_full: int) -> bool:
        is_counted = conversation.project == self._office.drops and not isinstance(conversation, Gemini)
        return is_counted and conversation.is_filled and since_full >= COOL_TURNS

    def _take_leave(self, conversation: Conversation) -> None:
        """Not before it was told what is due: nothing is asked of it afterwards."""
        if isinstance(conversation, ClaudeCode):
            with self._office.opening:  # the daemon runs meanwhile
                for _ in range(LAST_HOOKS):
                    if not conversation.session.hook("UserPromptSubmit").is_delivery:
                        break
                else:
                    self.faults.append(f"{conversation.id}: something was due after {LAST_HOOKS} hooks")
        conversation.end()


def _was_told_all(conversation: Conversation) -> bool:
    """Since the last turn."""
    if not isinstance(conversation, ClaudeCode):
        return False
    return conversation.session.was_told_all()


def _lengths(plan: Plan, rng: random.Random) -> list[int]:
    """Of each conversation; together they have all the turns."""
    usual = plan.turns // plan.sessions
    found = [rng.randrange(usual // 2, usual + usual // 2 + 1) for _ in range(plan.sessions)]
    scale = plan.turns / sum(found)
    found = [max(1, round(length * scale)) for length in found]
    found[-1] = max(1, found[-1] + plan.turns - sum(found))
    return found
