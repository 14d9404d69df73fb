"""Config files: found, read and laid over each other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.daemon.paths import Places
from agentinitd.daemon.settings import CONFIG_LIMIT_BYTES, Settings, load_config, project_config, read_yaml
from agentinitd.model.config import Config
from agentinitd.model.errors import NotConfigured


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(
        home=tmp_path,
        config_dir=tmp_path / "config",
        state_dir=tmp_path / "state",
        runtime_dir=tmp_path / "run",
        system_dir=tmp_path / "etc",
    )
    (made.config_dir / "agentinitd.d").mkdir(parents=True)
    made.system_dir.mkdir()
    return made


def fault(path: Path, text: str | bytes) -> str:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(NotConfigured) as caught:
        read_yaml(path)
    return str(caught.value)


class TestLayers:
    def test_without_a_file_the_defaults_hold(self, places: Places) -> None:
        assert load_config(places) == Config()

    def test_user_beats_system_and_drop_ins_beat_both_in_the_order_of_their_names(
        self, places: Places
    ) -> None:
        """OVR-7."""
        (places.system_dir / "agentinitd.yaml").write_text(
            "budget_tokens: 100\nlog_files: 2\nstale_days: 1\n"
        )
        places.user_config_file.write_text("budget_tokens: 200\nlog_files: 3\n")
        (places.config_dir / "agentinitd.d" / "20-more.yaml").write_text("budget_tokens: 400\n")
        (places.config_dir / "agentinitd.d" / "10-first.yaml").write_text("budget_tokens: 300\n")

        config = load_config(places)

        assert (config.budget_tokens, config.log_files, config.stale_days) == (400, 3, 1.0)

    @pytest.mark.parametrize(
        "name",
        ["._10-mac.yaml", ".#10-emacs.yaml", ".hidden.yaml", "10-old.bak.yaml", "10-x.yaml~", "10-x.yml"],
    )
    def test_what_editors_and_file_managers_leave_behind_is_not_read(self, places: Places, name: str) -> None:
        """OVR-7."""
        (places.config_dir / "agentinitd.d" / name).write_bytes(b"\x00\xff not ours")

        assert load_config(places) == Config()

    def test_the_faults_of_all_files_are_told_at_once(self, places: Places) -> None:
        (places.system_dir / "agentinitd.yaml").write_text("budget_tokens: many\n")
        places.user_config_file.write_text("a: [\n")
        (places.config_dir / "agentinitd.d" / "10-x.yaml").write_text("stale_days: no\n")

        with pytest.raises(NotConfigured) as caught:
            load_config(places)

        told = str(caught.value)
        assert "etc/agentinitd.yaml: budget_tokens: expected a number" in told
        assert "config/agentinitd.yaml: line 2" in told
        assert "10-x.yaml: stale_days: expected a number" in told

    def test_a_key_that_is_not_known_yet_costs_nothing_but_itself(
        self, places: Places, tmp_path: Path
    ) -> None:
        """DMN-7, TRU-9."""
        places.user_config_file.write_text("langage: en\nbudget_tokens: 300\n")
        (tmp_path / ".agent-memory").mkdir()
        (tmp_path / ".agent-memory" / "config.yaml").write_text("env_pass: [TOKEN]\nstale_days: 3\n")
        settings = Settings(places)

        assert settings.load() == ""
        assert settings.config == Config(budget_tokens=300)
        assert settings.of(tmp_path) == Config(budget_tokens=300, stale_days=3)
        assert "langage: ignored: unknown key; did you mean language?" in settings.warning
        assert "env_pass: ignored: a project may not set this" in settings.project_warnings()[0]
        assert settings.project_errors() == []

    def test_a_project_changes_only_what_concerns_its_own_snippet(self, tmp_path: Path) -> None:
        """TRU-9."""
        (tmp_path / ".agent-memory").mkdir()
        (tmp_path / ".agent-memory" / "config.yaml").write_text("budget_tokens: 300\n")

        assert project_config(Config(log_files=2), tmp_path) == Config(log_files=2, budget_tokens=300)

        (tmp_path / ".agent-memory" / "config.yaml").write_text("env_pass: [AWS_SECRET_ACCESS_KEY]\n")
        assert project_config(Config(), tmp_path) == Config()

    def test_a_project_without_a_config_gets_that_of_its_user(self, tmp_path: Path) -> None:
        assert project_config(Config(language="zh"), tmp_path / "nowhere") == Config(language="zh")


class TestReadYaml:
    @pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n", "\ufeff# with a mark\n"])
    def test_a_file_that_says_nothing_sets_nothing(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "c.yaml").write_text(text, encoding="utf-8")

        assert read_yaml(tmp_path / "c.yaml") == {}

    def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_bytes(b"\xef\xbb\xbflanguage: zh\r\nbudget_tokens: 300\r\n")

        assert read_yaml(tmp_path / "c.yaml") == {"language": "zh", "budget_tokens": 300}

    def test_a_fault_names_the_file_the_line_and_the_cure(self, tmp_path: Path) -> None:
        told = fault(tmp_path / "c.yaml", "language: en\nbudget_tokens: [500\n")

        assert told.startswith(f"{tmp_path / 'c.yaml'}: line 3, column 1: ")
        assert told.endswith("Mend the line and reload.")

    def test_a_key_that_is_given_twice_is_a_fault(self, tmp_path: Path) -> None:
        told = fault(tmp_path / "c.yaml", "language: en\nbudget_tokens: 500\nlanguage: zh\n")

        assert "line 3, column 1: language is given twice" in told

    @pytest.mark.parametrize(
        ("written", "taken"), [("0500", "320"), ("1:30", "90"), ("-010", "-8"), ("1:00:00", "3600")]
    )
    def test_a_number_that_yaml_takes_for_another_is_a_fault(
        self, tmp_path: Path, written: str, taken: str
    ) -> None:
        told = fault(tmp_path / "c.yaml", f"budget_tokens: {written}\n")

        assert f"line 1, column 16: YAML takes {written} for {taken}" in told

    @pytest.mark.parametrize(("written", "number"), [("0", 0), ("500", 500), ("1_000", 1000), ("-3", -3)])
    def test_plain_numbers_are_what_they_look_like(self, tmp_path: Path, written: str, number: int) -> None:
        (tmp_path / "c.yaml").write_text(f"a: {written}\n")

        assert read_yaml(tmp_path / "c.yaml") == {"a": number}

    @pytest.mark.parametrize(
        "text",
        [
            "- a\n- b\n",
            "just words\n",
            "a: 1\n---\nb: 2\n",
            "? [a]\n: 1\n",
            "? {a: 1}\n: 1\n",
            "a: !!python/object/apply:os.system [true]\n",
            "<<: {a: 1}\n",
            "a: *nobody\n",
            "a:\n\t- tab\n",
            "a: 2026-99-99\n",
            "a: " + "9" * 5000 + "\n",
            "a: '\x00'\n",
            "[" * 3000,
            b"\xff\xfea\x00:\x00",
            b"language: \xe9n\n",
        ],
    )
    def test_what_cannot_be_used_is_told_on_one_line(self, tmp_path: Path, text: str | bytes) -> None:
        told = fault(tmp_path / "c.yaml", text)

        assert told.startswith(f"{tmp_path / 'c.yaml'}: ")
        assert "\n" not in told

    def test_a_giant_file_is_not_read(self, tmp_path: Path) -> None:
        assert "larger than" in fault(tmp_path / "c.yaml", "#" * (CONFIG_LIMIT_BYTES + 1))

    def test_a_fifo_in_its_place_does_not_block(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "c.yaml")

        with pytest.raises(NotConfigured, match="cannot be read"):
            read_yaml(tmp_path / "c.yaml")

    def test_a_file_that_cannot_be_used_stays_as_it_is(self, tmp_path: Path) -> None:
        fault(tmp_path / "c.yaml", b"a: [\xff")

        assert (tmp_path / "c.yaml").read_bytes() == b"a: [\xff"


def test_a_config_that_leads_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".agent-memory").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text("password: hunter2\n")
    (project / ".agent-memory" / "config.yaml").symlink_to(tmp_path / "secret.yaml")

    with pytest.raises(NotConfigured, match="leads out of the project") as refused:
        project_config(Config(), project)

    assert "password" not in str(refused.value)
