"""The systemd user unit: the template in `etc/` with the paths of one machine (supervision.md section 15)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agentinitd.integrations.units import SEAL, Order, Reading, checked_command, places_in, sealed

TEMPLATE = "etc/systemd/agentinitd.service"
UNIT = "agentinitd.service"

HARDENING = (
    "NoNewPrivileges", "LockPersonality", "RestrictRealtime", "RestrictSUIDSGID", "SystemCallArchitectures",
)  # fmt: skip
# Older managers do not know these and warn at each reload.
SINCE: dict[str, int] = {"RestartSteps=5": 254, "RestartMaxDelaySec=60": 254}

_OWN = ("ExecStart", "ExecReload", "Environment")
_PLAIN = re.compile(r"[A-Za-z0-9_./%+:=@,-]+")
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def written(template: str, order: Order) -> str:
    """The unit for this order.  Raises NotInstalled."""
    return sealed("".join(f"{line}\n" for line in _lines(template, order)))


def reading(text: str) -> Reading:
    """Raises ValueError when it starts nothing."""
    command: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    rest: list[str] = []
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "ExecStart":
            command = tuple(_unquoted(value))
        elif key == "Environment":
            environment |= dict(_pairs(value))
        elif not _is_remark(line) and key not in (*_OWN, *HARDENING) and line not in SINCE:
            rest.append(line)
    if not any(command):
        raise ValueError("no ExecStart= line")
    return Reading(command=command, places=places_in(environment), rest=tuple(rest))


def _lines(template: str, order: Order) -> Iterator[str]:
    program = _command(order.command)
    yield f"# {SEAL}."
    yield "# To change it: systemctl --user edit agentinitd. What that writes is kept, by upgrades as well."
    for line in template.splitlines():
        key = line.partition("=")[0]
        if key in HARDENING and not order.is_hardened:
            continue
        if key == "ExecStart":
            yield f"ExecStart={program} start --foreground"
            yield from _environment(order.environment)
        elif key == "ExecReload":
            yield f"ExecReload={program} reload"
        elif not line.startswith("#"):
            yield line
        if key == "RestartSec":
            yield from (option for option, since in SINCE.items() if order.manager_version >= since)


def _is_remark(line: str) -> bool:
    return not line.strip() or line.startswith(("#", ";"))


def _environment(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        yield f"Environment={_quoted(f'{name}={value}')}"


def _command(words: tuple[str, ...]) -> str:
    program, *arguments = checked_command(words)
    # systemd replaces variables in arguments only; in the program's path `$$` would stay as it is.
    return " ".join([_quoted(program), *(_quoted(word.replace("$", "$$")) for word in arguments)])


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if _PLAIN.fullmatch(word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(line: str) -> Iterator[str]:
    """The words of a command, without what we ask it to do."""
    words = [_word(found) for found in _WORD.finditer(line)]
    while words and words[-1] in ("start", "--foreground"):
        words.pop()
    program, *arguments = words or [""]
    yield program
    yield from (word.replace("$$", "$") for word in arguments)


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    for found in _WORD.finditer(line):
        name, _, value = _word(found).partition("=")
        yield name, value


def _word(found: re.Match[str]) -> str:
    word = found[2] if found[1] is None else re.sub(r"\\(.)", r"\1", found[1])
    return word.replace("%%", "%")
