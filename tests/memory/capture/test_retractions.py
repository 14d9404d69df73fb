"""What a message takes back of the rules before it, where only the rule itself tells that."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import PersonMessage


def statuses(*messages: str) -> dict[str, str]:
    listener, ledger = Listener("s", readers=built_in()), Ledger((), session="s")
    for line, text in enumerate(messages, start=1):
        said = PersonMessage(offset=line, line=line, text=text)
        ledger.take(listener.hear([said]), now=float(line))
    return {item.what: item.status for item in ledger.items if item.captured == "rule"}


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("squash before merging", "about the squash rule, I changed my mind, no need any more"),
        ("always sign commits", "the signing thing is over, nobody checks"),
        ("always add a changelog entry", "the changelog thing is off the table"),
        ("always ping me before deploying", "you can skip the pinging before deploying"),
        ("合并前都要先 rebase", "之前说的 rebase 那条不用守了"),
        ("必须写 changelog", "changelog 那条不用管了"),
        ("要兼容 IE11", "现在最低支持 Chrome 90，IE 不用管了"),
        ("镜像 tag 不许用 latest", "镜像 tag 那个想好了，可以用 latest"),
        ("do not run the e2e tests for now", "e2e tests work again, you can run them"),
        ("don't push anything yourself", "you may push from now on"),
        ("don't commit", "ok from now on you can commit"),
        ("the snapshots must not be updated by you", "update them, that's fine from now on"),
    ],
)
def test_the_rule_that_is_named_is_over(rule: str, later: str) -> None:
    assert statuses(rule, later)[rule] == "ended"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("do not upgrade react until the release", "the release is out"),
        ("don't touch the schema until the migration is merged", "migration has been merged"),
        ("no deploys during the freeze", "the freeze is over"),
        ("封网期间禁止重启网关", "封网结束了，网关可以重启了"),
        ("上线之前不要改配置", "已经上线了"),
        ("评审通过之前别合并", "评审通过了"),
    ],
)
def test_it_is_over_with_the_time_that_it_was_for(rule: str, later: str) -> None:
    assert statuses(rule, later)[rule] == "ended"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("always sign commits", "the signing thing fails on my machine"),
        ("always sign commits", "is the signing thing still needed?"),
        ("squash before merging", "Tom said the squash rule is off in his team"),
        ("do not upgrade react until the release", "the build is done"),
        ("never touch the schema", "the schema is done"),
        ("no network calls in unit tests", "no docker in the unit tests either"),
        ("always run the linter", "this time you can skip the linter"),
        ("合并前都要先 rebase", "rebase 那条报错看一下"),
        ("封网期间禁止重启网关", "扩容结束了"),
        ("合并前都要先 rebase", "rebase 那条是不是不用守了？"),
    ],
)
def test_what_is_said_of_something_else_or_not_in_earnest_ends_nothing(rule: str, later: str) -> None:
    assert statuses(rule, later)[rule] == "active"


@pytest.mark.parametrize(
    ("ban", "later"),
    [
        ("never edit the generated clients", "the generated clients stay untouched except the python one"),
        ("自动生成的代码一行都不要手改", "那这样，自动生成的代码除了 can_msg.c 都不许手改"),
    ],
)
def test_a_ban_said_again_with_an_exception_stands_for_the_whole_one(ban: str, later: str) -> None:
    found = statuses(ban, later)

    assert found[ban] == "superseded"
    assert [what for what, status in found.items() if status == "active"] != [ban]


@pytest.mark.parametrize(
    ("ban", "later"),
    [
        ("首页不要放弹窗", "首页放个弹窗吧，活动要推"),
        ("文章页一律不放广告", "这个月电费都不够了，文章页放一个广告吧，就底部"),
        ("别引入 lodash", "引入 lodash 吧，手写太烦"),
    ],
)
def test_who_asks_for_what_was_banned_lifts_the_ban(ban: str, later: str) -> None:
    assert statuses(ban, later)[ban] == "ended"


@pytest.mark.parametrize(
    ("ban", "later"),
    [
        ("payment 目录一律不许动", "payment 的测试可以改了"),
        ("首页不要放弹窗", "活动页放个弹窗吧"),
        ("别引入 lodash", "这次引入 lodash 吧"),
    ],
)
def test_what_is_free_in_part_or_for_once_leaves_the_ban(ban: str, later: str) -> None:
    assert statuses(ban, later)[ban] == "active"
