"""A script's header: text in, a bounded `Header` with findings out.  Nothing is executed (HDR-1 to 6)."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from agentinitd.model.scripts import RUNLEVELS, Header, OnFailure

HEAD_BYTES = 8 * 1024
BEGIN = "### BEGIN INIT INFO"
END = "### END INIT INFO"
SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 0.1, 60.0
SMALLEST_OUTPUT, LARGEST_OUTPUT = 1024, 256 * 1024
WIDEST_DESCRIPTION = 80

_OURS = "X-Agentinitd-"
_KEYS = (
    "Provides", "Required-Start", "Should-Start", "Required-Stop", "Should-Stop",
    "Default-Start", "Default-Stop", "Short-Description", "Description",
    *(f"{_OURS}{name}" for name in (
        "Timeout", "Max-Output", "Section", "On-Failure", "Parallel", "Essential", "Env",
        "Trust-Also", "Inputs",
    )),
)  # fmt: skip
_ON_FAILURE: dict[str, OnFailure] = {
    "last-good": "last-good", "note": "note", "omit": "omit", "abort": "abort"
}  # fmt: skip
_FIELD = re.compile(r"#[ \t]*([A-Za-z][A-Za-z0-9_-]*):[ \t]*(.*)")
_CONTINUED = re.compile(r"#(?:\t|  )[ \t]*(.*)")
_DELIMITER_LIKE = re.compile(r"\s*#+\s*(?:BEGIN|END)\s+INIT\s+INFO\s*", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIZE = re.compile(r"([0-9]{1,12})\s*(K|KB|KiB|k)?")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Remark:
    """What lint has to say of one line."""

    line: int
    rule: str
    """Of supervision.md."""
    text: str
    """Begins with `error: ` or `warning: `."""


def parse(head: bytes, *, key: str, timeout_seconds: float = 5.0) -> Header:
    """The header in the first bytes of a script.  `timeout_seconds` is what holds when it names none."""
    return _parsed(head, key=key, timeout_seconds=timeout_seconds)[0]


def remarks(head: bytes, *, key: str) -> tuple[Remark, ...]:
    """The findings of `parse`, each with its line."""
    return _parsed(head, key=key, timeout_seconds=5.0)[1]


def line_of(head: bytes, key: str) -> int | None:
    """Where the header has this key."""
    block, _ = _block(_lines(head))
    fields = ((number, _FIELD.fullmatch(line)) for number, line in block or ())
    return next((number for number, field in fields if field and field[1] == key), None)


def _parsed(head: bytes, *, key: str, timeout_seconds: float) -> tuple[Header, tuple[Remark, ...]]:
    block, found = _block(_lines(head))
    if block is None:
        told = Header(timeout_seconds=timeout_seconds, findings=tuple(each.text for each in found))
        return told, tuple(found)
    fields = _Fields(block, found)
    return _header(fields, key=key, timeout_seconds=timeout_seconds), tuple(fields.remarks)


def _lines(head: bytes) -> list[tuple[int, str]]:
    lines = head[:HEAD_BYTES].decode("utf-8", "replace").split("\n")
    return [(number, line.rstrip("\r")) for number, line in enumerate(lines, start=1)]


def _block(lines: list[tuple[int, str]]) -> tuple[list[tuple[int, str]] | None, list[Remark]]:
    found: list[Remark] = []
    block: list[tuple[int, str]] | None = None
    begun = 1
    for number, line in lines:
        if line == END and block is not None:
            return block, found
        if line == BEGIN and block is None:
            block, begun = [], number
        elif _DELIMITER_LIKE.fullmatch(line):
            text = f"error: {_plain(line)!r} is not a delimiter; write exactly {BEGIN!r} and {END!r}"
            found.append(Remark(number, "HDR-1", text))
        elif block is not None:
            block.append((number, _plain(line)))
    if block is None:
        text = f"warning: no header between {BEGIN!r} and {END!r}; defaults apply"
        return None, [*found, Remark(1, "HDR-3", text)]
    text = f"error: no {END!r} in the first {HEAD_BYTES:,} bytes; defaults apply"
    return None, [*found, Remark(begun, "HDR-1", text)]


def _plain(line: str) -> str:
    # What a stranger's file says is shown on terminals: no escape sequences, no overrides.
    return "".join(letter if letter.isprintable() or letter == "\t" else "\ufffd" for letter in line)


class _Fields:
    """The lines of a header as texts by key, and what is wrong with them."""

    def __init__(self, block: list[tuple[int, str]], remarks: list[Remark]) -> None:
        self.remarks = remarks
        self.values: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._first = block[0][0] if block else 1
        self._is_described = False
        for number, line in block:
            self._take(number, line)

    def _take(self, number: int, line: str) -> None:
        continued = _CONTINUED.fullmatch(line)
        if continued and self._is_described:
            self.values["Description"] = f"{self.values['Description']}\n{continued[1]}".strip()
            return
        self._is_described = False
        field = _FIELD.fullmatch(line)
        if field:
            self._keep(number, field[1], field[2].strip())
        elif line.strip(" \t#"):
            self._remark(number, "HDR-2", f"warning: {line[:80]!r} is not `# Key: value`")

    def _keep(self, number: int, key: str, value: str) -> None:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self._remark(number, "HDR-2", f"warning: unknown key {key}{hint}")
        elif key in self.values:
            self._remark(number, "HDR-2", f"error: {key} stands there twice; the first counts")
        else:
            self.values[key] = value
            self._lines[key] = number
            self._is_described = key == "Description"

    def words(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.values.get(key, "").split()))

    def warn(self, key: str, text: str, *, rule: str = "HDR-2") -> None:
        self._remark(self._lines.get(key, self._first), rule, f"warning: {key}{text}")

    def error(self, key: str, text: str, *, rule: str) -> None:
        self._remark(self._lines.get(key, self._first), rule, f"error: {key}{text}")

    def _remark(self, line: int, rule: str, text: str) -> None:
        self.remarks.append(Remark(line, rule, text))


def _header(fields: _Fields, *, key: str, timeout_seconds: float) -> Header:
    is_essential = _yes(fields, f"{_OURS}Essential")
    return Header(
        provides=_provides(fields, key),
        required_start=fields.words("Required-Start"),
        should_start=fields.words("Should-Start"),
        default_start=_levels(fields, "Default-Start", Header().default_start),
        default_stop=_levels(fields, "Default-Stop", ()),
        short_description=_short_description(fields),
        description=fields.values.get("Description", ""),
        timeout_seconds=_timeout(fields, timeout_seconds),
        max_output_bytes=_max_output(fields),
        section=fields.values.get(f"{_OURS}Section") or None,
        on_failure=_on_failure(fields, is_essential=is_essential),
        is_parallel=_yes(fields, f"{_OURS}Parallel"),
        is_essential=is_essential,
        env=tuple(_variables(fields)),
        trust_also=fields.words(f"{_OURS}Trust-Also"),
        inputs=fields.words(f"{_OURS}Inputs"),
        findings=tuple(each.text for each in fields.remarks),
    )


def _provides(fields: _Fields, key: str) -> tuple[str, ...]:
    words = fields.words("Provides")
    if words and words[0] != key:
        text = f" begins with {words[0]}, but the file name says {key}; the file name decides"
        fields.error("Provides", text, rule="OVR-1")
    return words


def _levels(fields: _Fields, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    if key not in fields.values:
        return default
    for word in fields.words(key):
        if word not in RUNLEVELS:
            near = difflib.get_close_matches(word, RUNLEVELS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            fields.warn(key, f": unknown runlevel {word}{hint}")
    return tuple(word for word in fields.words(key) if word in RUNLEVELS)


def _short_description(fields: _Fields) -> str:
    text = fields.values.get("Short-Description", "").replace("\t", " ")
    if not text:
        fields.warn("Short-Description", " is empty")
    if len(text) > WIDEST_DESCRIPTION:
        fields.warn("Short-Description", f" is longer than {WIDEST_DESCRIPTION} columns and was cut")
    return text[:WIDEST_DESCRIPTION]


def _timeout(fields: _Fields, default: float) -> float:
    text = fields.values.get(f"{_OURS}Timeout")
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        fields.warn(f"{_OURS}Timeout", f": expected seconds, found {text!r}; {default:g} holds")
        return default
    return _clipped(fields, f"{_OURS}Timeout", seconds, SHORTEST_TIMEOUT, LONGEST_TIMEOUT)


def _max_output(fields: _Fields) -> int:
    text, default = fields.values.get(f"{_OURS}Max-Output"), Header().max_output_bytes
    if text is None:
        return default
    match = _SIZE.fullmatch(text)
    if match is None:
        expected = f": expected bytes, as 16384 or 16 KiB, found {text!r}; {default} holds"
        fields.warn(f"{_OURS}Max-Output", expected)
        return default
    wanted = int(match[1]) * (1024 if match[2] else 1)
    return int(_clipped(fields, f"{_OURS}Max-Output", wanted, SMALLEST_OUTPUT, LARGEST_OUTPUT))


def _clipped(fields: _Fields, key: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        fields.warn(key, f": {value:g} was clipped to {min(max(value, low), high):g}", rule="HDR-4")
    return min(max(value, low), high)


def _on_failure(fields: _Fields, *, is_essential: bool) -> OnFailure:
    wanted = _one_of(fields, f"{_OURS}On-Failure", _ON_FAILURE, "last-good")
    if wanted == "omit" and is_essential:
        text = ": omit is not allowed for an essential script; last-good holds"
        fields.error(f"{_OURS}On-Failure", text, rule="FAIL-2")
        return "last-good"
    return wanted


def _yes(fields: _Fields, key: str) -> bool:
    return _one_of(fields, key, {"yes": True, "no": False}, False)


def _one_of(fields: _Fields, key: str, choices: dict[str, Value], default: Value) -> Value:
    text = fields.values.get(key)
    if text is not None and text not in choices:
        fields.warn(key, f": expected one of {', '.join(choices)}, found {text!r}")
    return choices.get(text or "", default)


def _variables(fields: _Fields) -> Iterator[str]:
    for word in fields.words(f"{_OURS}Env"):
        if _VARIABLE.fullmatch(word):
            yield word
        else:
            fields.warn(f"{_OURS}Env", f": {word!r} is no variable name")
