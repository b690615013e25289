"""Play matches between computer players, or games of one alone, and print a table of their play.

    python -m tools.versus 5 4 --games 100
    python -m tools.versus --alone 5 --seeds 20 --pieces 1000 --garbage-every 8
    python -m tools.versus 5 "cold-clear-2" --think 100
    python -m tools.versus strong 5 --nodes 5000
    python -m tools.versus --ladder --rules modern

Each player runs as on its own board: 60 frames a second, with 4 ms of thinking in each. Seeds count from 1, so the same
command prints the same table. A program that speaks the Tetris Bot Protocol may replace a level. So may our own bots
for PCs: `strong` and, without what it has learned, `tuned` (extra `solve`), and those that look one piece ahead:
`dellacherie`, `el-tetris` and `random`. Bots think in real time, so their play depends on this PC.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from shutil import which
from typing import Any, NamedTuple

from firmware.engine import events
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.players.alone import pass_time
from firmware.players.player import Player
from sim import terminal
from sim.bots.attacks import GUIDELINE, find_attacks, find_rules
from sim.bots.process import split_command
from sim.terminal import Refusal, add_fill, add_flag, add_number, tell_install
from tools import ROOT
from tools.bots.bot_server import STRONG_MS
from tools.bots.level_bot import LEVEL_NAMES, read_level
from tools.bots.match import OWN, PACE_MS, SEARCHERS, STRONG, make_bot, play_seats
from tools.bots.tally import Tally, count_game
from tools.markdown import lay_out, show
from tools.workers import Workers, add_jobs

GAP_ROWS = 8
_RULES = "the rules of the match: guideline (the default), modern, or custom-N (firmware/modes/README.md, 18.10)"
PAGE = ROOT / "tools" / "bots" / "README.md"


def read_rules(text: str) -> int:
    """Return the rules of a match by their name, for a command line."""
    try:
        return find_rules(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


class Alone(Mode):
    """Count lines as a match does, and raise a line of garbage after every `garbage_every` pieces."""

    def __init__(self, garbage_every: int) -> None:
        self.garbage_every = garbage_every
        self.sent = self.raised = self.gap = 0

    def complete(self, game: Game) -> None:
        self.sent += find_attacks(GUIDELINE).count_lock_down(game, bool(game.action & events.BACK_TO_BACK))
        if self.garbage_every and game.lock_downs % self.garbage_every == 0:
            if self.raised % GAP_ROWS == 0:
                self.gap = (self.gap + 1 + game.garbage.below(9)) % 10
            self.raised += 1
            game.receive(1, self.gap)


class Solo(NamedTuple):
    """One game of a level alone.  garbage_every: pieces between two lines of garbage, 0 for none."""

    level: int
    seed: int
    pieces: int
    garbage_every: int = 0


class Pairing(NamedTuple):
    """One match. A player is a level, the command of a bot, or one of OWN.

    think_ms, pace_ms: a bot's thinking time, and its time to the first press.  strong_ms: the thinking time of
    SEARCHERS.  nodes: the places that these rate instead.
    """

    one: int | str
    two: int | str
    seed: int
    think_ms: int = 0
    pace_ms: int = PACE_MS
    strong_ms: int = STRONG_MS
    nodes: int = 0
    rules: int = 0


def play_alone(task: Solo) -> list[Tally]:
    mode = Alone(task.garbage_every)
    game = Game(task.seed, Options(), mode)
    player = Player(task.level, task.seed)
    game.start(0)
    game.advance(0)
    player.watch(game)
    frame = 0
    while not game.over and game.lock_downs < task.pieces and game.time_ms < task.pieces * 20_000:
        frame += 1
        pass_time(player, frame * 50 // 3)
    tally = count_game(game)
    tally.sent = mode.sent
    tally.out = int(bool(game.over))
    return [tally]


def play_match(task: Pairing) -> list[Tally]:
    """Play one match; for odd seeds the two players change seats."""
    swapped = task.seed & 1
    with ExitStack() as bots:
        seats: list[Any] = [
            bots.enter_context(make_bot(player, task.strong_ms, task.nodes, task.rules))
            if isinstance(player, str)
            else player
            for player in ((task.two, task.one) if swapped else (task.one, task.two))
        ]
        outcome = play_seats(seats, task.seed, task.pace_ms, task.think_ms, task.rules)
    for bot, fault in zip(seats, outcome.faults, strict=True):
        if fault:
            from tqdm import tqdm

            tqdm.write(f"tools.versus: {bot.name} loses match {task.seed}: it {fault}", file=sys.stderr)
    return outcome.tallies[::-1] if swapped else outcome.tallies


def run(
    play: Callable[[Any], list[Tally]], tasks: Sequence[Any], jobs: int, quiet: bool = False, scheduler: str = ""
) -> list[list[Tally]]:
    """Play all tasks on `jobs` processes or a Dask scheduler; return their results in order."""
    with Workers(jobs, scheduler) as workers:
        return workers.map(play, [*tasks], quiet=quiet)


def total(results: list[list[Tally]]) -> list[Tally]:
    sums = [Tally() for _ in results[0]]
    for result in results:
        for tally, one in zip(sums, result, strict=True):
            tally.add(one)
    return sums


def tabulate(players: list[int | str], tallies: list[Tally], alone: bool) -> str:
    heads = ["level", "games", "out" if alone else "wins"]
    heads += ["lines sent a piece", "pieces a second", "T-Spins a 100", "Tetrises a 100"]
    rows = [
        (
            player if isinstance(player, str) else f"{player} {LEVEL_NAMES[player - 1]}",
            str(tally.games),
            f"{tally.out if alone else tally.wins:g}",
            f"{tally.sent_a_piece:.3f}",
            f"{tally.pieces_a_second:.2f}",
            f"{100 * tally.t_spins / max(1, tally.pieces):.1f}",
            f"{100 * tally.tetrises / max(1, tally.pieces):.1f}",
        )
        for player, tally in zip(players, tallies, strict=True)
    ]
    return lay_out(heads, rows)


def player(text: str) -> int | str:
    """Return a level's number, or the name or command of a bot; raise ArgumentTypeError."""
    if text.lower() in OWN:
        if text.lower() in SEARCHERS and not find_spec("numba"):
            raise argparse.ArgumentTypeError(f"strong needs Numba; {tell_install('solve')}")
        return text.lower()
    try:
        return read_level(text)
    except argparse.ArgumentTypeError as problem:
        try:
            words = split_command(text)
        except ValueError as wrong:
            raise argparse.ArgumentTypeError(f"{text!r} is not a command: {wrong}") from None
        if not which(words[0]):
            raise argparse.ArgumentTypeError(f"{problem}; nor is it a program") from None
        return text


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(
        prog="python -m tools.versus",
        description="Play matches between two computer players, or let one play alone, with a board's time to think.",
        epilog="A level is its number or its name: "
        + ", ".join(f"{i} {name}" for i, name in enumerate(LEVEL_NAMES, 1))
        + ". In a match a program that speaks the Tetris Bot Protocol may play instead: give its command. So may "
        f"our own: {', '.join(OWN)}.",
    )
    parser.add_argument("levels", nargs="*", type=player, metavar="PLAYER", help="the two players")
    add_number(parser, "--games", 1, None, 20, "number of matches")
    add_flag(parser, "--ladder", "let each level play against the next one instead")
    parser.add_argument("--alone", type=read_level, metavar="LEVEL", help="let this level play alone instead")
    add_number(parser, "--seeds", 1, None, 20, "alone: number of games")
    add_number(parser, "--pieces", 1, None, 1000, "alone: pieces in each game")
    add_number(parser, "--garbage-every", 0, None, 0, "alone: raise a garbage row every so many pieces", "PIECES")
    words = "time a bot may think before it is asked (default 0); "
    words += f"for {STRONG}, time for each piece (default {STRONG_MS})"
    add_number(parser, "--think", 0, None, None, words, "MS")
    add_number(parser, "--nodes", 1, None, 0, f"{STRONG}: placements to evaluate for each piece instead")
    parser.add_argument("--rules", type=read_rules, default=0, metavar="RULES", help=_RULES)
    add_number(parser, "--pace", 0, None, PACE_MS, "time from a bot's next Tetrimino to its first press", "MS")
    add_jobs(parser)
    add_flag(parser, "--quiet", "hide the progress bar")
    add_fill(parser, "put the table into its place in tools/bots/README.md")
    try:
        options = parser.parse_args(arguments)
        if [options.alone is not None, options.ladder, len(options.levels) == 2].count(True) != 1 or (
            options.levels and len(options.levels) != 2
        ):
            parser.error("give two levels, --ladder, or --alone LEVEL")
        if options.nodes and not {*SEARCHERS} & {*options.levels}:
            parser.error(f"--nodes is for {STRONG}, which does not play here")
        table = climb(options) if options.ladder else play_all(options)
        show(table, PAGE, "match", f"python -m tools.versus {' '.join(arguments or sys.argv[1:])}", options.fill)
    except (OSError, Refusal, ValueError) as problem:
        return parser.refuse(problem)
    return 0


def climb(options: argparse.Namespace) -> str:
    """Return a table of matches between each level and the one below."""
    pairs = [(level, level - 1) for level in range(2, len(LEVEL_NAMES) + 1)]
    how = {"think_ms": options.think or 0, "pace_ms": options.pace, "rules": options.rules}
    tasks = [Pairing(*pair, seed, **how) for pair in pairs for seed in range(1, options.games + 1)]
    results = run(play_match, tasks, options.jobs, options.quiet, options.scheduler)
    rows = []
    for at, (level, below) in enumerate(pairs):
        one, two = total(results[at * options.games : (at + 1) * options.games])
        sent = f"{one.sent_a_piece:.3f}", f"{two.sent_a_piece:.3f}"
        names = (f"{number} {LEVEL_NAMES[number - 1]}" for number in (level, below))
        rows.append((*names, str(one.games), f"{one.wins:g}", *sent))
    return lay_out(["level", "against", "games", "wins", "lines sent a piece", "by the other"], rows)


def play_all(options: argparse.Namespace) -> str:
    """Carry out the command line; return the table."""
    if options.alone:
        seeds = range(1, options.seeds + 1)
        games = [Solo(options.alone, seed, options.pieces, options.garbage_every) for seed in seeds]
        tallies = total(run(play_alone, games, options.jobs, options.quiet, options.scheduler))
        return tabulate([options.alone], tallies, True)
    if {*SEARCHERS} & {*options.levels} and not options.scheduler:
        from tools.bots.strong.preparing import prepare

        prepare()  # once, not in every process
    how = {
        "think_ms": options.think or 0,
        "pace_ms": options.pace,
        "strong_ms": STRONG_MS if options.think is None else options.think,
        "nodes": options.nodes,
        "rules": options.rules,
    }
    one, two = options.levels
    matches = [Pairing(one, two, seed, **how) for seed in range(1, options.games + 1)]
    tallies = total(run(play_match, matches, options.jobs, options.quiet, options.scheduler))
    return tabulate(options.levels, tallies, False)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
