"""A title asks for checks when it asks for nothing else: in English, in Chinese, in several clauses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.memory.check_runs import Check
from agentinitd.memory.plan_titles import Asked, asked_by, is_answered_by, unanswered

PYTEST = Check(name="pytest", kind="tests")
SOME_TESTS = Check(name="pytest", kind="tests", is_partial=True)


@pytest.mark.parametrize(
    ("title", "wants"),
    [
        ("Run tests", "tests"), ("run the tests", "tests"), ("Run the full test suite again", "tests"),
        ("tests green", "tests"), ("All tests pass", "tests"), ("Make sure all tests still pass", "tests"),
        ("Get tests green", "tests"), ("Fix failing tests", "tests"), ("Test", "tests"),
        ("5. Re-run unit tests for the parser", "tests"), ("Final check: run tests", "tests"),
        ("Run tests and fix failures", "tests"), ("Run tests to verify the change", "tests"),
        ("Run pytest", "pytest"), ("run `pytest -q`", "pytest"), ("Run npm test", "npm test"),
        ("Run ruff and mypy", "mypy ruff"), ("Run lint and type checks", "lint types"),
        ("eslint clean", "eslint"), ("tsc passes", "tsc"), ("Fix type errors", "types"),
        ("Commit the changes", "commit"), ("git commit", "commit"), ("Commit: parser", "commit"),
        ("Commit and push", "commit push"), ("Push to origin", "push"),
        ("跑测试", "tests"), ("跑一遍测试", "tests"), ("运行全部测试", "tests"), ("确认测试通过", "tests"),
        ("测试全绿", "tests"), ("所有单元测试通过", "tests"), ("测试", "tests"), ("修复失败的测试", "tests"),
        ("第三步：跑单测", "tests"), ("运行单元测试并修复失败", "tests"), ("跑 pytest", "pytest"),
        ("类型检查通过", "types"), ("提交代码", "commit"), ("提交并推送", "commit push"),
        ("跑测试，然后提交", "commit tests"),
    ],
)  # fmt: skip
def test_a_title_that_asks_for_checks_names_them(title: str, wants: str) -> None:
    assert asked_by(title).wants == set(wants.replace("npm test", "npm_test").split()) or (
        asked_by(title).wants == {wants}
    )


@pytest.mark.parametrize(
    "title",
    [
        "Add tests for the parser", "Write a failing test", "Add pagination and run the tests",
        "Update tests",
        "Implement parser", "Check test coverage", "Test the login page", "Refactor tests", "Review tests",
        "Create test data", "Run manual tests", "Fix test flakiness", "Run the server", "Run migrations",
        "Verify login works and run tests", "Run benchmarks", "Commit to a design", "Set up commit hooks",
        "Push notifications for users", "Push notification page", "Deploy", "Docs", "Fix the parser",
        "Document the test command", "Investigate failing tests", "Tests", "",
        "写测试", "补测试", "提高测试覆盖率", "测试登录页面", "测试数据准备", "实现分页并跑测试",
        "提交 PR", "提交工单", "部署", "分析测试失败的原因",
    ],
)  # fmt: skip
def test_a_title_that_asks_for_more_or_for_something_else_asks_for_no_check(title: str) -> None:
    assert asked_by(title).wants == frozenset()


def test_single_tests_do_not_answer_what_asks_for_all_of_them() -> None:
    assert is_answered_by(asked_by("Run tests"), SOME_TESTS)
    assert is_answered_by(asked_by("Run all tests"), PYTEST)
    assert not is_answered_by(asked_by("Run all tests"), SOME_TESTS)
    assert not is_answered_by(asked_by("跑全部测试"), SOME_TESTS)


def test_a_tool_that_is_named_is_not_answered_by_another_of_its_kind() -> None:
    jest = Check(name="jest", kind="tests")

    assert not is_answered_by(asked_by("Run pytest"), jest)
    assert is_answered_by(asked_by("Run tests"), jest)


def test_what_is_still_wanted_is_told() -> None:
    asked = Asked(wants=frozenset({"ruff", "mypy"}))

    assert unanswered(asked, [Check(name="ruff", kind="lint")]) == {"mypy"}
    assert unanswered(asked, [Check(name="ruff", kind="lint"), Check(name="mypy", kind="types")]) == set()


@given(st.text(alphabet="run tests the 跑测试全部,.:;and ", max_size=200))
@settings(max_examples=60)
def test_no_title_whatever_makes_it_fail(title: str) -> None:
    assert asked_by(title).wants <= {"tests"}
