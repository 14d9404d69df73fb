"""The text format: what a scraper would read back."""

from __future__ import annotations

from agentinitd.daemon.prometheus import MOST_SERIES, Family, Spread, gauge, page


def test_counters_with_labels_of_any_text() -> None:
    family = Family("x_total", "counter", "Things.", ("name",))
    family.add('a "b"\\\n')
    family.add("c", by=2.5)

    assert page([family.lines()]) == (
        "# HELP x_total Things.\n"
        "# TYPE x_total counter\n"
        'x_total{name="a \\"b\\"\\\\\\n"} 1\n'
        'x_total{name="c"} 2.5\n'
    )


def test_what_never_happened_is_zero_and_not_absent_where_there_are_no_labels() -> None:
    families = [
        Family("x_total", "counter", "X.").lines(),
        Spread("y", "Y.").lines(),
        gauge("z", "Z.", 12345678),
    ]
    samples = [line for line in page(families).splitlines() if not line.startswith("#")]

    assert samples == ["x_total 0", "y_sum 0", "y_count 0", "z 12345678"]


def test_a_histogram_counts_upwards_and_ends_with_all() -> None:
    spread = Spread("t_seconds", "T.", ("level",), bounds=(0.1, 1.0))
    for value in (0.1, 0.5, 7.0, float("nan"), float("inf")):
        spread.observe("slim", value=value)

    assert page([spread.lines()]).splitlines()[1:] == [
        "# TYPE t_seconds histogram",
        't_seconds_bucket{level="slim",le="0.1"} 1',
        't_seconds_bucket{level="slim",le="1"} 2',
        't_seconds_bucket{level="slim",le="+Inf"} 3',
        't_seconds_sum{level="slim"} 7.6',
        't_seconds_count{level="slim"} 3',
    ]


def test_names_that_projects_choose_do_not_fill_the_memory_of_a_scraper() -> None:
    family = Family("x_total", "counter", "X.", ("script", "layer"))
    for number in range(MOST_SERIES + 50):
        family.add(f"s{number}", "project")

    lines = list(family.lines())
    assert len(lines) == 2 + MOST_SERIES + 1
    assert 'x_total{script="other",layer="other"} 50' in lines
