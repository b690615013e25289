"""Where saves fail, the result page, the pause and the terminal say so; a foreign or damaged file is never lost."""

import errno
from pathlib import Path
from typing import Any

import pytest

from firmware.engine import controls
from firmware.engine.options import Options
from firmware.modes.catalogue import ZEN
from firmware.save.recorder import Recorder
from sim.desktop.opening import _claim as claim_saves
from sim.desktop.session import Session
from sim.game_record import NO_FIGURES, length_s, load, measure_recording
from sim.library import Library, open_library
from sim.moment import END_MS
from sim.store import FileStore, check_saves, open_stores
from sim.terminal import Refusal
from tests.support.handhelds.command_lines import play_script

DROPS = [(1000 + 150 * number, controls.HARD_DROP) for number in range(80)]
PAUSE = [*DROPS[:4], (3000, controls.PAUSE)]


def play(stores: list[FileStore], folder: Path, script: list[tuple[int, int]], until_ms: int) -> Session:
    return play_script(script, until_ms, seed=1, store=stores, library=open_library(folder))


def claim(folder: Path) -> list[FileStore]:
    stores = open_stores(folder)
    claim_saves(stores)
    return stores


def test_hostile_second_simulator_is_told_at_its_start_and_saves_nothing(tmp_path: Path, capsys: Any) -> None:
    first = claim(tmp_path)
    assert capsys.readouterr().err == ""
    second = claim(tmp_path)
    said = capsys.readouterr().err
    assert f"another simulator saves in {tmp_path}" in said and "--folder DIR" in said and said.count("\n") == 1

    paused = play(second, tmp_path, PAUSE, 3500)
    cover = paused.app.router.scene.cover
    assert b"IT IS NOT SAVED" in cover.notes[cover.lines.index(b"MENU")]
    over = play(second, tmp_path, DROPS, 22_000)
    assert over.app.router.name == "menus.over" and over.app.router.scene.told == b"NOT SAVED"
    assert not (tmp_path / "bank0.bin").exists() and not (tmp_path / "unfinished.bin").exists()
    assert open_library(tmp_path).count() == 1, "a finished game is kept by any simulator"
    first[0].release()


def test_the_next_simulator_saves_once_the_first_has_ended(tmp_path: Path) -> None:
    first, second = claim(tmp_path), claim(tmp_path)
    assert first[0].lock and second[0].refusal
    first[0].release()
    third = claim(tmp_path)
    assert third[0].lock and not third[0].refusal
    third[0].release()


def test_hostile_disk_is_told_on_the_result_the_pause_and_in_the_terminal(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space")

    monkeypatch.setattr(FileStore, "_write", fail)
    monkeypatch.setattr(Library, "add", fail)
    paused = play(open_stores(tmp_path), tmp_path, PAUSE, 3500)
    cover = paused.app.router.scene.cover
    assert b"IT IS NOT SAVED" in cover.notes[cover.lines.index(b"MENU")]
    assert capsys.readouterr().err == f"sim: nothing is saved: {tmp_path}: No space\n"
    over = play(open_stores(tmp_path), tmp_path, DROPS, 22_000)
    assert over.app.router.scene.told == b"NOT SAVED"
    assert f"sim: cannot keep a game in {tmp_path / 'library'}: No space\n" in capsys.readouterr().err


def test_hostile_library_is_told_on_the_result(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "library").write_bytes(b"")
    over = play(open_stores(tmp_path), tmp_path, DROPS, 22_000)
    assert over.app.router.scene.told == b"NOT IN LIBRARY"
    assert "cannot keep a game in" in capsys.readouterr().err


def play_match(stores: list[FileStore], folder: Path) -> Session:
    """Lose a match against a computer, and go on to its numbers."""
    script = [*((3000 + 150 * number, controls.HARD_DROP) for number in range(40)), (14_000, controls.ROTATE_CW)]
    library = open_library(folder)
    over = play_script(script, 16_000, seed=1, first="match.play", seats=b"\0\1", store=stores, library=library)
    assert over.app.router.name == "match.over"
    return over


def test_hostile_saves_of_a_match_are_told_on_its_result(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    assert play_match(open_stores(tmp_path), tmp_path).app.router.scene.told == b""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "library").write_bytes(b"")
    assert play_match(open_stores(tmp_path / "full"), tmp_path / "full").app.router.scene.told == b"NOT IN LIBRARY"
    first = claim(tmp_path)
    assert play_match(claim(tmp_path), tmp_path).app.router.scene.told == b"NOT SAVED"
    first[0].release()


def test_hostile_recording_of_days_is_refused_before_it_is_played(tmp_path: Path) -> None:
    """A few bytes claim years: the library would play them at its start."""
    recorder = Recorder(200)
    recorder.begin_game(ZEN, 1, Options())
    for number, time_ms in enumerate(range(0, END_MS, 1 << 24)):
        recorder.record_edge(controls.HARD_DROP, ~number & 1, time_ms)
    assert length_s(load(recorder.recorded(END_MS))) * 1000 == END_MS
    blob = recorder.recorded(END_MS + 1)
    with pytest.raises(ValueError, match="it is longer than 74 hours"):
        load(blob)
    assert measure_recording(blob) == NO_FIGURES


@pytest.mark.parametrize("name", ["saves.lock", "ending.bin", "unfinished-1.bin"])
def test_hostile_file_in_the_place_of_a_save_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"mine")
    with pytest.raises(Refusal, match="is not a save of Skyline"):
        check_saves(tmp_path)


@pytest.mark.parametrize("damage", [b"x" * 4096, bytes(4096), b"\xff" * 4000 + b"end"], ids=range(3))
def test_hostile_bank_is_copied_before_the_game_begins_anew(damage: bytes, tmp_path: Path, capsys: Any) -> None:
    damage = damage.ljust(4096, b"\xff")
    (tmp_path / "bank0.bin").write_bytes(damage)
    play(open_stores(tmp_path / "good"), tmp_path / "good", PAUSE, 3500)
    (tmp_path / "bank1.bin").write_bytes((tmp_path / "good" / "bank0.bin").read_bytes())
    claim(tmp_path)[0].release()
    (copy,) = tmp_path.glob("bank?-damaged-*.bin")
    assert copy.read_bytes() == damage
    said = capsys.readouterr().err
    assert f"bank0.bin is damaged, so what it saved begins anew; {copy.name} is a copy\n" in said
    assert said.count("\n") == 1
