"""What has to be written where, so that one item of an anchor file has other words or other fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agentinitd.memory.anchors import KIND_OF_TAG, TAG, WHY, Item, Words
from agentinitd.memory.language import language_of
from agentinitd.memory.markdown import Comment
from agentinitd.memory.raw_text import Edit, RawText
from agentinitd.memory.written_fields import changed_comment, extended_comment, has_fields, is_bare
from agentinitd.model.facts import AnchorKind, Language

_WHY_OF: Mapping[Language, str] = {"en": "Why: ", "zh": "原因："}


def tag_of(kind: AnchorKind, language: Language) -> str:
    names = [name for name, other in KIND_OF_TAG.items() if other == kind]
    return next(name for name in names if name.isascii() == (language == "en"))


def why_of(language: Language) -> str:
    """What the second line of an item begins with."""
    return _WHY_OF[language]


def edits_of(
    raw: RawText, item: Item, words: Mapping[str, Any], fields: Mapping[str, str | None], *, is_apart: bool
) -> list[Edit]:
    """For `kind`, `what` and `why` in `words`, and fields as written (None: taken out).

    With `is_apart`, fields that the item does not have yet go into a comment of their own.
    """
    edit = _ItemEdit(raw, item, words, fields, is_apart=is_apart)
    return [*edit.kind(), *edit.what(), *edit.why(), *edit.comments()]


class _ItemEdit:
    def __init__(
        self,
        raw: RawText,
        item: Item,
        words: Mapping[str, Any],
        fields: Mapping[str, str | None],
        *,
        is_apart: bool,
    ) -> None:
        self._raw = raw
        self._item = item
        self._fields = fields
        self._is_apart = is_apart
        anchor = item.anchor
        self._kind: AnchorKind = words.get("kind", anchor.kind)
        self._what: str = words.get("what", anchor.what)
        self._why: str = words.get("why", anchor.why) or ""
        self._language = self._spoken()
        # Without a why behind it, the second line of a wrapped what would be taken for one.
        loses_why = bool(item.why) and not self._why and len(item.what) > 1
        self._is_rewritten = self._what != anchor.what or loses_why

    def _spoken(self) -> Language:
        if self._item.tag is None:
            return language_of((self._what, self._why))
        found = TAG.match(self._item.tag.text)
        return "en" if found and found[1].isascii() else "zh"

    def kind(self) -> Iterator[Edit]:
        if self._kind == self._item.anchor.kind:
            return
        tag, name = self._item.tag, tag_of(self._kind, self._language)
        found = TAG.match(tag.text) if tag else None
        if tag and found:
            start = self._raw.pieces(tag.line, tag.start + found.start(1))[0].start
            yield Edit(start, start + len(found[1]), name)
        else:
            first = self._item.what[0]
            start = self._raw.pieces(first.line, first.start)[0].start
            yield Edit(start, start, f"[{name}] ")

    def what(self) -> Iterator[Edit]:
        if self._is_rewritten:
            first, *rest = self._item.what
            yield from self._rewritten(first, first.start, self._what)
            for words in rest:
                yield from self._erased(words)

    def why(self) -> Iterator[Edit]:
        if self._why == (self._item.anchor.why or ""):
            return
        line = f"{why_of(self._language)}{self._why}"
        if not self._item.why:
            yield self._line_behind(self._last_line_of_what(), line)
            return
        first, *rest = self._item.why
        if not self._why:
            rest = [first, *rest]
        else:
            yield from self._with_prefix_kept(first) or self._rewritten(first, first.start, line)
        for words in rest:
            yield from self._erased(words)

    def comments(self) -> Iterator[Edit]:
        found: set[str] = set()
        texts: dict[Comment, str] = {}
        for comment in self._item.comments:
            fields = {key: None if key in found else text for key, text in self._fields.items()}
            texts[comment], there = changed_comment(self._text(comment), fields)
            found |= there
        added = "; ".join(
            f"{key}: {text}" for key, text in self._fields.items() if text is not None and key not in found
        )
        last = next((each for each in reversed(self._item.comments) if has_fields(each.text)), None)
        if added and last and not self._is_apart:
            texts[last] = extended_comment(texts[last], added)
        elif added:
            yield self._line_behind(self._last_line(), f"<!-- {added} -->")
        for comment, text in texts.items():
            yield from self._recommented(comment, text)

    def _rewritten(self, words: Words, start: int, text: str) -> list[Edit]:
        first, *rest = self._raw.pieces(words.line, start)
        return [first._replace(text=text), *rest]

    def _with_prefix_kept(self, words: Words) -> list[Edit]:
        """`Why:` stays as it is written there; empty when there is none, or nothing behind it."""
        blank = len(words.text) - len(words.text.lstrip())
        prefix = WHY.match(words.text.lstrip())
        if not prefix:
            return []
        start = words.start + blank + prefix.end()
        return self._rewritten(words, start, self._why) if self._raw.pieces(words.line, start) else []

    def _erased(self, words: Words) -> list[Edit]:
        line = words.line
        if self._raw.is_all(line):
            return [self._raw.whole(line.number, line.end)]
        return self._raw.pieces(line, 0)

    def _last_line_of_what(self) -> int:
        return (self._item.what[0] if self._is_rewritten else self._item.what[-1]).line.end

    def _last_line(self) -> int:
        """Of those that hold words or comments and will stay."""
        why = self._item.why[:1] if self._why != (self._item.anchor.why or "") else self._item.why[-1:]
        ends = [words.line.end for words in why if self._why or not self._raw.is_all(words.line)]
        ends += [comment.number + comment.text.count("\n") for comment in self._item.comments]
        return max([self._last_line_of_what(), *ends])

    def _line_behind(self, number: int, text: str) -> Edit:
        end = self._raw.end(number)
        return Edit(end, end, f"{self._raw.newline(number)}{self._indent()}{text}")

    def _indent(self) -> str:
        """That of the item's further lines, so that one more belongs to it wherever it stands."""
        first = self._item.anchor.line
        bullet = self._raw.indent(first)
        further = [words.line.number for words in (*self._item.what, *self._item.why)]
        further += [comment.number for comment in self._item.comments]
        indents = [self._raw.indent(number) for number in sorted(further) if number > first]
        wide = (each for each in indents if len(each.expandtabs(4)) > len(bullet.expandtabs(4)))
        return next(wide, f"{bullet}  ")

    def _place(self, comment: Comment) -> Edit:
        """From behind its opening mark to before its closing one."""
        start = self._raw.offset(comment.number, comment.column)
        return Edit(start, self._raw.text.index("-->", start))

    def _text(self, comment: Comment) -> str:
        return self._raw.cut(self._place(comment))

    def _recommented(self, comment: Comment, text: str) -> Iterator[Edit]:
        place = self._place(comment)
        if not is_bare(text) or is_bare(self._raw.cut(place)):
            yield place._replace(text=text)
            return
        # Nothing is left in it: it goes, and its lines with it when nothing else stands there.
        whole = Edit(place.start - len("<!--"), place.end + len("-->"))
        last = comment.number + comment.text.count("\n")
        lines = self._raw.whole(comment.number, last)
        around = self._raw.text[lines.start : whole.start] + self._raw.text[whole.end : lines.end]
        yield whole if around.strip() else lines
