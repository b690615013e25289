"""Tabulate how far one piece, given for ever, is from filling one row.

A column is one of four levels below or above the row: filled, empty with the row next, empty one
deeper, empty deeper still. Levels forget, and what they forget counts in the player's favour: a
deep column may be as deep, a filled one as high as suits. So a distance is never too long, and no
strategy beats the longest over the seven pieces, each with the row that suits it best.
"""

import threading

import numpy as np

from tools.clear_a_line.compiling import njit
from tools.clear_a_line.pieces import MIRRORED, orientations

DEAD = 63  # no row can be filled any more
MOST_ROWS = 6
MOST_COLUMNS = 10

FILLED, NEXT, DEEP = 0, 1, 2  # 3: deeper
KINDS = 2  # of rows: the top one, above which a filled column may not be touched, and the others


def _changes(bottoms: tuple[int, ...], tops: tuple[int, ...], kind: int, strict: bool) -> list[list[int]]:
    """Return for each levels of the footprint (2 bits a column) those that dropping the piece can make of them."""
    width = len(bottoms)
    every = []
    for before in range(4**width):
        levels = [before >> 2 * i & 3 for i in range(width)]
        found = set()
        for y in range(-6, 1):  # of the lowest cell, counted from the row
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
                        break  # a hole in the row, or inside what lies there
                    rests = rests or (bottom <= -2 if level == 3 else bottom == 1 - level)
                    after |= (0 if height >= 1 else min(1 - height, 3)) << 2 * i
            else:
                if rests and after != before:
                    found.add(after)
        every.append(sorted(found))
    return every


@njit
def _fill(table, columns, piece_of, width_of, first, starts, changes):
    # A piece only ever lowers the number of a state, so one pass upward sees the later states first.
    best = np.empty(7, np.int64)
    for state in range(1, 4**columns):
        turned = 0
        for x in range(0, 2 * columns, 2):
            turned = turned << 2 | state >> x & 3
        if turned < state:
            word = table[turned]  # seen from behind, S is Z and L is J
            for piece in range(7):
                table[state] |= (word >> 8 * piece & 63) << 8 * MIRRORED[piece]
            continue
        best[:] = DEAD - 1
        for which in range(len(piece_of)):
            piece, width, offset = piece_of[which], width_of[which], first[which]
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
    """Return KINDS tables of 4**columns words; byte p of a word is the distance with piece p, or DEAD."""
    tables = np.zeros((KINDS, 4**columns), np.int64)
    shapes = [shape for shape in orientations() if shape.width <= columns]
    threads = []
    for kind in range(KINDS):
        first: list[int] = []
        starts: list[int] = []
        changes: list[int] = []
        for shape in shapes:
            first.append(len(starts))
            for found in _changes(shape.bottoms, shape.tops, kind, strict):
                starts.append(len(changes))
                changes += found
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
    """Return for 0, 1, 2... pieces the tables of which pieces take more, a bit each: what a search asks most.

    The last holds for all larger numbers too.
    """
    flat = tables.reshape(-1)
    slow = np.zeros((_longest(flat) + 1, flat.size), np.uint8)
    _compare(flat, slow)
    return slow.reshape(-1, *tables.shape)
