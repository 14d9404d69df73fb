"""What a tool call does, whichever agent makes it: the command it runs, the files it edits, its outcome."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from agentinitd.memory.capture.needed import Sought
from agentinitd.model.events import ToolCall, ToolResult

MAX_COMMAND_CHARS = 64 * 1024
MAX_FILES = 100

# Names as `_plain_name` gives them: small letters, without the server's name and without `_`, `-` and `.`.
_SHELLS = frozenset(
    {
        "bash", "sh", "shell", "powershell", "terminal", "execute", "exec", "shellcommand", "execcommand",
        "localshell", "containerexec", "runshellcommand", "runcommand", "runcommands", "runterminalcmd",
        "runterminalcommand", "runinterminal", "executecommand", "executebash", "executeshell",
    }
)  # fmt: skip
_EDITORS = frozenset(
    {
        "edit", "multiedit", "write", "notebookedit", "replace", "smartedit", "writefile", "editfile",
        "createfile", "create", "patch", "applypatch", "writetofile", "replaceinfile", "applydiff",
        "insertcontent", "searchandreplace", "editedexistingfile", "newfilecreated", "applieddiff",
        "strreplacefile", "strreplaceeditor", "strreplacebasededittool", "texteditor", "writefiles",
        "editfiles", "insert", "strreplace",
    }
)  # fmt: skip
_POLLS = frozenset(
    {"bashoutput", "taskoutput", "writestdin", "readbash", "readshell", "readpowershell", "getterminaloutput"}
)
"""They ask what became of a command that runs on in the background."""
_HANDLES = ("bash_id", "shell_id", "shellId", "session_id", "task_id", "id")
_COMMANDS = ("command", "cmd", "commands", "script")
_PATHS = (
    "file_path", "filePath", "path", "notebook_path", "absolute_path", "file", "filename", "target_file",
)  # fmt: skip
_PATH_LISTS = ("files", "paths", "edits", "batchDiffs")
_PATCHES = ("input", "patch", "patchText", "patch_text")
_MAY_HOLD_PATCH = (*_PATCHES, *_COMMANDS)
_LOOKS_ONLY = frozenset({"view", "read", "undo_edit"})
_PATCHED = re.compile(r"^\*\*\* (?:Update File|Add File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
_PATCH_SIGN = "*** Begin Patch"
_PATCH_MARK = _PATCH_SIGN.encode()

_EDGE_CHARS = 600
"""Agents put the exit code before what a command printed, or behind it."""
_EXIT_CODE = Sought(
    r"^[<(\[]?(?:(?:command|process)\b[^\n]{0,400}?\b)?"
    r"exit(?:ed)?(?: with)?(?: exit)?[ _]?code>?[ \t]*[:=]?[ \t]*(-?[0-9]{1,5})\b"
    r"|^Command failed with exit code: ([0-9]{1,5})\b",
    re.IGNORECASE | re.MULTILINE,
)
_NO_VERDICT_CODES = frozenset({124, 126, 127, 130, 137, 143})
"""Timed out, cannot be run, not found, interrupted, killed: the command itself said nothing."""
_NOT_RUN = Sought(
    r"doesn't want to (?:proceed|take this action)|request interrupted by user|(?:rejected|aborted|denied"
    r"|cancell?ed|backgrounded) by (?:the )?user|user (?:rejected|denied|declined|cancell?ed)"
    r"|tool use was rejected|permission to use .{0,80} denied|requires approval|operation cancell?ed"
    r"|command (?:timed out|was (?:aborted|interrupted))|timed out after [0-9]|command not found"
    r"|No such file or directory",
)
_RUNS_ON = Sought(
    r"\b(?:in|to) (?:the |detached )?background\b|\bis still running\b|\brunning with session ID\b"
    r"|<status>running</status>|^status: running\b",
    re.IGNORECASE | re.MULTILINE,
)
_HANDLE = re.compile(
    r"\b(?:session ID|shell ?ID|task_id|ID):? +([\w-]{1,64})|\bshellId: ?([\w-]{1,64})", re.IGNORECASE
)


def command_of(call: ToolCall) -> str | None:
    """The text a shell is given, or the words of a command made into such a text; None for another tool."""
    if not is_shell(call):
        return None
    given = call.input
    texts = [text for key in _COMMANDS if key in given and (text := _command_in(given[key]))]
    return texts[0][:MAX_COMMAND_CHARS] if texts else None


@lru_cache(maxsize=512)
def kind_of(name: str) -> Literal["shell", "editor"] | None:
    """Whether a tool of this name runs commands, or changes files; most do neither."""
    plain = _plain_name(name)
    return "shell" if plain in _SHELLS else "editor" if plain in _EDITORS else None


def is_shell(call: ToolCall) -> bool:
    """Whether it runs commands."""
    return kind_of(call.name) == "shell"


def is_editing(call: ToolCall) -> bool:
    """Whether it may change files: decided without a look into what it is given."""
    kind = kind_of(call.name)
    return kind == "editor" or (kind == "shell" and _PATCH_MARK in call.input_json)


def edited_files(call: ToolCall) -> tuple[str, ...]:
    """The files that this call changes, as the agent names them; those of a patch in a shell command too."""
    return edited_by(call, call.input) if is_editing(call) else ()


def edited_by(call: ToolCall, given: Mapping[str, object]) -> tuple[str, ...]:
    """The same of a call that edits, and of which it is known what it was given."""
    found = _patched_in(given) if is_shell(call) else [*_patched_in(given), *_named_in(given)]
    return tuple(dict.fromkeys(path for path in found if path))[:MAX_FILES]


def has_succeeded(result: ToolResult, *, needs_exit_code: bool = False) -> bool | None:
    """Whether what was asked for came out well; None where nobody knows.

    Some agents call a command a success because it was run: an exit code in the text says more.  A command
    that was refused, not found, stopped by time or goes on in the background has no outcome.
    `needs_exit_code`: the tool says nothing but that it was asked, so nothing else counts.
    """
    head, tail = result.text[:_EDGE_CHARS], result.text[-_EDGE_CHARS:]
    code = _exit_code(head, tail)
    if code is None and (runs_on(result) or _NOT_RUN.search(head)):
        # A passing test may print such words; then its own summary decides.
        return None
    if code is None:
        return None if needs_exit_code else result.is_success
    if code in _NO_VERDICT_CODES or code < 0:
        return None
    return code == 0 and result.is_success is not False


def says_no_outcome(call: ToolCall) -> bool:
    """Its success means that a command was run, whatever became of that: Goose, and whoever polls."""
    return call.name == "developer__shell" or _plain_name(call.name) in _POLLS


def runs_on(result: ToolResult) -> bool:
    """The command has not ended yet."""
    edges = (result.text[:_EDGE_CHARS], result.text[-_EDGE_CHARS:])
    return any(map(_RUNS_ON.search, edges))


def handle_of(result: ToolResult) -> str | None:
    """By what a command that runs on can be asked for later."""
    found = _HANDLE.search(result.text[:_EDGE_CHARS]) or _HANDLE.search(result.text[-_EDGE_CHARS:])
    return (found[1] or found[2]) if found is not None else None


def polled_handle(call: ToolCall) -> str | None:
    """The command in the background that this call asks for."""
    if _plain_name(call.name) not in _POLLS:
        return None
    given = call.input
    found = next((given[key] for key in _HANDLES if isinstance(given.get(key), str | int)), None)
    return None if found is None else str(found)


@lru_cache(maxsize=512)
def _plain_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name.rpartition("__")[2]).lower()


def _exit_code(head: str, tail: str) -> int | None:
    for edge in (head, tail):
        found = _EXIT_CODE.search(edge)
        if found is not None:
            return int(found[1] or found[2])
    return None


def _command_in(value: object) -> str:
    """Of a text, an argument list, an object with one, or a list of such commands."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return next((text for key in _COMMANDS if (text := _command_in(value.get(key)))), "")
    if not isinstance(value, list) or not value:
        return ""
    if not all(isinstance(word, str) for word in value):
        return "\n".join(text for part in value if (text := _command_in(part)))
    words = [str(word) for word in value]
    return _from_words(words) if " " not in words[0].strip() else "\n".join(words)


def _from_words(words: list[str]) -> str:
    """`["bash", "-lc", "npm test"]` is what the shell is given; other words are quoted where they must be."""
    if words[0] == "apply_patch":
        return ""
    is_shell = re.fullmatch(r"(?:.*[/\\])?(?:ba|z|da|k|fi)?sh(?:\.exe)?", words[0]) is not None
    if is_shell and len(words) >= 3 and re.fullmatch(r"-[a-z]*c", words[1]):
        return words[2]
    return shlex.join(words)


def _named_in(given: Mapping[str, object]) -> Iterator[str]:
    if given.get("command") in _LOOKS_ONLY:
        return
    for key in _PATHS:
        if isinstance(value := given.get(key), str):
            yield value
    for key in _PATH_LISTS:
        entries = given.get(key)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, str) and key != "edits":
                yield entry
            elif isinstance(entry, Mapping):
                yield from (text for name in _PATHS if isinstance(text := entry.get(name), str))


def _patched_in(given: Mapping[str, object]) -> list[str]:
    texts: list[str] = []
    for value in [given[key] for key in _MAY_HOLD_PATCH if key in given]:
        parts = value if isinstance(value, list) else [value]
        texts += [part for part in parts if isinstance(part, str) and _PATCH_SIGN in part]
    return [path for text in texts for path in _PATCHED.findall(text)]
