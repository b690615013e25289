"""List, search, show and delete the games that were played in the simulator.

    python -m tools.library list --sheet games.png
    python -m tools.library search sprint 2026
    python -m tools.library show 1
    python -m tools.library delete 20261122-051530-marathon-34500

Name a game by its number in the list or by its file's name. `python -m sim --play 1` replays it,
`python -m tools.export` exports it as a GIF, a fumen link or text.
"""

import argparse
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from firmware.save.recordings.recording import Recording
from sim import terminal
from sim.daily import describe, is_daily
from sim.game_files import read_recording
from sim.library import NO_FINESSE, SHOWN, Entry, Library, open_library, show_games
from sim.ownership import Output, output, to_file
from sim.store import check_saves
from sim.terminal import Refusal, add_number, tell_install
from sim.traces import trace
from tools.placements import as_text, witness

_COLUMNS = 6
_GAP = 8  # pixels between pictures
_CAPTION_LINE = 12  # pixels of each of two lines below a picture


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0, or 2 after one line on stderr."""
    words = "List, search, show and delete the games that were played in the simulator."
    parser = terminal.Parser(prog="python -m tools.library", description=words)
    words = "where the simulator keeps its saves (default: your data folder)"
    parser.add_argument("--folder", type=Output(check_saves), metavar="FOLDER", help=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="list|search|show|delete")
    for name, summary in (("list", "list all games, the newest first"), ("search", "list those that have all words")):
        command = commands.add_parser(name, help=summary)
        if name == "search":
            words = "words that must appear in the name, date, mode or result"
            command.add_argument("words", nargs="+", metavar="WORD", help=words)
        words = "write the games' pictures side by side"
        command.add_argument("--sheet", type=to_file(".png"), metavar="OUT.png", help=words)
        add_number(command, "--most", 1, 1 << 30, SHOWN, "how many games to list")
    command = commands.add_parser("show", help="show everything about a game, with its final Matrix")
    command.add_argument("game", metavar="GAME", help="number or name of the game")
    command = commands.add_parser("delete", help="delete games and their pictures")
    command.add_argument("games", nargs="+", metavar="GAME", help="numbers or names of the games")
    return parser.run(run, arguments)


def find(library: Library, key: str) -> Entry:
    """Return the game with this number in the list or this name; raise Refusal if there is none."""
    entry = library.find(key)
    if not entry:
        raise Refusal(f"there is no game '{key}'; `python -m tools.library list` lists {library.count()}")
    return entry


def show(library: Library, entry: Entry) -> None:
    """Print the details and the end of a game or match; raise Refusal if its file is no recording."""
    print(f"{entry.describe()}\n{entry.path}")
    if entry.picture.is_file():
        print(entry.picture)
    recording = read_recording(entry.path)
    figures = library.figures(entry)
    if figures:
        hundredths = {name.upper(): getattr(figures, name) / 100 for name in ("pps", "apm", "app", "kpp")}
        finesse = "-" if entry.variant in NO_FINESSE else f"{figures.finesse} %"
        print(", ".join(f"{name} {value:.2f}" for name, value in hundredths.items()) + f", finesse {finesse}")
    if not isinstance(recording, Recording):
        for line in trace(recording):
            if " won by " in line:
                print(line)
        return
    print(f"seed {recording.seed}, level {recording.options.level}, {len(recording.blob)} bytes")
    if is_daily(recording.variant):
        with suppress(ValueError):  # a game under older rules may have no valid line
            print(describe(recording.blob))
    game = witness(recording)
    count = len(game.placements)
    if count:
        print(as_text(game, count, count))


def save_sheet(path: Path, entries: list[Entry]) -> None:
    """Write the pictures of these games side by side, with captions; raise Refusal or OSError."""
    if find_spec("PIL") is None:
        raise Refusal(f"--sheet needs Pillow; {tell_install('sim')}")
    from PIL import Image, ImageDraw

    with_picture = [entry for entry in entries if entry.picture.is_file()]
    if not with_picture:
        raise Refusal("none of these games has a picture")
    pictures = [Image.open(entry.picture).convert("RGB") for entry in with_picture]
    width = max(picture.width for picture in pictures) + _GAP
    height = max(picture.height for picture in pictures) + _GAP + 2 * _CAPTION_LINE
    columns = min(_COLUMNS, len(with_picture))
    sheet = Image.new("RGB", (_GAP + width * columns, _GAP + height * -(-len(with_picture) // columns)), "dimgrey")
    pen = ImageDraw.Draw(sheet)
    for number, (entry, picture) in enumerate(zip(with_picture, pictures, strict=True)):
        x, y = _GAP + width * (number % columns), _GAP + height * (number // columns)
        sheet.paste(picture, (x, y))
        pen.text((x, y + picture.height + 1), f"{entry.variant} {entry.result}", fill="white")
        pen.text((x, y + picture.height + 1 + _CAPTION_LINE), f"{entry.ended:%d %b %Y %H:%M}", fill="white")
    with output(path) as file:
        sheet.save(file, "PNG")


def run(options: argparse.Namespace) -> None:
    """Carry out the command line; raise Refusal if that is impossible."""
    library = open_library(options.folder)
    if options.command in ("list", "search"):
        words = options.words if options.command == "search" else []
        found = show_games(library, "tools.library", words, options.most)
        if options.sheet:
            save_sheet(options.sheet, found)
    elif options.command == "show":
        show(library, find(library, options.game))
    else:
        for entry in [find(library, key) for key in options.games]:  # find all before deleting any
            library.delete(entry)
            print(f"deleted {entry.name}")


if __name__ == "__main__":
    sys.exit(terminal.run(main))
