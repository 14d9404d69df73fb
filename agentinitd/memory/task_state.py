"""Task states: the JSON record of a task, read with patience, and put into one order for serving."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Literal, NoReturn, cast

from agentinitd.model.facts import JsonValue, Problem

State = dict[str, JsonValue]
Progress = Literal["completed", "in_progress", "pending", "blocked"]

MAX_DEPTH = 32
MAX_DIGITS = 1000
# Sizes as JSON with every character escaped, which is the worst that a script can be handed.
MAX_TEXT_BYTES = 3000
MAX_LIST_BYTES = 3000
MAX_OTHER_BYTES = 4000

_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep. Make the object flat."
_PROGRESS_WORDS: dict[Progress, str] = {
    "completed": "done completed complete finished closed ok 完成 已完成",
    "in_progress": "in_progress doing active current started working running 进行中",
    "blocked": "blocked stuck waiting failed 阻塞 受阻",
}
_DROPPED = frozenset(("dropped", "cancelled", "canceled", "skipped", "obsolete", "取消", "已取消", "跳过"))
_PROGRESS_OF = {word: progress for progress, words in _PROGRESS_WORDS.items() for word in words.split()}
STEP_LISTS = ("steps", "todos", "plan")
_TITLES = ("title", "content", "step", "text", "name", "description")
LIST_OF: dict[Progress, str] = {
    "completed": "completed",
    "pending": "pending",
    "blocked": "blockers",
    "in_progress": "in_progress",
}
_LISTS = tuple(LIST_OF.values())
_MOST_URGENT_FIRST: tuple[Progress, ...] = ("blocked", "in_progress", "pending", "completed")
TEXTS = ("task_id", "goal", "status", "next_action")
TIMES = ("last_updated", "updated_at")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
RESULTS = "last_results"
"""Of checks: `[{check, kind, result, at, command, call}]`, newest last."""
RULE_BLOCKS = "blocked_by_rule"
"""The blockers that rules of the config put there, and may take away."""
PLAN_AT = "plan_at"
PROVEN = "proven_steps"
"""Of the agent's plans, those that were proven last; they stay when the plan is replaced."""
PLAN_BY = "plan_by"
"""The session whose plan it is."""
REPORTED_NEXT = "reported_next"
"""What an agent reported as its next step; as long as it equals `next_action`, no person wrote that."""
NEXT_CLAIMED = "next_claimed"
_OURS = (
    "counts", "claimed", RESULTS, RULE_BLOCKS, PLAN_AT, PROVEN, PLAN_BY, REPORTED_NEXT, NEXT_CLAIMED,
)  # fmt: skip
_KNOWN = frozenset((*_LISTS, *TEXTS, *TIMES, *STEP_LISTS, *_OURS))
MAX_RESULTS_SERVED = 4


def parse_task_state(
    data: bytes, *, file: str = "state/task_state.json"
) -> tuple[State | None, list[Problem]]:
    """The state as written, unknown keys included; None when it cannot be read.  Never raises."""
    state: State | None = None
    line = 1
    try:
        state = _read(data)
        faults = list(_wrong_types(state))
    except UnicodeDecodeError as error:
        faults = [f"byte {error.start + 1} is not UTF-8. Save the file as UTF-8."]
    except json.JSONDecodeError as error:
        line = error.lineno
        faults = [f"not JSON: {error.msg} (column {error.colno}). Correct the file, or restore an older one."]
    except RecursionError:
        faults = [_TOO_DEEP]
    except ValueError as error:
        faults = [str(error)]
    return state, [Problem(file=file, line=line, message=fault) for fault in faults]


def _read(data: bytes) -> State:
    if not data.strip():
        raise ValueError("the file is empty. Write a JSON object into it, or remove it.")
    text = data.decode("utf-8-sig")
    state = _plain(json.loads(text, parse_constant=_refuse, parse_int=_whole, parse_float=_finite))
    if not isinstance(state, dict):
        raise ValueError("a JSON object { … } is expected. Correct the file.")
    return state


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON. Write a number, a text or null.")


def _plain(value: JsonValue, depth: int = 0) -> JsonValue:
    """The value with texts that can be written again: JSON may hold half of a surrogate pair."""
    if depth > MAX_DEPTH:
        raise ValueError(_TOO_DEEP)
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, list):
        return [_plain(entry, depth + 1) for entry in value]
    if isinstance(value, dict):
        return {_encodable(key): _plain(entry, depth + 1) for key, entry in value.items()}
    return value


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is not usable. Write it as a text.")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (math.inf, -math.inf):
        raise ValueError(f"the number {digits[:40]} is too large to be used. Write it as a text.")
    return number


def _wrong_types(state: State) -> Iterator[str]:
    for key in (*TEXTS, *TIMES):
        if not isinstance(state.get(key), str | None):
            yield f"{key}: a text is expected, found {_kind(state[key])}. It is not served."
    for key in (*_LISTS, *STEP_LISTS):
        value = state.get(key)
        if not isinstance(value, list | str | None):
            yield f"{key}: a list is expected, found {_kind(value)}. It is not served."
        elif isinstance(value, list) and not all(map(title_of, value)):
            yield f"{key}: entries that are neither a text nor an object with a title are not served."


def _kind(value: JsonValue) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "an object")


def served_state(state: Mapping[str, JsonValue]) -> State:
    """The state in the order of its use: what to do next, what blocks, what runs, what waits, what is done.

    `steps: [{title, status}]` becomes the lists; a running step carries its place, `14/24 title`.  Long
    lists are shortened; `counts` tells their length, and `claimed` how many of what is done only the agent
    says so of; `next_claimed`, that the next action is one of the agent's words.  Unknown keys follow as
    written, while there is room.
    """
    lists = _lists(state)
    served: State = {key: text for key in TEXTS if (text := _title(state.get(key)))}
    served |= {
        "blockers": _bounded(lists["blocked"]),
        "in_progress": _bounded(lists["in_progress"]),
        "pending": _bounded(lists["pending"]),
        # Of what is done the latest counts most.
        "completed": _bounded(lists["completed"][::-1])[::-1],
        "counts": {name: len(lists[name]) for name in ("blocked", "in_progress", "pending", "completed")},
    }
    claimed = [title for title in _claimed_titles(state) if title in lists["completed"]]
    if claimed:
        served["claimed"] = len(claimed)
    if is_next_reported(state):
        served[NEXT_CLAIMED] = True
    results = list(_result_texts(state.get(RESULTS)))[-MAX_RESULTS_SERVED:]
    if results:
        served[RESULTS] = cast(JsonValue, results)
    written_at = next((text for key in TIMES if (text := _title(state.get(key)))), None)
    if written_at:
        served["last_updated"] = written_at
    return served | _others(state)


def is_next_reported(state: Mapping[str, JsonValue]) -> bool:
    """Whether the agent named the next action, and nobody another one since."""
    return bool(state.get("next_action")) and state.get("next_action") == state.get(REPORTED_NEXT)


def step_progress(state: Mapping[str, JsonValue]) -> dict[str, Progress]:
    """Every step and blocker, and where it stands; of one listed twice the more urgent place counts."""
    found: dict[str, Progress] = {}
    for title, progress in _places(state):
        known = found.get(title, progress)
        found[title] = min(known, progress, key=_MOST_URGENT_FIRST.index)
    return found


def _places(state: Mapping[str, JsonValue]) -> Iterator[tuple[str, Progress]]:
    for progress, key in LIST_OF.items():
        yield from ((title, progress) for title in _titles(state.get(key)))
    for key in STEP_LISTS:
        steps = state.get(key)
        for step in steps if isinstance(steps, list) else ():
            title, stands = _title(step), progress_of(step)
            if title and stands:
                yield title, stands


def _lists(state: Mapping[str, JsonValue]) -> dict[Progress, list[str]]:
    lists: dict[Progress, dict[str, None]] = {
        progress: dict.fromkeys(_titles(state.get(key))) for progress, key in LIST_OF.items()
    }
    own = {title.casefold() for title in _own_titles(state)}
    for key in STEP_LISTS:
        steps = state.get(key)
        for place, step in enumerate(steps if isinstance(steps, list) else (), start=1):
            title, progress = _title(step), progress_of(step)
            if title and is_mirrored(step) and title.casefold() in own:
                continue  # of a step that the person listed too, the person's word counts
            if title and progress in lists:
                running = f"{place}/{len(steps or ())} {title}"  # type: ignore[arg-type]  # it is a list here
                lists[progress][running if progress == "in_progress" else title] = None
    return {progress: list(titles) for progress, titles in lists.items()}


def _own_titles(state: Mapping[str, JsonValue]) -> Iterator[str]:
    """Of all steps that are not the agent's own plan."""
    for key in (*_LISTS, *STEP_LISTS):
        value = state.get(key)
        steps = value if isinstance(value, list) else [value]
        yield from (title for step in steps if not is_mirrored(step) and (title := _title(step)))


def _claimed_titles(state: Mapping[str, JsonValue]) -> Iterator[str]:
    for key in STEP_LISTS:
        steps = state.get(key)
        for step in steps if isinstance(steps, list) else ():
            if isinstance(step, dict) and step.get("claimed") is True and not is_proven(step):
                yield _title(step) or ""


def _result_texts(results: JsonValue) -> Iterator[str]:
    """`pytest passed 2026-11-30 14:02 UTC`; that a commit was made is no check."""
    for entry in results if isinstance(results, list) else ():
        if not isinstance(entry, dict) or entry.get("kind") in ("commit", "push"):
            continue
        name, result, at = (entry.get(key) for key in ("check", "result", "at"))
        if isinstance(name, str) and result in ("passed", "failed") and isinstance(at, str):
            part = " (a part)" if entry.get("is_partial") is True else ""
            yield _title(f"{name}{part} {result} {at[:16].replace('T', ' ')} UTC") or ""


def is_mirrored(step: JsonValue) -> bool:
    """One of the agent's own plan."""
    return isinstance(step, dict) and isinstance(step.get("claimed"), bool)


def is_proven(step: JsonValue) -> bool:
    """A step of the agent's plan that a result or a person confirmed, and nothing spoke against since."""
    if not isinstance(step, dict) or not is_mirrored(step) or "failed_at" in step:
        return False
    return "proven_at" in step or (step.get("claimed") is False and _progress_in(step) == "completed")


def progress_of(step: JsonValue) -> Progress | None:
    """Where a step stands; None for one that was dropped.  An unknown word means that it is still to do."""
    return "completed" if is_proven(step) else _progress_in(step)


def _progress_in(step: JsonValue) -> Progress | None:
    """As its status says."""
    word = step.get("status") if isinstance(step, dict) else None
    key = word.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(word, str) else ""
    return None if key in _DROPPED else _PROGRESS_OF.get(key, "pending")


def _titles(value: JsonValue) -> list[str]:
    entries = value if isinstance(value, list) else [value]
    return [title for entry in entries if (title := _title(entry))]


def title_of(value: JsonValue) -> str | None:
    """The text of an entry on one line, whether it is a text or an object that has one."""
    if isinstance(value, dict):
        value = next((text for key in _TITLES if isinstance(text := value.get(key), str)), None)
    return " ".join(_CONTROL.sub(" ", value).split()) or None if isinstance(value, str) else None


def _title(value: JsonValue) -> str | None:
    """The same, fit to be served."""
    text = title_of(value)
    is_long = text is not None and len(json.dumps(text)) > MAX_TEXT_BYTES
    return f"(a text of {len(text or ''):,} characters, see the task state file)" if is_long else text


def _bounded(titles: list[str]) -> list[JsonValue]:
    kept: list[JsonValue] = []
    room = MAX_LIST_BYTES
    for title in titles:
        room -= len(json.dumps(title)) + 2
        if room < 0:
            break
        kept.append(title)
    return kept


def _others(state: Mapping[str, JsonValue]) -> State:
    others: State = {}
    room = MAX_OTHER_BYTES
    for key, value in state.items():
        size = len(json.dumps({key: value}))
        if key not in _KNOWN and size <= room:
            others[key] = value
            room -= size
    return others
