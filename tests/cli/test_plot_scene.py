"""Texts are measured and cut before they are drawn."""

from __future__ import annotations

import pytest

from agentinitd.cli.plot_scene import (
    COLOURS,
    LEGEND_LINE,
    Line,
    Rect,
    Text,
    fitted,
    legend,
    legend_height,
    round_step,
    text_width,
)


def test_what_fits_stays_and_what_does_not_is_cut_to_its_room() -> None:
    assert fitted("S10-constraints", 12, 200) == "S10-constraints"
    for text in ("S10-a-very-long-name" * 5, "数据库迁移检查脚本" * 9, "m" * 3000):
        cut = fitted(text, 12, 200)
        assert cut.endswith("…")
        assert 150 < text_width(cut, 12) <= 200


def test_chinese_is_twice_as_wide_and_what_combines_has_no_width() -> None:
    assert text_width("汉字", 10) == 20.0
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_control_characters_do_not_reach_the_picture() -> None:
    assert fitted("a\n\x1b[31m\ud800b", 12, 200) == "a  [31m b"


@pytest.mark.parametrize(
    ("span", "most", "step"), [(10, 10, 1), (11, 10, 2), (1276, 10, 200), (0.4, 10, 0.05), (0, 5, 0.001)]
)
def test_steps_are_round(span: float, most: int, step: float) -> None:
    assert round_step(span, most) == pytest.approx(step)


def test_a_legend_goes_on_in_the_next_line() -> None:
    texts = [part for part in legend([("ok", "x" * 20)] * 4, x=10, y=50, room=400) if isinstance(part, Text)]

    assert len({text.y for text in texts}) > 1
    assert all(text.x + text_width(text.text, 11) <= 410 for text in texts)


def test_a_legend_shows_each_colour_in_the_form_that_it_has_in_the_picture() -> None:
    entries = [("ok", "a"), ("window", "b"), ("marker", "c")]
    field, _, dashes, _, tick, _ = legend(
        entries, x=0, y=50, room=400, keys={"window": "dashes", "marker": "tick"}
    )

    assert isinstance(field, Rect) and field.width == field.height
    assert isinstance(dashes, Line) and dashes.is_dashed
    assert isinstance(tick, Rect) and tick.height > tick.width
    assert legend_height(entries, room=400) == 0
    assert legend_height(entries, room=40) == 2 * LEGEND_LINE


def test_every_role_has_a_colour_for_light_and_one_for_dark_ground() -> None:
    assert all(
        light.startswith("#") and dark.startswith("#") and light != dark for light, dark in COLOURS.values()
    )
