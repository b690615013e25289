"""Each recipe of CONTRIBUTING, carried out in a copy as its page says: the feature shows, and all tests stay green."""

import re
from pathlib import Path

import pytest

from tests.support.copied import copy_clone
from tests.support.recipes import carry_out, find_section, run_in
from tests.support.running import ROOT, SLOW_TOO

CONTRIBUTING = "CONTRIBUTING.md"
DEVICE = "firmware/device/README.md"
# By recipe: its page and heading, and the tests that know of what it adds.
RECIPES = {
    "mode": ("firmware/modes/README.md", "Your first mode in 60 lines"),
    "option": (CONTRIBUTING, "Add an option"),
    "scene": (CONTRIBUTING, "Add a scene"),
    "sound": (CONTRIBUTING, "Add a sound"),
    "opener": ("tools/openers/README.md", "Add an opener"),
    "puzzle": ("tools/puzzles/README.md", "Add a puzzle"),
    "display": (DEVICE, "Add a display"),
    "board": (DEVICE, "Add a board"),
}
LONG = ("opener", "board")  # their commands take longer than half a minute
HOUSE = " ".join(f"tests/house/test_{name}.py" for name in ("architecture", "lint_board", "prose", "docstrings"))
GAME = (
    "tests/save tests/scenes tests/sound tests/view tests/modes/test_modes_registry.py tests/modes/test_modes_scenes.py"
    " tests/sim/test_library.py tests/tools/test_deploy_fat.py tests/tools/test_deploy_space.py"
)
ROOMS = {
    **dict.fromkeys(("mode", "option", "scene", "sound"), GAME),
    "opener": "tests/modes/test_openers.py tests/save tests/scenes",
    "puzzle": "tests/modes/test_puzzles.py tests/save tests/scenes",
    "board": "tests/device tests/sim/test_sim_screen.py",
    "display": "tests/device tests/sim/test_sim_screen.py tests/release tests/tools/test_deploy_naming.py"
    " tests/tools/test_deploy_space.py",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return copy_clone(tmp_path / "copy")


def find_tests(name: str) -> str:
    """Return the tests that a recipe names, which tell a newcomer first what is wrong."""
    return " ".join(re.findall(r"`pytest ([^`]+)`", find_section(*RECIPES[name])))


def check(copy: Path, rooms: str) -> None:
    status, words = run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SLOW_TOO, *rooms.split())
    assert status == 0, words


def add_option_of_a_game(copy: Path) -> None:
    carry_out(*RECIPES["option"], copy)
    path = copy / "firmware/options.txt"
    text = path.read_text(encoding="utf-8")
    place = 1 + max(int(place) for place in re.findall(r"^option: \w+ (\d\d?) ", text, re.M))
    text = re.sub(r"chime \d+", f"chime {place}", text).replace("sound CHIME", "extras CHIME")
    path.write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in RECIPES])
def test_what_a_recipe_adds_is_there(name: str, copy: Path) -> None:
    carry_out(*RECIPES[name], copy)
    status, words = run_in(copy, "tests/processes/added.py", name)
    assert status == 0 and words.endswith("it is there\n"), words
    if said := find_tests(name):
        check(copy, said)


@pytest.mark.slow
@pytest.mark.parametrize("rooms", ["named", pytest.param("all", marks=pytest.mark.long)])
def test_an_option_of_a_game_takes_a_place_below_100(rooms: str, copy: Path) -> None:
    """The example is a setting; its other numbers and words are as good for a game."""
    add_option_of_a_game(copy)
    check(copy, find_tests("option") if rooms == "named" else f"{ROOMS['option']} {HOUSE}")


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
