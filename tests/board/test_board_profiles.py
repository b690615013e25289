"""The game on displays that displayio drives over SPI, on the real firmware: pictures and free heap."""

import pytest

from firmware.save.match_choices import OPPONENTS
from sim import board_screens
from tests.support.handhelds.board_console import deployed, find_uf2, make_nvm, watch_heap
from tools.board import wires
from tools.board.display_bus import Transfer
from tools.board.handheld import Handheld, make_handheld
from tools.board.player import Player
from tools.measure.room import fattest

pytestmark = pytest.mark.board


def switch_on(profile: str, computers: int = 1) -> Handheld:
    """Return a handheld wired like a board of wires.PROFILES, at the title."""
    wired = wires.PROFILES[profile]
    handheld = make_handheld(
        find_uf2(),
        deployed(*wired.deploy_options),
        nvm=make_nvm({OPPONENTS: computers - 1}),
        settings=wired.settings,
        display=wired.display,
        button_pins=wired.buttons,
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


@pytest.mark.parametrize("name", ["adafruit_macropad_rp2040", "waveshare_pico_lcd_1_3"])
def test_a_change_takes_the_time_that_simulator_and_guide_expect(name: str) -> None:
    handheld = switch_on(name)
    before, count = handheld.picture(), len(handheld.transfers)
    handheld.tap("A", after_s=1)
    bursts: list[list[Transfer]] = [[]]
    for each in handheld.transfers[count:]:
        if bursts[-1] and each.start_s - bursts[-1][-1].end_s > 0.01:
            bursts.append([])
        bursts[-1].append(each)
    took_s = max(sent[-1].end_s - sent[0].start_s for sent in bursts)
    expected_s = board_screens.find(name).time_change_s(before, handheld.picture())
    print(f"{name}: {1000 * took_s:.1f} ms, expected {1000 * expected_s:.1f} ms")
    assert took_s == pytest.approx(expected_s, rel=0.15)


@pytest.mark.long
def test_a_game_on_a_display_of_displayio_leaves_48_kilobytes() -> None:
    handheld = switch_on("adafruit_macropad_rp2040")
    console = Player(handheld)
    console.start_game()
    with watch_heap(handheld) as figures:
        console.play(10, 1)
        figures.note("play")
    figures.check(48 << 10, 16 << 10)
    assert not handheld.problem


@pytest.mark.long
@pytest.mark.parametrize(
    ("profile", "computers"),
    [("adafruit_macropad_rp2040", 1), ("adafruit_macropad_rp2040", 3), ("waveshare_pico_lcd_1_3", 2)],
)
def test_a_match_on_a_display_of_displayio_leaves_8_kilobytes(profile: str, computers: int) -> None:
    handheld = switch_on(profile, computers)
    console = Player(handheld)
    with watch_heap(handheld) as figures:
        console.start_versus()
        console.play(15, 1, lambda: console.has_result or console.shows("TRAINING"))
        figures.note("match")
    figures.check()
    assert not handheld.problem


@pytest.mark.long
def test_three_computers_are_refused_on_a_screen_of_240_rows() -> None:
    handheld = switch_on("waveshare_pico_lcd_1_3", 3)
    console = Player(handheld)
    console.open_versus()
    console.tap("A", after_s=6)
    assert console.shows("FEWER RIVALS", small=True) and not handheld.problem


@pytest.mark.long
def test_the_search_for_the_fattest_match_skips_a_refused_one() -> None:
    starts = fattest.Starts(switch_on("waveshare_pico_lcd_1_3", 3))
    row = {name: ends[0] for name, ends in fattest.ENDS.items()}
    assert starts.measure(row) is None
    assert starts.measure(row | {"OPPONENTS": "1"})
