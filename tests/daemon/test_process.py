"""What the daemon makes of its process: tried in one of its own."""

from __future__ import annotations

import gc
import re
import subprocess
import sys

import pytest

from agentinitd.daemon import process

SIX_THREADS = """
import ctypes, platform, sys, threading
from agentinitd.daemon import process

if platform.libc_ver()[0] != "glibc":
    sys.exit(3)
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
if sys.argv[1] == "prepared":
    process.prepare()
meeting = threading.Barrier(6)

def work():
    meeting.wait()
    kept = library.malloc(5000)  # too much for the cache of a thread
    meeting.wait()
    library.free(ctypes.c_void_p(kept))

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.fdopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, stream)
library.fflush(stream)
"""


def heaps(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-P", "-c", SIX_THREADS, how], capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        pytest.skip("this C library is not glibc: it has no such heaps")
    assert done.returncode == 0, done.stderr
    return len(re.findall("<heap nr=", done.stdout))


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc makes a heap for each thread")
def test_all_threads_share_one_heap() -> None:
    assert heaps("as usual") > 1  # else this shows nothing

    assert heaps("prepared") == 1


def test_collections_pass_over_what_is_to_last() -> None:
    with process.lasting():
        was_collecting = gc.isenabled()
        made = [object]
    is_collecting, looked_at = gc.isenabled(), gc.get_objects()
    gc.unfreeze()  # of this process

    assert (was_collecting, is_collecting) == (False, True)
    assert not any(each is made for each in looked_at)
    assert any(each is made for each in gc.get_objects())  # else this shows nothing


def test_the_daemon_goes_without_tls() -> None:
    program = (
        "import sys\n"
        "from agentinitd.daemon import process\n"
        "process.import_asyncio()\n"
        "import agentinitd.daemon.watcher\n"
        "print('asyncio' in sys.modules, 'ssl' in sys.modules)\n"
        "import ssl\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "False"]
