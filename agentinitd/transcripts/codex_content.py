"""What stands inside the records of Codex: whose words, what a tool was asked, and what it answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import RESULT_CHARS, PlanStatus, PlanStep
from agentinitd.transcripts.json_lines import NOT_PLAIN, clean, lenient, plain, text_of, typed

# Whole messages that Codex itself puts under the person's role.
_INJECTED = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>",
    "<permissions instructions>", "<user_shell_command>", "<user_action>", "<turn_aborted>", "<skill>",
    "<skills_instructions>", "<subagent_notification>", "<subagents>", "<hook_prompt", "<goal_context>",
    "<model_switch>", "<collaboration_mode>", "<apps_instructions>", "<plugins_instructions>",
    "<recommended_plugins>", "<personality_spec>", "<unified_exec_process_limit",
)  # fmt: skip
# An editor puts what is open and selected before the person's own words, and this line between.
_IDE_CONTEXT = "# Context from my IDE setup:"
_REQUEST_HEADINGS = ("## My request for Codex:", "## My request:")
_TAG_CHARS = 256
_CWD = re.compile(r"<cwd>([^<]*)</cwd>|^Current working directory: (.+)$", re.MULTILINE)
_EXIT_CODE = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d+)\s*$", re.MULTILINE)
_EXIT_HEAD_CHARS = 400
_EXEC_START = re.compile(r'\{\s*"output"\s*:\s*"')
_EXEC_END = re.compile(rb'\\"exit_code\\"\s*:\s*(-?[0-9]{1,10})\b')
_EXEC_END_BYTES = 256
_BEGINNING_BYTES = 4 * 1024
# A pair of surrogates is the longest that a cut can tear: `\ud83d\ude00`.
_TORN_BYTES = 13
_FAILED = (
    "exec_command failed", "apply_patch verification failed", "failed to parse function arguments",
    "unsupported call:", "aborted by user", "rejected by user", "execution error:", "patch rejected by user",
    "exec command rejected by user", "failed in sandbox:", "unknown process id",
)  # fmt: skip
_STATUSES: dict[str, PlanStatus] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "done",
    "cancelled": "cancelled",
}


class _Block(Struct, gc=False):
    type: str | None = None
    text: str | None = None


class _ExecMetadata(Struct, gc=False):
    exit_code: int | None = None


class _ExecOutput(Struct, gc=False):
    """The result of a command as one JSON text: versions up to early 2026, and patches still."""

    output: str
    metadata: _ExecMetadata | None = None


class Item(Struct, gc=False):
    """Of `item_completed`, which newer versions write in place of several events."""

    type: str | None = None
    content: Raw = Raw()


_decode_blocks = msgspec.json.Decoder(list[_Block]).decode
_decode_exec = msgspec.json.Decoder(_ExecOutput).decode
_decode_item = msgspec.json.Decoder(Item).decode
_decode_text = msgspec.json.Decoder(str).decode


def text_in(raw: Raw) -> str:
    """A field that is a text; "" for any other."""
    try:
        return _decode_text(raw)
    except NOT_PLAIN:
        return text_of(raw)


def texts_of(content: Raw) -> list[str]:
    """The texts of a message's content."""
    return [block.text for block in _blocks(content) if block.text]


def _blocks(content: Raw) -> list[_Block]:
    try:
        return _decode_blocks(content)
    except NOT_PLAIN:
        value = plain(content)
    if isinstance(value, str):
        return [_Block(type="text", text=clean(value))]
    if not isinstance(value, list):
        return []
    return [lenient(block, _Block) for block in value if isinstance(block, dict)]


def item_of(raw: Raw) -> Item:
    return typed(raw, _decode_item, Item)


def typed_text(text: str) -> str | None:
    """What the person typed; None when all of it was put there by Codex."""
    head = text[:_TAG_CHARS].lstrip()
    if head.startswith(_INJECTED):
        return None
    if head.startswith(_IDE_CONTEXT):
        for heading in _REQUEST_HEADINGS:
            _, found, request = text.partition(heading)
            if found:
                return request.strip()
    return text


def typed_in_content(content: Raw) -> str | None:
    """The same of a message's content: "" for a picture without words, None when nothing was typed."""
    blocks = _blocks(content)
    has_text = any(block.text for block in blocks)
    if not has_text:
        return "" if any("image" in (block.type or "") for block in blocks) else None
    found = [typed_text(block.text) for block in blocks if block.text]
    texts = [text for text in found if text is not None and text.strip()]
    return "\n".join(texts) if texts else None


def cwd_in_context(content: Raw) -> str | None:
    """The working directory that the oldest rollouts tell only to the model."""
    for text in texts_of(content):
        if text.startswith("<environment_context>") and (found := _CWD.search(text)):
            return (found[1] or found[2] or "").strip() or None
    return None


def arguments_of(raw: Raw) -> bytes:
    """The arguments of a call as a JSON object: they are JSON inside a text, or a text that is none."""
    arguments = bytes(raw)
    if arguments[:1] == b"{":
        return arguments
    text = text_in(raw)
    if text[:1] == "{":
        return text.encode("utf-8", "replace")
    return msgspec.json.encode({"input": text}) if text else b"{}"


def result_of(output: Raw) -> tuple[bool | None, str]:
    """Whether a tool succeeded, where its answer says so, and the beginning of the answer."""
    raw = bytes(output)
    if len(raw) > _BEGINNING_BYTES and raw[:1] == b'"':
        return _result_in_long(raw)
    try:
        return _result_in(_decode_text(raw))
    except NOT_PLAIN:
        value = plain(output)
    if isinstance(value, str):
        return _result_in(clean(value) or "")
    if isinstance(value, list):
        return _result_in("\n".join(texts_of(output)))
    if not isinstance(value, dict):
        return None, ""
    content, success = clean(value.get("content")), value.get("success")
    found, text = _result_in(content or "")
    return (success if isinstance(success, bool) else found), text


def _result_in_long(raw: bytes) -> tuple[bool | None, str]:
    """Of a long text only the beginning is decoded, and the exit code is looked for where it stands."""
    text = _beginning(raw)
    inner = _EXEC_START.match(text)
    if inner is None:
        return _success_in(text[:_EXIT_HEAD_CHARS]), text[:RESULT_CHARS]
    code = _EXEC_END.search(raw, len(raw) - _EXEC_END_BYTES)
    output = _beginning(text[inner.end() - 1 :].encode("utf-8", "replace"))
    return (None if code is None else int(code[1]) == 0), output[:RESULT_CHARS]


def _beginning(raw: bytes) -> str:
    """Of a JSON text that may lack its end.  What can be decoded up to a cut stands there as it is."""
    for end in range(min(len(raw), _BEGINNING_BYTES), 0, -1)[:_TORN_BYTES]:
        try:
            return _decode_text(raw[:end] + b'"')
        except NOT_PLAIN:
            continue
    return ""


def _result_in(text: str) -> tuple[bool | None, str]:
    if text[:1] == "{":
        try:
            found = _decode_exec(text)
        except NOT_PLAIN:
            return None, text[:RESULT_CHARS]
        code = found.metadata.exit_code if found.metadata is not None else None
        return (None if code is None else code == 0), found.output[:RESULT_CHARS]
    if text.startswith("Exit code: 0\n"):
        return True, text[:RESULT_CHARS]
    return _success_in(text[:_EXIT_HEAD_CHARS]), text[:RESULT_CHARS]


def _success_in(head: str) -> bool | None:
    exit_code = _EXIT_CODE.search(head.partition("\nOutput:")[0])
    if exit_code is not None:
        return int(exit_code[1]) == 0
    return False if head.startswith(_FAILED) else None


def steps_of(plan: object) -> tuple[PlanStep, ...] | None:
    """The steps of a plan; None for what is none."""
    if not isinstance(plan, list):
        return None
    return tuple(_steps(plan))


def _steps(plan: list[object]) -> Iterator[PlanStep]:
    for step in plan:
        if isinstance(step, dict) and isinstance(step.get("step"), str):
            status = step.get("status")
            known = _STATUSES.get(status, "pending") if isinstance(status, str) else "pending"
            yield PlanStep(text=clean(step["step"]) or "", status=known)
