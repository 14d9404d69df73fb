"""English rules with any verb and any noun, and what a correction says of what was said before."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.english import read
from agentinitd.memory.capture.prose import Context, Found, sentences


def found_in(message: str, *before: str) -> list[Found]:
    context = Context(person_before=before)
    return [found for sentence in sentences(message) for found in read(sentence, context)]


@pytest.mark.parametrize(
    ("message", "polarity"),
    [
        ("if the gpu isn't available fall back to cpu silently", "do"),
        ("when a workaround is unavoidable leave a comment with the ticket number", "do"),
        ("every migration that drops a column needs a rollback", "do"),
        ("changes to the payment code need two reviewers", "do"),
        ("whenever a public signature changes the changelog gets an entry", "do"),
        ("new shaders are fine as long as they go inside effects/", "do"),
        ("add a dependency only when the stdlib can't do it", "do"),
        ("only integers for money", "do"),
        ("only MIT or BSD licensed packages", "do"),
        ("the dashboard may only show aggregates", "do"),
        ("styling is tailwind and tailwind alone", "do"),
        ("plain C11, no extensions", "do_not"),
        ("cite the sources in the report", "do"),
        ("validate all input at the boundary", "do"),
        ("make one commit per logical change", "do"),
        ("env vars get the prefix APP_", "do"),
        ("the build needs to be reproducible", "do"),
        ("small prs make my life easier", "do"),
        ("the less magic the better", "do_not"),
        ("class components aren't to my taste", "do_not"),
        ("monkeypatching should be the last resort", "do_not"),
        ("for this one push straight to main", "do"),
        ("not bumping the version this round", "do_not"),
        ("leave the lint errors for the moment", "do_not"),
        ("In all my projects: no emojis in the output", "do_not"),
        ("should the same test fail three times in a row, stop and tell me", "do"),
        ("anything bigger than a one-liner, give me an estimate first", "do"),
        ("pull requests over 400 lines get split", "do"),
        ("headers don't include windows.h", "do_not"),
        ("errors.Is, not string compare", "do"),
        ("hashing with sha-256, nothing weaker", "do"),
        ("a functional style feels more natural to me", "do"),
        ("nested ternaries hurt my eyes", "do_not"),
        ("not the biggest fan of decorators", "do_not"),
        ("today only two retries", "do"),
        ("the app must keep working offline", "do"),
    ],
)
def test_reads_a_rule_whatever_its_verb_and_noun(message: str, polarity: str) -> None:
    assert [item.polarity for item in found_in(message) if item.act == "state"] == [polarity]


@pytest.mark.parametrize(
    "message",
    [
        "the worker never retries",
        "the API only returns ids",
        "the scheduler always picks the oldest job",
        "only admins see that menu",
        "when I click save the page goes blank",
        "if the build fails the log is empty",
        "it says module not found",
        "java strings are immutable so that's not it",
        "can we only use one worker with sqlite or is that ok with more?",
        "no, we don't use it",
        "no error in the console either",
        "version 3 comes out next week",
        "show only active users in the list",
        "the register must be written twice or the chip ignores it",
        "nothing in that folder is used any more",
        "the queue keeps at most 100 items",
        "no exceptions are thrown in release mode",
        "if that fails, try the second mirror",
        "try again without the cache",
        "group the results by month",
        "remove unused imports from this file",
        "never got that mail",
    ],
)
def test_reads_no_rule_in_a_report_or_an_order_for_once(message: str) -> None:
    assert [item for item in found_in(message) if item.act == "state"] == []


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("drop black, format with ruff", "black"),
        ("we replaced mocha with vitest", "mocha"),
        ("staging is retired, test against sandbox", "staging"),
        ("switch from yarn to pnpm", "yarn"),
        ("don't use jest any more", "jest"),
    ],
)
def test_what_is_turned_away_from_ends_demands_and_no_ban(message: str, topic: str) -> None:
    [over] = [item for item in found_in(message) if item.act == "withdraw"]

    assert over.topic == topic
    assert over.polarity == "do_not"
    assert not over.is_permission


@pytest.mark.parametrize("message", ["don't forget to bump the version", "should we drop yarn?"])
def test_reminder_and_question_turn_away_from_nothing(message: str) -> None:
    assert [item for item in found_in(message) if item.act == "withdraw"] == []


@pytest.mark.parametrize(
    ("message", "before", "topic"),
    [
        ("make that 6543", "postgres must run on port 5432", "postgres must run on port"),
        ("english again please", "reply in french", "reply in"),
        ("I take that back, put it on disk", "keep the dataset in memory", "keep the dataset in memory"),
        ("actually use port 7001", "use 2 spaces", ""),
    ],
)
def test_correction_is_about_what_was_said_before(message: str, before: str, topic: str) -> None:
    found = found_in(message, before)

    assert found
    assert found[0].topic == topic
