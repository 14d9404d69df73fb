"""Writes a picture as SVG: no dependency, light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from agentinitd.cli.plot_scene import COLOURS, Line, Part, Rect, Scene, Shape, Text
from agentinitd.cli.terminal import plain

FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', 'PingFang SC', "
    "'Noto Sans CJK SC', 'Microsoft YaHei', 'WenQuanYi Micro Hei', sans-serif"
)


TEXT_CHARS = 2000


def to_svg(scene: Scene) -> str:
    return "\n".join(_lines(scene)) + "\n"


def _lines(scene: Scene) -> Iterator[str]:
    width, height = _number(scene.width), _number(scene.height)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description">'
    )
    yield f'<title id="title">{_escaped(scene.title)}</title>'
    yield f'<desc id="description">{_escaped(scene.description)}</desc>'
    yield f"<style>\ntext {{ font-family: {FONTS} }}"
    yield from _rules(0)
    yield "@media (prefers-color-scheme: dark) {"
    yield from _rules(1)
    yield "}\n</style>"
    yield f'<rect width="{width}" height="{height}" class="f-ground"/>'
    yield from map(_part, scene.parts)
    yield "</svg>"


def _rules(ground: int) -> Iterator[str]:
    for role, colours in COLOURS.items():
        colour = colours[ground]
        yield f".f-{role} {{ fill: {colour} }} .s-{role} {{ stroke: {colour}; fill: none }}"


def _part(part: Part) -> str:
    if isinstance(part, Rect):
        return _rect(part)
    if isinstance(part, Line):
        return _line(part)
    if isinstance(part, Shape):
        return _shape(part)
    return _text(part)


def _rect(rect: Rect) -> str:
    rounded = f' rx="{_number(rect.rounded)}"' if rect.rounded else ""
    place = (
        f'x="{_number(rect.x)}" y="{_number(rect.y)}" width="{_number(rect.width)}" '
        f'height="{_number(rect.height)}"'
    )
    return _hinted("rect", f'{place}{rounded} class="f-{rect.role}"', rect.hint)


def _line(line: Line) -> str:
    dashes = ' stroke-dasharray="4 4"' if line.is_dashed else ""
    return (
        f'<line x1="{_number(line.x1)}" y1="{_number(line.y1)}" x2="{_number(line.x2)}" '
        f'y2="{_number(line.y2)}" class="s-{line.role}" stroke-width="{_number(line.width)}"{dashes}/>'
    )


def _shape(shape: Shape) -> str:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
    if shape.is_filled:
        return _hinted("polygon", f'points="{points}" class="f-{shape.role}"', shape.hint)
    stroke = f'stroke-width="{_number(shape.width)}" stroke-linejoin="round"'
    return _hinted("polyline", f'points="{points}" class="s-{shape.role}" {stroke}', shape.hint)


def _text(text: Text) -> str:
    place = f'x="{_number(text.x)}" y="{_number(text.y)}" font-size="{_number(text.size)}"'
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    bold = ' font-weight="600"' if text.is_bold else ""
    turned = f' transform="rotate(-90 {_number(text.x)} {_number(text.y)})"' if text.is_upright else ""
    return f'<text {place} class="f-{text.role}"{anchor}{bold}{turned}>{_escaped(text.text)}</text>'


def _hinted(tag: str, attributes: str, hint: str) -> str:
    if not hint:
        return f"<{tag} {attributes}/>"
    return f"<{tag} {attributes}><title>{_escaped(hint)}</title></{tag}>"


def _escaped(text: str) -> str:
    """XML knows no control characters, not even escaped ones."""
    return escape(plain(text, most_chars=TEXT_CHARS))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
