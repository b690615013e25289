"""Change firmware/engine in a thousand small ways and count how many of them the tests notice.

    python -m tools.mutants                        all of firmware/engine: minutes
    python -m tools.mutants --module scoring       one module
    python -m tools.mutants --show                 each survivor of the last run as a diff

mutmut does the work, in an environment of its own and in a copy of the project, so that nothing of
it is seen here. It mutates what is inside functions: every comparison, operator, number, boolean,
argument and assignment. The tables are left out: tests compare them with what tools/ generates.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from sim import terminal
from tools.interpreters import ROOT
from tools.measure.environment import EnvironmentMissing, python_with

REQUIREMENTS = ("mutmut==3.8.1", "pytest==9.2.0", "pytest-cov==7.1.0", "hypothesis==6.170.15", "platformdirs")
LEAST_PERCENT = 90.0
# The tests that know the engine's rules and are done in seconds; a mutant may live until the last of them.
TESTS = (
    *("test_guideline_*.py", "test_engine_*.py", "test_modes_modern.py"),
    *("test_statistics.py", "test_time.py", "test_recordings.py"),
)
GENERATED = ("firmware/engine/tables.py", "firmware/engine/finesse.py")
COPIED = ("firmware", "sim", "tools", "tests", "conftest.py")

# As mutmut's own score counts: a mutant that hangs is dead; one that no test reaches is alive.
DEAD = ("killed", "timeout", "suspicious", "segfault")

_PROJECT = """
[tool.pytest.ini_options]
addopts = "--import-mode=append --strict-markers -m 'not long and not board'"
markers = ["long: takes minutes", "cover: counts"]

[tool.mutmut]
source_paths = ["firmware/engine"]
do_not_mutate = {generated!r}
also_copy = {copied!r}
pytest_add_cli_args_test_selection = {tests!r}
use_git_change_detection = false
timeout_multiplier = 3.0
"""


class MutantsError(Exception):
    """Say in one line why there is no score."""


def workplace() -> Path:
    """Return the folder of the copy."""
    return Path(tempfile.gettempdir()) / "skyline-mutants"


def lay_out(folder: Path) -> None:
    """Copy what mutants and tests need into `folder`, which is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    tests = sorted(path.relative_to(ROOT).as_posix() for name in TESTS for path in (ROOT / "tests").glob(name))
    text = _PROJECT.format(generated=list(GENERATED), copied=list(COPIED), tests=tests)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def mutmut(folder: Path, python: Path, *arguments: str) -> str:
    """Run mutmut in `folder` and return what it printed; its progress goes to a log there."""
    log = folder / "mutmut.log"
    with log.open("w", encoding="utf-8") as errors:
        done = subprocess.run(
            [str(python), "-m", "mutmut", *arguments],
            cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
    if done.returncode:
        with log.open("a", encoding="utf-8") as errors:
            errors.write(done.stdout)
        raise MutantsError(f"mutmut {arguments[0]} failed; its words are in {log}")
    return done.stdout


def read_results(printed: str) -> dict[str, str]:
    """Return the state of each mutant from what `mutmut results --all true` printed."""
    pairs = re.findall(r"^\s*(firmware\.\S+): (.+?)\s*$", printed, re.MULTILINE)
    return dict(pairs)


def module_of(mutant: str) -> str:
    """Return the module of a mutant's name."""
    return mutant.split(".")[2]


def print_scores(states: dict[str, str]) -> float:
    """Print a table of the modules; return the whole score in percent."""
    dead = Counter(module_of(mutant) for mutant, state in states.items() if state in DEAD)
    made = Counter(map(module_of, states))
    rows = [(module, made[module], dead[module]) for module in sorted(made)]
    rows.append(("all", made.total(), dead.total()))
    print("| module       | mutants | dead | survive | score   |")
    print("|--------------|--------:|-----:|--------:|--------:|")
    for module, count, killed in rows:
        print(f"| {module:<12} | {count:>7} | {killed:>4} | {count - killed:>7} | {100 * killed / count:>5.1f} % |")
    return 100 * dead.total() / made.total()


def main() -> int:
    """Run the command line; return 1 for a score below the least, 2 when there is none."""
    parser = terminal.Parser(
        prog="python -m tools.mutants",
        description=f"Mutation testing of firmware/engine; at least {LEAST_PERCENT:g} % of the mutants must die.",
    )
    parser.add_argument("--module", action="append", default=[], help="only this module of firmware/engine")
    parser.add_argument("--children", type=int, default=1, help="how many mutants are tried at once (1)")
    parser.add_argument("--show", action="store_true", help="print the survivors of the last run as diffs, run nothing")
    options = parser.parse_args()
    folder = workplace()
    try:
        if sys.platform == "win32":
            raise MutantsError("mutmut needs fork(): Linux or macOS")
        for module in options.module:
            if not (ROOT / "firmware" / "engine" / f"{module}.py").is_file():
                raise MutantsError(f"no module {module!r} in firmware/engine")
        if options.show and not (folder / "mutants").is_dir():
            raise MutantsError("no run to show: run without --show first")
        python = python_with(*REQUIREMENTS)
        if not options.show:
            lay_out(folder)
            names = [f"firmware.engine.{module}.*" for module in options.module]
            mutmut(folder, python, "run", "--max-children", str(options.children), *names)
        states = read_results(mutmut(folder, python, "results", "--all", "true"))
        tried = {mutant: state for mutant, state in states.items() if state != "not checked"}
        if not tried:
            raise MutantsError("mutmut made no mutants")
        alive = [mutant for mutant, state in tried.items() if state not in DEAD]
        for mutant in alive:
            print(mutmut(folder, python, "show", mutant) if options.show else f"{mutant}: {tried[mutant]}")
        score = print_scores(tried)
    except (MutantsError, EnvironmentMissing) as problem:
        return parser.refuse(problem)
    return 0 if score >= LEAST_PERCENT else 1


if __name__ == "__main__":
    sys.exit(terminal.run(main))
