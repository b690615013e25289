"""The recording of each table's first place: kept while the drive has room, watched from the scores."""

import errno
from pathlib import Path

import pytest

from firmware.device.replay_files import ReplayFiles
from firmware.engine import controls
from firmware.modes.listing import list_tables
from firmware.save import best
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.scores import open_table
from sim.desktop.computer import Computer
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose

A, B = controls.ROTATE_CW, controls.ROTATE_CCW


class Console(Handheld):
    def __init__(self, folder: Path | None, capacity: int = 2048) -> None:
        super().__init__(store=(RamStore(), RamStore()), recorder=Recorder(capacity), first="menus.title")
        self.device.machine = Computer(folder)

    def play(self) -> None:
        """Lose a game by Hard Drops and open its result."""
        self.open("play", frames=2)
        self.session.counts_down = False
        lose(self)
        self.played = self.game
        self.open("menus.over", self.played, frames=4)

    def read_best_result(self) -> int:
        table = open_table(self.journal, list_tables()[0].kind)
        return table.entry(0)[1]


@pytest.fixture
def replays(tmp_path: Path) -> ReplayFiles:
    return ReplayFiles(str(tmp_path / "best"))


class TestReplayFiles:
    def test_a_table_has_one_recording(self, replays: ReplayFiles, tmp_path: Path) -> None:
        replays.keep(0, 400, b"first")
        replays.keep(1, 9, b"other")
        replays.keep(0, 500, b"second")
        assert sorted(path.name for path in (tmp_path / "best").iterdir()) == ["best00_500.sky", "best01_9.sky"]
        assert (replays.holds(0, 500), replays.holds(0, 400)) == (True, False)
        assert replays.fetch(0, 500) == b"second"
        replays.keep(0, 500, b"third")
        assert replays.fetch(0, 500) == b"third"

    def test_a_missing_recording_raises_os_error(self, replays: ReplayFiles) -> None:
        assert not replays.holds(0, 1)
        with pytest.raises(OSError, match="best00_1"):
            replays.fetch(0, 1)

    def test_a_full_drive_loses_nothing(self, replays: ReplayFiles, tmp_path, monkeypatch) -> None:
        replays.keep(0, 400, b"first")

        def refuse(path: str, mode: str = "r") -> object:
            raise OSError(errno.ENOSPC, "refused", path)

        monkeypatch.setattr("builtins.open", refuse)
        with pytest.raises(OSError, match="refused") as caught:
            replays.keep(0, 500, b"second")
        monkeypatch.undo()
        assert caught.value.errno == errno.ENOSPC
        assert [path.name for path in (tmp_path / "best").iterdir()] == ["best00_400.sky"]


@pytest.fixture
def console(tmp_path: Path) -> Console:
    """Return a handheld after its first game."""
    console = Console(tmp_path)
    console.play()
    return console


class TestKept:
    def test_a_new_best_is_kept_and_watched_from_the_scores(self, console: Console, replays: ReplayFiles) -> None:
        assert console.scene.told == b"RECORDING KEPT"
        console.settings.motion_on = 0
        console.open("menus.over", console.played, frames=4)
        console.compare("over_kept")
        result = console.read_best_result()
        assert replays.holds(0, result)
        console.session.played = False
        console.open("menus.scores", frames=2)
        console.compare("scores_kept")
        console.follow(A)
        assert console.name == "replay.watch" and console.scene.recording.seed == console.played.seed
        console.step(frames=4)
        console.follow(B)
        assert console.name == "menus.scores"
        assert console.router.home == "menus.main", "LAST GAME leads to the menu"

    def test_the_whole_game_is_kept(self, console: Console, replays: ReplayFiles) -> None:
        recording = best.fetch_replay(replays, 0, console.read_best_result())
        assert isinstance(recording, Recording) and recording.blob == console.session.last()

    def test_a_game_that_is_not_the_best_is_not_kept(self, console: Console, replays: ReplayFiles) -> None:
        best_result = console.read_best_result()
        console.session.placed = (1, 0)
        assert best.keep_replay(console.session, console.played) == b"" and replays.holds(0, best_result)

    def test_a_recording_of_another_game_is_not_kept(self, console: Console) -> None:
        console.played.seed += 1
        assert best.keep_replay(console.session, console.played) == b""

    def test_without_a_folder_no_message_is_shown(self) -> None:
        console = Console(None)
        console.play()
        assert console.scene.told == b""

    def test_a_recording_that_ends_before_the_game_is_not_kept(self, replays: ReplayFiles, tmp_path: Path) -> None:
        console = Console(tmp_path, 100)
        console.play()
        assert console.scene.told == b"" and not replays.holds(0, console.read_best_result())

    @pytest.mark.parametrize(("number", "line"), [(errno.ENOSPC, b"DRIVE IS FULL"), (errno.EROFS, b"")])
    def test_only_a_full_drive_is_news_beside_a_new_best(self, tmp_path: Path, monkeypatch, number: int, line) -> None:
        def keep(replays: ReplayFiles, table: int, result: int, blob: bytes) -> None:
            raise OSError(number, "refused")

        monkeypatch.setattr(ReplayFiles, "keep", keep)
        console = Console(tmp_path)
        console.play()
        assert console.scene.told == line
        assert console.read_best_result(), "the result has its place anyway"

    def test_a_damaged_recording_shows_a_message(self, console: Console, replays: ReplayFiles) -> None:
        replays.keep(0, console.read_best_result(), b"SKY nonsense")
        console.session.played = False
        console.open("menus.scores", frames=2)
        console.tap(A)
        assert console.name == "menus.scores"
        console.compare("scores_damaged")
