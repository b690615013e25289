"""Offer what to do with a line of rules, and show what it changes."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import find
from firmware.save import kept_rules, rules
from firmware.save.kept_rules import FIRST_KEPT
from firmware.scenes.menu import SAMPLE_ROWS, SAMPLE_Y, Menu, draw_value
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, Settings

_PLAY = b"PLAY"
_LOAD = b"LOAD"
_SHOW = b"SHOW"
_KEEP = b"KEEP"
_DELETE = b"DELETE"
_NOTES = {
    _PLAY: b"LOAD THEM AND|BEGIN AT ONCE",
    _LOAD: b"THE NEXT GAMES|HAVE THESE RULES",
    _SHOW: b"AS A LINE AND A|QR CODE",
    _KEEP: b"UNDER A NAME",
    _DELETE: b"FORGET THIS LINE",
}
_QUESTIONS = {_PLAY: b"PRESS AGAIN TO|LOSE THE GAME|IN PROGRESS", _DELETE: b"PRESS AGAIN|TO DELETE"}
_ROWS = const(4)
_PITCH = const(8)


class Scene(Menu):
    """Offer to play, load, show, and keep or delete a line; the sample lists what it changes.

    subject: the numbers of the line, its index among those kept or -1, and whether a match's rules led here.
    """

    heading = b"LINE"
    takes_long = True
    notes: "list[bytes]"
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: "tuple[list[int], int, bool]") -> None:
        # Imported late: the menu does not keep it in memory.
        from firmware.scenes.rules.line_words import list_changes, name_game

        self.subject = subject
        self.numbers, self.number, self.matched = subject
        kept = kept_rules.read(context.journal)
        if self.number >= 0:
            self.heading = kept[self.number][0].rstrip()
        self.full = len(kept) >= kept_rules.MOST_LINES
        self.lines = (_PLAY, _LOAD, _SHOW, _KEEP if self.number < 0 else _DELETE)
        self.notes = [_NOTES[line] for line in self.lines]
        self.asked = False
        self.name = b"UNKNOWN"
        self.changes: "list[tuple[bytes, bytes]]" = []
        try:
            self.name = name_game(self.numbers)
            self.changes = list_changes(self.numbers, context.settings)
            self.notes[0] = describe(self.numbers, context.settings) or self.notes[0]
        except ValueError as problem:
            # Imported late: another version kept it, which is rare.
            from firmware.scenes.error_screen import wrap

            self.lines = (_DELETE,)
            self.notes = ["|".join(wrap(str(problem).upper())[:3]).encode()]
        Menu.__init__(self, context)

    def press(self, button: int) -> None:
        """Forget the question at any press but A."""
        asked = self.asked
        Menu.press(self, button)
        if asked and self.asked:
            self.asked = False
            self.fresh = True

    def pick(self, at: int) -> None:
        """Do what the line says, some of it after a question."""
        context = self.context
        line = self.lines[at]
        if not self.asked and (line == _DELETE or line == _PLAY and context.session.has_game()):
            self.asked = True
            return
        self.asked = False
        if line == _PLAY or line == _LOAD:
            self.load(line == _PLAY)
        elif line == _DELETE:
            kept_rules.delete(context.journal, self.number)
            self.back()
        elif line == _SHOW or not self.full:
            origin = (context.router.name, self.subject)
            if line == _SHOW:
                context.go("rules.line_code", (self.numbers, origin, None))
            else:
                context.go("rules.line_name", (self.numbers, origin))
        else:
            self.notes[at] = b"EIGHT ARE KEPT:|DELETE ONE FIRST"

    def load(self, begins: bool) -> None:
        """Set the settings; begin a game, or go to the menu that does."""
        context = self.context
        if not begins or self.numbers[0]:  # a match may be refused, which comes before LOADING
            from firmware.announcing import tell

            tell(context)  # saving and the next scene take a board half a second
        settings = context.settings
        seed = rules.apply(self.numbers, settings)
        context.apply_settings()
        context.save_settings()
        if seed >= 0:
            context.session.choose_seed(seed)
        if settings.last_match:
            if begins:
                from firmware.match_modules import begin_afresh

                begin_afresh(context, "match.play")
            else:
                context.go("match.menu")
            return
        context.session.choose_variant(settings.variant)
        context.go("play" if begins else "menus.main")

    def back(self) -> None:
        self.context.go("rules.menu", (self.matched, FIRST_KEPT + self.number, ""))

    def draw_sample(self) -> None:
        """List the game, and the options that change, as many as fit."""
        canvas = self.context.canvas
        canvas.text(2, SAMPLE_Y + 1, self.name, FONT_3X5)
        shown = self.changes
        if len(shown) > _ROWS - 1:
            shown = shown[: _ROWS - 2]
        y = SAMPLE_Y + 1
        for name, value in shown:
            y += _PITCH
            canvas.text(2, y, name, FONT_3X5)
            draw_value(canvas, y - 1, value)
        more = len(self.changes) - len(shown)
        if more:
            canvas.text(2, y + _PITCH, b"%d MORE" % more, FONT_3X5)
        elif not shown and len(self.lines) > 1:
            canvas.text(2, y + _PITCH, b"NO CHANGE", FONT_3X5)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        Menu.draw_note(self, canvas, _QUESTIONS[self.lines[self.at]] if self.asked else note)


def describe(numbers: "list[int]", settings: "Settings") -> bytes:
    """Return a note about the table of a line's game, or the delays of its match; b"" for the usual ones."""
    from firmware.save.settings import Settings
    from firmware.scenes.mode_opening import choose, describe_class

    chosen = Settings()
    rules.apply(numbers, chosen)
    chosen.one_switch = settings.one_switch
    if chosen.last_match:
        from firmware.modes.delays import write_delays

        words = write_delays(chosen)
        return _NOTES[_PLAY] + b"|" + words if words else b""
    record = find(chosen.variant)
    words = describe_class(choose(chosen, record), record)
    return b"BY THESE RULES|" + words if words else b""
