"""`agentinitd status`: exit codes 0 to 4 as the LSB gives them (supervision.md section 18)."""

from __future__ import annotations

from typing import Any

import click

from agentinitd.cli.json_output import print_json
from agentinitd.cli.terminal import local_time, plain

MAX_LINES = 20
MOST_OF_A_KIND = 6
RUNNING, DEAD, LOCKED_BY_A_STRAY, STOPPED, UNKNOWN, DEGRADED = 0, 1, 2, 3, 4, 150
ANSWER_SECONDS = 2.0


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with stable names.")
@click.option("--strict", is_flag=True, help="Exit 150 when something is wrong though the daemon runs.")
@click.option("-v", "--verbose", is_flag=True, help=f"More than {MAX_LINES} lines if there is more to say.")
def status(as_json: bool, strict: bool, verbose: bool) -> int:
    """Is the daemon running, and is all well?

    Exit codes: 0 running, 1 dead, 2 dead but its lock is held, 3 not running, 4 unknown.
    """
    code, answer = _ask()
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lines_of(answer, is_verbose=verbose)))
    if code == RUNNING and strict and answer["reasons"]:
        return DEGRADED
    return code


def _ask() -> tuple[int, dict[str, Any]]:
    """Looks at the lock before it connects (supervision.md ACT-6)."""
    from agentinitd.cli.main import places
    from agentinitd.client import PROTOCOL, Client
    from agentinitd.daemon.lock import held, read_holder
    from agentinitd.model.errors import AgentinitdError

    where = places()
    state, holder = held(where.lock_file), read_holder(where.lock_file)
    if state == "free" and holder is None:
        return STOPPED, {**_not_running("stopped", "agentinitd start"), "reasons": _last_start(where)}
    if state == "free":
        return DEAD, _not_running(f"dead (pid {holder.pid if holder else '?'} is gone)", "agentinitd start")
    try:
        answer: dict[str, Any] = Client(where).get("/v1/status", timeout_seconds=ANSWER_SECONDS)
    except AgentinitdError as error:
        if state == "held" and holder is not None and not holder.is_alive():
            return LOCKED_BY_A_STRAY, _not_running(
                "dead, but another process holds its lock", _who_holds(where)
            )
        return UNKNOWN, _not_running(f"unknown: {error}", "agentinitd restart")
    if not isinstance(answer, dict) or answer.get("protocol") != PROTOCOL:
        return UNKNOWN, _not_running("unknown: another version of it answers", "agentinitd restart")
    return RUNNING, of_this_version(answer)


def of_this_version(answer: dict[str, Any]) -> dict[str, Any]:
    """The daemon cannot know what was installed since it began (supervision.md DMN-9)."""
    from agentinitd import __version__

    if answer["version"] == __version__:
        return answer
    text = f"the daemon is agentinitd {answer['version']}, and this is {__version__}: it needs a restart"
    restart = "agentinitd restart"
    reasons = [*answer["reasons"], {"kind": "version", "text": text, "cure": restart}]
    cure = answer["cure"] or restart
    return {**answer, "state": "degraded", "reasons": reasons, "cure": cure}


def _last_start(where: Any) -> list[dict[str, str]]:
    """Why the last start came to nothing: a service manager keeps it to itself."""
    from agentinitd.daemon.launch import said_at_start

    said = said_at_start(where)
    return [{"kind": "start", "text": f"the last start said: {said}"}] if said else []


def _who_holds(where: Any) -> str:
    return f"end the process that `lsof {where.lock_file}` names"


def _not_running(state: str, cure: str) -> dict[str, Any]:
    return {"state": state, "sessions": [], "reasons": [], "cure": cure}


def lines_of(answer: dict[str, Any], *, is_verbose: bool) -> list[str]:
    """Most important first; the cure of the first trouble is never cut off."""
    lines = [plain(line) for line in _all_lines(answer, most=None if is_verbose else MOST_OF_A_KIND)]
    if is_verbose or len(lines) <= MAX_LINES:
        return lines
    left = len(lines) - MAX_LINES + 1
    return [*lines[: MAX_LINES - 1], f"and {left} lines more: agentinitd status -v"]


def _all_lines(answer: dict[str, Any], *, most: int | None) -> list[str]:
    if "pid" not in answer:
        reasons = [f"! {reason['text']}" for reason in answer["reasons"]]
        return [f"agentinitd is {answer['state']}", *reasons, f"Cure: {answer['cure']}"]
    lines = [
        f"agentinitd {answer['version']} is {answer['state']} (pid {answer['pid']})",
        f"since: {local_time(answer['since'])}, manager: {answer['manager']}",
        f"socket: {answer['socket']}",
        *_watch_lines(answer["watch"])[:most],
        *_reason_lines(answer["reasons"], most),
    ]
    if answer["cure"]:
        lines.append(f"Cure: {answer['cure']}")
    if answer["unanswered_hook"]:
        last = answer["unanswered_hook"]
        lines.append(
            f"last hook without an answer: {last.get('event')}, {local_time(last['at'])}, {last.get('why')}"
        )
    if answer["last_run"]:
        lines.append(_run_line(answer["last_run"]))
    lines += _memory_lines(answer)[:most]
    lines += [
        f"memory: {each['project']}: {each['captured']} captured, not reviewed: agentinitd anchors review"
        for each in answer["memory"]
        if each.get("captured")
    ][:most]
    lines += [f"ignored: {text}" for text in answer.get("ignored", [])][:most]
    lines.append(f"sessions: {len(answer['sessions'])}")
    return lines + [line for session in answer["sessions"] for line in _session_lines(session)]


def _reason_lines(reasons: list[dict[str, Any]], most: int | None) -> list[str]:
    """Those that find no room are counted: nothing that is wrong is silent."""
    lines = [f"! {reason['text']}" for reason in reasons]
    if most is None or len(lines) <= most:
        return lines
    left = len(lines) - most + 1
    return [*lines[: most - 1], f"! and {left} more: agentinitd status -v"]


def _memory_lines(answer: dict[str, Any]) -> list[str]:
    """What is no reason to call it degraded, and stands above already if it is one."""
    told = {reason["text"] for reason in answer["reasons"]}
    return [
        f"memory: {each['project']}: {problem}"
        for each in answer["memory"]
        for problem in each["problems"]
        if f"{each['project']}/.agent-memory/{problem}" not in told
    ]


def _watch_lines(watches: list[dict[str, Any]]) -> list[str]:
    """Folders of agents that are not here are of no interest, unless none is."""
    present = [watch for watch in watches if not watch["state"].startswith("waiting")]
    return [f"watch: {watch['root']}: {watch['state']}" for watch in present or watches[:1]]


def _run_line(run: dict[str, Any]) -> str:
    return (
        f"last rebuild: {run['runlevel']}, {run['result']}, {run['duration_ms']:.0f} ms, "
        f"{run['tokens']} tokens, {local_time(run['at'])}"
    )


def _session_lines(session: dict[str, Any]) -> list[str]:
    context = session["context_tokens"]
    size = f"{context:,} tokens" if context else "no size yet"
    task = f", task {session['task']}" if session.get("task") else ""
    place = f"{session['project']}{task}"
    lines = [f"  {session['session'][:8]} {session['agent']} turn {session['turn']}, {size}, {place}"]
    if session["due"]:
        lines.append("    due: " + "; ".join(cause["reason"] for cause in session["due"]))
    if session["last_compaction"]:
        last = session["last_compaction"]
        lines.append(f"    last compaction: {last['trigger']}, {last['reason']}, {local_time(last['at'])}")
    if session["last_hook"]:
        last = session["last_hook"]
        lines.append(f"    last hook: {last['event']}, {last['outcome']}, {local_time(last['at'])}")
    if (reply := session.get("last_reply")) and reply["broken"]:
        lines.append(
            f"    last reply: {reply['verdict']} {'; '.join(reply['broken'])}, {local_time(reply['at'])}"
        )
    if kept_out := _kept_out(session.get("memory") or {}):
        lines.append(f"    kept out of the memory: {kept_out}")
    if session["skipped_lines"]:
        lines.append(f"    {session['skipped_lines']} lines skipped; the first at {session['first_skip']}")
    return lines


def _kept_out(memory: dict[str, Any]) -> str:
    masked, dropped = memory.get("masked", 0), memory.get("dropped", 0)
    told = [
        f"{masked} credentials (masked)" if masked else "",
        f"{dropped} texts that ask to be remembered" if dropped else "",
    ]
    return ", ".join(filter(None, told))
