"""Who may have written a file: its owner, its mode, and those of every folder above it (TRU-1)."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH120

from __future__ import annotations

import grp
import os
import pwd
import shlex
import stat

ROOT = 0


class Ownership:
    """Judges files for one user.  Folders and groups are looked up once: make a new one for each scan."""

    def __init__(self, uid: int) -> None:
        self.uid = uid
        self._above: dict[str, str | None] = {}
        self._groups: dict[int, bool] = {}

    def fault(self, path: str, found: os.stat_result, *, is_root_allowed: bool = True) -> str | None:
        """Why the file at this real path, of which `found` was told, may not be run; None if it may."""
        owners = {self.uid, ROOT} if is_root_allowed else {self.uid}
        return self._file_fault(path, found, owners) or self.folder_fault(os.path.dirname(path), found.st_uid)

    def folder_fault(self, folder: str, child_uid: int) -> str | None:
        """Why somebody else could change what lies in this real folder; None if nobody else can."""
        try:
            found = os.lstat(folder)
        except OSError as error:
            return f"{folder}: {error.strerror}"
        fault = self._own_folder_fault(folder, found, child_uid)
        parent = os.path.dirname(folder)
        if fault or parent == folder:
            return fault
        if folder not in self._above:
            self._above[folder] = self.folder_fault(parent, found.st_uid)
        return self._above[folder]

    def _file_fault(self, path: str, found: os.stat_result, owners: set[int]) -> str | None:
        if found.st_uid not in owners:
            return f"{path} belongs to uid {found.st_uid}"
        return self._mode_fault(path, found)

    def _own_folder_fault(self, folder: str, found: os.stat_result, child_uid: int) -> str | None:
        if found.st_uid not in {self.uid, ROOT}:
            return f"{folder} belongs to uid {found.st_uid}"
        if found.st_mode & stat.S_ISVTX and child_uid in {self.uid, ROOT}:
            return None
        return self._mode_fault(folder, found)

    def _mode_fault(self, path: str, found: os.stat_result) -> str | None:
        if found.st_mode & stat.S_IWOTH:
            return f"{path} is writable by everybody. Cure: chmod o-w {shlex.quote(path)}"
        if found.st_mode & stat.S_IWGRP and not self._is_own_group(found.st_gid):
            return f"{path} is writable by group {found.st_gid}. Cure: chmod g-w {shlex.quote(path)}"
        return None

    def _is_own_group(self, gid: int) -> bool:
        """Nobody but the user and root is in it: the usual umask 002 with a group for each user."""
        if gid not in self._groups:
            self._groups[gid] = _members(gid) <= {self.uid, ROOT}
        return self._groups[gid]


def _members(gid: int) -> set[int]:
    """The uids in a group, by its list or as somebody's primary group; {-1} when that cannot be told."""
    try:
        named = {pwd.getpwnam(name).pw_uid for name in grp.getgrgid(gid).gr_mem}
    except KeyError:
        return {-1}
    return named | {person.pw_uid for person in pwd.getpwall() if person.pw_gid == gid}
