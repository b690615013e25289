"""The deployed game fits on the drive of every board in profiles.txt, with room for the game's own files."""

from pathlib import Path

import pytest
from folder2uf2 import SECTOR, FatBuilder, Geometry, build_tree

from firmware.device import profiles
from tools.deploy import compiling, image, minifying, settings
from tools.files import write_files

SPARE_BYTES = 12 * 1024
# KB of the drive where CircuitPython leaves less than 1,536 KB of the flash; other boards have larger flashes.
SMALL_KB = {"raspberry_pi_pico": 1024, "raspberry_pi_pico_w": 508, "pajenicko_picopad": 508}
PICO_KB = SMALL_KB["raspberry_pi_pico"]
RECORDS = {record["board"]: record for record in profiles.read()}


def count_free(drive_kb: int, files: dict[str, bytes], folder: Path) -> int:
    """Return the bytes left on a drive as CircuitPython formats it, with its own files and these."""
    write_files(folder, {"boot_out.txt": bytes(SECTOR)} | files)
    builder = FatBuilder(Geometry(drive_kb * 1024 // SECTOR))
    builder.layout(build_tree(folder))
    return (builder.geo.cluster_count + 2 - builder.next_cluster) * builder.geo.cluster_bytes


@pytest.mark.parametrize("board", sorted(RECORDS))
def test_the_game_leaves_12_kb_of_the_drive_of_each_board(board: str, tmp_path: Path) -> None:
    drive_kb = int(RECORDS[board].get("drive", SMALL_KB.get(board, PICO_KB)))
    display = settings.check(f'SKYLINE_BOARD = "{board}"', board)
    cache = minifying.Cache(minifying.cache_path("renamed"))
    files = {image.SETTINGS: image.settings_text().encode()} | image.build(display, compiling.FORMATS[10], cache=cache)

    free = count_free(drive_kb, files, tmp_path)

    print(f"SPACE {board}: {free} bytes of {drive_kb} KB")
    assert free >= SPARE_BYTES


def test_a_profile_on_a_drive_has_only_words_that_a_board_reads() -> None:
    text = image.read_data()["firmware/device/profiles.txt"].decode()
    records = [dict(line.split(": ", 1) for line in part.splitlines()) for part in text.strip().split("\n\n")]
    assert [record["board"] for record in records] == [*RECORDS]
    for record in records:
        whole = RECORDS[record["board"]]
        assert record == {word: value for word, value in whole.items() if word == "board" or word.isupper()}
