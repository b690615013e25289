"""Deploy checks settings.toml as the board would, and writes one with every usual key."""

import re

import pytest

from firmware.device.settings_file import parse
from firmware.device.wiring import NONE, PREFIX
from firmware.device.wiring_reading import read
from sim.settings_check import PINS_OF_A_PICO
from tests.support.deployed import BOARD
from tools.deploy import DeployError, image, settings


def test_settings_list_every_usual_key_with_its_default() -> None:
    lines = image.settings_text().splitlines()
    keys = [line.removeprefix("# ") for line in lines if line.startswith(f"# {PREFIX}")]
    assert len(keys) == len(image.USUAL) == 14
    written = parse("\n".join(keys).encode())
    values: dict[str, object] = {}
    read(written, {f"GP{n}": n for n in range(29)}, values)
    assert len(written) == len(keys)
    defaults = {key: default for key, default, _ in image.USUAL if not str(default).startswith("GP")}
    expected = {key: None if default == NONE else default for key, default in defaults.items()}
    assert {key: values[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "ssd1306"),
        ('# SKYLINE_DISPLAY = "sh1106"', "ssd1306"),
        ('SKYLINE_DISPLAY = "sh1106" # big', "sh1106"),
        ('X = 1\nSKYLINE_DISPLAY="sh1107"', "sh1107"),
        ('skyline_display = "SH1106"', "sh1106"),
        (' SKYLINE_DISPLAY="\\u0073h1106"\n[more]\nDISPLAY = [1', "sh1106"),
        ('WIFI = "what is this?"\nF = 3.5\nSKYLINE_ROTATION = 0x5A # 90', "ssd1306"),
        ('SKYLINE_LEFT = "A0"\nSKYLINE_RIGHT = "gp27_a1"\nSKYLINE_HOLD = "None"', "ssd1306"),
        ('SKYLINE_LINK_TX = "GP12"\r\nSKYLINE_LINK_RX = "GP13"\r\n', "ssd1306"),
    ],
)
def test_settings_choose_the_display(text: str, kind: str) -> None:
    assert settings.check(text, "raspberry_pi_pico") == kind


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('SKYLINE_DISPLAY = "oled"', "SKYLINE_DISPLAY is oled, allowed: ssd1306"),
        ("SKYLINE_X = 1", "SKYLINE_X is no"),
        ('SKYLINE_LEFT = "GP33"', "SKYLINE_LEFT is GP33, allowed: A0-A3 GP0-GP28 "),
        ('SKYLINE_LEFT = "GP3"', "SKYLINE_LEFT is GP3 and SKYLINE_RIGHT is GP3, the same pin, allowed: one"),
        ('SKYLINE_LEFT = "GP26"\nSKYLINE_HOLD = "A0"', "SKYLINE_LEFT is GP26 and SKYLINE_HOLD is A0, the same"),
        ("SKYLINE_LEFT = 'GP10'", "line 1: SKYLINE_LEFT = 'GP10', allowed: \"text\" in double quotes or a whole"),
        ('\nSKYLINE_LEFT = "GP10', 'line 2: SKYLINE_LEFT = "GP10, allowed: '),
        ('SKYLINE_LEFT = "GP10" and', "line 1: SKYLINE_LEFT"),
        ("SKYLINE_ROTATION = 90.0", "line 1: SKYLINE_ROTATION = 90.0, allowed"),
        ("SKYLINE_LINK_USB = true", "line 1: SKYLINE_LINK_USB = true, allowed"),
        ("SKYLINE_ROTATION =", "line 1: SKYLINE_ROTATION =, allowed"),
        ('SKYLINE_LINK_TX = "GP12"', "SKYLINE_LINK_TX is GP12 with SKYLINE_LINK_RX none, allowed: both or none"),
        ('X = 1\nSKYLINE_DISPLAY = "board"', "SKYLINE_DISPLAY is board, allowed: only where the board has"),
        ('SKYLINE_LINK_TX = "GP12"\nSKYLINE_LINK_RX = "GP21"', "SKYLINE_LINK_TX is GP12 with SKYLINE_LINK_RX GP21"),
    ],
)
def test_settings_refused_by_the_board_are_refused(text: str, words: str) -> None:
    for board in ("raspberry_pi_pico", "raspberry_pi_pico2"):
        with pytest.raises(DeployError, match="^settings.toml on the drive: " + re.escape(words)):
            settings.check(text, board)


def test_pins_are_those_of_the_board() -> None:
    assert set(PINS_OF_A_PICO) == set(BOARD.modules["board"]) - {"board_id", "STEMMA_I2C"}


def test_pin_names_of_another_board_are_accepted() -> None:
    text = 'SKYLINE_SDA = "SDA"\nSKYLINE_SCL = "SCL"\nSKYLINE_LEFT = "d5"\nSKYLINE_RIGHT = "D6"'
    assert settings.check(text, "adafruit_feather_rp2040") == "ssd1306"
    with pytest.raises(DeployError, match="SKYLINE_LEFT is d5 and SKYLINE_HOLD is D5, the same pin"):
        settings.check(text + '\nSKYLINE_HOLD = "D5"', "adafruit_feather_rp2040")
