"""English orders that are done once, clauses of bug reports, and facts that look like limits."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

STEPS = [
    "drop the old index, keep the two newest and run the migration",
    "put the totals in the footer and show me a screenshot",
    "go through the failing jobs, keep the first error and paste it here",
    "raise the timeout to 90s and try again",
    "sort the list by size, take the top ten and print them",
    "generate a key, use 4096 bits, put it in vault and commit",
    "bump numpy to 2.0 and fix what breaks",
]
HAPPENINGS = [
    "the sidebar flickers when I resize, only in dark mode",
    "the worker picks each job at least twice, sometimes more",
    "the scanner polls the printers every 10 seconds and writes toner, paper and page count to influx",
    "laptops have no dongle",
    "most of our customers are on 4k screens with scaling at 150%",
    "make the cron run at 06:00 instead of 05:00",
    "while you're in there rename foo to bar",
    "make sure it still builds",
    "I'd remove the icon",
    "binary is at 12 MB now",
    "we switched to arm last month",
    "epoch 3/50",
    "the wheel shrank by 12k",
    "the scale in fig2.py is wrong, the max is 300 and not 3000",
    "if the icon looks off just leave it out",
    "the typo in the header drives me nuts, fix it",
    "the folks from the infra team say you should never mount the socket",
    "run the build again please, I cleared the cache this time",
    "Marta left and put all configs in one repo",
]
RULES = [
    ("use tabs and put braces on their own line", "do"),
    ("keep functions short and use early returns", "do"),
    ("log errors to stderr and return exit code 2", "do"),
    ("write commit messages in the imperative and prefix them with the ticket", "do"),
    ("name branches feat/x and open PRs against develop", "do"),
    ("this time give me the diff first instead of writing files", "do"),
    ("emojis in commit messages drive me mad", "do_not"),
    ("When I ask about a bug, explain it and leave the files alone", "do"),
    ("when the build breaks, don't delete the cache", "do_not"),
    ("for this one script no tests", "do_not"),
    ("components have no side effects", "do"),
    ("make sure the old endpoints still work", "do"),
    ("I'd drop mocks entirely", "do_not"),
    ("we moved to vite last week, so please use that", "do"),
    ("print statements have no place in library code", "do_not"),
    ("if you're in there, leave the tests alone", "do_not"),
]


def stated(message: str) -> list[tuple[str, str]]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [(each.polarity, each.text) for each in heard if each.act == "state"]


SAID = [
    ("you don't get to change the defaults", "do_not"),
    ("SHA1 doesn't get used anywhere in here", "do_not"),
    ("deleting the flaky test doesn't count as a fix", "do_not"),
    ("no eval() calls in the templates", "do_not"),
    ("please no exclamation marks in the manual: no cheering, no shouting", "do_not"),
    ("if a package has no licence we don't use it", "do_not"),
    ("please stop auto-formatting other people's files", "do_not"),
    ("stay off the eval set until I say we're finished", "do_not"),
    ("it's ledger_v2 for everything from now on", "do"),
    ("price columns we want as integers, in every table", "do"),
    ("what I want in each new module is a short docstring", "do"),
    ("for tokens we stick to 24 bytes", "do"),
    ("every blocking call gets a deadline in this codebase", "do"),
    ("public types in the client want an example", "do"),
    ("name the dumps {date}_{host}.sql, a cron job reads them", "do"),
    ("I already told you twice: no lodash", "do_not"),
    ("the client doesn't want any popups on the landing page", "do_not"),
    ("send uploads through the proxy and add a test", "do"),
    ("you keep using tabs", "do_not"),
    ("I get nervous when I see unwrap() outside of tests", "do_not"),
    ('the word "guest" is out, we say "visitor"', "do_not"),
    ("tests may hit the DB but not the network", "do_not"),
    ("next time tell me before you install something", "do"),
    ("anything over 50 lines, split it", "do"),
    ("let's keep the patch under 200 lines", "do"),
    ("archive, don't delete", "do"),
    ("fix it in the base class and only there", "do"),
]
TALK = [
    "you don't get to see the error",
    "the callback doesn't get called twice",
    "it's slow from now on",
    "use the old one again",
    "wait, it's 5 now",
    "no idea, it's fine everywhere",
    "what I want is coffee",
    "our accountants use Excel",
    "Marta has to maintain it, poor her",
    "the job dies at exactly 2 GB every time",
    "the limit is 5 requests per second on their side",
    "I always forget how that works",
    "you keep using the wrong one",
]


@pytest.mark.parametrize(("message", "polarity"), SAID)
def test_rule_in_the_words_of_talk_is_found(message: str, polarity: str) -> None:
    assert polarity in {each for each, _ in stated(message)}


@pytest.mark.parametrize("message", TALK)
def test_talk_in_the_same_words_lays_nothing_down(message: str) -> None:
    assert stated(message) == []


def test_what_may_be_done_at_any_time_is_no_demand() -> None:
    heard = rules_of(
        PersonMessage(line=1, offset=0, written_at=1.0, text="so restart the proxy whenever you like"),
        Context(),
    )
    assert [(each.act, each.is_permission) for each in heard] == [("withdraw", True)]


@pytest.mark.parametrize("message", STEPS)
def test_a_step_of_the_work_at_hand_lays_nothing_down(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize("message", HAPPENINGS)
def test_what_happens_or_is_to_be_done_just_now_lays_nothing_down(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize(("message", "polarity"), RULES)
def test_what_holds_for_things_in_general_is_a_rule(message: str, polarity: str) -> None:
    assert polarity in {each for each, _ in stated(message)}
