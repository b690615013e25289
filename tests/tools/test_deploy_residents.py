"""The lists of firmware/residents.py follow the imports of the firmware, so a new module changes none of them."""

import ast
import importlib
from argparse import Namespace
from types import ModuleType

import pytest

from firmware import residents
from firmware import router as router_module
from firmware.router import ALONE, Router, lists
from sim.terminal import Refusal
from tools.deploy import image
from tools.deploy import residents as generator
from tools.deploy.residents import LISTS, Imports, Trees, close, find_imports, list_all, read_trees

SOURCES = image.read_sources()
COMMITTED = {name: getattr(residents, name) for name in LISTS}
NEW = {
    "firmware/view/menu.py": "def draw():\n    pass\n",
    "firmware/scenes/match/poem.py": "from firmware.match import match\n",
    "firmware/engine/news.py": "TOLD = 1\n",
}

USE = "from firmware.view import menu as more\nmore.draw()\n"


@pytest.fixture(scope="module")
def trees() -> Trees:
    return read_trees(SOURCES)


@pytest.fixture(scope="module")
def imports(trees: Trees) -> Imports:
    return find_imports(trees)


@pytest.fixture
def parsed(trees: Trees, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse only what a test changes; it changes no constant."""
    known = dict(zip(SOURCES.values(), trees.values(), strict=True))
    read_tree = generator.read_tree
    monkeypatch.setattr(generator, "read_tree", lambda text, shared: known.get(text) or read_tree(text, shared))


def add(path: str, line: str) -> dict[str, str]:
    """Return the sources with one more line at the end of a module."""
    return {**SOURCES, path: SOURCES[path] + "\n\n" + line}


@pytest.mark.usefixtures("parsed")
def test_a_new_module_of_a_menu_changes_nothing_that_stays() -> None:
    sources = {**add("firmware/scenes/menus/main.py", USE), **NEW}
    new = {path.removesuffix(".py").replace("/", ".").removeprefix("firmware.") for path in NEW}
    made = list_all(sources)
    assert made == list_all(SOURCES)
    assert not [(name, module) for name in LISTS for module in new if lists(COMMITTED[name], module)]


@pytest.mark.usefixtures("parsed")
def test_what_a_game_imports_stays_with_it() -> None:
    sources = {**add("firmware/view/playfield.py", USE), **NEW}
    assert "view.menu" in list_all(sources)["STAY"][1], "small, so it comes with the playfield"


@pytest.mark.usefixtures("parsed")
def test_a_module_imported_late_stays_where_its_import_says_so() -> None:
    line = "def late():\n    from firmware.engine import news  # residents: {}\n"
    sources = {**add("firmware/scenes/match/play.py", line.format("MATCH")), **NEW}
    made = list_all(sources)
    assert {name for name in LISTS if "engine.news" in made[name][1]} == {"MATCH"}
    with pytest.raises(Refusal, match=r"^firmware/app\.py: there is no list 'RIVALS'; there are STAY, GAME, "):
        list_all({**add("firmware/app.py", line.format("RIVALS")), **NEW})


@pytest.mark.parametrize("name", LISTS)
def test_every_listed_module_exists_once_and_is_no_prefix(name: str) -> None:
    words = [word for word in COMMITTED[name].split() if word not in ("|", ALONE)]
    assert len(set(words)) == len(words) and COMMITTED[name].endswith(" ")
    for word in words:
        importlib.import_module(f"firmware.{word}")


@pytest.mark.parametrize("name", LISTS)
def test_each_list_has_all_that_its_modules_import(name: str, imports: Imports) -> None:
    staying = "" if COMMITTED[name].startswith(ALONE) else COMMITTED["STAY"]
    listed = {*(staying + COMMITTED[name]).split()} - {"|", ALONE, "scenes"}
    assert {*close(" ".join(listed), imports, close("app", imports, []))} <= listed


def test_a_match_loads_each_module_after_those_that_it_imports(imports: Imports) -> None:
    for name in ("GAME", "MATCH", "LINK"):
        order = (COMMITTED["STAY"].partition("|")[0] + COMMITTED[name].partition("|")[0]).split()
        for at, module in enumerate(order):
            assert not {*imports[module]} & {*order[at + 1 :]}, module


def test_a_start_forgets_only_modules_that_the_game_does_not_import(trees: Trees, imports: Imports) -> None:
    (listed,) = (
        ast.literal_eval(node.value)
        for node in trees["device.boot.pico"].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_START_MODULES"
    )
    assert {*listed.split()} <= {*imports, "device.boot"}
    assert not {*listed.split()} & {*close("app save.recorder", imports, [])}


@pytest.mark.parametrize(
    ("names", "name", "found"),
    [
        ("view.menu ", "view.menu", True),
        ("view.menu ", "view", True),
        ("view.menu ", "view.m", False),
        ("view.menu ", "menu", False),
        ("view.menu_bar view.menu ", "view.menu", True),
        ("view.menu_bar ", "view.menu", False),
        ("", "view.menu", False),
    ],
)
def test_a_list_has_whole_names_and_their_packages(names: str, name: str, found: bool) -> None:
    assert lists(names, name) == found


@pytest.mark.parametrize(
    ("keeps", "dropped"),
    [
        (residents.GAME, {"view.lines"}),
        ("", {"view.lines", "scenes.play"}),
        (residents.REFUSAL, {"view.lines", "scenes.play", "view.playfield"}),
    ],
    ids=["game", "nothing", "alone"],
)
def test_a_router_drops_what_no_list_names(monkeypatch, keeps: str, dropped: set[str]) -> None:
    names = (
        "sys",
        "firmware",
        *(f"firmware.{name}" for name in ("view.lines", "view.playfield", "scenes.play", "app")),
    )
    modules = {name: ModuleType(name) for name in names}
    monkeypatch.setattr(router_module, "sys", Namespace(modules=modules))
    router = Router()
    router.resident = {"firmware.app"}
    router.drop(keeps)
    assert {*names} - {*modules} == {f"firmware.{name}" for name in dropped}
