"""Config as used: one frozen value, parsed once.  As written, it is YAML with the same names."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from agentinitd.model.errors import NotConfigured
from agentinitd.model.progress import MAX_RULES, ProgressRule, rule_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Every setting with its vendor default.  Bounds: `BOUNDS`; text choices: `CHOICES`."""

    budget_tokens: int = 500
    slim_budget_tokens: int = 150
    language: str = "auto"
    drop_percent: float = 20.0
    cooldown_turns: int = 3
    periodic_turns: int = 10
    periodic_requests: int = 60
    checkpoint_percent: float = 75.0
    """Of the window; 0: the agent is never asked for a progress report."""
    window_tokens: int = 0
    """Where the transcript does not say how much the model can hold; 0: what is common for its name."""
    capture_command: tuple[str, ...] = ()
    """A reader of one's own for what sessions say: program and arguments."""
    stale_days: float = 7.0
    script_timeout_seconds: float = 5.0
    kill_grace_seconds: float = 1.0
    drain_seconds: float = 0.5
    last_good_max_age_hours: float = 24.0
    max_concurrent_runs: int = 2
    tick_active_seconds: float = 1.0
    tick_idle_seconds: float = 5.0
    log_bytes: int = 1024 * 1024
    log_files: int = 5
    capture: str = "auto"
    """`propose`: kept for review, and served only once a person agreed."""
    progress: tuple[ProgressRule, ...] = ()
    env_pass: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Folders of programs for scripts, in place of the usual ones."""
    project_override: bool = False
    watch_roots: tuple[str, ...] = field(default=())
    """Folders of transcripts to watch besides the agents' own."""


BOUNDS: dict[str, tuple[float, float]] = {
    "budget_tokens": (60, 20_000),
    "slim_budget_tokens": (60, 20_000),
    "drop_percent": (5, 95),
    "cooldown_turns": (0, 100),
    "periodic_turns": (0, 1000),
    "periodic_requests": (0, 10_000),
    "checkpoint_percent": (0, 99),
    "window_tokens": (0, 10_000_000),
    "stale_days": (0.01, 3650),
    "script_timeout_seconds": (0.1, 60),
    "kill_grace_seconds": (0.05, 10),
    "drain_seconds": (0.05, 5),
    "last_good_max_age_hours": (0, 8760),
    "max_concurrent_runs": (1, 16),
    "tick_active_seconds": (0.2, 60),
    "tick_idle_seconds": (0.2, 60),
    "log_bytes": (4096, 64 * 1024 * 1024),
    "log_files": (1, 20),
}
CHOICES: dict[str, tuple[str, ...]] = {
    "language": ("auto", "en", "zh"),
    "capture": ("auto", "propose", "off"),
}

# A repository does not judge its user: what reaches outside the snippet is the user's (supervision.md TRU-9).
PROJECT_KEYS: frozenset[str] = frozenset(
    {"budget_tokens", "slim_budget_tokens", "language", "drop_percent", "cooldown_turns", "periodic_turns",
     "periodic_requests", "checkpoint_percent", "window_tokens", "stale_days", "capture", "progress"}
)  # fmt: skip

MAX_FAULTS = 20

_DEFAULTS = Config()
_NAMES = tuple(setting.name for setting in fields(Config))


def apply(
    config: Config, raw: Mapping[object, object], *, source: str, allowed: frozenset[str] | None = None
) -> Config:
    """`raw` laid over `config`; keys that are not known, or not allowed, are passed over (DMN-7, TRU-9).

    Raises NotConfigured with every value that cannot be used: file, key and cure.  Nothing is applied then.
    """
    values, findings = checked(raw, allowed=allowed)
    faults = [finding.text for finding in findings if finding.is_fault]
    if faults:
        raise NotConfigured(f"{source}: " + "; ".join(faults))
    return replace(config, **values)  # type: ignore[arg-type]  # each value was checked against its field


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to say about one key of a file."""

    key: str
    told: str
    is_fault: bool
    """A value that cannot be used; else the key is one that counts for nothing."""

    @property
    def text(self) -> str:
        return f"{self.key}: {self.told}" if self.key else self.told


def checked(
    raw: Mapping[object, object], *, allowed: frozenset[str] | None = None
) -> tuple[dict[str, object], list[Finding]]:
    """What of it can be used, and what is to be said."""
    known = tuple(name for name in _NAMES if allowed is None or name in allowed)
    findings: list[Finding] = []
    values: dict[str, object] = {}
    for key, value in raw.items():
        if not isinstance(key, str) or key not in known:
            findings.append(Finding(key=_key(key), told=_unknown(key, known), is_fault=False))
            continue
        try:
            values[key] = _checked(key, value)
        except ValueError as error:
            findings.append(Finding(key=_key(key), told=str(error), is_fault=True))
    if len(findings) > MAX_FAULTS:
        findings.sort(key=lambda finding: not finding.is_fault)
        rest = Finding(key="", told=f"and {len(findings) - MAX_FAULTS:,} more", is_fault=findings[0].is_fault)
        findings[MAX_FAULTS:] = [rest]
    return values, findings


def _unknown(key: object, known: tuple[str, ...]) -> str:
    if key in _NAMES:
        return "ignored: a project may not set this; put it into your own agentinitd.yaml"
    near = difflib.get_close_matches(_key(key), known, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
    return f"ignored: unknown key; {hint}"


def _key(key: object) -> str:
    return key if isinstance(key, str) and len(key) <= 40 and key.isprintable() else _shown(key)


def _shown(value: object) -> str:
    """`value` for a message: YAML aliases can make a small file stand for more than fits into memory."""
    return reprlib.repr(value)[:80]


def _checked(key: str, value: object) -> object:
    default = getattr(_DEFAULTS, key)
    if key == "progress":
        return _rules(value)
    if isinstance(default, bool):
        return _of_type(value, bool, "true or false")
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise ValueError(f"expected a list of texts, found {_shown(value)}")
        return tuple(value)
    if isinstance(default, str):
        return _choice(key, value)
    return _number(key, value, is_whole=isinstance(default, int))


def _rules(value: object) -> tuple[ProgressRule, ...]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list of rules, found {_shown(value)}")
    if len(value) > MAX_RULES:
        raise ValueError(f"{len(value):,} rules are too many; at most {MAX_RULES}")
    rules: list[ProgressRule] = []
    for place, raw in enumerate(value, start=1):
        try:
            rules.append(rule_of(raw))
        except ValueError as error:
            raise ValueError(f"rule {place}: {error}") from None
    return tuple(rules)


def _of_type(value: object, kind: type, wanted: str) -> object:
    if not isinstance(value, kind):
        raise ValueError(f"expected {wanted}, found {_shown(value)}")
    return value


def _choice(key: str, value: object) -> str:
    if value is False and "off" in CHOICES[key]:
        return "off"  # YAML takes the bare word for false
    if not isinstance(value, str) or value not in CHOICES[key]:
        raise ValueError(f"expected one of {', '.join(CHOICES[key])}, found {_shown(value)}")
    return value


def _number(key: str, value: object, *, is_whole: bool) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a number, found {_shown(value)}")
    if is_whole and isinstance(value, float) and not value.is_integer():
        raise ValueError(f"expected a whole number, found {_shown(value)}")
    low, high = BOUNDS[key]
    if not low <= value <= high:
        raise ValueError(f"expected {low:.10g} to {high:.10g}, found {_shown(value)}")
    return int(value) if is_whole else float(value)
