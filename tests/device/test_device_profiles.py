"""The profiles of boards: their pins exist, and an empty settings.toml plays on each (device/profiles.txt)."""

import importlib.util
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware.device import profiles
from firmware.device.libraries import COLOURED
from firmware.device.settings_file import parse
from firmware.device.wiring import BUTTONS, KEYS, NONE, OWN, PIN, PIN_OR_NONE, WiringError
from sim import board_screens
from sim.settings_check import find_pins
from tests.support import golden, needs

RECORDS = {record["board"]: record for record in profiles.read()}
with_own_display = pytest.mark.parametrize(
    "profile", [name for name in RECORDS if RECORDS[name].get("DISPLAY") == OWN], indirect=True
)
FACTS = ("board", "name", "chip", "tried", "drive", "display", "bus", "note")
MORE_FACTS = ("pins", "backlight")
MODULES = {"I2S_DATA": ("audiobusio", "synthio"), "SCK": ("fourwire", "busio.SPI"), "LEFT": ("keypad.Keys",)}


def read_stub(board: str) -> tuple[dict[str, int], set[str]]:
    """Return the pins of a board by name, and the modules of its CircuitPython, from circuitpython-stubs."""
    needs.demand_packages("board_definitions")
    found = importlib.util.find_spec("board_definitions")
    assert found and found.submodule_search_locations
    # A Pico with a display of another maker has no stub of its own.
    folder = "raspberry_pi_pico" if board.startswith("waveshare") else board
    text = Path(found.submodule_search_locations[0], folder, "__init__.pyi").read_text(encoding="utf-8")
    pins = re.findall(r"^(\w+): microcontroller.Pin  # GPIO(\d+)", text, re.M)
    modules = re.search(r"Included modules: (.*)", text)
    assert pins and modules
    return {name: int(number) for name, number in pins}, set(modules[1].split(", "))


@pytest.fixture(params=RECORDS)
def profile(request: pytest.FixtureRequest) -> dict[str, str]:
    return RECORDS[request.param]


@pytest.fixture
def board(workbench: Any, profile: dict[str, str], toml: Any) -> Any:
    """The faked board of a profile, with its display and an empty settings.toml."""
    pins, _modules = read_stub(profile["board"])
    workbench.pin_names = pins
    if profile["board"].startswith("waveshare"):
        toml(BOARD=profile["board"])
    else:
        workbench.board_id = profile["board"]
    if profile.get("DISPLAY") == OWN:
        width, height = map(int, profile["display"].split("x"))
        workbench.display = sys.modules["workbench"].Panel("own", width=width, height=height)
    return workbench


@pytest.fixture
def device(board: Any) -> Any:
    return import_module("firmware.device.boot.pico").build()


def test_a_profile_has_its_facts_and_keys_that_settings_toml_has(profile: dict[str, str]) -> None:
    keys = [key for key, _default, _allowed in KEYS]
    assert set(FACTS) <= set(profile) <= {*FACTS, *MORE_FACTS, *keys}
    assert profile["tried"] in ("nobody", "emulator", "board") and profile["chip"] in ("RP2040", "RP2350")


def test_width_and_height_are_those_of_the_screen_at_its_rotation() -> None:
    """As displayio counts them; `display` is the size at rotation 0."""
    for record in profiles.read():
        if record.get("DISPLAY") in COLOURED:
            screen = board_screens.find(record["board"])
            assert (record["WIDTH"], record["HEIGHT"]) == (str(screen.width), str(screen.height)), record["board"]


def test_the_pins_and_modules_of_a_profile_exist_on_its_board(profile: dict[str, str]) -> None:
    pins, modules = read_stub(profile["board"])
    named = [profile[key] for key, _default, allowed in KEYS if allowed in (PIN, PIN_OR_NONE) and key in profile]
    own = find_pins(profile, profile["board"], "")
    assert set(named) - {NONE} <= set(own) <= set(pins)
    assert {name: pins[name] for name in own} == own
    assert len(own) == len(set(own.values())) or "pins" not in profile, "no pin has two names"
    assert ("pins" in profile) == (profile.get("DISPLAY") == OWN)
    for key, needed in MODULES.items():
        if key in profile:
            assert modules.issuperset(needed), key
    assert profile.get("DISPLAY") != OWN or "displayio" in modules


def test_an_empty_settings_toml_wires_the_buttons_of_each_board(device: Any, profile: dict[str, str]) -> None:
    missing = [key for key in BUTTONS if profile.get(key) == NONE]
    every = 511 if "TARGET" in profile else 255
    assert device.wired == every - sum(1 << BUTTONS.index(key) for key in missing)


def test_each_board_sounds_by_what_it_has(board: Any, device: Any, profile: dict[str, str]) -> None:
    """By an amplifier on I2S or a piezo; what switches them on is on."""
    device.buzzer.tone(880, 16_384)
    if "I2S_DATA" in profile:
        (amplifier,) = board.amplifiers
        (note,) = amplifier.playing.pressed
        assert (note.frequency, note.amplitude) == (880, 0.5)
        device.buzzer.off()
        assert note.amplitude == 0
        device.buzzer.deinit()
    elif profile.get("BUZZER") != NONE:
        assert board.outputs[0].history[-1] == (880, 16_384)
    if "BUZZER_ENABLE" in profile:
        pin = board.pins[board.pin_names[profile["BUZZER_ENABLE"]]]
        assert pin.used_by is not None and pin.level is True


def test_each_picture_fills_the_middle_of_its_display(board: Any, device: Any, profile: dict[str, str]) -> None:
    device.display.canvas.fill(0, 0, 64, 128, 1)
    device.display.show()
    shown = 64, 128
    if board.displays:
        panel = board.displays[-1]
        width, height = panel.width, panel.height
        group = panel.root_group
        rows = group[0]
        size = group.scale * rows.bitmap.width
        shown = 8 * size, 16 * size
        assert (group.x, group.y) == ((width - shown[0]) // 2, (height - shown[1]) // 2)
        assert set(panel.picture) == {255}, "no row stays dark"
        assert width >= shown[0] and height >= shown[1]
    assert board_screens.find(profile["board"]).shown == shown


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["title", "race_pace", "match_players_2"])
def test_each_display_shows_the_title_a_game_and_a_match(board, device, profile, name: str) -> None:
    display = device.display
    art = (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for y, line in enumerate(art):
        for x, half in enumerate(line[1:-1]):
            for below in range(2):
                display.canvas.fill(x, 2 * y + below, 1, 1, golden.HALVES.index(half) >> below & 1)
    display.show()
    picture = bytes(display.canvas.buffer[1:])
    if not board.displays:
        assert board.chips[0].picture() == picture
        return
    panel = board.displays[-1]
    group = panel.root_group
    rows = group[0]
    screen = Image.new("L", (panel.width, panel.height))
    for at, tile in enumerate(panel.picture):
        for x, lit in enumerate(rows.bitmap.pixels[tile]):
            left, top = (at % 8 * rows.bitmap.width + x) * group.scale, at // 8 * group.scale
            box = left + group.x, top + group.y, left + group.x + group.scale, top + group.y + group.scale
            screen.paste(255 * lit, box)
    twin = board_screens.find(profile["board"])
    shown = twin.enlarge(picture, (255, 255, 255))
    assert shown.size == screen.size and shown.convert("L").tobytes() == screen.tobytes()
    assert twin.reduce(shown) == picture


class TestChoice:
    def test_settings_toml_comes_before_the_profile(self) -> None:
        name = "hack_club_sprig"
        written = profiles.overlay(parse(b'SKYLINE_LEFT = "GP20"\nskyline_hold = "none"'), name)
        assert (written["LEFT"], written["RIGHT"]) == (("LEFT", "GP20"), ("RIGHT", "BUTTON_D"))
        assert written["HOLD"] == ("hold", "none") and "note" not in written

    @pytest.mark.parametrize("name", ["raspberry_pi_pico2_w", "a_board_that_nobody_knows"])
    def test_picos_and_unknown_boards_have_the_defaults(self, name: str) -> None:
        written: Any = {"LEFT": ("LEFT", "GP20")}
        assert profiles.overlay(written, name) is written

    @pytest.mark.parametrize("key", ["SKYLINE_BOARD", "skyline_board"])
    def test_settings_toml_can_name_a_profile(self, key: str) -> None:
        written = profiles.overlay(parse(f'{key} = "Waveshare_Pico_LCD_1_3"'.encode()), "raspberry_pi_pico")
        assert written["DISPLAY"] == ("DISPLAY", "st7789")

    def test_an_unknown_name_is_refused_with_the_known_ones(self) -> None:
        with pytest.raises(WiringError, match=r"SKYLINE_BOARD is spring, allowed: .*hack_club_sprig .*waveshare"):
            profiles.overlay({"BOARD": ("BOARD", "spring")}, "raspberry_pi_pico")


@with_own_display
def test_the_error_screen_of_a_board_is_its_own_and_upright(board: Any, profile: dict[str, str], toml) -> None:
    toml(HOLD="GP99")
    display: Any = import_module("firmware.device.boot.crash_parts").find_display()
    assert display._display is board.display
    assert board.display.rotation == int(profile["ROTATION"])


def test_the_error_screen_without_a_known_profile_has_the_defaults(workbench: Any, toml) -> None:
    workbench.board_id = "hack_club_sprig"
    toml(BOARD="spring")
    assert import_module("firmware.device.boot.crash_parts").guess()["DISPLAY"] == "ssd1306"


def test_b_at_power_on_is_the_button_of_the_profile(board: Any, profile: dict[str, str], workbench) -> None:
    drive = import_module("firmware.device.boot.drive")
    pin = board.pins[board.pin_names[profile.get("ROTATE_CCW", "GP7")]]
    drive.settle()
    assert drive.find_pin() is pin and not workbench.drive_is_ours
    pin.press()
    drive.settle()
    assert workbench.drive_is_ours


def test_the_test_of_the_buttons_names_those_of_the_profile(board: Any, profile: dict[str, str]) -> None:
    names = import_module("firmware.device.machine").Board().list_pins()
    pins = [profile.get(key, default) for key, default, _allowed in KEYS if key in (*BUTTONS, "TARGET")]
    assert max(map(len, names)) <= 16
    for name, pin in zip(names, pins, strict=True):
        assert pin.upper().endswith(name.decode().replace(" ", "_"))


@with_own_display
def test_a_turned_picture_stays_turned_after_a_restart(board: Any, profile: dict[str, str]) -> None:
    """A restart leaves a built-in display's rotation as it is."""
    for _ in range(2):
        display = import_module("firmware.device.boot.pico").build().display
        display.turn(1)
        assert board.display.rotation == (int(profile["ROTATION"]) + 180) % 360
        for pin in board.pins:
            pin.used_by = None
        board.outputs.clear()
        board.scanners.clear()
