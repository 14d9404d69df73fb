"""The vendor scripts, run as the kernel runs them: from a memory on stdin to the snippet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest

from agentinitd.memory.captured_serving import with_captured
from agentinitd.memory.serving import memory_json
from agentinitd.memory.store import MemoryStore
from agentinitd.model.facts import Anchor, JsonValue, Memory
from agentinitd.model.scripts import Header, Script, ScriptRun
from agentinitd.model.snippets import Snippet
from agentinitd.snippet.compose import compose
from agentinitd.snippet.fragments import fragment_of
from agentinitd.snippet.tokens import TokenCounter

INIT_D = Path(__file__).resolve().parents[2] / "init.d"
NAMES = (
    "S10-constraints",
    "S15-captured-rules",
    "S20-tools",
    "S30-task-state",
    "S40-decisions",
    "S45-captured-facts",
)
COUNTER = TokenCounter()


def entry(what: str, **fields: JsonValue) -> dict[str, JsonValue]:
    return {"what": what, "why": None, "stale": None, "priority": "normal", **fields}


def stdin(**memory: JsonValue) -> dict[str, JsonValue]:
    empty: dict[str, JsonValue] = {
        "language": "en",
        "constraints": [],
        "tools": [],
        "decisions": [],
        "task_state": None,
    }
    return {"api": 1, "memory": {**empty, **memory}}


def captured_entry(what: str, **fields: JsonValue) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {"kind": "rule", "force": "hard", "topic": "", "outcome": None}
    return entry(what, **{**given, "source": "s:1", **fields})


def task(**fields: JsonValue) -> dict[str, JsonValue]:
    lists: dict[str, JsonValue] = {"blockers": [], "in_progress": [], "pending": [], "completed": []}
    state = {**lists, **fields}
    counts = {key: len(found) for key in lists if isinstance(found := state[key], list)}
    return {**state, "counts": {"blocked": counts.pop("blockers"), **counts}}


def run(
    name: str, given: dict[str, JsonValue], *arguments: str, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [INIT_D / name, *(arguments or ("start",))],
        input=json.dumps(given).encode(),
        env={"PATH": path, **environment},
        capture_output=True,
        timeout=20,
        check=False,
    )


def printed(name: str, given: dict[str, JsonValue]) -> str:
    done = run(name, given)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("name", NAMES)
class TestEachScript:
    def test_it_is_an_executable_python_file_with_a_whole_header(self, name: str) -> None:
        text = (INIT_D / name).read_text()

        assert os.access(INIT_D / name, os.X_OK)
        assert text.startswith("#!/usr/bin/env python3\n### BEGIN INIT INFO\n")
        for key in ("Default-Start", "Short-Description", "X-Agentinitd-Section", "X-Agentinitd-Essential"):
            assert f"# {key}: " in text
        assert f"# Provides:                 {name[4:]}\n" in text
        # What it is handed of its own task counts anyhow; a change in another one is no reason to run.
        assert "# X-Agentinitd-Inputs:" in text and "tasks/" not in text
        assert "### END INIT INFO\n" in text

    def test_it_imports_the_standard_library_only(self, name: str) -> None:
        """TRU-10: none of them can start a program of the project."""
        lines = (INIT_D / name).read_text().splitlines()

        assert [line for line in lines if line.startswith(("import", "from"))] == [
            "import json",
            "import sys",
        ]

    def test_with_nothing_to_say_it_says_nothing(self, name: str) -> None:
        assert printed(name, stdin()) == ""

    @pytest.mark.parametrize("arguments", [("stop",), ("restart",), ("start", "now")])
    def test_an_action_it_does_not_know_ends_with_3(self, name: str, arguments: tuple[str, ...]) -> None:
        """EXE-1."""
        done = run(name, stdin(), *arguments)

        assert (done.returncode, done.stdout) == (3, b"")

    def test_it_speaks_utf_8_whatever_the_locale(self, name: str) -> None:
        rule = entry("不要推送")
        state = task(goal="不要推送")
        captured: list[JsonValue] = [captured_entry("不要推送"), captured_entry("不要推送", kind="value")]
        given = stdin(constraints=[rule], tools=[rule], decisions=[rule], task_state=state, captured=captured)

        done = run(
            name, given, LC_ALL="POSIX", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="latin-1"
        )

        assert "不要推送" in done.stdout.decode()


@pytest.mark.parametrize(
    ("name", "key"),
    [("S10-constraints", "constraints"), ("S20-tools", "tools"), ("S40-decisions", "decisions")],
)
def test_an_anchor_is_one_item_with_its_reason_its_warning_and_its_rank(name: str, key: str) -> None:
    anchors: list[JsonValue] = [
        entry("a", why="b", stale="(last checked 9 d ago)", priority="critical"),
        entry("c", priority="low"),
        entry("d"),
    ]
    given = stdin(**{key: anchors})

    assert printed(name, given) == (
        "- a (last checked 9 d ago)\n  b <!-- priority: critical -->\n- c <!-- priority: low -->\n- d\n"
    )


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "- Redis\n  one part less\n  Back to this (2026-11-09): never mind\n"
            "- Tried, failed: a longer timeout\n"
            "- Open conflict: cache (d1, d5), `agentinitd decisions list` <!-- priority: low -->\n",
        ),
        (
            "zh",
            "- Redis\n  one part less\n  又改回此项 (2026-11-09): never mind\n"
            "- 试过，不行：a longer timeout\n"
            "- 未决冲突: cache (d1, d5), `agentinitd decisions list` <!-- priority: low -->\n",
        ),
    ],
)
def test_decisions_tell_what_brought_them_back_what_failed_and_what_is_unsettled(
    language: str, expected: str
) -> None:
    again: dict[str, JsonValue] = {"id": "d4", "what": "never mind", "on": "2026-11-09"}
    given = stdin(
        language=language,
        decisions=[
            entry("Redis", why="one part less", outcome=None, restored=again),
            entry("a longer timeout", outcome="failed", restored=None),
        ],
        conflicts=[{"topic": "cache", "served": "d1", "others": ["d5"]}],
    )

    assert printed("S40-decisions", given) == expected


class TestCaptured:
    MIXED: list[JsonValue] = [  # noqa: RUF012
        captured_entry("别动 migrations/0007", why="已上线", stale="（8 天前记录，未核对）"),
        captured_entry("不许动啊", topic="0008", priority="critical"),
        captured_entry("能不引新依赖就别引了", force="soft", priority="low"),
        captured_entry("sorry, clang", corrects="Use gcc for all builds"),
        captured_entry("可以推 main 了", against=[{"what": "禁止直接推 main", "file": "anchors/rules.md"}]),
        captured_entry("timeout 60", kind="dead_end", outcome="failed", why="90 s", source="s:4 (agent)"),
        captured_entry("staging port 5433", kind="value", source="s:9 (tool)"),
        captured_entry("先别发布", is_external=True),
        captured_entry("keep gRPC", kind="decision", source="s:9 via capture_command", is_external=True),
    ]

    def test_rules_are_in_the_words_of_the_person_and_wishes_are_told_apart(self) -> None:
        assert printed("S15-captured-rules", stdin(language="zh", captured=self.MIXED)) == (
            "- 别动 migrations/0007 （8 天前记录，未核对）\n"
            "  已上线 <!-- optional -->\n"
            "- 0008: 不许动啊 <!-- priority: critical -->\n"
            "- 偏好：能不引新依赖就别引了\n"
            "- Use gcc for all builds → sorry, clang\n"
            "- 可以推 main 了（取代 rules.md 中的“禁止直接推 main”）\n"
            "- 先别发布〔capture_command 所读〕\n"
        )

    def test_facts_come_with_their_reason_and_say_when_they_are_the_agents_words(self) -> None:
        assert printed("S45-captured-facts", stdin(captured=self.MIXED)) == (
            "- Tried, failed: timeout 60 (because 90 s) [agent's words] <!-- priority: low -->\n"
            "- staging port 5433 <!-- priority: low -->\n"
            "- keep gRPC [read by capture_command] <!-- priority: low -->\n"
        )

    def test_fifteen_hard_rules_fit_beside_a_task_and_leave_old_decisions_out_first(self) -> None:
        generated = "never edit module_{n:02}/generated_api.py by hand, it is built"
        rules = tuple(
            Anchor(id=f"x-{n}", kind="constraint", captured="rule", said=n, what=generated.format(n=n))
            for n in range(15)
        )
        wish = Anchor(id="w", kind="constraint", captured="rule", priority="low", what="short functions")
        words = "word " * 9
        old = tuple(Anchor(id=f"d{n}", kind="decision", what=f"old decision {n}: {words}") for n in range(20))
        facts = tuple(Anchor(id=f"f{n}", kind="tool", captured="value", what=words) for n in range(9))
        state: dict[str, JsonValue] = {
            "task_id": "ocr-417", "goal": "Stable retry", "next_action": "Fix ocr/client.py:88",
            "status": "active", "completed": [], "pending": ["tests", "docs"], "blockers": [],
            "branch": "feat/ocr",
        }  # fmt: skip
        memory = Memory(decisions=old, captured=(wish, *facts, *rules), task_state=state)
        memory = with_captured(memory, session_id="s", task_id=None, capture="auto")

        text = snippet_of(memory, "2026-11-20").text

        shown = [line for line in text.splitlines() if "generated_api" in line]
        assert [line[20:22] for line in shown] == [f"{n:02}" for n in range(14, -1, -1)]
        assert COUNTER.count(text) <= 500
        assert "Fix ocr/client.py:88" in text
        assert "old decision 19" not in text


def test_a_task_shows_its_next_step_first_and_exact_values_word_for_word() -> None:
    command = 'pytest -q -n 4 -k "not slow"  tests/ocr --randomly-seed=20931'
    state = task(
        task_id="ocr-417",
        goal="Stable retry",
        next_action="Fix ocr/client.py",
        blockers=["no key"],
        in_progress=["2/3 Fix"],
        pending=["a", "b", "c", "d"],
        completed=["r"],
        last_updated="2026-11-18",
        branch="feat/ocr",
        services={"port": 5433},
        commands={"test": [command]},
        notes="n" * 121,
        none=None,
    )

    assert printed("S30-task-state", stdin(task_state=state)) == (
        "- Task: ocr-417 · Stable retry\n"
        "- Next: Fix ocr/client.py <!-- priority: critical -->\n"
        "- Blocked: no key <!-- priority: critical -->\n"
        "- In progress: 2/3 Fix\n"
        "- branch: feat/ocr\n"
        "- services.port: 5433\n"
        f"- commands.test: {command}\n"
        f"- notes: {'n' * 121} <!-- priority: low -->\n"
        "- Pending: a; b; c +1 <!-- priority: low -->\n"
        "- Done: 1/7 <!-- priority: low -->\n"
    )


def test_a_task_in_chinese_is_labelled_in_chinese() -> None:
    state = task(goal="对账", next_action="续跑")

    assert printed("S30-task-state", stdin(language="zh", task_state=state)).startswith(
        "- 任务: 对账\n- 下一步: 续跑"
    )


# From the files of a project to the snippet, as a rebuild does it, with a clock of our own.

SECTIONS = {
    "constraints": "Constraints",
    "tools": "Tools",
    "task-state": "Task state",
    "decisions": "Decisions",
    "captured-rules": "Said in the session",
    "captured-facts": "Found in the session",
}


def snippet_of(memory: Memory, now: str, *, budget: int = 500, names: Iterable[str] = NAMES) -> Snippet:
    given: dict[str, JsonValue] = {"memory": memory_json(memory, now=at(now), stale_days=7)}
    fragments = []
    for name in names:
        header = Header(section=SECTIONS[name[4:]], is_essential=name == "S30-task-state")
        script = Script(name=name, key=name[4:], order=int(name[1:3]), layer="vendor", path="", header=header)
        output = printed(name, given)
        result = ScriptRun(script=script, action="start", result="ok" if output else "empty", output=output)
        fragments.append(fragment_of(result, language=memory.language))
    spoken = [fragment for fragment in fragments if fragment]
    return compose(spoken, budget_tokens=budget, language=memory.language, count=COUNTER.count).snippet


def at(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def item(text: str, **fields: str | None) -> str:
    return f"- {text}\n  <!-- {'; '.join(f'{key}: {value}' for key, value in fields.items() if value)} -->\n"


def write(project: Path, name: str, text: str) -> None:
    path = project / ".agent-memory" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


class TestStaleAfterSevenDays:
    """Field case 20, steps 1 and 2."""

    NOW = "2026-11-20T09:00:00Z"
    FILES = {"rule": "project_constraints", "interface": "tool_interfaces", "decision": "decision_log"}  # noqa: RUF012

    @pytest.fixture
    def project(self, shared: Path, tmp_path: Path) -> Path:
        for kind, name in self.FILES.items():
            anchors = records(shared / "field-cases/20-stale-after-seven-days/anchors.jsonl")
            text = "".join(
                item(
                    anchor["text"],
                    id=anchor["id"],
                    last_updated=anchor["created"],
                    verified=anchor["verified"],
                )
                for anchor in anchors
                if anchor["kind"] == kind
            )
            write(tmp_path, f"anchors/{name}.md", f"# Memory\n\n{text}")
        return tmp_path

    @staticmethod
    def warned(snippet: Snippet) -> dict[str, bool]:
        texts = {
            "a1": "legacy/billing 不要动",
            "a2": "发布只在周二",
            "a3": "create_invoice(customer_id: str, total_minor: int)",
            "a4": "对账走增量",
            "a5": "测试命令是 pytest -q -n 4",
        }
        lines = snippet.text.splitlines()
        found = {name: next(line for line in lines if text in line) for name, text in texts.items()}
        return {name: "未核对" in line for name, line in found.items()}

    EXPECTED = {"a1": False, "a2": True, "a3": False, "a4": True, "a5": True}  # noqa: RUF012

    def test_exactly_those_that_nobody_checked_for_long_carry_a_warning(self, project: Path) -> None:
        snippet = snippet_of(MemoryStore().load(project), self.NOW)

        assert self.warned(snippet) == self.EXPECTED
        assert "发布只在周二 （7 天未核对）" in snippet.text
        assert "对账走增量 （9 天前记录，未核对）" in snippet.text
        assert "测试命令是 pytest -q -n 4 （30 天未核对）" in snippet.text

    def test_serving_touching_and_restarting_are_no_verification(self, project: Path) -> None:
        store = MemoryStore()
        first = snippet_of(store.load(project), self.NOW)
        for _ in range(2):
            assert snippet_of(store.load(project), self.NOW) == first
        for path in (project / ".agent-memory/anchors").iterdir():
            path.touch()
            os.utime(path, (at(self.NOW), at(self.NOW)))

        assert snippet_of(store.load(project), self.NOW) == first
        assert snippet_of(MemoryStore().load(project), self.NOW) == first

    def test_what_a_person_verified_carries_none(self, project: Path) -> None:
        path = project / ".agent-memory/anchors/project_constraints.md"
        path.write_text(path.read_text().replace("2026-10-21T09:00:00Z", self.NOW))

        assert self.warned(snippet_of(MemoryStore().load(project), self.NOW)) == self.EXPECTED | {"a5": False}


class TestTheBudgetInChinese:
    """Field case 16."""

    NOW = "2026-11-20T09:00:00Z"

    @pytest.fixture
    def memory(self, shared: Path, tmp_path: Path) -> Memory:
        case = shared / "field-cases/16-budget-in-chinese"
        rules = (
            item(rule["text"], id=rule["id"], priority=rule["rank"], last_updated=rule["at"])
            for rule in records(case / "rules.jsonl")
        )
        decisions = (
            item(decision["text"], id=decision["id"], last_updated=decision["at"])
            for decision in records(case / "decisions.jsonl")
        )
        write(tmp_path, "anchors/project_constraints.md", "".join(rules))
        write(tmp_path, "anchors/decision_log.md", "".join(decisions))
        write(
            tmp_path,
            "tasks/ledger-230/state/task_state.json",
            (case / "state.json").read_text(encoding="utf-8"),
        )
        return MemoryStore().load(tmp_path, "ledger-230")

    def test_it_fits_and_uses_the_room(self, memory: Memory) -> None:
        assert 300 <= snippet_of(memory, self.NOW).tokens <= 500

    def test_every_critical_rule_is_there_whole(self, memory: Memory, shared: Path) -> None:
        snippet = snippet_of(memory, self.NOW)

        rules = records(shared / "field-cases/16-budget-in-chinese/rules.jsonl")
        critical = [rule["text"] for rule in rules if rule["rank"] == "critical"]
        assert len(critical) == 6
        assert [text for text in critical if text not in snippet.text] == []

    def test_the_task_its_branch_its_step_and_what_comes_next_are_there(self, memory: Memory) -> None:
        snippet = snippet_of(memory, self.NOW)

        for text in ("ledger-230", "feat/ledger-230", "14/24 第 14 步：", "给分区 14 补上断点续跑"):
            assert text in snippet.text

    def test_no_line_is_cut_and_what_is_left_out_is_told(self, memory: Memory) -> None:
        snippet = snippet_of(memory, self.NOW)

        known = [anchor.what for anchor in memory.anchors]
        shown = [
            line for line in snippet.text.partition("## 任务状态")[0].splitlines() if line.startswith("- ")
        ]
        assert all(any(line[2:].startswith(what) for what in known) for line in shown)
        assert f"{snippet.omitted} 条未列：`agentinitd snippet --budget " in snippet.text

    def test_twice_gives_the_same_bytes(self, memory: Memory) -> None:
        assert snippet_of(memory, self.NOW).text.encode() == snippet_of(memory, self.NOW).text.encode()

    def test_the_slim_snippet_holds_the_task_only_within_its_budget(self, memory: Memory) -> None:
        snippet = snippet_of(memory, self.NOW, budget=150, names=["S30-task-state"])

        assert snippet.tokens <= 150
        assert "断点续跑" in snippet.text
        assert "约束" not in snippet.text


def test_exact_values_and_dead_ends_fit_into_the_budget(shared: Path, tmp_path: Path) -> None:
    """Field case 11, as far as reading goes."""
    case = shared / "field-cases/11-exact-values-and-dead-ends"
    decisions = "".join(
        item(found["text"], id=found["id"], last_updated=found["at"], supersedes=found.get("supersedes"))
        for found in records(case / "decisions.jsonl")
    )
    write(tmp_path, "anchors/decision_log.md", decisions)
    write(tmp_path, "state/task_state.json", (case / "state.json").read_text())

    snippet = snippet_of(MemoryStore().load(tmp_path), "2026-11-18T14:00:00Z")

    for exact in (
        "feat/ocr-retry-417",
        "/srv/code/orchard-wt-417",
        "5433",
        'pytest -q -n 4 -k "not slow" tests/ocr --randomly-seed=20931',
        "Make the retry reuse the open page handle in ocr/client.py",
        "Raising the timeout to 90 s does not help",
        "Freezing the clock",
        "已经采用",
    ):
        assert exact in snippet.text
    assert "wrong colours" not in snippet.text
    assert snippet.tokens <= 500
    assert snippet.omitted == 0
