"""Which rules of the supervision contract are named in a test: writes docs/supervision-coverage.md.

Run it after a test got or lost the id of a rule: `python tests/supervision_coverage.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "supervision-coverage.md"

# Section → its rules: prefix and how many there are.
SECTIONS: dict[str, tuple[tuple[str, int], ...]] = {
    "1 Layers, overriding, masking": (("OVR", 7),),
    "2 Script names and order": (("NAM", 9),),
    "3 Script header": (("HDR", 6),),
    "4 Runlevels and rc.d": (("RL", 14),),
    "5 How a script is called": (("EXE", 13),),
    "6 Output contract": (("OUT", 9),),
    "8 Time limits and killing": (("KIL", 9),),
    "9 Failure policy": (("FAIL", 7),),
    "10 Supervisor life cycle": (("DMN", 9), ("LCK", 10), ("SOC", 5), ("ACT", 7)),
    "11 Trust": (("TRU", 12),),
    "12 Watching the transcript": (("WAT", 10),),
    "13 Clocks": (("CLK", 4),),
    "14 Files, disk, limits of the host": (("FIL", 5),),
    "17 Log": (("LOG", 6),),
}

NOT_NAMED: dict[str, str] = {
    "FAIL-5": "not built: there is no level `single`. Where scripts fail, their last good output is served,"
    " and each is tried ever more seldom (FAIL-4)",
    "ACT-1": "not built: no socket activation. The daemon has to run anyway, to read transcripts",
    "ACT-2": "nothing to build: launchd's `Sockets` are not used",
    "ACT-7": "nothing to build without socket activation (ACT-1)",
    "WAT-5": "not built: what this machine writes has events on every file system, so polling alone would be"
    " slower; what another one writes the tick finds, after a second where somebody works, else after ten",
}

REMARKS: dict[str, str] = {
    "KIL-5": "a script is taken for gone by its exit alone, whatever the answer to a signal",
    "ACT-6": "there is no socket unit that `stop` would have to stop as well (ACT-1)",
    "RL-12": "`switch` and `shutdown` call off a `periodic` or `slim` rebuild, too",
    "RL-11": "any rebuild asked for by a script is refused, not only one of the same session",
    "EXE-4": "as large as the memory, which is in it; there is no `stdin: null`: every vendor script would"
    " fall silent, and it can be left unread",
    "OUT-8": "also of scripts that ran side by side",
    "OUT-7": "what a script prints is taken apart into items, none of which can pass for a heading or an id"
    " of ours; no nonce is needed",
    "DMN-7": "the error is in `status`, `doctor` and the log, not in the snippet: the agent cannot mend it",
    "LCK-3": "the start time of the process tells one boot from another",
    "ACT-5": "the main loop's tick reports in; scripts have limits of their own",
    "DMN-9": "by `address.json`, which the client reads anyway, and by `/v1` in every path",
    "KIL-9": "the verdict only: no process can be made that KILL does not end",
    "FAIL-3": "the budget never leaves out an essential item, except one that its script calls low",
    "FAIL-4": "rebuilds that serve no session always try",
    "DMN-5": "of several starters the daemon's own lock chooses one, and the others wait for it: there is no"
    " `start.lock`",
    "DMN-6": "USR2 writes the stacks into `stacks.log`: a hanging loop could not put them into the log",
    "LCK-1": "where a file system cannot lock, the daemon says so and does not start: a place that depends on"
    " the environment would let two daemons run",
    "CLK-2": "no rebuild for it: a full snippet comes again after so many turns, and none were taken asleep",
    "LOG-4": "records of single scripts have the priority `debug` there",
    "TRU-5": "the records lie in the state folder, with all else that is ours",
    "TRU-8": "`trust [PATH]` is short for `trust allow [PATH]`",
    "TRU-9": "a project's config has keys of its own and no other; none of them needs approval",
}

_ID = re.compile(r"\b(?:OVR|NAM|HDR|RL|EXE|OUT|KIL|FAIL|DMN|LCK|SOC|ACT|TRU|WAT|CLK|FIL|LOG)-[0-9]+\b")
_OWN = frozenset({"supervision_coverage.py", "test_supervision_coverage.py"})


def rules(section: str) -> list[str]:
    return [f"{prefix}-{number}" for prefix, most in SECTIONS[section] for number in range(1, most + 1)]


def all_rules() -> list[str]:
    return [rule for section in SECTIONS for rule in rules(section)]


def named(folder: Path = ROOT / "tests") -> dict[str, list[str]]:
    """Rule → the test files that name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        if path.name in _OWN:
            continue
        for rule in sorted(set(_ID.findall(path.read_text(encoding="utf-8")))):
            found.setdefault(rule, []).append(path.relative_to(folder).as_posix())
    return found


def ids_in(text: str) -> set[str]:
    """The rules that a text defines: at the beginning of a line, or of a row of a table."""
    return {rule for line in text.splitlines() if (rule := _defined(line))}


def _defined(line: str) -> str:
    match = _ID.match(line.removeprefix("|").strip())
    return match[0] if match else ""


def page(found: Mapping[str, list[str]]) -> str:
    return "\n".join(_page(found)) + "\n"


def _page(found: Mapping[str, list[str]]) -> Iterator[str]:
    wanted = all_rules()
    count = sum(rule in found for rule in wanted)
    yield "# Rules of supervision, and their tests"
    yield ""
    yield (
        f"The daemon and its scripts follow a contract of {len(wanted)} rules. {count} of them are named\n"
        "in tests that prove them: search `tests/` for the id. The others are listed with the reason.\n"
        "Sections without rules are left out. This page is written by `tests/supervision_coverage.py`,\n"
        "and a test compares."
    )
    for section in SECTIONS:
        yield from ["", f"## {section}", "", "| rule | named in | remark |", "|---|---|---|"]
        for rule in rules(section):
            files = ", ".join(f"`tests/{name}`" for name in found.get(rule, ())) or "—"
            remark = REMARKS.get(rule, "") if rule in found else NOT_NAMED.get(rule, "")
            yield f"| {rule} | {files} | {remark} |"


if __name__ == "__main__":
    PAGE.write_text(page(named()), encoding="utf-8")
