"""What lets a Chinese cue count that says nothing without the clause before or behind it."""

from __future__ import annotations

import re

from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture.chinese_guards import Surroundings, anyway, in_that_case, standing


def until(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“… is not done”, before something is there."""
    is_until = around.is_until or general.UNTIL.search(clause) is not None
    return is_until and anyway(clause, found, around)


def lasting(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.lasts and standing(clause, found, around)


def case_first(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“If the table has to change, first …”."""
    return around.is_in_case and in_that_case(clause, found, around)


def seeking(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Look whether there is one, if not …”."""
    return around.is_first_step and anyway(clause, found, around)


def for_me(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“I am new to this, speak slowly”; by itself it is asked for now."""
    is_for_good = around.is_of_me or around.is_conditional or around.lasts or clause[0] in "以回解"
    return is_for_good and anyway(clause, found, around)


def next_step(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_of_process and standing(clause, found, around)


def meant(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“I said pnpm”, when something else was done."""
    return around.is_blamed and anyway(clause, found, around)


def left(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Leave that for now”, but not “…, go on with the other”."""
    return not around.is_turned and anyway(clause, found, around)


def corrected(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“You pushed to origin again, … push to upstream”."""
    return around.is_blamed_before and anyway(clause, found, around)


def wanted(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“What I want is this, not that, do not mix them up again”."""
    return around.is_contrasted and around.is_warned and anyway(clause, found, around)


def after_ban(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“No phrases, write what was changed”."""
    return around.is_after_ban and anyway(clause, found, around)
