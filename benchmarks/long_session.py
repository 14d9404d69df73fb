"""Writes a long session of Claude Code as people have them: what is said, what is run, and what comes back.

To each message of the person some 30 calls of tools and 20 messages of the agent, with results of 1 to 10 kB
that the transcript holds twice.  What tools read and edit is the source code of Python's own library.
"""

from __future__ import annotations

import json
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

AT = "2026-11-29T10:00:00.000Z"
SESSION = "11111111-0000-4000-8000-000000000001"
PROJECT = "/home/user/project"
RESULT_CHARS = (400, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7000, 10_000)
FILE_CHARS = (2000, 4000, 6000, 9000, 12_000, 18_000, 30_000)
CALLS_OF_TURN = (6, 14, 22, 28, 30, 34, 40, 66)
MESSAGE_SHARE = 0.65
"""So many calls follow words of the agent; the others follow each other."""
PERSON = (
    "the invoice totals are off by one cent when a discount applies. can you find out why?",
    "yes, go on",
    "looks good. please also cover the empty cart with a test",
    "继续",
    "这个报错看一下：\n```\n{output}\n```\n应该是上次改动引起的",
    "Never edit the generated files under src/gen, run `make gen` instead.",
    "不要动 config/prod.toml，本地联调只改 config/dev.toml",
    "hm, why is the cache invalidated twice here?",
    "I ran it and got this:\n\n{output}\n\nany idea?",
    "ok now the same for refunds. We use pnpm here, not npm.",
    "提交信息用英文写，一行说清楚做了什么",
    "This is what the log says after the deploy:\n\n{output}\n",
    "could you split the parser into two modules? keep the public names as they are, other teams import them",
    "好，接下来把导出的部分也改了。测试跑全量的，别只跑单个文件",
    "thanks! commit this and then look at the flaky test in tests/test_upload.py",
    "wait, that is not what i meant. The limit belongs into the settings, the handler must not know it.",
    "ok",
    "what does `settle` return for an order without lines?",
    "可以，继续往下做吧",
    "hmm the page is still blank after login, see the console:\n\n{output}",
    "that is better. now the second one",
    "为什么这里要查两次数据库？",
    "please look at src/part_12.py first, I think the bug is in the loop at the end",
    "run it again",
)
AGENT = (
    "I'll look at how the totals are put together first.",
    "The test fails because the fixture still uses the old column. Let me update it and run the suite again.",
    "现在我来看一下这个函数是在哪里被调用的，然后再决定怎么改。",
    "Found it: `round_half_up` is applied to each line and once more to the sum, so two roundings add up. "
    "The fix is to keep the exact value until the end.",
    "All 214 tests pass now. Next I'll update the documentation.",
    "Let me check the callers before I change the signature.",
    "Now I'll add the test for the empty cart.",
    "The file is larger than I thought, so I'll read the second half as well.",
    "Good, the types are right now. Let me run the linter on the files that I touched.",
    "这个函数有三个调用方，我先看一下它们各自传了什么参数。",
    "Two callers pass `None` here. I'll look at how the settings are loaded to see where it comes from.",
    "The docs need one more line about the new option.",
    "Now the same for the refunds.",
    "好的，继续处理导出部分。",
    "Let me see the log of the last run to find out which worker was slow.",
    "测试都通过了。接下来更新文档，并把变更写进 CHANGELOG。",
    "I've decided to keep the parser in one pass instead of two, because the second pass would read the file "
    "again.\n\n## What changed\n\n- `parse` takes the encoding\n- the tests cover empty input\n- the README "
    "names the option\n\nThe remaining failures are in `tests/test_export.py`; they come from the locale of "
    "this machine, and not from the change.",
    "That did not work: the mock is patched too late. I tried to patch it in the fixture, but the import "
    "happens earlier.",
)
COMMANDS = (
    "ls -la src tests",
    "git status --short && git diff --stat",
    "python -m pytest -q tests/test_cart.py 2>&1 | tail -40",
    "cd web && npm test -- --run cart",
    "rg -n 'def parse' src | head -30",
    "cat src/settings.py",
    "git add -A && git commit -m 'Round once, at the end'",
    "for f in src/*.py; do wc -l $f; done",
    "curl -s localhost:8080/health | jq .",
    "sed -n '120,180p' src/cart.py",
    "make lint",
    "docker compose logs --tail=50 api",
)


def write(path: Path, size: int, *, project: str = PROJECT, session: str = SESSION, seed: int = 1) -> None:
    """At least so many bytes; the same for the same seed and library."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for record in _Session(project, session, random.Random(seed)).records():
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            if file.tell() >= size:
                return


class _Session:
    def __init__(self, project: str, session: str, chance: random.Random) -> None:
        self._project = project
        self._session = session
        self._chance = chance
        self._count = self._request = 0
        files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
        self._sources = [text for file in files if len(text := file.read_text("utf-8", "replace")) > 20_000]

    def records(self) -> Iterator[dict[str, Any]]:
        while True:
            said = self._chance.choice(PERSON).replace("{output}", self._source(1200))
            yield self._record("user", {"role": "user", "content": said})
            for _ in range(self._chance.choice(CALLS_OF_TURN)):
                yield from self._step()
            yield self._answer({"type": "text", "text": self._chance.choice(AGENT)})

    def _step(self) -> Iterator[dict[str, Any]]:
        """One request: thoughts, often some words, a call; and what comes of it."""
        call_id = f"toolu_{self._count:024}"
        name, given, output = self._call()
        self._request += 1
        yield self._answer({"type": "thinking", "thinking": "", "signature": "QUJDREVG" * 60})
        if self._chance.random() < MESSAGE_SHARE:
            yield self._answer({"type": "text", "text": self._chance.choice(AGENT)})
        yield self._answer({"type": "tool_use", "id": call_id, "name": name, "input": given})
        result = {"tool_use_id": call_id, "type": "tool_result", "content": output, "is_error": False}
        told = self._told(name, given, output)
        yield self._record("user", {"role": "user", "content": [result]}) | {"toolUseResult": told}

    def _call(self) -> tuple[str, dict[str, Any], str]:
        file = f"{self._project}/src/part_{self._chance.randrange(60)}.py"
        kind = self._chance.random()
        if kind < 0.35:
            return "Bash", {"command": self._chance.choice(COMMANDS), "description": "Run it"}, self._output()
        if kind < 0.6:
            lines = self._output().split("\n")
            return (
                "Read",
                {"file_path": file},
                "\n".join(f"{at:>6}→{line}" for at, line in enumerate(lines, 1)),
            )
        if kind < 0.7:
            given = {"pattern": "def parse", "path": f"{self._project}/src", "output_mode": "content"}
            return "Grep", given, self._output()
        if kind < 0.95:
            before = self._source(600)
            after = before.replace("self", "own", 2) if kind < 0.73 else f"{before}\n    # {self._count}\n"
            edit = {"file_path": file, "old_string": before, "new_string": after}
            return "Edit", edit, f"The file {file} has been updated.\n{self._source(900)}"
        step = {"content": "Round once", "status": "in_progress", "activeForm": "Rounding"}
        return "TodoWrite", {"todos": [step] * 6}, "Todos have been modified successfully."

    def _told(self, name: str, given: dict[str, Any], output: str) -> dict[str, Any]:
        """What the program keeps for itself beside what the model sees: of an edit the whole file."""
        if name == "Edit":
            old, new = given["old_string"], given["new_string"]
            lines = [f"-{line}" for line in old.split("\n")] + [f"+{line}" for line in new.split("\n")]
            patch = [{"oldStart": 120, "oldLines": 20, "newStart": 120, "newLines": 20, "lines": lines}]
            whole = self._source(self._chance.choice(FILE_CHARS))
            told = {"filePath": given["file_path"], "oldString": old, "newString": new}
            return told | {"originalFile": whole, "structuredPatch": patch, "userModified": False}
        if name == "Read":
            file = {"filePath": given["file_path"], "content": output, "numLines": 90, "startLine": 1}
            return {"type": "text", "file": file}
        if name == "TodoWrite":
            return {"oldTodos": given["todos"], "newTodos": given["todos"]}
        return {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}

    def _output(self) -> str:
        return self._source(self._chance.choice(RESULT_CHARS))

    def _source(self, length: int) -> str:
        text = self._chance.choice(self._sources)
        start = self._chance.randrange(max(1, len(text) - length))
        return text[start : start + length]

    def _answer(self, block: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 3, "cache_creation_input_tokens": 900, "output_tokens": 210}
        usage |= {"cache_read_input_tokens": 20_000 + self._request % 900 * 100}
        message = {"model": "claude-opus-4-7", "id": f"msg_{self._request}", "type": "message"}
        message |= {"role": "assistant", "content": [block], "usage": usage}  # type: ignore[dict-item]
        return self._record("assistant", message) | {"requestId": f"req_{self._request}"}

    def _record(self, kind: str, message: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        return {
            "parentUuid": f"{self._count - 1:08}-0000-4000-8000-000000000000",
            "isSidechain": False,
            "userType": "external",
            "cwd": self._project,
            "sessionId": self._session,
            "version": "2.1.111",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": f"{self._count:08}-0000-4000-8000-000000000000",
            "timestamp": AT,
        }
