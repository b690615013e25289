"""Play by the guideline slowly and obviously: the engine that firmware/engine is compared with.

Nothing here is clever and nothing comes from the tables of the firmware. Blocks are a dict of cells, and a Tetrimino is
a set of cells that geometry turns. Every timer is the moment when it is due, and time steps from one such moment to the
next. Only the options, the names of controls, phases and events, and the order of Tetriminos and garbage are the
firmware's own.

Cells are (x, y), column 0..9 from the left, row 0..39 from the bottom. Moments are microseconds of
play. Where the guideline leaves a choice open, a docstring gives the project's choice.
"""

import functools
from collections.abc import Callable

from firmware.engine import controls, events, phases
from firmware.engine.game import GARBAGE_SEED
from firmware.engine.options import EXTENDED, FIXED, INFINITE, Options
from firmware.engine.randomizer import Bag, Random

Cell = tuple[int, int]

WIDTH, HEIGHT, SKYLINE = 10, 40, 20
I, J, L, O, S, T, Z, GARBAGE = range(1, 9)  # noqa: E741, the names of the Tetriminos
NORTH, EAST, SOUTH, WEST = range(4)
NO_SPIN, MINI_T_SPIN, T_SPIN = range(3)
MARATHON, SPRINT, ULTRA, ULTRA_LINES = range(4)
LOCK_OUT, BLOCK_OUT, TOP_OUT, AIM_REACHED = range(1, 5)
CLOCK_PERIOD_MS = 1 << 29

# A1.3: facing North, in a box of 3 by 3, for I of 4 by 4. (0, 0) is the box's lower left cell.
MINOS: dict[int, set[Cell]] = {
    I: {(0, 2), (1, 2), (2, 2), (3, 2)}, J: {(0, 1), (1, 1), (2, 1), (0, 2)}, L: {(0, 1), (1, 1), (2, 1), (2, 2)},
    O: {(1, 1), (2, 1), (1, 2), (2, 2)}, S: {(0, 1), (1, 1), (1, 2), (2, 2)}, T: {(0, 1), (1, 1), (2, 1), (1, 2)},
    Z: {(1, 1), (2, 1), (0, 2), (1, 2)},
}  # fmt: skip

# A1.4: the five rotation points of each facing. A turn puts a point of the new facing onto the same point of
# the old one, so the box moves by the old point minus the new one.
POINTS: dict[int, list[Cell]] = {
    NORTH: [(0, 0)] * 5, EAST: [(0, 0), (1, 0), (1, -1), (0, 2), (1, 2)],
    SOUTH: [(0, 0)] * 5, WEST: [(0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)],
}  # fmt: skip
POINTS_OF_I: dict[int, list[Cell]] = {
    NORTH: [(0, 0), (-1, 0), (2, 0), (-1, 0), (2, 0)], EAST: [(0, 0), (1, 0), (1, 0), (1, 1), (1, -2)],
    SOUTH: [(0, 0), (2, 0), (-1, 0), (2, -1), (-1, -1)], WEST: [(0, 0), (0, 0), (0, 0), (0, -2), (0, 1)],
}  # fmt: skip

# 8: points at level 1. The guideline has no Mini T-Spin Double; the project takes the 400 of later guidelines.
# By the kind of spin and the number of lines.
POINTS_AWARDED = {NO_SPIN: (0, 100, 300, 500, 800), MINI_T_SPIN: (100, 200, 400), T_SPIN: (400, 800, 1200, 1600)}


def turned(piece: int, facing: int) -> set[Cell]:
    """Return the cells of a Tetrimino within its box (A1.3: clockwise turns about the box's centre)."""
    cells = MINOS[piece]
    if piece != O:
        last = 3 if piece == I else 2
        for _ in range(facing):
            cells = {(y, last - x) for x, y in cells}
    return cells


def fall_us(level: int) -> int:
    """Return the time of one row by the formula of 7; the project uses it up to level 20, and keeps that speed."""
    above = min(level, 20) - 1
    return round((0.8 - above * 0.007) ** above * 1e6)


def footprint(cells: set[Cell]) -> frozenset[Cell]:
    lowest = min(y for _, y in cells)
    return frozenset((x, y - lowest) for x, y in cells)


@functools.cache
def fewest_presses(piece: int) -> dict[frozenset[Cell], int]:
    """Return the fewest presses to each place in an empty Matrix: steps, runs to the wall, turns."""
    places: dict[frozenset[Cell], int] = {}
    reached = {(3, NORTH)}
    presses = 0
    seen: set[Cell] = set()
    while reached:
        following = set()
        for x, facing in reached - seen:
            seen.add((x, facing))
            game = Reference(0, Options(), MARATHON)
            game.piece = piece
            for press in ("left", "right", "left wall", "right wall", "cw", "ccw"):
                game.x, game.y, game.facing = x, 15, facing
                places.setdefault(footprint(game.cells()), presses)
                if press in ("cw", "ccw"):
                    game.turn(press == "cw")
                else:
                    game.direction = -1 if press.startswith("left") else 1
                    while game.step() and press.endswith("wall"):
                        pass
                following.add((game.x, game.facing))
        reached = following
        presses += 1
    return places


class Reference:
    """One game, with the interface and the public names of `firmware.engine.game.Game`."""

    def __init__(self, seed: int, options: Options, variant: int, dealer: Bag | None = None) -> None:
        self.options = options
        self.variant = variant
        self.dealer = dealer or Bag(Random(seed))
        self.blocks: dict[Cell, int] = {}
        self.events = self.clock_ms = self.now = self.wait_until = self.over = 0
        self.phase = phases.GENERATION
        self.piece = self.facing = self.x = self.y = 0
        self.row_at = 0  # time when the Tetrimino appeared or last fell a row
        self.lock_at = 0  # when the Lock Down Timer runs out, in the Lock Phase
        self.lock_left = 0  # the rest of that timer, in the Falling Phase
        self.lowest = self.moves_left = self.generated_at = 0
        self.landed_before = False  # on the lowest row reached
        self.turned_last = self.point_5 = False
        self.pressed: set[int] = set()
        self.early: list[int] = []  # presses without a Tetrimino in play, in order
        self.repeat_at: int | None = None
        self.repeating = False  # the delay of the Auto-Repeat is over
        self.direction = self.hold = 0
        self.soft = self.held = False
        self.hits: list[int] = []
        self.spun = NO_SPIN
        self.back_to_back = False  # the present Line Clear is Back-to-Back
        self.chained = False  # the last Line Clear can start a Back-to-Back
        self.locked_by_itself = False
        self.level = options.level
        self.score = self.lines = self.back_to_backs = self.longest_combo = 0
        self.pieces = self.holds = self.faults = self.presses = self.goal = 0
        self.kinds = [0] * 15
        self.combo = -1
        self.straight = True  # without moves after a landing, except by Soft Drop
        self.dropped = False  # by Soft Drop, below the levels whose Tetriminos land at once
        self.limit: int | None = None
        if variant == MARATHON:  # 6: a start at a later level needs more lines at first
            self.goal = self.level * (10 if options.goal_rule == FIXED else 5)
        elif variant == SPRINT:
            self.goal = options.aim or 40
        else:
            self.limit = (options.aim or 2) * 60_000_000
        garbage = Random(seed ^ GARBAGE_SEED)
        for _ in range(options.garbage_rows):
            gap = garbage.below(WIDTH)
            self.blocks = {(x, y + 1): cell for (x, y), cell in self.blocks.items()}
            self.blocks.update({(x, 0): GARBAGE for x in range(WIDTH) if x != gap})
        self.next = [self.dealer.deal() for _ in range(6)]

    def start(self, t_ms: int) -> None:
        """Set the clock without letting time pass."""
        self.clock_ms = t_ms

    def advance(self, t_ms: int) -> int:
        """Let time pass until the clock shows `t_ms`; a moment before the last one counts as now."""
        passed_ms = (t_ms - self.clock_ms) % CLOCK_PERIOD_MS
        if passed_ms < CLOCK_PERIOD_MS // 2:
            self.clock_ms = t_ms
        else:
            passed_ms = 0
        self.pass_time(self.now + passed_ms * 1000)
        return self.take_events()

    def input(self, control: int, pressed: int, t_ms: int) -> int:
        """Apply one edge of a control, after everything due before it."""
        happened = self.advance(t_ms)
        if pressed:
            self.pressed.add(control)
            self.press(control)
        else:
            self.pressed.discard(control)
            self.release(control)
        return happened | self.take_events()

    def take_events(self) -> int:
        happened, self.events = self.events, 0
        return happened

    def pass_time(self, until: int) -> None:
        """Run everything due up to and at `until`, in order; a time limit comes last."""
        # The guideline leaves open whether a Line Clear that the limit cuts short counts. The project awards it,
        # because its Lock Down was in time (12.3).
        if self.limit is not None:
            until = min(until, self.limit)
        while not self.over:
            moment, happen = self.next_due()
            if moment > until:
                self.now = until
                break
            self.now = moment
            happen()
        if self.now == self.limit and not self.over:
            if self.hits:
                self.eliminate()
            self.end(AIM_REACHED)

    def next_due(self) -> tuple[int, Callable[[], None]]:
        """Return the time and the function of the next event; at equal times a repeated step goes first."""
        moments: dict[int, tuple[int, Callable[[], None]]] = {
            phases.FALLING: (max(self.now, self.row_at + self.row_time()), self.fall),
            phases.LOCK: (self.lock_at, self.lock_down),
            phases.ANIMATE: (self.wait_until, self.eliminate),
            phases.GENERATION: (self.wait_until, self.generate),
        }
        moment, happen = moments[self.phase]
        if self.repeat_at is not None and self.repeat_at <= moment:
            return self.repeat_at, self.repeat
        return moment, happen

    def row_time(self) -> int:
        """Return the time of one row, now (7, 7.1)."""
        # A press or release of Soft Drop changes the time of the whole current row.
        normal = fall_us(self.level)
        if self.soft and self.options.soft_factor == 1000 and self.options.edition:
            return 0  # AT ONCE
        return normal // self.options.soft_factor if self.soft else normal

    def cells(self) -> set[Cell]:
        return {(self.x + x, self.y + y) for x, y in turned(self.piece, self.facing)}

    def is_free(self, cells: set[Cell]) -> bool:
        """Return whether a Tetrimino may be in these cells (5.1)."""
        return all(0 <= x < WIDTH and 0 <= y < HEIGHT and (x, y) not in self.blocks for x, y in cells)

    def is_on_surface(self) -> bool:
        return not self.is_free({(x, y - 1) for x, y in self.cells()})

    def bottom(self) -> int:
        return min(y for _, y in self.cells())

    def generate(self) -> None:
        """Bring the next Tetrimino into play; an early or initial Hold holds it before it appears (3.3)."""
        piece = self.take_next()
        initially = bool(self.options.initial_hold) and controls.HOLD in self.pressed
        if (initially or controls.HOLD in self.early) and self.may_hold():
            piece = self.swap(piece)
        self.enter(piece)

    def take_next(self) -> int:
        """Take the front of the Next Queue; the bag feeds its end (3.3)."""
        self.next.append(self.dealer.deal())
        return self.next.pop(0)

    def enter(self, piece: int) -> None:
        """Generate a Tetrimino: in rows 21 and 22, columns 4 to 6 or the middle, then one row down (3.4, A1.2.1)."""
        self.piece, self.facing = piece, NORTH
        self.x, self.y = 3, 18 if piece == I else 19
        self.turned_last = self.point_5 = False
        self.generated_at = self.time_ms
        if not self.is_free(self.cells()):
            self.end(BLOCK_OUT)  # 10, situation 7
            return
        self.events |= events.GENERATED
        self.presses = 0
        self.straight = True
        self.dropped = False
        if self.options.initial_rotation:
            self.turn_before_it_appears()
        if self.options.cut_repeat == 1:
            self.restart_delay()
        elif self.options.cut_repeat and self.direction:
            rested_at = self.now + self.options.cut_repeat * 1000
            if self.repeat_at is None or self.repeat_at < rested_at:
                self.repeating = False
                self.repeat_at = rested_at
        if not self.is_on_surface():
            self.y -= 1
            self.turned_last = self.point_5 = False
        self.begin_lowest_row()
        self.phase = phases.FALLING
        self.row_at = self.now
        if self.is_on_surface():
            self.land()
        self.step_early()
        self.slide()

    def turn_before_it_appears(self) -> None:
        """Turn by the early presses and the held buttons; three quarter turns are one the other way."""
        quarters = 0
        for control, quarter in ((controls.ROTATE_CW, 1), (controls.ROTATE_CCW, -1)):
            presses = self.early.count(control)
            quarters += quarter * (presses or control in self.pressed)
        for clockwise in ((), (True,), (True, True), (False,))[quarters % 4]:
            self.turn(clockwise)

    def step_early(self) -> None:
        """Take the sum of the early steps, which never exceeds four to either side."""
        steps = 0
        for control in self.early:
            steps = max(-4, min(4, steps + (control == controls.RIGHT) - (control == controls.LEFT)))
        self.early = []
        direction = self.direction
        self.direction = 1 if steps > 0 else -1
        self.presses += abs(steps)
        for _ in range(abs(steps)):
            if not self.step():
                self.events |= events.MOVE_FAILED
                break
        self.direction = direction

    def fall(self) -> None:
        """Fall one row (7); Soft Drop scores a point for it (8)."""
        self.y -= 1
        self.turned_last = self.point_5 = False
        self.row_at = self.now
        if self.soft:
            self.score += 1
            self.dropped |= self.level < 14
            self.events |= events.SOFT_DROPPED
        if self.bottom() < self.lowest:
            self.begin_lowest_row()
        if self.is_on_surface():
            self.land()
        self.slide()

    def begin_lowest_row(self) -> None:
        """Enter a new lowest row: the timer and the 15 moves start again (5.7, 5.9, A1.2.3)."""
        self.lowest = self.bottom()
        self.moves_left = 15
        self.landed_before = False
        self.lock_left = 500_000
        self.lock_at = self.now + 500_000

    def land(self) -> None:
        """Enter the Lock Phase with the rest of the timer; with no move left, lock down at once (5.7)."""
        self.events |= events.LANDED
        self.phase = phases.LOCK
        self.landed_before = True
        self.lock_at = self.now + self.lock_left
        if self.options.lock_rule == EXTENDED and self.moves_left == 0:
            self.lock_down()

    def after_move(self) -> None:
        """Update the Lock Down after a successful movement or rotation (5.7-5.9, A1.2.3)."""
        # Before the first landing on the lowest row reached, moves do not count. A Tetrimino that is lifted off keeps
        # the rest of its timer under every rule.
        on_surface = self.is_on_surface()
        if self.landed_before and not self.dropped:
            self.straight = False
        if self.bottom() < self.lowest:
            self.begin_lowest_row()
            # A Tetrimino that turns from one Surface onto a lower one has landed there.
            self.landed_before = on_surface
        elif self.landed_before and self.moves_left > 0:
            self.moves_left -= 1
        if not on_surface:
            if self.phase == phases.LOCK:
                self.lock_left, self.row_at = self.lock_at - self.now, self.now
                self.phase = phases.FALLING
            return
        rule = self.options.lock_rule
        if rule == INFINITE or (rule == EXTENDED and self.moves_left > 0):
            self.lock_left = 500_000
            self.lock_at = self.now + 500_000
        if self.phase == phases.FALLING:
            self.land()
        elif rule == EXTENDED and self.moves_left == 0:
            self.lock_down()

    def press(self, control: int) -> None:
        """Apply a press of a control (4.1)."""
        if control == controls.SOFT_DROP:
            self.soft = True
        if control in (controls.LEFT, controls.RIGHT):
            self.direction = -1 if control == controls.LEFT else 1
            self.restart_delay()
        if not self.piece:
            if self.options.early_presses:
                self.early.append(control)
            return
        if control in (controls.LEFT, controls.RIGHT, controls.ROTATE_CW, controls.ROTATE_CCW):
            self.presses += 1
        if control in (controls.LEFT, controls.RIGHT):
            if not self.step():
                self.events |= events.MOVE_FAILED
        elif control in (controls.ROTATE_CW, controls.ROTATE_CCW):
            if self.turn(control == controls.ROTATE_CW):
                self.events |= events.ROTATED
                self.after_move()
                self.slide()
            else:
                self.events |= events.ROTATE_FAILED
        elif control == controls.HARD_DROP:
            self.hard_drop()
        elif control == controls.HOLD:
            if self.may_hold():
                self.enter(self.swap(self.piece))
            else:
                self.events |= events.HOLD_FAILED

    def release(self, control: int) -> None:
        """End a Soft Drop (5.5); if the other direction is still held, it repeats after the delay (5.2)."""
        # With `steady_repeat`, a release leaves the other direction's repeat running.
        if control == controls.SOFT_DROP:
            self.soft = False
        if control in (controls.LEFT, controls.RIGHT):
            before = self.direction
            self.direction = (controls.RIGHT in self.pressed) - (controls.LEFT in self.pressed)
            if self.direction != before or not self.options.steady_repeat:
                self.restart_delay()

    def restart_delay(self) -> None:
        """Start the delay before the Auto-Repeat (5.2)."""
        self.repeating = False
        self.repeat_at = self.now + self.options.das_ms * 1000 if self.direction else None

    def repeat(self) -> None:
        """Take a repeated step, or all of them if a repeat takes 0 ms (5.2); a step that fails has no event."""
        self.repeating = True
        if self.options.arr_ms:
            self.repeat_at = self.now + self.options.arr_ms * 1000
            if self.piece:
                self.step()
        else:
            self.repeat_at = None
            self.slide()

    def slide(self) -> None:
        """If a repeat takes 0 ms and the delay is over, go to the side as far as there is room."""
        if self.repeating and not self.options.arr_ms:
            while self.piece and self.step():
                pass

    def step(self) -> bool:
        """Move one cell to the side; return whether there was room (5.1)."""
        if not self.is_free({(x + self.direction, y) for x, y in self.cells()}):
            return False
        self.x += self.direction
        self.turned_last = self.point_5 = False
        self.events |= events.MOVED
        self.after_move()
        return True

    def turn(self, clockwise: bool) -> bool:
        """Turn about the first of the five points that works; return whether one did (A1.4)."""
        facing = (self.facing + (1 if clockwise else -1)) % 4
        points = POINTS_OF_I if self.piece == I else POINTS
        for number, (old, new) in enumerate(zip(points[self.facing], points[facing], strict=True), start=1):
            x, y = self.x + old[0] - new[0], self.y + old[1] - new[1]
            if self.is_free({(x + column, y + row) for column, row in turned(self.piece, facing)}):
                self.x, self.y, self.facing = x, y, facing
                self.turned_last = True
                self.point_5 = self.point_5 or number == 5
                return True
        return False

    def hard_drop(self) -> None:
        """Drop to the Surface and lock down, two points a row (5.4, 8)."""
        # If the last Tetrimino locked down by itself, Hard Drop does nothing until `guard_ms` after the generation.
        if self.locked_by_itself and self.time_ms - self.generated_at < self.options.guard_ms:
            return
        while not self.is_on_surface():
            self.y -= 1
            self.score += 2
            self.turned_last = self.point_5 = False
        self.events |= events.HARD_DROPPED
        self.lock_down(hard=True)

    def may_hold(self) -> bool:
        """Return whether there was a Lock Down since the last Hold (5.6)."""
        return bool(self.options.hold_on) and not self.held

    def swap(self, piece: int) -> int:
        """Hold `piece`; return the one that was held, or the next (5.6)."""
        self.events |= events.HELD
        self.held = True
        self.holds += 1
        piece, self.hold = self.hold, piece
        return piece or self.take_next()

    def judge_spin(self) -> int:
        """Return the spin of the Tetrimino in play (9.1); walls and floor are Surfaces, the ceiling is not."""
        # Only a T whose last movement was a rotation can spin. Point 5 makes a Mini T-Spin a T-Spin, until the T moves
        # or falls.
        if self.piece != T or not self.turned_last:
            return NO_SPIN
        # Facing North, A and B are beside the nose, C and D behind; they turn with the T.
        a, b, c, d = (self.touches(*corner) for corner in ((0, 2), (2, 2), (0, 0), (2, 0)))
        if a and b and (c or d):
            return T_SPIN
        if c and d and (a or b):
            return T_SPIN if self.point_5 else MINI_T_SPIN
        return NO_SPIN

    def touches(self, x: int, y: int) -> bool:
        """Return whether a corner of the box, given for facing North, is a Block, a wall or the floor."""
        for _ in range(self.facing):
            x, y = y, 2 - x
        x, y = self.x + x, self.y + y
        return not 0 <= x < WIDTH or y < 0 or (x, y) in self.blocks

    def lock_down(self, hard: bool = False) -> None:
        """Turn the Tetrimino into Blocks and mark the full rows (A1.2.3-A1.2.6)."""
        self.spun = self.judge_spin()
        cells = self.cells()
        above = {(x, y + up) for x, y in cells for up in range(HEIGHT)}
        judged = hard and self.straight and not self.spun and above.isdisjoint(self.blocks)
        if judged and self.presses > fewest_presses(self.piece)[footprint(cells)]:
            self.faults += 1
        self.blocks.update(dict.fromkeys(cells, self.piece))
        self.piece = 0
        self.pieces += 1
        self.held = False
        self.locked_by_itself = not hard
        self.events |= events.LOCKED
        if all(y >= SKYLINE for _, y in cells):
            self.end(LOCK_OUT)  # 10, situation 6
            return
        self.hits = [y for y in range(HEIGHT) if all((x, y) in self.blocks for x in range(WIDTH))]
        lines = len(self.hits)
        self.back_to_back = self.chained and self.can_chain(lines)
        if self.back_to_back:
            self.events |= events.BACK_TO_BACK
        self.events |= {0: 0, 1: events.SINGLE, 2: events.DOUBLE, 3: events.TRIPLE, 4: events.TETRIS}[lines]
        self.events |= {NO_SPIN: 0, MINI_T_SPIN: events.MINI_T_SPIN, T_SPIN: events.T_SPIN}[self.spun]
        self.phase = phases.ANIMATE
        self.wait_until = self.now + (self.options.animate_ms * 1000 if lines else 0)

    def can_chain(self, lines: int) -> bool:
        """Return whether this Line Clear starts or continues a Back-to-Back sequence (8)."""
        return lines == 4 or (lines > 0 and self.spun != NO_SPIN)

    def eliminate(self) -> None:
        """Award the points, remove the rows one by one, and update the goal (A1.2.7, A1.2.8)."""
        lines = len(self.hits)
        points = POINTS_AWARDED[self.spun][lines]
        if self.back_to_back:
            points += points // 2
            self.back_to_backs += 1
        self.score += points * self.level
        self.lines += lines
        self.kinds[self.spun * 5 + lines] += 1
        if lines:  # 8.1: Lock Downs without lines keep the sequence
            self.chained = self.can_chain(lines)
            self.events |= events.ELIMINATED
        self.combo = self.combo + 1 if lines else -1
        self.longest_combo = max(self.longest_combo, self.combo)
        for hit in reversed(self.hits):
            self.blocks = {(x, y - 1 if y > hit else y): cell for (x, y), cell in self.blocks.items() if y != hit}
        self.hits = []
        self.complete(lines, points // 100)
        if not self.over:
            self.phase = phases.GENERATION
            self.wait_until = self.now + self.options.generation_ms * 1000

    def complete(self, lines: int, awarded: int) -> None:
        """Count down the goal (6, 6.1, 12)."""
        # In Marathon a surplus counts for the next level, and level 15 ends the game unless the aim is 1. Sprint and
        # Ultra do not level up.
        if self.variant == SPRINT:
            self.goal = max(0, self.goal - lines)
            if self.goal == 0:
                self.end(AIM_REACHED)
        if self.variant == MARATHON:
            fixed = self.options.goal_rule == FIXED
            self.goal -= lines if fixed else awarded
            while self.goal <= 0 and not self.over:
                if self.level >= 15 and not self.options.aim:
                    self.goal = 0
                    self.end(AIM_REACHED)
                else:
                    self.level += 1
                    self.goal += 10 if fixed else self.level * 5
                    self.events |= events.LEVEL_UP

    def end(self, reason: int) -> None:
        """End the game (10, 12)."""
        self.phase = phases.GAME_OVER
        self.piece = 0
        self.over = reason
        self.events |= events.GAME_OVER
        if reason == AIM_REACHED:
            self.events |= events.COMPLETED

    @property
    def time_ms(self) -> int:
        return self.now // 1000

    @property
    def ghost_y(self) -> int:
        """The row of the box after a landing (2.4)."""
        cells, drop = self.cells(), 0
        while self.is_free({(x, y - drop - 1) for x, y in cells}):
            drop += 1
        return self.y - drop

    def matrix(self) -> bytes:
        """Return the forty rows, the lowest first, ten cells each."""
        return bytes(self.blocks.get((x, y), 0) for y in range(HEIGHT) for x in range(WIDTH))
