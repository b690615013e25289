"""Show the main menu (Guideline 2.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.mode_menu import ModeMenu, list_modes

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Record, Settings

_RESUME = "resume"
_MATCH = "match.play"
_FAILED = b"STORAGE FAILED:|SAVING IS OFF"


class Scene(ModeMenu):
    """Offer modes and pages; the game in progress comes first, then the last mode or match.

    subject: the first chosen line, or its note instead of the usual one.
    """

    heading = b"SKYLINE"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"VERSUS", b"A MATCH AGAINST|COMPUTERS, OR|OTHER HANDHELDS", "match.menu"),
        (b"MORE MODES", b"ULTRA, DIG, ZEN|AND MORE", "menus.more_modes"),
        (b"LEARN", b"A FIRST LESSON,|PUZZLES, DRILLS,|LAST GAME, HELP", "learn.menu"),
        (b"SCORES", b"THE BEST GAMES|OF EACH MODE", "menus.score_list"),
        (b"OPTIONS", b"HANDLING, SOUND,|SCREEN, BUTTONS|AND RULES", "options.options"),
    )
    parent = "menus.title"
    leaves_time = True

    def __init__(self, context: "Context", subject: object = None) -> None:
        context.session.choose_variant(context.session.variant)  # from here on SCORES begins no game again
        if context.session.has_game():
            self.ahead += ((b"CONTINUE", b"RESUME THE GAME|YOU LEFT", _RESUME),)
        if context.settings.last_match:
            self.ahead += ((b"REMATCH", b"A MATCH LIKE|THE LAST ONE", _MATCH),)
        ModeMenu.__init__(self, context, subject)
        if context.session.warn():
            self.notes[self.at] = _FAILED
        elif isinstance(subject, bytes):
            self.notes[self.at] = subject

    def list_modes(self, settings: "Settings") -> "list[Record]":
        """Return the records of the main menu's modes, with the last played mode first."""
        from firmware.modes.catalogue import find

        records = list_modes(b"menus.main")
        if not settings.last_match:
            first = find(settings.variant)
            if first in records:
                records.remove(first)
            records.insert(0, first)
        return records

    def pick(self, at: int) -> None:
        """Open the chosen line; ask first if a game in progress would end."""
        context = self.context
        name = self.records[at][2]
        if name == _RESUME:
            from firmware.resuming import resume_game

            resume_game(context)
        elif name != _MATCH:
            ModeMenu.pick(self, at)
        elif context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at))
        else:
            from firmware.match_modules import begin_afresh

            begin_afresh(context, name)
