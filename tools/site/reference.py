"""Write the API from docstrings, as reStructuredText. Nothing is imported: some modules need a board or a package."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tools import ROOT

# The pages: title, what it says first, modules by path.
PAGES = {
    "engine": (
        "The engine",
        "The rules of the falling blocks. A game is its seed, its options and its timed button edges.",
        (
            *("firmware/engine/game.py", "firmware/engine/mode.py", "firmware/engine/options.py"),
            *("firmware/engine/controls.py", "firmware/engine/events.py", "firmware/engine/matrix.py"),
            *("firmware/engine/manipulation.py", "firmware/engine/randomizer.py", "firmware/engine/scoring.py"),
            *("firmware/engine/statistics.py", "firmware/match/match.py", "firmware/match/options.py"),
        ),
    ),
    "environments": (
        "Environments",
        "One game or thousands at once, for learning programs.",
        ("tools/bots/env.py", "tools/bots/vector_env.py", "tools/bots/policy.py"),
    ),
    "device": (
        "The Device",
        "The one seam between the game and the world: a board, a window, a page and the tests each build one.",
        ("firmware/device/handheld.py", "firmware/contracts.pyi", "firmware/view/canvas.py"),
    ),
}
_SPECIAL = re.compile(r"([\\*|]|_(?=\W|$)|`(?=_))")


def write(name: str) -> str:
    """Return a page of PAGES."""
    title, words, modules = PAGES[name]
    lines = [title, "=" * len(title), "", words, ""]
    for path in modules:
        lines += _write_module(path)
    return "\n".join(lines) + "\n"


def _write_module(path: str) -> Iterator[str]:
    module = path.rpartition(".")[0].replace("/", ".")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    yield from (module, "-" * len(module), "", f".. py:module:: {module}", "")
    yield from _write_words(tree, 0)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_public(node):
            yield from _write_class(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_public(node) and _has_words(node):
            yield from _write_function(node, "function", 0)


def _write_class(node: ast.ClassDef) -> Iterator[str]:
    inside = [each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    begin = next((each for each in inside if each.name == "__init__"), None)
    yield from (f".. py:class:: {node.name}{_write_arguments(begin)}", "")
    yield from _write_words(node, 3)
    if begin:
        yield from _write_words(begin, 3)
    for each in inside:
        if _is_public(each):
            named = {item.id for item in each.decorator_list if isinstance(item, ast.Name)}
            yield from _write_function(each, "property" if "property" in named else "method", 3)


def _write_function(node: ast.FunctionDef | ast.AsyncFunctionDef, kind: str, indent: int) -> Iterator[str]:
    result = f" -> {_write_type(node.returns)}" if node.returns and kind != "property" else ""
    arguments = "" if kind == "property" else _write_arguments(node, is_method=kind == "method") + result
    yield from (f"{' ' * indent}.. py:{kind}:: {node.name}{arguments}", "")
    yield from _write_words(node, indent + 3)


def _write_arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | None, is_method: bool = True) -> str:
    if node is None:
        return ""
    text = _write_type(node.args)
    return f"({re.sub(r'^self(, )?', '', text) if is_method else text})"


def _write_type(node: ast.AST) -> str:
    """Return source on one line; annotations in quotes lose them."""
    return re.sub(r"(?<=: |> )'([\w.\[\], |]+)'|^'([\w.\[\], |]+)'$", r"\1\2", ast.unparse(node))


def _write_words(node: ast.AST, indent: int) -> Iterator[str]:
    """Yield a docstring's paragraphs; what is indented or laid out in columns stays as it is."""
    text = ast.get_docstring(node) if isinstance(node, _WITH_WORDS) else None
    space = " " * indent
    for block in (text or "").split("\n\n"):
        lines = block.splitlines()
        if any(line.startswith("  ") or re.search(r"\S {3,}\S", line) for line in lines):
            yield from (f"{space}.. code-block:: text", "", *(f"{space}   {line}" for line in lines), "")
        elif block:
            yield from (*(space + _escape(line) for line in lines), "")


def _escape(line: str) -> str:
    """Return a line whose marks are only those between backticks."""
    parts = line.split("`")
    return "`".join(part if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in enumerate(parts))


def _is_public(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return not node.name.startswith("_")


def _has_words(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return bool(ast.get_docstring(node))


_WITH_WORDS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
