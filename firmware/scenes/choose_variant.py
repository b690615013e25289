"""Choose a mode (Guideline 2.3.2, 12)."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import DAILY, STANDARD, TEST_SPEC, ZEN
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import App

# The catalogue's number and the option `aim` of each line.
_AIMS = (
    b"\x00\x00\x00\x01\x01\x14\x01\x28\x01\x64\x02\x02\x02\x03\x03\x02\x03\x03\x04\x00\x05\x00"
    b"\x07\x00\x08\x0a\x08\x12\x08\x64\x09\x00\x0a\x00\x0d\x00"
)


class Scene(Menu):
    """Offer the variants; the one played last is chosen."""

    heading = b"MODE"
    lines = tuple(
        b"MARATHON|ENDLESS|SPRINT|SPRINT|SPRINT|ULTRA|ULTRA|LINES|LINES|STANDARD|TEST SPEC|"
        b"ZEN|DIG|DIG|DIG|SURVIVE|MASTER|DAILY".split(b"|")
    )
    words = b"||20|40|100|2 MIN|3 MIN|2 MIN|3 MIN||||10|18|100|||".split(b"|")
    notes = (
        b"POINTS THROUGH|FIFTEEN LEVELS",
        b"MARATHON|WITHOUT END",
        b"CLEAR 20 LINES|AS FAST AS|YOU CAN",
        b"CLEAR 40 LINES|AS FAST AS|YOU CAN",
        b"CLEAR 100 LINES|AS FAST AS|YOU CAN",
        b"MOST POINTS|IN TWO MINUTES",
        b"MOST POINTS IN|THREE MINUTES",
        b"MOST LINES|IN TWO MINUTES",
        b"MOST LINES IN|THREE MINUTES",
        b"POINTS FOR SPEED|NO BAG, NO KICKS|ONE WAY TO TURN",
        b"AS STANDARD, BUT|POINTS FOR LINES",
        b"NO END, NO RUSH|TAKE BACK ANY|PIECE",
        b"CLEAR 10 GARBAGE|ROWS AS FAST|AS YOU CAN",
        b"CLEAR 18 GARBAGE|ROWS AS FAST|AS YOU CAN",
        b"CLEAR 100 ROWS,|10 OF THEM AT|A TIME",
        b"GARBAGE RISES|FASTER AND|FASTER: SURVIVE",
        b"INSTANT FALL AT|LEVELS PAST 15.|EARN GRADES",
        b"THE SAME GAME|FOR EVERYONE|ON THE SAME DAY",
    )

    def __init__(self, app: "App", subject: object = None) -> None:
        settings = app.settings
        for i in range(len(self.lines)):
            if _AIMS[2 * i] == settings.variant and (_AIMS[2 * i + 1] == settings.aim or subject is None):
                subject = i
                if _AIMS[2 * i + 1] == settings.aim:
                    break
        Menu.__init__(self, app, subject)

    def value(self, at: int) -> bytes:
        """Return the goal of the line."""
        return self.words[at]

    def pick(self, at: int) -> None:
        """Go on to the level, or the day."""
        app = self.app
        variant = _AIMS[2 * at]
        # To Standard's games `aim` says whether a direction repeats, which its own menu asks.
        if not STANDARD <= variant <= TEST_SPEC or variant != app.settings.variant:
            app.settings.aim = _AIMS[2 * at + 1]
        app.variant = app.settings.variant = variant
        if variant == ZEN:  # has one level
            app.settings.garbage_rows = 0
            app.go("play")
        else:
            app.go("choose_day" if variant == DAILY else "choose_level")
