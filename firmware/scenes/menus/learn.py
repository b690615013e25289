"""Lead to puzzles, training and practice."""

from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import FINESSE
from firmware.scenes.menu import Menu

_WATCH = "play.watch"


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    records = (
        (b"ACTIONS", b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", "help.scoring"),
        (b"PUZZLES", b"SPINS AND CLEARS|TO SOLVE|WITHOUT A TIMER", "menus.puzzles"),
        (b"FINESSE", b"REACH EACH PLACE|BY THE FEWEST|PRESSES", "play"),
        (b"PRACTISE", b"REPLAY ANY|MOMENT OF YOUR|LAST GAME", "play.watch"),
    )

    def value(self, at: int) -> bytes:
        """Return a dash where there is no game to practise with: none yet, or the last one was a match."""
        return (
            b"-"
            if self.records[at][2] == _WATCH
            and not (self.context.session.last and self.context.session.watcher == _WATCH)
            else b""
        )

    def pick(self, at: int) -> None:
        """Go there."""
        name = self.records[at][2]
        if name == "play":
            self.context.session.choose_variant(FINESSE)
            self.context.settings.garbage_rows = self.context.settings.aim = 0
        elif self.value(at):
            self.context.voice.begin(HOLD_FAILED)
            return
        self.context.go(name)
