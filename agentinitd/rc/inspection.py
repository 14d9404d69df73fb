"""Scripts looked at byte by byte, and none of them run: headers, first lines, interpreters, line ends."""

# Real paths are judged as texts.
# ruff: noqa: PTH118, PTH119

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agentinitd.model.scripts import RUNLEVELS, Script
from agentinitd.rc import entries, environment, faults, header, launch, layers, links, names
from agentinitd.rc.faults import Fault
from agentinitd.rc.layers import Layer, Source
from agentinitd.rc.survey import Survey, as_if_approved

_LOOKED_AT_BYTES = 64 * 1024
_READ = frozenset({"skipped"})
"""Scripts that may run some day are read as well as those that do."""

# Words of a remark on a header → its cure; the first that fits.
_HEADER_CURES = (
    ("is not a delimiter", "write the two lines as they stand here"),
    ("no header between", "begin one, with Short-Description at least"),
    ("in the first", "end the header with this line"),
    ("is not `# Key: value`", "write it so, or take it out of the header"),
    ("unknown key", "correct its name, or take the line out"),
    ("stands there twice", "keep one of the two"),
    ("begins with", "let it begin with the key in the file name, or call the file otherwise"),
    ("unknown runlevel", f"take of {', '.join(RUNLEVELS)}"),
    ("is empty", "say in one line what the script is for"),
    ("is longer than", f"shorten it to {header.WIDEST_DESCRIPTION} columns"),
    ("was clipped", "write the value that holds"),
    ("omit is not allowed", "take last-good, note or abort, or X-Agentinitd-Essential: no"),
    ("is no variable name", "write letters, digits and _, blanks in between"),
    ("", "write what is expected"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What scripts will find when they run."""

    search_path: str
    env_pass: tuple[str, ...] = ()


def faults_of(found: Survey, places: Sequence[Layer], around: Surroundings) -> list[Fault]:
    """Everything that is wrong, the gravest of each file first."""
    approved = as_if_approved(found, places)
    scripts = [script for script in found.scripts if script.layer != "project"]
    scripts += [script for script in approved.scripts if script.layer == "project"]
    sources = {script.path: _source(script, found, places) for script in scripts}
    told = [_with_line(fault, sources.get(fault.path)) for fault in faults.of_survey(found, approved)]
    for script in scripts:
        source = sources[script.path]
        if source is not None and source.data:  # what is empty switches another off, and says no more
            told += [
                *_of_header(script, source),
                *_of_bytes(script, source, around),
                *_of_env(script, source, around),
            ]
    told += [faults.of_finding(text) for text in links.read(places, found.scripts, found.judge)[1]]
    told += _of_overrides(found, places)
    return sorted(told, key=lambda fault: (fault.path, fault.line or 0, fault.rule))


def _source(script: Script, found: Survey, places: Sequence[Layer]) -> Source | None:
    if not script.key or (script.refusal is not None and script.refusal[0] not in _READ):
        return None
    return layers.source(script, places, found.judge)


def _with_line(fault: Fault, source: Source | None) -> Fault:
    if source is None or fault.rule not in ("HDR-5", "HDR-6"):
        return fault
    key = "Required-Start" if fault.severity == "error" else "Should-Start"
    return replace(fault, path=source.header_path, line=header.line_of(source.header, key))


def _of_header(script: Script, source: Source) -> Iterator[Fault]:
    for remark in header.remarks(source.header, key=script.key):
        severity, _, text = remark.text.partition(": ")
        yield Fault(
            severity="error" if severity == "error" else "warning",
            path=source.header_path,
            line=remark.line,
            rule=remark.rule,
            text=text,
            cure=next(cure for words, cure in _HEADER_CURES if words in text),
        )


def _of_bytes(script: Script, source: Source, around: Surroundings) -> Iterator[Fault]:
    head = source.data[:_LOOKED_AT_BYTES]
    try:
        interpreter = launch.interpreter_of(head[: launch.HEAD_BYTES])
        launch.check_interpreter(interpreter)
    except launch.ExecError as error:
        yield _error(script, 1, f"exec-error: {error}", _cure(str(error)))
        return
    program = _named_by_env(interpreter)
    if program and shutil.which(program, path=around.search_path) is None:
        text = f"{interpreter[0]} finds no {program} in the PATH of scripts"
        yield _error(script, 1, text, f"install it in one of {around.search_path}")
    if interpreter and b"\r\n" in head:
        line = head[: head.index(b"\r\n")].count(b"\n") + 1
        text = "the line ends with CR LF, of which most interpreters take the CR for text"
        cure = f"sed -i 's/\\r$//' {shlex.quote(script.path)}"
        yield Fault(severity="warning", path=script.path, line=line, rule="EXE-2", text=text, cure=cure)
    if script.layer != "project" and script.executable and _is_on_noexec(script.executable):
        yield _error(
            script, None, "exec-error: noexec mount", "keep it on a disk that is mounted without noexec"
        )


def _error(script: Script, line: int | None, text: str, cure: str) -> Fault:
    return Fault(severity="error", path=script.path, line=line, rule="EXE-2", text=text, cure=cure)


def _cure(reason: str) -> str:
    if reason.startswith("CRLF"):
        return "save it with line feeds only"
    if reason.startswith("byte order mark"):
        return "save it without a byte order mark"
    if reason.startswith("no interpreter /"):
        return "install it, or name one that is there"
    return "begin it with #! and the absolute path of an interpreter"


def _named_by_env(interpreter: Sequence[str]) -> str:
    """What `env` is to look for in PATH; empty when it is not asked."""
    if len(interpreter) != 2 or os.path.basename(interpreter[0]) != "env":
        return ""
    words = (word for word in interpreter[1].split() if "=" not in word and not word.startswith("-"))
    program = next(words, "")
    return "" if "/" in program else program


def _is_on_noexec(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return launch.is_on_noexec(descriptor)
    finally:
        os.close(descriptor)


def _of_env(script: Script, source: Source, around: Surroundings) -> Iterator[Fault]:
    line = header.line_of(source.header, "X-Agentinitd-Env")
    for name in script.header.env:
        if environment.is_never_passed(name):
            rule, text, cure = "EXE-7", f"{name} is never passed to a script", "do without it"
        elif script.layer != "project" and name not in around.env_pass:
            rule, text, cure = "EXE-6", f"{name} is not passed", f"put {name} under env_pass in your config"
        else:
            continue
        yield Fault(severity="warning", path=source.header_path, line=line, rule=rule, text=text, cure=cure)


def _of_overrides(found: Survey, places: Iterable[Layer]) -> Iterator[Fault]:
    """Headers that are laid over no script, or that must not be used."""
    for layer in places:
        path = os.path.join(layer.folder, "overrides")
        try:
            with entries.opened(path) as folder:
                listed = [
                    (name, entries.read(folder, name, found.judge.rules(layer))) for name in folder.names()
                ]
        except OSError:
            continue
        known = {script.name for script in found.scripts}
        for name, read in listed:
            if read.fault:
                text, cure = read.fault, faults.usual_cure(read.fault)
            elif names.parse(name) and name not in known:
                text, cure = "no init.d holds a script of this name", "remove it, or correct its name"
            else:
                continue
            text, _, better = text.partition(". Cure: ")
            yield Fault(
                severity="warning",
                path=os.path.join(path, names.shown(name)),
                rule="OVR-6",
                text=text,
                cure=better or cure,
            )
