"""Choose which Standard game to play: any, the last one again, or the one of a number (Standard, Spawning)."""

from firmware.compat import const
from firmware.engine.randomizer import SEEDS
from firmware.scenes.menu import SAMPLE_ROWS, SAMPLE_Y, Menu
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.lines import centre

_PLAY = const(0)
_SEED = const(1)
_PLACE = const(2)
_DIGIT = const(3)
_REPEAT = const(4)

_ANY = const(0)
_LAST = const(1)
_THIS = const(2)
_PLACES = const(10)
_PITCH = const(6)
_NUMBER_X = const(2)
_NUMBER_Y = const(77)


class Scene(Menu):
    """Set the seed of the generator and whether a held direction repeats, and begin.

    The same seed gives the same pieces in the same order: the "same game" several times.
    """

    heading = b"WHICH GAME"
    lines: tuple = (b"PLAY", b"SEED", b"PLACE", b"DIGIT", b"REPEAT")
    notes: tuple = (
        b"BEGIN",
        b"THE SAME SEED:|THE SAME PIECES|ONCE MORE",
        b"THE PLACE OF THE|NUMBER TO SET",
        b"THE DIGIT IN|THAT PLACE",
        b"A HELD DIRECTION|PRESSES AGAIN.|THE RULES: OFF",
    )
    parent = "choose_level"
    rows = SAMPLE_ROWS

    def __init__(self, app, subject=None) -> None:
        """Begin with any game; its number, once asked for, with that of the last one."""
        self.last = -1
        if app.last:
            # Imported late: there may be none.
            from firmware.save.recording import Recording

            try:
                self.last = Recording(app.last() if callable(app.last) else app.last).seed
            except ValueError:
                pass  # what is damaged has none
        self.seed = self.last if self.last > 0 else 0
        self.kind = _ANY
        self.place = 1
        self.unit = 1
        Menu.__init__(self, app)

    def pick(self, at: int) -> None:
        """Play, or take the next value."""
        if at != _PLAY:
            self.turn(at, 1)
            return
        app = self.app
        if self.kind != _ANY:
            app.seed = self.seed
        app.keep()
        app.go("play")

    def value(self, at: int) -> bytes:
        """Return what the line is set to."""
        if at == _SEED:
            return (b"ANY", b"LAST", b"THIS")[self.kind]
        if at == _PLACE:
            return str(self.place).encode()
        if at == _DIGIT:
            return str(self.seed // self.unit % 10).encode()
        if at == _REPEAT:
            return b"ON" if self.app.settings.aim else b"OFF"
        return b""

    def turn(self, at: int, step: int) -> bool:
        """Go round the values; whoever turns a digit wants this number."""
        if at == _SEED:
            self.kind = (self.kind + step) % 3
            if self.kind == _LAST and self.last < 0:
                self.kind = (self.kind + step) % 3
            if self.kind == _LAST:
                self.seed = self.last
        elif at == _PLACE:
            self.place = (self.place - 1 + step) % _PLACES + 1
            self.unit = 1
            for _ in range(self.place - 1):
                self.unit *= 10
        elif at == _DIGIT:
            digit = self.seed // self.unit % 10
            # The last of ten places cannot have every digit: the number stays below 2**30.
            while True:
                turned = (digit + step) % 10
                number = self.seed + (turned - self.seed // self.unit % 10) * self.unit
                if number < SEEDS:
                    break
                digit = turned
            self.seed = number
            self.kind = _THIS
        elif at == _REPEAT:
            self.app.settings.aim = 0 if self.app.settings.aim else 1
        else:
            return False
        return True

    def draw_sample(self) -> None:
        """Draw the seed, the chosen place underlined."""
        canvas = self.app.canvas
        if self.kind == _ANY:
            centre(canvas, SAMPLE_Y + 14, b"ANY ONE", FONT_3X5)
            return
        canvas.number(_NUMBER_X, _NUMBER_Y, self.seed, -1, _PLACES, FONT_5X7, True)
        if self.at == _PLACE or self.at == _DIGIT:
            canvas.fill(_NUMBER_X + (_PLACES - self.place) * _PITCH, _NUMBER_Y + 9, 5, 2, 1)

    def back(self) -> None:
        """Keep what was set and leave."""
        self.app.keep()
        Menu.back(self)
