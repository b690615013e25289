"""Offer the pause menu of a match (Guideline 13.1.6); nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import PERSON
from firmware.scenes.menu import SAMPLE_Y
from firmware.scenes.pause import NOTES, OPTIONS, PAGES, PauseMenu
from firmware.scenes.play_state import IN_MATCH
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.contracts import MatchPlay

_PITCH = const(7)
_LETTERS = const(6)

_RESUME = b"RESUME"
_RESTART = b"RESTART"
_HINT = b"HINT"
_MENU = b"MENU"


class Pause(PauseMenu):
    """Cover a match, with its numbers but without any Matrix; B also continues."""

    heading = b"PAUSE"
    lines: tuple[bytes, ...] = (_RESUME, _RESTART, OPTIONS, _MENU)
    notes: tuple[bytes, ...] = (
        b"OR PRESS START",
        b"START THE MATCH|OVER",
        NOTES[OPTIONS],
        b"THE MATCH IS|KEPT UNTIL YOU|CONTINUE",
    )
    question = b"PRESS AGAIN TO|LOSE THIS MATCH"

    def __init__(self, scene: "MatchPlay", resume: "Callable[[MatchPlay, int], None]") -> None:
        PauseMenu.__init__(self, scene, resume)
        self.open(0)

    def open(self, at: int) -> None:
        """Show the pause menu with the cursor at a line."""
        lines = Pause.lines
        notes = Pause.notes
        if self.scene.adviser:
            lines = lines[:1] + (_HINT,) + lines[1:]
            notes = notes[:1] + (b"WHERE THE BEST|COMPUTER WOULD|PUT THIS PIECE",) + notes[1:]
        self.offer(Pause.heading, lines, notes, at)

    def pick(self, at: int) -> None:
        """Resume, restart, or leave with the match saved; a restart needs a second press."""
        context = self.context
        line = self.lines[at]
        if line == _HINT:
            self.scene.adviser.ask(self.scene.shown)
        if line == _RESUME or line == _HINT:
            self.resume(self.scene, self.now_ms)
        elif line == _RESTART:
            if self.asked:
                from firmware import match_modules

                context.session.hold_game(None)
                match_modules.begin_afresh(context, "match.play")
            else:
                self.asked = True
        elif line == OPTIONS:
            self.offer_options()
        else:
            self.scene.voice.stop_tune()
            if self.scene.kept and context.device.machine.renews:
                context.session.leave_to_journal()  # a match is half of a board's heap
            if line == _MENU:
                context.go("menus.main")
            else:
                context.go(PAGES[line], IN_MATCH)

    def back(self) -> None:
        """Go on, or return from the options to the pause."""
        if self.heading == OPTIONS:
            self.open(len(Pause.lines) - 2)
        else:
            self.resume(self.scene, self.now_ms)

    def name(self, number: int) -> bytes:
        """Return what a player is called, in the room before the numbers: YOU where only one looks at this."""
        if not number and self.scene.match.options.level_of(number) == PERSON and not self.context.device.others:
            return b"YOU"
        return self.scene.view.names[number][:_LETTERS]

    def draw_sample(self) -> None:
        """Show each player's wins, and the lines sent and received in this round."""
        canvas = self.context.canvas
        match = self.scene.match
        y = SAMPLE_Y
        canvas.text(18, y, b"WON", FONT_3X5)
        canvas.text(34, y, b"SENT", FONT_3X5)
        canvas.text(53, y, b"GOT", FONT_3X5)
        for seat in match.seats:
            y += _PITCH
            canvas.text(0, y, self.name(seat.number), FONT_3X5)
            canvas.number(27, y, match.wins[seat.team], -1, 1, FONT_3X5, False)
            canvas.number(36, y, seat.sent, -1, 3, FONT_3X5, False)
            canvas.number(53, y, seat.received, -1, 3, FONT_3X5, False)
