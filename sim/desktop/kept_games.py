"""Keep the games of a session: beside the saves while they last, in the library once they have ended."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.app import App
from firmware.engine import phases
from firmware.engine.game import Game
from firmware.save.journal import SUSPENDED
from firmware.save.journal_layout import FRAME_BYTES, HEAD_BYTES
from firmware.save.recorder import Recorder
from firmware.scenes.link.play import Scene as LinkPlay
from firmware.scenes.match.over import Scene as MatchResult
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.menus.over import Scene as Result
from firmware.scenes.play.play import Play
from firmware.scenes.play.stop import Ending as Counting
from firmware.scenes.play.stop import find_recorder
from firmware.scenes.play_state import OVER
from sim import terminal
from sim.ending import EndingNote
from sim.game_record import Figures, measure_game, measure_match
from sim.library import LINKED, VERSUS, Library
from sim.ownership import replace
from sim.store import ENDING, LAST_UNFINISHED, UNFINISHED, FileStore
from sim.suspended_recording import SuspendedRecording

if TYPE_CHECKING:
    from sim.display import SeenDisplay


class KeptGames:
    """Keep each game and match of an App, which `recorder` records.

    problem: a line about something that could not be saved, or "".
    """

    def __init__(
        self,
        app: App,
        recorder: Recorder,
        display: "SeenDisplay",
        banks: Sequence[FileStore],
        library: Library | None,
    ) -> None:
        self.problem = ""
        self._app = app
        self._recorder = recorder
        self._display = display
        self._banks = banks
        self._library = library
        self._last = b""  # the recording of the game or match that has ended last
        self._last_game: object = None
        self._is_lacking = False  # whether the library lacks that game
        self._suspended_recording = SuspendedRecording(app)
        self._unfinished: list[Path] = []
        self._ending: EndingNote | None = None
        if banks and not banks[0].refusal:
            self._follow_saves(banks[0].path.parent)

    def _follow_saves(self, folder: Path) -> None:
        """Revive the recording of the game in progress, and keep it, and a note of each end, before each save."""
        self._unfinished = [folder / LAST_UNFINISHED, folder / UNFINISHED]
        for path in self._unfinished[::-1]:
            with suppress(OSError):
                if self._suspended_recording.revive(terminal.read(path)):
                    self._unfinished.sort(key=lambda each: each != path)
                    break
        for bank in self._banks:
            bank.look = self._look_at_save
        if self._library:
            self._ending = EndingNote(folder / ENDING)
            self._finish = self._app.session.finish
            # In place of a hook, which the firmware's Session would carry on every board for the simulator alone.
            self._app.session.finish = self._note_and_finish  # type: ignore[method-assign]

    def look_at_frame(self, scene: Any) -> None:
        """Keep what has changed in the frame that was just shown: a save, or the end of a game or match."""
        self._keep_unfinished()
        cover = scene.cover if isinstance(scene, Play) else None
        if self._ending and not (isinstance(cover, Counting) and not cover.is_judged):
            self._ending.remove_when_counted(self._app.session.journal)
        for bank in self._banks:
            if bank.problem:
                self._tell(f"nothing is saved: {bank.problem}")
        if isinstance(scene, Result | MatchResult) and self._is_lacking and not scene.told.startswith(b"NOT"):
            scene.told, scene.fresh = b"NOT IN LIBRARY", True
        if isinstance(scene, MatchPlay) and scene.match.over and scene.noted:
            self._last = scene.noted.replay()
            self._keep_match(scene)
        elif self._is_played(scene) and scene.game.phase == phases.GAME_OVER and scene.game is not self._last_game:
            self._last_game = scene.game
            self._last = self._record(scene)
            self._keep_game(scene)

    def recorded(self) -> bytes:
        """Return the game in play as a recording; before its first edge, the finished one before it.

        In menus, return the last game or match; b"" if nothing was played.
        """
        scene: Any = self._app.router.scene
        if isinstance(scene, MatchPlay) and scene.noted:
            scene.noted.stop(scene.match.time_ms)
            return scene.noted.replay()
        if not self._is_played(scene):
            last = self._app.session.last
            return last() if last else self._last
        if self._last and (scene.game is self._last_game or self._recorder.last_ms == 0):
            return self._last
        return self._record(scene)

    def _is_played(self, scene: object) -> bool:
        """Return whether this is a game of one player; TRAIN does not count, and the recorder holds another game."""
        return isinstance(scene, Play) and self._app.router.name != "replay.practise"

    def _record(self, scene: Play) -> bytes:
        """Return the game in play as a recording; b"" for a game resumed from a save without a recording."""
        return self._recorder.recorded(scene.played_ms) if find_recorder(scene) else b""

    def _tell(self, problem: str) -> None:
        """Say at once in the terminal what could not be saved, and keep the line."""
        if problem and problem != self.problem:
            self.problem = problem
            terminal.note("sim", problem)

    # -- games in progress -------------------------------------------------------------------------

    def _look_at_save(self, record: bytes) -> None:
        """Keep the recording of a game before its save: a kill in between loses neither, for the last one stays."""
        if record[0] == SUSPENDED and len(record) > FRAME_BYTES:
            self._write_unfinished(self._suspended_recording.note(record[HEAD_BYTES:-4]))

    def _keep_unfinished(self) -> None:
        """Keep the recording of a game in progress, which changes with its save; forget that of none."""
        noted = self._suspended_recording.read_change()
        self._write_unfinished(noted)
        if noted == b"":
            self._write_unfinished(noted)

    def _write_unfinished(self, noted: bytes | None) -> None:
        """Write over the recording of the save before the last; that of the last is now the second."""
        if noted is None or not self._unfinished:
            return
        self._unfinished.reverse()
        path = self._unfinished[0]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replace(path) as file:
                file.write(noted)
        except OSError as error:
            self._tell(f"cannot keep a recording in {path}: {error.strerror or error}")

    # -- games that have ended ---------------------------------------------------------------------

    def _note_and_finish(self, game: Game, played: int, initials: int = 0) -> None:
        """Note a game that has ended before any of it is written."""
        scene = self._app.router.scene
        recording = self._record(scene) if isinstance(scene, Play) else b""
        if self._ending and recording:
            session = self._app.session
            try:
                self._ending.write(session.journal, session.variant, game, self._display.picture, recording)
            except OSError as error:
                self._tell(f"cannot write {self._ending.path}: {error.strerror or error}")
        self._finish(game, played, initials)

    def _keep_game(self, scene: Play) -> None:
        """Add a game that has just ended to the library, but not a watched recording."""
        game = scene.game
        if scene.player:
            return
        if self._last:
            self._add(self._app.session.variant, game.mode.result(game), measure_game(game))
        else:
            self._tell("a game that went on from an older save has no recording: the library has nothing of it")

    def _keep_match(self, scene: MatchPlay) -> None:
        """Add a match to the library once its last round is over and the screen names the winner."""
        match = scene.match
        if match is self._last_game or scene.state != OVER or not match.is_decided():
            return
        self._last_game = match
        won = int(match.winner == match.seats[scene.me].team)
        self._add(LINKED if isinstance(scene, LinkPlay) else VERSUS, won, measure_match(match, scene.me))

    def _add(self, kind: int, result: int, figures: Figures) -> None:
        """Add the finished game or match to the library, with the picture on the screen."""
        if not self._library:
            return
        ended = self._ending.ended if self._ending and kind < VERSUS else datetime.now()
        self._is_lacking = False
        try:
            self._library.add(self._last, kind, result, self._display.picture, ended, figures)
            self._tell(self._library.problem)
        except OSError as error:
            self._is_lacking = True
            self._tell(f"cannot keep a game in {self._library.folder}: {error.strerror or error}")
