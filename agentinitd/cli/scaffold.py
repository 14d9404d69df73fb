"""The files of a new `.agent-memory/`: examples in comments, so that nothing is served before it is meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from agentinitd.model.config import BOUNDS, CHOICES, Config
from agentinitd.model.facts import Language

FOLDERS = ("anchors", "state", "init.d")
PRIVATE_GITIGNORE = "*\n"
SHARED_GITIGNORE = "state/\ntasks/*/state/\nrun/\n*.sqlite*\n.lock\n*.conflict-*\n"

_TIME = {
    "en": "Set last_updated when you edit: after 7 days the agent is told that an item may be out of date.",
    "zh": "修改后请更新 last_updated：超过 7 天的条目会提示代理“可能已过期”。",
}
_ANCHORS: dict[str, dict[Language, str]] = {
    "anchors/project_constraints.md": {
        "en": """What the agent must not forget: one list item a rule. First line: what. Second line: why.
Only what goes wrong when it is forgotten, and what can be checked. No secrets. For example:

- [constraint] Tests: `pnpm test` (Vitest)
  Why: CI runs exactly this; jest is not installed.""",
        "zh": """代理不能忘记的规则：每条一个列表项，第一行写“什么”，第二行写“为什么”。
只写忘了就会出错、并且可以检查的内容。不要写密钥。例如：

- [约束] 测试：`pnpm test`（Vitest）
  原因：CI 只运行这一条命令；没有安装 jest。""",
    },
    "anchors/tool_interfaces.md": {
        "en": """Signatures the agent keeps getting wrong, exactly as they are. For example:

- [tool] `deploy(env: "staging" | "prod", *, dry_run: bool = True) -> DeployId`
  Why: without dry_run=False nothing is deployed.""",
        "zh": """代理容易写错的接口签名，逐字记录。例如：

- [工具] `deploy(env: "staging" | "prod", *, dry_run: bool = True) -> DeployId`
  原因：不写 dry_run=False 就不会真正部署。""",
    },
    "anchors/decision_log.md": {
        "en": """What was decided, so that it is not argued again. For example:

- [decision] Amounts are integers in cents, never floats
  Why: rounding errors in the March invoices.""",
        "zh": """已经做出的决定，避免重复讨论。例如：

- [决策] 金额一律用以分为单位的整数，不用浮点数
  原因：三月的账单出现过舍入误差。""",
    },
}
_CONFIG_HEAD: dict[Language, str] = {
    "en": "Settings of this project, with their defaults. Take away a `#` to change one.",
    "zh": "本项目的设置及其默认值。去掉 `#` 即可修改。",
}
_SETTINGS: dict[str, dict[Language, str]] = {
    "budget_tokens": {"en": "size of the full snippet", "zh": "完整片段的大小"},
    "slim_budget_tokens": {
        "en": "size of the snippet with the task state only",
        "zh": "只含任务状态的片段的大小",
    },
    "language": {"en": "of the text around the memory", "zh": "片段框架的语言"},
    "drop_percent": {
        "en": "a fall of the context by more counts as a compaction",
        "zh": "上下文下降超过此值视为压缩",
    },
    "cooldown_turns": {"en": "turns between two rebuilds after a drop", "zh": "两次因下降而重建之间的轮数"},
    "periodic_turns": {"en": "a rebuild at the latest after so many turns", "zh": "最多隔多少轮重建一次"},
    "periodic_requests": {
        "en": "or after so many requests without a turn",
        "zh": "或没有新一轮时最多隔多少次请求",
    },
    "checkpoint_percent": {
        "en": "part of the window at which the agent is asked for a progress report; 0: never",
        "zh": "上下文占窗口多少时请代理报告进度；0 表示从不",
    },
    "window_tokens": {
        "en": "what the model can hold, where its transcript does not say; 0: as usual",
        "zh": "会话记录没有写明时，模型的上下文窗口大小；0 表示按常例",
    },
    "stale_days": {
        "en": "until an item that nobody verified may be out of date",
        "zh": "多少天未确认即可能过期",
    },
    "capture": {
        "en": "what is found in sessions is served, kept for review only, or not looked for",
        "zh": "会话中发现的内容：直接使用、仅供审阅、或不提取",
    },
    "progress": {
        "en": 'which result moves which step: - {command: "make e2e", complete: end-to-end tests}',
        "zh": '哪个结果推进哪一步：- {command: "make e2e", complete: 端到端测试}',
    },
}


def language_of(env: Mapping[str, str]) -> Language:
    """Chinese when the person's messages are, else English."""
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def files(*, language: Language, now: datetime, is_shared: bool) -> dict[str, str]:
    """Name relative to the memory folder → text."""
    written_at = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    anchors = {name: _anchor_file(texts[language], language, written_at) for name, texts in _ANCHORS.items()}
    return {
        ".gitignore": SHARED_GITIGNORE if is_shared else PRIVATE_GITIGNORE,
        **anchors,
        "state/task_state.json": _task_state(written_at),
        "config.yaml": _config(language),
    }


def _anchor_file(example: str, language: Language, written_at: str) -> str:
    return f"---\nlast_updated: {written_at}\n---\n<!--\n{example}\n\n{_TIME[language]}\n-->\n"


def _task_state(written_at: str) -> str:
    state = {
        "task_id": "",
        "goal": "",
        "status": "",
        "completed": [],
        "pending": [],
        "blockers": [],
        "last_updated": written_at,
    }
    return json.dumps(state, indent=2) + "\n"


def _config(language: Language) -> str:
    lines = [f"# {_CONFIG_HEAD[language]}"]
    for key, texts in _SETTINGS.items():
        lines.append(f"# {key}: {_default(key)}  # {texts[language]}{_allowed(key)}")
    return "\n".join(lines) + "\n"


def _default(key: str) -> str:
    default = getattr(Config(), key)
    return "[]" if default == () else default if isinstance(default, str) else f"{default:.10g}"


def _allowed(key: str) -> str:
    if key in CHOICES:
        return f" ({' | '.join(CHOICES[key])})"
    return " ({:.10g} – {:.10g})".format(*BOUNDS[key]) if key in BOUNDS else ""
