"""Kills the daemon over and over while sessions are played: nothing may be lost, doubled or torn.

    python -P tests/soak/kill_daemon.py --kills 500 --seconds 900 --seed 1

Two agents work in the background; a third session is played here, step by step, so that kills also hit the
moments that chance seldom does.  After each kill the daemon is started as a person would start it.
Exit code 0: everything that `proof.py` asks for holds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

# `-P` keeps our own folder out.
sys.path.insert(0, str(Path(__file__).parent))

import proof
from killer import Killer, Tally
from world import Players, World, closed

from agentinitd.rc.sweep import become_subreaper

RESERVE_SECONDS = 30.0
"""Of the time given: so long the end may take."""
LAST_HOOKS = 6


def _end(world: World, tally: Tally) -> None:
    """Starts once more without help, and lets out what is due."""
    world.start()
    for session in world.sessions:
        for _ in range(LAST_HOOKS):
            if not session.hook("UserPromptSubmit").is_delivery:
                break
        else:
            tally.faults.append(f"{session.id}: something was due after each of {LAST_HOOKS} hooks")
    time.sleep(1.0)
    for told in world.status()["sessions"]:
        if told["due"]:
            tally.faults.append(f"{told['session']}: still due in the end: {told['due']}")
    done = world.command("stop")
    if done.returncode:
        tally.faults.append(f"`agentinitd stop` ended with {done.returncode}: {done.stderr}")


def _survivors(world: World) -> list[str]:
    """What does not end by itself either: the lock is free a moment before its process is gone."""
    deadline = time.monotonic() + 10.0
    while (found := world.processes()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def _judge(world: World, tally: Tally) -> dict[str, int]:
    """Faults go to the tally; figures are told."""
    calls = [call for session in world.sessions for call in session.calls]
    faults = tally.faults
    faults += proof.torn_snippets(world)
    faults += proof.broken_records(world)
    faults += proof.left_over(world)
    faults += (f"still alive: {process}" for process in _survivors(world))
    for session in world.sessions:
        faults += proof.strange_calls(session)
        if session.project == world.pure:
            faults += proof.miscounted(session)
    try:
        told = proof.Told(world.log(), world.names())
    except ValueError as error:
        faults.append(f"a line of the log is torn: {error}")
        return {}
    doubled, lost = list(told.doubled()), list(told.lost())
    for session in world.sessions:
        faults += told.untold(session)
    faults += [*told.faults, *doubled, *lost, *told.unlike_printed(calls)]
    if tally.open_files and max(tally.open_files) > 3 * min(tally.open_files) + 20:
        faults.append(f"open files grow: {tally.open_files}")
    return {
        "markers": sum(len(session.markers) for session in world.sessions),
        "hooks": len(calls),
        "deliveries": sum(call.is_delivery for call in calls),
        "answered by the fall-back": sum(bool(call.printed) and not call.is_delivery for call in calls),
        "put back": sum(each["result"] == "put back" for each in told.deliveries.values()),
        "causes": len(told.triggers),
        "doubled": len(doubled),
        "lost": len(lost),
        "most open files": max(tally.open_files, default=0),
    }


def run(folder: Path, *, kills: int, seconds: float, seed: int) -> list[str]:
    """What is wrong; empty when nothing is."""
    began = time.monotonic()
    rng = random.Random(seed)
    world = World(folder, rng)
    killer, players = Killer(world, rng), Players(world, rng)
    tally = killer.tally
    players.start()
    try:
        while tally.killed < kills and time.monotonic() - began < seconds - RESERVE_SECONDS:
            killer.kill_once()
            if tally.killed % 50 == 0:
                print(f"{tally.killed} kills, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    finally:
        players.stop()
    tally.faults += players.faults
    _end(world, tally)
    figures = _judge(world, tally)
    if tally.killed < kills:
        tally.faults.append(f"only {tally.killed} of {kills} kills fitted into {seconds:g} s")
    for name, value in {"kills": tally.killed, **tally.kills, **figures}.items():
        print(f"{name}: {value}")
    print(f"seconds: {time.monotonic() - began:.0f}")
    return list(dict.fromkeys(tally.faults))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=900.0, help="bound on the whole run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder when something is wrong")
    given = parser.parse_args()
    become_subreaper()  # the orphans are ours: nothing that stays alive is missed
    folder = Path(tempfile.mkdtemp(prefix="agd-soak-", dir="/tmp"))
    faults = run(folder, kills=given.kills, seconds=given.seconds, seed=given.seed)
    return closed(folder, faults, is_kept=given.keep)


if __name__ == "__main__":
    sys.exit(main())
