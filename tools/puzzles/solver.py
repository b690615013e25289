"""Solve a puzzle: try every place that the engine's rules let a Tetrimino reach, with Hold, and count the solutions.

Two solutions are equal if the same Tetriminos cover the same cells, in any order. To compare them, rows keep their
numbers when lines below them are cleared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from firmware.engine.manipulation import Manipulation
from sim.bots.places import Place, Places, cells_of
from tools.puzzles.text import ACTION, CLEAR_ALL, COMBO, FULL, LINES, WIDTH, Masks, Puzzle, Step, drop_full_rows, join

_WALLS = 0xE007
_EDGE = 3
_ROWS = 40
_AIR = 3  # rows above the Blocks; a higher start makes no difference
_SPAWN_Y = 19

Picture = frozenset[tuple[int, frozenset[tuple[int, int]]]]
"""Tetriminos with the cells that they cover, in rows of the original Matrix."""


class Rest(NamedTuple):
    """A resting place in a Matrix, its cells, and the Matrix afterwards.  lines: numbers of the cleared rows."""

    place: Place
    cells: frozenset[tuple[int, int]]
    after: Masks
    lines: tuple[int, ...]


class TooLongError(RuntimeError):
    """Say that a search took too many positions."""


@dataclass
class Answer:
    """The result of a search.  first: a solution, or empty.  pictures: all different solutions, up to the limit."""

    first: tuple[Step, ...]
    pictures: set[Picture]
    nodes: int

    @property
    def unique(self) -> bool:
        return len(self.pictures) == 1


def find_places(masks: Sequence[int], piece: int) -> Places:
    """Find all places where a Tetrimino from above can come to rest."""
    game = Manipulation()
    matrix = game.matrix
    for y, mask in enumerate(masks):
        matrix.masks[y] = mask << _EDGE | _WALLS
    matrix.top = len(masks)
    game.piece, game.x, game.y = piece, 3, min(_SPAWN_Y, len(masks) + _AIR)
    return Places(game)


def find_rests(masks: Masks, piece: int) -> list[Rest]:
    """Return these places, each with the Matrix afterwards."""
    found = []
    for place in find_places(masks, piece):
        cells = cells_of(piece, *place[:3])
        rows = join(masks, cells)
        lines = tuple(y for y, row in enumerate(rows) if row == FULL)
        found.append(Rest(place, cells, drop_full_rows(rows), lines))
    return found


class Search:
    """Look for the solutions of one puzzle.

    most: number of different pictures at which to stop.  patience: number of nodes before TooLongError.
    """

    def __init__(self, puzzle: Puzzle, most: int = 2, patience: int = 2_000_000) -> None:
        self.puzzle = puzzle
        self.most = most
        self.patience = patience
        self.rests: dict[tuple[Masks, int], list[Rest]] = {}
        self.dead: set[tuple[Masks, int, int, int, int]] = set()
        self.answer = Answer((), set(), 0)
        self.steps: list[tuple[Step, frozenset[tuple[int, int]]]] = []

    def run(self) -> Answer:
        """Search to the end, or until `most` solutions are found."""
        puzzle = self.puzzle
        height = len(puzzle.masks)
        self.search_from(puzzle.masks, 0, puzzle.hold, 0, list(range(height)) + list(range(height, height + _ROWS)))
        return self.answer

    def choices(self, at: int, hold: int) -> Iterator[tuple[int, int, int]]:
        """Yield each possible (Tetrimino to play, number taken from the queue, Tetrimino then in Hold)."""
        queue = self.puzzle.queue
        if at == len(queue):
            if hold:
                yield hold, at, 0
            return
        piece = queue[at]
        yield piece, at + 1, hold
        if not self.puzzle.hold_on or hold == piece:
            return
        if hold:
            yield hold, at + 1, piece
        elif at + 1 < len(queue) and queue[at + 1] != piece:
            yield queue[at + 1], at + 2, piece

    def search_from(self, masks: Masks, at: int, hold: int, count: int, numbers: list[int]) -> bool:
        """Try all placements from here; return whether any leads to a solution."""
        puzzle = self.puzzle
        left = len(puzzle.queue) - at + (1 if hold else 0)
        key = (masks, at, hold, count, len(self.steps))
        if not left or key in self.dead:
            return False
        self.answer.nodes += 1
        if self.answer.nodes > self.patience:
            raise TooLongError(f"given up after {self.patience:,} positions")
        solved = False
        for piece, then_at, then_hold in self.choices(at, hold):
            if (masks, piece) not in self.rests:
                self.rests[masks, piece] = find_rests(masks, piece)
            for rest in self.rests[masks, piece]:
                after = self.count(rest, count)
                reached = self.is_reached(rest, after)
                if after < 0 or not reached and not self.may_succeed(rest.after, left - 1, after):
                    continue
                place = rest.place
                cells = frozenset((x, numbers[y]) for x, y in rest.cells)  # by the rows of the original Matrix
                self.steps.append((Step(piece, place.facing, place.x, place.y), cells))
                if reached:
                    self.note()
                    solved = True
                else:
                    left_numbers = numbers
                    if rest.lines:
                        left_numbers = [number for y, number in enumerate(numbers) if y not in rest.lines]
                    solved = self.search_from(rest.after, then_at, then_hold, after, left_numbers) or solved
                self.steps.pop()
                if len(self.answer.pictures) >= self.most:
                    return True
        if not solved:
            self.dead.add(key)
        return solved

    def count(self, rest: Rest, count: int) -> int:
        """Return the progress to the goal after this placement, or -1 if the goal is out of reach."""
        puzzle = self.puzzle
        lines = len(rest.lines)
        if puzzle.goal == LINES:
            return count + lines
        if puzzle.goal == COMBO:
            return count + 1 if lines else -1
        if puzzle.goal == ACTION and rest.place.spin * 5 + lines == puzzle.kind:
            return count + 1
        return count

    def is_reached(self, rest: Rest, count: int) -> bool:
        if self.puzzle.goal == CLEAR_ALL:
            return not rest.after
        return count >= self.puzzle.times

    def may_succeed(self, masks: Masks, left: int, count: int) -> bool:
        """Return False if counting shows that the remaining Tetriminos are not enough."""
        puzzle = self.puzzle
        if puzzle.goal == CLEAR_ALL:
            return fits_together(masks, left)
        if puzzle.goal == ACTION and puzzle.kind >= 5:
            return True
        if puzzle.goal == LINES:
            return 4 * left >= puzzle.times - count
        return left >= puzzle.times - count

    def note(self) -> None:
        """Record the steps so far as a solution."""
        if not self.answer.first:
            self.answer.first = tuple(step for step, _cells in self.steps)
        self.answer.pictures.add(frozenset((step.piece, cells) for step, cells in self.steps))


@lru_cache(1 << 16)
def fits_together(masks: Masks, left: int) -> bool:
    """Return whether at most `left` Tetriminos may fill all rows, judged by the empty cells of each column."""
    filled = sum(mask.bit_count() for mask in masks)
    for pieces in range(1, left + 1):
        lines, rest = divmod(filled + 4 * pieces, WIDTH)
        if not rest and lines >= len(masks) and is_parted_well(masks, lines):
            return True
    return False


def is_parted_well(masks: Masks, lines: int) -> bool:
    """Return whether full columns split `lines` rows into parts that each hold whole Tetriminos."""
    empty = 0
    for x in range(WIDTH):
        column = lines - sum(mask >> x & 1 for mask in masks)
        if not column and empty % 4:
            return False
        empty += column
    return not empty % 4


def solve(puzzle: Puzzle, most: int = 2, patience: int = 2_000_000) -> Answer:
    """Return the solutions of a puzzle, up to `most` different ones."""
    return Search(puzzle, most, patience).run()
