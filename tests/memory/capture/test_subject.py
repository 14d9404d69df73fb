"""What a rule is about."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.subject import (
    is_covered,
    is_narrower,
    is_opposite,
    is_replaced,
    is_same,
    is_same_path,
    subject_of,
)


class TestSame:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("别动 migrations/0007", "migrations/0007_add_index.py 不要改，生产上已经跑过了"),
            ("hands off migrations/0007", "0007 那个迁移别碰"),
            ("leave migrations/0007 alone", "don't you dare touch the 0007 migration"),
            ("能不引新依赖就别引了", "please don't add new dependencies"),
            ("`config/prod.toml` 改之前先问我", "ask me before you change prod.toml"),
            ("legacy/ 一个字都别动", "the legacy folder must not be changed"),
            ("keep its command line options unchanged", "don't change the command line options"),
        ],
    )
    def test_other_words_or_the_other_language(self, one: str, other: str) -> None:
        assert is_same(subject_of(one), subject_of(other))
        assert is_same(subject_of(other), subject_of(one))

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("别动 migrations/0007", "migrations/0008 也别动"),
            ("don't touch src/a.py", "don't touch the parser in src/a.py"),
            ("src/a.py 的接口不要改", "src/a.py 的测试不要改"),
            ("don't touch src/a.py's lexer", "don't touch src/a.py's parser"),
            ("don't delete .cache/", "don't commit .cache/"),
            ("legacy/ 别动", "legacy/billing 别动"),
            ("answers in Chinese", "comments in Chinese"),
            ("python 3.11", "python 3.12"),
            ("不许动啊", "别删"),
        ],
    )
    def test_another_number_path_part_action_or_thing_tells_them_apart(self, one: str, other: str) -> None:
        assert not is_same(subject_of(one), subject_of(other))
        assert not is_same(subject_of(other), subject_of(one))

    def test_what_is_known_to_be_meant_stands_for_what_is_not_said(self) -> None:
        assert is_same(subject_of("不许动啊", "0007"), subject_of("别动 migrations/0007"))

    def test_a_reason_makes_it_no_other_rule(self) -> None:
        reasoned = subject_of(
            "don't touch config/prod.toml, the server reads it at startup and users would notice"
        )

        assert is_same(reasoned, subject_of("config/prod.toml 别动，回滚很麻烦"))


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("migrations/0007", "migrations/0007_add_index.py", True),
        ("prod.toml", "config/prod.toml", True),
        ("src/billing", "src/billing.py", True),
        ("legacy", "legacy/billing", False),
        ("migrations/0007", "migrations/00071_x.py", False),
        ("a/x.py", "b/x.py", False),
    ],
)
def test_a_path_may_be_given_by_its_end_or_by_the_beginning_of_its_name(
    one: str, other: str, is_one: bool
) -> None:
    assert is_same_path(one, other) is is_one
    assert is_same_path(other, one) is is_one


@pytest.mark.parametrize(
    ("item", "lifting", "is_meant"),
    [
        ("legacy/ 目录一个字都别动", "legacy 那边你现在可以改", True),
        ("legacy/billing 别动", "legacy/ 可以改了", True),
        ("legacy/ 别动", "legacy/billing 可以改了", False),
        ("提交前先给我看 diff", "diff 不用每次给我看了", True),
        ("always run the linter before committing", "you don't need to run the linter anymore", True),
        ("never push to main", "you can push to release now", False),
        ("数据库迁移不要自动跑", "diff 不用每次给我看了", False),
        ("migrations/0008 别动", "0007 可以改了", False),
    ],
)
def test_what_is_lifted_concerns_what_lies_there_or_has_its_words(
    item: str, lifting: str, is_meant: bool
) -> None:
    assert is_covered(subject_of(item), subject_of(lifting)) is is_meant


def test_narrower_is_strictly_within() -> None:
    assert is_narrower(subject_of("legacy/billing 别碰"), subject_of("legacy/ 别动"))
    assert not is_narrower(subject_of("legacy/ 别碰"), subject_of("legacy/ 别动"))


def test_a_demand_for_one_thing_is_not_against_a_ban_on_another_with_the_same_word() -> None:
    assert is_opposite(subject_of("push to main"), subject_of("never push to main"))
    assert not is_opposite(subject_of("测试数据放 tests/data"), subject_of("测试数据别放根目录"))


def test_a_value_replaces_another_of_the_same_thing_only() -> None:
    assert is_replaced(subject_of("use port 5433 for the db"), subject_of("数据库端口改用 5434"))
    assert not is_replaced(subject_of("use port 5433 for the db"), subject_of("use port 8080 for the server"))


@pytest.mark.parametrize(
    "text", ["", " ", "……", "-", "/", "//", "../..", "`", "\x00", "🙂", "a" * 10_000, "/" * 9_999]
)
def test_any_text_has_a_subject(text: str) -> None:
    subject = subject_of(text)

    assert not is_same(subject, subject_of("别动 migrations/0007"))


class TestReplaced:
    """One value takes the place of another, in whatever words it is set."""

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("分支都从 main 拉", "分支都从 develop 拉"),
            ("缩进用两个空格", "缩进改用四个空格"),
            ("端口用 5433", "端口改成 5434"),
            ("all timeouts are 3 seconds", "timeouts are 5 seconds from now on"),
            ("comments have to be in English", "comments in German please"),
        ],
    )
    def test_a_new_value_of_the_same(self, old: str, new: str) -> None:
        assert is_replaced(subject_of(old), subject_of(new))

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("log errors to Sentry", "log errors to Slack"),
            ("每页上限固定 50", "每次重试 3 次"),
            ("add tests for the parser", "add tests for the lexer"),
            ("keep 2 backups", "retry 3 times"),
            ("函数不超过三个参数", "一个文件最多四个函数"),
            ("commit message 用英文", "代码注释用中文"),
        ],
    )
    def test_two_values_of_two_things_both_hold(self, one: str, other: str) -> None:
        assert not is_replaced(subject_of(one), subject_of(other))


def test_a_folder_is_meant_by_its_name_as_a_word_as_well() -> None:
    assert is_covered(subject_of("fonts/ 下的文件都不要替换"), subject_of("fonts 现在能换了"))
    assert is_covered(subject_of("never squash the commits here"), subject_of("squashing is ok"))


class TestKept:
    """A thousand rules are kept at once: what is equal in them is kept once."""

    def test_two_rules_share_what_they_do_and_what_they_do_not_name(self) -> None:
        one, other = subject_of("never edit `src/a.py` by hand"), subject_of("never edit `lib/b.py` by hand")

        assert one.actions is other.actions
        assert one.numbers is one.parts is other.digits

    def test_paths_that_are_the_only_names_are_kept_once(self) -> None:
        subject = subject_of("never edit `src/only_here.py` by hand")

        assert subject.names is subject.paths
