"""Scripts that are called in ways they do not like."""

from __future__ import annotations

from typing import Any


def test_one_that_reads_its_input_to_the_end_does_not_hang(place: Any) -> None:
    """EXE-4: stdin is a file, so its end is certain."""
    place.script("S50-reader", "cat | tail -c 1 | od -An -c; cat; echo '- read all'")

    told = place.starts()

    assert told.of("reader")["result"] == "ok"
    assert "- read all" in told.lines
    place.assert_others_delivered(told)
