"""Every fixed text of a snippet, in English and Chinese: short, factual, attributed to the owner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agentinitd.model.facts import Language

ID_DIGITS = 12
ID_MARK = re.compile(r"\(agentinitd ([0-9a-f]{12})\)")
"""How readers of transcripts recognise a snippet of ours."""
MAX_NOTE_CHARS = 300
MAX_NAMES = 6


class _Texts(NamedTuple):
    first: str
    last: str
    left_out: str
    left_out_unserved: str
    project_title: str
    old_output: str
    no_output: str
    degraded: str
    failed: str
    pending_one: str
    pending_many: str
    elsewhere: str
    other_branch: str
    and_more: str
    comma: str


_TEXTS: dict[Language, _Texts] = {
    "en": _Texts(
        first="Recorded by the project's owner, in force now (agentinitd {id}):",
        last="When unsure, check these first; do not assume.",
        left_out="{count} left out; all: `agentinitd snippet --budget {budget}`",
        left_out_unserved="{count} left out; search them: `agentinitd recall WORDS`",
        project_title="{title} (from the project's scripts)",
        old_output="old output, {age}: {reason}",
        no_output="no output: {reason}",
        degraded="Degraded: {names} did not run well.",
        failed="Failed: {names} did not run; what matters most is missing here.",
        pending_one="1 project script, not approved, did not run: {names} (`agentinitd trust`).",
        pending_many="{count} project scripts, not approved, did not run: {names} (`agentinitd trust`).",
        elsewhere="This task is done in `{recorded}`, but the session is in `{current}`.",
        other_branch="This task is done on branch `{recorded}`, but `{current}` is checked out.",
        and_more=" and {count} more",
        comma=", ",
    ),
    "zh": _Texts(
        first="项目所有者的记录，现行有效 (agentinitd {id})：",
        last="不确定时先核对以上内容，不要假设。",
        left_out="{count} 条未列：`agentinitd snippet --budget {budget}`",
        left_out_unserved="{count} 条未列，可搜索：`agentinitd recall 词语`",
        project_title="{title}（来自项目脚本）",
        old_output="旧输出，{age}前：{reason}",
        no_output="无输出：{reason}",
        degraded="降级：{names} 运行不正常。",
        failed="失败：{names} 未能运行，最重要的内容缺失。",
        pending_one="1 个项目脚本未获批准，没有运行：{names}（`agentinitd trust`）。",
        pending_many="{count} 个项目脚本未获批准，没有运行：{names}（`agentinitd trust`）。",
        elsewhere="本任务在 `{recorded}` 中进行，当前会话却在 `{current}`。",
        other_branch="本任务在分支 `{recorded}` 上进行，当前检出的却是 `{current}`。",
        and_more=" 等 {count} 个",
        comma="、",
    ),
}
# Vendor sections by key: the title in their header, and the Chinese one.
_CHINESE_TITLES: dict[str, tuple[str, str]] = {
    "constraints": ("Constraints", "约束"),
    "tools": ("Tools", "工具"),
    "task-state": ("Task state", "任务状态"),
    "decisions": ("Decisions", "决策"),
    "captured-rules": ("Said in the session", "会话中的要求"),
    "captured-facts": ("Found in the session", "会话中的发现"),
}
_AGES: tuple[tuple[int, str, str], ...] = (
    (86_400, "d", "天"),
    (3600, "h", "小时"),
    (60, "min", "分钟"),
    (1, "s", "秒"),
)


def first_line(snippet_id: str, language: Language) -> str:
    return _TEXTS[language].first.format(id=snippet_id)


def last_line(language: Language) -> str:
    return _TEXTS[language].last


def left_out_line(count: int, budget: int, language: Language) -> str:
    """How many items found no room, and the command that shows them all."""
    return _TEXTS[language].left_out.format(count=count, budget=budget)


def left_out_unserved_line(count: int, language: Language) -> str:
    """The same when some reached no script, so that no budget shows them."""
    return _TEXTS[language].left_out_unserved.format(count=count)


def section_title(key: str, section: str, language: Language, *, is_project: bool) -> str:
    """The heading of a section.  That of a project's own script says so, for it is data (TRU-12)."""
    english, chinese = _CHINESE_TITLES.get(key, ("", ""))
    title = chinese if language == "zh" and section == english else one_line(section) or key
    return _TEXTS[language].project_title.format(title=title) if is_project else title


def old_output_note(age_seconds: float | None, reason: str, language: Language) -> str:
    """Under the heading of a section that shows the last good output."""
    age = age_text(age_seconds or 0.0, language)
    return one_line(_TEXTS[language].old_output.format(age=age, reason=reason))


def no_output_note(reason: str, language: Language) -> str:
    return one_line(_TEXTS[language].no_output.format(reason=reason))


def degraded_line(names: Sequence[str], language: Language) -> str:
    """The plain line that begins a snippet in whose rebuild a script failed (FAIL-3)."""
    return one_line(_TEXTS[language].degraded.format(names=_listed(names, language)))


def failed_line(names: Sequence[str], language: Language) -> str:
    """The same when no essential section could be had."""
    return one_line(_TEXTS[language].failed.format(names=_listed(names, language)))


def pending_trust_line(names: Sequence[str], language: Language) -> str:
    """Names of scripts are safe by their pattern; nothing else of the repository is repeated (TRU-7)."""
    texts = _TEXTS[language]
    template = texts.pending_one if len(names) == 1 else texts.pending_many
    return one_line(template.format(count=len(names), names=_listed(names, language)))


def elsewhere_line(
    *, folders: tuple[str, str] | None, branches: tuple[str, str] | None, language: Language
) -> str:
    """That the session is not where its task is done: of each pair the recorded one comes first."""
    texts = _TEXTS[language]
    pairs = ((texts.elsewhere, folders), (texts.other_branch, branches))
    parts = [text.format(recorded=pair[0], current=pair[1]) for text, pair in pairs if pair]
    return one_line((" " if language == "en" else "").join(parts))


def age_text(seconds: float, language: Language) -> str:
    """`3 h`, `3 小时`: in the largest unit of which there is at least one."""
    size, english, chinese = next((unit for unit in _AGES if seconds >= unit[0]), _AGES[-1])
    return f"{max(0, int(seconds // size))} {chinese if language == 'zh' else english}"


def one_line(text: str) -> str:
    """The text as one bounded line that is neither a heading nor an id of ours."""
    line = without_ids(" ".join(text.split())).lstrip("#").strip()
    return line if len(line) <= MAX_NOTE_CHARS else line[: MAX_NOTE_CHARS - 1] + "…"


def without_ids(text: str) -> str:
    """An id in the text of a script would make readers take it for a snippet of ours."""
    return ID_MARK.sub(r"[agentinitd \1]", text)


def _listed(names: Sequence[str], language: Language) -> str:
    texts = _TEXTS[language]
    more = texts.and_more.format(count=len(names) - MAX_NAMES) if len(names) > MAX_NAMES else ""
    return texts.comma.join(names[:MAX_NAMES]) + more
