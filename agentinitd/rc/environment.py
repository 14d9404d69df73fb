"""The environment of a script: what this table lets through, and what agentinitd says (EXE-6, EXE-7)."""

from __future__ import annotations

import re
from pathlib import PurePath

from agentinitd import __version__
from agentinitd.model.scripts import Action, Script
from agentinitd.rc.request import RunRequest, RunSettings

_PASSED = (
    "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
)  # fmt: skip
_NEVER = re.compile(
    r"NOTIFY_SOCKET|WATCHDOG_.*|LISTEN_.*|INVOCATION_ID|JOURNAL_STREAM|MAINPID|LD_.*|DYLD_.*|PYTHON.*|BASH_ENV|ENV"
    r"|IFS|CDPATH|GLOBIGNORE|PS4|PERL5OPT|RUBYOPT|NODE_OPTIONS|GIT_.*|AGENTINITD_.*|PATH|TMPDIR"
)
_SYSTEM_FOLDERS = (
    "/opt/homebrew/bin", "/opt/homebrew/sbin", "/usr/local/bin", "/usr/local/sbin",
    "/usr/bin", "/bin", "/usr/sbin", "/sbin",
)  # fmt: skip


def build(
    script: Script,
    action: Action,
    request: RunRequest,
    settings: RunSettings,
    *,
    run_dir: str,
    project_root: str,
    timeout_seconds: float,
    deadline: str,
) -> dict[str, str]:
    """Every variable of one call.  `project_root` is empty when that folder is gone."""
    wanted = (*_PASSED, *_extra(script, settings.env_pass))
    variables = {name: settings.environment[name] for name in wanted if name in settings.environment}
    variables |= {
        "PATH": search_path(settings, project_root),
        "TERM": "dumb",
        "NO_COLOR": "1",
        "TMPDIR": run_dir,
    }
    own = {
        "API": "1",
        "VERSION": __version__,
        "RUN_ID": request.run_id,
        "TRIGGER": request.trigger,
        "RUNLEVEL": request.runlevel,
        "PREVLEVEL": request.previous_runlevel or "N",
        "ACTION": action,
        "SESSION_ID": request.session_id,
        "PROJECT_ROOT": project_root,
        "TASK_ID": request.task_id or "",
        "TRANSCRIPT": request.transcript,
        "SCRIPT_NAME": script.name,
        "SCRIPT_DIR": str(PurePath(script.path).parent),
        "SCRIPT_LAYER": script.layer,
        "STATE_DIR": str(request.session_dir),
        "RUN_DIR": run_dir,
        "TIMEOUT_MS": str(round(timeout_seconds * 1000)),
        "DEADLINE": deadline,
        "MAX_OUTPUT": str(script.header.max_output_bytes),
        "BUDGET": str(request.budget_tokens),
    }
    variables |= {f"AGENTINITD_{name}": value for name, value in own.items()}
    # The kernel ends a text at NUL: a name from a damaged transcript must not stop the script from starting.
    return {name: value.replace("\0", "") for name, value in variables.items()}


def search_path(settings: RunSettings, project_root: str) -> str:
    """The daemon's own interpreter first; nothing relative, nothing that the project could have put there."""
    home = settings.environment.get("HOME", "")
    return search_path_of(home, settings.interpreter_folder, project_root, settings.path)


def search_path_of(
    home: str, interpreter_folder: str, project_root: str, wanted: tuple[str, ...] = ()
) -> str:
    """`wanted`: the user's own list, in which `~/` is the home; without one that of a login."""
    own = wanted or ("~/.local/bin", *_SYSTEM_FOLDERS)
    is_home = home.startswith("/")
    folders = [f"{home}/{each[2:]}" if is_home and each.startswith("~/") else each for each in own]
    kept = [folder for folder in folders if _is_usable(folder, project_root)]
    return ":".join(dict.fromkeys([interpreter_folder, *kept]))


def _is_usable(folder: str, project_root: str) -> bool:
    is_one = folder.startswith("/") and ":" not in folder
    return is_one and not (project_root and _is_inside(folder, project_root))


def is_never_passed(name: str) -> bool:
    """Whoever asks for it (EXE-7)."""
    return bool(_NEVER.fullmatch(name))


def _is_inside(folder: str, project_root: str) -> bool:
    return PurePath(folder).is_relative_to(project_root)


def _extra(script: Script, env_pass: tuple[str, ...]) -> tuple[str, ...]:
    """What the user passes to all, and what the approval of a project script granted with its header."""
    granted = script.header.env if script.layer == "project" else ()
    return tuple(name for name in (*env_pass, *granted) if not is_never_passed(name))
