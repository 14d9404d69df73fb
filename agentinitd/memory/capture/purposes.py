"""What tools and values are for: what is for one thing takes no place of what is for another.

Redis is no answer to "in English", nor Postgres to "use pnpm".
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

from agentinitd.memory.capture.concepts import ALTERNATIVES, LANGUAGES, english_token

# One line a purpose.  A tool may stand in several; words that are common ones as well are left out.
_TOOLS = """
npm pnpm yarn bun pip pipenv poetry uv conda mamba cargo bundler composer
postgres postgresql mysql mariadb sqlite duckdb mongodb mongo dynamodb cockroachdb clickhouse cassandra \
supabase firestore redis mssql
redis memcached valkey dragonfly
kafka rabbitmq rabbit nats sqs redis celery sidekiq pulsar zeromq bullmq
jest vitest mocha jasmine pytest unittest nose rspec junit testng
playwright cypress selenium puppeteer
eslint biome oxlint tslint pylint flake8 ruff
prettier biome black ruff yapf autopep8
mypy pyright
webpack vite rollup esbuild parcel turbopack rspack
helm kustomize terraform ansible pulumi argocd kubectl
jenkins github gitlab circleci github-actions
gcc clang msvc
httpx requests aiohttp axios urllib3
react vue svelte angular solidjs preact
django flask fastapi
json logfmt yaml toml xml protobuf msgpack csv
redux zustand mobx pinia vuex jotai
prisma drizzle typeorm sequelize sqlalchemy peewee
typescript javascript kotlin rust golang
aws gcp azure
"""
_CASE = re.compile(r"[a-z]+[_-]case|(?:pascal|camel)case")
_CASES = -1
LANGUAGE = 0
"""In which people speak: of one each thing has its own."""


def _table() -> dict[str, frozenset[int]]:
    lines = [frozenset(line.split()) for line in _TOOLS.strip().splitlines()]
    found: dict[str, frozenset[int]] = {}
    for number, words in enumerate((LANGUAGES, ALTERNATIVES[0], *lines)):
        for word in words:
            for token in {word, english_token(word) or word}:
                found[token] = found.get(token, frozenset()) | {number}
    return found


_PURPOSES = _table()


@lru_cache(maxsize=512)
def purposes_of(tokens: AbstractSet[str]) -> frozenset[int]:
    """Of all that are known; none when no word is the name of something known."""
    found: frozenset[int] = frozenset()
    for token in tokens:
        found |= _PURPOSES.get(token) or (frozenset({_CASES}) if _CASE.fullmatch(token) else frozenset())
    return found
