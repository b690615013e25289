"""Press controls of a random game: plausibly, by the plans of its start, or nastily."""

import random
from collections.abc import Iterator

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.game import Game
from tests.references.reference import fall_us
from tests.references.starts import Plan
from tests.support.drill import CODES

Edge = tuple[int, int, bool]  # wait in ms, control, pressed

PRESSES = {"cw": ROTATE_CW, "ccw": ROTATE_CCW, "left": LEFT, "right": RIGHT}


class Player:
    """Choose the edges of one game by `chance`, as it goes on."""

    def __init__(self, chance: random.Random, game: Game, plans: dict[str, Plan]) -> None:
        self.chance = chance
        self.game = game
        self.options = game.options
        self.plans = plans

    def choose_edges(self) -> Iterator[Edge]:
        """Yield edges without end, burst by burst."""
        chance = self.chance
        planned = 0.75 if self.plans else 0.4
        pace_ms = chance.choice((0, 1, 10, 17, 40))
        bursts = [self.hit_keys, self.lean_on_both_sides, self.stall, self.doze]
        bursts += [self.hold_down, self.press_too_late, self.press_early]
        while True:
            if chance.random() < planned:
                yield from self.take_to_a_place(pace_ms)
            else:
                burst = chance.choice(bursts)
                yield from burst(chance)
            if chance.random() < 0.5:
                yield self.estimate_wait_ms(), chance.randrange(7), False

    def estimate_wait_ms(self) -> int:
        """Return the approximate time until the next Tetrimino is in play, in ms."""
        options = self.options
        wait_ms = options.generation_ms + (options.animate_ms if self.game.hit_count else 0)
        return max(0, wait_ms + self.chance.choice((-1, 0, 0, 1, 30)))

    def take_to_a_place(self, pace_ms: int) -> Iterator[Edge]:
        """Turn, go to a column, and drop; or fall and do the last presses on the ground."""
        chance = self.chance
        game = self.game
        plan = self.plans.get(CODES[game.piece])
        if plan is None or chance.random() < 0.1:
            turns = chance.choice(([], ["cw"], ["ccw"], ["cw", "cw"]))
            after = chance.choice(([], [], [], ["cw"], ["ccw"], ["left", "cw"], ["right", "ccw"]))
            plan = Plan(turns, chance.randint(-1, 8), after)
        for press in plan.turns:
            yield from tap(PRESSES[press], pace_ms)
        for _ in range(10):
            if not game.piece or game.x == plan.x:
                break
            yield from tap(RIGHT if game.x < plan.x else LEFT, pace_ms)
        if game.piece and (plan.after or chance.random() < 0.2):
            rows = game.y - game.ghost_y
            if chance.random() < 0.8:
                yield pace_ms, SOFT_DROP, True
                yield self.fall_ms(rows) // self.options.soft_factor + chance.randint(0, 20), SOFT_DROP, False
            else:
                yield self.fall_ms(rows) + chance.randint(0, 20), chance.randrange(7), False
            for press in plan.after:
                if press != "fall":
                    yield from tap(PRESSES[press], pace_ms)
                elif game.piece and game.y > game.ghost_y:
                    yield self.fall_ms(1), chance.randrange(7), False
        if chance.random() < 0.8:
            yield from tap(HARD_DROP, pace_ms)
        else:
            yield 500, HOLD, False

    def fall_ms(self, rows: int) -> int:
        return (rows * fall_us(self.game.level) + 999) // 1000

    def hit_keys(self, chance: random.Random) -> Iterator[Edge]:
        gap_ms = chance.choice((0, 1, 20, 100, 400))
        for _ in range(chance.randint(3, 12)):
            yield chance.randint(0, gap_ms), chance.randrange(8), chance.random() < 0.6

    def lean_on_both_sides(self, chance: random.Random) -> Iterator[Edge]:
        """Hold one direction, then the other as well, and release one."""
        options = self.options
        repeat_ms = max(0, options.das_ms + chance.randint(-1, 3) * options.arr_ms)
        first, second = chance.choice(((LEFT, RIGHT), (RIGHT, LEFT)))
        yield chance.choice((0, 5)), first, True
        yield chance.choice((0, 50, repeat_ms)), second, True
        other = chance.choice((ROTATE_CW, HARD_DROP, HOLD, SOFT_DROP))
        yield max(0, repeat_ms + chance.choice((-1, 0, 1))), other, True
        yield chance.choice((0, 50, repeat_ms)), chance.choice((first, second)), False
        yield repeat_ms, chance.choice((first, second, SOFT_DROP)), False

    def stall(self, chance: random.Random) -> Iterator[Edge]:
        """Move and turn on the ground to put off the Lock Down, more than 15 times or not."""
        game = self.game
        yield 0, SOFT_DROP, True
        yield min(self.fall_ms(game.y - game.ghost_y) // self.options.soft_factor, 20_000), SOFT_DROP, False
        gap_ms = chance.choice((0, 10, 120, 499))
        pair = chance.choice(((LEFT, RIGHT), (ROTATE_CW, ROTATE_CCW), (ROTATE_CW, ROTATE_CW), (LEFT, ROTATE_CCW)))
        for count in range(chance.randint(4, 20)):
            yield gap_ms, pair[count % 2], True

    def doze(self, chance: random.Random) -> Iterator[Edge]:
        yield chance.choice((300, 999, 1000, 5000, 20_000, 61_000)), chance.randrange(7), chance.random() < 0.5

    def press_too_late(self, chance: random.Random) -> Iterator[Edge]:
        """Let a Tetrimino lock down by itself, and Hard Drop the next one about when the guard ends."""
        options = self.options
        yield 0, SOFT_DROP, True
        yield self.fall_ms(self.game.y - self.game.ghost_y) // options.soft_factor + 1, SOFT_DROP, False
        yield 500 + options.generation_ms, LEFT, False
        yield max(0, options.guard_ms + chance.randint(-3, 3)), HARD_DROP, True

    def hold_down(self, chance: random.Random) -> Iterator[Edge]:
        """Hold controls across a Lock Down, for initial actions and for Auto-Repeat."""
        pressed = chance.sample(range(7), 3)
        for control in pressed:
            yield chance.choice((0, 20)), control, True
        yield chance.choice((0, 300)), HARD_DROP, True
        yield self.estimate_wait_ms(), chance.choice(pressed), False
        for control in pressed:
            yield chance.choice((0, 0, 50)), control, False

    def press_early(self, chance: random.Random) -> Iterator[Edge]:
        """Press controls before the next Tetrimino comes; release some of them before, some after."""
        yield 0, HARD_DROP, True
        room_ms = self.estimate_wait_ms()
        pressed = [chance.randrange(7) for _ in range(chance.randint(1, 7))]
        for control in pressed:
            yield chance.randint(0, room_ms) // 4, control, True
            if chance.random() < 0.6:
                yield chance.choice((0, 10)), control, False
        yield room_ms, chance.choice(pressed), False


def tap(control: int, pace_ms: int) -> Iterator[Edge]:
    yield pace_ms, control, True
    yield pace_ms, control, False
