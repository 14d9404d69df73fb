"""How much memory a script used at most, as far as the system can tell."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from resource import struct_rusage

_BYTES_OF_A_KB = 1024


class Peak:
    """Of one running script, in kB; 0 as long as nothing is known.

    Linux counts what our own process used before the `exec` as the script's: its figure is true only where
    it is more than ours.  What is less is looked up while the script runs, whenever something of it is heard.
    """

    def __init__(self, pid: int) -> None:
        self._status = Path(f"/proc/{pid}/status")
        self._is_linux = sys.platform == "linux"
        self._ours_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self._seen_kb = 0

    def look(self) -> None:
        if self._is_linux:
            self._seen_kb = max(self._seen_kb, _high_water_kb(self._status))

    def of(self, used: struct_rusage) -> int:
        """After its end: with those of its children that it waited for, where they used more than we do."""
        if not self._is_linux:
            return used.ru_maxrss // _BYTES_OF_A_KB
        return max(self._seen_kb, used.ru_maxrss if used.ru_maxrss > self._ours_kb else 0)


def _high_water_kb(status: Path) -> int:
    """Nothing for a process that has ended."""
    try:
        text = status.read_bytes()
    except OSError:
        return 0
    _, _, rest = text.partition(b"VmHWM:")
    words = rest.split(maxsplit=1)
    return int(words[0]) if words and words[0].isdigit() else 0
