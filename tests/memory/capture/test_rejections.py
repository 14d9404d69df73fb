"""What a person rejected does not return in other words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import PersonMessage


def heard(line: int, text: str) -> list[Proposal]:
    return Listener("s", readers=built_in()).hear([PersonMessage(offset=line, line=line, text=text)])


def new_after_rejection(rejected: str, later: str) -> list[str]:
    """What is captured of the later message once everything of the first was rejected."""
    first = Ledger((), session="s")
    first.take(heard(1, rejected), now=1.0)
    assert first.items
    ledger = Ledger([replace(item, status="rejected", ended_at=2.0) for item in first.items], session="s")
    ledger.take(heard(3, later), now=3.0)
    return [item.what for item in ledger.items if item.status == "active"]


@pytest.mark.parametrize(
    ("rejected", "later"),
    [
        ("不要新增依赖", "别加新的依赖"),
        ("不要新增依赖", "禁止添加任何新的第三方库"),
        ("别加新的依赖", "no new dependencies"),
        ("Don't add new dependencies", "不要加新的依赖"),
        ("Don't add new dependencies", "please do not introduce new packages"),
        ("Use pnpm, not npm", "only use pnpm, never npm"),
        ("Use pnpm, not npm", "never use npm"),
        ("Use pnpm, not npm", "only pnpm please"),
        ("Only use pnpm, never npm", "use pnpm, not npm"),
        ("Never npm, only pnpm", "don't use npm"),
        ("用 pnpm，不要用 npm", "只用 pnpm，别用 npm"),
        ("Use tabs, not spaces", "indent with tabs, never spaces"),
        ("Never use force push", "never force-push"),
        ("Don't touch migrations or fixtures", "don't touch the fixtures"),
    ],
)
def test_the_same_in_other_words_or_a_part_of_it_stays_rejected(rejected: str, later: str) -> None:
    assert new_after_rejection(rejected, later) == []


@pytest.mark.parametrize(
    ("rejected", "later"),
    [
        ("不要新增依赖", "不要升级依赖"),
        ("不要新增依赖", "新增依赖前先问我"),
        ("Use pnpm, not npm", "use yarn, never pnpm"),
        ("Use pnpm, not npm", "use npm"),
        ("Use pnpm, not npm", "never publish to npm"),
        ("Use pnpm, not npm", "run pnpm lint before committing"),
        ("Use tabs, not spaces", "use spaces, not tabs"),
        ("Don't deploy on Fridays", "don't deploy"),
        ("Never touch src/legacy", "don't touch src"),
        ("Never push to main", "push to main only after review"),
        ("Answer in Chinese", "write comments in Chinese"),
        ("Keep functions under 40 lines", "keep functions under 60 lines"),
    ],
)
def test_what_says_more_or_something_else_is_new(rejected: str, later: str) -> None:
    assert new_after_rejection(rejected, later) != []
