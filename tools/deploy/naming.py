"""Replace names of the firmware by names that CircuitPython's ROM holds, so that they take no room in a board's heap.

Each name that ROM lacks costs 6 bytes and its letters as soon as a module with it is loaded. A name of
ours is another's in every file at once, so arguments by name and getattr() work as before. Names that others
read stay: modules, builtins, what the hardware calls its own.
"""

import ast
import builtins
import keyword
from collections.abc import Callable, Iterator, Mapping

from tools.deploy import rom

Names = dict[str, str]
"""By the name in the repository."""

Trees = Mapping[str, ast.Module]
"""By path on the drive."""

Nodes = list[ast.AST]
"""All of a module, itself the first."""

_OURS = "firmware"
_TO_HARDWARE = "firmware/device/"  # strings are names of pins, keys of settings.toml or files there
_BY_STRING = ("hasattr", "getattr", "setattr", "delattr")
# Hardware of CircuitPython 10.2.1 that 10.0.0 lacks.
_LATER = {"get_setting", "replace_color"}
_OF_LIBRARIES = {"is_awake", "sleep", "wake"}  # what displays can do that one of lib/ drives
# ROM has some names too few. What may be loaded in a match, where the heap is fullest, comes first.
_FIRST = tuple(
    f"firmware/{part}"
    for part in (
        "app",
        "context",
        "device",
        "engine",
        "idling",
        "link",
        "match",
        "players",
        "router",
        "save",
        "scenes/link",
        "scenes/match",
        "session",
        "sound",
        "view",
    )
)
# In its ROM, but no number and no memoryview of a board has them: tests/support/board_lint.py asks for that.
_OTHERS = {"imag", "itemsize", "obj", "readonly", "real", "release", "shape", "strides", "tobytes", "tolist"}
_RESERVED = {*keyword.kwlist, *dir(builtins), "const", *_OTHERS}
_METHODS = {name for kind in vars(builtins).values() if isinstance(kind, type) for name in dir(kind)}
_SPELLED: dict[type[ast.AST], str] = {
    ast.Attribute: "attr",
    ast.Name: "id",
    ast.FunctionDef: "name",
    ast.ClassDef: "name",
    ast.arg: "arg",
    ast.keyword: "arg",
    ast.ExceptHandler: "name",
}
_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def choose(trees: Trees) -> Names:
    """Return which names become which, the same for the same sources; those for which ROM has none left stay."""
    paths = sorted(trees, key=lambda path: (not path.startswith(_FIRST), path))
    modules = {part for path in paths for part in path.removesuffix(".py").split("/")}
    # As the App names a scene: scenes/match/pause.py is match_pause.
    scenes = {
        "_".join(path.removesuffix(".py").split("/")[2:]) for path in paths if path.startswith("firmware/scenes/")
    }
    nodes = {path: [*ast.walk(tree)] for path, tree in trees.items()}
    held = rom.load()
    kept = held | _LATER | _OF_LIBRARIES | _RESERVED | modules | scenes | _collect(_find_foreign, nodes)
    own = _collect(_find_bound, nodes) - kept
    for path in paths:
        own.difference_update(_find_texts(path, nodes[path], own))
    wanted = [name for path in paths for name in (*_find_asked(nodes[path]), *_find_stored(nodes[path])) if name in own]
    asked = _collect(_find_asked, nodes)
    wanted.sort(key=lambda name: name not in asked)
    used = _RESERVED | modules | _collect(_find_all, nodes) | _collect(_find_words, nodes)
    free = [name for name in held - used if not name.startswith("__")]
    # A builtin object has some of the names: those come last, which no object is asked for.
    free.sort(key=lambda name: (name in _METHODS, len(name), name))
    return dict(zip(dict.fromkeys(wanted), free, strict=False))


def _collect(find: Callable[[Nodes], Iterator[str]], nodes: Mapping[str, Nodes]) -> set[str]:
    """Return what is found in any module."""
    return {name for path in nodes for name in find(nodes[path])}


def rename(tree: ast.Module, names: Names) -> ast.Module:
    """Return a module with the chosen names in it, the strings among them; the tree itself is changed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                node.value = names.get(node.value, node.value)
        elif isinstance(node, ast.alias):
            node.name = names.get(node.name, node.name)
            node.asname = node.asname and names.get(node.asname, node.asname)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [names.get(name, name) for name in node.names]
        elif type(node) in _SPELLED:
            name = getattr(node, _SPELLED[type(node)])
            setattr(node, _SPELLED[type(node)], names.get(name, name))
    return tree


def _find_all(nodes: Nodes) -> Iterator[str]:
    """Yield every name in a module."""
    for node in nodes:
        if isinstance(node, ast.alias):
            yield from node.name.split(".")
            yield node.asname or node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif type(node) in _SPELLED:
            yield getattr(node, _SPELLED[type(node)]) or ""


def _find_stored(nodes: Nodes) -> Iterator[str]:
    """Yield the names of a module that a board keeps: all but those of local variables, which have none there."""
    for node in _walk_outside(nodes[0]):
        if isinstance(node, ast.Name):
            yield node.id
    for node in nodes:
        if isinstance(node, ast.alias):
            yield node.name
        elif type(node) in _SPELLED and not isinstance(node, (ast.Name, ast.ExceptHandler)):
            yield getattr(node, _SPELLED[type(node)]) or ""


def _walk_outside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in a module, but not in its functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield from _walk_outside(child)


def _find_bound(nodes: Nodes) -> Iterator[str]:
    """Yield the names to which a module gives something."""
    for node in nodes:
        if isinstance(node, ast.alias):
            yield node.asname or ""
        elif isinstance(node, (ast.Attribute, ast.Name)):
            if isinstance(node.ctx, ast.Store):
                yield getattr(node, _SPELLED[type(node)])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.arg)):
            yield getattr(node, _SPELLED[type(node)])
        elif isinstance(node, ast.Tuple) and len(node.elts) == 4:
            # (name, least, most, default): what setattr() sets.
            name, *bounds = (part.value if isinstance(part, ast.Constant) else None for part in node.elts)
            if isinstance(name, str) and all(isinstance(bound, int) for bound in bounds):
                yield name


def _find_foreign(nodes: Nodes) -> Iterator[str]:
    """Yield what a module takes from others than ours, and names of Python's own."""
    foreign = set()
    for node in nodes:
        if isinstance(node, ast.Import) or isinstance(node, ast.ImportFrom) and not _is_ours(node.module):
            for alias in node.names:
                yield from alias.name.split(".")
                foreign.add(alias.asname or alias.name.partition(".")[0])
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in foreign:
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] in foreign:
            yield from (part.arg for part in node.keywords if part.arg)
    yield from (name for name in _find_all(nodes) if name.startswith("__"))


def _is_ours(module: str | None) -> bool:
    """Return whether a module is one of the firmware."""
    return (module or "").partition(".")[0] == _OURS


def _find_texts(path: str, nodes: Nodes, own: set[str]) -> Iterator[str]:
    """Yield the strings that may be more than names of attributes."""
    named: set[ast.AST | None] = set()
    inner = path.startswith(_OURS) and not path.startswith(_TO_HARDWARE)
    for node in nodes:
        if isinstance(node, ast.Call):
            if _is_by_string(node):
                named.update(node.args[1:2])
            elif inner and _is_call_of(node, own):
                named.update(node.args)
        elif inner and isinstance(node, ast.Compare) and _is_call_of(node.left, own):
            named.update(node.comparators)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            named.update(node.exc.args)  # tells which field is wrong, by whatever name
        elif inner and isinstance(node, ast.Tuple):
            named.update(node.elts)
        elif inner and isinstance(node, ast.Dict):
            named.update(node.keys)
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in named:
            yield node.value
        elif isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant):
            yield from str(node.value.value).split()


def _is_by_string(node: ast.AST) -> bool:
    """Return whether this is such as `getattr(x, "y")`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _BY_STRING


def _is_call_of(node: ast.AST, own: set[str]) -> bool:
    """Return whether this calls what must be a function of ours."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in own
    if not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in own or isinstance(node.func.value, ast.Name) and node.func.value.id == "self"


def _find_asked(nodes: Nodes) -> Iterator[str]:
    """Yield the names by which a module finds out what an object is."""
    for node in nodes:
        if isinstance(node, ast.Call) and _is_by_string(node) and isinstance(node.args[1], ast.Constant):
            yield str(node.args[1].value)


def _find_words(nodes: Nodes) -> Iterator[str]:
    """Yield the words of all strings."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from node.value.replace(".", " ").split()
