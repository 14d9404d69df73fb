"""A reader of the team's own choice: an executable that gets the last turns as JSON and answers proposals.

It stands behind the same gate as our reader: a rule is taken only in words that the person really typed, so
that a model can neither invent one nor take one from a page.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import IO, Literal

import msgspec

from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Act, Force, Proposal
from agentinitd.memory.capture.prose import sentences
from agentinitd.memory.redact import redact
from agentinitd.model.events import AgentMessage, Event, PersonMessage
from agentinitd.model.facts import Polarity, Scope

VERSION = 1
MAX_TURNS = 12
MAX_TURN_CHARS = 8000
MAX_ANSWER_BYTES = 256 * 1024
MAX_PROPOSALS = 50
MAX_ERROR_CHARS = 200
TIMEOUT_SECONDS = 30.0
_ERROR_BYTES = 4096
_PIECE_BYTES = 65_536
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# A word of a script that parts words by blanks goes on here.
_IN_WORD = re.compile(r"[^\W_\u2e80-\u9fff\uf900-\ufaff]")
# What a program needs to run, and what model clients read; nothing else of the daemon's environment.
_PASSED = re.compile(
    r"PATH|HOME|USER|LANG|LC_\w+|TMPDIR|SSL_CERT_\w+|https?_proxy|no_proxy|\w+_(?:API_KEY|BASE_URL|MODEL)",
    re.I,
)


class ReaderFailed(Exception):
    """The executable could not be run, took too long, or did not answer proposals."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One message, as the executable gets it."""

    who: Literal["person", "agent"]
    line: int
    text: str


class _Answered(msgspec.Struct, frozen=True, kw_only=True):
    """One proposal, as the executable prints it."""

    line: int
    quote: str
    """Words of the message in that line, letter by letter."""
    kind: Literal["rule", "decision", "dead_end"] = "rule"
    act: Act = "state"
    polarity: Polarity = "do"
    force: Force = "hard"
    scope: Scope = "project"
    why: str = ""
    topic: str = ""
    confidence: float = 0.8


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    proposals: list[_Answered]


def turns_of(events: Sequence[Event]) -> list[Turn]:
    """The last turns, credentials masked; helpers and history are nobody's words here."""
    turns: list[Turn] = []
    for event in events:
        if isinstance(event, PersonMessage | AgentMessage) and not (event.is_history or event.is_helper):
            who: Literal["person", "agent"] = "person" if isinstance(event, PersonMessage) else "agent"
            text = redact(event.text).text[:MAX_TURN_CHARS]
            turns.append(Turn(who=who, line=event.line, text=text))
    return turns[-MAX_TURNS:]


def proposals_from(
    command: Sequence[str],
    session: str,
    turns: Sequence[Turn],
    *,
    environment: Mapping[str, str],
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> list[Proposal]:
    """What the executable makes of these turns, as far as it stands in them.  Raises ReaderFailed."""
    told = {"v": VERSION, "session": session, "turns": turns}
    answer = _run(command, msgspec.json.encode(told), environment, timeout_seconds)
    try:
        answered = msgspec.json.decode(answer, type=_Answer).proposals
    except msgspec.MsgspecError as error:
        raise ReaderFailed(f"{command[0]} did not print proposals as JSON: {error}") from error
    by_line = {turn.line: turn for turn in turns}
    given = (_proposal(each, by_line.get(each.line)) for each in answered[:MAX_PROPOSALS])
    return [proposal for proposal in given if proposal is not None]


def _run(
    command: Sequence[str], told: bytes, environment: Mapping[str, str], timeout_seconds: float
) -> bytes:
    passed = {name: value for name, value in environment.items() if _PASSED.fullmatch(name)}
    try:
        with tempfile.TemporaryFile() as errors:
            answer = _answered(_started(command, passed, errors), command[0], told, errors, timeout_seconds)
    except (OSError, ValueError) as error:
        raise ReaderFailed(f"{command[0]} cannot be run: {error}") from error
    if len(answer) > MAX_ANSWER_BYTES:
        raise ReaderFailed(f"{command[0]} printed more than {MAX_ANSWER_BYTES:,} bytes")
    return answer


def _answered(
    process: subprocess.Popen[bytes], name: str, told: bytes, errors: IO[bytes], timeout_seconds: float
) -> bytes:
    deadline = time.monotonic() + timeout_seconds
    try:
        answer = _exchanged(process, told, deadline)
        if len(answer) <= MAX_ANSWER_BYTES:
            process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired as error:
        raise ReaderFailed(f"{name} did not answer within {timeout_seconds:g} s") from error
    finally:
        _end(process)
    if process.returncode and len(answer) <= MAX_ANSWER_BYTES:
        raise ReaderFailed(f"{name} ended with {process.returncode}{_last_words(errors)}")
    return answer


def _exchanged(process: subprocess.Popen[bytes], told: bytes, deadline: float) -> bytes:
    """Tells it, and reads what it answers: one piece more than is taken at most, whatever else it prints."""
    answer, rest = bytearray(), memoryview(told)
    with contextlib.ExitStack() as pipes, selectors.DefaultSelector() as ready:
        ask, told_back = (pipes.enter_context(pipe) for pipe in (process.stdin, process.stdout) if pipe)
        os.set_blocking(ask.fileno(), False)
        ready.register(ask, selectors.EVENT_WRITE)
        ready.register(told_back, selectors.EVENT_READ)
        while len(answer) <= MAX_ANSWER_BYTES:
            events = ready.select(max(0.0, deadline - time.monotonic()))
            if not events:
                raise subprocess.TimeoutExpired(process.args, 0)
            for key, _ in events:
                if key.fileobj is told_back:
                    piece = os.read(told_back.fileno(), _PIECE_BYTES)
                    if not piece:
                        return bytes(answer)
                    answer += piece
                    continue
                with contextlib.suppress(BlockingIOError):
                    rest = rest[_sent(ask.fileno(), rest) :]
                if not rest:
                    ready.unregister(ask)
                    ask.close()
    return bytes(answer)


def _sent(pipe: int, rest: memoryview) -> int:
    """How much it took; all, when it does not want to hear more."""
    try:
        return os.write(pipe, rest[:_PIECE_BYTES])
    except BrokenPipeError:
        return len(rest)


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all that it started, of which nothing stays to be waited for by us."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-process.pid, os.WNOHANG)[0]:
            pass


def _started(
    command: Sequence[str], environment: Mapping[str, str], errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    # A list: no shell ever sees it.  A group of its own in our session: what has a session of its own would
    # be taken for something that a script left behind, and be ended with it.
    return subprocess.Popen(
        list(command),
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment,
        cwd="/",
        process_group=0,
    )


def _last_words(errors: IO[bytes]) -> str:
    """The last line of what it complained, credentials masked."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _ERROR_BYTES))
    lines = redact(errors.read().decode("utf-8", "replace")).text.split("\n")
    last = next(
        (words for line in reversed(lines) if (words := " ".join(_UNSAFE.sub(" ", line).split()))), ""
    )
    return f": {last[:MAX_ERROR_CHARS]}" if last else ""


def _proposal(answered: _Answered, turn: Turn | None) -> Proposal | None:
    """None for what does not stand where it is said to: invented, reworded, or in somebody else's words."""
    quote = " ".join(answered.quote.split())
    if turn is None or not quote or len(quote) > MAX_TEXT_CHARS:
        return None
    if answered.kind == "rule" and turn.who != "person":
        return None
    own = "\n".join(each.text for each in sentences(turn.text)) if turn.who == "person" else turn.text
    if not _stands_in(quote, " ".join(own.split())):
        return None
    return Proposal(
        kind=answered.kind,
        act=answered.act,
        text=quote,
        why=" ".join(answered.why.split())[:MAX_TEXT_CHARS] if answered.kind != "rule" else "",
        quote=quote[:MAX_QUOTE_CHARS],
        speaker=turn.who,
        line=answered.line,
        polarity=answered.polarity,
        force=answered.force,
        scope=answered.scope,
        confidence=min(max(answered.confidence, 0.0), 1.0),
        topic=" ".join(answered.topic.split())[:80],
        outcome="failed" if answered.kind == "dead_end" else None,
        is_external=True,
    )


def _stands_in(quote: str, text: str) -> bool:
    """As whole words: "never push to ma" is not what was said."""
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not (_is_in_word(text, at) or _is_in_word(text, end)):
            return True
        at = text.find(quote, at + 1)
    return False


def _is_in_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and all(map(_IN_WORD.match, text[at - 1 : at + 1]))
