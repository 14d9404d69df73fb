"""Counting: exact and offline with what is in the package, and never a reason to fail."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.snippet.tokens import IDLE_SECONDS, VOCABULARY, VOCABULARY_SHA256, TokenCounter, estimate


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter()


def test_the_vocabulary_is_the_official_one_with_its_licence() -> None:
    assert sha256(gzip.decompress(VOCABULARY.read_bytes())).hexdigest() == VOCABULARY_SHA256
    assert "MIT License" in (VOCABULARY.parent / "LICENSE").read_text()


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("hello world", 2), ("不要推送到远程仓库", 8)])
def test_it_counts_exactly(counter: TokenCounter, text: str, tokens: int) -> None:
    assert counter.count(text) == tokens
    assert text == "" or counter.mode == "exact"


@given(text=st.text(max_size=200))
def test_any_text_counts_the_same_however_often(counter: TokenCounter, text: str) -> None:
    assert counter.count(text) == counter.count(text) >= (1 if text else 0)


@pytest.mark.parametrize(
    "text", [" " * 1_000_000, "\t" * 1_000_000, "\u3000" * 400_000, "\n" * 1_000_000, "=" * 300_000]
)
def test_a_text_of_one_endless_piece_is_counted(counter: TokenCounter, text: str) -> None:
    assert 0 < counter.count(text) <= len(text)
    assert counter.mode == "exact"


def test_the_cautious_count_is_never_below_either_of_the_two(counter: TokenCounter) -> None:
    chinese, english, code = (
        "会话缓存用 Redis，运维成本低。" * 9,
        "the plainest of plain words " * 9,
        "a{}(]);" * 9,
    )

    for text in (chinese, english, code):
        assert counter.count_cautiously(text) == max(counter.count(text), estimate(text))
    assert counter.count_cautiously(chinese) > counter.count(chinese)
    assert counter.count_cautiously(code) > estimate(code)


def test_special_tokens_are_text_and_half_characters_do_no_harm(counter: TokenCounter) -> None:
    assert counter.count("<|endoftext|>") > 1
    assert counter.count("a\ud800b") > 0


def test_nothing_asks_the_network_or_a_cache_folder(tmp_path: Path) -> None:
    """In a process of its own, in which every connection fails and nothing may be left behind."""
    program = (
        "import socket, sys\n"
        "def refuse(*_): raise SystemExit('it dialled')\n"
        "socket.socket.connect = refuse\n"
        "from agentinitd.snippet.tokens import TokenCounter\n"
        "counter = TokenCounter()\n"
        "print(counter.count('hello world'), counter.mode, 'requests' in sys.modules)\n"
    )
    environment = {
        "TMPDIR": str(tmp_path),
        "PYTHONPATH": str(VOCABULARY.parents[3]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )

    assert done.stdout.split() == ["2", "exact", "False"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed", "not gzip"])
def test_without_the_vocabulary_counts_are_estimates_and_say_why(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "o200k.gz"
    whole = VOCABULARY.read_bytes()
    if damage == "truncated":
        path.write_bytes(whole[:1000])
    elif damage == "changed":
        path.write_bytes(gzip.compress(gzip.decompress(whole).replace(b"IQ== 0", b"IQ== 1", 1), 1))
    elif damage == "not gzip":
        path.write_bytes(b"hello")
    counter = TokenCounter(path)

    assert counter.count("不要推送 now") == estimate("不要推送 now") == 5
    assert counter.mode == "estimate"
    assert counter.reason


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("中文", 2), ("中文ab", 3), ("、。", 2)],
)
def test_the_estimate_is_one_per_chinese_character_and_one_per_four_others(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_ten_idle_minutes_free_the_encoder_and_counts_stay_known() -> None:
    clock = [0.0]
    counter = TokenCounter(now=lambda: clock[0])
    tokens = counter.count("some text")

    assert not counter.drop_if_idle(IDLE_SECONDS - 1)
    assert counter.drop_if_idle(IDLE_SECONDS)
    assert counter.mode == "unloaded"
    assert counter.count("some text") == tokens
    assert counter.mode == "unloaded"
    clock[0] = IDLE_SECONDS
    assert counter.count("some other text") > 0
    assert counter.load() is not None
    assert not counter.drop_if_idle(IDLE_SECONDS + 1)


def test_threads_share_one_encoder() -> None:
    counter = TokenCounter()
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda n=n: counts.append(counter.count("same text " * n)))
        for n in (1, 1, 1, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts == [counter.count("same text ")] * 4
