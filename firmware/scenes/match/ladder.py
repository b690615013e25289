"""Climb the ladder: beat each computer, one after the other, best of three."""

from firmware.compat import TYPE_CHECKING
from firmware.players.levels import DESCRIPTIONS, NAMES
from firmware.save.match_choices import FIRST_RUNG
from firmware.save.match_scores import read_ladder
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Context


class Scene(Menu):
    """List the computers with the way that each plays; those after the next one must wait.

    rung: how many are beaten.
    """

    heading = b"LADDER"
    parent = "match.menu"
    notes = DESCRIPTIONS

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.rung = read_ladder(context.journal)
        levels = context.device.machine.levels
        self.lines = NAMES[:levels]
        Menu.__init__(self, context, min(self.rung, levels - 1))

    def value(self, at: int) -> bytes:
        return b"WON" if at < self.rung else b"NEXT" if at == self.rung else b""

    def pick(self, at: int) -> None:
        """Begin a match; ask first if a game in progress would end."""
        if at > self.rung:
            return
        context = self.context
        context.settings.last_match = FIRST_RUNG + at
        context.save_settings()
        if context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at))
        else:
            from firmware.match_modules import begin_afresh

            begin_afresh(context, "match.play")
