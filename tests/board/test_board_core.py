"""The emulated Cortex-M0+: results and cycles of instructions, and exceptions (ARMv6-M, chapters A6 and B1)."""

import numpy as np
import pytest

from tests.support.thumb import BKPT, DATA, HERE, NOP, PROGRAM, STACK, VECTORS, WFI, make_chip, read, run_program, wait
from tools.board.rp2040 import loop
from tools.board.rp2040.exceptions import psr
from tools.board.rp2040.layout import TRAP_UNDEFINED

# Numba compiles the processor for most of a minute, the first time.
pytestmark = pytest.mark.slow

N, Z, C, V = 8, 4, 2, 1
TOP = 0x8000_0000
ALL = 0xFFFF_FFFF


# Instruction, r0 and r1 before, r0 and flags after. All flags are 0 before.
@pytest.mark.parametrize(
    ("code", "r0", "r1", "result", "flags"),
    [
        pytest.param(0x0008, 9, 5, 5, 0, id="movs r0, r1"),
        pytest.param(0x0048, 0, TOP | 1, 2, C, id="lsls r0, r1, #1"),
        pytest.param(0x0848, 0, 3, 1, C, id="lsrs r0, r1, #1"),
        pytest.param(0x0808, 7, TOP, 0, Z | C, id="lsrs r0, r1, #32"),
        pytest.param(0x1008, 7, TOP, ALL, N | C, id="asrs r0, r1, #32"),
        pytest.param(0x1048, 0, TOP | 1, TOP >> 1 | TOP, N | C, id="asrs r0, r1, #1"),
        pytest.param(0x1840, ALL, 1, 0, Z | C, id="adds r0, r0, r1"),
        pytest.param(0x1840, TOP - 1, 1, TOP, N | V, id="adds overflows"),
        pytest.param(0x1A40, 1, 2, ALL, N, id="subs borrows"),
        pytest.param(0x1A40, TOP, 1, TOP - 1, C | V, id="subs overflows"),
        pytest.param(0x1E40, 1, 0, 0, Z | C, id="subs r0, r0, #1"),
        pytest.param(0x2080, 0, 0, 0x80, 0, id="movs r0, #128"),
        pytest.param(0x2801, 1, 0, 1, Z | C, id="cmp r0, #1"),
        pytest.param(0x30FF, 1, 0, 0x100, 0, id="adds r0, #255"),
        pytest.param(0x3801, 0, 0, ALL, N, id="subs r0, #1"),
        pytest.param(0x4008, 6, 3, 2, 0, id="ands"),
        pytest.param(0x4048, 6, 3, 5, 0, id="eors"),
        pytest.param(0x4088, 1, 32, 0, Z | C, id="lsls by 32"),
        pytest.param(0x4088, 1, 33, 0, Z, id="lsls by 33"),
        pytest.param(0x40C8, TOP, 32, 0, Z | C, id="lsrs by 32"),
        pytest.param(0x4108, TOP, 200, ALL, N | C, id="asrs by 200"),
        pytest.param(0x4148, 1, 2, 3, 0, id="adcs without carry"),
        pytest.param(0x4188, 5, 2, 2, C, id="sbcs without carry subtracts one more"),
        pytest.param(0x41C8, 1, 1, TOP, N | C, id="rors"),
        pytest.param(0x4208, 1, 2, 1, Z, id="tst"),
        pytest.param(0x4248, 9, 1, ALL, N, id="rsbs"),
        pytest.param(0x4288, 1, 1, 1, Z | C, id="cmp"),
        pytest.param(0x42C8, ALL, 1, ALL, Z | C, id="cmn"),
        pytest.param(0x4308, 1, 2, 3, 0, id="orrs"),
        pytest.param(0x4348, ALL, ALL, 1, 0, id="muls keeps the lower word"),
        pytest.param(0x4388, 7, 2, 5, 0, id="bics"),
        pytest.param(0x43C8, 0, 0, ALL, N, id="mvns"),
        pytest.param(0xB208, 0, 0x8000, 0xFFFF_8000, 0, id="sxth"),
        pytest.param(0xB248, 0, 0x80, 0xFFFF_FF80, 0, id="sxtb"),
        pytest.param(0xB288, 0, 0x12345, 0x2345, 0, id="uxth"),
        pytest.param(0xB2C8, 0, 0x12345, 0x45, 0, id="uxtb"),
        pytest.param(0xBA08, 0, 0x11223344, 0x44332211, 0, id="rev"),
        pytest.param(0xBA48, 0, 0x11223344, 0x22114433, 0, id="rev16"),
        pytest.param(0xBAC8, 0, 0x00FF, 0xFFFF_FF00, 0, id="revsh"),
        pytest.param(0x4408, 1, 2, 3, 0, id="add without flags"),
    ],
)
def test_an_instruction_gives_result_and_flags(code: int, r0: int, r1: int, result: int, flags: int) -> None:
    chip = make_chip(code, r0=r0, r1=r1)
    chip["nz"] = 1
    run_program(chip)
    assert int(chip["r"][0]) == result
    assert int(psr(chip)) >> 28 == flags


@pytest.mark.parametrize(
    ("condition", "a", "b", "taken"),
    [
        *((0, 1, 1, True), (0, 1, 2, False), (1, 1, 2, True)),  # EQ, NE
        *((2, 2, 1, True), (3, 1, 2, True), (3, 2, 1, False)),  # CS, CC
        *((4, 1, 2, True), (5, 2, 1, True)),  # MI, PL
        *((6, TOP, 1, True), (7, 2, 1, True)),  # VS, VC
        *((8, 2, 1, True), (8, 1, 1, False), (9, 1, 1, True)),  # HI, LS
        *((10, 1, ALL, True), (11, ALL, 1, True), (12, 1, 1, False), (13, 1, 1, True)),  # GE, LT, GT, LE
    ],
)
def test_a_branch_follows_its_condition(condition: int, a: int, b: int, taken: bool) -> None:
    chip = make_chip(0x4288, 0xD000 | condition << 8, 0x2207, r0=a, r1=b)  # cmp r0, r1; b<c> over movs r2, #7
    run_program(chip)
    assert int(chip["r"][2]) == (0 if taken else 7)


@pytest.mark.parametrize(
    ("code", "cycles"),
    [
        pytest.param([0x2001], 1, id="movs"),
        pytest.param([0x6808], 2, id="ldr from RAM"),
        pytest.param([0x6008], 2, id="str to RAM"),
        pytest.param([0xB503], 3, id="push of three"),
        pytest.param([0xC107], 4, id="stm of three"),
        pytest.param([0xE7FF], 2, id="b"),
        pytest.param([0xD0FF], 1, id="beq that is not taken"),
        pytest.param([0xF000, 0xF800], 3, id="bl"),
        pytest.param([0xF3BF, 0x8F4F], 3, id="dsb"),
    ],
)
def test_an_instruction_takes_its_cycles(code: list[int], cycles: int) -> None:
    chip = make_chip(*code, r1=DATA)
    chip["nz"] = 1
    assert run_program(chip) == cycles


@pytest.mark.parametrize(("address", "cycles"), [(0xD000_0010, 1), (0x4005_0000, 5), (DATA, 2)])
def test_a_store_waits_for_its_bus(address: int, cycles: int) -> None:
    assert run_program(make_chip(0x6008, r1=address)) == cycles  # str r0, [r1]


def test_push_and_pop_move_registers_through_the_stack() -> None:
    chip = make_chip(0xB403, 0xBC0C, r0=11, r1=22)  # push {r0, r1}; pop {r2, r3}
    run_program(chip)
    assert chip["r"][2:4].tolist() == [11, 22]
    assert int(chip["r"][13]) == STACK
    assert read(chip, STACK - 8) == 11


def test_bytes_and_halfwords_keep_their_neighbours() -> None:
    chip = make_chip(0x7048, 0x8048, r0=0xABCD, r1=DATA)  # strb r0, [r1, #1]; strh r0, [r1, #2]
    run_program(chip)
    assert read(chip, DATA) == 0xABCD_CD00


def test_bl_saves_its_return_address_and_bx_jumps_there() -> None:
    chip = make_chip(0xF000, 0xF801, BKPT, 0x2007, 0x4770)  # bl over bkpt; movs r0, #7; bx lr
    run_program(chip)
    assert int(chip["r"][0]) == 7
    assert int(chip["r"][15]) == PROGRAM + 4


def test_ldm_writes_no_address_to_a_base_that_it_loads() -> None:
    chip = make_chip(0xC903, r1=DATA)  # ldm r1, {r0, r1}
    chip["ram"][0x800:0x802] = [5, 6]
    run_program(chip)
    assert chip["r"][:2].tolist() == [5, 6]


def test_an_undefined_instruction_stops_the_run() -> None:
    chip = make_chip(0xDE00)
    assert loop.run(chip, 100) == TRAP_UNDEFINED
    assert int(chip["r"][15]) == PROGRAM


def make_chip_with_handler(*halfwords: int, number: int) -> np.void:
    """Return a chip whose handler of exception `number` is: movs r7, #9; bx lr."""
    chip = make_chip(*halfwords)
    handler = PROGRAM + 0x100
    chip["ram"].view("u2")[0x80:0x82] = [0x2709, 0x4770]
    chip["ram"][(VECTORS - PROGRAM) // 4 + number] = handler | 1
    return chip


def test_an_interrupt_runs_its_handler_and_returns() -> None:
    chip = make_chip_with_handler(NOP, NOP, 0x2005, number=16 + 3)
    chip["enabled"] = chip["pended"] = 1 << 3
    chip["r"][:4] = [1, 2, 3, 4]
    run_program(chip)
    assert chip["r"][[0, 1, 2, 3, 7]].tolist() == [5, 2, 3, 4, 9]
    assert int(chip["r"][13]) == STACK
    assert int(chip["ipsr"]) == 0


def test_an_interrupt_masked_by_primask_only_wakes_the_core() -> None:
    chip = make_chip_with_handler(0xB672, WFI, 0x2005, number=16)  # cpsid i; wfi; movs r0, #5
    wait(chip, 100)
    assert chip["waiting"]
    chip["enabled"] = chip["pended"] = 1
    run_program(chip)
    assert chip["r"][[0, 7]].tolist() == [5, 0]


def test_the_interrupt_of_higher_priority_comes_first() -> None:
    chip = make_chip_with_handler(HERE, number=16 + 4)
    chip["enabled"] = chip["pended"] = 1 << 4 | 1 << 2
    chip["priority"][16 + 2] = 3
    wait(chip, 1)
    assert int(chip["ipsr"]) == 16 + 4


def test_svc_runs_its_handler_at_once() -> None:
    chip = make_chip_with_handler(0xDF00, NOP, number=11)
    run_program(chip)
    assert int(chip["r"][7]) == 9


def test_sleep_takes_no_busy_cycles() -> None:
    chip = make_chip(WFI)
    wait(chip, 1_000_000)
    assert int(chip["now"]) >= 1_000_000
    assert int(chip["busy"]) < 10
