"""Lead to puzzles, training and practice."""

from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import FINESSE
from firmware.scenes.menu import Menu

_WATCH = "watch"


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    records = (
        (b"ACTIONS", b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", "help_scoring"),
        (b"PUZZLES", b"SPINS AND CLEARS|TO SOLVE|WITHOUT A TIMER", "puzzles"),
        (b"FINESSE", b"REACH EACH PLACE|BY THE FEWEST|PRESSES", "play"),
        (b"PRACTISE", b"REPLAY ANY|MOMENT OF YOUR|LAST GAME", "watch"),
    )

    def value(self, at: int) -> bytes:
        """Return a dash where there is no game to practise with: none yet, or the last one was a match."""
        return b"-" if self.records[at][2] == _WATCH and not (self.app.last and self.app.watcher == _WATCH) else b""

    def pick(self, at: int) -> None:
        """Go there."""
        name = self.records[at][2]
        if name == "play":
            self.app.variant = FINESSE
            self.app.settings.garbage_rows = self.app.settings.aim = 0
        elif self.value(at):
            self.app.voice.begin(HOLD_FAILED)
            return
        self.app.go(name, self.app.last if name == _WATCH else None)
