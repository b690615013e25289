"""Lead to puzzles, training and practice."""

from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import FINESSE
from firmware.scenes.menu import Menu

_WATCH = "watch"
_SCENES = ("help_scoring", "puzzles", "play", _WATCH)


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    lines = (b"ACTIONS", b"PUZZLES", b"FINESSE", b"PRACTISE")
    notes = (
        b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED",
        b"SPINS AND CLEARS|TO SOLVE|WITHOUT A TIMER",
        b"REACH EACH PLACE|BY THE FEWEST|PRESSES",
        b"REPLAY ANY|MOMENT OF YOUR|LAST GAME",
    )
    parent_at = 5

    def value(self, at: int) -> bytes:
        """Return a dash where there is no game to practise with: none yet, or the last one was a match."""
        return b"-" if _SCENES[at] == _WATCH and not (self.app.last and self.app.watcher == _WATCH) else b""

    def pick(self, at: int) -> None:
        """Go there."""
        name = _SCENES[at]
        if name == "play":
            self.app.variant = FINESSE
            self.app.settings.garbage_rows = self.app.settings.aim = 0
        elif self.value(at):
            self.app.voice.begin(HOLD_FAILED)
            return
        self.app.go(name, self.app.last if name == _WATCH else None)
