"""Choose a mode (Guideline 2.3.2, 12)."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import find, read
from firmware.modes.listing import list_choices
from firmware.router import GAME
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Context


class Scene(Menu):
    """Offer the variants; the one played last is chosen."""

    keeps = "modes.catalogue modes.rules " + GAME
    heading = b"MODE"

    def __init__(self, context: "Context", subject: object = None) -> None:
        choices = list_choices([record for record in read() if record[b"menu"] == b"menus.choose_variant"])
        choices.sort(key=lambda choice: choice.variant << 8 | choice.kind)
        self.lines = tuple([choice.name for choice in choices])
        self.words = [choice.word for choice in choices]
        self.notes = tuple([choice.note for choice in choices])
        self.variants = [choice.variant for choice in choices]
        self.aims = [choice.aim for choice in choices]
        settings = context.settings
        for i in range(len(choices)):
            if self.variants[i] == settings.variant and (self.aims[i] == settings.aim or subject is None):
                subject = i
                if self.aims[i] == settings.aim:
                    break
        Menu.__init__(self, context, subject)

    def value(self, at: int) -> bytes:
        """Return the goal of the line."""
        return self.words[at]

    def pick(self, at: int) -> None:
        """Go on to the level, or the day."""
        context = self.context
        settings = context.settings
        variant = self.variants[at]
        record = find(variant)
        # To Standard's games `aim` says whether a direction repeats, which its own menu asks.
        if record[b"rules"] != b"standard" or variant != settings.variant:
            settings.aim = self.aims[at]
        context.session.choose_variant(variant)
        settings.variant = variant
        if record[b"next"] == b"play":
            settings.garbage_rows = 0
        context.go(record[b"next"].decode())
