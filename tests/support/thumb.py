"""Run tiny Thumb programs, given as halfwords, on the emulated chip."""

import numpy as np

from tools.board.rp2040 import loop, power
from tools.board.rp2040.layout import RAM_START
from tools.board.rp2040.memory import load_word, store_word

PROGRAM = RAM_START
STACK = RAM_START + 0x1000
DATA = RAM_START + 0x2000
VECTORS = RAM_START + 0x3000
NOP, WFI, BKPT, HERE = 0xBF00, 0xBF30, 0xBE00, 0xE7FE  # HERE: a branch to itself


def make_chip(*halfwords: int, **registers: int) -> np.void:
    """Return a chip that will execute `halfwords` in RAM, with these registers (r0=1, r7=...)."""
    chip = power.make_chip(np.zeros(4, np.uint32))
    power.switch_on(chip, seed=1)
    chip["ram"] = 0
    code = np.array([*halfwords, BKPT], np.uint16)
    chip["ram"].view(np.uint16)[: len(code)] = code
    chip["r"][13], chip["r"][15], chip["vtor"] = STACK, PROGRAM, VECTORS
    for name, value in registers.items():
        chip["r"][int(name[1:])] = value
    return chip


def run_program(chip: np.void) -> int:
    began = int(chip["now"])
    loop.run(chip, began + 10_000)
    return int(chip["now"]) - began - 1  # without the breakpoint's cycle


def read(chip: np.void, address: int) -> int:
    """Return the word at an address, as a load does."""
    return int(load_word(chip, address, int(chip["now"])))


def write(chip: np.void, address: int, value: int) -> None:
    store_word(chip, address, value, int(chip["now"]))


def wait(chip: np.void, cycles: int) -> None:
    """Let cycles pass for a chip that executes HERE or sleeps."""
    loop.run(chip, int(chip["now"]) + cycles)


def take_log(chip: np.void) -> list[tuple[int, int]]:
    """Return and clear the log: kind and value of all output of the chip."""
    count = int(chip["log_count"])
    chip["log_count"] = 0
    return list(zip(chip["log_kind"][:count].tolist(), chip["log_value"][:count].tolist(), strict=True))
