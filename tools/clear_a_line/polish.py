"""Make a strategy smaller by a local search that unites states and changes moves.

Two states can be united if each piece has a drop and a next state that win from all boards of both. When no more states
can be united, random moves are changed to others that also win, so that other states can be united. The moves cannot
run in circles, because every piece raises the sum of heights.
"""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tools.clear_a_line.compiling import njit
from tools.clear_a_line.cover import COLUMN, COUNT, NEXT, ORIENTATION, WINS, Book, find_ready, plan_works
from tools.clear_a_line.pieces import MIRRORED, orientations
from tools.clear_a_line.search import FIRST, MIX, Size, drop_piece, mirror

_MOST_BOARDS = 1 << 18
_MOST_OPTIONS = 1 << 16
_X = 10  # columns; an option is (orientation * 10 + column) << 16 | 2 * next state + mirrored


@njit
def _reach(root, board, book, size, seen, pairs):
    """Put every (state, board) that can occur into `pairs`; return their number."""
    seen[:] = -1
    mask = len(seen) - 1
    count = 1
    pairs[0, 0] = root
    pairs[0, 1] = board
    done = 0
    while done < count:
        plan = pairs[done, 0]
        state = pairs[done, 1]
        done += 1
        ready = find_ready(state, book.ready, size)
        for piece in range(7):
            if ready >> piece & 1:
                continue
            after = drop_piece(state, book.plans[plan, piece, ORIENTATION], book.plans[plan, piece, COLUMN], size)
            next_state = book.plans[plan, piece, NEXT]
            if next_state & 1:
                after = mirror(after, size)
            key = next_state >> 1 << 36 | after
            at = (key * MIX >> 24) & mask
            while seen[at] != -1 and seen[at] != key:
                at = (at + 1) & mask
            if seen[at] == -1:
                seen[at] = key
                pairs[count, 0] = next_state >> 1
                pairs[count, 1] = after
                count += 1
    return count


@njit
def _find_options(piece, boards, alive, book, size, found):
    """Put into `found` every option of a piece that wins from all boards; return their number.

    Return -1 if the piece can fill a row of every board: then the state needs no move for it.
    """
    needed = False
    for board in boards:
        if not find_ready(board, book.ready, size) >> piece & 1:
            needed = True
    if not needed:
        return -1
    after = np.empty(len(boards), np.int64)
    count = 0
    for orientation in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(11 - size.shapes[orientation, 1]):
            after_count = 0
            legal = True
            for board in boards:
                if find_ready(board, book.ready, size) >> piece & 1:
                    continue
                after[after_count] = drop_piece(board, orientation, x, size)
                if after[after_count] < 0:
                    legal = False
                    break
                after_count += 1
            if not legal:
                continue
            for plan in range(book.counters[COUNT]):
                if not alive[plan]:
                    continue
                for mirrored in range(2):
                    works = True
                    for i in range(after_count):
                        state = mirror(after[i], size) if mirrored else after[i]
                        if not plan_works(plan, state, book, size):
                            works = False
                            break
                    if works and count < len(found):
                        found[count] = (orientation * _X + x) << 16 | 2 * plan + mirrored
                        count += 1
    return count


@njit
def _keep_options(piece, boards, options, book, size):
    """Move the options that win from all boards to the front; return their number."""
    count = 0
    for option in options:
        orientation, x = divmod(option >> 16, _X)
        works = True
        for board in boards:
            if find_ready(board, book.ready, size) >> piece & 1:
                continue
            state = drop_piece(board, orientation, x, size)
            if state < 0:
                works = False
                break
            if option & 1:
                state = mirror(state, size)
            if not plan_works((option & 0xFFFF) >> 1, state, book, size):
                works = False
                break
        if works:
            options[count] = option
            count += 1
    return count


def _mirror_drops() -> np.ndarray:
    shapes = orientations()
    numbers = {(shape.piece, shape.bottoms, shape.tops): i for i, shape in enumerate(shapes)}
    mirrored = np.zeros(len(shapes) * _X, np.int64)
    for number, shape in enumerate(shapes):
        other = numbers[MIRRORED[shape.piece], shape.bottoms[::-1], shape.tops[::-1]]
        for x in range(11 - shape.width):
            mirrored[number * _X + x] = other * _X + 10 - shape.width - x
    return mirrored


Options = set[int] | None  # None: the piece can fill a row, so the state needs no move for it


def _share(one: Options, other: Options) -> Options:
    return other if one is None else one if other is None else one & other


def _meet(one: Options, other: Options) -> bool:
    """Return whether two states have an option in common, or one of them needs no option."""
    return one is None or other is None or not one.isdisjoint(other)


class Polish:
    """Unite the states of one strategy: the plans of a Book, the last of which is the root."""

    def __init__(self, book: Book, size: Size, board: int, seed: int) -> None:
        self.book = book
        self.size = size
        self.board = board
        self.root = int(book.counters[COUNT]) - 1
        self.random = random.Random(seed)
        self.mirrored_drops = _mirror_drops()
        self.seen = np.zeros(2 * _MOST_BOARDS, np.int64)
        self.pairs = np.zeros((_MOST_BOARDS, 2), np.int64)
        self.alive = np.zeros(len(book.plans), np.bool_)
        self.boards: dict[int, np.ndarray] = {}
        self.options: dict[int, list[Options]] = {}  # the options by state and piece, from the start of the round
        self.reach()

    def reach(self) -> int:
        """Find the reachable states and the boards of each; return the number of states."""
        count = _reach(self.root, self.board, self.book, self.size, self.seen, self.pairs)
        pairs = self.pairs[:count]
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        plans, starts = np.unique(pairs[:, 0], return_index=True)
        self.boards = dict(zip(plans.tolist(), np.split(pairs[:, 1].copy(), starts[1:]), strict=True))
        self.alive[:] = False
        self.alive[plans] = True
        return len(self.boards)

    def clear_memo(self) -> None:
        """Clear the cache of plan_works after a change."""
        self.book.memo[:] = 0

    def wins(self) -> bool:
        self.clear_memo()
        return bool(plan_works(self.root, self.board, self.book, self.size))

    def find_options(self, piece: int, boards: np.ndarray) -> Options:
        found = np.empty(_MOST_OPTIONS, np.int64)
        count = int(_find_options(piece, boards, self.alive, self.book, self.size, found))
        return None if count < 0 else set(found[:count].tolist())

    def keep_options(self, piece: int, boards: np.ndarray, options: Options) -> Options:
        if options is None:
            return None
        array = np.array(sorted(options), np.int64)
        return set(array[: int(_keep_options(piece, boards, array, self.book, self.size))].tolist())

    def mirror_options(self, lists: list[Options]) -> list[Options]:
        return [
            None
            if (options := lists[MIRRORED[piece]]) is None
            else {int(self.mirrored_drops[option >> 16]) << 16 | option & 0xFFFF ^ 1 for option in options}
            for piece in range(7)
        ]

    def write(self, plan: int, piece: int, option: int | None) -> None:
        if option is None:
            self.book.plans[plan, piece] = 0, 0, WINS
        else:
            self.book.plans[plan, piece] = *divmod(option >> 16, _X), option & 0xFFFF

    def choose(self, options: Options, popular: dict[int, int]) -> int | None:
        """Return the option whose next state is the most popular; among equals a random one."""
        if options is None:
            return None
        return max(sorted(options), key=lambda option: (popular.get(option >> 1 & 0x7FFF, 0), self.random.random()))

    def count_moves(self) -> dict[int, int]:
        popular: dict[int, int] = {}
        for plan in self.boards:
            for next_state in self.book.plans[plan, :7, NEXT].tolist():
                if next_state >= 0:
                    popular[next_state >> 1] = popular.get(next_state >> 1, 0) + 1
        return popular

    def unite(self, kept: int, removed: int, mirrored: int) -> bool:
        """Replace state `removed` by state `kept`; return whether the strategy still wins and has fewer states."""
        book = self.book
        boards = self.boards[removed]
        if mirrored:
            boards = np.array([int(mirror(board, self.size)) for board in boards.tolist()], np.int64)
        boards = np.unique(np.concatenate([self.boards[kept], boards]))
        options_by_piece: list[Options] = []
        others = self.mirror_options(self.options[removed]) if mirrored else self.options[removed]
        for piece, (one, other) in enumerate(zip(self.options[kept], others, strict=True)):
            options_by_piece.append(self.keep_options(piece, boards, _share(one, other)))
            if options_by_piece[-1] == set():
                return False
        popular = self.count_moves()
        popular[removed] = -1
        chosen = [self.choose(options, popular) for options in options_by_piece]
        before = len(self.boards)
        saved = book.plans.copy()
        for piece in range(7):
            self.write(kept, piece, chosen[piece])
        next_states = book.plans[:, :7, NEXT]
        to_removed = (next_states >= 0) & (next_states >> 1 == removed)
        next_states[to_removed] = 2 * kept + (next_states[to_removed] & 1 ^ mirrored)
        if self.wins() and self.reach() < before:
            self.options[kept] = options_by_piece
            return True
        book.plans[:] = saved
        self.clear_memo()
        self.reach()
        return False

    def pairs_to_try(self) -> list[tuple[int, int, int]]:
        """Return (state, state, mirrored) of all pairs of states that share an option for each piece."""

        def find(boards: np.ndarray) -> list[Options]:
            return [self.find_options(piece, boards) for piece in range(7)]

        with ThreadPoolExecutor(2) as pool:  # the order of calls does not change the result
            self.options = dict(zip(self.boards, pool.map(find, self.boards.values()), strict=True))
        turned = {plan: self.mirror_options(lists) for plan, lists in self.options.items()}
        plans = sorted(self.options.keys() - {self.root})
        return [
            (one, other, mirrored)
            for i, one in enumerate(plans)
            for other in plans[:i]
            for mirrored, lists in enumerate((self.options[other], turned[other]))
            if all(map(_meet, self.options[one], lists))
        ]

    def change_move(self) -> None:
        """Change a random state's move to another one that also wins, unless that adds states."""
        plan = self.random.choice(sorted(self.boards))
        piece = self.random.randrange(7)
        options = self.find_options(piece, self.boards[plan])
        if not options:
            return
        before = len(self.boards)
        old = self.book.plans[plan, piece].copy()
        self.write(plan, piece, self.random.choice(sorted(options)))
        if not self.wins() or self.reach() > before:
            self.book.plans[plan, piece] = old
            self.clear_memo()
            self.reach()

    def run(self, rounds: int) -> None:
        """Unite states, then change some moves; `rounds` times."""
        for _ in range(rounds):
            pairs = self.pairs_to_try()
            self.random.shuffle(pairs)
            for one, other, mirrored in pairs:
                if one in self.boards and other in self.boards:
                    self.unite(one, other, mirrored)
            for _ in range(100):
                self.change_move()
