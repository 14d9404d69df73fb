"""Of a long text the part that was looked for is shown."""

from __future__ import annotations

from agentinitd.memory.excerpt import excerpt
from agentinitd.memory.search_tokens import query_terms


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("use Redis", query_terms("redis"), most_chars=20) == "use Redis"


def test_a_long_one_from_where_most_of_the_words_are() -> None:
    text = "redis " + "filler " * 40 + "the redis cluster " + "filler " * 40
    shown = excerpt(text, query_terms("redis cluster"), most_chars=90)

    assert "redis cluster" in shown
    assert shown.startswith("…filler") and shown.endswith("filler…")
    assert len(shown) <= 92


def test_a_stem_is_enough() -> None:
    assert "caches" in excerpt(
        "x " * 200 + "caches are warm" + " y" * 200, query_terms("caching"), most_chars=80
    )


def test_chinese_is_cut_where_it_must_be() -> None:
    text = "前言" * 100 + "会话缓存用 Redis" + "后记" * 100

    assert "会话缓存用 Redis" in excerpt(text, query_terms("缓存"), most_chars=100)


def test_without_a_word_in_it_its_beginning_is_shown() -> None:
    assert excerpt("abc " * 50, query_terms("zzz"), most_chars=20) == "abc abc abc abc abc…"
    assert excerpt("abc " * 50, (), most_chars=20) == "abc abc abc abc abc…"
