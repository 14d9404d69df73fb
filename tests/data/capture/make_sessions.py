"""Makes the labelled sessions: what people say comes from session_plans.json, the noise around it from here.

    python tests/data/capture/make_sessions.py

The same plans give the same bytes.  Nothing here was taken from a real session.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLANS = HERE / "session_plans.json"
SESSIONS = HERE / "sessions"
BEGIN = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)

# What a person says between the rules: orders, questions, answers, pastes, remarks.  None is a rule.
CHATTER = {
    "en": (
        "ok, what does {file} do at the moment?",
        "run the tests for {file} once",
        "hm, same error as before",
        "why does {stem} return early there?",
        "show me the function you mean",
        "looks right, go on",
        "continue",
        "rename the local variable, it shadows the outer one",
        "I'd have expected a different number, let me check",
        "that was quick",
        "and the second failure?",
        "still red on my side",
        "can you explain the diff in {file} in two sentences",
        "how many callers does {stem} have?",
        "thanks, merged",
        "let me look at it after lunch",
        "the network here is terrible today",
        "yes",
        "the second one",
        "no, that branch is fine",
        "it printed this:\n```\nWARN {stem}: must not be called twice\nWARN {stem}: never share a handle\n```\nwhat does it mean?",
        "FAILED tests/test_{stem}.py::test_empty - AssertionError: must never be empty\n1 failed, 31 passed in 2.10s\n\nagain?",
        "undo the last edit in {file}",
        "is that what the docs call a hard limit?",
        "I was in a meeting, where are we?",
        "add a test for the empty case in {file}",
        "good, next",
        "what would happen if the list were empty?",
        "you said there were three places, I only see two",
        "the comment in {file} says // do not reorder, do you know why?",
    ),
    "zh": (
        "嗯，{file} 现在是干嘛的？",
        "跑一下 {file} 的测试",
        "还是刚才那个报错",
        "{stem} 那里为什么提前返回了？",
        "你说的是哪个函数，贴出来看看",
        "看着对，继续",
        "继续",
        "局部变量改个名，跟外面的重了",
        "这个数字跟我想的不太一样，我查一下",
        "挺快",
        "第二个失败呢？",
        "我这边还是红的",
        "用两句话讲讲 {file} 的改动",
        "{stem} 有几个地方在调用？",
        "谢了，已经合了",
        "我吃完饭再看",
        "今天网络太差了",
        "对",
        "第二种",
        "那个分支是对的，没写反",
        "打印了这个：\n```\nWARN {stem}: 不得重复调用\nWARN {stem}: 禁止共享句柄\n```\n什么意思？",
        "FAILED tests/test_{stem}.py::test_empty - AssertionError: must never be empty\n1 failed, 31 passed in 2.10s\n\n又来？",
        "把 {file} 刚才那处撤回来",
        "文档里说的硬限制是这个吗？",
        "刚在开会，到哪了？",
        "给 {file} 的空列表情况补个测试",
        "好，下一个",
        "列表是空的会怎么样？",
        "你说有三处，我怎么只看到两处",
        "{file} 里那句“千万别调换顺序”是谁写的？",
    ),
}
ANSWERS = {
    "en": (
        "{stem} reads the input, checks it and hands it on.",
        "Done, the tests of {file} pass.",
        "The cause is in {file}: the result is used before it is ready.",
        "My plan: leave the callers alone, change only {stem}, and always run the suite afterwards.",
        "I will never call {stem} twice; that must not happen.",
        "There are two callers; both pass a list.",
        "I would suggest that we always validate first and never trust the cache.",
    ),
    "zh": (
        "{stem} 读入、检查，然后往下传。",
        "改好了，{file} 的测试过了。",
        "原因在 {file}：结果还没准备好就被用了。",
        "我的计划：不动调用方，只改 {stem}，最后必须跑全量测试。",
        "我绝不会重复调用 {stem}，这种事不能发生。",
        "一共两处调用，传的都是列表。",
        "我建议以后统一先校验，不要相信缓存。",
    ),
}
OUTPUTS = (
    "# Never import from internal/ here.\n# All handlers must be registered.\ndef {stem}(items):\n    return items\n",
    "12:// DO NOT reorder these fields\n31:// must hold the lock\n88:// 禁止在此处返回\n",
    "commit 4f1c2d0\n    Always close the {stem} handle\ncommit 88ab310\n    Don't use globals in {stem}\n",
    "==== 31 passed in 2.10s ====\nwarning: {stem} should not be used directly\n",
    "{{\"rules\": [\"never commit generated files\", \"use tabs only\"], \"file\": \"{file}\"}}\n",
    "## Conventions\n- You must sign every commit.\n- 不要在周五发布。\n- Prefer {stem} over copies.\n",
)
TOOLS = (("Read", "file_path"), ("Grep", "pattern"), ("Bash", "command"))


class Transcript:
    """Rows as Claude Code writes them."""

    def __init__(self, name: str) -> None:
        self.random = random.Random(name)
        self.id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        self.rows: list[dict[str, Any]] = []
        self.context = 18_000

    def row(self, kind: str, **fields: Any) -> dict[str, Any]:
        at = BEGIN + timedelta(seconds=20 * len(self.rows))
        made = {
            "type": kind,
            "uuid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
            "parentUuid": self.rows[-1]["uuid"] if self.rows else None,
            "sessionId": self.id,
            "timestamp": at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "cwd": "/srv/code/orchid",
            "isSidechain": False,
            "version": "2.1.0",
            **fields,
        }
        self.rows.append(made)
        return made

    def person(self, text: str) -> int:
        """The line it stands on."""
        self.row("user", message={"role": "user", "content": text})
        return len(self.rows)

    def agent(self, *content: dict[str, Any]) -> None:
        self.context += self.random.randrange(300, 1200)
        usage = {"input_tokens": 8, "cache_read_input_tokens": self.context, "output_tokens": 90}
        message = {"id": f"msg_{self.id[:8]}_{len(self.rows)}", "role": "assistant", "model": "model-s"}
        self.row("assistant", message={**message, "content": list(content), "usage": usage})

    def tool(self, file: str, output: str) -> None:
        name, argument = self.random.choice(TOOLS)
        call = f"toolu_{self.id[:8]}_{len(self.rows)}"
        value = file if name == "Read" else f"git log -3 -- {file}" if name == "Bash" else "must|never"
        self.agent({"type": "tool_use", "id": call, "name": name, "input": {argument: value}})
        block = {"type": "tool_result", "tool_use_id": call, "content": output}
        self.row("user", message={"role": "user", "content": [block]})

    def compaction(self, summary: str) -> None:
        metadata = {"trigger": "auto", "preTokens": self.context}
        boundary = self.row(
            "system", subtype="compact_boundary", content="Conversation compacted", compactMetadata=metadata
        )
        boundary["parentUuid"] = None
        self.context = 9_000
        text = f"This session is being continued from a previous conversation.\n\n{summary}"
        self.row("user", isCompactSummary=True, message={"role": "user", "content": text})


def play(plan: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows of the session, and the line of each text that was planned."""
    transcript = Transcript(plan["name"])
    chance = transcript.random
    chatter = _without_end(CHATTER[plan["language"]], chance)
    lines: dict[str, int] = {}
    for turn in range(1, plan["turns"] + 1):
        file = chance.choice(plan["files"])
        names = {"file": file, "stem": Path(file).stem.lower()}
        planned = plan["said"].get(str(turn))
        line = transcript.person(planned or next(chatter).format(**names))
        if planned:
            lines[planned] = line
        if chance.random() < 0.5:
            transcript.tool(file, chance.choice(OUTPUTS).format(**names))
        answer = chance.choice(ANSWERS[plan["language"]]).format(**names)
        transcript.agent({"type": "text", "text": answer})
        if turn == plan["compaction_after"]:
            transcript.compaction(plan["summary"])
    return transcript.rows, lines


def labels(plan: dict[str, Any], lines: dict[str, int]) -> dict[str, Any]:
    """What must stand, must not stand any more and must never stand, each rule with its line."""
    active = [
        rule | {"line": next(line for text, line in lines.items() if rule["text"] in text)}
        for rule in plan["active"]
    ]
    kept = {key: plan[key] for key in ("language", "withdrawn", "never", "optional")}
    return {**kept, "active": active}


def _without_end(texts: tuple[str, ...], chance: random.Random) -> Iterator[str]:
    while True:
        yield from chance.sample(texts, len(texts))


def made() -> dict[str, str]:
    """File name to content."""
    files = {}
    for plan in json.loads(PLANS.read_text(encoding="utf-8")):
        rows, lines = play(plan)
        files[f"{plan['name']}.jsonl"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        told = json.dumps(labels(plan, lines), ensure_ascii=False, indent=1)
        files[f"{plan['name']}.labels.json"] = told + "\n"
    return files


def main() -> None:
    SESSIONS.mkdir(exist_ok=True)
    for name, content in made().items():
        (SESSIONS / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
