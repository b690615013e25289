"""Show the state of a Tetress game in words and numbers below its board."""

from firmware.compat import TYPE_CHECKING, const
from firmware.tetress.game import DRAWN, RED_WON
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas
    from firmware.tetress.game import Game as TetressGame

# States after 0 to 3, which are the results of Game.find_fault.
THINKING = const(4)
HINTING = const(5)
SEEN_AGAIN = const(6)

_TURN_Y = const(67)
_COUNT_Y = const(79)
_PIECE_Y = const(90)
_WORD_Y = const(102)
_KEY_Y = const(114)
_PITCH = const(7)
_BAR_Y = const(125)
_COLUMN = const(9)
_PIECES = b"IOTJLSZ"

_SAID = (b"FITS HERE", b"A CELL IS TAKEN", b"MUST TOUCH YOURS", b"", b"THINKS", b"FINDING A HINT", b"REPLAY")


class Panel:
    """Draw the player to move, the counts of actions and tokens, the pieces, and a message."""

    def __init__(self, canvas: "Canvas") -> None:
        self.canvas = canvas
        self.reset()

    def reset(self) -> None:
        """Forget the last picture, so that everything is drawn."""
        self.played = self.piece = self.state = -1
        self.width = 0

    def draw(self, game: "TetressGame", piece: int, state: int) -> None:
        """Draw the changes; `piece` is the chosen one of seven, -1 while no person is to move."""
        whole = self.played != game.played or (piece < 0) != (self.piece < 0)
        if whole:
            self.played = game.played
            self.piece = -1
            self.draw_counts(game)
        if piece >= 0 and (whole or piece != self.piece):
            self.draw_pieces(piece)
        if not game.over and (whole or state != self.state):
            self.canvas.fill(0, _WORD_Y, WIDTH, _PITCH, 0)
            self.say(_WORD_Y, _SAID[state], -1)
        self.piece = piece
        self.state = state

    def draw_counts(self, game: "TetressGame") -> None:
        """Draw the player to move and the counts of actions and tokens, or the end of the game; clear the rest."""
        canvas = self.canvas
        canvas.fill(0, _TURN_Y - 1, WIDTH, 62, 0)
        self.width = 0
        if game.over:
            self.say(_TURN_Y + 1, b"THE END", 0)
        else:
            canvas.text(2, _TURN_Y, b"MOVE", FONT_5X7)
            canvas.invert(0, _TURN_Y - 1, 27, 9)
            self.draw_token(28, _TURN_Y + 1, game.played & 1)
        canvas.number(36, _TURN_Y + 1, game.played, -1, 3, FONT_3X5, False)
        canvas.text(48, _TURN_Y + 1, b"/150", FONT_3X5)
        for colour in range(2):
            x = 5 + colour * 31
            self.draw_token(x, _COUNT_Y + 1, colour)
            canvas.number(x + 5, _COUNT_Y, game.count(colour), -1, 3, FONT_5X7, False)
        if game.over:
            self.draw_end(game)

    def draw_pieces(self, piece: int) -> None:
        """Draw the letters of the pieces, the chosen one dark on light, and the buttons' meaning."""
        canvas = self.canvas
        canvas.fill(0, _PIECE_Y - 1, WIDTH, _COLUMN, 0)
        for i in range(len(_PIECES)):
            canvas.glyph(2 + i * _COLUMN, _PIECE_Y, _PIECES[i], FONT_5X7)
        canvas.invert(piece * _COLUMN, _PIECE_Y - 1, _COLUMN, _COLUMN)
        if self.piece < 0:
            self.say(_KEY_Y, b"A PLACE  B TURN", -1)
            self.say(_KEY_Y + _PITCH, b"HOLD NEXT PIECE", -1)

    def draw_token(self, x: int, y: int, colour: int) -> None:
        self.canvas.fill(x, y, 5, 5, 1)
        if colour:
            self.canvas.fill(x + 1, y + 1, 3, 3, 0)

    def draw_end(self, game: "TetressGame") -> None:
        red = game.over == RED_WON
        first = b"WINS"
        second = b"HAS MORE TOKENS"
        if game.over == DRAWN:
            first = b"A DRAW"
            second = b"EQUAL TOKENS"
        elif game.is_blocked():
            second = b"HOLLOW IS STUCK" if red else b"SOLID IS STUCK"
        canvas = self.canvas
        canvas.text(WIDTH - text_width(first, FONT_5X7) >> 1, _PIECE_Y + 2, first, FONT_5X7)
        if game.over != DRAWN:
            self.draw_token(10, _PIECE_Y + 3, not red)
        self.say(_WORD_Y + 1, second, -1)
        self.say(_KEY_Y + _PITCH, b"A MENU", -1)

    def draw_bar(self, width: int) -> None:
        """Show the computer's progress by a bar of `width` pixels."""
        if width > self.width:
            self.canvas.fill(self.width, _BAR_Y, width - self.width, 3, 1)
            self.width = width

    def say(self, y: int, words: bytes, x: int) -> None:
        """Draw a line of small letters at `x`, or centred for -1."""
        if x < 0:
            x = WIDTH - text_width(words, FONT_3X5) >> 1
        self.canvas.text(x, y, words, FONT_3X5)
