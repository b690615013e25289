"""Choose how to learn an opener: see it, build it with marks, or without."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.tables import SHAPES
from firmware.modes.lessons.opener_file import PLACES, describe, fetch, unpack
from firmware.scenes.learn.opener_menu import ALONE, MARKS, SHOW, SIDES
from firmware.scenes.menu import SAMPLE_ROWS, Menu

if TYPE_CHECKING:
    from firmware.contracts import Context

_FLOOR_Y = const(96)
_LEFT = const(7)
_PITCH = const(5)


class Scene(Menu):
    """Offer three ways, above a picture of the first bag. subject: the number of the opener and its side."""

    records = (
        (b"SHOW ME", b"SEE EACH STEP|AND BAG TWO", SHOW),
        (b"WITH MARKS", b"EACH PLACE IS|MARKED", MARKS),
        (b"WITHOUT", b"FROM MEMORY: A|WRONG STEP IS|TOLD AT ONCE", ALONE),
    )
    parent = "learn.opener_menu"
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.number = subject % SIDES if isinstance(subject, int) else 0
        self.record = fetch(self.number >> 1)
        self.heading = describe(self.record)[0]
        Menu.__init__(self, context, subject // SIDES if isinstance(subject, int) else 0)

    def find(self, subject: object) -> int:
        return subject if isinstance(subject, int) else 0

    def pick(self, at: int) -> None:
        scene = "learn.opener_show" if at == SHOW else "learn.opener_play"
        self.context.go(scene, self.number + SIDES * at)

    def back(self) -> None:
        self.context.go(self.parent, self.number)

    def draw_sample(self) -> None:
        """Draw the first bag, each Tetrimino with its outline."""
        canvas = self.context.canvas
        canvas.fill(_LEFT - 1, _FLOOR_Y + 1, 10 * _PITCH + 1, 1, 1)
        for i in range(7):
            step = unpack(self.record, PLACES + 2 * i, self.number & 1)
            shape = ((step >> 12 & 7) - 1) * 16 + (step & 3) * 4
            for row in range(4 if step else 0):
                minos = SHAPES[shape + row]
                below = SHAPES[shape + row - 1] if row else 0
                for x in range(4):
                    if minos >> x & 1:
                        left = _LEFT + ((step >> 2 & 15) - 3 + x) * _PITCH
                        top = _FLOOR_Y - _PITCH * ((step >> 6 & 63) - 2 + row) + 1
                        # The edges towards Minos of the same Tetrimino stay open.
                        canvas.fill(left, top, _PITCH - (0 if minos >> x + 1 & 1 else 1), _PITCH - 1, 1)
                        if below >> x & 1:
                            canvas.fill(left, top + _PITCH - 1, _PITCH - 1, 1, 1)
