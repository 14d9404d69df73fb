"""The readers that are built in: rules in what the person says, facts in what happens."""

from __future__ import annotations

from agentinitd.memory.capture.facts import Facts
from agentinitd.memory.capture.listener import Readers
from agentinitd.memory.capture.rules import rules_of


def built_in() -> Readers:
    """For one session: facts are put together from several of its events."""
    return Readers(rules_of=rules_of, facts_of=Facts().hear)
