"""Chinese sentence → the rules in it, each in the person's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_lifts as lifts
from agentinitd.memory.capture import chinese_offhand as offhand
from agentinitd.memory.capture import chinese_reports as reports
from agentinitd.memory.capture import chinese_short as short
from agentinitd.memory.capture import chinese_terse as terse
from agentinitd.memory.capture import chinese_told as told
from agentinitd.memory.capture.chinese_clauses import Clause, clauses
from agentinitd.memory.capture.chinese_cues import HARD_BAN as FORBIDS
from agentinitd.memory.capture.chinese_cues import NOW_FREE
from agentinitd.memory.capture.chinese_grammar import Reading, judge, may_ask
from agentinitd.memory.capture.chinese_groups import NAME, Group, grouped, lacks_topic, names_something
from agentinitd.memory.capture.chinese_guards import Surroundings
from agentinitd.memory.capture.chinese_script import shadow_of, simplified
from agentinitd.memory.capture.chinese_surroundings import surroundings
from agentinitd.memory.capture.members import members_of
from agentinitd.memory.capture.proposals import MAX_TEXT_CHARS
from agentinitd.memory.capture.prose import Context, Found, Sentence, sentences
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.model.facts import Scope

MIN_CHARS = 3
MAX_BEFORE_CHARS = 60
MAX_SENTENCE_CHARS = 1000
"""Nobody says more without a full stop: it is a paste."""
MAX_CLAUSES = 40
MAX_CLAUSE_CHARS = 400
CHANGED_MIND = re.compile(r"我?又?(?:改主意|改变主意|反悔)了")
_PATH = re.compile(r"(?<![\w./])(?:[\w-]+/[\w./-]*|[\w./-]+\.[a-z]{1,5}(?![\w/]))")


def read(sentence: Sentence, context: Context) -> list[Found]:
    """What a person forbids, demands, prefers, permits or takes back in it; mostly nothing."""
    if not MIN_CHARS <= len(sentence.text) <= MAX_SENTENCE_CHARS:
        return []
    if asides.QUOTES_OTHERS.search(sentence.heading):
        return []
    shadow = shadow_of(sentence.plain or sentence.text)
    if asides.SPOKEN_BY.match(shadow):
        return []
    parts = clauses(shadow)[:MAX_CLAUSES]
    note = _note_for_before(parts, sentence, context)
    if note is not None:
        return note
    texts = [_without_tag(part.shadow.strip()) for part in parts]
    alone = [
        not sentence.is_question and short.is_only_one(text, behind)
        for text, behind in zip(texts, [*texts[1:], ""], strict=False)
    ]
    asking = [len(text) <= MAX_CLAUSE_CHARS and may_ask(text) for text in texts]
    # “Always like that from now on” makes a rule of what is ordered.
    if not any(asking) and not any(alone) and not any(map(joints.SO_EVER_AFTER.match, texts[1:])):
        return _under_heading(sentence, shadow)
    manner = reports.manner_of(shadow)
    if offhand.CHECKS.search(shadow):
        manner = replace(manner, explains=True)
    if parts and reports.is_answer(parts[0].shadow.strip(), context.agent_before):
        manner = replace(manner, explains=True)
    readings = _readings(parts, asking, sentence, shadow, manner)
    readings = [
        reading or (Reading(confidence=0.75, cue=(0, len(text))) if is_alone else None)
        for reading, is_alone, text in zip(readings, alone, texts, strict=True)
    ]
    if sentence.is_question and asides.ASKS_OF_ALL.match(parts[-1].shadow.strip()):
        readings = [
            one if _is_addressed(one, part) else None for one, part in zip(readings, parts, strict=True)
        ]
    groups = grouped(parts, readings)
    found = [_found(group, parts, sentence, context) for group in groups]
    return [one for one in found if one is not None] or _under_heading(sentence, shadow)


def _under_heading(sentence: Sentence, shadow: str) -> list[Found]:
    """A line below “what we agreed on:”, in whatever words."""
    text = sentence.text.strip().rstrip("。；;！!")
    is_line = general.UNDER.search(sentence.heading) and not sentence.is_question
    if not is_line or not MIN_CHARS <= len(text) <= MAX_BEFORE_CHARS or asides.LIFE.search(shadow):
        return []
    return [Found(text=text, polarity=polarity_of(text), confidence=0.75, topic=_topic(text))]


def _note_for_before(parts: Sequence[Clause], sentence: Sentence, context: Context) -> list[Found] | None:
    """“That holds for all tasks” behind a full stop is about the sentence before it."""
    if len(parts) != 1 or not sentence.before or not joints.NOTE.match(parts[0].shadow.strip()):
        return None
    told = read(replace(sentence, text=sentence.before, plain="", before="", is_question=False), context)
    return [replace(one, scope="always") for one in told]


# -- which clauses say something ----------------------------------------------------------------------------


def _readings(
    parts: Sequence[Clause], asking: Sequence[bool], sentence: Sentence, shadow: str, manner: reports.Manner
) -> list[Reading | None]:
    """Of each clause.  `asking`: whether it may ask for something."""
    is_adopted = bool(asides.ADOPTED.search(shadow))
    if _is_no_talk_of_rules(shadow):
        return [None] * len(parts)
    readings: list[Reading | None] = []
    is_foreign = is_supposed = was_musing = False
    is_answer = len(parts) > 1 and bool(asides.YES_OR_NO.match(parts[0].shadow.strip()))
    ordered = None if joints.SINCE_NOW.search(shadow) else told.ONE_BY_ONE.search(shadow)
    for at, part in enumerate(parts):
        text = _without_tag(part.shadow.strip())
        is_said_again = bool(asides.SAID_BEFORE.search(text))
        is_said_by_you = bool(asides.ASKS_BACK.search(text))
        is_foreign = (is_foreign and not asides.SAYS_IT_TOO.search(text)) or _is_foreign(
            text, is_adopted, is_said_again
        )
        is_supposed = is_supposed or bool(asides.SUPPOSED.match(text))
        is_last = at == len(parts) - 1
        is_asked = _is_question(part, text, is_said_again, is_last=is_last and sentence.is_question)
        # They are dear to tell, and make nothing of a clause that asks for nothing.
        is_around = asking[at] or is_foreign
        around = (
            surroundings(parts, readings, at, sentence, is_supposed, shadow) if is_around else Surroundings()
        )
        is_musing = _is_musing(text, is_supposed=is_supposed)
        is_quoted = is_foreign and not (asides.OWN_WORDS.search(text) or around.is_own_ban_told)
        is_ordered = ordered is not None and part.start < ordered.end() and part.end > ordered.start()
        is_idle = is_quoted or is_said_by_you or is_asked or is_musing or is_ordered
        reading = judge(text, around) if asking[at] and not is_idle else None
        if reading is not None and not around.lasts:
            is_thought = was_musing and reading.polarity == "do"
            reading = None if is_thought or (is_answer and _is_fact(text)) else reading
        if reading is not None and _says_only_why(text, readings):
            reading = None
        if reading is not None and _is_reported(text, reading, manner):
            reading = None
        if reading is not None and _is_in_passing(parts, at, readings, reading, shadow):
            reading = None
        is_manner = around.is_detail and joints.JUST_SO.match(text)
        is_rest = joints.UNTIL_THEN.match(text) or (any(readings) and joints.ONLY_REMINDS.match(text))
        if is_manner or is_rest:
            reading = None
        was_musing = is_musing and not (joints.CONDITION.search(text) or offhand.FEARS.search(text))
        if around.is_ban_told and reading is not None and NOW_FREE.match(text):
            readings[-1] = None
        if reading is not None and joints.SOFTENER.search(text):
            reading = replace(reading, force="soft")
        if at and joints.SO_EVER_AFTER.match(text):
            reading = None
            if readings[-1] is None and not (is_idle or is_supposed):
                # What is ordered becomes a rule by “always like that from now on”.
                readings[-1] = Reading(confidence=0.85, cue=(0, len(parts[at - 1].shadow.strip())))
                if at > 1 and readings[-2] is None and joints.ORDERED_TOO.match(parts[at - 2].shadow.strip()):
                    readings[-2] = Reading(confidence=0.8, cue=(0, len(parts[at - 2].shadow.strip())))
        readings.append(reading)
    return readings


def _is_addressed(reading: Reading | None, part: Clause) -> bool:
    return reading is not None and bool(reports.ADDRESSED.search(part.shadow))


def _is_fact(text: str) -> bool:
    """Behind a yes or a no: it names nothing, or nothing that is done."""
    return not (names_something(text) and asides.ACTS.search(text))


def _says_only_why(text: str, readings: Sequence[Reading | None]) -> bool:
    """“That is off, on the server it has to be used”: why a rule is taken back."""
    is_taken_back = any(reading is not None and reading.act == "withdraw" for reading in readings)
    return is_taken_back and bool(reports.NEEDED.search(text))


def _is_reported(text: str, reading: Reading, manner: reports.Manner) -> bool:
    return reading.act == "state" and manner.covers(text, text[slice(*reading.cue)])


def _is_in_passing(
    parts: Sequence[Clause], at: int, readings: Sequence[Reading | None], reading: Reading, shadow: str
) -> bool:
    text = parts[at].shadow.strip()
    if reading.act != "state" or joints.SINCE_NOW.search(text):
        return False
    if joints.SINCE_NOW.search(shadow):
        return offhand.is_fact(text)
    ahead = [part.shadow.strip() for part in parts[:at]]
    return offhand.is_story(ahead, text) or offhand.is_in_passing(
        text, ahead, shadow, confidence=reading.confidence, is_after_rule=any(readings)
    )


def _is_musing(text: str, *, is_supposed: bool) -> bool:
    if asides.MUSING.search(text) or asides.SELF_TALK.match(text):
        return True
    if told.SUPPOSES.match(text) or told.BEGS.search(text):
        return True
    return is_supposed and bool(asides.SO_THEN.search(text) or told.WOULD.match(text))


def _is_no_talk_of_rules(shadow: str) -> bool:
    """A trial, the order of a feature, a joke."""
    if asides.TRIAL.search(shadow) or offhand.is_idle(shadow) or _is_feature(shadow):
        return True
    return bool(asides.JOKE.search(shadow)) and not NAME.search(shadow)


def _is_feature(shadow: str) -> bool:
    """What the product shall do: “… , build that”."""
    if asides.FEATURE_HEAD.match(shadow) or asides.OUTSIDE.search(shadow):
        return True
    if asides.FEATURE_ORDER.search(shadow) and asides.BEHAVIOUR.search(shadow):
        return True
    if joints.SINCE_NOW.search(shadow) or asides.PROTECTS.search(shadow):
        return False
    return bool(asides.FEATURE_ORDER.search(shadow))


def _without_tag(text: str) -> str:
    tag = asides.TAG.search(text)
    return text[: tag.start()] if tag and tag.start() else text


def _is_foreign(text: str, is_adopted: bool, is_said_again: bool) -> bool:
    if is_adopted or is_said_again:
        return False
    return bool(asides.HEARSAY.search(text) or told.REPORTED.match(text))


_NO_QUESTIONS = (
    *(general.TOLD_NOT_TO, general.TOLD_WHAT, general.SEEK_FIRST),
    *(short.LOOK_BEFORE, terse.LISTED_FIRST, terse.EXPLAINED_EACH, terse.SAID_EXACTLY),
)
""" "List first which you will touch": a question within an order."""


def _is_question(part: Clause, text: str, is_said_again: bool, *, is_last: bool) -> bool:
    if (
        is_said_again
        or asides.REQUEST.search(text)
        or terse.COULD_BE_MORE.match(text)
        or terse.COULD_BE_FEWER.match(text)
    ):
        return False
    if text != part.shadow.strip() or text.endswith("某"):
        return False
    if part.mark not in ("?", "？") and (any(asked.match(text) for asked in _NO_QUESTIONS)):
        return False
    text = asides.FREE_CHOICE.sub("", text)
    return (
        is_last
        or part.mark in ("?", "？")
        or bool(asides.QUESTION_END.search(text) or asides.QUESTION_WORD.search(text))
    )


# -- in which words -----------------------------------------------------------------------------------------


def _found(group: Group, parts: Sequence[Clause], sentence: Sentence, context: Context) -> Found | None:
    reading = group.reading
    own = [parts[at].shadow.strip() for at in range(group.first, group.last + 1)]
    text = _text(sentence.text, parts, group)
    about = _of_all(own, reading, context) or _turned_down(own[-1], context)
    gone = lifts.may_go(own[-1], context.rules) if reading.act == "withdraw" else ""
    if not (about or gone) and reading.is_permission:
        about = lifts.allowed_again(own[-1], context.rules)
    if not about and general.THEN_NOT.match(own[-1]):
        return None
    if (
        not about
        and group.first == 0
        and lacks_topic(own[-1], group.reading)
        and not any(map(names_something, own[:-1]))
    ):
        is_named = bool(asides.NAMED_DEED.match(own[-1]))
        said = Context() if is_named else context
        lead = _antecedent(sentence, said, is_permission=reading.is_permission)
        if (
            lead is None
            and not is_named
            and (asides.STOP_NOW if reading.act == "state" else joints.NO_NEED).match(own[-1])
        ):
            return None
        is_of_trial = not (lead and NAME.search(lead)) or offhand.TRIES.search(lead)
        if is_of_trial and offhand.IF_NOT.match(own[-1]):
            return None
        text = (lead or "") + text
    return Found(
        act=reading.act,
        text=text[:MAX_TEXT_CHARS],
        polarity=reading.polarity,
        force="soft" if joints.SOFT_CONDITION.search(text) else reading.force,
        scope=group.scope or _scope(parts, group),
        why=_why(sentence.text, group),
        is_permission=reading.is_permission and not gone,
        confidence=reading.confidence,
        topic=_topic(text) if reading.act == "state" else about or gone or _taken_back(text, context),
    )


def _turned_down(text: str, context: Context) -> str:
    """The demand that is meant by “then it is not added”: the last of which that can be said."""
    found = general.THEN_NOT.match(text)
    said = (rule.text for rule in reversed(context.rules) if rule.polarity == "do")
    return next((rule for rule in said if found and found["deed"] in rule), "")


def _of_all(own: Sequence[str], reading: Reading, context: Context) -> str:
    """The ban that named several things, where all of these are allowed: “both may be changed now”."""
    is_bare = len(own) == 1 and lacks_topic(own[0], reading)
    if not (reading.is_permission and (joints.ALL_OF_THEM.match(own[0]) or is_bare)):
        return ""
    ban = next((rule.text for rule in reversed(context.rules) if rule.polarity == "do_not"), "")
    return ban if members_of(ban) else ""


def _text(original: str, parts: Sequence[Clause], group: Group) -> str:
    first, last = group.first, group.last
    while first < last and parts[last].end - parts[first].start > MAX_TEXT_CHARS:
        first += 1
    text = original[parts[first].start : parts[last].end]
    return joints.LEAD_IN.sub("", joints.TRAIL.sub("", text.strip())).strip() or text.strip()


def _why(original: str, group: Group) -> str:
    if group.why is None:
        return ""
    start, end = group.why
    return joints.TRAIL.sub("", original[start:end].strip())


def _antecedent(sentence: Sentence, context: Context, *, is_permission: bool) -> str | None:
    """What "it" is: the words before, else the name in what the person said last.

    What is allowed again can only be what was forbidden.
    """
    before = sentence.before
    if before and len(before) <= MAX_BEFORE_CHARS and names_something(shadow_of(before)):
        return before if before[-1] in "，。！？；,.!?;:：" else before + "，"
    for message in reversed((*context.person_before, before)[-6:]):
        if is_permission and not FORBIDS.search(shadow_of(message[: 4 * MAX_BEFORE_CHARS])):
            continue
        names = NAME.findall(message)
        if names and len(message) <= 4 * MAX_BEFORE_CHARS:
            return f"{names[0]} "
    return None


def _scope(parts: Sequence[Clause], group: Group) -> Scope:
    """Its own words decide, then the words before it in the sentence."""
    own = " ".join(part.shadow for part in parts[group.first : group.last + 1])
    ahead = " ".join(part.shadow for part in parts[: group.first])
    for words in (own, ahead):
        if joints.ALWAYS.search(words):
            return "always"
        if joints.TASK.search(words):
            return "task"
        if joints.SINCE_NOW.search(words):
            return "project"
        if joints.ONCE.search(words if words is own else joints.FIRST_NOT.sub("", words)):
            return "once"
    return "project"


def _topic(text: str) -> str:
    """The one path in it, if there is one."""
    paths = set(_PATH.findall(text))
    return paths.pop() if len(paths) == 1 else ""


def _taken_back(text: str, context: Context) -> str:
    """What the rule was about that holds no more; “that one” is the last rule the person laid down."""
    if CHANGED_MIND.match(text):
        text = ""
    named = joints.EMPTY_WORDS.sub(lambda empty: " " * len(empty[0]), simplified(text))
    words = "".join(char if kept.strip() else " " for char, kept in zip(text, named, strict=True)).split()
    about = " ".join(word for word in words if word not in joints.BARE_VERBS)
    if len(about) > 1:
        return about
    for message in reversed(context.person_before):
        for sentence in reversed(sentences(message[:MAX_SENTENCE_CHARS])):
            stated = [found.text for found in read(sentence, Context()) if found.act == "state"]
            if stated:
                return stated[-1]
    return ""
