"""Deploy finds the drive of the right board, or says in one line what is wrong."""

from pathlib import Path

import pytest

from tests.support.deployed import BOOT_OUT, content, deploy, refusal
from tools.deploy import DeployError, drives, tell_bytes


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KB"), (733_000, "716 KB"), (1_447_000, "1.4 MB")],
)
def test_tell_bytes_uses_short_units(count: int, words: str) -> None:
    assert tell_bytes(count) == words


def make(base: Path, *names: str) -> None:
    for name in names:
        (base / name).mkdir(parents=True)


@pytest.mark.parametrize(
    ("system", "place"),
    [("darwin", "Volumes/CIRCUITPY"), ("linux", "run/media/{}/CIRCUITPY"), ("linux", "media/{}/CIRCUITPY")],
)
def test_the_drive_is_found_at_the_systems_mount_point(system: str, place: str, tmp_path: Path) -> None:
    place = place.format(drives._user())
    make(tmp_path, place, "Volumes/Macintosh HD", "mnt/disk")
    assert drives.find(drives.mounted(system, tmp_path)) == tmp_path / place


def test_on_windows_the_drive_is_found_by_its_label(tmp_path: Path) -> None:
    make(tmp_path, "D", "E")
    labels = {"D": "DATA", "E": "CIRCUITPY"}
    assert drives.find([tmp_path / "D", tmp_path / "E"], lambda path: labels[path.name]) == tmp_path / "E"


def test_a_renamed_drive_is_found_by_its_boot_out(tmp_path: Path) -> None:
    make(tmp_path, "STICK", "SKYLINE")
    (tmp_path / "SKYLINE/boot_out.txt").write_text(BOOT_OUT)
    assert drives.find([tmp_path / "STICK", tmp_path / "SKYLINE"]).name == "SKYLINE"


@pytest.mark.parametrize(
    ("system", "names", "words"),
    [
        ("linux", [], "no CIRCUITPY drive: connect"),
        ("darwin", ["CIRCUITPY", "CIRCUITPY 1"], r"more than one board: .*CIRCUITPY, .*Y 1; choose with --drive"),
        ("darwin", ["RPI-RP2"], "waits in its bootloader: put CircuitPython 10 on it first"),
    ],
)
def test_no_drive_or_several_are_reported_in_one_line(system: str, names, words: str, tmp_path: Path) -> None:
    for name in names:
        make(tmp_path, f"Volumes/{name}")
        if name == "RPI-RP2":
            (tmp_path / "Volumes" / name / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0")
    with pytest.raises(DeployError, match=words):
        drives.find(drives.mounted(system, tmp_path))


@pytest.mark.parametrize(
    ("boot_out", "words"),
    [
        (BOOT_OUT.replace("10.2.1", "9.2.8"), "Adafruit CircuitPython 9.2.8 is on the board, Skyline needs 10"),
        (BOOT_OUT.replace("10.2.1", "11.0.0-beta.1"), "Skyline needs 10"),
        *((text, "does not say which CircuitPython") for text in ("MicroPython v1.27\n", "")),
        (
            "Adafruit CircuitPython 9.2.8 on 2025-05-28; Adafruit Trinket M0 with samd21e18\n",
            "Adafruit Trinket M0 with samd21e18 has too little memory, 32 KB; Skyline needs a board such as the",
        ),
        (None, "it has no boot_out.txt"),
    ],
)
def test_a_wrong_board_is_reported_and_nothing_is_copied(drive, capsys, boot_out, words: str) -> None:
    (drive / "boot_out.txt").unlink()
    if boot_out is not None:
        (drive / "boot_out.txt").write_text(boot_out)
    assert deploy(drive) == 2 and words in refusal(capsys) and content(drive) == {}


def test_a_folder_that_is_no_drive_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deploy(tmp_path / "nowhere") == 2 and "nowhere is no drive" in refusal(capsys)
