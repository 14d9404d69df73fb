"""What is said and done at work: messages of the person, deeds of the agent, rules and their withdrawal."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECRET = "ghp_" + "s0akT3stS0akT3stS0akT3stS0akT3stS0ak"
"""Looks like a credential; it must stand in no file of ours."""
PARTS = ("basket", "checkout", "invoice", "login", "mailer", "prices", "report", "search", "stock", "upload")
WORK = (
    "The {part} page shows the wrong total when two coupons are used. Please find out why and fix it.",
    "Can you add a test for {part} with an empty list? I think it raises at the moment.",
    "Look at `src/{part}.py` and tell me why the second request is so slow.",
    "Rename `load_{part}` to `fetch_{part}`; there are three callers, as far as I know.",
    "The build of {part} broke tonight. The log is below.\n\n{noise}",
    "看一下 `src/{part}.py`，为什么第二个请求这么慢？",
    "把 {part} 的测试补上，边界情况也要覆盖。",
)
THOUGHTS = (
    "I found it: `{part}` reads the row before it is written. I moved the call behind the commit.",
    "The test fails because the fixture of {part} has no tax. I added it; all 214 tests pass now.",
    "I read `src/{part}.py`. The loop asks the database for each item; one query is enough.\n\n{noise}",
    "`src/{part}.py` 里的循环每次都访问数据库，改成一次查询就可以了。",
)
RULES = (
    ("Never edit `src/legacy_{n}.py` by hand.", "You may edit `src/legacy_{n}.py` by hand again."),
    ("From now on, run `make check_{n}` before every commit.", "Forget the rule about `make check_{n}`."),
    ("以后不要修改 `src/legacy_{n}.py`。", "不用再遵守关于 `src/legacy_{n}.py` 的规定。"),
)
WORDS = ("value", "row", "token", "field", "index", "parse", "total", "buffer", "order", "retry", "cache")


@dataclass(kw_only=True)
class Rule:
    """One that was said in a session: its name stands in nothing else."""

    name: str
    project: Path
    withdrawal: str
    is_withdrawn: bool = False


@dataclass(frozen=True, kw_only=True)
class Deed:
    """One call of a tool, and what came of it: in the words of Claude Code."""

    tool: str
    input: dict[str, Any]
    output: str
    is_error: bool = False


@dataclass(kw_only=True)
class Speech:
    """Of one session.  `numbers` is shared by all: no two rules are alike."""

    rng: random.Random
    project: Path
    numbers: itertools.count[int]
    has_plans: bool = True
    rules: list[Rule] = field(default_factory=list)

    def message(self) -> str:
        chance = self.rng.random()
        if chance < 0.07:
            return self._rule()
        standing = [rule for rule in self.rules[:-1] if not rule.is_withdrawn]
        if chance < 0.085 and standing:
            rule = self.rng.choice(standing)
            rule.is_withdrawn = True
            return rule.withdrawal
        if chance < 0.09:
            return f"{self._filled(WORK)}\n\nexport GITHUB_TOKEN={SECRET}"
        return self._filled(WORK)

    def reply(self) -> str:
        return self._filled(THOUGHTS)

    def deed(self) -> Deed:
        part = self.rng.choice(PARTS)
        path = str(self.project / "src" / f"{part}.py")
        chance = self.rng.random()
        if chance < 0.3:
            return Deed(tool="Read", input={"file_path": path}, output=self._result())
        if chance < 0.6:
            change = {"file_path": path, "old_string": self.noise(8), "new_string": self.noise(12)}
            return Deed(tool="Edit", input=change, output=f"The file {path} has been updated.")
        if chance < 0.64 and self.has_plans:
            return Deed(tool="TodoWrite", input={"todos": self._plan()}, output="Todos have been modified.")
        command = self.rng.choice((f"pytest -q tests/test_{part}.py", f"git diff src/{part}.py", "make lint"))
        is_error = self.rng.random() < 0.2
        output = f"1 failed, 213 passed in 3.1s\n{self._result()}" if is_error else f"ok\n{self._result()}"
        return Deed(tool="Bash", input={"command": command}, output=output, is_error=is_error)

    def noise(self, words: int) -> str:
        return " ".join(self.rng.choices(WORDS, k=words))

    def _rule(self) -> str:
        said, withdrawal = self.rng.choice(RULES)
        name = _name(next(self.numbers))
        self.rules.append(Rule(name=name, project=self.project, withdrawal=withdrawal.format(n=name)))
        return said.format(n=name)

    def _result(self) -> str:
        """Most are short; now and then one is as large as a log."""
        lines = 20_000 if self.rng.random() < 0.004 else self.rng.randrange(2, 40)
        line = self.noise(9)
        return "\n".join(f"{number:>6}  {line}" for number in range(lines))

    def _plan(self) -> list[dict[str, str]]:
        """As far as the work has come."""
        done = self.rng.randrange(4)
        part = self.rng.choice(PARTS)
        steps = (f"read {part}", f"write the test of {part}", f"mend {part}", f"tell what {part} does")
        states = ["completed"] * done + ["in_progress"] + ["pending"] * 3
        return [
            {"content": step, "status": state, "activeForm": step}
            for step, state in zip(steps, states, strict=False)
        ]

    def _filled(self, texts: tuple[str, ...]) -> str:
        part = self.rng.choice(PARTS)
        return self.rng.choice(texts).format(part=part, noise=self.noise(self.rng.randrange(20, 200)))


def _name(number: int) -> str:
    """Not a number: of two rules that differ by a number alone the later one may be a correction."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    first, second = divmod(number * 1_277 % len(syllables) ** 2, len(syllables))
    return f"{syllables[first]}{syllables[second]}{syllables[(first + second) % len(syllables)]}"


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
