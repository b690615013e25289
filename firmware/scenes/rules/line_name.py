"""Let the player name a line of rules, and keep it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save import kept_rules
from firmware.save.kept_rules import FIRST_KEPT, NAME_LETTERS
from firmware.save.rules import MATCH
from firmware.scenes.letter_entry import LetterEntry
from firmware.view.art import FONT_3X5
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context

_SPACE = const(38)  # the last of LETTERS


class Scene(LetterEntry):
    """Enter a name. subject: the numbers of the line, and the scene to return to with its subject."""

    heading = b"NAME"
    takes_long = True
    count = NAME_LETTERS
    scale = 1
    left = 4
    pitch = 10

    def __init__(self, context: "Context", subject: "tuple[list[int], tuple[str, Any]]") -> None:
        LetterEntry.__init__(self, context)
        self.numbers, self.origin = subject
        for i in range(1, NAME_LETTERS):
            self.letters[i] = _SPACE

    def leave(self) -> None:
        """Go back without keeping it."""
        self.context.go(*self.origin)

    def finish(self) -> None:
        """Keep the line and show the list; a name of blanks keeps nothing."""
        context = self.context
        name = bytes([self.alphabet[letter] for letter in self.letters])
        matched = self.numbers[0] == MATCH
        if name.strip() and kept_rules.keep(context.journal, name, self.numbers):
            names = [each[0] for each in kept_rules.read(context.journal)]
            context.go("rules.menu", (matched, FIRST_KEPT + names.index(name), ""))
        else:
            context.go("rules.menu", (matched, 1, "not saved"))

    def draw_subject(self, canvas: "Canvas") -> None:
        centre(canvas, 25, b"OF THESE RULES", FONT_3X5)
