"""Show how often each piece appeared in a Standard game, compared with the expected number (Standard, Spawning)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.modes.standard_pieces import ORDER
from firmware.residents import PAUSE
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre, text_width
from firmware.view.sample import draw_mini

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue
    from firmware.modes.standard import StandardGame

_KINDS = const(7)
_TOP = const(21)
_PITCH = const(10)
_TOTAL_RIGHT = const(38)
_RIGHT = const(64)
_RULE_Y = const(91)
_NOTE_Y = const(94)
_FOOT_Y = const(121)
_NOTE_PITCH = const(6)


def find_mean(count: int) -> int:
    """Return the expected number of each kind among `count` pieces: count * 1/7, rounded."""
    return (2 * count + _KINDS) // (2 * _KINDS)


def find_deviation(count: int) -> int:
    """Return the standard deviation of this number: the root of count * 1/7 * 6/7, rounded; `count` is below 2**25.

    Halving the root of four times the square rounds it with integers only.
    """
    square = 24 * count // 49
    root = 0
    bit = 1 << 14
    while bit:
        if (root + bit) * (root + bit) <= square:
            root += bit
        bit >>= 1
    return (root + 1) // 2


class Scene:
    """Show for each kind the number of pieces and the difference from the expected number; any button leaves."""

    kind = "menu"
    keeps = PAUSE
    start_ms: int

    def __init__(self, context: "Context", subject: "StandardGame") -> None:
        """Show the pieces of `subject`, a Standard game; return to it, or go on to the scores if it is over."""
        self.context = context
        self.game = subject
        self.fresh = True
        if subject.over:
            self.start_ms = -1

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Leave at a press; after the game, begin again if START is held."""
        context = self.context
        if self.game.over:
            from firmware.scenes.again import take_start

            if take_start(self, edges, now_ms):
                return
        for i in range(edges.count):
            if edges.pressed[i] and edges.button[i] >= controls.ROTATE_CW:
                context.voice.tell_menu(MENU_CHOOSE)
                if self.game.over:
                    context.go(
                        "menus.scores_initials" if context.session.placed else "menus.scores", context.session.placed
                    )
                else:
                    context.go("play", self.game)
                return
        context.voice.update(now_ms)

    def draw(self) -> None:
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.context.canvas
        canvas.clear()
        centre(canvas, 2, b"PIECES", FONT_5X7)
        canvas.fill(0, 10, _RIGHT, 1, 1)
        self.write(b"TOTAL", _TOTAL_RIGHT, 14, FONT_3X5)
        self.write(b"+/-", _RIGHT, 14, FONT_3X5)
        game = self.game
        count = sum([game.count(piece) for piece in ORDER])
        mean = find_mean(count)
        y = _TOP
        for piece in ORDER:
            total = game.count(piece)
            draw_mini(canvas, 1, y, piece)
            self.write(b"%d" % total, _TOTAL_RIGHT, y, FONT_5X7)
            sign = b"+" if total > mean else b""
            self.write(sign + b"%d" % (total - mean), _RIGHT, y, FONT_5X7)
            y += _PITCH
        canvas.fill(0, _RULE_Y, _RIGHT, 1, 1)
        self.note(0, b"PIECES", count)
        self.note(1, b"EXPECTED", mean)
        self.note(2, b"USUAL +/-", find_deviation(count))
        self.note(3, b"SEED", game.seed)
        canvas.fill(0, _FOOT_Y - 4, _RIGHT, 1, 1)
        centre(canvas, _FOOT_Y, b"A NEXT" if game.over else b"A BACK", FONT_3X5)

    def note(self, line: int, name: bytes, value: int) -> None:
        y = _NOTE_Y + line * _NOTE_PITCH
        self.context.canvas.text(0, y, name, FONT_3X5)
        self.write(b"%d" % value, _RIGHT, y, FONT_3X5)

    def write(self, codes: bytes, right: int, y: int, font: bytes) -> None:
        """Write a text that ends at column `right`, in small letters if it is long."""
        if len(codes) > 4:
            font = FONT_3X5
        self.context.canvas.text(right - text_width(codes, font), y, codes, font)
