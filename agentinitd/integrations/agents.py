"""The agents into which hooks can be installed, and what each of their modules has to offer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Protocol

from agentinitd.integrations import claude_code
from agentinitd.model.hooks import HookRequest


class Integration(Protocol):
    """One agent: text in, text out.  Who reads and writes the files is `settings_file`."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module

    @property
    def HUMAN_STEP(self) -> str: ...  # noqa: N802

    def settings_path(self, home: PurePath, env: Mapping[str, str]) -> PurePath:
        """The user's own settings file of this agent."""

    def hook_command(self, python: str, hook_file: str) -> str:
        """The command line that the agent will run, quoted for a shell."""

    def install(self, text: str | None, command: str) -> str:
        """The settings with our hooks in them.  Raises NotJson."""

    def uninstall(self, text: str, created: frozenset[str] | None = None) -> str | None:
        """The settings without ours; None when the file was made for us and holds nothing else."""

    def missing(self, text: str | None) -> frozenset[str]:
        """What an installation would have to make, for `created` later.  Raises NotJson."""

    def is_installed(self, text: str) -> bool: ...

    def commands(self, text: str) -> tuple[str, ...]:
        """Our command lines in these settings."""

    def trust_path(self, home: PurePath, env: Mapping[str, str]) -> PurePath:
        """The file in which the agent keeps whose hooks it runs."""

    def is_trusted(self, text: str, folder: PurePath) -> bool:
        """Whether, by the text of that file, it runs hooks in this folder."""

    def warnings(self, text: str) -> tuple[str, ...]:
        """What in these settings keeps our hooks from running."""

    def parse_hook(self, body: bytes) -> HookRequest:
        """A hook's stdin.  Raises ValueError."""

    def answer(self, request: HookRequest, text: str | None) -> bytes:
        """A hook's stdout; empty when there is nothing to say or nobody to hear it."""


INTEGRATIONS: dict[str, Integration] = {"claude-code": claude_code}
