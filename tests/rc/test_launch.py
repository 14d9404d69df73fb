from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from laying import needs_linux, run_python, write

from agentinitd.rc import runner
from agentinitd.rc.launch import Call, ExecError


def text(ended: runner.Ended) -> str:
    return ended.stdout.decode()


def test_a_script_is_called_with_one_word_in_its_folder_as_leader_of_a_session(call: Call) -> None:
    """EXE-1, EXE-3, EXE-5."""
    ended = run_python(call, "import os,sys; print(sys.argv[1:], os.getcwd(), os.getsid(0) == os.getpid())")
    assert text(ended) == f"['start'] {os.path.realpath(call.folder)} True\n"


def test_stdin_is_a_file_that_ends_and_cannot_be_written(call: Call) -> None:
    """EXE-4."""
    body = "import os, stat, sys; found = os.fstat(0)\n"
    body += "print(stat.S_ISREG(found.st_mode), found.st_nlink, sys.stdin.read())\n"
    body += "try: os.write(0, b'x')\nexcept OSError as error: print(error.strerror)"
    assert text(run_python(call, body)) == 'True 0 {"api": 1}\n\nBad file descriptor\n'
    assert list(call.scratch.iterdir()) == []


def test_nothing_but_the_three_standard_descriptors_is_inherited(call: Call) -> None:
    """EXE-8."""
    leaked = os.open(call.folder, os.O_RDONLY)
    os.set_inheritable(leaked, True)
    try:
        ended = run_python(
            call, "import os; print([n for n in range(3, 64) if not os.system(f'true <&{n}')])"
        )
        assert text(ended) == "[]\n"
    finally:
        os.close(leaked)


def test_limits_umask_priority_and_signals_are_as_promised(call: Call) -> None:
    """EXE-9, EXE-10, EXE-11, EXE-12."""
    body = """
import os, resource, signal
print(resource.getrlimit(resource.RLIMIT_CORE), resource.getrlimit(resource.RLIMIT_CPU))
print(resource.getrlimit(resource.RLIMIT_FSIZE)[0], resource.getrlimit(resource.RLIMIT_NOFILE)[0])
print(oct(os.umask(0)), signal.pthread_sigmask(signal.SIG_BLOCK, ()))
import time; time.sleep(0.05); print(os.getpriority(os.PRIO_PROCESS, 0))
"""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    lines = text(run_python(call, body, timeout_seconds=2.6)).splitlines()
    assert lines[:3] == ["(0, 0) (6, 11)", f"{64 * 1024 * 1024} 1024", "0o77 set()"]
    assert int(lines[3]) == min(before + 5, 19)


def test_a_program_without_an_interpreter_line_runs_under_the_same_limits(call: Call) -> None:
    program = Path("/bin/sh").resolve()
    write(Path(call.folder) / "start", "ulimit -c; ulimit -t; echo done")
    ended = runner.run(replace(call, executable=str(program)), threading.Event())
    assert text(ended).splitlines()[-1] == "done"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"echo no interpreter\n", "no #! in the first line"),
        (b"", "empty file"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "byte order mark before #!"),
        (b"#!/bin/sh\r\necho\r\n", "CRLF after interpreter"),
        (b"#!/no/such/interpreter\n", "no interpreter /no/such/interpreter"),
        (b"#!/\n", "no interpreter /"),
        (b"#!sh\n", "interpreter sh is not an absolute path"),
        (b"#! \n", "no interpreter after #!"),
        (b"#!/bin/sh " + b"x" * 300 + b"\n", "#! line longer than 255 bytes"),
        (b"\x00\x01\x02\x03 nothing known\n", "no #! in the first line"),
    ],
)
def test_what_cannot_be_executed_is_said_in_words(call: Call, content: bytes, reason: str) -> None:
    """EXE-2."""
    script = write(Path(call.folder) / "S50-x", content)
    with pytest.raises(ExecError, match=reason):
        runner.run(replace(call, executable=str(script)), threading.Event())


@needs_linux
def test_a_program_of_a_foreign_machine_is_not_read_as_a_script(call: Call) -> None:
    """EXE-2."""
    foreign = bytearray(Path(sys.executable).resolve().read_bytes()[:4096])
    foreign[18:20] = b"\x08\x00" if foreign[18:20] != b"\x08\x00" else b"\x3e\x00"
    script = write(Path(call.folder) / "S50-x", bytes(foreign) + b"\necho evil > evil\n")
    with pytest.raises(ExecError, match="Exec format error"):
        runner.run(replace(call, executable=str(script)), threading.Event())
    assert not (Path(call.folder) / "evil").exists()


def test_a_script_or_folder_that_is_gone_is_said(call: Call) -> None:
    with pytest.raises(ExecError, match="cannot be read: No such file"):
        runner.run(replace(call, executable=f"{call.folder}/gone"), threading.Event())
    script = write(Path(call.folder) / "S50-x")
    with pytest.raises(ExecError, match=r"working folder .*: No such file"):
        runner.run(replace(call, executable=str(script), folder=f"{call.folder}/gone"), threading.Event())
