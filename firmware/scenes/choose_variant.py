"""Choose what to play for (Guideline 2.3.2, 12)."""

from firmware.modes.catalogue import STANDARD
from firmware.scenes.menu import Menu

# The catalogue's number and the option `aim` of each line.
_AIMS = b"\x00\x00\x00\x01\x01\x14\x01\x28\x01\x64\x02\x02\x02\x03\x03\x02\x03\x03\x04\x00\x05\x00"


class Scene(Menu):
    """Offer the variants; the one played last is chosen."""

    heading = b"VARIANT"
    lines = tuple(b"MARATHON|ENDLESS|SPRINT|SPRINT|SPRINT|ULTRA|ULTRA|LINES|LINES|STANDARD|TEST SPEC".split(b"|"))
    words = b"||20|40|100|2 MIN|3 MIN|2 MIN|3 MIN||".split(b"|")
    notes = (
        b"POINTS THROUGH|FIFTEEN LEVELS",
        b"MARATHON|WITHOUT END",
        b"TWENTY LINES|IN THE SHORTEST|TIME",
        b"FORTY LINES|IN THE SHORTEST|TIME",
        b"A HUNDRED LINES|IN THE SHORTEST|TIME",
        b"MOST POINTS|IN TWO MINUTES",
        b"MOST POINTS IN|THREE MINUTES",
        b"ULTRA BY LINES:|MOST OF THEM|IN TWO MINUTES",
        b"ULTRA BY LINES:|MOST OF THEM IN|THREE MINUTES",
        b"POINTS FOR SPEED|NO BAG, NO KICKS|ONE WAY TO TURN",
        b"AS STANDARD, BUT|POINTS FOR LINES",
    )

    def __init__(self, app, subject=None) -> None:
        settings = app.settings
        for i in range(len(self.lines)):
            if _AIMS[2 * i] == settings.variant and (_AIMS[2 * i + 1] == settings.aim or subject is None):
                subject = i
                if _AIMS[2 * i + 1] == settings.aim:
                    break
        Menu.__init__(self, app, subject)

    def value(self, at: int) -> bytes:
        """Return what is to be reached."""
        return self.words[at]

    def pick(self, at: int) -> None:
        """Go on to the level."""
        app = self.app
        variant = _AIMS[2 * at]
        # To Standard's games `aim` says whether a direction repeats, which its own menu asks.
        if variant < STANDARD or variant != app.settings.variant:
            app.settings.aim = _AIMS[2 * at + 1]
        app.variant = app.settings.variant = variant
        app.go("choose_level")
