"""Changes of a task state, each a pure function: on all of its shapes, unknown keys and order kept.

A state names its steps in plain lists (`completed`, `pending` …), in lists of objects with a status (`steps`,
`todos`, `plan`), or in both; a step is changed wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Literal

from agentinitd.memory.task_state import LIST_OF, STEP_LISTS, Progress, State, progress_of, title_of
from agentinitd.model.errors import UsageError
from agentinitd.model.facts import JsonValue

TextKey = Literal["goal", "status", "phase", "next_action"]

# What a list of objects calls it when no entry of it does so yet; by the key of the list.
_WORDS: dict[str, dict[Progress, str]] = {
    "steps": {"completed": "done", "in_progress": "in_progress", "pending": "todo", "blocked": "blocked"},
    "": {"completed": "completed", "in_progress": "in_progress", "pending": "pending", "blocked": "blocked"},
}
_MOST_SHOWN = 8


def new_state(task_id: str, goal: str = "", pending: Iterable[str] = ()) -> State:
    """Of a task that begins."""
    return {
        "task_id": task_id,
        "goal": goal,
        "status": "open",
        "next_action": "",
        "completed": [],
        "pending": list(pending),
        "blockers": [],
    }


def complete(state: State, step: str) -> State:
    """The step is done; one that was never listed is done as well, and listed so."""
    changed = deepcopy(state)
    is_marked = _mark(changed, step, "completed")
    waiting = [entry for key in ("in_progress", "pending", "blockers") for entry in _take(changed, key, step)]
    if not is_marked and not _has(changed, "completed", step):
        _append(changed, "completed", _with_status(waiting[0], "done") if waiting else step)
    return changed


def start(state: State, step: str) -> State:
    """Somebody works on the step now."""
    changed = deepcopy(state)
    if not _mark(changed, step, "in_progress"):
        taken = [entry for key in ("pending", "blockers") for entry in _take(changed, key, step)]
        if not _has(changed, "in_progress", step):
            _append(changed, "in_progress", _with_status(taken[0], "in_progress") if taken else step)
    return changed


def add(state: State, step: str) -> State:
    """One more step that waits, at the end, in the form in which the state has its steps; none twice."""
    changed = deepcopy(state)
    if any(_has(changed, key, step) for key in (*STEP_LISTS, "in_progress", "pending", "completed")):
        return changed
    for key in STEP_LISTS:
        steps = changed.get(key)
        if isinstance(steps, list) and steps and isinstance(steps[-1], dict):
            steps.append(_like(steps[-1], step, _word(steps, key, "pending")))
            return changed
    _append(changed, "pending", step)
    return changed


def block(state: State, what: str) -> State:
    """A step that is blocked, or whatever else is in the way."""
    changed = deepcopy(state)
    if not _mark(changed, what, "blocked") and not _has(changed, "blockers", what):
        _append(changed, "blockers", what)
    return changed


def unblock(state: State, what: str) -> State:
    """It is in the way no more; a blocked step waits again."""
    changed = deepcopy(state)
    _take(changed, "blockers", what)
    if _key(what) in {_key(title) for title in blocked(changed)}:
        _mark(changed, what, "pending")
    return changed


def set_text(state: State, key: TextKey, text: str) -> State:
    """An empty text takes away what stood there."""
    changed = deepcopy(state)
    if text or key in changed:
        changed[key] = text
    return changed


def finish(state: State) -> State:
    """The whole task is done: nothing comes next, and nothing is in the way any more.  Its steps stay."""
    changed = set_text({**deepcopy(state), "status": "done"}, "next_action", "")
    if changed.get("blockers"):
        changed["blockers"] = []
    return changed


def find_open_step(state: State, words: str) -> str:
    """The step a person means: its title, its number or id, or a part of its title.  Raises UsageError."""
    titles = [title for title, progress in _steps(state) if progress != "completed"]
    numbered = _numbered(state, words)
    # What is done already may be named whole: completing it again changes nothing.
    whole = [title for title, _ in _steps(state) if _key(title) == _key(words)]
    return _meant(words, whole or ([numbered] if numbered else []), titles, "step that is open")


def find_blocker(state: State, words: str) -> str:
    """The same, among what is in the way."""
    titles = blocked(state)
    whole = [title for title in titles if _key(title) == _key(words)]
    return _meant(words, whole, titles, "blocker")


def open_steps(state: State) -> list[str]:
    return [title for title, progress in _steps(state) if progress != "completed"]


def blocked(state: State) -> list[str]:
    titles = [title for entry in _entries(state, "blockers") if (title := title_of(entry))]
    return list(dict.fromkeys([*titles, *(title for title, stands in _steps(state) if stands == "blocked")]))


def _meant(words: str, sure: list[str], titles: list[str], noun: str) -> str:
    if sure:
        return sure[0]
    found = [title for title in titles if _key(words) and _key(words) in _key(title)]
    if len(found) == 1:
        return found[0]
    if not titles:
        raise UsageError(f"There is no {noun}; `agentinitd task show` shows the task.")
    choices = "; ".join((found or titles)[:_MOST_SHOWN])
    which = "more than one" if found else "no"
    raise UsageError(f"`{words}` names {which} {noun}. Name one whole, or by its number: {choices}")


def numbered_steps(state: State) -> list[tuple[int, str, Progress]]:
    """The steps with the numbers by which they can be named, as a person is shown them."""
    listed = next((key for key in STEP_LISTS if any(map(title_of, _entries(state, key)))), None)
    if listed is None:
        opened = dict.fromkeys(open_steps(state))
        done = [title for title, progress in _steps(state) if progress == "completed" and title not in opened]
        standing = dict(_steps(state))
        return [(number, title, standing[title]) for number, title in enumerate([*opened, *done], start=1)]
    found: list[tuple[int, str, Progress]] = []
    for place, entry in enumerate(_entries(state, listed), start=1):
        title, progress = title_of(entry), progress_of(entry)
        number = entry.get("id") if isinstance(entry, dict) else None
        if title and progress:
            is_number = isinstance(number, int) and not isinstance(number, bool)
            found.append((number if is_number else place, title, progress))  # type: ignore[arg-type]  # checked
    # A plan of the agent's stands beside what the person listed; both are the task.
    listed_titles = {title for _, title, _ in found}
    others = [(title, progress) for title, progress in _steps(state) if title not in listed_titles]
    first = max((number for number, _, _ in found), default=0) + 1
    return found + [(number, *step) for number, step in enumerate(others, start=first)]


def _numbered(state: State, words: str) -> str | None:
    """By the number that is shown, or by whatever else a list gives as `id`."""
    for number, title, _ in numbered_steps(state):
        if words == str(number):
            return title
    for key in STEP_LISTS:
        for entry in _entries(state, key):
            if isinstance(entry, dict) and str(entry.get("id")) == words:
                return title_of(entry)
    return None


def _steps(state: State) -> Iterator[tuple[str, Progress]]:
    """Steps in the order in which they are listed, without what was dropped and without mere blockers."""
    for key in STEP_LISTS:
        for entry in _entries(state, key):
            title, progress = title_of(entry), progress_of(entry)
            if title and progress:
                yield title, progress
    for progress, key in LIST_OF.items():
        for entry in _entries(state, key) if key != "blockers" else ():
            if title := title_of(entry):
                yield title, progress


def _entries(state: State, key: str) -> list[JsonValue]:
    value = state.get(key)
    if isinstance(value, str) and key not in STEP_LISTS:
        return [value]
    return value if isinstance(value, list) else []


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _is(entry: JsonValue, title: str) -> bool:
    return _key(title_of(entry) or "") == _key(title)


def _has(state: State, key: str, title: str) -> bool:
    return any(_is(entry, title) for entry in _entries(state, key))


def _mark(state: State, title: str, progress: Progress) -> bool:
    """Gives the step this status in every list of objects that has it; whether there was one."""
    is_found = False
    for key in STEP_LISTS:
        entries = _entries(state, key)
        for place, entry in enumerate(entries):
            if _is(entry, title):
                is_found = True
                entries[place] = _marked(entry, progress, _word(entries, key, progress))
    return is_found


def _marked(entry: JsonValue, progress: Progress, word: str) -> JsonValue:
    if not isinstance(entry, dict):
        return entry if progress == "pending" else {"title": entry, "status": word}
    status = {} if progress_of(entry) == progress else {"status": word}
    # It is no mere claim of the agent any more.
    claim: dict[str, JsonValue] = {"claimed": False} if "claimed" in entry else {}
    return {**entry, **status, **claim}


def _word(entries: list[JsonValue], key: str, progress: Progress) -> str:
    """As this list calls it."""
    for entry in entries:
        word = entry.get("status") if isinstance(entry, dict) else None
        if isinstance(word, str) and word.strip() and progress_of(entry) == progress:
            return word
    return _WORDS.get(key, _WORDS[""])[progress]


def _like(entry: JsonValue, title: str, word: str) -> dict[str, JsonValue]:
    """A new step in the form of this one, with the next number where steps are numbered."""
    assert isinstance(entry, dict)
    named = next((key for key in entry if title_of({key: entry[key]})), "title")
    number = entry.get("id")
    is_numbered = isinstance(number, int) and not isinstance(number, bool)
    first: dict[str, JsonValue] = {"id": number + 1} if is_numbered else {}  # type: ignore[operator]  # a number
    return {**first, named: title, "status": word}


def _with_status(entry: JsonValue, word: str) -> JsonValue:
    return {**entry, "status": word} if isinstance(entry, dict) and "status" in entry else entry


def _take(state: State, key: str, title: str) -> list[JsonValue]:
    """Takes the entries of this title away; a list that has none stays the value it is."""
    entries = _entries(state, key)
    taken = [entry for entry in entries if _is(entry, title)]
    if taken:
        state[key] = [entry for entry in entries if not _is(entry, title)]
    return taken


def _append(state: State, key: str, entry: JsonValue) -> None:
    value = state.get(key)
    if value is not None and not isinstance(value, str | list):
        raise UsageError(f"`{key}` of the task state is neither a list nor a text. Make it a list.")
    state[key] = [*(entry for entry in _entries(state, key) if entry != ""), entry]
