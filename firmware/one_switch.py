"""Turn all buttons into one switch: the cursors of menus, pages and games step by themselves (modes/README.md, 14)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.modes.slow import STILL
from firmware.router import load
from firmware.sound.effects import MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import HEIGHT, WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import Any, Context

_HOLD_MS = const(2000)
_BOUNCE_MS = const(150)
_ROUNDS = const(3)
_BACK = const(-1)  # the line after the last one
_HEADING_HEIGHT = const(10)
_HINT_TOP = const(118)
_HINT_Y = const(121)
_GO_ON_X = const(6)
_GO_BACK_X = const(40)

# How the rows of a panel (scenes/learn/puzzle_stop.py) begin, and their buttons
_KEYS = {b"A": ROTATE_CW, b"B": ROTATE_CCW, b"<": LEFT, b">": RIGHT, b"DOWN": SOFT_DROP, b"START": PAUSE}
_PANEL_TOP = const(51)  # of the first row, if its letters were small
_PANEL_LEFT = const(3)
_PANEL_WIDTH = const(46)
_PANEL_PITCH = const(8)


def connect(context: "Context") -> None:
    """Put the switch before the buttons; it leaves by itself when the setting is turned off."""
    if not hasattr(context.device.buttons, "tapped"):
        device: "Any" = context.device
        device.buttons = OneSwitch(context)


class OneSwitch:
    """Read all buttons as one, and give scenes the edges of the buttons that the lit entries mean.

    tapped: whether the switch was just released. held: whether it has just been down for two seconds. target: the
    menu, page or panel whose entries the cursor steps through. entry: of a page or a panel. rests: whether the cursor
    waits for a press. keys, rows: the buttons of a panel, and their rows.
    """

    def __init__(self, context: "Context") -> None:
        self.context = context
        self.buttons = context.device.buttons
        self.edges = EdgeQueue()
        self.down = 0
        self.since_ms = self.due_ms = 0
        self.up_ms = ticks_add(context.clock.ticks_ms(), -_BOUNCE_MS)
        self.tapped = self.held = self.acted = False
        self.scene: "Any" = None
        self.target: "Any" = None
        self.cursor: "Any" = None
        self.entry = self.rounds = 0
        self.rests = self.is_drawn = False
        self.start_ms = -1
        self.keys = bytearray()
        self.rows = bytearray()

    # One chain of questions: a scene that fits several of them is what the first one says.
    def poll(self, sink: EdgeQueue) -> None:
        """Append the edges that the switch means now."""
        context = self.context
        edges = self.edges
        edges.clear()
        edges.capacity = sink.capacity - sink.count >> 1  # so that the sink has room for what they mean
        self.buttons.poll(edges)
        now_ms = context.clock.ticks_ms()
        scene: "Any" = context.router.scene
        if not context.settings.one_switch:
            context.device.buttons = self.buttons
        if scene is not self.scene:
            self.enter(scene)
        if not context.settings.one_switch or hasattr(scene, "contacts"):  # a test of the buttons
            self.down = 0
            self.pass_on(sink)
            return
        cover = getattr(scene, "cover", None)
        if hasattr(cover, "lines") and cover is not self.target:
            self.acted = True  # a press belongs to what saw it, and its release, too
            scene.start_ms = -1
        self.read(now_ms)
        if hasattr(cover, "lines"):
            self.step_menu(cover, sink, now_ms)
        elif hasattr(scene, "lines"):
            self.step_menu(scene, sink, now_ms)
        elif hasattr(scene, "draw_page"):
            self.step_page(scene, sink, now_ms)
        elif self.cursor and not cover and not scene.state:
            self.step_place(scene, sink, now_ms)
        elif self.cursor and hasattr(scene, "show_steps"):
            self.step_panel(scene, sink, now_ms)
        elif hasattr(scene, "match") and scene.kind == "play":
            self.pass_on(sink)
            if self.held:
                self.give(sink, PAUSE, now_ms)
        elif hasattr(cover, "steps"):
            self.step_back(cover, sink, now_ms)
        elif self.tapped:
            self.give(sink, ROTATE_CW, now_ms)
        elif self.held:
            self.give(sink, PAUSE if scene.kind == "play" else ROTATE_CCW, now_ms)
        if self.cursor and (cover or scene.state):
            self.cursor.stop()

    def pass_on(self, sink: EdgeQueue) -> None:
        """Append the edges of the buttons themselves."""
        edges = self.edges
        for i in range(edges.count):
            sink.append(edges.button[i], edges.pressed[i], edges.t_ms[i])

    def give(self, sink: EdgeQueue, button: int, now_ms: int) -> None:
        """Append a press and a release."""
        sink.append(button, 1, now_ms)
        sink.append(button, 0, now_ms)

    def enter(self, scene: "Any") -> None:
        """Attend to a new scene; a game of its kinds gets a cursor."""
        self.scene = scene
        self.acted = True  # a press belongs to the scene that saw it
        self.target = self.cursor = None
        is_puzzle = hasattr(scene, "show_steps")
        is_played = hasattr(scene, "recording") and not getattr(scene, "player", True)
        is_still = is_played and scene.game.options.slow == STILL
        if is_puzzle or is_still:
            cursor = load("firmware.scenes.play.places_cursor")
            self.cursor = cursor.PlacesCursor(scene, self.context.settings.one_switch, is_puzzle)

    def read(self, now_ms: int) -> None:
        """Find out whether the switch was tapped or held; a press that wakes the screen does nothing else."""
        edges = self.edges
        self.tapped = self.held = False
        for i in range(edges.count):
            bit = 1 << edges.button[i]
            t_ms = edges.t_ms[i]
            if edges.pressed[i]:
                if not self.down:
                    self.since_ms = t_ms
                    self.acted = self.context.idling.wake(now_ms) or ticks_diff(t_ms, self.up_ms) < _BOUNCE_MS
                self.down |= bit
            elif self.down & bit:
                self.down &= ~bit
                if not self.down:
                    self.up_ms = t_ms
                    self.tapped = not self.acted
        if self.down and not self.acted and ticks_diff(now_ms, self.since_ms) >= _HOLD_MS:
            self.acted = self.held = True

    def attend(self, target: object, now_ms: int) -> bool:
        """Return whether the next entry of `target` is due; begin with its first one for half a step more."""
        step_ms = self.context.settings.one_switch
        if target is not self.target:
            self.target = target
            self.entry = self.rounds = 0
            self.rests = self.is_drawn = False
            self.due_ms = ticks_add(now_ms, step_ms * 3 // 2)
        if self.tapped or self.down:
            self.due_ms = ticks_add(now_ms, step_ms)
            return False
        if self.rests or ticks_diff(now_ms, self.due_ms) < 0:
            return False
        self.due_ms = ticks_add(now_ms, step_ms)
        return True

    def answer(self, sink: EdgeQueue, button: int, now_ms: int) -> None:
        """Give the lit button if the switch was tapped, and B if it was held; a cursor at rest only starts again."""
        if self.held:
            self.give(sink, ROTATE_CCW, now_ms)
        elif self.tapped:
            self.rounds = 0
            if not self.rests:
                self.give(sink, button, now_ms)
            self.rests = False

    def end_round(self, rounds: int = _ROUNDS) -> None:
        """Count a round; let the cursor rest after some rounds without a press."""
        self.rounds += 1
        self.rests = self.rounds >= rounds

    def step_menu(self, menu: "Any", sink: EdgeQueue, now_ms: int) -> None:
        """Step through the lines of a menu and BACK."""
        if not self.attend(menu, now_ms):
            self.answer(sink, ROTATE_CCW if menu.at < 0 else ROTATE_CW, now_ms)
            return
        if getattr(menu, "taking", False):  # waits for the buttons of a control
            return
        count = len(menu.lines)
        if getattr(menu, "asked", False):
            self.entry ^= 1
            if self.entry:
                return  # a question stays for two steps
            menu.asked = False
        if menu.at < 0:
            menu.whole = True
            self.end_round()
        if not hasattr(menu, "choose"):  # the title
            if count > 1:
                menu.at = (menu.at + 1) % count
                menu.fresh = True
                if not menu.at:
                    self.end_round()
        elif menu.at == count - 1:
            self.show_back(menu)
        else:
            menu.choose(menu.at + 1)

    def show_back(self, menu: "Any") -> None:
        """Light BACK in the heading, and no line."""
        canvas = self.context.canvas
        menu.at = _BACK
        menu.fresh = False
        menu.draw_lines(canvas)
        menu.write_note(canvas, b"GO BACK")
        canvas.fill(0, 0, WIDTH, _HEADING_HEIGHT, 0)
        centre(canvas, 2, b"BACK", FONT_5X7)
        canvas.invert(0, 0, WIDTH, _HEADING_HEIGHT)
        self.context.voice.tell_menu(MENU_MOVE)

    def step_page(self, page: "Any", sink: EdgeQueue, now_ms: int) -> None:
        """Step from GO ON to BACK in the bottom line of a page, then to the next page."""
        if self.attend(page, now_ms):
            self.entry ^= 1
            if not self.entry:
                page.turn(1)
                self.end_round(max(_ROUNDS, page.count))
            page.fresh = True
            self.is_drawn = False
            return
        self.answer(sink, ROTATE_CCW if self.entry else ROTATE_CW, now_ms)
        if not self.is_drawn and not page.fresh:  # the page has been drawn since
            self.is_drawn = True
            canvas = self.context.canvas
            page.hint(b"")
            canvas.text(_GO_ON_X, _HINT_Y, b"GO ON", FONT_3X5)
            canvas.text(_GO_BACK_X, _HINT_Y, b"BACK", FONT_3X5)
            canvas.invert(WIDTH // 2 * self.entry, _HINT_TOP, WIDTH // 2, HEIGHT - _HINT_TOP)

    def step_place(self, scene: "Any", sink: EdgeQueue, now_ms: int) -> None:
        """Step through the places of the Tetrimino in play; pause if the switch is held or nobody picks."""
        cursor = self.cursor
        self.target = None
        if self.start_ms >= 0:
            return  # START is down until the panel opens
        cursor.update(sink, now_ms, self.tapped, self.down > 0)
        if not cursor.running and (self.held or cursor.gives_up):
            cursor.stop()
            sink.append(PAUSE, 1, now_ms)
            if hasattr(scene, "show_steps"):
                self.start_ms = now_ms
            else:
                sink.append(PAUSE, 0, now_ms)

    def step_back(self, cover: object, sink: EdgeQueue, now_ms: int) -> None:
        """Take a Tetrimino of Zen back by a press; go on if it is held, or after three steps without a press."""
        if self.attend(cover, now_ms):
            self.entry += 1
        if self.tapped:
            self.entry = 0
            self.give(sink, LEFT, now_ms)
        elif self.held or self.entry == _ROUNDS:
            self.entry = 0
            self.give(sink, ROTATE_CW, now_ms)

    def read_panel(self, rows: list[bytes]) -> None:
        """Find the rows of a panel that name a button."""
        self.keys = bytearray()
        self.rows = bytearray()
        for i in range(1, len(rows)):
            key = rows[i].split(b" ")[0]
            if key in _KEYS:
                self.keys.append(_KEYS[key])
                self.rows.append(i)

    def step_panel(self, scene: "Any", sink: EdgeQueue, now_ms: int) -> None:
        """Step through the lines of a puzzle's panel."""
        if self.start_ms >= 0:
            self.start_ms = -1
            sink.append(PAUSE, 0, now_ms)
        if self.target is not scene.state:
            self.read_panel(scene.rest().list_rows(scene))
        is_due = self.attend(scene.state, now_ms)
        if is_due:
            self.entry = (self.entry + 1) % len(self.rows)
            if not self.entry:
                self.end_round()
        else:
            self.answer(sink, self.keys[self.entry], now_ms)
        if is_due or self.tapped:
            scene.fresh = True  # a press may open the same panel again
            self.is_drawn = False
        elif not self.is_drawn and not scene.fresh:
            self.is_drawn = True
            y = _PANEL_TOP + _PANEL_PITCH * self.rows[self.entry]
            self.context.canvas.invert(_PANEL_LEFT, y, _PANEL_WIDTH, 7)
