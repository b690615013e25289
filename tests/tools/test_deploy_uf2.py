"""A UF2 of CircuitPython is checked whole, and becomes one that holds the drive as well."""

import random
import re
import struct
from pathlib import Path

import pytest

from firmware.device import profiles
from tests.support.deployed import Files, refusal
from tests.support.uf2 import FLASH_START, PICO_FAMILY, uf2_blocks
from tools.deploy import DeployError, compiling, image, uf2
from tools.deploy.__main__ import main
from tools.deploy.drives import find_place

BOARD = "raspberry_pi_pico"
DRIVE_START = FLASH_START + 0x10_0000
WHOLE = uf2_blocks(b"Adafruit CircuitPython " * 1000, FLASH_START)
RP2350, ABSOLUTE = 0xE48B_FF59, 0xE48B_FF57
NAMES = ("first", "second", "flags", "address", "size", "number", "total", "family")
FIELDS = {name: 4 * at for at, name in enumerate(NAMES)}


def change(name: str, value: int, block: int = 2) -> bytes:
    """Return the whole file with another number in the head of one block."""
    at = 512 * block + FIELDS[name]
    return WHOLE[:at] + struct.pack("<I", value) + WHOLE[at + 4 :]


def refuse(content: bytes, board: str = BOARD) -> str:
    with pytest.raises(DeployError) as refused:
        uf2.check(content, "cp.uf2", board)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_whole_file_is_taken() -> None:
    uf2.check(WHOLE, "cp.uf2", BOARD)


def test_a_block_against_a_fault_of_the_rp2350_is_no_part_of_the_count() -> None:
    def write(family: int, address: int, number: int, total: int) -> bytes:
        head = (0x0A324655, 0x9E5D5157, 0x2000, address, 256, number, total, family)
        return struct.pack("<8I476sI", *head, b"", 0x0AB16F30)

    first = write(ABSOLUTE, 0x10FFFF00, 0, 2)
    uf2.check(first + write(RP2350, FLASH_START, 0, 1), "cp.uf2", "raspberry_pi_pico2")
    assert "is cut: it has 0 of 1 blocks" in refuse(first, "raspberry_pi_pico2")


@pytest.mark.parametrize("board", profiles.list_names())
def test_a_file_with_a_drive_is_refused_for_each_board(board: str) -> None:
    family, start, _size = find_place(board)
    drive = uf2_blocks(bytes(512), FLASH_START + start)
    content = drive.replace(struct.pack("<I", PICO_FAMILY), struct.pack("<I", family))
    assert "has a drive already" in refuse(content, board)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no UF2 file, or is cut: 0 bytes"),
        (b"hello\n" * 256, "is no UF2 file; download it again"),
        (WHOLE[:-1], "is cut"),
        (WHOLE[:-512], "is cut: it has 89 of 90 blocks; download it again"),
        (WHOLE[512:], "is cut: it has 89 of 90 blocks"),
        (WHOLE[:512] + WHOLE[1024:] + WHOLE[-512:], "is damaged: block 2 of 90 is in place 1"),
        (WHOLE[:1024] + bytes(512) + WHOLE[1536:], "is damaged: block 2 is none"),
        (change("second", 0), "is damaged: block 2 is none"),
        (change("size", 0), "is damaged: block 2 is none"),
        (change("size", 477), "is damaged: block 2 is none"),
        (change("number", 7), "is damaged: block 7 of 90 is in place 2"),
        (change("total", 7), "is damaged: block 2 of 7 is in place 2"),
        (change("address", FLASH_START), "goes to 0x10000000, twice or nowhere"),
        (change("address", 0x2000_0000), "twice or nowhere"),
        (change("family", RP2350), f"family 0x{RP2350:08x}, but {BOARD} has 0x{PICO_FAMILY:08x}; wrong board?"),
        (uf2_blocks(bytes(512), DRIVE_START), "has a drive already"),
    ],
)
def test_a_cut_or_damaged_file_is_refused(content: bytes, words: str) -> None:
    assert words in refuse(content)


def test_a_file_cut_or_changed_in_its_heads_anywhere_is_refused() -> None:
    chance = random.Random(5)
    for _ in range(300):
        refuse(WHOLE[: chance.randrange(len(WHOLE))])
        at = 512 * chance.randrange(len(WHOLE) // 512) + chance.choice([*range(8), *range(20, 32), *range(508, 512)])
        refuse(WHOLE[:at] + bytes([WHOLE[at] ^ 1 << chance.randrange(8)]) + WHOLE[at + 1 :])


def test_deploy_makes_nothing_of_a_cut_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cp.uf2").write_bytes(WHOLE[:20_480])
    code = main(["--uf2", str(tmp_path / "cp.uf2"), "--board", BOARD, "-o", str(tmp_path / "skyline.uf2")])
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and "is cut: it has 40 of 90 blocks" in said
    assert not (tmp_path / "skyline.uf2").exists()


@pytest.mark.parametrize("named", [True, False], ids=["named", "by default"])
def test_deploy_spares_a_file_of_another(named: bool, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("cp.uf2", "skyline.uf2"):
        (tmp_path / name).write_bytes(WHOLE)
    code = main(["--uf2", "cp.uf2", "--board", BOARD, *(["-o", "skyline.uf2"] if named else [])])
    assert code == 2 and "cannot write skyline.uf2: another file has this name" in capsys.readouterr().err
    assert (tmp_path / "skyline.uf2").read_bytes() == WHOLE


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    path = tmp_path / "circuitpython.uf2"
    path.write_bytes(uf2_blocks(b"CircuitPython" * 100, FLASH_START))
    return path


def make(firmware: Path, *options: str) -> tuple[int, Path]:
    target = firmware.with_name("skyline.uf2")
    return main(["--uf2", str(firmware), "-o", str(target), *options]), target


def test_one_file_holds_circuitpython_and_the_drive(firmware: Path, files: Files, capsys) -> None:
    code, target = make(firmware, "--board", BOARD)
    assert code == 0, capsys.readouterr().err
    flash = {}
    for magic, _, _, address, size, _, _, family, data in struct.iter_unpack("<8I480s", target.read_bytes()):
        assert (magic, family) == (0x0A324655, PICO_FAMILY)
        flash[address] = data[:size]
    assert flash[FLASH_START].startswith(b"CircuitPython")
    volume = b"".join(data for address, data in sorted(flash.items()) if address >= DRIVE_START)
    for name in ("code.py", "safemode.py", "firmware/app.py"):
        assert files[name] in volume, name
    assert image.settings_text().encode() in volume
    said = capsys.readouterr().out
    assert re.search(r"skyline.uf2: [\d.]+ [KM]B, \d+ KB of them Skyline's", said)
    assert "sources: what CircuitPython of an unknown version reads is not known" in said


def test_a_uf2_holds_files_compiled_for_its_circuitpython(firmware: Path, compiled: Files, capsys) -> None:
    about = b"x" * 240 + b"Adafruit CircuitPython 10.0.0 on 2025-10-01; Raspberry Pi Pico with rp2040\0"
    firmware.write_bytes(uf2_blocks(about, FLASH_START))
    code, target = make(firmware, "--board", BOARD)
    said = capsys.readouterr()
    assert code == 0, said.err
    assert "compiled for CircuitPython 10.0.0" in said.out
    volume = compiling.read_payload(target.read_bytes())
    for name in ("code.py", "firmware/root.mpy"):
        assert compiled[name] in volume, name


@pytest.mark.slow
def test_a_uf2_of_a_set_time_has_the_same_bytes_each_time(firmware: Path, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764000000")
    made = [make(firmware, "--board", BOARD)[1].read_bytes() for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize("time", ["now", "-1", "0", "99999999999", "9" * 5000])
def test_a_wrong_time_is_refused(firmware: Path, monkeypatch, capsys, time: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", time)
    code, _ = make(firmware, "--board", BOARD)
    assert code == 2 and "SOURCE_DATE_EPOCH is" in refusal(capsys)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--board no_such_board", "there is no board 'no_such_board'; there are raspberry_pi_pico, .*sprig"),
        ("--board raspberry_pi_pico2", "wrong board\\?"),
        ("", "--uf2 FIRMWARE.UF2 and --board NAME go together"),
        ("--plain --board raspberry_pi_pico", "raspberry_pi_pico has too small a drive.*leave out --source and "),
        ("--uf2 nothing.uf2 --board raspberry_pi_pico", "there is no file"),
        ("--board raspberry_pi_pico --remove", "--uf2 and --remove cannot be used together$"),
        ("--board raspberry_pi_pico --drive .", "--uf2 and --drive cannot be used together$"),
        ("--clock", "--clock and --uf2 cannot be used together$"),
    ],
)
def test_a_uf2_that_cannot_be_made_is_reported_in_one_line(firmware, capsys, options, words: str) -> None:
    code, target = make(firmware, *options.split())
    assert code == 2 and re.search(words, refusal(capsys)) and not target.exists()


def test_dry_run_makes_nothing(firmware: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, target = make(firmware, "--board", BOARD, "--dry-run")
    assert code == 0 and " code.py" in capsys.readouterr().out and not target.exists()
