"""What any unit has in common: the seal, the environment, and what counts as out of date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentinitd.integrations.units import (
    PLACES,
    SEAL,
    Reading,
    checked_command,
    drift,
    environment_of,
    origin,
    sealed,
)
from agentinitd.model.errors import NotInstalled

ROOT = Path(__file__).parents[2]
TEXT = sealed(f"# {SEAL}.\nNice=5\n")


class TestSeal:
    def test_what_we_wrote_is_ours(self):
        assert origin(TEXT) == "ours"

    @pytest.mark.parametrize(
        "text", [TEXT + "\n", TEXT.replace("Nice=5", "Nice=6"), TEXT.replace("\n", "\r\n")]
    )
    def test_any_change_shows(self, text):
        assert origin(text) == "changed"

    @pytest.mark.parametrize(
        "text", ["", "Nice=5\n", "\udcff", "written by `agentinitd unit install`, sha256 12"]
    )
    def test_what_has_no_seal_is_somebody_elses(self, text):
        assert origin(text) == "foreign"


class TestEnvironment:
    def test_what_moves_our_files_or_an_agents_is_taken_along(self):
        env = {"XDG_STATE_HOME": "/s", "CODEX_HOME": "/c", "TZ": "Asia/Taipei", "SECRET": "x", "HOME": "/h"}

        assert environment_of(env) == {"CODEX_HOME": "/c", "TZ": "Asia/Taipei", "XDG_STATE_HOME": "/s"}

    def test_of_path_only_absolute_folders_and_each_once(self):
        assert environment_of({"PATH": "/a::.:bin:/b:/a"}) == {"PATH": "/a:/b"}
        assert environment_of({"PATH": "."}) == {}

    def test_what_cannot_be_written_down_is_left_out(self):
        assert environment_of({"TZ": "a\nb", "LANG": "\udcff", "CODEX_HOME": ""}) == {}

    def test_every_variable_that_a_reader_of_transcripts_looks_at_is_known(self):
        looked_at = set()
        for path in (*ROOT.glob("agentinitd/transcripts/*.py"), *ROOT.glob("agentinitd/integrations/*.py")):
            looked_at |= set(re.findall(r'\benv(?:\.get\(|\[)"([A-Z_]+)"', path.read_text(encoding="utf-8")))

        assert "CODEX_HOME" in looked_at
        assert looked_at - {"PATH"} <= set(PLACES)


class TestDrift:
    INSTALLED = Reading(command=("/a/agentinitd",), places={"CODEX_HOME": "/c"}, rest=("Nice=5",))

    def test_none(self):
        assert drift(self.INSTALLED, self.INSTALLED) == ()

    def test_another_path_other_places_and_other_options_are_named(self):
        fresh = Reading(command=("/b/agentinitd",), places={"XDG_STATE_HOME": "/s"}, rest=("Nice=6",))

        assert drift(self.INSTALLED, fresh) == (
            "it starts '/a/agentinitd'; this is '/b/agentinitd'",
            "XDG_STATE_HOME is not set in the unit and '/s' here",
            "CODEX_HOME is '/c' in the unit and not set here",
            "its options are those of another version of agentinitd",
        )


@pytest.mark.parametrize("program", ["agentinitd", "", "/a\nb/agentinitd", "/a\udcff/agentinitd"])
def test_a_program_that_no_unit_can_name_is_refused(program):
    with pytest.raises(NotInstalled, match="absolute path"):
        checked_command((program,))
