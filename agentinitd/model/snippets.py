"""Fragments, and the snippet that is composed of them."""

from __future__ import annotations

from dataclasses import dataclass

from agentinitd.model.facts import Language, Priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A piece of a fragment that is kept or left out as a whole, but for its aside."""

    text: str
    aside: str = ""
    """Lines that are said with it where there is room for all."""
    priority: Priority = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """What one script printed."""

    key: str
    section: str
    items: tuple[Item, ...]
    is_essential: bool = False
    is_project: bool = False
    """From the project's own layer: the heading says so, because it is data, not our word."""
    note: str | None = None
    """One line under the heading, for instance that this is the last good output and how old it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """The text handed to the agent.  Equal input gives equal bytes, and so an equal id."""

    id: str
    text: str
    tokens: int
    language: Language
    kept: int
    omitted: int
    """Items that did not fit the budget, and facts that did not fit what scripts are handed."""
    is_over_budget: bool = False
    """Critical items and essential sections alone exceed the budget; they are served all the same."""
