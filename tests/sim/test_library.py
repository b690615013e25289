"""The simulator's library keeps every finished game with its picture; games are searched, shown and deleted."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware.engine import controls
from firmware.modes import catalogue
from firmware.save.journal import SUSPENDED
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play_state import PAUSED
from sim import cli
from sim.clock import VirtualClock
from sim.daily import describe
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.library import KINDS, VARIANTS, Library, open_library
from sim.store import open_stores
from tests.support.flash import RamStore
from tests.support.handhelds.command_lines import Script, play_script
from tests.support.handhelds.ring_harness import Line, Pipe
from tests.support.recorded import RECORDINGS
from tests.support.variants import DIG
from tools import library as command

PICTURE = bytes(range(256)) * 4
NOON = datetime(2026, 11, 22, 12, 0, 0)
BLOB = sorted(RECORDINGS.glob("*.sky"))[0].read_bytes()
DROPS = [(500 * n, controls.HARD_DROP) for n in range(1, 20)]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = open_library(tmp_path)
    library.add(BLOB, catalogue.MARATHON, 34_500, PICTURE, NOON)
    library.add(BLOB, catalogue.SPRINT, 61_230, PICTURE, NOON.replace(hour=13))
    return library


def run(tmp_path: Path, *arguments: str) -> int:
    return command.main(["--folder", str(tmp_path), *arguments])


def test_every_variant_has_a_name() -> None:
    assert [KINDS[DIG], KINDS[catalogue.DAILY]] == ["dig", "daily"]
    assert set(KINDS) - {"puzzle", "versus", "linked"} == set(VARIANTS), "python -m sim --variant starts each of them"


def test_a_game_that_ends_in_the_simulator_is_kept_with_its_picture(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    session = play_script(DROPS, 12_000, seed=1, store=[RamStore(), RamStore()], library=library)
    (entry,) = library.entries()
    assert entry.variant == "marathon" and entry.picture.read_bytes().startswith(b"\x89PNG")
    assert entry.path.read_bytes() == session.recorded()
    (best,) = (tmp_path / "best").iterdir()
    assert (best.name, best.read_bytes()) == (f"best00_{entry.result}.sky", session.recorded())


def test_a_match_is_kept_with_its_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = Library(tmp_path / "library")
    script = [(400 * n, controls.HARD_DROP) for n in range(1, 20)]
    session = play_script(script, 12_000, seed=1, first="match.play", seats=b"\0\1", library=library)
    (entry,) = library.entries()
    assert (entry.variant, entry.result) == ("versus", 0) and entry.describe().endswith("lost")
    assert entry.path.read_bytes() == session.recorded() and entry.picture.is_file()
    assert run(tmp_path, "show", "1") == 0 and capsys.readouterr().out.splitlines()[-1].endswith("won by team 2")


def test_a_linked_match_is_kept_by_both(tmp_path: Path) -> None:
    clock = VirtualClock()
    lines = [Line(), Line()]
    drops = [(500 * n, controls.HARD_DROP) for n in range(13, 40)]
    sessions = []
    for place in (0, 1):
        script = Script(clock, [(3000, controls.ROTATE_CW), *(drops if place else [])])
        library = Library(tmp_path / str(place) / "library")
        link: Any = Pipe(lines[place - 1], lines[place])
        session = Session(
            clock, script, NoSpeaker(), 99_999_989 << place, first="link.lobby", link=link, library=library
        )
        session.app.context.settings.initials = 1 + place
        sessions.append(session)
    while clock.passed_ms < 20_000 and not all((tmp_path / f"{place}/library").exists() for place in (0, 1)):
        clock.passed_ms += 17
        for line in lines:
            line.now_ms = clock.passed_ms
        for session in sessions:
            session.app.step()
    kept = [Library(tmp_path / f"{place}/library").entries() for place in (0, 1)]
    assert [(entry.variant, entry.describe()[-4:]) for (entry,) in kept] == [("linked", " won"), ("linked", "lost")]


def test_neither_practise_nor_the_game_before_it_is_kept(tmp_path: Path) -> None:
    script = [(2000, controls.ROTATE_CW), *((400 * n, controls.HARD_DROP) for n in range(6, 30))]
    library = Library(tmp_path / "library")
    ended: set[tuple[str, bool]] = set()

    def look(session: Session, passed_ms: int) -> None:
        router = session.app.router
        if router.scene:  # None while LOADING
            ended.add((router.name, bool(router.scene.game.over)))
            if router.name == "play" and passed_ms > 1500:
                session.app.context.go("replay.practise", router.scene.game)

    session = play_script(script, 12_000, look, seed=1, library=library)
    assert ended == {("play", False), ("replay.practise", False), ("replay.practise", True)} and library.entries() == []
    assert session.recorded() == b"" and session.problem == ""


def test_two_games_that_end_in_the_same_second_are_both_kept(library: Library) -> None:
    again = library.add(BLOB, catalogue.MARATHON, 34_500, PICTURE, NOON)
    assert again.name == "20261122-120000-marathon-34500-2" and len(library.entries()) == 3


def test_list_has_the_newest_game_first_and_no_other_files(library: Library, tmp_path: Path, capsys) -> None:
    (library.folder / "holiday.sky").write_bytes(b"named otherwise")
    assert run(tmp_path, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["1", "20261122-130000-sprint-61230"],
        ["2", "20261122-120000-marathon-34500"],
    ]
    assert lines[0].endswith("1:01.23")


def test_a_sheet_shows_the_pictures_of_the_list(library: Library, tmp_path: Path, capsys) -> None:
    assert run(tmp_path, "list", "--sheet", str(tmp_path / "sheet.png")) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    with Image.open(tmp_path / "sheet.png") as sheet, Image.open(library.entries()[0].picture) as picture:
        assert sheet.width > 2 * picture.width and sheet.height > picture.height


def test_search_lists_games_with_all_words_by_their_numbers(library: Library, tmp_path: Path, capsys) -> None:
    assert run(tmp_path, "search", "MARATHON", "nov") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("   2  20261122-120000-marathon-34500")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("ultra", "no game has ultra in its line; there are games of marathon, sprint"),
        ("sprint Nov won", "no game has all of sprint Nov won in its line; there are games of marathon, sprint"),
    ],
)
def test_a_search_without_result_names_the_modes_that_were_played(
    library: Library, words: str, told: str, tmp_path: Path, capsys
) -> None:
    assert run(tmp_path, "search", *words.split()) == 0 and capsys.readouterr().out == f"{told}\n"


def test_a_race_that_was_lost_has_no_result(library: Library) -> None:
    assert library.add(BLOB, DIG, 0, PICTURE, NOON).describe().endswith(" no result")


def test_an_empty_library_tells_when_a_game_is_kept(tmp_path: Path, capsys) -> None:
    assert cli.main(["--folder", str(tmp_path), "--library", "zen"]) == 0
    assert capsys.readouterr().out == f"no games in {tmp_path / 'library'}: a game is kept there when it ends\n"


def test_the_simulator_lists_games_with_all_words(library: Library, tmp_path, capsys) -> None:
    assert cli.main(["--folder", str(tmp_path), "--library", "nov", "sprint"]) == 0
    assert capsys.readouterr().out.startswith("   1  20261122-130000-sprint-61230")


def test_the_simulator_plays_a_game_by_its_number(library: Library, tmp_path, capsys) -> None:
    assert cli.main(["--folder", str(tmp_path), "--headless", "--play", "1", "--trace"]) == 0
    assert capsys.readouterr().out.count("\n") > 10


def test_a_number_that_no_game_has_is_refused(library: Library, tmp_path, capsys) -> None:
    assert cli.main(["--folder", str(tmp_path), "--headless", "--play", "3"]) == 2
    assert "cannot read 3: the library has no game of this number; --library lists" in capsys.readouterr().err


def test_show_prints_the_seed_and_the_final_matrix(library: Library, tmp_path: Path, capsys) -> None:
    assert run(tmp_path, "show", "2") == 0
    printed = capsys.readouterr().out
    assert "seed " in printed and "+----------+" in printed
    assert "PPS 1.16, APM 21.23, APP 0.30, KPP 3.71, finesse 73 %" in printed


def test_list_says_what_it_leaves_out(library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "list", "--most", "1") == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1 and printed.err.startswith("tools.library: these are the newest 1;")


def test_list_says_that_the_database_was_damaged(library: Library, tmp_path: Path, capsys) -> None:
    (tmp_path / "games.db").write_bytes(b"no database" * 100)
    assert run(tmp_path, "list") == 0
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 2 and printed.err.count("\n") == 1 and "was damaged" in printed.err


def test_show_prints_the_line_of_a_daily_game(library: Library, tmp_path, capsys) -> None:
    blob = (RECORDINGS / "modes" / "daily.sky").read_bytes()
    library.add(blob, catalogue.DAILY, 7000, PICTURE, NOON.replace(hour=14))
    assert run(tmp_path, "show", "1") == 0 and describe(blob) in capsys.readouterr().out.splitlines()


def test_delete_removes_game_and_picture(library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "delete", "1", "9") == 2
    assert len(library.entries()) == 2, "if one game is missing, nothing is deleted"
    assert run(tmp_path, "delete", "1") == 0
    left = {f"20261122-120000-marathon-34500.{end}" for end in ("png", "sky")}
    assert {path.name for path in library.folder.iterdir()} == left


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["show", "9"], "there is no game '9'"),
        (["list", "--sheet", "sheet.txt"], "sheet.txt"),
        (["show", "20261122-140000-dig-5"], "not a Skyline recording"),
    ],
)
def test_errors_are_reported_in_one_line(library: Library, tmp_path, capsys, arguments: list[str], why: str) -> None:
    library.add(b"nonsense of some length", DIG, 5, PICTURE, NOON.replace(hour=14))
    assert run(tmp_path, *arguments) == 2
    printed = capsys.readouterr().err
    assert why in printed and printed.count("\n") == 1


PAUSED_AT_3_S = [*DROPS[:5], (3000, controls.PAUSE)]
RESUME_AND_DROP = [(500, controls.PAUSE), *((1000 + at_ms, control) for at_ms, control in DROPS)]


class TestResumedGame:
    """A game resumed after power-off has its whole recording, or none and a line that says so."""

    def play(self, folder: Path, script: list[tuple[int, int]], passed_ms: int, variant: int = 0) -> Session:
        saves: Any = {"store": open_stores(folder), "library": open_library(folder)}
        return play_script(script, passed_ms, seed=1, variant=variant, **saves)

    @pytest.mark.parametrize("variant", [catalogue.MARATHON, catalogue.ZEN])
    @pytest.mark.parametrize("stop_ms", [4000, 4600], ids=["in a pause", "eight Lock Downs after a save"])
    def test_it_ends_like_its_recording(self, tmp_path: Path, variant: int, stop_ms: int) -> None:
        script = PAUSED_AT_3_S if stop_ms == 4000 else DROPS
        before = self.play(tmp_path, script, stop_ms, variant)
        assert len(before.app.context.journal.read(SUSPENDED))
        session = self.play(tmp_path, RESUME_AND_DROP, 14_000)
        blob = session.recorded()
        recording = Recording(blob)
        assert recording.seed == before.app.router.scene.game.seed
        game = recording.game(catalogue.make_mode(recording.variant))
        Player(recording, game).advance(1 << 20)
        assert game.lock_downs > 8 and game.score == session.app.router.scene.game.score > 0
        assert game.over == session.app.router.scene.game.over
        assert bool(game.over) == (variant != catalogue.ZEN)  # Zen has no end
        assert [entry.path.read_bytes() for entry in open_library(tmp_path).entries()] == [blob] * bool(game.over)
        assert session.problem == ""

    @pytest.mark.parametrize("kept", [None, b"", b"damaged", "of another save"])
    def test_without_a_valid_recording_nothing_is_kept(self, tmp_path: Path, kept: bytes | str | None) -> None:
        recording = tmp_path / "unfinished.bin"
        self.play(tmp_path, PAUSED_AT_3_S, 4000)
        if kept is None:
            recording.unlink()
        elif isinstance(kept, bytes):
            recording.write_bytes(kept)
        else:
            self.play(tmp_path / "other", PAUSED_AT_3_S[:-2] + PAUSED_AT_3_S[-1:], 4000)
            recording.write_bytes((tmp_path / "other" / recording.name).read_bytes())
        session = self.play(tmp_path, RESUME_AND_DROP, 14_000)
        assert session.app.router.scene.game.over and session.recorded() == b"" and session.app.session.last is None
        assert open_library(tmp_path).entries() == []
        assert session.problem.startswith("a game that went on from an older save has no recording")

    def test_last_game_survives_power_off_until_that_game_ends(self, tmp_path: Path) -> None:
        before = self.play(tmp_path, PAUSED_AT_3_S, 4000)
        session = self.play(tmp_path, [], 400)
        assert session.app.session.last and session.app.session.last() == before.recorded()
        self.play(tmp_path, RESUME_AND_DROP, 14_000)
        assert (tmp_path / "unfinished.bin").read_bytes() == b""

    def test_a_game_survives_a_recording_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "unfinished.bin").mkdir()
        session = self.play(tmp_path, PAUSED_AT_3_S, 4000)
        assert session.problem.startswith("cannot keep a recording in ")


def test_a_zen_game_resumed_without_a_recording_is_no_last_game() -> None:
    """A board keeps no recording of it, so LAST GAME would raise ValueError."""
    script = [(500, controls.HARD_DROP), (1000, controls.PAUSE), (1500, controls.PAUSE)]
    store = [RamStore(), RamStore()]
    first, session = (play_script(script, 1800, variant=catalogue.ZEN, store=store) for _ in range(2))
    assert first.app.session.last and session.app.router.scene.state == PAUSED and session.app.session.last is None
