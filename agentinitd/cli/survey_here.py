"""The scripts and runlevels of this folder, as the daemon would read them now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places
    from agentinitd.model.config import Config
    from agentinitd.rc.faults import Fault
    from agentinitd.rc.layers import Layer
    from agentinitd.rc.survey import Survey


def project_here(where: Places) -> Path | None:
    """The project of the working directory."""
    from agentinitd.memory.project import find_project

    return find_project(Path.cwd(), home=where.home)


def layers_here(where: Places, project: Path | None) -> tuple[Layer, ...]:
    """Where scripts come from in this project."""
    from agentinitd.rc import layers
    from agentinitd.rc.vendor import vendor_folder

    return layers.standard(
        vendor=vendor_folder(), system=where.system_dir, user=where.config_dir, project_root=project
    )


def config_here(where: Places, project: Path | None) -> Config:
    """The config in force; a file that cannot be used counts for nothing."""
    from agentinitd.daemon.settings import Settings

    settings = Settings(where)
    settings.load()
    return settings.of(project)


def surveyed(where: Places, project: Path | None) -> Survey:
    """All layers as the daemon would read them now for a session of this project."""
    import os

    from agentinitd.rc import layers
    from agentinitd.rc.survey import survey
    from agentinitd.rc.trust import Trust

    config = config_here(where, project)
    found = layers_here(where, project)
    judge = layers.judge(
        found,
        trust=Trust(where.trust_dir, where.exec_dir),
        uid=os.geteuid(),
        project_root=project,
        timeout_seconds=config.script_timeout_seconds,
    )
    return survey(found, judge, project_override=config.project_override)


def faults_here(where: Places, project: Path | None) -> list[Fault]:
    """What is wrong with the scripts, headers and links of all layers, found by reading."""
    import os
    import sys

    from agentinitd.rc import environment, inspection

    config = config_here(where, project)
    path = environment.search_path_of(
        os.environ.get("HOME", ""), str(Path(sys.executable).parent), str(project or ""), config.path
    )
    around = inspection.Surroundings(search_path=path, env_pass=config.env_pass)
    return inspection.faults_of(surveyed(where, project), layers_here(where, project), around)
