"""Build the files of a board's drive: bytes by path, in the order of copying, with code.py last."""

import ast
import hashlib
import importlib.util
import re
import sys
from pathlib import Path

from firmware.device import profiles
from firmware.device.libraries import LIBRARIES
from firmware.device.wiring import DIRECT, KEYS, OWN, PREFIX
from sim.terminal import tell_install
from tools import ROOT
from tools.deploy import DeployError, arguments, bundling, compiling, lining, minifying, naming, rom, stripping
from tools.deploy.inlining import CALLED, find_constants, inline_constants

# CircuitPython needs these at the root, and as sources.
AT_ROOT = {"firmware/safemode.py": "safemode.py", "boot.py": "boot.py", "code.py": "code.py"}
# Only bots, measurements and tests use these; neither a board nor a page loads them.
ON_PC = ("firmware/players/alone.py", "firmware/players/computer_team.py", "firmware/save/recordings/link_trace.py")
# Tests and PCs use these, also with a page's files or sources; a board's compiled files leave them out.
# A board has no second bank to copy a journal to.
ON_PAGE = ("firmware/save/journal_copy.py", "firmware/save/recordings/recording_trace.py")
# A collection marks the loaded modules from the last slot of their hash table to the first; its stack has 64 places. By
# its own name the module with most names has the last of 47 slots. In a match the stack then overflows, and each
# collection takes 24 ms. By this name it has one of the first slots, and they take 12 ms.
BY_PATH = {"firmware/app.py": "firmware/root.py"}
_BY_NAME = {path[:-3].replace("/", "."): new[:-3].replace("/", ".") for path, new in BY_PATH.items()}
KINDS = (DIRECT, *LIBRARIES, OWN)
SETTINGS = "settings.toml"
_RARE = "BOARD SPI_HZ WIDTH HEIGHT FIRST_COLUMN FIRST_ROW SCK MOSI CS DC RESET BACKLIGHT TARGET BUZZER_ENABLE"
_RARE += " I2C_HZ I2S_BIT_CLOCK I2S_WORD_SELECT I2S_DATA LINK_TX LINK_RX LINK_USB"
USUAL = [row for row in KEYS if row[0] not in _RARE.split()]
DATA = (".bin", ".txt")
PROFILES = Path(profiles.__file__).with_suffix(".txt")
TABLE = "firmware/option_table.py"  # minified sources contain its results instead of calling it


def build(
    display: str,
    head: bytes | None = None,
    minified: bool = True,
    cache: minifying.Cache | None = None,
    sources: dict[str, str] | None = None,
) -> dict[str, bytes]:
    """Return the files of the drive by their path there.

    display: the value of SKYLINE_DISPLAY, which selects the library in lib/.  head: first bytes of compiled files, None
    for sources (see compiling.py).  cache: results of the last run; compiled files and sources need separate ones.
    sources: by default those of read_sources().  Raise DeployError.
    """
    sources = sources or read_sources()
    at_root = AT_ROOT.values()
    if head:
        sources = prepare(sources, cache)
        others = (*at_root, *ON_PAGE)
        image = compiling.compile_all({name: sources[name] for name in sources if name not in others}, head)
    else:
        sources = minifying.minify_all(sources, cache) if minified else sources
        image = {name: sources[name].encode() for name in sources if name not in at_root}
    if display in LIBRARIES:
        name = LIBRARIES[display][0]
        image = {f"lib/{name}.py": read_library(name), **image}
    plain = not (head or minified)
    if plain:
        image[TABLE] = (ROOT / TABLE).read_bytes()
    uncompiled = {name: sources[name].encode() for name in AT_ROOT.values() if name in sources}
    return image | read_data(plain) | uncompiled


def prepare(sources: dict[str, str], cache: minifying.Cache | None = None) -> dict[str, str]:
    """Return sources for the compiler: stripped, and with names from the board's ROM."""
    parts = [*sorted(Path(__file__).parent.glob("*.py")), *CALLED, rom.NAMES]
    inputs = (sys.version, sources, [part.read_bytes() for part in parts])
    key = hashlib.sha256(repr(inputs).encode()).hexdigest()
    if cache and key in cache.known:
        return {name: cache.known[f"{key} {name}"] for name in cache.known[key].split()}
    trees = read_trees(sources)
    names = naming.choose(trees)
    texts = {
        BY_PATH.get(name, name): lining.lay_out(relate(name, name_modules(naming.rename(tree, names))))
        for name, tree in trees.items()
    }
    if cache:
        cache.keep({key: " ".join(texts)} | {f"{key} {name}": text for name, text in texts.items()})
    return texts


def name_modules(tree: ast.Module) -> ast.Module:
    """Import what has another name on a board by that one, in place; return the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            node.module = _BY_NAME.get(node.module, node.module)
    return tree


def relate(path: str, tree: ast.Module) -> ast.Module:
    """Make imports from a module's own package and those around it relative, in place; return the tree.

    A board keeps the last part of a module's path as a name of its own, so the shorter text costs no heap.
    """
    folders = path.split("/")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            *package, name = node.module.split(".")
            if package and package == folders[: len(package)]:
                node.level, node.module = len(folders) - len(package) + 1, name
    return tree


def read_trees(sources: dict[str, str]) -> dict[str, ast.Module]:
    """Return the stripped syntax trees of sources, with constants inlined and arguments renamed."""
    shared = find_constants(sources)
    trees = {name: inline_constants(text, shared, False) for name, text in sources.items()}
    trees = bundling.merge({name: stripping.strip(tree) for name, tree in trees.items()})
    arguments.shorten(trees)
    # Of a module with constants alone nothing is left, and nobody imports it.
    return {name: tree for name, tree in trees.items() if not all(isinstance(each, ast.Pass) for each in tree.body)}


def read_sources() -> dict[str, str]:
    """Return our own sources by their paths on the drive, without ON_PC, TABLE and every `__init__.py` without code.

    A board also imports a folder without `__init__.py`, and that saves 60 bytes of heap.
    """
    paths = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "firmware").rglob("*.py"))}
    for name in (TABLE, *ON_PC):
        del paths[name]
    places = {name: path for name, path in paths.items() if name not in AT_ROOT}
    places |= {place: ROOT / name for name, place in AT_ROOT.items()}
    texts = {name: path.read_text(encoding="utf-8") for name, path in places.items()}
    return {name: text for name, text in texts.items() if not name.endswith("__init__.py") or _has_code(text)}


def _has_code(text: str) -> bool:
    return not all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in ast.parse(text).body)


def read_data(plain: bool = False) -> dict[str, bytes]:
    """Return the firmware's data files by their paths on the drive; texts without comments, others with no first words.

    plain: also include the files that only unminified sources read.
    """
    paths = [path for path in sorted((ROOT / "firmware").rglob("*")) if path.suffix in DATA]
    paths = [path for path in paths if plain or path not in CALLED]
    texts = {path: re.sub(rb"^#.*\n", b"", path.read_bytes(), flags=re.M) for path in paths if path.suffix == ".txt"}
    # All readers skip the first line, which tells people what makes the file.
    texts |= {path: b"\n" + path.read_bytes().partition(b"\n")[2] for path in paths if path.suffix == ".bin"}
    # A board reads no words in small letters but the name.
    texts[PROFILES] = re.sub(rb"^(?!board:)[a-z].*\n?", b"", texts[PROFILES], flags=re.M)
    return {path.relative_to(ROOT).as_posix(): texts[path] for path in paths}


def read_library(name: str) -> bytes:
    """Return an installed library for boards, not minified: its licence demands the copyright notice.

    Raise DeployError if it is missing.
    """
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise DeployError(f"{name_package(name)} is not installed; {tell_install('deploy')}")
    return Path(found.origin).read_bytes()


def name_package(module: str) -> str:
    return module.replace("adafruit", "adafruit-circuitpython", 1).replace("_", "-")


def settings_text() -> str:
    """Return a settings.toml with the usual keys as comments, at their defaults.

    A board reads the whole file for each key, so a longer one would delay the first picture.
    """
    lines = ["# Pins, display: remove a # and change the value."]
    for key, default, allowed in USUAL:
        value = f'"{default}"' if isinstance(default, str) else hex(default) if key == "I2C_ADDRESS" else str(default)
        words = (
            "" if isinstance(allowed, str) else "  # " + (" to " if len(allowed) == 2 else ", ").join(map(str, allowed))
        )
        lines.append(f"# {PREFIX}{key} = {value}{words}")
    return "\n".join(lines) + "\n"
