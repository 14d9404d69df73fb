"""What a message changes of the rules before it, said by a person in a session."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import AgentMessage, Event, PersonMessage
from agentinitd.model.facts import Anchor

AGENT = "agent: "


def remembered(*messages: str) -> list[Anchor]:
    listener = Listener("s", readers=built_in())
    ledger = Ledger((), session="s")
    for line, text in enumerate(messages, start=1):
        ledger.take(listener.hear([_event(line, text)]), now=float(line))
    return [item for item in ledger.items if item.captured == "rule"]


def _event(line: int, text: str) -> Event:
    if text.startswith(AGENT):
        return AgentMessage(offset=line, line=line, text=text.removeprefix(AGENT))
    return PersonMessage(offset=line, line=line, text=text)


def active(*messages: str) -> list[str]:
    return [item.what for item in remembered(*messages) if item.status == "active"]


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("always use jest", "hmm jest is too slow, let's go with vitest instead", "vitest"),
        ("keep answers under 200 words", "make that 100 words, please", "100"),
        ("always use port 5433 for the test db", "make it 5434", "5434"),
        ("never exceed 80 columns", "ok 80 is silly, raise that to 100", "100"),
        ("use snake_case for json keys", "frontend complains, switch to camelCase", "camelCase"),
        ("always push to origin", "push to upstream from now on", "upstream"),
        (
            "work on branch feature/ocr",
            "Change of plan, we continue on feature/scan-rewrite.",
            "scan-rewrite",
        ),
        ("i prefer vitest for the new tests", "so jest it is for the new tests", "jest it is"),
        ("talk to me in Spanish please", "hmm, Mike reads along now, switch to English please", "English"),
        ("never use exceptions in this codebase", "make that: no exceptions in the engine", "engine"),
        ("keep every function under 30 lines", "you know what, 40 lines is fine too", "40"),
        ("cap the cache at 100 MB", "double that to 200 MB", "200"),
        ("no more than three retries", "five retries, three was too tight", "five"),
        ("mock all http calls with nock", "team decided, mock all http calls with msw", "msw"),
        ("use 8 workers for the tests", "my laptop melts, 4 workers for the tests", "4"),
        ("use openjdk 17", "sorry I meant 21", "21"),
        ("please answer in French", "my boss reads along, English please", "English"),
        ("use httpx", "I said httpx but I meant aiohttp", "aiohttp"),
        ("Use Postgres for the cache.", "actually redis", "redis"),
        ("Use Postgres for the cache.", "redis instead, sorry", "redis"),
        ("Use Postgres for the cache.", "actually let's use redis for that", "redis"),
        ("Deploy with helm", "no, kustomize instead", "kustomize"),
        ("Deploy with helm", "actually kustomize. and then look at the failing pod please", "kustomize"),
        ("always run the linter with eslint", "actually biome please", "biome"),
        ("deploy to eu-west-1", "nope, eu-central-1", "eu-central-1"),
        ("Build with webpack", "vite, not webpack", "vite"),
        ("log in json format", "hm no, logfmt", "logfmt"),
        ("please answer in German", "English is fine from here on", "English"),
        ("work on branch feature/login", "wrong branch, it's feature/sso", "sso"),
        ("stick to tokio for async", "scrap that about tokio, go with smol", "smol"),
        ("everything goes onto release/1.4", "release/1.5 is the one, my mistake", "1.5"),
        ("use yarn", "hm, the lockfile looks odd. pnpm please", "pnpm"),
        ("commit after each step", "don't commit anymore, I'll do it", "don't commit"),
        ("target node 18", "we're on 20 now", "20"),
        ("the port is 8080", "8081, sorry", "8081"),
        ("put tests into tests/", "put them next to the code instead", "next to the code"),
        ("run the frontend on 3000", "the frontend is on 3001 now, 3000 was taken", "3001"),
        ("部署走 jenkins", "部署换成 github actions 了，jenkins 太老了", "github"),
        ("时间统一用北京时间", "时间统一用 UTC，刚和海外那边对过", "UTC"),
        ("每个文件不超过 300 行", "放宽到 500 行", "500"),
        ("图标都用 iconfont 吧", "算了，图标还是换成 svg sprite，那个账号没人管了", "svg sprite"),
        ("分支名用 feat/ 开头", "分支名改成 feature/ 开头", "feature/"),
        ("超时统一设成 30 秒", "调到 60 秒", "60"),
        ("以后回答都用英文", "切回中文吧", "中文"),
        ("测试都用 jest", "想了想，换成 vitest", "vitest"),
        ("提交信息用英文写", "还是用中文写吧", "中文"),
        ("网格加密尽量用二次单元", "改一下 只在裂纹尖端附近用二次单元", "裂纹尖端"),
        ("每次改完都跑全量回归", "太久了。。以后只跑改动模块的用例就行", "改动模块"),
    ],
)
def test_the_new_value_takes_the_place_of_the_old(first: str, second: str, left: str) -> None:
    [rule] = active(first, second)

    assert left in rule and rule != first


def test_who_goes_back_gets_back_what_was() -> None:
    [rule] = active(
        "always use jest for tests", "use vitest for tests instead", "Actually go back to jest for tests"
    )

    assert "jest" in rule


def test_a_name_alone_is_kept_with_what_it_corrects() -> None:
    _, new = remembered("Deploy with helm", "no, kustomize instead")

    assert (new.what, new.instead_of) == ("kustomize instead", "Deploy with helm")


def test_what_replaces_says_what_it_replaced_and_what_it_is_about() -> None:
    old, new = remembered("always use port 5433 for the test db", "make it 5434")

    assert (old.status, old.ended_by) == ("superseded", new.source)
    assert new.supersedes == old.id
    assert "test db" in new.topic


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("always use jest for tests", "should we switch to vitest?"),
        ("always use jest for tests", "Bob says we should switch to vitest"),
        ("always use jest for tests", "haha let's switch to cobol lol"),
        ("always use jest for tests", "if we switched to vitest the config would be simpler"),
        ("always use jest for tests", "in my last project we went back to mocha"),
        ("always use jest for tests", "for the e2e tests use playwright instead"),
        ("always use pnpm", "maybe we'll switch to bun some day"),
        ("always answer in German", "now make that button blue"),
        ("always use port 5433 for the test db", "set the timeout to 30 seconds"),
        ("do not touch src/legacy", "back to the login bug, it still fails"),
        ("no network calls in unit tests", "no docker in the unit tests either"),
        ("use postgres for the app", "use redis for the cache"),
        ("pin node to 18.17", "CI runs node 20.11 now and fails"),
        ("keep answers under 100 words", "the page has 200 words now"),
        ("use port 8080", "it's at 80% now"),
        ("commit after each step", "stop laughing, it's serious"),
        ("use yarn", "coffee please"),
        ("put tests into tests/", "call it foo instead"),
        ("work on branch feature/login", "feature/sso is the branch Jana works on"),
        ("keep every function under 30 lines", "this one has 40 lines"),
        ("always use single quotes", "the sql needs double quotes around the column names"),
        ("always answer in German", "write the README in English please"),
        ("use 4 spaces in python", "use 2 spaces in yaml"),
        ("use jest", "never use mocha from now on"),
        ("Never touch the payments module", "nothing in payments may change before the audit"),
        ("Don't import scipy", "only numpy is allowed in this assignment"),
        ("Deploy with helm", "no, it failed"),
        ("Deploy with helm", "actually wait"),
        ("Deploy with helm", "no problem, take your time"),
        ("Use Postgres for the cache.", "actually nice"),
        ("Use Postgres for the cache.", "no, nothing else"),
        ("Use Postgres for the cache.", "sorry, lunch"),
        ("Use Postgres for the cache.", "actually redis is down again"),
        ("错误码从 1000 开始", "循环改成从 1 开始"),
        ("图表库用 echarts", "竞品用的是 antv"),
        ("测试都用 jest", "要不要换成 vitest？"),
        ("测试都用 jest", "小王说换成 vitest 更快"),
        ("测试都用 jest", "哈哈干脆换成汇编吧"),
        ("测试都用 jest", "上周他们项目换成 vitest 了"),
        ("测试都用 jest", "如果换成 vitest 会快一点"),
        ("回答用中文", "README 改成英文"),
        ("不许动 migrations", "换个问题，登录为什么失败"),
        ("以后回答都用中文", "还是刚才那个报错"),
    ],
)
def test_a_question_a_joke_hearsay_and_another_matter_end_nothing(rule: str, later: str) -> None:
    assert remembered(rule, later)[0].status == "active"


@pytest.mark.parametrize(
    ("ban", "later", "left"),
    [
        ("drivers 目录整个都别动", "drivers 里除了 spi 那几个文件可以改，其他还是不要动", "spi"),
        (
            "no network calls in the tests",
            "the tests may make network calls to minio, but to nothing else",
            "minio",
        ),
    ],
)
def test_what_stays_beside_a_permission_is_said_with_it(ban: str, later: str, left: str) -> None:
    [rule] = [item for item in remembered(ban, later) if item.status == "active"]

    assert left in rule.what and rule.polarity == "do_not"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Answer in English", "let's go with Redis because it is fast"),
        ("Answer in English", "let's go with option B"),
        ("Use tabs, not spaces", "let's go with Redis because it is fast"),
        ("Use tabs, not spaces", "from now on use double quotes"),
        ("Use Postgres for the db", "let's go with Redis because it is fast"),
        ("Log in json", "let's go with yarn"),
        ("测试都用 jest", "数据库就用 Postgres 吧"),
    ],
)
def test_what_is_for_something_else_takes_no_place(rule: str, later: str) -> None:
    assert remembered(rule, later)[0].status == "active"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("代码注释用英文。", "以后提交信息用英文"),
        ("接口文档用英文", "以后接口注释用英文"),
        ("Comments in English.", "from now on docs in English"),
        ("Use English for comments", "Use English for commit messages from now on"),
        ("Keep functions under 40 lines", "from now on files under 300 lines"),
        ("Use port 5433 for the db", "use port 6001 for the web server from now on"),
        ("web 目录用 yarn", "以后 docs 目录用 pnpm"),
        ("Docs in English", "changelog in English from now on"),
        ("Unit tests go in tests/unit", "from now on e2e tests go in tests/e2e"),
    ],
)
def test_the_value_for_another_thing_stands_beside_it(rule: str, later: str) -> None:
    assert [item.status for item in remembered(rule, later)] == ["active", "active"]


@pytest.mark.parametrize(
    ("rule", "agent", "answer"),
    [
        ("Use pnpm, not npm", "Which database: Postgres or SQLite?", "let's go with Postgres"),
        ("Use pnpm, not npm", "Which database: Postgres or SQLite?", "no, SQLite"),
        ("Use pnpm, not npm", "Which database: Postgres or SQLite?", "Postgres it is"),
        ("Use pnpm, not npm", "I ran pnpm. Which database?\n1. Postgres\n2. SQLite", "actually SQLite"),
        ("Use pnpm, not npm", "I'd take Postgres here. OK?", "no, SQLite"),
        ("Deploy with helm", "Foo or bar for the lexer?", "no, bar"),
        ("Answer in German", "In which language should the README be?", "English please"),
        ("Answer in English", "Which language for the docs, German or French?", "French please"),
        ("Answer in English", "我打算用 mysql 存订单，可以吗？", "不，换成 postgres"),
        ("Use Python 3.12", "Which port should the server listen on?", "make it 6001"),
        ("用 pnpm，不要用 npm", "数据库用 Postgres 还是 SQLite？", "还是 SQLite 吧"),
        ("用 pnpm，不要用 npm", "数据库用哪个？", "就用 SQLite"),
    ],
)
def test_what_answers_the_agent_is_about_what_it_asked(rule: str, agent: str, answer: str) -> None:
    assert remembered(rule, AGENT + agent, answer)[0].status == "active"


@pytest.mark.parametrize(
    ("rule", "agent", "answer"),
    [
        ("Use pnpm, not npm", "Which package manager: pnpm or yarn?", "let's go with yarn"),
        ("Use pnpm, not npm", "Sure, pnpm it is. Shall I install now?", "no, use yarn instead"),
        ("Use Postgres for the cache", "Postgres, fine. Anything else?", "actually redis"),
        ("use port 5433 for the test db", "Port 5433 is taken, which one should I take?", "make it 6001"),
        ("Answer in German", "Möchtest du weiterhin Deutsch?", "English please"),
        ("Answer in German", "In which language should I answer?", "English please"),
        ("always run the linter with eslint", "Done: eslint runs clean.", "actually biome please"),
        ("crypto: use ring", "Added ring.", "ugh ring doesn't build for our target. go with rustcrypto then"),
        ("部署走 jenkins", "jenkins 挂了，要换别的吗？", "换成 github actions"),
    ],
)
def test_an_answer_about_the_rule_changes_it(rule: str, agent: str, answer: str) -> None:
    assert [item.status for item in remembered(rule, AGENT + agent, answer)] == ["superseded", "active"]
