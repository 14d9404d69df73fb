"""Sessions that were begun, and perhaps ended, while no daemon ran: which they are, and since when."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

from agentinitd.daemon.finding import Found, changed_ns
from agentinitd.daemon.paths import Places

MOST_MISSED = 64
"""Of the latest ones; each is read from its top."""


def absent_since(places: Places, *, now: float) -> float:
    """When the daemon before us ended, or began if it was killed; if none ever ran, when hooks were put in.

    To be asked before the lock is ours: whoever holds it writes into it as it begins and as it ends.  `now`
    is for a machine on which nothing of the kind happened: what lies there is from before our time.
    """
    installed = sorted((places.state_dir / "integrations").glob("*.json"), key=_changed_at)
    for path in (places.lock_file, *installed):
        with contextlib.suppress(OSError):
            return path.stat().st_mtime
    return now


def missed(
    found: Mapping[str, Found], *, since: float, is_known: Callable[[str, str], bool]
) -> dict[str, Found]:
    """Those that nobody followed, the latest first.  `is_known` is asked for agent and name."""
    changed = {name: changed_ns(name, each.seen) for name, each in found.items()}
    late = [name for name in found if changed[name] > since * 1e9 and not is_known(found[name].agent, name)]
    return {name: found[name] for name in sorted(late, key=changed.__getitem__, reverse=True)[:MOST_MISSED]}


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
