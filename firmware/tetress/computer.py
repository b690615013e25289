"""Choose an action for a player, a few positions at a time, so that the screen keeps moving.

Level 1 plays any legal action. The others maximize their legal actions and minimize the opponent's. Level 2 compares
eight actions. Levels 3 and 4 also search replies, level 4 eight times as many positions. They use alpha-beta and
deepen by one action each time, up to a number of positions.
"""

from firmware.compat import const
from firmware.tetress.actions import find_actions
from firmware.tetress.game import CELL_COUNT, LONGEST, ROW, SIZE, WORDS, Game, clear_lines, find_free_and_touch
from firmware.tetress.mobility import count_actions
from firmware.tetress.shapes import CELLS

LEVELS = const(4)

# By level - 1: number of actions, depth, and number of positions in all
_MOST = b"\x01\x08\x32\x8c"
_DEPTH = b"\x00\x01\x06\x06"
_WEIGHED = (1, 8, 210, 1700)

_WON = const(100_000)
_TOKEN = const(100)  # the value of a token if the last action decides
_NONE = const(-1)


class Computer:
    """Search one position after the other: `begin`, then `think` until it returns True, then `action`.

    The same seed, level and game give the same actions on every interpreter, for any `positions` of `think`.
    """

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed & 0xFFFFF
        self.ones = bytearray(ROW + 1)
        for i in range(1, ROW + 1):
            self.ones[i] = self.ones[i >> 1] + (i & 1)
        plies = range(_DEPTH[3] + 1)
        self.own = [[0] * SIZE for _ in plies]  # of the player to move at that depth
        self.other = [[0] * SIZE for _ in plies]
        self.found = [[0] * WORDS for _ in plies]
        self.at = [0] * len(plies)
        self.best = [0] * len(plies)
        self.killer = [_NONE] * len(plies)  # the reply that refuted another action
        self.tried = [_NONE] * len(plies)
        self.free = [0] * SIZE
        self.touch = [0] * SIZE
        self.touch_other = [0] * SIZE
        self.actions = [0] * _MOST[3]
        self.scores = [0] * _MOST[3]

    def below(self, count: int) -> int:
        """Return a random number in 0..count-1."""
        self.seed = seed = (self.seed * 1021 + 12345) & 0xFFFFF
        return (seed >> 4) % count

    def begin(self, game: Game, level: int) -> None:
        """Start to search the game's next action; there must be one. `level` is 1..4."""
        self.played = game.played
        self.limit = _DEPTH[level - 1]
        self.left = self.whole = _WEIGHED[level - 1]
        for r in range(SIZE):
            self.own[0][r] = game.tokens[game.played & 1][r]
            self.other[0][r] = game.tokens[game.played & 1 ^ 1][r]
        self.draw(game, _MOST[level - 1])
        self.action = self.actions[0]
        self.depth = 1
        self.ply = 0
        self.next = 0
        self.best[0] = -_WON - 1
        for i in range(len(self.killer)):
            self.killer[i] = _NONE

    def draw(self, game: Game, most: int) -> None:
        """Choose at most `most` legal actions at random, in random order."""
        count = seen = at = 0
        actions = self.actions
        for n in game.found:
            action = at // 6 * CELL_COUNT + at % 6 * 22
            while n:
                if n & 1:
                    # Reservoir sampling: every action has the same chance.
                    seen += 1
                    if count < most:
                        actions[count] = action
                        count += 1
                        i = self.below(count)
                        actions[count - 1] = actions[i]
                        actions[i] = action
                    else:
                        i = self.below(seen)
                        if i < most:
                            actions[i] = action
                n >>= 1
                action += 1
            at += 1
        self.count = count

    def think(self, positions: int) -> bool:
        """Rate at most `positions` positions; return whether `action` is decided."""
        while positions:
            if self.left <= 0 or not self.limit or self.count == 1:
                return True
            positions -= 1
            if self.ply:
                self.reply()
            elif self.next < self.count:
                self.tried[0] = action = self.actions[self.next]
                self.enter(action)
            elif self.deepen():
                return True
        return False

    def progress(self, most: int) -> int:
        """Return the elapsed share of the time, 0..`most`."""
        return most - most * (self.left if self.left > 0 else 0) // self.whole

    def deepen(self) -> bool:
        """Sort the actions by their values and search one action deeper; return True if that is useless."""
        actions = self.actions
        scores = self.scores
        for i in range(1, self.count):
            action = actions[i]
            n = scores[i]
            j = i
            while j and scores[j - 1] < n:
                scores[j] = scores[j - 1]
                actions[j] = actions[j - 1]
                j -= 1
            scores[j] = n
            actions[j] = action
        self.action = actions[0]
        if self.depth == self.limit or not -_WON // 2 < scores[0] < _WON // 2:
            return True
        self.depth += 1
        self.next = 0
        self.best[0] = -_WON - 1
        return False

    def enter(self, action: int) -> None:
        """Play an action at the current depth: rate its result, or search on from there."""
        ply = self.ply
        own = self.own[ply + 1]
        other = self.other[ply + 1]
        before = self.own[ply]
        for r in range(SIZE):
            other[r] = before[r]
        before = self.other[ply]
        for r in range(SIZE):
            own[r] = before[r]
        shape = action // CELL_COUNT * 4
        cell = action % CELL_COUNT
        for i in range(shape, shape + 4):
            other[(cell // SIZE + (CELLS[i] >> 4)) % SIZE] |= 1 << (cell % SIZE + (CELLS[i] & 15)) % SIZE
        clear_lines(own, other)
        self.left -= 1
        if self.played + ply + 1 == LONGEST:
            self.raise_best(self.weigh_tokens(own, other))
            return
        find_free_and_touch(own, other, self.free, self.touch)
        if self.played + ply == 0:
            # The opponent's first action need not touch anything.
            for r in range(SIZE):
                self.touch[r] = ROW
        if ply + 1 == self.depth:
            find_free_and_touch(other, own, self.free, self.touch_other)
            n = count_actions(self.free, self.touch_other, self.touch, self.ones)
            self.raise_best((n >> 12) - (n & 0xFFF) if n & 0xFFF else _WON - ply)
            return
        find_actions(self.free, self.touch, self.found[ply + 1])
        self.ply = ply + 1
        self.at[ply + 1] = _NONE
        self.best[ply + 1] = ply - _WON  # lost, unless there is an action

    def weigh_tokens(self, own: list[int], other: list[int]) -> int:
        """Return the points for `other`'s lead in tokens."""
        n = 0
        for r in range(SIZE):
            n += self.ones[other[r]] - self.ones[own[r]]
        return n * _TOKEN

    def reply(self) -> None:
        """Try the next action at the current depth, or return with the best."""
        ply = self.ply
        found = self.found[ply]
        at = self.at[ply]
        if at == _NONE:
            # The refutation of the previous action may refute this one too.
            self.at[ply] = at = 0
            action = self.killer[ply]
            if action >= 0:
                i = action // CELL_COUNT * 6 + action % CELL_COUNT // 22
                n = 1 << action % CELL_COUNT % 22
                if found[i] & n:
                    found[i] -= n
                    self.tried[ply] = action
                    self.enter(action)
                    return
        while at < WORDS and not found[at]:
            at += 1
        self.at[ply] = at
        if at == WORDS:
            self.ply = ply - 1
            self.raise_best(-self.best[ply])
            return
        n = found[at]
        found[at] = n & n - 1
        n ^= n & n - 1
        action = at // 6 * CELL_COUNT + at % 6 * 22
        while n > 1:
            n >>= 1
            action += 1
        self.tried[ply] = action
        self.enter(action)

    def raise_best(self, score: int) -> None:
        """Note the value of the action tried at this depth; leave depths that no longer matter."""
        ply = self.ply
        while ply:
            if score <= self.best[ply]:
                return
            self.best[ply] = score
            # Cut off if the opponent has an equal or better action one, three or five depths up.
            i = ply - 1
            while i >= 0 and score < -self.best[i]:
                i -= 2
            if i < 0:
                return
            self.killer[ply] = self.tried[ply]
            self.ply = ply = ply - 1
            score = -score
        self.scores[self.next] = score
        self.next += 1
        if score > self.best[0]:
            self.best[0] = score
            self.action = self.tried[0]
