"""Where the exit status is hidden, the output speaks; and a failure in it outweighs a success."""

from __future__ import annotations

import pytest

from agentinitd.memory.check_output import said_by
from agentinitd.memory.check_runs import Kind


@pytest.mark.parametrize(
    ("kind", "text", "verdict"),
    [
        ("tests", "===== 3 failed, 2 passed in 1.2s =====", False),
        ("tests", "\x1b[31m1 failed\x1b[0m, \x1b[32m4 passed\x1b[0m in 0.31s", False),
        ("tests", "5 passed in 0.1s", True),
        ("tests", "= 3 passed, 1 warning in 61.10s (0:01:01) =", True),
        ("tests", "1 passed, 1 xfailed in 0.1s", True),
        ("tests", "1 passed, 2 errors in 0.1s", False),
        ("tests", "no tests ran in 0.01s", None),
        ("tests", "FAILED tests/test_a.py::test_b - assert 0", False),
        ("tests", "Tests:       1 failed, 5 passed, 6 total", False),
        ("tests", "Tests:       5 passed, 5 total", True),
        ("tests", " Test Files  1 failed | 1 passed (2)\n      Tests  2 passed (2)", False),
        ("tests", "      Tests  2 passed (2)", True),
        ("tests", "  5 passing (20ms)", True),
        ("tests", "  5 passing (20ms)\n  1 failing", False),
        ("tests", "ℹ pass 5\nℹ fail 0", True),
        ("tests", "# pass 5\n# fail 1", False),
        ("tests", "test result: ok. 5 passed; 0 failed; 0 ignored", True),
        ("tests", "test result: FAILED. 4 passed; 1 failed", False),
        ("tests", "ok  \texample.com/a\t0.1s", True),
        ("tests", "--- FAIL: TestX (0.00s)\nFAIL\texample.com/a", False),
        ("tests", "Ran 3 tests in 0.001s\n\nOK", True),
        ("tests", "FAILED (failures=1)", False),
        ("tests", "make: *** [Makefile:9: test] Error 1", False),
        ("tests", "the word failed alone says nothing", None),
        ("lint", "All checks passed!", True),
        ("lint", "Found 3 errors.", False),
        ("lint", "Found 3 errors (3 fixed, 0 remaining).", True),
        ("lint", "✖ 3 problems (1 error, 2 warnings)", False),
        ("lint", "✖ 2 problems (0 errors, 2 warnings)", None),
        ("types", "src/a.ts(1,2): error TS2304: Cannot find name", False),
        ("types", "Success: no issues found in 3 source files", True),
        ("types", "Found 1 error in 1 file (checked 3 source files)", False),
        ("types", "0 errors, 0 warnings, 0 informations", True),
        ("commit", "[main 1a2b3c4] Fix it\n 1 file changed", True),
        ("commit", "[main (root-commit) 1a2b3c4] Begin", True),
        ("commit", "nothing to commit, working tree clean", False),
        ("push", "   1a2b3c4..5d6e7f8  main -> main", True),
        ("push", " ! [rejected]        main -> main (fetch first)", False),
        ("tests", "", None),
    ],
)
def test_what_a_check_prints_is_understood(kind: Kind, text: str, verdict: bool | None) -> None:
    assert said_by(kind, text) is verdict
