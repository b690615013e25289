"""Each recipe of CONTRIBUTING, carried out in a copy as its page says: the feature shows, and all tests stay green."""

import re
from pathlib import Path

import pytest

from tests.support.copied import copy_clone
from tests.support.recipes import carry_out, find_section, run_in
from tests.support.running import ROOT

CONTRIBUTING = "CONTRIBUTING.md"
DEVICE = "firmware/device/README.md"
# By recipe: its page and heading, and the tests that know of what it adds.
RECIPES = {
    "mode": ("firmware/modes/README.md", "Your first mode in 60 lines"),
    "option": (CONTRIBUTING, "Add an option"),
    "scene": (CONTRIBUTING, "Add a scene"),
    "sound": (CONTRIBUTING, "Add a sound"),
    "opener": ("tools/openers/README.md", "Add an opener"),
    "display": (DEVICE, "Add a display"),
    "board": (DEVICE, "Add a board"),
}
SLOW = ("opener", "board")  # their commands take longer than half a minute
HOUSE = "tests/house/test_architecture.py tests/house/test_lint_board.py tests/house/test_prose.py"
GAME = "tests/save tests/scenes tests/sound tests/view tests/modes/test_modes_registry.py tests/sim/test_library.py"
ROOMS = {
    **dict.fromkeys(("mode", "option", "scene", "sound"), GAME),
    "opener": "tests/modes/test_openers.py tests/save tests/scenes",
    "board": "tests/device tests/sim/test_sim_screen.py",
    "display": "tests/device tests/sim/test_sim_screen.py tests/release tests/tools/test_deploy_naming.py"
    " tests/tools/test_deploy_space.py",
}
# Quick tests of the texts and lists that a newcomer gets wrong first.
QUICK = {
    "mode": "tests/modes/test_modes_registry.py tests/save/test_save_scores.py tests/view/test_view_text.py"
    " tests/scenes/test_scenes_help.py::TestText",
    "option": "tests/save/test_save_settings.py tests/view/test_view_text.py",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return copy_clone(tmp_path / "copy")


def check(copy: Path, rooms: str) -> None:
    status, words = run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *rooms.split())
    assert status == 0, words


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW)) for name in RECIPES])
def test_what_a_recipe_adds_is_there(name: str, copy: Path) -> None:
    carry_out(*RECIPES[name], copy)
    status, words = run_in(copy, "tests/processes/added.py", name)
    assert status == 0 and words.endswith("it is there\n"), words
    if name in QUICK:
        check(copy, QUICK[name])


@pytest.mark.long
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_turns_no_test_red(name: str, copy: Path) -> None:
    carry_out(*RECIPES[name], copy)
    check(copy, f"{ROOMS[name]} {HOUSE}")


@pytest.mark.parametrize("heading", re.findall(r"^### (Add .*)", (ROOT / CONTRIBUTING).read_text("utf-8"), re.M))
def test_a_recipe_has_at_most_eight_lines_beside_its_examples(heading: str) -> None:
    words = re.sub(r"^ *```.*?^ *```\n", "", find_section(CONTRIBUTING, heading), flags=re.M | re.S)
    assert len([line for line in words.splitlines() if line]) <= 8


def test_the_whole_mode_of_the_readme_has_at_most_sixty_lines() -> None:
    blocks = re.findall(r"^```\w+\n(.*?)^```", find_section(*RECIPES["mode"]), re.M | re.S)
    assert len("".join(blocks).splitlines()) <= 60
