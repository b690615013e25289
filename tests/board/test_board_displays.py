"""CircuitPython on the emulated board shows pictures on SPI displays: busio.SPI, displayio and Adafruit's drivers."""

import re

import pytest

from tests.support import needs
from tests.support.handhelds.board_console import find_uf2, run_code
from tools.board import wires
from tools.board.handheld import make_handheld
from tools.deploy import image

pytestmark = pytest.mark.board

SH1106_PINS = """
import board, busio
spi = busio.SPI(board.GP18, MOSI=board.GP19)
COMMAND, SELECT, RESET = board.GP20, board.GP17, board.GP21
"""
ST7789_PINS = """
import board, busio
spi = busio.SPI(board.GP10, MOSI=board.GP11)
COMMAND, SELECT, RESET = board.GP8, board.GP9, board.GP12
"""
WRITE_PAGES = """
import digitalio
def switch(pin):
    output = digitalio.DigitalInOut(pin)
    output.switch_to_output(True)
    return output
select, command = switch(SELECT), switch(COMMAND)
def send(data, is_data):
    command.value = is_data
    select.value = False
    spi.write(data)
    select.value = True
while not spi.try_lock():
    pass
spi.configure(baudrate=BAUD)
pixels = bytearray(at * at >> 3 & 255 for at in range(1024))
send(b"\\xaf\\xa1\\xc8", False)
for page in range(8):
    send(bytes((0xB0 + page, 0x10, 2)), False)
    for at in range(128 * page, 128 * page + 128, SIZE):
        send(pixels[at : at + SIZE], True)
print("HZ", spi.frequency, "DONE")
"""
SHOW = """
import displayio, fourwire
def show(display, width, height, colours, rule, scale):
    bitmap = displayio.Bitmap(width, height, len(colours))
    palette = displayio.Palette(len(colours))
    for number, colour in enumerate(colours):
        palette[number] = colour
    for y in range(height):
        for x in range(width):
            bitmap[x, y] = rule(x, y)
    group = displayio.Group(scale=scale)
    group.append(displayio.TileGrid(bitmap, pixel_shader=palette))
    display.root_group = group
    display.refresh()
    print("DONE")
displayio.release_displays()
bus = fourwire.FourWire(spi, command=COMMAND, chip_select=SELECT, reset=RESET, baudrate=BAUD)
"""
MAKE_SH1106 = """
import adafruit_displayio_sh1106
display = adafruit_displayio_sh1106.SH1106(bus, width=128, height=64, colstart=2, auto_refresh=False)
"""
SHOW_ON_SH1106 = f"""{MAKE_SH1106}
show(display, 128, 64, (0, 0xFFFFFF), lambda x, y: (x * x + 5 * y >> 3) & 1, 1)
"""
SHOW_ON_ST7789 = """
import adafruit_st7789
display = adafruit_st7789.ST7789(
    bus, width=240, height=240, rowstart=80, backlight_pin=board.GP13, auto_refresh=False)
colours = [number * 0x123457 & 0xFFFFFF for number in range(16)]
show(display, 60, 60, colours, lambda x, y: (3 * x + y * y) & 15, 4)
"""


def read_library(name: str) -> dict[str, bytes]:
    """Return an installed library for boards by its path on the drive; skip the test if it is missing."""
    needs.demand_packages(name)
    return {f"lib/{name}.py": image.read_library(name)}


def reduce_colour(colour: int) -> bytes:
    """Return red, green and blue of 0xRRGGBB with 5, 6 and 5 bits, spread to 8 bits again."""
    red, green, blue = colour >> 16 & 0xF8, colour >> 8 & 0xFC, colour & 0xF8
    return bytes((red | red >> 5, green | green >> 6, blue | blue >> 5))


# From 32 bytes on CircuitPython uses the DMA.
@pytest.mark.parametrize("size", [1, 16, 32, 128])
def test_busio_spi_writes_pages_in_pieces_of_any_size(size: int) -> None:
    code = SH1106_PINS + WRITE_PAGES.replace("SIZE", str(size)).replace("BAUD", "4_000_000")

    handheld = run_code(code, display=wires.SH1106)

    pixels = [at * at >> 3 & 255 for at in range(1024)]
    columns = [bytes(pixels[128 * page + 127 - y] for page in range(8)) for y in range(128)]
    assert handheld.picture() == b"".join(columns)
    assert sum(each.bytes for each in handheld.transfers if each.is_data) == 1024


def test_an_spi_transfer_takes_the_time_of_its_bits() -> None:
    code = SH1106_PINS + WRITE_PAGES.replace("SIZE", "128").replace("BAUD", "1_000_000")

    handheld = run_code(code, display=wires.SH1106)

    assert "HZ 992063" in handheld.serial
    pages = [each.end_s - each.start_s for each in handheld.transfers if each.is_data]
    bits_s = 128 * 8 / 992_063
    assert len(pages) == 8 and all(bits_s < page_s < bits_s + 0.000_1 for page_s in pages)


def test_displayio_shows_a_picture_on_an_sh1106() -> None:
    code = SH1106_PINS + SHOW.replace("BAUD", "8_000_000") + SHOW_ON_SH1106

    handheld = run_code(code, files=read_library("adafruit_displayio_sh1106"), display=wires.SH1106)

    # The module stands with its right edge up.
    rows = [sum(((x * x + 5 * y >> 3) & 1) << y for y in range(64)) for x in range(127, -1, -1)]
    assert handheld.is_lit
    assert handheld.picture() == b"".join(row.to_bytes(8, "little") for row in rows)


def test_displayio_shows_colours_on_an_st7789() -> None:
    code = ST7789_PINS + SHOW.replace("BAUD", "24_000_000") + SHOW_ON_ST7789

    handheld = run_code(code, files=read_library("adafruit_st7789"), display=wires.ST7789)

    colours = [reduce_colour(number * 0x123457 & 0xFFFFFF) for number in range(16)]
    expected = b"".join(colours[3 * (x // 4) + (y // 4) ** 2 & 15] for y in range(240) for x in range(240))
    assert handheld.image().size == (240, 240)
    assert handheld.image().tobytes() == expected


def test_the_free_heap_is_within_400_bytes_of_gc_mem_free_on_spi() -> None:
    code = SH1106_PINS + SHOW.replace("BAUD", "8_000_000") + MAKE_SH1106
    code += 'import gc\ngc.collect()\nprint("FREE", gc.mem_free(), "DONE")\nwhile True: pass\n'

    handheld = run_code(code, files=read_library("adafruit_displayio_sh1106"), display=wires.SH1106)

    (reported,) = map(int, re.findall(r"FREE (\d+)", handheld.serial))
    assert abs(handheld.heap(collect=True).free - reported) < 400


def test_a_restored_board_ends_its_spi_transfer_like_the_first_time() -> None:
    code = SH1106_PINS + WRITE_PAGES.replace("SIZE", "128").replace("BAUD", "100_000")
    handheld = make_handheld(
        find_uf2(), {"code.py": f"import time\ntime.sleep(0.5)\n{code}".encode()}, display=wires.SH1106
    )
    assert handheld.run_until(lambda: bool(handheld.machine.chip["dma_busy"]), 5)
    within = handheld.snapshot()

    def end() -> tuple[int, bytes, int]:
        handheld.restore(within)
        assert handheld.run_until(lambda: "DONE" in handheld.serial, 5)
        return handheld.busy_cycles, handheld.picture(), len(handheld.transfers)

    assert end() == end()
