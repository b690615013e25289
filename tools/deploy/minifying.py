"""Minify the sources that are not in the cache, on several processors."""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from itertools import repeat
from pathlib import Path
from typing import Any

from firmware import option_table
from sim import progress
from sim.ownership import replace
from sim.terminal import tell_install
from tools.deploy import DeployError

Constants = dict[str, dict[str, int | bytes | str]]
"""Values by module, then by name."""

_LEAST_PARALLEL = 8  # sources; fewer are minified before another process has started
# The module whose functions are called here instead of on the board, and the file that it reads.
CALLED = (Path(option_table.__file__), Path(option_table.__file__).with_name("options.txt"))
_KEPT = "firmware/device/"  # public constants stay here, because tools that measure a display's bus read them


class Cache:
    """Keep the results of the last run by a hash of source, name, minifier, Python version and this module.

    A file that cannot be read or written only costs time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(path.read_text(encoding="utf-8"))
            self.known = {str(key): str(text) for key, text in found.items()} if isinstance(found, dict) else {}

    def keep(self, known: dict[str, str]) -> None:
        """Replace all results, in the file too."""
        if known == self.known:
            return
        self.known = known
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replace(self.path) as file:
                file.write(json.dumps(known).encode())


def cache_path(kind: str = "minified") -> Path:
    """Return the path of a cache (see platformdirs); kind: "minified", or "renamed" for sources to compile."""
    from platformdirs import user_cache_path

    return user_cache_path("skyline", appauthor=False) / f"{kind}.json"


def minify_all(sources: dict[str, str], cache: Cache | None = None, shared: Constants | None = None) -> dict[str, str]:
    """Return all sources minified, by the same names.

    shared: the constants that they may import; by default those of `sources`.
    """
    shared = find_constants(sources) if shared is None else shared
    inputs = _hash_inputs(shared)
    keys = {name: hashlib.sha256(repr((text, name, inputs)).encode()).hexdigest() for name, text in sources.items()}
    known = cache.known if cache else {}
    names = [name for name in sources if keys[name] not in known]
    new = dict(zip(names, _minify_several([(sources[name], name) for name in names], shared), strict=True))
    minified = {name: new[name] if name in new else known[keys[name]] for name in sources}
    if cache:
        cache.keep({keys[name]: text for name, text in minified.items()})
    return minified


def _minify_several(work: list[tuple[str, str]], shared: Constants) -> list[str]:
    texts, names = [part[0] for part in work], [part[1] for part in work]
    if len(work) < _LEAST_PARALLEL:
        return list(map(minify, texts, names, repeat(shared)))
    with ProcessPoolExecutor() as processes:
        done = processes.map(minify, texts, names, repeat(shared), chunksize=4)
        return list(progress.follow(done, "minifying", len(work), "files"))


def _hash_inputs(shared: Constants) -> str:
    """Return a hash of everything on which all minified sources depend."""
    try:
        minifier = version("python-minifier")
    except PackageNotFoundError:
        minifier = ""  # minify() reports it
    parts = [part.read_text(encoding="utf-8") for part in (Path(__file__), *CALLED)]
    return hashlib.sha256(repr((minifier, sys.version, parts, shared)).encode()).hexdigest()


def minify(text: str, name: str, shared: Constants | None = None) -> str:
    """Return a source without comments, docstrings and annotations, and with names that cost a board less heap.

    The names of files, classes, functions and attributes stay, because a traceback shows them. Private constants and
    those of all modules in `shared` are replaced by their values. Locals and other private names become the same few
    short names in all modules, because a board keeps every name that it has read.
    """
    try:
        import python_minifier
    except ImportError:
        raise DeployError(f"python-minifier is not installed; {tell_install('deploy')}, or --plain") from None
    tree = inline_constants(text, shared, shared is None or name.startswith(_KEPT))
    inlined = ast.unparse(tree)
    minified: str = python_minifier.minify(
        inlined,
        name,
        remove_annotations=python_minifier.RemoveAnnotationsOptions(remove_class_attribute_annotations=True),
        remove_literal_statements=True,
        rename_locals=True,
        rename_globals=True,
        preserve_globals=[*dir(builtins), *_find_shown(inlined)],
        # These would save bytes on a board's drive, but cost heap.
        combine_imports=False,
        hoist_literals=False,
        constant_folding=False,
    )
    return minified


def _find_shown(text: str) -> Iterator[str]:
    """Yield all names of a module except its private values: other modules use them or a traceback shows them."""
    tree = ast.parse(text)
    private = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.startswith("_")
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.Name) and node.id not in private:
            yield node.id


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
