"""Replace the firmware's names by names in CircuitPython's ROM, so that they take no room in a board's heap.

A name that is not in ROM costs 6 bytes plus its letters once a module with it is loaded. A compiled file spells each of
its names once, except those that every interpreter numbers alike (arguments.find_fixed): the most used become these.
All files get the same new name, so arguments by name and getattr() still work. Names that other code uses stay: modules
that are imported from their packages, builtins, the hardware's names.
"""

import ast
import builtins
import keyword
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from tools.deploy import arguments, rom, sharing

Names = dict[str, str]
"""New names by the names in the repository."""

Trees = Mapping[str, ast.Module]
"""Syntax trees by path on the drive."""

Nodes = list[ast.AST]
"""All nodes of a module, the module first."""

_OURS = "firmware"
_TO_HARDWARE = "firmware/device/"  # here strings are names of pins, keys of settings.toml or files
_BY_STRING = ("hasattr", "getattr", "setattr", "delattr")
# Names in CircuitPython 10.2.1 that 10.0.0 lacks.
_LATER = {"get_setting", "replace_color"}
_OF_LIBRARIES = {"is_awake", "sleep", "wake"}  # methods of displays driven by a library in lib/
# Names in ROM that a board's numbers and memoryviews lack as attributes: tests/support/board_lint.py rejects their use.
_OTHERS = {"imag", "itemsize", "obj", "readonly", "real", "release", "shape", "strides", "tobytes", "tolist"}
_KEPT = {*keyword.kwlist, "const", *_OTHERS}
_RESERVED = {*_KEPT, *dir(builtins)}
_METHODS = {name for kind in vars(builtins).values() if isinstance(kind, type) for name in dir(kind)}
_NAME_FIELDS: dict[type[ast.AST], str] = {
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
    """Return the new names, always the same for the same sources; if ROM has too few names, the rest stay."""
    paths = sorted(trees)
    modules = {part for path in paths for part in path.removesuffix(".py").split("/")}
    nodes = {path: [*ast.walk(tree)] for path, tree in trees.items()}
    in_rom = rom.load()
    imported = _find_modules(paths, nodes)
    kept = in_rom | _LATER | _OF_LIBRARIES | _RESERVED | imported | _collect(_find_foreign, nodes)
    own = _collect(_find_bound, nodes) - kept
    for path in paths:
        own.difference_update(_find_texts(path, nodes[path], own))
    asked, words = _collect(_find_asked, nodes), _collect(_find_words, nodes)
    # The name in the most modules gets the shortest one.
    uses = Counter(name for path in paths for name in {*_find_asked(nodes[path]), *_find_stored(nodes[path])} & own)
    wanted = sorted(uses, key=lambda name: (-uses[name], name))
    used = _KEPT | modules | words | _collect(_find_all, nodes)
    free = [name for name in in_rom - used if not name.startswith("__")]
    fixed = arguments.find_fixed()
    free.sort(key=lambda name: (name not in fixed, len(name), name))
    shared = sorted(fixed & used & {*dir(builtins)} - _collect(_find_members, nodes))
    rare = [name for name in wanted if name not in asked | words][len(fixed.intersection(free)) :]
    names = sharing.share(nodes, rare, shared)
    for name in wanted:
        # getattr() and hasattr() never ask for the name of a built-in type's method.
        new = next((new for new in free if name not in asked or new not in _METHODS), None)
        if new and name not in names:
            names[name] = new
            free.remove(new)
    return names


def _collect(find: Callable[[Nodes], Iterator[str]], nodes: Mapping[str, Nodes]) -> set[str]:
    return {name for path in nodes for name in find(nodes[path])}


def _find_modules(paths: list[str], nodes: Mapping[str, Nodes]) -> set[str]:
    """Return the names of modules that are imported from their packages, as by `from firmware.view import art`."""
    modules = {path.removesuffix(".py").replace("/", ".") for path in paths}
    imports = [node for path in paths for node in nodes[path] if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names if f"{node.module}.{alias.name}" in modules}


def rename(tree: ast.Module, names: Names) -> ast.Module:
    """Replace names in a module, also in strings; change the tree in place and return it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                node.value = names.get(node.value, node.value)
        elif isinstance(node, ast.alias):
            node.name = names.get(node.name, node.name)
            node.asname = node.asname and names.get(node.asname, node.asname)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [names.get(name, name) for name in node.names]
        elif type(node) in _NAME_FIELDS:
            name = getattr(node, _NAME_FIELDS[type(node)])
            setattr(node, _NAME_FIELDS[type(node)], names.get(name, name))
    return tree


def _find_members(nodes: Nodes) -> Iterator[str]:
    """Yield the names of attributes, and all names that a class reads or binds outside its methods."""
    for node in nodes:
        if isinstance(node, (ast.Attribute, ast.keyword)):
            yield from _find_all([node])
        elif isinstance(node, ast.ClassDef):
            yield from _find_all([*_walk_outside(node)])
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    outside = [method.args, *method.decorator_list]
                    yield method.name
                    yield from (part.id for each in outside for part in ast.walk(each) if isinstance(part, ast.Name))


def _find_all(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.alias):
            yield from node.name.split(".")
            yield node.asname or node.name
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif type(node) in _NAME_FIELDS:
            yield getattr(node, _NAME_FIELDS[type(node)]) or ""


def _find_stored(nodes: Nodes) -> Iterator[str]:
    """Yield the names of a module that a board keeps: all except local variables, which have no names there."""
    for node in _walk_outside(nodes[0]):
        if isinstance(node, ast.Name):
            yield node.id
    for node in nodes:
        if isinstance(node, ast.alias):
            yield node.name
            if node.asname:  # so a module calls what moved into a bundle
                yield node.asname
        elif type(node) in _NAME_FIELDS and not isinstance(node, (ast.Name, ast.ExceptHandler)):
            yield getattr(node, _NAME_FIELDS[type(node)]) or ""


def _walk_outside(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield from _walk_outside(child)


def _find_bound(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.alias):
            yield node.asname or ""
        elif isinstance(node, (ast.Attribute, ast.Name)):
            if isinstance(node.ctx, ast.Store):
                yield getattr(node, _NAME_FIELDS[type(node)])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.arg)):
            yield getattr(node, _NAME_FIELDS[type(node)])
        elif isinstance(node, ast.Tuple) and len(node.elts) == 4:
            # (name, least, most, default): setattr() binds the name.
            name, *bounds = (part.value if isinstance(part, ast.Constant) else None for part in node.elts)
            if isinstance(name, str) and all(isinstance(bound, int) for bound in bounds):
                yield name


def _find_foreign(nodes: Nodes) -> Iterator[str]:
    """Yield the names that a module uses from modules other than ours, and names with two leading underscores."""
    foreign = set()
    for node in nodes:
        ours = isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == _OURS
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not ours:
            for alias in node.names:
                yield from alias.name.split(".")
                foreign.add(alias.asname or alias.name.partition(".")[0])
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in foreign:
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] in foreign:
            yield from (part.arg for part in node.keywords if part.arg)
    yield from (name for name in _find_all(nodes) if name.startswith("__"))


def _find_texts(path: str, nodes: Nodes, own: set[str]) -> Iterator[str]:
    """Yield the strings that may not be names of attributes."""
    named = _find_named(path, nodes, own)
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in named:
            yield node.value
        elif isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant):
            yield from str(node.value.value).split()


def _find_named(path: str, nodes: Nodes, own: set[str]) -> set[ast.AST | None]:
    """Return the nodes that stand where only a name of an attribute, or words for a reader, can stand."""
    named: set[ast.AST | None] = set()
    inner = path.startswith(_OURS) and not path.startswith(_TO_HARDWARE)
    for node in nodes:
        if isinstance(node, ast.Call):
            if _is_attribute_call(node):
                named.update(node.args[1:2])
            elif inner and _is_call_of(node, own):
                named.update(node.args)
        elif inner and isinstance(node, ast.Compare) and _is_call_of(node.left, own):
            named.update(node.comparators)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            named.update(node.exc.args)  # an error message may show a new name
        elif inner and isinstance(node, ast.Tuple):
            named.update(node.elts)
        elif inner and isinstance(node, ast.Dict):
            named.update(node.keys)
    return named


def _is_attribute_call(node: ast.AST) -> bool:
    """Return whether this is a call like `getattr(x, "y")`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _BY_STRING


def _is_call_of(node: ast.AST, own: set[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in own
    if not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in own or isinstance(node.func.value, ast.Name) and node.func.value.id == "self"


def _find_asked(nodes: Nodes) -> Iterator[str]:
    """Yield the attribute names in calls like getattr()."""
    for node in nodes:
        if isinstance(node, ast.Call) and _is_attribute_call(node) and isinstance(node.args[1], ast.Constant):
            yield str(node.args[1].value)


def _find_words(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from node.value.replace(".", " ").split()
