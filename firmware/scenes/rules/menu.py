"""Offer the line of the current rules, and the lines kept by name (firmware/save/README.md)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import kept_rules, rules
from firmware.scenes.error_screen import wrap
from firmware.scenes.menu import Menu
from firmware.scenes.rules.words import name_game

if TYPE_CHECKING:
    from firmware.contracts import Context

_OWN = (
    (b"SHOW", b"THESE RULES AS|A LINE AND A|QR CODE"),
    (b"KEEP", b"THESE RULES|UNDER A NAME"),
)
_FULL = b"EIGHT ARE KEPT:|DELETE ONE FIRST"


class Scene(Menu):
    """Offer to show or keep the current rules, and each line that is kept.

    subject: whether a match's rules are meant, the line to begin with, and words about a wrong line.
    """

    heading = b"RULES"
    notes: "list[bytes]"

    def __init__(self, context: "Context", subject: "tuple[bool, int, str]" = (False, 0, "")) -> None:
        self.matched, at, words = subject
        self.parent = "match.rules" if self.matched else "options.options"
        self.kept = kept_rules.read(context.journal)
        self.lines = [each[0] for each in _OWN] + [name for name, _numbers in self.kept]
        self.notes = [each[1] for each in _OWN] + [name_game(numbers) for _name, numbers in self.kept]
        if words:
            self.notes[at] = "|".join(wrap(words.upper())[:3]).encode()
        Menu.__init__(self, context, min(at, len(self.lines) - 1))

    def pick(self, at: int) -> None:
        """Show or name the current rules, or open a line that is kept."""
        context = self.context
        origin = (context.router.name, (self.matched, at, ""))
        if at >= len(_OWN):
            context.go("rules.line", (self.kept[at - len(_OWN)][1], at - len(_OWN), self.matched))
            return
        numbers = rules.collect(context.settings, self.matched)
        if at == 0:
            context.go("rules.show", (numbers, origin))
        elif len(self.kept) < kept_rules.MOST_LINES:
            context.go("rules.name", (numbers, origin))
        else:
            self.notes[at] = _FULL
