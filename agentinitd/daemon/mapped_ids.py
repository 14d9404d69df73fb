"""Whether file owners can be told apart here: in a user namespace of few ids they cannot (SOC-3)."""

from __future__ import annotations

from pathlib import Path

from agentinitd.model.errors import PermissionRefused

UID_MAP = Path("/proc/self/uid_map")
OVERFLOW = Path("/proc/sys/kernel/overflowuid")


def refuse_unknown_owners(folder: Path, *, uid_map: Path = UID_MAP, overflow: Path = OVERFLOW) -> None:
    """Raises PermissionRefused when folders above `folder` belong to nobody that this namespace knows."""
    try:
        ranges = [tuple(map(int, line.split())) for line in uid_map.read_text().splitlines()]
        nobody = int(overflow.read_text())
    except (OSError, ValueError):
        return  # no Linux, or no /proc: there are no such namespaces, or nothing is known of them
    if any(first <= nobody < first + count for first, _, count in ranges):
        return  # a user like any other
    for above in folder.absolute().parents:
        if _owner(above) == nobody:
            known = sum(count for _, _, count in ranges)
            raise PermissionRefused(
                f"{above} seems to belong to uid {nobody}: this is a user namespace that knows {known} uid"
                f"{'' if known == 1 else 's'}, and whose files are whose cannot be told. Start agentinitd "
                "outside of the sandbox, or take PrivateUsers= out of its unit."
            )


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None
