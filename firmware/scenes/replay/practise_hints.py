"""Show the best computer's place for the Tetrimino in play, and the presses."""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.features import SPIN_CW
from firmware.players.hint import Hint
from firmware.players.opening import HELD
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.mark import Mark

if TYPE_CHECKING:
    from firmware.scenes.replay.practise import Practise

_UNITS = const(20)  # steps of the search in each frame
_WIDTH = const(8)  # places that the search compares

# The area of the presses, instead of the best result
_LEFT = const(22)
_TOP = const(8)
_HEIGHT = const(7)


class Adviser:
    """Search the best place for each Tetrimino in play, and show the place and its presses."""

    def __init__(self, scene: "Practise") -> None:
        self.canvas = scene.context.canvas
        self.game = scene.game
        self.mark = Mark(self.canvas, scene.view.matrix.left, scene.view.matrix.pitch)
        self.hint = Hint(_UNITS, _WIDTH)
        # Set here: a new attribute would allocate in a frame.
        self.hint.hands.shadow.matrix = self.game.matrix
        self.way = b""
        self.fresh = True
        self.attend()

    def attend(self) -> None:
        """Begin to search for the Tetrimino in play."""
        self.mark.piece = 0
        self.way = b""
        self.fresh = True
        self.hint.watch(self.game)

    def look(self) -> None:
        """Continue the search until it has a place; begin again when this place is out of date."""
        hint = self.hint
        if not hint.is_known:
            hint.look()
            if hint.is_known:
                self.tell()
        elif not hint.is_of_use():
            self.attend()

    def tell(self) -> None:
        """Find the presses to the place."""
        from firmware.modes.lessons.finesse_ways import find_way

        hint = self.hint
        how = hint.place >> 14 & 7
        if how:
            way = b"SPIN" if how >= SPIN_CW else b"SLIDE"
        else:
            way = find_way(hint.piece_shown, hint.facing, hint.x)
        self.way = b"C " + way if hint.place & HELD else way
        self.fresh = True

    def uncover(self) -> None:
        """Remove the mark."""
        self.mark.flip()
        self.mark.piece = 0

    def draw(self) -> None:
        """Draw the mark, and the presses if they changed."""
        hint = self.hint
        mark = self.mark
        if hint.is_known and hint.is_of_use():
            mark.piece = hint.piece_shown
            mark.facing = hint.facing
            mark.x = hint.x
            mark.y = hint.y
            mark.flip()
        if self.fresh:
            self.fresh = False
            canvas = self.canvas
            canvas.fill(_LEFT, _TOP, 64 - _LEFT, _HEIGHT, 0)
            font = FONT_5X7 if text_width(self.way, FONT_5X7) <= 64 - _LEFT else FONT_3X5
            canvas.text(64 - text_width(self.way, font), _TOP, self.way, font)
