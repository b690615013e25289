"""Lead to everything there is (Guideline 2.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.events import HOLD_FAILED
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import App

_GO_ON = "go_on"
_CONTINUE = (b"CONTINUE", b"RESUME THE GAME|YOU LEFT", _GO_ON)
_FAILED = b"STORAGE FAILED:|SAVING IS OFF"
_LAST_GAME = "watch"


class Scene(Menu):
    """Be the main menu; a game in progress comes first."""

    heading = b"SKYLINE"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"PLAY", b"A NEW GAME", "choose_variant"),
        (b"VERSUS", b"A MATCH AGAINST|COMPUTERS, OR|WITH THEM", "match_menu"),
        (b"OPTIONS", b"RULES, HANDLING,|SOUND, SCREEN|AND BUTTONS", "options"),
        (b"SCORES", b"THE BEST GAMES|OF EACH MODE", "scores"),
        (b"HELP", b"HOW TO PLAY|AND WHAT SCORES", "help"),
        (b"LEARN", b"PUZZLES, FINESSE|AND PRACTICE", "learn"),
        (b"LAST GAME", b"WATCH IT, AND|PLAY ON FROM|ANY MOMENT", "watch"),
        (b"TETRESS", b"A BOARD GAME FOR|TWO, OR AGAINST|THE COMPUTER", "tetress"),
        (b"AGAINST ME", b"OUTWIT THE|DEALER", "against"),
        (b"ABOUT", b"CREDITS", "legal"),
    )
    parent = "title"
    leaves_time = True

    def __init__(self, app: "App", subject: object = None) -> None:
        if app.suspended is not None:
            self.records = (_CONTINUE,) + self.records
        Menu.__init__(self, app, subject)
        notes = list(self.notes)
        if not app.last:
            notes[self.find(_LAST_GAME)] = b"NO GAME TO|WATCH YET"
        if app.journal.failed and app.journal.stores and not app.warned:
            app.warned = True
            notes[self.at] = _FAILED
        self.notes = notes

    def value(self, at: int) -> bytes:
        """Say that there is nothing to watch yet."""
        return b"-" if self.records[at][2] == _LAST_GAME and not self.app.last else b""

    def pick(self, at: int) -> None:
        """Go there."""
        app = self.app
        name = self.records[at][2]
        if name == _GO_ON:
            from firmware.housekeeping import go_on

            go_on(app)
        elif name == "choose_variant" and app.suspended is not None:
            app.go("choose_unfinished", name)
        elif name != _LAST_GAME:
            # ABOUT tells the scene of the legal notice that it was asked for.
            app.go(name, "main" if name == "legal" else None)
        elif app.last:
            app.go(app.watcher, app.last)
        else:
            app.voice.begin(HOLD_FAILED)
