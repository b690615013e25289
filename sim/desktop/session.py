"""Run one simulated handheld from its first frame to its last."""

import random
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.app import App, run
from firmware.compat import ticks_add, ticks_diff
from firmware.device.handheld import Device, Machine
from firmware.device.replay_files import ReplayFiles
from firmware.engine import phases
from firmware.engine.game import Game
from firmware.engine.randomizer import SEEDS
from firmware.match.match import Match
from firmware.match.seat import NOT_YET, Seat
from firmware.modes.catalogue import make_mode
from firmware.resuming import is_match_kept
from firmware.save import match_revival
from firmware.save.journal import SUSPENDED
from firmware.save.journal_layout import FRAME_BYTES, HEAD_BYTES
from firmware.save.recorder import Recorder
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.link_trace import LinkTrace
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace
from firmware.save.rules import MATCH, NO_SEED, apply
from firmware.scenes.link.play import Scene as LinkPlay
from firmware.scenes.match import next_round
from firmware.scenes.match.over import Scene as MatchResult
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.match.watch import Scene as MatchWatch
from firmware.scenes.menus.over import Scene as Result
from firmware.scenes.play.play import Play
from firmware.scenes.play.stop import Ending as Counting
from firmware.scenes.play.stop import find_recorder
from firmware.scenes.play_state import OVER
from sim import terminal
from sim.all_clears import AllClears
from sim.clock import RealClock, VirtualClock
from sim.daily import is_daily
from sim.desktop.bot_seat import BotSeat
from sim.desktop.keyboard import Keys
from sim.desktop.named_keys import NamingCanvas
from sim.desktop.strong_seats import StrongSeats, count_levels
from sim.display import ChipDisplay
from sim.ending import EndingNote
from sim.game_record import AnyRecording, Figures, measure_game, measure_match
from sim.keys_page import PAGES
from sim.library import LINKED, VERSUS, Library
from sim.link import Pipe
from sim.ownership import replace
from sim.pictures import Film
from sim.scenes import is_steered, runs
from sim.store import ENDING, LAST_UNFINISHED, UNFINISHED, CopiedStore, FileStore, JournalAside
from sim.suspended_recording import SuspendedRecording

if TYPE_CHECKING:
    from firmware.contracts import Buttons, Buzzer
    from sim.display import SeenDisplay

_RECORDING_BYTES = 1 << 20
_TRACE_STEP_MS = 1000
_RESULT_MS = 1500
_GOODBYE_STEP_MS = 5
_BEST_FOLDER = "best"


class Computer(Machine):
    """The PC that the simulator runs on: it gives a handheld the date, a folder for its best games, and new tasks.

    make_all_clear: makes an all-clear task; see AllClears.make.  keys: those that the player can choose, or None.
    """

    def __init__(self, folder: Path | None = None, keys: Keys | None = None) -> None:
        self._folder = folder
        self.keys = keys
        if keys:
            self.pages = PAGES
        self.levels = count_levels()
        self.make_all_clear = AllClears().make

    def open_replay_files(self) -> ReplayFiles | None:
        """Return the folder for recordings of the best games, beside the saves."""
        return ReplayFiles(str(self._folder / _BEST_FOLDER)) if self._folder else None

    def draw_entropy(self) -> int:
        """Return 30 random bits, which nobody can guess: a linked match makes its keys of them."""
        return secrets.randbits(30)

    def read_day(self) -> int:
        """Return today's date as a number."""
        return int(time.strftime("%Y%m%d"))


class Session:
    """Build the Device, run the App on it, and keep its recording and film.

    first: the scene to begin with.  present: called after every frame, for a window.
    until_end: stop at the end of the recording.
    store: the banks that keep games and scores.
    others: the buttons of further persons, who sit down at every match.
    link: the byte pipe to other players.
    seats: the players of a match, as in a Device; with `until_end` a match of computers runs until it is won.
    bot_seat: a bot that takes part in every match.
    film: every picture with its time, when `filmed`.
    variant: a number of firmware/modes/catalogue.py, 0 for the variant in the settings.
    seed: 0..2**30-1, None for any.
    passed_ms: the time since the first frame.
    library: keeps the finished games; a folder beside it keeps the best. None keeps neither.
    If the banks are files, the recording of a suspended game lies beside them.
    problem: a line about something that could not be saved, or "".
    rules: the numbers of a line of rules for the first game or match (firmware/save/README.md).
    display: shows the pictures, by default the model of a chip.
    make_machine: makes the Machine from the folder of the saves, or None.  wired, handmade: as in a Device.
    keys: names the keys in the hints of several persons.
    sets_aside: whether the saves keep a suspended game, so that the match that begins now cannot be resumed.
    """

    def __init__(
        self,
        clock: RealClock | VirtualClock,
        buttons: "Buttons",
        buzzer: "Buzzer",
        seed: int | None = None,
        level: int = 0,
        variant: int = 0,
        recording: AnyRecording | None = None,
        filmed: bool = False,
        first: str = "play",
        store: Sequence[FileStore | CopiedStore] = (),
        others: "Sequence[Buttons]" = (),
        link: Pipe | None = None,
        seats: bytes = b"",
        bot_seat: BotSeat | None = None,
        library: Library | None = None,
        rules: list[int] | None = None,
        display: "SeenDisplay | None" = None,
        make_machine: Callable[[Path | None], Machine] = Computer,
        wired: int = 255,
        handmade: bool = False,
        keys: Keys | None = None,
    ) -> None:
        # One person has a legend of all buttons beside the game, but no key is called START.
        named = (NamingCanvas(keys, 0) if others else NamingCanvas(keys, 0, (b"START",))) if keys else None
        self.display = display or ChipDisplay(canvas=named)
        self.film = Film()
        self.present: Callable[[], None] | None = None
        self.until_end = False
        self._bot_seat = bot_seat
        self._strong_seats = StrongSeats(isinstance(clock, VirtualClock))
        self._filmed = filmed
        self._clock = clock
        self.passed_ms = 0
        self._seen_ms = clock.ticks_ms()
        self._finished = b""
        self._finished_game: object = None
        self.recorder = Recorder(_RECORDING_BYTES)
        if isinstance(recording, MatchRecording):
            first = "match.watch"
        elif isinstance(recording, LinkRecording):
            first = "link.watch"
        self.app = App(
            Device(
                *(self.display, buttons, buzzer, clock, store),
                link=link,
                wired=wired,
                machine=make_machine(library.folder.parent if library else None),
                handmade=handmade,
                others=others,
                seats=seats,
            ),
            seed=random.randrange(SEEDS) if seed is None else seed,
            level=level,
            recording=recording,
            recorder=self.recorder,
            first=first,
        )
        self._library = library
        self.problem = ""
        self._suspended_recording = SuspendedRecording(self.app)
        self._banks = [bank for bank in store if isinstance(bank, FileStore)]
        self._ending: EndingNote | None = None
        self._unkept = False  # whether the library lacks the last game
        self._unfinished: list[Path] = []
        if self._banks and not self._banks[0].refusal:
            self._follow_saves(self._banks[0].path.parent)
        if variant:
            self.app.session.choose_variant(variant)
            if seed is None and is_daily(variant):
                self.app.session.choose_seed(Computer().read_day())
        if rules:
            self._apply_rules(rules, seed)
        self.sets_aside = False
        if first == "match.menu":
            self._set_aside(store)
        self.display.shown = self._look_at_frame

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
            self._finish = self.app.session.finish
            # In place of a hook, which the firmware's Session would carry on every board for the simulator alone.
            self.app.session.finish = self._note_and_finish  # type: ignore[method-assign]

    def _look_at_save(self, record: bytes) -> None:
        """Keep the recording of a game before its save: a kill in between loses neither, for the last one stays."""
        if record[0] == SUSPENDED and len(record) > FRAME_BYTES:
            self._write_unfinished(self._suspended_recording.note(record[HEAD_BYTES:-4]))

    def _note_and_finish(self, game: Game, played: int, initials: int = 0) -> None:
        """Note a game that has ended before any of it is written."""
        scene = self.app.router.scene
        recording = self._record(scene) if isinstance(scene, Play) else b""
        if self._ending and recording:
            session = self.app.session
            try:
                self._ending.write(session.journal, session.variant, game, self.display.picture, recording)
            except OSError as error:
                self._tell(f"cannot write {self._ending.path}: {error.strerror or error}")
        self._finish(game, played, initials)

    def _tell(self, problem: str) -> None:
        """Say at once in the terminal what could not be saved, and keep the line."""
        if problem and problem != self.problem:
            self.problem = problem
            terminal.note("sim", problem)

    def _apply_rules(self, numbers: list[int], seed: int | None) -> None:
        """Set the settings by a line of rules; a seed of the command line counts more."""
        context = self.app.context
        own_seed = apply(numbers, context.settings)
        if numbers[0] != MATCH:
            context.session.choose_variant(context.settings.variant)
        if seed is None and own_seed != NO_SEED:
            context.session.choose_seed(own_seed)
        context.apply_settings()

    def _set_aside(self, store: Sequence[FileStore | CopiedStore]) -> None:
        """Begin the requested match and keep the suspended game, unless that is a match of the same players."""
        context = self.app.context
        if not context.session.has_game():
            return
        match = match_revival.restore(context.journal) if is_match_kept(context.journal) else None
        seats = context.device.seats or bytes(1 + len(context.device.others))
        if match and not self._bot_seat and bytes(map(match.options.level_of, range(match.options.players))) == seats:
            return
        try:
            context.journal = context.session.journal = JournalAside(store)
        except OSError:
            return  # the journal has failed, too
        context.session.hold_game(None)
        self.sets_aside = True

    @property
    def playing(self) -> bool:
        """Whether PAUSE would pause a game."""
        return runs(self.app.router.scene)

    @property
    def at_menu(self) -> bool:
        """Whether the buttons lead through menus now, as in a pause, not a game."""
        return not is_steered(self.app.router.scene)

    @property
    def _practises(self) -> bool:
        """Whether TRAIN is played: it does not count, and the recorder holds another game."""
        return self.app.router.name == "replay.practise"

    def run(self) -> None:
        """Play until the window is closed, the recording ends or Ctrl+C is pressed."""
        with suppress(KeyboardInterrupt):  # Ctrl+C is like closing the window
            run(self.app)
        self._strong_seats.close()
        for bank in self._banks:
            bank.release()
        self.app.device.buzzer.off()
        if isinstance(self.app.router.scene, LinkPlay):
            with suppress(KeyboardInterrupt):
                self._say_goodbye(self.app.router.scene)
        if self._filmed:
            self.film.end(self.display.picture)

    def _say_goodbye(self, scene: LinkPlay) -> None:
        """Leave the match as by its menu, so that the others learn of it."""
        now_ms = self._clock.ticks_ms()
        scene.session.leave(now_ms)
        while not scene.session.may_disconnect(now_ms):
            scene.session.step(now_ms)
            now_ms = ticks_add(now_ms, _GOODBYE_STEP_MS)
            self._clock.wait_until(now_ms)

    def recorded(self) -> bytes:
        """Return the game in play as a recording; before its first edge, the finished one before it.

        In menus, return the last game or match; b"" if nothing was played.
        """
        scene = self.app.router.scene
        if isinstance(scene, MatchPlay) and scene.noted:
            scene.noted.stop(scene.match.time_ms)
            return scene.noted.replay()
        if not isinstance(scene, Play) or self._practises:
            last = self.app.session.last
            return last() if last else self._finished
        if self._finished and (scene.game is self._finished_game or self.recorder.last_ms == 0):
            return self._finished
        return self._record(scene)

    def _record(self, scene: Play) -> bytes:
        """Return the game in play as a recording; b"" for a game resumed from a save without a recording."""
        return self.recorder.recorded(scene.played_ms) if find_recorder(scene) else b""

    def _look_at_frame(self) -> None:
        """Record the frame that was just shown, and keep a game or match that ended in it."""
        now_ms = self._clock.ticks_ms()
        self.passed_ms += ticks_diff(now_ms, self._seen_ms)
        self._seen_ms = now_ms
        if self._filmed:
            self.film.add(self.display.picture, self.passed_ms)
        if self.present:
            self.present()
        self._keep_unfinished()
        scene = self.app.router.scene
        cover = scene.cover if isinstance(scene, Play) else None
        if self._ending and not (isinstance(cover, Counting) and not cover.is_judged):
            self._ending.remove_when_counted(self.app.session.journal)
        for bank in self._banks:
            if bank.problem:
                self._tell(f"nothing is saved: {bank.problem}")
        if isinstance(scene, Result | MatchResult) and self._unkept and not scene.told.startswith(b"NOT"):
            scene.told, scene.fresh = b"NOT IN LIBRARY", True
        if self._bot_seat:
            self._bot_seat.look_at_frame(scene)
        self._strong_seats.look_at_frame(scene, now_ms)
        if isinstance(scene, MatchPlay) and scene.match.over and scene.noted:
            self._finished = scene.noted.replay()
            self._keep_match(scene)
        if isinstance(scene, MatchPlay) and self.until_end and scene.state == OVER:
            self._begin_next_round(scene, now_ms)
        if isinstance(scene, MatchWatch) and self.until_end and scene.finished:
            self.app.stop()
        if not isinstance(scene, Play) or self._practises:
            return
        if scene.game.phase == phases.GAME_OVER and scene.game is not self._finished_game:
            self._finished_game = scene.game
            self._finished = self._record(scene)
            self._keep_game(scene)
        if self.until_end and scene.player and scene.player.finished():
            self.app.stop()

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

    def _keep_game(self, scene: Play) -> None:
        """Add a game that has just ended to the library, but not a watched recording."""
        game = scene.game
        if scene.player:
            return
        if self._finished:
            self._add(self.app.session.variant, game.mode.result(game), measure_game(game))
        else:
            self._tell("a game that went on from an older save has no recording: the library has nothing of it")

    def _keep_match(self, scene: MatchPlay) -> None:
        """Add a match to the library once its last round is over and the screen names the winner."""
        match = scene.match
        if match is self._finished_game or scene.state != OVER or not match.is_decided():
            return
        self._finished_game = match
        won = int(match.winner == match.seats[scene.me].team)
        self._add(LINKED if isinstance(scene, LinkPlay) else VERSUS, won, measure_match(match, scene.me))

    def _add(self, kind: int, result: int, figures: Figures) -> None:
        """Add the finished game or match to the library, with the picture on the screen."""
        if not self._library:
            return
        ended = self._ending.ended if self._ending and kind < VERSUS else datetime.now()
        self._unkept = False
        try:
            self._library.add(self._finished, kind, result, self.display.picture, ended, figures)
            self._tell(self._library.problem)
        except OSError as error:
            self._unkept = True
            self._tell(f"cannot keep a game in {self._library.folder}: {error.strerror or error}")

    def _begin_next_round(self, scene: MatchPlay, now_ms: int) -> None:
        """Begin the next round after showing the result for a moment; stop after the last round."""
        if ticks_diff(now_ms, scene.last_ms) < _RESULT_MS:
            return
        if scene.match.is_decided():
            self.app.stop()
        else:
            next_round.begin_next_round(scene, now_ms)


def tell_match(match: Match, bot: str = "") -> Iterator[str]:
    """Yield the result of a match of computers: a line for each player, and who won.

    bot: the name of the program in the last seat, "" for none.
    """
    teams: dict[int, list[str]] = {}
    for seat in match.seats:
        level = match.options.level_of(seat.number)
        name = f"computer of level {level}" if level else bot
        teams.setdefault(seat.team, []).append(f"player {seat.number + 1}, {name}")
        lost = "" if seat.out_ms == NOT_YET else f"  out after {seat.out_ms / 1000:.1f} s"
        yield f"{teams[seat.team][-1]}: lines {seat.game.lines}  sent {seat.sent}  received {seat.received}{lost}"
    winners = teams.get(match.winner)
    yield f"won by {' and '.join(winners)}" if winners else "won by nobody"


def trace(recording: AnyRecording) -> Iterator[str]:
    """Play `recording` without a picture and yield a line for every Lock Down, with the running hash at its end."""
    if isinstance(recording, Recording):
        return trace_game(recording)
    if isinstance(recording, MatchRecording):
        return trace_match(recording)
    linked = LinkTrace(recording)
    linked.play()
    return iter(linked.lines)


def trace_game(recording: Recording) -> Iterator[str]:
    """Play a recorded game without a picture and yield a line for every Lock Down."""
    lines: list[str] = []

    def note(trace: Trace, game: Game) -> None:
        lines.append(
            f"{trace.lock_downs:5} {game.time_ms:8} ms  level {game.level:2}  lines {game.lines:3}"
            f"  score {game.score:7}  {trace.value:08x}"
        )

    recording.rewind()
    game = recording.game(make_mode(recording.variant))
    game.mode = Trace(game.mode, note)
    game.start(0)
    player = Player(recording, game)
    now_ms = 0
    while not player.finished():
        now_ms += _TRACE_STEP_MS
        player.advance(now_ms)
        yield from lines
        lines.clear()


def trace_match(recording: MatchRecording) -> Iterator[str]:
    """Play a recorded match without a picture and yield a line for every Lock Down of every player."""
    lines: list[str] = []
    player = MatchPlayer(recording)
    match = player.match

    def watch() -> None:
        """Note the Lock Downs of all games of this round."""
        for seat in match.seats:

            def note(trace: Trace, game: Game, seat: Seat = seat) -> None:
                lines.append(
                    f"round {match.round + 1}  player {seat.number + 1} {trace.lock_downs:5} {game.time_ms:8} ms"
                    f"  lines {game.lines:3}  sent {seat.sent:3}  received {seat.received:3}  {trace.value:08x}"
                )

            seat.game.mode = Trace(seat, note)

    watch()
    now_ms = 0
    while True:
        now_ms += _TRACE_STEP_MS
        player.advance(now_ms)
        yield from lines
        lines.clear()
        if player.is_round_over():
            if match.over:
                winner = "nobody" if match.winner < 0 else f"team {match.winner + 1}"
                yield f"round {match.round + 1}  {match.time_ms} ms  won by {winner}"
            if not player.begin_next():
                return
            now_ms = 0
            watch()
