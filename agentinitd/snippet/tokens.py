"""How many tokens a text has, offline: o200k with the vocabulary in this package, or a plain estimate."""

from __future__ import annotations

import contextlib
import ctypes
import gzip
import re
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Literal

from agentinitd.snippet.o200k import Encoder

VOCABULARY = Path(__file__).parent / "vocabulary" / "o200k_base.tiktoken.gz"
VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
IDLE_SECONDS = 600.0

_CACHED_COUNTS = 1024
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")

Mode = Literal["unloaded", "exact", "estimate"]


class TokenCounter:
    """Counts, and remembers counts by content.  The first new text loads the encoder, some 27 MB."""

    def __init__(self, vocabulary: Path = VOCABULARY, *, now: Callable[[], float] = time.monotonic) -> None:
        self.mode: Mode = "unloaded"
        self.reason: str | None = None
        """Why counts are estimates."""
        self._vocabulary = vocabulary
        self._now = now
        self._used_at = now()
        self._encoder: Encoder | None = None
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def count(self, text: str) -> int:
        """Tokens of the text.  Never raises and never touches the network; threads may share the counter."""
        data = text.encode("utf-8", "replace")
        key = blake2b(data, digest_size=16).digest()
        with self._lock:
            known = self._counts.get(key)
            if known is not None:
                self._counts.move_to_end(key)
                return known
        encoder = self.load()
        # Half of a surrogate pair makes encoders fail; it became `?` above.
        tokens = encoder.count(data.decode()) if encoder else estimate(text)
        with self._lock:
            self._counts[key] = tokens
            if len(self._counts) > _CACHED_COUNTS:
                self._counts.popitem(last=False)
        return tokens

    def count_cautiously(self, text: str) -> int:
        """The larger of the tokens and the plain estimate: who counts with less than our tokenizer, or with
        another one, finds a budget kept as well."""
        return max(self.count(text), estimate(text))

    def load(self) -> Encoder | None:
        """The encoder, made on first use: a quarter of a second, so call it in a thread beforehand."""
        self._used_at = self._now()
        encoder = self._encoder
        if encoder or self.reason is not None:
            return encoder
        with self._loading:
            if self._encoder is None and self.reason is None:
                self._load()
            return self._encoder

    def _load(self) -> None:
        try:
            self._encoder = Encoder(_verified(self._vocabulary))
            self.mode = "exact"
        except Exception as error:  # whatever is wrong with the vocabulary: counting goes on
            self.mode = "estimate"
            self.reason = f"{type(error).__name__}: {error}"
        give_back_memory()

    def drop_if_idle(self, now: float) -> bool:
        """Free the encoder when nothing new was counted for ten minutes before `now`; counts stay known."""
        if self._encoder is None or now - self._used_at < IDLE_SECONDS:
            return False
        with self._loading:
            self._encoder = None
            self.mode = "unloaded"
        give_back_memory()
        return True


def estimate(text: str) -> int:
    """One token per Chinese, Japanese or Korean character, one per four others."""
    wide = len(_CJK.findall(text))
    return wide + -(-(len(text) - wide) // 4)


def _verified(path: Path) -> bytes:
    with gzip.open(path) as file:
        data = file.read()
    found = sha256(data).hexdigest()
    if found != VOCABULARY_SHA256:
        raise ValueError(f"{path} is damaged (sha256 {found[:12]}…). Install agentinitd again.")
    return data


def give_back_memory() -> None:
    """Make glibc return freed memory to the system; elsewhere there is nothing to call."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
