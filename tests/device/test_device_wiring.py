"""What settings.toml may say: every key, every mistake in one line, 6 to 8 buttons, every kind of display."""

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from firmware.device.config_error import PAIRS, check_names, list_names
from firmware.device.wiring import BUTTONS, KEYS, NONE, PIN, PIN_OR_NONE, PREFIX, WiringError
from firmware.device.wiring_reading import read
from firmware.engine import controls
from firmware.save import settings_fields
from firmware.save.settings import Settings
from tests.support.polling import poll_untimed

PICO: dict[str, object] = {f"GP{n}": object() for n in (*range(23), 25, 26, 27, 28)}
PICO["A0"] = PICO["GP26"]
PINS_OF_A_PICO = "A0 GP0-GP22 GP25-GP28"
DEFAULTS = {key: default for key, default, _ in KEYS}
CHORDS = {controls.HOLD: 0b100_0001, controls.PAUSE: 0b1001}
PINS = [key for key, default, allowed in KEYS if allowed in (PIN, PIN_OR_NONE) and default != NONE]


def found(settings: dict[str, object] | None = None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    read({PREFIX + key: value for key, value in (settings or {}).items()}.get, PICO, values)
    return values


class TestSettings:
    def test_defaults_are_a_pico_with_all_parts_on_pins_of_their_own(self) -> None:
        values = found()
        pins = [values[key] for key in PINS]
        assert pins == [PICO[str(DEFAULTS[key])] for key in PINS] and len(set(map(id, pins))) == len(pins) == 11
        expected = {"DISPLAY": "ssd1306", "ROTATION": 90, "I2C_ADDRESS": 0x3C, "I2C_HZ": 400_000}
        assert {key: values[key] for key in expected} == expected

    def test_buttons_stand_in_the_order_of_the_controls(self) -> None:
        assert [getattr(controls, name) for name in BUTTONS] == list(range(8))

    @pytest.mark.parametrize("key", PINS)
    def test_every_pin_can_be_another(self, key: str) -> None:
        other = {"SDA": "GP4", "SCL": "GP5"}.get(key, "GP22")
        moved = {"SDA": {"SOFT_DROP": "GP0"}, "SCL": {"HARD_DROP": "GP1"}}.get(key, {})
        assert found({key: other, **moved})[key] is PICO[other]

    @pytest.mark.parametrize(
        ("key", "text", "value"),
        [
            *(("I2C_ADDRESS", text, number) for text, number in (("61", 61), ("0x3D", 0x3D), (61, 61))),
            *((key, "none", None) for key in ("HOLD", "PAUSE", "BUZZER")),
        ],
    )
    def test_number_may_be_text_and_a_part_left_out(self, key: str, text: object, value: int | None) -> None:
        assert found({key: text})[key] == value

    @pytest.mark.parametrize(
        "line",
        [
            *(f"SKYLINE_{key} is none, allowed: {PINS_OF_A_PICO}" for key in ("LEFT", "SDA", "ROTATE_CW")),
            f"SKYLINE_LEFT is GP33, allowed: {PINS_OF_A_PICO}",
            f"skyline_left is gp33, allowed: {PINS_OF_A_PICO}",
            f"SKYLINE_HOLD is gp33, allowed: {PINS_OF_A_PICO} or none",
            "SKYLINE_HOLD is GP2, allowed: any pin but this, which is SKYLINE_LEFT",
            "SKYLINE_HOLD is gp2, allowed: any pin but this, which is SKYLINE_LEFT",
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
            "SKYLINE_DISPLAY is oled, allowed: ssd1306, displayio-ssd1306, sh1106, board",
            "skyline_display is Oled, allowed: ssd1306, displayio-ssd1306, sh1106, board",
        ],
    )
    def test_what_is_wrong_is_named_as_written_with_what_is_allowed(self, line: str) -> None:
        words = re.findall(r"(\S+) (?:is )?(\S+)(?: with )?", line.partition(", allowed: ")[0])
        with pytest.raises(WiringError) as wrong:
            read(dict(words).get, PICO, {})
        assert str(wrong.value) == line

    def test_pin_used_twice_by_two_of_its_names_is_the_same_pin(self) -> None:
        with pytest.raises(WiringError, match="which is SKYLINE_LEFT"):
            found({"LEFT": "GP26", "BUZZER": "A0"})

    def test_keys_and_values_are_in_capitals_or_in_small_letters(self) -> None:
        small = {"skyline_left": "gp10", "skyline_hold": "None", "skyline_display": "SSD1306"}
        small["skyline_i2c_address"] = "0X3d"
        values: dict[str, Any] = {}
        read(small.get, PICO, values)
        assert (values["LEFT"], values["HOLD"], values["DISPLAY"]) == (PICO["GP10"], None, "ssd1306")
        assert (values["I2C_ADDRESS"], values["RIGHT"]) == (0x3D, PICO["GP3"])

    def test_every_pair_that_the_message_allows_is_allowed(self) -> None:
        for group in PAIRS.split(", or "):
            sda, scl = (part.split("GP")[1].split() for part in group.split(" with "))
            for data in sda:
                for clock in scl:
                    settings: dict[str, object] = {"SDA": f"GP{data}", "SCL": f"GP{clock}"}
                    spare = [f"GP{n}" for n in range(23) if f"{n}" not in (data, clock)]
                    settings.update({key: spare[i] for i, key in enumerate((*BUTTONS, "BUZZER"))})
                    assert found(settings)["SDA"] is PICO[f"GP{data}"]

    def test_display_of_the_board_needs_no_bus(self) -> None:
        values = found({"DISPLAY": "board", "ROTATION": "0", "LEFT": "GP0"})
        assert (values["SDA"], values["LEFT"]) == (None, PICO["GP0"])

    def test_pins_of_other_boards_are_left_to_their_own_check(self) -> None:
        names: dict[str, object] = {name: object() for name in ("SDA", "SCL", *(f"D{n}" for n in range(9)))}
        settings = {f"SKYLINE_{key}": f"D{i}" for i, key in enumerate((*BUTTONS, "BUZZER"))}
        values: dict[str, Any] = {}
        read({**settings, "SKYLINE_SDA": "SDA", "SKYLINE_SCL": "SCL"}.get, names, values)
        assert values["SDA"] is names["SDA"]

    def test_key_that_is_misspelt_is_named(self) -> None:
        check_names(['SKYLINE_LEFT = "GP2"\n', "# SKYLINE_LEFFT is a comment\n", 'CIRCUITPY_WIFI_SSID = "x"\n', "\n"])
        with pytest.raises(WiringError, match=r"SKYLINE_LEFFT is no key, allowed: SKYLINE_ and DISPLAY, .*, BUZZER"):
            check_names(['SKYLINE_LEFFT = "GP2"\n'])
        check_names(['skyline_left = "gp2"\n'])
        for name in ("skyline_lefft", "Skyline_Left"):  # a key in both cases would not be found
            with pytest.raises(WiringError, match=f"^{name} is no key, allowed"):
                check_names([f'{name} = "GP2"\n'])

    def test_pins_are_listed_in_few_words(self) -> None:
        names = dict.fromkeys(["GP1", "GP0", "GP10", "GP2", "LED", "A0", "GP26_A0"], 0)
        assert list_names(names) == "A0 GP0-GP2 GP10 GP26_A0 LED"


class TestOnTheBoard:
    """Through firmware.device.boot.pico, pins and buses faked."""

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
    def test_six_buttons_get_chords_where_the_player_s_choice_cannot_stay(self, chosen, kept) -> None:
        settings = Settings()
        for control, mask in chosen.items():
            settings.buttons[control] = mask
        settings_fields.fit(settings, 0b0011_1111)
        assert list(settings.buttons) == [1, 2, 4, 8, 16, 32, *kept]

    def test_without_a_buzzer_all_is_silence(self, build, workbench) -> None:
        device = build(BUZZER="none")
        device.buzzer.tone(440, 1)
        device.buzzer.off()
        assert workbench.outputs == []

    def test_misspelt_key_is_found_in_the_file(self, pico, tmp_path: Path) -> None:
        (tmp_path / "settings.toml").write_text('SKYLINE_SDL = "GP1"\n')
        with pytest.raises(WiringError, match="SKYLINE_SDL is no key"):
            pico.build()

    def test_no_pull_ups_mean_no_display_to_show_an_error_on(self, crash_parts, workbench) -> None:
        workbench.pull_ups = False
        assert crash_parts.find_display() is None

    def test_error_stands_upright_whatever_rotation_is_written(self, crash_parts, toml) -> None:
        toml(ROTATION="180")
        assert crash_parts.guess()["ROTATION"] == 90

    def test_bus_that_cannot_be_had_leaves_what_is_there_and_the_buttons(self, crash_parts, workbench) -> None:
        workbench.pins[0].used_by = "the board itself"
        parts: dict[str, Any] = {}
        crash_parts.complete(parts)
        assert parts["display"] is None and parts["buttons"] is not None
        parts = {"display": "a display", "buttons": "buttons"}
        crash_parts.complete(parts)
        assert (parts["display"], parts["buttons"]) == ("a display", "buttons")

    def test_bus_that_refuses_its_pins_says_so(self, pico, workbench) -> None:
        workbench.pins[0].used_by = "the board itself"
        with pytest.raises(WiringError, match="SKYLINE_SDA and SKYLINE_SCL: GP0 in use"):
            pico.build()

    @pytest.mark.parametrize(("rotation", "chip"), [("90", "ssd1306"), ("270", "sh1106")])
    def test_displayio_drives_the_other_kinds(self, build, workbench, rotation: str, chip: str) -> None:
        workbench.displays.append("of a former run")
        device = build(DISPLAY=chip if chip == "sh1106" else "displayio-ssd1306", ROTATION=rotation)
        (panel,) = workbench.displays
        assert (panel.chip.lower(), panel.rotation, panel.width, panel.height) == (chip, int(rotation), 64, 128)
        assert (panel.bus.device_address, panel.bus.i2c.frequency) == (0x3C, 400_000)
        device.display.canvas.fill(3, 3, 9, 9, 1)
        device.display.show()
        assert panel.picture == bytes(device.display.canvas.buffer[1:]) and device.bus is None

    def test_display_whose_library_is_missing_names_the_tool(self, build, crash_parts, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "adafruit_displayio_ssd1306", None)
        with pytest.raises(WiringError, match=r"SKYLINE_DISPLAY is displayio-ssd1306, .*tools.deploy"):
            build(DISPLAY="displayio-ssd1306")
        assert crash_parts.find_display() is not None, "the direct driver can still say so"

    @pytest.mark.parametrize(("settings", "rotation"), [({}, 180), ({"ROTATION": "0"}, 0)])
    def test_display_of_the_board_keeps_its_rotation_unless_told(self, toml, workbench, settings, rotation) -> None:
        workbench.display = sys.modules["workbench"].Panel("own")
        workbench.display.rotation = 180
        toml(DISPLAY="board", **settings)
        import_module("firmware.device.boot.pico").build().display.show()
        assert workbench.display.rotation == rotation and len(workbench.display.picture) == 1024

    def test_board_without_a_display_of_its_own_says_so(self, build) -> None:
        with pytest.raises(WiringError, match="this one has none"):
            build(DISPLAY="board", ROTATION="0")

    def test_speed_of_the_bus_changes_under_the_driver(self, device, workbench) -> None:
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
    def test_player_turns_the_picture_from_how_it_is_mounted(self, build, workbench, rotation: str, turned) -> None:
        display = build(ROTATION=rotation).display
        display.turn(turned)
        display.canvas.fill(0, 0, 20, 20, 1)
        display.show()
        assert workbench.chips[0].picture((rotation == "270") != bool(turned)) == bytes(display.canvas.buffer[1:])

    def test_board_tells_its_name_version_and_memory(self, device, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gc.mem_free", lambda: 12345, raising=False)
        assert device.machine.name == b"raspberry_pi_pico" and device.machine.version
        assert device.machine.free_bytes() == 12345

    def test_bus_that_was_let_go_twice_comes_back(self, device) -> None:
        device.bus.deinit()
        device.bus.deinit()
        assert device.bus.try_lock()
        device.bus.unlock()

    def test_what_the_package_does_not_hold_is_forgotten_too(self, pico, monkeypatch: pytest.MonkeyPatch) -> None:
        import firmware.device
        import firmware.device.wiring

        monkeypatch.delattr(firmware.device, "wiring")
        pico.forget()
        assert "firmware.device.wiring" not in sys.modules
