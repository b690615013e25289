"""settings.toml: every key, one line for each mistake, 6 to 8 buttons, every kind of display."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from firmware.device import profiles
from firmware.device.chip import PAIRS
from firmware.device.config_error import list_names
from firmware.device.settings_file import parse
from firmware.device.wiring import BUTTONS, KEYS, NONE, PIN, PIN_OR_NONE, PREFIX, WiringError
from firmware.device.wiring_reading import read
from firmware.engine import controls
from firmware.save import buttons
from firmware.save.settings import Settings
from sim import settings_check
from tests.support.polling import poll_untimed
from tools.deploy.image import KINDS

PICO = settings_check.PINS_OF_A_PICO
PINS_OF_A_PICO = "A0-A3 GP0-GP28 GP26_A0 GP27_A1 GP28_A2 LED SMPS_MODE VBUS_SENSE VOLTAGE_MONITOR"
DISPLAYS = ", ".join(next(allowed for key, _default, allowed in KEYS if key == "DISPLAY"))
DEFAULTS = {key: default for key, default, _ in KEYS}
ONE_EACH = "one for each, and a key without a line has its default"
CHORDS = {controls.HOLD: 0b100_0001, controls.PAUSE: 0b1001}
PINS = [key for key, default, allowed in KEYS if allowed in (PIN, PIN_OR_NONE) and default != NONE]


def read_settings(settings: dict[str, object] | None = None) -> dict[str, Any]:
    return read_lines(write_lines({PREFIX + key: value for key, value in (settings or {}).items()}))


def write_lines(settings: dict[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())


def read_lines(text: str) -> dict[str, Any]:
    return settings_check.check(parse(text.encode()), profiles.find("raspberry_pi_pico"), "raspberry_pi_pico")


class TestSettings:
    def test_deploy_knows_every_kind_of_display(self) -> None:
        assert ", ".join(KINDS) == DISPLAYS

    def test_defaults_put_each_part_on_its_own_pin_of_a_pico(self) -> None:
        values = read_settings()
        pins = [values[key] for key in PINS]
        assert pins == [PICO[str(DEFAULTS[key])] for key in PINS] and len(set(map(id, pins))) == len(pins) == 11
        expected = {"DISPLAY": "ssd1306", "ROTATION": 90, "I2C_ADDRESS": 0x3C, "I2C_HZ": 400_000}
        assert {key: values[key] for key in expected} == expected

    def test_buttons_are_in_the_order_of_the_controls(self) -> None:
        assert [getattr(controls, name) for name in BUTTONS] == list(range(8))

    @pytest.mark.parametrize("key", PINS)
    def test_every_pin_can_be_changed(self, key: str) -> None:
        other = {"SDA": "GP4", "SCL": "GP5"}.get(key, "GP22")
        moved = {"SDA": {"SOFT_DROP": "GP0"}, "SCL": {"HARD_DROP": "GP1"}}.get(key, {})
        assert read_settings({key: other, **moved})[key] is PICO[other]

    @pytest.mark.parametrize(
        ("key", "text", "value"),
        [
            *(("I2C_ADDRESS", text, number) for text, number in (("61", 61), ("0x3D", 0x3D), (61, 61))),
            *((key, "none", None) for key in ("HOLD", "PAUSE", "BUZZER")),
        ],
    )
    def test_a_number_can_be_text_and_a_part_can_be_none(self, key: str, text: object, value: int | None) -> None:
        assert read_settings({key: text})[key] == value

    @pytest.mark.parametrize(
        "line",
        [
            *(f"SKYLINE_{key} is none, allowed: {PINS_OF_A_PICO}" for key in ("LEFT", "SDA", "ROTATE_CW")),
            f"SKYLINE_LEFT is GP33, allowed: {PINS_OF_A_PICO}",
            f"skyline_left is gp33, allowed: {PINS_OF_A_PICO}",
            f"SKYLINE_HOLD is gp33, allowed: {PINS_OF_A_PICO} or none",
            f"SKYLINE_LEFT is GP2 and SKYLINE_HOLD is GP2, the same pin, allowed: {ONE_EACH}",
            f"SKYLINE_LEFT is GP2 and skyline_hold is gp2, the same pin, allowed: {ONE_EACH}",
            f"SKYLINE_LEFT is GP3 and SKYLINE_RIGHT is GP3, the same pin, allowed: {ONE_EACH}",
            f"SKYLINE_SDA is GP20 with SKYLINE_SCL GP19, allowed: {PAIRS}",
            f"SKYLINE_SDA is GP21 with SKYLINE_SCL GP20, allowed: {PAIRS}",
            f"SKYLINE_SDA is GP16 with SKYLINE_SCL GP18, allowed: {PAIRS}",
            f"SKYLINE_SDA is GP18 with SKYLINE_SCL GP21, allowed: {PAIRS}",
            f"skyline_sda is gp21 with SKYLINE_SCL gp20, allowed: {PAIRS}",
            "SKYLINE_I2C_HZ is fast, allowed: 100000 to 1000000",
            "SKYLINE_I2C_HZ is 2000000, allowed: 100000 to 1000000",
            "SKYLINE_I2C_ADDRESS is 0x80, allowed: 0x8 to 0x77",
            "skyline_i2c_address is 0x80, allowed: 0x8 to 0x77",
            "SKYLINE_ROTATION is 45, allowed: 0, 90, 180, 270",
            "SKYLINE_ROTATION is 0, allowed: 90 or 270, the picture stands upright on the long side",
            f"SKYLINE_DISPLAY is oled, allowed: {DISPLAYS}",
            f"skyline_display is Oled, allowed: {DISPLAYS}",
        ],
    )
    def test_an_error_quotes_the_setting_and_lists_allowed_values(self, line: str) -> None:
        words = re.findall(r"(\S+) (?:is )?(\S+)(?: with | and )?", re.split(", (?:the|allowed)", line)[0])
        with pytest.raises(WiringError, match=f"^{re.escape(line)}$"):
            read_lines(write_lines(dict(words)))

    def test_a_pin_used_twice_under_two_names_is_refused(self) -> None:
        with pytest.raises(WiringError, match="SKYLINE_LEFT is GP26 and SKYLINE_BUZZER is A0, the same pin"):
            read_settings({"LEFT": "GP26", "BUZZER": "A0"})

    def test_keys_and_values_can_be_upper_or_lower_case(self) -> None:
        small = {"skyline_left": "gp10", "skyline_hold": "None", "skyline_display": "SSD1306"}
        small["skyline_i2c_address"] = "0X3d"
        values = read_lines(write_lines(small))
        assert (values["LEFT"], values["HOLD"], values["DISPLAY"]) == (PICO["GP10"], None, "ssd1306")
        assert (values["I2C_ADDRESS"], values["RIGHT"]) == (0x3D, PICO["GP3"])

    def test_every_pair_in_the_error_message_is_accepted(self) -> None:
        for group in PAIRS.split(", or "):
            sda, scl = (part.split("GP")[1].split() for part in group.split(" with "))
            for data in sda:
                for clock in scl:
                    settings: dict[str, object] = {"SDA": f"GP{data}", "SCL": f"GP{clock}"}
                    spare = [f"GP{n}" for n in range(23) if f"{n}" not in (data, clock)]
                    settings.update({key: spare[i] for i, key in enumerate((*BUTTONS, "BUZZER"))})
                    assert read_settings(settings)["SDA"] is PICO[f"GP{data}"]

    def test_a_builtin_display_needs_no_bus(self) -> None:
        values: dict[str, Any] = {}
        read(parse(b'SKYLINE_DISPLAY = "board"\nSKYLINE_ROTATION = 0\nSKYLINE_LEFT = "GP0"'), PICO, values)
        assert (values["SDA"], values["LEFT"]) == (None, PICO["GP0"])

    def test_pins_of_other_boards_are_not_checked(self) -> None:
        names: dict[str, object] = {name: object() for name in ("SDA", "SCL", *(f"D{n}" for n in range(9)))}
        settings = {f"SKYLINE_{key}": f"D{i}" for i, key in enumerate((*BUTTONS, "BUZZER"))}
        values: dict[str, Any] = {}
        read(parse(write_lines({**settings, "SKYLINE_SDA": "SDA", "SKYLINE_SCL": "SCL"}).encode()), names, values)
        assert values["SDA"] is names["SDA"]

    @pytest.mark.parametrize(
        ("name", "near"),
        [
            ("SKYLINE_LEFFT", "SKYLINE_LEFT"),
            ("skyline_lefft", "SKYLINE_LEFT"),
            ("Skyline_Left", "SKYLINE_LEFT"),  # a mixed-case key would be ignored
            ("SKYLINE-LEFT", "SKYLINE_LEFT"),
            ("SKYLIN_LEFT", "SKYLINE_LEFT"),
            ("SKYLINE_ROTATE_CC", "SKYLINE_ROTATE_CW"),
            ("SKYLINE_" + "X" * 5000, "SKYLINE_"),
        ],
    )
    def test_a_misspelt_key_is_named_with_the_nearest_one(self, name: str, near: str) -> None:
        parse(b'SKYLINE_LEFT = "GP2"\n# SKYLINE_LEFFT is a comment\nCIRCUITPY_WIFI_SSID = "x"\nspeed = 1.5\n\n')
        with pytest.raises(WiringError, match=rf"^{name[:40]}(\.\.\.)? is no key in line 2, the nearest is {near}"):
            parse(f'\n{name} = "GP2"\n'.encode())

    def test_consecutive_pins_are_listed_as_ranges(self) -> None:
        names = dict.fromkeys(["GP1", "GP0", "GP10", "GP2", "LED", "A0", "GP26_A0"], 0)
        assert list_names(names) == "A0 GP0-GP2 GP10 GP26_A0 LED"


class TestOnTheBoard:
    """Run firmware.device.boot.pico with faked pins and buses."""

    @pytest.fixture
    def crash_parts(self, workbench) -> ModuleType:
        return import_module("firmware.device.boot.crash_parts")

    def test_settings_move_the_pins(self, build, workbench) -> None:
        device = build(LEFT="GP22", SDA="GP20", SCL="GP21", I2C_HZ="1000000", BUZZER="A0")
        workbench.pins[22].press()
        workbench.pass_time(20)
        assert poll_untimed(device.buttons) == [(controls.LEFT, 1)]
        assert workbench.pins[20].used_by.frequency == 1_000_000
        assert workbench.outputs[0].pin is workbench.pins[26]

    @pytest.mark.parametrize(
        ("left_out", "pin", "control", "wired"),
        [(("HOLD", "PAUSE"), 7, controls.ROTATE_CCW, 0b0011_1111), (("HOLD",), 9, controls.PAUSE, 0b1011_1111)],
    )
    def test_buttons_keep_their_numbers_without_others(self, build, workbench, left_out, pin, control, wired) -> None:
        device = build(**dict.fromkeys(left_out, "none"))
        assert device.wired == wired
        workbench.pins[pin].press()
        workbench.pass_time(20)
        assert poll_untimed(device.buttons) == [(control, 1)]

    @pytest.mark.parametrize(("chosen", "kept"), [({}, (0b11_0000, 0b11)), (CHORDS, (0b11_0000, 0b1001))])
    def test_six_buttons_get_a_chord_for_each_control_without_a_button(self, chosen, kept) -> None:
        settings = Settings()
        for control, mask in chosen.items():
            settings.buttons[control] = mask
        buttons.fit(settings, 0b0011_1111)
        assert list(settings.buttons) == [1, 2, 4, 8, 16, 32, *kept]

    def test_without_a_buzzer_tones_do_nothing(self, build, workbench) -> None:
        device = build(BUZZER="none")
        device.buzzer.tone(440, 1)
        device.buzzer.off()
        assert workbench.outputs == []

    def test_misspelt_key_is_found_in_the_file(self, pico, tmp_path: Path) -> None:
        (tmp_path / "settings.toml").write_text('SKYLINE_SDL = "GP1"\n')
        with pytest.raises(WiringError, match=r"^settings\.toml: SKYLINE_SDL is no key"):
            pico.build()

    def test_without_pull_ups_no_display_is_found(self, crash_parts, workbench) -> None:
        workbench.pull_ups = False
        assert crash_parts.find_display() is None

    def test_an_error_is_upright_even_with_an_invalid_rotation(self, crash_parts, toml) -> None:
        toml(ROTATION="180")
        assert crash_parts.guess()["ROTATION"] == 90

    def test_a_bus_in_use_leaves_existing_parts_and_the_buttons(self, crash_parts, workbench) -> None:
        workbench.pins[0].used_by = "the board itself"
        parts: dict[str, Any] = {}
        crash_parts.complete(parts)
        assert parts["display"] is None and parts["buttons"] is not None
        parts = {"display": "a display", "buttons": "buttons"}
        crash_parts.complete(parts)
        assert (parts["display"], parts["buttons"]) == ("a display", "buttons")

    def test_a_bus_with_a_pin_in_use_is_an_error(self, pico, workbench) -> None:
        workbench.pins[0].used_by = "the board itself"
        with pytest.raises(WiringError, match="SKYLINE_SDA and SKYLINE_SCL: GP0 in use"):
            pico.build()

    @pytest.mark.parametrize(("rotation", "chip"), [("90", "ssd1306"), ("270", "sh1106")])
    def test_displayio_drives_the_other_displays(self, build, workbench, rotation: str, chip: str) -> None:
        workbench.displays.append("of a former run")
        device = build(DISPLAY=chip if chip == "sh1106" else "displayio-ssd1306", ROTATION=rotation)
        (panel,) = workbench.displays
        assert (panel.chip.lower(), panel.rotation, panel.width, panel.height) == (chip, int(rotation), 64, 128)
        assert (panel.bus.device_address, panel.bus.i2c.frequency) == (0x3C, 400_000)
        device.display.canvas.fill(3, 3, 9, 9, 1)
        device.display.show()
        assert panel.picture == bytes(device.display.canvas.buffer[1:]) and device.bus is None

    def test_a_missing_display_library_is_an_error_that_names_the_tool(self, build, crash_parts, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "adafruit_displayio_ssd1306", None)
        with pytest.raises(WiringError, match=r"SKYLINE_DISPLAY is displayio-ssd1306, .*tools.deploy"):
            build(DISPLAY="displayio-ssd1306")
        assert crash_parts.find_display() is not None, "the direct driver can still show the error"

    @pytest.mark.parametrize(("settings", "rotation"), [({}, 180), ({"ROTATION": "0"}, 0)])
    def test_a_builtin_display_keeps_its_rotation_unless_set(self, toml, workbench, settings, rotation) -> None:
        workbench.display = sys.modules["workbench"].Panel("own")
        workbench.display.rotation = 180
        toml(DISPLAY="board", **settings)
        import_module("firmware.device.boot.pico").build().display.show()
        assert workbench.display.rotation == rotation and len(workbench.display.picture) == 1024

    def test_a_board_without_a_builtin_display_is_an_error(self, build) -> None:
        with pytest.raises(WiringError, match="this one has none"):
            build(DISPLAY="board", ROTATION="0")

    def test_the_bus_speed_can_change_in_use(self, device, workbench) -> None:
        canvas = device.display.canvas
        assert workbench.pins[0].used_by.frequency == 400_000
        for fast, hz in ((1, 1_000_000), (1, 1_000_000), (0, 400_000)):
            device.bus.hurry(fast)
            canvas.fill(0, 0, 20, 20 + fast, 1)
            device.display.show()
            assert workbench.pins[0].used_by.frequency == device.bus.hz == hz
            assert workbench.chips[0].picture() == bytes(canvas.buffer[1:])

    def test_driver_waits_while_there_is_no_bus(self, device, workbench) -> None:
        workbench.pull_ups = False
        device.bus.hurry(1)
        canvas = device.display.canvas
        canvas.fill(0, 0, 20, 20, 1)
        device.display.show()
        workbench.pull_ups = True
        device.display.show()
        assert workbench.chips[0].picture() == bytes(canvas.buffer[1:])
        assert workbench.pins[0].used_by.frequency == 1_000_000

    @pytest.mark.parametrize("turned", [0, 1])
    @pytest.mark.parametrize("rotation", ["90", "270"])
    def test_turn_is_relative_to_the_rotation_of_the_mounting(self, build, workbench, rotation: str, turned) -> None:
        display = build(ROTATION=rotation).display
        display.turn(turned)
        display.canvas.fill(0, 0, 20, 20, 1)
        display.show()
        assert workbench.chips[0].picture((rotation == "270") != bool(turned)) == bytes(display.canvas.buffer[1:])

    def test_the_board_reports_its_name_version_and_memory(self, device, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gc.mem_free", lambda: 12345, raising=False)
        assert device.machine.name == b"raspberry_pi_pico" and device.machine.version
        assert device.machine.free_bytes() == 12345

    def test_a_bus_deinitialised_twice_can_be_used_again(self, device) -> None:
        device.bus.deinit()
        device.bus.deinit()
        assert device.bus.try_lock()
        device.bus.unlock()

    def test_forget_also_drops_modules_that_the_package_does_not_hold(self, pico, monkeypatch) -> None:
        import firmware.device
        from firmware.device import wiring  # noqa: F401 - to have it loaded

        monkeypatch.delattr(firmware.device, "wiring")
        pico.forget()
        assert "firmware.device.wiring" not in sys.modules


WIRES = {"SCK": "GP18", "MOSI": "GP19", "DC": "GP20", "CS": "GP17"}


class TestSpi:
    @pytest.mark.parametrize(
        ("settings", "options"),
        [
            ({"DISPLAY": "sh1106"}, {"width": 64, "height": 128, "rotation": 90, "colstart": 2}),
            ({"DISPLAY": "displayio-ssd1306"}, {"width": 64, "height": 128, "rotation": 90}),
            ({"DISPLAY": "sh1107", "ROTATION": "0"}, {"width": 64, "height": 128, "rotation": 0}),
            (
                {"DISPLAY": "st7735", "ROTATION": "0", "WIDTH": "128", "HEIGHT": "160", "FIRST_COLUMN": "2"},
                {"width": 128, "height": 160, "rotation": 0, "colstart": 2, "rowstart": 0, "backlight_pin": None},
            ),
        ],
    )
    def test_a_display_with_a_clock_pin_is_on_spi(self, build, workbench, settings, options) -> None:
        device = build(**settings, **WIRES)
        (panel,) = workbench.displays
        assert panel.bus.baudrate == 24_000_000 and panel.options == {**options, "auto_refresh": False}
        assert device.bus is None and workbench.pins[0].used_by is None, "GP0 is free"

    @pytest.mark.parametrize(
        ("settings", "line"),
        [
            ({"DISPLAY": "st7789"}, "SKYLINE_SCK is none, allowed: a pin, because the display is on SPI"),
            ({"DISPLAY": "sh1106", "SCK": "GP18", "MOSI": "GP19"}, "SKYLINE_DC is none"),
            ({"SCK": "GP18"}, "SKYLINE_DISPLAY is ssd1306, allowed: displayio-ssd1306 or another kind"),
        ],
    )
    def test_wires_that_cannot_be_are_refused(self, settings: dict[str, str], line: str) -> None:
        with pytest.raises(WiringError, match=line):
            settings_check.check({key: (key, value) for key, value in settings.items()}, None, "raspberry_pi_pico")

    def test_a_missing_library_is_an_error_on_spi_too(self, build, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "adafruit_st7789", None)
        with pytest.raises(WiringError, match="SKYLINE_DISPLAY is st7789, allowed: only with its library"):
            build(DISPLAY="st7789", ROTATION="0", **WIRES)
