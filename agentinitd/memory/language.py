"""English or Chinese: the language in which people wrote most of what the memory holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentinitd.model.facts import Language

_CODE = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)|(?<!\w)\w++://\S+", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# A word, not a name from code: nothing like `customer_id`, `src/app.py`, `--flag`, `toMinor` or `r2` counts.
_WORD = re.compile(r"(?<![\w./\\:@#$=<>&+-])[A-Za-z]?[a-z]+(?:['-][a-z]+)*(?![\w/\\(=@:+-]|\.\w)")
# A Chinese word has about one and a half characters.
_CHARS_PER_WORD = 1.5


def language_of(texts: Iterable[str]) -> Language:
    """The language of the greater part; English when there is nothing to go by."""
    han = words = 0
    for text in texts:
        prose = _CODE.sub(" ", text)
        han += len(_HAN.findall(prose))
        words += len(_WORD.findall(_HAN.sub(" ", prose)))
    return "zh" if han / _CHARS_PER_WORD > words else "en"
