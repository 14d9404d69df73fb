"""What a hook says when the daemon gave no answer: the last record with its age, or one short note.

Loaded by `hook_client.py`, under the same rule: `os` only, and nothing of the package.
"""

import os

RECORD_LIMIT_BYTES = 64 * 1024
SHOWN_UNITS = 9500
"""The agent shows a longer text as a preview only; it counts in UTF-16."""
SEARCHED_STRINGS = 20_000

ABSENT = "agentinitd is not running."
SILENT = "agentinitd did not answer."
ADVICE = (
    "The memory of this project (rules, tools, task state, decisions) could not be loaded. "
    "Recorded rules may apply that are not shown here. To have it loaded again: `agentinitd start`."
)
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def without_answer(agent: str, payload: bytes, state_dir: str, why: str, *, is_absent: bool) -> bytes:
    """What to print: something only at the start of a session, and never that there are no rules."""
    event = string_in(payload, b"hook_event_name")
    if not string_in(payload, b"agentinitd_check"):  # the installer trying us out
        leave_reason(f"{state_dir}/hook-fallback.json", agent, event, why)
    if event != "SessionStart" or string_in(payload, b"agent_id"):
        return b""
    state = ABSENT if is_absent else SILENT
    record = last_record(state, string_in(payload, b"cwd"), string_in(payload, b"session_id"))
    text = record or f"{state} {ADVICE}"
    output = f'{{"hookEventName":{quoted(event)},"additionalContext":{quoted(text)}}}'
    return f'{{"hookSpecificOutput":{output}}}'.encode()


def leave_reason(path: str, agent: str, event: str, why: str) -> None:
    """For `status`: why the last hook that got no answer got none.  When, the file's own time says."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags, 0o600)
        line = f'{{"agent": {quoted(agent)}, "event": {quoted(event)}, "why": {quoted(why)}}}\n'
        os.write(descriptor, line.encode())
        os.close(descriptor)
    except OSError:  # no state folder, because no daemon has ever run; or a full disk
        return


def last_record(state: str, folder: str, session: str = "") -> str:
    """The last snippet of the project around `folder`, cut at a line; empty when there is none.

    A session that is at a task of its own has one of its own.
    """
    memory = memory_folder(folder)
    if not memory:
        return ""
    path = f"{memory}/run/last-snippet"
    if is_name(session) and is_own_folder(f"{memory}/run/{session}"):
        own = f"{memory}/run/{session}/last-snippet"
        path = own if read_own_file(own) else path
    lines = read_own_file(path).decode("utf-8", "replace").split("\n")
    text = f"{state} Last record of this project, {age_in_words(path)}, may be out of date:"
    left = SHOWN_UNITS - units(text)
    kept = []
    for line in lines:
        left -= units(line) + 1
        if left < 0:
            break
        kept.append(line)
    record = "\n".join(kept).strip()
    return f"{text}\n{record}" if record else ""


def units(text: str) -> int:
    """The length of `text` in UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


def memory_folder(folder: str) -> str:
    """The `.agent-memory` of the project around `folder`; empty when there is none of ours.

    The walk up ends where that of `memory/project.py` ends: nothing of another project may be shown here.
    """
    try:
        return walk_up(nearest_existing(folder if folder.startswith("/") else os.getcwd()))  # noqa: PTH109
    except (OSError, ValueError):  # a folder that is gone, or a text that can be none
        return ""


def walk_up(folder: str) -> str:
    """The memory in `folder`, or in the nearest folder above it within the same project."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111 - pathlib is slow to import
    device = os.stat(folder).st_dev  # noqa: PTH116
    while True:
        found = os.stat(folder)  # noqa: PTH116
        if found.st_dev != device or found.st_uid not in (os.geteuid(), 0):
            return ""
        memory = folder.rstrip("/") + "/.agent-memory"
        if os.path.lexists(memory):
            return memory if is_own_folder(memory) and is_own_folder(f"{memory}/run") else ""
        if folder in (home, "/", "//") or os.path.lexists(folder.rstrip("/") + "/.git"):
            return ""
        folder = os.path.dirname(folder)  # noqa: PTH120


def nearest_existing(folder: str) -> str:
    """`folder`, which may be gone by now, or the nearest above it, without links."""
    folder = os.path.realpath(folder)
    while not os.path.isdir(folder):  # noqa: PTH112
        folder = os.path.dirname(folder)  # noqa: PTH120
    return folder


def is_name(text: str) -> bool:
    """Whether it can be the name of a session's folder, and leads nowhere else."""
    return text[:1].isalnum() and text.isascii() and len(text) <= 100 and "/" not in text and "\0" not in text


def is_own_folder(path: str) -> bool:
    """Whether it is a real folder, no link to one, and belongs to us."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return found.st_uid == os.geteuid() and found.st_mode & 0o170000 == 0o040000


def read_own_file(path: str) -> bytes:
    """The start of a regular file that belongs to us; empty when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return b""
    found = os.fstat(descriptor)
    is_ours = found.st_uid == os.geteuid() and found.st_mode & 0o170000 == 0o100000
    data = os.read(descriptor, RECORD_LIMIT_BYTES) if is_ours else b""
    os.close(descriptor)
    return data


def age_in_words(path: str) -> str:
    """`3 h old`.  A new pipe bears the present time, which saves importing a clock."""
    reading, writing = os.pipe()
    now = os.fstat(reading).st_mtime
    os.close(reading)
    os.close(writing)
    try:
        seconds = now - os.stat(path).st_mtime  # noqa: PTH116
    except OSError:
        seconds = -1.0
    if seconds < -1:  # a clock that was set back, or a system whose pipes bear no time
        return "of unknown age"
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} old"
    return "less than a minute old"


def string_in(data: bytes, wanted: bytes) -> str:
    """The text under a top-level key of a JSON object, found without parsing; empty when there is none."""
    depth = position = 0
    key = b""
    for _ in range(SEARCHED_STRINGS):
        start = data.find(b'"', position)
        end = end_of_string(data, start + 1)
        if start < 0 or end < 0:
            break
        between = data[position:start]
        depth += between.count(b"{") + between.count(b"[") - between.count(b"}") - between.count(b"]")
        if depth == 1 and between.strip() != b":":
            key = data[start + 1 : end]
        elif depth == 1 and key == wanted:
            return unescaped(data[start + 1 : end].decode("utf-8", "replace"))
        position = end + 1
    return ""


def end_of_string(data: bytes, start: int) -> int:
    """Where the closing quote stands, or -1."""
    end = data.find(b'"', start)
    while end > 0:
        backslashes = end
        while data[backslashes - 1 : backslashes] == b"\\":
            backslashes -= 1
        if (end - backslashes) % 2 == 0:
            break
        end = data.find(b'"', end + 1)
    return end


def unescaped(text: str) -> str:
    """The text that a JSON string stands for."""
    pieces: list[str] = []
    position = 0
    while True:
        backslash = text.find("\\", position)
        if backslash < 0:
            return with_pairs_joined("".join([*pieces, text[position:]]))
        letter = text[backslash + 1]
        pieces.append(text[position:backslash])
        if letter == "u":
            pieces.append(chr(int(text[backslash + 2 : backslash + 6], 16)))
        else:
            pieces.append(ESCAPES.get(letter, letter))
        position = backslash + (6 if letter == "u" else 2)


def with_pairs_joined(text: str) -> str:
    """JSON writes a character beyond U+FFFF as two escapes; here they become one again."""
    result = ""
    for character in text:
        if result and "\ud800" <= result[-1] <= "\udbff" and "\udc00" <= character <= "\udfff":
            high, low = ord(result[-1]) - 0xD800, ord(character) - 0xDC00
            result = result[:-1] + chr(0x10000 + (high << 10) + low)
        else:
            result += character
    return result


def quoted(text: str) -> str:
    """`text` as a JSON string in ASCII."""
    pieces = []
    for character in text:
        code = ord(character)
        if character in '"\\':
            pieces.append("\\" + character)
        elif 32 <= code < 127:
            pieces.append(character)
        elif code < 0x10000:
            pieces.append(f"\\u{code:04x}")
        else:
            pieces.append(f"\\u{0xD7C0 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}")
    return '"' + "".join(pieces) + '"'
