from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def build(source: Path, target: str, out: Path) -> Path:
    """What `pip wheel` and `python -m build` make, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=60)
    return next(out.glob("*.whl" if target == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds agentinitd, and borrows its dependencies from this one."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=60)
    python = folder / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-deps",
        "--no-index",
        "-q",
    ]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True, timeout=60)
    (site_packages(folder) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def site_packages(environment: Path) -> Path:
    return next((environment / "lib").glob("python*/site-packages"))


def data(environment: Path) -> Path:
    return site_packages(environment) / "agentinitd" / "data"


def show(command: list[str], cwd: Path, *, path: str = "") -> dict[str, object]:
    environment = {**os.environ, "PYTHONPATH": path}
    words = [*command, "rc", "show", "--json"]
    ended = subprocess.run(words, cwd=cwd, env=environment, text=True, capture_output=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    shown: dict[str, object] = json.loads(ended.stdout)
    return shown


def test_the_installed_wheel_has_the_runlevels_of_the_source_tree(installed: Path, home: Path) -> None:
    """RL-3."""
    program = [sys.executable, "-c", "from agentinitd.cli.main import main; main()"]
    expected = show(program, home, path=str(ROOT))
    actual = show([str(installed / "bin" / "agentinitd")], home)

    assert expected["findings"] == []
    assert actual == expected


def test_the_installed_scripts_are_those_of_the_source_tree_and_can_be_executed(installed: Path) -> None:
    scripts = sorted((ROOT / "init.d").glob("S*"))
    assert [path.name for path in sorted((data(installed) / "init.d").iterdir())] == [
        path.name for path in scripts
    ]
    for script in scripts:
        copy = data(installed) / "init.d" / script.name
        assert copy.read_bytes() == script.read_bytes()
        assert os.access(copy, os.X_OK)
        assert os.access(script, os.X_OK)


def test_links_are_shipped_as_lines(installed: Path) -> None:
    """RL-2, RL-3."""
    line = data(installed) / "rc.d" / "session.d" / "S10-constraints"
    assert not line.is_symlink()
    assert line.read_text() == "../../init.d/S10-constraints\n"
    assert not line.stat().st_mode & 0o111
    assert (data(installed) / "rc.d" / "manual.d" / "@compact").read_bytes() == b""


def test_everything_in_etc_is_shipped_and_nothing_else(wheel: Path) -> None:
    expected = {str(path.relative_to(ROOT)) for path in (ROOT / "etc").rglob("*") if path.is_file()}
    shipped = {name.removeprefix("agentinitd/data/") for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in shipped if name.startswith("etc/")} == expected


def test_the_man_page_and_the_completions_lie_where_they_are_looked_for(installed: Path) -> None:
    share = installed / "share"

    assert (share / "man" / "man1" / "agentinitd.1").read_bytes().startswith(b'.\\" Made by')
    assert (share / "bash-completion" / "completions" / "agentinitd").is_file()
    assert (share / "zsh" / "site-functions" / "_agentinitd").is_file()
    assert (share / "fish" / "vendor_completions.d" / "agentinitd.fish").is_file()


def test_a_wheel_built_from_the_source_archive_has_the_same_data(wheel: Path, tmp_path: Path) -> None:
    archive = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    again = build(source, "wheel", tmp_path / "again")

    assert vendor_data(again) == vendor_data(wheel)


def vendor_data(wheel: Path) -> dict[str, tuple[int, int]]:
    """Name → checksum and mode of scripts, runlevels and config."""
    with zipfile.ZipFile(wheel) as opened:
        return {
            entry.filename: (entry.CRC, entry.external_attr >> 16)
            for entry in opened.infolist()
            if entry.filename.startswith("agentinitd/data/")
        }


def test_an_editable_install_uses_the_folders_of_the_checkout(tmp_path: Path) -> None:
    code = "import hatchling.build as build, sys; print(build.build_editable(sys.argv[1]))"
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True, capture_output=True, timeout=60
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as opened:
        names = opened.namelist()
        links = [name for name in names if name.endswith(".pth")]
        assert opened.read(links[0]).decode().strip() == str(ROOT)
    assert not [name for name in names if "/data/" in name]


def test_copies_that_an_archiver_made_of_links_become_lines_again(tmp_path: Path) -> None:
    script = tmp_path / "init.d" / "S10-a"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    forms = {
        "K90-a": "#!/bin/sh\n",
        "S10-a": "../../init.d/S10-a",
        "@compact": "",
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text)
    code = (
        "import sys; from pathlib import Path; import hatch_build\n"
        "folder = Path(sys.argv[1])\n"
        "for name in sys.argv[2:]: print(hatch_build.link_line(folder / name, folder / 'init.d'))"
    )
    command = [sys.executable, "-c", code, str(tmp_path), *forms]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60).stdout

    assert printed.splitlines() == [repr(b"../../init.d/S10-a\n"), repr(b"../../init.d/S10-a"), repr(b"")]
