"""Read the free bytes and the largest block of MicroPython's heap from the emulated RAM, and the depth of its stack.

The heap is a list of areas (py/gc.c, split heap); each has a table with two bits for each block of 16 bytes. The heap
takes new areas from CircuitPython's own allocator (TLSF), so free memory there counts too, as in gc.mem_free().
Addresses differ between versions of CircuitPython. Each structure is found by how its fields depend on each other, and
a heap is read only where all three are found.
"""

from dataclasses import dataclass

import numpy as np

from tools.board import BoardError
from tools.board.marking import BLOCK_BYTES, FREE, HEAD, MARKED, RAM_BLOCKS, mark, sweep
from tools.board.rp2040.layout import RAM_BYTES, RAM_START

_RAM_END = RAM_START + RAM_BYTES
# mp_state_mem_area_t, in words: next area, table and its length, finalisers, scanned blocks, pool, its end.
_NEXT, _TABLE, _LENGTH, _, _SCANNED, _POOL, _END, _FIELDS = range(8)
# mp_state_ctx_t begins with top and limit of the stack, then start, end and top of the Python stack.
_PYSTACK, _PYSTACK_END, _PYSTACK_TOP = 2, 3, 4
_FILLING = 0x5AC3A53C  # no value of a Python program
_PYSTACK_BYTES = range(256, 1 << 14)
# TLSF's control_t, in words: the empty block, whose next block is itself; the control's own size; a table after it.
_EMPTY_NEXT, _CONTROL_SIZE, _CONTROL_TABLE, _CONTROL_FIELDS = 2, 5, 7, 9
_SIZE_CLASSES = 16  # TLSF's steps between two powers of two, to which it rounds sizes down
_AREA_SHARE = 123 * 4 * BLOCK_BYTES / 8192  # share of a new area that its tables leave free


@dataclass(frozen=True)
class Heap:
    """Bytes of the heap; `largest_block` is the largest possible allocation."""

    free: int
    used: int
    largest_block: int


@dataclass(frozen=True)
class _Area:
    """An area of the heap; `first` and `end` are numbers of blocks of RAM."""

    address: int
    first: int
    end: int


def read_heap(chip: np.void, collect: bool = False) -> Heap:
    """Return the state of the heap; raise BoardError before MicroPython runs.

    collect: as after a garbage collection, which is computed here and changes nothing.
    """
    ram = chip["ram"].astype(np.int64)
    control = _find_control(ram)
    areas, kinds, scanned = _read_areas(ram, control)
    if collect:
        mark(ram, kinds, scanned, _roots(chip, ram, control), np.empty(RAM_BLOCKS, np.int64))
        sweep(kinds)
    growth = _growth(ram, control, {area.address for area in areas[1:] if collect and _is_empty(kinds, area)})
    free = used = longest = 0
    for number, area in enumerate(areas):
        if collect and number and _is_empty(kinds, area):
            continue  # a collection gives it back to TLSF
        blocks = kinds[area.first : area.end] == FREE
        edges = np.flatnonzero(np.diff(np.concatenate(([False], blocks, [False]))))
        longest = max(longest, int((edges[1::2] - edges[::2]).max(initial=0)))
        free += int(blocks.sum())
        used += int((~blocks).sum())
    return Heap(
        free * BLOCK_BYTES + growth,
        used * BLOCK_BYTES,
        max(longest * BLOCK_BYTES, int(growth * _AREA_SHARE) // BLOCK_BYTES * BLOCK_BYTES),
    )


def _is_empty(kinds: np.ndarray, area: _Area) -> bool:
    return not kinds[area.first : area.end].any()


def _find_only(fits: np.ndarray) -> int:
    """Return the index of the only word at which a structure fits; raise BoardError."""
    found = np.flatnonzero(fits)
    if len(found) != 1:
        raise BoardError("there is no heap: MicroPython does not run yet, or this is not CircuitPython 10")
    return int(found[0])


def _find_control(ram: np.ndarray) -> int:
    """Return the index of TLSF's control in RAM, which static variables precede; raise BoardError."""
    starts = RAM_START + 4 * np.arange(len(ram) - _CONTROL_FIELDS)
    fits = ram[_EMPTY_NEXT:][: len(starts)] == starts
    fits &= ram[_CONTROL_TABLE:][: len(starts)] == starts + 4 * _CONTROL_FIELDS
    return _find_only(fits)


def _read_areas(ram: np.ndarray, control: int) -> tuple[list[_Area], np.ndarray, np.ndarray]:
    """Return the areas, and for each block of RAM its state and whether a collection scans it; raise BoardError."""
    kinds, scanned = np.zeros(RAM_BLOCKS, np.uint8), np.zeros(RAM_BLOCKS, np.uint8)
    bytes_ = ram.astype("<u4").view(np.uint8)
    areas = []
    at = _find_first_area(ram, control)
    while True:
        fields = ram[at : at + _FIELDS]
        first, end = (int(fields[name]) - RAM_START for name in (_POOL, _END))
        area = _Area(RAM_START + 4 * at, first // BLOCK_BYTES, end // BLOCK_BYTES)
        areas.append(area)
        table = bytes_[int(fields[_TABLE]) - RAM_START :][: int(fields[_LENGTH])]
        states = (table[:, None] >> np.array([0, 2, 4, 6], np.uint8) & 3).ravel()
        kinds[area.first : area.end] = np.where(states == MARKED, HEAD, states)
        bits = bytes_[int(fields[_SCANNED]) - RAM_START :][: (area.end - area.first + 7) // 8]
        scanned[area.first : area.end] = np.unpackbits(bits, bitorder="little")[: area.end - area.first]
        if not fields[_NEXT]:
            return areas, kinds, scanned
        at = int(fields[_NEXT]) - RAM_START >> 2
        if not 0 <= at < len(ram) - _FIELDS or not _are_areas(ram[at : at + _FIELDS])[0]:
            raise BoardError("the heap is damaged: one of its areas is none")


def _find_first_area(ram: np.ndarray, control: int) -> int:
    """Return the index of the first area, the only one in a static variable; raise BoardError."""
    return _find_only(_are_areas(ram[: control + _FIELDS]))


def _are_areas(words: np.ndarray) -> np.ndarray:
    table, length, pool, end = (
        words[name : len(words) - _FIELDS + name + 1] for name in (_TABLE, _LENGTH, _POOL, _END)
    )
    return (
        (length > 0)
        & (end - pool == 4 * length * BLOCK_BYTES)
        & (table < pool)
        & (end <= _RAM_END)
        & (table >= RAM_START)
    )


def _roots(chip: np.void, ram: np.ndarray, control: int) -> np.ndarray:
    """Return the words from which a collection marks: registers, stack, Python stack, static variables."""
    state = _find_state(chip, ram, control)
    pystack, pystack_top = int(ram[state + _PYSTACK]), int(ram[state + _PYSTACK_TOP])
    return np.concatenate(
        (
            chip["r"],
            ram[int(chip["r"][13]) - RAM_START >> 2 :],
            ram[pystack - RAM_START >> 2 : pystack_top - RAM_START >> 2],
            ram[state:control],
        )
    )


def _find_state(chip: np.void, ram: np.ndarray, control: int) -> int:
    """Return the index of mp_state_ctx_t in RAM; raise BoardError."""
    tops, limits, starts, ends, ups = (ram[field : control + field] for field in range(5))
    fits = (int(chip["r"][13]) <= tops) & (tops <= _RAM_END) & (limits < RAM_BYTES)
    sizes = ends - starts
    fits &= (sizes >= _PYSTACK_BYTES.start) & (sizes < _PYSTACK_BYTES.stop) & (starts <= ups) & (ups <= ends)
    return _find_only(fits & (starts >= RAM_START + 4 * control) & (ends < tops))


def fill_stack(chip: np.void) -> None:
    """Fill the free part of the Python stack, so that measure_stack() sees what calls write over."""
    _start, top, end = _find_stack(chip)
    chip["ram"][top:end] = _FILLING


def measure_stack(chip: np.void) -> tuple[int, int]:
    """Return the most bytes that calls took of the Python stack since fill_stack(), and all of them."""
    start, _top, end = _find_stack(chip)
    written = np.flatnonzero(chip["ram"][start:end] != _FILLING)
    return 4 * (int(written[-1]) + 1), 4 * (end - start)


def _find_stack(chip: np.void) -> tuple[int, int, int]:
    """Return the indices in RAM of the Python stack: its start, the end of what calls take now, its end."""
    ram = chip["ram"].astype(np.int64)
    state = _find_state(chip, ram, _find_control(ram))
    start, end, top = (int(ram[state + field]) - RAM_START >> 2 for field in (_PYSTACK, _PYSTACK_END, _PYSTACK_TOP))
    return start, top, end


def _growth(ram: np.ndarray, control: int, freed: set[int]) -> int:
    """Return the bytes of the largest area that the heap can add: TLSF's largest free block, rounded down.

    freed: addresses of more blocks that are free.
    """
    largest = run = 0
    # The address of a block; the word before it holds its size.
    at = RAM_START + 4 * control + int(ram[control + _CONTROL_SIZE]) + 4
    while at < _RAM_END:
        header = int(ram[at - 4 - RAM_START >> 2])
        size = header & ~3
        if not size:
            break
        run = (run + 4 if run else 0) + size if header & 1 or at in freed else 0
        largest = max(largest, run)
        at += size + 4
    if not largest:
        return 0
    step = max(4, (1 << largest.bit_length() - 1) // _SIZE_CLASSES)
    return largest // step * step
