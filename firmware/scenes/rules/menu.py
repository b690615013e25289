"""Offer the line of the current rules, and the lines kept by name (firmware/save/README.md)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import kept_rules
from firmware.save.kept_rules import FIRST_KEPT
from firmware.save.rules import NO_SEED
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Context

_OWN = (
    (b"SHOW", b"THESE RULES AS|A LINE AND A|QR CODE"),
    (b"KEEP", b"THESE RULES|UNDER A NAME"),
    (b"ENTER", b"TYPE THE LETTERS|THAT YOU READ|ELSEWHERE"),
)
_KEPT = b"PLAY, LOAD, SHOW|OR DELETE IT"
_FULL = b"EIGHT ARE KEPT:|DELETE ONE FIRST"


def find_seed(context: "Context") -> int:
    """Return the seed of the last game if it had the mode of the current rules, else NO_SEED."""
    if context.session.last:
        # Imported late: often there is no recording.
        from firmware.save.recordings.recording import Recording

        try:
            recording = Recording(context.session.last())
            if recording.variant == context.settings.variant:
                return recording.seed
        except ValueError:
            pass  # a match, or damaged
    return NO_SEED


class Scene(Menu):
    """Offer to show or keep the current rules, to enter others, and each line that is kept.

    subject: whether a match's rules are meant, the line to begin with, and words about a wrong line.
    """

    heading = b"RULES"
    notes: "list[bytes]"

    def __init__(self, context: "Context", subject: "tuple[bool, int, str] | None" = None) -> None:
        self.matched, at, words = subject or (False, 0, "")
        self.parent = "match.rules" if self.matched else "options.options"
        self.kept = kept_rules.read(context.journal)
        self.lines = [each[0] for each in _OWN] + [name for name, _numbers in self.kept]
        self.notes = [each[1] for each in _OWN] + [_KEPT] * len(self.kept)
        if words:
            from firmware.scenes.error_screen import wrap

            self.notes[at] = "|".join(wrap(str.upper(words))[:3]).encode()
        Menu.__init__(self, context, min(at, len(self.lines) - 1))

    def pick(self, at: int) -> None:
        """Show or name the current rules, or open a line that is kept."""
        from firmware.announcing import tell

        context = self.context
        tell(context)  # the import below and the next scene take a board half a second
        from firmware.save import rules

        origin = (context.router.name, (self.matched, at, ""))
        numbers = rules.collect(context.settings, self.matched)
        if at >= FIRST_KEPT:
            context.go("rules.line_menu", (self.kept[at - FIRST_KEPT][1], at - FIRST_KEPT, self.matched))
        elif self.lines[at] == b"ENTER":
            context.go("rules.line_entry", self.matched)
        elif self.lines[at] == b"SHOW":
            seed = NO_SEED if self.matched else find_seed(context)
            seeded = None if seed < 0 else rules.collect(context.settings, False, seed)
            context.go("rules.line_code", (numbers, origin, seeded))
        elif len(self.kept) < kept_rules.MOST_LINES:
            context.go("rules.line_name", (numbers, origin))
        else:
            self.notes[at] = _FULL
            self.whole = True  # draw over LOADING
