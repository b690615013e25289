"""Minify sources by python-minifier on several processors, and keep the results in a cache."""

from __future__ import annotations

import ast
import builtins
import contextlib
import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from itertools import repeat
from pathlib import Path

from sim import progress
from sim.ownership import replace
from sim.terminal import tell_install
from tools.deploy import DeployError, inlining
from tools.deploy.inlining import CALLED, Constants, find_constants, inline_constants

_LEAST_PARALLEL = 8  # sources; fewer are minified before another process has started
_KEPT = "firmware/device/"  # public constants stay here, because tools that measure a display's bus read them


class Cache:
    """Keep the results of the last run by a hash of source, name, minifier, Python version, this module and inlining.

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
    parts = [part.read_text(encoding="utf-8") for part in (Path(__file__), Path(inlining.__file__), *CALLED)]
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
