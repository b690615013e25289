"""The firmware gives the same results on CPython, 32-bit MicroPython and native MicroPython.

Every tests/portable/case_*.py is a script with assertions. Its last printed line has results: a trace, a hash or
counters. This line must be equal on all interpreters.
"""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import needs
from tests.support.needs import needs_wasm
from tests.support.running import ROOT, run_python
from tools import interpreters, run_cache
from tools.run_cache import Runs

CASES = sorted((ROOT / "tests" / "portable").glob("case_*.py"))
FIRMWARE = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "firmware").rglob("*.py"))


@pytest.fixture(params=interpreters.NAMES)
def interpreter(request: pytest.FixtureRequest) -> str:
    needs.demand_interpreter(request.param)
    return request.param


@pytest.fixture(params=(interpreters.WASM, interpreters.NATIVE))
def micropython(request: pytest.FixtureRequest) -> str:
    needs.demand_interpreter(request.param)
    return request.param


@functools.cache
def run_on_cpython(case: Path) -> str:
    return interpreters.run(interpreters.CPYTHON, case.read_text(encoding="utf-8")).last_line


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case_passes_on_cpython(case: Path) -> None:
    assert run_on_cpython(case)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_case_prints_the_same_line_on_micropython_as_on_cpython(case: Path, micropython: str) -> None:
    assert interpreters.run(micropython, case.read_text(encoding="utf-8")).last_line == run_on_cpython(case)


def test_every_firmware_module_compiles_on_micropython(micropython: str) -> None:
    """Hardware modules cannot be imported there, but they must compile."""
    root = "/input" if micropython == interpreters.WASM else ROOT.as_posix()
    script = f"""
for name in {[*FIRMWARE, "code.py", "boot.py"]!r}:
    with open({root!r} + "/" + name) as source:
        try:
            compile(source.read(), name, "exec")
        except SyntaxError as error:
            print(name, error)
            raise
print("compiled")
"""
    assert interpreters.run(micropython, script).last_line == "compiled"


@pytest.mark.parametrize(
    ("script", "reported"),
    [
        ("print('begun')\nassert 7 == 8, 'seven is not eight'\n", "seven is not eight"),
        ("import sys\nsys.exit(3)\n", "exit code 3"),
        ("def (:\n", "SyntaxError"),
    ],
)
def test_failure_is_reported(script: str, reported: str, interpreter: str) -> None:
    with pytest.raises(interpreters.ScriptFailed, match=reported):
        interpreters.run(interpreter, script)


def test_an_endless_script_is_stopped_and_reported() -> None:
    with pytest.raises(interpreters.ScriptFailed, match="no end"):
        interpreters.run(interpreters.CPYTHON, "while True: pass\n", timeout_s=0.5)
    needs.demand_interpreter(interpreters.WASM)
    with pytest.raises(interpreters.ScriptFailed, match="no end"):
        interpreters.run(interpreters.WASM, "while True: pass\n", fuel=5_000_000)


def test_unknown_interpreter_is_refused() -> None:
    with pytest.raises(ValueError, match="no interpreter 'snake'"):
        interpreters.run("snake", "")


@needs_wasm
def test_32_bit_micropython_counts_bytes_like_a_board() -> None:
    script = "import sys\nassert sys.maxsize == 2**31 - 1\nprint(len(sys.implementation[0]))"
    assert interpreters.run(interpreters.WASM, script).last_line == "11"


@needs_wasm
def test_fuel_is_the_same_every_run() -> None:
    script = "from time import ticks_us as mark\nmark()\nx = sum(range(100))\nmark()\n"
    with interpreters.caching(None):
        first, second = (interpreters.run(interpreters.WASM, script) for _ in range(2))
    assert second == first and first.fuel > 0


class TestRunCache:
    """tools/run_cache.py: the same script with the same files needs no second run."""

    SCRIPT = "with open('/input/firmware/word.txt') as file: print(file.read())\n"

    @pytest.fixture
    def root(self, tmp_path: Path) -> Iterator[Path]:
        needs.demand_interpreter(interpreters.WASM)
        root = tmp_path / "root"
        (root / "firmware").mkdir(parents=True)
        self.write_word(root, "first")
        with interpreters.caching(Runs(tmp_path / "kept")):
            yield root

    def write_word(self, root: Path, word: str) -> None:
        (root / "firmware" / "word.txt").write_text(word, encoding="utf-8")

    def run_script(self, root: Path, script: str = SCRIPT) -> interpreters.Run:
        return interpreters.run(interpreters.WASM, script, root=root)

    def edit_answer(self, folder: Path, edit: Callable[[str], str]) -> None:
        (answer,) = (path for path in (folder / "kept").rglob("*") if path.is_file())
        answer.write_text(edit(answer.read_text(encoding="utf-8")), encoding="utf-8")

    def test_a_result_is_kept_for_a_script_and_all_readable_files(self, root: Path, tmp_path: Path) -> None:
        first = self.run_script(root)
        assert first.last_line == "first"
        self.edit_answer(tmp_path, lambda text: text.replace("first", "found"))
        assert self.run_script(root).last_line == "found"
        assert self.run_script(root).marks == first.marks and self.run_script(root).fuel == first.fuel
        assert self.run_script(root, self.SCRIPT + "\n").last_line == "first"
        self.write_word(root, "other")
        assert self.run_script(root).last_line == "other"

    def test_a_damaged_result_is_computed_again(self, root: Path, tmp_path: Path) -> None:
        first = self.run_script(root)
        self.edit_answer(tmp_path, lambda text: text[:7])
        assert self.run_script(root) == first

    def test_a_failure_is_not_kept(self, root: Path, tmp_path: Path) -> None:
        with pytest.raises(interpreters.ScriptFailed):
            self.run_script(root, "assert False\n")
        assert not (tmp_path / "kept").exists()

    def test_only_results_of_recently_used_files_stay(self, root: Path, tmp_path, monkeypatch) -> None:
        monkeypatch.setattr(run_cache, "MOST_STATES", 2)
        for word in ("one", "two", "one", "three"):
            self.write_word(root, word)
            self.run_script(root)
        answers = [path.read_text(encoding="utf-8") for path in (tmp_path / "kept").rglob("*") if path.is_file()]
        assert len(answers) == 2 and any("one" in answer for answer in answers)


@needs_wasm
def test_marks_measure_the_fuel_between_them() -> None:
    turn = interpreters.turn_fuel()
    script = (
        "from time import ticks_us as mark\ndef turns(n):\n    total = 7\n    mark()\n"
        "    for x in range(n): total += x & 3\n    mark()\nturns(0)\nturns(500)\n"
    )
    marks = interpreters.marks_of(interpreters.run(interpreters.WASM, script))
    assert len(marks) == 4
    overhead, whole = marks[1] - marks[0], marks[3] - marks[2]
    assert (whole - overhead) / 500 == pytest.approx(turn, rel=0.01)


# Ctrl+C at the critical moment: when Wasmtime calls back into Python.
INTERRUPTED = """
import signal, sys
from tools import interpreters

def interrupt(frame, event, _):
    if event == "call" and frame.f_code.co_name == "trampoline":
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)

sys.setprofile(interrupt)
try:
    interpreters.run(interpreters.WASM, "from time import ticks_us\\nwhile True: ticks_us()", fuel=10**9)
except KeyboardInterrupt:
    print("stopped")
"""


@needs_wasm
def test_an_interrupt_ends_a_script_and_not_the_process() -> None:
    done = run_python("-c", INTERRUPTED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")
