"""Describe the command line of the simulator."""

import argparse
from importlib.util import find_spec

from firmware.engine.randomizer import SEEDS
from firmware.match.options import MOST_PLAYERS
from firmware.option_table import GAME_FIELDS
from firmware.players.levels import BEST, STRONGEST
from sim import board_screens, terminal
from sim.blinka.wiring import SETTINGS
from sim.bots.process import split_command
from sim.desktop import gamepad, key_file
from sim.desktop.archive import is_archive
from sim.game_record import is_recording
from sim.library import SPANS, VARIANTS
from sim.link import LOOPBACK
from sim.oled import COLOURS
from sim.ownership import Output, to_file
from sim.rules import read_rules
from sim.store import check_saves, find_data_folder
from sim.terminal import add_flag, add_number, add_path, number_within

PACE_MS = 600
_MOST_PACE_MS = 10_000
LEVELS = next(most for name, _, most, _ in GAME_FIELDS if name == "level")

_EPILOG = """\
keys in play (A, B, C and S are named like the handheld's buttons):
  left / right          LEFT, RIGHT or numpad 4, 6
  soft / hard drop      DOWN or numpad 2 / SPACE or numpad 8
  rotate clockwise      A, X, UP or numpad 1, 5, 9
  rotate the other way  B, Z, CONTROL or numpad 3, 7
  rotate by 180         V or BACKSPACE; REWIND in Zen, the Target Mark in a match
  hold                  C, SHIFT or numpad 0
  pause / restart       S, ESCAPE, F1 or ENTER / R

Letters name places, as on a US keyboard; the legend shows what your layout has there. OPTIONS > BUTTONS chooses other
keys. --keys-map prints them, and the file that keeps them.

keys in menus: the arrows; A, X or SPACE for A; B, Z, ESCAPE or BACKSPACE for B; S, F1 or ENTER for START.

keys of the window: TAB shows or hides the legend, F11 is full screen, CONTROL + and - the size. In menus CONTROL C
copies the rules as a line such as SKY1-22310-228M6-VE3Y, and CONTROL V loads a copied line.

--players 2, 3 or 4 puts that many handhelds on the screen, in one match:
  player 1   A and D move; S soft-drops, W or SPACE hard-drops; G or E, F or Q and T rotate; R or SHIFT hold; ESCAPE
             pauses
  player 2   the arrows move and drop; L, K and I rotate; O or SHIFT hold; ENTER pauses; or use the numpad
  player 3, 4   the first gamepads that you plug in, or keys that you choose; further gamepads are for players 1 and 2

--computers 3 5 adds computers of these levels. With --players 2, two people play against or beside them. Such a match
opens in the menu VERSUS: START begins it.

--versus "COMMAND" adds a program that speaks the Tetris Bot Protocol, such as "python -m tools.bots tbp".
It may think until its presses are due, --pace after its Tetrimino comes. It loses if it hangs, crashes or sends
nonsense. Such a match leaves your settings alone and is kept only as a recording in the library.

Gamepads: directional pad or left stick; A or Y and B or X rotate; a shoulder button holds; START pauses.
--gamepad-map prints the buttons that you can change, and the file to change them in.

--host, --join and --link lead to the lobby, where A means that you are ready. If you leave you lose at once; if you
cannot be reached you lose after half a minute.

--seed, --level, --variant, --rules and --record start a game at once; without them you choose in the menus.

Keys in a replay: LEFT and RIGHT step by one Tetrimino, UP and DOWN set the speed, X pauses, and DOWN then shows the
figures of play. ENTER plays on from there, ESCAPE leaves, and C shows the next player of a match. While you practise
after a Top Out, C with S asks for a hint.
"""


def _list_places() -> str:
    """Return where the user's own files are; "" without platformdirs, which knows it."""
    if find_spec("platformdirs") is None:
        return ""
    places = {
        "scores, saves, library": find_data_folder(),
        "keys": key_file.find_path(),
        "buttons of gamepads": gamepad.controls_path(),
        "mappings of gamepads": gamepad.sdl_database_path(),
    }
    return "\nyour files:\n" + "".join(f"  {what:22}  {path}\n" for what, path in places.items())


def make_parser() -> terminal.Parser:
    parser = terminal.Parser(
        prog="python -m sim",
        description="Play Skyline in a window that looks like the handheld's OLED.",
        epilog=_EPILOG + _list_places(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    game = parser.add_argument_group("the game")
    add_number(game, "--seed", 0, SEEDS - 1, None, "play the game of this seed")
    game.add_argument("--variant", choices=VARIANTS, help="which mode to play (default: the last one played)")
    others = ", ".join(f"{name} has {span[0]} to {span[1]}" for name, span in SPANS.items() if span != (1, LEVELS))
    add_number(game, "--level", 0, LEVELS, None, f"start at level 1 to {LEVELS}; {others}")
    words = "watch a recorded game: a file, a link, a game of the library by its number or name, or demo, our own"
    add_path(game, "--play", "FILE", words)
    words = "with --play: play on from this time yourself, a game in Practice, a match against computers"
    add_number(game, "--at", 0, None, None, words, "MS")
    add_number(game, "--side", 1, MOST_PLAYERS, None, "with --at: as this player of a match (default: the first)")
    words = "list the finished games that were played here, or those that contain every WORD. "
    words += "To see their pictures or delete them, use python -m tools.library"
    game.add_argument("--library", nargs="*", metavar="WORD", help=words)
    words = f"2 to {MOST_PLAYERS} people on one PC, in a match with the rules of the VERSUS menu"
    add_number(game, "--players", 2, MOST_PLAYERS, None, words)
    words = "play by the rules of this line at once: a game, or a match"
    game.add_argument("--rules", type=_rules, metavar="LINE", help=words)
    add_flag(game, "--explain", "only say what the rules of --rules are")
    link = parser.add_argument_group("other devices")
    words = f"host a match for 1 to {MOST_PLAYERS - 1} other simulators on this computer; "
    words += "give an ADDRESS[:PORT] such as 0.0.0.0 to let other computers join"
    link.add_argument("--host", nargs="?", const=LOOPBACK, metavar="ADDRESS", help=words)
    link.add_argument("--join", metavar="ADDRESS", help="join the match that is hosted at ADDRESS[:PORT]")
    words = "play against a handheld on this serial port (its USB, with SKYLINE_LINK_USB = 1)"
    link.add_argument("--link", metavar="PORT", help=words)
    words = f"add computer players of level 1 to {STRONGEST}, up to {MOST_PLAYERS} players in all; those above {BEST} "
    words += "need Numba. "
    words += "Without --players you play against them; with --headless they play each other"
    game.add_argument(
        "--computers", type=number_within(1, STRONGEST), nargs="+", default=[], metavar="LEVEL", help=words
    )
    words = "add a bot that speaks the Tetris Bot Protocol; COMMAND starts it"
    game.add_argument("--versus", type=_command, metavar="COMMAND", help=words)
    words = f"milliseconds from the bot's next Tetrimino to its first press (default {PACE_MS})"
    add_number(game, "--pace", 0, _MOST_PACE_MS, None, words, "MS")
    words = "write a recording of the game; if you play several, of the last one"
    game.add_argument("--record", type=to_file(ours=is_recording), metavar="FILE", help=words)
    words = "where scores and the game in progress are kept (default: your data folder). "
    words += "Games with --play, --record, --seed, --level, --variant or --rules do not touch them"
    game.add_argument("--folder", type=Output(check_saves), metavar="DIR", help=words)
    words = "run without window, sound or waiting; needs --play, --computers or --versus"
    add_flag(game, "--headless", words)
    words = "play on this Raspberry Pi's own display and buttons, wired as FILE says (default: settings.toml in the "
    words += "current folder, if it is there)"
    parts = parser.add_argument_group("a Raspberry Pi")
    parts.add_argument("--blinka", type=terminal.path, nargs="?", const=SETTINGS, metavar="FILE", help=words)
    look = parser.add_argument_group("look and sound")
    words = "show the screen of this board, such as hack_club_sprig, as fast as it is, and name its buttons; "
    words += "also in --screenshot"
    look.add_argument("--board", type=board_screens.find, metavar="NAME", help=words)
    look.add_argument("--colour", choices=sorted(COLOURS), default="white", help="colour of the OLED (default: white)")
    add_number(look, "--scale", 1, 32, None, "screen pixels per OLED pixel (default: as large as fits)")
    add_flag(look, "--mute", "no sound")
    add_flag(look, "--no-legend", "start with the key legend hidden (Tab shows it)")
    pads = parser.add_argument_group("keys and gamepads")
    words = "keep the keys that you choose in this file (default: your own file)"
    pads.add_argument("--keys", type=Output(key_file.check), metavar="FILE", help=words)
    add_flag(pads, "--keys-map", "print the keys in the format of that file, and where it is")
    add_path(pads, "--gamepad", "FILE", "read the gamepad's buttons from this file (default: your own file)")
    add_flag(pads, "--gamepad-map", "print the gamepad's buttons in the format of that file, and where to put it")
    move = parser.add_argument_group("moving to another computer, or to a phone")
    words = "write the saves, the library and the keys to one archive, which the page loads too"
    move.add_argument("--save-all", type=to_file(".zip", is_archive), metavar="OUT.zip", help=words)
    add_path(move, "--load-all", "FILE", "load such an archive: it replaces saves and keys, and adds games")
    add_flag(move, "--replace", "with --load-all: replace what is there; a copy is kept beside the saves")
    files = parser.add_argument_group("output")
    files.add_argument("--screenshot", type=to_file(".png"), metavar="OUT.png", help="save the last picture")
    files.add_argument("--gif", type=to_file(".gif"), metavar="OUT.gif", help="save the whole game as an animation")
    add_flag(files, "--trace", "print the running hash of the game at each Lock Down")
    return parser


def _command(text: str) -> str:
    """Return a command for a bot; refuse a command that cannot be split into words."""
    try:
        split_command(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a command: {error}") from None
    return text


def _rules(text: str) -> list[int]:
    """Return the numbers of a line of rules; refuse a wrong line."""
    try:
        return read_rules(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
