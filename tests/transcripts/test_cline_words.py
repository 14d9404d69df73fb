"""What the person typed is told apart from what Cline and Roo Code put beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.transcripts.cline_words import snippet_in, typed_part


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("list the rows", "list the rows"),
        ('<user_input mode="act">list the rows</user_input>', "list the rows"),
        (
            "<mode_notice>The user switched from plan mode to act mode.</mode_notice>"
            '<user_input mode="act">go</user_input>',
            "go",
        ),
        ('<user_command slash="team">build it</user_command>', "/team build it"),
        ("<task>\nlist\n</task>\n<environment_details>\nopen: a\n</environment_details>", "list"),
        ('see this <file_content path="a.py">\nx = 1\n</file_content>', "see this"),
        ("why does <div> not close?", "why does <div> not close?"),
        ("what is <environment_details> for?", "what is <environment_details> for?"),
        ("Detected a bug in the parser, please look", "Detected a bug in the parser, please look"),
        ("保持 <b>简短</b>", "保持 <b>简短</b>"),
    ],
)
def test_the_person_is_heard_without_the_wrapping(text: str, typed: str) -> None:
    assert typed_part(text) == typed


@pytest.mark.parametrize(
    "text",
    [
        "<SYSTEM_NOTICE>\nEarlier context was compacted.\n</SYSTEM_NOTICE>",
        '<hook_context source="PostToolUse" tool_name="x" tool_call_id="y">\nrules\n</hook_context>',
        "<environment_details>\n# Time\n</environment_details>",
        "The user approved switching to act mode. Continue with the approved plan now.",
        "Detected 5 consecutive identical calls to `read_files`; stopping to avoid a loop.",
        "Stopped after 3/3 consecutive mistakes (api_error) at iteration 9.",
        "[ERROR] You did not use a tool in your previous response!",
        "  \n",
    ],
)
def test_what_the_program_says_is_no_message_of_the_person(text: str) -> None:
    assert typed_part(text) == ""


def test_a_snippet_is_seen_where_a_hook_put_it() -> None:
    line = "Recorded by the project's owner, in force now (agentinitd 0123456789ab):"

    assert (
        snippet_in(f'<hook_context source="PostToolUse" tool_name="x">\n{line}\n</hook_context>')
        == "0123456789ab"
    )
    assert snippet_in(line) is None


@given(st.text(alphabet='<>/a user_inputtaskhook_context="\n', max_size=80))
def test_no_text_does_harm(text: str) -> None:
    assert isinstance(typed_part(text), str)
    snippet_in(text)
