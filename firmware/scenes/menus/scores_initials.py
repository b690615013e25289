"""Let the player enter initials for a place in the table of scores (Guideline 11.2), or for the first link."""

from firmware.compat import TYPE_CHECKING, const
from firmware.residents import MENU
from firmware.save.scores import LETTERS
from firmware.scenes.again import begin_again, sign, take_start
from firmware.scenes.letter_entry import LetterEntry
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_CHOSEN = const(59319)  # also AAA: 0 means that the player has chosen no initials yet


class Scene(LetterEntry):
    """Let the player enter three letters.

    subject: (place, table), or None for a link, which opens next. The table already has the result with the last
    initials, so switching off here loses nothing.
    """

    keeps = MENU
    start_ms: int

    def __init__(self, context: "Context", subject: "tuple[int, int] | None" = None) -> None:
        LetterEntry.__init__(self, context)
        self.subject = subject
        if subject:
            self.start_ms = -1
        number = context.settings.initials
        for i in range(self.count):
            self.letters[i] = number % len(LETTERS)
            number //= len(LETTERS)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """After a game, sign and begin again if START is held."""
        if not (self.subject and take_start(self, edges, now_ms)):
            LetterEntry.update(self, edges, now_ms)

    def restart(self) -> None:
        """Sign and begin again."""
        if self.context.settings.initials or max(self.letters):
            self.sign()  # AAA that nobody chose is no name
        begin_again(self.context)

    def leave(self) -> None:
        """Go back to VERSUS; a place in a table waits for its initials."""
        if not self.subject:
            self.context.go("match.menu")

    def finish(self) -> None:
        """Save the initials for the next time, then write them into the table or open the link."""
        # Shown because saving the table and loading the next page take a board half a second.
        from firmware.announcing import tell

        context = self.context
        tell(context)
        self.sign()
        if self.subject:
            context.go("menus.scores", self.subject)
        else:
            from firmware import match_modules

            match_modules.begin_afresh(context, "link.lobby")

    def sign(self) -> None:
        """Save other initials than the last ones, and put them into the table, which has those."""
        context = self.context
        number = 0
        for i in range(self.count - 1, -1, -1):
            number = number * len(LETTERS) + self.letters[i]
        number = number or _CHOSEN
        if number != context.settings.initials:
            context.settings.initials = number
            context.save_settings()
            if self.subject and not context.journal.failed:
                sign(context, self.subject)

    def draw_subject(self, canvas: "Canvas") -> None:
        """Name the place, or say who sees the initials."""
        if self.subject:
            centre(canvas, 20, b"PLACE %d" % (self.subject[0] + 1), FONT_5X7)
            centre(canvas, 31, b"IS YOURS", FONT_3X5)
        else:
            centre(canvas, 20, b"LINK", FONT_5X7)
            centre(canvas, 31, b"OTHERS SEE THESE", FONT_3X5)
