"""Let the player enter a line of rules that another screen shows."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save import rules, rules_line
from firmware.save.kept_rules import FIRST_KEPT
from firmware.scenes.error_screen import wrap
from firmware.scenes.letter_entry import LetterEntry
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_HEAD = "SKY1-"
_ROW = const(10)  # letters of two groups
_GROUP = const(5)
_TOP = const(27)
_PITCH_X = const(6)
_PITCH_Y = const(12)
_WORDS_Y = const(105)
_WORDS_PITCH = const(8)


class Scene(LetterEntry):
    """Enter a line, which ends with the chosen letter. subject: whether a match's rules led here."""

    heading = b"ENTER"
    takes_long = True
    alphabet = rules_line.LETTERS.encode()
    count = 60

    def __init__(self, context: "Context", subject: bool = False) -> None:
        LetterEntry.__init__(self, context)
        self.matched = subject
        self.words = ""

    def press(self, button: int) -> None:
        """Handle a press; show the hints again after words about a wrong line."""
        if self.words:
            self.words = ""
            self.whole = True
        LetterEntry.press(self, button)

    def leave(self) -> None:
        self.context.go("rules.menu", (self.matched, FIRST_KEPT - 1, ""))

    def finish(self) -> None:
        """Open the page of the line, or say what is wrong."""
        line = _HEAD + "".join([chr(self.alphabet[letter]) for letter in self.letters[: self.at + 1]])
        try:
            numbers = rules_line.read(line)
            rules.check(numbers)
        except ValueError as problem:
            self.words = str(problem).upper()
            return
        self.context.go("rules.line_menu", (numbers, -1, self.matched))

    def draw_subject(self, canvas: "Canvas") -> None:
        """Draw the beginning that all lines share."""
        canvas.text(1, _TOP - 12, _HEAD.encode(), FONT_5X7)

    def draw_letters(self, canvas: "Canvas") -> None:
        """Draw the letters up to the chosen one, ten in a row, and words about a wrong line."""
        canvas.fill(0, _TOP - 1, WIDTH, _WORDS_Y - 2 - _TOP, 0)
        for i in range(self.at + 1):
            column = i % _ROW
            x = 1 + column * _PITCH_X + (2 if column >= _GROUP else 0)
            y = _TOP + i // _ROW * _PITCH_Y
            canvas.glyph(x, y, self.alphabet[self.letters[i]], FONT_5X7)
            if i == self.at and self.lit:
                canvas.invert(x - 1, y - 1, 7, 9)
        if self.words:
            canvas.fill(0, _WORDS_Y, WIDTH, 128 - _WORDS_Y, 0)
            y = _WORDS_Y
            for words in wrap(self.words)[:3]:
                centre(canvas, y, words.encode(), FONT_3X5)
                y += _WORDS_PITCH
