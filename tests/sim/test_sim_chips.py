"""The models of an SH1106 and an ST7789 follow their data sheets, and refuse bytes that a chip would misread."""

from __future__ import annotations

import pytest

from sim.chip_commands import ChipError
from sim.chips.sh1106 import Sh1106Chip
from sim.chips.st7789 import St7789Chip
from tests.support.lit_pixels import find_lit

CASET, RASET, RAMWR, MADCTL, COLMOD, INVON, SLPIN = 0x2A, 0x2B, 0x2C, 0x36, 0x3A, 0x21, 0x10
LAST_COLUMN, LAST_ROW = bytes((0, 239)), bytes((1, 63))


@pytest.fixture
def oled() -> Sh1106Chip:
    """Return an SH1106 that is on and shows an empty memory as the handheld holds it."""
    chip = Sh1106Chip()
    chip.send(b"\xaf\xa1\xc8", False)
    for page in range(8):
        chip.send(bytes((0xB0 + page, 0x00, 0x10)), False)
        chip.send(bytes(132), True)
    return chip


def test_an_sh1106_shows_the_columns_2_to_129_of_132(oled: Sh1106Chip) -> None:
    for column in (0, 1, 2, 129, 130, 131):
        oled.send(bytes((0xB0, column & 15, 0x10 | column >> 4)), False)
        oled.send(b"\x01", True)
    assert find_lit(oled.picture()) == {(0, 0), (0, 127)}


@pytest.mark.parametrize(
    ("commands", "turned", "pixel"),
    [
        (b"", False, (8, 125)),
        (b"", True, (55, 2)),
        (b"\xa0", False, (8, 2)),
        (b"\xc0", False, (55, 125)),
        (b"\x43", False, (5, 125)),
    ],
)
def test_an_sh1106_remaps_its_picture(oled: Sh1106Chip, commands: bytes, turned: bool, pixel: tuple[int, int]) -> None:
    oled.send(b"\xb1\x04\x10", False)
    oled.send(b"\x01", True)
    oled.send(commands, False)
    assert find_lit(oled.picture(turned)) == {pixel}


def test_an_sh1106_inverts_lights_all_and_goes_dark(oled: Sh1106Chip) -> None:
    oled.send(b"\xa7", False)
    assert len(find_lit(oled.picture())) == 128 * 64
    oled.send(b"\xa6\xa5", False)
    assert len(find_lit(oled.picture())) == 128 * 64
    oled.send(b"\xae", False)
    assert not any(oled.picture())


def test_i2c_and_spi_give_an_sh1106_the_same(oled: Sh1106Chip) -> None:
    other = Sh1106Chip()
    other.memory[:] = oled.memory

    oled.send(b"\xb2\x05\x11", False)
    oled.send(b"\x12\x34", True)
    other.write(b"\x80\xaf\x80\xa1\x80\xc8\x00\xb2\x05\x11")
    other.write(b"\x40\x12\x34")

    assert other.picture() == oled.picture()


def test_a_reset_keeps_the_memory_of_an_sh1106(oled: Sh1106Chip) -> None:
    oled.send(b"\xb0\x02\x10", False)
    oled.send(b"\xff", True)
    memory = bytes(oled.memory)

    oled.reset()

    assert not oled.on
    assert bytes(oled.memory) == memory


@pytest.mark.parametrize(
    ("commands", "message"),
    [(b"\x21", "0x21"), (b"\xa8\x1f", "argument 0x1f"), (b"\xad\x00", "argument"), (b"\xd3\x01", "argument 0x01")],
)
def test_an_sh1106_refuses_what_it_does_not_have(oled: Sh1106Chip, commands: bytes, message: str) -> None:
    with pytest.raises(ChipError, match=message):
        oled.send(commands, False)


def test_an_sh1106_refuses_data_at_the_wrong_time(oled: Sh1106Chip) -> None:
    oled.send(b"\xb0\x02\x10", False)
    with pytest.raises(ChipError, match="last column"):
        oled.send(bytes(131), True)
    oled.send(b"\x81", False)
    with pytest.raises(ChipError, match="waits"):
        oled.send(b"\x00", True)
    with pytest.raises(ChipError, match="control byte"):
        oled.write(b"\x01\x00")


def send(chip: St7789Chip, command: int, data: bytes = b"") -> None:
    chip.send(bytes([command]), False)
    chip.send(data, True)


@pytest.fixture
def tft() -> St7789Chip:
    """Return an ST7789 after Adafruit's driver made it, with a black panel."""
    chip = St7789Chip()
    for command, data in ((0x01, b""), (0x11, b""), (COLMOD, b"\x55"), (0x13, b""), (0x29, b""), (MADCTL, b"\xc0")):
        send(chip, command, data)
    send(chip, INVON)
    send(chip, CASET, b"\0\0" + LAST_COLUMN)
    send(chip, RASET, b"\0\0" + LAST_ROW)
    send(chip, RAMWR, bytes(2 * 240 * 320))
    return chip


def find_colours(chip: St7789Chip) -> dict[tuple[int, int], int]:
    """Return the RGB565 number of each pixel that is not black, by its column and row."""
    return {(at % 240, at // 240): colour for at, colour in enumerate(chip.pixels()) if colour}


def test_an_st7789_fills_a_window_row_by_row(tft: St7789Chip) -> None:
    send(tft, CASET, bytes((0, 10, 0, 11)))
    send(tft, RASET, bytes((0, 80, 0, 81)))
    send(tft, RAMWR, b"\x00\x01\x00")
    tft.send(b"\x02\x00\x03\x12\x34", True)
    assert find_colours(tft) == {(10, 0): 1, (11, 0): 2, (10, 1): 3, (11, 1): 0x1234}


@pytest.mark.parametrize(
    ("mirrors", "columns", "rows", "sent", "found"),
    [
        (0xC0, (0, 10, 0, 10), (1, 0, 1, 1), (0, 1, 0, 2), {(10, 176): 1, (10, 177): 2}),
        (0xC0, (0, 0, 0, 0), (0, 80, 0, 81), (0, 1, 0, 2, 0, 3), {(0, 0): 3, (0, 1): 2}),
        (0, (0, 0, 0, 1), (0, 0, 0, 0), (0, 1, 0, 2), {(239, 239): 1, (238, 239): 2}),
    ],
    ids=["beyond row 255", "begins again when full", "upside down without mirrors"],
)
def test_an_st7789_fills_a_window_anywhere(tft: St7789Chip, mirrors: int, columns, rows, sent, found) -> None:
    for command, content in ((MADCTL, (mirrors,)), (CASET, columns), (RASET, rows), (RAMWR, sent)):
        send(tft, command, bytes(content))
    assert find_colours(tft) == found


def test_the_last_rows_of_an_st7789_are_on_a_panel_of_320(tft: St7789Chip) -> None:
    tall = St7789Chip(height=320)
    for command, data in ((0x11, b""), (COLMOD, b"\x05"), (0x29, b""), (MADCTL, b"\xc0"), (INVON, b"")):
        send(tall, command, data)
    send(tall, RAMWR, bytes(2 * 240 * 320 - 2) + b"\x00\x07")

    assert find_colours(tall) == {(239, 319): 7}
    assert tall.image().size == (240, 320)


def test_an_st7789_swaps_red_and_blue_and_shows_complements(tft: St7789Chip) -> None:
    send(tft, RAMWR, b"\xf8\x00" * (240 * 320))
    assert tft.image().getpixel((0, 0)) == (255, 0, 0)
    send(tft, MADCTL, b"\xc8")
    assert tft.image().getpixel((0, 0)) == (0, 0, 255)
    send(tft, MADCTL, b"\xc0")
    send(tft, 0x20)
    assert tft.image().getpixel((0, 0)) == (0, 255, 255)


def test_an_st7789_is_black_while_it_sleeps_or_is_off(tft: St7789Chip) -> None:
    send(tft, RAMWR, b"\xff\xff" * (240 * 320))
    assert tft.on
    send(tft, SLPIN)
    assert not tft.on
    assert find_colours(tft) == {}
    send(tft, 0x11)
    send(tft, 0x28)
    assert find_colours(tft) == {}


@pytest.mark.parametrize(
    ("command", "data", "message"),
    [
        (0xB2, b"", "0xb2"),
        (CASET, bytes((0, 0, 0, 240)), "column window 0..240"),
        (RASET, bytes((0, 5, 0, 4)), "row window 5..4"),
        (MADCTL, b"\x20", "exchange"),
        (INVON, b"\0", "0 arguments"),
    ],
)
def test_an_st7789_refuses_what_the_model_lacks(tft: St7789Chip, command: int, data: bytes, message: str) -> None:
    with pytest.raises(ChipError, match=message):
        send(tft, command, data)


def test_an_st7789_refuses_half_a_command_and_other_depths(tft: St7789Chip) -> None:
    send(tft, CASET, b"\0\0")
    with pytest.raises(ChipError, match="waits"):
        send(tft, RASET)
    fresh = St7789Chip()
    with pytest.raises(ChipError, match="16 bits"):
        send(fresh, RAMWR)
