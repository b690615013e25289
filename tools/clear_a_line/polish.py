"""Make a built strategy smaller: a local search that unites states and changes moves.

Two states can be united if each piece has a drop and a following state that win from all boards
of both. When no two states can be united, a random state's move is changed to another that also
wins, so that others may unite. Every piece raises the sum of heights, so a game whose moves all win
always ends.
"""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tools.clear_a_line.compiling import njit
from tools.clear_a_line.cover import COUNT, Book, _drop, _flip, _ready, _works
from tools.clear_a_line.pieces import MIRRORED, orientations
from tools.clear_a_line.search import FIRST, Size

_MOST_BOARDS = 1 << 18
_MOST_OPTIONS = 1 << 16
_X = 10  # columns; an option is (orientation * 10 + column) << 16 | 2 * state that follows + mirrored


@njit
def _reach(root, board, book, size, seen, pairs):
    """Put every (state, board) that can occur into `pairs`; return how many."""
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
        ready = _ready(state, book.memo, size)
        for piece in range(7):
            if ready >> piece & 1:
                continue
            after = _drop(state, book.plans[plan, piece, 0], book.plans[plan, piece, 1], size)
            following = book.plans[plan, piece, 2]
            if following & 1:
                after = _flip(after, size)
            key = following >> 1 << 36 | after
            at = (key * 0x9E3779B97F4A7C1 >> 24) & mask
            while seen[at] != -1 and seen[at] != key:
                at = (at + 1) & mask
            if seen[at] == -1:
                seen[at] = key
                pairs[count, 0] = following >> 1
                pairs[count, 1] = after
                count += 1
    return count


@njit
def _find_options(piece, boards, alive, book, size, found):
    """Put into `found` every drop of a piece and following state that win from all boards; return how many.

    Return -1 if the piece fills a row of every board at once: then the state needs no move for it.
    """
    needed = False
    for board in boards:
        if not _ready(board, book.memo, size) >> piece & 1:
            needed = True
    if not needed:
        return -1
    after = np.empty(len(boards), np.int64)
    count = 0
    for which in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(11 - size.shapes[which, 1]):
            many = 0
            legal = True
            for board in boards:
                if _ready(board, book.memo, size) >> piece & 1:
                    continue
                after[many] = _drop(board, which, x, size)
                if after[many] < 0:
                    legal = False
                    break
                many += 1
            if not legal:
                continue
            for plan in range(book.counters[COUNT]):
                if not alive[plan]:
                    continue
                for mirrored in range(2):
                    works = True
                    for i in range(many):
                        state = _flip(after[i], size) if mirrored else after[i]
                        if not _works(plan, state, book, size):
                            works = False
                            break
                    if works and count < len(found):
                        found[count] = (which * _X + x) << 16 | 2 * plan + mirrored
                        count += 1
    return count


@njit
def _keep_options(piece, boards, options, book, size):
    """Move the options that win from all boards to the front; return how many there are."""
    count = 0
    for option in options:
        which, x = divmod(option >> 16, _X)
        works = True
        for board in boards:
            if _ready(board, book.memo, size) >> piece & 1:
                continue
            state = _drop(board, which, x, size)
            if state < 0:
                works = False
                break
            if option & 1:
                state = _flip(state, size)
            if not _works((option & 0xFFFF) >> 1, state, book, size):
                works = False
                break
        if works:
            options[count] = option
            count += 1
    return count


def _turn_options() -> np.ndarray:
    """Return for each drop the one that does the same on a mirrored board."""
    shapes = orientations()
    numbers = {(shape.piece, shape.bottoms, shape.tops): i for i, shape in enumerate(shapes)}
    turned = np.zeros(len(shapes) * _X, np.int64)
    for number, shape in enumerate(shapes):
        other = numbers[MIRRORED[shape.piece], shape.bottoms[::-1], shape.tops[::-1]]
        for x in range(11 - shape.width):
            turned[number * _X + x] = other * _X + 10 - shape.width - x
    return turned


Options = set[int] | None  # None: the piece fills a row at once, so the state needs no move for it


def _share(one: Options, other: Options) -> Options:
    """Return the options that two states have in common."""
    return other if one is None else one if other is None else one & other


def _meet(one: Options, other: Options) -> bool:
    """Return whether two states have an option in common, or one of them needs none."""
    return one is None or other is None or not one.isdisjoint(other)


class Polish:
    """Unite the states of one strategy: a Book of plans, the last of which is the root."""

    def __init__(self, book: Book, size: Size, board: int, seed: int) -> None:
        self.book = book
        self.size = size
        self.board = board
        self.root = int(book.counters[COUNT]) - 1
        self.random = random.Random(seed)
        self.turned = _turn_options()
        self.seen = np.zeros(2 * _MOST_BOARDS, np.int64)
        self.pairs = np.zeros((_MOST_BOARDS, 2), np.int64)
        self.alive = np.zeros(len(book.plans), np.bool_)
        self.boards: dict[int, np.ndarray] = {}
        self.served: dict[int, list[Options]] = {}  # the options by state and piece, when the round began
        self.reach()

    def reach(self) -> int:
        """Find the states that are left, and the boards of each; return the number of states."""
        count = _reach(self.root, self.board, self.book, self.size, self.seen, self.pairs)
        pairs = self.pairs[:count]
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        plans, starts = np.unique(pairs[:, 0], return_index=True)
        self.boards = dict(zip(plans.tolist(), np.split(pairs[:, 1].copy(), starts[1:]), strict=True))
        self.alive[:] = False
        self.alive[plans] = True
        return len(self.boards)

    def forget(self) -> None:
        """Clear the memory of _works after a change."""
        self.book.memo[:] = 0

    def wins(self) -> bool:
        """Return whether the strategy still wins."""
        self.forget()
        return bool(_works(self.root, self.board, self.book, self.size))

    def find_options(self, piece: int, boards: np.ndarray) -> Options:
        """Return the options that win from all boards."""
        found = np.empty(_MOST_OPTIONS, np.int64)
        count = int(_find_options(piece, boards, self.alive, self.book, self.size, found))
        return None if count < 0 else set(found[:count].tolist())

    def keep_options(self, piece: int, boards: np.ndarray, options: Options) -> Options:
        """Return the part of the options that wins from all boards."""
        if options is None:
            return None
        array = np.array(sorted(options), np.int64)
        return set(array[: int(_keep_options(piece, boards, array, self.book, self.size))].tolist())

    def turn(self, lists: list[Options]) -> list[Options]:
        """Return the options of the seven pieces on mirrored boards."""
        return [
            None
            if (options := lists[MIRRORED[piece]]) is None
            else {int(self.turned[option >> 16]) << 16 | option & 0xFFFF ^ 1 for option in options}
            for piece in range(7)
        ]

    def write(self, plan: int, piece: int, option: int | None) -> None:
        """Set a state's move for a piece."""
        if option is None:
            self.book.plans[plan, piece] = 0, 0, -1
        else:
            self.book.plans[plan, piece] = *divmod(option >> 16, _X), option & 0xFFFF

    def choose(self, options: Options, popular: dict[int, int]) -> int | None:
        """Return the option whose state most moves already lead to; among equals a random one."""
        if options is None:
            return None
        return max(sorted(options), key=lambda option: (popular.get(option >> 1 & 0x7FFF, 0), self.random.random()))

    def popular(self) -> dict[int, int]:
        """Return how many moves lead to each state."""
        found: dict[int, int] = {}
        for plan in self.boards:
            for following in self.book.plans[plan, :7, 2].tolist():
                if following >= 0:
                    found[following >> 1] = found.get(following >> 1, 0) + 1
        return found

    def unite(self, kept: int, given: int, mirrored: int) -> bool:
        """Replace state `given` by state `kept`; return whether that still wins with fewer states."""
        book = self.book
        boards = self.boards[given]
        if mirrored:
            boards = np.array([int(_flip(board, self.size)) for board in boards.tolist()], np.int64)
        boards = np.unique(np.concatenate([self.boards[kept], boards]))
        served: list[Options] = []
        others = self.turn(self.served[given]) if mirrored else self.served[given]
        for piece, (one, other) in enumerate(zip(self.served[kept], others, strict=True)):
            served.append(self.keep_options(piece, boards, _share(one, other)))
            if served[-1] == set():
                return False
        popular = self.popular()
        popular[given] = -1
        chosen = [self.choose(options, popular) for options in served]
        before = len(self.boards)
        saved = book.plans.copy()
        for piece in range(7):
            self.write(kept, piece, chosen[piece])
        leads = book.plans[:, :7, 2]
        here = (leads >= 0) & (leads >> 1 == given)
        leads[here] = 2 * kept + (leads[here] & 1 ^ mirrored)
        if self.wins() and self.reach() < before:
            self.served[kept] = served
            return True
        book.plans[:] = saved
        self.forget()
        self.reach()
        return False

    def pairs_to_try(self) -> list[tuple[int, int, int]]:
        """Return (state, state, mirrored) of all states that share an option for each piece."""

        def serve(boards: np.ndarray) -> list[Options]:
            return [self.find_options(piece, boards) for piece in range(7)]

        with ThreadPoolExecutor(2) as pool:  # both give the same book in any order
            self.served = dict(zip(self.boards, pool.map(serve, self.boards.values()), strict=True))
        turned = {plan: self.turn(lists) for plan, lists in self.served.items()}
        plans = sorted(self.served.keys() - {self.root})
        return [
            (one, other, mirrored)
            for i, one in enumerate(plans)
            for other in plans[:i]
            for mirrored, lists in enumerate((self.served[other], turned[other]))
            if all(map(_meet, self.served[one], lists))
        ]

    def bend(self) -> None:
        """Change a random state's move to another that also wins, unless that adds states."""
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
            self.forget()
            self.reach()

    def run(self, rounds: int) -> None:
        """Unite what can be united, then change some moves; `rounds` times."""
        for _ in range(rounds):
            pairs = self.pairs_to_try()
            self.random.shuffle(pairs)
            for one, other, mirrored in pairs:
                if one in self.boards and other in self.boards:
                    self.unite(one, other, mirrored)
            for _ in range(100):
                self.bend()
