"""The SSD1306 model decodes I2C transfers as the data sheet says."""

import pytest

from sim.bus import I2C
from sim.chip import Ssd1306Chip
from sim.chip_commands import ChipError
from tests.support.lit_pixels import Pixels, find_lit, lay_flat

LIT = " 008d14af"


@pytest.fixture
def chip() -> Ssd1306Chip:
    """A chip with a lit panel and an empty memory, upright as a module is sold (A1, C8)."""
    chip = Ssd1306Chip()
    send(chip, "00a1c82000 40" + 1024 * "00" + LIT)
    return chip


def send(chip: Ssd1306Chip, transfers: str) -> None:
    for transfer in transfers.split():
        chip.write(bytes.fromhex(transfer))


def lit(chip: Ssd1306Chip) -> Pixels:
    return lay_flat(find_lit(chip.picture()))


def test_memory_holds_noise_at_power_on() -> None:
    chip = Ssd1306Chip()
    send(chip, LIT)
    assert len(lit(chip)) > 1000


# Bytes sent, and the pixels lit by them.
SHOWN = {
    "reference_orientation_shows_column_0_page_0_at_the_top_left": ("4081", "0,0 0,7"),
    # the fifth byte wraps to (5, 16)
    "horizontal_mode_fills_a_page_then_the_next": ("002000210506220203 400102040880", "5,23 5,26 6,17 6,27"),
    "vertical_mode_fills_a_column_then_the_next": ("002001210506220203 400102040880", "5,23 5,25 6,18 6,27"),
    # page 3, column 0x7e
    "page_mode_stays_in_its_page_and_wraps_at_column_127": ("002002b30e17 40010204", "0,26 126,24 127,25"),
    "segment_remap_mirrors_only_later_writes": ("4001 00a021007f220007 4002", "0,0 127,1"),
    "com_scan_direction_mirrors_the_stored_picture": ("4001 00c0", "0,63"),
    "start_line_scrolls_the_memory_up": ("4021 0045", "0,0 0,59"),
    "offset_moves_the_picture_round": ("4021 00d305", "0,0 0,59"),
    "continuation_bit_marks_one_byte_and_the_next_control_byte": ("802180098009c0014002", "9,0 9,9"),
}


@pytest.mark.parametrize(("transfers", "pixels"), SHOWN.values(), ids=SHOWN)
def test_glass_shows(chip: Ssd1306Chip, transfers: str, pixels: str) -> None:
    send(chip, transfers)
    assert {f"{x},{y}" for x, y in lit(chip)} == set(pixels.split())


def test_panel_is_dark_until_it_and_the_charge_pump_are_on() -> None:
    chip = Ssd1306Chip()
    for transfer in ("00af", "00ae8d14"):
        send(chip, transfer)
        assert not lit(chip)


@pytest.mark.parametrize("remap", [b"\x00\xa0", b"\x00\xa1"], ids=["a0", "a1"])
@pytest.mark.parametrize("window", ["007f 0007", "1428 0007", "5a7f 0007", "007f 0006", "0505 0007"])
@pytest.mark.parametrize("skipped", [0, 3, 8])
def test_one_transfer_is_stored_like_single_bytes(remap: bytes, window: str, skipped: int) -> None:
    body = bytes(number * 37 & 0xFF for number in range(1500))
    chips = Ssd1306Chip(), Ssd1306Chip()
    for chip in chips:
        chip.write(remap)
        send(chip, "002001 0021{}22{} 40".format(*window.split()) + "00" * skipped)
    chips[0].write(b"\x40" + body)
    for byte in body:
        chips[1].write(bytes([0x40, byte]))
    assert chips[0].memory == chips[1].memory
    assert [(chip.column, chip.page) for chip in chips] == [(chips[0].column, chips[0].page)] * 2


def test_multiplex_ratio_leaves_the_other_rows_dark(chip: Ssd1306Chip) -> None:
    send(chip, "4001 00a81fa5")
    assert {y for _, y in lit(chip)} == set(range(32, 64))
    chip.write(b"\x00\xa4")
    assert lit(chip) == {(0, 32)}
    chip.write(b"\x00\xa7")
    assert len(lit(chip)) == 32 * 128 - 1


def test_inverse_and_all_on_leave_the_memory_alone(chip: Ssd1306Chip) -> None:
    send(chip, "4001 00a7")
    assert len(lit(chip)) == 8191
    chip.write(b"\x00\xa5")
    assert len(lit(chip)) == 8192
    chip.write(b"\x00\xa4\xa6")
    assert lit(chip) == {(0, 0)}


def test_the_picture_turns_the_module_with_its_right_edge_up(chip: Ssd1306Chip) -> None:
    chip.write(b"\x40\x02")  # glass (0, 1)
    assert find_lit(chip.picture()) == {(1, 127)} and find_lit(chip.picture(turned=True)) == {(62, 0)}


def test_arguments_may_come_in_the_next_transfer(chip: Ssd1306Chip) -> None:
    send(chip, "0081 0033")
    assert chip.contrast == 0x33


def test_power_on_forgets_the_setup(chip: Ssd1306Chip) -> None:
    chip.power_on()
    assert (chip.on, chip.charge_pump, chip.mode, chip.contrast) == (False, False, 2, 0x7F)


@pytest.mark.parametrize(
    ("transfer", "message"),
    [
        (b"\x00\x3f", "0x3f is not"),
        (b"\x01\xae", "control byte 0x01"),
        (b"\x00\x20\x03", "addressing mode 3"),
        (b"\x00\x21\x05\x80", "column window"),
        (b"\x00\x22\x05\x04", "page window"),
        (b"\x00\x8d\x15", "charge pump"),
        (b"\x00\xa8\x03", "multiplex ratio 4"),
        (b"\x00\xd3\x40", "offset 64"),
        (b"\x00\xda\x02", "COM pins"),
        (b"\x00\xb0", "page addressing mode"),
        (b"\x00\x01", "page addressing mode"),
        (b"\x80\x81\x40\x00", "waits for its argument"),
    ],
)
def test_bytes_that_a_chip_would_misread_are_refused(chip: Ssd1306Chip, transfer: bytes, message: str) -> None:
    with pytest.raises(ChipError, match=message):
        chip.write(transfer)


def test_bus_counts_bytes_and_the_address_before_them() -> None:
    bus = I2C(Ssd1306Chip())
    assert bus.try_lock()
    bus.writeto(0x3C, b"??\x00\xe3??", start=2, end=4)
    assert bus.bytes == 3


def test_bus_demands_its_lock() -> None:
    bus = I2C(Ssd1306Chip())
    with pytest.raises(RuntimeError, match="lock"):
        bus.writeto(0x3C, b"\x00\xe3")
    assert bus.try_lock() and not bus.try_lock()
    bus.unlock()
    with pytest.raises(ValueError, match="Not locked"):
        bus.unlock()


def test_bus_finds_only_plugged_in_chips() -> None:
    chip = Ssd1306Chip(address=0x3D)
    bus = I2C(chip)
    assert bus.try_lock() and bus.probe(0x3D) and not bus.probe(0x3C)
    bus.unplug(chip)
    with pytest.raises(OSError, match="0x3d"):
        bus.writeto(0x3D, b"\x00\xe3")
    bus.plug(chip)
    bus.writeto(0x3D, b"\x00\xe3")
