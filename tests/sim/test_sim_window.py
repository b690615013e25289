"""The window, on SDL's dummy screen; tests/sim/test_sim_screen.py uses a real screen."""

import ctypes
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from firmware.engine.controls import LEFT, PAUSE, RIGHT, ROTATE_CW, SOFT_DROP
from sim import oled
from sim.contacts import Contacts
from sim.desktop import layout, legend_rows, oled_surface
from sim.desktop.controllers import Controllers
from sim.desktop.gamepad import Gamepads
from sim.desktop.keyboard import ALONE, LABELS, RESTART, Keyboard, Keys
from sim.desktop.oled_surface import OledSurface
from sim.desktop.window import Window
from sim.display import ChipDisplay
from tests.support import needs
from tests.support.pc_keys import key_event
from tests.support.polling import poll

pytestmark = pytest.mark.usefixtures("no_screen")
Opener = Callable[..., Window]


@pytest.fixture
def display() -> ChipDisplay:
    return ChipDisplay()


@pytest.fixture
def contacts() -> Contacts:
    return Contacts()


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now_ms=77)


@pytest.fixture
def open_window(display: ChipDisplay, contacts: Contacts, clock: SimpleNamespace) -> Iterator[Opener]:
    windows = []

    def opened(colour: str = "white", **options: object) -> Window:
        options = {"scale": 4, "legend": False} | options
        window = Window([OledSurface(display, colour)], Keyboard(contacts), lambda: clock.now_ms, **options)  # type: ignore[arg-type]
        pygame.event.clear()  # SDL reports the window's creation
        windows.append(window)
        return window

    yield opened
    for window in windows:
        window.close()


@pytest.fixture
def window(open_window: Opener) -> Window:
    return open_window()


def brightness(window: Window, x: int, y: int) -> int:
    """Return the brightness of the middle of a pixel of the panel, 0 to 765."""
    panel, half = window.oleds[0].panel, window.scale // 2 - 1
    return sum(window.surface.get_at((panel.x + x * window.scale + half, panel.y + y * window.scale + half))[:3])


def post(window: Window, *kinds: int, **how: int) -> None:
    for kind in kinds:
        pygame.event.post(pygame.event.Event(kind, **how))
    window.pump()


def press(window: Window, key: int, mod: int = 0) -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(key_event(kind, key, mod))
        window.pump()


def resize(window: Window, width: int, height: int) -> None:
    window._window.size = (width, height)
    window.pump()


def light(display: ChipDisplay) -> None:
    display.canvas.fill(0, 0, 64, 128, 1)
    display.show()


def assert_on_screen(window: Window) -> None:
    width, height = pygame.display.get_desktop_sizes()[0]
    assert window.surface.get_width() <= width and window.surface.get_height() <= height


def test_pygame_knows_the_place_of_every_key() -> None:
    assert len(layout.KEYS) == len(LABELS) and 0 not in layout.KEYS


@pytest.mark.parametrize("key", [key for key, control in ALONE.items() if control < PAUSE])
def test_every_key_presses_its_control(key: str, window: Window, contacts: Contacts) -> None:
    post(window, pygame.KEYDOWN, pygame.KEYUP, key=0, mod=0, scancode=layout.find_scancode(key))
    assert poll(contacts) == [(ALONE[key], 1, 77), (ALONE[key], 0, 77)]


def test_other_keys_do_nothing(window: Window, contacts: Contacts) -> None:
    press(window, pygame.K_q)
    assert poll(contacts) == []


def test_window_draws_what_the_chip_shows(window: Window, display: ChipDisplay) -> None:
    assert brightness(window, 30, 40) < 100
    display.canvas.fill(30, 40, 1, 1, 1)
    window.present()
    assert brightness(window, 30, 40) < 100
    display.show()
    window.present()
    assert brightness(window, 30, 40) > 500 and brightness(window, 33, 40) < 100


@pytest.mark.parametrize(("colour", "left", "right"), [("yellow-blue", "yellow", "blue"), ("blue", "blue", "blue")])
def test_window_has_the_colours_of_the_module(display, open_window: Opener, colour: str, left: str, right: str) -> None:
    light(display)
    window = open_window(colour)
    panel = window.oleds[0].panel
    for x, expected in ((2, left), (50, right)):
        red, _, blue, _ = window.surface.get_at((panel.x + 4 * x + 1, panel.y + 200))
        assert ("yellow" if red > blue else "blue") == expected


def test_lost_focus_releases_every_key_and_calls_focus_lost(window: Window, contacts: Contacts) -> None:
    lost = []
    window.focus_lost = lambda: lost.append(True)
    for key in (pygame.K_LEFT, pygame.K_DOWN):
        pygame.event.post(key_event(pygame.KEYDOWN, key))
    window.pump()
    post(window, pygame.WINDOWFOCUSLOST)
    assert sorted(poll(contacts)) == [(LEFT, 0, 77), (LEFT, 1, 77), (SOFT_DROP, 0, 77), (SOFT_DROP, 1, 77)]
    assert lost == [True]


def test_closing_the_window_sets_closed(window: Window) -> None:
    assert not window.closed
    post(window, pygame.QUIT)
    assert window.closed


@pytest.mark.parametrize("variable", ["SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS"])
def test_a_desktop_lists_the_window_as_skyline(window: Window, variable: str) -> None:
    assert os.environ[variable] == "Skyline"


def test_the_title_shows_the_frame_rate(window: Window, display: ChipDisplay, clock: SimpleNamespace) -> None:
    display.show()  # the first call switches the chip on
    for _ in range(30):
        window.present()
    clock.now_ms += 500
    window.pump()
    assert window.title == "Skyline \N{EM DASH} 60 fps"


def test_title_says_asleep_while_the_display_sleeps_and_is_dark(window: Window, display: ChipDisplay, clock) -> None:
    light(display)
    window.present()
    assert brightness(window, 30, 40) > 500
    display.sleep(True)
    clock.now_ms += 500
    window.pump()
    assert window.title == "Skyline \N{EM DASH} asleep" and brightness(window, 30, 40) < 100


def test_the_window_fits_the_screen_without_a_requested_scale(open_window: Opener) -> None:
    window = open_window(scale=0, legend=True)
    assert_on_screen(window)
    assert window.scale >= 1


def test_sdls_made_up_screen_counts_as_no_screen(open_window: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.init()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    with pytest.raises(pygame.error, match="no display was found"):
        open_window()


@pytest.mark.parametrize(("width", "height", "scale"), [(700, 1200, 8), (700, 600, 4), (90, 900, 1), (86, 142, 1)])
def test_the_oled_is_as_large_as_fits_and_in_the_middle(window: Window, width: int, height: int, scale: int) -> None:
    resize(window, width, height)
    assert (window.surface.get_size(), window.scale) == ((width, height), scale)
    panel = window.oleds[0].panel
    assert panel.size == (64 * scale, 128 * scale) and abs(panel.centerx - width // 2) <= 1
    assert abs(panel.centery - height // 2) <= 1


def test_control_plus_and_minus_change_the_size(window: Window, contacts: Contacts) -> None:
    press(window, pygame.K_PLUS, pygame.KMOD_LCTRL)
    assert (window.scale, window.surface.get_size()) == (5, (5 * oled_surface.WIDTH, 5 * oled_surface.HEIGHT))
    for _ in range(9):
        press(window, pygame.K_KP_MINUS, pygame.KMOD_RCTRL)
    assert (window.scale, window.surface.get_size()) == (1, (oled_surface.WIDTH, oled_surface.HEIGHT))
    press(window, pygame.K_EQUALS)
    assert window.scale == 1 and poll(contacts) == []


def test_window_does_not_grow_beyond_the_screen(window: Window) -> None:
    for _ in range(40):
        press(window, pygame.K_PLUS, pygame.KMOD_LCTRL)
    assert_on_screen(window)


def test_f11_fills_the_screen_and_goes_back(window: Window) -> None:
    press(window, pygame.K_F11)
    assert window.surface.get_size() == pygame.display.get_desktop_sizes()[0] and window.scale > 4
    press(window, pygame.K_F11)
    assert (window.scale, window.surface.get_size()) == (4, (4 * oled_surface.WIDTH, 4 * oled_surface.HEIGHT))


def test_tab_shows_and_hides_the_legend_beside_the_oled(window: Window) -> None:
    glass_only = window.surface.get_width()
    press(window, pygame.K_TAB)
    assert window.surface.get_width() > glass_only + 100 and window.scale == 4
    beside = window.surface.subsurface((glass_only, 0, window.surface.get_width() - glass_only, 568))
    lit = pygame.mask.from_threshold(beside, oled.COLOURS["white"].lit, (40, 40, 40)).count()
    assert lit > 500, "letters are as bright as the pixels"
    press(window, pygame.K_TAB, pygame.KMOD_LALT)
    assert window.legend_shown
    press(window, pygame.K_TAB)
    assert window.surface.get_width() == glass_only


def test_the_legend_is_hidden_if_there_is_no_room(window: Window) -> None:
    press(window, pygame.K_TAB)
    resize(window, 200, 300)
    assert (window.scale, window.legend_shown) == (2, True)
    resize(window, 700, 600)
    assert window.oleds[0].panel.centerx < 300


def test_two_handhelds_stand_side_by_side(contacts: Contacts, clock: SimpleNamespace) -> None:
    displays = ChipDisplay(), ChipDisplay()
    oleds = [OledSurface(one) for one in displays]
    with closing(Window(oleds, Keyboard(contacts), lambda: clock.now_ms, 3, legend=False)) as window:
        light(displays[1])
        window.present()
        left, right = (sum(window.surface.get_at(one.panel.center)[:3]) for one in oleds)
    assert left < 100 < 500 < right


class TestLegend:
    def test_every_key_presses_the_control_in_the_legend(self, contacts: Contacts) -> None:
        keyboard = Keyboard(contacts)
        contacts.connect(lambda: True)
        for at_menu, listed, actions in (
            (False, legend_rows.list_in_play(keyboard.keys, 0), legend_rows.IN_PLAY),
            (True, legend_rows.list_in_menus(keyboard.keys), legend_rows.IN_MENUS),
        ):
            assert [what for what, _keys in listed] == [what for what, _controls in actions]
            contacts.at_menu = at_menu
            for (what, keys), (_what, controls) in zip(listed, actions, strict=True):
                wanted = {PAUSE if control == RESTART else control for control in controls}
                pressed = set()
                for key in keys:
                    keyboard.press(key, 600)
                    pressed |= {control for control, is_down, _t_ms in poll(contacts) if is_down}
                    keyboard.release(key, 616)
                assert pressed == wanted, what

    def test_every_control_is_named(self) -> None:
        assert {control for _what, controls in legend_rows.IN_PLAY for control in controls} == set(ALONE.values())

    def test_the_legend_names_the_buttons_of_a_connected_gamepad(self) -> None:
        keys = Keys()
        assert legend_rows.list_all(keys) == legend_rows.list_all(keys, [], {"a": LEFT})
        found = legend_rows.list_all(keys, ["Pad"], {"a": LEFT, "leftx-": LEFT, "dpright": RIGHT})
        assert found[-2:] == [("Pad", ()), ("move", ["a", "dpright"])]


class Joystick:
    """A virtual joystick of SDL's own library: a gamepad with SDL's usual buttons."""

    def __init__(self) -> None:
        maps = Path("/proc/self/maps")
        found = [word for word in maps.read_text().split() if "libSDL2-2" in word] if maps.exists() else []
        if not found:
            needs.skip_system("/proc, which tells the SDL that pygame uses")
        self.sdl = ctypes.CDLL(found[0])
        self.sdl.SDL_JoystickOpen.restype = ctypes.c_void_p
        self.index = -1
        self.tell: Callable[[], None] = lambda: None  # called after each event

    def plug_in(self, kind: int = 1) -> None:
        """Attach it as a joystick of a kind: 1 is a gamepad, 0 something that SDL does not know."""
        self.index = self.sdl.SDL_JoystickAttachVirtual(kind, 6, 15, 0)
        self.opened = ctypes.c_void_p(self.sdl.SDL_JoystickOpen(self.index))
        self.tell()

    def plug_out(self) -> None:
        if self.index >= 0:
            self.sdl.SDL_JoystickDetachVirtual(self.index)
        self.index = -1
        self.tell()

    def button(self, number: int, down: bool = True) -> None:
        self.sdl.SDL_JoystickSetVirtualButton(self.opened, number, int(down))
        self.tell()

    def axis(self, number: int, value: int) -> None:
        self.sdl.SDL_JoystickSetVirtualAxis(self.opened, number, ctypes.c_int16(value))
        self.tell()


A, DPLEFT, LEFTX = 0, 13, 0  # SDL's numbers


class TestGamepad:
    """SDL itself reports these buttons; no event is posted."""

    @pytest.fixture
    def joystick(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Joystick]:
        monkeypatch.setenv("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")  # no window has the focus of the dummy screen
        joystick = Joystick()
        yield joystick
        joystick.tell = lambda: None
        joystick.plug_out()

    @pytest.fixture
    def window(self, joystick: Joystick, open_window: Opener, contacts: Contacts) -> Window:
        window = open_window(controllers=Controllers(Gamepads(contacts)))
        joystick.tell = window.pump
        return window

    def test_buttons_press_their_controls(self, window: Window, joystick: Joystick, contacts: Contacts) -> None:
        joystick.plug_in()
        for number, control in ((A, ROTATE_CW), (DPLEFT, LEFT)):
            joystick.button(number)
            joystick.button(number, False)
            assert poll(contacts) == [(control, 1, 77), (control, 0, 77)]

    def test_stick_presses_left_and_right(self, window: Window, joystick: Joystick, contacts: Contacts) -> None:
        joystick.plug_in()
        for value in (-30_000, 0, 30_000):
            joystick.axis(LEFTX, value)
        assert poll(contacts) == [(LEFT, 1, 77), (LEFT, 0, 77), (RIGHT, 1, 77)]

    def test_a_gamepad_connected_at_the_start_is_found(self, joystick: Joystick, open_window: Opener, contacts) -> None:
        pygame.joystick.init()
        joystick.plug_in()
        joystick.tell = open_window(controllers=Controllers(Gamepads(contacts))).pump
        joystick.tell()
        joystick.button(A)
        assert poll(contacts) == [(ROTATE_CW, 1, 77)]

    def test_a_lost_gamepad_releases_its_buttons(self, window: Window, joystick: Joystick, contacts: Contacts) -> None:
        joystick.plug_in()
        joystick.button(DPLEFT)
        joystick.plug_out()
        assert poll(contacts) == [(LEFT, 1, 77), (LEFT, 0, 77)]
        joystick.plug_in()
        joystick.button(A)
        assert poll(contacts) == [(ROTATE_CW, 1, 77)]

    def test_the_legend_names_its_buttons(self, window: Window, joystick: Joystick) -> None:
        rows = len(window._legend.rows)
        joystick.plug_in()
        assert len(window._legend.rows) == rows + 9
        joystick.plug_out()
        assert len(window._legend.rows) == rows

    def test_an_unknown_gamepad_is_told_once_with_what_to_do(self, joystick: Joystick, open_window: Opener) -> None:
        told: list[str] = []
        window = open_window(controllers=Controllers(Gamepads(Contacts()), told.append))
        joystick.tell = window.pump
        rows = len(window._legend.rows)
        joystick.plug_in(0)
        joystick.button(A)
        window.pump()
        assert len(told) == 1 and "\n" not in told[0]
        assert re.search(
            r" has no mapping, so it does nothing; put its line of gamecontrollerdb.txt into .*txt$", told[0]
        )
        assert len(window._legend.rows) == rows + 3
        joystick.plug_out()
        assert len(window._legend.rows) == rows

    def test_the_players_own_mapping_makes_it_known(
        self, joystick: Joystick, open_window: Opener, contacts: Contacts, tmp_path: Path, monkeypatch
    ) -> None:
        path = tmp_path / "gamecontrollerdb.txt"
        monkeypatch.setenv("SDL_GAMECONTROLLERCONFIG_FILE", str(path))
        pygame.joystick.init()
        joystick.plug_in(0)
        guid = pygame.joystick.Joystick(joystick.index).get_guid()
        joystick.plug_out()
        pygame.joystick.quit()
        path.write_text(f"{guid},Odd Pad,a:b3,platform:Linux,\n", encoding="utf-8")
        pygame.joystick.init()
        joystick.plug_in(0)
        joystick.tell = open_window(controllers=Controllers(Gamepads(contacts))).pump
        joystick.tell()
        joystick.button(3)
        assert poll(contacts) == [(ROTATE_CW, 1, 77)]


def test_pixels_have_gaps_if_there_is_room() -> None:
    assert [oled.gap_px(scale) for scale in (1, 2, 3, 6, 12)] == [0, 0, 1, 1, 2]
