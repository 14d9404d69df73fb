"""The docs are true: the README is run as a stranger would, and tables are compared with the code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.testing import CliRunner

from agentinitd.cli import status
from agentinitd.cli.main import COMMANDS, cli
from agentinitd.daemon.question import ask
from agentinitd.daemon.routes import Interface
from agentinitd.daemon.running import RUN_SECONDS
from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.task_state import parse_task_state
from agentinitd.model.causes import Trigger
from agentinitd.model.config import BOUNDS, CHOICES, PROJECT_KEYS, Config
from agentinitd.model.facts import Memory
from agentinitd.model.scripts import Flag, Header, Result, Script
from agentinitd.rc import environment, header, verdict
from agentinitd.rc.request import RunRequest, RunSettings
from agentinitd.sessions.record import SessionRecord

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh.md")
PAGES = (
    *READMES,
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
IN_A_TERMINAL = (
    "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['bash', '-e', sys.argv[1]])))"
)


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(text) if kind == language]


def prose(text: str) -> str:
    return FENCE.sub("", text)


def headings(text: str) -> list[tuple[int, str]]:
    found = re.findall(r"^(#+) (.+)$", prose(text), re.MULTILINE)
    return [(len(marks), title) for marks, title in found]


def table(name: str, title: str) -> list[list[str]]:
    """The rows of the first table below this heading, as plain cells."""
    below = re.split(rf"^#+ {re.escape(title)}$", page(name), flags=re.MULTILINE)[1]
    rows = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert rows, f"{name}: no table below {title}"
    cells = [line.strip("|").split("|") for line in rows[0].splitlines()[2:]]
    return [[cell.strip() for cell in row] for row in cells]


def names(cell: str) -> list[str]:
    return SPAN.findall(cell)


def first_names(rows: list[list[str]]) -> list[str]:
    return [name for row in rows for name in names(row[0])]


# --- The README, run


@dataclass
class Stranger:
    """Somebody who has Claude Code, a project in git, and nothing but the README."""

    project: Path
    environment: dict[str, str]

    def runs(self, script: str, *, types: str | None = None) -> str:
        """The block, typed into a shell; with `types` at a terminal, answering what is asked there."""
        path = self.project.parent / "block.sh"
        lines = [line for line in script.splitlines() if not line.startswith(("pip install", "cd "))]
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        shell = ["bash", "-e", str(path)]
        done = subprocess.run(
            [sys.executable, "-c", IN_A_TERMINAL, str(path)] if types else shell,
            cwd=self.project,
            env=self.environment,
            input=types or "",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if types else subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, (script, done.stdout, done.stderr)
        return done.stdout

    def writes(self, path: str, text: str, *, mode: str) -> None:
        with (self.project / path).open(mode, encoding="utf-8") as file:
            file.write(text)


@pytest.fixture
def stranger(home: Path, tmp_path: Path, short_folder: Path) -> Iterator[Stranger]:
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "agentinitd"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m agentinitd "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (home / ".claude").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(project)], check=True)
    found = Stranger(
        project,
        {
            "HOME": str(home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "AGENTINITD_RUNTIME_DIR": str(short_folder),
            "TMPDIR": os.environ["TMPDIR"],
        },
    )
    yield found
    found.runs("agentinitd stop")


@pytest.mark.parametrize("name", READMES)
def test_a_stranger_comes_to_a_snippet_and_a_script_by_the_readme_alone(
    stranger: Stranger, name: str
) -> None:
    text = page(name)
    install, snippet, anchors, tasks, script, _look, socket = blocks(text, "sh")
    [items], [state], [expected] = blocks(text, "markdown"), blocks(text, "json"), blocks(text, "text")

    assert "our hooks are in" in stranger.runs(install)
    stranger.writes(".agent-memory/anchors/project_constraints.md", items, mode="a")
    stranger.writes(".agent-memory/state/task_state.json", state, mode="w")
    assert stranger.runs(snippet).rstrip("\n") == expected.rstrip("\n")
    assert "Never push to main" in stranger.runs(anchors)
    assert "outline: pending → completed" in stranger.runs(tasks)

    shown = stranger.runs(script, types="y\n")
    assert "\n- Branch: main" in shown.replace("\r", "")
    if shutil.which("curl"):
        assert "\n- Branch: main\n" in stranger.runs(socket)


@pytest.mark.parametrize("name", READMES)
def test_the_readme_names_the_files_that_its_examples_go_to(name: str) -> None:
    told = SPAN.findall(prose(page(name)))

    assert ".agent-memory/anchors/project_constraints.md" in told
    assert ".agent-memory/state/task_state.json" in told


def test_both_readmes_tell_the_same() -> None:
    english, chinese = page(READMES[0]), page(READMES[1])

    assert [level for level, _ in headings(chinese)] == [level for level, _ in headings(english)]
    assert [kind for kind, _ in FENCE.findall(chinese)] == [kind for kind, _ in FENCE.findall(english)]
    assert list(map(commands_of, blocks(chinese, "sh"))) == list(map(commands_of, blocks(english, "sh")))
    assert links(chinese) - {"README.md"} == links(english) - {"README.zh.md"}
    assert chinese.count("\n|") == english.count("\n|")


def commands_of(block: str) -> list[str]:
    return [re.sub(r"\s+# .*| {2,}#.*", "", line) for line in block.splitlines()]


# --- What is named exists


def command_lines(text: str) -> Iterator[str]:
    """Every `agentinitd …` in code, of prose and of blocks that are commands."""
    code = SPAN.findall(prose(text))
    for kind in ("sh", "ini"):
        code += [line for block in blocks(text, kind) for line in block.splitlines()]
    for piece in code:
        yield from re.findall(r"(?<![\w.(-])agentinitd ((?:-|[a-z])[^|;)#]*)", piece)


def found_command(words: list[str]) -> tuple[list[str], str]:
    """The command's own words, and its help text."""
    command: click.Command | None = cli
    path: list[str] = []
    while isinstance(command, click.Group) and words[len(path) :]:
        inner = command.get_command(click.Context(command), words[len(path)])
        if inner is None:
            # `trust S50-x` stands for `trust allow S50-x`.
            assert path == ["trust"], f"agentinitd {' '.join(words)}: no such command"
            inner = command.get_command(click.Context(command), "allow")
            path.append("allow")
            break
        command, path = inner, [*path, words[len(path)]]
    return path, CliRunner().invoke(cli, [*path, "--help"]).output


@pytest.mark.parametrize("name", PAGES)
def test_every_command_and_option_that_is_named_exists(name: str) -> None:
    for line in command_lines(page(name)):
        words = line.split()
        if not words[0].startswith("-"):
            _, help_text = found_command(words)
        else:
            help_text = CliRunner().invoke(cli, ["--help"]).output
        for option in re.findall(r"(?<!\S)--?[a-z][a-z0-9-]*", line):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", help_text), f"{name}: agentinitd {line}"


def test_every_command_is_told() -> None:
    told = {line.split()[0] for name in PAGES for line in command_lines(page(name))}
    told |= {name for page_name in PAGES for name in SPAN.findall(page(page_name))}

    assert set(COMMANDS) <= told


def links(text: str) -> set[str]:
    return set(re.findall(r"\]\(([^)\s]+)\)", prose(text)))


def anchor(title: str) -> str:
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for link in links(page(name)):
        if link.startswith("https://"):
            continue
        path, _, place = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), f"{name}: {link}"
        if place:
            text = target.read_text(encoding="utf-8")
            assert place in [anchor(title) for _, title in headings(text)], f"{name}: {link}"


def test_every_module_that_is_named_exists() -> None:
    told = {name for page_name in PAGES for name in SPAN.findall(page(page_name)) if name.endswith(".py")}
    rooms = (ROOT, ROOT / "agentinitd")

    assert [
        name for name in told if "<" not in name and not any((room / name).exists() for room in rooms)
    ] == []


# --- Tables that the code has as well


def shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "[]" if value == () else f"{value:g}" if isinstance(value, float) else str(value)


def test_every_config_key_is_documented_as_it_is() -> None:
    rows = {names(row[0])[0]: row for row in table("docs/operations.md", "Config")}
    config = Config()

    assert list(rows) == list(Config.__dataclass_fields__)
    for key, (_, default, bounds, project, _) in rows.items():
        assert default == f"`{shown(getattr(config, key))}`", key
        assert project == ("yes" if key in PROJECT_KEYS else "no"), key
        if key in BOUNDS:
            assert bounds == "{:.10g}–{:.10g}".format(*BOUNDS[key]), key
        if key in CHOICES:
            assert tuple(names(bounds)) == CHOICES[key], key


def test_every_header_key_is_documented_as_it_is() -> None:
    rows = {names(row[0])[0]: row for row in table("docs/scripts.md", "Header")}
    default = Header()

    assert tuple(rows) == header._KEYS
    assert rows["Default-Start"][2] == f"`{' '.join(default.default_start)}`"
    assert rows["X-Agentinitd-Timeout"][2:] == [
        f"`{default.timeout_seconds:g}`",
        f"{header.SHORTEST_TIMEOUT:g}–{header.LONGEST_TIMEOUT:g}",
    ]
    assert rows["X-Agentinitd-Max-Output"][2:] == [
        f"`{default.max_output_bytes}`",
        f"{header.SMALLEST_OUTPUT}–{header.LARGEST_OUTPUT}",
    ]
    assert rows["Short-Description"][3] == f"{header.WIDEST_DESCRIPTION} columns"
    assert rows["X-Agentinitd-On-Failure"][2] == f"`{default.on_failure}`"
    assert {rows[f"X-Agentinitd-{key}"][2] for key in ("Parallel", "Essential")} == {"`no`"}


def test_no_message_names_a_page_of_docs_which_the_package_does_not_bring() -> None:
    named = re.compile(r"docs/\w+\.md")
    for path in sorted((ROOT / "agentinitd").rglob("*.py")):
        assert named.findall(path.read_text(encoding="utf-8")) == [], path


def test_header_examples_are_good_headers() -> None:
    for name in (*READMES, "docs/scripts.md"):
        for block in blocks(page(name), "sh"):
            text = block[block.find(header.BEGIN) :]
            if text.startswith(header.BEGIN):
                assert header.parse(text.encode(), key="git-branch").findings == ()


def test_exit_codes_mean_what_is_documented() -> None:
    for codes, results, _ in table("docs/scripts.md", "Exit codes")[:-1]:
        for code in re.findall(r"\d+", codes):
            for stdout in (b"- text\n", b""):
                found = verdict.of(
                    cause="exit",
                    status=int(code),
                    signal_name=None,
                    action="start",
                    stdout=stdout,
                    stdout_bytes=len(stdout),
                    max_output_bytes=1024,
                    timeout_seconds=5.0,
                    strays=0,
                )
                assert found.result in names(results), code


def test_results_flags_runlevels_and_triggers_are_those_of_the_code() -> None:
    scripts = page("docs/scripts.md")
    flags = re.search(r"^Flags: (.*?)\n\n", scripts, re.DOTALL | re.MULTILINE)
    levels = {names(row[0])[0]: row[-1] for row in table("docs/scripts.md", "Runlevels")}

    assert set(first_names(table("docs/scripts.md", "Results"))) == set(get_args(Result))
    assert flags and set(names(flags[1])) == set(get_args(Flag))
    assert levels == {level: f"{seconds:g}" for level, seconds in RUN_SECONDS.items()}
    assert set(first_names(table("docs/architecture.md", "Triggers"))) == set(get_args(Trigger))


def test_a_script_gets_the_environment_that_is_documented(tmp_path: Path) -> None:
    request = RunRequest(
        run_id="r-1", session_id="s", session_dir=tmp_path, project_root=None, task_id=None, trigger="manual",
        runlevel="manual",
    )  # fmt: skip
    settings = RunSettings(
        scratch_dir=tmp_path, last_good_dir=tmp_path, environment={}, interpreter_folder="/usr/bin", uid=1
    )
    script = Script(name="S50-x", key="x", order=50, layer="user", path="/x/S50-x")
    made = environment.build(
        script, "start", request, settings, run_dir="", project_root="", timeout_seconds=1.0, deadline=""
    )
    passed = re.search(r"Passed on from the daemon:\s`([^`]*)`", page("docs/scripts.md"))

    assert set(first_names(table("docs/scripts.md", "Environment"))) == set(made)
    assert passed and tuple(passed[1].split()) == environment._PASSED


def test_the_example_of_standard_input_has_the_shape_of_a_real_one(tmp_path: Path) -> None:
    [example] = (json.loads(block) for block in blocks(page("docs/scripts.md"), "json"))
    [state] = blocks(page("README.md"), "json")
    [items] = blocks(page("README.md"), "markdown")
    anchors, problems = parse_anchors(items, "anchors/project_constraints.md")
    task_state, faults = parse_task_state(state.encode())
    memory = Memory(
        constraints=tuple(each for each in anchors if each.kind == "constraint"),
        task_state=task_state,
        task_id="billing-417",
    )
    real = ask(
        SessionRecord(key="k", agent="claude-code"), tmp_path, "manual", memory, Config(), now=0.0
    ).stdin()

    assert not problems and not faults
    assert set(example) == set(real) | {"action", "script", "results", "deadline"}
    assert shape(example["session"]) == shape(real["session"])
    assert shape(example["memory"]) == shape(real["memory"])
    assert example["memory"]["task_state"] == real["memory"]["task_state"]  # type: ignore[index,call-overload]


def shape(value: Any) -> Any:
    """The names in it, with those of the first entry of each list."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def test_anchor_fields_and_tags_are_read_as_documented() -> None:
    fields = first_names(table("docs/memory.md", "Fields"))
    values = {"confidence": "0.5", "priority": "low", "scope": "task", "verified": "2026-01-01"} | {
        "outcome": "failed", "status": "ended", "captured": "rule", "polarity": "do", "said": "2",
    }  # fmt: skip
    comment = "; ".join(f"{name}: {values.get(name, '2026-01-02')}" for name in fields)
    [anchor], problems = parse_anchors(f"- [tool] x\n  <!-- {comment} -->\n", "anchors/x.md")
    defaults, _ = parse_anchors("- [tool] x\n", "anchors/x.md")

    assert problems == []
    unchanged = [
        name for name in anchor.__struct_fields__ if getattr(anchor, name) == getattr(defaults[0], name)
    ]
    assert unchanged == ["kind", "what", "why", "file", "line"]
    for kind, *tags in table("docs/memory.md", "Anchors"):
        for tag in first_names([[tag] for tag in tags]):
            assert [each.kind for each in parse_anchors(f"- {tag} x\n", "x.md")[0]] == [kind]


def test_every_route_is_documented() -> None:
    nothing: Any = None
    parts = [nothing] * 5
    interface = Interface(*parts, home=ROOT, reload=nothing, stop=nothing)
    told = [cell for row in table("docs/socket.md", "Socket") for cell in names(row[0])]

    assert told == [f"{route.method} {route.pattern}" for route in interface.routes]


def test_every_log_event_is_documented() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "agentinitd/daemon").glob("*.py"))
    dotted = r'"((?:config|daemon|disk|log|memory|run|script|socket|watch)\.[a-z]+)"'
    written = set(re.findall(dotted, source)) | set(re.findall(r'\b_?log\.info\(\s*"([a-z]+)"', source))

    assert set(first_names(table("docs/operations.md", "Log"))) == written


def test_status_has_the_names_that_are_documented(daemon: Any, new_session: Callable[..., Any]) -> None:
    daemon.anchors("- [constraint] x\n")
    new_session(daemon).starts()
    rows = table("docs/operations.md", "As JSON")
    answer = daemon.status()

    assert set(first_names(rows)) == set(answer)
    assert {key for row in rows if names(row[0]) == ["sessions"] for key in names(row[1])} == set(
        answer["sessions"][0]
    )


def test_status_ends_with_the_documented_codes() -> None:
    codes = [row[0] for row in table("docs/operations.md", "Exit codes")]
    known = (
        status.RUNNING,
        status.DEAD,
        status.LOCKED_BY_A_STRAY,
        status.STOPPED,
        status.UNKNOWN,
        status.DEGRADED,
    )

    assert codes == [str(code) for code in known]
