"""The engine agrees with tests/references/reference.py, edge by edge, on random games.

Game number N is the same everywhere: options, starting Blocks, order of Tetriminos and edges all come
from N. Its edges are plausible: a Tetrimino is taken to a place and dropped or spun into it. They are also nasty:
bursts, both directions at once, unmatched edges, times that go backwards, a clock that wraps, long waits. After every
edge, and at moments between, everything public must be equal.

`play(Duel(N))` replays game N.
"""

import functools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.engine import events, phases
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.game import AIM_REACHED, BLOCK_OUT, LOCK_OUT, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, make_mode
from tests.references.reference import Reference, fall_us
from tests.support.drill import CODES, Order

Edge = tuple[int, int, bool]  # wait in ms, control, pressed
Rows = list[bytearray]

CHUNK, CHUNKS = 50, 6
LONG_CHUNK, LONG_CHUNKS = 1000, 100

# The values that a game may choose; they include the extremes of every option.
CHOICES: dict[str, tuple[int, ...]] = {
    "level": (1, 1, 2, 5, 9, 13, 15), "next_count": (1, 6), "hold_on": (0, 1, 1, 1), "ghost_on": (0, 1),
    "lock_rule": (0, 0, 1, 2), "goal_rule": (0, 1), "das_ms": (1, 17, 100, 167, 300, 1000),
    "arr_ms": (0, 0, 1, 16, 33, 55, 500), "soft_factor": (1, 2, 20, 20, 33, 100, 1000, 1000),
    "generation_ms": (0, 1, 50, 200, 1000), "animate_ms": (0, 1, 300, 2000), "initial_rotation": (0, 1),
    "initial_hold": (0, 1), "guard_ms": (0, 100, 500, 1000), "cut_repeat": (0, 1, 2, 60, 1000),
    "early_presses": (0, 1, 1), "steady_repeat": (0, 1), "edition": (0, 1, 1),
}  # fmt: skip
AIMS = {MARATHON: (0, 1), SPRINT: (0, 1, 2, 4, 10), ULTRA: (0, 1, 3), ULTRA_LINES: (0, 1, 3)}
PRESSES = {"cw": ROTATE_CW, "ccw": ROTATE_CCW, "left": LEFT, "right": RIGHT}
MIRRORED = {"cw": "ccw", "ccw": "cw", "left": "right", "right": "left"}


class Plan(NamedTuple):
    """A way for a Tetrimino: turns at the top, the column of its box, and presses on the ground."""

    turns: list[str]
    x: int
    after: Sequence[str] = ()


class Duel:
    """One game given to both engines: its options, starting Blocks, order and moment on the clock."""

    def __init__(self, number: int) -> None:
        self.chance = chance = random.Random(f"skyline {number}")
        self.number = number
        self.options = Options()
        self.variant = chance.choice((MARATHON, MARATHON, SPRINT, ULTRA, ULTRA_LINES))
        self.options.aim = chance.choice(AIMS[self.variant])
        if chance.random() < 0.8:
            for name, values in CHOICES.items():
                if chance.random() < 0.5:
                    setattr(self.options, name, chance.choice(values))
        self.order = ""
        self.plans: dict[str, Plan] = {}
        self.rows: Rows = []
        self.build()
        seed = chance.randrange(1 << 30)
        self.game = Game(seed, self.options, make_mode(self.variant), Order(self.order) if self.order else None)
        self.reference = Reference(seed, self.options, self.variant, Order(self.order) if self.order else None)
        for y, row in enumerate(self.rows):
            self.game.matrix.set_row(y, bytes(row))
            self.reference.blocks.update({(x, y): cell for x, cell in enumerate(row) if cell})
        if self.variant == MARATHON and chance.random() < 0.4:  # near the end of a level, or of a long game
            level = chance.choice((self.options.level, 14, 15, 15, 16, 19, 25))
            goal = chance.randint(1, 12)
            self.game.level = self.reference.level = level
            self.game.goal = self.reference.goal = goal
        self.t_ms = chance.choice((0, 12345, TICKS_PERIOD - 3000))
        self.game.start(self.t_ms)
        self.reference.start(self.t_ms)
        self.happened = self.first_clear_ms = 0
        self.log: list[tuple[object, ...]] = []

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

    def edges(self) -> Iterator[Edge]:
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

    def edge(self, control: int, pressed: bool, t_ms: int) -> None:
        self.log.append((t_ms, control, pressed))
        self.compare(self.game.input(control, pressed, t_ms), self.reference.input(control, pressed, t_ms))

    def advance(self, t_ms: int) -> None:
        self.log.append((t_ms,))
        self.compare(self.game.advance(t_ms), self.reference.advance(t_ms))

    def compare(self, happened: int, expected: int) -> None:
        """Fail with the game's number and history unless both engines show the same."""
        game, other = self.game, self.reference
        self.happened |= happened
        if game.hit_count and not self.first_clear_ms:
            self.first_clear_ms = game.time_ms
        ours = observe(
            game, b"".join(game.matrix.rows), game.statistics, (list(game.hits[: game.hit_count]), game.wait_us)
        )
        theirs = observe(other, other.matrix(), other, (other.hits, other.wait_until - other.now))
        if happened != expected or ours != theirs:
            lines = [f"game {self.number}", *(f"  {edge}" for edge in self.log)]
            if happened != expected:
                lines.append(f"events: engine {happened:#x}, reference {expected:#x}")
            for name in ours:
                if ours[name] != theirs[name]:
                    one, another = (
                        draw_rows(seen[name]) if name == "matrix" else seen[name] for seen in (ours, theirs)
                    )
                    lines.append(f"{name}: engine {one}, reference {another}")
            raise AssertionError("\n".join(lines))

    def wait(self, ms: int) -> None:
        """Let time pass, sometimes with a comparison in between, rarely with a pause."""
        chance = self.chance
        if ms > 1 and chance.random() < 0.3:
            self.advance((self.t_ms + chance.randrange(ms)) % TICKS_PERIOD)
        self.t_ms = (self.t_ms + ms) % TICKS_PERIOD
        if chance.random() < 0.01:
            self.advance(self.t_ms)
            self.t_ms = chance.randrange(TICKS_PERIOD)
            self.log.append(("start", self.t_ms))
            self.game.start(self.t_ms)
            self.reference.start(self.t_ms)


def tap(control: int, pace_ms: int) -> Iterator[Edge]:
    yield pace_ms, control, True
    yield pace_ms, control, False


def draw_rows(cells: bytes) -> str:
    rows = ["".join(CODES[cell] for cell in cells[start : start + 10]) for start in range(0, len(cells), 10)]
    return "\n" + "\n".join(reversed([row for row in rows if row != "." * 10]))


def observe(game: Game | Reference, matrix: bytes, counts: Any, animation: object) -> dict[str, Any]:
    """Return the public state of an engine; that of the Tetrimino only while one is in play."""
    return {
        "matrix": matrix,
        "tetrimino": game.piece and (game.piece, game.facing, game.x, game.y, game.ghost_y),
        "queues": (list(game.next), game.hold, bool(game.held)),
        "tally": (game.score, game.level, game.lines, game.goal),
        "time_ms": game.time_ms,
        "phase": (game.phase, game.over),
        "counts": (counts.kinds, counts.back_to_backs, counts.longest_combo),
        "habits": (counts.pieces, counts.holds, counts.faults),
        "animation": animation if game.phase == phases.ANIMATE else None,
    }


def play(duel: Duel) -> Duel:
    """Play 20 to 60 edges and a last wait; return the duel."""
    chance = duel.chance
    duel.advance(duel.t_ms)
    length = chance.randint(20, 60)
    for count, (ms, control, pressed) in enumerate(duel.edges(), 1):
        duel.wait(ms)
        late_ms = 40 if chance.random() < 0.02 else 0  # an edge that comes too late counts as now
        duel.edge(control, pressed, (duel.t_ms - late_ms) % TICKS_PERIOD)
        if count >= length or duel.game.over and chance.random() < 0.3:
            break
    duel.wait(chance.choice((10, 1000, 5000, 150_000)))
    duel.advance(duel.t_ms)
    return duel


@functools.cache
def played(number: int) -> Duel:
    """Play a game, once for all tests of a process."""
    return play(Duel(number))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree_edge_by_edge(chunk: int) -> None:
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        played(number)


def test_random_games_cover_all_events_ends_and_line_clears() -> None:
    happened, ends, kinds = 0, set(), set()
    for number in range(CHUNKS * CHUNK):
        duel = played(number)
        happened |= duel.happened
        ends.add(duel.game.over)
        kinds |= {index for index, count in enumerate(duel.game.statistics.kinds) if count}
    assert happened == (events.COMPLETED << 1) - 1 - events.GARBAGE  # none of these variants sends garbage
    assert ends == {0, LOCK_OUT, BLOCK_OUT, AIM_REACHED}
    assert kinds == {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13}  # spin * 5 + lines


def test_12_3_random_games_agree_if_a_limit_cuts_a_line_clear_short() -> None:
    """The same games again, each with a limit that cuts its first Line Clear short."""
    cut = 0
    for number in range(CHUNKS * CHUNK):
        duel = played(number)
        if duel.game.limit_ms and duel.options.animate_ms and duel.first_clear_ms:
            limited = Duel(number)
            limited.game.limit_ms = duel.first_clear_ms + 1 + number % duel.options.animate_ms
            limited.reference.limit = limited.game.limit_ms * 1000
            play(limited)
            cut += limited.game.lines > 0
    assert cut > 20


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(LONG_CHUNKS))
def test_a_hundred_thousand_games_agree_edge_by_edge(chunk: int) -> None:
    for number in range(chunk * LONG_CHUNK, (chunk + 1) * LONG_CHUNK):
        play(Duel(number))
