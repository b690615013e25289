"""Make many small changes to a room (folder) of the firmware and count the changes that its tests notice.

    python -m tools.mutants                        all of firmware/engine: minutes
    python -m tools.mutants --module scoring       one module
    python -m tools.mutants --room save --sample 300 --seed 1
                                                   300 random changes of firmware/save
    python -m tools.mutants --room save --show     each survivor of the last run there as a diff

mutmut does the work in its own environment and in a copy of the project; this folder stays unchanged. It mutates
function bodies: every comparison, operator, number, boolean, argument and assignment. Generated tables are left out:
tests compare them with the output of tools/.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from sim import ownership, terminal
from sim.terminal import Refusal, add_fill, add_flag, add_number
from tools import markdown
from tools.interpreters import ROOT
from tools.measure.environment import call, python_with

REQUIREMENTS = (
    *("mutmut==3.8.1", "pytest==9.2.0", "pytest-cov==7.1.0", "pytest-timeout==2.4.0", "hypothesis==6.170.15"),
    *("platformdirs", "tqdm", "numpy", "numba", "folder2uf2", "gymnasium"),  # which modules beside the tests import
)
LEAST_PERCENT = 90.0
_MARKER = ".skyline-mutants"
PAGE = ROOT / "tests" / "README.md"
# Tests of each room's rules, below tests/: its own folder, and those beside it that finish in seconds, because a
# surviving mutant runs all of them.
ROOMS = {
    "engine": ("engine/*", "rules/*", "save/test_recordings.py"),
    "match": ("match/*", "rules/test_guideline_b_*", "rules/test_match_rules_*", "players/test_players_versus.py"),
    "link": ("link/*", "save/test_save_link.py"),
    "players": (
        *("players/*", "budgets/test_players_thought.py", "modes/test_practise.py", "modes/test_review.py"),
        *("match/test_match_practice.py", "match/test_match_scenes.py", "scenes/test_one_switch.py"),
    ),
    "save": (
        *("save/*", "match/*", "rules/test_randomizers.py", "budgets/test_rewind_time.py"),
        *("link/test_link_hostile.py", "link/test_link_scenes.py"),
    ),
}
# The first runs the firmware in a process of its own, where mutmut finds no project. The others take minutes: they try
# every byte, and tests beside them try some bytes.
LEFT_OUT = (
    "tests/save/test_option_table.py::test_adding_an_option_needs_only_its_record",
    "tests/save/test_save_long_game.py::test_power_cut_at_any_byte_loses_at_most_eight_tetriminos",
    "tests/save/test_save_power_cuts.py::test_flipped_bit_leaves_the_newest_valid_record",
    "tests/save/test_save_power_cuts.py::test_power_cut_at_any_byte_of_two_banks_loses_nothing",
    "tests/save/test_save_power_cuts.py::test_one_bank_with_a_backup_survives_repeated_power_cuts",
    "tests/save/test_save_power_cuts.py::test_one_bank_loses_records_only_between_erase_and_rewriting",
)
GENERATED = (
    *("firmware/engine/tables.py", "firmware/engine/finesse.py"),
    "firmware/players/weights.py",  # computes its tables on import, before mutmut activates a mutant
)
COPIED = ("firmware", "sim", "tools", "tests", "conftest.py")

# As in mutmut's own score: a mutant that hangs is dead; a mutant that no test reaches is alive.
DEAD = ("killed", "timeout", "suspicious", "segfault")

_PROJECT = """
{pytest}
[tool.mutmut]
source_paths = ["firmware/{room}"]
do_not_mutate = {generated!r}
also_copy = {copied!r}
pytest_add_cli_args_test_selection = {tests!r}
use_git_change_detection = false
timeout_multiplier = 1.0
"""

# Print the names of all mutants of some files: mutmut has no command that lists mutants without running them.
_NAMES = """
import sys
from pathlib import Path
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.format_utils import get_mutant_name
for path in map(Path, sys.argv[1:]):
    for name in mutate_file_contents(str(path), path.read_text("utf-8")).mutant_names:
        print(get_mutant_name(path, name))
"""


def list_tests(room: str) -> list[Path]:
    """Return the files of a room's tests."""
    return sorted({path for name in ROOMS[room] for path in (ROOT / "tests").glob(name) if path.suffix == ".py"})


def lay_out(room: str, folder: Path) -> None:
    """Replace `folder` by a copy of the files that the mutants and tests of `room` need."""
    if folder.exists() or folder.is_symlink():
        ownership.remove_folder(folder, _MARKER)
    folder.mkdir(parents=True)
    (folder / _MARKER).touch()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    tests = [path.relative_to(ROOT).as_posix() for path in list_tests(room)]
    own = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    usual = own[own.index("[tool.pytest.ini_options]") : own.index("[tool.coverage.run]")]
    before, after = usual.split("not slow and ")
    pytest = before + after  # slow tests catch mutants, too
    tests += [f"--deselect={name}" for name in LEFT_OUT]
    text = _PROJECT.format(pytest=pytest, room=room, generated=list(GENERATED), copied=list(COPIED), tests=tests)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def find_source(folder: Path, module: str) -> Path:
    """Return the path of a module below the folder of its room."""
    return folder / f"{module.replace('.', '/')}.py"


def draw_sample(room: str, modules: list[str], count: int, seed: int, folder: Path, python: Path) -> list[str]:
    """Return the names of at most `count` random mutants of `room`; the same seed gives the same names."""
    sources = folder / "firmware" / room
    named = [find_source(sources, module) for module in modules] or sorted(sources.rglob("*.py"))
    paths = [path for path in (path.relative_to(folder).as_posix() for path in named) if path not in GENERATED]
    command = [str(python), "-c", _NAMES, *paths]
    names = call(command, "mutmut cannot list the mutants", cwd=folder).split()
    return random.Random(seed).sample(names, min(count, len(names)))


def mutmut(folder: Path, python: Path, *arguments: str) -> str:
    """Run mutmut in `folder` and return its output; its progress goes to a log there."""
    log = folder / "mutmut.log"
    with log.open("w", encoding="utf-8") as errors:
        done = subprocess.run(
            [str(python), "-m", "mutmut", *arguments],
            cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
    if done.returncode:
        with log.open("a", encoding="utf-8") as errors:
            errors.write(done.stdout)
        raise Refusal(f"mutmut {arguments[0]} failed; its words are in {log}")
    return done.stdout


def read_results(printed: str) -> dict[str, str]:
    """Return the state of each mutant from what `mutmut results --all true` printed."""
    return dict(re.findall(r"^\s*(firmware\.\S+): (.+?)\s*$", printed, re.MULTILINE))


def module_of(mutant: str) -> str:
    return mutant.rpartition(".")[0].split(".", 2)[2]


def tabulate(states: dict[str, str]) -> tuple[str, float]:
    """Return a table of the modules, and the total score in percent."""
    dead = Counter(module_of(mutant) for mutant, state in states.items() if state in DEAD)
    total = Counter(map(module_of, states))
    counts = [(module, total[module], dead[module]) for module in sorted(total)]
    counts.append(("all", total.total(), dead.total()))
    rows = [
        (module, str(count), str(killed), str(count - killed), f"{100 * killed / count:.1f} %")
        for module, count, killed in counts
    ]
    table = markdown.lay_out(("module", "mutants", "dead", "survive", "score"), rows)
    return table, 100 * dead.total() / total.total()


def main() -> int:
    """Run the command line; return 1 for a score below LEAST_PERCENT, 2 without a score."""
    words = f"Run mutation tests of the firmware; at least {LEAST_PERCENT:g} % of the mutants must be killed."
    parser = terminal.Parser(prog="python -m tools.mutants", description=words)
    words = "folder of firmware/ to mutate (default: engine)"
    parser.add_argument("--room", choices=sorted(ROOMS), default="engine", help=words)
    words = "mutate only this module, such as recordings.rewind"
    parser.add_argument("--module", action="append", default=[], help=words)
    add_number(parser, "--sample", 1, None, None, "try only a random sample of this size")
    add_number(parser, "--seed", 0, None, 1, "seed of the sample")
    add_number(parser, "--children", 1, None, 1, "number of mutants to try at once")
    add_flag(parser, "--show", "print the survivors of the last run as diffs; run nothing")
    add_fill(parser, "put the table into tests/README.md")
    return parser.run(run, None)


def run(options: argparse.Namespace) -> int:
    """Try the mutants, or show those of the last run; print survivors and score. Raise Refusal."""
    folder = Path(tempfile.gettempdir()) / f"skyline-mutants-{options.room}"
    check(options, folder)
    python = python_with(*REQUIREMENTS)
    if not options.show:
        try_mutants(options, folder, python)
    states = read_results(mutmut(folder, python, "results", "--all", "true"))
    tried = {mutant: state for mutant, state in states.items() if state != "not checked"}
    if not tried:
        raise Refusal("mutmut made no mutants")
    for mutant, state in tried.items():
        if state not in DEAD:
            print(mutmut(folder, python, "show", mutant) if options.show else f"{mutant}: {state}")
    table, score = tabulate(tried)
    markdown.show(table, PAGE, "mutants", f"python -m tools.mutants {' '.join(sys.argv[1:])}", options.fill)
    return 0 if score >= LEAST_PERCENT else 1


def check(options: argparse.Namespace, folder: Path) -> None:
    """Refuse what cannot be tried or shown."""
    if sys.platform == "win32":
        raise Refusal("mutmut needs fork(): Linux or macOS")
    for module in options.module:
        if not find_source(ROOT / "firmware" / options.room, module).is_file():
            raise Refusal(f"no module {module!r} in firmware/{options.room}")
    if options.show and not (folder / "mutants").is_dir():
        raise Refusal("no run to show: run without --show first")


def try_mutants(options: argparse.Namespace, folder: Path, python: Path) -> None:
    """Run the tests on each chosen mutant; mutmut keeps the results in `folder`."""
    names = [f"firmware.{options.room}.{module}.*" for module in options.module]
    lay_out(options.room, folder)
    if options.sample:
        names = draw_sample(options.room, options.module, options.sample, options.seed, folder, python)
    mutmut(folder, python, "run", "--max-children", str(options.children), *names)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
