"""Two lines that betray each other: of a table, of settings, of a diff, of a program, of a talk."""

from __future__ import annotations

import re

from agentinitd.memory.capture.speakers import has_colon, is_talk

_KEY = re.compile(r"(\s*+)(?:- )?([\w./-]+):(?:\s+(\S.*))?$")
_SETTING = re.compile(r"\s*+[\w.-]+\s?=\s?\S+\s*$")
_SCALAR = re.compile(r"\S+\s*$|[\"'\[{].*[\"'\]}]\s*$")
_MARK = re.compile(
    r"\s*+(?:\[[^\]\s]{2,30}\]|[a-z]+-(?:check|guard|lint|bot|hook|policy|scanner|audit|ci):)\s"
)
_PACKAGE_COMMAND = re.compile(r"\s*+(?:npm|yarn|pnpm) [a-z]\S*(?: \S+){0,6}\s*$")
_SAID_BY_COMMAND = re.compile(r"\s*+(?:error|warning|info|success|npm) \S")


def _is_table(first: str, second: str) -> bool:
    commas = first.count(",")
    return (commas >= 2 and commas == second.count(",") and ", " not in first and ", " not in second) or (
        first.strip().count("\t") >= 2 and second.strip().count("\t") >= 2
    )


def _is_settings(first: str, second: str) -> bool:
    return bool(_SETTING.match(first) and _SETTING.match(second))


def _is_yaml(first: str, second: str) -> bool:
    """A key and its first child, or two keys at the same depth with a bare value each."""
    parent, child = _KEY.match(first), _KEY.match(second)
    if not parent or not child:
        return False
    is_nested = len(child[1]) > len(parent[1])
    if not parent[3]:
        return is_nested and bool(child[3] is None or _SCALAR.match(child[3]))
    return not is_nested and len(parent[1]) > 1 and bool(child[3] and _SCALAR.match(parent[3]))


def _is_replaced(first: str, second: str) -> bool:
    return first[:1] == "-" and second[:1] == "+" and first[1:2] not in "- " and second[1:2] not in "+ "


def _is_tagged(first: str, second: str) -> bool:
    """Both begin with the same mark: `[branch-guard] …`, `style-check: …`."""
    one, two = _MARK.match(first), _MARK.match(second)
    return bool(one and two and one[0] == two[0])


def _is_run(first: str, second: str) -> bool:
    return bool(_PACKAGE_COMMAND.match(first) and _SAID_BY_COMMAND.match(second))


def are_pair(first: str, second: str) -> bool:
    """Neither shows it alone, and no person types both, one under the other."""
    return (
        (first[0] == "-" and _is_replaced(first, second))
        or (first[0] in "[abcdefghijklmnopqrstuvwxyz" and _is_tagged(first, second))
        or (first[0] in "npy" and _is_run(first, second))
        or ("=" in first and "=" in second and _is_settings(first, second))
        or (has_colon(first) and has_colon(second) and (_is_yaml(first, second) or is_talk(first, second)))
        or _is_table(first, second)
    )
