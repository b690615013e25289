"""Prove a second time that so many pieces are not enough, by plain search.

No tables: a row that misses m cells takes (m + 3) // 4 pieces at least, for a piece has four cells.
Nothing is shared with search.py, neither drops nor bounds nor the packing of states: heights of
four bits from column 0 up, then a bit for each row without holes.

    python -m tools.clear_a_line second [--pieces N] [--rows N]
"""

import threading
from collections.abc import Callable

import numpy as np
from numba import njit

# Each drop: the piece, then for each column where the piece begins and how many cells it has there.
DROPS = """
I 0:4             I 0:1 0:1 0:1 0:1
O 0:2 0:2
S 0:1 0:2 1:1     S 1:2 0:2
Z 1:1 0:2 0:1     Z 0:2 1:2
T 0:1 0:2 0:1     T 1:1 0:2 1:1     T 0:3 1:1   T 1:1 0:3
J 0:2 0:1 0:1     J 1:1 1:1 0:2     J 0:1 0:3   J 0:3 2:1
L 0:1 0:1 0:2     L 0:2 1:1 1:1     L 0:3 0:1   L 2:1 0:3
"""
_ENTERED, _STOP, _STORED = 0, 1, 2
_KEY = (1 << 50) - 1


def drops() -> np.ndarray:
    """Return a row for each drop: piece, width, begin of four columns, cells of four columns."""
    found = []
    words = DROPS.split()
    while words:
        piece = "IOSZTJL".index(words.pop(0))
        columns = []
        while words and ":" in words[0]:
            columns.append([int(number) for number in words.pop(0).split(":")])
        spare = [0] * (4 - len(columns))
        found.append([piece, len(columns), *[c[0] for c in columns], *spare, *[c[1] for c in columns], *spare])
    return np.array(sorted(found), np.int64)


@njit(cache=True, nogil=True)
def _slot(table, key):
    mask = len(table) - 1
    at = ((key ^ key >> 21) * 0x2545F4914F6CDD1D >> 17) & mask
    while table[at] != 0 and table[at] & _KEY != key:
        at = (at + 1) & mask
    return at


@njit(cache=True, nogil=True)
def _resists(state, pieces, rows, drops, table, rooms, notes):
    """Tell whether some pieces keep the player from filling a row with `pieces` of them."""
    notes[_ENTERED] += 1
    if notes[_STOP]:
        return False
    column = np.empty(10, np.int64)
    for x in range(10):
        column[x] = state >> 4 * x & 15
    clean = state >> 40
    after = np.empty(10, np.int64)
    counts = np.full(7, -2, np.int64)
    which = 0
    while which < len(drops):
        piece = drops[which, 0]
        counts[piece] = 0
        fills = False
        while which < len(drops) and drops[which, 0] == piece:
            width = drops[which, 1]
            for left in range(11 - width):
                if fills:
                    break
                base = 0
                legal = True
                for i in range(width):
                    legal = legal and column[left + i] < rows
                    base = max(base, column[left + i] - drops[which, 2 + i])
                if not legal:
                    continue
                still = clean
                for x in range(10):
                    after[x] = column[x]
                for i in range(width):
                    begin = base + drops[which, 2 + i]
                    for y in range(column[left + i], min(begin, rows)):
                        still &= ~(1 << y)
                    after[left + i] = min(rows, begin + drops[which, 6 + i])
                fewest = 99
                for y in range(rows):
                    if still >> y & 1:
                        missing = 0
                        for x in range(10):
                            missing += after[x] <= y
                        fewest = min(fewest, (missing + 3) // 4)
                if fewest == 0:
                    fills = True
                    break
                if fewest > pieces - 1:
                    continue
                key = still << 40
                mirror = still << 40
                for x in range(10):
                    key |= after[x] << 4 * x
                    mirror |= after[x] << 4 * (9 - x)
                key = min(key, mirror)
                known = table[_slot(table, key)]
                if known and known >> 50 & 31 >= pieces - 1:
                    continue
                if known and 0 < known >> 55 & 31 <= pieces - 1:
                    fills = True
                    break
                rooms[pieces, piece, counts[piece]] = key
                counts[piece] += 1
            which += 1
        if fills:
            counts[piece] = -1
        elif counts[piece] == 0:
            break
    resists = False
    while not resists:
        piece = -1
        for i in range(7):
            if counts[i] >= 0 and (piece < 0 or counts[i] < counts[piece]):
                piece = i
        if piece < 0:
            break
        resists = True
        for i in range(counts[piece]):
            if not _resists(rooms[pieces, piece, i], pieces - 1, rows, drops, table, rooms, notes):
                resists = False
                break
        counts[piece] = -1
    if notes[_STOP]:
        return False
    at = _slot(table, state)
    word = table[at]
    if word == 0:
        notes[_STORED] += 1
        word = state
        if notes[_STORED] * 8 > len(table) * 7:
            notes[_STOP] = 2
            return False
    if resists:
        word = word & ~(31 << 50) | pieces << 50
    else:
        word = word & ~(31 << 55) | pieces << 55
    table[at] = word
    return resists


def resists(pieces: int, rows: int = 6, bits: int = 28, tick: Callable[[int, int], None] | None = None) -> bool:
    """Tell whether the player cannot be sure to fill a row within `pieces`, as found by plain search.

    bits: the table holds 2**bits states. Raises MemoryError when that is too few.
    """
    table = np.zeros(1 << bits, np.int64)
    rooms = np.zeros((pieces + 1, 7, 34), np.int64)
    notes = np.zeros(3, np.int64)
    shapes = drops()
    found: list[bool] = []

    def work() -> None:
        # Shallow proofs first: what they find out orders nothing, but prunes.
        for few in range(3, pieces + 1):
            answer = bool(_resists(((1 << rows) - 1) << 40, few, rows, shapes, table, rooms, notes))
        found.append(answer)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            if tick:
                tick(int(notes[_ENTERED]), int(notes[_STORED]))
    except KeyboardInterrupt:
        notes[_STOP] = 1
        thread.join()
        raise
    if notes[_STOP]:
        raise MemoryError(f"a table of 2**{bits} states is full")
    return found[0]
