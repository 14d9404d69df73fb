"""The man page says what the help says, in words that roff does not take for its own."""

from __future__ import annotations

import re

import click
import pytest

from agentinitd.cli.main import cli
from agentinitd.cli.manual import EXITS, man_page
from agentinitd.model import errors


@pytest.fixture(scope="module")
def page() -> str:
    return man_page(cli)


def walk(group: click.Group, *before: str) -> list[tuple[str, ...]]:
    found = []
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        found.append((*before, name))
        if isinstance(command, click.Group):
            found += walk(command, *before, name)
    return found


def test_every_command_of_every_group_has_its_section(page: str) -> None:
    told = re.findall(r"^\.SS \\fBagentinitd (.*?)\\fR", page, re.MULTILINE)

    assert told == [" ".join(words).replace("-", r"\-") for words in walk(cli)]


def test_options_are_told_with_their_values_and_defaults(page: str) -> None:
    assert "\n\\fB\\-n, \\-\\-lines N\\fR\n" in page
    assert "The default is 20." in page
    assert ".SS \\fBagentinitd completion\\fR bash|zsh|fish" in page
    assert ".SS \\fBagentinitd trust\\fR COMMAND" in page


def test_no_line_is_mistaken_for_a_request_or_holds_what_roff_would_eat(page: str) -> None:
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}

    assert requests <= {'.\\"', ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"}
    assert not re.search(r"\\(?![-&e]|f[BIR]|\(aq|\(ga|\")", page)


def test_all_exit_codes_of_ours_are_told() -> None:
    ours = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.AgentinitdError)
    }

    assert {str(code) for code in ours} <= {code for code, _ in EXITS}


def test_lines_that_are_to_stay_as_they_are_stay_so() -> None:
    @click.group(help="Top.")
    def top() -> None: ...

    @top.command(help="First\nparagraph.\n\n\b\none  two\n.three\n\nIt's `code` \\ -x")
    def inner() -> None: ...

    page = man_page(top)

    assert (
        "First paragraph.\n.PP\n.nf\none two\n\\&.three\n.fi\n.PP\nIt\\(aqs \\(gacode\\(ga \\e \\-x\n" in page
    )
