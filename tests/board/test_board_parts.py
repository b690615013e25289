"""The parts around the emulated chip: the drive, the flash, the display's bus, the USB host, frames, the ring."""

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.uf2 import uf2_blocks
from tools.board import BoardError, drive, firmware_image, functions, usb_host, wires
from tools.board.display_bus import I2cBus, Transfer
from tools.board.frames import find_frames
from tools.board.machine import Sleep
from tools.board.ring import Ring
from tools.board.rp2040.layout import FLASH_BYTES, FLASH_START, HZ, LOG_I2C_BYTE, LOG_I2C_START, LOG_I2C_STOP

FILES = {"code.py": b"print('code')\n", "firmware/engine/bag_and_more.py": b"x = 1\n" * 500}


def test_a_call_in_machine_code_leads_forwards_or_backwards() -> None:
    code = np.array([0xF7FF, 0xFFFC, 0xF000, 0xF802, 0xBD00, 0])  # bl .-4; bl .+8; pop {pc}
    assert functions.list_calls(code, FLASH_START) == [
        (FLASH_START + 4, FLASH_START - 4),
        (FLASH_START + 8, FLASH_START + 12),
    ]


def test_a_drive_is_fat12_and_holds_its_files() -> None:
    image = drive.make_drive(FILES)
    assert len(image) == 1024 * 1024
    assert struct.unpack_from("<H", image, 11)[0] == 512
    assert image[510:512] == b"\x55\xaa"
    assert b"CIRCUITPY  " in image
    assert all(content in image for content in FILES.values())


def test_the_same_files_make_the_same_drive() -> None:
    assert drive.make_drive(FILES) == drive.make_drive(FILES)


def test_too_many_files_are_refused() -> None:
    with pytest.raises(BoardError, match="do not fit"):
        drive.make_drive({"big.bin": bytes(1024 * 1024)})


@pytest.mark.parametrize("end", [b"\n", b"", b"\r"], ids=["line", "nothing", "old Mac"])
def test_new_settings_follow_those_in_the_file(end: bytes) -> None:
    files = drive.with_settings({"settings.toml": b"A = 1" + end}, ["B = 2"])
    assert files["settings.toml"] == b"A = 1" + (end or b"\n") + b"B = 2\n"


@pytest.mark.slow
def test_deployed_files_contain_the_game() -> None:
    files = drive.deploy_files()
    assert {"code.py", "boot.py", "settings.toml"} <= set(files)
    assert any(name.startswith("firmware/") for name in files)


def test_flash_holds_firmware_memory_and_drive_at_their_addresses(tmp_path: Path) -> None:
    uf2 = tmp_path / "small.uf2"
    uf2.write_bytes(uf2_blocks(b"\x11" * 256, FLASH_START + 256))
    flash = firmware_image.make_flash(uf2, b"DRIVE", b"MEMORY")
    assert len(flash) == FLASH_BYTES
    assert flash[0xFF:0x201] == b"\xff" + b"\x11" * 256 + b"\xff"
    assert flash[1020 * 1024 :].startswith(b"MEMORY\xff")
    assert flash[1024 * 1024 :].startswith(b"DRIVE\xff")


def send(bus: I2cBus, cycle: int, *content: int) -> None:
    bus.apply_log_entry(LOG_I2C_START, cycle, bus.display.address << 1)
    for byte in content:
        bus.apply_log_entry(LOG_I2C_BYTE, cycle, byte)
    bus.apply_log_entry(LOG_I2C_STOP, cycle + 100, 0)


def test_the_bus_records_times_lengths_and_changes_of_transfers() -> None:
    bus = I2cBus(wires.SSD1306)
    before = zlib.crc32(bus.display.memory)
    send(bus, HZ, 0x00, 0xAE)
    send(bus, 2 * HZ, 0x40, bus.display.memory[0] ^ 1)
    assert bus.transfers == [
        Transfer(1.0, 1.0 + 100 / HZ, 2, False, 0, before),
        Transfer(2.0, 2.0 + 100 / HZ, 2, True, 1, zlib.crc32(bus.display.memory)),
    ]


def test_a_probe_of_the_display_is_no_transfer() -> None:
    bus = I2cBus(wires.SSD1306)
    send(bus, 0)
    assert bus.transfers == []


def test_a_copy_of_the_bus_is_independent() -> None:
    bus = I2cBus(wires.SSD1306)
    other = bus.copy()
    send(other, 0, 0x00, 0xAF)
    assert (other.display.on, bus.display.on, bus.transfers) == (True, False, [])


def test_the_console_is_found_in_the_usb_descriptors() -> None:
    configuration = bytes([9, 2, 0, 0, 2, 1, 0, 0x80, 50])
    disk = bytes([9, 4, 0, 0, 2, 8, 6, 80, 0, 7, 5, 0x81, 2, 64, 0, 0, 7, 5, 0x01, 2, 64, 0, 0])
    serial = bytes([9, 4, 1, 0, 2, 10, 0, 0, 0, 7, 5, 0x02, 2, 64, 0, 0, 7, 5, 0x82, 2, 64, 0, 0])
    assert usb_host.find_console(configuration + disk + serial) == (2, 2)
    assert usb_host.find_console(configuration + disk) == (-1, -1)


def measure_frames_ms(sleeps: list[Sleep], polls: list[float]) -> list[float]:
    return [round(1000 * frame.busy_s, 1) for frame in find_frames(sleeps, [], polls)]


def test_a_frame_lasts_from_waking_to_the_next_sleep() -> None:
    sleeps = [Sleep(0.0, 0.010), Sleep(0.014, 0.020), Sleep(0.0201, 0.030), Sleep(0.035, 0.040)]
    transfers = [Transfer(0.011, 0.012, 30, True, 5, 0), Transfer(0.031, 0.032, 8, True, 5, 0)]
    frames = find_frames(sleeps, transfers, [0.0103, 0.0303])
    assert [round(frame.busy_s, 4) for frame in frames] == [0.004, 0.005]
    assert [(frame.transfers, frame.bytes) for frame in frames] == [(1, 30), (1, 8)]


def test_a_late_frame_ends_when_the_next_one_polls() -> None:
    sleeps = [Sleep(0.0, 0.010), Sleep(0.032, 0.040)]
    transfers = [Transfer(0.027, 0.028, 30, True, 5, 0), Transfer(0.029, 0.030, 8, True, 5, 0)]
    frames = find_frames(sleeps, transfers, [0.0103, 0.0285])
    found = [(frame.start_s, round(frame.busy_s, 4), frame.bytes) for frame in frames]
    assert found == [(0.010, 0.0185, 30), (0.0285, 0.0035, 8)]


def test_three_frames_without_a_sleep_are_told_apart_by_their_polls() -> None:
    assert measure_frames_ms([Sleep(0.0, 0.01), Sleep(0.058, 0.06)], [0.0103, 0.0503, 0.0540]) == [40.3, 3.7, 4.0]


def test_polls_in_quick_succession_belong_to_one_frame() -> None:
    assert measure_frames_ms([Sleep(0.0, 0.01), Sleep(0.03, 0.04)], [0.0103, 0.0106, 0.0109, 0.0270]) == [17.0, 3.0]


def test_work_without_a_poll_is_a_frame() -> None:
    assert measure_frames_ms([Sleep(0.0, 0.01), Sleep(0.5, 0.6), Sleep(0.604, 0.61)], [0.6003]) == [490.0, 4.0]


class Sender:
    """Stand in for a handheld that sends a byte at the beginning of every slice."""

    is_on = True

    def __init__(self, byte: int) -> None:
        self.byte = byte
        self.cycles = 0
        self.sent: list[tuple[int, int]] = []
        self.received: list[tuple[int, int]] = []
        self.machine = self

    def run_to(self, cycle: int) -> None:
        self.sent.append((self.cycles + 10, self.byte))
        self.cycles = cycle

    def receive(self, cycle: int, byte: int) -> None:
        self.received.append((cycle, byte))


def make_ring(count: int) -> tuple[Ring, list[Any]]:
    senders: list[Any] = [Sender(number) for number in range(count)]
    return Ring(senders), senders


def test_a_byte_goes_to_the_next_handheld_a_slice_later() -> None:
    ring, senders = make_ring(3)
    ring.run(0.001)
    assert [sender.received for sender in senders] == [[(HZ // 1000 + 10, byte)] for byte in (2, 0, 1)]


def test_a_cut_wire_carries_nothing() -> None:
    ring, senders = make_ring(2)
    ring.cut[0] = True
    ring.run(0.002)
    assert (len(senders[0].received), senders[1].received) == (2, [])


def test_noise_changes_bytes_but_loses_none() -> None:
    ring, senders = make_ring(2)
    ring.noise = 1.0
    ring.run(0.05)
    assert len(senders[1].received) == 50
    assert len({byte for _cycle, byte in senders[1].received}) > 10


def test_a_ring_has_two_to_four_handhelds() -> None:
    with pytest.raises(BoardError, match="2 to 4"):
        make_ring(5)
