"""What `--json` prints can be read by any program, whatever names the disk holds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentinitd.cli.json_output import print_json


@dataclass(frozen=True)
class Named:
    name: str


def test_it_is_set_in_and_words_of_all_languages_stay_readable(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"found": [Named("规则")], "none": []})

    assert (
        capsys.readouterr().out
        == '{\n  "found": [\n    {\n      "name": "规则"\n    }\n  ],\n  "none": []\n}\n'
    )


def test_a_name_that_is_no_text_is_told_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    name = str(Path(b"caf\xe9".decode("utf-8", "surrogateescape")))

    print_json([Named(name)])

    assert json.loads(capsys.readouterr().out) == [{"name": name}]
