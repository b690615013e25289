"""Change the inputs of a target: by chance, or led by atheris and libFuzzer, which see what its code does with them."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from sim.terminal import Refusal

if TYPE_CHECKING:
    from tools.fuzz.targets import Target

_TARGETS = "tools.fuzz.targets"
_OURS = ["firmware", "sim", "tools"]
_ODD = (b"\0", b"\xff", b"\x80", b"\n", b"-", b"9" * 20, b"\xff" * 8, b"[" * 2000, b"\x1b[1m", "\u2028é".encode())
_MOST_CHANGES = 4
_MOST_BYTES = 1 << 16  # of an input
_LONGEST_S = 60  # of one input
_MOST_MB = 2048
_DONE = re.compile(r"Done (\d+) runs|^#(\d+)", re.MULTILINE)
_BROKEN = re.compile(r"^broken (\S+) (.*)", re.MULTILINE)

Judge = Callable[["Target", bytes, Path], str]


class Outcome(NamedTuple):
    """What a run of a target came to. found, faults: the inputs that broke it, and what was wrong, by their names."""

    runs: int
    cpu_s: float
    found: dict[str, bytes]
    faults: dict[str, str]


def mutate(content: bytes, chance: Random) -> bytes:
    """Return the input with some changes by chance: bits, odd pieces, pieces doubled, moved or taken out."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 1, 2, 4, 16, 64)))
        kind = chance.randrange(6)
        if kind == 0:
            changed[at:end] = chance.choice(_ODD)
        elif kind == 1:
            changed[at:at] = changed[at:end]
        elif kind == 2:
            del changed[at:end]
        elif kind == 3:
            to = chance.randrange(len(changed) + 1)
            changed[to:to] = changed[at:end]
        else:
            changed[at:end] = bytes(each ^ 1 << chance.randrange(8) for each in changed[at:end])
    return bytes(changed)


def list_inputs(target: Target, count: int) -> Iterator[bytes]:
    """Yield the seeds of a target and so many changed ones, the same every time."""
    seeds = list(target.seeds())
    yield from seeds
    chance = Random(target.name)
    for _ in range(count):
        yield mutate(chance.choice(seeds), chance)


def keep(folder: Path, target: Target, content: bytes) -> str:
    """Write an input of a target into a folder; return its name."""
    name = target.stem + hashlib.sha256(content).hexdigest()[:8]
    (folder / name).write_bytes(content)
    return name


def load() -> ModuleType:
    """Return tools.fuzz.targets, with atheris's counters in all our code; without atheris as it is."""
    if not find_spec("atheris"):
        return import_module(_TARGETS)
    import atheris

    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=_OURS):  # it names each module
        return import_module(_TARGETS)


def fuzz(target: Target, judge: Judge, limit: str) -> Outcome:
    """Run libFuzzer in a copy of this process, which it ends; return what came out."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("found", "seeds", "scratch"):
            (folder / part).mkdir()
        child = os.fork()
        if not child:
            with (folder / "said").open("wb") as said:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
            lead(target, judge, folder, limit)
        _pid, status, used = os.wait4(child, 0)
        words = (folder / "said").read_text(encoding="utf-8", errors="replace")
        runs = [int(first or second) for first, second in _DONE.findall(words)]
        found = {path.name: path.read_bytes() for path in (folder / "found").iterdir()}
        if not runs or status and not found:
            *_, last = words.strip().splitlines() or ["nothing"]
            raise Refusal(f"{target.name}: the fuzzer failed: {last}")
        return Outcome(max(runs), used.ru_utime + used.ru_stime, found, dict(_BROKEN.findall(words)))


def lead(target: Target, judge: Judge, folder: Path, limit: str) -> None:
    """Let libFuzzer run a target, and keep what breaks it: one input for each place that breaks. It never returns."""
    import atheris

    with atheris.instrument_imports(include=_OURS):
        for content in target.seeds():
            keep(folder / "seeds", target, content)
            judge(target, content, folder / "scratch")  # loads what a reader imports late
    broken: set[str] = set()

    def read(content: bytes) -> None:
        fault = judge(target, content, folder / "scratch")
        if fault and (place := fault.partition(": ")[0]) not in broken:
            broken.add(place)
            name = keep(folder / "found", target, content)
            os.write(1, f"broken {name} {fault}\n".encode())

    flags = ["-seed=1", f"-max_len={_MOST_BYTES}", f"-rss_limit_mb={_MOST_MB}"]
    flags += [f"-timeout={_LONGEST_S}", f"-report_slow_units={_LONGEST_S}"]
    # What libFuzzer itself keeps: an input that takes too long, too much memory, or ends the process.
    artifacts = f"-artifact_prefix={folder}/found/{target.stem}"
    atheris.Setup(["fuzz", limit, *flags, artifacts, str(folder / "seeds")], read)
    atheris.Fuzz()
