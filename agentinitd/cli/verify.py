"""`agentinitd verify`: what is wrong with scripts, links, headers and config, without running anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentinitd.cli.json_output import print_json

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places
    from agentinitd.rc.faults import Fault


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="End with 1 for warnings as well.")
@click.option("-v", "--verbose", is_flag=True, help="Also what is as it should be: masked, shadowed, denied.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
@click.pass_context
def verify(
    context: click.Context, paths: tuple[str, ...], strict: bool, verbose: bool, as_json: bool
) -> None:
    """Check scripts, headers, links, order, owners and config, in all layers, for this folder's project.

    With PATH only what is said of these files, or of what lies below these folders.
    """
    from agentinitd.cli.main import places
    from agentinitd.cli.survey_here import faults_here, project_here

    where = places()
    project = project_here(where)
    faults = [*_of_config(where, project), *faults_here(where, project)]
    if paths:
        faults = [fault for fault in faults if _is_meant(fault.path, paths)]
    count = {kind: sum(fault.severity == kind for fault in faults) for kind in ("error", "warning", "note")}
    if as_json:
        print_json({"errors": count["error"], "warnings": count["warning"], "faults": faults})
    else:
        shown = [fault for fault in faults if verbose or fault.severity != "note"]
        click.echo("\n".join([*map(_line, shown), _sum(count)]))
    context.exit(1 if count["error"] or (strict and count["warning"]) else 0)


def _of_config(where: Places, project: Path | None) -> Iterator[Fault]:
    from agentinitd.daemon.settings import look_through, unread_drop_ins
    from agentinitd.rc.faults import Fault

    for path, finding in look_through(where, project):
        is_projects = project is not None and path.is_relative_to(project)
        yield Fault(
            severity="error" if finding.is_fault else "warning",
            path=str(path),
            line=_line_of(path, finding.key, finding.told),
            rule="TRU-9" if is_projects else "OVR-7" if finding.is_fault else "DMN-7",
            text=finding.text,
            cure="mend the file, then: agentinitd reload",
        )
    for path in unread_drop_ins(where):
        text, cure = "not read: its name is none of a drop-in", "call it NAME.yaml, without another dot"
        yield Fault(severity="warning", path=str(path), rule="OVR-7", text=text, cure=cure)


def _line_of(path: Path, key: str, fault: str) -> int | None:
    said = re.search(r"line (\d+)", fault)
    if not key:
        return int(said[1]) if said else None
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    begins = re.compile(rf"""['"]?{re.escape(key)}['"]?\s*:""")
    return next((number for number, line in enumerate(lines, start=1) if begins.match(line)), None)


def _is_meant(path: str, wanted: Sequence[str]) -> bool:
    meant = [Path(each).absolute() for each in wanted]
    return any(Path(path) == each or Path(path).is_relative_to(each) for each in meant)


def _line(fault: Fault) -> str:
    from agentinitd.cli.terminal import plain

    place = f"{fault.path}:{fault.line}" if fault.line else fault.path
    cure = f"\n    {plain(fault.cure)}" if fault.cure else ""
    return f"{plain(place)}: {fault.severity}: {plain(fault.text)} [{fault.rule}]{cure}"


def _sum(count: dict[str, int]) -> str:
    told = [f"{count[kind]} {kind}{'' if count[kind] == 1 else 's'}" for kind in ("error", "warning")]
    return "Nothing is wrong." if not (count["error"] or count["warning"]) else ", ".join(told)
