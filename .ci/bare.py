#!/usr/bin/env python3
"""Run the README's two commands as a new user would: in a fresh clone, on a machine that has nothing optional.

KiCad, browsers, Node, screen, sound, CircuitPython, compilers and, once the packages are installed, the network are
hidden. First `python3` runs the test command and the slow tests, and keeps the names of skipped tests in
PLACE/main/skipped. Then another user, and every Python from 3.10 on that neither has run, run a short set. The clones
and their environments stay in PLACE; .ci/run goes on in PLACE/main/skyline.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT)] * (str(ROOT) not in sys.path)

from tests.support.parts import PARTS  # noqa: E402
from tests.support.running import SLOW_TOO  # noqa: E402

OLDEST = (3, 10)
PLAY = ["python3", "-m", "tools.setup", "sim"]
TEST = ["python3", "-m", "tools.setup", "test"]
# What TEST leaves out, but for what takes minutes, tries all cases or needs the board.
SLOW = ["-m", f"slow and {SLOW_TOO[1]}", "-n", "auto", "--dist=worksteal"]
# Modules, commands, and what depends most on the Python, the user and the machine.
SHORT = [
    *("tests/house/test_commands.py", "tests/house/test_setup.py", "tests/sim/test_terminal.py"),
    *("tests/sim/test_sim_cli.py", "tests/bots/test_bots_tbp.py", "tests/rules"),
    "tests/tools/test_deploy_lines.py::test_statements_joined_on_a_line_have_the_number_of_the_first",
    *(*SLOW_TOO, "-n", "auto"),
]
SKIPPED = ".pytest_cache/skyline/skipped"  # tests/support/skipped.py writes it
# A clone has a history, its environment has the packages, and nobody else has our measurements.
ALL_PARTS = [name for name in PARTS if name not in ("history", "measurements", "packages")]
_FORGOTTEN = ("DBUS_", "GIT_", "PULSE_", "PYTEST_", "PYTHON", "SDL_", "SKYLINE_", "VIRTUAL_ENV", "WAYLAND_", "XDG_")
_PLAYS_S = 20
_SCORE = "score   14110"  # of the recording `demo`
_ASK = "import ensurepip, sys, venv; print(sys.implementation.name, *sys.version_info[:3])"


class Failure(Exception):
    """Say in one line what failed."""


class Machine:
    """A user with a fresh clone, a home and a PATH that lacks parts of PARTS.

    name: of its folder in `place`.  python: what `python3` is.  user: who runs everything, "" for us.
    """

    def __init__(self, place: Path, name: str, python: Path, user: str = "") -> None:
        self.name, self.python, self.user = name, python, user
        self.folder = place / name
        self.clone, self.home, self.skipped = (self.folder / each for each in ("skyline", "home", "skipped"))
        for folder in (self.folder, self.home):
            folder.mkdir(parents=True, exist_ok=True)

    def make_clone(self) -> None:
        """Make a home and a clone with what is not committed, too; keep only the environment of an earlier clone."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        (self.folder / "shared").unlink(missing_ok=True)  # .ci/run puts it there
        kept = self.folder / "kept"
        if (self.clone / ".venv").is_dir():
            (self.clone / ".venv").replace(kept)
        shutil.rmtree(self.clone, ignore_errors=True)
        git("clone", "--quiet", str(ROOT), str(self.clone))
        for name in git("-C", str(ROOT), "ls-files", "-z", "--modified", "--others", "--exclude-standard").split("\0"):
            source, target = ROOT / name, self.clone / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
            elif name:
                target.unlink(missing_ok=True)
        if kept.exists():
            kept.replace(self.clone / ".venv")
        copy_settings(self.home)
        if self.user:
            known = pwd.getpwnam(self.user)
            for path in (path for folder in (self.home, self.clone) for path in (folder, *folder.rglob("*"))):
                os.lchown(path, known.pw_uid, known.pw_gid)

    def variables(self, hidden: Iterable[str], network: bool) -> dict[str, str]:
        """Return the environment variables of a machine without these parts."""
        hidden = [name for name in hidden if not (network and name == "registry")]
        found = {name: value for name, value in os.environ.items() if not name.startswith(_FORGOTTEN)}
        programs, stubs = self.folder / "programs", self.folder / "stubs"
        link_programs(programs, {program for name in hidden for program in PARTS[name].programs}, self.python)
        shutil.rmtree(stubs, ignore_errors=True)
        stubs.mkdir()
        for module in (module for name in hidden for module in PARTS[name].modules):
            words = f"raise ModuleNotFoundError('No module named {module}', name='{module}')\n"
            (stubs / f"{module}.py").write_text(words, encoding="utf-8")
        closed = self.folder / "closed"
        closed.mkdir(exist_ok=True)
        closed.chmod(0)
        found |= {"HOME": str(self.home), "PATH": f"{closed}{os.pathsep}{programs}", "PYTHONNOUSERSITE": "1"}
        found |= {"PYTHONPATH": str(stubs)} if any(stubs.iterdir()) else {}
        found |= {} if self.user else {"PIP_CACHE_DIR": str(self.folder.parent / "pip")}
        for variable, value in (pair for name in hidden for pair in PARTS[name].variables):
            if value:
                found[variable] = value
            else:
                found.pop(variable, None)
        return found

    def run(
        self, *command: str, hidden: Iterable[str] = ALL_PARTS, network: bool = False, **how: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the clone; return the finished process."""
        print(f"--- {self.name}: {' '.join(command)}", flush=True)
        how |= {"cwd": self.clone, "env": self.variables(hidden, network), "text": True, "check": False}
        how |= as_user(self.user)
        program = shutil.which(command[0], path=how["env"]["PATH"]) or command[0]
        return subprocess.run([program, *command[1:]], **how)

    def play(self) -> None:
        """Set up as the README says, then play without a screen; raise Failure."""
        done = self.run(*PLAY, "--headless", "--play", "demo", "--trace", network=True, stdout=subprocess.PIPE)
        if done.returncode or _SCORE not in done.stdout:
            raise Failure(f"{self.name}: `{' '.join(PLAY)}` does not play: exit code {done.returncode}")
        try:
            done = self.run(*PLAY, stderr=subprocess.PIPE, timeout=_PLAYS_S)
        except subprocess.TimeoutExpired:  # this machine has a screen after all: it plays
            return
        lines = done.stderr.splitlines()
        if done.returncode != 2 or len(lines) != 1 or "--headless" not in lines[0]:
            raise Failure(f"{self.name}: `{' '.join(PLAY)}` without a screen: {done.returncode}, {done.stderr}")

    def install(self) -> None:
        """Install what the tests need, while there still is a network; raise Failure."""
        if self.run(*TEST, "--version", network=True, stdout=subprocess.DEVNULL).returncode:
            raise Failure(f"{self.name}: `{' '.join(TEST)}` cannot set up")

    def prepare(self, plays: bool = False) -> None:
        """Make a clone that can run the tests; raise Failure."""
        self.make_clone()
        if plays or self.user:
            self.play()
        self.install()

    def test(self, *arguments: str, **how: Any) -> None:
        """Run the README's test command; raise Failure."""
        if self.run(*TEST, *arguments, **how).returncode:
            raise Failure(f"{self.name}: `{' '.join([*TEST, *arguments])}` is red")


def git(*arguments: str) -> str:
    """Run git; return what it prints."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # a hook's
    return subprocess.run(["git", *arguments], check=True, stdout=subprocess.PIPE, text=True, env=variables).stdout


def as_user(user: str) -> dict[str, Any]:
    """Return the options of subprocess that run a program as another user; none for ""."""
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}


def copy_settings(home: Path) -> None:
    """Copy pip's own settings into a home: they may name the only index that can be reached."""
    for name in (".config/pip/pip.conf", ".pip/pip.conf"):
        if (Path.home() / name).is_file():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path.home() / name, home / name)


def link_programs(folder: Path, hidden: set[str], python: Path) -> None:
    """Fill a folder with links to all programs of PATH but hidden ones; `python3` is that one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "python3").symlink_to(python)
    for place in map(Path, os.get_exec_path()):
        for path in sorted(place.iterdir()) if place.is_dir() and place.name != "shims" else ():
            words = path.name.split("-")
            names = {path.name, words[-1], "-".join(words[:-1]), path.name.split(".")[0]}
            if not names & hidden and not os.path.lexists(folder / path.name) and os.access(path, os.X_OK):
                (folder / path.name).symlink_to(path)


def list_pythons() -> dict[tuple[int, ...], Path]:
    """Return every CPython of this machine from OLDEST on by version: those of PATH, the system and pyenv.

    Of several with one version the first in this order wins, as a shell would find it.
    """
    folders = [*map(Path, os.get_exec_path()), Path("/usr/bin"), Path("/usr/local/bin")]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    folders += [folder / "bin" for folder in sorted(pyenv.glob("*"))]
    found: dict[tuple[int, ...], Path] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("python3.*"))):
        version = ask_python(path) if path.name.removeprefix("python3.").isdecimal() else ()
        if version >= OLDEST:
            found.setdefault(version, path.resolve())
    return dict(sorted(found.items()))


def ask_python(path: Path, **how: Any) -> tuple[int, ...]:
    """Return the version of a CPython that can make environments, () for anything else."""
    try:
        done = subprocess.run([path, "-c", _ASK], capture_output=True, text=True, check=False, cwd="/", **how)
    except OSError:
        return ()
    name, *numbers = done.stdout.split() or [""]
    return tuple(map(int, numbers)) if name == "cpython" else ()


@contextmanager
def collect_failures(failures: list[str]) -> Iterator[None]:
    """Keep a Failure and go on."""
    try:
        yield
    except Failure as failure:
        failures.append(str(failure))
        print(f"FAILED: {failure}", flush=True)


def test_whole(machine: Machine, failures: list[str]) -> None:
    """Run the README's test command, then the slow tests that it leaves out; keep the failures."""
    for arguments in ([], SLOW):
        with collect_failures(failures):
            machine.test(*arguments)


def hide_each(main: Machine, failures: list[str]) -> None:
    """Run the tests that a bare machine skips with each part hidden alone, and keep the failures."""
    home = main.home
    for name in ALL_PARTS:
        part = PARTS[name]
        main.home = main.folder / "empty" if name == "registry" else home  # what was fetched is kept at home
        main.home.mkdir(exist_ok=True)
        environment, tests = main.clone / ".venv", ["-m", "", f"@{main.skipped}"]
        if part.packages:
            environment, tests = main.folder / "lacking", [*SLOW_TOO]
            shutil.rmtree(environment, ignore_errors=True)
            shutil.copytree(main.clone / ".venv", environment, symlinks=True, copy_function=os.link)
            main.run(str(environment / "bin/python"), "-m", "pip", "uninstall", "--yes", *part.packages)
        python = str(environment / "bin/python")
        done = main.run(python, "-m", "pytest", "-q", "-n", "auto", "--dist=worksteal", *tests, hidden=[name])
        with collect_failures(failures):
            if done.returncode:
                raise Failure(f"tests fail without {part.name}")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=".ci/bare.py", description=__doc__)
    place = Path(os.environ.get("SKYLINE_CI_PLACE") or f"/var/tmp/skyline-ci-{os.getuid()}")
    words = f"folder for the clones (default: SKYLINE_CI_PLACE, else {place})"
    parser.add_argument("--place", type=Path, default=place, metavar="DIR", help=words)
    words = "for root: who else tries it; needs a Python that he may run (default: nobody)"
    parser.add_argument("--user", default="nobody", metavar="NAME", help=words)
    words = "once a day: the other user, the oldest and the newest Python run the whole suite, too"
    parser.add_argument("--long", action="store_true", help=words)
    words = "instead, after a run: run what was skipped with each part hidden alone"
    parser.add_argument("--each", action="store_true", help=words)
    words = "leave out: main (the whole suite), user, pythons; again for more"
    parser.add_argument("--without", action="append", default=[], choices=["main", "user", "pythons"], help=words)
    return parser


def check_place(place: Path, user: str) -> str:
    """Make the folder for the clones; return what bars it or the other user, else ""."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        as_user(user)
    except OSError as problem:
        return str(problem)
    except KeyError:
        return f"there is no user {user}"
    if place.is_symlink() or place.stat().st_uid != os.getuid():
        return f"{place} is not yours: name another folder with --place"
    place.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    return ""


def try_others(options: argparse.Namespace, ours: Path, pythons: dict[tuple[int, ...], Path]) -> list[str]:
    """Run the tests as another user, and with every Python that neither has run; return the failures."""
    failures: list[str] = []
    others = []
    if "user" not in options.without and os.getuid() == 0:
        theirs = [path for path in pythons.values() if ask_python(path, **as_user(options.user))]
        if theirs:
            others.append(Machine(options.place, "user", theirs[-1], options.user))
        else:
            print(f"skipped: {options.user} may run no Python from {'.'.join(map(str, OLDEST))} on")
    tried = {ours, *(machine.python for machine in others)}
    if "pythons" not in options.without:
        names = {path: "python" + ".".join(map(str, version)) for version, path in pythons.items()}
        others += [Machine(options.place, name, path) for path, name in names.items() if path not in tried]
    whole = [pythons[min(pythons)], pythons[max(pythons)]]
    # One process installs: without others beside it all processors but one would wait.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for machine, ready in [(machine, pool.submit(machine.prepare)) for machine in others]:
            with collect_failures(failures):
                ready.result()
                if options.long and (machine.user or machine.python in whole):
                    test_whole(machine, failures)
                else:
                    machine.test(*SHORT)
    return failures


def main() -> int:
    """Run the command line; return 1 if anything failed."""
    options = make_parser().parse_args()
    wrong = check_place(options.place, "" if os.getuid() or "user" in options.without else options.user)
    if wrong:
        print(f".ci/bare.py: {wrong}", file=sys.stderr)
        return 2
    failures: list[str] = []
    if options.each:
        hide_each(Machine(options.place, "main", Path(sys.executable)), failures)
        return bool(failures)
    ours = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    pythons = list_pythons() | {sys.version_info[:3]: ours}
    if "main" not in options.without:
        machine = Machine(options.place, "main", ours)
        with collect_failures(failures):
            machine.prepare(plays=True)
            test_whole(machine, failures)
        if (machine.clone / SKIPPED).exists():
            shutil.copy(machine.clone / SKIPPED, machine.skipped)
    failures += try_others(options, ours, pythons)
    for failure in failures:
        print(f"FAILED: {failure}")
    return bool(failures)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
