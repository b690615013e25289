"""`python -m tools.mutants`: its lists of tests are valid, and the tests notice most changes."""

import re
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest

from tests.support.running import ROOT, run_python
from tools import mutants


@pytest.mark.parametrize("room", mutants.ROOMS)
def test_every_test_file_of_a_room_exists(room: str) -> None:
    """A renamed file would silently notice no change, and so would one that the list forgets."""
    assert [name for name in mutants.ROOMS[room] if not list((ROOT / "tests").glob(name))] == []
    assert {*(ROOT / "tests" / room).glob("test_*.py")} <= {*mutants.list_tests(room)}


def test_every_test_that_is_left_out_exists() -> None:
    for name in mutants.LEFT_OUT:
        path, *_classes, test = name.split("::")
        assert re.search(rf"(def|class) {test}\b", (ROOT / path).read_text(encoding="utf-8"))


def normalize(name: str) -> str:
    """Return the form of a package's name in which equal ones are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_required(names: list[str]) -> set[str]:
    """Return the names of packages with all that they require, as far as they are installed here."""
    found: set[str] = set()
    while names:
        name = normalize(re.split(r"[^\w.-]", names.pop())[0])
        if name not in found:
            try:
                names += [line for line in requires(name) or [] if "extra ==" not in line]
            except PackageNotFoundError:
                continue
            found.add(name)
    return found


@pytest.mark.every
def test_the_tests_of_all_rooms_load_with_the_required_packages() -> None:
    """In a process that finds no other package."""
    needed = list_required([*mutants.REQUIREMENTS])
    lacking = [name for name, makers in packages_distributions().items() if not {*map(normalize, makers)} & needed]
    paths = [path for room in mutants.ROOMS for path in mutants.list_tests(room)]
    modules = sorted({".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths})
    script = f"import sys\nsys.modules |= dict.fromkeys({lacking})\nfor name in {modules}: __import__(name)"
    done = run_python("-c", script)
    assert done.returncode == 0, done.stderr


def test_the_table_on_the_page_has_the_printed_form() -> None:
    table = mutants.PAGE.read_text(encoding="utf-8").partition(" --sample 200 --fill` -->\n")[2].partition("<!-- /")[0]
    counts = re.findall(r"\| (\w+) +\| +(\d+) \| +(\d+) \|", table)[:-1]
    states = {}
    for name, made, dead in counts:
        for number in range(int(made)):
            states[f"firmware.engine.{name}.{number}"] = "killed" if number < int(dead) else "survived"
    assert len(states) == 200 and mutants.tabulate(states)[0] == table


@pytest.mark.long
@pytest.mark.parametrize(
    "chosen",
    [
        "--module scoring",
        "--room match --module attack --sample 5",
        "--room players --module computers --sample 5",
        "--room save --module varint --sample 5",
    ],
)
def test_most_changes_of_a_module_are_noticed(chosen: str) -> None:
    done = run_python("-m", "tools.mutants", *chosen.split())
    assert done.returncode == 0, done.stderr
    assert "| all " in done.stdout
