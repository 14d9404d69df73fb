"""A message becomes proposals: each sentence by the reader of its language, the same words once."""

from __future__ import annotations

from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import MAX_RULES, rules_of
from agentinitd.model.events import PersonMessage


def proposals(text: str) -> list[Proposal]:
    return rules_of(PersonMessage(line=7, offset=0, written_at=12.5, text=text), Context())


def test_proposal_tells_where_it_comes_from() -> None:
    (found,) = proposals("hi there. please don't push to main, it deploys at once")

    assert (found.kind, found.speaker, found.line, found.at) == ("rule", "person", 7, 12.5)
    assert found.text == "don't push to main"
    assert found.why == "it deploys at once"
    assert found.quote == "please don't push to main, it deploys at once"


def test_mixed_message_is_read_by_sentence() -> None:
    found = proposals("Please fix it, but never edit vendor/. 提交信息一律用中文写。")

    assert [item.text for item in found] == ["never edit vendor/", "提交信息一律用中文写"]


def test_chinese_words_decide_what_the_english_ones_in_the_sentence_are_for() -> None:
    (found,) = proposals("batch size 别超 64")

    assert found.polarity == "do_not"
    assert proposals("线上还是 python 3.8") == []


def test_same_words_count_once_in_a_message() -> None:
    assert len(proposals("never push to main. Never push to main!\nNEVER push to main")) == 1


def test_pasted_words_propose_nothing() -> None:
    assert proposals("CI says:\n```\nnever commit generated files\n```\nwhy?") == []


def test_one_message_proposes_a_bounded_number() -> None:
    rules = "\n".join(f"- never touch file{number}.py" for number in range(100))

    assert len(proposals(f"Rules:\n{rules}")) == MAX_RULES


def test_empty_message_proposes_nothing() -> None:
    assert proposals("") == []
    assert proposals("   \n") == []
