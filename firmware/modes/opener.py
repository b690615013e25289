"""Build the first bag of a known opener (README 15).

A number stands for an opener and its side: twice the opener's own number, plus 1 for the mirror. The seed of a game is
this number times ORDERS, plus the number of the bag's order.

In masks a Tetrimino has bit `piece - 1`, as the file has the opener. So in the mirror J has the bit of L and so on.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.modes.lessons.opener_file import MIRROR, PIECES
from firmware.modes.puzzle import MISSED, Puzzle

if TYPE_CHECKING:
    from typing import Any

    from firmware.engine.game import Game
    from firmware.engine.mode import Mode

ORDERS = const(5040)  # of a bag
NONE = const(0)
PLACE = const(1)
HOLD = const(2)


class Opener(Puzzle):
    """Deal one bag, and judge each Lock Down by the places of an opener.

    done: the mask of the Tetriminos in their places. goal: those that complete the opener. ready: for each value of
    `done` the mask of those that can reach their places then. places: by piece, a step as in puzzle_file.py, or 0.
    mirrored: 1 or 0. line: the Tetrimino in play and the rest of the bag, `length` of them. hint: the last answer of
    `advise`. there: whether the last Tetrimino locked down in its place. Even there it is wrong if it bars the rest.
    """

    goal: int
    ready: bytes
    places: "list[int]"

    def __init__(self) -> None:
        self.mirrored = 0
        self.line = bytearray(PIECES + 1)
        self.length = 0
        self.done = 0
        self.there = False
        self.hint = NONE
        self.seen = -1

    def begin(self, game: "Any") -> None:  # Any: a PuzzleGame, by `rules`
        """Set up the opener and the bag of the seed; raise ValueError with one line if there is none."""
        from firmware.modes.lessons import opener_file, puzzle_file

        number = game.seed // ORDERS
        opener_file.fill(self, opener_file.fetch(number >> 1), number)
        self.queue = opener_file.deal(game.seed % ORDERS)
        self.count = PIECES
        self.lesson = True
        puzzle_file.set_up(game, bytes(6))
        game.goal = PIECES
        game.dealer = self
        self.dealt = 0
        self.done = 0
        self.led = True

    def bit(self, piece: int) -> int:
        """Return the bit of a Tetrimino in masks."""
        return 1 << (MIRROR >> 3 * piece & 7 if self.mirrored else piece) - 1

    def fits(self, bag: bytes) -> bool:
        """Return whether the opener can be built with a bag in this order."""
        for i in range(PIECES):
            self.line[i] = bag[i]
        self.length = PIECES
        return self.find(0, 0, False) > 0

    def see(self, game: "Game", piece: int) -> None:
        """Set `line` to `piece`, if any, and the Next Queue."""
        line = self.line
        length = 0
        if piece:
            line[0] = piece
            length = 1
        for i in range(6):
            if game.next[i]:
                line[length] = game.next[i]
                length += 1
        self.length = length

    def find(self, built: int, hold: int, held: bool) -> int:
        """Return what to do with the first of `line` to complete the opener: PLACE, HOLD, or NONE if nothing does.

        Each number `choices` says for each Tetrimino whether it goes to Hold; it grows to the next one that differs
        where this one failed.
        """
        # `bit` is written out here: up to 900 calls would take a board 10 ms.
        ready = self.ready
        required = self.goal
        line = self.line
        length = self.length
        choices = 0
        while not choices >> length:
            done = built
            kept = hold
            locked = held
            at = 0
            while at < length and done & required != required:
                piece = line[at]
                if choices >> length - 1 - at & 1:
                    if locked:
                        break
                    if not kept:
                        kept = piece
                        locked = True
                        at += 1
                        continue
                    piece = kept
                    kept = line[at]
                bit = 1 << (MIRROR >> 3 * piece & 7 if self.mirrored else piece) - 1
                if not ready[done] & bit:
                    break
                done |= bit
                locked = False
                at += 1
            if at == length and kept:
                bit = 1 << (MIRROR >> 3 * kept & 7 if self.mirrored else kept) - 1
                if ready[done] & bit:
                    done |= bit
            if done & required == required:
                return HOLD if length and choices >> length - 1 else PLACE
            rest = length - 1 - at if at < length else 0
            choices = (choices >> rest) + 1 << rest
        return NONE

    def advise(self, game: "Game") -> int:
        """Return what to do with the Tetrimino in play, as `find`."""
        seen = game.lock_downs << 4 | game.piece << 1 | game.held
        if seen != self.seen:
            self.seen = seen
            self.see(game, game.piece)
            self.hint = self.find(self.done, game.hold, game.held)
        return self.hint

    def step(self, game: "Game") -> int:
        """Return the place of the Tetrimino in play as a step; 0 if Hold comes first."""
        return self.places[game.piece] if self.advise(game) == PLACE else 0

    def follow(self, game: "Game") -> None:
        """Set `led` to whether the Tetrimino about to lock down is right: in its place, and the rest still fits."""
        self.there = self.covers(game, self.places[game.piece])
        self.led = self.there and self.ready[self.done] & self.bit(game.piece) > 0
        if self.led:
            self.done |= self.bit(game.piece)
            self.see(game, 0)
            self.led = self.find(self.done, game.hold, False) > 0

    def complete(self, game: "Game") -> None:
        """End the game after a wrong Lock Down, or when the opener is complete."""
        game.goal = PIECES - game.lock_downs
        if not self.led:
            game.end(MISSED)
        elif self.done & self.goal == self.goal:
            game.end(AIM_REACHED)


def make_mode(variant: int) -> "Mode":
    return Opener()
