"""Guideline 11.1: the fireworks after a game, drawn on a canvas alone."""

from firmware.view.canvas import HEIGHT, Canvas
from firmware.view.layouts.fireworks import MOST, Fireworks, count_rockets, draw_still, draw_town
from tests.support.needs import needs_wasm
from tools import interpreters
from tools.measure.board import TURN_US


def test_11_1_more_points_are_more_fireworks() -> None:
    assert list(map(count_rockets, (0, 2999, 3000, 30_000, 60_000, 10**7))) == [1, 1, 2, 11, 21, 40]


def test_11_1_every_rocket_bursts() -> None:
    for count in (1, 7, 15):
        works = Fireworks(Canvas(), count, 99)
        assert sum(works.draw() for _ in range(3000)) == count


def test_11_1_more_points_are_larger_fireworks() -> None:
    sizes = []
    for count in (1, 10, 20, 40):
        works = Fireworks(Canvas(), count, 99)
        works.left = 1
        most = 0
        for _ in range(200):
            works.draw()
            most = max(most, sum(bin(byte).count("1") for byte in works.buffer))
        sizes.append((most, works.across[0] // 40))
    assert sizes == sorted(sizes) and sizes[3][0] >= 1.5 * sizes[0][0]


def test_11_1_the_town_hides_rockets_and_sparks() -> None:
    canvas = Canvas()
    draw_town(canvas)
    town = bytes(canvas.buffer)
    roofs = [next(y for y in range(HEIGHT) if canvas.pixel(x, y)) for x in range(2, 62)]
    canvas.clear()
    works = Fireworks(canvas, 40, 4)
    seen = 0
    for _ in range(3000):
        works.draw()
        seen |= int.from_bytes(canvas.buffer, "little")
    assert seen and not seen & int.from_bytes(town, "little")
    canvas.buffer[:] = seen.to_bytes(len(town), "little")
    for x in range(2, 62):
        assert not any(canvas.pixel(x, y) for y in range(roofs[x - 2], HEIGHT)), x


def test_11_1_fireworks_keep_the_picture_and_mark_the_changed_rows() -> None:
    canvas = Canvas()
    canvas.fill(10, 20, 40, 60, 1)
    before, displayed = bytes(canvas.buffer), bytearray(canvas.buffer)
    works = Fireworks(canvas, 9, 4)
    seen = set()
    for _ in range(3000):
        works.draw()
        seen.add(bytes(canvas.buffer))
        for y in range(128):
            if canvas.dirty[y]:
                displayed[1 + 8 * y : 9 + 8 * y] = canvas.buffer[1 + 8 * y : 9 + 8 * y]
                canvas.dirty[y] = 0
        assert displayed == canvas.buffer
    assert len(seen) > 100 and canvas.buffer == before


def test_a_still_sky_has_room_for_the_most_rockets() -> None:
    canvas = Canvas()
    draw_still(canvas, MOST)
    assert any(canvas.buffer)


TICKS_SCRIPT = """
from time import ticks_us as mark
from firmware.view.canvas import Canvas
from firmware.view.layouts.fireworks import Fireworks
works = Fireworks(Canvas(), 40, 5)
for frame in range(400):
    mark()
    works.draw()
    mark()
"""


@needs_wasm
def test_a_frame_of_the_largest_fireworks_keeps_its_time() -> None:
    """It may take a quarter of a frame: its rows on the bus take half a frame, and every second frame is idle."""
    marks = interpreters.marks_of(interpreters.run(interpreters.WASM, TICKS_SCRIPT))
    unit = interpreters.turn_fuel() / TURN_US
    assert max((after - before) / unit for before, after in zip(marks[::2], marks[1::2], strict=True)) <= 4_200
