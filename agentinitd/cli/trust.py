"""`agentinitd trust`: the one place where a person approves what a project wants to run (TRU-8)."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places
    from agentinitd.rc.survey import Survey
    from agentinitd.rc.trust import Candidate, Record, Trust

MOST_LINES = 200


class PathsOrCommand(click.Group):
    """`trust PATH…` is `trust allow PATH…`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            args = ["allow", *args]
        return super().parse_args(context, args)


@click.group(cls=PathsOrCommand)
def trust() -> None:
    """Approve a project's scripts: `agentinitd trust [PATH…]`, or deny them.

    A project's script runs only as approved: these bytes, in this place.  Any change asks again.
    """


@trust.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--sha256", "hashes", multiple=True, metavar="HEX", help="Instead of asking: what the file must be."
)
def allow(paths: tuple[str, ...], hashes: tuple[str, ...]) -> int:
    """Approve these files, or everything that waits for it in the project of this folder."""
    from agentinitd.cli.main import places

    where = places()
    asked = _asked(where, paths)
    if not asked:
        click.echo("Nothing is waiting for approval here.")
        return 0
    if hashes:
        _check_hashes(asked, hashes)
    else:
        _need_terminal(asked)
    refused = [one for one in asked if not (hashes or _agreed(one))]
    for one in asked:
        if one not in refused:
            _approve(one)
            click.echo(f"approved: {one.candidate.path}")
    for one in refused:
        click.echo(f"not approved: {one.candidate.path}")
    return 1 if refused else 0


@trust.command()
@click.argument("paths", nargs=-1, required=True)
def deny(paths: tuple[str, ...]) -> None:
    """Never run these files, whatever they hold, until they are approved by name."""
    import os

    from agentinitd.cli.main import places
    from agentinitd.rc.checkout import trust_root

    where = places()
    for text in paths:
        path, project = _place(where, text)
        found = trust_root(project, os.geteuid())
        relative = os.path.relpath(path, found.top)
        _store(where).deny(root=found.root, relative=relative, path=str(path), now=time.time())
        click.echo(f"denied: {path}")


@trust.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array, with stable names.")
def list_records(as_json: bool) -> None:
    """Every decision, the newest first."""
    from agentinitd.cli.main import places

    records = _store(places()).records()
    if as_json:
        print_json(records)
    else:
        click.echo("\n".join(_record_line(record) for record in records) or "No decisions yet.")


@trust.command()
def prune() -> None:
    """Forget approvals of files and projects that are gone."""
    from agentinitd.cli.main import places

    gone = _store(places()).prune()
    for record in gone:
        click.echo(f"forgotten: {record.path}")
    if not gone:
        click.echo("Nothing to forget: every file and project that was approved is there.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One file to decide about, read once: what is shown is what is approved."""

    candidate: Candidate
    store: Trust
    survey: Survey
    key: str
    summary: str = ""
    env: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()

    @property
    def displaced(self) -> dict[str, str]:
        """Layer → file name of the scripts it would take the place of."""
        return {
            script.layer: script.name
            for script in self.survey.scripts
            if script.key == self.key and script.layer != "project"
        }


def _store(where: Places) -> Trust:
    from agentinitd.rc.trust import Trust

    return Trust(where.trust_dir, where.exec_dir)


def _asked(where: Places, paths: Sequence[str]) -> list[_Asked]:
    from agentinitd.cli.survey_here import project_here, surveyed

    if paths:
        places = [_place(where, text) for text in paths]
        surveys = {project: surveyed(where, project) for _, project in places}
        return [_question(path, surveys[project], _store(where)) for path, project in places]
    project = project_here(where)
    found = surveyed(where, project)
    waiting = [
        script.path for script in found.scripts if script.refusal and script.refusal[0] == "pending-trust"
    ]
    waiting += [entry.path for entry in found.entries if entry.is_pending]
    return [_question(Path(path), found, _store(where)) for path in waiting]


def _place(where: Places, text: str) -> tuple[Path, Path]:
    """The file and its project.  A bare name means a script of the project of this folder."""
    import os

    from agentinitd.cli.survey_here import project_here
    from agentinitd.model.errors import UsageError
    from agentinitd.rc.layers import MEMORY_FOLDER

    given = Path(text)
    project = project_here(where)
    if len(given.parts) == 1 and not os.path.lexists(given) and project is not None:
        given = project / MEMORY_FOLDER / "init.d" / text
    # The folder is resolved, the file is not: a link is approved as the link that it is.
    path = Path(os.path.realpath(given.parent)) / given.name
    for depth, kind in ((2, "init.d"), (3, "rc.d")):
        if (
            len(path.parts) > depth + 1
            and path.parts[-depth] == kind
            and path.parts[-depth - 1] == MEMORY_FOLDER
        ):
            return path, Path(*path.parts[: -depth - 1])
    raise UsageError(f"{text} is no script of a project. Name a file in {MEMORY_FOLDER}/init.d/ or rc.d/.")


def _question(path: Path, survey: Survey, store: Trust) -> _Asked:
    from agentinitd.model.errors import PermissionRefused
    from agentinitd.rc import layers, links

    entry = next((entry for entry in survey.entries if entry.path == str(path)), None)
    script = next((script for script in survey.scripts if script.path == str(path)), None)
    if entry is not None and (found := links.candidate(entry, survey.judge)) is not None:
        return _Asked(
            candidate=found, store=store, survey=survey, key=entry.key, summary="an entry of a runlevel"
        )
    wanted = layers.candidate(path, survey.judge) if script is not None and script.key else None
    if script is None or wanted is None:
        raise PermissionRefused(_why_not(path, survey))
    return _Asked(
        candidate=wanted,
        store=store,
        survey=survey,
        key=script.key,
        summary=script.header.short_description if wanted.data else f"switches {script.key} off",
        env=script.header.env,
        findings=script.header.findings,
    )


def _why_not(path: Path, survey: Survey) -> str:
    script = next((script for script in survey.scripts if script.path == str(path)), None)
    reason = ": ".join(script.refusal) if script and script.refusal else "there is no such script"
    return f"{path} cannot be approved: {reason}."


def _check_hashes(asked: Sequence[_Asked], hashes: Sequence[str]) -> None:
    from agentinitd.model.errors import PermissionRefused

    known = {text.lower() for text in hashes}
    wrong = [one for one in asked if one.candidate.sha256 not in known]
    if wrong:
        told = "; ".join(f"{one.candidate.path} is {one.candidate.sha256}" for one in wrong)
        raise PermissionRefused(f"the bytes are not those you name: {told}. Nothing was approved.")


def _need_terminal(asked: Sequence[_Asked]) -> None:
    from agentinitd.model.errors import PermissionRefused

    try:
        with Path("/dev/tty").open("r+b", buffering=0):
            return
    except OSError:
        cures = "\n".join(
            f"  agentinitd trust {shlex.quote(str(one.candidate.path))} --sha256 {one.candidate.sha256}"
            for one in asked
        )
        raise PermissionRefused(f"no terminal to ask on. Look at the files, then:\n{cures}") from None


def _agreed(one: _Asked) -> bool:
    """Show everything that the answer covers, and ask the person, not a pipe."""
    with Path("/dev/tty").open("r+b", buffering=0) as terminal:
        question = f"\nApprove {one.candidate.name}? [y/N] "
        terminal.write(("\n".join(_shown(one)) + question).encode("utf-8", "replace"))
        return terminal.readline().strip().lower() in (b"y", b"yes")


def _approve(one: _Asked) -> None:
    one.store.allow(
        one.candidate,
        now=time.time(),
        displaced=(one.key,) if {"system", "user"} & one.displaced.keys() else (),
        env=one.env,
        summary=one.summary,
    )


def _shown(one: _Asked) -> list[str]:
    from agentinitd.rc import names
    from agentinitd.rc.visible import visible

    candidate = one.candidate
    kind = "" if candidate.is_executable else ", not executable"
    lines = [
        "",
        names.shown(candidate.path),
        f"  {one.summary or '(no description)'}",
        f"  {len(candidate.data):,} bytes, sha256 {candidate.sha256}{kind}",
    ]
    if one.store.is_denied(candidate):
        lines.append("  you denied it before; approving lifts that")
    lines += [f"  takes the place of {name} of the {layer} layer" for layer, name in one.displaced.items()]
    if one.env:
        lines.append(f"  wants from your environment: {' '.join(one.env)}")
    lines += [f"  covers also: {path} {digest[:12]}" for path, digest in candidate.also]
    lines += [f"  {finding}" for finding in one.findings]
    return [*map(visible, lines), "", *_bounded(_text_or_diff(one))]


def _text_or_diff(one: _Asked) -> list[str]:
    """What changed since the last approval of this place, else the whole text: every byte of it."""
    import difflib

    from agentinitd.rc.visible import count_hidden, lines_of, visible

    data = one.candidate.data
    new = lines_of(data)
    hidden = sum(map(count_hidden, new))
    warning = (
        [f"  contains {hidden:,} control or invisible character{'' if hidden == 1 else 's'}, shown as \\x…"]
        if hidden
        else []
    )
    last = one.store.last_approved(one.candidate.root, one.candidate.relative)
    if last is None:
        return [*warning, *(f"  | {visible(line)}" for line in (new if new[-1] else new[:-1]))]
    if last[1] == data:
        return [*warning, "  (the text is the one approved before)"]
    # Compared as they are: what looks alike as an escape and as its spelling is a change all the same.
    changes = difflib.unified_diff(lines_of(last[1]), new, "approved", "now", lineterm="")
    return [*warning, *(f"  {visible(line)}" for line in changes)]


def _bounded(lines: list[str]) -> list[str]:
    left = len(lines) - MOST_LINES
    return lines if left <= 0 else [*lines[:MOST_LINES], f"  … and {left:,} lines more: read the file"]


def _record_line(record: Record) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(record.decided_at))
    return f"{record.kind:<5}  {when}  {record.sha256[:12] or '-':<12}  {record.path}"
