"""Lead to everything there is (Guideline 2.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.events import HOLD_FAILED
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import App

_FAILED = b"STORAGE FAILED:|SAVING IS OFF"
_LAST_GAME_AT = const(6)
_SCENES = ("choose_variant", "match_menu", "options", "scores", "help", "learn", "watch", "tetress", "against", "legal")


class Scene(Menu):
    """Be the main menu; a game in progress comes first."""

    heading = b"SKYLINE"
    lines = tuple(b"PLAY|VERSUS|OPTIONS|SCORES|HELP|LEARN|LAST GAME|TETRESS|AGAINST ME|ABOUT".split(b"|"))
    notes: tuple[bytes, ...] = (
        b"A NEW GAME",
        b"A MATCH AGAINST|COMPUTERS, OR|WITH THEM",
        b"RULES, HANDLING,|SOUND, SCREEN|AND BUTTONS",
        b"THE BEST GAMES|OF EACH MODE",
        b"HOW TO PLAY|AND WHAT SCORES",
        b"PUZZLES, FINESSE|AND PRACTICE",
        b"WATCH IT, AND|PLAY ON FROM|ANY MOMENT",
        b"A BOARD GAME FOR|TWO, OR AGAINST|THE COMPUTER",
        b"OUTWIT THE|DEALER",
        b"CREDITS",
    )
    parent = "title"
    leaves_time = True

    def __init__(self, app: "App", subject: object = None) -> None:
        """Begin at line `subject`, counted without the one that continues a game."""
        self.first = 1 if app.suspended is not None else 0
        if self.first:
            self.lines = (b"CONTINUE",) + self.lines
            self.notes = (b"RESUME THE GAME|YOU LEFT",) + self.notes
            if isinstance(subject, int):
                subject += 1
        Menu.__init__(self, app, subject)
        if not app.last:
            self.note(self.first + _LAST_GAME_AT, b"NO GAME TO|WATCH YET")
        if app.journal.failed and app.journal.stores and not app.warned:
            app.warned = True
            self.note(self.at, _FAILED)

    def note(self, at: int, note: bytes) -> None:
        """Say something else of line `at`."""
        notes = list(self.notes)
        notes[at] = note
        self.notes = tuple(notes)

    def value(self, at: int) -> bytes:
        """Say that there is nothing to watch yet."""
        return b"-" if at == self.first + _LAST_GAME_AT and not self.app.last else b""

    def pick(self, at: int) -> None:
        """Go there."""
        app = self.app
        if at < self.first:
            from firmware.housekeeping import go_on

            go_on(app)
            return
        name = _SCENES[at - self.first]
        if name == "choose_variant" and self.first:
            app.go("choose_unfinished", name)
        elif name != "watch":
            # ABOUT tells the scene of the legal notice that it was asked for.
            app.go(name, "main" if name == "legal" else None)
        elif app.last:
            app.go(app.watcher, app.last)
        else:
            app.voice.begin(HOLD_FAILED)
