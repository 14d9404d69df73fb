"""The life of what was captured."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agentinitd.memory.capture.ledger import Ledger, apply
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.capture.surplus import MAX_ITEMS
from agentinitd.model.events import PersonMessage
from agentinitd.model.facts import Anchor

DAY = 86_400.0


def said(text: str, line: int, polarity: Any = "do_not", **fields: Any) -> Proposal:
    given: dict[str, Any] = {
        "kind": "rule",
        "speaker": "person",
        "quote": text,
        "at": 1000.0 * line,
        **fields,
    }
    return Proposal(text=text, line=line, polarity=polarity, **given)


def lifted(text: str, line: int, **fields: Any) -> Proposal:
    return said(text, line, "do", act="withdraw", **fields)


def after(*proposals: Proposal, before: tuple[Anchor, ...] = (), session: str = "s") -> tuple[Anchor, ...]:
    return apply(before, proposals, session=session, now=5.0)


def confirmed_by(known: list[Anchor], *proposals: Proposal) -> dict[str, float]:
    ledger = Ledger((), session="s", known=known)
    ledger.take(proposals, now=0)
    return ledger.confirmed


def active(items: tuple[Anchor, ...]) -> list[str]:
    return [item.what for item in items if item.status == "active"]


class TestSaidAgain:
    FIVE = (
        "别动 migrations/0007",
        "migrations/0007_add_index.py 不要改，生产上已经跑过了",
        "please don't edit migrations/0007, it already ran in production",
        "0007 那个迁移别碰",
    )

    def test_one_rule_in_five_wordings_and_two_languages_is_one_item_that_was_said_five_times(self) -> None:
        five = [said(text, line) for line, text in enumerate(self.FIVE, start=1)]

        (item,) = after(*five, said("不许动啊", 21, topic="0007"))

        assert (item.said, item.source, item.last_source) == (5, "s:1", "s:21")
        assert (item.written_at, item.verified_at) == (1000.0, 21_000.0)

    def test_the_wording_that_says_most_is_kept_with_the_sentence_it_stood_in(self) -> None:
        (item,) = after(
            said("别动 migrations/0007", 1),
            said("please don't edit migrations/0007, it already ran in production", 2, quote="the sentence"),
            said("0007 那个迁移别碰", 3),
        )

        assert item.what == "please don't edit migrations/0007, it already ran in production"
        assert item.quote == "the sentence"

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("别动 migrations/0007", "migrations/0008 也别动"),
            ("don't delete node_modules/.cache", "don't commit node_modules/.cache"),
            ("no new dependencies", "don't upgrade the dependencies"),
            ("legacy/ 别动", "legacy/billing 别碰"),
            ("别动 src/a.py", "别动 src/b.py"),
            ("不要用 print", "不要用 eval"),
            ("never push to main", "never push to release"),
            ("don't touch the config", "don't touch the schema"),
        ],
    )
    def test_a_neighbour_that_only_looks_alike_stays_a_rule_of_its_own(self, one: str, other: str) -> None:
        assert active(after(said(one, 1), said(other, 2))) == [one, other]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("commit messages in Chinese", "提交信息一律中文"),
            ("测试数据放 tests/data", "put test data in tests/data"),
            ("日志一律走 structlog", "always use structlog for logs"),
            ("config/prod.toml 改之前先问我", "ask me before you change prod.toml"),
            ("发布只在周二", "对，发布还是只在周二"),
            ("run `pytest -q -n 4` before you commit", "提交前先跑 pytest -q -n 4"),
            ("new code must be typed", "all new code has to be typed"),
        ],
    )
    def test_the_same_in_another_language_is_the_same(self, one: str, other: str) -> None:
        assert [item.said for item in after(said(one, 1, "do"), said(other, 2, "do"))] == [2]

    def test_a_rule_that_names_both_takes_the_place_of_the_two(self) -> None:
        items = after(
            said("别动 migrations/0007", 1),
            said("migrations/0008 也别动", 2),
            said("migrations/0007 和 migrations/0008 都别动", 3),
        )

        assert active(items) == ["migrations/0007 和 migrations/0008 都别动"]

    def test_a_wish_that_is_said_as_a_demand_becomes_one_and_is_never_weakened(self) -> None:
        (item,) = after(
            said("尽量别引新依赖", 1, force="soft"),
            said("不要引新依赖", 2),
            said("能不引新依赖就别引", 3, force="soft"),
        )

        assert item.priority == "normal"

    def test_what_a_person_wrote_into_the_files_is_confirmed_and_not_captured_a_second_time(self) -> None:
        known = [
            Anchor(id="a2", kind="constraint", what="发布只在周二", verified_at=1.0),
            Anchor(id="a1", kind="constraint", what="legacy/billing 不要动"),
        ]
        again = [said("发布还是只在周二", 4, "do"), said("别碰 legacy/billing", 9)]

        assert apply((), again, session="s", now=0, known=known) == ()
        assert confirmed_by(known, *again) == {"a2": 4000.0, "a1": 9000.0}

    def test_a_rule_against_a_known_one_confirms_nothing(self) -> None:
        known = [Anchor(id="a", kind="constraint", what="发布只在周二")]

        assert confirmed_by(known, said("发布不要只在周二", 1)) == {}

    def test_a_rejected_one_never_returns_in_whatever_words(self) -> None:
        (item,) = after(said("别动 migrations/0007", 1))

        items = after(said("don't edit migrations/0007", 9), before=(replace(item, status="rejected"),))

        assert [each.status for each in items] == ["rejected"]


class TestTakenBack:
    LEGACY = (
        said("legacy/ 目录一个字都别动", 1),
        said("数据库迁移不要自动跑", 1),
        said("提交前先给我看 diff", 1, "do"),
        lifted("legacy 那边你现在可以改", 7, is_permission=True),
        said("legacy/billing 还是别碰", 7),
        lifted("diff 不用每次给我看了", 11),
    )

    def test_what_is_lifted_but_for_a_part_leaves_that_part_in_force_as_one_chain(self) -> None:
        items = after(*self.LEGACY)

        whole, _, diff, part = items
        assert active(items) == ["数据库迁移不要自动跑", "legacy/billing 还是别碰"]
        assert (whole.status, whole.ended_by, part.supersedes) == ("superseded", "s:7", whole.id)
        assert (diff.status, diff.ended_by, diff.ended_at) == ("ended", "s:11", 11_000.0)

    def test_the_part_may_be_named_before_the_whole_is_lifted(self) -> None:
        first, _, _, lifting, part, _ = self.LEGACY

        items = after(first, part, lifting)

        assert active(items) == ["legacy/billing 还是别碰"]
        assert items[1].supersedes == items[0].id

    def test_a_permission_never_becomes_a_ban_and_lifts_no_demand(self) -> None:
        items = after(
            said("测试数据放 tests/data", 1, "do"), lifted("tests/ 里面随便改", 3, is_permission=True)
        )

        assert active(items) == ["测试数据放 tests/data"]

    def test_a_permission_for_something_else_ends_what_allowed_one_thing_only(self) -> None:
        only = said("double precision only", 1, "do")

        assert active(after(only, lifted("single precision is fine now", 2, is_permission=True))) == []
        assert active(after(only, lifted("double precision is fine", 2, is_permission=True)))
        assert active(after(only, lifted("single quotes are fine now", 2, is_permission=True)))

    def test_what_is_turned_away_from_ends_a_demand_and_no_ban(self) -> None:
        both = after(said("format with black", 1, "do"), said("never run black on vendored code", 2))

        over = said("drop black", 3, "do_not", act="withdraw", topic="black")

        assert active(after(over, before=both)) == ["never run black on vendored code"]

    def test_a_look_without_changes_is_over_when_changes_may_begin_however_it_was_read(self) -> None:
        look = said("先做只读审计，不要改代码", 1, "do", scope="once")

        items = after(look, lifted("可以开始改代码了", 5, is_permission=True))

        assert [(item.status, item.ended_by) for item in items] == [("ended", "s:5")]

    def test_a_permission_for_once_stands_beside_the_ban(self) -> None:
        items = after(
            said("never push to main", 1),
            lifted("you can push to main this time", 5, is_permission=True, scope="once"),
        )

        assert [(item.status, item.polarity, item.scope) for item in items] == [
            ("active", "do_not", "project"),
            ("active", "do", "once"),
        ]

    def test_a_part_that_is_freed_leaves_the_rest_that_is_named_or_stands_beside_the_ban(self) -> None:
        ban = said("don't change anything under api/", 1)
        free = lifted("api/v2 is open now", 3, is_permission=True)
        rest = said("api/v1 still must not change", 3)

        items = after(ban, free, rest)

        assert active(items) == ["api/v1 still must not change"]
        assert items[-1].supersedes == items[0].id
        assert active(after(ban, free)) == ["don't change anything under api/", "api/v2 is open now"]
        assert after(free, rest, before=items) == items

    def test_what_was_lifted_may_be_said_again(self) -> None:
        ban = "never push to main"

        items = after(said(ban, 1), lifted("you can push to main again", 5, is_permission=True), said(ban, 9))

        assert [item.status for item in items] == ["ended", "active"]

    def test_taking_back_something_else_changes_nothing(self) -> None:
        items = after(said("never push to main", 1), lifted("you don't need to run the linter anymore", 5))

        assert active(items) == ["never push to main"]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (("use port 5433 for the db", "do"), ("the db is on port 5434 now, use that", "do")),
            (("数据库端口用 5433", "do"), ("数据库端口改用 5434", "do")),
            (("write comments in Chinese", "do"), ("write the comments in English from now on", "do")),
            (("use jest for the tests", "do"), ("use vitest for the tests", "do")),
            (("测试数据放 tests/data", "do"), ("测试数据放 fixtures/data", "do")),
            (("never push to main", "do_not"), ("push to main", "do")),
            (("不要用 yarn", "do_not"), ("用 yarn", "do")),
        ],
    )
    def test_of_two_that_cannot_both_hold_the_newer_wins(self, old: Any, new: Any) -> None:
        items = after(said(old[0], 1, old[1]), said(new[0], 5, new[1]))

        assert [(item.status, item.ended_by) for item in items] == [("superseded", "s:5"), ("active", "")]
        assert items[1].supersedes == items[0].id

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("use structlog for logs", "use problem+json for errors"),
            ("answers in Chinese", "comments in English"),
            ("测试数据放 tests/data", "文档放 docs/"),
            ("use port 5433 for the db", "use port 8080 for the server"),
        ],
    )
    def test_two_demands_for_different_things_both_hold(self, one: str, other: str) -> None:
        assert len(active(after(said(one, 1, "do"), said(other, 5, "do")))) == 2

    def test_what_stands_in_one_message_all_holds(self) -> None:
        items = after(said("use 5434 for the db", 1, "do"), said("don't use 5433 for the db", 1))

        assert len(active(items)) == 2

    def test_a_wish_ends_no_ban(self) -> None:
        items = after(said("never push to main", 1), said("push to main", 5, "do", force="soft"))

        assert len(active(items)) == 2

    def test_an_exception_ends_no_rule(self) -> None:
        items = after(said("不要用 yarn", 1), said("这次用 yarn", 5, "do", scope="once"))

        assert len(active(items)) == 2

    def test_what_is_for_once_ends_with_its_occasion_and_nothing_else_does(self) -> None:
        once = said("先别提交", 1, scope="once")
        rule = said("不要提交 .env", 1)

        items = after(once, rule, replace(once, act="end", line=9))

        assert [(item.status, item.ended_by) for item in items] == [("ended", "s:9"), ("active", "")]

    def test_older_words_that_are_read_late_undo_nothing(self) -> None:
        newer = after(said("use port 5434 for the db", 1, "do", at=9000.0))

        items = after(said("use port 5433 for the db", 1, "do", at=10.0), before=newer, session="old")

        assert items == newer

    @pytest.mark.parametrize(
        ("rule", "taken_back"),
        [
            ("除了 app/power.c，别的文件改之前先问我", "改之前先问我那条不用了"),
            ("除开 web/，其他目录提交之前先找我确认", "提交之前先确认那条不用了"),
            ("如果动到公共模块，合并之前先问我", "合并之前先问我那条取消"),
            ("except for src/main.rs, ask me before you edit files", "no need to ask before you edit files"),
        ],
    )
    def test_what_holds_but_for_one_place_can_be_taken_back_without_naming_the_place(
        self, rule: str, taken_back: str
    ) -> None:
        path = next((word.strip("，,") for word in rule.split() if "." in word or "/" in word), "")

        assert active(after(said(rule, 1, "do", topic=path), lifted(taken_back, 2))) == []


def heard(*messages: str) -> tuple[Anchor, ...]:
    """What the readers make of these, one after the other."""
    listener, ledger = Listener("s", readers=built_in()), Ledger((), session="s")
    for line, text in enumerate(messages, start=1):
        ledger.take(listener.hear([PersonMessage(offset=line, line=line, text=text)]), now=float(line))
    return ledger.items


class TestForAPart:
    @pytest.mark.parametrize(
        ("rule", "free"),
        [
            ("Never use force push", "force push is ok on feature branches"),
            ("Never deploy without approval", "deploy without approval is fine for staging"),
            ("Always show me the diff", "no need to show me the diff for small fixes"),
            ("禁止直接推 main", "在紧急修复的时候可以直接推 main"),
        ],
    )
    def test_what_is_allowed_in_one_place_only_stands_beside_the_rule(self, rule: str, free: str) -> None:
        assert active(heard(rule, free)) == [rule, free]

    @pytest.mark.parametrize(
        ("rule", "free"),
        [
            ("Never edit config in prod", "you may edit config in prod now"),
            ("Do not add dependencies", "You may add dependencies for everything now"),
            ("Don't commit without asking", "you can commit without asking from now on, on your own"),
        ],
    )
    def test_a_place_that_is_the_rules_own_or_everything_is_no_part(self, rule: str, free: str) -> None:
        assert active(heard(rule, free)) == []


class TestBareCorrection:
    @pytest.mark.parametrize(
        ("messages", "kept"),
        [
            (("Use pnpm, not npm", "sorry, yarn"), ("Use", "", "yarn")),
            (("Use pnpm, not npm", "sorry, yarn", "no, bun"), ("Use", "", "bun")),
            (("Use gcc for all builds.", "sorry, clang"), ("", "Use gcc for all builds", "sorry, clang")),
            (("Use redis here", "no, valkey", "sorry, dragonfly"), ("", "Use redis here", "dragonfly")),
            (("回答用英文", "算了，中文吧"), ("", "回答用英文", "算了，中文吧")),
            (("max 20 rows in a table", "make that 50"), ("max rows in a table", "", "make that 50")),
        ],
    )
    def test_it_keeps_what_it_is_about_or_else_the_words_that_it_corrects(
        self, messages: tuple[str, ...], kept: tuple[str, str, str]
    ) -> None:
        [item] = [each for each in heard(*messages) if each.status == "active"]

        assert (item.topic, item.instead_of, item.what) == kept


class TestOfSeveral:
    """A rule that joins several things is not over when some of them are free."""

    @pytest.mark.parametrize(
        ("ban", "free", "rest"),
        [
            (
                "Never edit src/a.ts or src/b.ts.",
                "You may edit src/a.ts now, but not src/b.ts.",
                ["You may edit src/a.ts now, but not src/b.ts."],
            ),
            (
                "Never edit src/a.ts or src/b.ts.",
                "You may edit src/a.ts now.",
                ["Never edit src/a.ts or src/b.ts", "You may edit src/a.ts now"],
            ),
            ("不要改 a.ts 和 b.ts。", "现在可以改 a.ts 了。", ["不要改 a.ts 和 b.ts", "现在可以改 a.ts 了"]),
            ("不要改 a.ts 和 b.ts。", "现在可以改 a.ts 了，b.ts 还是别改。", ["b.ts 还是别改"]),
            (
                "Never edit a.ts, b.ts and c.ts.",
                "You may edit b.ts now.",
                ["Never edit a.ts, b.ts and c.ts", "You may edit b.ts now"],
            ),
            ("Never edit src/a.ts or src/b.ts.", "You may edit src/a.ts and src/b.ts now.", []),
        ],
    )
    def test_a_ban_that_is_lifted_for_some_holds_for_the_rest(
        self, ban: str, free: str, rest: list[str]
    ) -> None:
        assert active(heard(ban, free)) == rest

    @pytest.mark.parametrize(
        ("ban", "free"),
        [
            ("生产和 staging 都别直接部署", "staging 环境可以直接部署"),
            ("main 和 develop 分支都不许强推", "develop 分支可以强推了"),
            ("预发和线上都禁止重启服务", "预发可以重启"),
            ("master、release 分支都不能直接提交", "release 分支可以直接提交"),
            ("dev、staging、prod 三个环境都不准手动改配置", "dev 环境可以手动改"),
            ("src 和 vendor 目录都别动", "src 目录可以动"),
            ("前端和后端的 lint 配置都不许改", "前端的 lint 配置可以改"),
            ("别在测试库和生产库上跑清理脚本", "测试库上可以跑清理脚本"),
            ("生产和 staging 都别直接部署", "staging 放开，可以直接部署"),
            ("线上和预发都别手动改配置", "预发环境手动改配置没问题"),
        ],
    )
    def test_of_chinese_names_that_a_ban_joins_one_is_free_and_the_rest_is_not(
        self, ban: str, free: str
    ) -> None:
        assert active(heard(ban, free)) == [ban, free]

    @pytest.mark.parametrize(
        ("ban", "free"),
        [
            ("生产和 staging 都别直接部署", "都可以直接部署了"),
            ("生产和 staging 都别直接部署", "两个环境都可以直接部署了"),
            ("src 和 vendor 目录都别动", "这两个目录都可以动了"),
            ("src 和 vendor 目录都别动", "可以动了"),
            ("预发和线上都禁止重启服务", "预发和线上都可以重启了"),
        ],
    )
    def test_all_of_them_together_are_free_in_chinese(self, ban: str, free: str) -> None:
        assert active(heard(ban, free)) == []

    @pytest.mark.parametrize(
        "other", ["staging 可以直接部署吗？", "他们说 staging 可以直接部署", "测试环境可以直接部署"]
    )
    def test_who_asks_or_speaks_of_another_one_frees_none(self, other: str) -> None:
        assert active(heard("生产和 staging 都别直接部署", other)) == ["生产和 staging 都别直接部署"]

    def test_a_demand_that_is_lifted_in_part_stays_and_beside_it_what_is_not_needed(self) -> None:
        whole = "Always run the linter and the tests before committing"

        demand, *beside = heard(f"{whole}.", "You don't need to run the linter any more.")

        assert (demand.what, demand.status) == (whole, "active")
        assert [(item.polarity, item.status) for item in beside] == [("do_not", "active")]

    def test_the_rest_in_fuller_words_than_the_whole_is_not_lost_with_it(self) -> None:
        items = heard("no new dependencies", "dev dependencies are ok, but still no new runtime dependencies")

        assert active(items) == ["no new runtime dependencies"]

    def test_it_is_over_when_all_are_free_one_after_the_other(self) -> None:
        items = heard(
            "Never edit src/a.ts or src/b.ts.", "You may edit src/a.ts now.", "You may edit src/b.ts now."
        )

        assert items[0].status == "ended"

    def test_the_whole_said_again_takes_back_what_was_freed(self) -> None:
        ban = "Never edit src/a.ts or src/b.ts."

        assert active(heard(ban, "You may edit src/a.ts now.", ban)) == [ban[:-1]]

    def test_a_new_value_for_one_of_two_stands_beside_both(self) -> None:
        both = said("Use port 3000 for the API and 3001 for the web", 1, "do")

        assert len(active(after(both, said("Use port 4000 for the API", 5, "do")))) == 2

    @pytest.mark.parametrize(
        "permission", ["You may use yarn now", "it is fine to use yarn again", "yarn can be used"]
    )
    def test_a_wish_for_one_of_two_that_are_banned_ends_no_ban(self, permission: str) -> None:
        ban = said("never use npm or yarn", 1)

        assert active(after(ban, said(permission, 5, "do")))[0] == ban.text
        assert active(after(ban, lifted(permission, 5, is_permission=True)))[0] == ban.text


class TestActions:
    """To be allowed to do one thing is not to be allowed to do another."""

    @pytest.mark.parametrize(
        ("bans", "free", "rest"),
        [
            (
                ("Never delete foo.txt.", "Never commit foo.txt."),
                "You may delete foo.txt now.",
                ["Never commit foo.txt"],
            ),
            (("不要删 foo.txt。", "不要提交 foo.txt。"), "foo.txt 可以删了。", ["不要提交 foo.txt"]),
            (
                ("Never edit foo.txt.", "Never commit foo.txt."),
                "You may touch foo.txt now.",
                ["Never commit foo.txt"],
            ),
            (("Never delete foo.txt.", "Never commit foo.txt."), "foo.txt is fine again.", []),
            (("不要删 foo.txt。", "不要提交 foo.txt。"), "foo.txt 解禁了。", []),
            (("不要删 foo.txt。", "不要提交 foo.txt。"), "foo.txt 放开了。", []),
        ],
    )
    def test_a_permission_lifts_the_bans_on_what_it_allows(
        self, bans: tuple[str, ...], free: str, rest: list[str]
    ) -> None:
        assert active(heard(*bans, free)) == rest


class TestTwoStayTwo:
    @pytest.mark.parametrize(
        ("one", "other", "polarity"),
        [
            ("Always write unit tests for parsers", "Always write unit tests for writers", "do"),
            ("Never email customers on Sunday", "Never email customers on Monday", "do_not"),
            ("I think blue buttons look nicer", "I think green buttons look nicer", "do"),
            ("解析器一定要写单元测试", "写入器一定要写单元测试", "do"),
            ("周日不要给客户发邮件", "周一不要给客户发邮件", "do_not"),
            ("蓝色按钮更好看", "绿色按钮更好看", "do"),
        ],
    )
    def test_each_has_a_word_of_its_own_and_neither_is_verified(
        self, one: str, other: str, polarity: Any
    ) -> None:
        items = after(said(one, 1, polarity), said(other, 2, polarity))

        assert [(item.what, item.said, item.verified_at) for item in items] == [
            (one, 1, None),
            (other, 1, None),
        ]

    def test_fuller_words_for_the_same_stay_one(self) -> None:
        (item,) = after(said("Never email customers", 1), said("Never email our customers directly", 2))

        assert (item.said, item.what, item.verified_at) == (2, "Never email our customers directly", 2000.0)


class TestNewerHolds:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Always answer in Chinese.", "Always answer in English."),
            ("回答用中文。", "Answer in English from now on."),
            ("Always use tabs for indentation.", "From now on use 2 spaces for indentation."),
            ("I prefer tabs.", "I prefer spaces."),
            ("We'll go with SQLite.", "On second thought, let's go with DuckDB, SQLite is too slow."),
            (
                "The staging database is on port 5544, use that one.",
                "Use port 5545 for the staging database from now on, not 5544.",
            ),
            ("Always use tabs.", "Use spaces instead of tabs from now on."),
        ],
    )
    def test_the_older_is_superseded_and_kept(self, old: str, new: str) -> None:
        was, now = heard(old, new)

        assert (was.status, was.ended_by, was.said) == ("superseded", "s:2", 1)
        assert (now.status, now.said, now.supersedes, now.verified_at) == ("active", 1, was.id, None)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Use vitest, not jest", "go back to jest"),
            ("用 pnpm", "用 npm 而不是 pnpm"),
            ("Use vitest, not jest", "use jest"),
        ],
    )
    def test_who_turns_away_from_it_or_back_to_the_other_replaces_it(self, old: str, new: str) -> None:
        assert active(after(said(old, 1, "do"), said(new, 5, "do"))) == [new]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("tests go in tests/, not in src/", "the code goes in src/"),
            ("use jest and playwright", "use vitest instead of jest"),
            ("use port 5432 for prod", "use port 5433 for dev, not 5432"),
            ("use structlog", "use pytest"),
            ("use yarn", "use npm for the docs site"),
        ],
    )
    def test_what_is_about_something_else_as_well_replaces_nothing(self, one: str, other: str) -> None:
        assert active(after(said(one, 1, "do"), said(other, 5, "do"))) == [one, other]

    @pytest.mark.parametrize(
        ("ban", "once"),
        [
            ("Never touch migrations/0007_fix.sql", "This time you may edit migrations/0007_fix.sql"),
            ("migrations/0007_fix.sql 不要动", "这次可以改 migrations/0007_fix.sql"),
            ("Never edit src/a.ts or src/b.ts", "This time you may edit src/a.ts"),
            ("api/ 别动", "这次可以改 api/v2"),
        ],
    )
    def test_what_is_allowed_once_stands_beside_the_ban(self, ban: str, once: str) -> None:
        items = after(said(ban, 1), lifted(once, 5, is_permission=True, scope="once"))

        assert [(item.what, item.scope) for item in items] == [(ban, "project"), (once, "once")]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("连接端口 5433", "端口换成 6543 了"),
            ("输出请放到 out/ 目录", "输出目录改一下，以后都放 reports/"),
            ("服务监听端口 8000", "端口改成 9000"),
        ],
    )
    def test_new_value_in_other_words_takes_the_place_of_the_old_one(self, old: str, new: str) -> None:
        assert active(after(said(old, 1, "do"), said(new, 2, "do"))) == [new]

    def test_new_value_of_something_else_leaves_the_old_one(self) -> None:
        items = after(said("连接端口 5433", 1, "do"), said("超时换成 30 秒", 2, "do"))

        assert active(items) == ["连接端口 5433", "超时换成 30 秒"]


class TestWhoSaysIt:
    @pytest.mark.parametrize("speaker", ["agent", "tool"])
    @pytest.mark.parametrize("act", ["state", "withdraw"])
    def test_only_the_person_makes_or_takes_back_a_rule(self, speaker: Any, act: Any) -> None:
        before = after(said("never push to main", 1))

        assert after(said("never push to main", 5, speaker=speaker, act=act), before=before) == before

    def test_the_place_says_whose_words_they_are(self) -> None:
        (item,) = after(said("use the incremental sync", 3, "do", kind="decision", speaker="agent"))

        assert (item.source, item.kind, item.polarity) == ("s:3 (agent)", "decision", None)

    def test_the_agent_replaces_no_decision_of_the_person(self) -> None:
        mine = said("vitest", 1, "do", kind="decision", topic="test runner")

        items = after(mine, replace(mine, text="jest", line=5, speaker="agent"))

        assert active(items) == ["vitest", "jest"]


class TestFacts:
    def decision(self, text: str, line: int, **fields: Any) -> Proposal:
        return said(text, line, "do", kind="decision", **fields)

    def test_the_newer_decision_about_a_topic_replaces_the_older(self) -> None:
        items = after(
            self.decision("full sync", 1, topic="sync"), self.decision("incremental sync", 5, topic="sync")
        )

        assert active(items) == ["incremental sync"]
        assert items[1].supersedes == items[0].id

    def test_what_is_rejected_for_another_was_a_decision(self) -> None:
        items = after(
            self.decision("use jest", 1), self.decision("vitest instead of jest", 5, rejected="jest")
        )

        assert active(items) == ["vitest instead of jest"]

    def test_a_dead_end_that_is_adopted_after_all_is_none_any_more(self) -> None:
        failed = self.decision(
            "opencv for the binarisation: wrong colours", 1, outcome="failed", topic="opencv"
        )

        items = after(replace(failed, kind="dead_end"), self.decision("opencv with BGR", 9, topic="opencv"))

        assert [(item.status, item.outcome) for item in items] == [("superseded", "failed"), ("active", None)]

    def test_of_a_signature_or_a_value_only_the_newest_form_holds(self) -> None:
        forms = ["f(a: float)", "f(cents: int)", "f(minor: int, *, key: str)"]

        items = after(
            *(said(form, n, kind="tool", topic="b.py f", speaker="tool") for n, form in enumerate(forms)),
            said("f(x)", 9, kind="tool", topic="other.py f", speaker="tool"),
        )

        assert active(items) == ["f(minor: int, *, key: str)", "f(x)"]


PHRASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("别动 migrations/0007", "do_not", {}),
    ("please don't edit migrations/0007, it already ran in production", "do_not", {}),
    ("0007 那个迁移别碰", "do_not", {}),
    ("migrations/0007 和 migrations/0008 都别动", "do_not", {}),
    ("migrations/0008 也别动", "do_not", {}),
    ("migrations/ 现在可以改了", "do", {"act": "withdraw", "is_permission": True}),
    ("legacy/ 一个字都别动", "do_not", {}),
    ("legacy 可以改", "do", {"act": "withdraw", "is_permission": True}),
    ("legacy 这次可以改", "do", {"act": "withdraw", "is_permission": True, "scope": "once"}),
    ("legacy/billing 别碰", "do_not", {}),
    ("don't edit src/a.ts or src/b.ts", "do_not", {}),
    ("you may edit src/a.ts", "do", {"act": "withdraw", "is_permission": True}),
    ("you may edit src/b.ts", "do", {"act": "withdraw", "is_permission": True}),
    ("src/b.ts still must not be edited", "do_not", {}),
    ("run the linter and the tests", "do", {}),
    ("no need to run the linter any more", "do", {"act": "withdraw"}),
    ("use port 5433 for the db", "do", {}),
    ("use port 5435 for the db, not 5433", "do", {}),
    ("数据库端口用 5434", "do", {}),
    ("never push to main", "do_not", {}),
    ("push to main", "do", {"force": "soft"}),
    ("push to main", "do", {}),
    ("先别提交", "do_not", {"scope": "once"}),
    ("先别提交", "do_not", {"scope": "once", "act": "end"}),
    ("full sync", "do", {"kind": "decision", "topic": "sync"}),
    ("incremental sync", "do", {"kind": "decision", "topic": "sync", "speaker": "agent"}),
    ("incremental sync was too slow", "do", {"kind": "dead_end", "topic": "sync"}),
    ("f(a)", "do", {"kind": "tool", "topic": "f", "speaker": "tool"}),
    ("f(a, b)", "do", {"kind": "tool", "topic": "f", "speaker": "tool"}),
]


@st.composite
def histories(draw: st.DrawFn) -> list[list[Proposal]]:
    """Messages of one to three proposals, in order."""
    lines = count(1)
    lengths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=9))
    messages = []
    for length in lengths:
        line = next(lines)
        chosen = draw(st.lists(st.sampled_from(PHRASES), min_size=length, max_size=length))
        messages.append([said(text, line, polarity, **fields) for text, polarity, fields in chosen])
    return messages


@settings(max_examples=150)
@given(messages=histories(), data=st.data())
def test_a_stretch_that_is_read_twice_changes_nothing(
    messages: list[list[Proposal]], data: st.DataObject
) -> None:
    end = data.draw(st.integers(0, len(messages)))
    again = data.draw(st.integers(0, end))
    first = [proposal for message in messages[:end] for proposal in message]
    rest = [proposal for message in messages[again:] for proposal in message]

    whole = after(*(proposal for message in messages for proposal in message))

    assert after(*rest, before=after(*first)) == whole


@settings(max_examples=60)
@given(messages=histories())
def test_something_that_was_said_and_never_taken_back_is_never_lost(messages: list[list[Proposal]]) -> None:
    bans = [p for message in messages for p in message if p.text == "never push to main"]
    others = [p for message in messages for p in message if "main" not in p.text or p.polarity == "do_not"]

    items = after(*others)

    assert bool(bans) == ("never push to main" in active(items))


class TestBounds:
    def test_what_is_over_leaves_first_and_rules_that_hold_stay(self) -> None:
        ledger = Ledger((), session="s")
        ledger.take([said("别动 migrations/0007", 1)], now=0)
        ledger.take(
            [said(f"f(a{n})", n, kind="tool", topic="f", speaker="tool") for n in range(2, MAX_ITEMS + 50)],
            now=0,
        )

        assert len(ledger.items) == MAX_ITEMS
        assert active(ledger.items) == ["别动 migrations/0007", f"f(a{MAX_ITEMS + 49})"]

    def test_ten_thousand_forms_of_tools_are_taken_without_comparing_each_with_each(self) -> None:
        ledger = Ledger((), session="s")

        ledger.take(
            (said(f"f{n}(a)", n, kind="tool", topic=f"f{n}", speaker="tool") for n in range(10_000)), now=0
        )

        assert len(ledger.items) == MAX_ITEMS
