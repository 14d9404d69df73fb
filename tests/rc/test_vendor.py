from __future__ import annotations

from pathlib import Path

import pytest

from agentinitd.model.errors import NotInstalled
from agentinitd.rc.vendor import vendor_folder


def lay(folder: Path) -> Path:
    (folder / "init.d").mkdir(parents=True)
    (folder / "rc.d").mkdir()
    return folder


def test_a_checkout_uses_its_own_folders() -> None:
    assert vendor_folder() == Path(__file__).resolve().parents[2]


def test_an_installed_package_uses_its_data_and_not_what_lies_beside_it(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "agentinitd"
    lay(package.parent)
    assert vendor_folder(package) == package.parent
    lay(package / "data")
    assert vendor_folder(package) == package / "data"


def test_without_either_the_cure_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotInstalled, match="pip install"):
        vendor_folder(tmp_path)
