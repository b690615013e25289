"""Find what a recipe added to a copy of the sources: `added.py NAME` (tests/house/test_recipes.py)."""

import runpy
import sys
from pathlib import Path
from typing import Any

import firmware
from firmware.engine.controls import HARD_DROP, RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.save.settings import Settings
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld

assert Path(firmware.__file__).parents[1] == Path.cwd(), "this is no copy"


def mode() -> None:
    runpy.run_path("tests/processes/added_mode.py")


def option() -> None:
    """It is the last line of its menu, and the choice outlives power-off."""
    store = [RamStore(4096)]
    handheld = Handheld(store=store, first="options.sound")
    assert handheld.scene.lines[-1] == b"CHIME" and handheld.settings.chime == 0
    handheld.tap(HARD_DROP, RIGHT)
    assert handheld.scene.value(handheld.scene.at) == b"ON"
    handheld.tap(ROTATE_CCW)
    assert Handheld(store=[RamStore(store[0].image)]).settings.chime == 1


def scene() -> None:
    """The help leads to it, and B leads back."""
    handheld = Handheld(first="help.help")
    handheld.tap(HARD_DROP, ROTATE_CW)
    assert handheld.name == "help.thanks" and handheld.scene.lines == [b"YOU"]
    handheld.tap(ROTATE_CCW)
    assert handheld.name == "help.help" and handheld.scene.lines[handheld.scene.at] == b"THANKS"


def sound() -> None:
    """It sounds by its name, with the notes of its score."""
    from firmware.sound import effects
    from tools.sounds import list_effects

    handheld = Handheld(first="menus.main")
    handheld.context.voice.tell_menu(vars(effects)["CHIME"])
    handheld.step()
    buzzer: Any = handheld.device.buzzer
    assert list_effects()[-1] == "chime" and 2000 < buzzer.hz < 2200


def opener() -> None:
    """The trainer lists it, and its README counts its bags."""
    handheld = Handheld(first="learn.opener_menu")
    assert handheld.scene.lines[-1] == b"TKI LEFT"
    assert "| TKI LEFT " in Path("tools/openers/README.md").read_text(encoding="utf-8")


def puzzle() -> None:
    """LEARN lists it, and a press begins it."""
    handheld = Handheld(first="learn.puzzle_menu")
    assert handheld.scene.lines[-1].endswith(b" MY PUZZLE")
    handheld.tap(HARD_DROP, ROTATE_CW)
    assert handheld.name == "learn.puzzle_play" and handheld.game.hold == 3  # L


def display() -> None:
    """Settings allow it, with the keys of a display that has colours."""
    from firmware.device.settings_file import parse
    from sim.settings_check import check

    wires = "".join(f'SKYLINE_{key} = "GP{pin}"\n' for key, pin in (("SCK", 18), ("MOSI", 19), ("DC", 20)))
    found = check(parse(f'SKYLINE_DISPLAY = "ili9341"\n{wires}'.encode()), None, "raspberry_pi_pico")
    assert (found["DISPLAY"], found["WIDTH"]) == ("ili9341", 240)
    assert '"ili9341"' in Path("firmware/device/README.md").read_text(encoding="utf-8").partition("## ")[2]


def board() -> None:
    """Its profile is found, and the simulator shows its screen."""
    from firmware.device import profiles
    from sim import board_screens

    assert profiles.list_names()[-1] == "waveshare_pico_lcd_1_14"
    assert board_screens.find("waveshare_pico_lcd_1_14").shown == (120, 240)


assert Settings().ready == 0
globals()[sys.argv[1]]()
print("it is there")
