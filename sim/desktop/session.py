"""Run one simulated handheld from its first frame to its last."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.app import App, run
from firmware.compat import ticks_add, ticks_diff
from firmware.device.handheld import Device, Machine
from firmware.engine.randomizer import SEEDS
from firmware.resuming import is_match_kept
from firmware.save import match_revival
from firmware.save.recorder import Recorder
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.rules import MATCH, NO_SEED, apply
from firmware.scenes.link.play import Scene as LinkPlay
from firmware.scenes.match import next_round
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.match.watch import Scene as MatchWatch
from firmware.scenes.play.play import Play
from firmware.scenes.play_state import OVER
from sim.clock import RealClock, VirtualClock
from sim.daily import is_daily
from sim.desktop.bot_seat import BotSeat
from sim.desktop.computer import Computer
from sim.desktop.kept_games import KeptGames
from sim.desktop.keyboard import Keys
from sim.desktop.named_keys import NamingCanvas
from sim.desktop.strong_seats import StrongSeats
from sim.display import ChipDisplay
from sim.game_record import AnyRecording
from sim.library import Library
from sim.link import Pipe
from sim.pictures import Film
from sim.scenes import is_steered, runs
from sim.store import CopiedStore, FileStore, JournalAside

if TYPE_CHECKING:
    from firmware.contracts import Buttons, Buzzer
    from sim.display import SeenDisplay

_RECORDING_BYTES = 1 << 20
_RESULT_MS = 1500
_GOODBYE_STEP_MS = 5


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
        recorder = Recorder(_RECORDING_BYTES)
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
            recorder=recorder,
            first=first,
        )
        self._banks = [bank for bank in store if isinstance(bank, FileStore)]
        self._kept = KeptGames(self.app, recorder, self.display, self._banks, library)
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
    def problem(self) -> str:
        """Why something could not be saved, in one line, or ""."""
        return self._kept.problem

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
        """Return the game or match in play, or the last one, as a recording; b"" if nothing was played."""
        return self._kept.recorded()

    def _look_at_frame(self) -> None:
        """Record the frame that was just shown, and keep a game or match that ended in it."""
        now_ms = self._clock.ticks_ms()
        self.passed_ms += ticks_diff(now_ms, self._seen_ms)
        self._seen_ms = now_ms
        if self._filmed:
            self.film.add(self.display.picture, self.passed_ms)
        if self.present:
            self.present()
        scene = self.app.router.scene
        self._kept.look_at_frame(scene)
        if self._bot_seat:
            self._bot_seat.look_at_frame(scene)
        self._strong_seats.look_at_frame(scene, now_ms)
        if self.until_end:
            self._go_on_to_end(scene, now_ms)

    def _go_on_to_end(self, scene: object, now_ms: int) -> None:
        """Begin the next round of a match of computers; stop after the last one, or at the end of a recording."""
        if isinstance(scene, MatchPlay) and scene.state == OVER:
            self._begin_next_round(scene, now_ms)
        is_shown = isinstance(scene, MatchWatch) and scene.finished
        if isinstance(scene, Play) and scene.player:
            is_shown = scene.player.finished()
        if is_shown:
            self.app.stop()

    def _begin_next_round(self, scene: MatchPlay, now_ms: int) -> None:
        """Begin the next round after showing the result for a moment; stop after the last round."""
        if ticks_diff(now_ms, scene.last_ms) < _RESULT_MS:
            return
        if scene.match.is_decided():
            self.app.stop()
        else:
            next_round.begin_next_round(scene, now_ms)
