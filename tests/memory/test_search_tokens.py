"""Under which words a text is found: Chinese in pairs, identifiers whole and in parts, whatever is typed."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.search_tokens import (
    MAX_TERMS,
    MAX_WORD_CHARS,
    Term,
    index_text,
    match_all,
    match_any,
    query_terms,
)


def found(text: str, query: str) -> bool:
    """By the real FTS5, with all that is asked for."""
    terms = query_terms(query)
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table words using fts5 (text, tokenize='porter unicode61')")
    connection.execute("insert into words values (?)", (index_text(text),))
    answers = [
        bool(terms)
        and bool(connection.execute("select 1 from words where words match ?", (match,)).fetchall())
        for match in (match_all(terms), match_any(terms))
    ]
    connection.close()
    assert answers[1] or not answers[0], "what has all words has one of them"
    return answers[0]


class TestChinese:
    def test_an_indexed_run_gives_characters_and_pairs(self) -> None:
        assert index_text("会话缓存").split() == ["会", "话", "缓", "存", "会话", "话缓", "缓存"]

    def test_a_query_asks_for_pairs_only(self) -> None:
        assert query_terms("会话缓存") == (Term("会话"), Term("话缓"), Term("缓存"))

    def test_one_character_is_found_by_itself(self) -> None:
        assert query_terms("税") == (Term("税"),)
        assert found("发票含税价", "税")

    def test_words_that_only_ask_are_no_terms(self) -> None:
        assert query_terms("为什么缓存的超时") == query_terms("缓存 超时")

    def test_a_query_of_nothing_else_is_taken_as_it_is(self) -> None:
        assert query_terms("什么") == (Term("什么"),)

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("会话缓存用 Redis", "redis缓存"),
            ("会话缓存用Redis", "缓存 REDIS"),
            ("セッションのキャッシュ", "キャッシュ"),
            ("세션 캐시는 레디스", "캐시"),
            ("ＲＥＤＩＳ　缓存", "redis"),
            ("\u3402\U00020000生僻字", "\U00020000生"),
        ],
    )
    def test_mixtures_and_other_scripts_are_found(self, text: str, query: str) -> None:
        assert found(text, query)

    def test_other_pairs_are_not_found(self) -> None:
        assert not found("会话缓存", "话存")


class TestIdentifiers:
    NAMES = ("idempotency_key", "idempotencyKey", "IdempotencyKey", "IDEMPOTENCY_KEY", "idempotency-key")

    @pytest.mark.parametrize("written", NAMES)
    @pytest.mark.parametrize("asked", NAMES)
    def test_every_spelling_finds_every_other(self, written: str, asked: str) -> None:
        assert found(f"call it with {written}=…", asked)

    @pytest.mark.parametrize("part", ["idempotency", "key", "keys"])
    def test_a_part_finds_the_whole(self, part: str) -> None:
        assert found("idempotencyKey is required", part)

    def test_parts_and_the_whole_are_indexed(self) -> None:
        assert index_text("parseURL2Path").split() == ["parse", "url", "2", "path", "parseurl2path"]
        assert index_text("api.getUser").split() == ["apigetuser", "api", "get", "user", "getuser"]

    def test_a_query_names_the_whole_or_all_parts(self) -> None:
        assert match_all(query_terms("getUser x")) == '("getuser" OR ("get" AND "user")) AND "x"'
        assert (
            match_any(query_terms("getUser x"))
            == '("getuser" OR ("get" AND "user")) OR "x" OR "get" OR "user"'
        )
        assert match_any(query_terms("out-of-it")) == '("outofit" OR ("out" AND "of" AND "it")) OR "out"'
        assert match_any(query_terms("x7_retry")).endswith(') OR "retry"')

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("see src/billing/invoice.py", "invoice.py"),
            ("hash with SHA-256", "sha256"),
            ("hash with sha256", "SHA-256"),
            ("port 5433", "5433"),
            ("pinned at v2.3.1", "2.3"),
            ("don't sleep", "dont"),
            ("the C++ parser", "c++"),
            ("the C# client", "C#"),
            ("Straße", "STRASSE"),
            ("café", "cafe"),
            ("caches are warmed", "cache"),
        ],
    )
    def test_what_people_type_is_found(self, text: str, query: str) -> None:
        assert found(text, query)

    def test_a_language_is_not_its_letter(self) -> None:
        assert not found("vitamin C", "C++")
        assert not found("C++", "C#")


class TestOddTexts:
    def test_english_words_that_only_ask_are_no_terms(self) -> None:
        assert query_terms("why did we use the cache?") == (Term("use"), Term("cache"))

    def test_a_question_of_nothing_else_is_taken_as_it_is(self) -> None:
        assert query_terms("who are you") == (Term("who"), Term("are"), Term("you"))

    @pytest.mark.parametrize(
        "query", ["", " ", '"', "*", "🚀", "((((", "--", "\0", "\ud800", "，。！", "___"]
    )
    def test_where_there_is_no_word_there_is_no_term(self, query: str) -> None:
        assert query_terms(query) == ()

    def test_a_word_is_asked_for_once(self) -> None:
        assert query_terms("cache Cache CACHE 缓存缓存") == query_terms("cache 缓存缓存")

    def test_however_long_the_query_it_has_few_terms_and_short_words(self) -> None:
        terms = query_terms(" ".join(f"x{number}y" for number in range(5000)) + "z" * 10_000)

        assert len(terms) == MAX_TERMS
        assert found("w" * 10_000, "w" * 10_000)
        assert max(map(len, index_text("w" * 10_000).split())) == MAX_WORD_CHARS

    @given(st.text(max_size=200))
    def test_a_text_is_found_by_itself_and_no_query_is_refused(self, text: str) -> None:
        terms = query_terms(text)

        assert not terms or len(terms) == MAX_TERMS or found(text, text)
        assert "\n" not in index_text(text)

    @given(
        st.sampled_from(['"', "*", "NEAR(", "a AND", "OR", "NOT x", "{a b}: c", "^x", "a + b", "-x", "col:"])
    )
    def test_what_fts5_takes_for_syntax_is_text(self, query: str) -> None:
        assert found(f"word {query} word", query) or not query_terms(query)
