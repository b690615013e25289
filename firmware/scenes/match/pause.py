"""Offer the pause menu of a match (Guideline 13.1.6); play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import PERSON
from firmware.modes.classes import ANIMATE_MS, GENERATION_MS
from firmware.scenes.menu import SAMPLE_Y
from firmware.scenes.pause import MOMENT_MS, RESTART, PauseMenu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Callable, Canvas, EdgeQueue, MatchPlay

_PITCH = const(7)
_LETTERS = const(6)

_HINT = b"HINT"
_OPTIONS = b"OPTIONS"


class Pause(PauseMenu):
    """Cover a match: show its numbers and hide each Matrix; B also resumes."""

    scene: "MatchPlay"
    heading = b"PAUSE"
    lines: tuple[bytes, ...] = (b"RESUME", RESTART, _OPTIONS, b"MENU")
    notes: tuple[bytes, ...] = (
        b"OR PRESS START",
        b"START THE MATCH|OVER",
        b"HANDLING, SOUND|AND SCREEN",
        b"THE MATCH IS|KEPT UNTIL YOU|CONTINUE",
    )
    question = b"PRESS AGAIN|TO LOSE IT"

    def __init__(self, scene: "MatchPlay", resume: "Callable[[MatchPlay, int], None]") -> None:
        if not scene.kept:
            self.notes = self.notes[:-1] + (b"IT IS NOT SAVED:|POWER OFF LOSES|IT",)
        if scene.adviser:
            self.lines = self.lines[:1] + (_HINT,) + self.lines[1:]
            self.notes = self.notes[:1] + (b"WHERE THE BEST|COMPUTER WOULD|PUT THIS PIECE",) + self.notes[1:]
        if scene.match.options.practice:
            self.heading = b"TRAINING"
        PauseMenu.__init__(self, scene, resume)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Restart where START is still held; after the first seconds of a round ask for the same press again."""
        if self.is_held(edges, now_ms):
            self.at = self.lines.index(RESTART)
            self.asked = self.waits or self.scene.match.time_ms < MOMENT_MS
            self.pick(self.at)
            self.fresh = True
            return
        if not self.waits:
            PauseMenu.update(self, edges, now_ms)

    def pick(self, at: int) -> None:
        """Resume, restart, or leave with the match saved; a restart needs a second press."""
        context = self.context
        line = self.lines[at]
        if line == _HINT:
            self.scene.adviser.ask(self.scene.shown)  # type: ignore[union-attr]  # it offers this line
            at = 0
        if not at:
            self.resume(self.scene, self.now_ms)
        elif line == RESTART and not self.asked:
            self.asked = True
        else:
            self.scene.voice.stop_tune()
            if self.scene.kept and context.device.machine.renews:
                context.session.leave_to_journal()  # frees half of a board's heap; a refused restart can continue
            elif line == RESTART:
                context.session.hold_game(None)
            if line == RESTART:
                from firmware import match_modules

                match_modules.begin_afresh(context, "match.play")
            elif line == _OPTIONS:
                context.router.watch("options.options", None, "match.play")
            else:
                context.go("menus.main")

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Add the delays to the first note, unless they are the guideline's."""
        options = self.scene.match.choices[0]
        delays = (options.generation_ms, options.animate_ms)
        if not self.at and delays != (GENERATION_MS, ANIMATE_MS):
            note += b"|DELAYS %d+%d" % delays  # a match has no room for names
        PauseMenu.draw_note(self, canvas, note)

    def back(self) -> None:
        self.resume(self.scene, self.now_ms)

    def name(self, number: int) -> bytes:
        """Return a player's name, cut to the space before the numbers; YOU for the only person at this device."""
        if not number and self.scene.match.options.level_of(number) == PERSON and not self.context.device.others:
            return b"YOU"
        return self.scene.view.names[number][:_LETTERS]

    def draw_sample(self) -> None:
        """Draw each player's wins, and the lines sent and received in this round; in co-op the lines cleared."""
        canvas = self.context.canvas
        match = self.scene.match
        y = SAMPLE_Y
        aim = match.options.aim
        canvas.text(15, y, b"    LINES" if aim else b"WON SENT GOT", FONT_3X5)
        for seat in match.seats:
            y += _PITCH
            canvas.text(0, y, self.name(seat.number), FONT_3X5)
            canvas.number(36, y, seat.game.lines if aim else seat.sent, -1, 3, FONT_3X5, False)
            if not aim:
                canvas.number(27, y, match.wins[seat.team], -1, 1, FONT_3X5, False)
                canvas.number(53, y, seat.received, -1, 3, FONT_3X5, False)
