"""The game on displays that displayio drives over SPI, on the real firmware: pictures and free heap."""

import pytest

from firmware.save.match_choices import OPPONENTS
from sim import board_screens
from tests.support.handhelds.board_console import find_uf2, make_nvm
from tools.board import drive, wires
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import HeapWatch
from tools.board.player import Player

pytestmark = pytest.mark.board


def switch_on(profile: str, computers: int = 1) -> Handheld:
    """Return a handheld wired like a board of wires.PROFILES, at the title."""
    wiring = wires.PROFILES[profile]
    handheld = make_handheld(
        find_uf2(),
        drive.deploy_files(["--display", wiring.library] if wiring.library else []),
        nvm=make_nvm({OPPONENTS: computers - 1}),
        settings=wiring.settings,
        display=wiring.display,
        button_pins=wiring.buttons,
    )
    assert handheld.run_until(lambda: handheld.is_lit, 6)
    handheld.run(3)
    return handheld


def test_a_colour_screen_of_240_rows_shows_a_menu_pixel_by_pixel() -> None:
    handheld, twin = switch_on("waveshare_pico_lcd_1_3"), switch_on("raspberry_pi_pico")
    for each in (handheld, twin):
        each.tap("A", after_s=2)
        each.tap("D", after_s=1)

    shown = board_screens.find("waveshare_pico_lcd_1_3").enlarge(twin.picture(), (255, 255, 255))

    assert not handheld.problem and any(twin.picture())
    lit = handheld.image().convert("L").point(lambda level: 255 * (level > 99))
    assert lit.tobytes() == shown.convert("L").tobytes()


@pytest.mark.long
def test_a_game_on_a_display_of_displayio_leaves_48_kilobytes() -> None:
    handheld = switch_on("adafruit_macropad_rp2040")
    console = Player(handheld)
    console.start_game()
    with HeapWatch(handheld) as watch:
        console.play(10, 1)
        watch.look()

    print("HEAP SPI Marathon:", watch.least_free.heap.free, watch.least_block.heap.largest_block)
    assert not handheld.problem
    assert watch.least_free.heap.free >= 48 << 10 and watch.least_block.heap.largest_block >= 16 << 10


@pytest.mark.long
@pytest.mark.parametrize("computers", [1, 3])
def test_a_match_on_a_display_of_displayio_leaves_8_kilobytes(computers: int) -> None:
    handheld = switch_on("adafruit_macropad_rp2040", computers)
    console = Player(handheld)
    with HeapWatch(handheld) as watch:
        console.start_versus()
        console.play(15, 1, lambda: console.has_result or console.shows("PRACTICE"))
        watch.look()

    print(f"HEAP SPI {computers} computers:", watch.least_free.heap.free, watch.least_block.heap.largest_block)
    assert not handheld.problem
    assert watch.least_free.heap.free >= 8192 and watch.least_block.heap.largest_block >= 4096
