"""The game fits on the drive of every board in profiles.txt, with room for its own files: by deploy, UF2 and zip."""

from pathlib import Path

import pytest
from folder2uf2 import SECTOR, FatBuilder, Geometry, build_tree

from firmware.device import profiles
from tests.support.deployed import HEAD, Files, build
from tests.support.uf2 import FLASH_START, PICO_FAMILY, uf2_blocks
from tools.deploy import compiling, image, looking, mark, planning, settings
from tools.deploy.__main__ import main
from tools.deploy.drives import find_place
from tools.deploy.volume import Volume
from tools.files import write_files
from tools.release.__main__ import list_drive

SPARE_BYTES = 12 * 1024
RECORDS = {record["board"]: record for record in profiles.read()}


def count_free(drive_kb: int, files: Files, folder: Path) -> int:
    """Return the bytes left on a drive as CircuitPython formats it, with its own files and these."""
    write_files(folder, {"boot_out.txt": bytes(SECTOR)} | files)
    builder = FatBuilder(Geometry(drive_kb * 1024 // SECTOR))
    builder.layout(build_tree(folder))
    return (builder.geo.cluster_count + 2 - builder.next_cluster) * builder.geo.cluster_bytes


def build_for(board: str) -> Files:
    display = settings.check(f'SKYLINE_BOARD = "{board}"', board)
    return {image.SETTINGS: image.settings_text().encode()} | build(display, HEAD)


@pytest.mark.parametrize("board", sorted(RECORDS))
def test_the_game_leaves_12_kb_of_the_drive_of_each_board(board: str, tmp_path: Path) -> None:
    files = build_for(board)
    files[mark.NAME] = mark.of_empty_drive(files).render()
    lacking = SPARE_BYTES - count_free(int(RECORDS[board]["drive"]), files, tmp_path)
    near = sorted((len(text) % SECTOR or SECTOR, name) for name, text in files.items())[: 4 + lacking // SECTOR]
    words = ", ".join(f"{name} by {count}" for count, name in near)
    assert lacking <= 0, f"{lacking} bytes too many (firmware/modes/README.md, The room for a mode): shorten {words}"


@pytest.mark.parametrize("board", sorted(RECORDS))
def test_a_uf2_can_be_made_for_each_board(board: str, tmp_path: Path) -> None:
    about = b"Adafruit CircuitPython 10.0.0 on 2025-10-01; board with a chip\0"
    family = find_place(board).family.to_bytes(4, "little")
    blocks = uf2_blocks(about, FLASH_START).replace(PICO_FAMILY.to_bytes(4, "little"), family)
    (tmp_path / "cp.uf2").write_bytes(blocks)
    code = main(["--uf2", str(tmp_path / "cp.uf2"), "--board", board, "-o", str(tmp_path / "made.uf2")])
    assert code == 0 and b"SKYLINE_" in compiling.read_payload((tmp_path / "made.uf2").read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("board", sorted(RECORDS))
def test_a_zip_without_other_displays_libraries_fits_each_board(board: str, tmp_path: Path) -> None:
    """Each copy follows COPY.txt."""
    files = list_drive(10, HEAD)
    left_out = ("COPY.txt", "LICENSE")
    copied = {name: files[name] for name in files if not name.startswith("lib/") and name not in left_out}
    copied |= {name: content for name, content in build_for(board).items() if name.startswith("lib/")}
    assert count_free(int(RECORDS[board]["drive"]), copied, tmp_path) >= SPARE_BYTES


def test_deploy_changes_nothing_after_the_whole_zip(tmp_path: Path) -> None:
    write_files(tmp_path, list_drive(10, HEAD))
    plan = planning.compare(looking.look(Volume(tmp_path), set()), build_for("raspberry_pi_pico"))
    assert (plan.changed, plan.stale, plan.moves, plan.kept) == ([], [], {}, [])


def test_a_profile_on_a_drive_has_only_words_that_a_board_reads() -> None:
    text = image.read_data()["firmware/device/profiles.txt"].decode()
    records = [dict(line.split(": ", 1) for line in part.splitlines()) for part in text.strip().split("\n\n")]
    assert [record["board"] for record in records] == [*RECORDS]
    for record in records:
        whole = RECORDS[record["board"]]
        assert record == {word: value for word, value in whole.items() if word == "board" or word.isupper()}
