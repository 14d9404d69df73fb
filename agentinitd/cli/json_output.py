"""JSON for programs, as every `--json` prints it."""

from __future__ import annotations

import click


def print_json(value: object) -> None:
    import msgspec

    try:
        text = msgspec.json.format(msgspec.json.encode(value)).decode()
    except UnicodeEncodeError:
        # Half of a character, as a name on disk may have one: only an escape can tell it.
        import json

        text = json.dumps(msgspec.to_builtins(value), indent=2)
    click.echo(text)
