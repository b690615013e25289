"""Compiled code keeps few line numbers, and a traceback still leads to the function that failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.needs import needs_wasm
from tools import interpreters
from tools.deploy import compiling, thinning

TELL = """
import sys, io
def fail(call):
    try:
        call()
    except ZeroDivisionError as problem:
        told = io.StringIO()
        sys.print_exception(problem, told)
        print(told.getvalue().split("\\n")[-3].split("line ")[1].split(",")[0])
"""


def find_failing_line(folder: Path, source: str) -> int:
    """Compile a source, call its `f`, and return the line that the traceback names."""
    content = thinning.thin(compiling.compile_source("fails.py", source))
    (folder / "fails.mpy").write_bytes(content)
    script = TELL + "import fails\nfail(fails.f)\n"
    return int(interpreters.run(interpreters.WASM, script, root=folder).last_line)


def write_function(lines: int, above: int = 0) -> str:
    """Return a function of a number of lines whose last one fails."""
    return "\n" * above + "def f(a=0):\n" + "    a += len(str(a) + 'x')\n" * (lines - 1) + "    return 1 // 0\n"


@needs_wasm
class TestTraceback:
    def test_a_short_function_has_the_line_of_its_first_statement(self, tmp_path: Path) -> None:
        assert find_failing_line(tmp_path, write_function(thinning.SHORT)) == 2

    def test_a_longer_function_has_every_line(self, tmp_path: Path) -> None:
        lines = thinning.SHORT + 1
        assert find_failing_line(tmp_path, write_function(lines)) == 1 + lines

    @pytest.mark.parametrize("above", [2, 2045, 2046, 2047, 2048, 5000])
    def test_lines_of_a_long_file_and_of_a_bundle_are_kept(self, tmp_path: Path, above: int) -> None:
        assert find_failing_line(tmp_path, write_function(3, above)) == above + 2

    def test_a_function_with_many_names_and_cells_works_as_before(self, tmp_path: Path) -> None:
        names = [f"name_{number}" for number in range(40)]
        inner = "    def g():\n        return " + " + ".join(names) + "\n    return g() // 0\n"
        source = "def f(" + ", ".join(f"{name}=1" for name in names) + "):\n" + inner
        assert find_failing_line(tmp_path, source) == 2

    def test_a_generator_has_the_line_of_its_first_statement(self, tmp_path: Path) -> None:
        source = "def g(a):\n    a += 1\n    yield a\n    yield a // 0\n\n\nf = lambda: list(g(1))\n"
        assert find_failing_line(tmp_path, source) == 2


def test_nothing_but_lines_goes() -> None:
    """So a source of a few lines becomes what the compiler makes of the same source on one line."""
    head, body = "\n" * 10 + "def f(a):\n", ["    a += 1", "    b = a", "    return b"]
    several = compiling.compile_source("a.py", head + "\n".join(body) + "\n")
    joined = compiling.compile_source("a.py", head + ";".join([body[0], *map(str.strip, body[1:])]) + "\n")
    assert thinning.thin(several) == thinning.thin(joined) == joined
    assert len(joined) < len(several)
