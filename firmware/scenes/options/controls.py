"""Set the button, or the chord of two buttons, of each control."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.save.buttons import TARGET
from firmware.scenes.menu import SAMPLE_ROWS, SAMPLE_Y, Menu
from firmware.scenes.settings_menu import SettingsMenu
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, EdgeQueue

_BUTTONS = const(8)
_DEFAULTS_AT = const(9)  # the line after the controls
_PATIENCE_MS = const(5000)
_BUTTON_PX = const(7)
_NAMES = (b"LEFT", b"RIGHT", b"DOWN", b"UP", b"A", b"B", b"C", b"START")
_LETTERS = b"LRDUABCS"
# x and y of each button in the sample
_PLACES = b"\x06\x0d\x14\x0d\x0d\x14\x0d\x06\x36\x08\x2d\x0f\x2d\x02\x22\x16"


def name_buttons(mask: int) -> bytes:
    names = b""
    for button in range(_BUTTONS):
        if mask == 1 << button:
            return _NAMES[button]
        if mask >> button & 1:
            letter = _LETTERS[button : button + 1]
            names = names + b"+" + letter if names else letter
    return names or b"-"


def name_control(context: "Context", control: int) -> bytes:
    """Return the name of the button, or the letters of the chord, that gives a control."""
    return b"1 KEY" if context.settings.one_switch else name_buttons(context.settings.buttons[control])


class Scene(SettingsMenu):
    """Give the chosen control the buttons that are pressed together.

    A control swaps buttons with the control that had them. Menus ignore these settings, so no setting can lock a player
    out.
    """

    heading = b"BUTTONS"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"LEFT", b"MOVE LEFT"),
        (b"RIGHT", b"MOVE RIGHT"),
        (b"SOFT", b"SOFT DROP"),
        (b"HARD", b"HARD DROP"),
        (b"CW", b"ROTATE|CLOCKWISE"),
        (b"CCW", b"ROTATE COUNTER-|CLOCKWISE"),
        (b"HOLD", b"HOLD|THE TETRIMINO"),
        (b"PAUSE", b"PAUSE THE GAME"),
        (b"TARGET", b"SOLO: 180 IF ON.|MATCH: TARGET,|OR HINT"),
        (b"RESET", b"RESET ALL|BUTTONS"),
    )
    parent = "options.options"
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: object = None) -> None:
        Menu.__init__(self, context, subject)
        self.taking = False
        self.down = 0
        self.mask = 0

    def value(self, at: int) -> bytes:
        if at == _DEFAULTS_AT:
            return b""
        return b"..." if self.taking and at == self.at else name_buttons(self.mask_of(at))

    def mask_of(self, at: int) -> int:
        settings = self.context.settings
        return settings.target_buttons if at == TARGET else settings.buttons[at]

    def pick(self, at: int) -> None:
        """Wait for buttons, or reset all of them."""
        if at == _DEFAULTS_AT:
            # Imported late here and below: the help, which shows this page, sets none.
            from firmware.save import buttons

            buttons.reset(self.context.settings, self.context.device.wired)
            self.context.apply_settings()
            return
        self.taking = True
        self.down = self.mask = 0
        self.until_ms = ticks_add(self.now_ms, _PATIENCE_MS)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Choose a line, or collect the pressed buttons until all are released; give up after five seconds."""
        if not self.taking:
            Menu.update(self, edges, now_ms)
            return
        self.now_ms = now_ms
        self.button = -1  # do not repeat a direction held from before
        for i in range(edges.count):
            bit = 1 << edges.button[i]
            if edges.pressed[i]:
                self.down |= bit
                if bin(self.mask | bit).count("1") <= 2:
                    self.mask |= bit
            elif self.taking and self.down & bit:
                self.down &= ~bit
                if not self.down:
                    self.assign_buttons(self.mask)
        if self.taking and not self.mask and ticks_diff(now_ms, self.until_ms) >= 0:
            self.taking = False
            self.fresh = True
        self.context.voice.update(now_ms)

    def assign_buttons(self, mask: int) -> None:
        """Give the buttons to the chosen control, which swaps its own for them."""
        from firmware.save import buttons

        self.touched = True
        self.last_ms = self.now_ms
        buttons.give(self.context.settings, self.at, mask)
        self.taking = False
        self.fresh = True
        self.context.voice.tell_menu(MENU_CHOOSE)
        self.context.apply_settings()

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the control, or ask for buttons."""
        Menu.draw_note(self, canvas, b"NOW PRESS ONE|BUTTON, OR TWO|TOGETHER" if self.taking else note)

    def draw_sample(self) -> None:
        """Draw the eight buttons in their places; the buttons of the control are lit."""
        canvas = self.context.canvas
        mask = 0 if self.at == _DEFAULTS_AT or self.taking else self.mask_of(self.at)
        for button in range(_BUTTONS):
            x = _PLACES[2 * button]
            y = SAMPLE_Y + _PLACES[2 * button + 1]
            canvas.fill(x, y, _BUTTON_PX + 2, _BUTTON_PX + 2, 1)
            canvas.fill(x + 1, y + 1, _BUTTON_PX, _BUTTON_PX, 0)
            canvas.glyph(x + 3, y + 2, _LETTERS[button], FONT_3X5)
            if mask >> button & 1:
                canvas.invert(x + 1, y + 1, _BUTTON_PX, _BUTTON_PX)
