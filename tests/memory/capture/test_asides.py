"""Work of the moment, guesses and meetings lay nothing down, in either language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Rules = Callable[[str], list[str]]


@pytest.mark.parametrize(
    "message",
    [
        "Repeat for all tables.",
        "Repeat this for each table.",
        "Run this for each file",
        "Do the same for all other tables.",
        "Repeat the process for every endpoint.",
        "Repeat for the remaining files.",
        "Apply this to all files in src/.",
        "Do this for every test file.",
        "Run it on each package.",
        "Now repeat for all tables",
        "Add the migration. Repeat for all tables.",
        "Continue for all remaining modules.",
        "We must be close now.",
        "We must be nearly there.",
        "You must be tired.",
        "It must be the cache.",
        "That must be it.",
        "There must be a bug somewhere.",
        "We must be missing something.",
        "We must be almost done.",
        "We must have missed a file.",
        "we must be getting somewhere now",
        "会议必须三点开始",
        "会议三点必须开始",
        "例会不要迟到",
        "我今天必须六点下班",
        "午饭必须吃饱",
        "下午的评审会必须两点半开",
        "明天必须早点到公司",
        "周会一律改到周三",
        "我必须三点去开会",
        "站会必须十点开始",
        "The meeting must start at three",
        "the meeting must start on time",
        "Now do the same for all the other screens",
        "go on with the remaining tables",
        "repeat with every fixture please",
        "OK, apply the same fix to every handler",
        "Repeat these steps for all the services",
        "then run it against all the fixtures",
        "评审会改到四点，必须参加",
        "周会必须三点开",
        "例会一律推迟到下周",
        "Repeat for the other tables.",
        "Same for all the other endpoints.",
        "Do that for every module.",
        "Run the script for each file.",
        "Now for all the other tables.",
        "Do likewise for every service",
        "We must be on the right track.",
        "We must be close to the solution.",
        "We must be at the end now",
        "晨会必须九点半开始",
        "今天的会必须三点开",
        "三点必须开会",
        "培训必须下午两点开始",
        "会议必须准时开始",
        "Generate a model for each table.",
    ],
)
def test_what_is_for_now_or_no_work_is_no_rule(message: str, rules: Rules) -> None:
    assert rules(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "Repeat the tests after every change",
        "Run the linter before each commit",
        "Run the tests for every changed package before you commit",
        "We must be backwards compatible",
        "We must be careful: never delete rows",
        "会议模块必须用 UTC 时间",
        "定时任务必须三点以后跑",
        "All tables must have a primary key.",
        "Use a helper for each table; never write raw SQL",
        "For each file you touch, add a test.",
        "Run it on every commit",
        "Always do this for every table",
        "Do this for every new endpoint",
        "面试模块的数据不要动",
        "we must be careful with the schema",
        "we must be able to roll back, so never drop columns",
        "Use this logger for all modules, never print",
        "Generate a changelog for every release",
    ],
)
def test_what_holds_each_time_is_a_rule(message: str, rules: Rules) -> None:
    assert rules(message)
