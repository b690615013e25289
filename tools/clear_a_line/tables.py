"""Tabulate how many copies of one piece fill one row: a lower bound for the search.

A column has one of four levels relative to the row: filled, its next cell in the row, one cell deeper, deeper still.
The exact depth of a deep column and height of a filled one are unknown; the table assumes the best for the player. So
a distance is never too long. For each piece take its best row: no strategy beats the longest of these seven distances.
"""

import threading

import numpy as np

from tools.clear_a_line.compiling import njit
from tools.clear_a_line.pieces import MIRRORED, orientations

DEAD = 63  # no row can be filled any more
MOST_ROWS = 6
MOST_COLUMNS = 10

FILLED, NEXT, DEEP = 0, 1, 2  # levels; 3: deeper
KINDS = 2  # of rows: 0 is the top one, whose filled columns may not be touched; 1 is any other


def _changes(bottoms: tuple[int, ...], tops: tuple[int, ...], kind: int, strict: bool) -> list[list[int]]:
    """Return the levels that a drop can lead to, for all levels of its columns (2 bits a column)."""
    width = len(bottoms)
    changes = []
    for before in range(4**width):
        levels = [before >> 2 * i & 3 for i in range(width)]
        results = set()
        for y in range(-6, 1):  # height of the lowest cell relative to the row
            if strict and kind == 0 and y == 0:
                continue
            rests, after = False, 0
            for i, level in enumerate(levels):
                bottom, height = y + bottoms[i], y + tops[i]
                if level == FILLED:
                    if kind == 0 or bottom < 1:
                        break
                    rests = True
                else:
                    if bottom > 0 or (level < 3 and bottom < 1 - level):
                        break  # a hole in the row, or inside other cells
                    rests = rests or (bottom <= -2 if level == 3 else bottom == 1 - level)
                    after |= (0 if height >= 1 else min(1 - height, 3)) << 2 * i
            else:
                if rests and after != before:
                    results.add(after)
        changes.append(sorted(results))
    return changes


@njit
def _fill(table, columns, piece_of, width_of, first, starts, changes):
    # A piece always lowers the number of a state, so a pass upward handles later states first.
    best = np.empty(7, np.int64)
    for state in range(1, 4**columns):
        turned = 0
        for x in range(0, 2 * columns, 2):
            turned = turned << 2 | state >> x & 3
        if turned < state:
            word = table[turned]  # mirrored, S is Z and L is J
            for piece in range(7):
                table[state] |= (word >> 8 * piece & 63) << 8 * MIRRORED[piece]
            continue
        best[:] = DEAD - 1
        for orientation in range(len(piece_of)):
            piece, width, offset = piece_of[orientation], width_of[orientation], first[orientation]
            mask = (1 << 2 * width) - 1
            for x in range(0, 2 * (columns - width) + 1, 2):
                before = state >> x & mask
                if before == 0:
                    continue
                for i in range(starts[offset + before], starts[offset + before + 1]):
                    distance = table[state + ((changes[i] - before) << x)] >> 8 * piece & 63
                    best[piece] = min(best[piece], distance)
        word = 0
        for piece in range(7):
            word |= (best[piece] + 1) << 8 * piece
        table[state] = word


def distances(columns: int, strict: bool = False) -> np.ndarray:
    """Return KINDS tables of 4**columns words: byte p is the number of pieces p that fill the row, or DEAD."""
    tables = np.zeros((KINDS, 4**columns), np.int64)
    shapes = [shape for shape in orientations() if shape.width <= columns]
    threads = []
    for kind in range(KINDS):
        first: list[int] = []
        starts: list[int] = []
        changes: list[int] = []
        for shape in shapes:
            first.append(len(starts))
            for results in _changes(shape.bottoms, shape.tops, kind, strict):
                starts.append(len(changes))
                changes += results
            starts.append(len(changes))
        arrays = [np.array(numbers, np.int64) for numbers in (first, starts, changes)]
        pieces = np.array([shape.piece for shape in shapes], np.int64)
        widths = np.array([shape.width for shape in shapes], np.int64)
        threads.append(threading.Thread(target=_fill, args=(tables[kind], columns, pieces, widths, *arrays)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return tables


@njit
def _longest(table):
    longest = 0
    for word in table:
        for piece in range(7):
            distance = word >> 8 * piece & 63
            if distance < DEAD:
                longest = max(longest, distance)
    return longest


@njit
def _compare(table, slow):
    for state in range(len(table)):
        for piece in range(7):
            distance = table[state] >> 8 * piece & 63
            for pieces in range(min(distance, len(slow))):
                slow[pieces, state] |= 1 << piece


def slower(tables: np.ndarray) -> np.ndarray:
    """Return for 0, 1, 2... pieces tables like `tables` with a bit for each piece whose distance is longer.

    The last table holds for all larger numbers too.
    """
    flat = tables.reshape(-1)
    slow = np.zeros((_longest(flat) + 1, flat.size), np.uint8)
    _compare(flat, slow)
    return slow.reshape(-1, *tables.shape)
