"""Set up a virtual environment in .venv and run a command in it: the simulator, the page, the tests or any of tools/.

Uses the standard library only, and syntax that Python 3.6 can still read, so that an old Python
gets a message and not a traceback.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from sim import ownership, terminal

OLDEST = (3, 10)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")

GATE = ["--cov", "--cov-branch", "--cov-report=term-missing:skip-covered", "--cov-fail-under=100"]
# The tests for the coverage gate. Only these are traced: tracing makes the engine four times as slow.
GATED = [os.path.join("tests", room) for room in ("device", "engine", "link", "match", "rules", "save")]
# An idle worker takes tests from the others. The tests of a file mostly stay together and share their fixtures.
WORKERS = ["-n", "auto", "--maxprocesses=8", "--dist=worksteal"]
# The extra of pyproject.toml that each command needs; all other commands need ALL.
EXTRAS = {
    "sim": "sim",
    "library": "sim",
    "export": "sim,stats",
    "review": "solve",
    "bots": "bots",
    "web": "web",
    "deploy": "deploy",
    "board": "board",
    "release": "release",
    "site": "site",
}
ALL = "test"
WIRED = "blinka"  # of `sim --blinka`
MADE = "made"  # no extra: its stamp is there before anything else
STAMPS = "skyline-*.stamp"  # they mark a .venv as ours


class SetupError(Exception):
    """Say in one line why the environment cannot be made."""


def venv_python(venv: str) -> str:
    """Return the path of the Python inside `venv`, whether or not it exists."""
    if os.name == "nt":
        return os.path.join(venv, "Scripts", "python.exe")
    return os.path.join(venv, "bin", "python")


def fingerprint() -> str:
    """Return a hash of this Python, this folder and this pyproject.toml."""
    digest = hashlib.sha256()
    digest.update(repr((sys.version, ROOT)).encode())
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as project:
        digest.update(project.read())
    return digest.hexdigest()


def stamp_path(extra: str) -> str:
    """Return the file with the fingerprint that `extra` was installed from."""
    return os.path.join(VENV, "skyline-" + extra + ".stamp")


def is_installed(extra: str, now: str) -> bool:
    """Return whether .venv has the fingerprint `now` and contains `extra`."""
    try:
        with open(stamp_path(extra), encoding="ascii") as stamp:
            return stamp.read() == now and os.path.exists(venv_python(VENV))
    except OSError:
        return False


def check_python() -> None:
    """Raise SetupError if this Python is too old or cannot make environments."""
    if sys.version_info < OLDEST:
        words = "Python {}.{} or newer is needed, this one is {}.{} ({})"
        raise SetupError(words.format(*OLDEST, *sys.version_info[:2], sys.executable))
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as absent:
        words = "this Python has no {}: install it (Debian, Ubuntu: apt install python3-venv), then try again"
        raise SetupError(words.format(absent.name)) from None


def lock_environment() -> IO[bytes]:
    """Return a file that locks .venv against other runs until it is closed or this process ends."""
    path = VENV + ".lock"
    if os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path)):
        raise SetupError("{} is a link or no file: delete it".format(path))
    try:
        lock = open(path, "ab")  # noqa: SIM115
    except OSError as problem:
        raise SetupError("cannot write {}: {}".format(problem.filename, problem.strerror)) from None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise SetupError("another run is setting up .venv in this folder: try again when it is done") from None
    return lock


def make_environment(extra: str) -> None:
    """Make .venv and install this project with `extra`, unless that is already done."""
    if is_made(extra):
        return
    check_python()
    check_environment()
    with lock_environment():
        if not is_made(extra):  # another run may just have made it
            install(extra)


def is_made(extra: str) -> bool:
    """Return whether .venv was made from this project and has `extra`; `test` includes all other extras."""
    now = fingerprint()
    return is_installed(extra, now) or is_installed("test", now)


def check_environment() -> None:
    """Raise SetupError for a .venv that this command did not make: it is neither emptied nor filled."""
    folder = Path(VENV)
    way_out = "; activate it and use its `python -m` yourself, or rename or delete it"
    try:
        ownership.check_folder(folder)
        if folder.is_dir() and any(folder.iterdir()) and not ownership.has_marker(folder, STAMPS):
            raise SetupError("{} is an environment or a folder that this command did not make{}".format(VENV, way_out))
    except ownership.Refusal as problem:
        raise SetupError(str(problem)) from None
    except OSError as problem:
        raise SetupError("cannot write {}: {}".format(VENV, problem.strerror)) from None


def clear_environment() -> None:
    """Empty .venv, which is ours, or make it; a stamp marks it as ours from the first moment on."""
    try:
        os.makedirs(VENV, exist_ok=True)
        with open(stamp_path(MADE), "w", encoding="ascii"):
            pass
        ownership.empty_folder(Path(VENV), os.path.basename(stamp_path(MADE)))
    except OSError as problem:
        raise SetupError("cannot write {}: {}".format(problem.filename or VENV, problem.strerror)) from None


def install(extra: str) -> None:
    """Make .venv if it is of another project or Python, and install `extra` into it."""
    now = fingerprint()
    print("Setting up .venv ({}): a minute or two, once.".format(extra), file=sys.stderr, flush=True)
    variables = dict(os.environ, PIP_USER="0", PIP_DISABLE_PIP_VERSION_CHECK="1")
    variables.pop("PYTHONHOME", None)
    if not any(is_installed(other, now) for other in (*EXTRAS.values(), WIRED)):
        clear_environment()
        if subprocess.call([sys.executable, "-m", "venv", VENV], env=variables) != 0:
            raise SetupError("could not make a virtual environment in " + VENV)
    packages = [venv_python(VENV), "-m", "pip", "install", "--quiet", "--editable", "{}[{}]".format(ROOT, extra)]
    if subprocess.call(packages, env=variables) != 0:
        raise SetupError("pip could not install the packages (its own words are above); is a package index reachable?")
    with open(stamp_path(extra), "w", encoding="ascii") as stamp:
        stamp.write(now)


def find_tool(what: str) -> str:
    """Return the module that `what` names, as `python -m` takes it; raise SetupError if there is none."""
    if what in ("sim", "test"):
        return {"test": "pytest"}.get(what, what)
    name = what[len("tools.") :] if what.startswith("tools.") else what
    place = os.path.join(ROOT, "tools", *name.split("."))
    if not any(map(os.path.exists, (place + ".py", os.path.join(place, "__main__.py")))):
        paths = [*Path(ROOT, "tools").glob("*.py"), *Path(ROOT, "tools").glob("*/__main__.py")]
        runs = [path for path in paths if "terminal.run(main)" in path.read_text(encoding="utf-8")]
        known = sorted((path.parent if path.stem == "__main__" else path).stem for path in runs)
        raise SetupError(terminal.tell_unknown(what, ["sim", "test"] + known, "tool"))
    return "tools." + name


def commands(what: str, rest: "list[str]") -> "list[list[str]]":
    """Return the arguments of the environment's Python that carry out `what`: one list for each process."""
    module = find_tool(what)
    if module == "tools.web":
        rest = rest or ["serve", "--open"]
    if what == "test" and not rest:
        # The gate is for the whole suite: one chosen test cannot cover all that pyproject.toml names.
        run = ["-m", module] + WORKERS
        return [run + GATE + GATED, run + ["--ignore=" + folder for folder in GATED]]
    return [["-m", module] + rest]


def find_extra(arguments: "list[str]") -> str:
    if arguments[1] == "sim" and "--blinka" in arguments:
        return WIRED
    return EXTRAS.get(arguments[1].split(".")[-1], ALL)


def environment() -> "dict[str, str]":
    """Return environment variables in whose PATH `python` is the Python of .venv."""
    place = os.path.dirname(venv_python(VENV)) + os.pathsep + os.environ.get("PATH", os.defpath)
    return {**os.environ, "PATH": place}


def main() -> int:
    """Run the command line; return the command's exit code, or 2 if it could not start."""
    parser = terminal.Parser(
        prog="python3 -m tools.setup",
        description="Make a virtual environment in .venv (once), then run one command in it.",
        epilog="Further arguments go to that command: `sim --help`, `web build`, `deploy --dry-run`, `test -k lint`.",
    )
    words = "sim: play in a window; web: play in a browser; test: run the tests; deploy: copy to a board; "
    words += "board: play on CircuitPython in an emulator; or the name of another tool, such as export"
    parser.add_argument("what", metavar="WHAT", help=words)
    words = "arguments for that command; `test` alone runs all but the slow tests"
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help=words)
    options = parser.parse_args()
    try:
        wanted = commands(options.what, options.rest)
        make_environment(find_extra(wanted[0]))
    except SetupError as reason:
        return parser.refuse(reason)
    try:
        variables = environment()
        return max([subprocess.call([venv_python(VENV)] + each, cwd=ROOT, env=variables) for each in wanted], key=abs)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(terminal.run(main))
