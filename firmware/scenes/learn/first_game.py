"""Play FIRST GAME: step after step, each until the player has done it (modes/README 18)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, events, phases
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import MARATHON
from firmware.modes.first_game import FILE, FLAGS, GOES_ON, MARKS, PRESSED, THERE, Step
from firmware.modes.lessons.puzzle_file import count, fetch, fill
from firmware.router import load
from firmware.scenes.learn import puzzle_play
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.layouts.puzzle import View

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, EdgeQueue

TOLD = const(4)  # as the state: the praise, or a word about a mistake, shows
DONE = const(5)  # the last step is done
_TOLD_MS = const(1100)
_ROUND_MS = const(24000)  # after 20 of its seconds, 4 s tell how to skip the step
_STUCK_MS = const(20000)

_ALL = const(8)  # controls
_ORDER = b"\x04\x05\x06\x00\x01\x02\x03"  # of the buttons on the screen: what turns comes first
_HOLD_X = const(20)  # right of the Hold Queue
_WORDS_PITCH = const(6)
_CAPS_Y = const(12)
_CAP_HEIGHT = const(9)
_LONGEST = const(12)  # letters of a key's name
_SIDE_X = const(53)


class FirstView(View):
    """Show the words of a step above the Matrix, and below them its buttons as caps.

    caps: the names of the buttons. start: that of START. is_stuck: whether it stands there, to skip the step. total:
    the number of steps.
    """

    label = b""

    def __init__(self, canvas: "Canvas", number: int) -> None:
        View.__init__(self, canvas, number)
        self.caps: list[bytes] = []
        self.start = b""
        self.is_stuck = False
        self.total = 0

    def _draw_labels(self, game: "Any") -> None:
        """Write the number of the step beside the Matrix, and all words above it."""
        canvas = self.canvas
        canvas.fill(_SIDE_X, 106, 11, 5, 0)
        canvas.number(_SIDE_X, 94, self.number + 1, -1, 2, FONT_5X7, False)
        canvas.text(_SIDE_X, 104, b"/%d" % self.total, FONT_3X5)
        left = _HOLD_X if self.show_hold else 0
        y = 0
        for line in (b"TOO HARD?|SKIP IT:" if self.is_stuck else self.heading).split(b"|"):
            canvas.text(left + (64 - left - text_width(line, FONT_3X5) >> 1), y, line, FONT_3X5)
            y += _WORDS_PITCH
        self.draw_caps(left, [self.start] if self.is_stuck else self.caps)

    def draw_caps(self, left: int, caps: "list[bytes]") -> None:
        """Draw a cap for each name from column `left` on, with as many letters as all have room for."""
        canvas = self.canvas
        letters = _LONGEST
        width = 99
        while width > 64 - left:
            width = sum([5 + text_width(name[:letters], FONT_3X5) for name in caps]) - 1
            letters -= 1
        x = left + (64 - left - width >> 1)
        for name in caps:
            name = name[: letters + 1]
            width = text_width(name, FONT_3X5) + 4
            canvas.fill(x, _CAPS_Y, width, _CAP_HEIGHT, 1)
            canvas.fill(x + 1, _CAPS_Y + 1, width - 2, _CAP_HEIGHT - 2, 0)
            canvas.text(x + 2, _CAPS_Y + 2, name, FONT_3X5)
            x += width + 1


class Scene(puzzle_play.Scene):
    """Play a step, show the praise for a second, go on to the next one; a wrong Lock Down begins it again.

    START opens a panel that skips the step or leaves. `home` is the scene that follows.

    subject: this scene, by default LEARN. number: the step, from 0. names: those of the buttons, by control. done: a
    mask of the controls that have done something. since_ms: when the step or the state TOLD began. good: whether it is
    praise.
    """

    look = FirstView
    view: "Any"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.home = subject if isinstance(subject, str) else "learn.menu"
        # Whoever shows the buttons in the help names them here, too.
        path = context.device.machine.pages.get("help.mapping")
        if path:
            page = load(path)
        else:
            from firmware.scenes.options import controls as page
        self.names = [page.name_control(context, control) for control in range(_ALL)]
        context.router.tidy()
        self.total = count(FILE)
        self.done = 0
        self.since_ms = 0
        self.good = False
        puzzle_play.Scene.__init__(self, context)

    def rest(self) -> "Any":
        """Return this scene: a lesson has room to keep what puzzles load late."""
        return self

    def set_up(self, _scene: object, _way: bytes, _count: int) -> "Any":
        """Return the game of the step, and set up its view."""
        from firmware.scenes.learn import puzzle_stop

        self.draw_panel = puzzle_stop.draw_panel
        record = fetch(self.number, FILE)
        mode = Step(record)
        game = puzzle_stop.set_up_mode(self, mode, b"", 0)
        self.present(mode, record)
        return game

    def present(self, mode: Step, record: bytes) -> None:
        """Show the words and the buttons of a step."""
        view = self.view
        view.number = self.number
        view.total = self.total
        view.heading = mode.words.rpartition(b"|")[0]
        view.caps = [self.names[control] for control in _ORDER if mode.kind >> control & 1]
        view.start = self.names[controls.PAUSE]
        view.is_stuck = False
        view.shown = record[FLAGS] & MARKS > 0
        view.show_ghost = not view.shown  # two outlines would look alike
        view.reset()
        self.done = 0
        self.since_ms = self.context.clock.ticks_ms()

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; go on when the words were shown for long enough."""
        puzzle_play.Scene.update(self, edges, now_ms)
        passed_ms = ticks_diff(now_ms, self.since_ms)
        if self.state == TOLD and passed_ms >= _TOLD_MS:
            self.go_on()
            self.context.router.tidy()
        elif not self.state and (passed_ms % _ROUND_MS >= _STUCK_MS) != self.view.is_stuck:
            self.view.is_stuck = not self.view.is_stuck
            self.view.reset()

    def apply_edge(self, pressed: int, t_ms: int) -> None:
        """Open the panel at a press of START, or close it; after the last step begin again."""
        if not pressed or self.state == TOLD:
            return
        if not self.state:
            self.stop(PAUSED)
            return
        self.context.voice.tell_menu(MENU_CHOOSE)
        if self.state == PAUSED:
            self.resume()
        else:
            self.number = 0
            self.begin(0, False)

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; check whether the step is done."""
        self.context.voice.tell(happened, self.last_ms)
        if self.state or not happened:
            return
        game = self.game
        mode = game.mode
        if happened & (events.MOVED | events.ROTATED | events.LANDED | events.HARD_DROPPED | events.HELD):
            self.done |= game.pressed
        over = game.phase == phases.GAME_OVER
        good = over and game.over == AIM_REACHED
        if mode.goal == PRESSED:
            good = self.done & mode.kind == mode.kind
        elif mode.goal == THERE:
            good = game.piece > 0 and mode.is_there(game)
        if good or over:
            self.tell(good)

    def tell(self, good: bool) -> None:
        """Show the praise, or that it was wrong."""
        self.good = good
        self.since_ms = self.last_ms
        self.stop(TOLD)
        view = self.view
        view.heading = self.game.mode.words.rpartition(b"|")[2] or b"GOOD" if good else b"NOT THERE|TRY AGAIN"
        view.caps = []
        view.is_stuck = False
        view.reset()
        if good:
            self.context.voice.tell_menu(MENU_CHOOSE)
        else:
            self.context.voice.begin(events.HOLD_FAILED)

    def go_on(self) -> None:
        """Begin the next step, or after a mistake the same one, each with the game that it needs."""
        self.number += 1 if self.good else 0
        if self.number == self.total:
            self.number -= 1
            self.stop(DONE)
            from firmware.save.goals import judge

            judge(self.context, None, b"taught")
            return
        record = fetch(self.number, FILE)
        if self.good and record[FLAGS] & GOES_ON:
            fill(self.game.mode, record)
            self.present(self.game.mode, record)
            self.resume()
            return
        while fetch(self.number, FILE)[FLAGS] & GOES_ON:
            self.number -= 1
        self.begin(0, False)

    def skip(self) -> None:
        """Begin the next step that needs no game of another one."""
        while self.number + 1 < self.total and fetch(self.number + 1, FILE)[FLAGS] & GOES_ON:
            self.number += 1
        self.good = True
        self.go_on()

    def press(self, _scene: object, button: int) -> None:
        """Handle one press while a panel is open."""
        context = self.context
        state = self.state
        if state == TOLD:
            return
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            context.voice.tell_menu(MENU_BACK)
            context.go(self.home, "learn.first_game")
            return
        context.voice.tell_menu(MENU_CHOOSE)
        if button == controls.RIGHT and state == PAUSED:
            self.skip()
        elif button == controls.ROTATE_CW and state == PAUSED:
            self.resume()
        elif button == controls.ROTATE_CW and context.session.has_game():
            context.go("menus.main")
        elif button == controls.ROTATE_CW:
            context.session.choose_variant(MARATHON)
            context.begin_game()

    def draw(self) -> None:
        """Draw changes; the words of TOLD stand in no panel."""
        if self.state == TOLD:
            self.view.draw(self.game)
        else:
            puzzle_play.Scene.draw(self)

    def list_rows(self, _scene: object) -> "list[bytes]":
        """Return the title and the other rows of the panel."""
        rows = b"PAUSE|A RESUME|> SKIP IT|B LEAVE"
        if self.state == DONE:
            rows = b"GREAT|A PLAY|START AGAIN|B LEAVE"
        return rows.split(b"|")
