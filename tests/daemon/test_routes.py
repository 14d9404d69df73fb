"""Every route of the socket, asked by `curl` as people and editors do."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

New = Callable[..., Any]

RULE = "- [constraint] Install with pnpm, never npm\n"

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@pytest.fixture(scope="module")
def known(shared_daemon: Any) -> Any:
    """A daemon whose own project has one rule."""
    shared_daemon.anchors(RULE)
    return shared_daemon


@pytest.fixture
def curl(known: Any) -> Callable[..., tuple[int, dict[str, str], str]]:
    """`curl("/v1/status", "-X", "POST", …)` → status, headers in lower case, body."""

    def ask(path: str, *options: str) -> tuple[int, dict[str, str], str]:
        done = subprocess.run(
            ["curl", "-sS", "-i", "--max-time", "20", "--unix-socket", str(known.runtime / "agentinitd.sock"),
             *options, f"http://agentinitd{path}"],
            capture_output=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        rest = done.stdout.decode()
        while True:
            head, _, rest = rest.partition("\r\n\r\n")
            status = int(head.split()[1])
            if status >= 200:
                break
        lines = [line.partition(":") for line in head.split("\r\n")[1:]]
        return status, {name.lower(): value.strip() for name, _, value in lines}, rest

    return ask


class TestReading:
    def test_status(self, curl: Any, known: Any) -> None:
        status, headers, body = curl("/v1/status")

        assert (status, headers["content-type"]) == (200, "application/json")
        assert json.loads(body)["pid"] == known.process.pid

    def test_sessions_and_runs(self, curl: Any, known: Any, new_session: New) -> None:
        session = new_session(known)
        session.starts()

        sessions = json.loads(curl("/v1/sessions")[2])["sessions"]
        runs = json.loads(curl("/v1/runs")[2])["runs"]

        assert session.id in [each["session"] for each in sessions]
        run = next(each for each in runs if each["session"] == session.id)
        assert json.loads(curl(f"/v1/runs/{run['run']}")[2]) == run
        assert [script["script"] for script in run["scripts"]] == [
            "S10-constraints",
            "S15-captured-rules",
            "S20-tools",
            "S30-task-state",
            "S40-decisions",
            "S45-captured-facts",
        ]
        assert all("output" not in script for script in run["scripts"])

    def test_a_run_that_nobody_knows_is_404(self, curl: Any) -> None:
        status, _, body = curl("/v1/runs/none")

        assert status == 404
        assert "none" in json.loads(body)["error"]

    def test_a_snippet_by_project_and_by_session_delivers_nothing(
        self, curl: Any, known: Any, new_session: New
    ) -> None:
        session = new_session(known)
        session.starts()
        session.turn(150_000)
        session.compacts()

        by_project = curl(f"/v1/snippet?project={known.project}")
        by_session = curl(f"/v1/snippet?session={session.id}")

        assert by_project[0] == by_session[0] == 200
        assert by_project[1]["content-type"].startswith("text/markdown")
        assert "pnpm" in by_project[2]
        assert by_session[2] == by_project[2]
        assert "pnpm" in session.prompts()

    def test_an_unchanged_snippet_is_not_sent_again(self, curl: Any, known: Any) -> None:
        etag = curl(f"/v1/snippet?project={known.project}")[1]["etag"]

        status, headers, body = curl(f"/v1/snippet?project={known.project}", "-H", f"If-None-Match: {etag}")

        assert (status, headers["etag"], body) == (304, etag, "")

    def test_a_snippet_of_a_folder_below_the_project(self, curl: Any, known: Any) -> None:
        (known.project / "src" / "deep").mkdir(parents=True, exist_ok=True)

        assert "pnpm" in curl(f"/v1/snippet?project={known.project}/src/deep")[2]

    def test_a_snippet_of_an_empty_memory_is_204(self, curl: Any, new_project: New) -> None:
        assert curl(f"/v1/snippet?project={new_project('empty')}")[0] == 204

    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ("", 404),
            ("project=", 404),
            ("project=relative", 404),
            ("project=/absent/folder", 404),
            ("project=%00", 404),
            ("project=%ff%fe", 404),
            ("session=nobody", 404),
            ("project=P&runlevel=turbo", 400),
            ("project=P&budget=7", 400),
            ("project=P&budget=-1", 400),
            ("project=P&budget=1e9", 400),
            ("project=P&budget=" + "9" * 5000, 400),
            ("project=P&budget=%D9%A3%D9%A0%D9%A0", 200),
            ("project=P&task=../../etc", 404),
        ],
    )
    def test_questions_that_make_no_sense_get_a_reason(
        self, curl: Any, known: Any, query: str, status: int
    ) -> None:
        answer = curl("/v1/snippet?" + query.replace("P", str(known.project)))

        assert answer[0] == status
        if status >= 400:
            assert json.loads(answer[2])["error"]

    def test_an_unknown_path_is_404_and_a_wrong_verb_405(self, curl: Any) -> None:
        assert curl("/")[0] == 404
        assert curl("/v2/status")[0] == 404
        assert curl("/v1/status/")[0] == 404
        assert curl("/v1/status", "-X", "DELETE")[0] == 405
        assert curl("/v1/rebuild")[0] == 405


class TestRebuild:
    def test_for_a_session_makes_a_snippet_due_and_for_a_project_does_not(
        self, curl: Any, known: Any, new_session: New
    ) -> None:
        session = new_session(known)
        session.starts()
        assert session.prompts() == ""
        assert curl("/v1/rebuild", "-d", json.dumps({"project": str(known.project)}))[0] == 200
        assert session.prompts() == ""

        status, _, body = curl("/v1/rebuild", "-d", json.dumps({"session": session.id}))

        assert (status, json.loads(body)["result"]) == (200, "ok")
        assert "pnpm" in session.prompts()

    def test_a_dry_run_shows_the_sequence_and_runs_nothing(self, curl: Any, known: Any) -> None:
        before = json.loads(curl("/v1/runs")[2])["runs"]

        body = curl("/v1/rebuild", "-d", json.dumps({"project": str(known.project), "dry_run": True}))[2]

        assert [step["script"] for step in json.loads(body)["steps"]][:1] == ["S10-constraints"]
        assert json.loads(curl("/v1/runs")[2])["runs"] == before

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ("", 404),
            ("{", 400),
            ("[]", 400),
            ('{"runlevel": 7}', 400),
            ('{"runlevel": "turbo"}', 400),
            ('{"session": "nobody"}', 404),
            ('{"project": "/absent"}', 404),
            ('{"project": "\\ud800"}', 400),
            ("[" * 100_000, 400),
        ],
    )
    def test_bodies_that_make_no_sense_get_a_reason(self, curl: Any, body: str, status: int) -> None:
        answer = curl("/v1/rebuild", "--data-binary", body)

        assert answer[0] == status
        assert json.loads(answer[2])["error"]

    def test_a_session_without_a_project_is_no_bug(
        self, curl: Any, known: Any, new_session: New, tmp_path: Path
    ) -> None:
        (tmp_path / "bare").mkdir()
        bare = new_session(known, project=tmp_path / "bare")
        bare.starts()

        status, _, body = curl(
            "/v1/rebuild", "-d", json.dumps({"session": bare.id, "project": str(known.project)})
        )

        assert status == 404
        assert str(tmp_path / "bare") in json.loads(body)["error"]


class TestHook:
    def test_the_answer_is_what_the_hook_prints_and_comes_once(
        self, curl: Any, known: Any, new_session: New
    ) -> None:
        payload = json.dumps(new_session(known).payload("SessionStart", source="startup"))

        status, headers, body = curl("/v1/hook/claude-code", "-d", payload)

        assert status == 200
        assert "pnpm" in json.loads(body)["hookSpecificOutput"]["additionalContext"]
        assert headers["x-agentinitd-receipt"]
        assert (
            curl("/v1/hook/claude-code", "-d", payload.replace("SessionStart", "UserPromptSubmit"))[0] == 204
        )

    def test_a_body_of_two_megabytes_that_waits_for_100_continue(
        self, curl: Any, known: Any, new_session: New, tmp_path: Path
    ) -> None:
        session = new_session(known)
        session.starts()
        session.turn(150_000)
        session.compacts()
        large = session.payload("PostToolUse", tool_name="Read", tool_response="x" * 2_000_000)
        (tmp_path / "body").write_text(json.dumps(large))

        status, _, body = curl(
            "/v1/hook/claude-code", "-H", "Expect: 100-continue", "--data-binary", f"@{tmp_path}/body"
        )

        assert status == 200
        assert "pnpm" in json.loads(body)["hookSpecificOutput"]["additionalContext"]

    def test_a_body_that_comes_in_chunks(
        self, curl: Any, known: Any, new_session: New, tmp_path: Path
    ) -> None:
        payload = json.dumps(new_session(known).payload("SessionStart", source="startup"))
        (tmp_path / "body").write_text(payload)

        answer = curl(
            "/v1/hook/claude-code", "-H", "Transfer-Encoding: chunked", "--data-binary", f"@{tmp_path}/body"
        )

        assert answer[0] == 200

    def test_a_body_beyond_the_bound_is_413(self, curl: Any, tmp_path: Path) -> None:
        with (tmp_path / "body").open("wb") as file:
            file.truncate(16 * 1024 * 1024 + 1)

        assert curl("/v1/hook/claude-code", "--data-binary", f"@{tmp_path}/body")[0] == 413

    def test_an_agent_without_hooks_of_ours_is_404_and_no_json_is_400(self, curl: Any) -> None:
        assert curl("/v1/hook/emacs", "-d", "{}")[0] == 404
        for body in ("", "{", "[]", "7"):
            assert curl("/v1/hook/claude-code", "--data-binary", body or "@/dev/null")[0] == 400


class TestEvents:
    def test_everything_the_log_gets_comes_as_it_happens(self, known: Any, new_session: New) -> None:
        process = subprocess.Popen(
            ["curl", "-sSN", "--unix-socket", str(known.runtime / "agentinitd.sock"), "http://x/v1/events"],
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b": agentinitd\n"
        session = new_session(known)
        session.starts()

        heard: list[str] = []
        while "delivery" not in heard:
            line = process.stdout.readline()
            if line.startswith(b"data: "):
                record = json.loads(line[6:])
                if record.get("session") == session.id:
                    heard.append(record["event"])

        process.kill()
        process.communicate()
        assert heard[:2] == ["trigger", "run.start"]
        assert heard[-2:] == ["run.end", "delivery"]

    def test_a_listener_that_does_not_read_costs_nobody_anything(self, known: Any, new_session: New) -> None:
        with socket.socket(socket.AF_UNIX) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            deaf.connect(str(known.runtime / "agentinitd.sock"))
            deaf.sendall(b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in range(150):
                known.ask("POST", "/v1/reload")

            assert "pnpm" in new_session(known).starts()


class TestControl:
    def test_reload_says_what_is_wrong_and_keeps_the_old_config(self, curl: Any, known: Any) -> None:
        config = known.home / ".config" / "agentinitd" / "agentinitd.yaml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("budget_tokens: many\n")
        broken = json.loads(curl("/v1/reload", "-X", "POST")[2])["error"]
        degraded = json.loads(curl("/v1/status")[2])
        config.unlink()

        assert "budget_tokens: expected a number" in broken
        assert degraded["state"] == "degraded"
        assert degraded["reasons"][0]["kind"] == "config"
        assert json.loads(curl("/v1/reload", "-X", "POST")[2])["error"] == ""
        assert all(each["kind"] != "config" for each in json.loads(curl("/v1/status")[2])["reasons"])

    def test_stop(self, daemon: Any) -> None:
        status, body = daemon.ask("POST", "/v1/stop")

        assert (status, json.loads(body)) == (200, {"stopping": True})
        assert daemon.process.wait(timeout=10) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_somebody_else_gets_no_answer_whatever_the_permissions(daemon: Any) -> None:
    path = daemon.runtime / "agentinitd.sock"
    ask = (
        "import os, socket, sys\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])\n"
        "s.sendall(b'GET /v1/status HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')\n"
        "sys.exit(bool(s.recv(100)))\n"
    )

    def asked() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-I", "-c", ask, str(path)], capture_output=True, text=True, check=False
        )

    closed = asked()
    assert "PermissionError" in closed.stderr
    daemon.runtime.chmod(0o755)
    path.chmod(0o666)

    opened = asked()

    # Hung up on: an end of the stream, or a reset where it was quicker than the question.
    assert opened.returncode == 0 or "ConnectionResetError" in opened.stderr or "BrokenPipe" in opened.stderr
    assert daemon.get("/v1/status")["pid"]
