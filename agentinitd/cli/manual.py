"""The man page, made of the help of all commands; `docs/generate.py` writes it down."""

from __future__ import annotations

from collections.abc import Iterator

import click

from agentinitd import __version__

EXITS = (
    ("0", "Done. Of status: it runs, also when something is wrong."),
    ("1", "Trouble, told in one line. Of status: the daemon did not stop by itself."),
    ("2", "Wrong use. Of status: the daemon is gone, but another process holds its lock."),
    ("3", "A bug of ours; a file with the traceback is named. Of status: not running."),
    ("4", "No permission. Of status: unknown."),
    ("5", "Something that is needed is not installed."),
    ("6", "Config or settings cannot be used; they were left as they are."),
    ("7", "The daemon does not run."),
    ("130", "Interrupted."),
    ("150", "Of status --strict: it runs, and something is wrong."),
    ("151", "Of the daemon: another one holds the lock, or took the socket."),
)
FILES = (
    (".agent-memory/", "The memory of a project: yours to edit."),
    ("~/.config/agentinitd/agentinitd.yaml", "Settings; agentinitd.d/*.yaml beside it add to them."),
    ("~/.config/agentinitd/init.d/, rc.d/", "Your own scripts and runlevels, for all projects."),
    ("/etc/agentinitd/", "The same for everybody on this machine."),
    ("~/.local/state/agentinitd/rebuild.log", "What was noticed, run and delivered: agentinitd logs."),
    ("~/.local/state/agentinitd/", "All else that the daemon keeps: sessions, approvals, last good output."),
    ("$XDG_RUNTIME_DIR/agentinitd/agentinitd.sock", "The socket: HTTP, for this user alone."),
)
ENVIRONMENT = (
    ("AGENTINITD_RUNTIME_DIR", "The folder of the socket."),
    ("AGENTINITD_NO_AUTOSTART", "When it is set, rebuild and snippet do not start a daemon."),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR", "Where config, state and socket lie."),
    ("CLAUDE_CONFIG_DIR", "The folder of Claude Code; other agents have variables of their own."),
    ("VISUAL, EDITOR", "What anchors edit and anchors review open."),
)
ABOUT = (
    "agentinitd watches the transcripts of AI coding agents. When the context of a session was compacted, "
    "it runs numbered scripts in order, as a boot does, and puts what they print back into the conversation: "
    "a short snippet, exactly once, whether or not the agent remembers to ask. One daemon serves all "
    "projects of a user."
)


def man_page(cli: click.Group) -> str:
    """In roff, as `man` reads it.  It holds no date: the same commands give the same page."""
    return "\n".join(_lines(cli)) + "\n"


def _lines(cli: click.Group) -> Iterator[str]:
    yield '.\\" Made by docs/generate.py from the help of the commands.'
    yield f'.TH AGENTINITD 1 "" "agentinitd {__version__}" "User Commands"'
    yield from (".SH NAME", f"agentinitd \\- {_text(cli.help or '').rstrip('.')}")
    yield from (".SH SYNOPSIS", ".B agentinitd", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]")
    yield from (".SH DESCRIPTION", _text(ABOUT))
    yield ".SH COMMANDS"
    for words, command in _commands(cli):
        yield from _command(words, command)
    for title, rows in (("EXIT STATUS", EXITS), ("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT)):
        yield f".SH {title}"
        for name, about in rows:
            yield from (".TP", f".B {_text(name)}", _text(about))
    yield from (".SH SEE ALSO", "agentinitd \\fICOMMAND\\fR \\-\\-help")


def _commands(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    """All of them, each group before its own."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        yield " ".join((*before, name)), command
        if isinstance(command, click.Group):
            yield from _commands(command, *before, name)


def _command(words: str, command: click.Command) -> Iterator[str]:
    values = [_argument(param) for param in command.params if isinstance(param, click.Argument)]
    options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
    values += ["COMMAND"] if isinstance(command, click.Group) else []
    usage = [f"\\fBagentinitd {_text(words)}\\fR", *(["[OPTIONS]"] if options else []), *map(_text, values)]
    yield f".SS {' '.join(usage)}"
    yield from _paragraphs(command.help or "")
    for option in options:
        yield from (".TP", f"\\fB{_text(_option(option))}\\fR", _text(_about(option)))


def _paragraphs(text: str) -> Iterator[str]:
    """`\\b` in front of a paragraph says that its lines are to stay as they are."""
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        lines = [line.strip() for line in paragraph.splitlines()]
        if number:
            yield ".PP"
        if lines and lines[0] == "\b":
            yield from (".nf", *map(_text, lines[1:]), ".fi")
        else:
            yield _text(" ".join(lines))


def _argument(argument: click.Argument) -> str:
    if argument.metavar:
        return argument.metavar
    name = (
        "|".join(argument.type.choices)
        if isinstance(argument.type, click.Choice)
        else str(argument.name).upper()
    )
    name += "..." if argument.nargs == -1 else ""
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    """`-n, --lines N`; of a switch with two sides both."""
    names = ", ".join(sorted(option.opts, key=len)) + "".join(f" / {name}" for name in option.secondary_opts)
    if option.is_flag or option.count:
        return names
    if option.metavar:
        return f"{names} {option.metavar}"
    if isinstance(option.type, click.Choice):
        return f"{names} {'|'.join(option.type.choices)}"
    return f"{names} {option.type.name.upper()}"


def _about(option: click.Option) -> str:
    default = (
        f" The default is {option.default}." if option.show_default and option.default is not None else ""
    )
    return (option.help or "") + default


def _text(text: str) -> str:
    """One line of roff that shows this text, whatever it begins with."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    line = line.replace("…", "...").replace("'", "\\(aq").replace("`", "\\(ga")
    return f"\\&{line}" if line.startswith(".") else line
