"""Ships init.d/, rc.d/ and etc/ in the package: wheels hold no links, so each becomes a line (RL-2, RL-3).

Man page and completions also go where `man` and the shells look below the folder of an environment.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA = "agentinitd/data"
SHARED = {
    "docs/man/agentinitd.1": "share/man/man1/agentinitd.1",
    "etc/completions/agentinitd.bash": "share/bash-completion/completions/agentinitd",
    "etc/completions/_agentinitd": "share/zsh/site-functions/_agentinitd",
    "etc/completions/agentinitd.fish": "share/fish/vendor_completions.d/agentinitd.fish",
}


class VendorData(BuildHookInterface):  # type: ignore[type-arg]  # hatchling leaves its config untyped
    """Adds the vendor's scripts and runlevels to a wheel.  A checkout finds its own folders."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._lines = Path(tempfile.mkdtemp(prefix="agentinitd-build-"))
        if version == "editable":
            return
        root = Path(self.root)
        included: dict[str, str] = build_data["force_include"]
        for folder in ("init.d", "etc"):
            for path in _files(root / folder):
                included[str(path)] = f"{DATA}/{path.relative_to(root)}"
        for path in _files(root / "rc.d"):
            line = self._lines / path.relative_to(root)
            line.parent.mkdir(parents=True, exist_ok=True)
            line.write_bytes(link_line(path, root / "init.d"))
            included[str(line)] = f"{DATA}/{path.relative_to(root)}"
        shared: dict[str, str] = build_data["shared_data"]
        shared.update({str(root / source): target for source, target in SHARED.items()})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        shutil.rmtree(self._lines, ignore_errors=True)


def link_line(path: Path, scripts: Path) -> bytes:
    """An entry of rc.d/ as the one line that stands for a link; what is none is kept as it is."""
    if path.is_symlink():
        return os.fsencode(path.readlink()) + b"\n"
    data = path.read_bytes()
    for script in _files(scripts):
        # Some archivers make copies of links.
        if data and script.read_bytes() == data:
            return f"../../init.d/{script.name}\n".encode()
    return data


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or (path.is_file() and path.parent.name != "__pycache__"):
            yield path
