"""The displayio path: Adafruit's drivers through Blinka, and a screen on a faked panel."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.view.canvas import HEIGHT, Canvas
from sim.board_screens import BAND_ROWS
from tests.support import needs

PROGRAM = Path(__file__).parents[1] / "processes" / "blinka_displayio.py"
PACKAGES = ("board", "displayio", "adafruit_displayio_ssd1306", "adafruit_displayio_sh1106")


@pytest.mark.parametrize(
    ("kind", "rotation"),
    [
        ("ssd1306", 0),
        ("sh1106", 180),
        ("colour", 180),
        ("square", 0),
        *(pytest.param(*pair, marks=pytest.mark.long) for pair in (("ssd1306", 180), ("sh1106", 0), ("colour", 0))),
    ],
)
def test_picture_through_blinka_is_the_canvas(kind: str, rotation: int) -> None:
    """A board's built-in colour display is upright; the OLEDs stand on their short side."""
    needs.demand_packages(*PACKAGES)
    upright = 0 if kind in ("colour", "square") else 90
    run = subprocess.run([sys.executable, str(PROGRAM), kind, str(upright + rotation)], capture_output=True, text=True)
    assert run.stdout == "same\n", run.stderr


@pytest.fixture
def panel(workbench: Any) -> Any:
    return sys.modules["workbench"].Panel("own", width=240, height=320)


@pytest.fixture
def screen(panel: Any) -> Any:
    from firmware.device.displayio_screen import DisplayioScreen

    screen = DisplayioScreen(panel, Canvas())
    screen.show()
    return screen


class TestScreen:
    def test_a_larger_screen_shows_the_canvas_scaled_and_centred(self, screen, panel) -> None:
        group = panel.root_group
        assert (group.scale, group.x, group.y) == (2, 56, 32) and panel.auto_refresh is False

    def test_eight_pixels_fill_fifteen_in_240_rows(self, workbench) -> None:
        from firmware.device.displayio_screen import DisplayioScreen

        panel = sys.modules["workbench"].Panel("own", width=320, height=240)
        screen = DisplayioScreen(panel, Canvas())
        screen.canvas.fill(0, 2, 8, 1, 1)
        screen.show()
        rows = panel.root_group[0]
        assert (panel.root_group.scale, panel.root_group.x, panel.root_group.y) == (1, 100, 0)
        assert len(panel.root_group) == HEIGHT // BAND_ROWS, "the simulator times the same bands"
        assert [row for row in range(240) if panel.picture[8 * row] == 255] == [3, 4]
        assert rows.bitmap.pixels[0x81] == [1, 1, *[0] * 12, 1]

    def test_each_byte_has_a_tile_with_its_pixels(self, screen, panel) -> None:
        rows = panel.root_group[0]
        for byte in (0, 1, 0x80, 0xA5, 255):
            assert [rows.bitmap.pixels[byte][x] for x in range(8)] == [byte >> x & 1 for x in range(8)]

    def test_an_unchanged_canvas_causes_no_refresh(self, screen, panel, monkeypatch: pytest.MonkeyPatch) -> None:
        refreshed = []
        monkeypatch.setattr(panel, "refresh", lambda: refreshed.append(0))
        screen.show()
        assert refreshed == []
        screen.canvas.fill(0, 0, 1, 1, 1)
        screen.show()
        assert refreshed == [0]

    def test_contrast_sets_the_brightness_where_there_is_a_backlight(self, screen, panel) -> None:
        screen.contrast(51)
        assert panel.brightness == 0.2
        panel.has_backlight = False
        screen.contrast(255)
        assert panel.brightness == 0.2

    def test_a_panel_that_cannot_sleep_hides_its_picture(self, screen, panel) -> None:
        screen.sleep(True)
        assert panel.picture == b""
        screen.sleep(False)
        assert len(panel.picture) == 1024
        slept: list[str] = []
        panel.sleep, panel.wake = lambda: slept.append("asleep"), lambda: slept.append("awake")
        screen.sleep(True)
        screen.sleep(False)
        assert slept == ["asleep", "awake"]
        assert len(panel.picture) == 1024

    def test_turn_adds_180_degrees_to_the_panels_rotation(self, workbench) -> None:
        from firmware.device.displayio_screen import DisplayioScreen

        panel = sys.modules["workbench"].Panel("own", rotation=270)
        screen = DisplayioScreen(panel, Canvas())
        screen.turn(True)
        assert panel.rotation == 90
        screen.turn(True)
        screen.turn(False)
        assert panel.rotation == 270
