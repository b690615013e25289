"""Lead to everything there is (Guideline 2.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.events import HOLD_FAILED
from firmware.router import GAME
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context

_RESUME = "resume"
_CONTINUE = (b"CONTINUE", b"RESUME THE GAME|YOU LEFT", _RESUME)
_FAILED = b"STORAGE FAILED:|SAVING IS OFF"
_LAST_GAME = "play.watch"


class Scene(Menu):
    """Be the main menu; a game in progress comes first."""

    keeps = GAME
    heading = b"SKYLINE"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"PLAY", b"A NEW GAME", "menus.choose_variant"),
        (b"VERSUS", b"A MATCH AGAINST|COMPUTERS, OR|WITH THEM", "match.menu"),
        (b"OPTIONS", b"RULES, HANDLING,|SOUND, SCREEN|AND BUTTONS", "options.options"),
        (b"SCORES", b"THE BEST GAMES|OF EACH MODE", "menus.scores"),
        (b"HELP", b"HOW TO PLAY|AND WHAT SCORES", "help.help"),
        (b"LEARN", b"PUZZLES, FINESSE|AND PRACTICE", "menus.learn"),
        (b"LAST GAME", b"WATCH IT, AND|PLAY ON FROM|ANY MOMENT", "play.watch"),
        (b"TETRESS", b"A BOARD GAME FOR|TWO, OR AGAINST|THE COMPUTER", "menus.tetress"),
        (b"AGAINST ME", b"OUTWIT THE|DEALER", "menus.against"),
        (b"ABOUT", b"CREDITS", "menus.legal"),
    )
    parent = "menus.title"
    leaves_time = True

    def __init__(self, context: "Context", subject: object = None) -> None:
        if context.session.has_game():
            self.records = (_CONTINUE,) + self.records
        Menu.__init__(self, context, subject)
        notes = list(self.notes)
        if not context.session.last:
            notes[self.find(_LAST_GAME)] = b"NO GAME TO|WATCH YET"
        if context.session.warn():
            notes[self.at] = _FAILED
        self.notes = notes

    def value(self, at: int) -> bytes:
        """Say that there is nothing to watch yet."""
        return b"-" if self.records[at][2] == _LAST_GAME and not self.context.session.last else b""

    def pick(self, at: int) -> None:
        """Go there."""
        context = self.context
        name = self.records[at][2]
        if name == _RESUME:
            from firmware.resuming import resume_game

            resume_game(context)
        elif name == "menus.choose_variant" and context.session.has_game():
            context.go("menus.choose_unfinished", name)
        elif name != _LAST_GAME:
            # ABOUT tells the scene of the legal notice that it was asked for.
            context.go(name, "menus.main" if name == "menus.legal" else None)
        elif context.session.last:
            context.router.watch(context.session.watcher)
        else:
            context.voice.begin(HOLD_FAILED)
