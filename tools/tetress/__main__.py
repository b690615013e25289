"""Show games of Tetress and hold matches: `python -m tools.tetress show FILE`, `kept`, `match`."""

import argparse
import sys
from importlib.util import find_spec
from typing import Any

from firmware.save.journal import BOARD_GAME, Journal
from firmware.tetress.game import LONGEST, Game
from firmware.tetress.record import HEAD, is_whole
from sim import terminal
from sim.ownership import to_file, to_folder, write_folder
from sim.store import open_stores
from sim.terminal import Refusal, add_flag, add_number, add_path, seconds_from, tell_install, writing
from tools.markdown import lay_out
from tools.tetress import match, picture
from tools.tetress.notation import NotationError, outcome, printable, read_transcript, write_transcript
from tools.tetress.players import COMPILED, PLAYERS, find_player

PICTURES = (".png", ".gif")
MARKER = ".skyline-tetress"  # lists the transcripts that we wrote into a folder
_HEADS = ("player", "won", "as Red", "as Blue", "drawn", "lost", "CPU s a game", "worst", "MB")


def show(options: argparse.Namespace) -> None:
    """Replay a transcript; print the board, or write a picture."""
    try:
        actions = read_transcript(terminal.read_text_or_refuse(options.file))
    except NotationError as problem:
        raise Refusal(f"{options.file}, {problem}") from None
    if not actions:
        raise Refusal(f"{options.file} has no actions")
    actions = actions[: options.until]
    if options.output:
        if options.output.suffix.lower() not in PICTURES:
            raise Refusal(f"cannot write {options.output}: a picture's name ends in {' or '.join(PICTURES)}")
        if find_spec("PIL") is None:
            raise Refusal(f"pictures need Pillow; {tell_install('sim')}")
        with writing(options.output):
            picture.save(actions, options.output)
    game = Game()
    for action in actions:
        game.play(action)
    if not options.output:
        print(picture.as_text(game))
    print(outcome(game))


def print_kept(options: argparse.Namespace) -> None:
    """Print the transcript of the game that a simulated handheld keeps."""
    record = bytes(Journal(list(open_stores(options.folder))).read(BOARD_GAME))
    if not is_whole(record):
        raise Refusal("no game of Tetress is kept there")
    actions = [record[i] | record[i + 1] << 8 for i in range(HEAD, len(record), 2)]
    try:
        print(write_transcript(actions), end="")
    except ValueError as problem:
        raise Refusal(f"the game that is kept breaks the rules: {problem}") from None


def hold_match(options: argparse.Namespace) -> None:
    """Play the match with progress bars, and print the table."""
    names = (options.a, options.b)
    if find_spec("tqdm") is None or (COMPILED & set(names) and find_spec("numba") is None):
        raise Refusal(f"matches need the extra `solve`; {tell_install('solve')}")
    from tqdm import tqdm

    for name in names:
        find_player(name)
    with (
        tqdm(total=options.games, unit="game", disable=options.quiet) as bar,
        tqdm(total=LONGEST, unit="action", leave=False, disable=options.quiet) as actions,
    ):

        def count(played: int) -> None:
            actions.update(played - actions.n)

        def show_result(number: int, result: match.Result, tallies: list[match.Tally]) -> None:
            bar.update()
            bar.set_postfix_str(" : ".join(f"{tally.name} {sum(tally.won)}" for tally in tallies))
            actions.reset()
            if result.reason:
                bar.write(printable(f"game {number + 1}: {result.reason}"), file=sys.stderr)
            if options.save:
                transcript = {f"{number + 1:04d}.txt": write_transcript(result.actions).encode()}
                write_folder(options.save, transcript, MARKER, keeps_old=True)

        tallies = match.play_match(names, options.games, options.seconds, options.seed, show_result, count)
    print(lay_out(_HEADS, map(format_row, tallies)), end="")


def format_row(tally: match.Tally) -> tuple[str, ...]:
    seconds = tally.cpu_s or [0.0]
    counts = (sum(tally.won), *tally.won, tally.drawn, sum(tally.lost))
    times = (f"{sum(seconds) / len(seconds):.2f}", f"{max(seconds):.2f}")
    return (tally.name, *map(str, counts), *times, f"{tally.memory_mb:.0f}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, or 2 after one line on stderr that says what was wrong."""
    parser = terminal.Parser(prog="python -m tools.tetress", description=(__doc__ or "").split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    add_show(verbs)
    add_kept(verbs)
    add_match(verbs)
    return parser.run(lambda options: options.run(options), arguments)


def add_show(verbs: Any) -> None:
    words = "show a transcript as a picture or as text"
    verb = verbs.add_parser("show", help=words, description="Replay a transcript.")
    add_path(verb, "file", "FILE", "a text file with one action a line: PLACE[(r,c), (r,c), (r,c), (r,c)]")
    words = "write OUTPUT.png (the last position) or OUTPUT.gif (the whole game); without it print the last position"
    verb.add_argument("-o", "--output", type=to_file(), help=words)
    add_number(verb, "--until", 1, None, None, "stop after N actions")
    verb.set_defaults(run=show)


def add_kept(verbs: Any) -> None:
    words = "Print the transcript of the game that the simulator keeps, in progress or over."
    verb = verbs.add_parser("kept", help="print the last game of the simulator", description=words)
    add_path(verb, "--folder", "FOLDER", "as for `python -m sim` (default: your data folder)")
    verb.set_defaults(run=print_kept)


def add_match(verbs: Any) -> None:
    verb = verbs.add_parser(
        "match",
        help="play a match between two players",
        description=(
            "Let two players play each other with alternating colours, each in its own process. A player "
            "loses the game if it breaks a rule, crashes, exits or takes too long. The match goes on."
        ),
        epilog=(
            f"Players: {', '.join(PLAYERS)}, or module:Class. The class is made as Class(colour) or "
            "Class(colour, seconds=, seed=). It needs choose() or choose(seconds_left=), and "
            "update(colour, cells)."
        ),
    )
    verb.add_argument("a", metavar="A")
    verb.add_argument("b", metavar="B")
    add_number(verb, "--games", 1, None, 10, "number of games")
    words = "CPU time of a player for a whole game (default 180)"
    verb.add_argument("--seconds", type=seconds_from(0.001), default=180.0, help=words)
    add_number(verb, "--seed", 0, None, 1, "seed")
    words = "write the transcript of every game to this folder"
    verb.add_argument("--save", type=to_folder(MARKER), metavar="FOLDER", help=words)
    add_flag(verb, "--quiet", "hide the progress bar")
    verb.set_defaults(run=hold_match)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
