"""English rules in the words that most people would type: wishes, standing orders, lists, and who may."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

RULES = {
    "wishes": [
        ("I'd like answers short", "do"),
        ("id rather have dataclasses than raw dicts for the rows", "do"),
        ("i like my commit history linear", "do"),
        ("my vote goes to vitest for anything new", "do"),
        ("i'd go for named exports everywhere", "do"),
        ("for terraform i tend to prefer for_each to count", "do"),
        ("would rather not pull in lodash for this sort of thing", "do_not"),
        ("i'd be happier with fewer abstractions in here", "do_not"),
        ("what i'd like is that every answer starts with the conclusion", "do"),
        ("it's my preference to have types exported next to the component", "do"),
        ("can we lean on the stdlib where that's reasonable", "do"),
    ],
    "who alone may": [
        ("nobody except ci publishes packages", "do_not"),
        ("the only place where we read secrets is config.ts", "do"),
        ("the one place for constants is constants.ts", "do"),
        ("Talk to the device over the serial console exclusively", "do"),
        ("work solely in packages/ui", "do"),
        ("don't use anything but f32 in the shader math", "do_not"),
    ],
    "standing orders": [
        ("sign off your commits", "do"),
        ("base your branches off develop", "do"),
        ("put the summary at the end", "do"),
        ("number the options when you give me several", "do"),
        ("indent the yaml with 4 spaces", "do"),
        ("run the mock server on 8081", "do"),
        ("target the beta channel with the builds", "do"),
        ("write it so that it runs on python 3.8", "do"),
        ("max 20 rows in any table you print here", "do"),
        ("please refrain to change the public headers", "do_not"),
    ],
    "conditions": [
        ("if the build hangs for more than 10 min kill it", "do"),
        ("If you're not sure about a unit, leave a TODO rather than guessing", "do"),
        ("once the schema changes run codegen", "do"),
        ("should the tests fail, don't commit", "do_not"),
        ("As long as we're on this feature, work against the canned responses", "do"),
        ("if it takes more than 5 tries, give up and tell me", "do"),
    ],
    "ways and topics": [
        ("as for the copy on the donation pages, write it in british spelling", "do"),
        ("write the changelog entry in past tense", "do"),
        ("Refactor in steps small enough that the suite passes after each", "do"),
        ("set the random seed explicitly in every experiment script", "do"),
        ("when you name tests i'd prefer full sentences", "do"),
        ("talk to me like i'm five", "do"),
        ("translations: change de.json only", "do"),
        ("Please keep in mind to close the serial port on errors", "do"),
        ("besides lodash no other helper libs", "do_not"),
        ("one thing you can't do: change the wire format", "do_not"),
        ("please do not under any circumstances drop the staging db", "do_not"),
        ("for the rest of this session don't touch the css", "do_not"),
        ("I'm not wild about abbreviations in table names", "do_not"),
        ("I have a soft spot for table driven tests, use those where you can", "do"),
    ],
    "bans on a condition": [
        ("as long as we're in the code freeze no merges to release/*", "do_not"),
        ("if there are conflicts don't resolve them yourself", "do_not"),
        ("when you touch the api never rename the fields", "do_not"),
        ("if you don't know the unit, ask me", "do"),
        ("i would rather see no mocks in the tests", "do_not"),
        ("under no circumstance should the seed data change", "do_not"),
        ("for now stay away from the scheduler", "do_not"),
    ],
    "halves that share a verb": [
        ("Use port 3000 for the API and 3001 for the web", "do"),
        ("Comments and commit messages in English", "do"),
        ("keep the old and the new parser side by side", "do"),
        ("Run the tests, except the slow ones, before each commit, always", "do"),
        ("run tests and lint before you push", "do"),
        ("stop adding type: ignore everywhere", "do_not"),
        ("just a reminder, strings shown to players go through tr()", "do"),
    ],
}
LISTS = [
    (
        "ok ground rules: yarn not npm, no class components, component tests next to the source file",
        ["yarn not npm", "no class components", "component tests next to the source file"],
    ),
    (
        "for the notebooks: seaborn for plots, set the seed at the top, and never commit outputs",
        ["seaborn for plots", "set the seed at the top", "never commit outputs"],
    ),
    (
        "keep the public API backward compatible, put new stuff behind a flag, and ask before you push",
        [
            "keep the public API backward compatible",
            "put new stuff behind a flag",
            "ask before you push",
        ],
    ),
    (
        "The data is on the shared drive, so never write to the data folder, put results in out/",
        ["put results in out/"],
    ),
]
NO_RULES = [
    "I'd like the real fix in the helm chart today",
    "i'd like to drop ie support some day",
    "I'm leaning to the first one",
    "show me the plan",
    "if it compiles, commit it",
    "when you are done, push the branch",
    "sort the imports in utils.py",
    "run the linter and fix the errors",
    "the only thing that helped was a restart",
    "nobody but Tom understands this module",
    "put the helper into utils.py and call it from main",
    "reminder: demo tomorrow at 10",
    "can you only cancel a pending payout, or also a settled one?",
    "when the player dies, show the menu",
    "Names are awful, I know.",
    "keep the window open",
    "only fix the first error",
    "i want a toggle in settings so the map only shows open stations",
]


def stated(message: str) -> list[tuple[str, str]]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [(proposal.text, proposal.polarity) for proposal in heard if proposal.act == "state"]


@pytest.mark.parametrize("construction", RULES)
def test_rule_is_found_once_and_whole(construction: str) -> None:
    wrong = [
        (message, stated(message))
        for message, polarity in RULES[construction]
        if [each for _, each in stated(message)] != [polarity]
        or len(stated(message)[0][0]) < len(message) - 20
    ]

    assert wrong == []


@pytest.mark.parametrize(("message", "items"), LISTS)
def test_items_of_a_list_are_rules_where_most_of_them_are(message: str, items: list[str]) -> None:
    found = [text for text, _ in stated(message)]

    assert [item for item in items if item not in found] == []
    assert not any("shared drive" in text for text in found)


def test_orders_for_now_and_talk_are_no_rules() -> None:
    assert {each: found for each in NO_RULES if (found := stated(each))} == {}
