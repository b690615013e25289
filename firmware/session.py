"""Own the game in progress, the last recording, the seeds and the last game's place in the high scores."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.randomizer import SEEDS
from firmware.save.journal import MATCH, SUSPENDED

if TYPE_CHECKING:
    from firmware.contracts import Callable, Device, EdgeQueue, Game, Journal, Match, Recorder

CLASS_SHIFT = const(18)  # in `best_of`: the class of games above variant and aim


class Session:
    """Keep the state that outlives one game.

    variant: of the current game, or the next.  counts_down: whether games begin with READY and GO.
    suspended: the game in progress; None if there is none, or if only the journal has it (`is_in_journal`).
    kept: the variant of a game of one player in progress; menus may have chosen another.
    recorder: records games, or None.  last: returns the bytes of the last recording for the scene `watcher`, or None.
    placed: (place, table) of the last game, or None.  goal: what its result says of the goals.  played: what begins the
    game again that has just ended (scenes/again.py), or 0; a game in progress is not lost so.
    refusal: what the lobby says of rules for which this handheld has no room, b"" if there is room (refusing.py).
    seed: 0..2**30-1 for the next game, or None for a random one.  noise: 30 bits mixed from the times of all edges, the
    source of random seeds.
    """

    suspended: "Game | Match | None"
    last: "Callable[[], bytes] | None"
    placed: "tuple[int, int] | None"

    def __init__(
        self,
        device: "Device",
        journal: "Journal",
        variant: int,
        seed: "int | None",
        recorder: "Recorder | None",
        counts_down: bool,
    ) -> None:
        self.device = device
        self.journal = journal
        self.variant = variant
        self.seed = seed
        self.noise = (seed or 0) ^ device.clock.ticks_ms()
        self.recorder = recorder
        self.counts_down = counts_down
        self.suspended = self.last = self.placed = None
        self.is_in_journal = len(journal.read(SUSPENDED)) + len(journal.read(MATCH)) > 0
        self.last_ms = 0
        self.watcher = ""
        self.refusal = self.goal = b""
        self.warned = False
        self.best_of = -1
        self.best_result = self.played = self.kept = 0

    def choose_variant(self, variant: int) -> None:
        """Set the variant of the next games; the game that has ended begins no more."""
        self.variant = variant
        self.played = 0

    def tell(self, words: bytes) -> None:
        """Set what the lobby says of rules without room."""
        self.refusal = words

    def choose_seed(self, seed: "int | None") -> None:
        """Set the seed of the next game; None means a random one."""
        self.seed = seed

    def next_seed(self, usual: "int | None" = None) -> int:
        """Return the seed of the next game: the chosen one, else `usual`, else an unpredictable one."""
        # A board's clock starts at the same value at every power-on, so the times of the edges are mixed in.
        seed = usual if self.seed is None else self.seed
        self.seed = None
        self.mix(self.device.clock.ticks_ms())
        if seed is None:
            seed = self.noise ^ self.device.machine.draw_entropy()
        self.noise ^= seed & SEEDS - 1
        return seed & SEEDS - 1

    def stir(self, edges: "EdgeQueue") -> None:
        """Mix the times of edges into the noise."""
        for i in range(edges.count):
            self.mix(edges.t_ms[i])

    def mix(self, t_ms: int) -> None:
        """Rotate the noise by 5 bits and mix in a time, whose low bits vary most; the noise stays a small int."""
        noise = self.noise
        self.noise = ((noise & 0x1FFFFFF) << 5 | noise >> 25) ^ t_ms

    def has_game(self) -> bool:
        return self.is_in_journal or self.suspended is not None

    def hold_game(self, game: "Game | Match | None") -> None:
        """Keep a game in progress in memory only; None forgets it."""
        self.suspended = game
        self.is_in_journal = False
        self.played = 0

    def leave_to_journal(self) -> None:
        """Free the memory of the game in progress, which the journal has saved."""
        self.suspended = None
        self.is_in_journal = True

    def suspend(self, game: "Game", at_leisure: bool) -> bool:
        """Save the game in progress; make room first if `at_leisure`. Return False if only room was missing."""
        journal = self.journal
        self.hold_game(game)
        self.kept = self.variant
        if journal.failed:
            return True
        # The router has already loaded this module.
        from firmware.save.suspended import pack

        length = pack(game, self.variant, journal.payload)
        if journal.save(SUSPENDED, length) if at_leisure else journal.append(SUSPENDED, length):
            self.leave_to_journal()
            return True
        return journal.failed

    def finish(self, game: "Game", played: int, initials: int = 0) -> None:
        """Forget the finished game and rank its result (Guideline 11.2); `played` begins it again.

        initials: the last ones that the player has chosen, as in the settings, which sign a place.
        """
        self.hold_game(None)
        self.played = played
        self.goal = b""
        # Imported late here and below to save heap in play.
        from firmware.finishing import finish

        self.placed, number, best = finish(self.journal, self.variant, game, initials)
        if best >= 0:
            self.best_of = number << CLASS_SHIFT | self.variant << 10 | game.options.aim
            self.best_result = best

    def tell_goal(self, words: bytes) -> None:
        """Set what the result of the last game says of the goals."""
        self.goal = words

    def best(self, aim: int, number: int = 0) -> int:
        """Return the best result of this variant so far, of an aim and a class of games; 0 if there is none."""
        # Kept from game to game: reading it again takes a board a tenth of a second.
        key = number << CLASS_SHIFT | self.variant << 10 | aim
        if self.best_of != key:
            from firmware.save.scores import find_best

            self.best_of = key
            self.best_result = find_best(self.journal, self.variant, aim, number)
        return self.best_result

    def remember(self, replay: "Callable[[], bytes] | None" = None, watcher: str = "") -> None:
        """Let the scene `watcher` show the recording that `replay` returns; without arguments forget the last one."""
        self.last = replay
        self.watcher = watcher

    def remember_game(self, time_ms: int) -> None:
        """Let the recorded game be watched up to `time_ms`, the time of a pause or of its end."""
        self.last_ms = time_ms
        self.remember(self.replay, "replay.watch")

    def replay(self) -> bytes:
        return self.recorder.recorded(self.last_ms) if self.recorder else b""

    def warn(self) -> bool:
        """Return True once if the journal's memory has failed."""
        journal = self.journal
        if self.warned or not journal.failed or not journal.stores:
            return False
        self.warned = True
        return True
