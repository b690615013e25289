"""The simulator's database has a row for each finished game, beside the library of recordings."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import astuple
from datetime import datetime
from pathlib import Path

import pytest

from firmware.engine import controls
from firmware.engine.options import Options
from firmware.modes import catalogue
from firmware.save.recorder import Recorder
from sim import database
from sim.database import Database
from sim.game_record import FIGURES, NO_FIGURES, Figures, measure_recording, read_head
from sim.library import KINDS, LINKED, VERSUS, Library
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.command_lines import play_script
from tests.support.recorded import RECORDINGS
from tests.support.variants import DIG

PICTURE = bytes(1024)
NOON = datetime(2026, 11, 22, 12, 0, 0)
MARATHON = (RECORDINGS / "marathon.sky").read_bytes()
MATCH = (RECORDINGS.parent / "matches" / "two.sky").read_bytes()
DROPS = [(500 * n, controls.HARD_DROP) for n in range(1, 20)]
ROOT = Path(__file__).parents[2]
WRITER = ROOT / "tests" / "processes" / "library_writer.py"
NAME = "20261122-120000-marathon-34500"
QUESTIONS = [
    database.LIST,
    database.SEARCH.format(words=f"{database.WORD} AND {database.WORD}"),
    database.COUNT,
    database.BETWEEN,
    database.FIND,
    database.FIGURES_OF,
    database.MODES_PLAYED,
    database.DAYS,
    database.UNMEASURED,
]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


def keep(library: Library, second: int = 0, variant: int = catalogue.MARATHON, figures: Figures | None = None) -> None:
    library.add(MARATHON, variant, 34_500, PICTURE, NOON.replace(second=second), figures)


def names(library: Library) -> list[str]:
    return [entry.name for entry in library.entries()]


def explain(path: Path, question: str) -> list[str]:
    """Return the steps of SQLite's plan for a question to a new database."""
    steps = Database(path).ask(f"EXPLAIN QUERY PLAN {question}", *[0] * question.count("?"))
    return [step for *_, step in steps]


def figures_in(library: Library, name: str) -> tuple[int, ...]:
    (row,) = library.ask(database.FIGURES_OF, name)
    return row[-len(FIGURES) :]


class TestQuestions:
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_every_question_is_answered_by_an_index(self, tmp_path: Path, question: str) -> None:
        """With 100,000 games the table itself would take too long to read or to sort."""
        steps = explain(tmp_path / "games.db", question)
        assert steps and all(" INDEX " in step for step in steps), steps

    def test_a_question_without_an_index_would_be_noticed(self, tmp_path: Path) -> None:
        steps = explain(tmp_path / "games.db", "SELECT seed FROM games ORDER BY seed")
        assert steps == ["SCAN games", "USE TEMP B-TREE FOR ORDER BY"]

    def test_the_newest_come_first_with_their_numbers(self, library: Library) -> None:
        for second in (5, 9, 7):
            keep(library, second)
        found = library.entries(2)
        assert [(entry.number, entry.ended.second) for entry in found] == [(1, 9), (2, 7)]
        assert library.count() == 3

    def test_a_search_numbers_games_as_the_whole_list_does(self, library: Library) -> None:
        for second in range(6):
            keep(library, second, (catalogue.MARATHON, catalogue.SPRINT)[second & 1])
        found = library.search(["SPRINT", "nov"])
        assert [(entry.number, entry.ended.second) for entry in found] == [(1, 5), (3, 3), (5, 1)]
        assert [entry.number for entry in library.search(["sprint"], 2)] == [1, 3]

    @pytest.mark.parametrize("word", ["%", "_", "!", "'", "mara_hon"])
    def test_a_search_takes_signs_literally(self, library: Library, word: str) -> None:
        keep(library)
        assert library.search([word]) == []

    @pytest.mark.parametrize("key", ["0", "3", "-1", "²", "9" * 30, "marathon"])
    def test_no_game_has_another_number_or_name(self, library: Library, key: str) -> None:
        keep(library, 1)
        keep(library, 2)
        assert library.find(key) is None

    def test_a_game_is_found_by_number_and_by_name(self, library: Library) -> None:
        keep(library, 1)
        keep(library)
        assert library.find("2") == library.find(NAME) is not None


class TestRows:
    def test_a_finished_game_has_the_figures_of_its_recording(self, library: Library) -> None:
        session = play_script(DROPS, 12_000, seed=5, store=[RamStore(), RamStore()], library=library)
        (name,) = names(library)
        assert figures_in(library, name) == measure_recording(session.recorded()) != NO_FIGURES
        seed, aim, options = library.ask(database.FIGURES_OF, name)[0][:3]
        assert (seed, aim, options) == read_head(session.recorded()) and seed == 5

    def test_a_finished_match_has_the_figures_of_the_player_here(self, library: Library) -> None:
        script = [(400 * n, controls.HARD_DROP) for n in range(1, 20)]
        session = play_script(script, 12_000, seed=1, first="match.play", seats=b"\0\1", library=library)
        (name,) = names(library)
        assert figures_in(library, name) == measure_recording(session.recorded()) != NO_FIGURES

    def test_options_are_those_that_differ_from_their_defaults(self) -> None:
        options = choose(Options(), aim=40, level=3)
        recorder = Recorder()
        recorder.begin_game(catalogue.SPRINT, 7, options)
        assert read_head(recorder.recorded(0)) == (7, 40, "level=3,aim=40")

    def test_a_match_is_measured_from_its_recording(self) -> None:
        found = Figures(*measure_recording(MATCH))
        assert found.pieces > 0 and found.time_ms > 0 and found.kpp > 0

    def test_a_damaged_recording_has_no_figures(self, library: Library) -> None:
        library.add(b"nonsense", DIG, 5, PICTURE, NOON)
        (entry,) = library.entries()
        assert library.figures(entry) is None and library.ask(database.UNMEASURED) == []

    @pytest.mark.parametrize("kind", range(len(KINDS)))
    def test_every_kind_of_game_has_a_row(self, library: Library, kind: int) -> None:
        blob = MATCH if kind in (VERSUS, LINKED) else MARATHON
        entry = library.add(blob, kind, 1, PICTURE, NOON)
        assert names(library) == [entry.name] and not library.problem


class TestFolder:
    def test_games_kept_by_earlier_versions_are_read_once(self, library: Library, monkeypatch) -> None:
        library.folder.mkdir()
        (library.folder / f"{NAME}.sky").write_bytes(MARATHON)
        assert names(library) == [NAME]
        monkeypatch.setattr(Library, "_scan", lambda _library: pytest.fail("read again"))
        assert names(library) == [NAME]

    def test_their_figures_are_measured_when_wanted(self, library: Library) -> None:
        library.folder.mkdir()
        (library.folder / f"{NAME}.sky").write_bytes(MARATHON)
        (entry,) = library.entries()
        shown = library.figures(entry)
        assert shown and figures_in(library, NAME)[0] is None
        library.measure()
        assert figures_in(library, NAME) == astuple(shown) and library.ask(database.UNMEASURED) == []

    def test_own_changes_need_no_look_at_the_folder(self, library: Library, monkeypatch) -> None:
        keep(library, 1)
        assert library.count() == 1
        monkeypatch.setattr(Library, "_scan", lambda _library: pytest.fail("read again"))
        keep(library, 2)
        library.delete(library.entries()[0])
        assert library.count() == 1

    def test_a_file_put_there_by_hand_is_found(self, library: Library) -> None:
        keep(library)
        (library.folder / "20200101-120000-dig-5.sky").write_bytes(MARATHON)
        keep(library, 1)
        assert library.count() == 3

    def test_a_recording_removed_by_hand_still_counts(self, library: Library) -> None:
        keep(library, figures=Figures(*measure_recording(MARATHON)))
        path = library.entries()[0].path
        path.unlink()
        assert library.entries() == [] and library.find(NAME) is None
        assert library.ask(database.MODES_PLAYED) == [("marathon", 0, 1)]
        path.write_bytes(MARATHON)
        assert names(library) == [NAME]

    def test_a_look_at_nothing_creates_nothing(self, library: Library, tmp_path: Path) -> None:
        assert library.entries() == [] and library.count() == 0 and list(tmp_path.iterdir()) == []


class TestTrouble:
    def damage(self, library: Library, at: int) -> bytes:
        path = library.folder.with_name("games.db")
        image = bytearray(path.read_bytes())
        image[at:] = b"\xa5" * len(image[at:])
        path.write_bytes(image)
        return bytes(image)

    @pytest.mark.parametrize("at", [0, 100, 4096])
    def test_a_damaged_database_is_set_aside_and_made_again(self, library: Library, tmp_path: Path, at: int) -> None:
        for second in range(3):
            keep(library, second)
        image = self.damage(library, at)
        again = Library(library.folder)
        assert again.count() == 3 and len(again.search(["marathon"])) == 3
        (aside,) = tmp_path.glob("games-damaged-*.db")
        assert aside.read_bytes() == image
        assert "damaged" in again.problem and aside.name in again.problem and "\n" not in again.problem

    def test_a_game_that_ends_beside_a_damaged_database_is_kept(self, library: Library, tmp_path: Path) -> None:
        keep(library)
        self.damage(library, 0)
        session = play_script(DROPS, 12_000, seed=5, store=[RamStore(), RamStore()], library=Library(library.folder))
        assert "was damaged" in session.problem and Library(library.folder).count() == 2

    def test_a_game_is_kept_while_another_program_holds_the_database(self, library: Library, monkeypatch) -> None:
        keep(library)
        monkeypatch.setattr(database, "_WAIT_S", 0)
        holder = sqlite3.connect(library.folder.with_name("games.db"), isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        keep(library, 1)
        assert library.problem.startswith("the game is kept, but not yet in the database: ")
        assert library.count() == 2, "read from the folder alone"
        assert library.problem.endswith("locked")
        holder.execute("ROLLBACK")
        holder.close()
        assert library.count() == 2 and not library.problem

    def test_a_database_of_a_later_version_stays_as_it_is(self, library: Library, tmp_path: Path) -> None:
        keep(library)
        with sqlite3.connect(tmp_path / "games.db") as connection:
            connection.execute("PRAGMA user_version = 9")
        connection.close()
        image = (tmp_path / "games.db").read_bytes()
        keep(library, 1)
        assert library.count() == 2 and "has version 9" in library.problem
        assert (tmp_path / "games.db").read_bytes() == image

    @pytest.mark.no_cover
    def test_several_simulators_lose_no_game(self, library: Library) -> None:
        """Four processes end five games each in the same minute."""
        commands = [[sys.executable, str(WRITER), str(library.folder), str(first)] for first in range(0, 20, 5)]
        writers = [subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}) for command in commands]
        assert [writer.wait() for writer in writers] == [0] * 4
        assert library.count() == 20
        with sqlite3.connect(library.folder.with_name("games.db")) as connection:
            assert connection.execute("SELECT count(*) FROM games").fetchone() == (20,)
        connection.close()
