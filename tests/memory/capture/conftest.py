"""What the tests of capture share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

Rules = Callable[[str], list[str]]


@pytest.fixture(scope="session")
def rules() -> Rules:
    """The words of what a message lays down or takes back, said with nothing before it."""

    def found(message: str) -> list[str]:
        said = PersonMessage(line=1, offset=0, written_at=1.0, text=message)
        return [each.text for each in rules_of(said, Context())]

    return found
