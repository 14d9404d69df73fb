"""English rules said beside the work in half a sentence, and what is said beside it that is none."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

RULES = [
    ("terraform apply is mine to run", "do_not", "terraform apply is mine"),
    ("merge is mine", "do_not", "merge is mine"),
    ("Nobody, you included, restarts that box during the day", "do_not", "restarts that box"),
    ("nobody touches the ledger table without me", "do_not", "ledger table without me"),
    ("cap it at 200 requests a second, the box is shared", "do", "cap it at 200"),
    ("it must keep building with go 1.19", "do", "keep building with go 1.19"),
    ("nicer if test names read like sentences", "do", "test names read like sentences"),
    ("leave the TODOs in please", "do_not", "leave the TODOs in"),
    ("spacing comes from the tokens", "do", "spacing comes from the tokens"),
    ("headings are sentence case", "do", "headings are sentence case"),
    ("select by label in the tests", "do", "select by label"),
    ("round half up with two digits", "do", "round half up"),
    ("private fields prefixed with an underscore", "do", "prefixed with an underscore"),
    ("every commit signed off", "do", "every commit signed off"),
    ("I want a fix that doesn't add a lock", "do_not", "doesn't add a lock"),
    ("plain CSS this time", "do", "plain CSS this time"),
    ("read-only kubectl please", "do", "read-only kubectl"),
    ("everything else on stable", "do", "everything else on stable"),
    ("three sentences max when you report", "do", "three sentences max"),
    ("heater power never above 60 percent", "do_not", "never above 60"),
    ("if you touch anything in src/net run the soak test after", "do", "run the soak test"),
    ("one spec per commit so that I can review them", "do", "one spec per commit"),
    ("inheritance is out, composition only", "do_not", "inheritance is out"),
    ("In all my projects: metric units, I can't think in inches", "do", "metric units"),
    ("anything with rm in it: show me first", "do", "show me first"),
    ("conda-forge and bioconda, no other channels", "do", "conda-forge and bioconda"),
    ("Legal says no customer names in logs, so keep to it", "do_not", "no customer names in logs"),
    ("the style guide says two spaces, do it like that", "do", "two spaces"),
    ("no ORMs. raw sql through pgx.", "do", "raw sql through pgx"),
    ("- no inline styles\n- css modules\n- one folder per component", "do", "css modules"),
    ("semicolon as separator, our users open it in Excel", "do", "semicolon as separator"),
    ("btw the ticket number belongs in the branch name", "do", "ticket number"),
    ("I'd feel better if you ran the linter before every push", "do", "ran the linter"),
    ("ask me one question at a time", "do", "one question at a time"),
    ("Btw no !! in Kotlin code, I reject it in review", "do_not", "no !! in Kotlin code"),
    ("It's a school project, so nothing fancy", "do_not", "nothing fancy"),
    ("I can't approve anything with TODOs in it", "do_not", "TODOs in it"),
    ("our staging has real customer data so treat it like prod", "do", "treat it like prod"),
    ("you changed the snapshot files again. those are mine to update", "do_not", "mine to update"),
    ("you only ever touch dev", "do", "only ever touch dev"),
    ("one module per feature, remember?", "do", "one module per feature"),
    ("could you use the formatter of the project next time?", "do", "use the formatter"),
    ("my mentor says I must never commit to main so please don't do it either", "do_not", "never commit"),
]
NO_RULES = [
    "the machine is mine",
    "nobody answered the ticket yet",
    "they had fun without me",
    "the release is out",
    "data comes from the sensors",
    "headings are blue in the mockup",
    "two private fields missing",
    "I want a button that doesn't flicker",
    "plain wrong this time",
    "everything else in order",
    "any leftovers you find in there are from the old team",
    "everything that needs auth gives a 401",
    "Let's write the runbook for failing over Postgres.",
    "the staging backend is at api-stg.brightmart.example and resets its data each night",
    "our cluster has 8 cards per node but the queue gives you at most 4",
    "test run 4412 had nine failures",
    "load test tonight on perf-2",
    "porting is going well, we're at spec 31 of 80",
    "tests expect exactly that",
    "check the nginx logs for the top talkers and give me IPs only as a list",
    "move everything from guides/ to learn/ and fix the links",
    "fixes went to main first",
    "Now build the returns model, one row per return line, join orders for the ship date.",
    "our main context is prod and I don't want surprises",
    "enemies spawn inside walls on level 4. Only in release builds",
    "wow that trick is neat, never seen it",
    "don't hold your breath for the vendor",
    "Tom is out",
    "heap snapshots are in s3, the box is prod-3",
    "there are three environments: dev, stage, prod.",
    "nothing worked on Friday, I was about to cry",
    "I cleaned up yesterday, dead code is out",
    "if a payment fails the order must stay open",
    "we deploy there",
    "the field must be an int, you pass a string",
    "is that the old one, remember?",
    "the rest of the team in Berlin",
    "a few lines max if you have time",
    "you wait for the lock there, that's the deadlock",
    "everything I know: restart fixes it",
    "five minutes before you merge something always breaks",
    "read one line at a time, that's what makes it slow",
    "I'd be happier if it worked",
    "I get nervous when the pager goes off",
    "Sam says never mind and he's right",
    "nobody, and I mean nobody, reads that page",
    "every request wrapped in a span, nice",
    "give me a change without a bug for once",
    "no data in chart 2",
    "the staging db is mysql 5.7, prod is on 8",
    "the timeout is 30 on prod and 60 here",
    "all rows with null in price are test data",
    "the regex in parse_date is unreadable, split it",
    "I think tabs are ugly but whatever",
    "fix the flaky one only",
    "Tom says we should never use enums. no idea why",
    "No errors in the log. Just a page from the proxy",
    "- login page\n- profile page\n- css modules are broken",
]


def _read(message: str, agent_before: str = "") -> list[Proposal]:
    said = PersonMessage(offset=1, line=1, text=message)
    return rules_of(said, Context(agent_before=agent_before))


@pytest.mark.parametrize(("message", "polarity", "clause"), RULES)
def test_it_lays_down(message: str, polarity: str, clause: str) -> None:
    found = [each for each in _read(message) if clause in each.text]
    assert [each.polarity for each in found] == [polarity]


@pytest.mark.parametrize("message", NO_RULES)
def test_it_lays_nothing_down(message: str) -> None:
    assert _read(message) == []


def test_taking_one_of_two_things_that_were_offered_is_an_answer() -> None:
    asked = "Do you want the dashboards per region or one with a variable?"
    assert _read("one with a variable, regions come and go", asked) == []
    assert _read("one commit per dashboard please", asked) != []
