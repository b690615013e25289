"""Show the result of a game: a congratulation, then its statistics (Guideline 11.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import find
from firmware.residents import RESULT
from firmware.save.life import MINI, T_SPIN, TETRIS
from firmware.scenes.menus.scores_result import draw_result
from firmware.scenes.paging import PagedScene
from firmware.scenes.play_state import REST_MS
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, Game
    from firmware.view.layouts.fireworks import Fireworks

_TOP = const(15)
_PITCH = const(12)
_DISTANCE_PITCH = const(7)

# A heading and the names below it.
_PAGES = (
    b"RESULT|LEVEL|LINES|TIME|LPM",
    b"LINES|SINGLE|DOUBLE|TRIPLE|TETRIS|B2B|COMBO",
    b"T-SPINS|NO LINE|SINGLE|DOUBLE|TRIPLE|MINI|MINI 1",
    b"FIGURES|PIECES|HOLDS|PPS|APM|APP|KPP|FINESSE",
)


class Scene(PagedScene):
    """Congratulate on reaching the aim or a place in the table, then show pages of numbers.

    Left and right turn pages. A leads to the initials if the game has a place, else to the table. B leads to the main
    menu, and a place keeps the last initials. Presses in the first second are ignored, so a late press skips no result.
    """

    rest_ms = REST_MS
    keeps = RESULT
    start_ms = -1

    def __init__(self, context: "Context", subject: "Game") -> None:
        self.game = subject
        self.works: "Fireworks | None" = None
        record = find(context.session.variant)
        self.result = record[b"result"]
        self.below = record[b"below"]
        # Standard has no spins and no Hold, but a page of its own.
        self.standard = record[b"rules"] == b"standard"
        self.pages = b"\0\1\3" if self.standard else b"\0\1\2\3"
        # A race at level 1 shows no level.
        self.skipped = 1 if self.below == b"level" and subject.level == 1 else 0
        PagedScene.__init__(self, context, len(self.pages))
        self.congratulating = bool(context.session.placed) or subject.over == AIM_REACHED
        self.tell(context.session.goal)
        if self.congratulating:
            self.unsettled = 2
            context.voice.tell_menu(MENU_CHOOSE)
        else:
            self.find_facts()

    def find_facts(self) -> None:
        # Imported late here and below: the pages do not need it.
        from firmware.scenes.menus.over_facts import find_facts

        facts = find_facts(self.context.session, self.game)
        self.delays, self.figures, self.lpm, self.distances = facts

    def settle(self) -> None:
        """Keep the recording of a new best; in the next frame find the facts of the pages behind the congratulation."""
        session = self.context.session
        if not self.unsettled:
            self.find_facts()
        elif session.placed and not session.placed[0]:
            from firmware.save.best import keep_replay

            kept = keep_replay(session, self.game)
            if not self.told:
                self.tell(kept)

    def turn(self, step: int) -> None:
        """Turn the page by `step`; the congratulation leads to the first page."""
        if self.congratulating:
            self.end_congratulation()
        else:
            PagedScene.turn(self, step)

    def end_congratulation(self) -> None:
        """Go on to the first page of numbers."""
        self.congratulating = False
        self.works = None
        self.fresh = True
        self.context.voice.tell_menu(MENU_CHOOSE)

    def press(self, button: int) -> None:
        """Go to the numbers, the initials or the table, or leave."""
        context = self.context
        if self.congratulating:
            self.end_congratulation()
        elif button == controls.ROTATE_CCW or button == controls.HOLD:
            context.voice.tell_menu(MENU_BACK)
            context.go("menus.main")
        else:
            context.voice.tell_menu(MENU_CHOOSE)
            if self.standard:
                context.go("menus.over_pieces", self.game)
            else:
                # The next scene needs only the place in the table, not the game.
                context.go(
                    "menus.scores_initials" if context.session.placed else "menus.scores", context.session.placed
                )

    def draw(self) -> None:
        """Draw a new page, and move the fireworks of the congratulation."""
        PagedScene.draw(self)
        if self.works and self.works.draw():
            self.context.voice.tell_menu(MENU_MOVE)

    def draw_congratulation(self, canvas: "Canvas") -> None:
        """Draw a town with fireworks, or with a still sky if motion is off, and the achievement below."""
        from firmware.view.layouts.fireworks import Fireworks, count_rockets, draw_still, draw_town

        context = self.context
        game = self.game
        draw_town(canvas)
        count = count_rockets(game.score)
        if context.settings.motion_on:
            self.works = Fireworks(canvas, count, game.seed)
        else:
            draw_still(canvas, count)
        centre(canvas, 79, b"CONGRATULATIONS", FONT_3X5)
        line = b"WELL DONE!"
        placed = context.session.placed
        if placed:
            line = b"PLACE %d" % (placed[0] + 1) if placed[0] else b"A NEW BEST"
        gap = 2 if self.told else 0
        centre(canvas, 89 - gap, line, FONT_5X7)
        self.draw_result(103 + gap)
        self.draw_told(97, self.told)
        self.hint(b"A NEXT")

    def draw_page(self, canvas: "Canvas") -> None:
        """Draw the congratulation, or a page with heading, names and numbers."""
        if self.congratulating:
            self.draw_congratulation(canvas)
            return
        names = _PAGES[self.pages[self.at]].split(b"|")
        if not self.at:
            names[0] = b"COMPLETED" if self.game.over == AIM_REACHED else b"GAME OVER"
        self.draw_frame(canvas, names.pop(0), b"A NEXT  B MENU")
        values = self.list_lines()
        y = _TOP
        if not self.at:
            self.draw_result(y + 4)
            for line in self.distances:
                centre(canvas, y + 13, line, FONT_3X5)
                y += _DISTANCE_PITCH
            y -= _DISTANCE_PITCH if self.distances else 0
            names = names[self.skipped :]
            values = values[self.skipped :]
            centre(canvas, 90 if len(self.distances) > 1 else 84, self.delays, FONT_3X5)  # below the other lines
            self.draw_told(98 if len(self.distances) > 1 else 95, self.told)
            y += 21
            if self.below == b"grade":
                names[0] = b"GRADE"
        for name, value in zip(names, values):
            canvas.text(0, y, name, FONT_5X7)
            canvas.text(WIDTH - text_width(value, FONT_5X7), y, value, FONT_5X7)
            y += _PITCH
        self.draw_marks(108)

    def draw_result(self, y: int) -> None:
        """Write the mode's result; without one the score, or in a race the lines."""
        game = self.game
        result = game.mode.result(game)
        if result:
            draw_result(self.context.canvas, y, self.result, result)
        elif self.result.startswith(b"points"):
            draw_result(self.context.canvas, y, b"points", game.score)
        else:
            draw_result(self.context.canvas, y, b"lines", game.lines)

    def list_lines(self) -> list[bytes]:
        """Return the value at the end of each line of the page."""
        game = self.game
        counts = game.statistics
        kinds = counts.kinds
        page = self.pages[self.at]
        if page == 0:
            level = b"%d" % game.level
            if self.below == b"grade":
                from firmware.view.layouts.grades import name_grade

                level = name_grade(game.level)
            seconds = game.time_ms // 1000
            return [level, b"%d" % game.lines, b"%d:%02d" % (seconds // 60, seconds % 60), self.lpm]
        if page == 1:
            # With and without spins.
            numbers = [kinds[lines] + kinds[MINI + lines] + kinds[T_SPIN + lines] for lines in range(1, 4)]
            numbers += [kinds[TETRIS], counts.back_to_backs, counts.longest_combo]
        elif page == 2:
            numbers = [kinds[T_SPIN + lines] for lines in range(4)] + [kinds[MINI], kinds[MINI + 1]]
        else:
            numbers = [counts.pieces, counts.holds]
        values = [b"%d" % number for number in numbers]
        return values + self.figures if page == 3 else values
