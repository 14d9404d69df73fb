"""Claude Code: hooks in `settings.json`, what they tell on stdin, and what they may print."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, get_args

import msgspec

from agentinitd.integrations import hook_entries
from agentinitd.model.facts import JsonValue
from agentinitd.model.hooks import HookEvent, HookRequest, SessionSource

NAME = "claude-code"
HUMAN_STEP = (
    "Claude Code runs hooks in folders you trust only: start `claude` in the project and accept the question "
    "about trust. Sessions that are open already pick the hooks up; `/hooks` lists them."
)

# Event → matcher and seconds.  All hooks of SessionEnd together get 1.5 s; `fork` is new in 2.1.214.
EVENTS: dict[str, tuple[str | None, int]] = {
    "SessionStart": ("startup|resume|clear|compact|fork", 10),
    "UserPromptSubmit": (None, 5),
    "PostToolUse": ("*", 5),
    "PreCompact": (None, 5),
    "PostCompact": (None, 5),
    "Stop": (None, 5),
    "SessionEnd": (None, 1),
}
EVENT_WORDS: dict[str, HookEvent] = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool-result",
    "PreCompact": "before-compaction",
    "PostCompact": "after-compaction",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
# What the others print is not shown to the model, and on Stop it would make the turn go on.
DELIVERING = frozenset({"SessionStart", "UserPromptSubmit", "PostToolUse"})


def settings_path(home: PurePath, env: Mapping[str, str]) -> PurePath:
    """The user's own settings; a project's are left to its people."""
    return home / (env.get("CLAUDE_CONFIG_DIR") or ".claude") / "settings.json"


def hook_command(python: str, hook_file: str) -> str:
    """`-I -S`: neither the environment nor site-packages are looked at, which takes most of a start.

    It ends with exit code 0 even when we, or the interpreter, were removed without being uninstalled.
    """
    return shlex.join([python, "-I", "-S", hook_file, NAME]) + hook_entries.GUARD


def install(text: str | None, command: str) -> str:
    """The settings with our hook on every event of `EVENTS`, once.  Raises NotJson."""
    return hook_entries.installed(text or "", _entries(command), NAME)


def uninstall(text: str, created: frozenset[str] | None = None) -> str | None:
    """The settings without ours.  Raises NotJson."""
    return hook_entries.uninstalled(text, NAME, created)


def missing(text: str | None) -> frozenset[str]:
    """What `install` would have to make.  Raises NotJson."""
    return hook_entries.missing(text, EVENTS)


def is_installed(text: str) -> bool:
    """Raises NotJson."""
    return hook_entries.has_ours(text, NAME)


def commands(text: str) -> tuple[str, ...]:
    """Raises NotJson."""
    return hook_entries.own_commands(text, NAME)


def trust_path(home: PurePath, env: Mapping[str, str]) -> PurePath:
    """Where it keeps, among much else, which folders the person trusts."""
    return home / (env.get("CLAUDE_CONFIG_DIR") or "") / ".claude.json"


def is_trusted(text: str, folder: PurePath) -> bool:
    """Whether the person accepted the question about this folder, or one above it."""
    try:
        projects = json.loads(text)["projects"]
        accepted = [projects.get(str(each), {}) for each in (folder, *folder.parents)]
        return any(each.get("hasTrustDialogAccepted") is True for each in accepted)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def warnings(text: str) -> tuple[str, ...]:
    """Raises NotJson."""
    disabled = hook_entries.settings_in(text).member("disableAllHooks")
    if disabled is None or disabled.plain is not True:
        return ()
    return ("`disableAllHooks` is true in these settings: no hook runs until you remove it.",)


def _entries(command: str) -> dict[str, JsonValue]:
    return {event: _entry(command, matcher, seconds) for event, (matcher, seconds) in EVENTS.items()}


def _entry(command: str, matcher: str | None, seconds: int) -> JsonValue:
    handler: JsonValue = {"type": "command", "command": command, "timeout": seconds}
    return {"hooks": [handler]} if matcher is None else {"matcher": matcher, "hooks": [handler]}


class _Body(msgspec.Struct):
    """The keys that are looked at; the rest, which can be megabytes, is skipped.  Types are judged later."""

    hook_event_name: Any = None
    session_id: Any = None
    transcript_path: Any = None
    cwd: Any = None
    source: Any = None
    agent_id: Any = None
    agentinitd_check: Any = None
    """Set when the hook is only tried out."""


def parse_hook(body: bytes) -> HookRequest:
    """Unknown events are `other`; values of a wrong type count as absent.  Raises ValueError."""
    found = _decoded(body)
    name = _text(found.hook_event_name) or ""
    is_trial = bool(found.agentinitd_check)
    is_helper = bool(found.agent_id) or is_trial  # both get nothing, and neither is a session of its own
    return HookRequest(
        agent=NAME,
        event="other" if is_trial else EVENT_WORDS.get(name, "other"),
        event_name=name,
        session_id=_text(found.session_id) or "",
        transcript_path=_text(found.transcript_path),
        cwd=_text(found.cwd),
        source=_source(found.source) if name == "SessionStart" else None,
        is_helper=is_helper,
        can_deliver=name in DELIVERING and not is_helper,
    )


def _decoded(body: bytes) -> _Body:
    try:
        return msgspec.json.decode(body, type=_Body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decoded_patiently(body)


def _decoded_patiently(body: bytes) -> _Body:
    """JavaScript writes lone surrogates, which msgspec refuses."""
    try:
        value = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the hook's input is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"the hook's input is not a JSON object, but {type(value).__name__}")
    return _Body(**{key: value.get(key) for key in _Body.__struct_fields__})


def _text(value: object) -> str | None:
    """A text that can be a path, a name or an id."""
    is_usable = isinstance(value, str) and value and "\0" not in value
    return str(value).encode("utf-8", "replace").decode() if is_usable else None


def _source(value: object) -> SessionSource | None:
    sources: tuple[SessionSource, ...] = get_args(SessionSource)
    return next((source for source in sources if source == value), None)


def answer(request: HookRequest, text: str | None) -> bytes:
    """`hookEventName` has to be there; a context at the top level is ignored without a word."""
    if not text or not request.can_deliver:
        return b""
    output = {"hookEventName": request.event_name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}, separators=(",", ":")).encode()
