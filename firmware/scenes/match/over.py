"""Show the result of a match: the winner, and the numbers of each player (Guideline 11.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.match.figures import KPP, NAMES, PPS, write
from firmware.match.match import NOBODY
from firmware.match.options import PERSON
from firmware.match.seat import NOT_YET
from firmware.modes.delays import write_delays
from firmware.save.match_choices import FIRST_RUNG
from firmware.scenes.match.names import name_players
from firmware.scenes.match.result import explain
from firmware.scenes.paging import PagedScene
from firmware.scenes.play_state import REST_MS
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, Match

_TOP = const(27)
_PITCH = const(8)
_WHY_Y = const(74)


class Scene(PagedScene):
    """Show a page for each player; left and right turn pages, A or START held plays again, B leads to the main menu.

    Presses in the first second are ignored, so a late press skips no result.
    subject: the Match; the numbers are from its last round.
    """

    rest_ms = REST_MS
    start_ms = -1
    done = b""  # the figure of the goals that a linked match reaches
    unsettled = 3
    figures: "dict[bytes, int]"

    def __init__(self, context: "Context", subject: "Match") -> None:
        PagedScene.__init__(self, context, subject.options.players)
        self.match = subject
        self.names = name_players(subject.options)
        self.me = 0
        if not self.done:  # a linked match leaves a game in progress
            context.session.hold_game(None)

    def settle(self) -> None:
        """Load what judges the goals, count what they ask for, and judge them, each in a frame."""
        from firmware.save.goals import count_saves, judge

        if not self.unsettled:
            self.tell(judge(self.context, self.figures))
        elif self.unsettled == 1:
            self.figures = count_saves(self.context.journal, self.done)

    def press(self, button: int) -> None:
        """Play again or leave."""
        context = self.context
        again = button == controls.ROTATE_CW or button == controls.PAUSE
        context.voice.tell_menu(MENU_CHOOSE if again else MENU_BACK)
        if again:
            self.restart()
        else:
            context.go("menus.main")

    def restart(self) -> None:
        """Begin another match with the same choices, or show the ladder."""
        context = self.context
        if context.settings.last_match >= FIRST_RUNG:
            context.go("match.ladder")
            return
        from firmware.match_modules import begin_afresh

        begin_afresh(context, "match.play")

    def draw_page(self, canvas: "Canvas") -> None:
        """Draw how the round ended for one player, and the numbers."""
        match = self.match
        options = match.options
        winner = match.winner
        at = self.at
        others = self.context.device.others  # people who share this screen
        heading = b"NOBODY WINS"
        if winner != NOBODY:
            heading = b"YOU WIN" if match.seats[self.me].team == winner else b"YOU LOSE"
            if others:
                side = b"TEAM" if options.count_teams() < self.count else b"PLAYER"
                heading = b"%s %d WINS" % (side, winner + 1)
        if options.practice:
            heading = b"TRAINING"
        self.draw_frame(canvas, heading, b"A RETRY  B MENU")
        who = self.names[at]
        if options.level_of(at) == PERSON:
            who = b"PLAYER " + who[1:] if others or at != self.me else b"YOU"
        centre(canvas, 12, who, FONT_5X7)
        seat = match.seats[at]
        time_ms = seat.out_ms
        stands = time_ms == NOT_YET
        # Below ten rows is no room for more; who is out asks for the reason, not for the delays.
        told = self.told or stands and write_delays(match.choices[0])
        why = told or explain(seat)
        # The time until this player was out; the game of a remote player has no exact time.
        if stands:
            time_ms = match.ends_ms
        game = seat.game
        pieces = (b"PIECES", game.statistics.pieces)
        figures: "list[tuple[bytes, Any]]" = list(zip(NAMES, write(game, time_ms, seat.sent)))
        if options.aim:  # there are no attacks
            rows = [(b"LINES", game.lines), pieces, figures[PPS]] + figures[KPP:]
            if told or not stands:
                canvas.text(0, _WHY_Y, why, FONT_3X5)
            why = b"%d OF %d LINES" % (match.gathered[seat.team], options.aim)
        else:
            rows = [
                (b"WINS", match.wins[seat.team]),
                (b"SENT", seat.sent),
                (b"RECEIVED", seat.received),
                (b"BLOCKED", seat.countered),
                pieces,
            ] + figures
        centre(canvas, 20, why, FONT_3X5)  # for a band is no room
        y = _TOP
        for name, value in rows:
            canvas.text(0, y, name, FONT_3X5)
            if isinstance(value, int):
                value = b"%d" % value
            canvas.text(WIDTH - text_width(value, FONT_5X7), y - 1, value, FONT_5X7)
            y += _PITCH
        self.draw_marks(112)
