"""A link's ports on the board: a UART on its pins, a second USB serial port, and refused settings."""

import importlib
import runpy
from pathlib import Path
from typing import Any

import pytest

from firmware.compat import TICKS_PERIOD, ticks_add
from firmware.device.chip import UARTS
from firmware.device.wiring import WiringError

ROOT = Path(__file__).parents[2]


def test_without_link_settings_there_is_no_link(build, workbench) -> None:
    assert build().link is None and workbench.uarts == []


class TestUart:
    def test_bytes_go_out_and_come_in(self, build, workbench) -> None:
        link = build(LINK_TX="GP12", LINK_RX="GP13").link
        (uart,) = workbench.uarts
        assert (uart.baudrate, uart.timeout) == (115_200, 0) and link.write(memoryview(b"twelve bytes")) == 12
        assert workbench.sent == b"twelve bytes"
        uart.arrive(b"answer")
        buffer = bytearray(4)
        assert (link.read_into(buffer), buffer) == (4, b"answ")
        assert (link.read_into(buffer), buffer[:2]) == (2, b"er") and link.read_into(buffer) == 0

    def test_pins_of_two_groups_of_one_uart_can_be_mixed(self, build) -> None:
        assert build(LINK_TX="GP12", LINK_RX="GP17").link is not None

    def test_a_frame_never_waits_for_the_wire(self, build, workbench) -> None:
        link = build(LINK_TX="GP4", LINK_RX="GP5", SOFT_DROP="GP20", HARD_DROP="GP21").link
        chunk = memoryview(bytes(32))
        taken = 0
        for _ in range(200):
            workbench.pass_time(1)
            taken += link.write(chunk)
        assert workbench.uarts[0].waited_ms < 1e-6 and 1800 < taken <= 200 * 115_200 / 10_000 + 32

    def test_days_of_silence_do_not_close_the_wire(self, build, workbench) -> None:
        link = build(LINK_TX="GP12", LINK_RX="GP13").link
        assert link.write(memoryview(bytes(32))) == 32
        workbench.now_ms = ticks_add(workbench.now_ms, TICKS_PERIOD // 2)  # ticks_diff is below 0
        assert link.write(memoryview(bytes(32))) == 32
        assert link.write(memoryview(b"x")) == 0, "in the same ms nothing has gone out"

    @pytest.mark.parametrize(("tx", "rx"), [("GP13", "GP12"), ("GP12", "GP21"), ("GP14", "GP15")])
    def test_pins_that_are_no_pair_of_one_uart_are_refused(self, build, tx: str, rx: str) -> None:
        with pytest.raises(WiringError, match=f"^SKYLINE_LINK_TX is {tx} with SKYLINE_LINK_RX {rx}, allowed: {UARTS}$"):
            build(LINK_TX=tx, LINK_RX=rx, BUZZER="none")

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({"LINK_TX": "GP12"}, "none"),
            ({"LINK_RX": "GP13"}, "none"),
            ({"LINK_TX": "GP8", "LINK_RX": "GP9"}, "SKYLINE_HOLD is GP8 and SKYLINE_LINK_TX is GP8, the same pin"),
        ],
    )
    def test_a_single_pin_or_one_in_use_is_refused(self, build, settings: Any, words: str) -> None:
        with pytest.raises(WiringError, match=words):
            build(**settings)

    def test_every_pair_in_the_error_message_is_accepted(self, workbench) -> None:
        busio = importlib.import_module("busio")
        for group in UARTS.split(", or "):
            sends, receives = (part.split("GP")[1].split() for part in group.split(" with "))
            for tx in sends:
                for rx in receives:
                    pins = workbench.pins[int(tx)], workbench.pins[int(rx)]
                    busio.UART(*pins)
                    for pin in pins:
                        pin.used_by = None


class TestUsb:
    def test_boot_opens_the_port_only_when_asked(self, workbench, toml) -> None:
        runpy.run_path(str(ROOT / "boot.py"), run_name="__main__")
        assert not workbench.usb_data
        toml(LINK_USB="1")
        runpy.run_path(str(ROOT / "boot.py"), run_name="__main__")
        assert workbench.usb_data

    def test_bytes_go_to_a_pc_that_has_the_port_open(self, build, workbench) -> None:
        workbench.usb_data = True
        link = build(LINK_USB="1").link
        port = importlib.import_module("usb_cdc").data
        assert link.write(memoryview(b"nobody listens")) == 14 and not port.sent
        port.connected = True
        port.room = 5
        assert link.write(memoryview(b"somebody")) == 5 and link.write(memoryview(b"does")) == 0
        port.received += b"hi"
        buffer = bytearray(8)
        assert (link.read_into(buffer), buffer[:2]) == (2, b"hi") and link.read_into(buffer) == 0

    def test_without_the_port_there_is_no_link(self, build) -> None:
        """As after a boot.py that ran before LINK_USB was set."""
        assert build(LINK_USB="1").link is None

    def test_an_open_usb_port_takes_precedence_over_the_pins(self, build, workbench) -> None:
        workbench.usb_data = True
        link = build(LINK_USB="1", LINK_TX="GP12", LINK_RX="GP13").link
        port = importlib.import_module("usb_cdc").data
        buffer = bytearray(8)
        workbench.uarts[0].arrive(b"pins")
        assert link.read_into(buffer) == 4 and link.write(memoryview(b"a")) == 1 and workbench.sent == b"a"
        port.connected = True
        port.received += b"pc"
        assert link.read_into(buffer) == 2 and link.write(memoryview(b"b")) == 1 and port.sent == b"b"
