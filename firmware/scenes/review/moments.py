"""Show the worst moments of a reviewed game, one after the other, and try them again (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.matrix import SKYLINE
from firmware.engine.profiles import PROFILES
from firmware.modes.catalogue import make_mode
from firmware.players.opening import HELD
from firmware.players.reasons import find_reason
from firmware.save.suspended_revival import restore
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5
from firmware.view.canvas import centre, text_width
from firmware.view.mark import Mark
from firmware.view.minos import CELLS
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue, Game
    from firmware.scenes.review.found import Found

_PHASE_MS = const(900)  # how long one of both places is shown

# The facts of the moment, instead of the score and the best result, and the reason above the Matrix
_LEFT = const(23)
_SECOND_Y = const(8)
_REASON_Y = const(16)
_HOLD_WIDTH = const(19)
_HOLD_HEIGHT = const(15)
# The keys, instead of level and lines
_SIDE = const(53)
_FLOOR_Y = const(127)
_KEYS = ((97, b"< >"), (108, b"A"), (115, b"TRY"))
_RANK_Y = const(88)


class MomentView(PlayView):
    """Show the Matrix, Hold and Next of a moment, and none of its numbers."""

    def _draw_labels(self, game: "Game") -> None:
        """Leave time and goal out."""
        self.canvas.fill(_SIDE, 87, 64 - _SIDE, 40, 0)

    def draw_status(self, game: "Game") -> None:
        """Leave score, level and lines out."""

    def draw_rest(self, game: "Game", time: int) -> None:
        """Leave best result, goal and time out."""


class Scene:
    """Show one of the moments: in turn the player's place and the better one.

    A or START tries again, left and right choose another moment, B leaves. subject: the Found of the review, or None to
    return from Practice.
    """

    kind = "watch"
    takes_long = True
    game: "Any"

    def __init__(self, context: "Context", subject: "Found | None" = None) -> None:
        self.context = context
        found: "Any" = subject or context.session.last
        self.found = found
        context.session.remember(found.last, found.watcher)
        self.view = MomentView(context.canvas)
        self.view.show_ghost = False
        self.mark = Mark(context.canvas, self.view.matrix.left, self.view.matrix.pitch)
        self.place = 0
        self.outlined = self.turned = True
        self.load()

    def load(self) -> None:
        """Restore the game of the chosen moment."""
        moment = self.moment = self.found.moments[self.found.at]
        self.game = restore(moment.record, make_mode)
        self.reason = find_reason(self.game, moment.own_plan, moment.best_plan, moment.count)
        self.view.next_count = self.game.options.next_count
        self.view.show_hold = bool(self.game.options.hold_on)
        self.view.reset()
        self.own = True
        self.fresh = True
        self.phase = -1

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, and show the other place when its time has come."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        phase = now_ms // _PHASE_MS
        if phase != self.phase:
            if self.phase >= 0:
                self.own = not self.own
                self.turned = True
            self.phase = phase
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        context = self.context
        found = self.found
        if button == controls.LEFT or button == controls.RIGHT:
            context.voice.tell_menu(MENU_MOVE)
            count = len(found.moments)
            found.at = (found.at + (1 if button == controls.RIGHT else count - 1)) % count
            self.load()
        elif button == controls.ROTATE_CW or button == controls.PAUSE:
            context.voice.tell_menu(MENU_CHOOSE)
            context.session.remember(found, found.watcher)  # brings the moments back after Practice
            context.session.choose_variant(found.variant)
            context.router.watch("replay.practise", self.game, "review.moments")
            self.game = None
        elif button == controls.ROTATE_CCW or button == controls.HOLD:
            context.voice.tell_menu(MENU_BACK)
            context.go("learn.menu", "review.review")

    def draw(self) -> None:
        """Draw the moment if it is another one, and the place of this time."""
        if not self.game:
            return
        if self.fresh:
            self.view.draw(self.game)
            self.draw_facts()
            self.fresh = False
        elif not self.turned:
            return
        else:
            self.flip()
        self.turned = False
        self.set_mark()
        self.flip()
        canvas = self.context.canvas
        canvas.fill(_LEFT, _SECOND_Y, 16, 5, 0)
        canvas.text(_LEFT, _SECOND_Y, b"YOU" if self.own else b"BEST", FONT_3X5)

    def set_mark(self) -> None:
        """Move the mark to the player's place or the better one."""
        mark = self.mark
        self.outlined = self.own
        place = self.place = (self.moment.own_plan if self.own else self.moment.best_plan)[0]
        at = place & 31
        mark.piece = at // 4 + 1
        mark.facing = at & 3
        mark.x = (place >> 5 & 15) - (PROFILES[10 * at] & 15)
        mark.y = (place >> 9 & 31) - (PROFILES[10 * at] >> 4)

    def flip(self) -> None:
        """Draw or remove the mark, and the light of the Hold Queue if this place needs Hold."""
        if self.outlined:
            self.flip_outlines()
        else:
            self.mark.flip()
        if self.place & HELD:
            self.context.canvas.invert(0, 0, _HOLD_WIDTH, _HOLD_HEIGHT)

    def flip_outlines(self) -> None:
        """Draw or remove the outlines of the four cells."""
        mark = self.mark
        first = (mark.piece << 4) + (mark.facing << 2) - 16
        for i in range(first, first + 4):
            mino = CELLS[i]
            y = mark.y + (mino >> 2 & 3)
            if y < SKYLINE:
                x = mark.left + (mark.x + (mino & 3)) * mark.pitch + 1
                y = _FLOOR_Y - (y + 1) * mark.pitch
                self.context.canvas.invert(x, y, 4, 4)
                self.context.canvas.invert(x + 1, y + 1, 2, 2)

    def draw_facts(self) -> None:
        """Draw number, time, cost and reason, the rank and the keys."""
        canvas = self.context.canvas
        moment = self.moment
        canvas.text(_LEFT, 0, b"%d" % (moment.number + 1), FONT_3X5)
        seconds = moment.time_ms // 1000
        line = b"%d:%02d" % (seconds // 60, seconds % 60)
        canvas.text(64 - text_width(line, FONT_3X5), 0, line, FONT_3X5)
        line = b"-%d" % moment.cost
        canvas.text(64 - text_width(line, FONT_3X5), _SECOND_Y, line, FONT_3X5)
        centre(canvas, _REASON_Y, self.reason, FONT_3X5)
        canvas.text(_SIDE, _RANK_Y, b"%d/%d" % (self.found.at + 1, len(self.found.moments)), FONT_3X5)
        for y, word in _KEYS:
            canvas.text(_SIDE, y, word, FONT_3X5)
