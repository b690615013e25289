"""Find the presses that lead to a place, and their times."""

from array import array

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.game import SPAWN_X, SPAWN_Y
from firmware.engine.manipulation import Manipulation
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import FALL_US
from firmware.players.features import SLIDE_LEFT, SLIDE_RIGHT, SPIN_CW
from firmware.players.opening import HELD

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_EDGES = const(48)
_I = const(1)
_T = const(6)
_LANDED_MS = const(30)  # tolerance for a slow Soft Drop


_NOWHERE: "Any" = None


class Shadow(Manipulation):
    """Simulate a Tetrimino in another object's Matrix."""

    def __init__(self) -> None:
        # Do not call Manipulation.__init__, which makes a Matrix.
        self.matrix = _NOWHERE
        self.piece = 0
        self.facing = 0
        self.x = 0
        self.y = 0
        self.ghost_y = 0
        self.a = self.b = self.c = self.d = 0
        self.base = 0
        self.turned_last = False
        self.point_5_used = False


class PressPlanner:
    """Plan the edges of buttons.

    count: the number of edges. edges: button << 1 | pressed. moments_ms: the time of each since the plan's beginning.
    """

    def __init__(self, pace_ms: int) -> None:
        self.pace_ms = pace_ms
        self.shadow = Shadow()
        self.edges = bytearray(_EDGES)
        self.moments_ms = array("H", bytes(2 * _EDGES))
        self.count = 0
        self.time_ms = 0
        self.fallen_ms = 0
        self.interval_us = 0

    def plan(self, game: "Game", place: int) -> bool:
        """Plan the presses that take the piece in play, or the held one, to a place; return False if impossible."""
        way = place >> 14 & 7
        at = (place & 31) * 10
        x = place >> 5 & 15
        facing = at // 10 & 3
        twin = FACINGS[at // 40] == 2
        if way == SLIDE_LEFT:
            x += 1
        elif way == SLIDE_RIGHT:
            x -= 1
        elif way:
            # Before its last rotation the T stands upright in the slot.
            facing = 1 if way == SPIN_CW else 3
            at += (facing - 2) * 10
            x += facing == 1
        self.interval_us = FALL_US[min(game.level, len(FALL_US)) - 1]
        for attempt in range(4 if twin else 2):
            if attempt == 2:
                # The opposite facing covers the same cells.
                facing += 2
                at += 20
            if self.approach(game, place, facing, x - (PROFILES[at] & 15), attempt & 1) and self.finish(
                way, game, place
            ):
                return True
        return False

    def approach(self, game: "Game", place: int, facing: int, x: int, late: int) -> bool:
        """Plan the presses to column `x`; `late`: rotate last. Return whether the piece gets there."""
        shadow = self.shadow
        shadow.matrix = game.matrix
        self.begin()
        if place & HELD:
            if not self.enter(game.hold or game.next[0]):
                return False
            self.press(HOLD)
        else:
            if not shadow.place(game.piece, game.x, game.y, game.facing):
                return False
        if not late and not self.turn(facing):
            return False
        while shadow.x != x:
            step = 1 if x > shadow.x else -1
            self.sink()
            if not shadow.shift(step):
                return False
            self.press(RIGHT if step > 0 else LEFT)
        if late and not self.turn(facing):
            return False
        return shadow.x == x

    def begin(self) -> None:
        self.count = 0
        self.time_ms = 0
        self.fallen_ms = 0

    def enter(self, piece: int) -> bool:
        """Place a piece from Hold at its start; return False if it does not fit."""
        if not self.shadow.place(piece, SPAWN_X, SPAWN_Y - 1 if piece == _I else SPAWN_Y, 0):
            return False
        if self.shadow.y > self.shadow.ghost_y:
            self.shadow.sink(1)
        return True

    def turn(self, facing: int) -> bool:
        shadow = self.shadow
        while shadow.facing != facing:
            clockwise = facing - shadow.facing & 3 != 3
            self.sink()
            if not shadow.turn(1 if clockwise else 0):
                return False
            self.press(ROTATE_CW if clockwise else ROTATE_CCW)
        return True

    def finish(self, way: int, game: "Game", place: int) -> bool:
        """Plan the end: a Hard Drop, if needed after a Soft Drop and a slide or a spin; return False if impossible."""
        shadow = self.shadow
        if way:
            self.sink()
            rows = shadow.y - shadow.ghost_y
            if rows:
                self.note(SOFT_DROP, 1, self.time_ms)
                shadow.sink(rows)
                soft_us = self.interval_us // game.options.soft_factor
                self.time_ms += rows * soft_us // 1000 + _LANDED_MS
            if way == SLIDE_LEFT or way == SLIDE_RIGHT:
                if not shadow.shift(-1 if way == SLIDE_LEFT else 1):
                    return False
                self.press(LEFT if way == SLIDE_LEFT else RIGHT)
            else:
                if not shadow.turn(1 if way == SPIN_CW else 0):
                    return False
                self.press(ROTATE_CW if way == SPIN_CW else ROTATE_CCW)
            if rows:
                self.note(SOFT_DROP, 0, self.time_ms - 1)
            # Garbage may have raised the place, but not moved it sideways.
            at = (place & 31) * 10
            if shadow.x + (PROFILES[at] & 15) != place >> 5 & 15:
                return False
        self.press(HARD_DROP)
        return True

    def give_up(self, given: int) -> None:
        """Drop the plan after `given` edges, except for the releases of buttons still pressed."""
        down = 0
        kept = given
        for i in range(self.count):
            bit = 1 << (self.edges[i] >> 1)
            if i < given:
                down ^= bit
            elif not self.edges[i] & 1 and down & bit:
                down ^= bit
                self.edges[kept] = self.edges[i]
                self.moments_ms[kept] = self.moments_ms[i]
                kept += 1
        self.count = kept

    def drop(self) -> None:
        """Plan only a Hard Drop."""
        self.begin()
        self.press(HARD_DROP)

    def sink(self) -> None:
        """Let the shadow fall to the row that gravity reaches by `time_ms`."""
        shadow = self.shadow
        passed_us = (self.time_ms - self.fallen_ms) * 1000
        rows = passed_us // self.interval_us
        if rows:
            self.fallen_ms = self.time_ms
            if rows > shadow.y - shadow.ghost_y:
                rows = shadow.y - shadow.ghost_y
            if rows:
                shadow.sink(rows)

    def press(self, button: int) -> None:
        self.note(button, 1, self.time_ms)
        self.note(button, 0, self.time_ms + self.pace_ms // 2)
        self.time_ms += self.pace_ms

    def note(self, button: int, pressed: int, time_ms: int) -> None:
        """Append an edge if there is room; every sensible plan fits."""
        i = self.count
        if i < _EDGES:
            self.edges[i] = button << 1 | pressed
            self.moments_ms[i] = time_ms
            self.count = i + 1
