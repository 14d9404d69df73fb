"""The first reply after a snippet: what breaks a rule is found and named, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentinitd.model.events import AgentMessage, Event, PersonMessage, ToolCall
from agentinitd.model.facts import Anchor
from agentinitd.sessions.reply_check import ReplyCheck

PROJECT = "/srv/shop"


def rule(what: str, *, forbid: str | None = None) -> Anchor:
    return Anchor(id=f"c-{what[:8]}", kind="constraint", what=what, forbid=forbid)


def said(text: str) -> Event:
    return AgentMessage(offset=0, line=1, text=text)


def ran(command: str) -> Event:
    return called("Bash", command=command)


def called(tool: str, **given: object) -> Event:
    return ToolCall(offset=0, line=1, call_id="1", name=tool, input_json=json.dumps(given).encode())


def wrote(file: str, text: str = "x") -> Event:
    return called("Edit", file_path=file, old_string="", new_string=text)


def check(rules: list[Anchor], *events: Event) -> ReplyCheck:
    checked = ReplyCheck(rules, project=PROJECT)
    for event in events:
        checked.hear(event)
    return checked


def test_every_reply_of_the_field_case_is_judged_as_a_person_would(shared: Path) -> None:
    rules = [
        rule("以后都用中文跟我说，代码里的注释还是英文"),
        rule("包管理只用 uv，不要用 pip"),
        rule("config/prod.toml 不要改，要改先问我"),
    ]
    path = shared / "field-cases" / "24-language-and-first-reply" / "replies.jsonl"
    for reply in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        calls = [called(call["name"], **call["input"]) for call in reply["tool_calls"]]

        verdict = check(rules, said(reply["text"]), *calls)

        assert (verdict.verdict == "violated") == (reply["expected"] == "violation"), reply["id"]
        names = {"language": 0, "comment language": 0, "pip": 1, "prod.toml": 2}
        broken = [names[reply["broken_rule"]]] if reply["broken_rule"] else []
        assert [each.rule for each in verdict.broken] == [rules[place] for place in broken]


def test_without_a_reply_there_is_no_verdict() -> None:
    assert check([rule("never push")]).verdict is None
    assert check([rule("never push")], said("  ")).verdict is None


def test_what_broke_a_rule_is_told_without_the_credentials_in_it() -> None:
    token = "ghp_" + "Ab3dEf6hIj" * 3 + "Kl2mNo"

    [broken] = check(
        [rule("never run curl")], ran(f"curl -H 'Authorization: Bearer {token}' https://x.io")
    ).broken

    assert broken.how.startswith("ran curl")
    assert token[:8] not in broken.how


def test_what_comes_after_the_next_message_of_the_person_is_not_judged() -> None:
    ask = PersonMessage(offset=0, line=1, text="and now push")

    checked = check([rule("don't push")], said("done"), ask, ran("git push"))

    assert checked.is_over
    assert checked.verdict == "silent"


def test_a_reply_that_names_what_the_rule_is_about_echoes_it() -> None:
    assert (
        check([rule("don't touch legacy/billing")], said("I leave legacy/billing alone")).verdict == "echoed"
    )


@pytest.mark.parametrize(
    ("what", "event", "how"),
    [
        ("use uv instead of pip", ran("cd api && sudo pip install x"), "ran sudo pip install x"),
        ("use uv instead of pip", ran("python3 -m pip install x"), "ran python3 -m pip install x"),
        ("use uv instead of pip", ran("uv run --with x pip list"), "ran uv run --with x pip list"),
        ("never run `rm -rf`", ran("ls | xargs -n 1 /bin/rm -rf"), "ran xargs -n 1 /bin/rm -rf"),
        ("never run `pnpm`", ran("pnpm exec eslint ."), "ran pnpm exec eslint ."),
        ("不要用 npm，用 pnpm", ran("CI=1 npm test"), "ran CI=1 npm test"),
        ("don't push", ran("git commit -m x; git push origin main"), "ran git push origin main"),
        ("never force-push", ran("git push -f"), "ran git push -f"),
        ("never run `make nuke`", ran("make nuke"), "ran make nuke"),
        ("别动 migrations/0007", wrote(f"{PROJECT}/migrations/0007_index.py"), None),
        ("don't touch legacy/", called("Write", file_path="legacy/a.py", content="x"), "changed legacy/a.py"),
        ("don't touch legacy/", wrote("oldlegacy/legacy/a.py"), "changed oldlegacy/legacy/a.py"),
        ("don't edit config.py", ran("sed -i s/a/b/ app/config.py"), "changed app/config.py"),
        ("don't edit .env.example", ran("echo A=1 >> .env.example"), "changed .env.example"),
        ("只准改 services/billing/", wrote(f"{PROJECT}/docs/a.md"), "changed docs/a.md"),
        ("answer in English", said("好的，我现在就去修改这个文件。"), None),
        ("comments in English", wrote("a.py", "# 最多三次\nx = 3"), None),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_named(what: str, event: Event, how: str | None) -> None:
    checked = check([rule(what)], event)

    assert checked.verdict == "violated"
    [broken] = checked.broken
    assert broken.how == how or how is None


@pytest.mark.parametrize(
    ("what", "event"),
    [
        ("use uv instead of pip", ran("uv pip compile pyproject.toml")),
        ("use uv instead of pip", ran("grep -rn 'pip install' docs")),
        ("use uv instead of pip", said("I will not use pip here.")),
        ("don't push", ran("git stash push")),
        ("never force-push", ran("git push origin main")),
        ("don't commit without asking", ran("git commit -m x")),
        ("别动 migrations/0007", called("Edit", file_path="migrations/00071.py", new_string="x")),
        ("don't edit config.py", wrote("app/myconfig.py")),
        ("don't edit config.py", wrote("config.pyi")),
        ("don't touch legacy/", called("Read", file_path="legacy/a.py")),
        ("don't touch legacy/", ran("cat legacy/a.py")),
        ("只准改 services/billing/", called("Edit", file_path="services/billing/a.py", new_string="x")),
        ("以后都用中文回答", said("OK")),
        ("以后都用中文回答", said("好的，`git rebase --onto main feature topic` 就行。")),
        ("answer in English", said("The label says 删除, so I keep it as it is.")),
        (
            "comments in English",
            called("Edit", file_path="a.py", old_string="# 旧", new_string="# 旧\nx = 3"),
        ),
        ("comments in English", called("Write", file_path="README.md", content="# 标题")),
        ("提交信息一律中文", said("Sure, I will do that right now.")),
    ],
)
def test_what_breaks_none_is_not_reported(what: str, event: Event) -> None:
    assert check([rule(what)], event).verdict != "violated"


@pytest.mark.parametrize(
    ("forbid", "event"),
    [
        ("Bash(rm -rf *)", ran("ls && rm -rf build")),
        ("docker push *", ran("docker push shop:1")),
        ("Edit(*.lock)", called("Edit", file_path="web/pnpm.lock", new_string="x")),
        ("mcp__shop__*(*)", called("mcp__shop__refund", id=1)),
    ],
)
def test_a_tool_call_that_is_forbidden_is_found(forbid: str, event: Event) -> None:
    assert check([rule("be careful", forbid=forbid)], event).verdict == "violated"
