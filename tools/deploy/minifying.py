"""Minify sources on several processors, and only those that the cache lacks."""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from itertools import repeat
from pathlib import Path

from firmware import option_table
from sim import progress
from tools.deploy import DeployError

Constants = dict[str, dict[str, int | bytes]]
"""The values by module, then by name."""

_WORTH_PROCESSES = 8  # sources; fewer are done before another process has begun
# The module that is called here instead of on the board, and the file that it reads.
CALLED = (Path(option_table.__file__), Path(option_table.__file__).with_name("options.txt"))
_KEPT = "firmware/device/"  # public constants stay here, because tools that measure a display's bus read them


class Cache:
    """Keep the results of the last run, by source, name, minifier, Python version and this module.

    If the file cannot be read or written, that only costs time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(path.read_text(encoding="utf-8"))
            self.known = {str(key): str(text) for key, text in found.items()} if isinstance(found, dict) else {}

    def keep(self, known: dict[str, str]) -> None:
        """Replace all results by these."""
        if known == self.known:
            return
        self.known = known
        fresh = self.path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(known), encoding="utf-8")
            fresh.replace(self.path)


def cache_path(kind: str = "minified") -> Path:
    """Return the path of a cache (see platformdirs); "renamed" holds sources that will be compiled."""
    from platformdirs import user_cache_path

    return user_cache_path("skyline", appauthor=False) / f"{kind}.json"


def minify_all(sources: dict[str, str], cache: Cache | None = None, shared: Constants | None = None) -> dict[str, str]:
    """Return all sources minified, by the same names.

    shared: the constants that they may import, if these are not only those of `sources`.
    """
    shared = find_constants(sources) if shared is None else shared
    by = _made_by(shared)
    keys = {name: hashlib.sha256(repr((text, name, by)).encode()).hexdigest() for name, text in sources.items()}
    known = cache.known if cache else {}
    names = [name for name in sources if keys[name] not in known]
    made = dict(zip(names, _minify_several([(sources[name], name) for name in names], shared), strict=True))
    small = {name: made[name] if name in made else known[keys[name]] for name in sources}
    if cache:
        cache.keep({keys[name]: text for name, text in small.items()})
    return small


def _minify_several(work: list[tuple[str, str]], shared: Constants) -> list[str]:
    """Return each text of (text, name) minified."""
    texts, names = [part[0] for part in work], [part[1] for part in work]
    if len(work) < _WORTH_PROCESSES:
        return list(map(minify, texts, names, repeat(shared)))
    with ProcessPoolExecutor() as processes:
        done = processes.map(minify, texts, names, repeat(shared), chunksize=4)
        return list(progress.follow(done, "minifying", len(work), "files"))


def _made_by(shared: Constants) -> str:
    """Return a hash of what every minified source depends on besides itself."""
    try:
        minifier = version("python-minifier")
    except PackageNotFoundError:
        minifier = ""  # minify() will say so
    parts = [part.read_text(encoding="utf-8") for part in (Path(__file__), *CALLED)]
    made_by = (minifier, sys.version, parts, shared)
    return hashlib.sha256(repr(made_by).encode()).hexdigest()


def minify(text: str, name: str, shared: Constants | None = None) -> str:
    """Return a source without comments, docstrings and annotations, and with names that cost a board less heap.

    The names of files, classes, functions and attributes stay, because a traceback shows them.
    Private constants and those of all modules in `shared` become their values. Locals and other private names get the
    same few short names everywhere, because a board keeps every name it ever read.
    """
    try:
        import python_minifier
    except ImportError:
        raise DeployError("python-minifier is not installed; pip install 'skyline[deploy]', or --plain") from None
    tree = inline_constants(text, shared, shared is None or name.startswith(_KEPT))
    inlined = ast.unparse(tree)
    small: str = python_minifier.minify(
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
    return small


def _find_shown(text: str) -> Iterator[str]:
    """Yield the names of a module that others may read, or a traceback shows: all but its private values."""
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
    """Return the public `NAME = const(...)` of every module, by its path as it is imported."""
    found = {name.removesuffix(".py").replace("/", "."): _public(text) for name, text in sources.items()}
    return {module: constants for module, constants in found.items() if constants}


@functools.cache
def _public(text: str) -> dict[str, int | bytes]:
    """Return the public constants of one module."""
    if "const(" not in text:
        return {}  # saves a slow parse
    inline = _Inline({})
    inline.visit(ast.parse(text))
    return {constant: value for constant, value in inline.values.items() if not constant.startswith("_")}


def inline_constants(text: str, shared: Constants | None = None, keeps: bool = True) -> ast.Module:
    """Return a source in which constants are replaced by their values where they are used.

    These are its own `_NAME = const(...)`, and the constants that it imports from the modules in `shared`. A module
    imported only for constants then need not be in a board's memory. A call of option_table becomes its result.

    Code under `if TYPE_CHECKING:` is removed.  keeps: whether its own public constants stay, for readers that are not
    minified.
    """
    tree: ast.Module = _Inline(shared or {}, keeps).visit(ast.parse(text))
    tree = _Unused(tree).visit(tree)
    return ast.fix_missing_locations(tree)


class _Inline(ast.NodeTransformer):
    """Replace constants by their values; remove private constants and imports of constants."""

    def __init__(self, shared: Constants, keeps: bool = True) -> None:
        self.shared = shared
        self.keeps = keeps
        self.values: dict[str, int | bytes] = {}  # all constants so far, also public ones: later ones use them
        self.foreign: dict[str, int | bytes] = {}  # by their names in this module
        self.modules: dict[str, dict[str, int | bytes]] = {}  # imported ones that have constants
        self.called: dict[str, Callable[..., object]] = {}  # imported functions of option_table

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """Leave out constants of other modules."""
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
        """Call a function of option_table."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.called:
            made = self.called[node.func.id](*[ast.literal_eval(argument) for argument in node.args])
            return ast.copy_location(ast.parse(repr(made), mode="eval").body, node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Join tuples."""
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
        """Replace a private or an imported name that is read."""
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

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        """Record a constant; remove private ones, and `__slots__`, which only CPython uses."""
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
    """Remove imports of firmware modules that nothing reads any more, because their constants are inlined."""

    def __init__(self, tree: ast.AST) -> None:
        self.read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        """Keep what is read."""
        if (node.module or "").startswith("firmware"):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in self.read]
        return node if node.names else ast.Pass()
