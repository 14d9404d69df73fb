"""Anchors as JSON with stable names, for the socket and for `--json`."""

from __future__ import annotations

from typing import Any

from agentinitd.memory.anchor_book import Entry, Removed
from agentinitd.memory.dates import time_text
from agentinitd.memory.decisions import ids_in
from agentinitd.model.facts import Anchor


def entry_json(entry: Entry) -> dict[str, Any]:
    fate = entry.fate
    return {
        **anchor_json(entry.anchor),
        "withdrawn": entry.is_withdrawn,
        "fate": fate.standing if fate else None,
        "fate_by": (fate.by or None) if fate else None,
    }


def removed_json(removed: Removed) -> dict[str, Any]:
    return {**anchor_json(removed.anchor), "kept": removed.is_kept, "lines": removed.text}


def anchor_json(anchor: Anchor) -> dict[str, Any]:
    return {
        "id": anchor.id,
        "kind": anchor.kind,
        "what": anchor.what,
        "why": anchor.why,
        "priority": anchor.priority,
        "scope": anchor.scope,
        "source": anchor.source,
        "confidence": anchor.confidence,
        "written": time_text(anchor.written_at),
        "verified": time_text(anchor.verified_at),
        "status": anchor.status,
        "supersedes": ids_in(anchor.supersedes),
        "applies": list(anchor.applies),
        "forbid": anchor.forbid,
        "check": anchor.check,
        "phases": list(anchor.phases),
        "topic": anchor.topic or None,
        "captured": anchor.captured,
        "task": task_of(anchor),
        "file": anchor.file,
        "line": anchor.line,
    }


def task_of(anchor: Anchor) -> str | None:
    """The task in whose folder it lies."""
    folder, _, rest = anchor.file.partition("/")
    return rest.partition("/")[0] if folder == "tasks" else None
