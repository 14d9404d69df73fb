"""Our entries among others' in settings shaped `{"hooks": {EVENT: [{"matcher", "hooks": [{"command"}]}]}}`.

Text in, text out.  What belongs to others is never touched, and a second installation changes nothing.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from agentinitd.integrations.settings_json import Node, NotJson, added, parse, removed, replaced
from agentinitd.model.facts import JsonValue

HOOKS = "hooks"
WHOLE_FILE = "file"
SCRIPT = ("agentinitd", "hook.py")
CONSOLE_SCRIPT = "agentinitd-hook"
GUARD = " 2>/dev/null || :"
"""Ends our commands.  Python exits with 2 when our file is gone, and 2 tells the agent to block."""


def is_ours(command: object, agent: str) -> bool:
    """Whether it is our hook for this agent, under whatever interpreter and path it was installed."""
    try:
        words = shlex.split(without_guard(command)) if isinstance(command, str) else []
    except ValueError:
        return False
    if len(words) < 2 or words[-1] != agent:
        return False
    script = PurePath(words[-2])
    if script.name == CONSOLE_SCRIPT:
        return len(words) == 2
    # Anything but an interpreter and its flags in front was put there by somebody: then it is theirs.
    return script.parts[-2:] == SCRIPT and all(word.startswith("-") for word in words[1:-2])


def without_guard(command: str) -> str:
    """The command that says what is wrong with it; one from before there was a guard stays as it is."""
    return command.removesuffix(GUARD)


def installed(text: str, entries: Mapping[str, JsonValue], agent: str) -> str:
    """`text` with one group of ours in each event of `entries`.  Raises NotJson."""
    text = text if text.strip() else "{}\n"
    for event, entry in entries.items():
        text = _with_entry(text, event, entry, agent)
    return text


def uninstalled(text: str, agent: str, created: frozenset[str] | None) -> str | None:
    """`text` without ours, and without the containers that were made for it; None when nothing else is left.

    `created` is what `missing` said before the installation.  When that is not known, what becomes empty by
    our leaving counts as made for us.  Raises NotJson.
    """
    events = _events_with_ours(text, agent)
    for event in events:
        text = _without_entries(text, event, agent, keep=0)
    made = frozenset([HOOKS, *map(_place, events)]) if created is None else created
    for event in _events(settings_in(text)):
        if _place(event) in made:
            text = _without_if_empty(text, HOOKS, event)
    if HOOKS in made and (events or created is not None):
        text = _without_if_empty(text, HOOKS)
    is_bare = text.strip(" \t\r\n\ufeff") == "{}"
    return None if created is not None and WHOLE_FILE in created and is_bare else text


def missing(text: str | None, events: Iterable[str]) -> frozenset[str]:
    """The containers that an installation would have to make.  Raises NotJson."""
    hooks = _hooks(text or "")
    absent = [_place(event) for event in events if hooks is None or hooks.member(event) is None]
    if hooks is None:
        absent.append(HOOKS)
    return frozenset([*absent, WHOLE_FILE] if text is None else absent)


def has_ours(text: str, agent: str) -> bool:
    """Whether any entry of ours is there.  Raises NotJson."""
    return bool(_events_with_ours(text, agent))


def own_commands(text: str, agent: str) -> tuple[str, ...]:
    """The command lines of ours, each once.  Raises NotJson."""
    hooks = _hooks(text)
    found: dict[str, None] = {}
    for event in _events_with_ours(text, agent):
        for group in _groups(hooks, event):
            handlers = _handlers(group)
            for index in _own_handlers(group, agent):
                assert handlers is not None
                command = handlers.children[index].node.member("command")
                found[str(command.plain) if command else ""] = None
    return tuple(found)


def _place(event: str) -> str:
    return f"{HOOKS}.{event}"


def settings_in(text: str) -> Node:
    """The object that the settings are; an empty file stands for an empty one.  Raises NotJson."""
    return _object(text, parse(text if text.strip() else "{}"))


def _object(text: str, node: Node) -> Node:
    if node.kind != "object":
        raise NotJson(text, node.start, "an object { … } is expected here")
    return node


def _hooks(text: str) -> Node | None:
    hooks = settings_in(text).member(HOOKS)
    return _object(text, hooks) if hooks else None


def _events(root: Node) -> list[str]:
    hooks = root.member(HOOKS)
    return [child.key for child in hooks.children] if hooks and hooks.kind == "object" else []


def _events_with_ours(text: str, agent: str) -> list[str]:
    hooks = _hooks(text)
    names = dict.fromkeys(child.key for child in hooks.children) if hooks else {}
    return [event for event in names if any(_own_handlers(group, agent) for group in _groups(hooks, event))]


def _groups(hooks: Node | None, event: str) -> tuple[Node, ...]:
    groups = hooks.member(event) if hooks else None
    return tuple(child.node for child in groups.children) if groups and groups.kind == "array" else ()


def _handlers(group: Node) -> Node | None:
    handlers = group.member(HOOKS) if group.kind == "object" else None
    return handlers if handlers and handlers.kind == "array" else None


def _own_handlers(group: Node, agent: str) -> list[int]:
    handlers = _handlers(group)
    found = enumerate(handlers.children if handlers else ())
    return [index for index, child in found if _is_own(child.node, agent)]


def _is_own(handler: Node, agent: str) -> bool:
    command = handler.member("command") if handler.kind == "object" else None
    return command is not None and is_ours(command.plain, agent)


def _is_all_ours(group: Node, agent: str) -> bool:
    handlers = _handlers(group)
    return handlers is not None and 0 < len(handlers.children) == len(_own_handlers(group, agent))


def _with_entry(text: str, event: str, entry: JsonValue, agent: str) -> str:
    text = _without_entries(text, event, agent, keep=1)
    root = settings_in(text)
    hooks = _hooks(text)
    if hooks is None:
        return added(text, root, {event: [entry]}, key=HOOKS)
    groups = hooks.member(event)
    if groups is None:
        return added(text, hooks, [entry], key=event)
    if groups.kind != "array":
        raise NotJson(text, groups.start, f"{event} should hold a list [ … ]")
    own = next((group for group in _groups(hooks, event) if _is_all_ours(group, agent)), None)
    if own is None:
        return added(text, groups, entry)
    return text if own.value == entry else replaced(text, own, entry)


def _without_entries(text: str, event: str, agent: str, *, keep: int) -> str:
    """Without our handlers, except in the first `keep` groups that are ours alone."""
    while (place := next(_surplus(text, event, agent, keep), None)) is not None:
        text = removed(text, *place)
    return text


def _surplus(text: str, event: str, agent: str, keep: int) -> Iterator[tuple[Node, int]]:
    hooks = _hooks(text)
    groups = hooks.member(event) if hooks else None
    for index, group in enumerate(_groups(hooks, event)):
        if _is_all_ours(group, agent):
            keep -= 1
            if keep < 0 and groups:
                yield groups, index
        elif own := _own_handlers(group, agent):
            handlers = _handlers(group)
            assert handlers is not None
            yield handlers, own[0]


def _without_if_empty(text: str, *keys: str) -> str:
    """Without the member at the path `keys`, when it holds nothing, not even a comment."""
    parent = settings_in(text)
    for key in keys[:-1]:
        parent = parent.member(key) or parent
    index = next((index for index, child in enumerate(parent.children) if child.key == keys[-1]), None)
    if index is None:
        return text
    node = parent.children[index].node
    is_empty = node.kind != "plain" and not text[node.start + 1 : node.end - 1].strip()
    return removed(text, parent, index) if is_empty else text
