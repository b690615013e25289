"""Read MicroPython's heap out of the emulated RAM: what is free, and the largest block, at any moment.

The heap is a list of areas (py/gc.c, split heap), each with two bits a block of 16 bytes. It grows by areas from the
rest of CircuitPython's own allocator (TLSF). Both count, as in gc.mem_free(). The addresses are of CircuitPython 10.0.0
for the Pico. gc.collect, time.sleep and get_into were found by their id() and the words there, the list of areas as the
literal that gc_info() loads. The pool of TLSF begins at the only address from which its blocks chain up to the areas
and to its end. read_heap() checks the shape of what it finds.
"""

from dataclasses import dataclass

import numpy as np

from tools.board import BoardError
from tools.board.rp2040 import layout, loop
from tools.board.rp2040.layout import RAM_BYTES, RAM_START

AREAS = 0x2000_93E4
POOL = 0x2000_FA8C
GC_COLLECT = 0x1002_8F2C
SWEPT = 0x1002_8F72  # in gc_collect(), after gc_collect_end()
TIME_SLEEP = 0x1005_5FA8
GET_INTO = 0x1005_21C4  # keypad.EventQueue.get_into: the game calls it once a frame, and once for each edge

_BLOCK_BYTES = 16
_FREE, _MARKED = 0, 3
_RETURN_TO = 0x1000_0100  # the vector table: nothing else comes here
_FIELDS = 9  # words of mp_state_mem_area_t
_SIZE_CLASSES = 16  # TLSF rounds a size down to one of so many steps between two powers of two
_AREA_SHARE = 123 * 4 * _BLOCK_BYTES / 8192  # of a new area, what its own tables leave
_PATIENCE = 100 * 125_000  # cycles until an interrupt or a collection must be over


@dataclass(frozen=True)
class Heap:
    """Bytes of the heap; `largest_block` is the largest that one allocation could have."""

    free: int
    used: int
    largest_block: int


def read_heap(chip: np.void, collect: bool = False) -> Heap:
    """Return the state of the heap; raise BoardError while there is none.

    collect: as if garbage were gone: the firmware's own gc_collect() runs, on a copy of the chip.
    """
    return _measure(_collected(chip) if collect else chip)


def _measure(chip: np.void) -> Heap:
    free = used = longest = 0
    for table in _tables(chip):
        blocks = _states(table) == _FREE
        edges = np.flatnonzero(np.diff(np.concatenate(([False], blocks, [False]))))
        runs = edges[1::2] - edges[::2]
        longest = max(longest, int(runs.max(initial=0)))
        free += int(blocks.sum())
        used += int((~blocks).sum())
    growth = _growth(chip)
    return Heap(
        free * _BLOCK_BYTES + growth,
        used * _BLOCK_BYTES,
        max(longest * _BLOCK_BYTES, int(growth * _AREA_SHARE) // _BLOCK_BYTES * _BLOCK_BYTES),
    )


def _areas(chip: np.void) -> list[tuple[int, ...]]:
    """Return the areas as mp_state_mem_area_t has them."""
    areas: list[tuple[int, ...]] = []
    at = AREAS
    while at:
        area = tuple(_word(chip, at + 4 * field) for field in range(_FIELDS))
        _next, table, length, _finalisers, _collects, pool, end, *_ = area
        if not (length and end - pool == 4 * length * _BLOCK_BYTES and table < pool < end <= RAM_START + RAM_BYTES):
            raise BoardError("there is no heap: MicroPython does not run yet, or this is not CircuitPython 10.0.0")
        areas.append(area)
        at = area[0]
    return areas


def _tables(chip: np.void) -> list[np.ndarray]:
    """Return the allocation table of each area."""
    ram = chip["ram"].view(np.uint8)
    return [ram[area[1] - RAM_START : area[1] - RAM_START + area[2]] for area in _areas(chip)]


def _states(table: np.ndarray) -> np.ndarray:
    """Return what each block is: free, the head of an allocation, its tail, or marked."""
    return (table[:, None] >> np.array([0, 2, 4, 6]) & 3).ravel()


def _growth(chip: np.void) -> int:
    """Return what the heap can grow by at once: TLSF's largest free block, rounded down."""
    at = POOL  # of a block; its size stands before it
    largest = 0
    while RAM_START < at < RAM_START + RAM_BYTES:
        header = _word(chip, at - 4)
        size = header & ~3
        if not size:
            break
        if header & 1:
            largest = max(largest, size)
        at += size + 4
    if not largest:
        return 0
    step = max(4, (1 << largest.bit_length() - 1) // _SIZE_CLASSES)
    return largest // step * step


def _collected(chip: np.void) -> np.void:
    """Return a copy of the chip after a collection, called from wherever the core is now."""
    copy = chip.copy()
    end = copy["now"] + _PATIENCE
    while copy["ipsr"] or any((_states(table) == _MARKED).any() for table in _tables(copy)):
        if copy["now"] >= end:
            raise BoardError("the core does not come out of an interrupt or a collection")
        copy["log_count"] = copy["mails"] = 0
        loop.run(copy, copy["now"] + 1000)
    copy["r"][14] = _RETURN_TO | 1
    copy["r"][15] = GC_COLLECT
    copy["primask"], copy["waiting"], copy["passed_pc"] = 1, 0, -1
    copy["watched_pc"] = _RETURN_TO
    copy["log_count"] = 0
    if loop.run(copy, copy["now"] + _PATIENCE) != layout.TRAP_WATCHED:
        raise BoardError("the collection did not end")
    return copy


def _word(chip: np.void, address: int) -> int:
    return int(chip["ram"][address - RAM_START >> 2]) if RAM_START <= address < RAM_START + RAM_BYTES else 0
