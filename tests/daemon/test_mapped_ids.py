"""A sandbox in which nobody's files can be told apart is no place for a daemon that judges by owners."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.daemon.mapped_ids import refuse_unknown_owners
from agentinitd.model.errors import PermissionRefused


@pytest.fixture
def told(tmp_path: Path) -> dict[str, Path]:
    """A system on which the owner of `/` is called nobody."""
    (tmp_path / "overflow").write_text(f"{Path('/').stat().st_uid}\n")
    return {"uid_map": tmp_path / "uid_map", "overflow": tmp_path / "overflow"}


@pytest.mark.parametrize(
    ("uid_map", "known"), [("1000 1000 1\n", "1 uid,"), ("1000 1000 1\n5000 100000 10\n", "11 uids,")]
)
def test_it_is_refused_with_the_setting_that_makes_it(
    told: dict[str, Path], tmp_path: Path, uid_map: str, known: str
) -> None:
    """SOC-3."""
    told["uid_map"].write_text(uid_map)

    with pytest.raises(PermissionRefused, match="PrivateUsers=") as refused:
        refuse_unknown_owners(tmp_path / "state", **told)

    assert f"knows {known}" in str(refused.value)
    assert refused.value.exit_code == 4


@pytest.mark.parametrize(
    "uid_map", ["0 0 4294967295\n", "0 1000 1\n1 100000 65536\n", "", "no figures\n", None]
)
def test_everywhere_else_nothing_is_said(told: dict[str, Path], tmp_path: Path, uid_map: str | None) -> None:
    if uid_map is not None:
        told["uid_map"].write_text(uid_map)
    if uid_map == "":
        told["overflow"].write_text("none")

    refuse_unknown_owners(tmp_path / "state", **told)


def test_this_machine_is_no_such_place(tmp_path: Path) -> None:
    if Path("/").stat().st_uid in (0, os.geteuid()):
        refuse_unknown_owners(tmp_path)
