"""Put constants, and the results of option_table's functions, where sources use them: a board then needs no name."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware import option_table

Constants = dict[str, dict[str, int | bytes | str]]
"""Values by module, then by name."""

# The module whose functions are called here instead of on the board, and the file that it reads.
CALLED = (Path(option_table.__file__), Path(option_table.__file__).with_name("options.txt"))


def find_constants(sources: dict[str, str]) -> Constants:
    """Return the public `NAME = const(...)` of every module, by its dotted name."""
    by_module = {name.removesuffix(".py").replace("/", "."): _public(text) for name, text in sources.items()}
    return {module: constants for module, constants in by_module.items() if constants}


@functools.cache
def _public(text: str) -> dict[str, int | bytes | str]:
    if "const(" not in text:
        return {}  # saves a slow parse
    inline = _Inline({})
    inline.visit(ast.parse(text))
    return {constant: value for constant, value in inline.values.items() if not constant.startswith("_")}


def inline_constants(text: str, shared: Constants | None = None, keeps: bool = True) -> ast.Module:
    """Return the syntax tree of a source in which constants are replaced by their values.

    These are its own `_NAME = const(...)` and the constants that it imports from modules in `shared`. A board then need
    not load a module that is imported only for constants. A call of option_table is replaced by its result. Code under
    `if TYPE_CHECKING:` is removed, and the end of a program that lacks CircuitPython.

    keeps: whether its own public constants stay, for readers that are not minified.
    """
    tree: ast.Module = _Inline(shared or {}, keeps).visit(ast.parse(text))
    tree = _Unused(tree).visit(tree)
    return ast.fix_missing_locations(tree)


class _Inline(ast.NodeTransformer):
    """Replace constants by their values; remove private constants and imports of constants."""

    def __init__(self, shared: Constants, keeps: bool = True) -> None:
        self.shared = shared
        self.keeps = keeps
        self.values: dict[str, int | bytes | str] = {}  # all constants so far, for use in later ones
        self.foreign: dict[str, int | bytes | str] = {}  # imported constants by their names in this module
        self.modules: dict[str, dict[str, int | bytes | str]] = {}  # constants of imported modules
        self.called: dict[str, Callable[..., object]] = {}  # imported functions of option_table

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """Remove imports of constants."""
        kept = []
        for alias in node.names:
            known = self.shared.get(node.module or "", {})
            bound = alias.asname or alias.name
            if node.module == option_table.__name__:
                self.called[bound] = getattr(option_table, alias.name)
                continue
            if alias.name in known:
                self.foreign[bound] = self.values[bound] = known[alias.name]
                continue
            path = f"{node.module}.{alias.name}"
            if path in self.shared:
                self.modules[bound] = self.shared[path]
            kept.append(alias)
        node.names = kept
        return node if kept else ast.Pass()  # a body must not be empty

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replace a call of option_table by its result."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.called:
            result = self.called[node.func.id](*[ast.literal_eval(argument) for argument in node.args])
            return ast.copy_location(ast.parse(repr(result), mode="eval").body, node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace a sum of tuples by one tuple."""
        self.generic_visit(node)
        if isinstance(node.left, ast.Tuple) and isinstance(node.right, ast.Tuple):
            return ast.Tuple(node.left.elts + node.right.elts, ast.Load())
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace a constant that is read as an attribute of its module."""
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            value = self.modules.get(node.value.id, {}).get(node.attr)
            if value is not None:
                return ast.copy_location(ast.Constant(value), node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            if node.id in self.values and (node.id.startswith("_") or not self.keeps):
                return ast.copy_location(ast.Constant(self.values[node.id]), node)
            if node.id in self.foreign:
                return ast.copy_location(ast.Constant(self.foreign[node.id]), node)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        """Remove code that only a type checker reads."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse or ast.Pass()
        return node

    def visit_Try(self, node: ast.Try) -> ast.stmt | list[ast.stmt]:
        """Remove what only ends a program where CircuitPython's modules are missing: a board has them."""
        self.generic_visit(node)
        handlers = [ast.unparse(handler) for handler in node.handlers]
        if len(handlers) == 1 and handlers[0].startswith("except ImportError:\n    raise SystemExit("):
            return node.body
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        """Record a constant and remove it if private; remove `__slots__`, which only CPython uses."""
        self.generic_visit(node)
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and target.id == "__slots__":
            return None
        if not (isinstance(target, ast.Name) and isinstance(value, ast.Call) and isinstance(value.func, ast.Name)):
            return node
        if value.func.id != "const":
            return node
        expression = ast.fix_missing_locations(ast.Expression(value.args[0]))
        self.values[target.id] = eval(compile(expression, "<const>", "eval"), {"__builtins__": {}, **self.values})
        return node if self.keeps and not target.id.startswith("_") else None


class _Unused(ast.NodeTransformer):
    """Remove imports from the firmware that are unused after inlining."""

    def __init__(self, tree: ast.AST) -> None:
        self.read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}

    def visit(self, node: ast.AST) -> Any:
        """Visit statements only: no expression imports."""
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """Keep only used names of firmware modules."""
        if (node.module or "").startswith("firmware"):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in self.read]
        return node if node.names else ast.Pass()
