"""Anchor files changed to the byte: one item is written, changed or taken out, and all else stays as it was.

Whatever is written is read again before it is given back: when another item would come to mean something
else, or ours would not mean what was asked for, the change is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import fields as fields_of
from msgspec.structs import replace

from agentinitd.memory.anchors import Item, default_scope, parse_items
from agentinitd.memory.item_edit import edits_of, tag_of, why_of
from agentinitd.memory.language import language_of
from agentinitd.memory.raw_text import RawText, applied
from agentinitd.memory.written_fields import KEY_OF, field_text, is_same
from agentinitd.model.errors import MemoryRefused
from agentinitd.model.facts import Anchor

ANYWHERE = "anchors/notes.md"
"""A file in which only tagged items count."""
_DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields_of(Anchor)}
_FIXED = frozenset({"file", "line"})
_SAID = attrgetter(*(name for name in _DEFAULTS if name != "line"))


def render_item(anchor: Anchor) -> str:
    """The item as it is added to a file.  Raises MemoryRefused for what cannot be written."""
    if not anchor.what.strip():
        raise MemoryRefused("an item needs words. Write what holds in one line.")
    file = anchor.file or ANYWHERE
    language = language_of((anchor.what, anchor.why or ""))
    lines = [f"- [{tag_of(anchor.kind, language)}] {anchor.what}"]
    if anchor.why:
        lines.append(f"  {why_of(language)}{anchor.why}")
    wanted = {attribute: getattr(anchor, attribute) for attribute in KEY_OF}
    texts = [f"{key}: {text}" for key, text in _field_texts(wanted, file).items() if text is not None]
    text = "\n".join([*lines, f"  <!-- {'; '.join(texts)} -->", ""])
    items, problems = parse_items(text, file)
    if not items and problems:
        raise MemoryRefused(problems[0].message)
    _check_others([], items, own={0})
    _check_own(anchor, items[0].anchor)
    return text


def add_item(text: str | None, anchor: Anchor) -> str:
    """With this item at the end; for a file that is absent or empty, with front matter.

    `anchor.file` is the file that it is added to.  The item carries its own time: that of the front matter is
    also the age of others, and stays.
    """
    file = anchor.file or ANYWHERE
    before = _items(text or "", file)
    there = next((item.anchor for item in before if item.anchor.id == anchor.id), None)
    if there is not None:
        raise MemoryRefused(f"{file}:{there.line} has the id {anchor.id} already. Choose another one.")
    raw = RawText(text or "")
    head = raw.text
    if not head.strip("\ufeff \t\r\n"):
        head += _front_matter(anchor).replace("\n", raw.newline())
    elif not head.endswith(("\n", "\r")):
        head += raw.newline()
    new = head + render_item(anchor).replace("\n", raw.newline())
    after = _items(new, file)
    _check_others(before, after, own={len(before)})
    _check_own(anchor, after[-1].anchor)
    return new


def change_item(text: str, item_id: str, /, *, file: str = ANYWHERE, **fields: Any) -> str:
    """With other fields of Anchor, `what`, `why` and `kind` among them; the default of a field takes it out.

    The item keeps its id when its words change.  `file` tells where the text is from.
    """
    if unknown := fields.keys() - (_DEFAULTS.keys() - _FIXED):
        raise TypeError(f"not to be changed: {', '.join(sorted(unknown))}")
    before = _items(text, file)
    own = _places(before, item_id, file)
    wanted_id = fields.get("id", item_id)
    if wanted_id != item_id and any(item.anchor.id == wanted_id for item in before):
        raise MemoryRefused(f"{file} has another item with the id {wanted_id}. Choose another one.")
    wanted = [replace(before[place].anchor, **fields) for place in sorted(own)]
    fields = {"id": item_id, **fields} if _is_renamed(wanted[0], before[min(own)]) else fields
    texts = _field_texts(fields, file)
    raw = RawText(text)
    # A comment with an odd quote would swallow a field at its end: that goes into one of its own.
    for is_apart in (False, True):
        edits = (edits_of(raw, before[place], fields, texts, is_apart=is_apart) for place in sorted(own))
        new = applied(text, [edit for each in edits for edit in each])
        after = _items(new, file)
        if is_apart or _is_read_as(wanted, after, own):
            break
    _check_others(before, after, own=own)
    for place, anchor in zip(sorted(own), wanted, strict=True):
        _check_own(anchor, after[place].anchor)
    return new


def remove_item(text: str, /, *item_ids: str, file: str = ANYWHERE) -> str:
    """Without these items; equal ones of the same id are one."""
    before = _items(text, file)
    own = {place for item_id in item_ids for place in _places(before, item_id, file)}
    others = [item for place, item in enumerate(before) if place not in own]
    raw = RawText(text)
    cuts = [raw.whole(before[place].anchor.line, before[place].end) for place in sorted(own)]
    for between in ("", raw.newline()):
        # What follows may be taken for more words of the item before: then a blank line keeps them apart.
        new = applied(text, [cut._replace(text=between) for cut in cuts])
        after = _items(new, file)
        if between or _are_same(others, after):
            break
    _check_others(others, after, own=set())
    return new


def item_text(text: str, item_id: str, /, *, file: str = ANYWHERE) -> str:
    """The lines of the item as they stand, each ended by a line feed."""
    items = _items(text, file)
    item = items[min(_places(items, item_id, file))]
    raw = RawText(text)
    lines = raw.text[raw.offset(item.anchor.line, 0) : raw.end(item.end)]
    return lines.replace("\r\n", "\n").replace("\r", "\n") + "\n"


def replace_item(text: str, item_id: str, piece: str, /, *, file: str = ANYWHERE) -> str:
    """With `piece`, which holds one item, in place of the item's lines.

    Unless the piece names an id, the item keeps its own.
    """
    before = _items(text, file)
    own = _places(before, item_id, file)
    raw = RawText(text)
    lines = piece.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    edits = [
        raw.whole(before[place].anchor.line, before[place].end)._replace(
            end=raw.end(before[place].end), text=raw.newline(before[place].anchor.line).join(lines)
        )
        for place in own
    ]
    new = applied(text, edits)
    after, problems = parse_items(new, file)
    _check_others(before, after, own=own)
    changed = after[min(own)].anchor
    inside = range(changed.line, changed.line + len(lines))
    if problem := next((problem for problem in problems if problem.line in inside), None):
        raise MemoryRefused(f"line {problem.line - changed.line + 1} of the item: {problem.message}")
    if changed.id == item_id:
        return new
    if "id" not in after[min(own)].fields:
        return change_item(new, changed.id, file=file, id=item_id)
    if any(item.anchor.id == changed.id for place, item in enumerate(after) if place not in own):
        raise MemoryRefused(f"{file} has another item with the id {changed.id}. Choose another one.")
    return new


def changed_items(before: str | None, after: str | None, /, *, file: str = ANYWHERE) -> frozenset[str]:
    """Ids of the items that one of the two texts has and the other has not, or has differently.

    The time of the front matter is not theirs.
    """
    one, other = (
        {_own(item): item.anchor.id for item in _items(text or "", file)} for text in (before, after)
    )
    return frozenset({**one, **other}[said] for said in one.keys() ^ other.keys())


def _items(text: str, file: str) -> list[Item]:
    return parse_items(text, file)[0]


def _placeless(item: Item) -> tuple[object, ...]:
    """All that it says, wherever it stands now."""
    return _SAID(item.anchor)


def _own(item: Item) -> tuple[object, ...]:
    has_time = "written_at" in item.fields
    return _SAID(item.anchor if has_time else replace(item.anchor, written_at=None))


def _are_same(before: Sequence[Item], after: Sequence[Item]) -> bool:
    return [*map(_placeless, before)] == [*map(_placeless, after)]


def _places(items: Sequence[Item], item_id: str, file: str) -> set[int]:
    """Where in the list it stands; equal items of one id are one."""
    places = [place for place, item in enumerate(items) if item.anchor.id == item_id]
    facts = {(items[place].anchor.kind, items[place].anchor.what) for place in places}
    if not places:
        raise MemoryRefused(f"{file} has no item with the id {item_id}. `agentinitd anchors list` shows all.")
    if len(facts) > 1:
        lines = " and ".join(str(items[place].anchor.line) for place in places)
        raise MemoryRefused(f"{file}: lines {lines} have the same id {item_id}. Give one of them another id.")
    return set(places)


def _is_renamed(wanted: Anchor, item: Item) -> bool:
    """Other words would give it another id, and nothing names the one that it has."""
    is_other = (wanted.kind, wanted.what) != (item.anchor.kind, item.anchor.what)
    return is_other and "id" not in item.fields


def _field_texts(fields: Mapping[str, Any], file: str) -> dict[str, str | None]:
    """Field as written → its text; None where it says no more than is taken for granted."""
    defaults = {**_DEFAULTS, "scope": default_scope(file), "id": None}
    return {
        key: None if fields[attribute] == defaults[attribute] else field_text(key, fields[attribute])
        for attribute, key in KEY_OF.items()
        if attribute in fields
    }


def _front_matter(anchor: Anchor) -> str:
    if anchor.written_at is None:
        return ""
    return f"---\nlast_updated: {field_text('last_updated', anchor.written_at)}\n---\n"


def _is_read_as(wanted: Sequence[Anchor], after: Sequence[Item], own: set[int]) -> bool:
    if len(after) <= max(own):
        return False
    found = [after[place].anchor for place in sorted(own)]
    return not any(fault for pair in zip(wanted, found, strict=True) for fault in _faults(*pair))


def _check_own(wanted: Anchor, found: Anchor) -> None:
    for attribute, expected, got in _faults(wanted, found):
        raise MemoryRefused(
            f"{attribute}: `{expected!s:.80}` would be read as `{got!s:.80}`. Write it on one line,"
            " without what Markdown takes for something else, or that in backticks."
        )


def _faults(wanted: Anchor, found: Anchor) -> Iterator[tuple[str, object, object]]:
    for each in fields_of(Anchor):
        expected, got = getattr(wanted, each.name), getattr(found, each.name)
        is_open = each.name in _FIXED or (each.name == "written_at" and expected is None)
        if not is_open and not is_same(got, expected) and (got or expected):
            yield each.name, expected, got


def _check_others(before: Sequence[Item], after: Sequence[Item], *, own: set[int]) -> None:
    """Raises MemoryRefused when any item but those at the places `own` is no longer what it was."""
    kept = [_placeless(item) for place, item in enumerate(before) if place not in own]
    found = [_placeless(item) for place, item in enumerate(after) if place not in own]
    surplus = len(after) - len(kept) - len(own)
    if kept == found and not surplus:
        return
    if surplus > 0:
        raise MemoryRefused("this would be read as several items. Write one, and add the others apart.")
    raise MemoryRefused(
        "this would be read as no item, or change what the items around it mean."
        " Write it on one line, without comments; or edit the file by hand."
    )
