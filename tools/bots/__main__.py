"""Speak the Tetris Bot Protocol: be a bot, or let one play.

    python -m tools.bots tbp --level 5
    python -m tools.bots host "cold-clear-2" --pieces 300 --record game.sky

What is recorded opens in the simulator (`python -m sim --play`) and as a fumen link (`python -m tools.export --fumen`).
"""

from __future__ import annotations

import argparse
import os
import sys

from firmware.engine.game import AIM_REACHED
from firmware.engine.randomizer import SEEDS
from firmware.players.levels import BEST
from sim import progress, terminal
from sim.cli import Refusal, check_writable, number_within
from tools.bots.host import SEEN, Host
from tools.bots.level_bot import LevelBot, serve
from tools.bots.process import ANSWER_S, Fault, start_bot
from tools.versus import count_game, level

_MOST_PIECES = 10_000  # all of them fit a recording
_MOST_MS = 60_000
_MOST_ROWS = 10
LOST = 1


def make_parser() -> terminal.Parser:
    """Return the parser of the command line."""
    parser = terminal.Parser(
        prog="python -m tools.bots",
        description="Speak the Tetris Bot Protocol: be a bot, or let one play.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="tbp|host")
    tbp = commands.add_parser("tbp", help="be a bot over stdin and stdout", description="Be a bot for any host.")
    tbp.add_argument("--level", type=level, default=BEST, help="1 to 5, as in VERSUS (5)")
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
    return parser


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
        serve(LevelBot(options.level), sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # The host has gone; what is still held back would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Refusal, ValueError) as problem:
        return parser.refuse(problem)
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
