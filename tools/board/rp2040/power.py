"""Switch the chip on: put its record into the state after power-on, memories kept or random."""

import numpy as np

from tools.board.rp2040 import apb
from tools.board.rp2040.layout import CHIP, FLASH_START, NEVER, ROM_BYTES

_WATCHED = ("watched_pc", "sleep_pc", "poll_pc")
_WIRES = ("display_address", "sda", "scl", "spi_clock", "spi_data", "display_pins", "buzzer", "pulled_up", "held_low")
_KEPT = ("flash", "rom", *_WIRES, *_WATCHED)
_NEVER = ("systick_due", "timer_due", "i2c_due", "spi_due", "uart_tx_due", "uart_rx_timeout")
_WATCHDOG, _REASON, _SCRATCH4, _REBOOTED = 22, 0x08 // 4, 0x1C // 4, 0x6AB73121


def make_chip(rom: np.ndarray) -> np.void:
    """Return a switched-off chip with erased flash and this boot ROM (words)."""
    chip = np.zeros(1, CHIP)[0]
    chip["rom"][: len(rom)] = rom[: ROM_BYTES // 4]
    chip["flash"] = 0xFFFF_FFFF
    chip["spi_clock"] = chip["spi_data"] = -1
    for name in _WATCHED:
        chip[name] = -1
    return chip


def switch_on(chip: np.void, seed: int, by_watchdog: bool = False, ram_kept: bool = False) -> None:
    """Put everything but the flash into its state after a reset.

    This skips the boot ROM's start, which would check and copy the second stage: here that runs from flash.
    seed: of the ring oscillator's random bits and of the RAM's content.
    by_watchdog: tell the firmware that the watchdog reset it; CircuitPython then skips its one-second wait.
    """
    kept = (*_KEPT, "ram", "now") if ram_kept else _KEPT
    for name in CHIP.names or ():
        if name not in kept:
            chip[name] = 0
    if not ram_kept:
        chip["ram"] = np.random.default_rng(seed).integers(0, 1 << 32, chip["ram"].shape, np.uint32)
    chip["apb"] = apb.AFTER_RESET
    for name in _NEVER:
        chip[name] = NEVER
    chip["random"] = seed % 0xFFFF_FFFF + 1
    chip["passed_pc"] = -1
    chip["marked_pc"] = chip["sleep_pc"]
    chip["uart_shifting"] = chip["spi_shifting"] = -1
    chip["display_levels"] = -1  # unknown: the next change of a pin logs them
    chip["probe_sda"] = chip["probe_scl"] = 1
    chip["flash_selected"] = 1
    chip["r"][13] = chip["rom"][0]
    chip["r"][15] = FLASH_START
    if by_watchdog:
        chip["apb"][_WATCHDOG, _REASON] = 1
        chip["apb"][_WATCHDOG, _SCRATCH4] = _REBOOTED
