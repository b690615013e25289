"""Play Tetress: two people who pass the handheld, a person and a computer, or two computers."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls, events
from firmware.router import ALONE
from firmware.save.journal import BOARD_GAME
from firmware.scenes.play_state import REST_MS
from firmware.sound.effects import MENU_BACK
from firmware.tetress.game import CELL_COUNT, SIZE, Game
from firmware.tetress.record import AGAIN, HEAD, HINT, PLAYERS, SEED, WISH, pack, start_record
from firmware.tetress.shapes import CELLS, FIRST
from firmware.view.canvas import WIDTH
from firmware.view.layouts.panel import HINTING, SEEN_AGAIN, THINKING, Panel
from firmware.view.layouts.torus import TorusView

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_DELAY_MS = const(280)
_REPEAT_MS = const(90)
_BLINK_MS = const(400)
_REST_MS = const(600)  # how long a computer's action is shown
_THINK_MS = const(25)  # time of a frame for the computer; the rest is for buttons and drawing
_MOST = const(64)  # most positions in a frame, if the clock does not advance within a frame
_HINTS = const(3)  # the computer's level for hints
_SAVE = const(6)  # save the game after this many actions
_PIECES = const(7)
_ROWS = const(4)  # shifts of the row and the column in a cell of CELLS
_COLUMNS = const(0)


class Scene:
    """Move a piece over the torus and place it; let computers think a little each frame.

    Left, right, up and down move, and repeat while held. A places, B turns, Hold takes the next piece. Start leads to
    the menu, which continues the same record; held after the end, it begins another game.
    """

    kind = "menu"
    keeps = ALONE
    start_ms: int
    computer: "Any"

    def __init__(self, context: "Context", subject: bytearray) -> None:
        self.context = context
        self.head = bytearray(subject[:HEAD])
        self.game = Game()
        self.view = TorusView(context.canvas)
        self.panel = Panel(context.canvas)
        self.computer = None
        if subject[PLAYERS] or subject[PLAYERS + 1] or subject[WISH] == HINT:
            # Imported here, because two people need no computer. Later the router has dropped the modules that the
            # computer shares with the rules, and would load them twice.
            from firmware.tetress.computer import Computer

            self.computer = Computer()
        self.row = self.column = 5
        self.shape = FIRST[2]
        self.button = -1
        self.now_ms = self.until_ms = self.rest_ms = self.blink_ms = context.clock.ticks_ms()
        self.lit = True
        # The record while its actions are played on the board, in a replay one by one; then None.
        self.again: "Any" = subject
        self.saved = (len(subject) - HEAD) // 2
        if subject[WISH] != AGAIN:
            while self.again:
                self.follow()
        self.ready(subject[WISH] == HINT)
        context.canvas.clear()

    def follow(self) -> bool:
        """Play the next action of the record; return whether there was a legal one."""
        at = HEAD + 2 * self.game.played
        if at < len(self.again) and not self.game.play(self.again[at] | self.again[at + 1] << 8):
            return True
        self.again = None
        return False

    def is_persons(self) -> bool:
        return not self.game.over and not self.again and not self.head[PLAYERS + (self.game.played & 1)]

    def is_playing(self) -> bool:
        """Return whether the computer thinks or a replay runs; then the screen stays on."""
        return self.thinking or bool(self.again)

    def ready(self, hint: bool = False) -> None:
        """Prepare the next action: show a person's piece, or let a computer begin to think."""
        self.fresh = True
        self.thinking = self.hinting = False
        if self.game.over:
            self.start_ms = -1
        if self.game.over or self.again:
            return
        level = self.head[PLAYERS + (self.game.played & 1)]
        if not level:
            if not hint:
                return
            level = _HINTS
            self.hinting = True
        # Seeded by the number of the action: a resumed game continues as without the break.
        self.computer.seed = (self.head[SEED] | self.head[SEED + 1] << 8) + self.game.played * 977 & 0xFFFFF
        self.computer.begin(self.game, level)
        self.thinking = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, repeat a held direction, and let the computer or the replay go on."""
        self.now_ms = now_ms
        if hasattr(self, "start_ms"):
            from firmware.scenes.again import take_start

            if take_start(self, edges, now_ms):
                return
        for i in range(edges.count):
            button = edges.button[i]
            if edges.pressed[i]:
                self.button = button if button <= controls.HARD_DROP else -1
                self.until_ms = ticks_add(now_ms, _DELAY_MS)
                self.press(button)
            elif button == self.button:
                self.button = -1
        if self.button >= 0 and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _REPEAT_MS)
            self.press(self.button)
        if ticks_diff(now_ms, self.blink_ms) >= _BLINK_MS:
            self.blink_ms = now_ms
            self.lit = not self.lit
            self.fresh = self.fresh or self.is_persons()
        if self.again:
            if ticks_diff(now_ms, self.rest_ms) >= _REST_MS:
                if self.follow():
                    self.tell()
                else:
                    self.ready()
        elif self.thinking:
            self.think()
        self.context.voice.update(now_ms)

    def think(self) -> None:
        """Let the computer think for a part of this frame; play its action, or show it as a hint."""
        clock = self.context.clock
        computer = self.computer
        for _ in range(_MOST):
            if computer.think(1):
                if self.hinting:
                    self.point(computer.action)
                    self.hinting = self.thinking = False
                    self.fresh = True
                elif ticks_diff(self.now_ms, self.rest_ms) >= _REST_MS:
                    self.play(computer.action)
                return
            if ticks_diff(clock.ticks_ms(), self.now_ms) >= _THINK_MS:
                return

    def action(self) -> int:
        """Return the action of placing the piece here; `row` and `column` are the middle of its box."""
        row = self.row - (self.reach(_ROWS) >> 1)
        column = self.column - (self.reach(_COLUMNS) >> 1)
        return self.shape * CELL_COUNT + row % SIZE * SIZE + column % SIZE

    def reach(self, shift: int) -> int:
        """Return how many rows or columns, by the shift in a cell, the piece has after its first."""
        most = 0
        for i in range(self.shape * 4, self.shape * 4 + 4):
            most = max(most, CELLS[i] >> shift & 15)
        return most

    def point(self, action: int) -> None:
        """Move the piece over the place of an action."""
        self.shape = action // CELL_COUNT
        cell = action % CELL_COUNT
        self.row = (cell // SIZE + (self.reach(_ROWS) >> 1)) % SIZE
        self.column = (cell % SIZE + (self.reach(_COLUMNS) >> 1)) % SIZE

    def piece(self) -> int:
        """Return the piece, 0 to 6 for I O T J L S Z."""
        piece = 0
        while FIRST[piece + 1] <= self.shape:
            piece += 1
        return piece

    def press(self, button: int) -> None:
        if button == controls.PAUSE:
            self.leave()
            return
        if self.game.over:
            if controls.ROTATE_CW <= button <= controls.ROTATE_CCW and ticks_diff(self.now_ms, self.rest_ms) >= REST_MS:
                self.leave()
            return
        if not self.is_persons() or self.hinting:
            return
        self.lit = self.fresh = True
        self.blink_ms = self.now_ms
        happened = events.MOVED
        if button == controls.LEFT:
            self.column = (self.column - 1) % SIZE
        elif button == controls.RIGHT:
            self.column = (self.column + 1) % SIZE
        elif button == controls.HARD_DROP:
            self.row = (self.row - 1) % SIZE
        elif button == controls.SOFT_DROP:
            self.row = (self.row + 1) % SIZE
        elif button == controls.ROTATE_CCW:
            happened = events.ROTATED
            piece = self.piece()
            self.shape += 1
            if self.shape == FIRST[piece + 1]:
                self.shape = FIRST[piece]
        elif button == controls.HOLD:
            happened = events.HELD
            self.shape = FIRST[(self.piece() + 1) % _PIECES]
        else:
            self.play(self.action())
            return
        self.context.voice.tell(happened, self.now_ms)

    def play(self, action: int) -> None:
        """Play an action; an illegal action only makes a sound, because the screen shows the reason."""
        if self.game.play(action):
            self.context.voice.tell(events.ROTATE_FAILED, self.now_ms)
            return
        self.tell()
        if self.game.over or self.game.played >= self.saved + _SAVE:
            self.save()
        self.ready()

    def tell(self) -> None:
        """Sound an action that was played, and show it for a moment."""
        game = self.game
        self.rest_ms = self.now_ms
        self.fresh = True
        happened = events.LOCKED
        if game.lines:
            happened = events.SINGLE if game.lines == 1 else events.TETRIS
        if game.over:
            happened = events.GAME_OVER
        self.context.voice.tell(happened, self.now_ms)

    def save(self) -> None:
        """Save the game to continue or replay it later."""
        journal = self.context.journal
        self.saved = self.game.played
        if not journal.failed:
            record = pack(self.game, self.head)
            journal.payload[: len(record)] = record
            journal.save(BOARD_GAME, len(record))

    def restart(self) -> None:
        """Begin a game of the same players."""
        context = self.context
        record = start_record(self.head[PLAYERS], self.head[PLAYERS + 1], context.session.next_seed())
        context.go("tetress.play", record)

    def leave(self) -> None:
        """Go to the menu with the record of the game."""
        record = self.again or pack(self.game, self.head)
        if not self.again and self.game.played:
            self.save()
        self.context.voice.tell_menu(MENU_BACK)
        self.context.go("tetress.menu", record)

    def draw(self) -> None:
        if self.fresh:
            self.fresh = False
            persons = self.is_persons() and not self.hinting
            view = self.view
            view.piece = self.action() if self.lit and persons else -1
            reason = self.game.find_fault(self.action())
            view.legal = not reason
            view.draw(self.game)
            if persons:
                state = reason
            elif self.again:
                state = SEEN_AGAIN
            else:
                state = HINTING if self.hinting else THINKING
            self.panel.draw(self.game, self.piece() if persons else -1, state)
        if self.thinking:
            self.panel.draw_bar(self.computer.progress(WIDTH))
