"""Check that pages and docstrings stay easy to read."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.running import ROOT

ROOMS = ("firmware", "sim", "tools", "tests")
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ACCESSIBILITY.md", ".github/SUPPORT.md")]
PAGES = [*sorted(ROOT.glob("[!.]*/**/README.md")), *FRONT]
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
MOST_WORDS = 30
README_WORDS = 900
NAME_LETTERS = 70


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of paragraphs, list items, table cells and `name: meaning` lines."""
    for block in re.split(r"\n\s*\n|\n\s*(?=[-*] |\d+\. |#+ |\||[\w, ]{1,40}: |\S+(?: \S+)*  +\S)", text):
        for part in re.split(r"(?<=\s)\|(?=\s)", block):
            yield from re.split(r"(?<=[.!?])\)?\s+(?=\S)", " ".join(part.split()))


def find_long(text: str) -> list[str]:
    return [sentence for sentence in split_sentences(text) if len(sentence.split()) > MOST_WORDS]


def read_page(path: Path) -> str:
    """Return a page without code blocks and generated tables."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(?m)^ {4,}(?!- ).*$", "", text)


def read_docstrings(tree: ast.AST) -> Iterator[str]:
    """Yield docstrings without indented tables."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield re.sub(r"(?m)^[ \t]+\S.*$", "\n", ast.get_docstring(node) or "")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page_has_no_sentence_over_thirty_words(path: Path) -> None:
    assert find_long(read_page(path)) == []


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_have_no_sentence_over_thirty_words(room: str) -> None:
    modules = [path for path in MODULES if path.relative_to(ROOT).parts[0] == room]
    texts = [(path, text) for path in modules for text in read_docstrings(ast.parse(path.read_text(encoding="utf-8")))]
    assert len(texts) > 100
    assert [(str(path.relative_to(ROOT)), find_long(text)) for path, text in texts if find_long(text)] == []


def test_long_sentence_is_found_in_a_paragraph_a_list_and_a_table() -> None:
    long = " ".join(["word"] * (MOST_WORDS + 1))
    assert all(find_long(f"Short.\n\n{form}") for form in (long, f"- {long}", f"| {long} | b |"))


def test_readme_fits_nine_hundred_words() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= README_WORDS


def test_test_names_have_at_most_seventy_characters() -> None:
    modules = [path for path in MODULES if path.relative_to(ROOT).parts[0] == "tests"]
    names = [name for path in modules for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))]
    assert [name for name in names if len(name) > NAME_LETTERS] == []


def test_no_text_names_the_files_beside_the_repository() -> None:
    """A clone has none of them."""
    beside = ".." + "/shared"
    pages = [path for path in [*PAGES, *MODULES] if beside in path.read_text(encoding="utf-8")]
    assert [str(path.relative_to(ROOT)) for path in pages] == []


def test_no_text_cites_a_tracker_by_number() -> None:
    """A reader has the repository, not the tracker."""
    pages = [*PAGES, ROOT / "CHANGELOG.md", *MODULES]
    cited = [path for path in pages if re.search(r"(?i)\bissues? #?\d", path.read_text(encoding="utf-8"))]
    assert [str(path.relative_to(ROOT)) for path in cited] == []
