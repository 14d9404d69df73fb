"""Where the scripts and runlevels of agentinitd itself lie: in the source tree, or as data in the package."""

from __future__ import annotations

from pathlib import Path

from agentinitd.model.errors import NotInstalled

_PACKAGE = Path(__file__).resolve().parents[1]


def vendor_folder(package: Path = _PACKAGE) -> Path:
    """The folder that holds `init.d/`, `rc.d/` and `etc/`."""
    # The package's own data comes first: beside an installed package lies whatever else was installed.
    for folder in (package / "data", package.parent):
        if (folder / "init.d").is_dir() and (folder / "rc.d").is_dir():
            return folder
    raise NotInstalled(
        f"{package}: init.d and rc.d are missing. Cure: pip install --force-reinstall agentinitd"
    )
