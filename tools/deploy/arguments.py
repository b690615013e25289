"""Give the arguments of functions names that take two bytes in a compiled file and nothing in a board's heap.

A compiled file keeps the names of arguments, because a call may give them by name. An argument that no call names gets
one of the names that each interpreter has in a fixed place (find_fixed), the same few in all functions.
"""

import ast
import builtins
import functools
import keyword
from collections.abc import Iterator, Mapping

from tools.deploy import compiling, rom

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@functools.cache
def find_fixed() -> frozenset[str]:
    """Return the names of the ROM that a compiled file holds as a number; raise DeployError without mpy-cross."""
    names = sorted(name for name in rom.load() if not keyword.iskeyword(name))
    text = f"def f(x):\n {';'.join(f'x.{name}' for name in names)}\n"
    content = compiling.compile_source("", text)
    return frozenset(name for name in names if not _is_spelled(name, content))


@functools.cache
def list_names() -> list[str]:
    """Return the names to give: methods of built-in types, which are no variables."""
    methods = {name for kind in vars(builtins).values() if isinstance(kind, type) for name in dir(kind)}
    return sorted(name for name in find_fixed() & methods if not name.startswith("_"))


def _is_spelled(name: str, content: bytes) -> bool:
    """Return whether a compiled file has a name as text: its length twice, its letters, a zero."""
    length = 2 * len(name)
    head = bytes([length]) if length < 0x80 else bytes([0x80 | length >> 7, length & 0x7F])
    return head + name.encode() + b"\0" in content


def shorten(trees: Mapping[str, ast.Module]) -> None:
    """Rename the arguments in all modules, in place, except those that a call names."""
    named = {node.arg for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for tree in trees.values():
        for function in _find_functions(tree):
            _shorten(function, list_names(), named | {"self"})


def _find_functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """Yield all functions, inner ones first."""
    for child in ast.iter_child_nodes(node):
        yield from _find_functions(child)
    if isinstance(node, _FUNCTIONS):
        yield node


def _shorten(function: ast.FunctionDef | ast.Lambda, fixed: list[str], kept: set[str | None]) -> None:
    """Rename the arguments of one function to names that occur nowhere in it."""
    signature = function.args
    arguments = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs]
    body = function.body if isinstance(function.body, list) else [function.body]
    inside = [node for part in body for node in ast.walk(part)]
    occurring = {name for node in inside for name in _find_names(node)} | {argument.arg for argument in arguments}
    free = (name for name in fixed if name not in occurring)
    kept = kept | {name for node in inside if not isinstance(node, (ast.Name, ast.arg)) for name in _find_names(node)}
    names = {argument.arg: next(free) for argument in arguments if argument.arg not in kept}
    for node in (*inside, *arguments):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg) and node in arguments:
            node.arg = names.get(node.arg, node.arg)


def _find_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node reads or binds in a function."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)):
        yield node.name or ""
