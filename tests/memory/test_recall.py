"""Whatever was recorded is found again, from an index that may be missing, broken, locked or foreign."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import Answer, Question, answer_json, question_of
from agentinitd.model.errors import UsageError

DATA = Path(__file__).resolve().parents[1] / "data" / "recall"
NOVEMBER_10 = 1_794_268_800.0
DAY = 86_400


class Project:
    """A memory that is written by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.memory = folder / ".agent-memory"
        self.memory.mkdir(parents=True)
        self.index = self.memory / "index.sqlite"

    def write(self, name: str, text: str) -> Path:
        path = self.memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def append(self, name: str, *records: object) -> None:
        path = self.memory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)

    def ask(self, text: str, **more: Any) -> Answer:
        return recall(self.folder, Question(text=text, **more))

    def texts(self, text: str, **more: Any) -> list[str]:
        return [hit.text for hit in self.ask(text, **more).hits]

    def ids(self, text: str, **more: Any) -> list[str]:
        return [hit.id for hit in self.ask(text, **more).hits]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


def log(*decisions: str) -> str:
    return "".join(f"- [decision] {decision}\n" for decision in decisions)


def test_57_of_60_realistic_queries_find_their_decision_among_the_first_five(project: Project) -> None:
    project.write("anchors/decision_log.md", (DATA / "decision_log.md").read_text(encoding="utf-8"))
    queries = [json.loads(line) for line in (DATA / "queries.jsonl").open(encoding="utf-8")]

    missed = [each["query"] for each in queries if each["wanted"] not in project.ids(each["query"])[:5]]

    assert Counter(each["kind"] for each in queries) == {"zh": 20, "en": 16, "id": 14, "mixed": 10}
    assert len(missed) <= 3, missed


class TestWhatIsFound:
    def test_an_anchor_with_kind_task_time_file_and_line(self, project: Project) -> None:
        text = "---\nlast_updated: 2026-11-10\n---\n\n- [tool] `deploy(env)`\n  Why: prod is guarded.\n"
        project.write("tasks/billing-417/anchors/tools.md", text)
        [hit] = project.ask("deploy").hits

        assert (hit.kind, hit.task, hit.at) == ("tool", "billing-417", NOVEMBER_10)
        assert (hit.file, hit.line) == ("tasks/billing-417/anchors/tools.md", 5)
        assert (hit.text, hit.why, hit.is_withdrawn) == ("`deploy(env)`", "prod is guarded.", False)

    @pytest.mark.parametrize("words", ["c-3f2a", "src/billing/*.py", "pnpm", "installed"])
    def test_by_its_id_its_files_its_words_and_its_reason(self, project: Project, words: str) -> None:
        comment = "<!-- id: c-3f2a; applies: src/billing/*.py -->"
        item = f"- [constraint] Tests: `pnpm test`\n  Why: jest is not installed.\n  {comment}\n"
        project.write("anchors/project_constraints.md", item)

        assert project.ids(words) == ["c-3f2a"]

    def test_values_of_the_task_state(self, project: Project) -> None:
        state = {
            "task_id": "ocr-417",
            "next_action": "keep the page handle open",
            "steps": [{"title": "read the CMYK scans", "status": "done"}],
            "services": {"port": 5433},
            "pending": ["写回归测试"],
        }
        project.write("state/task_state.json", json.dumps(state, indent=1, ensure_ascii=False))
        found = [project.ask(words).hits[0] for words in ("page handle", "cmyk", "5433", "回归测试")]

        assert [hit.text for hit in found] == [
            "next_action: keep the page handle open",
            "steps: read the CMYK scans · done",
            "services.port: 5433",
            "pending: 写回归测试",
        ]
        assert {(hit.kind, hit.task, hit.is_past) for hit in found} == {("state", "ocr-417", False)}
        assert [hit.line for hit in found] == [3, 6, 11, 14]

    def test_what_a_state_said_before_once_with_its_last_line(self, project: Project) -> None:
        for at, port in ((1.0, 5432), (2.0, 5432), (3.0, 5433)):
            record = {"at": at, "by": "user", "reason": "the port was taken", "state": {"port": port}}
            project.append("state/history.jsonl", record)
        project.write("state/task_state.json", '{"port": 5433}')

        assert [(hit.line, hit.at, hit.is_past) for hit in project.ask("5432").hits] == [(2, 2.0, True)]
        assert [(hit.file, hit.is_past) for hit in project.ask("5433").hits] == [
            ("state/task_state.json", False)
        ]
        assert project.texts("taken") == ["reason: the port was taken"]

    def test_what_agents_were_told_before_without_the_frame(self, project: Project) -> None:
        text = (
            "Recorded by the project's owner, in force now (agentinitd b359354b1f7e):\n\n## Rules\n"
            "- Deploy on Tuesdays (last checked 9 d ago)\n  The customers expect it\n\n## 决策\n"
            "- 会话缓存用 Redis（9 天未核对）\n\n"
            "7 left out; all: `agentinitd snippet --budget 1000`\n"
            "8 left out; search them: `agentinitd recall WORDS`\n9 条未列，可搜索：`agentinitd recall 词语`\n"
            "When unsure, check these first; do not assume.\n"
        )
        project.append("run/snippets.jsonl", {"at": 1.0, "task": "a", "id": "b359354b1f7e", "text": text})
        project.append(
            "run/snippets.jsonl", {"at": 2.0, "task": "a", "id": "b", "text": text.replace("9", "10")}
        )
        [hit] = project.ask("deploy tuesdays").hits

        assert (hit.kind, hit.text, hit.why) == ("snippet", "Deploy on Tuesdays", "The customers expect it")
        assert (hit.file, hit.line, hit.at, hit.task, hit.is_past) == (
            "run/snippets.jsonl",
            2,
            2.0,
            "a",
            True,
        )
        assert project.texts("会话缓存") == ["会话缓存用 Redis"]
        assert project.texts("left out") == project.texts("未列") == []
        assert (
            project.texts("unsure assume") == project.texts("owner recorded") == project.texts("rules") == []
        )

    def test_what_was_told_is_not_repeated_while_it_stands_in_the_memory(self, project: Project) -> None:
        project.append("run/snippets.jsonl", {"at": 1.0, "text": "- Deploy on Tuesdays\n- Deploy by hand\n"})
        project.write("anchors/decision_log.md", log("Deploy on Tuesdays"))

        assert [hit.kind for hit in project.ask("tuesdays").hits] == ["decision"]
        assert [hit.kind for hit in project.ask("deploy").hits] == ["decision", "snippet"]
        assert len(project.texts("deploy", kinds=("snippet",))) == 2

    def test_what_was_told_to_several_tasks_or_under_another_label_is_shown_once(
        self, project: Project
    ) -> None:
        for task in ("a", "b", None):
            text = "- Deploy on Tuesdays\n- Next: paint the lamp\n"
            project.append("run/snippets.jsonl", {"at": 1.0, "task": task, "text": text})
        for state in ({"pending": ["paint the lamp"]}, {"next_action": "paint the lamp"}):
            project.append("state/history.jsonl", {"at": 1.0, "state": state})

        assert len(project.ask("tuesdays").hits) == len(project.ask("lamp").hits) == 1
        project.write("state/task_state.json", '{"completed": ["paint the lamp"]}')
        assert project.texts("lamp") == ["completed: paint the lamp"]

    def test_of_a_long_text_the_part_around_the_hit(self, project: Project) -> None:
        words = "padding " * 200
        project.write("anchors/decision_log.md", log(f"{words}the quokka rule{words}"))
        [text] = project.texts("quokkas")

        assert "the quokka rule" in text
        assert text.startswith("…padding") and text.endswith("padding…")
        assert len(text) <= 302

    def test_all_words_come_first_and_some_of_them_follow(self, project: Project) -> None:
        project.write(
            "anchors/decision_log.md",
            log("redis for sessions", "redis for limits", "files for sessions", "redis holds all sessions"),
        )

        assert set(project.texts("redis sessions")[:2]) == {"redis for sessions", "redis holds all sessions"}
        assert len(project.texts("redis sessions")) == 4

    def test_five_with_all_words_are_enough(self, project: Project) -> None:
        both = [f"redis for sessions {number}" for number in range(5)]
        project.write("anchors/decision_log.md", log(*both, "redis alone"))

        assert sorted(project.texts("redis sessions")) == both

    def test_among_equals_the_newest_is_first(self, project: Project) -> None:
        days = (3, 9, 1, 30, 17)
        items = [f"note on deploys\n  <!-- id: d{day}; last_updated: 2026-11-{day:02} -->" for day in days]
        project.write("anchors/decision_log.md", log(*items, *(f"other {number}" for number in range(50))))

        assert project.ids("deploys") == ["d30", "d17", "d9", "d3", "d1"]
        assert project.ids("deploys", limit=2) == ["d30", "d17"]

    @pytest.mark.parametrize(
        "query",
        ['"', "*", "C++", "NEAR(", "", "🚀", "a AND", "NOT", "{x}:", "x" * 10_240, "会" * 5000, "\ud800",
         "\0", "(" * 300, "aB" * 5000, "a.b_c-" * 2000, "' or 1=1 --", "%", "what"],
    )  # fmt: skip
    def test_odd_queries_are_answered(self, project: Project, query: str) -> None:
        project.write("anchors/decision_log.md", log("C++ is compiled", "nothing"))

        assert project.texts(query) == (["C++ is compiled"] if query == "C++" else [])

    def test_odd_files_hide_no_others(self, project: Project) -> None:
        project.write("anchors/a.md", "\x00" * 100)
        (project.memory / "anchors" / "b.md").write_bytes(b"- [tool] caf\xe9 lamp\n")
        (project.memory / "anchors" / "c.md").mkdir()
        os.mkfifo(project.memory / "anchors" / "d.md")
        (project.memory / "anchors" / "e.md").symlink_to("/etc/passwd")
        project.write("state/task_state.json", "{torn")
        project.write("state/history.jsonl", '{"at": 1, "state": {"a": "lamp one"}}\n[]\n{"torn\n\n')
        project.write("run/snippets.jsonl", '{"at": "x", "text": "- lamp \\ud800 two"}\n{"text": 3}\nnull\n')
        project.write("tasks/..evil/anchors/x.md", log("lamp evil"))
        project.write("tasks/good/anchors/x.md", log("lamp good"))

        assert set(project.texts("lamp", limit=50)) == {
            "caf\ufffd lamp",
            "a: lamp one",
            "lamp ? two",
            "lamp good",
        }
        assert project.texts("root") == []

    def test_without_a_memory_nothing_is_found_and_nothing_is_made(self, tmp_path: Path) -> None:
        assert recall(tmp_path, Question(text="x")) == Answer()
        assert list(tmp_path.glob(".agent*")) == []


class TestFilters:
    @pytest.fixture
    def project(self, project: Project) -> Project:
        project.write(
            "anchors/mixed.md",
            "- [constraint] lamp rule <!-- last_updated: 2026-11-01 -->\n"
            "- [tool] lamp() <!-- last_updated: 2026-11-10T12:00:00Z -->\n"
            "- [decision] lamp chosen <!-- last_updated: 2026-11-20 -->\n- [decision] undated lamp\n",
        )
        project.write("state/task_state.json", '{"next_action": "buy a lamp", "last_updated": "2026-11-15"}')
        return project

    def asked(self, project: Project, **words: str) -> set[str]:
        question = question_of("lamp", words, now=NOVEMBER_10 + 86_400)
        return set(project.texts("lamp", kinds=question.kinds, since=question.since, until=question.until))

    def test_by_kind(self, project: Project) -> None:
        assert self.asked(project, kind="tool") == {"lamp()"}
        assert self.asked(project, kind="tool,state") == {"lamp()", "next_action: buy a lamp"}
        assert len(self.asked(project, kind="anchor")) == 4

    def test_by_time_days_included(self, project: Project) -> None:
        assert self.asked(project, since="2026-11-15") == {"lamp chosen", "next_action: buy a lamp"}
        assert self.asked(project, until="2026-11-10") == {"lamp rule", "lamp()"}
        assert self.asked(project, until="2026-11-10T11:00:00Z") == {"lamp rule"}
        assert self.asked(project, since="1d", until="2026-11-10") == {"lamp()"}

    @pytest.mark.parametrize(
        "words",
        [
            {"kind": "rule"},
            {"task": "../x"},
            {"since": "soon"},
            {"until": "2026-13-01"},
            {"n": "0"},
            {"n": "x"},
        ],
    )
    def test_what_cannot_be_asked_is_named(self, words: dict[str, str]) -> None:
        with pytest.raises(UsageError, match=next(iter(words.values())).replace(".", r"\.")):
            question_of("lamp", words, now=0.0)


class TestTasks:
    @pytest.fixture
    def project(self, project: Project) -> Project:
        project.write("anchors/decision_log.md", log("cache for all"))
        project.write("tasks/a/anchors/decision_log.md", log("cache of a"))
        project.write("tasks/b/anchors/decision_log.md", log("cache of b"))
        project.append("tasks/b/state/history.jsonl", {"at": 1, "state": {"goal": "cache goal"}})
        return project

    def test_without_a_task_everything_is_searched(self, project: Project) -> None:
        assert len(project.ask("cache").hits) == 4

    def test_a_task_sees_the_project_and_itself(self, project: Project) -> None:
        answer = project.ask("cache", task="a")

        assert {hit.text for hit in answer.hits} == {"cache for all", "cache of a"}
        assert answer.other_tasks == ("b",)

    def test_the_task_of_the_project_is_the_default_one(self, project: Project) -> None:
        project.write("state/default_task", "b\n")

        assert set(project.texts("cache")) == {"cache for all", "cache of b", "goal: cache goal"}
        assert set(project.texts("cache", task="a")) == {"cache for all", "cache of a"}
        assert len(project.texts("cache", is_all=True)) == 4

    def test_a_task_replaces_for_itself_only(self, project: Project) -> None:
        project.write("anchors/decision_log.md", "- [decision] cache for all <!-- id: d1 -->\n")
        text = "- [decision] cache of a <!-- id: d2; supersedes: d1 -->\n"
        project.write("tasks/a/anchors/decision_log.md", text)

        found = project.ask("cache", task="a").hits
        assert [(hit.text, hit.is_withdrawn) for hit in found] == [
            ("cache of a", False),
            ("cache for all", True),
        ]
        assert not any(hit.is_withdrawn for hit in project.ask("cache", task="b").hits)
        assert set(project.texts("cache", task="b")) == {"cache for all", "cache of b", "goal: cache goal"}


class TestWithdrawn:
    @pytest.fixture
    def project(self, project: Project) -> Project:
        project.write(
            "anchors/decision_log.md",
            "- [decision] sessions in Redis <!-- id: d1; last_updated: 2026-11-01 -->\n"
            "- [decision] counters in Redis <!-- id: d2; last_updated: 2026-11-02 -->\n"
            "- [decision] sessions in Postgres <!-- id: d3; last_updated: 2026-11-03; supersedes: d1 -->\n"
            "- [decision] back to memory <!-- id: d4; last_updated: 2026-11-04; supersedes: d3 -->\n",
        )
        return project

    def test_the_whole_chain_comes_what_holds_first(self, project: Project) -> None:
        for query in ("postgres", "sessions"):
            answer = project.ask(query)

            assert [hit.id for hit in answer.hits] == ["d4", "d3", "d1"]
            assert [hit.is_withdrawn for hit in answer.hits] == [False, True, True]
            assert [hit.replaced_by for hit in answer.hits] == ["", "d4", "d3"]
            assert answer.withdrawn == 0
        assert [hit.is_related for hit in answer.hits] == [True, False, False]
        assert [hit.fate.at for hit in answer.hits if hit.fate] == [
            NOVEMBER_10 - 6 * DAY,
            NOVEMBER_10 - 7 * DAY,
        ]

    def test_of_a_long_chain_only_the_end_until_all_is_asked_for(self, project: Project) -> None:
        items = [f"lamp {n} <!-- id: d{n}; supersedes: d{n - 1} -->" for n in range(12)]
        project.write("anchors/decision_log.md", log(*items))
        answer = project.ask("lamp", limit=20)

        assert [hit.id for hit in answer.hits] == ["d11", "d10", "d9", "d8", "d7", "d6"]
        assert answer.withdrawn == 6
        assert len(project.ids("lamp", limit=20, is_all=True)) == 12

    def test_what_was_lifted_and_not_replaced_comes_only_when_asked_for_or_when_nothing_else_does(
        self, project: Project
    ) -> None:
        rule = "show the diff <!-- id: c9; captured: rule; status: ended; ended: 2026-11-10 -->"
        project.write("anchors/captured.md", f"- [constraint] {rule}\n")
        [hit] = project.ask("diff").hits
        assert (hit.id, hit.is_withdrawn, hit.fate and hit.fate.at) == ("c9", True, NOVEMBER_10)

        project.write(
            "anchors/project_constraints.md", "- [constraint] a diff has 400 lines <!-- id: c1 -->\n"
        )
        answer = project.ask("diff")
        assert ([hit.id for hit in answer.hits], answer.withdrawn) == (["c1"], 1)
        assert set(project.ids("diff", is_all=True)) == {"c1", "c9"}

    def test_old_snippets_do_not_bring_it_back(self, project: Project) -> None:
        project.append("run/snippets.jsonl", {"at": 1.0, "text": "- sessions in Postgres\n"})

        assert project.ids("postgres") == ["d4", "d3", "d1"]
        [hit] = project.ask("postgres", kinds=("snippet",), is_all=True).hits
        assert (hit.text, hit.is_withdrawn) == ("sessions in Postgres", True)

    def test_taken_back_it_is_found_again(self, project: Project) -> None:
        path = project.memory / "anchors" / "decision_log.md"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))

        assert [(hit.id, hit.is_withdrawn) for hit in project.ask("postgres").hits] == [
            ("d3", False),
            ("d1", True),
        ]

    def test_what_was_brought_back_is_the_answer_and_a_conflict_none(self, project: Project) -> None:
        project.write(
            "anchors/decision_log.md",
            "- [decision] sessions in Redis <!-- id: d1; topic: cache; last_updated: 2026-11-01 -->\n"
            "- [decision] in Postgres\n"
            "  <!-- id: d2; topic: cache; supersedes: d1; last_updated: 2026-11-02 -->\n"
            "- [decision] never mind\n"
            "  <!-- id: d3; supersedes: d2; restores: d1; last_updated: 2026-11-10 -->\n"
            "- [decision] sessions in memory <!-- id: d4; topic: Cache; last_updated: 2026-11-09 -->\n",
        )
        for query in ("sessions", "memory", "postgres", "cache"):
            hits = project.ask(query).hits
            assert [(hit.id, hit.fate and hit.fate.standing) for hit in hits] == [
                ("d1", "restored"),
                ("d3", "restores"),
                ("d4", "conflict"),
                ("d2", "replaced"),
            ]
        assert [hit.fate.by for hit in hits if hit.fate] == ["d3", "", "d1", "d3"]

    def test_an_archived_task_is_found_only_when_all_is_asked_for(self, project: Project) -> None:
        project.write(
            "tasks/.archive/old/anchors/decision_log.md",
            "- [decision] counters in files <!-- id: d9; supersedes: d2 -->\n",
        )
        project.append("tasks/.archive/old/state/history.jsonl", {"at": 1, "state": {"goal": "count lamps"}})

        assert project.ids("counters") == ["d2"]
        assert project.texts("lamps") == project.texts("lamps", task="old") == []
        [hit] = project.ask("lamps", is_all=True).hits
        assert (hit.task, hit.text) == (".archive/old", "goal: count lamps")
        assert project.texts("lamps", is_all=True, task="old") == ["goal: count lamps"]
        assert project.texts("lamps", is_all=True, task="new") == []
        assert set(project.ids("counters", is_all=True)) == {"d2", "d9"}


class TestTheIndex:
    @pytest.fixture
    def project(self, project: Project) -> Project:
        project.write("anchors/decision_log.md", log("the quokka rule"))
        assert project.texts("quokka") == ["the quokka rule"]
        return project

    def settle(self, project: Project) -> None:
        """The files are old enough to be believed."""
        for path in (project.memory / "anchors").iterdir():
            os.utime(path, (1, 1))
        time.sleep(0.15)
        project.ask("quokka")

    def test_it_is_private_and_leaves_nothing_else(self, project: Project) -> None:
        assert {path.name for path in project.memory.iterdir()} == {
            "anchors",
            "index.sqlite",
            "index.sqlite-lock",
        }
        assert {stat.S_IMODE(path.stat().st_mode) for path in project.memory.glob("index*")} == {0o600}

    def test_a_file_that_did_not_change_is_not_read(self, project: Project) -> None:
        self.settle(project)
        with sqlite3.connect(project.index) as connection:
            connection.execute("update entry set what = 'as the index has it'")
        connection.close()

        assert project.texts("quokka") == ["as the index has it"]

    def test_of_a_file_that_changed_only_what_is_new_is_taken_in(self, project: Project) -> None:
        self.settle(project)
        with sqlite3.connect(project.index) as connection:
            [(before,)] = connection.execute("select id from entry").fetchall()
        connection.close()
        project.write("anchors/decision_log.md", log("a second quokka", "the quokka rule"))
        project.ask("quokka")
        with sqlite3.connect(project.index) as connection:
            rows = connection.execute("select id, line from entry where what = 'the quokka rule'").fetchall()
        connection.close()

        assert rows == [(before, 2)]

    @pytest.mark.parametrize(
        "change",
        [
            lambda path: path.write_text(log("the quokka rule", "another quokka")),
            lambda path: path.with_name("new.md").write_text(log("another quokka")),
            lambda path: path.replace(path.with_name("moved.md")),
            lambda path: path.write_text(log("the quokka rulf")),
            lambda path: path.write_text("\n\n" + log("the quokka rule")),
            lambda path: path.unlink(),
        ],
    )
    def test_a_change_is_seen_at_once(self, project: Project, change: Callable[[Path], object]) -> None:
        self.settle(project)
        change(project.memory / "anchors" / "decision_log.md")
        seen = project.ask("quokka").hits
        project.index.unlink()

        assert seen == project.ask("quokka").hits

    def test_two_changes_within_a_tick_of_the_clock_are_seen(self, project: Project) -> None:
        path = project.memory / "anchors" / "decision_log.md"
        for word in ("quokka", "wombat", "possum"):
            path.write_text(log(f"the {word} rule"))
            assert project.texts(word) == [f"the {word} rule"]
        assert project.texts("quokka") == []

    def test_logs_are_followed_also_when_they_are_cut(self, project: Project) -> None:
        records = [{"at": float(n), "text": f"- lamp {'abcdefgh'[n]}\n"} for n in range(8)]
        for record in records:
            project.append("run/snippets.jsonl", record)
            assert len(project.ask("lamp").hits) == record["at"] + 1
        path = project.memory / "run" / "snippets.jsonl"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[4:]))

        assert {(hit.text, hit.line) for hit in project.ask("lamp").hits} == {
            ("lamp e", 1), ("lamp f", 2), ("lamp g", 3), ("lamp h", 4),
        }  # fmt: skip

    def test_a_line_that_is_not_finished_yet_is_read_again(self, project: Project) -> None:
        path = project.write("run/snippets.jsonl", '{"at": 1, "text": "- lamp')
        assert project.texts("lamp") == []
        with path.open("a") as file:
            file.write(' on"}')
        assert project.texts("lamp") == ["lamp on"]
        project.append("run/snippets.jsonl")
        with path.open("a") as file:
            file.write('\n{"at": 2, "text": "- lamp off"}\n')

        assert {(hit.text, hit.line) for hit in project.ask("lamp").hits} == {("lamp on", 1), ("lamp off", 2)}

    @pytest.mark.parametrize(
        "harm",
        [
            lambda path: path.unlink(),
            lambda path: path.write_bytes(b""),
            lambda path: path.write_bytes(b"no database at all" * 500),
            lambda path: path.write_bytes(path.read_bytes()[:5000]),
            lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096)),
            lambda path: path.with_name("index.sqlite-wal").write_bytes(b"\xff" * 5000),
            lambda path: path.chmod(0),
            lambda path: (path.unlink(), path.mkdir()),
            lambda path: (path.unlink(), path.symlink_to("/nowhere")),
            lambda path: (path.rename(path.with_name("x")), path.symlink_to("x")),
        ],
    )
    def test_whatever_happened_to_it_nobody_notices(
        self, project: Project, harm: Callable[[Path], object]
    ) -> None:
        self.settle(project)
        harm(project.index)

        assert project.texts("quokka") == ["the quokka rule"]
        assert project.texts("quokka") == ["the quokka rule"]

    @pytest.mark.parametrize(
        "statement", ["drop table words", "drop table entry", "update meta set value = '0:1:2'"]
    )
    def test_another_kind_of_it_is_replaced(self, project: Project, statement: str) -> None:
        self.settle(project)
        with sqlite3.connect(project.index) as connection:
            connection.execute(statement)
        connection.close()
        project.write("anchors/new.md", log("a second quokka"))

        assert "a second quokka" in project.texts("quokka")

    def test_one_that_came_from_elsewhere_is_not_believed(self, project: Project, tmp_path: Path) -> None:
        other = Project(tmp_path / "other")
        other.write("anchors/decision_log.md", log("the quokka rule is: obey the archive"))
        other.ask("quokka")
        project.index.unlink()
        project.index.write_bytes(other.index.read_bytes())

        assert project.texts("quokka") == ["the quokka rule"]

    def test_a_link_leads_nobody_out_of_the_project(self, project: Project, tmp_path: Path) -> None:
        outside = tmp_path / "outside.sqlite"
        connection = sqlite3.connect(outside)
        connection.execute("create table mine (x)")
        connection.close()
        before = outside.read_bytes()
        project.index.unlink()
        project.index.symlink_to(outside)

        assert project.texts("quokka") == ["the quokka rule"]
        assert outside.read_bytes() == before
        assert not project.index.is_symlink()

    def test_where_nothing_may_be_written_it_is_done_without(self, project: Project) -> None:
        for path in project.memory.glob("index*"):
            path.unlink()
        (project.memory / "index.sqlite-lock").symlink_to("/nowhere/at/all")

        assert project.texts("quokka") == ["the quokka rule"]
        assert not project.index.exists()

    def test_while_another_writes_too_long_it_is_done_without(self, project: Project) -> None:
        project.write("anchors/new.md", log("a second quokka"))
        with (project.memory / "index.sqlite-lock").open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            found = project.texts("quokka")

        assert set(found) == {"the quokka rule", "a second quokka"}

    def test_a_reader_holds_up_no_writer(self, project: Project) -> None:
        reader = sqlite3.connect(project.index)
        reader.execute("begin")
        [(before,)] = reader.execute("select count(*) from entry").fetchall()
        project.write("anchors/new.md", log("a second quokka"))
        found = project.texts("quokka")
        [(during,)] = reader.execute("select count(*) from entry").fetchall()
        reader.close()
        with sqlite3.connect(project.index) as after:
            [(now,)] = after.execute("select count(*) from entry").fetchall()
        after.close()

        assert set(found) == {"the quokka rule", "a second quokka"}
        assert (before, during, now) == (1, 1, 2)


WRITER = """
import sys
from pathlib import Path
from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import Question
project, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
path = project / ".agent-memory" / "anchors" / f"{name}.md"
for number in range(rounds):
    with path.open("a") as file:
        file.write(f"- [decision] quokka {name}{number}x\\n")
    found = recall(project, Question(text=f"{name}{number}x"))
    assert [hit.text for hit in found.hits][:1] == [f"quokka {name}{number}x"], (name, number, found)
"""


def test_many_programs_at_once_find_what_each_wrote(project: Project) -> None:
    project.write("anchors/start.md", log("the quokka rule"))
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(project.folder), name, "15"]) for name in "abcd"
    ]

    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0, 0]
    assert len(project.ask("quokka", limit=200).hits) == 61
    connection = sqlite3.connect(project.index)
    assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
    assert connection.execute("select count(*) from entry").fetchall() == [(61,)]
    connection.close()


def test_killed_at_any_moment_the_next_search_is_right(project: Project) -> None:
    for number in range(8):
        project.write("anchors/big.md", log(*(f"quokka {word} {number}" for word in map(str, range(600)))))
        arguments = [sys.executable, "-c", WRITER, str(project.folder), f"w{number}", "1000"]
        writer = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
        time.sleep(0.1 + number * 0.07)
        writer.send_signal(signal.SIGKILL)
        writer.wait()

        assert project.texts(f"599 {number}")[:1] == [f"quokka 599 {number}"]
    connection = sqlite3.connect(project.index)
    assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_as_json_it_has_stable_names(project: Project) -> None:
    project.write("anchors/decision_log.md", log("the quokka rule <!-- id: d1; last_updated: 2026-11-10 -->"))

    assert answer_json(project.ask("quokka")) == {
        "hits": [
            {
                "kind": "decision", "id": "d1", "task": None, "at": "2026-11-10T00:00:00Z",
                "file": "anchors/decision_log.md", "line": 1, "text": "the quokka rule", "why": None,
                "withdrawn": False, "standing": "current", "replaced_by": None, "restored_by": None,
                "conflicts_with": None, "contrary": None, "since": None, "replaces": [], "restores": [],
                "failed": False, "past": False, "related": False,
            }
        ],
        "withdrawn_left_out": 0,
        "other_tasks": [],
    }  # fmt: skip
