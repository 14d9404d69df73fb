"""The settings on disk: field case 21, and everything that can be wrong with a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agentinitd.integrations import claude_code
from agentinitd.integrations.settings_file import SettingsFile
from agentinitd.model.errors import AgentinitdError, NotConfigured, PermissionRefused

COMMAND = "/opt/py/bin/python3 -I -S /opt/lib/agentinitd/hook.py claude-code"


@pytest.fixture
def path(home: Path) -> Path:
    folder = home / ".claude"
    folder.mkdir()
    return folder / "settings.json"


@pytest.fixture
def state_dir(home: Path) -> Path:
    return home / ".local" / "state" / "agentinitd"


@pytest.fixture
def settings(path: Path, state_dir: Path) -> SettingsFile:
    return SettingsFile(claude_code, path, state_dir)


@pytest.fixture
def sample(shared: Path) -> bytes:
    return (shared / "field-cases/21-install-keeps-other-hooks/settings.json").read_bytes()


@pytest.fixture
def broken(shared: Path) -> bytes:
    return (shared / "field-cases/21-install-keeps-other-hooks/broken.json").read_bytes()


def install(settings: SettingsFile, command: str = COMMAND) -> None:
    settings.install(settings.planned_install(command))


def uninstall(settings: SettingsFile) -> None:
    settings.uninstall(settings.planned_uninstall())


def without_ours(value: dict[str, dict[str, list[object]]]) -> dict[str, object]:
    hooks = {
        event: [group for group in groups if COMMAND not in json.dumps(group)]
        for event, groups in value["hooks"].items()
    }
    return {**value, "hooks": hooks}


# Field case 21


def test_step_1_all_that_is_foreign_stays_and_ours_is_there_once(settings, path, sample):
    path.write_bytes(sample)

    install(settings)
    once = path.read_bytes()
    install(settings)

    assert path.read_bytes() == once
    assert once.count(COMMAND.encode()) == len(claude_code.EVENTS)
    before, after = json.loads(sample), without_ours(json.loads(once))
    made = {event: [] for event in claude_code.EVENTS if event not in before["hooks"]}
    assert after == {**before, "hooks": {**before["hooks"], **made}}
    assert [*after] == [*before]
    assert "echo 提醒：先读 RUNBOOK.md".encode() in once


def test_step_2_afterwards_the_file_is_byte_for_byte_what_it_was(settings, path, sample):
    path.write_bytes(sample)
    path.chmod(0o640)

    install(settings)
    uninstall(settings)

    assert path.read_bytes() == sample
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.json"]


def test_step_3_where_nothing_was_nothing_stays(settings, path, state_dir):
    path.parent.rmdir()

    install(settings)
    assert path.stat().st_mode & 0o777 == 0o600
    uninstall(settings)

    assert not path.parent.exists()
    assert [entry for entry in state_dir.rglob("*") if entry.is_file()] == []


def test_step_3_a_folder_that_was_there_stays(settings, path):
    install(settings)
    uninstall(settings)

    assert path.parent.is_dir()
    assert not path.exists()


def test_step_4_a_broken_file_is_left_alone_and_named_with_its_line(settings, path, broken):
    path.write_bytes(broken)

    for act in (lambda: settings.planned_install(COMMAND), settings.planned_uninstall, settings.is_installed):
        with pytest.raises(NotConfigured, match=r"settings\.json:3:\d+: .*line 3"):
            act()

    assert path.read_bytes() == broken
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.json"]


def test_step_5_a_link_stays_a_link_and_the_file_behind_it_is_changed(settings, path, tmp_path, sample):
    behind = tmp_path / "dotfiles" / "claude.json"
    behind.parent.mkdir()
    behind.write_bytes(sample)
    path.symlink_to(behind)

    install(settings)
    assert path.is_symlink()
    assert COMMAND in behind.read_text()

    uninstall(settings)
    assert path.is_symlink()
    assert behind.read_bytes() == sample


def test_step_6_a_third_tools_later_hook_stays(settings, path, sample):
    path.write_bytes(sample)
    install(settings)
    value = json.loads(path.read_bytes())
    third = {"matcher": "clear", "hooks": [{"type": "command", "command": "/opt/third.sh"}]}
    for event in ("SessionStart", "Stop"):
        value["hooks"][event].append(third)
    path.write_text(json.dumps(value, indent=4))

    uninstall(settings)

    before = json.loads(sample)
    before["hooks"]["SessionStart"].append(third)
    before["hooks"]["Stop"] = [third]
    assert json.loads(path.read_bytes()) == before


def test_step_7_the_change_is_shown_before_and_a_copy_is_kept(settings, path, sample):
    path.write_bytes(sample)

    change = settings.planned_install(COMMAND)

    assert path.read_bytes() == sample
    lines = change.diff.splitlines()
    assert f"+++ {path}" in lines
    assert sum(line.startswith("+") and COMMAND in line for line in lines) == len(claude_code.EVENTS)
    settings.install(change)
    assert settings.backup.read_bytes() == sample


# What is write-protected


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o464])
def test_a_write_protected_file_is_left_alone_and_named_with_the_cure(
    settings, path, state_dir, sample, mode
):
    path.write_bytes(sample)
    path.chmod(mode)
    change = settings.planned_install(COMMAND)

    with pytest.raises(PermissionRefused, match=f"chmod u\\+w {path}"):
        settings.install(change)

    assert path.read_bytes() == sample
    assert path.stat().st_mode & 0o777 == mode
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.json"]
    assert not state_dir.exists()


def test_a_write_protected_file_behind_a_link_is_left_alone(settings, path, tmp_path, sample):
    behind = tmp_path / "claude.json"
    behind.write_bytes(sample)
    behind.chmod(0o444)
    path.symlink_to(behind)

    with pytest.raises(PermissionRefused, match="write-protected"):
        install(settings)

    assert behind.read_bytes() == sample


def test_a_file_protected_after_the_installation_keeps_our_hooks(settings, path, sample):
    path.write_bytes(sample)
    install(settings)
    path.chmod(0o444)
    before = path.read_bytes()

    assert not settings.planned_install(COMMAND).is_needed
    with pytest.raises(PermissionRefused, match="write-protected"):
        uninstall(settings)

    assert path.read_bytes() == before


# What is remembered


def test_a_second_installation_does_not_forget_what_the_first_one_made(settings, path, sample):
    path.write_bytes(sample)
    install(settings, COMMAND.replace("/opt/py", "/opt/old"))
    install(settings)

    assert settings.backup.read_bytes() == sample
    uninstall(settings)
    assert path.read_bytes() == sample


def forget_record(_: SettingsFile, state_dir: Path) -> None:
    (state_dir / "integrations" / "claude-code.json").unlink()


def forget_all(settings: SettingsFile, state_dir: Path) -> None:
    forget_record(settings, state_dir)
    settings.backup.unlink()


def tear_record(_: SettingsFile, state_dir: Path) -> None:
    (state_dir / "integrations" / "claude-code.json").write_text('{"a": [')


@pytest.mark.parametrize("lose", [forget_record, tear_record])
def test_when_the_record_is_lost_the_copy_tells(settings, path, sample, state_dir, lose):
    path.write_bytes(sample)
    install(settings)
    lose(settings, state_dir)

    uninstall(settings)

    assert path.read_bytes() == sample


def test_when_all_is_lost_what_becomes_empty_goes(settings, path, sample, state_dir):
    path.write_bytes(sample)
    install(settings)
    forget_all(settings, state_dir)

    uninstall(settings)

    before = json.loads(sample)
    del before["hooks"]["UserPromptSubmit"]
    assert json.loads(path.read_bytes()) == before


def test_two_settings_files_are_remembered_apart(settings, path, tmp_path, state_dir, sample):
    path.write_bytes(sample)
    other = SettingsFile(claude_code, tmp_path / "other" / "settings.json", state_dir)
    install(settings)
    install(other)

    uninstall(other)
    uninstall(settings)

    assert not other.path.parent.exists()
    assert path.read_bytes() == sample


def test_the_copy_stays_while_it_differs_from_what_is_left(settings, path, sample):
    path.write_bytes(sample)
    install(settings)
    path.write_bytes(path.read_bytes().replace(b'"C.UTF-8"', b'"zh_CN.UTF-8"'))

    uninstall(settings)

    assert settings.backup.read_bytes() == sample


# Bad files


def test_a_change_by_somebody_else_meanwhile_is_not_overwritten(settings, path, sample):
    path.write_bytes(sample)
    change = settings.planned_install(COMMAND)
    path.write_bytes(b'{"new": 1}')

    with pytest.raises(NotConfigured, match="changed by somebody else"):
        settings.install(change)

    assert path.read_bytes() == b'{"new": 1}'


def test_a_file_that_appears_meanwhile_is_not_overwritten(settings, path):
    change = settings.planned_install(COMMAND)
    path.write_bytes(b"{}")

    with pytest.raises(NotConfigured):
        settings.install(change)

    assert path.read_bytes() == b"{}"


def make_binary(path: Path) -> None:
    path.write_bytes(b'{\n"a": "\xff"}')


def make_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(9 * 1024 * 1024)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (make_binary, ":2:7: not UTF-8"),
        (make_huge, "larger than"),
        (os.mkfifo, "regular"),
        (os.mkdir, "cannot be read"),
    ],
)
def test_what_is_no_settings_file_is_refused_by_name(settings, path, make: Callable[[Path], None], said):
    make(path)

    with pytest.raises(NotConfigured, match=said) as raised:
        settings.planned_install(COMMAND)

    assert str(path) in str(raised.value)


def test_an_empty_file_counts_as_no_settings(settings, path):
    path.write_bytes(b"\n")

    install(settings)
    assert settings.is_installed()
    uninstall(settings)

    assert json.loads(path.read_bytes()) == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_settings_of_somebody_else_are_refused(settings, path, sample):
    path.write_bytes(sample)
    os.chown(path, 12345, -1)

    with pytest.raises(PermissionRefused, match="belongs to uid 12345"):
        settings.planned_install(COMMAND)


def test_where_nothing_can_be_written_the_file_stays_and_is_named(settings, path, sample, state_dir):
    path.write_bytes(sample)
    change = settings.planned_install(COMMAND)
    state_dir.parent.mkdir(parents=True)
    state_dir.write_text("a file where our folder should be")

    with pytest.raises(AgentinitdError, match="agentinitd"):
        settings.install(change)

    assert path.read_bytes() == sample


def test_leaving_where_we_are_not_changes_nothing(settings, path, sample):
    assert not settings.planned_uninstall().is_needed
    path.write_bytes(sample)
    assert not settings.planned_uninstall().is_needed
    assert not settings.is_installed()
