"""A docstring says more than the name, the parameters and the class of what it describes."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.support.running import ROOT

ROOMS = ("firmware", "sim", "tests", "tools")
# Words that carry no meaning beside those of a name.
SMALL = {
    *("a", "an", "the", "of", "its", "it", "for", "to", "in", "is", "are", "by", "and", "or", "with", "from", "that"),
    *("this", "at", "as", "on", "be", "return", "whether", "their", "them", "each", "all", "every", "what", "one"),
}
Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def find_stems(text: str) -> set[str]:
    """Return the words of a name or a sentence without endings, so that `lists` is `list`."""
    words = re.findall(r"[A-Za-z][a-z]*|\d+", text)
    return {re.sub(r"(?<=...)(ing|es|ed|s|e)$", "", word.lower()) for word in words if word.lower() not in SMALL}


def walk(node: ast.AST, around: str = "") -> Iterator[tuple[Named, str]]:
    """Yield what has a name, each with the names of the classes around it."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, Named):
            yield each, around
            yield from walk(each, f"{around} {each.name}")
        else:
            yield from walk(each, around)


def repeats_the_name(node: Named, around: str) -> bool:
    docstring = ast.get_docstring(node)
    if not docstring or len(node.body) == 1:  # alone, it stands for `pass`
        return False
    said = f"{around} {node.name}"
    if not isinstance(node, ast.ClassDef):
        parameters = [each.arg for each in node.args.args + node.args.kwonlyargs]
        said += f" {' '.join(parameters)} {ast.unparse(node.returns) if node.returns else ''}"
    return len(find_stems(docstring) - find_stems(said)) <= 1


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_add_two_words_or_more_to_the_name(room: str) -> None:
    paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / room).rglob("*.py")]
    assert [
        f"{path}:{node.lineno} {node.name}"
        for path in paths
        for node, around in walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if repeats_the_name(node, around)
    ] == []


@pytest.mark.parametrize(
    ("code", "repeats"),
    [
        ('def list_names(files):\n    """Return the names of the files."""\n    return files', True),
        ('def list_names(files):\n    """Return the names of files without a mark."""\n    return files', False),
        ('class Full(Exception):\n    """The disk is full."""', False),
    ],
)
def test_a_docstring_that_repeats_the_name_is_found(code: str, repeats: bool) -> None:
    assert repeats_the_name(next(walk(ast.parse(code)))[0], "") == repeats
