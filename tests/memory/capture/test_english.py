"""Rules in English are found by their grammar, with the right polarity; what only sounds like one is not."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.english import read
from agentinitd.memory.capture.prose import Context, Found, sentences

BANS = [
    "no touching the prod bucket",
    "please resist the urge to rename things",
    "i'll reject any PR with commented code",
    "do nothing to the database without telling me",
    "don't you ever commit .env",
    "we can't ship anything GPL",
    "coverage can't drop below 90",
    "config.toml stays out of git",
    "hold off on the release notes for the time being",
    "leave the css out of this",
    "leave deploying to me",
    "deploying is not your job",
    "no merge before the benchmarks are in",
    "mutable default args are forbidden here",
    "compose.yaml is used by the ops people, don't edit it",
    "we got rid of moment last year, so we never import it again",
    "not a single new warning please",
    "don't touch the migrations folder",
    "Do not rename any exported functions.",
    "dont push to main",
    "never commit straight to master",
    "Please don't reformat files you didn't change",
    "pls do not add any new npm packages",
    "no new dependencies please",
    "No print statements in library code.",
    "no wildcard imports",
    "no emojis in commit messages please",
    "you must not edit generated files",
    "The public API must not change.",
    "the schema mustn't be altered without a migration",
    "tests shouldn't hit the network",
    "We should never swallow exceptions.",
    "avoid global state",
    "Avoid using any in TypeScript",
    "stop adding comments to every line",
    "please stop using lodash",
    "hands off vendor/",
    "keep away from the auth code",
    "stay out of infra/ for now",
    "steer clear of the legacy folder",
    "leave the lockfile alone",
    "leave config/prod.yml untouched",
    "src/generated is off limits",
    "billing/ is off-limits until friday",
    "force pushing is forbidden",
    "eval is not allowed anywhere",
    "Raw SQL strings are a no-go.",
    "Under no circumstances delete user data",
    "refrain from amending commits",
    "I don't want any new files in the root",
    "i dont want you to run migrations",
    "we don't use default exports here",
    "We do not mock the database.",
    "nobody may call the payment API from tests",
    "nothing in core/ may import from plugins/",
    "refactor the parser without changing its output format",
    "make sure not to break the v1 endpoints",
    "be careful not to touch the feature flags",
    "can you please not rename variables?",
    "could you stop creating markdown summaries?",
    "would you mind not touching the css",
    "don't push to staging, ok?",
    "fix the login bug, but don't touch the session code",
    "Go ahead with the refactor; however, never change the wire format.",
    "for now don't run the e2e suite",
    "if the build is red, don't deploy",
    "when you commit, do not use --no-verify",
    "no force pushes, ever",
    "secrets never go into the repo",
    "credentials must never be logged",
    "it's forbidden to call prod from the notebook",
    "let's not add another config file",
    "Comments are not to be removed.",
    "Dont ever run drop table on the shared db",
    "i told you: don't edit the snapshot files",
    "again: no default exports",
    "ok but please dont delete the old endpoints yet",
]
DEMANDS = [
    "whatever you change, bump the version in pyproject",
    "new endpoints come with an openapi entry",
    "give every test a docstring",
    "tell me first if something needs sudo",
    "show diffs, not whole files",
    "lodash-es is the only util lib we allow",
    "python stdlib, nothing more",
    "limit yourself to the tests folder",
    "exclusively named exports pls",
    "as soon as a test fails, stop and report",
    "should you need a new table, talk to me first",
    "on conflicts keep ours",
    "like every time: squash before you push",
    "redis is on 6380 here, not the default",
    "base branch is develop",
    "the run command: `cargo run -p api`",
    "lint is `ruff check .`",
    "max line length is 88",
    "explanations in French from now on",
    "English in the code please",
    "secrets come from vault only",
    "store dates in UTC",
    "handle errors with the Result type",
    "for sql I want uppercase keywords",
    "anything that costs money needs my ok",
    "always run the linter before committing",
    "Always use type hints.",
    "make sure every endpoint has a test",
    "Ensure that all dates are stored in UTC",
    "remember to update the changelog",
    "don't forget to bump the version",
    "Do not forget to run codegen after editing schema.graphql",
    "never forget to close the connection",
    "every PR must have a test",
    "all new code has to be typed",
    "commit messages must follow conventional commits",
    "Passwords must be hashed with argon2",
    "the response time has to stay under 200ms",
    "keep the CLI options unchanged",
    "keep functions short",
    "Keep backwards compatibility with 2.x",
    "keep imports sorted",
    "leave the API as is",
    "the file format stays as it is",
    "error codes stay the same",
    "only touch files under src/ui",
    "Only use the standard library",
    "you may only edit the docs",
    "nothing but ASCII in identifiers",
    "stick to the existing naming convention",
    "Use pnpm instead of npm",
    "use uv, not pip",
    "prefer composition over inheritance",
    "we use vitest here, not jest",
    "use tabs everywhere",
    "Use Decimal for all money values",
    "switch from black to ruff",
    "answer in German",
    "Please reply in English from now on.",
    "write comments in English",
    "commit messages in English please",
    "docs are written in British English",
    "the tests run with `pnpm test --run`",
    "test command is `make check`",
    "dev DB is on 5433",
    "the dev server runs on port 4100",
    "we're on Node 20",
    "staging is at https://stage.example.org/api",
    "default branch is release/2.x",
    "names carry units",
    "tests live in tests/unit",
    "errors go through the logger",
    "from now on show me the diff first",
    "from now on, ask before installing anything",
    "ask me before deleting files",
    "check with me first before you change the schema",
    "run the tests before you commit",
    "show me the plan before you start coding",
    "whenever you add a flag, document it in docs/flags.md",
    "when you add an endpoint you also have to add it to the openapi file",
    "if a function gets longer than 40 lines, split it",
    "pin react to 18.2.0",
    "could you always use early returns?",
    "can you please keep the diff small?",
    "one rule: squash before merging",
    "Important: all timestamps must carry a timezone",
    "you need to ask me before changing CI",
    "each service should have its own Dockerfile",
    "any new env var should be listed in .env.example",
    "the parser stays single threaded",
    "limit line length to 100",
]
WISHES = [
    ("long functions give me headaches", "do_not"),
    ("could do with fewer comments", "do_not"),
    ("small PRs make me happy", "do"),
    ("a plain loop beats a clever reduce any day", "do"),
    ("i like it when tests read like sentences", "do"),
    ("I find long ternaries hard to read", "do_not"),
    ("less abstraction would be nice", "do_not"),
    ("I usually write the test first", "do"),
    ("nobody likes nested callbacks", "do_not"),
    ("I'd keep the functions pure", "do"),
    ("I'd rather not add another library", "do_not"),
    ("I would prefer no mocks in these tests", "do_not"),
    ("I'm not a fan of decorators", "do_not"),
    ("not a big fan of deep nesting", "do_not"),
    ("I don't really like class based views", "do_not"),
    ("would be nice not to use regex for this", "do_not"),
    ("try to avoid nested ternaries", "do_not"),
    ("rather not touch the cache layer if we can help it", "do_not"),
    ("I hate one letter variable names", "do_not"),
    ("I tend to avoid singletons", "do_not"),
    ("I prefer small commits", "do"),
    ("I'd prefer explicit types", "do"),
    ("we generally prefer functions over classes", "do"),
    ("try to keep the diff small", "do"),
    ("ideally keep it under 50 lines per function", "do"),
    ("I like early returns better than nested ifs", "do"),
    ("better to crash than to write bad data", "do"),
]
NO_RULES = [
    "we should never have merged that",
    "You never told me that",
    "never have I seen such a bug",
    'the title should be "Do not enter"',
    "you've not run the tests",
    "Did not work.",
    "right now the flags are at root, but that's not right",
    "the flag is defined but never read",
    "it starts high and never gets to 0",
    "my team prefers tabs",
    "they don't use rebase over there",
    "make it blue not green",
    "Update the help text of the run command so it matches the readme",
    "We need to add support for the flag to the watch command",
    "the lint config is stale, trace the code paths first",
    "this is no bueno as the initial call will be waiting",
    "no wait, that's wrong",
    "No on D4.",
    "still no results:",
    "at this step, there are no results",
    "tell me if it compiles",
    "go ahead and do it",
    "let me set that up, 1 sec",
    "is it ok to always retry?",
    "who said we must never retry",
    "why can't we use fetch here?",
    "does it always fail on CI?",
    "should we never cache this?",
    "what happens if you don't pass a name",
    "can you fix the failing test?",
    "could you explain why this must be a string?",
    "why not use a map",
    "can't you just use a set?",
    "don't you think that's too complex?",
    "isn't it better to keep the list sorted?",
    "Bob says we should never use threads",
    "the docs say you must not call close twice",
    "my boss told me everything must be done by friday",
    "According to the RFC, clients must not retry on 4xx.",
    "apparently you should never use floats for that",
    "I read that one should always pin versions",
    "if we used postgres we would never need that",
    "maybe we should always cache it, not sure",
    "in theory it should never be null",
    "we used to always squash",
    "I never said that",
    "it never worked on windows",
    "I had to restart the server",
    "last week we had to roll back",
    "you should have asked first",
    "we must have missed a commit",
    "it must be the cache",
    "that must be wrong",
    "this has to be a race condition",
    "don't worry about the tests",
    "don't hesitate to ask",
    "I don't mind the extra query",
    "don't get me wrong, it looks good",
    "never mind",
    "no problem",
    "no worries, take your time",
    "no idea what happened",
    "no luck, still broken",
    "no, the other one",
    "no that's wrong",
    "not only that, it also leaks",
    "I don't know why it fails",
    "i dont understand this error",
    "I don't think so",
    "the button doesn't work",
    "it doesn't compile",
    "the build always breaks on mondays",
    "the list is always empty",
    "tests always fail on my machine",
    "only two tests are failing now",
    "only the first one works",
    "fix the test",
    "now delete the file",
    "add a button to the header",
    "change the port to 9000",
    "rename foo to bar",
    "run the tests",
    "write a test for the parser",
    "make it faster",
    "show only active users in the list",
    "remove all console.log calls from this file",
    "hide the button if the user is not logged in",
    "add a check that the name is not empty",
    "commit this",
    "yes please",
    "looks good, go on",
    "thanks, that works",
    "don't wait for me",
    "I don't like this error message",
    "I don't like it",
    "the meeting must not run over, so let's be quick",
    "I really don't like mondays",
    "never drink coffee after six",
    "we have to leave at five",
    "he never answers his mail",
    "people always forget the flag",
    "that should do it",
    "this shouldn't take long",
    "you must be joking",
    "better safe than sorry",
    "keep going",
    "keep up the good work",
    "keep me posted",
    "stop here",
    "stop the server",
    "leave it",
    "let me know when you are done",
    "there are no tests for this",
    "there is no need to explain",
    "I have no preference",
    "whatever you prefer",
    "the function returns null if there is no match",
    "Postgres doesn't support that",
    "turns out you can't nest those",
    "the cron only runs at night",
    "I'd like to see the output",
    "I prefer the second one",
    "use the first option",
    'the log says "do not use yarn"',
    "what does `// never change this` mean",
    "rename the label to 'Never show again'",
    "we didn't change anything",
    "did you never run it",
    "the user must not see this page? or must he",
]


def found_in(message: str) -> list[Found]:
    return [found for sentence in sentences(message) for found in read(sentence, Context())]


def stated_in(message: str) -> list[Found]:
    return [found for found in found_in(message) if found.act == "state"]


@pytest.mark.parametrize("message", BANS)
def test_ban_is_found_as_a_ban(message: str) -> None:
    found = stated_in(message)

    assert [item.polarity for item in found] == ["do_not"], found


@pytest.mark.parametrize("message", DEMANDS)
def test_demand_is_found_as_a_demand(message: str) -> None:
    found = stated_in(message)

    assert len(found) == 1, found
    assert found[0].polarity == ("do_not" if message.startswith("leave") else "do")


@pytest.mark.parametrize(("message", "polarity"), WISHES)
def test_wish_is_soft(message: str, polarity: str) -> None:
    found = found_in(message)

    assert [(item.polarity, item.force) for item in found] == [(polarity, "soft")], found


@pytest.mark.parametrize("message", NO_RULES)
def test_what_only_sounds_like_a_rule_is_none(message: str) -> None:
    assert [item for item in found_in(message) if item.act == "state"] == []


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        (
            "Don't touch docs/ and please keep the tests green; also no new deps.",
            [("do_not", "Don't touch docs/"), ("do", "keep the tests green"), ("do_not", "no new deps")],
        ),
        (
            "ok so here is the deal. never edit package-lock by hand, and always run prettier on save",
            [("do_not", "never edit package-lock by hand"), ("do", "always run prettier on save")],
        ),
        (
            "Always answer in Spanish, but keep code comments in English.",
            [("do", "Always answer in Spanish"), ("do", "keep code comments in English")],
        ),
        (
            "Never round amounts with float, use Decimal everywhere.",
            [("do_not", "Never round amounts with float"), ("do", "use Decimal everywhere")],
        ),
        (
            "Two ground rules: only touch files under src/sync, and the public signatures in"
            " src/sync/api.py stay as they are.",
            [
                ("do", "only touch files under src/sync"),
                ("do", "the public signatures in src/sync/api.py stay as they are"),
            ],
        ),
        (
            "The downloader leaks. Have a look, but keep its command line options unchanged.",
            [("do", "keep its command line options unchanged")],
        ),
        (
            "ground rules: 1. no globals 2. keep it small 3. every class gets a test",
            [("do_not", "no globals"), ("do", "keep it small"), ("do", "every class gets a test")],
        ),
        (
            "Don't use jest any more, use vitest for tests",
            [("do_not", "Don't use jest any more"), ("do", "use vitest for tests")],
        ),
    ],
)
def test_several_rules_of_one_message_come_apart(message: str, rules: list[tuple[str, str]]) -> None:
    assert [(item.polarity, item.text) for item in stated_in(message)] == rules


@pytest.mark.parametrize(
    ("message", "scope"),
    [
        ("don't commit this time", "once"),
        ("for now don't change the cache code", "once"),
        ("do not merge it into main yet", "once"),
        ("in this PR don't rename anything", "task"),
        ("while working on this ticket, never touch billing/", "task"),
        ("for this task only edit services/auth", "task"),
        ("in every repo, run make lint before pushing", "always"),
        ("This goes for all my projects: no co-author lines in commits.", "always"),
        ("from now on answer in French", "project"),
        ("never push to main", "project"),
    ],
)
def test_scope_goes_by_the_wording(message: str, scope: str) -> None:
    assert [item.scope for item in found_in(message)] == [scope]


@pytest.mark.parametrize(
    ("message", "text", "why"),
    [
        (
            "please don't edit migrations/0007, it already ran in production",
            "don't edit migrations/0007",
            "it already ran in production",
        ),
        (
            "Keep the symbol names stable, other teams link against them.",
            "Keep the symbol names stable",
            "other teams link against them",
        ),
        ("don't commit binaries other than the icons", "don't commit binaries other than the icons", ""),
        (
            "no network in tests, apart from the ones marked live",
            "no network in tests, apart from the ones marked live",
            "",
        ),
        ("Never log user emails unless debug is on", "Never log user emails unless debug is on", ""),
        ("btw, could you please not use `eval`?", "not use `eval`", ""),
    ],
)
def test_clause_is_whole_and_the_reason_apart(message: str, text: str, why: str) -> None:
    assert [(item.text, item.why) for item in found_in(message)] == [(text, why)]


@pytest.mark.parametrize(
    ("message", "is_permission"),
    [
        ("you can edit legacy now", True),
        ("legacy/ is fair game now", True),
        ("schema.prisma may be changed now, the DBA agreed", True),
        ("I changed my mind, squashing is ok", True),
        ("backup is done, go ahead and compress the images", True),
        ("ok you can push to main again", True),
        ("feel free to touch the css", True),
        ("never mind the diff thing", False),
        ("forget what I said about yarn", False),
        ("drop the no-comments rule", False),
        ("scratch that", False),
        ("no need to show me diffs anymore", False),
        ("you don't have to run the full suite every time", False),
        ("that rule about branches no longer applies", False),
        ("the approval isn't required any more", False),
    ],
)
def test_what_is_taken_back_or_allowed_is_a_withdrawal(message: str, is_permission: bool) -> None:
    assert [(item.act, item.is_permission) for item in found_in(message)] == [("withdraw", is_permission)]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("You can touch legacy, but still not legacy/billing", "still not legacy/billing"),
        ("you can edit everything in src now except src/core", "except src/core"),
        ("dev dependencies are ok, but still no new runtime dependencies", "no new runtime dependencies"),
        (
            "you can edit engine/ now, except engine/physics, that stays off limits",
            "except engine/physics, that stays off limits",
        ),
    ],
)
def test_permission_that_keeps_a_part_is_both(message: str, kept: str) -> None:
    allowed, still = found_in(message)

    assert (allowed.act, allowed.is_permission) == ("withdraw", True)
    assert (still.act, still.polarity, still.text) == ("state", "do_not", kept)


@pytest.mark.parametrize(
    ("message", "polarity"),
    [
        ("don't forget to run the linter", "do"),
        ("never forget to close files", "do"),
        ("make sure to never log tokens", "do_not"),
        ("make sure you don't break the API", "do_not"),
        ("ensure nothing writes to prod", "do_not"),
        ("it's important that ids are never reused", "do_not"),
        ("it's important that ids stay stable", "do"),
        ("if possible avoid recursion", "do_not"),
        ("we should avoid recursion where possible", "do_not"),
        ("always avoid floats for money", "do_not"),
        ("use spaces, not tabs", "do"),
        ("nothing but ASCII in source files", "do"),
        ("nothing gets merged without review", "do_not"),
        ("I keep telling you not to touch the schema", "do_not"),
        ("keep the key out of the image", "do_not"),
        ("no functions longer than 40 lines", "do_not"),
        ("the rule here is never to squash", "do_not"),
        ("the rule here is one class per file", "do"),
    ],
)
def test_polarity_is_never_turned_round(message: str, polarity: str) -> None:
    assert {item.polarity for item in found_in(message)} == {polarity}


def test_ban_takes_its_words_from_the_heading_of_its_list() -> None:
    found = found_in("Please don't:\n- push to main\n- edit vendor/\n\nAlways:\n- squash")

    assert [(item.polarity, item.text) for item in found] == [
        ("do_not", "Please don't: push to main"),
        ("do_not", "Please don't: edit vendor/"),
        ("do", "squash"),
    ]


def test_rule_is_found_in_the_midst_of_a_long_message() -> None:
    message = (
        "so today the exporter. it takes six minutes for the big tenant, which is silly\n"
        "i profiled it, most of the time goes into the xml writer\n"
        "have a look at export/writer.py, maybe it builds the tree twice\n"
        "the column order must not change though, a partner parses it by position\n"
        "when you are through tell me what you measured"
    )

    assert [item.text for item in found_in(message) if item.polarity == "do_not"] == [
        "the column order must not change"
    ]


def test_clause_is_bounded() -> None:
    (found,) = found_in("never touch " + "the very old and brittle " * 20 + "files")

    assert len(found.text) <= 240
    assert found.text.endswith("…")
