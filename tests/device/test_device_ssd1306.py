"""The direct driver: the picture on the chip is the canvas after every show()."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.device.ssd1306 import SSD1306
from sim.bus import I2C
from sim.chip import Ssd1306Chip
from tests.fakes.plain_canvas import PlainCanvas
from tests.support.lit_pixels import find_lit, lay_flat

WINDOW = 1 + 7  # address, control byte and two commands with two arguments each
ROW = 8
BAND = 2  # address and control byte


class Bench:
    """A canvas, a driver, a bus and a chip; unless `new`, the first picture has been shown."""

    def __init__(self, turned: bool = False, new: bool = False) -> None:
        self.canvas = PlainCanvas()
        self.chip = Ssd1306Chip()
        self.bus = I2C(self.chip)
        self.display = SSD1306(self.bus, self.canvas, turned=turned)
        self.turned = turned
        if not new:
            self.display.show()

    @property
    def picture(self) -> bytes:
        return self.chip.picture(self.turned)

    def bytes_of_show(self) -> int:
        before = self.bus.bytes
        self.display.show()
        return self.bus.bytes - before


@pytest.fixture
def bench() -> Bench:
    return Bench()


rows = st.lists(st.tuples(st.integers(0, 127), st.binary(min_size=8, max_size=8)), max_size=12)


class TestPicture:
    @pytest.mark.no_cover
    @given(st.lists(rows, min_size=1, max_size=4), st.booleans())
    def test_picture_is_the_canvas_after_every_show(self, frames: list, turned: bool) -> None:
        bench = Bench(turned)
        assert bench.picture == bench.canvas.picture
        for frame in frames:
            for y, pixels in frame:
                bench.canvas.set_row(y, pixels)
            bench.display.show()
            assert bench.picture == bench.canvas.picture and not any(bench.canvas.dirty)
            assert bench.canvas.buffer[0] == PlainCanvas.SPARE

    @pytest.mark.parametrize("turned", [False, True])
    def test_the_picture_is_upright_and_not_mirrored(self, turned: bool) -> None:
        bench = Bench(turned)
        bench.canvas.fill(3, 5, 1, 1, 1)
        bench.display.show()
        assert find_lit(bench.picture) == {(3, 5)}
        assert lay_flat(find_lit(bench.chip.picture())) == {(5, 60) if turned else (122, 3)}

    def test_the_panel_lights_only_after_its_memory_is_cleared(self) -> None:
        class Watched(Ssd1306Chip):
            noise_seen = False

            def write(self, transfer: bytes | bytearray | memoryview) -> None:
                super().write(transfer)
                self.noise_seen |= any(self.picture())

        chip = Watched()
        SSD1306(I2C(chip), PlainCanvas()).show()
        assert chip.on and not chip.noise_seen

    @pytest.mark.parametrize("turned", [False, True])
    def test_first_show_sends_one_picture_and_the_contrast_set_before(self, turned: bool) -> None:
        bench = Bench(new=True)
        bench.display.turn(turned)
        bench.display.contrast(17)
        bench.canvas.fill(3, 5, 1, 1, 1)
        assert (bench.chip.on, bench.bus.bytes) == (False, 0)
        assert bench.bytes_of_show() < 1100, "one picture and the setup"
        assert (bench.chip.on, bench.chip.contrast, bench.chip.picture(turned)) == (True, 17, bench.canvas.picture)

    @pytest.mark.parametrize(
        ("rows", "sent"),
        [
            ([], 0),
            ([127], WINDOW + BAND + ROW),
            (range(40, 60), WINDOW + BAND + 20 * ROW),  # adjacent rows share a window
            ([0, 2, 4], WINDOW + BAND + 5 * ROW),  # a gap of one row is cheaper than a window
            ([0, 3, 127], 3 * (WINDOW + BAND + ROW)),
        ],
    )
    def test_only_changed_rows_are_sent_in_few_windows(self, bench: Bench, rows: list[int], sent: int) -> None:
        for y in rows:
            bench.canvas.set_row(y, b"skyline!")
        assert bench.bytes_of_show() == sent

    def test_a_locked_bus_delays_the_picture(self, bench: Bench) -> None:
        bench.canvas.set_row(9, b"skyline!")
        assert bench.bus.try_lock() and bench.bytes_of_show() == 0
        bench.bus.unlock()
        bench.display.show()
        assert bench.picture == bench.canvas.picture

    def test_contrast_and_sleep_reach_the_chip(self, bench: Bench) -> None:
        bench.display.contrast(17)
        assert bench.chip.contrast == 17
        bench.display.sleep(True)
        assert not bench.chip.on
        bench.display.sleep(False)
        assert bench.chip.on


def count_shows_until_online(bench: Bench) -> int:
    """Plug the chip in and show until the display is online; return the number of shows."""
    bench.bus.plug(bench.chip)
    for shows in range(1, 100):
        bench.display.show()
        if bench.display.online:
            return shows
    raise AssertionError("the display never came back")


class TestUnplugged:
    @pytest.mark.parametrize("changing", [True, False])
    def test_unplugged_display_comes_back_with_the_whole_picture(self, bench: Bench, changing: bool) -> None:
        bench.canvas.set_row(1, b"before..")
        bench.display.show()
        bench.bus.unplug(bench.chip)
        if changing:
            bench.canvas.set_row(50, b"without!")
        for _ in range(1 if changing else 40):
            bench.display.show()
        assert not bench.display.online
        assert bench.canvas.buffer[8 * 50] == 0, "the byte under the control byte is restored"
        bench.chip.power_on()
        assert 20 <= count_shows_until_online(bench) <= 40 and bench.picture == bench.canvas.picture and bench.chip.on

    def test_display_lost_in_the_middle_of_a_band_recovers(self, bench: Bench) -> None:
        class Loose(Ssd1306Chip):
            def write(self, transfer: bytes | bytearray | memoryview) -> None:
                if transfer[0] == 0x40:
                    raise OSError(5, "no acknowledge")
                super().write(transfer)

        loose = Loose()
        bench.bus.plug(loose)
        bench.canvas.set_row(50, b"without!")
        bench.display.show()
        assert not bench.display.online and bench.canvas.buffer[0] == PlainCanvas.SPARE
        assert not any(bench.canvas.buffer[1 : 8 * 50 + 1]), "the byte under the control byte is restored"
        count_shows_until_online(bench)
        assert bench.picture == bench.canvas.picture

    def test_a_display_missing_at_the_start_can_be_plugged_in_later(self) -> None:
        bench = Bench(new=True)
        bench.bus.unplug(bench.chip)
        bench.display.contrast(99)
        bench.display.sleep(True)
        bench.display.sleep(False)
        bench.canvas.set_row(3, b"late....")
        bench.display.show()
        assert not bench.display.online and count_shows_until_online(bench) <= 40
        assert bench.picture == bench.canvas.picture and bench.chip.contrast == 99

    def test_display_unplugged_between_shows_is_noticed_by_a_command(self, bench: Bench) -> None:
        bench.bus.unplug(bench.chip)
        bench.display.contrast(3)
        assert not bench.display.online

    def test_a_locked_bus_at_the_start_is_tried_again(self) -> None:
        bench = Bench(new=True)
        assert bench.bus.try_lock()
        bench.display.show()
        assert not bench.display.online
        bench.bus.unlock()
        bench.display.show()
        assert bench.display.online

    def test_idle_display_is_probed_twice_a_second(self, bench: Bench) -> None:
        sent = [bench.bytes_of_show() for _ in range(120)]
        assert {count for count in sent if count} == {1 + 2}
        assert 3 <= sum(count > 0 for count in sent) <= 4

    def test_a_probe_does_not_wake_a_sleeping_panel(self, bench: Bench) -> None:
        bench.display.sleep(True)
        for _ in range(120):
            bench.display.show()
        assert not bench.chip.on


def test_matrix_rows_go_first_from_the_top_when_a_frame_has_too_many(bench: Bench) -> None:
    bench.display.most = 8
    for y in (2, *range(60, 90)):
        bench.canvas.set_row(y, b"falling.")
    bench.display.show()
    waiting = [y for y in range(128) if bench.canvas.dirty[y]]
    assert waiting == [2, *range(68, 90)]
    for _ in range(4):
        bench.display.show()
    assert bench.picture == bench.canvas.picture


@pytest.mark.parametrize("most", range(1, 25))
def test_rows_above_the_matrix_alone_are_sent_whatever_the_bound(bench: Bench, most: int) -> None:
    bench.display.most = most
    for y in range(25):
        bench.canvas.set_row(y, b"scoring!")
    sent = [bench.bytes_of_show() for _ in range(-(-25 // most))]
    assert min(sent) > 0 and max(sent) <= most * (WINDOW + BAND + ROW)
    assert bench.picture == bench.canvas.picture
