"""Let names that never meet share one new name: the name of a builtin, which takes two bytes in a compiled file.

No module has two names with the same new name, nor is the new name's builtin used there. Attributes that share a name
are set by methods alone, so they belong to classes in the modules that name them; no class inherits from both.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping

Nodes = list[ast.AST]


def share(nodes: Mapping[str, Nodes], wanted: Iterable[str], free: list[str]) -> dict[str, str]:
    """Return the new names by the old ones, for those of `wanted` that find one among the names in `free`."""
    names = {path: {*_find_names(nodes[path])} for path in nodes}
    set_outside = {name for path in nodes for name in _find_set_outside(nodes[path])}
    places: dict[str, list[str]] = {}
    for path in nodes:
        for name in names[path]:
            places.setdefault(name, []).append(path)
    related = _relate(nodes)
    taken = {path: {*names[path]} for path in nodes}
    shared: dict[str, str] = {}
    for name in [name for name in wanted if name not in set_outside]:
        near = {path for place in places[name] for path in related[place] | {place}}
        new = next((new for new in free if not any(new in taken[path] for path in near)), None)
        if new:
            shared[name] = new
            for path in places[name]:
                taken[path].add(new)
    return shared


def _find_names(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for field in ("id", "attr", "arg", "name", "asname"):
            if name := getattr(node, field, None):
                yield name


def _find_set_outside(nodes: Nodes) -> Iterator[str]:
    """Yield the names of attributes that are set on anything but `self`."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and ast.unparse(node.value) != "self":
            yield node.attr


def _relate(nodes: Mapping[str, Nodes]) -> dict[str, set[str]]:
    """Return for each path those of the modules whose classes inherit from the module's, or the other way round."""
    bases = {path: _find_bases(path, nodes) for path in nodes}
    related: dict[str, set[str]] = {path: set() for path in nodes}
    for path in nodes:
        above, rest = set[str](), [path]
        while rest:
            rest = [base for place in rest for base in bases[place] if base not in above]
            above.update(rest)
        for base in above - {path}:
            related[path].add(base)
            related[base].add(path)
    return related


def _find_bases(path: str, nodes: Mapping[str, Nodes]) -> set[str]:
    """Return the paths of the modules from which a module's classes inherit: all if a variable holds a class."""
    sources: dict[str, str] = {}
    for node in nodes[path]:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole, module = f"{node.module}.{alias.name}".replace(".", "/"), str(node.module).replace(".", "/")
                sources[alias.asname or alias.name] = f"{whole if f'{whole}.py' in nodes else module}.py"
    classes = [node for node in nodes[path] if isinstance(node, ast.ClassDef)]
    known = {*sources, *dir(builtins), *(node.name for node in classes)}
    bases = {ast.unparse(base).partition(".")[0] for node in classes for base in node.bases}
    return {sources[base] for base in bases if sources.get(base) in nodes} if bases <= known else {*nodes}
