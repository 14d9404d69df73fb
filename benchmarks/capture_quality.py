"""How well capture finds what people said: the labelled messages and sessions, played through the product.

    python benchmarks/capture_quality.py [--list | --list-held-out] [--types]

Numbers for all parts; what was missed or made up is not listed for the two parts kept apart, so that nobody
writes rules for them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import capture_retention
from capture_retention import Retention
from capture_scoring import Result, Tally, score

from agentinitd.model.facts import Anchor

DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "capture"
PARTS = ("dev", "held_out", "unseen", "varied", "offhand", "strangers")
KEPT_APART = ("held_out", "unseen", "strangers")
NOW = 1_795_000_000.0
Entry = dict[str, Any]


def entries(part: str) -> list[Entry]:
    """Those of one part, with the secrets put into the messages."""
    return [_whole(json.loads(line)) for line in (DATA / f"{part}.jsonl").open(encoding="utf-8")]


def _whole(entry: Entry) -> Entry:
    entry["secrets"] = ["".join(parts) for parts in entry.get("secrets", ())]
    for message in entry["messages"]:
        for number, secret in enumerate(entry["secrets"]):
            message["text"] = message["text"].replace(f"⟦{number}⟧", secret)
    return entry


def captured(entry: Entry) -> tuple[Anchor, ...]:
    """What the product remembers of these messages."""
    return heard(b"".join(_rows(entry)))


def heard(transcript: bytes) -> tuple[Anchor, ...]:
    """What the product remembers of a transcript of Claude Code."""
    from agentinitd.memory.capture.ledger import apply
    from agentinitd.memory.capture.listener import Listener
    from agentinitd.memory.capture.readers import built_in
    from agentinitd.transcripts import claude_code

    reader = claude_code.new_reader(PurePosixPath("s.jsonl"), is_detailed=True)
    listener = Listener("claude-code/s", readers=built_in())
    found: tuple[Anchor, ...] = ()
    # Line by line, as a session grows.
    for line in transcript.splitlines(keepends=True):
        proposals = listener.hear(reader.feed(line))
        if proposals:
            found = apply(found, proposals, session="claude-code/s", now=NOW)
    return found


def _rows(entry: Entry) -> Iterator[bytes]:
    for number, message in enumerate(entry["messages"]):
        row: dict[str, Any] = {
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "s",
            "timestamp": f"2026-11-23T08:{number:02}:00Z",
            "cwd": "/srv/code/orchid",
            "isSidechain": False,
            "version": "2.1.0",
        }
        if message["who"] == "person":
            row |= {"type": "user", "message": {"role": "user", "content": message["text"]}}
        else:
            content = [{"type": "text", "text": message["text"]}]
            usage = {"input_tokens": 9000 + number, "output_tokens": 9}
            said = {"id": f"m{number}", "role": "assistant", "model": "m", "content": content, "usage": usage}
            row |= {"type": "assistant", "message": said}
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def results(part: str) -> list[tuple[Entry, Result]]:
    return [(entry, score(entry, captured(entry))) for entry in entries(part)]


def tallies(scored: Iterable[tuple[Entry, Result]], key: str) -> dict[str, Tally]:
    """By what stands under `key`, and `all` together."""
    found: dict[str, Tally] = defaultdict(Tally)
    for entry, result in scored:
        found["all"].add(result)
        found[entry[key]].add(result)
    return dict(found)


def measure() -> dict[str, dict[str, Tally]]:
    """Part, then language."""
    return {part: tallies(results(part), "language") for part in PARTS}


def retention(*, with_snippet: Collection[str] | None = None) -> dict[str, Retention]:
    """What is left of the rules of whole sessions, by session, and `all` together."""
    return capture_retention.measure(DATA / "sessions", with_snippet=with_snippet)


def _print_retention(found: dict[str, Retention], *, is_listed: bool) -> None:
    print("\nhard rules of whole sessions in a snippet of 500 tokens")
    for name, each in found.items():
        print(
            f"{name:16}{each.kept:3} of {each.hard_rules:3}  {each.share:.3f}  "
            f"withdrawn: {each.withdrawn_served}  made up: {each.made_up}"
        )
    for name, each in found.items():
        for kind, text in each.remarks if is_listed and name != "all" else ():
            print(f"{name:16}{kind:20}{text}")


def _print_table(found: dict[str, Tally]) -> None:
    """`gone`: of the withdrawn rules that had been captured.  `lost`: gone although nobody withdrew them."""
    titles = (
        "entries",
        "rules",
        "recall",
        "made up",
        "precision",
        "turned",
        "scope",
        "gone",
        "lost",
        "leaks",
    )
    print(f"{'':16}" + "".join(f"{title:>10}" for title in titles))
    for name, tally in sorted(found.items()):
        cells = (
            tally.entries,
            tally.labels,
            f"{tally.recall:.3f}" if tally.labels else "",
            tally.made_up,
            f"{tally.precision:.3f}" if tally.labels else "",
            tally.polarity_errors,
            f"{tally.scope_accuracy:.2f}" if tally.labels else "",
            f"{tally.gone}/{tally.withdrawn}",
            tally.wrongly_withdrawn,
            tally.secrets_leaked,
        )
        print(f"{name:16}" + "".join(f"{cell:>10}" for cell in cells))


def _print_list(scored: Sequence[tuple[Entry, Result]]) -> None:
    for entry, result in scored:
        for kind, text in result.remarks:
            print(f"{entry['id']:10}{entry['type']:16}{kind:12}{text}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--list", action="store_true", help="what was missed or made up, but for the parts kept apart"
    )
    options.add_argument("--list-held-out", action="store_true", help="the parts kept apart: at the very end")
    options.add_argument("--types", action="store_true", help="figures for each type of message")
    chosen = options.parse_args(sys.argv[1:])
    for part in PARTS:
        scored = results(part)
        print(f"\n{part}: {len(scored)} entries")
        _print_table(tallies(scored, "language"))
        if chosen.types:
            print()
            _print_table(tallies(scored, "type"))
        if chosen.list_held_out if part in KEPT_APART else chosen.list:
            _print_list(scored)
    _print_retention(retention(), is_listed=chosen.list)


if __name__ == "__main__":
    main()
