"""The log is read from its oldest part on, whatever else lies in it."""

from __future__ import annotations

from pathlib import Path

from agentinitd.daemon.past_log import parts, records


def line(event: str, number: int) -> bytes:
    return b'{"event": "%s", "n": %d}\n' % (event.encode(), number)


def test_rotated_parts_come_first_the_oldest_before_all(tmp_path: Path) -> None:
    log = tmp_path / "rebuild.log"
    for name, number in (
        ("rebuild.log", 3),
        ("rebuild.log.1", 2),
        ("rebuild.log.10", 1),
        ("rebuild.log.gz", 9),
    ):
        (tmp_path / name).write_bytes(line("run.end", number))

    assert [part.name for part in parts(log)] == ["rebuild.log.10", "rebuild.log.1", "rebuild.log"]
    assert [record["n"] for record in records(log, ("run.end",))] == [1, 2, 3]


def test_other_events_damage_and_lines_without_end_are_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "rebuild.log"
    torn = b'{"event": "run.end", "n": \n'
    log.write_bytes(
        line("trigger", 1) + torn + b'{"event": "run.end", "x": "\xff"}\n' + b"\0" * 100_000 + b"\n"
        b'["event": "run.end"]\n' + line("run.end", 2) + b'{"event": "run.end"'
    )  # fmt: skip

    assert [record["n"] for record in records(log, ("run.end",))] == [2]


def test_without_a_log_there_are_none(tmp_path: Path) -> None:
    assert list(records(tmp_path / "absent" / "rebuild.log", ("run.end",))) == []
