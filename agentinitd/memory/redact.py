"""Masks credentials before anything is written or served: the words around them stay, and so do hashes.

Detectors of whole repositories (detect-secrets, gitleaks) look at files line by line, want a plugin for each
vendor, and know no prose; a person says a password in a sentence.  So there are three kinds of evidence here:
the shape of the value, the name it is given to, and the words before it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from agentinitd.memory import credential_forms as forms
from agentinitd.memory.capture.needed import Possible

MASK = "***"


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    count: int
    """How many values were masked."""


def redact(text: str) -> Redacted:
    """`text` with every credential in it replaced by `***`.  Never raises; linear in the length."""
    possible = _possible(text)
    if not possible:
        return Redacted(text, 0)
    masker = _Masker()
    for number in possible:
        pattern, replace = masker.steps[number]
        text = pattern.sub(replace, text)
    return Redacted(text, masker.count)


def may_hold_one(text: str) -> bool:
    """False where `redact` finds nothing."""
    return bool(_possible(text))


def _possible(text: str) -> list[int]:
    """The steps that may find something in it: nearly no text has a word that one of them needs."""
    patterns, words = _patterns()
    return [
        number
        for number in words.in_text(text)
        if forms.SIGNS.get(patterns[number], patterns[number]).search(text)
    ]


@cache
def _patterns() -> tuple[list[re.Pattern[str]], Possible]:
    patterns = [pattern for pattern, _ in _Masker().steps]
    words = {forms.ASSIGNMENT: forms.ASSIGNED_NAMES}
    return patterns, Possible([words.get(pattern, pattern.pattern) for pattern in patterns])


def has_secret(text: str) -> bool:
    return redact(text).count > 0


class _Masker:
    """Counts what it masks.  The order matters: a shape that is certain comes before a name that hints."""

    def __init__(self) -> None:
        self.count = 0
        self.steps = (
            (forms.KEY_BLOCK, self._whole),
            (forms.SHAPES, self._whole),
            (forms.USER_INFO, self._user_info),
            (forms.QUERY, self._value),
            (forms.HEADER, self._header),
            (forms.COMMAND, self._command),
            (forms.ASSIGNMENT, self._assigned),
            (forms.SPOKEN, self._spoken),
            (forms.SPOKEN_AFTER, self._spoken_after),
            (forms.DIGITS, self._known),
            (forms.WORD, self._word),
            (forms.PHRASE, self._phrase),
            (forms.PAIR, self._pair),
            (forms.LONG, self._long),
        )

    def _masked(self, value: str = "") -> str:
        self.count += 1
        return f"{value[0]}{MASK}{value[0]}" if value[:1] in ('"', "'", "`") else MASK

    def _whole(self, _found: re.Match[str]) -> str:
        return self._masked()

    def _user_info(self, found: re.Match[str]) -> str:
        password = found[2] if found[2] is not None else found[3]
        if _is_stand_in(password) or password in ("password", "passwd", "pass", "pwd", "pw", "user"):
            return found[0]
        return f"{found[1]}:{self._masked()}@" if found[2] is not None else f"{self._masked()}@"

    def _header(self, found: re.Match[str]) -> str:
        """`Basic Authentication` is a word of the language."""
        is_named = found[1].strip().lower() not in ("bearer", "basic")
        return self._value(found) if is_named or _is_secret_like(found[2]) else found[0]

    def _value(self, found: re.Match[str]) -> str:
        return found[0] if _is_stand_in(found[2]) else found[1] + self._masked()

    def _command(self, found: re.Match[str]) -> str:
        before, value = next((found[n], found[n + 1]) for n in (1, 3, 5, 7) if found[n] is not None)
        is_port = found[5] is not None and value.rstrip(";,").isdigit()
        is_secret = not _is_stand_in(value) and not is_port and (_is_secret_like(value) or found[7] is None)
        return before + self._masked() if is_secret else found[0]

    def _assigned(self, found: re.Match[str]) -> str:
        value = found[2]
        bare = value[1:-1] if value[0] in "\"'`" else value
        is_quoted = bare is not value
        if _is_stand_in(bare) or not _is_secret_like(bare, is_quoted=is_quoted):
            return found[0]
        return found[1] + self._masked(value)

    def _spoken(self, found: re.Match[str]) -> str:
        word, gap, copula, value = found.groups()
        bare = value.rstrip(".:?")
        is_said = bool(copula.strip()) or ((gap + copula).isspace() and _is_certain(bare))
        if not is_said or forms.MEASURE.search(gap) or _is_stand_in(bare) or not _is_secret_like(bare):
            return found[0]
        return word + gap + copula + self._masked() + value[len(bare) :]

    def _spoken_after(self, found: re.Match[str]) -> str:
        if _is_stand_in(found[2]) or not _is_secret_like(found[2]):
            return found[0]
        return found[1] + self._masked() + found[3]

    def _known(self, found: re.Match[str]) -> str:
        return found[1] + self._masked()

    def _word(self, found: re.Match[str]) -> str:
        is_none = forms.SAID_OF_ONE.fullmatch(found[2]) or _is_stand_in(found[2])
        return found[0] if is_none else found[1] + self._masked()

    def _phrase(self, found: re.Match[str]) -> str:
        return found[0] if _is_stand_in(found[3]) else found[1] + found[2] + self._masked()

    def _pair(self, found: re.Match[str]) -> str:
        is_one = not _is_stand_in(found[2]) and _is_secret_like(found[2])
        return found[1] + self._masked() if is_one else found[0]

    def _long(self, found: re.Match[str]) -> str:
        before = found.string[max(0, found.start() - 12) : found.start()]
        is_sum = forms.SUM.match(found[0]) or forms.SUM.search(before)
        return found[0] if is_sum or not _is_random(found[0]) else self._masked()


def _is_stand_in(value: str) -> bool:
    """It names where the value is, or says that it is none: `$TOKEN`, `<your key>`, `import.meta.env.KEY`."""
    kinds = (forms.REFERENCE, forms.PATH, forms.CALL)
    return MASK in value or any(kind.match(value) for kind in kinds)


def _is_secret_like(value: str, *, is_quoted: bool = False) -> bool:
    """A value under a telling name: a word is none, a word with digits or signs in it may be one."""
    if len(value) < 5 or (value.isdigit() and (len(value) < 6 or not is_quoted)):
        return False
    if re.search(r"[\u2e80-\uffef\s]", value) or forms.AMOUNT.fullmatch(value):
        return False
    if re.search(r"[0-9!@#$%^&*+=~?|]", value):
        return _kinds(value) >= 2 or len(value) >= 16
    return len(value) >= 20 and _kinds(value) >= 2 and _bits(value) > 3.5


def _is_certain(value: str) -> bool:
    """Right behind the word only what can be nothing else: `database password kX9#v is used`."""
    return _kinds(value) >= 3 or (len(value) >= 16 and sum(map(str.isdigit, value)) > 2)


def _kinds(value: str) -> int:
    """How many of these it has: small letters, capitals, digits, signs."""
    return sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", "[0-9]", r"[^\w.:/-]"))


def _is_random(value: str) -> bool:
    """Letters of both cases and digits through and through: neither a hash, nor a path, nor a long name."""
    bare = value.rstrip("=")
    if forms.HASH.match(bare) or forms.UUID.match(bare) or bare.count("/") > len(bare) // 12:
        return False
    digits, upper, lower = (sum(test(c) for c in bare) for test in (str.isdigit, str.isupper, str.islower))
    if min(digits, upper, lower) < 3 or _bits(bare) < 4.0:
        return False
    # Names are made of words: a run of one kind lasts for long.  In a key it changes at every second letter.
    changes = sum(_kind(one) != _kind(other) for one, other in pairwise(bare))
    return changes > len(bare) * 0.45


def _kind(letter: str) -> int:
    return 0 if letter.isdigit() else 1 if letter.isupper() else 2 if letter.islower() else 3


def _bits(value: str) -> float:
    """Shannon entropy of a letter, in bits."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
