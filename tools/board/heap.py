"""Read the free bytes and the largest block of MicroPython's heap from the emulated RAM.

The heap is a list of areas (py/gc.c, split heap); each has a table with two bits for each block of 16 bytes. The heap
takes new areas from CircuitPython's own allocator (TLSF), so free memory there counts too, as in gc.mem_free(). The
addresses are those of CircuitPython 10.0.0 for the Pico: the functions from their id(), the list of areas from the
literal that gc_info() loads. Only from POOL do TLSF's blocks chain up to the areas and the end of the pool. read_heap()
checks the areas.
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
GET_INTO = 0x1005_21C4  # keypad.EventQueue.get_into; the game calls it once a frame and once for each edge

_BLOCK_BYTES = 16
_FREE, _MARKED = 0, 3
_RETURN_TO = 0x1000_0100  # the vector table, which no other code executes
_FIELDS = 9  # words of mp_state_mem_area_t
_SIZE_CLASSES = 16  # TLSF's steps between two powers of two, to which it rounds sizes down
_AREA_SHARE = 123 * 4 * _BLOCK_BYTES / 8192  # share of a new area that its tables leave free
_TIMEOUT_CYCLES = 100 * 125_000  # for an interrupt or a collection


@dataclass(frozen=True)
class Heap:
    """Bytes of the heap; `largest_block` is the largest possible allocation."""

    free: int
    used: int
    largest_block: int


def read_heap(chip: np.void, collect: bool = False) -> Heap:
    """Return the state of the heap; raise BoardError before MicroPython runs.

    collect: run the firmware's gc_collect() first, on a copy of the chip.
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
    """Return the areas with the fields of mp_state_mem_area_t."""
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
    """Return the state of each block: free, head of an allocation, tail, or marked."""
    return (table[:, None] >> np.array([0, 2, 4, 6]) & 3).ravel()


def _growth(chip: np.void) -> int:
    """Return the bytes of the largest area that the heap can add: TLSF's largest free block, rounded down."""
    at = POOL  # address of a block; the word before it holds its size
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
    """Return a copy of the chip after a collection that is called from the current instruction."""
    copy = chip.copy()
    end = copy["now"] + _TIMEOUT_CYCLES
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
    if loop.run(copy, copy["now"] + _TIMEOUT_CYCLES) != layout.TRAP_WATCHED:
        raise BoardError("the collection did not end")
    return copy


def _word(chip: np.void, address: int) -> int:
    return int(chip["ram"][address - RAM_START >> 2]) if RAM_START <= address < RAM_START + RAM_BYTES else 0
