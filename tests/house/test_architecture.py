"""The rules of the house: one direction of imports, small modules, no check for the simulator.

CONTRIBUTING ("Folders") tells them. import-linter's contracts are in pyproject.toml; the other rules are checked on
syntax trees, and each is also tested with a text that breaks it.
"""

import ast
import code
import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import importlinter.cli
import pytest

from firmware import residents
from firmware.router import ALONE, GAMES, loads_game
from firmware.scenes.menu import Menu
from firmware.scenes.play_state import PAUSED, PLAYING
from tests.support.board_lint import Running
from tests.support.running import ROOT, run_python

# Modules that boards and PCs share, without hardware, clock or files.
PLAIN_MODULES = {"array", "binascii", "gc", "struct", "sys"}
ONLY_IN = {"micropython": "firmware/compat.py"}
QUESTIONS = {("sys", "platform"), ("sys", "implementation"), ("sys", "version"), ("os", "uname"), ("os", "getenv")}
# May import hardware modules, read settings.toml with os.getenv and ask for the board.
DEVICE = "firmware/device/"
LONGEST_LINES = 300
# Objects that exist once, by the names of variables that hold them.
OWNERS = {"app", "context", "idling", "router", "session"}
FIRMWARE = sorted((ROOT / "firmware").rglob("*.py"))
SCENES = [path for path in FIRMWARE if re.search(r"^(class )?Scene\b", path.read_text("utf-8"), re.MULTILINE)]


def find_imports(nodes: Iterable[ast.AST]) -> list[tuple[int, str, str]]:
    """Return (line, module, name) of every import; name is '' for `import module`."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, "." * node.level + (node.module or ""), alias.name) for alias in node.names]
    return found


def find_violations(path: str, text: str) -> list[str]:
    """Return how a firmware file `path` (relative to the root) with this text breaks the rules."""
    nodes = list(ast.walk(Running().visit(ast.parse(text, path))))
    found = []
    for line, module, _ in find_imports(nodes):
        top = module.split(".")[0]
        if not path.startswith("firmware/"):
            wrong = top in ("sim", "tools", "tests")
        else:
            plain = top == "firmware" or top in PLAIN_MODULES or ONLY_IN.get(top) == path
            wrong = not plain and not path.startswith(DEVICE)
        if wrong:
            found.append(f"{path}:{line}: {module} does not belong here")
    if not path.startswith(DEVICE):
        found += [f"{path}:{line}: asks where it runs: {asked}" for line, asked in find_questions(nodes)]
    if len(text.splitlines()) >= LONGEST_LINES:
        found.append(f"{path}: {len(text.splitlines())} lines; a board compiles a module at once")
    return found


def find_questions(nodes: Sequence[ast.AST]) -> list[tuple[int, str]]:
    """Return (line, text) of each question about the platform."""
    asked = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in QUESTIONS:
                asked.append((node.lineno, f"{node.value.id}.{node.attr}"))
        elif isinstance(node, ast.Name) and "simulat" in node.id.lower():
            asked.append((node.lineno, node.id))
    asked += [(line, f"{module}.{name}") for line, module, name in find_imports(nodes) if (module, name) in QUESTIONS]
    return asked


def test_imports_keep_the_contracts_of_pyproject_toml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", list(sys.path))  # lint_imports puts the root in front
    assert importlinter.cli.lint_imports(str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_imports_for_types_keep_the_order_of_the_rooms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", list(sys.path))
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    strict = tmp_path / "pyproject.toml"
    strict.write_text(text.replace("exclude_type_checking_imports = true", ""), "utf-8")
    assert importlinter.cli.lint_imports(str(strict), ("house", "rooms"), no_cache=True) == 0


def test_firmware_keeps_the_rules_of_the_house() -> None:
    paths = [path.relative_to(ROOT).as_posix() for path in FIRMWARE]
    found = {path: find_violations(path, (ROOT / path).read_text("utf-8")) for path in [*paths, "code.py", "boot.py"]}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_no_private_constant_copies_one_of_another_module() -> None:
    """tools.deploy inlines public constants, so a copy saves nothing."""
    texts = [(path.name, path.read_text("utf-8")) for path in (ROOT / "firmware").rglob("*.py")]
    found = {name for name, text in texts if re.search(r"^_\w+ = .*# as (?:in|of) ", text, re.MULTILINE)}
    assert found == {"chords.py", "journal_compaction.py", "half_match.py"}, (
        "firmware/device may not import the engine, and the journal may not import in a circle"
    )


def find_unexplained(text: str) -> list[str]:
    """Return the functions that ruff may find too complex and that no comment above explains."""
    wanted = re.compile(r"^(?!\s*(?:#|@))(?:.*\n)((?:\s*@.*\n)*)(\s*def \w+).*# noqa: C901", re.MULTILINE)
    return [found[2].split()[-1] for found in wanted.finditer("\n" + text)]


def test_a_function_that_is_too_complex_for_ruff_says_why() -> None:
    texts = {
        path: path.read_text("utf-8")
        for room in ("firmware", "sim", "tools", "tests")
        for path in (ROOT / room).rglob("*.py")
    }
    assert {path.name: names for path, text in texts.items() if (names := find_unexplained(text))} == {}


@pytest.mark.parametrize(
    ("above", "found"),
    [
        ("", ["look"]),
        ("x = 1\n", ["look"]),
        ("x = 1\n@compiled\n", ["look"]),
        ("# Flat: a call takes 10 us.\n", []),
        ("# Flat: a call takes 10 us.\n@compiled\n", []),
    ],
)
def test_a_function_without_a_reason_is_found(above: str, found: list[str]) -> None:
    assert find_unexplained(f"{above}def look(at):  # noqa" + ": C901\n    pass\n") == found


def is_owner(node: ast.AST) -> bool:
    """Return True for a name or attribute in OWNERS, like `session` or `self.context`."""
    return getattr(node, "id", None) in OWNERS or getattr(node, "attr", None) in OWNERS


def find_intrusions(text: str) -> list[str]:
    """Return where a module sets or deletes an attribute of an object in OWNERS, except on `self`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and is_owner(node.value):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr"):
            found += [ast.unparse(node)] * is_owner(node.args[0])
    return found


def test_only_its_own_class_sets_attributes_of_app_and_its_parts() -> None:
    found = {path.relative_to(ROOT).as_posix(): find_intrusions(path.read_text("utf-8")) for path in FIRMWARE}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("context.mapping = None", ["context.mapping"]),
        ("self.context.session.variant += 1", ["self.context.session.variant"]),
        ("a, self.app.edges = b", ["self.app.edges"]),
        ("router.name: str = ''\ndel idling.idle_s", ["router.name", "idling.idle_s"]),
        ("setattr(self.session, 'seed', 1)", ["setattr(self.session, 'seed', 1)"]),
        ("self.session = context.session\nrouter.scene.game = context.session.suspended", []),
    ],
)
def test_code_that_sets_attributes_of_others_is_found(text: str, found: list[str]) -> None:
    assert sorted(find_intrusions(text)) == sorted(found)


def load_scene(path: Path) -> Any:
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)).Scene


@pytest.mark.parametrize("path", SCENES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_scene_declares_its_kind_and_keeps_a_list_of_residents(path: Path) -> None:
    """See firmware/router.py."""
    scene = load_scene(path)
    sources = map(inspect.getsource, scene.__mro__[:-1])
    passes_buttons = any(re.search(r"\.input\(\w*\b(number, )?button, ", source) for source in sources)
    assert scene.kind in ("menu", "play", "watch")
    assert hasattr(scene, "steered") == (scene.kind == "play") == passes_buttons
    assert not passes_buttons or scene.steered >> PLAYING & 1 > scene.steered >> PAUSED & 1
    kept = {getattr(scene, name, "") for name in ("keeps", "leaves")} - {ALONE, ""}
    assert kept <= {value for name, value in vars(residents).items() if name.isupper()}


@pytest.mark.parametrize("path", SCENES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_in_a_room_of_games_just_menus_have_names_of_menus(path: Path) -> None:
    room, scene = path.parent.name, load_scene(path)
    if room in GAMES.split():
        assert loads_game(f"{room}.{path.stem}") != issubclass(scene, Menu)
    else:
        assert scene.kind != "play" or room in ("match", "link")  # they announce themselves


def test_firmware_package_itself_is_empty_of_imports() -> None:
    assert find_imports(ast.walk(ast.parse((ROOT / "firmware/__init__.py").read_text("utf-8")))) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        *(("firmware/engine/matrix.py", f"import {name}") for name in ("time", "random")),
        ("firmware/engine/matrix.py", "from micropython import const"),
        ("firmware/engine/matrix.py", "def late():\n    import supervisor"),
        ("firmware/view/canvas.py", "import displayio"),
        ("firmware/save/recordings/recording.py", "import os"),
        ("firmware/app.py", "from tools import measure"),
        ("firmware/app.py", "import tests.keys"),
        ("firmware/app.py", "import sys\nif sys.platform == 'linux':\n    pass"),
        ("firmware/app.py", "import sys\nname = sys.implementation.name"),
        ("firmware/app.py", "from sys import platform"),
        ("firmware/app.py", "if is_simulated:\n    pass"),
        ("firmware/app.py", "x = 1\n" * LONGEST_LINES),
        ("code.py", "import sim"),
        ("boot.py", "import tools.deploy"),
    ],
)
def test_rule_refuses(path: str, text: str) -> None:
    assert find_violations(path, text) != []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("firmware/compat.py", "from micropython import const"),
        ("firmware/engine/game.py", "from firmware.engine.matrix import Matrix\nfrom firmware.compat import const"),
        ("firmware/engine/game.py", "from firmware import compat"),
        ("firmware/view/play.py", "from firmware.engine.tables import SHAPES\nfrom firmware.view import canvas"),
        ("firmware/scenes/play/play.py", "from firmware.view import canvas\nimport gc, sys\ndel sys.modules['x']"),
        ("firmware/device/boot/pico.py", "import board\nfrom firmware.view.canvas import Canvas"),
        ("firmware/app.py", "from firmware.device.edges import EdgeQueue\nfrom firmware.scenes.play import play"),
        ("code.py", "from firmware.device.boot import pico\nfrom firmware.app import run"),
    ],
)
def test_rule_allows(path: str, text: str) -> None:
    assert find_violations(path, text) == []


def test_standard_library_code_is_not_shadowed() -> None:
    assert hasattr(code, "InteractiveConsole")


def test_root_is_at_the_end_of_the_path() -> None:
    places = [Path(entry or ".").resolve() for entry in sys.path]
    assert places.count(ROOT) == 1 and places[-1] == ROOT


@pytest.mark.parametrize("package", ["sim", "tools"])
def test_our_programs_import_the_standard_librarys_code(package: str) -> None:
    """`python -m sim` and `python -m tools.X` start with the root in front of sys.path."""
    name = "sim.__main__" if package == "sim" else "tools"
    script = f"import sys; sys.path.insert(0, ''); import {name}, code; print(hasattr(code, 'InteractiveConsole'))"
    done = run_python("-c", script)
    assert done.stdout.strip().endswith("True"), done.stderr


def test_importing_code_py_does_nothing() -> None:
    """Importing our code.py by mistake must neither start a game nor raise ImportError."""
    script = "import runpy; print(sorted(runpy.run_path('code.py', run_name='code').keys() - {'__name__'}) and 'quiet')"
    done = run_python("-c", script)
    assert done.stdout.strip() == "quiet", done.stderr


CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}
CLOCKS |= {"time_ns", "monotonic_ns", "perf_counter_ns"}


def find_clocks(text: str) -> list[str]:
    """Return the uses of clocks, deadlines and timeouts in a test: they depend on the computer's speed."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time":
            found += [f"time.{node.attr}"] * (node.attr in CLOCKS)
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            found += [f"time.{alias.name}" for alias in node.names if alias.name in CLOCKS]
        elif isinstance(node, ast.keyword) and node.arg in ("timeout", "deadline"):
            found += [f"{node.arg}="] * (not isinstance(node.value, ast.Constant) or node.value.value is not None)
    return found


def test_no_test_depends_on_how_fast_the_computer_is() -> None:
    # Except a handheld that runs in its own process by the real clock.
    paths = sorted({*(ROOT / "tests").rglob("*.py")} - {ROOT / "tests" / "processes" / "linked_side.py"})
    assert [(path.name, found) for path in paths if (found := find_clocks(path.read_text("utf-8")))] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import time\nbegun = time.perf_counter()", ["time.perf_counter"]),
        ("from time import monotonic", ["time.monotonic"]),
        ("subprocess.run([], timeout=60)", ["timeout="]),
        ("settings(deadline=None)\ntime.sleep(1)", []),
    ],
)
def test_clocks_and_timeouts_are_found(text: str, found: list[str]) -> None:
    assert find_clocks(text) == found


def test_no_test_imports_another() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        modules = [module for _line, module, _name in find_imports(list(ast.walk(ast.parse(path.read_text("utf-8")))))]
        found += [f"{path}: {module}" for module in modules if ".test_" in module]
    assert found == []


def test_contributing_explains_each_module_outside_a_room() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("outside a room:")[2].partition("\n\nImports")[0]
    modules = {path.stem for path in (ROOT / "firmware").glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", text)) == modules
