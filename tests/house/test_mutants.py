"""`python -m tools.mutants`: its lists of tests are valid, and the tests notice most changes."""

import re

import pytest

from tests.support.running import ROOT, run_python
from tools import mutants


@pytest.mark.parametrize("room", mutants.ROOMS)
def test_every_test_file_of_a_room_exists(room: str) -> None:
    """A renamed file would silently notice no change."""
    assert [name for name in mutants.ROOMS[room] if not list((ROOT / "tests").glob(f"*/{name}"))] == []


def test_every_test_in_too_long_exists() -> None:
    for name in mutants.TOO_LONG:
        path, *_classes, test = name.split("::")
        assert re.search(rf"(def|class) {test}\b", (ROOT / path).read_text(encoding="utf-8"))


def test_the_table_on_the_page_has_the_printed_form() -> None:
    table = mutants.PAGE.read_text(encoding="utf-8").partition(" --sample 200 --fill` -->\n")[2].partition("<!-- /")[0]
    counts = re.findall(r"\| (\w+) +\| +(\d+) \| +(\d+) \|", table)[:-1]
    states = {f"firmware.engine.{name}.{n}": "killed" if n < int(dead) else "survived"
              for name, made, dead in counts for n in range(int(made))}  # fmt: skip
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
