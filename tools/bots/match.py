"""Play a match between levels and bots, and record it."""

from collections.abc import Sequence
from typing import NamedTuple

from firmware.engine.options import Options
from firmware.match import tables
from firmware.match.match import NOBODY, Match
from firmware.match.options import MatchOptions
from firmware.players.computer_team import ComputerTeam
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_recorder import MatchRecorder
from sim.bots.attacks import name_rules
from sim.bots.host import choose_options
from sim.bots.process import Bot, Partner
from sim.bots.rival import Rival
from tools.bots.bot_server import InProcessBot
from tools.bots.plain_bot import WEIGHTS, PlainBot
from tools.bots.tally import Tally, count_game

LONGEST_MS = 20 * 60_000
PACE_MS = 300
STRONG = "strong"
TUNED = "tuned"  # the strong player without what it has learned
SEARCHERS = STRONG, TUNED
OWN = (*SEARCHERS, *WEIGHTS)

_SEEN = 5
_RECORDING_BYTES = 1 << 16  # what the page takes; half an hour of two players


def make_bot(player: str, think_ms: int, nodes: int, rules: int = tables.GUIDELINE) -> Partner:
    """Return one of our own bots by its name, or a bot by its command; ours know the match's `rules`."""
    if player in WEIGHTS:
        return InProcessBot(PlainBot(player))
    if player in SEARCHERS:
        from tools.bots.strong.bot import StrongBot
        from tools.bots.strong.weights import find_tuned

        attacks = name_rules(rules)
        learned = find_tuned(attacks) if player == TUNED else None
        return InProcessBot(StrongBot(think_ms / 1000, nodes, attacks=attacks, learned=learned))
    return Bot(player)


class Outcome(NamedTuple):
    """The end of a match.

    winner: a seat, or NOBODY.  tallies, faults: of each seat; a fault is "" or says in what a bot failed.
    recording: the match as a file.
    """

    winner: int
    tallies: list[Tally]
    faults: list[str]
    recording: bytes


class RecordedMatch(Match):
    """Record the edges of all players."""

    def __init__(self, seed: int, options: MatchOptions, choices: list[Options]) -> None:
        super().__init__(seed, options, choices)
        self.recorder = MatchRecorder(Recorder(_RECORDING_BYTES))
        self.recorder.begin_match(self)

    def input(self, number: int, button: int, pressed: int, t_ms: int) -> None:
        self.advance(t_ms)
        if not self.over:
            self.recorder.note_edge(number, button, pressed, self.time_ms)
        super().input(number, button, pressed, t_ms)


def play_seats(
    players: Sequence[int | Partner],
    seed: int,
    pace_ms: int = PACE_MS,
    think_ms: int = 0,
    rules: int = tables.GUIDELINE,
) -> Outcome:
    """Play one match between levels and bots, in the order of their seats; a bot at fault loses.

    pace_ms: a bot's time to the first press.  think_ms: how long a bot in a process may think before it is asked.
    rules: the option of the match.
    """
    options = MatchOptions()
    options.rules = rules
    choices = [Options(), Options()]
    for number, player in enumerate(players):
        if isinstance(player, Partner):
            choices[number] = choose_options(_SEEN)
        else:
            options.who |= player << 4 * number
    match = RecordedMatch(seed, options, choices)
    team = ComputerTeam(match, 1)  # each thinks as much as a person's only opponent
    rivals = {}
    for number, player in enumerate(players):
        if isinstance(player, Partner):
            wait_s = think_ms / 1000 if isinstance(player, Bot) else 0.0
            team.players[number] = rivals[number] = Rival(player, match.seats[number].game, pace_ms, wait_s)
    frame = 0
    while not match.over and match.time_ms < LONGEST_MS and not any(rival.lost for rival in rivals.values()):
        frame += 1
        team.advance(frame * 50 // 3)
    lost = {number: str(rival.lost) for number, rival in rivals.items() if rival.lost}
    winner = match.winner if match.over else NOBODY
    if lost:
        winner = 1 - min(lost) if len(lost) == 1 else NOBODY
    tallies = []
    for seat in match.seats:
        tally = count_game(seat.game)
        tally.sent = seat.sent + seat.countered
        tally.out = int(bool(seat.game.over))
        tally.wins = 0.5 if winner == NOBODY else float(winner == seat.number)
        tallies.append(tally)
    match.recorder.stop(match.time_ms)
    return Outcome(winner, tallies, [lost.get(number, "") for number in range(len(players))], match.recorder.replay())
