"""English that lays something down in few words, or beside a question, and what only looks like it."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

RULES = [
    ("only Marco pushes to the release branch", "do", "only Marco pushes"),
    ("only the platform team edits the helm charts", "do", "only the platform team edits"),
    ("explanations a little shorter please", "do", "explanations a little shorter"),
    ("a bit shorter", "do", "a bit shorter"),
    ("less verbose please", "do_not", "less verbose"),
    ("ok, but without lodash please", "do_not", "without lodash"),
    ("plain C would be my pick for this driver", "do", "plain C would be my pick"),
    ("the conclusion goes first, the table after it", "do", "the conclusion goes first"),
    ("the cluster has python 3.9, so nothing newer than that", "do", "nothing newer than that"),
    ("must run on an old thinkpad", "do", "must run on an old thinkpad"),
    ("has to work without a network", "do", "has to work without a network"),
    ("for date handling use luxon", "do", "for date handling use luxon"),
    ("wherever you can, reuse the helpers we have", "do", "reuse the helpers"),
    ("deploy.yml is mine, keep out", "do_not", "deploy.yml is mine"),
    ("the wire format belongs to the device people so we don't change it", "do_not", "don't change it"),
    ("you don't get to change the licence header", "do_not", "you don't get to change"),
    ("American spelling in all UI texts", "do", "American spelling"),
    ("readability matters more than speed here", "do", "readability matters more"),
    ("we use Node 24 now", "do", "we use Node 24 now"),
    ("we now use ruff for formatting", "do", "we now use ruff"),
    ("first a failing test, then the fix", "do", "first a failing test, then the fix"),
    ("I'd like a blank line between methods", "do", "a blank line between methods"),
    ("let me do the merging", "do_not", "let me do the merging"),
    ("4 spaces", "do", "4 spaces"),
    ("I like it when the message tells me which row it was", "do", "which row it was"),
    ("Not a fan of nested ternaries, can you unroll that one?", "do_not", "Not a fan of nested ternaries"),
    ("I prefer small functions, could you split this one?", "do", "I prefer small functions"),
    ("short commits please", "do", "short commits"),
    ("better you make one commit per fix, then I can follow", "do", "one commit per fix"),
    ("tests w pytest pls, ask b4 u add a dep", "do", "ask b4 u add a dep"),
    ("stop w the emojis", "do_not", "stop w the emojis"),
    ("When you write release notes, avoid technical terms", "do_not", "avoid technical terms"),
    ("keep the texts exactly as legal approved them", "do", "keep the texts exactly as legal approved"),
    ("use the existing client class and not create a new one", "do", "use the existing client class"),
    ("Work with UTC internally", "do", "Work with UTC internally"),
    ("This is a library: no logging to stdout", "do_not", "no logging to stdout"),
    ("The fonts are chosen by an agency, so leave the css variables to them", "do_not", "leave the css"),
    ("push early and often", "do", "push early"),
    ("Our style guide says no trailing underscores, please follow that", "do_not", "no trailing underscores"),
    ("pictures help me more than text", "do", "pictures help me more"),
    ("Feature flags for anything the customers can see, please", "do", "Feature flags for anything"),
    ("Error messages should name the file", "do", "Error messages should name"),
    ("I won't have any singletons in here", "do_not", "any singletons"),
    ("nobody is to deploy by hand", "do_not", "nobody is to deploy"),
    ("see to it that the samples compile", "do", "the samples compile"),
    ("the oldest phone we support is the 6s", "do", "the oldest phone we support"),
    ("I find deep nesting tiring", "do_not", "deep nesting tiring"),
    ("I'd sooner have two copies than one clever base class", "do", "two copies than"),
    ("remember the changelog", "do", "remember the changelog"),
    ("make it a habit to run the linter", "do", "run the linter"),
    ("what I don't want is that it mails the real addresses", "do_not", "it mails the real"),
    (
        "yeah looks right and um one thing whenever you change something in the shared package you need to"
        " bump the version in package json otherwise the apps don't pick it up we had that last week",
        "do",
        "whenever you change something in the shared package you need to bump the version in package json",
    ),
    ("we deploy without internet, hence everything must be vendored", "do", "everything must be vendored"),
]
NO_RULES = [
    "only the export fails",
    "only Anna understands that part",
    "only the scheduler knows it",
    "make it a bit shorter",
    "a bit to the left",
    "without success",
    "has to be a typo somewhere",
    "must be running out of memory",
    "for the demo I used the small set",
    "the mistake is mine",
    "we tried it but we don't see it",
    "first check the logs, then restart the worker",
    "the button must not blink, can you fix that?",
    "the sum is wrong, can you check the query?",
    "we're on the new office floor now",
    "would you prefer tabs or spaces?",
    "we lost the disk, so the run has to start over",
    "explain like I'm new here what the cache does",
    "For reference, the old limit was 50 calls per minute",
    "the fonts are chosen by an agency",
    "no errors to report",
    "we won't have a tester before may",
    "the client must send a nonce or the server answers 400, so the test is right",
    "no, that option is fine, keep it",
    "great, no complaints",
    "you never disappoint",
    "implement a limiter: at most 10 requests per second per user",
    "404 on /me after logout, not before",
    "only dies under load",
    "No action needed on your side.",
    "I'm happy with the first version",
    "right so the thing is that on the second screen it always takes a while and I guess that's the font"
    " being loaded or maybe the profile I don't know could you have a look and tell me what you think of it",
    "the robot has to drive home and refuse new jobs. can you code that?",
]


def heard(message: str, context: Context | None = None) -> list[Proposal]:
    return rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), context or Context())


@pytest.mark.parametrize(("message", "polarity", "rule"), RULES)
def test_a_rule_in_few_words_is_found(message: str, polarity: str, rule: str) -> None:
    assert any(rule in each.text and each.polarity == polarity for each in heard(message))


@pytest.mark.parametrize("message", NO_RULES)
def test_what_only_looks_like_one_lays_nothing_down(message: str) -> None:
    assert [each.text for each in heard(message) if each.act == "state"] == []


def test_what_hangs_over_at_the_end_is_left_out() -> None:
    assert [each.text for each in heard("keep the answers short, and no")] == ["keep the answers short"]


def test_that_port_is_the_one_that_was_said() -> None:
    [asked] = heard("always use that port", Context(person_before=("the proxy listens on 8443",)))
    [told] = heard("always use that port", Context(agent_before="I started the server on port 3001."))

    assert (asked.text, told.text) == ("always use that port (8443)", "always use that port (3001)")


def test_what_is_put_back_is_allowed_again() -> None:
    [again] = heard("hm actually screenshots would be nice, put them back in")

    assert again.act == "withdraw" and again.is_permission and again.topic == "screenshots"
