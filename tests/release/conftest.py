"""Two releases of two copies of the sources, and an environment with nothing but the wheel of one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import needs
from tests.support.running import ROOT, run_python
from tools.web import bundling, npm

BOOT_OUT = "Adafruit CircuitPython 10.2.1 on 2026-05-01; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
BARE_PYTHON = getattr(sys, "_base_executable", sys.executable)


@pytest.fixture(scope="session")
def packages() -> None:
    """Fetch the packages of the page; skip if that fails."""
    with needs.registry():
        for package in (*npm.PACKAGES, bundling.find_program()):
            package.fetch()


@pytest.fixture(scope="session")
def clones(packages: None, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return two copies of the sources, each with its release in build/release."""
    unwanted = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    clones = [tmp_path_factory.mktemp(name) / "sources" for name in ("first", "second")]
    for clone in clones:
        shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".git", *unwanted))
        done = run_python("-m", "tools.release", cwd=clone)
        assert (done.returncode, done.stderr) == (0, "")
    return clones


@pytest.fixture(scope="session")
def release(clones: list[Path]) -> Path:
    return clones[0] / "build" / "release"


class Installed:
    """A new environment, used from an empty folder by a user without settings."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.folder = base / "empty"
        self.folder.mkdir()
        subprocess.run([BARE_PYTHON, "-m", "venv", str(base / "venv")], check=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "PYTEST"))}
        programs = str(base / "venv" / ("Scripts" if os.name == "nt" else "bin"))
        self.variables = kept | {"HOME": str(base), "PATH": programs + os.pathsep + os.environ["PATH"]}

    def run(self, *command: object, told: str = "") -> subprocess.CompletedProcess[str]:
        words = [shutil.which(str(command[0]), path=self.variables["PATH"]) or "", *map(str, command[1:])]
        return subprocess.run(
            words, cwd=self.folder, env=self.variables, input=told, capture_output=True, text=True, check=False
        )

    def install(self, *packages: object) -> None:
        """Install by pip; skip where no package index can be reached."""
        done = self.run("python", "-m", "pip", "install", "--quiet", *packages)
        needs.skip_if_offline(done)
        assert done.returncode == 0, done.stderr

    def site_packages(self) -> Path:
        done = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        return Path(done.stdout.strip())


@pytest.fixture(scope="session")
def installed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return an environment with the wheel and its extra `deploy`, beside strangers of our packages' names."""
    made = Installed(tmp_path_factory.mktemp("installed"))
    (wheel,) = release.glob("*.whl")
    made.install(f"{wheel}[deploy]")
    for name in ("firmware", "sim", "tools"):
        stranger = made.site_packages() / name
        stranger.mkdir()
        (stranger / "__init__.py").write_text("raise ImportError('a stranger')\n")
    return made
