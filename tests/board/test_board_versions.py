"""What differs between versions of CircuitPython: where its functions and its heap are, and whether a match fits."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.handhelds.board_console import THREE, each_uf2, find_uf2, make_console
from tools.board import BoardError, functions
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap import read_heap
from tools.board.rp2040 import layout, loop

pytestmark = [pytest.mark.board, each_uf2]

CLOSE_BYTES = 32
RETURN_TO = 0x1000_0100  # the vector table, which no other code executes
TIMEOUT_CYCLES = 100 * 125_000
# Keep some kilobytes, a level deep in lists, and leave garbage that only a collection finds.
REPORT = """\
import gc, time
time.sleep(0.5)
def report(kept):
    garbage = [bytearray(300) for _ in range(9)]
    garbage = None
    gc.collect()
    free = gc.mem_free()
    [bytearray(200) for _ in range(9)]
    print("FREE", free, "END")
    time.sleep(0.05)
for kilobytes in (0, 5, 20, 50, 80, 110):
    report([[bytearray(900), str(number) * 9] for number in range(kilobytes)])
print("DONE")
while True: pass
"""


def test_marked_heap_equals_gc_mem_free_within_32_bytes(uf2: Path | None) -> None:
    handheld = make_handheld(uf2 or find_uf2(), {"code.py": REPORT.encode()})
    marked: dict[int, int] = {}

    while "DONE" not in handheld.serial:
        handheld.run(0.01)
        reports = handheld.serial.split("END")[:-1]
        if len(reports) > len(marked):
            marked[int(reports[-1].split()[-1])] = handheld.heap(collect=True).free

    assert len(marked) == 6
    assert max(abs(said - read) for said, read in marked.items()) <= CLOSE_BYTES, marked


def collect(handheld: Handheld) -> np.void:
    """Return a copy of the chip after the firmware's own collection, called from where it is; raise BoardError."""
    copy = handheld.machine.chip.copy()
    copy["r"][13] -= 32
    low = int(copy["r"][13]) - layout.RAM_START >> 2
    copy["ram"][low : low + 8] = [*(int(copy["r"][number]) for number in (0, 1, 2, 3, 12, 14)), 0, 0]
    copy["r"][14], copy["r"][15] = RETURN_TO | 1, handheld.functions.gc_collect
    copy["primask"], copy["waiting"], copy["passed_pc"], copy["watched_pc"] = 1, 0, -1, RETURN_TO
    copy["log_count"] = 0
    if loop.run(copy, copy["now"] + TIMEOUT_CYCLES) != layout.TRAP_WATCHED:
        raise BoardError("the collection did not end")
    return copy


def is_in_a_collection(handheld: Handheld) -> bool:
    """Return whether the firmware is within an interrupt or gc_collect(): another one must not begin there."""
    chip = handheld.machine.chip
    begins, ends = handheld.functions.gc_collect, handheld.functions.swept
    low = int(chip["r"][13]) - layout.RAM_START >> 2
    returns = chip["ram"][low:]
    return bool(chip["ipsr"]) or bool(((returns > begins) & (returns <= ends + 1)).any())


def test_marked_heap_equals_the_firmwares_own_collection(uf2: Path | None) -> None:
    console = make_console(THREE, uf2, by_ear=2, large_cells=1)
    handheld = console.handheld
    console.open_versus()
    handheld.press("A")
    differences = []
    for _ in range(24):
        console.run(0.13)
        handheld.run_until(lambda: not is_in_a_collection(handheld), 0.1)
        marked, collected = handheld.heap(collect=True), read_heap(collect(handheld))
        differences.append(marked.free - collected.free)
        assert marked.largest_block - collected.largest_block in range(-CLOSE_BYTES, 1)
    # A static variable that nobody reads any more may keep a block for us: that is the safe side.
    assert max(differences) <= CLOSE_BYTES, differences
    assert sum(each < -CLOSE_BYTES for each in differences) <= 1, differences


def test_functions_are_found_by_their_names(uf2: Path | None) -> None:
    handheld = make_handheld(uf2 or find_uf2(), {})
    found = functions.find(handheld.flash)
    assert len({found.time_sleep, found.get_into, found.gc_collect}) == 3
    assert found.gc_collect < found.swept < found.gc_collect + 128


def test_a_flash_without_circuitpython_is_refused(uf2: Path | None) -> None:
    with pytest.raises(BoardError, match="no CircuitPython"):
        functions.find(bytes(layout.FLASH_BYTES))
