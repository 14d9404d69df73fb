"""English that sounds like a rule and is a joke, a report, hearsay, or tells what is to be built."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

NO_RULES = {
    "facts of things at work": [
        "each worker holds its own connection, that's why the pool fills up",
        "everything under dist is generated at build time",
        "the test fixtures are in testdata/export",
        "every request goes through the gateway first",
        "no endpoint returns html",
        "each tenant gets its own schema, so the migration runs forty times",
        "everything in vendor comes from the old monorepo",
        "every sensor sends a packet every ten seconds",
        "each microservice owns its schema so joins are impossible",
        "anything older than a week gets archived by a nightly job",
    ],
    "errands": [
        "run only test_login",
        "don't run it on the whole set now, just the first file",
        "only look at the parser, tell me what you find",
        "print only the names, not the values",
        "delete only the lock file and retry",
    ],
    "products": [
        "the player must not walk through walls",
        "guests can only see public items",
        "a guest must log in before he can comment",
        "enemies never spawn next to the player",
        "the list should only show unread mails",
        "expired coupons must not be accepted",
        "every order needs a shipping address before it can be paid",
    ],
    "camps": [
        "Half of them say we should always cache, the other half say caching must never happen here.",
        "Some people on the forum swear you must never use threads with this driver.",
        "He had strong opinions: no classes, no types, every function under five lines.",
    ],
    "quips": [
        "no more printers. ever. they smell fear.",
        "Never trust an atom, they make up everything.",
        "I'd rather fight a bear than touch that makefile again",
        "javascript dates should be illegal",
        "always leave one bug for monday... kidding",
        "it's not allowed to be fast, apparently",
        "rule number one: always sleep. rule number two: I never sleep",
        "don't you dare fail now",
        "never would have guessed that",
        "the build server must hate me",
    ],
    "jokes": [
        "haha always blame the network",
        "lol don't let the interns read this query",
        "never touch a running system, right? lol",
        "please don't ever let me near kubernetes again haha",
        "never change, javascript",
        "from now on i shall be known as the slayer of race conditions",
        "from now on call this the tuesday bug",
        "no more yaml for me, ever",
        "nobody should ever have to debug this at 2am",
        "from now on the build server gets a sacrifice every morning",
        "rule number one of this codebase: don't talk about the scheduler",
        "don't ever let me write regexes after midnight again",
        "always remember: it's DNS. It's always DNS.",
        "do not feed the yaml parser after midnight",
        "I would prefer a root canal over debugging this",
        "don't judge me for the variable names, it was 3am",
        "my cat walked over the keyboard, always check for cats",
        "ok skynet, don't take over the world before the release please",
        "if this passes on the first try you always have to buy me a beer",
    ],
    "reports": [
        "firefox ignores the hint and always refetches",
        "Sam always finds the weirdest edge cases",
        "webpack gets slower with every plugin",
        "the index has to be rebuilt twice before the search sees it",
        "we only have two licenses for the profiler",
        "20 seconds every single time, annoying",
        "ugh 12 minutes each time",
        "the host resolves inside the vpn and not outside",
        "gcc refuses this because the reference must outlive the object",
        "all calls pass through the proxy first so check the logs there",
        "the app has to be restarted after each change, annoying",
        "the sensor must be warm before it gives good readings",
        "users always forget their password",
        "the daemon writes to /var/log and not to stdout",
        "The hero image is 2.3 MB which is silly",
        "both services share one database",
        "you never closed that handle in load_tiles, add it.",
    ],
    "timetables and measures": [
        "the bakery opens at five and the first order comes in at six",
        "our reports are due at the end of the quarter",
        "the cluster sits at 93% memory right now",
        "the fan spins up to 4000 rpm",
        "letters are printed by the post office, not by us",
    ],
    "things in general that nobody builds": [
        "every restaurant keeps its own menu, prices and all",
        "each lab has one freezer and nobody shares",
        "every driver picks one route and keeps it",
        "in production we use a different key",
        "in the demo env there's no mail server",
        "after the update it always asks for a password",
        "the index must be stale, rebuild it",
    ],
    "outcomes": [
        "login works but only with the old cookies",
        "sync runs but never finishes",
        "I restarted it twice, no warnings",
        "no complaints so far",
        "only broke after the update, promise",
        "that column has to be doubled somewhere",
        "it should not blink when I drag the window",
        "when you tap the icon it always opens the old chat",
        "you always pass the wrong id",
        "the catch is that we always lose the first packet",
    ],
    "orders for one thing": [
        "make it two pages instead of three",
        "make a short script that lists all users without a mail",
        "use a set instead of the list there",
        "use the third option",
        "raise the limit to at least 50 and run it again",
        "ask him if you need the key",
        "use yours",
        "try with a smaller batch",
        "delete all branches older than a year",
        "put the second legend in the corner of that plot",
    ],
    "wishes for one thing": [
        "I'd love to have a preview",
        "if that's too much work then leave it",
        "if you're bored you can look at the flaky test",
        "I'd rather look at the other bug first",
        "I don't like the name of the tool",
        "not happy with the layout yet",
        "would you like a flag or always the same format?",
    ],
    "hearsay": [
        "In the docs it says you should always call close()",
        "@docs/rules.md says: never use var",
        "the readme states that you must not use sudo",
        "the watchdog must be fed every 500 ms, says the datasheet",
        "per the RFC clients must not cache this",
        "the previous dev left a note: never delete this table",
        "QA insists it must be reproducible",
        "as the docs put it: never share a session between threads",
    ],
    "features": [
        "Implement a check that users must always confirm deletion",
        "add a rule to the parser that strings must be closed",
        "new feature: guests see only public items, keep the list in local storage",
        "for the game i want gravity: objects always fall down, balloons go up",
        "the modal should close on escape and never scroll the page",
        "users should be able to delete their account",
        "we need an offline mode. drafts get stored on the phone and sent later",
        "in the new grid the button is disabled until at least one row is selected, can you build that",
    ],
}
RULES = [
    ("only run the fast tests, the slow ones are for CI", "only run the fast tests"),
    ("all endpoints return JSON, keep it that way", "all endpoints return JSON"),
    ("every public function gets a docstring", "every public function gets"),
    ("the column order must not change", "the column order must not change"),
    ("the build must stay under two minutes", "must stay under two minutes"),
    ("lol ok, but please don't push to main", "don't push to main"),
    ("every endpoint needs an annotation. Start with adding /shipments to the spec", "every endpoint needs"),
    ("Build the import script. My requirements:\n- must be python 3.11\n- no pandas", "must be python 3.11"),
    ("rule number one: always run the linter before you commit", "always run the linter"),
    ("never blame the cache without a trace", "never blame the cache"),
    ("use `cats-effect` instead of futures", "use `cats-effect` instead of futures"),
    ("comments must be in English", "comments must be in English"),
    ("the cookie name? never change that", "never change that"),
    ("every time you add a field, add it to the serializer too", "add it to the serializer"),
    ("build a signup form. no inline styles please", "no inline styles"),
    ("make a backup before you touch the database", "make a backup before"),
    ("every service logs to stdout", "every service logs to stdout"),
    ("use tabs here", "use tabs here"),
    ("I want a test for every bug you fix", "I want a test for every bug"),
    ("you never touch the schema without asking", "you never touch the schema"),
    ("I would like a changelog entry for each PR", "a changelog entry for each PR"),
]
STORIES = [
    (
        "The compiler has a lexer and two backends. Each node knows its parent. The C backend only supports"
        " integers. Types are resolved in one pass. When you add a node kind, add it to both backends.",
        "When you add a node kind",
    ),
    (
        "The mobile app talks to the api over graphql. Every screen has one query. Images are always loaded"
        " lazily. QA found a blank profile screen. Make sure that every fix comes with a test.",
        "Make sure that every fix comes with a test",
    ),
    (
        "The staging cluster has three nodes and each node runs its own ingress. Traffic enters by the load"
        " balancer. The certificates are renewed every sixty days. Nobody remembers who set that up."
        " What I'd like is a second values file for the demo. Please don't put any secrets in it.",
        "don't put any secrets in it",
    ),
]
"""Each holds one rule among what is told."""


def texts(message: str) -> list[str]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [proposal.text for proposal in heard if proposal.act == "state"]


@pytest.mark.parametrize("kind", NO_RULES)
def test_talk_lays_nothing_down(kind: str) -> None:
    read = {message: texts(message) for message in NO_RULES[kind]}

    assert {message: found for message, found in read.items() if found} == {}


@pytest.mark.parametrize(("message", "rule"), RULES)
def test_what_is_meant_is_found_beside_talk(message: str, rule: str) -> None:
    assert any(rule in text for text in texts(message))


@pytest.mark.parametrize(("message", "rule"), STORIES)
def test_of_a_story_nothing_but_its_rule_is_taken(message: str, rule: str) -> None:
    [found] = texts(message)

    assert rule in found
