"""Makes a daemon leak, so that the soak can be seen to fail: `work_day.py --leak`.

Python reads this by itself before anything else, where the folder is on its path.
"""

from __future__ import annotations

import os
import sys
import threading
import time

KEPT: list[bytes] = []
EVERY_SECONDS = 0.5


def _leak(bytes_per_minute: float) -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        wanted = int(bytes_per_minute * EVERY_SECONDS / 60)
        # Small ones, as a table has them that only grows.
        KEPT.extend(bytes([number % 256]) * 200 for number in range(wanted // 256))


if "--foreground" in sys.orig_argv:
    threading.Thread(target=_leak, args=(float(os.environ["SOAK_LEAK"]) * 2**20,), daemon=True).start()
