"""A script's header: text in, a bounded `Header` with findings out.  Nothing is executed (HDR-1 to 6)."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator
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


def parse(head: bytes, *, key: str, timeout_seconds: float = 5.0) -> Header:
    """The header in the first bytes of a script.  `timeout_seconds` is what holds when it names none."""
    text = head[:HEAD_BYTES].decode("utf-8", "replace")
    block, findings = _block(text.split("\n"))
    if block is None:
        return Header(timeout_seconds=timeout_seconds, findings=tuple(findings))
    fields = _Fields(block, findings)
    return _header(fields, key=key, timeout_seconds=timeout_seconds)


def _block(lines: list[str]) -> tuple[list[str] | None, list[str]]:
    findings: list[str] = []
    block: list[str] | None = None
    for line in (line.rstrip("\r") for line in lines):
        if line == END and block is not None:
            return block, findings
        if line == BEGIN and block is None:
            block = []
        elif _DELIMITER_LIKE.fullmatch(line):
            findings.append(
                f"error: {_plain(line)!r} is not a delimiter; write exactly {BEGIN!r} and {END!r}"
            )
        elif block is not None:
            block.append(_plain(line))
    if block is None:
        return None, [*findings, f"warning: no header between {BEGIN!r} and {END!r}; defaults apply"]
    return None, [*findings, f"error: no {END!r} in the first {HEAD_BYTES:,} bytes; defaults apply"]


def _plain(line: str) -> str:
    # What a stranger's file says is shown on terminals: no escape sequences, no overrides.
    return "".join(letter if letter.isprintable() or letter == "\t" else "\ufffd" for letter in line)


class _Fields:
    """The lines of a header as texts by key, and what is wrong with them."""

    def __init__(self, block: list[str], findings: list[str]) -> None:
        self.findings = findings
        self.values: dict[str, str] = {}
        self._is_described = False
        for line in block:
            self._take(line)

    def _take(self, line: str) -> None:
        continued = _CONTINUED.fullmatch(line)
        if continued and self._is_described:
            self.values["Description"] = f"{self.values['Description']}\n{continued[1]}".strip()
            return
        self._is_described = False
        field = _FIELD.fullmatch(line)
        if field:
            self._keep(field[1], field[2].strip())
        elif line.strip(" \t#"):
            self.findings.append(f"warning: {line[:80]!r} is not `# Key: value`")

    def _keep(self, key: str, value: str) -> None:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            self.findings.append(
                f"warning: unknown key {key}" + (f"; did you mean {near[0]}?" if near else "")
            )
        elif key in self.values:
            self.findings.append(f"error: {key} stands there twice; the first counts")
        else:
            self.values[key] = value
            self._is_described = key == "Description"

    def words(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.values.get(key, "").split()))

    def warn(self, text: str) -> None:
        self.findings.append(f"warning: {text}")

    def error(self, text: str) -> None:
        self.findings.append(f"error: {text}")


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
        findings=tuple(fields.findings),
    )


def _provides(fields: _Fields, key: str) -> tuple[str, ...]:
    words = fields.words("Provides")
    if words and words[0] != key:
        fields.error(f"Provides begins with {words[0]}, but the file name says {key}; the file name decides")
    return words


def _levels(fields: _Fields, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    if key not in fields.values:
        return default
    for word in fields.words(key):
        if word not in RUNLEVELS:
            near = difflib.get_close_matches(word, RUNLEVELS, n=1)
            fields.warn(f"{key}: unknown runlevel {word}" + (f"; did you mean {near[0]}?" if near else ""))
    return tuple(word for word in fields.words(key) if word in RUNLEVELS)


def _short_description(fields: _Fields) -> str:
    text = fields.values.get("Short-Description", "").replace("\t", " ")
    if not text:
        fields.warn("Short-Description is empty")
    if len(text) > WIDEST_DESCRIPTION:
        fields.warn(f"Short-Description is longer than {WIDEST_DESCRIPTION} columns and was cut")
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
        fields.warn(f"{_OURS}Timeout: expected seconds, found {text!r}; {default:g} holds")
        return default
    return _clipped(fields, f"{_OURS}Timeout", seconds, SHORTEST_TIMEOUT, LONGEST_TIMEOUT)


def _max_output(fields: _Fields) -> int:
    text, default = fields.values.get(f"{_OURS}Max-Output"), Header().max_output_bytes
    if text is None:
        return default
    match = _SIZE.fullmatch(text)
    if match is None:
        fields.warn(f"{_OURS}Max-Output: expected bytes, as 16384 or 16 KiB, found {text!r}; {default} holds")
        return default
    wanted = int(match[1]) * (1024 if match[2] else 1)
    return int(_clipped(fields, f"{_OURS}Max-Output", wanted, SMALLEST_OUTPUT, LARGEST_OUTPUT))


def _clipped(fields: _Fields, key: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        fields.warn(f"{key}: {value:g} was clipped to {min(max(value, low), high):g}")
    return min(max(value, low), high)


def _on_failure(fields: _Fields, *, is_essential: bool) -> OnFailure:
    wanted = _one_of(fields, f"{_OURS}On-Failure", _ON_FAILURE, "last-good")
    if wanted == "omit" and is_essential:
        fields.error("On-Failure: omit is not allowed for an essential script; last-good holds")
        return "last-good"
    return wanted


def _yes(fields: _Fields, key: str) -> bool:
    return _one_of(fields, key, {"yes": True, "no": False}, False)


def _one_of(fields: _Fields, key: str, choices: dict[str, Value], default: Value) -> Value:
    text = fields.values.get(key)
    if text is not None and text not in choices:
        fields.warn(f"{key}: expected one of {', '.join(choices)}, found {text!r}")
    return choices.get(text or "", default)


def _variables(fields: _Fields) -> Iterator[str]:
    for word in fields.words(f"{_OURS}Env"):
        if _VARIABLE.fullmatch(word):
            yield word
        else:
            fields.warn(f"{_OURS}Env: {word!r} is no variable name")
