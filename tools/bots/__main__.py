"""Use the Tetris Bot Protocol: run our bots, host a bot, tune or train one, or let bots compete. Or count placements.

    python -m tools.bots tbp --level 5
    python -m tools.bots tbp --strong
    python -m tools.bots host "cold-clear-2" --pieces 300 --record game.sky
    python -m tools.bots tune --generations 10
    python -m tools.bots learn --rounds 2 --output mine.npz
    python -m tools.bots train
    python -m tools.bots perft 4
    python -m tools.bots arena bots.toml
    python -m tools.bots card "cold-clear-2"

A recording opens in the simulator (`python -m sim --play`) or as a fumen link (`python -m tools.export --fumen`).
"""

import argparse
import os
import random
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from firmware.engine.game import AIM_REACHED
from firmware.engine.randomizer import SEEDS
from firmware.players.levels import BEST
from sim import progress, terminal
from sim.bots.attacks import GUIDELINE, find_attacks, list_names
from sim.bots.host import SEEN, Host
from sim.bots.process import ANSWER_S, Fault, start_bot
from sim.game_record import is_recording
from sim.ownership import check_file, output, to_file
from sim.terminal import Refusal, add_fill, add_flag, add_number, number_within, tell_install, writing
from tools.bots import card
from tools.bots.arena.command import add_arena
from tools.bots.arena.command import run as run_arena
from tools.bots.bot_server import STRONG_MS, BotServer, serve
from tools.bots.level_bot import LevelBot, read_level
from tools.bots.perft.positions import COUNTS, DEEPEST, is_counts
from tools.bots.tally import count_game
from tools.markdown import fill_page, lay_out, show
from tools.workers import Workers, add_jobs

_MOST_PIECES = 10_000  # these still fit a recording
_MOST_MS = 60_000
_ROWS = number_within(1, 10)
_MOST_NODES = 10_000_000
_MOST = 100_000
_STEPS = 1_000_000  # of training
_ROUNDS, _MATCH_ROUNDS, _LESSONS = 5, 6, 80  # of learning
_PIECES, _NODES = 300, 5000  # of each game of `sent`
LOST = 1
PAGE = Path(__file__).with_name("README.md")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, LOST if a bot is at fault or counts differ, or 2 with one line on stderr."""
    parser = terminal.Parser(
        prog="python -m tools.bots",
        description="Run a bot of the Tetris Bot Protocol, host one, or tune the strong player. Or count placements.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="tbp|host|tune|learn|train|sent|curve|perft|arena|card"
    )
    add_tbp(commands)
    add_host(commands)
    add_tune(commands)
    add_learn(commands)
    add_train(commands)
    add_sent(commands)
    add_curve(commands)
    add_perft(commands)
    add_arena(commands)
    card.add_card(commands)
    return parser.run(run, arguments)


def add_tbp(commands: Any) -> None:
    words = "Run our bot on stdin and stdout, for any host of the Tetris Bot Protocol."
    tbp = commands.add_parser("tbp", help="run our bot on stdin and stdout", description=words)
    who = tbp.add_mutually_exclusive_group()
    who.add_argument("--level", type=read_level, default=BEST, help="computer player 1 to 5, as in VERSUS (default 5)")
    add_flag(who, "--strong", "use the strong player; needs Numba (extra `solve`)")
    add_flag(who, "--tuned", "use the strong player without what it has learned")
    words = "use the strong player with what `learn` has written"
    who.add_argument("--learned", type=terminal.path, metavar="FILE.npz", help=words)
    words = "a policy of Skyline-v0: a function of (observation, info) that returns an action (extra `bots`)"
    who.add_argument("--policy", metavar="MODULE:FUNCTION", help=words)
    words = "strong: CPU time for each piece; it thinks longer if the host waits"
    add_number(tbp, "--think", 0, _MOST_MS, STRONG_MS, words, "MS")
    words = "strong: evaluate this many placements for each piece instead, so that equal input gives equal output"
    add_number(tbp, "--nodes", 1, _MOST_NODES, 0, words)
    add_attacks(tbp, "strong: the table of attacks that it plays for")


def add_host(commands: Any) -> None:
    host = commands.add_parser(
        "host",
        help="let a bot play Marathon",
        description="Let a bot play Marathon, and count the lines that it would send in a match.",
        epilog="The game ends after level 15 (150 lines). Exit code 1: the bot hung, crashed or sent nonsense.",
    )
    host.add_argument("bot", metavar="COMMAND", help='command that starts the bot, such as "python -m tools.bots tbp"')
    add_number(host, "--pieces", 1, _MOST_PIECES, 300, "number of pieces to play")
    add_number(host, "--seed", 0, SEEDS - 1, 1, "seed of the game")
    words = "how many pieces of the Next Queue the bot sees (default 5)"
    host.add_argument("--seen", type=number_within(0), choices=SEEN, default=SEEN[0], help=words)
    add_number(host, "--think", 0, _MOST_MS, 0, "time to think before each question (default 0)", "MS")
    add_number(host, "--limit", 1, _MOST_MS, round(1000 * ANSWER_S), "time limit for each answer", "MS")
    words = "raise this many rows every so many pieces; the game stays at level 1 and has no end"
    host.add_argument("--garbage", type=_ROWS, nargs=2, metavar=("ROWS", "PIECES"), help=words)
    words = "write a recording, for the simulator and tools.export"
    host.add_argument("--record", type=to_file(ours=is_recording), metavar="FILE.sky", help=words)
    add_attacks(host, "the table of attacks that counts the lines")


def add_tune(commands: Any) -> None:
    words = "Tune the weights by CMA-ES in games of the strong player against itself. Continues from the log. "
    words += "Needs the extra `bots`."
    tune = commands.add_parser("tune", help="tune the weights of the strong player", description=words)
    add_number(tune, "--generations", 0, _MOST, 1, "number of generations to try")
    words = "the log (default: the one in use, strong/tuned*.jsonl)"
    tune.add_argument("--log", type=to_file(ours=is_log), metavar="FILE.jsonl", help=words)
    words = "tune the weights of what `learn` taught, with its points of patterns; a new log begins with them. In the "
    words += "end they go to --output; without --output and --log to strong/learned*.npz"
    add_flag(tune, "--learned", words)
    words = "with --learned: where weights and points go"
    tune.add_argument("--output", type=to_file(".npz", is_learned), metavar="FILE.npz", help=words)
    add_attacks(tune, "new log: the table of attacks")
    add_number(tune, "--seed", 0, SEEDS - 1, 1, "new log: seed")
    add_number(tune, "--population", 4, 1000, 16, "new log: population")
    add_number(tune, "--games", 1, _MOST, 3, "new log: games for each candidate")
    add_number(tune, "--pieces", 1, _MOST, 300, "new log: pieces in each game")
    add_number(tune, "--nodes", 1, _MOST_NODES, 3000, "new log: placements to evaluate for each piece")
    words = "new log: in every other game, raise this many rows every so many pieces"
    tune.add_argument("--garbage", type=_ROWS, nargs=2, default=(0, 0), metavar=("ROWS", "PIECES"), help=words)
    add_jobs(tune)


def add_learn(commands: Any) -> None:
    words = "Learn points for the patterns of a Matrix by temporal differences, in games of the strong player. Begins "
    words += "with the tuned weights. Equal numbers give equal points on one computer."
    learn = commands.add_parser("learn", help="teach the strong player patterns", description=words)
    words = f"rounds; each begins with the points of the last one (default {_ROUNDS}, with --match {_MATCH_ROUNDS})"
    add_number(learn, "--rounds", 1, _MOST, None, words)
    add_number(learn, "--games", 1, _MOST, _LESSONS, "games of each round")
    add_number(learn, "--seed", 0, SEEDS - 1, 1, "seed of the games")
    add_attacks(learn, "the table of attacks")
    words = "learn for matches: garbage rises, and the second half of the rounds teaches a high Matrix"
    add_flag(learn, "--match", words)
    words = "where the points go, after each round (default: in the end to those in use, strong/learned*.npz)"
    learn.add_argument("--output", type=to_file(".npz", is_learned), metavar="FILE.npz", help=words)
    add_fill(learn, "put the curve into its place in tools/bots/README.md")
    add_jobs(learn)


def is_learned(content: bytes) -> bool:
    """Return whether these are points that `learn` wrote."""
    return content.startswith(b"PK") and b"entries.npy" in content


def add_train(commands: Any) -> None:
    words = "Train a first player from nothing: a policy of Skyline-v0, by PPO. Equal numbers give equal weights on "
    words += "one computer. Needs the extra `train`."
    train = commands.add_parser("train", help="train a first player", description=words)
    add_number(train, "--steps", 1000, None, _STEPS, "pieces to learn from")
    add_number(train, "--seed", 0, SEEDS - 1, 1, "seed of the games and of the first weights")
    words = "where its weights go (default: first_player.npz, where its policy looks for them)"
    name = Path("first_player.npz")
    train.add_argument("--output", type=to_file(".npz", is_player), default=name, metavar="FILE.npz", help=words)
    add_fill(train, "put the curve into its place in tools/bots/README.md")


def is_player(content: bytes) -> bool:
    """Return whether these are weights that `train` wrote."""
    return content.startswith(b"PK") and b"skyline.npy" in content


def add_sent(commands: Any) -> None:
    words = "Let the strong player play for each table of attacks, and print the lines sent a piece."
    sent = commands.add_parser("sent", help="compare the tables of attacks", description=words)
    add_number(sent, "--games", 1, _MOST, 20, "games of each row")
    add_number(sent, "--pieces", 1, _MOST, _PIECES, "pieces in each game")
    add_number(sent, "--nodes", 1, _MOST_NODES, _NODES, "placements to evaluate for each piece")
    words = "instead of the known tables, this one; again for more"
    sent.add_argument("--attacks", type=read_attacks, action="append", metavar="NAME|FILE", help=words)
    add_fill(sent, "put the table into its place in tools/bots/README.md")
    add_jobs(sent)


def add_attacks(parser: argparse.ArgumentParser, words: str) -> None:
    names = list_names()
    words += f": {', '.join(names)}, or a FILE (tools/bots/README.md); default {GUIDELINE}"
    parser.add_argument(
        "--attacks", type=read_attacks, default=GUIDELINE, metavar="|".join([*names, "FILE"]), help=words
    )


def read_attacks(text: str) -> str:
    """Return the name of a table of attacks; raise ArgumentTypeError for a bad one."""
    try:
        return find_attacks(text).name
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def add_curve(commands: Any) -> None:
    words = "Let the strong player think for several times about each piece, and print the lines sent a piece."
    curve = commands.add_parser("curve", help="measure what time to think is worth", description=words)
    words = "CPU time for a piece in ms; may be repeated (default 5, 20, 100, 500 and 2000)"
    curve.add_argument("--think", type=number_within(1, _MOST_MS), action="append", metavar="MS", help=words)
    add_number(curve, "--games", 1, _MOST, 4, "games of each time, on seeds drawn now")
    add_number(curve, "--pieces", 1, 300, _PIECES, "pieces in each game")
    add_fill(curve, "put the table into its place in tools/bots/README.md")


def add_perft(commands: Any) -> None:
    perft = commands.add_parser(
        "perft",
        help="count the placements that a position allows, to a depth",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=(
            "Count the sequences of DEPTH placements that a position allows, as chess programs do to prove their move\n"
            "generators. Two implementations count: `columns`, the strong player's bitboards (extra `solve`), and\n"
            "`places`, the reference in pure Python. The table has the nodes of each depth, both speeds in CPU time,\n"
            "and their ratio."
        ),
        epilog=(
            "A node is a sequence of placements: of the piece in play, with --hold also of the one that Hold brings.\n"
            "Placements with the same cells count once, with --spins once for each kind of spin. tools/bots/README.md\n"
            "defines it all.\n\n"
            "  python -m tools.bots perft 4\n"
            "  python -m tools.bots perft 3 --hold --half-turns --spins --position kicks\n"
            "  python -m tools.bots perft 3 --rows '##......../#...######/##.#######' --queue TSZ\n"
            "  python -m tools.bots perft 3 --check\n\n"
            "Exit code 1: counts differ."
        ),
    )
    perft.add_argument("depth", type=number_within(1, DEEPEST), metavar="DEPTH", help="number of placements, 1 to 12")
    perft.add_argument("--position", metavar="NAME", help="a position of the published counts (default empty)")
    words = "a Matrix of your own: # for a Block, . for an empty cell, the highest row first"
    perft.add_argument("--rows", metavar="ROW/ROW/...", help=words)
    words = "the pieces, the one in play first; DEPTH of them, one more with --hold (default that of the position)"
    perft.add_argument("--queue", metavar="LETTERS", help=words)
    add_flag(perft, "--hold", "with the Hold Queue, which is empty at first")
    add_flag(perft, "--half-turns", "with turns by 180 degrees, as in firmware/modes/README.md, 5.2")
    add_flag(perft, "--spins", "count a T-Spin, a Mini and a plain drop into the same cells as different placements")
    words = "which implementation counts (default both)"
    perft.add_argument("--by", choices=("both", "columns", "places"), default="both", help=words)
    words = "count every line of a file again, to DEPTH at most, and name each difference (default: the published file)"
    perft.add_argument("--check", type=terminal.path, nargs="?", const=COUNTS, metavar="FILE.jsonl", help=words)
    words = "count the positions of a file with all rules, to DEPTH or four million nodes, and write the file anew"
    add_fill(perft, "put the table into its place in tools/bots/README.md")
    perft.add_argument("--write", type=to_file(ours=is_counts), metavar="FILE.jsonl", help=words)


def choose_bot(options: argparse.Namespace) -> BotServer:
    if options.policy:
        check_gymnasium()
        from tools.bots.policy import PolicyBot, find_policy

        sys.stdout = sys.stderr  # what a policy prints is no message; `serve` has the stream itself
        return PolicyBot(find_policy(options.policy))
    if not options.strong and not options.tuned and not options.learned:
        return LevelBot(options.level)
    check_numba()
    from tools.bots.strong.bot import StrongBot
    from tools.bots.strong.weights import find_tuned, read_learned

    attacks = options.attacks
    learned = find_tuned(attacks) if options.tuned else read_learned(options.learned) if options.learned else None
    return StrongBot(options.think / 1000, options.nodes, attacks=attacks, learned=learned)


def is_log(content: bytes) -> bool:
    """Return whether this is a log of `tune`, whole or cut."""
    return content.startswith(b'{"seed": ') and b'"population": ' in content


def check_numba() -> None:
    if not find_spec("numba") or not find_spec("platformdirs"):
        raise Refusal(f"the strong player needs Numba and platformdirs; {tell_install('solve')}")


def check_gymnasium() -> None:
    if not find_spec("gymnasium"):
        raise Refusal(f"a policy needs gymnasium; {tell_install('bots')}")


def run_tune(options: argparse.Namespace) -> int:
    check_numba()
    from tools.bots.strong.preparing import prepare
    from tools.bots.strong.tune import Plan, Tuning, find_log, list_weights
    from tools.bots.strong.weights import find_file, find_learned, find_tuned, save_learned

    attacks, learned = options.attacks, options.learned
    if options.output and not learned:
        raise Refusal("--output goes with --learned")
    plan = Plan(options.seed, options.population, options.games, options.pieces, options.nodes, *options.garbage)
    log = options.log or find_log(attacks, learned)
    file = options.output
    if not options.log:
        terminal.check_clone(log.name)
        file = options.output or (find_file(attacks) if learned else None)
    if file:
        check_file(file, ".npz", is_learned)
    start = (find_learned if learned else find_tuned)(attacks).weights
    tuning = Tuning(log, plan._replace(start=start, attacks=attacks, learned=learned))
    if tuning.plan.attacks != attacks:
        raise Refusal(f"{log} is of the table {tuning.plan.attacks}, not of {attacks}")
    if tuning.plan.learned != learned:
        raise Refusal(f"{log} is {'not ' * learned}of the learned player: call again with{'out' * learned} --learned")
    prepare()
    with Workers(options.jobs, options.scheduler) as workers:
        for _ in range(options.generations):
            scores = tuning.advance(workers)
            mean = sum(scores) / len(scores)
            print(f"generation {len(tuning.scores)}: {mean:.4f}, the best {max(scores):.4f}", flush=True)
    print(list_weights(tuning.mean()))
    if file:
        with writing(file), output(file, is_learned) as content:
            save_learned(tuning.learned(), content)
    return 0


def run_learn(options: argparse.Namespace) -> int:
    check_numba()
    default = _MATCH_ROUNDS if options.match else _ROUNDS
    options.rounds = options.rounds or default
    given = options.rounds, options.games, options.seed, options.attacks
    if options.fill and given != (default, _LESSONS, 1, GUIDELINE):
        raise Refusal("--fill learns with the default --rounds, --games, --seed and --attacks")
    from tools.bots.strong import learning
    from tools.bots.strong.preparing import prepare
    from tools.bots.strong.weights import find_file, save_learned

    file = options.output or find_file(options.attacks, options.match)
    if not options.output:
        terminal.check_clone(file.name)
    check_file(file, ".npz", is_learned)
    prepare()
    plan = learning.Plan(options.seed, options.rounds, options.games, attacks=options.attacks, match=options.match)
    curve = []
    with Workers(options.jobs, options.scheduler) as workers:
        for learned, row in learning.learn(plan, workers):
            curve.append(row)
            print(", ".join(f"{head} {cell}" for head, cell in zip(learning.HEADS, row, strict=True)), flush=True)
            if options.output or len(curve) == options.rounds:  # those in use are replaced by all rounds only
                with writing(file), output(file, is_learned) as content:
                    save_learned(learned, content)
    if options.fill:
        name, flag = ("matches", " --match") if options.match else ("learning", "")
        fill_page(PAGE, name, f"python -m tools.bots learn{flag} --fill", lay_out(learning.HEADS, curve))
    return 0


def run_sent(options: argparse.Namespace) -> int:
    check_numba()
    if options.fill and (options.attacks or options.pieces != _PIECES or options.nodes != _NODES):
        raise Refusal("--fill goes with --games alone")
    from tools.bots.strong.preparing import prepare
    from tools.bots.strong.sending import compare_sent

    prepare()
    with Workers(options.jobs, options.scheduler) as workers:
        names = options.attacks or list_names()
        table = compare_sent(names, options.games, options.pieces, options.nodes, workers)
    show(table, PAGE, "sent", f"python -m tools.bots sent --games {options.games} --fill", options.fill)
    return 0


def run_train(options: argparse.Namespace) -> int:
    missing = [name for name in ("numba", "gymnasium", "torch", "sb3_contrib") if not find_spec(name)]
    if missing:
        raise Refusal(f"training needs {missing[0]}; {tell_install('train')}")
    if options.fill and (options.steps, options.seed) != (_STEPS, 1):
        raise Refusal("--fill trains with the default --steps and --seed")
    check_file(options.output, ".npz", is_player)
    from tools.bots.examples import first_player

    once = first_player.GAMES * first_player.STRETCH
    if options.steps % once:
        whole = -(-options.steps // once) * once
        terminal.note("tools.bots train", f"{first_player.GAMES} games learn together: it plays {whole:,} pieces")
    curve: list[tuple[str, ...]] = []

    def look(row: tuple[str, ...]) -> None:
        curve.append(row)
        print(", ".join(f"{cell} {head}" for head, cell in zip(first_player.HEADS, row, strict=True)), flush=True)

    weights = first_player.train(options.steps, options.seed, look)
    with writing(options.output), output(options.output, is_player) as file:
        first_player.save(weights, file)
    if options.fill:
        fill_page(PAGE, "training", "python -m tools.bots train --fill", lay_out(first_player.HEADS, curve))
    return 0


def run_curve(options: argparse.Namespace) -> int:
    check_numba()
    from tools.bots.strong.preparing import prepare
    from tools.bots.strong.sending import measure_curve, name_conditions

    prepare()
    times_ms = options.think or [5, 20, 100, 500, 2000]
    seeds = random.SystemRandom().sample(range(SEEDS), options.games)
    rows = []
    for row in measure_curve(times_ms, seeds, options.pieces):
        terminal.note("tools.bots", " ".join(row).strip())
        rows.append(row)
    heads = ["time to think", "CPU ms a piece", "games", "pieces", "lines sent a piece", "error"]
    command = "".join(f" --think {ms}" for ms in options.think or ())
    command += f" --games {options.games}" + (f" --pieces {options.pieces}" if options.pieces != _PIECES else "")
    command = f"python -m tools.bots curve{command} --fill"
    show(f"{lay_out(heads, rows)}\n{name_conditions(seeds)}", PAGE, "curve", command, options.fill)
    return 0


def run_perft(options: argparse.Namespace) -> int:
    """Count placements; return WRONG of the command if counts differ."""
    if options.by != "places" or options.write:
        check_numba()
    from tools.bots.perft import command

    return command.run(options)


def run_host(options: argparse.Namespace) -> int:
    """Let a bot play; return 0, or LOST if the bot is at fault. Raise Refusal or ValueError for invalid options."""
    if options.record and options.garbage:
        raise Refusal("--record and --garbage cannot be used together: in Marathon no garbage rises")
    bot = start_bot(options.bot, options.limit / 1000)
    garbage = tuple(options.garbage or (0, 0))
    host = Host(bot, options.seed, options.seen, options.think / 1000, garbage, options.attacks)
    fault = ""
    try:
        with bot, progress.bar("playing", options.pieces, "pieces") as shown:
            host.play(options.pieces, shown.update)
    except Fault as problem:
        fault = str(problem)
    print_result(host)
    if options.record:
        with writing(options.record), output(options.record, is_recording) as file:
            file.write(host.recorder.recorded(host.game.time_ms))
    if fault:
        terminal.note("tools.bots host", f"{bot.name} loses: it {fault}")
        return LOST
    return 0


def print_result(host: Host) -> None:
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


def run_tbp(options: argparse.Namespace) -> int:
    sink = sys.stdout.buffer  # choosing a policy gives its prints another stdout
    serve(choose_bot(options), sys.stdin.buffer, sink)
    return 0


_RUN = {
    "tbp": run_tbp,
    "host": run_host,
    "tune": run_tune,
    "learn": run_learn,
    "train": run_train,
    "sent": run_sent,
    "curve": run_curve,
    "perft": run_perft,
    "arena": run_arena,
    "card": card.run,
}


def run(options: argparse.Namespace) -> int:
    """Carry out the command line; return 0, or LOST if a bot is at fault."""
    try:
        return _RUN[options.command](options)
    except BrokenPipeError:
        # The host has quit. At exit, flushing stdout would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ValueError as problem:
        raise Refusal(str(problem)) from None
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
