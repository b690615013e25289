"""Compiled code has the line numbers of the repository, for tracebacks."""

import ast
from pathlib import Path

import pytest

from tests.support.needs import needs_wasm
from tools import interpreters
from tools.deploy import bundling, compiling, image, inlining, lining, stripping

PLACES = """\
'''A module.'''

from firmware.compat import const

_HALF = const(
    4
)


class Piece:
    '''A class.'''

    @property
    def width(self) -> int:
        '''Return a number.'''
        # Why.
        try:
            found = self.x + _HALF

            found += 1
            return found
        except (
            KeyError
        ):
            raise ValueError(self)
        finally:
            self.x = 1
            if found:
                self.y = 2
            elif self.x:

                self.z, self.y = 1, 2
            else:
                pass


def turn(piece, times=1):
    piece = piece or None
    for time in range(times):
        piece.x += time
    return piece
"""


def statements(text: str) -> list[ast.stmt]:
    """Return the statements of a source that a traceback can name, in their order."""
    tree = ast.parse(text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return [node for node in found if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]


def lay_out(text: str) -> str:
    return lining.lay_out(stripping.strip(inlining.inline_constants(text, {}, keeps=False)))


def test_statements_joined_on_a_line_have_the_number_of_the_first() -> None:
    made = lay_out(PLACES)
    at = {number: line.strip() for number, line in enumerate(made.splitlines(), 1) if line.strip()}
    assert at == {
        10: "class Piece:",
        13: "@property",
        14: "def width(self):",
        18: "try: found = self.x + 4;found += 1;return found",
        25: "except KeyError: raise ValueError(self)",
        26: "finally:",
        27: "self.x = 1",
        28: "if found: self.y = 2",
        30: "elif self.x: self.z, self.y = 1, 2",  # without brackets, which would make a tuple
        37: "def turn(piece, times=1):",
        38: "piece = piece or None",
        39: "for time in range(times): piece.x += time",
        41: "return piece",
    }


def test_a_source_without_statements_becomes_empty() -> None:
    made = lay_out("'''Nothing.'''\n")
    assert not statements(made)


@pytest.mark.slow
def test_every_statement_has_the_number_of_one_in_its_source(prepared: dict[str, str]) -> None:
    """In the whole firmware no line is pushed down to a place that is none of its source."""
    sources = image.read_sources()
    own = {new: path for path, new in image.BY_PATH.items()}
    parts = {own.get(name, name): [own.get(name, name)] for name in prepared}
    for part, head in bundling.list_parts().items():
        parts[bundling.find_path(head)].insert(-1, bundling.find_path(part))
    for name, text in prepared.items():
        lines = {
            bundling.LINES * place + node.lineno
            for place, part in enumerate(parts[own.get(name, name)])
            for node in statements(sources[part])
        }
        assert {node.lineno for node in statements(text)} <= lines, name


@needs_wasm
def test_a_traceback_has_the_line_number_of_the_repository(tmp_path: Path) -> None:
    source = "def f(x: int) -> int:\n    '''Fail.'''\n\n    # Why.\n    return 1 // x\n\n\nf(\n    0\n)\n"
    small = lining.lay_out(stripping.strip(ast.parse(source)))
    (tmp_path / "fails.mpy").write_bytes(compiling.compile_source("firmware/fails.mpy", small))
    script = (
        "import sys, io\ntry:\n    import fails\nexcept ZeroDivisionError as problem:\n"
        "    told = io.StringIO()\n    sys.print_exception(problem, told)\n    print(told.getvalue())\n"
    )
    told = interpreters.run(interpreters.WASM, script, root=tmp_path).stdout
    assert 'File "firmware/fails.mpy", line 8, in <module>' in told
    assert 'File "firmware/fails.mpy", line 5, in f' in told
