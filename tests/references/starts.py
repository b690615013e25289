"""Choose how a random game begins: its starting Blocks, with an order of Tetriminos and plans that suit them."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from firmware.engine.options import Options
from tests.support.drill import Order

Rows = list[bytearray]
MIRRORED = {"cw": "ccw", "ccw": "cw", "left": "right", "right": "left"}


class Plan(NamedTuple):
    """A way for a Tetrimino: turns at the top, the column of its box, and presses on the ground."""

    turns: list[str]
    x: int
    after: Sequence[str] = ()


class Start:
    """The start that the next numbers of `chance` choose; it may also set options.

    order: dealt over and over, "" for a bag.  plans: by the letter of a Tetrimino.  rows: the lowest first.
    """

    def __init__(self, chance: random.Random, options: Options) -> None:
        self.chance = chance
        self.options = options
        self.order = ""
        self.plans: dict[str, Plan] = {}
        self.rows: Rows = []
        self.build()

    def make_dealer(self) -> Order | None:
        """Return a new dealer of the order, None for a game's own bag."""
        return Order(self.order) if self.order else None

    def build(self) -> None:
        """Choose the starting Blocks, with an order and plans that suit them."""
        chance = self.chance
        wild = [self.build_nothing, self.build_garbage, self.build_noise, self.build_peak, self.build_carving]
        built = [self.build_well, self.build_slots, self.build_tower, self.build_nook, self.build_shelf]
        built += [self.build_alcove, self.build_cave]
        chance.choice(wild + built * 2)(chance)
        for row in self.rows:
            if all(row):  # no engine expects a full row before the first Lock Down
                row[chance.randrange(10)] = 0

    def full_rows(self, count: int) -> Rows:
        return [bytearray(self.chance.randint(1, 8) for _ in range(10)) for _ in range(count)]

    def build_nothing(self, chance: random.Random) -> None:
        """Start with an empty Matrix, sometimes with a random order."""
        if chance.random() < 0.5:
            self.order = "".join(chance.choice("IJLOSTZ") for _ in range(chance.randint(1, 9)))

    def build_garbage(self, chance: random.Random) -> None:
        self.options.garbage_rows = chance.randint(1, 15)

    def build_noise(self, chance: random.Random) -> None:
        density = chance.uniform(0.3, 0.95)
        self.rows = self.full_rows(chance.randint(1, 21))
        for row in self.rows:
            for x in range(10):
                if chance.random() > density:
                    row[x] = 0

    def build_peak(self, chance: random.Random) -> None:
        """Start just below the Skyline or above it, with little room to generate."""
        self.rows = self.full_rows(chance.randint(16, 21))
        left = chance.randint(0, 7)
        for row in self.rows:
            row[left] = row[min(9, left + chance.randint(0, 3))] = 0
        for y in range(18, len(self.rows)):
            for x in range(10):
                if chance.random() < 0.5:
                    self.rows[y][x] = 0

    def build_well(self, chance: random.Random) -> None:
        """Start with a well for one Tetris after another."""
        column = chance.randrange(10)
        self.rows = self.full_rows(chance.randint(3, 15))
        for row in self.rows:
            row[column] = 0
        if chance.random() < 0.3:  # a hole that may break the Back-to-Back sequence
            self.rows[chance.randrange(len(self.rows))][chance.randrange(10)] = 0
        self.order = chance.choice(("I", "I", "IIT", "IO", "IIIJ"))
        self.plans["I"] = Plan(["cw"], column - 2) if chance.random() < 0.5 else Plan(["ccw"], column - 1)

    def build_slots(self, chance: random.Random) -> None:
        """Start with a pile of slots for T-Spin Doubles, the uppermost under an overhang (9.1, E-S and its mirror)."""
        left = chance.randint(0, 7)
        self.rows = self.full_rows(2 * chance.randint(1, 5) + 1)
        for lower, upper in zip(self.rows[:-1:2], self.rows[1::2], strict=True):
            lower[left + 1] = 0
            upper[left : left + 3] = bytes(3)
            for row in (lower, upper):
                if chance.random() < 0.35:  # one line fewer
                    row[chance.randrange(10)] = 0
        mirrored = chance.random() < 0.5
        open_from = left if mirrored else left + 1
        self.rows[-1][open_from : open_from + 2] = bytes(2)
        turn = "ccw" if mirrored else "cw"
        self.order = chance.choice(("T", "T", "TTO", "TI"))
        self.plans["T"] = Plan([turn], left, [turn])

    def build_tower(self, chance: random.Random) -> None:
        """Start with a slot that rotation point 5 gets a T into (9.1, N-E and its mirror)."""
        left = chance.randint(1, 6)
        base = chance.randint(0, 6)
        self.rows = self.full_rows(base + 5)
        for row in self.rows[:base]:
            row[chance.randrange(10)] = 0
        for row in self.rows[base : base + 3]:
            row[left] = 0
        self.rows[base + 1][left + 1] = 0
        if chance.random() < 0.5:  # without point 5 it would be a Mini T-Spin
            self.rows[base][left + 1] = 0
        self.rows[base + 3][left : left + 4] = bytes(4)
        self.rows[base + 4][left + 1 :] = bytes(9 - left)
        if chance.random() < 0.5:  # a turn from East to South is then a T-Spin by the earlier point 5
            self.rows[base + 1][left - 1] = 0
        after = ["left", "cw", *chance.choice(([], ["cw"], ["ccw"], ["left"]))]
        if chance.random() < 0.3:  # a chamber below, with a nook for a Mini T-Spin without point 5
            for row in self.rows[1 : base + 1]:
                row[left : left + 3] = bytes(3)
            self.rows[0] = self.full_rows(1)[0]
            self.rows[0][left] = 0
            after = ["left", "cw", *["fall"] * base, "ccw", "cw"]
        self.order = chance.choice(("T", "TTI"))
        self.use_plan_on_either_side(Plan([], left + 1, after))

    def build_shelf(self, chance: random.Random) -> None:
        """Start with a T-Spin slot that the T enters by a movement instead of a turn."""
        left = chance.randint(0, 4)
        self.rows = self.full_rows(3)
        self.rows[0][left + 3] = 0
        self.rows[1][left : left + 6] = bytes(6)
        self.rows[2][left + 1 :] = bytes(9 - left)
        self.order = "T"
        self.use_plan_on_either_side(Plan(["cw"], left + 2, ["ccw", "left", "left"]))

    def build_nook(self, chance: random.Random) -> None:
        """Start with a hole at a wall that a Mini T-Spin fills (9.1, N-E point 2 and its mirror)."""
        self.rows = self.full_rows(chance.randint(1, 8))
        right = chance.random() < 0.5
        for row in self.rows[:-1]:
            row[chance.randrange(10)] = 0
        self.rows[-1][9 if right else 0] = 0
        self.order = chance.choice(("T", "TO"))
        self.plans["T"] = Plan([], 7, ["ccw"]) if right else Plan([], 0, ["cw"])

    def build_alcove(self, chance: random.Random) -> None:
        """Start with a slot that point 4 gets a T into as a Mini T-Spin Double (S-E and its mirror)."""
        left = chance.randint(1, 6)
        self.rows = self.full_rows(5)
        for row, start, end in zip(self.rows, (0, 0, 0, -1, 1), (1, 2, 3, 4, 10), strict=True):
            row[left + start : min(10, left + end)] = bytes(min(10, left + end) - left - start)
        self.order = "T"
        self.use_plan_on_either_side(Plan(["cw", "cw"], left + 1, ["left", "left", "ccw"]))

    def build_cave(self, chance: random.Random) -> None:
        """Start with a cave of odd walls and shelves, for a T that turns, moves and falls in it."""
        self.rows = self.full_rows(chance.randint(4, 9))
        left = chance.randint(0, 5)
        width = chance.randint(3, 5)
        density = chance.uniform(0.1, 0.45)
        for row in self.rows:
            for x in range(left, min(10, left + width)):
                if chance.random() > density:
                    row[x] = 0
        shaft = left + chance.randint(0, width - 3)
        for row in self.rows[chance.randint(1, 3) :]:
            row[shaft : shaft + 3] = bytes(3)
            if chance.random() < 0.4:
                row[shaft + chance.choice((0, 2))] = chance.randint(1, 8)
        self.order = chance.choice(("T", "T", "TJ", "LJS"))
        self.options.soft_factor = 20
        for letter in self.order:
            turns = chance.choice(([], ["cw"], ["ccw"], ["cw", "cw"]))
            after = [chance.choice(("left", "right", "cw", "ccw", "fall")) for _ in range(chance.randint(2, 8))]
            self.plans[letter] = Plan(turns, shaft + chance.choice((-1, 0, 0, 1)), after)

    def build_carving(self, chance: random.Random) -> None:
        """Start with a pile that has shafts of any form."""
        self.rows = self.full_rows(chance.randint(2, 14))
        for _ in range(chance.randint(1, 3)):
            x = chance.randrange(9)
            for row in reversed(self.rows[chance.randrange(len(self.rows)) :]):
                row[x] = 0
                x = min(9, max(0, x + chance.choice((0, 0, 0, -1, 1))))
                row[x] = 0

    def use_plan_on_either_side(self, plan: Plan) -> None:
        if self.chance.random() < 0.5:
            for row in self.rows:
                row.reverse()
            turns, after = ([MIRRORED.get(press, press) for press in presses] for presses in (plan.turns, plan.after))
            plan = Plan(turns, 7 - plan.x, after)
        self.plans["T"] = plan
