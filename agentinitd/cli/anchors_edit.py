"""`agentinitd anchors edit`: changes one anchor by options, or hands its lines to an editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from agentinitd.cli.anchors import JSON, TASK, book_here, now, place_text, tell_doubts
from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import plain
from agentinitd.model.facts import AnchorKind, Priority, Scope

if TYPE_CHECKING:
    from agentinitd.memory.anchor_book import AnchorBook
    from agentinitd.model.facts import Anchor


@click.command()
@click.argument("name", metavar="ID")
@click.option("--what", metavar="TEXT", help="What holds.")
@click.option("--why", metavar="TEXT", help="The reason; empty takes it out, as with all below.")
@click.option("--kind", type=click.Choice(get_args(AnchorKind)))
@click.option("--priority", type=click.Choice(get_args(Priority)))
@click.option("--scope", type=click.Choice(get_args(Scope)))
@click.option("--applies", multiple=True, metavar="GLOB", help="In place of those it has; may be repeated.")
@click.option("--forbid", metavar="CALL")
@click.option("--check", metavar="CHECK")
@click.option("--phase", "phases", multiple=True, metavar="PHASE", help="As --applies.")
@click.option("--supersedes", multiple=True, metavar="ID", help="As --applies.")
@TASK
@JSON
def edit(name: str, task: str | None, as_json: bool, **options: Any) -> None:
    """Change one anchor.  Without options its lines are opened in $EDITOR; nothing else is touched."""
    book = book_here(task)
    fields = _given(options)
    anchor = book.change(name, fields, now=now()) if fields else _in_editor(book, name)
    if anchor is None:
        click.echo("Nothing was changed.", err=True)
    elif as_json:
        from agentinitd.memory.anchor_answer import anchor_json

        print_json(anchor_json(anchor))
    else:
        click.echo(plain(f"{anchor.id}  {place_text(anchor.file, anchor.line)}"))
    if anchor is not None:
        tell_doubts(anchor, book.project)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were named; a repeated one that is empty means none."""
    fields = {key: value for key, value in options.items() if value not in (None, ())}
    return {
        key: tuple(filter(None, value)) if isinstance(value, tuple) else value
        for key, value in fields.items()
    }


def _in_editor(book: AnchorBook, name: str) -> Anchor | None:
    """None when the editor left the lines as they were.  What cannot be taken over stays in its file."""
    from agentinitd.model.errors import AgentinitdError

    piece = book.piece(name)
    # A folder of its own: editors put their own files beside the one they edit.
    folder = Path(tempfile.mkdtemp(prefix="agentinitd-edit-"))
    path = folder / f"{piece.anchor.kind}.md"
    path.write_text(piece.text, encoding="utf-8", newline="\n")
    try:
        _edit(path)
        text = path.read_bytes().decode()
        anchor = book.put_back(piece, text, now=now()) if text != piece.text else None
    except (AgentinitdError, OSError, UnicodeDecodeError) as error:
        if path.exists() and path.read_bytes() != piece.text.encode():
            raise AgentinitdError(f"{error} Nothing was changed; your text is kept in {path}.") from error
        _remove(folder)
        raise AgentinitdError(f"{error} Nothing was changed.") from error
    _remove(folder)
    return anchor


def _edit(path: Path) -> None:
    from agentinitd.model.errors import AgentinitdError

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    cure = "Set EDITOR to a program that waits until you are done, or use options: --what, --why, …"
    try:
        status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        raise AgentinitdError(f"The editor {editor!r} cannot be started: {error}. {cure}") from error
    if status:
        raise AgentinitdError(f"The editor {editor!r} ended with {status}.")


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
