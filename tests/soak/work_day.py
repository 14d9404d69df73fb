"""Two hours of work in five minutes: nothing is lost, doubled or torn, and the daemon grows no larger.

    python -P tests/soak/work_day.py --minutes 5 --sessions 100 --turns 10000 --seed 1

Claude Code with its hooks, Codex, Gemini CLI and OpenCode work in five projects; a person edits rules and
task states, switches tasks, writes scripts that fail, hang or flood, approves them, and looks at the status.
In the first two fifths of the time the daemon is stopped, killed and started again; in the rest it lives one
life, of which the memory is judged.  Exit code 0: everything holds.

With `--leak 20` the daemon keeps twenty more MiB each minute than it wants to: the day must say so, also a
short one (`--minutes 2.5 --sessions 12 --turns 800`), of which the last life is long enough to be judged.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

# `-P` keeps our own folder out.
sys.path.insert(0, str(Path(__file__).parent))

import day_proof
import proof
from gauging import Gauge, Growth, Sample, growth
from office import Office, Person
from shift import Plan, Shift
from world import closed

from agentinitd.rc.sweep import become_subreaper

RESTARTS = ((0.06, False), (0.13, True), (0.2, False), (0.27, True), (0.34, True), (0.4, False))
"""When in the day, and whether it is killed; behind the last one begins the life that is measured."""
LOOK_SECONDS = 2.0
REST_SECONDS = 30.0
"""What is still open then stays open."""


class Day:
    """From the first start to the verdict."""

    def __init__(self, folder: Path, plan: Plan, seed: int) -> None:
        rng = random.Random(seed)
        self.office = Office(folder, rng)
        self.person = Person(self.office, rng)
        self.shift = Shift(self.office, self.person, plan, rng)
        self.gauge = Gauge(self.office.holder)
        self.faults: list[str] = []
        self.growth: Growth | None = None
        self.before: Sample | None = None
        self.after: Sample | None = None
        self._plan = plan

    def run(self) -> None:
        office = self.office
        office.make_roots()
        office.start_in_time()
        self.person.begin()
        time.sleep(1.0)
        self.before = self.gauge.sample()
        self.gauge.start()
        began = time.monotonic()
        self.shift.start()
        try:
            calm_since = self._attend(began)
        finally:
            self.shift.join()
            calm_until = time.monotonic()
            self.gauge.stop()
        self.after = self._at_rest()
        self.growth = growth(self.gauge.samples, since=calm_since, until=calm_until)
        self._stop()
        self._judge(calm_until - calm_since)

    def _attend(self, began: float) -> float:
        """Restarts the daemon at its times, and looks at the files.  Gives when the last life began."""
        is_short = self._plan.seconds < day_proof.JUDGED_SECONDS
        restarts = list(RESTARTS[-2:] if is_short else RESTARTS)
        since = began
        while not self.shift.is_over:
            if restarts and time.monotonic() - began >= restarts[0][0] * self._plan.seconds:
                _, is_killed = restarts.pop(0)
                self.office.restart(is_killed=is_killed)
                since = time.monotonic()
            self.faults += day_proof.torn(self.office)
            time.sleep(min(LOOK_SECONDS, self._plan.seconds / 50))
        return since

    def _at_rest(self) -> Sample | None:
        """When what is under way has ended, and the last words are read: a tick finds what no event told."""
        deadline = time.monotonic() + REST_SECONDS
        while True:
            time.sleep(1.0)
            found = self.gauge.sample()
            unread = self.office.unread()
            is_quiet = found and self.before and found.open_files <= self.before.open_files
            if (is_quiet and not unread) or time.monotonic() > deadline:
                self.faults += unread
                return found

    def _stop(self) -> None:
        done = self.office.command("stop")
        if done.returncode:
            self.faults.append(f"`agentinitd stop` ended with {done.returncode}: {done.stderr}")
        deadline = time.monotonic() + 10.0
        while (alive := self.office.processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.faults += (f"still alive: {process}" for process in alive)

    def _judge(self, calm_seconds: float) -> None:
        office = self.office
        self.faults += self.shift.faults
        self.faults += day_proof.torn(office)
        self.faults += day_proof.left_over(office)
        self.faults += day_proof.spilled(office)
        self.faults += day_proof.unlike_said(office)
        self.faults += self._unlike_told()
        self._judge_cost(calm_seconds)

    def _unlike_told(self) -> list[str]:
        office = self.office
        told = proof.Told(office.log(), office.names())
        faults = [*told.faults, *told.doubled()]
        worked = {session.id for session in office.sessions}
        faults += [fault for fault in told.lost() if fault.partition(":")[0] in worked]
        faults += told.unlike_printed([call for session in office.sessions for call in session.calls])
        for session in office.sessions:
            faults += [*proof.strange_calls(session), *told.untold(session)]
            if session.project == office.pure:
                faults += proof.miscounted(session)
        for conversation in office.conversations:
            faults += day_proof.miscounted(office, conversation, told)
        return faults

    def _judge_cost(self, calm_seconds: float) -> None:
        if self.before and self.after:
            self.faults += day_proof.left_open(self.before, self.after)
        self.faults += day_proof.grown(self.growth, calm_seconds=calm_seconds)

    def table(self) -> None:
        office = self.office
        agents = Counter(each.agent for each in office.conversations)
        calls = [call for session in office.sessions for call in session.calls]
        waited = sorted(call.ended - call.started for call in calls) or [0.0]
        rules = [rule for rules in office.rules for rule in rules]
        rows: dict[str, object] = {
            "sessions": sum(agents.values()),
            **{f"  of {agent}": count for agent, count in sorted(agents.items())},
            "turns": sum(each.turns for each in office.conversations),
            "compactions": sum(each.compactions for each in office.conversations),
            "falls of the context": sum(each.drops for each in office.conversations),
            "hooks": len(calls),
            "  that got a snippet": sum(call.is_delivery for call in calls),
            "  that broke off": sum(session.broken_off for session in office.workers),
            "  in milliseconds, half of them": round(waited[len(waited) // 2] * 1000),
            "  in milliseconds, 99 of 100": round(waited[len(waited) * 99 // 100] * 1000),
            "rules said": len(rules),
            "  taken back": sum(rule.is_withdrawn for rule in rules),
            "restarts": len(office.start_seconds),
            "  longest, in seconds": round(max(office.start_seconds, default=0.0), 1),
            "  after kill -9": len(office.killed),
            **{f"the person {name}": times for name, times in sorted(self.person.done.items())},
            "open files before": self.before.open_files if self.before else "?",
            "open files after": self.after.open_files if self.after else "?",
        }
        for name, value in rows.items():
            print(f"{name:<34}{value:>8}")
        if self.growth is not None:
            print("memory of the last life of the daemon, in parts of it:")
            print(
                "  " + "  ".join(f"{part:.0f} %: {size:.1f}" for part, size in self.growth.series) + "  MiB"
            )
            print(f"  {self.growth.cpu_percent:.0f} % of a processor were used")
            told = f"{self.growth.first:.1f} MiB when warm, {self.growth.last:.1f} MiB in the end"
            print(f"  {told}: {self.growth.percent:+.1f} %")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder when something is wrong")
    parser.add_argument("--leak", type=float, default=0.0, help="MiB a minute, to see the judgement fail")
    given = parser.parse_args()
    become_subreaper()  # the orphans are ours: nothing that stays alive is missed
    folder = Path(tempfile.mkdtemp(prefix="agd-day-", dir="/tmp"))
    began = time.monotonic()
    day = Day(
        folder, Plan(sessions=given.sessions, turns=given.turns, seconds=given.minutes * 60), given.seed
    )
    if given.leak:
        day.office.make_leak(given.leak)
    try:
        day.run()
    finally:
        day.office.end()
    day.table()
    print(f"{'seconds':<34}{time.monotonic() - began:>8.0f}")
    faults = list(dict.fromkeys(day.faults))
    print(f"{'faults':<34}{len(faults):>8}")
    return closed(folder, faults, is_kept=given.keep)


if __name__ == "__main__":
    sys.exit(main())
