"""Choose the seed of a game: a random one, the last one again, or a given one (Standard, Spawning).

Games by the guideline may begin with Starting Blocks (2.4, 6).
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import find
from firmware.scenes.menu import SAMPLE_HEIGHT, SAMPLE_ROWS, SAMPLE_Y, Menu
from firmware.scenes.settings_menu import SettingsMenu
from firmware.sound.effects import MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_PLAY = b"PLAY"
_SEED = b"SEED"
_REPEAT = b"REPEAT"
_BLOCKS = b"BLOCKS"

_ANY = const(0)
_LAST = const(1)
_THIS = const(2)
_PLACES = const(10)
_MOST_BLOCKS = const(15)
_PITCH = const(6)
_NUMBER_X = const(2)
_NUMBER_Y = const(77)
_GAPS = b"\x07\x02\x05\x08\x01\x04\x09\x00\x06\x03\x07\x05\x01\x08\x02"  # in the sample's rows
_SETTING = b"< >: WHICH DIGIT|UP DOWN: SET IT|A NEXT  B BACK"


class Scene(SettingsMenu):
    """Set the seed and, by the mode's rules, the repeat of directions or the Starting Blocks; then begin the game.

    The same seed gives the same pieces in the same order. A on the line SEED sets its digits: left and right choose a
    digit, up and down change it, any other button ends this.
    """

    heading = b"WHICH GAME"
    lines: tuple[bytes, ...] = (_PLAY, _SEED, _REPEAT)
    notes: tuple[bytes, ...] = (
        b"BEGIN",
        b"THE SAME SEED|GIVES THE SAME|PIECES. A: SET IT",
        b"HELD BUTTONS|REPEAT. THE OLD|RULES: OFF",
    )
    parent = "menus.choose_level"
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: object = None) -> None:
        """Begin with a random seed; a given seed begins as the last game's."""
        self.last = -1
        if context.session.last:
            # Imported late: often there is no recording.
            from firmware.save.recordings.recording import Recording

            try:
                self.last = Recording(context.session.last()).seed
            except ValueError:
                pass  # a damaged recording has no seed
        self.seed = self.last if self.last > 0 else 0
        self.choice = _ANY
        self.place = 1
        self.unit = 1
        self.taking = False
        record = find(context.session.variant)
        if b"blocks" in record[b"knows"]:
            self.lines = (_PLAY, _SEED, _BLOCKS)
            self.notes = self.notes[:2] + (b"ROWS WITH A GAP|AT THE START.|NO SCORE TABLE",)
        if b"seed" in record[b"lacks"]:  # the seed does not matter if the mode deals the worst piece
            self.lines = (_PLAY, _BLOCKS)
            self.notes = (self.notes[0], self.notes[2])
        Menu.__init__(self, context)

    def press(self, button: int) -> None:
        """Handle one press; while the seed is set, the directions choose and change its digits."""
        if not self.taking:
            Menu.press(self, button)
            return
        if button == controls.LEFT or button == controls.RIGHT:
            self.move(1 if button == controls.LEFT else -1)
        elif button == controls.SOFT_DROP or button == controls.HARD_DROP:
            self.roll(1 if button == controls.HARD_DROP else -1)
        else:
            self.taking = False
        self.context.voice.tell_menu(MENU_MOVE if self.taking else MENU_CHOOSE)
        self.fresh = True

    def pick(self, at: int) -> None:
        """Play, set the digits of the seed, or set the next value."""
        context = self.context
        if self.lines[at] == _SEED:
            self.choice = _THIS
            self.taking = True
        elif at:
            self.turn(at, 1)
        else:
            if self.choice != _ANY:
                context.session.choose_seed(self.seed)
            context.begin_game()

    def value(self, at: int) -> bytes:
        name = self.lines[at]
        if name == _SEED:
            return (b"ANY", b"LAST", b"THIS")[self.choice]
        if name == _REPEAT:
            return b"ON" if self.context.settings.aim else b"OFF"
        return b"%d" % self.context.settings.garbage_rows if at else b""

    def turn(self, at: int, step: int) -> bool:
        """Change the value of a line by `step`; after the last value comes the first."""
        name = self.lines[at]
        settings = self.context.settings
        if name == _SEED:
            self.choice = (self.choice + step) % 3
            if self.choice == _LAST and self.last < 0:
                self.choice = (self.choice + step) % 3
            if self.choice == _LAST:
                self.seed = self.last
        elif name == _REPEAT:
            settings.aim = 0 if settings.aim else 1
        elif at:
            settings.garbage_rows = (settings.garbage_rows + step) % (_MOST_BLOCKS + 1)
        return at > 0

    def move(self, step: int) -> None:
        """Choose the next digit to the left (1) or right (-1); after the last comes the first."""
        self.place = (self.place - 1 + step) % _PLACES + 1
        self.unit = 1
        for _ in range(self.place - 1):
            self.unit *= 10

    def roll(self, step: int) -> None:
        """Change the chosen digit by `step`; skip digits that make the seed 2**30 or more."""
        digit = was = self.seed // self.unit % 10
        number = SEEDS
        while number >= SEEDS:
            digit = (digit + step) % 10
            number = self.seed + (digit - was) * self.unit
        self.seed = number

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or the buttons that set the seed."""
        if not self.at and self.context.settings.garbage_rows and _BLOCKS in self.lines:
            note = b"WITH BLOCKS|NO SCORE TABLE"
        Menu.draw_note(self, canvas, _SETTING if self.taking else note)

    def draw_sample(self) -> None:
        """Draw the seed, with the chosen digit underlined, or the Starting Blocks."""
        canvas = self.context.canvas
        if self.lines[self.at] == _BLOCKS:
            for i in range(self.context.settings.garbage_rows):
                y = SAMPLE_Y + SAMPLE_HEIGHT - 2 - 2 * i
                canvas.fill(22, y, 20, 2, 1)
                canvas.fill(22 + 2 * _GAPS[i], y, 2, 2, 0)
        elif self.choice == _ANY:
            centre(canvas, SAMPLE_Y + 14, b"AT RANDOM", FONT_3X5)
        else:
            canvas.number(_NUMBER_X, _NUMBER_Y, self.seed, -1, _PLACES, FONT_5X7, True)
            if self.taking:
                canvas.fill(_NUMBER_X + (_PLACES - self.place) * _PITCH, _NUMBER_Y + 9, 5, 2, 1)
