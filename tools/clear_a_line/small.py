"""Find a strategy with few states for the handheld, and encode it for firmware/winning.bin.

A piece that can fill a row always does; a state has moves only for the other pieces, so that many
boards share a state. cover.py finds the states, polish.py reduces their number.
"""

import numpy as np

from tools import ROOT
from tools.clear_a_line import cover, polish, search
from tools.clear_a_line.checker import SMALL_HEAD
from tools.clear_a_line.search import FIRST, Solver

TARGET = ROOT / "firmware" / "winning.bin"
EVERY = 8  # the file has the offset of each eighth record
DROPS = 34
PIECES = 12  # within which the root plan wins
SEED = 1
ROUNDS = 5  # of polish.py
_MOST_STATES = 65536 // (2 * DROPS)

Plan = list[tuple[int, int, int] | None]  # for each piece: orientation, column, 2 * next state + mirrored


def build(solver: Solver) -> list[Plan]:
    """Return the states of the strategy, the root first."""
    book = cover.make_book()
    roots: list[int] = []

    def work(number: int) -> None:
        for array in (book.memo, book.ready, book.seen, book.counters):
            array[:] = 0
        book.counters[cover.SERIAL] = 1
        book.counters[cover.RANDOM] = SEED
        lane = solver.lane(number)
        roots.append(int(cover.build_plan(solver.root, PIECES, 1, cover.MOST_PLANS, book, solver.size, lane)))

    solver.run(work)
    assert roots[-1] >= 0
    polisher = polish.Polish(book, solver.size, solver.root, SEED)
    polisher.run(ROUNDS)
    return trim(book.plans, polisher.root)


def trim(plans: np.ndarray, root: int) -> list[Plan]:
    """Number the plans from the root (0), and drop plans that the root does not lead to."""
    numbers = {root: 0}
    order = [root]
    for plan in order:
        for piece in range(7):
            next_state = int(plans[plan, piece, cover.NEXT])
            if next_state >= 0 and next_state >> 1 not in numbers:
                numbers[next_state >> 1] = len(order)
                order.append(next_state >> 1)
    states: list[Plan] = []
    for plan in order:
        moves: Plan = []
        for orientation, x, next_state in plans[plan, :7].tolist():
            moves.append(None if next_state < 0 else (orientation, x, 2 * numbers[next_state >> 1] + (next_state & 1)))
        states.append(moves)
    return states


def count_left(states: list[Plan], solver: Solver) -> list[int]:
    """Return the most pieces left at each state; raise ValueError if the strategy does not win."""
    known: dict[tuple[int, int], int] = {}
    left = [0] * len(states)

    def play(state: int, board: int) -> int:
        if (state, board) in known:
            return known[state, board]
        ready = int(cover.find_ready(board, memo, solver.size))
        most = 1
        for piece in range(7):
            if ready >> piece & 1:
                continue
            move = states[state][piece]
            if move is None:
                raise ValueError(f"state {state} knows no move for piece {piece}")
            after = int(search.drop_piece(board, move[0], move[1], solver.size))
            if after <= 0:
                raise ValueError(f"state {state} loses with piece {piece}")
            if move[2] & 1:
                after = int(search.mirror(after, solver.size))
            most = max(most, 1 + play(move[2] >> 1, after))
        known[state, board] = most
        left[state] = max(left[state], most)
        return most

    memo = np.zeros(1 << 18, np.int64)
    play(0, solver.root)
    return left


def encode(states: list[Plan], left: list[int], solver: Solver) -> bytes:
    """Return the handheld's file; checker.read_small documents the format."""
    if len(states) > _MOST_STATES:
        raise ValueError(f"{len(states)} states; the file has room for {_MOST_STATES}")
    offsets, records = [], bytearray()
    for number, moves in enumerate(states):
        if number % EVERY == 0:
            offsets.append(len(records))
        records.append(sum(1 << piece for piece in range(7) if moves[piece]))
        records.append(left[number])
        for piece, move in enumerate(moves):
            if move:
                orientation, x, next_state = move
                drop = x + sum(11 - int(solver.size.shapes[i, 1]) for i in range(FIRST[piece], orientation))
                word = ((next_state >> 1) * DROPS + drop) * 2 + (next_state & 1)
                records += word.to_bytes(2, "little")
    return SMALL_HEAD + b"".join(number.to_bytes(2, "little") for number in (len(states), *offsets)) + bytes(records)
