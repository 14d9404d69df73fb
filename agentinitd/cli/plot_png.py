"""Writes a picture as PNG, by matplotlib: of the extra `plot`, and imported only here."""

from __future__ import annotations

import io
import logging
from typing import Any

from agentinitd.cli.plot_scene import COLOURS, Line, Part, Rect, Scene, Shape, Text
from agentinitd.model.errors import NotInstalled

PIXELS_PER_INCH = 100
DOTS_PER_INCH = 200
POINTS_PER_PIXEL = 72 / PIXELS_PER_INCH
# matplotlib takes for each character the first of these that has it.
FONTS = (
    "DejaVu Sans",
    *(
        "Noto Sans CJK SC",
        "Noto Sans CJK JP",
        "Source Han Sans SC",
        "WenQuanYi Micro Hei",
        "WenQuanYi Zen Hei",
    ),
    *("PingFang SC", "Hiragino Sans GB", "Heiti SC", "Arial Unicode MS", "Droid Sans Fallback"),
)
ALIGNMENTS = {"start": "left", "middle": "center", "end": "right"}


def to_png(scene: Scene) -> bytes:
    """Raises NotInstalled without matplotlib."""
    figure, axes = _empty(scene)
    for part in scene.parts:
        _draw(axes, part)
    file = io.BytesIO()
    # Without a date in it, the same picture is the same file.
    figure.savefig(file, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return file.getvalue()


def _empty(scene: Scene) -> tuple[Any, Any]:
    try:
        import matplotlib
        from matplotlib import font_manager
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotInstalled(
            f"A PNG needs matplotlib ({error}). pip install 'agentinitd[plot]'. An SVG needs nothing."
        ) from error
    # Of a font without bold letters the plain ones are good enough, and nobody asked.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    installed = {font.name for font in font_manager.fontManager.ttflist}
    matplotlib.rcParams["font.family"] = [name for name in FONTS if name in installed] or ["sans-serif"]
    size = (scene.width / PIXELS_PER_INCH, scene.height / PIXELS_PER_INCH)
    figure = Figure(figsize=size, facecolor=_colour("ground"))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    return figure, axes


def _draw(axes: Any, part: Part) -> None:
    if isinstance(part, Rect):
        _draw_rect(axes, part)
    elif isinstance(part, Line):
        style = (0, (4, 4)) if part.is_dashed else "-"
        width = part.width * POINTS_PER_PIXEL
        axes.plot((part.x1, part.x2), (part.y1, part.y2), color=_colour(part.role), lw=width, ls=style)
    elif isinstance(part, Shape):
        _draw_shape(axes, part)
    else:
        _draw_text(axes, part)


def _draw_rect(axes: Any, rect: Rect) -> None:
    from matplotlib.patches import Rectangle

    place = (rect.x, rect.y)
    axes.add_patch(Rectangle(place, rect.width, rect.height, fc=_colour(rect.role), lw=0, zorder=2))


def _draw_shape(axes: Any, shape: Shape) -> None:
    from matplotlib.patches import Polygon

    if shape.is_filled:
        axes.add_patch(Polygon(shape.points, closed=True, fc=_colour(shape.role), lw=0, zorder=2))
    else:
        across, down = zip(*shape.points, strict=True)
        axes.plot(across, down, color=_colour(shape.role), lw=shape.width * POINTS_PER_PIXEL)


def _draw_text(axes: Any, text: Text) -> None:
    axes.text(
        text.x,
        text.y,
        # A dollar sign would begin a formula.
        text.text.replace("$", r"\$"),
        color=_colour(text.role),
        fontsize=text.size * POINTS_PER_PIXEL,
        fontweight="bold" if text.is_bold else "normal",
        rotation=90 if text.is_upright else 0,
        rotation_mode="anchor",
        ha=ALIGNMENTS[text.anchor],
        va="baseline",
    )


def _colour(role: str) -> str:
    return COLOURS[role][0]
