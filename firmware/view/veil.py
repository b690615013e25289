"""Hide the Blocks of a game with the option `invisible` (firmware/modes/README.md, 12)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import HEIGHT, SKYLINE, WALLS, WIDTH
from firmware.engine.phases import GAME_OVER
from firmware.view.canvas import make_slice

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_LASTING_MS = const(5000)
_FADES = const(2)  # the value of the option that lets Blocks vanish later
_WAVES = const(32)  # Blocks that came together vanish together; wave 0 means none
_GONE = const(255)  # the wave of a Block that has vanished
_VISIBLE = WIDTH  # index in a row of waves: how many of its Blocks are visible

_EMPTY = bytes(WIDTH)
_UNBORN = bytes(WIDTH + 1)


class Veil:
    """Give a view's Matrix other rows to draw, without the Blocks that have vanished; all at the end of the game.

    seen: the rows to draw. known, waves, masks: the Matrix's rows as last seen, the wave of each Block in them, and
    their masks. They follow the row objects, which the engine moves in Line Clears and for garbage. due_ms: when each
    wave vanishes, by the game's time. first, count: the waves that are visible.
    """

    def __init__(self, view: "Any", game: "Game") -> None:
        self.view = view
        self.matrix = view.matrix
        self.draw_view = view.draw
        self.draw_rows = view.matrix.draw_blocks
        self.fades = game.options.invisible == _FADES
        self.is_over = False
        self.game = game
        self.lines = game.lines
        self.all = make_slice(0, WIDTH)
        self.every = make_slice(0, WIDTH + 1)
        self.seen = [bytearray(WIDTH) for _ in range(SKYLINE + 1)]
        self.first = 1
        self.count = 0
        if self.fades:
            self.due_ms = [0] * _WAVES
            self.waves = [bytearray(WIDTH + 1) for _ in range(HEIGHT)]
            self.adopt(game.lock_downs > 0)
        # Instance attributes go before methods: no view class needs a subclass.
        view.draw = self.draw
        view.matrix.draw_blocks = self.draw_blocks

    def adopt(self, hidden: bool) -> None:
        """Learn the rows of the Matrix anew; if `hidden`, their Blocks have vanished."""
        matrix = self.game.matrix
        self.known = list(matrix.rows)
        self.masks = list(matrix.masks) if hidden else [WALLS] * HEIGHT
        for y in range(HEIGHT):
            wave = self.waves[y]
            cells = matrix.rows[y]
            wave[self.every] = _UNBORN
            for x in range(WIDTH):
                if hidden and cells[x]:
                    wave[x] = _GONE
        self.count = 0

    def draw(self, game: "Game") -> bool:
        """Bring the canvas up to date as the view does; begin with the Blocks that vanish now."""
        self.game = game
        if game.phase == GAME_OVER:
            if not self.is_over:
                self.is_over = True
                self.matrix.version = -1
                self.view.motion_on = False  # the curtain would cover the Blocks
        elif self.count and game.time_ms >= self.due_ms[self.first]:
            self.drop_wave()
            self.matrix.version = -1
        return self.draw_view(game)

    def draw_blocks(self, rows: "list[bytearray]", collapsed: bool, left: int) -> bool:
        """Show the Blocks that are visible now, as MatrixView does."""
        if self.is_over:
            return self.draw_rows(rows, collapsed, left)
        if self.fades:
            self.follow(rows)
            self.note_blocks(rows)
        return self.draw_rows(self.seen, collapsed, left)

    def follow(self, rows: "list[bytearray]") -> None:
        """Move what is known of the rows to where the engine moved them."""
        game = self.game
        known = self.known
        if game.lines != self.lines:
            # A removed row may come back at once as garbage.
            self.lines = game.lines
            for i in range(game.cleared):
                y = game.hits[i]
                self.waves[y][self.every] = _UNBORN
                self.masks[y] = WALLS
        for y in range(HEIGHT):
            if known[y] is not rows[y]:
                was = y + 1
                while was < HEIGHT and known[was] is not rows[y]:
                    was += 1
                if was == HEIGHT:
                    self.adopt(True)  # a Tetrimino was taken back
                    return
                known.insert(y, known.pop(was))
                self.waves.insert(y, self.waves.pop(was))
                self.masks.insert(y, self.masks.pop(was))

    def note_blocks(self, rows: "list[bytearray]") -> None:
        """Put new Blocks into a wave, and find the rows to draw."""
        masks = self.game.matrix.masks
        wave = 0
        for y in range(HEIGHT):
            waves = self.waves[y]
            if masks[y] != self.masks[y]:
                self.masks[y] = masks[y]
                cells = rows[y]
                for x in range(WIDTH):
                    if not cells[x]:
                        if 0 < waves[x] < _GONE:
                            waves[_VISIBLE] -= 1
                        waves[x] = 0
                    elif not waves[x]:
                        wave = wave or self.begin_wave()
                        waves[x] = wave
                        waves[_VISIBLE] += 1
            if y <= SKYLINE:
                self.show_row(self.seen[y], rows[y], waves)

    def show_row(self, seen: bytearray, cells: bytearray, waves: bytearray) -> None:
        """Copy the visible Blocks of a row."""
        if not waves[_VISIBLE]:
            seen[self.all] = _EMPTY
            return
        for x in range(WIDTH):
            seen[x] = cells[x] if 0 < waves[x] < _GONE else 0

    def begin_wave(self) -> int:
        """Return the wave for Blocks that appear now; if all are in use, the oldest one vanishes early."""
        if self.count == _WAVES - 1:
            self.drop_wave()
        wave = (self.first + self.count - 1) % (_WAVES - 1) + 1
        self.count += 1
        self.due_ms[wave] = self.game.time_ms + _LASTING_MS
        return wave

    def drop_wave(self) -> None:
        """Let the oldest wave vanish."""
        wave = self.first
        for waves in self.waves:
            if waves[_VISIBLE]:
                for x in range(WIDTH):
                    if waves[x] == wave:
                        waves[x] = _GONE
                        waves[_VISIBLE] -= 1
        self.first = wave % (_WAVES - 1) + 1
        self.count -= 1
