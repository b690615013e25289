"""Choose a place with one switch: a cursor steps by itself (firmware/modes/README.md, 14.3 to 14.6)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine.controls import HARD_DROP, HOLD, SOFT_DROP
from firmware.players.reachable import COLUMN, GROUP, OFFSET, Reachable
from firmware.view.mark import Mark

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue, Game

_STATES = const(6)  # searched in each frame
_PACE_MS = const(40)
_FASTEST_SOFT = const(40)  # a row takes longer than a frame
_FACINGS = const(4)
_NONE = const(-1)
_PITCH = const(5)  # of the usual cells; the Hold Queue above large ones is smaller

# What the cursor steps through
_NOTHING = const(0)
_FACING = const(1)
_COLUMN = const(2)
_ROW = const(3)

_ROUNDS = const(2)
_MOST_ROUNDS = const(3)


class PlacesCursor:
    """Mark places of the Tetrimino in play one after the other, and press the controls that lead to the picked one.

    scene: of play; its view draws the mark, too. spins: whether Soft Drop, slides and spins count. level: what the
    cursor steps through. entry: a facing, or _FACINGS for Hold. place: the marked one, or -1. gives_up: set once nobody
    has picked a Facing for three rounds.
    """

    def __init__(self, scene: "Any", step_ms: int, spins: bool) -> None:
        self.scene = scene
        self.step_ms = step_ms
        self.reach = Reachable()
        self.spins = spins
        view = scene.view
        self.mark = Mark(scene.context.canvas, view.matrix.left, view.matrix.pitch)
        self.show = view.draw
        view.draw = self.draw
        self.level = _NOTHING
        self.entry = self.rounds = self.due_ms = self.until_ms = 0
        self.place = self.token = self.target = _NONE
        self.game: "Any" = None
        self.running = self.gives_up = self.is_lit = False

    def stop(self) -> None:
        """Forget the Tetrimino: the game has stopped."""
        self.token = self.place = self.target = _NONE
        self.level = _NOTHING
        self.running = self.gives_up = False

    def update(self, sink: "EdgeQueue", now_ms: int, tapped: bool, is_down: bool) -> None:
        """Search, step or pick; append the edges of controls."""
        game = self.scene.game
        if self.running:
            self.run(game, sink, now_ms)
            return
        if not game.piece:
            self.stop()
            return
        token = game.lock_downs << 1 | game.held
        if token != self.token or game is not self.game:
            self.begin(game, token)
        if not self.reach.done:
            self.reach.search(_STATES)
            if self.reach.done:
                self.open(game, _FACING, now_ms)
        elif tapped:
            self.pick(game, sink, now_ms)
        elif not is_down and ticks_diff(now_ms, self.due_ms) >= 0:
            self.step(game, now_ms)

    def begin(self, game: "Game", token: int) -> None:
        """Search the places of a new Tetrimino."""
        self.stop()
        self.token = token
        self.game = game
        self.scene.view.show_ghost = False
        if game.options.soft_factor > _FASTEST_SOFT:
            game.options.soft_factor = _FASTEST_SOFT
        self.reach.begin(game, self.spins)

    def open(self, game: "Game", level: int, now_ms: int) -> None:
        """Begin to step through Facings, columns or rows; a single Facing is picked at once."""
        reach = self.reach
        self.level = level
        self.rounds = 0
        self.due_ms = ticks_add(now_ms, self.step_ms * 3 // 2)
        if level == _FACING:
            self.entry = self.next_entry(game, 0)
            if self.next_entry(game, self.entry + 1) < 0:
                self.level = level = _COLUMN
        if level == _FACING:
            self.show_entry()
        elif level == _COLUMN:
            self.place = reach.find(self.entry << GROUP, self.entry + 1 << GROUP)

    def next_entry(self, game: "Game", entry: int) -> int:
        """Return the first facing from `entry` on that has places, _FACINGS for Hold, or -1."""
        while entry < _FACINGS:
            if self.reach.find(entry << GROUP, entry + 1 << GROUP) >= 0:
                return entry
            entry += 1
        return entry if entry == _FACINGS and game.can_hold() else _NONE

    def show_entry(self) -> None:
        """Mark the nearest place of a facing; Hold has none."""
        self.place = _NONE
        for i in range(self.reach.count - 1, -1, -1):
            if self.reach.keys[i] >> GROUP == self.entry:
                self.place = i

    def step(self, game: "Game", now_ms: int) -> None:
        """Go on to the next entry; after some rounds go a step back, or give up."""
        reach = self.reach
        self.due_ms = ticks_add(now_ms, self.step_ms)
        if self.level == _FACING:
            self.entry = self.next_entry(game, self.entry + 1)
            if self.entry < 0:
                self.entry = self.next_entry(game, 0)
                self.rounds += 1
                self.gives_up = self.rounds == _MOST_ROUNDS
            self.show_entry()
            return
        key = reach.keys[self.place]
        if self.level == _COLUMN:
            place = reach.find((key >> COLUMN) + 1 << COLUMN, self.entry + 1 << GROUP)
            first = self.entry << GROUP
        else:
            place = reach.find(key + 1, (key >> COLUMN) + 1 << COLUMN)
            first = key >> COLUMN << COLUMN
        if place < 0:
            self.rounds += 1
            place = reach.find(first, key + 1)
        self.place = place
        if self.rounds == _ROUNDS:
            was = self.level
            self.open(game, was - 1, now_ms)
            self.gives_up = self.level == was  # there is a single Facing

    def pick(self, game: "Game", sink: "EdgeQueue", now_ms: int) -> None:
        reach = self.reach
        if self.level == _FACING:
            if self.entry == _FACINGS:
                sink.append(HOLD, 1, now_ms)
                sink.append(HOLD, 0, now_ms)
                self.level = _NOTHING
            else:
                self.open(game, _COLUMN, now_ms)
            return
        if self.level == _COLUMN:
            key = reach.keys[self.place]
            if reach.find(key + 1, (key >> COLUMN) + 1 << COLUMN) >= 0:
                self.open(game, _ROW, now_ms)
                return
        reach.plan(self.place)
        self.due_ms = now_ms
        self.running = True

    def run(self, game: "Game", sink: "EdgeQueue", now_ms: int) -> None:
        """Press the next control of the way when it is due; the last one is Hard Drop."""
        reach = self.reach
        if self.target >= 0:
            self.end_soft_drop(game, sink, now_ms)
            return
        if ticks_diff(now_ms, self.due_ms) < 0:
            return
        self.due_ms = ticks_add(now_ms, _PACE_MS)
        control = HARD_DROP
        if reach.length:
            reach.length -= 1
            control = reach.presses[reach.length]
        else:
            self.running = False
            self.place = _NONE
            self.level = _NOTHING
        sink.append(control, 1, now_ms)
        if control == SOFT_DROP:
            while reach.length and reach.presses[reach.length - 1] == SOFT_DROP:
                reach.length -= 1
            self.target = reach.rows[reach.length]
            self.until_ms = _NONE
        else:
            sink.append(control, 0, now_ms)

    def end_soft_drop(self, game: "Game", sink: "EdgeQueue", now_ms: int) -> None:
        """Release Soft Drop half a row's time after the Tetrimino has reached its row."""
        if self.until_ms < 0:
            rows = game.y + OFFSET - self.target
            self.until_ms = self.scene.last_ms
            if rows > 0:
                row_us = game.interval_us
                ms = (game.fall_us + 999) // 1000 + ((rows - 1) * row_us + row_us // 2) // 1000
                self.until_ms = ticks_add(self.until_ms, ms)
        if ticks_diff(now_ms, self.until_ms) >= 0:
            sink.append(SOFT_DROP, 0, self.until_ms)
            self.target = _NONE
            self.due_ms = ticks_add(now_ms, _PACE_MS)

    def draw(self, game: "Game") -> "Any":
        mark = self.mark
        mark.flip()
        mark.piece = 0
        if self.is_lit:
            self.flip_hold()
        busy = self.show(game)
        if self.place >= 0:
            rest = self.reach.landings[self.place]
            mark.piece = game.piece
            mark.facing = rest >> 9
            mark.x = (rest >> 5 & 15) - OFFSET
            mark.y = (rest & 31) - OFFSET
            mark.flip()
        elif self.level == _FACING:
            self.flip_hold()
        return busy

    def flip_hold(self) -> None:
        """Invert the Hold Queue, or invert it back."""
        self.is_lit = not self.is_lit
        if self.mark.pitch > _PITCH:
            self.scene.context.canvas.invert(0, 0, 12, 7)
        else:
            self.scene.context.canvas.invert(0, 0, 20, 16)
