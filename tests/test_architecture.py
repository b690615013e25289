"""Imports point one way, modules stay small, and nothing asks whether it is simulated.

The rules of the house (CONTRIBUTING, "The house"), proven by walking the syntax trees. Each rule is
also shown a text that breaks it, so that it cannot fall silent.
"""

import ast
import code
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.board_lint import Running

ROOT = Path(__file__).resolve().parent.parent

# What the modules of a folder may import of ours: their own folder, and these.
ALLOWED = {
    "compat": set(),
    "engine": {"compat"},
    "tetress": {"compat"},
    # Who deals against the player judges places as computer players do.
    "modes": {"compat", "engine", "tetress", "players.judge"},
    "players": {"compat", "engine"},
    "match": {"compat", "engine", "modes"},
    "link": {"compat", "engine", "match"},
    "view": {"compat", "engine", "tetress"},
    "sound": {"compat", "engine", "tetress"},
    "save": {"compat", "engine", "match", "tetress", "link"},
    "scenes": {
        *("compat", "engine", "tetress", "match", "link", "players", "modes", "view", "sound", "save"),
        *("housekeeping", "mapping", "match_modules"),
    },
    # The display shows a canvas; the rest of a Device needs nothing of ours.
    "device": {"compat", "view.canvas"},
    # The main loop composes scenes over a Device.
    "app": {"blocks", "compat", "scenes", "device.edges", "engine", "modes", "view", "sound", "save", "housekeeping"},
    "blocks": {"compat"},
    "housekeeping": {"blocks", "compat", "engine", "match_modules", "modes", "save", "scenes.menu", "view"}
    | {"device.chords", "device.half_turn"},
    "match_modules": {"compat", "view"},
    "mapping": {"compat", "device.chords"},
    # Stands at the root of a drive, like code.py.
    "safemode": {"device", "scenes"},
}
# Outside firmware: sim and tools know the firmware, tools know sim, nobody knows the tests.
# Sim knows what lets a bot play.
ALLOWED_HOSTS = {"sim": {"firmware", "tools.bots.process", "tools.bots.rival"}, "tools": {"firmware", "sim"}}

# What boards and PCs have alike and what touches neither hardware, clock nor files.
PLAIN_MODULES = {"array", "binascii", "gc", "struct", "sys"}
ONLY_IN = {"micropython": "compat"}
QUESTIONS = {("sys", "platform"), ("sys", "implementation"), ("sys", "version"), ("os", "uname"), ("os", "getenv")}
# firmware/device reads settings.toml with os.getenv and tells which board this is.
MAY_ASK = "firmware/device/"
LONGEST_LINES = 300


def imported(nodes: Iterable[ast.AST]) -> list[tuple[int, str, str]]:
    """Return (line, module, name) of every import; name is '' for `import module`."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.lineno, "." * node.level + (node.module or ""), alias.name) for alias in node.names]
    return found


def is_within(module: str, place: str) -> bool:
    return module == place or module.startswith(place + ".")


def judge_firmware_import(folder: str, module: str, name: str) -> str:
    """Return why firmware/`folder` may not import `name` from `module`, or ''."""
    if module.startswith("."):
        return "relative import"
    if is_within(module, "firmware"):
        # `from firmware import compat` and `from firmware.view import canvas` name a module.
        wanted = f"{module}.{name}".rstrip(".").split(".")[1:]
        if any(is_within(".".join(wanted), place) for place in {folder} | ALLOWED.get(folder, set())):
            return ""
        return f"firmware/{folder} may not import firmware.{'.'.join(wanted)}"
    top = module.split(".")[0]
    if top in ("sim", "tools", "tests", "code", "boot", "conftest"):
        return f"firmware may not import {top}"
    if folder == "device" or top in PLAIN_MODULES or ONLY_IN.get(top) == folder:
        return ""
    return f"{module} belongs in firmware/device"


def judge(path: str, text: str) -> list[str]:
    """Return what the file `path` (relative to the root) with this text does against the rules."""
    nodes = list(ast.walk(Running().visit(ast.parse(text, path))))
    parts = path.removesuffix(".py").split("/")
    found = []
    for line, module, name in imported(nodes):
        reason = ""
        if module.startswith("."):
            reason = "relative import"
        elif parts[0] == "firmware":
            reason = judge_firmware_import(parts[1], module, name)
        elif parts[0] in ALLOWED_HOSTS:
            ours = {"firmware", "sim", "tools", "tests", "conftest", "boot"} - {parts[0]}
            allowed = any(is_within(module, place) for place in ALLOWED_HOSTS[parts[0]])
            if module.split(".")[0] in ours and not allowed:
                reason = f"{parts[0]} may not import {module}"
        elif module.split(".")[0] in ("sim", "tools", "tests"):
            reason = f"{path} may not import {module}"
        if reason:
            found.append(f"{path}:{line}: {reason}")
    if parts[0] in ("firmware", "code", "boot"):
        if not path.startswith(MAY_ASK):
            found += [f"{path}:{line}: asks where it runs: {asked}" for line, asked in questions(nodes)]
        if len(text.splitlines()) >= LONGEST_LINES:
            found.append(f"{path}: {len(text.splitlines())} lines; a board compiles a module at once")
    return found


def questions(nodes: Sequence[ast.AST]) -> list[tuple[int, str]]:
    """Return (line, text) wherever the code asks what it runs on."""
    asked = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in QUESTIONS:
                asked.append((node.lineno, f"{node.value.id}.{node.attr}"))
        elif isinstance(node, ast.Name) and "simulat" in node.id.lower():
            asked.append((node.lineno, node.id))
    asked += [(line, f"{module}.{name}") for line, module, name in imported(nodes) if (module, name) in QUESTIONS]
    return asked


def sources() -> list[str]:
    found = [path for folder in ("firmware", "sim", "tools") for path in (ROOT / folder).rglob("*.py")]
    found += [ROOT / "code.py", ROOT / "boot.py"]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


@pytest.mark.parametrize("folder", ["firmware", "sim", "tools", "."])
def test_files_keep_the_rules_of_the_house(folder: str) -> None:
    paths = [path for path in sources() if (path.partition("/")[0] if "/" in path else ".") == folder]
    assert paths
    found = {path: judge(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths}
    assert {path: wrong for path, wrong in found.items() if wrong and path != "firmware/__init__.py"} == {}


def test_firmware_package_itself_is_empty_of_imports() -> None:
    assert imported(ast.walk(ast.parse((ROOT / "firmware/__init__.py").read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("firmware/compat.py", "from firmware.engine import matrix"),
        ("firmware/engine/matrix.py", "import firmware.view.canvas"),
        ("firmware/engine/matrix.py", "from firmware.view import canvas"),
        ("firmware/engine/matrix.py", "from firmware import view"),
        ("firmware/engine/matrix.py", "from .tables import SHAPES"),
        ("firmware/engine/matrix.py", "from . import tables"),
        ("firmware/engine/matrix.py", "import time"),
        ("firmware/engine/matrix.py", "import random"),
        ("firmware/engine/matrix.py", "from micropython import const"),
        ("firmware/engine/matrix.py", "def late():\n    import supervisor"),
        ("firmware/view/canvas.py", "import displayio"),
        ("firmware/view/canvas.py", "from firmware.scenes import play"),
        ("firmware/modes/marathon.py", "from firmware.view.canvas import Canvas"),
        ("firmware/sound/tunes.py", "from firmware.device.piezo import Piezo"),
        ("firmware/save/recording.py", "import os"),
        ("firmware/scenes/play.py", "from firmware.device.edges import EdgeQueue"),
        ("firmware/scenes/play.py", "from firmware.app import App"),
        ("firmware/device/ssd1306.py", "from firmware.engine.game import Game"),
        ("firmware/device/ssd1306.py", "from firmware.view.layout import Layout"),
        ("firmware/device/pico.py", "from sim import chip"),
        ("firmware/app.py", "from firmware.device.pico import build"),
        ("firmware/app.py", "from tools import measure"),
        ("firmware/app.py", "import tests.keys"),
        ("firmware/app.py", "import sys\nif sys.platform == 'linux':\n    pass"),
        ("firmware/app.py", "import sys\nname = sys.implementation.name"),
        ("firmware/app.py", "from sys import platform"),
        ("firmware/app.py", "if is_simulated:\n    pass"),
        ("firmware/app.py", "x = 1\n" * LONGEST_LINES),
        ("code.py", "import sim"),
        ("boot.py", "import tools.deploy"),
        ("sim/window.py", "import tools.glyphs"),
        ("sim/window.py", "from tools.bots import rival"),
        ("sim/window.py", "from tests import keys"),
        ("sim/window.py", "from .chip import Chip"),
        ("tools/measure.py", "import tests.keys"),
    ],
)
def test_rule_refuses(path: str, text: str) -> None:
    assert judge(path, text) != []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("firmware/compat.py", "from micropython import const"),
        ("firmware/engine/game.py", "from firmware.engine.matrix import Matrix\nfrom firmware.compat import const"),
        ("firmware/engine/game.py", "from firmware import compat"),
        ("firmware/view/play.py", "from firmware.engine.tables import SHAPES\nfrom firmware.view import canvas"),
        ("firmware/scenes/play.py", "from firmware.view import canvas\nimport gc\nimport sys\ndel sys.modules['x']"),
        ("firmware/device/pico.py", "import board\nfrom firmware.view.canvas import Canvas"),
        ("firmware/app.py", "from firmware.device.edges import EdgeQueue\nfrom firmware.scenes import play"),
        ("code.py", "from firmware.device import pico\nfrom firmware.app import run"),
        ("sim/window.py", "import pygame\nfrom firmware.app import App"),
        ("sim/guest.py", "from tools.bots.rival import Rival"),
        ("tools/measure.py", "from sim import chip\nfrom tools import interpreters"),
    ],
)
def test_rule_allows(path: str, text: str) -> None:
    assert judge(path, text) == []


def test_what_lets_a_bot_play_knows_nothing_of_the_simulator() -> None:
    """It may be imported there: imports go round in no circle."""
    known, new = set(), {"tools.bots.process", "tools.bots.rival"}
    while new:
        known |= new
        found = set()
        for module in new:
            path = ROOT / (module.replace(".", "/") + ".py")
            found |= {name for _, name, _ in imported(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))}
        new = {name for name in found if is_within(name, "tools")} - known
        assert not [name for name in found if is_within(name, "sim")]


def test_standard_library_code_is_not_shadowed() -> None:
    assert hasattr(code, "InteractiveConsole")


def test_root_is_at_the_end_of_the_path() -> None:
    places = [Path(entry or ".").resolve() for entry in sys.path]
    assert places.count(ROOT) == 1
    assert places[-1] == ROOT


@pytest.mark.parametrize("package", ["sim", "tools"])
def test_program_of_ours_sees_the_standard_library_code(package: str) -> None:
    """`python -m sim` and `python -m tools.X` start with the root in front of sys.path."""
    name = "sim.__main__" if package == "sim" else "tools"
    script = f"import sys; sys.path.insert(0, ''); import {name}, code; print(hasattr(code, 'InteractiveConsole'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip().endswith("True"), done.stderr


def test_importing_code_py_does_nothing() -> None:
    """Whoever imports our code.py by mistake must not start a game or miss a module."""
    script = "import runpy; print(sorted(runpy.run_path('code.py', run_name='code').keys() - {'__name__'}) and 'quiet')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip() == "quiet", done.stderr


CLOCKS = {
    "time",
    "time_ns",
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "perf_counter_ns",
    "process_time",
    "thread_time",
}


def hurries(text: str) -> list[str]:
    """Return what in a test depends on how fast this computer is: clocks of `time`, deadlines and timeouts."""
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
    paths = sorted(Path(__file__).parent.glob("*.py"))
    assert [(path.name, found) for path in paths if (found := hurries(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import time\nbegun = time.perf_counter()", ["time.perf_counter"]),
        ("from time import monotonic", ["time.monotonic"]),
        ("subprocess.run([], timeout=60)", ["timeout="]),
        ("settings(deadline=None)\ntime.sleep(1)", []),
    ],
)
def test_what_hurries_is_found(text: str, found: list[str]) -> None:
    assert hurries(text) == found
