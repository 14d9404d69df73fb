"""Counting tokens without tiktoken: as many as it finds, and nothing else waits for long."""

from __future__ import annotations

import gzip
import unicodedata
from binascii import a2b_base64
from types import FunctionType

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from agentinitd.snippet import o200k
from agentinitd.snippet.o200k import Encoder
from agentinitd.snippet.tokens import VOCABULARY

ASSIGNED = st.characters(exclude_categories=("Cs", "Cn"))
"""What Unicode has added since is a letter to one library and nothing to the other."""
TEXTS = st.lists(st.one_of(st.text(ASSIGNED), st.text("aAbB's \t\r\n/1.的不")), max_size=4).map("".join)


@pytest.fixture(scope="module")
def vocabulary() -> bytes:
    return gzip.decompress(VOCABULARY.read_bytes())


@pytest.fixture(scope="module")
def encoder(vocabulary: bytes) -> Encoder:
    return Encoder(vocabulary)


@pytest.fixture(scope="module")
def official(vocabulary: bytes) -> tiktoken.Encoding:
    ranks = {a2b_base64(token): int(rank) for token, rank in map(bytes.split, vocabulary.splitlines())}
    # Its own loader would ask the network.
    offline = {**vars(openai_public), "load_tiktoken_bpe": lambda *_, **__: ranks}
    return tiktoken.Encoding(**FunctionType(openai_public.o200k_base.__code__, offline)())


def counted(official: tiktoken.Encoding, text: str) -> int:
    return len(official.encode(text, disallowed_special=()))


def test_pieces_are_those_of_the_official_encoding(official: tiktoken.Encoding) -> None:
    assert official._pat_str == o200k.PIECE


@given(text=TEXTS)
def test_any_text_has_as_many_tokens_as_tiktoken_finds(
    encoder: Encoder, official: tiktoken.Encoding, text: str
) -> None:
    assert encoder.count(text) == counted(official, text)


def test_every_script_has_as_many_tokens_as_tiktoken_finds(
    encoder: Encoder, official: tiktoken.Encoding
) -> None:
    codes = [*range(0x3400), *range(0x3400, 0xF900, 50), *range(0xF900, 0x20000, 2)]
    known = [chr(code) for code in codes if unicodedata.category(chr(code)) not in ("Cs", "Cn", "Co")]
    rows = ["".join(f"a{each}B {each}'s " for each in known[at : at + 64]) for at in range(0, len(known), 64)]

    assert [encoder.count(row) for row in rows] == [counted(official, row) for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "<|endoftext|>",
        "不要推送到远程仓库",
        "def f(x):\n    return x + 1\n\n" * 400,
        '第一行：不要推送。\nSecond line.\n\t{"json": [1, 2]}\n' * 300,
        "\n".join(f"line {n} " + "x" * n for n in range(500)),
        "QmFzZTY0" * 60,
    ],
)
def test_a_text_as_people_write_them_has_as_many_tokens_as_tiktoken_finds(
    encoder: Encoder, official: tiktoken.Encoding, text: str
) -> None:
    assert encoder.count(text) == counted(official, text)


def test_a_word_without_an_end_is_counted_in_parts(encoder: Encoder, official: tiktoken.Encoding) -> None:
    word = "abcdefghij" * 2000

    assert counted(official, word) <= encoder.count(word) <= 1.02 * counted(official, word)
