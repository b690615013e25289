"""Speak the Tetris Bot Protocol: be a bot, or let one play; measure and tune the strong one.

    python -m tools.bots tbp --level 5
    python -m tools.bots tbp --strong
    python -m tools.bots host "cold-clear-2" --pieces 300 --record game.sky
    python -m tools.bots measure --think 100 --seeds 4 --games 10
    python -m tools.bots tune --generations 10

What is recorded opens in the simulator (`python -m sim --play`) and as a fumen link (`python -m tools.export --fumen`).
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from firmware.engine.game import AIM_REACHED
from firmware.engine.randomizer import SEEDS
from firmware.players.levels import BEST, LEVELS
from sim import progress, terminal
from sim.bots.host import SEEN, Host
from sim.bots.process import ANSWER_S, Fault, start_bot
from sim.cli import Refusal, check_writable
from sim.terminal import number_within
from tools.bots.answers import Answerer, serve
from tools.bots.level_bot import LevelBot
from tools.spread import MOST_JOBS, Workers, count_jobs
from tools.versus import PLAIN, STRONG_MS, count_game, level
from tools.versus import player as read_player

_MOST_PIECES = 10_000  # all of them fit a recording
_MOST_MS = 60_000
_MOST_ROWS = 10
_MOST_NODES = 10_000_000
_MOST = 100_000
_AGAINST: list[int | str] = [*range(1, LEVELS + 1), PLAIN]
LOST = 1


def make_parser() -> terminal.Parser:
    """Return the parser of the command line."""
    parser = terminal.Parser(
        prog="python -m tools.bots",
        description="Speak the Tetris Bot Protocol: be a bot, or let one play; measure and tune the strong one.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="tbp|host|measure|tune")
    tbp = commands.add_parser("tbp", help="be a bot over stdin and stdout", description="Be a bot for any host.")
    who = tbp.add_mutually_exclusive_group()
    who.add_argument("--level", type=level, default=BEST, help="1 to 5, as in VERSUS (5)")
    who.add_argument(
        "--strong", action="store_true", help="as strong as this computer can be; needs Numba (extra `solve`)"
    )
    tbp.add_argument(
        "--think",
        type=number_within(0, _MOST_MS),
        default=STRONG_MS,
        metavar="MS",
        help=f"strong: CPU time for a piece, and longer where nobody asks ({STRONG_MS})",
    )
    tbp.add_argument(
        "--nodes",
        type=number_within(1, _MOST_NODES),
        default=0,
        metavar="N",
        help="strong: judge so many places for a piece instead; the same messages get the same answers then",
    )
    host = commands.add_parser(
        "host",
        help="let a bot play Marathon",
        description="Let any bot of the protocol play Marathon, and count what it would send in a match.",
        epilog="The game ends with level 15, after 150 lines. Exit code 1: the bot hung, died or spoke nonsense.",
    )
    host.add_argument("bot", metavar="COMMAND", help='what starts the bot, such as "python -m tools.bots tbp"')
    host.add_argument("--pieces", type=number_within(1, _MOST_PIECES), default=300, metavar="N", help="to play (300)")
    host.add_argument("--seed", type=number_within(0, SEEDS - 1), default=1, metavar="N", help="of the game (1)")
    host.add_argument("--seen", type=int, choices=SEEN, default=SEEN[0], help="pieces of the Next Queue it sees (5)")
    host.add_argument(
        "--think",
        type=number_within(0, _MOST_MS),
        default=0,
        metavar="MS",
        help="let it think on for so long before it is asked (0)",
    )
    host.add_argument(
        "--limit",
        type=number_within(1, _MOST_MS),
        default=round(1000 * ANSWER_S),
        metavar="MS",
        help="what it may take for an answer (10000)",
    )
    host.add_argument(
        "--garbage",
        type=number_within(1, _MOST_ROWS),
        nargs=2,
        metavar=("ROWS", "PIECES"),
        help="let so many rows rise after every so many pieces, at level 1 and without end",
    )
    host.add_argument(
        "--record", type=terminal.path, metavar="FILE.sky", help="write the game, for the simulator and tools.export"
    )
    measure = commands.add_parser(
        "measure",
        help="measure the strong bot",
        description="Print what the strong bot sends in 300 pieces, whether it lives through 500 with four rows of "
        "garbage after every seven, how often it wins, and what that takes. All of it takes hours; --log keeps what "
        "is done.",
    )
    measure.add_argument(
        "--think", type=number_within(1, _MOST_MS), nargs="+", metavar="MS", help="CPU time a piece (20 100 500)"
    )
    measure.add_argument(
        "--nodes", type=number_within(1, _MOST_NODES), nargs="+", metavar="N", help="places judged a piece instead"
    )
    measure.add_argument("--seeds", type=number_within(1, _MOST), default=20, metavar="N", help="games alone (20)")
    measure.add_argument(
        "--garbage-seeds", type=number_within(0, _MOST), default=10, metavar="N", help="games with garbage (10)"
    )
    measure.add_argument(
        "--games", type=number_within(1, _MOST), default=100, metavar="N", help="matches against each other one (100)"
    )
    measure.add_argument(
        "--against",
        type=read_player,
        nargs="*",
        default=_AGAINST,
        metavar="PLAYER",
        help="levels, names or commands as of tools.versus (1 2 3 4 5 dellacherie); none for no matches",
    )
    measure.add_argument(
        "--log", type=terminal.path, metavar="FILE.jsonl", help="write each game down; play none that is there"
    )
    tune = commands.add_parser(
        "tune",
        help="tune the strong bot's weights",
        description="Let the strong bot play by itself with weights that CMA-ES tries, and go on with the log of the "
        "last time. Needs the extra `bots`.",
    )
    tune.add_argument("--generations", type=number_within(0, _MOST), default=1, metavar="N", help="to try (1)")
    tune.add_argument(
        "--log", type=terminal.path, metavar="FILE.jsonl", help="the log (strong/tuned.jsonl, of what is in use)"
    )
    tune.add_argument("--seed", type=number_within(0, SEEDS - 1), default=1, metavar="N", help="of a new log (1)")
    tune.add_argument("--population", type=number_within(4, 1000), default=16, metavar="N", help="of a new log (16)")
    tune.add_argument("--games", type=number_within(1, _MOST), default=3, metavar="N", help="each, of a new log (3)")
    tune.add_argument("--pieces", type=number_within(1, _MOST), default=300, metavar="N", help="of a new log (300)")
    tune.add_argument(
        "--nodes", type=number_within(1, _MOST_NODES), default=3000, metavar="N", help="a piece, of a new log (3000)"
    )
    tune.add_argument(
        "--garbage",
        type=number_within(1, _MOST_ROWS),
        nargs=2,
        default=(0, 0),
        metavar=("ROWS", "PIECES"),
        help="of a new log: let so many rows rise after every so many pieces in every other game",
    )
    for command in (measure, tune):
        command.add_argument(
            "--jobs", type=number_within(1, MOST_JOBS), default=count_jobs(), metavar="N", help="processes"
        )
        command.add_argument(
            "--scheduler", default="", metavar="ADDRESS", help="play on a Dask cluster instead (extra `bots`)"
        )
    return parser


def choose_bot(options: argparse.Namespace) -> Answerer:
    """Return the bot that the command line asks for."""
    if not options.strong:
        return LevelBot(options.level)
    check_numba()
    from tools.bots.strong.bot import StrongBot

    return StrongBot(options.think / 1000, options.nodes)


def check_numba() -> None:
    """Raise Refusal where the strong player cannot be had."""
    if not find_spec("numba") or not find_spec("platformdirs"):
        raise Refusal("the strong player needs Numba and platformdirs; pip install 'skyline[solve]'")


def run_measure(options: argparse.Namespace) -> int:
    """Print the table of the strong player."""
    check_numba()
    from tools.bots.strong.measure import Budget, Games, Plan, rows

    budgets = [Budget(nodes=nodes) for nodes in options.nodes or ()]
    budgets += [Budget(think_ms=ms) for ms in options.think or (() if budgets else (20, 100, 500))]
    plan = Plan(options.seeds, options.garbage_seeds, options.games, options.against)
    with Workers(options.jobs, options.scheduler) as workers:
        for i, row in enumerate(rows(budgets, plan, Games(workers, options.log))):
            print(f"| {' | '.join(row)} |", flush=True)
            if not i:
                print("|---" * len(row) + "|", flush=True)
    return 0


def run_tune(options: argparse.Namespace) -> int:
    """Try some generations more and print what tuning came to."""
    check_numba()
    from tools.bots.strong.preparing import prepare
    from tools.bots.strong.tune import LOG, Plan, Tuning, tell_weights

    plan = Plan(options.seed, options.population, options.games, options.pieces, options.nodes, *options.garbage)
    tuning = Tuning(options.log or LOG, plan)
    prepare()
    with Workers(options.jobs, options.scheduler) as workers:
        for _ in range(options.generations):
            scores = tuning.advance(workers)
            mean = sum(scores) / len(scores)
            print(f"generation {len(tuning.scores)}: {mean:.4f}, the best {max(scores):.4f}", flush=True)
    print(tell_weights(tuning.mean()))
    return 0


def run_host(options: argparse.Namespace) -> int:
    """Let a bot play; return 0, or LOST where it is at fault. Raise Refusal or ValueError for what cannot be done."""
    if options.record:
        check_writable(options.record)
        if options.garbage:
            raise Refusal("--record and --garbage exclude each other: in Marathon no garbage rises")
    bot = start_bot(options.bot, options.limit / 1000)
    host = Host(bot, options.seed, options.seen, options.think / 1000, tuple(options.garbage or (0, 0)))
    fault = ""
    try:
        with bot, progress.bar("playing", options.pieces, "pieces") as shown:
            host.play(options.pieces, shown.update)
    except Fault as problem:
        fault = str(problem)
    tell(host)
    if options.record:
        try:
            options.record.write_bytes(host.recorder.recorded(host.game.time_ms))
        except OSError as error:
            raise Refusal(f"cannot write {options.record}: {error.strerror or error}") from error
    if fault:
        print(f"tools.bots host: {bot.name} loses: it {fault}", file=sys.stderr)
        return LOST
    return 0


def tell(host: Host) -> None:
    """Print what a bot did."""
    game, mode = host.game, host.mode
    tally = count_game(game)
    end = ", Marathon completed" if game.over == AIM_REACHED else ", topped out" if game.over else ""
    print(f"{host.bot.name}: {tally.pieces} pieces{end}")
    if not tally.pieces:
        return
    print(f"{mode.sent / tally.pieces:.3f} lines sent a piece, {100 * tally.t_spins / tally.pieces:.1f} T-Spins and "
          f"{100 * tally.tetrises / tally.pieces:.1f} Tetrises a 100")  # fmt: skip
    print(f"{game.lines} lines, level {game.level}, {game.score} points")
    if host.nodes:
        print(f"{host.nodes / tally.pieces:.0f} nodes a piece")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, LOST where a bot is at fault, or 2 after one line that says what was wrong."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        if options.command == "host":
            return run_host(options)
        if options.command == "measure":
            return run_measure(options)
        if options.command == "tune":
            return run_tune(options)
        serve(choose_bot(options), sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # The host has gone; what is still held back would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Refusal, ValueError) as problem:
        return parser.refuse(problem)
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
